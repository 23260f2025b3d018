//! C = (d·normal₁, normal₁×normal₂), d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁).
//!
//! The normal of the axis is fixed to both bodies; its cross product with itself is the sine of their relative
//! angle, which vanishes at half a turn too.

use constraint_macros::constraint;
use nalgebra::{Point2, UnitVector2, Vector2};

use super::{fixed_direction, fixed_point};
use crate::body::Rigid2;
use crate::real::Real;

constraint! {
    /// A slider: no relative rotation, translation along an axis of `a` alone, 2 rows.
    ///
    /// ```
    /// use constraint_runtime::joint::plane::Prismatic;
    /// use constraint_runtime::prelude::*;
    ///
    /// let (a, b) = (Rigid2::identity(), Rigid2::translation(2.0, 0.0));
    /// let slider = Prismatic::between(&a, &b, &Point2::origin(), &Vector2::x_axis());
    /// assert_eq!(slider.value(0.0, [&a, &Rigid2::translation(5.0, 0.0)]), Vector2::zeros());
    /// ```
    pub struct Prismatic {
        /// A point of the axis, fixed to `a`.
        pub r1: Vector2,
        /// The sliding point, fixed to `b`.
        pub r2: Vector2,
        /// The axis's normal, fixed to `a`.
        pub normal1: Vector2,
        /// The axis's normal, fixed to `b`.
        pub normal2: Vector2,
    }
    |a: Rigid2, b: Rigid2| {
        let n = dir(a, normal1);
        [dot(at(b, r2) - at(a, r1), n), cross(n, dir(b, normal2))]
    }
}

impl<T: Real> Prismatic<T> {
    /// The joint of the bodies as they are placed, along an axis of the world through a point.
    pub fn between(a: &Rigid2<T>, b: &Rigid2<T>, point: &Point2<T>, axis: &UnitVector2<T>) -> Self {
        let normal = Vector2::new(-axis.y, axis.x);
        Prismatic {
            r1: fixed_point(a, point),
            r2: fixed_point(b, point),
            normal1: fixed_direction(a, &normal),
            normal2: fixed_direction(b, &normal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::conformance::{check, flat, flat_at, flat_dir};

    #[test]
    fn conforms() {
        let slider = Prismatic {
            r1: flat(0.3, -0.4),
            r2: flat(-0.7, 0.2),
            normal1: flat(0.6, 0.8),
            normal2: flat(0.0, 1.0),
        };
        check(&slider, 4, |[a, b], _| {
            let d = flat_at(b, flat(-0.7, 0.2)) - flat_at(a, flat(0.3, -0.4));
            let (n, m) = (flat_dir(a, flat(0.6, 0.8)), flat_dir(b, flat(0.0, 1.0)));
            [d.dot(&n), n.x * m.y - n.y * m.x].into()
        });
    }
}
