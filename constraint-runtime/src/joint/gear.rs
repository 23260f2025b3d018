//! Φ = radius₁ ω₁·axis₁ + radius₂ ω₂·axis₂, each axis fixed to its body.
//!
//! A relation of velocities: J = (0, radius₁ axis₁ᵀ, 0, radius₂ axis₂ᵀ). With ȧ = ω×a for a body's own axis,
//! ω·ȧ = 0, so β = 0: the gear has no bias at all.

use constraint_macros::constraint;

constraint! {
    /// Two wheels in mesh, turning against each other: 1 row of velocities.
    ///
    /// What holds the axes is another joint's; rotations count against the world. A negative radius is an
    /// internal gear.
    ///
    /// ```
    /// use constraint_runtime::joint::Gear;
    /// use constraint_runtime::prelude::*;
    ///
    /// let gear = Gear { axis1: Vector3::z(), axis2: Vector3::z(), radius1: 1.0, radius2: 2.0 };
    /// let body = Rigid3::identity();
    /// let spin = |z| SVector::from([0.0, 0.0, 0.0, 0.0, 0.0, z]);
    /// assert_eq!(gear.rate(0.0, [&body, &body], [&spin(2.0), &spin(-1.0)])[0], 0.0);
    /// ```
    pub struct Gear {
        /// The first wheel's axis, fixed to `a`.
        pub axis1: Vector3,
        /// The second wheel's axis, fixed to `b`.
        pub axis2: Vector3,
        /// The first wheel's radius.
        pub radius1: Real,
        /// The second wheel's radius.
        pub radius2: Real,
    }
    |a: Rigid3, b: Rigid3|
        radius1 * dot(angular_velocity(a), dir(a, axis1))
            + radius2 * dot(angular_velocity(b), dir(b, axis2))
}

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
