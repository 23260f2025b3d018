/// A slider: no relative rotation, translation along an axis of `a` alone, 5 rows.
///
/// ```
/// use constraint_runtime::joint::Prismatic;
/// use constraint_runtime::prelude::*;
///
/// let (a, b) = (Rigid3::identity(), Rigid3::translation(2.0, 0.0, 0.0));
/// let slider = Prismatic::between(&a, &b, &Point3::origin(), &Vector3::x_axis());
/// let further = Rigid3::translation(5.0, 0.0, 0.0);
/// assert_eq!(slider.value(0.0, [&a, &further]), SVector::<f64, 5>::zeros());
/// let beside = Rigid3::translation(5.0, 1.0, 0.0);
/// assert_eq!(slider.value(0.0, [&a, &beside]).norm(), 1.0);
/// ```
pub struct Prismatic {
    /// A point of the axis, fixed to `a`.
    pub r1: Vector3,
    /// The sliding point, fixed to `b`.
    pub r2: Vector3,
    /// A direction across the axis, fixed to `a`.
    pub u1: Vector3,
    /// Another one.
    pub w1: Vector3,
    /// The axis, fixed to `a`.
    pub axis: Vector3,
    /// The direction `u1` as fixed to `b`.
    pub u2: Vector3,
    /// The direction `w1` as fixed to `b`.
    pub w2: Vector3,
}
|a: Rigid3, b: Rigid3| {
    let d = at(b, r2) - at(a, r1);
    [
        dot(d, dir(a, u1)),
        dot(d, dir(a, w1)),
        dot(dir(a, w1), dir(b, u2)),
        dot(dir(a, axis), dir(b, u2)),
        dot(dir(a, axis), dir(b, w2)),
    ]
}
