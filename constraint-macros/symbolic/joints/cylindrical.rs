/// A shaft in a sleeve: translation along and rotation about a common axis, 4 rows.
///
/// ```
/// use constraint_runtime::joint::Cylindrical;
/// use constraint_runtime::prelude::*;
///
/// let (a, b) = (Rigid3::identity(), Rigid3::translation(2.0, 0.0, 0.0));
/// let sleeve = Cylindrical::between(&a, &b, &Point3::origin(), &Vector3::x_axis());
/// let screwed = Rigid3::new(Vector3::x() * 5.0, Vector3::x());
/// assert!(sleeve.value(0.0, [&a, &screwed]).norm() < 1e-15);
/// ```
pub struct Cylindrical {
    /// A point of the axis, fixed to `a`.
    pub r1: Vector3,
    /// A point of the axis, fixed to `b`.
    pub r2: Vector3,
    /// A direction across the axis, fixed to `a`.
    pub u: Vector3,
    /// Another one.
    pub w: Vector3,
    /// The axis, fixed to `b`.
    pub axis: Vector3,
}
|a: Rigid3, b: Rigid3| {
    let d = at(b, r2) - at(a, r1);
    [
        dot(d, dir(a, u)),
        dot(d, dir(a, w)),
        dot(dir(b, axis), dir(a, u)),
        dot(dir(b, axis), dir(a, w)),
    ]
}
