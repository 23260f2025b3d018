//! C = d·normal, d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁), the normal fixed to `a`.

use constraint_macros::library_joint;
use nalgebra::{Point3, UnitVector3};

use super::{fixed_direction, fixed_point};
use crate::body::Rigid3;
use crate::real::Real;

library_joint!(PointOnPlane);

impl<T: Real> PointOnPlane<T> {
    /// The joint between the bodies at their current poses: a point of the world, and the plane's normal.
    pub fn between(
        a: &Rigid3<T>,
        b: &Rigid3<T>,
        point: &Point3<T>,
        normal: &UnitVector3<T>,
    ) -> Self {
        PointOnPlane {
            r1: fixed_point(a, point),
            normal: fixed_direction(a, normal),
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
        let joint = PointOnPlane {
            r1: space(0.3, -0.4, 0.5),
            normal: space(0.6, 0.0, 0.8),
            r2: space(-0.7, 0.2, 0.1),
        };
        check(&joint, 11, |[a, b], _| {
            let d = at(b, space(-0.7, 0.2, 0.1)) - at(a, space(0.3, -0.4, 0.5));
            [d.dot(&dir(a, space(0.6, 0.0, 0.8)))].into()
        });
    }
}
