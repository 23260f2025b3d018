//! C = n·(c − p), Φ = (slip·u, slip·w): a disk of body `b` on the plane of body `a`.
//!
//! n, u, w are the plane's normal and two directions in it, k the disk's axis; e = (n − (n·k) k)/‖…‖ points up
//! in the disk, so its lowest point is c = x₂ − radius e. The slip is the velocity of the disk's matter at c
//! less that of the plane's, v₂ + ω₂×(c − x₂) − v₁ − ω₁×(c − x₁); its part along n is Ċ.

use constraint_macros::library_joint;

library_joint!(RollingDisk);

impl<T: crate::Real> RollingDisk<T> {
    /// A disk with the axis y of its body, on the plane z = 0 of the ground.
    pub fn on_ground(radius: T) -> Self {
        use nalgebra::Vector3;
        RollingDisk {
            point: Vector3::zeros(),
            normal: Vector3::z(),
            u: Vector3::x(),
            w: Vector3::y(),
            axis: Vector3::y(),
            radius,
        }
    }
}

#[cfg(test)]
mod tests {
    use num_dual::Dual64;

    use super::*;
    use crate::joint::conformance::{at, check, dir, space};

    #[test]
    fn conforms() {
        let disk = RollingDisk {
            point: space(0.1, -0.2, 0.3),
            normal: space(0.0, 0.6, 0.8),
            u: space(1.0, 0.0, 0.0),
            w: space(0.0, 0.8, -0.6),
            axis: space(0.6, 0.8, 0.0),
            radius: 0.7,
        };
        check(&disk, 9, |[a, b], [va, vb]| {
            let (n, k) = (dir(a, space(0.0, 0.6, 0.8)), dir(b, space(0.6, 0.8, 0.0)));
            let up = n - k * n.dot(&k);
            let lever = up * (Dual64::from(-0.7) / up.norm());
            let contact = b.translation.vector + lever;
            let reach = contact - a.translation.vector;
            let moved = |v: &nalgebra::SVector<Dual64, 6>, r| {
                v.fixed_rows::<3>(0) + v.fixed_rows::<3>(3).cross(&r)
            };
            let slip = moved(vb, lever) - moved(va, reach);
            [
                n.dot(&(contact - at(a, space(0.1, -0.2, 0.3)))),
                slip.dot(&dir(a, space(1.0, 0.0, 0.0))),
                slip.dot(&dir(a, space(0.0, 0.8, -0.6))),
            ]
            .into()
        });
    }
}
