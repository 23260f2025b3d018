/// A thin disk that rolls on a plane without slipping: 3 rows, 2 of them of velocities.
///
/// A disk that lies flat has no lowest point: λ is then an error.
///
/// ```
/// use constraint_runtime::joint::RollingDisk;
/// use constraint_runtime::prelude::*;
///
/// let disk = RollingDisk::on_ground(0.5);
/// let (ground, coin) = (Rigid3::identity(), Rigid3::translation(0.0, 0.0, 0.5));
/// // Upright, axis along y: it rolls along x with v = radius ω.
/// let (still, rolls) = (SVector::zeros(), [1.0, 0.0, 0.0, 0.0, 2.0, 0.0].into());
/// assert_eq!(disk.value(0.0, [&ground, &coin]), SVector::<f64, 3>::zeros());
/// assert_eq!(disk.rate(0.0, [&ground, &coin], [&still, &rolls]), SVector::<f64, 3>::zeros());
/// ```
pub struct RollingDisk {
    /// A point of the plane, fixed to `a`.
    pub point: Vector3,
    /// The plane's normal, fixed to `a`.
    pub normal: Vector3,
    /// A direction in the plane, fixed to `a`.
    pub u: Vector3,
    /// Another one.
    pub w: Vector3,
    /// The disk's axis, fixed to `b`.
    pub axis: Vector3,
    /// The disk's radius.
    pub radius: Real,
}
|a: Rigid3, b: Rigid3| {
    let n = dir(a, normal);
    let k = dir(b, axis);
    let lever = -radius * normalize(n - dot(n, k) * k);
    let contact = at(b, [0, 0, 0]) + lever;
    let slip = velocity(at(b, [0, 0, 0])) + cross(angular_velocity(b), lever)
        - velocity(at(a, [0, 0, 0])) - cross(angular_velocity(a), contact - at(a, [0, 0, 0]));
    [
        dot(n, contact - at(a, point)),
        dot(slip, dir(a, u)),
        dot(slip, dir(a, w)),
    ]
}
