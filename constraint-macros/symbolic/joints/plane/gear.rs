/// Two wheels in mesh, turning against each other: 1 row of velocities.
///
/// A negative radius is an internal gear.
///
/// ```
/// use constraint_runtime::joint::plane::Gear;
/// use constraint_runtime::prelude::*;
///
/// let gear = Gear { radius1: 1.0, radius2: 2.0 };
/// let body = Rigid2::identity();
/// let spin = |w| Vector3::new(0.0, 0.0, w);
/// assert_eq!(gear.rate(0.0, [&body, &body], [&spin(2.0), &spin(-1.0)])[0], 0.0);
/// ```
pub struct Gear {
    /// The first wheel's radius.
    pub radius1: Real,
    /// The second wheel's radius.
    pub radius2: Real,
}
|a: Rigid2, b: Rigid2| radius1 * angular_velocity(a) + radius2 * angular_velocity(b)
