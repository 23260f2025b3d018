/// A massless rod between a point of `a` and a point of `b`: 1 row.
///
/// Two points at one place have no direction: λ is then an error.
///
/// ```
/// use constraint_runtime::joint::Distance;
/// use constraint_runtime::prelude::*;
///
/// let rod = Distance { r1: Vector3::zeros(), r2: Vector3::zeros(), length: 2.0 };
/// let (a, b) = (Rigid3::identity(), Rigid3::translation(3.0, 0.0, 0.0));
/// assert_eq!(rod.value(0.0, [&a, &b])[0], 1.0);
/// ```
///
/// # Source
/// I. Robson, *Distance Constraint*, eqs. 5 to 7.
pub struct Distance {
    /// The point of `a`.
    pub r1: Vector3,
    /// The point of `b`.
    pub r2: Vector3,
    /// Their distance.
    pub length: Real,
}
|a: Rigid3, b: Rigid3| {
    let d = at(b, r2) - at(a, r1);
    norm(d) == length
}
