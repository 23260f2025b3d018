//! C = (d, axis₂·u, axis₂·w), d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁), and u, w across the axis in `a`.
//!
//! The rows of d are those of the ball joint. For e = R₂ axis₂ and s = R₁ u the row e·s has
//! J = (0, s×e, 0, e×s): only the relative turn about e×s, which would tilt the axis, is stopped.

use constraint_macros::library_joint;
use nalgebra::{Point3, UnitVector3};

use super::{fixed_direction, fixed_point, perpendiculars};
use crate::body::Rigid3;
use crate::real::Real;

library_joint!(Hinge);

impl<T: Real> Hinge<T> {
    /// The joint between the bodies at their current poses, about an axis of the world through a point.
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
