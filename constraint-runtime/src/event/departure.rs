//! The side that a function moves to from a state where it is zero.
//!
//! It is found along the tangent of the motion: a flight between two bounces may be shorter than any fraction of a
//! step, and the motion may be back below zero before the first sample. Differences to both sides eliminate the
//! curvature of the function. Moving each number of the state by its own rounding shows how much of a change is
//! rounding.

use super::search::Side;
use crate::integrator::{Interpolant, Slope};
use crate::real::{Real, lane_value};
use crate::state::State;
use crate::vector::Vector;

/// Fractions of a step at which a function is evaluated: the first change larger than rounding decides. Those beyond
/// the step are for speeds so small that nothing less shows them.
const FRACTIONS: [f64; 7] = [1e-6, 1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6];

/// Units of rounding by which a number of the state may be off.
const UNITS: f64 = 8.0;

/// The side that `function` moves to from `state`, a state of the step `motion`, with the slope `slope`; `None` if
/// the change is not more than `certainty` times its rounding.
pub(super) fn side_along_tangent<T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
    function: impl Fn(&State<Q, V>) -> f64,
    motion: &Interpolant<Q, V>,
    state: &State<Q, V>,
    slope: &Slope<Q, V>,
    certainty: f64,
) -> Option<Side> {
    let step = motion.end_time() - motion.start_time();
    let moved = |theta: f64| {
        let h = step * T::lit(theta);
        State {
            t: state.t + h,
            q: slope.q.like(|i| state.q[i] + slope.q[i] * h),
            v: slope.v.like(|i| state.v[i] + slope.v[i] * h),
        }
    };
    let change = |theta: f64| function(&moved(theta)) - function(&moved(-theta));
    FRACTIONS.into_iter().find_map(|theta| {
        let (whole, half) = (change(theta), change(0.5 * theta));
        // The remaining curvature, of third order, does not halve.
        let straight = (whole - 2.0 * half).abs() < 0.25 * whole.abs();
        let off = || rounding(&function, motion, state, &moved(theta));
        Side::of(whole).filter(|_| straight && whole.abs() > certainty * off())
    })
}

/// How much `function` changes at `state` if the state changes by the rounding of the step `motion`, and of a motion
/// from `state` to `moved`.
pub(super) fn rounding<T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
    function: impl Fn(&State<Q, V>) -> f64,
    motion: &Interpolant<Q, V>,
    state: &State<Q, V>,
    moved: &State<Q, V>,
) -> f64 {
    let [start, end] = [T::zero(), T::one()].map(|theta| motion.state_within(theta));
    // By half of the digits, which no function loses, and then scaled down to the last ones.
    let unit = T::simd_default_epsilon().simd_sqrt();
    let off = |sizes: [T; 3]| unit * sizes.iter().fold(T::zero(), |sum, x| sum + x.simd_abs());
    let exact = function(state);
    let change = |shifted: &State<Q, V>| (function(shifted) - exact).abs();
    let mut shifted = state.clone();
    shifted.t += off([start.t, end.t, moved.t]);
    let mut sum = change(&shifted);
    shifted.t = state.t;
    for i in 0..state.q.entries().len() {
        shifted.q[i] += off([start.q[i], end.q[i], moved.q[i]]);
        sum += change(&shifted);
        shifted.q[i] = state.q[i];
    }
    for i in 0..state.v.entries().len() {
        shifted.v[i] += off([start.v[i], end.v[i], moved.v[i]]);
        sum += change(&shifted);
        shifted.v[i] = state.v[i];
    }
    sum * UNITS * lane_value(unit, 0)
}
