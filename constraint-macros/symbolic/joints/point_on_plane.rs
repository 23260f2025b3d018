/// A point of `b` on a plane fixed to `a`: 1 row.
///
/// ```
/// use constraint_runtime::joint::PointOnPlane;
/// use constraint_runtime::prelude::*;
///
/// let (a, b) = (Rigid3::identity(), Rigid3::translation(2.0, 0.0, 0.0));
/// let table = PointOnPlane::between(&a, &b, &Point3::origin(), &Vector3::z_axis());
/// assert_eq!(table.value(0.0, [&a, &Rigid3::translation(7.0, 8.0, 0.5)])[0], 0.5);
/// ```
pub struct PointOnPlane {
    /// A point of the plane, fixed to `a`.
    pub r1: Vector3,
    /// The plane's normal, fixed to `a`.
    pub normal: Vector3,
    /// The point, fixed to `b`.
    pub r2: Vector3,
}
|a: Rigid3, b: Rigid3| dot(at(b, r2) - at(a, r1), dir(a, normal))
