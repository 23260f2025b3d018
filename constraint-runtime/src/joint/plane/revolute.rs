//! C = (x₂ + R₂ r₂) − (x₁ + R₁ r₁).
//!
//! J = (−1, −(−r₁.y, r₁.x)ᵀ, 1, (−r₂.y, r₂.x)ᵀ) and β = ω₁² r₁ − ω₂² r₂, arms in the world's frame.

use constraint_macros::constraint;
use nalgebra::Point2;

use super::fixed_point;
use crate::body::Rigid2;
use crate::real::Real;

constraint! {
    /// A pin, the point `r1` of `a` on the point `r2` of `b`: 2 rows.
    ///
    /// ```
    /// use constraint_runtime::joint::plane::Revolute;
    /// use constraint_runtime::prelude::*;
    ///
    /// let (a, b) = (Rigid2::identity(), Rigid2::translation(2.0, 0.0));
    /// let pin = Revolute::between(&a, &b, &Point2::new(1.0, 0.0));
    /// assert_eq!(pin.value(0.0, [&a, &b]), Vector2::zeros());
    /// ```
    pub struct Revolute {
        /// The pin, fixed to `a`.
        pub r1: Vector2,
        /// The pin, fixed to `b`.
        pub r2: Vector2,
    }
    |a: Rigid2, b: Rigid2| at(b, r2) == at(a, r1)
}

impl<T: Real> Revolute<T> {
    /// The joint of the bodies as they are placed, about a point of the world.
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
