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
