//! C = (d·normal₁, normal₁×normal₂), d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁).
//!
//! The normal of the axis is fixed to both bodies; its cross product with itself is the sine of their relative
//! angle, which vanishes at half a turn too.

use constraint_macros::library_joint;
use nalgebra::{Point2, UnitVector2, Vector2};

use super::{fixed_direction, fixed_point};
use crate::body::Rigid2;
use crate::real::Real;

library_joint!(plane::Prismatic);

impl<T: Real> Prismatic<T> {
    /// The joint between the bodies at their current poses, along an axis of the world through a point.
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
