//! Time, coordinates and velocities of a system at one instant.

use nalgebra::SVector;

use crate::error::{Error, Quantity};
use crate::real::{Real, first_bad, first_non_finite, is_finite, is_plainly_finite};

/// A state (t, q, v) of `Q` coordinates and `V` velocities.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let start: State<f64, 2, 2> = State::new(0.0, [-100.0, -100.0], [0.0, 0.0]);
/// assert_eq!(start.q.x, -100.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
// Pairs of numbers, which processors move at once, then lie within one cache line wherever the state lies.
#[repr(align(16))]
pub struct State<T, const Q: usize, const V: usize> {
    /// Time t.
    pub t: T,
    /// Coordinates q.
    pub q: SVector<T, Q>,
    /// Velocities v.
    pub v: SVector<T, V>,
}

impl<T: Real, const Q: usize, const V: usize> State<T, Q, V> {
    /// The state of coordinates `q` and velocities `v` at time `t`.
    ///
    /// Arrays, flat vectors and the named coordinates of a system are all accepted.
    pub fn new(t: T, q: impl Into<SVector<T, Q>>, v: impl Into<SVector<T, V>>) -> Self {
        Self {
            t,
            q: q.into(),
            v: v.into(),
        }
    }
}

/// That time, coordinates and velocities are numbers.
#[inline]
pub(crate) fn check_finite<T: Real, const Q: usize, const V: usize>(
    state: &State<T, Q, V>,
) -> Result<(), Error> {
    let State { t, q, v } = state;
    if first_bad(*t, is_finite(*t)).is_none() && is_plainly_finite(q) && is_plainly_finite(v) {
        return Ok(());
    }
    first_fault(state)
}

#[cold]
fn first_fault<T: Real, const Q: usize, const V: usize>(
    state: &State<T, Q, V>,
) -> Result<(), Error> {
    let time = first_bad(state.t, is_finite(state.t)).map(|value| (Quantity::Time, 0, value));
    let bad = time
        .or_else(|| first_non_finite(&state.q).map(|(i, x)| (Quantity::Coordinate, i, x)))
        .or_else(|| first_non_finite(&state.v).map(|(i, x)| (Quantity::Velocity, i, x)));
    match bad {
        None => Ok(()),
        Some((quantity, index, value)) => Err(Error::NonFinite {
            quantity,
            index,
            names: None,
            value,
            time: None,
        }),
    }
}
