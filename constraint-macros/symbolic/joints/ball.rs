/// A ball in a socket, the point `r1` of `a` on the point `r2` of `b`: 3 rows, the rotation stays free.
///
/// ```
/// use constraint_runtime::joint::Ball;
/// use constraint_runtime::prelude::*;
///
/// let (a, b) = (Rigid3::identity(), Rigid3::translation(2.0, 0.0, 0.0));
/// let ball = Ball::between(&a, &b, &Point3::new(1.0, 0.0, 0.0));
/// assert_eq!(ball.r2, -Vector3::x());
/// assert_eq!(ball.value(0.0, [&a, &b]), Vector3::zeros());
/// ```
pub struct Ball {
    /// The socket's centre, fixed to `a`.
    pub r1: Vector3,
    /// The ball's centre, fixed to `b`.
    pub r2: Vector3,
}
|a: Rigid3, b: Rigid3| at(b, r2) == at(a, r1)
