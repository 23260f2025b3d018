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
