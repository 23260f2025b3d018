//! Φ = (v₂ − v₁)·along − radius ω₁·axis, the axis fixed to the pinion `a`, the direction to the rack `b`.

use constraint_macros::library_joint;

library_joint!(Rack);

#[cfg(test)]
mod tests {
    use num_dual::Dual64;

    use super::*;
    use crate::joint::conformance::{check, dir, space};

    #[test]
    fn conforms() {
        let rack = Rack {
            axis: space(0.6, 0.0, 0.8),
            along: space(0.0, 0.6, 0.8),
            radius: 0.5,
        };
        check(&rack, 11, |[a, b], [va, vb]| {
            let slide =
                (vb.fixed_rows::<3>(0) - va.fixed_rows::<3>(0)).dot(&dir(b, space(0.0, 0.6, 0.8)));
            let spin = va.fixed_rows::<3>(3).dot(&dir(a, space(0.6, 0.0, 0.8)));
            [slide - spin * Dual64::from(0.5)].into()
        });
    }
}
