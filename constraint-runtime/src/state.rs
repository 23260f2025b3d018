//! Time, coordinates and velocities of a system at one instant.

use crate::checks;
use crate::error::{Error, Quantity};
use crate::real::{Real, first_bad, first_non_finite, is_finite, is_plainly_finite};
use crate::system::Dynamics;
use crate::vector::Vector;

/// A state (t, q, v): coordinates in a vector `Q`, velocities in a vector `V`.
///
/// A state has no names: a run returns them by name as [`coordinates`](crate::Simulation::coordinates) and
/// [`velocities`](crate::Simulation::velocities), as in `run.coordinates().bob`.
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
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
// Aligned so that pairs of numbers, which processors load at once, lie within one cache line.
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
    pub fn new(t: Q::Scalar, q: impl IntoState<Q>, v: impl IntoState<V>) -> Self {
        Self {
            t,
            q: q.into_state(),
            v: v.into_state(),
        }
    }
}

/// Arguments for the coordinates or velocities of a [`State`]: everything that converts into its vector by [`Into`].
///
/// It is a separate trait so that the compiler can explain arguments that do not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the coordinates or velocities of the system",
    label = "not as many numbers as the system has, or not of its scalar type",
    note = "an array has one number for each coordinate or velocity, with a decimal point: `[0.0, -1.0]`, not `[0, -1]`",
    note = "by name, use the generated structs: `PendulumCoordinates` for a `Pendulum`, and `PendulumVelocities`"
)]
pub trait IntoState<X> {
    /// The vector.
    fn into_state(self) -> X;
}

#[diagnostic::do_not_recommend]
impl<X, Y: Into<X>> IntoState<X> for Y {
    fn into_state(self) -> X {
        self.into()
    }
}

/// Arguments for a gravity: everything that converts into its vector by [`Into`].
///
/// It is a separate trait so that the compiler can explain arguments that do not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the gravity here",
    label = "not as many numbers as the space or the constraint has, or not of its scalar type",
    note = "write one number for each direction, with a decimal point: `[0.0, -9.81]` in the plane, `[0.0, 0.0, -9.81]` in space",
    note = "a constraint between several points moves all their coordinates: write the gravity of each, or a `system!`"
)]
pub trait IntoGravity<X> {
    /// The vector.
    fn into_gravity(self) -> X;
}

#[diagnostic::do_not_recommend]
impl<X, Y: Into<X>> IntoGravity<X> for Y {
    fn into_gravity(self) -> X {
        self.into()
    }
}

/// Checks that a state has as many coordinates and velocities as the system.
pub(crate) fn check_lengths<T: Real, S: Dynamics<T>>(
    system: &S,
    state: &State<S::Q, S::V>,
) -> Result<(), Error> {
    let lengths = lengths(state);
    let [q, v] = system.lengths();
    check_as_long(state, [q.unwrap_or(lengths[0]), v.unwrap_or(lengths[1])])
}

/// The numbers of coordinates and velocities of a state.
pub(crate) fn lengths<Q: Vector, V: Vector>(state: &State<Q, V>) -> [usize; 2] {
    [state.q.entries().len(), state.v.entries().len()]
}

/// Checks that a state has so many coordinates and velocities.
pub(crate) fn check_as_long<Q: Vector, V: Vector>(
    state: &State<Q, V>,
    [q, v]: [usize; 2],
) -> Result<(), Error> {
    let found = lengths(state);
    check_length(Quantity::Coordinate, found[0], q)?;
    check_length(Quantity::Velocity, found[1], v)
}

/// Checks that a vector has so many entries.
pub(crate) fn check_length(quantity: Quantity, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    Err(Error::WrongLength {
        quantity,
        found,
        expected,
    })
}

/// Checks that time, coordinates and velocities are finite.
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
    bad.map_or(Ok(()), |(quantity, index, value)| {
        checks::check_finite(quantity, Some((index, value)))
    })
}
