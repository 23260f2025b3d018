//! C = (d, u₁×u₂), d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁).
//!
//! One direction fixed to both bodies; its cross product with itself is the sine of their relative angle, which
//! vanishes at half a turn too.

use constraint_macros::library_joint;
use nalgebra::{Point2, Vector2};

use super::{fixed_direction, fixed_point};
use crate::body::Rigid2;
use crate::real::Real;

library_joint!(plane::Weld);

impl<T: Real> Weld<T> {
    /// The joint between the bodies at their current poses, held together at a point of the world.
    pub fn between(a: &Rigid2<T>, b: &Rigid2<T>, point: &Point2<T>) -> Self {
        Weld {
            r1: fixed_point(a, point),
            r2: fixed_point(b, point),
            u1: fixed_direction(a, &Vector2::x()),
            u2: fixed_direction(b, &Vector2::x()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::conformance::{check, flat, flat_at, flat_dir};

    #[test]
    fn conforms() {
        let weld = Weld {
            r1: flat(0.3, -0.4),
            r2: flat(-0.7, 0.2),
            u1: flat(0.6, 0.8),
            u2: flat(0.0, 1.0),
        };
        check(&weld, 3, |[a, b], _| {
            let d = flat_at(b, flat(-0.7, 0.2)) - flat_at(a, flat(0.3, -0.4));
            let (u1, u2) = (flat_dir(a, flat(0.6, 0.8)), flat_dir(b, flat(0.0, 1.0)));
            [d.x, d.y, u1.x * u2.y - u1.y * u2.x].into()
        });
    }
}
