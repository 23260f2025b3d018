//! Φ = radius₁ ω₁ + radius₂ ω₂, a relation of velocities with J = (0, 0, radius₁, 0, 0, radius₂) and β = 0.

use constraint_macros::library_joint;

library_joint!(plane::Gear);

#[cfg(test)]
mod tests {
    use num_dual::Dual64;

    use super::*;
    use crate::joint::conformance::check;

    #[test]
    fn conforms() {
        let gear = Gear {
            radius1: 0.5,
            radius2: 1.5,
        };
        check(&gear, 5, |_, [va, vb]| {
            [va[2] * Dual64::from(0.5) + vb[2] * Dual64::from(1.5)].into()
        });
    }
}
