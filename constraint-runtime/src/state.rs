//! Time, coordinates and velocities of a system at one instant.

use crate::error::{Error, Quantity};
use crate::real::{first_bad, first_non_finite, is_finite, is_plainly_finite};
use crate::vector::Vector;

/// A state (t, q, v): coordinates in a vector `Q`, velocities in a vector `V`.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let start: State<Vector2<f64>> = State::new(0.0, [-100.0, -100.0], [0.0, 0.0]);
/// assert_eq!(start.q.x, -100.0);
/// // A rigid body has seven coordinates and six velocities.
/// type Body = State<SVector<f64, 7>, SVector<f64, 6>>;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
// Pairs of numbers, which processors move at once, then lie within one cache line wherever the state lies.
#[repr(align(16))]
pub struct State<Q: Vector, V = Q> {
    /// Time t.
    pub t: Q::Scalar,
    /// Coordinates q.
    pub q: Q,
    /// Velocities v.
    pub v: V,
}

impl<Q: Vector, V: Vector<Scalar = Q::Scalar>> State<Q, V> {
    /// The state of coordinates `q` and velocities `v` at time `t`.
    ///
    /// Arrays, flat vectors and the named coordinates of a system are all accepted.
    pub fn new(t: Q::Scalar, q: impl Into<Q>, v: impl Into<V>) -> Self {
        Self {
            t,
            q: q.into(),
            v: v.into(),
        }
    }
}

/// That time, coordinates and velocities are numbers.
#[inline]
pub(crate) fn check_finite<Q: Vector, V: Vector<Scalar = Q::Scalar>>(
    state: &State<Q, V>,
) -> Result<(), Error> {
    let State { t, q, v } = state;
    if first_bad(*t, is_finite(*t)).is_none() && is_plainly_finite(q) && is_plainly_finite(v) {
        return Ok(());
    }
    first_fault(state)
}

#[cold]
fn first_fault<Q: Vector, V: Vector<Scalar = Q::Scalar>>(state: &State<Q, V>) -> Result<(), Error> {
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
