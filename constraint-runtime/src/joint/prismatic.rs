//! C = (d·u₁, d·w₁, w₁·u₂, axis·u₂, axis·w₂), d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁).
//!
//! (u₁, w₁, axis) is a triad fixed to `a`, (u₂, w₂, ·) the same one fixed to `b`. For s = R₁ u₁ the row d·s has
//! J = (−sᵀ, −((d + r₁)×s)ᵀ, sᵀ, (r₂×s)ᵀ): the lever on `a` reaches to the sliding point.

use constraint_macros::constraint;
use nalgebra::{Point3, UnitVector3};

use super::{fixed_direction, fixed_point, perpendiculars};
use crate::body::Rigid3;
use crate::real::Real;

constraint! {
    /// A slider: no relative rotation, translation along an axis of `a` alone, 5 rows.
    ///
    /// ```
    /// use constraint_runtime::joint::Prismatic;
    /// use constraint_runtime::prelude::*;
    ///
    /// let (a, b) = (Rigid3::identity(), Rigid3::translation(2.0, 0.0, 0.0));
    /// let slider = Prismatic::between(&a, &b, &Point3::origin(), &Vector3::x_axis());
    /// let further = Rigid3::translation(5.0, 0.0, 0.0);
    /// assert_eq!(slider.value(0.0, [&a, &further]), SVector::<f64, 5>::zeros());
    /// let beside = Rigid3::translation(5.0, 1.0, 0.0);
    /// assert_eq!(slider.value(0.0, [&a, &beside]).norm(), 1.0);
    /// ```
    pub struct Prismatic {
        /// A point of the axis, fixed to `a`.
        pub r1: Vector3,
        /// The sliding point, fixed to `b`.
        pub r2: Vector3,
        /// A direction across the axis, fixed to `a`.
        pub u1: Vector3,
        /// Another one.
        pub w1: Vector3,
        /// The axis, fixed to `a`.
        pub axis: Vector3,
        /// The direction `u1` as fixed to `b`.
        pub u2: Vector3,
        /// The direction `w1` as fixed to `b`.
        pub w2: Vector3,
    }
    |a: Rigid3, b: Rigid3| {
        let d = at(b, r2) - at(a, r1);
        [
            dot(d, dir(a, u1)),
            dot(d, dir(a, w1)),
            dot(dir(a, w1), dir(b, u2)),
            dot(dir(a, axis), dir(b, u2)),
            dot(dir(a, axis), dir(b, w2)),
        ]
    }
}

impl<T: Real> Prismatic<T> {
    /// The joint of the bodies as they are placed, along an axis of the world through a point.
    pub fn between(a: &Rigid3<T>, b: &Rigid3<T>, point: &Point3<T>, axis: &UnitVector3<T>) -> Self {
        let [u, w] = perpendiculars(axis);
        Prismatic {
            r1: fixed_point(a, point),
            r2: fixed_point(b, point),
            u1: fixed_direction(a, &u),
            w1: fixed_direction(a, &w),
            axis: fixed_direction(a, axis),
            u2: fixed_direction(b, &u),
            w2: fixed_direction(b, &w),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::conformance::{at, check, dir, space};

    #[test]
    fn conforms() {
        let joint = Prismatic {
            r1: space(0.3, -0.4, 0.5),
            r2: space(-0.7, 0.2, 0.1),
            u1: space(0.6, 0.8, 0.0),
            w1: space(0.0, 0.0, 1.0),
            axis: space(0.8, -0.6, 0.0),
            u2: space(1.0, 0.0, 0.0),
            w2: space(0.0, 0.6, 0.8),
        };
        check(&joint, 7, |[a, b], _| {
            let d = at(b, space(-0.7, 0.2, 0.1)) - at(a, space(0.3, -0.4, 0.5));
            let (u1, w1) = (dir(a, space(0.6, 0.8, 0.0)), dir(a, space(0.0, 0.0, 1.0)));
            let axis = dir(a, space(0.8, -0.6, 0.0));
            let (u2, w2) = (dir(b, space(1.0, 0.0, 0.0)), dir(b, space(0.0, 0.6, 0.8)));
            [
                d.dot(&u1),
                d.dot(&w1),
                w1.dot(&u2),
                axis.dot(&u2),
                axis.dot(&w2),
            ]
            .into()
        });
    }
}
