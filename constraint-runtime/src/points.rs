//! Points and vectors of `nalgebra` whose scalar is `f64` unless another one is named, like those of bodies and worlds.

/// A point in the plane.
pub type Point2<T = f64> = nalgebra::Point2<T>;

/// A point in space: `fn place(at: Point3)` is one of `f64`, and `Point3::new(0.0_f32, 0.0, 1.0)` is one of `f32`.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// struct Sensor {
///     at: Point3,
///     dir: Vector3,
/// }
/// let sensor = Sensor { at: Point3::origin(), dir: Vector3::x() };
/// let single: Vector3<f32> = Vector3::new(1.0, 2.0, 3.0);
/// let same: constraint_runtime::nalgebra::Vector3<f64> = sensor.dir;
/// assert_eq!((sensor.at + same).x, f64::from(single.x));
/// ```
pub type Point3<T = f64> = nalgebra::Point3<T>;

/// A vector in the plane.
pub type Vector2<T = f64> = nalgebra::Vector2<T>;

/// A vector in space.
pub type Vector3<T = f64> = nalgebra::Vector3<T>;
