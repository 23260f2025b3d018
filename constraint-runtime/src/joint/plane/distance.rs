//! C = ‖d‖ − length, d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁).
//!
//! With n = d/‖d‖: J = (−nᵀ, −r₁×n, nᵀ, r₂×n), and β = (‖ḋ‖² − (n·ḋ)²)/‖d‖ + n·(ω₁² r₁ − ω₂² r₂).

use constraint_macros::constraint;

constraint! {
    /// A massless rod between a point of `a` and a point of `b`: 1 row.
    ///
    /// ```
    /// use constraint_runtime::joint::plane::Distance;
    /// use constraint_runtime::prelude::*;
    ///
    /// let rod = Distance { r1: Vector2::zeros(), r2: Vector2::zeros(), length: 2.0 };
    /// let (a, b) = (Rigid2::identity(), Rigid2::translation(3.0, 0.0));
    /// assert_eq!(rod.value(0.0, [&a, &b])[0], 1.0);
    /// ```
    pub struct Distance {
        /// The point of `a`.
        pub r1: Vector2,
        /// The point of `b`.
        pub r2: Vector2,
        /// Their distance.
        pub length: Real,
    }
    |a: Rigid2, b: Rigid2| {
        let d = at(b, r2) - at(a, r1);
        norm(d) == length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::conformance::{check, flat, flat_at};

    #[test]
    fn conforms() {
        let rod = Distance {
            r1: flat(0.3, -0.4),
            r2: flat(-0.7, 0.2),
            length: 1.5,
        };
        check(&rod, 5, |[a, b], _| {
            let d = flat_at(b, flat(-0.7, 0.2)) - flat_at(a, flat(0.3, -0.4));
            [d.norm() - 1.5].into()
        });
    }
}
