//! Joints: constraints between two bodies, each a few lines of `constraint!`; the one on a `curve!` is written by
//! hand.
//!
//! This module is for bodies in space; [`plane`] is for bodies in the plane. A joint's fields are vectors fixed to
//! body `a` (index 1) and to body `b` (index 2); `between` computes them from the current poses of the bodies. The
//! ground is a body like any other, with [`InverseMass3::pinned`] or
//! [`InverseMass2::pinned`](crate::InverseMass2::pinned).
//!
//! | joint | rows | leaves |
//! |---|---|---|
//! | [`Distance`] | 1 | everything but the distance of two points |
//! | [`Ball`] | 3 | the rotation |
//! | [`Hinge`] | 5 | the rotation about an axis |
//! | [`Universal`] | 4 | the rotations about two axes at right angles |
//! | [`Prismatic`] | 5 | the translation along an axis |
//! | [`Cylindrical`] | 4 | translation along and rotation about an axis |
//! | [`Fixed`] | 6 | nothing |
//! | [`PointOnLine`] | 2 | the rotation, and the translation along a line |
//! | [`PointOnPlane`] | 1 | the rotation, and the translation along a plane |
//! | [`PointOnCurve`] | 2 | the rotation, and the translation along a curve |
//! | [`Gear`] | 1 (of velocities) | all but the ratio of two rotations |
//! | [`Rack`] | 1 (of velocities) | all but the ratio of a rotation and a translation |
//! | [`RollingDisk`] | 3 (2 of velocities) | the rotation |
//!
//! [`InverseMass3::pinned`]: crate::InverseMass3::pinned

mod ball;
#[cfg(test)]
mod conformance;
mod cylindrical;
mod distance;
mod driven;
mod fixed;
mod gear;
mod hinge;
pub mod plane;
#[cfg(feature = "curves")]
mod point_on_curve;
mod point_on_line;
mod point_on_plane;
mod prismatic;
mod rack;
mod rolling_disk;
mod universal;

pub use ball::Ball;
pub use cylindrical::Cylindrical;
pub use distance::Distance;
pub(crate) use driven::Aim;
pub use driven::{Drive, Driven, Driven2, Driven3, Limits, Motor};
pub use fixed::Fixed;
pub use gear::Gear;
pub use hinge::Hinge;
#[cfg(feature = "curves")]
pub use point_on_curve::PointOnCurve;
pub use point_on_line::PointOnLine;
pub use point_on_plane::PointOnPlane;
pub use prismatic::Prismatic;
pub use rack::Rack;
pub use rolling_disk::RollingDisk;
pub use universal::Universal;

use nalgebra::{Point3, UnitVector3, Vector3};

use crate::body::Rigid3;
use crate::real::Real;

/// A point of the world as a vector fixed to the body.
fn fixed_point<T: Real>(body: &Rigid3<T>, point: &Point3<T>) -> Vector3<T> {
    body.inverse_transform_point(point).coords
}

/// A direction of the world as one fixed to the body.
fn fixed_direction<T: Real>(body: &Rigid3<T>, direction: &Vector3<T>) -> Vector3<T> {
    body.inverse_transform_vector(direction)
}

/// Two unit vectors that make a right-handed triad with the axis, the axis being the third.
///
/// # Source
/// T. Duff et al., *Building an Orthonormal Basis, Revisited*, JCGT 6(1), 2017: no branch, no singular axis.
pub(crate) fn perpendiculars<T: Real>(axis: &UnitVector3<T>) -> [Vector3<T>; 2] {
    let [x, y, z]: [T; 3] = axis.into_inner().into();
    let sign = z.simd_signum();
    let a = -T::one() / (sign + z);
    let b = x * y * a;
    [
        Vector3::new(T::one() + sign * x * x * a, sign * b, -sign * x),
        Vector3::new(b, sign + y * y * a, -y),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_and_its_perpendiculars_are_a_right_handed_triad() {
        let axes = [
            Vector3::x(),
            Vector3::z(),
            -Vector3::z(),
            Vector3::new(1.0, -2.0, 0.5),
            Vector3::new(-1e-9, 0.3, -1.0),
        ];
        for axis in axes.map(UnitVector3::<f64>::new_normalize) {
            let [u, w] = perpendiculars(&axis);
            assert!((u.cross(&w) - axis.into_inner()).norm() < 1e-15, "{axis:?}");
            assert!((u.norm() - 1.0).abs() + u.dot(&w).abs() < 1e-15, "{axis:?}");
        }
    }
}
