//! C = (x₂ + R₂ r₂) − (x₁ + R₁ r₁).
//!
//! J = (−1, [r₁]×, 1, −[r₂]×) and β = ω₂×(ω₂×r₂) − ω₁×(ω₁×r₁), arms in the world's frame.

use constraint_macros::library_joint;
use nalgebra::Point3;

use super::fixed_point;
use crate::body::Rigid3;
use crate::real::Real;

library_joint!(Ball);

impl<T: Real> Ball<T> {
    /// The joint between the bodies at their current poses, about a point of the world.
    pub fn between(a: &Rigid3<T>, b: &Rigid3<T>, centre: &Point3<T>) -> Self {
        Ball {
            r1: fixed_point(a, centre),
            r2: fixed_point(b, centre),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::conformance::{at, check, space};

    #[test]
    fn conforms() {
        let ball = Ball {
            r1: space(0.3, -0.4, 0.5),
            r2: space(-0.7, 0.2, 0.1),
        };
        check(&ball, 9, |[a, b], _| {
            at(b, space(-0.7, 0.2, 0.1)) - at(a, space(0.3, -0.4, 0.5))
        });
    }
}
