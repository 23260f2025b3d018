//! C = (d·u, d·w, axis₂·u, axis₂·w), d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁), and u, w across the axis in `a`.
//!
//! The slider's rows of translation and the hinge's rows of rotation.

use constraint_macros::constraint;
use nalgebra::{Point3, UnitVector3};

use super::{fixed_direction, fixed_point, perpendiculars};
use crate::body::Rigid3;
use crate::real::Real;

constraint! {
    /// A shaft in a sleeve: translation along and rotation about a common axis, 4 rows.
    ///
    /// ```
    /// use constraint_runtime::joint::Cylindrical;
    /// use constraint_runtime::prelude::*;
    ///
    /// let (a, b) = (Rigid3::identity(), Rigid3::translation(2.0, 0.0, 0.0));
    /// let sleeve = Cylindrical::between(&a, &b, &Point3::origin(), &Vector3::x_axis());
    /// let screwed = Rigid3::new(Vector3::x() * 5.0, Vector3::x());
    /// assert!(sleeve.value(0.0, [&a, &screwed]).norm() < 1e-15);
    /// ```
    pub struct Cylindrical {
        /// A point of the axis, fixed to `a`.
        pub r1: Vector3,
        /// A point of the axis, fixed to `b`.
        pub r2: Vector3,
        /// A direction across the axis, fixed to `a`.
        pub u: Vector3,
        /// Another one.
        pub w: Vector3,
        /// The axis, fixed to `b`.
        pub axis: Vector3,
    }
    |a: Rigid3, b: Rigid3| {
        let d = at(b, r2) - at(a, r1);
        [
            dot(d, dir(a, u)),
            dot(d, dir(a, w)),
            dot(dir(b, axis), dir(a, u)),
            dot(dir(b, axis), dir(a, w)),
        ]
    }
}

impl<T: Real> Cylindrical<T> {
    /// The joint of the bodies as they are placed, about an axis of the world through a point.
    pub fn between(a: &Rigid3<T>, b: &Rigid3<T>, point: &Point3<T>, axis: &UnitVector3<T>) -> Self {
        let [u, w] = perpendiculars(axis);
        Cylindrical {
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
        let joint = Cylindrical {
            r1: space(0.3, -0.4, 0.5),
            r2: space(-0.7, 0.2, 0.1),
            u: space(0.6, 0.8, 0.0),
            w: space(0.0, 0.0, 1.0),
            axis: space(0.0, 0.6, 0.8),
        };
        check(&joint, 8, |[a, b], _| {
            let d = at(b, space(-0.7, 0.2, 0.1)) - at(a, space(0.3, -0.4, 0.5));
            let (u, w) = (dir(a, space(0.6, 0.8, 0.0)), dir(a, space(0.0, 0.0, 1.0)));
            let axis = dir(b, space(0.0, 0.6, 0.8));
            [d.dot(&u), d.dot(&w), axis.dot(&u), axis.dot(&w)].into()
        });
    }
}
