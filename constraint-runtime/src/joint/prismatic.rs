//! C = (d·u₁, d·w₁, w₁·u₂, axis·u₂, axis·w₂), d = (x₂ + R₂ r₂) − (x₁ + R₁ r₁).
//!
//! (u₁, w₁, axis) is a triad fixed to `a`, (u₂, w₂, ·) the same one fixed to `b`. For s = R₁ u₁ the row d·s has
//! J = (−sᵀ, −((d + r₁)×s)ᵀ, sᵀ, (r₂×s)ᵀ): the lever on `a` reaches to the sliding point.

use constraint_macros::library_joint;
use nalgebra::{Point3, UnitVector3};

use super::{fixed_direction, fixed_point, perpendiculars};
use crate::body::Rigid3;
use crate::real::Real;

library_joint!(Prismatic);

impl<T: Real> Prismatic<T> {
    /// The joint between the bodies at their current poses, along an axis of the world through a point.
    pub fn between(a: &Rigid3<T>, b: &Rigid3<T>, point: &Point3<T>, axis: &UnitVector3<T>) -> Self {
        let [u, w] = perpendiculars(axis);
        Prismatic {
            r1: fixed_point(a, point),
            r2: fixed_point(b, point),
            u1: fixed_direction(a, &u),
            w1: fixed_direction(a, &w),
            axis: fixed_direction(a, axis),
            u2: fixed_direction(b, &u),
            w2: fixed_direction(b, &w),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::conformance::{at, check, dir, space};

    #[test]
    fn conforms() {
        let joint = Prismatic {
            r1: space(0.3, -0.4, 0.5),
            r2: space(-0.7, 0.2, 0.1),
            u1: space(0.6, 0.8, 0.0),
            w1: space(0.0, 0.0, 1.0),
            axis: space(0.8, -0.6, 0.0),
            u2: space(1.0, 0.0, 0.0),
            w2: space(0.0, 0.6, 0.8),
        };
        check(&joint, 7, |[a, b], _| {
            let d = at(b, space(-0.7, 0.2, 0.1)) - at(a, space(0.3, -0.4, 0.5));
            let (u1, w1) = (dir(a, space(0.6, 0.8, 0.0)), dir(a, space(0.0, 0.0, 1.0)));
            let axis = dir(a, space(0.8, -0.6, 0.0));
            let (u2, w2) = (dir(b, space(1.0, 0.0, 0.0)), dir(b, space(0.0, 0.6, 0.8)));
            [
                d.dot(&u1),
                d.dot(&w1),
                w1.dot(&u2),
                axis.dot(&u2),
                axis.dot(&w2),
            ]
            .into()
        });
    }
}
