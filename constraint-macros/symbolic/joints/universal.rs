/// A cross of two axes at right angles, one fixed to each body: 4 rows.
///
/// ```
/// use constraint_runtime::joint::Universal;
/// use constraint_runtime::prelude::*;
///
/// let (a, b) = (Rigid3::identity(), Rigid3::translation(2.0, 0.0, 0.0));
/// let centre = Point3::new(1.0, 0.0, 0.0);
/// let cross = Universal::between(&a, &b, &centre, [&Vector3::y_axis(), &Vector3::z_axis()]);
/// assert_eq!(cross.value(0.0, [&a, &b]), SVector::<f64, 4>::zeros());
/// ```
pub struct Universal {
    /// The cross's centre, fixed to `a`.
    pub r1: Vector3,
    /// The cross's centre, fixed to `b`.
    pub r2: Vector3,
    /// The axis fixed to `a`.
    pub axis1: Vector3,
    /// The axis fixed to `b`, at right angles to the other.
    pub axis2: Vector3,
}
|a: Rigid3, b: Rigid3| [at(b, r2) == at(a, r1), dot(dir(a, axis1), dir(b, axis2)) == 0]
