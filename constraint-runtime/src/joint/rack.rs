//! Φ = (v₂ − v₁)·along − radius ω₁·axis, the axis fixed to the pinion `a`, the direction to the rack `b`.

use constraint_macros::constraint;

constraint! {
    /// A pinion on a rack: 1 row of velocities.
    ///
    /// What holds the pinion's axis and guides the rack is another joint's. Turning about `axis` drives the
    /// rack along `along`.
    ///
    /// ```
    /// use constraint_runtime::joint::Rack;
    /// use constraint_runtime::prelude::*;
    ///
    /// let rack = Rack { axis: Vector3::z(), along: Vector3::x(), radius: 0.5 };
    /// let body = Rigid3::identity();
    /// let (spin, slide) = ([0.0, 0.0, 0.0, 0.0, 0.0, 2.0].into(), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0].into());
    /// assert_eq!(rack.rate(0.0, [&body, &body], [&spin, &slide])[0], 0.0);
    /// ```
    pub struct Rack {
        /// The pinion's axis, fixed to `a`.
        pub axis: Vector3,
        /// The rack's direction, fixed to `b`.
        pub along: Vector3,
        /// The pinion's radius.
        pub radius: Real,
    }
    |a: Rigid3, b: Rigid3|
        dot(velocity(at(b, [0, 0, 0]) - at(a, [0, 0, 0])), dir(b, along))
            == radius * dot(angular_velocity(a), dir(a, axis))
}

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
