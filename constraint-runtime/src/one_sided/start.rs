//! Starts that do not penetrate.

use super::terms::{rows, size, sizes_of};
use super::{InMode, OneSided, RowKind, RowMode, gaps, kind_of};
use crate::allowance::{SPAN_EPSILONS, coordinate_sizes};
use crate::error::Error;
use crate::real::{Real, lane_value};
use crate::stabilization::{make_consistent, project_position, project_velocity};
use crate::state::State;

/// A state near the given one on the constraints of two sides, without negative gaps: a start for a
/// [`ContactSimulation`](crate::ContactSimulation).
///
/// Gaps that are negative become zero, the one that is the most negative for its size first, by the smallest motion,
/// mass-weighted and to first order, that keeps all constraints of two sides and the gaps closed before. Velocities are
/// those of [`make_consistent`]: a run begins with the impact of gaps that close. A state without negative gaps is treated
/// as by `make_consistent`.
///
/// ```
/// use constraint_runtime::prelude::*;
/// use constraint_runtime::make_consistent_with_contacts;
///
/// system! {
///     /// Two balls of the radius r on a floor.
///     struct Balls { m: Real = 1, r: Real = 0.5 }
///     coordinate x[2];
///     particle ball[i in 0..2] = [x[i], 0] { mass: (1 + 2*i)*m }
///     constraint apart: x[1] - x[0] >= 2*r;
/// }
/// let balls = Balls::<f64>::default();
/// let inside = State::new(0.0, [0.0, 0.6], [1.0, 0.0]);
/// let refused = ContactSimulation::new(balls, inside, Rk4::new(0.1)).unwrap_err();
/// assert!(matches!(refused, Error::Penetration { constraint: "apart", .. }), "{refused}");
///
/// // The lighter one moves further.
/// let outside = make_consistent_with_contacts(&balls, inside)?;
/// assert!((outside.q - Vector2::new(-0.3, 0.7)).norm() < 1e-15);
/// ContactSimulation::new(balls, outside, Rk4::new(0.1))?.run_until(1.0)?;
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// As [`make_consistent`]; [`Error::Penetration`] if gaps stay negative although others were closed.
pub fn make_consistent_with_contacts<T: Real, S: OneSided<T> + Clone>(
    system: &S,
    state: State<S::Q, S::V>,
) -> Result<State<S::Q, S::V>, Error> {
    let mut state = make_consistent(system, state)?;
    let mut moving = InMode::open(system.clone());
    let at = lane_value(state.t, 0);
    for _ in 0..=gaps::<T, S>() {
        let Some((row, depth)) = deepest(system, &state) else {
            return Ok(state);
        };
        if core::mem::replace(&mut moving.modes.as_mut()[row], RowMode::Closed) == RowMode::Closed {
            let constraint = S::GAPS[row];
            let time = Some(at);
            return Err(Error::Penetration {
                constraint,
                depth,
                time,
            });
        }
        let State { t, q, .. } = &mut state;
        project_position(&moving, *t, q, T::zero(), |_, _| ())
            .and_then(|_| project_velocity(system, &mut state))
            .map_err(|error| error.of(&moving, at))?;
    }
    Ok(state)
}

/// The gap that is the most negative for the size of its terms, and its depth; none that a run accepts: half of the
/// digits of its terms, or the [rounding of the system](crate::allowance).
pub(super) fn deepest<T: Real, S: OneSided<T>>(
    system: &S,
    state: &State<S::Q, S::V>,
) -> Option<(usize, f64)> {
    let values = system.gaps(state.t, &state.q);
    let rows = rows::<T, S>(system, state.t, &state.q);
    let sizes = sizes_of(system, &rows, state);
    let mut coordinates = None;
    let mut is_rounding = |i: usize, depth: f64| {
        let State { t, q, v } = state;
        let coordinates = coordinates.get_or_insert_with(|| coordinate_sizes(system, *t, q, v));
        let span = size(&rows.as_ref()[i], coordinates) * T::simd_default_epsilon();
        depth <= SPAN_EPSILONS * lane_value(span, 0)
    };
    let half = lane_value(T::simd_default_epsilon().simd_sqrt(), 0);
    let mut deepest = None;
    let mut most = half;
    for i in (0..gaps::<T, S>()).filter(|&i| kind_of::<T, S>(i) == RowKind::OneSided) {
        let [depth, size] = [-values[i], sizes[i]].map(|it| lane_value(it, 0));
        if depth.is_nan() {
            return Some((i, depth));
        }
        if depth > most * size && !is_rounding(i, depth) {
            (deepest, most) = (Some((i, depth)), depth / size);
        }
    }
    deepest
}
