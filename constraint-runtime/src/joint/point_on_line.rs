//! C = (d·u, d·w), d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁), and u, w across the line in `a`.

use constraint_macros::library_joint;
use nalgebra::{Point3, UnitVector3};

use super::{fixed_direction, fixed_point, perpendiculars};
use crate::body::Rigid3;
use crate::real::Real;

library_joint!(PointOnLine);

impl<T: Real> PointOnLine<T> {
    /// The joint between the bodies at their current poses: a point of the world, and the line's direction.
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
