//! C = (d, w₁·u₂, axis₁·u₂, axis₁·w₂), d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁).
//!
//! (u, w, axis) is one triad of the world, fixed to `a` (index 1) and to `b` (index 2). Three of its products
//! vanish together only where the two copies agree, or differ by half a turn about one of their axes.

use constraint_macros::library_joint;
use nalgebra::{Point3, Vector3};

use super::{fixed_direction, fixed_point};
use crate::body::Rigid3;
use crate::real::Real;

library_joint!(Fixed);

impl<T: Real> Fixed<T> {
    /// The joint between the bodies at their current poses, held together at a point of the world.
    pub fn between(a: &Rigid3<T>, b: &Rigid3<T>, point: &Point3<T>) -> Self {
        Fixed {
            r1: fixed_point(a, point),
            r2: fixed_point(b, point),
            w1: fixed_direction(a, &Vector3::y()),
            axis1: fixed_direction(a, &Vector3::z()),
            u2: fixed_direction(b, &Vector3::x()),
            w2: fixed_direction(b, &Vector3::y()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::conformance::{at, check, dir, space};

    #[test]
    fn conforms() {
        let joint = Fixed {
            r1: space(0.3, -0.4, 0.5),
            r2: space(-0.7, 0.2, 0.1),
            w1: space(0.0, 0.0, 1.0),
            axis1: space(0.8, -0.6, 0.0),
            u2: space(1.0, 0.0, 0.0),
            w2: space(0.0, 0.6, 0.8),
        };
        check(&joint, 6, |[a, b], _| {
            let d = at(b, space(-0.7, 0.2, 0.1)) - at(a, space(0.3, -0.4, 0.5));
            let (w1, axis) = (dir(a, space(0.0, 0.0, 1.0)), dir(a, space(0.8, -0.6, 0.0)));
            let (u2, w2) = (dir(b, space(1.0, 0.0, 0.0)), dir(b, space(0.0, 0.6, 0.8)));
            [d.x, d.y, d.z, w1.dot(&u2), axis.dot(&u2), axis.dot(&w2)].into()
        });
    }
}
