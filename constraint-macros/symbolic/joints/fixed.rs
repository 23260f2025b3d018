/// Two bodies as one: 6 rows.
///
/// ```
/// use constraint_runtime::joint::Fixed;
/// use constraint_runtime::prelude::*;
///
/// let (a, b) = (Rigid3::identity(), Rigid3::translation(2.0, 0.0, 0.0));
/// let weld = Fixed::between(&a, &b, &Point3::new(1.0, 0.0, 0.0));
/// assert_eq!(weld.value(0.0, [&a, &b]), SVector::<f64, 6>::zeros());
/// ```
pub struct Fixed {
    /// The common point, fixed to `a`.
    pub r1: Vector3,
    /// The common point, fixed to `b`.
    pub r2: Vector3,
    /// The triad's second direction, fixed to `a`.
    pub w1: Vector3,
    /// The triad's third direction, fixed to `a`.
    pub axis1: Vector3,
    /// The triad's first direction, fixed to `b`.
    pub u2: Vector3,
    /// The triad's second direction, fixed to `b`.
    pub w2: Vector3,
}
|a: Rigid3, b: Rigid3| [
    at(b, r2) == at(a, r1),
    dot(dir(a, w1), dir(b, u2)) == 0,
    dot(dir(a, axis1), dir(b, u2)) == 0,
    dot(dir(a, axis1), dir(b, w2)) == 0,
]
