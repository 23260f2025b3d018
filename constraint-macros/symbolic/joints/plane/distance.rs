/// A massless rod between a point of `a` and a point of `b`: 1 row.
///
/// ```
/// use constraint_runtime::joint::plane::Distance;
/// use constraint_runtime::prelude::*;
///
/// let rod = Distance { r1: Vector2::zeros(), r2: Vector2::zeros(), length: 2.0 };
/// let (a, b) = (Rigid2::identity(), Rigid2::translation(3.0, 0.0));
/// assert_eq!(rod.value(0.0, [&a, &b])[0], 1.0);
/// ```
pub struct Distance {
    /// The point of `a`.
    pub r1: Vector2,
    /// The point of `b`.
    pub r2: Vector2,
    /// Their distance.
    pub length: Real,
}
|a: Rigid2, b: Rigid2| {
    let d = at(b, r2) - at(a, r1);
    norm(d) == length
}
