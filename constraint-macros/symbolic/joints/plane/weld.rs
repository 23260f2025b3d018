/// Two bodies as one: 3 rows.
///
/// ```
/// use constraint_runtime::joint::plane::Weld;
/// use constraint_runtime::prelude::*;
///
/// let (a, b) = (Rigid2::identity(), Rigid2::translation(2.0, 0.0));
/// let weld = Weld::between(&a, &b, &Point2::new(1.0, 0.0));
/// assert_eq!(weld.value(0.0, [&a, &b]), Vector3::zeros());
/// ```
pub struct Weld {
    /// The common point, fixed to `a`.
    pub r1: Vector2,
    /// The common point, fixed to `b`.
    pub r2: Vector2,
    /// The common direction, fixed to `a`.
    pub u1: Vector2,
    /// The common direction, fixed to `b`.
    pub u2: Vector2,
}
|a: Rigid2, b: Rigid2| [at(b, r2) == at(a, r1), cross(dir(a, u1), dir(b, u2)) == 0]
