//! Points and vectors of `nalgebra` whose scalar is `f64` unless another one is named, like those of bodies and worlds.
//!
//! The prelude has those of `nalgebra` itself, without a default: two glob imports may bring one item, but not two of one
//! name, and `use nalgebra::*` beside the prelude has to compile. An import by name has precedence over both.

/// A point in the plane; see [`Vector3`].
pub type Point2<T = f64> = nalgebra::Point2<T>;

/// A point in space; see [`Vector3`].
pub type Point3<T = f64> = nalgebra::Point3<T>;

/// A vector in the plane; see [`Vector3`].
pub type Vector2<T = f64> = nalgebra::Vector2<T>;

/// A vector in space, of `f64` unless another scalar is named: the type that `nalgebra` and the prelude call `Vector3<f64>`.
///
/// Import it by name, and write it without a scalar, as in the macros:
///
/// ```
/// use constraint_runtime::prelude::*;
/// use constraint_runtime::{Point3, Vector3};
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
///
/// Everything of `nalgebra` and the prelude fit together, too:
///
/// ```
/// use constraint_runtime::nalgebra::*;
/// use constraint_runtime::prelude::*;
///
/// let (at, dir): (Point3<f64>, Vector3<f64>) = (Point3::origin(), Vector3::x());
/// let flat: (Point2<f64>, Vector2<f64>) = (at.xy(), dir.xy());
/// assert_eq!((flat.0 + flat.1).x, 1.0);
/// ```
pub type Vector3<T = f64> = nalgebra::Vector3<T>;
