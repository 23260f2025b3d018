/// A bead on a straight wire: a point of `b` on a line fixed to `a`, 2 rows.
///
/// ```
/// use constraint_runtime::joint::PointOnLine;
/// use constraint_runtime::prelude::*;
///
/// let (a, b) = (Rigid3::identity(), Rigid3::translation(2.0, 0.0, 0.0));
/// let wire = PointOnLine::between(&a, &b, &Point3::origin(), &Vector3::x_axis());
/// let further = Rigid3::translation(3.0, 0.0, 0.0);
/// assert_eq!(wire.value(0.0, [&a, &further]), SVector::<f64, 2>::zeros());
/// ```
pub struct PointOnLine {
    /// A point of the line, fixed to `a`.
    pub r1: Vector3,
    /// A direction across the line, fixed to `a`.
    pub u: Vector3,
    /// Another one.
    pub w: Vector3,
    /// The point, fixed to `b`.
    pub r2: Vector3,
}
|a: Rigid3, b: Rigid3| {
    let d = at(b, r2) - at(a, r1);
    [dot(d, dir(a, u)), dot(d, dir(a, w))]
}
