//! C = (d, axis₂·u, axis₂·w), d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁), and u, w across the axis in `a`.
//!
//! The rows of d are those of the ball joint. For e = R₂ axis₂ and s = R₁ u the row e·s has
//! J = (0, s×e, 0, e×s): only the relative turn about e×s, which would tilt the axis, is stopped.

use constraint_macros::constraint;
use nalgebra::{Point3, UnitVector3};

use super::{fixed_direction, fixed_point, perpendiculars};
use crate::body::Rigid3;
use crate::real::Real;

constraint! {
    /// A pin: a common point and a common axis, 5 rows, the rotation about the axis stays free.
    ///
    /// ```
    /// use constraint_runtime::joint::Hinge;
    /// use constraint_runtime::prelude::*;
    ///
    /// let (a, b) = (Rigid3::identity(), Rigid3::translation(2.0, 0.0, 0.0));
    /// let door = Hinge::between(&a, &b, &Point3::new(1.0, 0.0, 0.0), &Vector3::z_axis());
    /// // A turn about the axis keeps the joint, a turn about x does not.
    /// let still = SVector::zeros();
    /// let open = [0.0, 1.0, 0.0, 0.0, 0.0, 1.0].into();
    /// let tilt = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0].into();
    /// assert!(door.rate(0.0, [&a, &b], [&still, &open]).norm() < 1e-15);
    /// assert!(door.rate(0.0, [&a, &b], [&still, &tilt]).norm() > 0.5);
    /// ```
    pub struct Hinge {
        /// The common point, fixed to `a`.
        pub r1: Vector3,
        /// The common point, fixed to `b`.
        pub r2: Vector3,
        /// A direction across the axis, fixed to `a`.
        pub u: Vector3,
        /// Another one.
        pub w: Vector3,
        /// The axis, fixed to `b`.
        pub axis: Vector3,
    }
    |a: Rigid3, b: Rigid3| [
        at(b, r2) == at(a, r1),
        dot(dir(b, axis), dir(a, u)) == 0,
        dot(dir(b, axis), dir(a, w)) == 0,
    ]
}

impl<T: Real> Hinge<T> {
    /// The joint of the bodies as they are placed, about an axis of the world through a point.
    pub fn between(a: &Rigid3<T>, b: &Rigid3<T>, point: &Point3<T>, axis: &UnitVector3<T>) -> Self {
        let [u, w] = perpendiculars(axis);
        Hinge {
            r1: fixed_point(a, point),
            r2: fixed_point(b, point),
            u: fixed_direction(a, &u),
            w: fixed_direction(a, &w),
            axis: fixed_direction(b, axis),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::conformance::{at, check, dir, space};

    #[test]
    fn conforms() {
        let hinge = Hinge {
            r1: space(0.3, -0.4, 0.5),
            r2: space(-0.7, 0.2, 0.1),
            u: space(0.6, 0.8, 0.0),
            w: space(0.0, 0.0, 1.0),
            axis: space(0.0, 0.6, 0.8),
        };
        check(&hinge, 7, |[a, b], _| {
            let d = at(b, space(-0.7, 0.2, 0.1)) - at(a, space(0.3, -0.4, 0.5));
            let axis = dir(b, space(0.0, 0.6, 0.8));
            let (u, w) = (dir(a, space(0.6, 0.8, 0.0)), dir(a, space(0.0, 0.0, 1.0)));
            [d.x, d.y, d.z, axis.dot(&u), axis.dot(&w)].into()
        });
    }
}
