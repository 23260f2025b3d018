/// A wheel that rolls on a line without slipping: 2 rows, 1 of them of velocities.
///
/// ```
/// use constraint_runtime::joint::plane::RollingWheel;
/// use constraint_runtime::prelude::*;
///
/// let wheel = RollingWheel { point: Vector2::zeros(), normal: Vector2::y(), radius: 0.5 };
/// let (ground, body) = (Rigid2::identity(), Rigid2::translation(0.0, 0.5));
/// // Forwards is clockwise.
/// let (still, rolls) = (Vector3::zeros(), Vector3::new(1.0, 0.0, -2.0));
/// assert_eq!(wheel.value(0.0, [&ground, &body]), Vector2::zeros());
/// assert_eq!(wheel.rate(0.0, [&ground, &body], [&still, &rolls]), Vector2::zeros());
/// ```
pub struct RollingWheel {
    /// A point of the line, fixed to `a`.
    pub point: Vector2,
    /// The line's normal, fixed to `a`.
    pub normal: Vector2,
    /// The wheel's radius.
    pub radius: Real,
}
|a: Rigid2, b: Rigid2| {
    let n = dir(a, normal);
    let contact = at(b, [0, 0]) - radius * n;
    let slip = velocity(at(b, [0, 0])) - angular_velocity(b) * radius * perp(n)
        - velocity(at(a, [0, 0])) - angular_velocity(a) * perp(contact - at(a, [0, 0]));
    [dot(n, contact - at(a, point)), cross(n, slip)]
}
