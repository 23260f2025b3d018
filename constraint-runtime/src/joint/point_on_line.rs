//! C = (d·u, d·w), d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁), and u, w across the line in `a`.

use constraint_macros::constraint;
use nalgebra::{Point3, UnitVector3};

use super::{fixed_direction, fixed_point, perpendiculars};
use crate::body::Rigid3;
use crate::real::Real;

constraint! {
    /// A bead on a straight wire: a point of `b` on a line fixed to `a`, 2 rows.
    ///
    /// ```
    /// use constraint_runtime::joint::PointOnLine;
    /// use constraint_runtime::prelude::*;
    ///
    /// let (a, b) = (Rigid3::identity(), Rigid3::translation(2.0, 0.0, 0.0));
    /// let wire = PointOnLine::between(&a, &b, &Point3::origin(), &Vector3::x_axis());
    /// let further = Rigid3::translation(3.0, 0.0, 0.0);
    /// assert_eq!(wire.value(0.0, [&a, &further]), SVector::<f64, 2>::zeros());
    /// ```
    pub struct PointOnLine {
        /// A point of the line, fixed to `a`.
        pub r1: Vector3,
        /// A direction across the line, fixed to `a`.
        pub u: Vector3,
        /// Another one.
        pub w: Vector3,
        /// The point, fixed to `b`.
        pub r2: Vector3,
    }
    |a: Rigid3, b: Rigid3| {
        let d = at(b, r2) - at(a, r1);
        [dot(d, dir(a, u)), dot(d, dir(a, w))]
    }
}

impl<T: Real> PointOnLine<T> {
    /// The joint of the bodies as they are placed: a point of the world, and the line's direction.
    pub fn between(a: &Rigid3<T>, b: &Rigid3<T>, point: &Point3<T>, line: &UnitVector3<T>) -> Self {
        let [u, w] = perpendiculars(line);
        PointOnLine {
            r1: fixed_point(a, point),
            u: fixed_direction(a, &u),
            w: fixed_direction(a, &w),
            r2: fixed_point(b, point),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::conformance::{at, check, dir, space};

    #[test]
    fn conforms() {
        let joint = PointOnLine {
            r1: space(0.3, -0.4, 0.5),
            u: space(0.6, 0.8, 0.0),
            w: space(0.0, 0.0, 1.0),
            r2: space(-0.7, 0.2, 0.1),
        };
        check(&joint, 10, |[a, b], _| {
            let d = at(b, space(-0.7, 0.2, 0.1)) - at(a, space(0.3, -0.4, 0.5));
            let (u, w) = (dir(a, space(0.6, 0.8, 0.0)), dir(a, space(0.0, 0.0, 1.0)));
            [d.dot(&u), d.dot(&w)].into()
        });
    }
}
