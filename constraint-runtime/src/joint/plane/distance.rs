//! C = ‖d‖ − length, d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁).
//!
//! With n = d/‖d‖: J = (−nᵀ, −r₁×n, nᵀ, r₂×n), and β = (‖ḋ‖² − (n·ḋ)²)/‖d‖ + n·(ω₁² r₁ − ω₂² r₂).

use constraint_macros::library_joint;

library_joint!(plane::Distance);

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
