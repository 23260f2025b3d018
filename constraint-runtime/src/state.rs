//! Time, coordinates and velocities of a system at one instant.

use nalgebra::SVector;

use crate::real::Real;

/// A state (t, q, v) of `Q` coordinates and `V` velocities.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let start: State<f64, 2, 2> = State::new(0.0, [-100.0, -100.0], [0.0, 0.0]);
/// assert_eq!(start.q.x, -100.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
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
