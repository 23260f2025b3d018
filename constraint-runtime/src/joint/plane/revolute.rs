//! C = (x₂ + R₂ r₂) − (x₁ + R₁ r₁).
//!
//! J = (−1, −(−r₁.y, r₁.x)ᵀ, 1, (−r₂.y, r₂.x)ᵀ) and β = ω₁² r₁ − ω₂² r₂, arms in the world's frame.

use constraint_macros::library_joint;
use nalgebra::Point2;

use super::fixed_point;
use crate::body::Rigid2;
use crate::real::Real;

library_joint!(plane::Revolute);

impl<T: Real> Revolute<T> {
    /// The joint between the bodies at their current poses, about a point of the world.
    pub fn between(a: &Rigid2<T>, b: &Rigid2<T>, pin: &Point2<T>) -> Self {
        Revolute {
            r1: fixed_point(a, pin),
            r2: fixed_point(b, pin),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::conformance::{check, flat, flat_at};

    #[test]
    fn conforms() {
        let pin = Revolute {
            r1: flat(0.3, -0.4),
            r2: flat(-0.7, 0.2),
        };
        check(&pin, 4, |[a, b], _| {
            flat_at(b, flat(-0.7, 0.2)) - flat_at(a, flat(0.3, -0.4))
        });
    }
}
