//! C = (d, axis₁·axis₂), d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁).
//!
//! The rows of d are those of the ball joint; for e₁ = R₁ axis₁ and e₂ = R₂ axis₂ the last row has
//! J = (0, e₁×e₂, 0, e₂×e₁).

use constraint_macros::library_joint;
use nalgebra::{Point3, UnitVector3};

use super::{fixed_direction, fixed_point};
use crate::body::Rigid3;
use crate::real::Real;

library_joint!(Universal);

impl<T: Real> Universal<T> {
    /// The joint between the bodies at their current poses: a point of the world, and two perpendicular axes.
    pub fn between(
        a: &Rigid3<T>,
        b: &Rigid3<T>,
        centre: &Point3<T>,
        axes: [&UnitVector3<T>; 2],
    ) -> Self {
        Universal {
            r1: fixed_point(a, centre),
            r2: fixed_point(b, centre),
            axis1: fixed_direction(a, axes[0]),
            axis2: fixed_direction(b, axes[1]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::conformance::{at, check, dir, space};

    #[test]
    fn conforms() {
        let joint = Universal {
            r1: space(0.3, -0.4, 0.5),
            r2: space(-0.7, 0.2, 0.1),
            axis1: space(0.6, 0.8, 0.0),
            axis2: space(0.0, 0.6, 0.8),
        };
        check(&joint, 8, |[a, b], _| {
            let d = at(b, space(-0.7, 0.2, 0.1)) - at(a, space(0.3, -0.4, 0.5));
            let (e1, e2) = (dir(a, space(0.6, 0.8, 0.0)), dir(b, space(0.0, 0.6, 0.8)));
            [d.x, d.y, d.z, e1.dot(&e2)].into()
        });
    }
}
