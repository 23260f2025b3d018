//! C = ‖d‖ − length, d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁).
//!
//! With n = d/‖d‖, u = ḋ and the arms in the world's frame:
//! J = (−nᵀ, −(r₁×n)ᵀ, nᵀ, (r₂×n)ᵀ) and
//! β = (‖u‖² − (n·u)²)/‖d‖ + n·(ω₂×(ω₂×r₂) − ω₁×(ω₁×r₁)).

use constraint_macros::library_joint;

library_joint!(Distance);

#[cfg(test)]
mod tests {
    use nalgebra::{SVector, Vector3};

    use super::*;
    use crate::joint::conformance::{at, check, space};
    use crate::{BodyConstraint, InverseMass3, Rigid3};

    fn rod() -> Distance {
        Distance {
            r1: space(0.3, -0.4, 0.5),
            r2: space(-0.7, 0.2, 0.1),
            length: 1.5,
        }
    }

    #[test]
    fn conforms() {
        check(&rod(), 11, |[a, b], _| {
            let d = at(b, space(-0.7, 0.2, 0.1)) - at(a, space(0.3, -0.4, 0.5));
            [d.norm() - 1.5].into()
        });
    }

    /// The Jacobian of the source's eq. 7 and the bias in full, both by hand with nalgebra.
    #[test]
    fn jacobian_and_bias_are_those_derived_by_hand() {
        let a = Rigid3::new(Vector3::new(0.1, 0.2, -0.3), Vector3::new(0.5, -1.0, 0.3));
        let b = Rigid3::new(Vector3::new(2.0, 1.0, 0.7), Vector3::new(-0.4, 0.2, 1.3));
        let (v1, w1) = (Vector3::new(0.5, -0.1, 0.3), Vector3::new(1.0, 2.0, -0.7));
        let (v2, w2) = (Vector3::new(-0.2, 0.9, 0.4), Vector3::new(-0.3, 0.8, 1.9));
        let (r1, r2) = (a.rotation * rod().r1, b.rotation * rod().r2);
        let d = b.translation.vector + r2 - a.translation.vector - r1;
        let n = d.normalize();
        let stack = |x: Vector3<f64>, y: Vector3<f64>| {
            SVector::<f64, 6>::from([x.x, x.y, x.z, y.x, y.y, y.z])
        };
        let [first, second] = rod().jacobian(0.0, [&a, &b]);
        assert!((first.transpose() - stack(-n, -r1.cross(&n))).norm() < 1e-15);
        assert!((second.transpose() - stack(n, r2.cross(&n))).norm() < 1e-15);

        let u = v2 + w2.cross(&r2) - v1 - w1.cross(&r1);
        let centripetal = w2.cross(&w2.cross(&r2)) - w1.cross(&w1.cross(&r1));
        let across = u.norm_squared() - n.dot(&u).powi(2);
        let expected = across / d.norm() + n.dot(&centripetal);
        let bias = rod().bias(0.0, [&a, &b], [&stack(v1, w1), &stack(v2, w2)]);
        assert!((bias[0] - expected).abs() < 1e-14);
    }

    #[test]
    fn points_that_meet_are_an_error() {
        let rod = Distance {
            r1: Vector3::zeros(),
            r2: Vector3::zeros(),
            length: 1.0,
        };
        let (body, mass) = (
            Rigid3::identity(),
            InverseMass3 {
                mass: 1.0,
                inertia: nalgebra::Matrix3::identity(),
            },
        );
        let solved = rod.solve(0.0, [&body, &body], [&mass, &mass], &[1.0].into());
        assert!(solved.is_err());
    }
}
