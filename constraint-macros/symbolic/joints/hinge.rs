/// A pin: a common point and a common axis, 5 rows, the rotation about the axis stays free.
///
/// ```
/// use constraint_runtime::joint::Hinge;
/// use constraint_runtime::prelude::*;
///
/// let (a, b) = (Rigid3::identity(), Rigid3::translation(2.0, 0.0, 0.0));
/// let door = Hinge::between(&a, &b, &Point3::new(1.0, 0.0, 0.0), &Vector3::z_axis());
/// // A turn about the axis keeps the joint, a turn about x does not.
/// let still = SVector::zeros();
/// let open = [0.0, 1.0, 0.0, 0.0, 0.0, 1.0].into();
/// let tilt = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0].into();
/// assert!(door.rate(0.0, [&a, &b], [&still, &open]).norm() < 1e-15);
/// assert!(door.rate(0.0, [&a, &b], [&still, &tilt]).norm() > 0.5);
/// ```
pub struct Hinge {
    /// The common point, fixed to `a`.
    pub r1: Vector3,
    /// The common point, fixed to `b`.
    pub r2: Vector3,
    /// A direction across the axis, fixed to `a`.
    pub u: Vector3,
    /// Another one.
    pub w: Vector3,
    /// The axis, fixed to `b`.
    pub axis: Vector3,
}
|a: Rigid3, b: Rigid3| [
    at(b, r2) == at(a, r1),
    dot(dir(b, axis), dir(a, u)) == 0,
    dot(dir(b, axis), dir(a, w)) == 0,
]
