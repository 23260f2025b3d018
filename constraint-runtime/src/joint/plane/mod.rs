//! Joints of the plane: each body has three velocities (v, ω).
//!
//! | joint | rows | leaves |
//! |---|---|---|
//! | [`Distance`] | 1 | everything but the distance of two points |
//! | [`Revolute`] | 2 | the rotation |
//! | [`Prismatic`] | 2 | the translation along an axis |
//! | [`Weld`] | 3 | nothing |
//! | [`PointOnCurve`] | 1 | the rotation, and the translation along a curve |
//! | [`Gear`] | 1 (of velocities) | all but the ratio of the rotations |
//! | [`RollingWheel`] | 2 (1 of velocities) | rolling |

mod distance;
mod gear;
mod prismatic;
mod revolute;
mod rolling_wheel;
mod weld;

#[cfg(feature = "curves")]
pub use super::point_on_curve::PointOnCurve;
pub use distance::Distance;
pub use gear::Gear;
pub use prismatic::Prismatic;
pub use revolute::Revolute;
pub use rolling_wheel::RollingWheel;
pub use weld::Weld;

use nalgebra::{Point2, Vector2};

use crate::body::Rigid2;
use crate::real::Real;

/// A point of the world as a vector fixed to the body.
fn fixed_point<T: Real>(body: &Rigid2<T>, point: &Point2<T>) -> Vector2<T> {
    body.inverse_transform_point(point).coords
}

/// A direction of the world as one fixed to the body.
fn fixed_direction<T: Real>(body: &Rigid2<T>, direction: &Vector2<T>) -> Vector2<T> {
    body.inverse_transform_vector(direction)
}
