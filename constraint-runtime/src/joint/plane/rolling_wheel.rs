//! C = n·(c − p), Φ = slip·t: a wheel of body `b` on a line of body `a`.
//!
//! n is the line's normal, t its direction; the wheel, centred in its body, touches the line at
//! c = x₂ − radius n. The slip is the velocity of the wheel's matter at c less that of the line's,
//! v₂ + ω₂×(c − x₂) − v₁ − ω₁×(c − x₁).

use constraint_macros::library_joint;

library_joint!(plane::RollingWheel);

#[cfg(test)]
mod tests {
    use nalgebra::Vector2;
    use num_dual::Dual64;

    use super::*;
    use crate::joint::conformance::{check, flat, flat_at, flat_dir};

    #[test]
    fn conforms() {
        let wheel = RollingWheel {
            point: flat(0.3, -0.4),
            normal: flat(0.6, 0.8),
            radius: 0.7,
        };
        check(&wheel, 4, |[a, b], [va, vb]| {
            let n: Vector2<Dual64> = flat_dir(a, flat(0.6, 0.8));
            let lever = n * Dual64::from(-0.7);
            let contact = b.translation.vector + lever;
            let reach = contact - a.translation.vector;
            let moved = |v: &nalgebra::SVector<Dual64, 3>, r: Vector2<Dual64>| {
                v.xy() + Vector2::new(-r.y, r.x) * v.z
            };
            let slip = moved(vb, lever) - moved(va, reach);
            let height = n.dot(&(contact - flat_at(a, flat(0.3, -0.4))));
            [height, n.x * slip.y - n.y * slip.x].into()
        });
    }
}
