//! Φ = radius₁ ω₁·axis₁ + radius₂ ω₂·axis₂, each axis fixed to its body.
//!
//! A relation of velocities: J = (0, radius₁ axis₁ᵀ, 0, radius₂ axis₂ᵀ). With ȧ = ω×a for a body's own axis,
//! ω·ȧ = 0, so β = 0: the gear has no bias at all.

use constraint_macros::library_joint;

library_joint!(Gear);

#[cfg(test)]
mod tests {
    use num_dual::Dual64;

    use super::*;
    use crate::joint::conformance::{check, dir, space};

    #[test]
    fn conforms() {
        let gear = Gear {
            axis1: space(0.6, 0.0, 0.8),
            axis2: space(0.0, 0.6, 0.8),
            radius1: 0.5,
            radius2: 1.5,
        };
        check(&gear, 11, |[a, b], [va, vb]| {
            let spin1 = va.fixed_rows::<3>(3).dot(&dir(a, space(0.6, 0.0, 0.8)));
            let spin2 = vb.fixed_rows::<3>(3).dot(&dir(b, space(0.0, 0.6, 0.8)));
            [spin1 * Dual64::from(0.5) + spin2 * Dual64::from(1.5)].into()
        });
    }
}
