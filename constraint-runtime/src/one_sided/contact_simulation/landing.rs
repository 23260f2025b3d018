//! The end of a step on an event.

use nalgebra::{RealField, SimdBool};

use crate::error::Error;
use crate::integrator::{Integrator, Interpolant, Motion};
use crate::one_sided::watch::Found;
use crate::one_sided::{InMode, OneSided};
use crate::real::{Real, is_finite, lane_value};
use crate::simulation::{Simulation, Taken};
use crate::state::{State, check_finite};

/// Steps to place the end of a step on an event.
const MOST_POLISH: usize = 12;

/// The motion from the start of a step to an event in it: steps of the method itself, each with a length corrected by
/// Newton's method, in the scalar of the run, so that times of events have derivatives as well.
pub(super) fn land<T, S, I>(
    simulation: &Simulation<InMode<T, S>, I>,
    step: &Taken<InMode<T, S>, I>,
    motion: &Interpolant<S::Q, S::V>,
    found: &Found<T>,
) -> Result<State<S::Q, S::V>, Error>
where
    T: Real + RealField,
    S: OneSided<T>,
    I: Integrator<Scalar = T>,
{
    let whole = step.end.t - step.start.t;
    let mut h = whole * T::lit(found.theta);
    let mut there = moved(simulation, step, h)?;
    let unit = 2.0 * lane_value(T::simd_default_epsilon(), 0);
    let small = unit * lane_value(whole.simd_abs() + step.start.t.simd_abs(), 0);
    for round in 0..MOST_POLISH {
        let system = simulation.system();
        let value = system.watched(found.watched, &there)? - found.level;
        let rate = system.rate_of(found.watched, &there, (motion, found.theta))?;
        let change = value / rate;
        if !is_finite(change).all() {
            break;
        }
        let size = lane_value(change.simd_abs(), 0);
        // Derivatives need one correction more than the number itself.
        if (size <= small && round > 0) || size > 0.5 * lane_value(whole, 0) {
            break;
        }
        h -= change;
        if lane_value(h, 0) < 0.0 {
            h -= T::lit(lane_value(h, 0));
        }
        there = moved(simulation, step, h)?;
    }
    Ok(there)
}

/// The motion from the start of a step over the time `h`.
fn moved<T, S, I>(
    simulation: &Simulation<InMode<T, S>, I>,
    step: &Taken<InMode<T, S>, I>,
    mut h: T,
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
    while lane_value(h, 0) > 0.0 {
        start.clone_from(&end);
        end.t = target;
        integrator.step(&motion, &mut memory, &start, h, &mut end)?;
        check_finite(&end)?;
        h = target - end.t;
    }
    Ok(end)
}
