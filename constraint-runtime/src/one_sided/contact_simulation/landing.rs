//! The end of a step on an event.

use nalgebra::{RealField, SimdBool};

use crate::error::Error;
use crate::integrator::{Integrator, Interpolant, Motion};
use crate::one_sided::watch::{Found, Watched};
use crate::one_sided::{InMode, OneSided};
use crate::real::{Real, is_finite, lane_value};
use crate::simulation::{Simulation, Taken};
use crate::state::{State, check_finite};
use crate::system::Dynamics;

/// Steps to place the end of a step on an event.
const MOST_POLISH: usize = 12;

/// Receives the start, the length and the end time of each step.
pub(super) type Record<'a, T, S> =
    &'a mut dyn FnMut(&State<<S as Dynamics<T>>::Q, <S as Dynamics<T>>::V>, T, T);

/// The state at an event.
pub(super) struct Landing<T: Real, S: OneSided<T>> {
    pub(super) there: State<S::Q, S::V>,
    /// False of a gap or a slip that grows there.
    pub(super) ends: bool,
}

/// Corrections after the time is found. Its derivatives in dual numbers need both: the rate is that of the motion, the
/// slope of the method differs from it by its error.
const SETTLED: usize = 2;

/// The motion from the start of a step to an event in it: steps of the method itself, each with a length corrected by
/// Newton's method, in the scalar of the run, so that times of events have derivatives as well.
pub(super) fn land<T, S, I>(
    simulation: &Simulation<InMode<T, S>, I>,
    step: &Taken<InMode<T, S>, I>,
    motion: &Interpolant<S::Q, S::V>,
    found: &Found<T>,
    record: Option<Record<'_, T, S>>,
) -> Result<Landing<T, S>, Error>
where
    T: Real + RealField,
    S: OneSided<T>,
    I: Integrator<Scalar = T>,
{
    let whole = step.end.t - step.start.t;
    let mut h = whole * T::lit(found.theta);
    let mut there = moved(simulation, step, h, None)?;
    let unit = 2.0 * lane_value(T::simd_default_epsilon(), 0);
    let small = unit * lane_value(whole.simd_abs() + step.start.t.simd_abs(), 0);
    let (mut ends, mut settled) = (true, 0);
    for round in 0..MOST_POLISH {
        let system = simulation.system();
        let value = system.watched(found.watched, &there)? - found.level;
        let rate = system.rate_of(found.watched, &there, (motion, found.theta))?;
        let leaves = matches!(found.watched, Watched::Gap(_) | Watched::Slip(_));
        if round == 0 && leaves && lane_value(rate, 0) > 0.0 {
            ends = false;
            break;
        }
        let change = value / rate;
        if !is_finite(change).all() {
            break;
        }
        let size = lane_value(change.simd_abs(), 0);
        if size > 0.5 * lane_value(whole, 0) {
            break;
        }
        settled += usize::from(size <= small);
        h -= change;
        if lane_value(h, 0) < 0.0 {
            h -= T::lit(lane_value(h, 0));
        }
        there = moved(simulation, step, h, None)?;
        if settled == SETTLED {
            break;
        }
    }
    if record.is_some() {
        moved(simulation, step, h, record)?;
    }
    Ok(Landing { there, ends })
}

/// The motion from the start of a step over the time `h`.
fn moved<T, S, I>(
    simulation: &Simulation<InMode<T, S>, I>,
    step: &Taken<InMode<T, S>, I>,
    mut h: T,
    mut record: Option<Record<'_, T, S>>,
) -> Result<State<S::Q, S::V>, Error>
where
    T: Real + RealField,
    S: OneSided<T>,
    I: Integrator<Scalar = T>,
{
    let (integrator, stabilization) = simulation.method();
    let motion = Motion::new(simulation.system(), stabilization);
    let mut memory = simulation.memory().clone();
    let (mut start, mut end) = (step.start.clone(), step.start.clone());
    let target = start.t + h;
    // An adaptive method may need several steps.
    loop {
        start.clone_from(&end);
        if lane_value(h, 0) > 0.0 {
            end.t = target;
            integrator.step(&motion, &mut memory, &start, h, &mut end)?;
            check_finite(&end)?;
        }
        let left = target - end.t;
        let is_last = lane_value(left, 0).max(0.0) == 0.0;
        if let Some(record) = &mut record {
            record(&start, if is_last { h } else { end.t - start.t }, end.t);
        }
        if is_last {
            break;
        }
        h = left;
    }
    Ok(end)
}
