/// A pin, the point `r1` of `a` on the point `r2` of `b`: 2 rows.
///
/// ```
/// use constraint_runtime::joint::plane::Revolute;
/// use constraint_runtime::prelude::*;
///
/// let (a, b) = (Rigid2::identity(), Rigid2::translation(2.0, 0.0));
/// let pin = Revolute::between(&a, &b, &Point2::new(1.0, 0.0));
/// assert_eq!(pin.value(0.0, [&a, &b]), Vector2::zeros());
/// ```
pub struct Revolute {
    /// The pin, fixed to `a`.
    pub r1: Vector2,
    /// The pin, fixed to `b`.
    pub r2: Vector2,
}
|a: Rigid2, b: Rigid2| at(b, r2) == at(a, r1)
