/// A slider: no relative rotation, translation along an axis of `a` alone, 2 rows.
///
/// ```
/// use constraint_runtime::joint::plane::Prismatic;
/// use constraint_runtime::prelude::*;
///
/// let (a, b) = (Rigid2::identity(), Rigid2::translation(2.0, 0.0));
/// let slider = Prismatic::between(&a, &b, &Point2::origin(), &Vector2::x_axis());
/// assert_eq!(slider.value(0.0, [&a, &Rigid2::translation(5.0, 0.0)]), Vector2::zeros());
/// ```
pub struct Prismatic {
    /// A point of the axis, fixed to `a`.
    pub r1: Vector2,
    /// The sliding point, fixed to `b`.
    pub r2: Vector2,
    /// The axis's normal, fixed to `a`.
    pub normal1: Vector2,
    /// The axis's normal, fixed to `b`.
    pub normal2: Vector2,
}
|a: Rigid2, b: Rigid2| {
    let n = dir(a, normal1);
    [dot(at(b, r2) - at(a, r1), n), cross(n, dir(b, normal2))]
}
