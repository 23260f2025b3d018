//! Copies that run side by side: in lanes, or one by one.

use alloc::vec::Vec;
use core::slice;

use super::follow::Follow;
use super::lanes::{InLanes, Lanes, gather_states, lane_of};
use super::methods::{LaneIntegrator, stabilization_in_lanes};
use crate::error::Error;
use crate::integrator::Integrator;
use crate::real::Real;
use crate::simulation::Simulation;
use crate::stabilization::Stabilization;
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// The data that all copies have in common.
#[derive(Clone, Copy)]
pub struct Plan<'a, T, I, W> {
    pub(super) end: T,
    pub(super) method: &'a I,
    pub(super) stabilization: Stabilization<T>,
    pub(super) follow: &'a W,
}

/// One copy: its number, its system, its start.
pub type Member<S, Q, V> = (usize, S, State<Q, V>);

/// How many copies run side by side: a type of [`Lanes`], or [`OneByOne`].
#[diagnostic::on_unimplemented(
    message = "`{S}` cannot run in `{Self}` with `{I}`",
    note = "`.one_by_one()` runs the copies of an ensemble without lanes"
)]
pub trait Side<S, I, Q, V = Q>
where
    I: Integrator,
    Q: Vector<Scalar = I::Scalar>,
    V: Vector<Scalar = I::Scalar>,
{
    /// Copies that run side by side.
    #[doc(hidden)]
    const COPIES: usize;

    /// Runs at most this number of copies, each to the end of the plan.
    #[doc(hidden)]
    fn run<W: Follow<Q, V>>(
        members: Vec<Member<S, Q, V>>,
        plan: &Plan<'_, I::Scalar, I, W>,
    ) -> Vec<Ended<W::Told, Q, V>>;
}

/// The observation of a copy, and its last state.
pub type Ended<X, Q, V> = Result<(X, State<Q, V>), Error>;

/// Copies of an ensemble that run without lanes.
#[derive(Clone, Copy, Debug)]
pub struct OneByOne;

impl<S, I, Q, V> Side<S, I, Q, V> for OneByOne
where
    S: System<I::Scalar, Q = Q, V = V>,
    I: Integrator + Clone,
    Q: Vector<Scalar = I::Scalar>,
    V: Vector<Scalar = I::Scalar>,
{
    const COPIES: usize = 1;

    fn run<W: Follow<Q, V>>(
        members: Vec<Member<S, Q, V>>,
        plan: &Plan<'_, I::Scalar, I, W>,
    ) -> Vec<Ended<W::Told, Q, V>> {
        let alone = |(copy, system, start): Member<S, Q, V>| {
            let mut told = plan.follow.begin(copy, &start);
            let mut run = Simulation::new(system, start, plan.method.clone())?
                .with_stabilization(plan.stabilization);
            run.run_until_with(plan.end, |state| plan.follow.see(&mut told, state))?;
            Ok((told, run.state().clone()))
        };
        members.into_iter().map(alone).collect()
    }
}

impl<L, E, S, I, Q, V> Side<S, I, Q, V> for L
where
    E: Real,
    L: Lanes<Element = E>,
    S: System<E, Q = Q, V = V> + InLanes<L, Lanes: System<L>>,
    I: LaneIntegrator<L, Scalar = E>,
    Q: Vector<Scalar = E>,
    V: Vector<Scalar = E>,
{
    const COPIES: usize = L::LANES;

    fn run<W: Follow<Q, V>>(
        members: Vec<Member<S, Q, V>>,
        plan: &Plan<'_, E, I, W>,
    ) -> Vec<Ended<W::Told, Q, V>> {
        if plan.method.in_lanes().is_none() {
            return OneByOne::run(members, plan);
        }
        // A lane that has reached the end would be projected repeatedly while others continue.
        let together = members.iter().all(|(_, _, it)| it.t == members[0].2.t);
        if together && let Ok(ends) = side_by_side::<L, E, S, I, Q, V, W>(&members, plan) {
            return ends;
        }
        // In lanes as well, so that a copy alone gives the same numbers as next to others.
        let alone = |member: &Member<S, Q, V>| {
            let end = side_by_side::<L, E, S, I, Q, V, W>(slice::from_ref(member), plan);
            end.and_then(|mut end| end.remove(0))
        };
        members.iter().map(alone).collect()
    }
}

/// Runs at most as many copies as there are lanes; unused lanes repeat the last copy.
///
/// # Errors
/// The error of any copy.
fn side_by_side<L, E, S, I, Q, V, W>(
    members: &[Member<S, Q, V>],
    plan: &Plan<'_, E, I, W>,
) -> Result<Vec<Ended<W::Told, Q, V>>, Error>
where
    E: Real,
    L: Lanes<Element = E>,
    S: InLanes<L, Lanes: System<L>>,
    I: LaneIntegrator<L, Scalar = E>,
    Q: Vector<Scalar = E>,
    V: Vector<Scalar = E>,
    W: Follow<Q, V>,
{
    const {
        assert!(
            Q::LEN.is_some() && V::LEN.is_some(),
            "lanes need vectors whose types tell their sizes"
        );
    };
    let member = |lane: usize| &members[lane.min(members.len() - 1)];
    let system = S::gather(|lane| &member(lane).1);
    let start = gather_states::<L, S::Lanes, Q, V>(|lane| &member(lane).2);
    let begin = |(copy, _, start): &Member<S, Q, V>| plan.follow.begin(*copy, start);
    let mut told: Vec<W::Told> = members.iter().map(begin).collect();
    let Some(method) = plan.method.in_lanes() else {
        unreachable!("a method that runs copy by copy is not asked for lanes")
    };
    let stabilization = stabilization_in_lanes(plan.stabilization);
    let mut run = Simulation::new(system, start, method)?.with_stabilization(stabilization);
    run.run_until_with(L::splat(plan.end), |state| {
        if W::SEES {
            for (lane, told) in told.iter_mut().enumerate() {
                plan.follow.see(told, &lane_of(state, lane));
            }
        }
    })?;
    let ends = told.into_iter().enumerate();
    Ok(ends
        .map(|(lane, told)| Ok((told, lane_of(run.state(), lane))))
        .collect())
}
