//! What errors are about: rows without a pivot, quantities, obstacles to gradients.

use core::fmt;

use super::{Error, Figure};
use crate::curve::Cusp;

/// The matrix J W Jᵀ has no usable pivot: redundant, conflicting or vanishing constraint rows.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let singular = Singular { row: 1, pivot: 0.0 };
/// assert_eq!(singular.to_string(), "constraint row 1 is singular: pivot 0 of J W Jᵀ");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Singular {
    /// Row whose pivot failed: its Jacobian vanishes or depends on the rows before it.
    pub row: usize,
    /// The pivot found (of the first bad lane, for SIMD scalars). Where the row has no finite derivatives, a number that is
    /// not finite: this pivot, or one of the result.
    pub pivot: f64,
}

impl Singular {
    /// Of a result, by its row, that is not finite.
    #[doc(hidden)]
    #[cold]
    pub fn of_result((row, pivot): (usize, f64)) -> Self {
        Self { row, pivot }
    }

    /// The same row with `rows` others before it.
    #[cfg(feature = "world")]
    pub(crate) fn after(self, rows: usize) -> Self {
        Self {
            row: rows + self.row,
            ..self
        }
    }
}

impl fmt::Display for Singular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, pivot) = (self.row, Figure(self.pivot));
        if !self.pivot.is_finite() {
            return write!(
                f,
                "constraint row {row} has no finite derivatives at this state"
            );
        }
        write!(
            f,
            "constraint row {row} is singular: pivot {pivot} of J W Jᵀ"
        )
    }
}

impl core::error::Error for Singular {}

/// A vector that must stay finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// The time t.
    Time,
    /// Coordinates q.
    Coordinate,
    /// Velocities v.
    Velocity,
    /// External force f.
    Force,
    /// The gravity g of a `World`.
    Gravity,
    /// A point in the plane or in space.
    Point,
    /// The parameter s of a curve.
    Parameter,
    /// The length p along a curve.
    ArcLength,
    /// The loss of a run, by the index of its time.
    Loss,
    /// The targets of outputs.
    Target,
    /// The gradient of a loss with respect to t, q, v, u and p, counted in this order.
    Gradient,
    /// The numbers that a method keeps from one step to the next.
    Memory,
    /// What a function of a system returns, number by number.
    Result,
    /// The restitution of a constraint of one side.
    Restitution,
    /// The friction of a constraint.
    Friction,
    /// The bound of a motor.
    Bound,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "time",
            Self::Coordinate => "coordinate",
            Self::Velocity => "velocity",
            Self::Force => "force",
            Self::Gravity => "gravity",
            Self::Point => "point",
            Self::Parameter => "parameter",
            Self::ArcLength => "arc length",
            Self::Loss => "loss",
            Self::Target => "target",
            Self::Gradient => "gradient",
            Self::Memory => "memory of the method",
            Self::Result => "result",
            Self::Restitution => "restitution",
            Self::Friction => "friction",
            Self::Bound => "bound",
        })
    }
}

/// Why there is no gradient of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// No times are given at which to evaluate the loss.
    NoTimes,
    /// A law computes the inputs: only the law knows how they vary with the state.
    InputsByLaw,
    /// Coordinates that rotate bodies.
    Rotations,
    /// Constraints without derivatives of their projection.
    Projections,
    /// Steps of [`Rattle`](crate::Rattle) under constraints on positions together with constraints on velocities.
    RowsOfBothKinds,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoTimes => "no times are given: pass at least one",
            Self::InputsByLaw => {
                "a law computes the inputs: keep them constant with `with_inputs` over each interval of time, and chain the intervals"
            }
            Self::Rotations => "coordinates that rotate a body are not supported yet",
            Self::Projections => {
                "`place_correction_vjp` and `velocity_correction_vjp` are missing: `system!` generates them"
            }
            Self::RowsOfBothKinds => {
                "steps of `Rattle` with constraints on velocities in addition to others are not supported: use `Rk4`"
            }
        })
    }
}

impl From<Obstacle> for Error {
    fn from(obstacle: Obstacle) -> Self {
        Self::NoGradient { obstacle }
    }
}

impl From<Singular> for Error {
    #[cold]
    fn from(Singular { row, pivot }: Singular) -> Self {
        Self::Singular {
            row: row.into(),
            pivot,
            time: None,
        }
    }
}

/// From a curve that was called directly: the parameter is known only to the caller.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// curve! { struct Semicubical; |s in 0..=1| [s^2, s^3] }
/// let at = |s: f64| -> Result<f64, Error> { Ok(Semicubical.acceleration(s, 1.0, &[0.0, -9.81].into(), 1.0)?) };
/// assert_eq!(at(0.0).unwrap_err().to_string(), "the tangent of the curve vanishes: r′·r′ = 0");
/// ```
impl From<Cusp> for Error {
    #[cold]
    fn from(Cusp { metric }: Cusp) -> Self {
        Self::Cusp {
            parameter: None,
            metric,
            time: None,
        }
    }
}
