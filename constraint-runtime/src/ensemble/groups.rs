//! Copies that run side by side: in lanes, or one by one.

use alloc::vec::Vec;

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

/// What all copies have in common.
#[derive(Clone, Copy)]
pub struct Plan<'a, T, I> {
    pub(super) end: T,
    pub(super) method: &'a I,
    pub(super) stabilization: Stabilization<T>,
}

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

    /// Runs so many copies or less, each to the end of the plan.
    #[doc(hidden)]
    fn run(copies: Vec<(S, State<Q, V>)>, plan: &Plan<'_, I::Scalar, I>) -> Vec<End<Q, V>>;
}

pub(super) type End<Q, V> = Result<State<Q, V>, Error>;

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

    fn run(copies: Vec<(S, State<Q, V>)>, plan: &Plan<'_, I::Scalar, I>) -> Vec<End<Q, V>> {
        let method = || plan.method.clone();
        let alone = |(system, start)| run(system, start, method(), plan.stabilization, plan.end);
        copies.into_iter().map(alone).collect()
    }
}

impl<L, E, S, I, Q, V> Side<S, I, Q, V> for L
where
    E: Real,
    L: Lanes<Element = E>,
    S: System<E, Q = Q, V = V> + InLanes<L>,
    S::Lanes: System<L>,
    I: LaneIntegrator<L, Scalar = E>,
    Q: Vector<Scalar = E>,
    V: Vector<Scalar = E>,
{
    const COPIES: usize = L::LANES;

    fn run(copies: Vec<(S, State<Q, V>)>, plan: &Plan<'_, E, I>) -> Vec<End<Q, V>> {
        if plan.method.in_lanes().is_none() {
            return OneByOne::run(copies, plan);
        }
        // A lane that has come to the end would be projected again as long as others go on.
        let together = copies.iter().all(|(_, start)| start.t == copies[0].1.t);
        if together && let Ok(ends) = side_by_side::<L, E, S, I, Q, V>(&copies, plan) {
            return ends.into_iter().map(Ok).collect();
        }
        // In lanes again: alone, a copy has the numbers that it has beside any others.
        let alone = |copy: &(S, _)| {
            side_by_side::<L, E, S, I, Q, V>(core::slice::from_ref(copy), plan)
                .map(|mut ends| ends.remove(0))
        };
        copies.iter().map(alone).collect()
    }
}

/// Runs as many copies as there are lanes or less; lanes that are left go along as the last copy.
///
/// # Errors
/// That of any copy.
fn side_by_side<L, E, S, I, Q, V>(
    copies: &[(S, State<Q, V>)],
    plan: &Plan<'_, E, I>,
) -> Result<Vec<State<Q, V>>, Error>
where
    E: Real,
    L: Lanes<Element = E>,
    S: InLanes<L, Lanes: System<L>>,
    I: LaneIntegrator<L, Scalar = E>,
    Q: Vector<Scalar = E>,
    V: Vector<Scalar = E>,
{
    const {
        assert!(
            Q::LEN.is_some() && V::LEN.is_some(),
            "lanes need vectors whose types tell their sizes"
        )
    };
    let copy = |lane: usize| &copies[lane.min(copies.len() - 1)];
    let system = S::gather(|lane| &copy(lane).0);
    let start = gather_states::<L, S::Lanes, Q, V>(|lane| &copy(lane).1);
    let Some(method) = plan.method.in_lanes() else {
        unreachable!("a method that runs copy by copy is not asked for lanes")
    };
    let (stabilization, end) = (
        stabilization_in_lanes(plan.stabilization),
        L::splat(plan.end),
    );
    let end = run(system, start, method, stabilization, end)?;
    Ok((0..copies.len()).map(|lane| lane_of(&end, lane)).collect())
}

/// Runs a system from its start to a time.
fn run<T, S, I>(
    system: S,
    start: State<S::Q, S::V>,
    method: I,
    stabilization: Stabilization<T>,
    end: T,
) -> Result<State<S::Q, S::V>, Error>
where
    T: Real,
    S: System<T>,
    I: Integrator<Scalar = T>,
{
    let mut run = Simulation::new(system, start, method)?.with_stabilization(stabilization);
    run.run_until(end)?;
    Ok(run.state().clone())
}
