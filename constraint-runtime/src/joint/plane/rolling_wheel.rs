//! C = n·(c − p), Φ = slip·t: a wheel of body `b` on a line of body `a`.
//!
//! n is the line's normal, t its direction; the wheel, centred in its body, touches the line at
//! c = x₂ − radius n. The slip is the velocity of the wheel's matter at c less that of the line's,
//! v₂ + ω₂×(c − x₂) − v₁ − ω₁×(c − x₁).

use constraint_macros::constraint;

constraint! {
    /// A wheel that rolls on a line without slipping: 2 rows, 1 of them of velocities.
    ///
    /// ```
    /// use constraint_runtime::joint::plane::RollingWheel;
    /// use constraint_runtime::prelude::*;
    ///
    /// let wheel = RollingWheel { point: Vector2::zeros(), normal: Vector2::y(), radius: 0.5 };
    /// let (ground, body) = (Rigid2::identity(), Rigid2::translation(0.0, 0.5));
    /// // Forwards is clockwise.
    /// let (still, rolls) = (Vector3::zeros(), Vector3::new(1.0, 0.0, -2.0));
    /// assert_eq!(wheel.value(0.0, [&ground, &body]), Vector2::zeros());
    /// assert_eq!(wheel.rate(0.0, [&ground, &body], [&still, &rolls]), Vector2::zeros());
    /// ```
    pub struct RollingWheel {
        /// A point of the line, fixed to `a`.
        pub point: Vector2,
        /// The line's normal, fixed to `a`.
        pub normal: Vector2,
        /// The wheel's radius.
        pub radius: Real,
    }
    |a: Rigid2, b: Rigid2| {
        let n = dir(a, normal);
        let contact = at(b, [0, 0]) - radius * n;
        let slip = velocity(at(b, [0, 0])) - angular_velocity(b) * radius * perp(n)
            - velocity(at(a, [0, 0])) - angular_velocity(a) * perp(contact - at(a, [0, 0]));
        [dot(n, contact - at(a, point)), cross(n, slip)]
    }
}

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
