//! C = (d, axis₁·axis₂), d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁).
//!
//! The rows of d are those of the ball joint; for e₁ = R₁ axis₁ and e₂ = R₂ axis₂ the last row has
//! J = (0, e₁×e₂, 0, e₂×e₁).

use constraint_macros::constraint;
use nalgebra::{Point3, UnitVector3};

use super::{fixed_direction, fixed_point};
use crate::body::Rigid3;
use crate::real::Real;

constraint! {
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
}

impl<T: Real> Universal<T> {
    /// The joint of the bodies as they are placed: a point of the world, and two axes at right angles.
    pub fn between(
        a: &Rigid3<T>,
        b: &Rigid3<T>,
        centre: &Point3<T>,
        axes: [&UnitVector3<T>; 2],
    ) -> Self {
        Universal {
            r1: fixed_point(a, centre),
            r2: fixed_point(b, centre),
            axis1: fixed_direction(a, axes[0]),
            axis2: fixed_direction(b, axes[1]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::conformance::{at, check, dir, space};

    #[test]
    fn conforms() {
        let joint = Universal {
            r1: space(0.3, -0.4, 0.5),
            r2: space(-0.7, 0.2, 0.1),
            axis1: space(0.6, 0.8, 0.0),
            axis2: space(0.0, 0.6, 0.8),
        };
        check(&joint, 8, |[a, b], _| {
            let d = at(b, space(-0.7, 0.2, 0.1)) - at(a, space(0.3, -0.4, 0.5));
            let (e1, e2) = (dir(a, space(0.6, 0.8, 0.0)), dir(b, space(0.0, 0.6, 0.8)));
            [d.x, d.y, d.z, e1.dot(&e2)].into()
        });
    }
}
