//! The coordinates that joints leave free: their values, and G = ∂ẋ/∂v.

use nalgebra::{SVector, UnitQuaternion, UnitVector3, Vector2, Vector3};

use crate::body::{Rigid2, Rigid3};
use crate::real::Real;

/// A coordinate between two bodies in space.
#[derive(Clone, Copy, Debug)]
pub struct Axis3<T> {
    kind: Kind3,
    /// Fixed to the first body; that of a ball is in the world's frame until the bodies are connected.
    axis: Vector3<T>,
    /// The points between which a travel counts, each fixed to its body.
    points: [Vector3<T>; 2],
    /// The rotation from the frame of the second body to that of the first at the value zero.
    rest: UnitQuaternion<T>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind3 {
    Turn,
    Travel,
    Cone,
    Twist,
}

/// A coordinate between two bodies in the plane.
#[derive(Clone, Copy, Debug)]
pub struct Axis2<T> {
    /// The direction of a travel and the points between which it counts; an angle has none.
    travel: Option<(Vector2<T>, [Vector2<T>; 2])>,
    /// The angle at the value zero.
    rest: T,
}

impl<T: Real> Axis3<T> {
    fn new(kind: Kind3, axis: Vector3<T>, points: [Vector3<T>; 2]) -> Self {
        Self {
            kind,
            axis,
            points,
            rest: UnitQuaternion::identity(),
        }
    }

    /// The angle about an axis fixed to the first body.
    pub(crate) fn turn(axis: Vector3<T>) -> Self {
        Self::new(Kind3::Turn, axis, [Vector3::zeros(); 2])
    }

    /// The travel of a point of the second body against one of the first, along an axis fixed to the first.
    pub(crate) fn travel(r1: Vector3<T>, r2: Vector3<T>, axis: Vector3<T>) -> Self {
        Self::new(Kind3::Travel, axis, [r1, r2])
    }

    /// The angle between two axes, one of each body, that lie along this one of the world at first.
    pub(crate) fn cone(axis: Vector3<T>) -> Self {
        Self::new(Kind3::Cone, axis, [Vector3::zeros(); 2])
    }

    /// The rotation about the axis of the second body, without the tilt.
    pub(crate) fn twist(axis: Vector3<T>) -> Self {
        Self::new(Kind3::Twist, axis, [Vector3::zeros(); 2])
    }

    /// The same, counted from these poses.
    pub(super) fn counted_from(mut self, [a, b]: [&Rigid3<T>; 2]) -> Self {
        self.rest = a.rotation.inverse() * b.rotation;
        if matches!(self.kind, Kind3::Cone | Kind3::Twist) {
            self.axis = a.rotation.inverse() * self.axis;
        }
        self
    }

    /// True if values that differ by a turn are the same.
    pub(super) fn is_angle(&self) -> bool {
        matches!(self.kind, Kind3::Turn | Kind3::Twist)
    }

    /// The value and G.
    pub(super) fn measure(&self, [a, b]: [&Rigid3<T>; 2]) -> (T, [SVector<T, 6>; 2]) {
        if self.kind == Kind3::Travel {
            return self.measure_travel(a, b);
        }
        let turned = a.rotation.inverse() * b.rotation * self.rest.inverse();
        let (w, v) = (turned.scalar(), turned.imag());
        let along = v.dot(&self.axis);
        let first = a.rotation * self.axis;
        let second = b.rotation * (self.rest.inverse() * self.axis);
        let two = T::lit(2.0);
        let (value, direction) = match self.kind {
            Kind3::Cone => {
                let across = v - self.axis * along;
                let tilt = across
                    .norm()
                    .simd_atan2((w * w + along * along).simd_sqrt())
                    * two;
                (tilt, tilt_axis(&first, &second))
            }
            Kind3::Twist => {
                let mean = (first + second) / (T::one() + first.dot(&second));
                (along.simd_atan2(w) * two, mean)
            }
            _ => (along.simd_atan2(w) * two, first),
        };
        (value, [turning(&-direction), turning(&direction)])
    }

    fn measure_travel(&self, a: &Rigid3<T>, b: &Rigid3<T>) -> (T, [SVector<T, 6>; 2]) {
        let [r1, r2] = &self.points;
        let along = a.rotation * self.axis;
        let (arm1, arm2) = (a.rotation * r1, b.rotation * r2);
        let d = b.translation.vector + arm2 - a.translation.vector - arm1;
        let slope = |sign: T, arm: &Vector3<T>| {
            let (force, torque) = (along * sign, arm.cross(&along) * sign);
            [force.x, force.y, force.z, torque.x, torque.y, torque.z].into()
        };
        let slopes = [slope(-T::one(), &(d + arm1)), slope(T::one(), &arm2)];
        (d.dot(&along), slopes)
    }
}

/// The axis of the rotation that tilts one direction towards another; any one across if they agree.
fn tilt_axis<T: Real>(first: &Vector3<T>, second: &Vector3<T>) -> Vector3<T> {
    let cross = first.cross(second);
    let length = cross.norm();
    let [across, _] = crate::joint::perpendiculars(&UnitVector3::new_unchecked(*first));
    let is_clear = length.simd_gt(T::simd_default_epsilon());
    cross.zip_map(&across, |cross, across| {
        (cross / length).select(is_clear, across)
    })
}

fn turning<T: Real>(direction: &Vector3<T>) -> SVector<T, 6> {
    let zero = T::zero();
    [zero, zero, zero, direction.x, direction.y, direction.z].into()
}

impl<T: Real> Axis2<T> {
    /// The angle of the second body against the first.
    pub(crate) fn turn() -> Self {
        Self {
            travel: None,
            rest: T::zero(),
        }
    }

    /// The travel of a point of the second body against one of the first, along a direction fixed to the first.
    pub(crate) fn travel(r1: Vector2<T>, r2: Vector2<T>, along: Vector2<T>) -> Self {
        Self {
            travel: Some((along, [r1, r2])),
            rest: T::zero(),
        }
    }

    /// The same, counted from these poses.
    pub(super) fn counted_from(mut self, [a, b]: [&Rigid2<T>; 2]) -> Self {
        self.rest = angle(a, b);
        self
    }

    /// True if values that differ by a turn are the same.
    pub(super) fn is_angle(&self) -> bool {
        self.travel.is_none()
    }

    /// The value and G.
    pub(super) fn measure(&self, [a, b]: [&Rigid2<T>; 2]) -> (T, [SVector<T, 3>; 2]) {
        let (zero, one) = (T::zero(), T::one());
        let Some((along, [r1, r2])) = &self.travel else {
            let slopes = [[zero, zero, -one].into(), [zero, zero, one].into()];
            return (angle(a, b) - self.rest, slopes);
        };
        let along = a.rotation * along;
        let (arm1, arm2) = (a.rotation * r1, b.rotation * r2);
        let d = b.translation.vector + arm2 - a.translation.vector - arm1;
        let slope = |sign: T, arm: &Vector2<T>| {
            [along.x * sign, along.y * sign, arm.perp(&along) * sign].into()
        };
        let slopes = [slope(-one, &(d + arm1)), slope(one, &arm2)];
        (d.dot(&along), slopes)
    }
}

fn angle<T: Real>(a: &Rigid2<T>, b: &Rigid2<T>) -> T {
    let turned = a.rotation.inverse() * b.rotation;
    turned.im.simd_atan2(turned.re)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Rigid;

    /// Poses and velocities of both bodies.
    type Sample = ([Rigid3<f64>; 2], [SVector<f64, 6>; 2]);

    fn samples() -> Vec<Sample> {
        let sample = |k: usize| {
            let x = |i: usize| ((k * 31 + i * 7) as f64).sin();
            let pose = |i: usize| {
                Rigid3::new(
                    Vector3::new(x(i), x(i + 1), x(i + 2)),
                    Vector3::new(x(i + 3), x(i + 4), x(i + 5)),
                )
            };
            let velocity = |i: usize| SVector::from_fn(|j, _| x(i + j));
            ([pose(0), pose(10)], [velocity(20), velocity(30)])
        };
        (1..20).map(sample).collect()
    }

    /// G v against the difference of the values a moment later and earlier.
    #[test]
    fn rates_are_the_derivatives_of_values() {
        let axis = Vector3::new(0.6, 0.0, 0.8);
        let (r1, r2) = (Vector3::new(0.1, 0.4, -0.3), Vector3::new(-0.5, 0.2, 0.7));
        for (poses, v) in samples() {
            // About the axis alone, as on a hinge.
            let spin = poses[0].rotation * axis;
            let mut hinged = v;
            for k in 0..3 {
                hinged[1][3 + k] = hinged[0][3 + k] + 1.3 * spin[k];
            }
            let start = Rigid3::new(Vector3::zeros(), poses[0].rotation.scaled_axis());
            let cases = [
                (
                    Axis3::turn(axis).counted_from([&start, &start]),
                    [
                        poses[0],
                        Rigid3::from_parts(poses[1].translation, poses[0].rotation),
                    ],
                    hinged,
                ),
                (Axis3::travel(r1, r2, axis), poses, v),
                (
                    Axis3::cone(axis).counted_from([&start, &Rigid3::identity()]),
                    poses,
                    v,
                ),
                (
                    Axis3::twist(axis).counted_from([&start, &Rigid3::identity()]),
                    poses,
                    v,
                ),
            ];
            for (axis, poses, v) in cases {
                let at = |h: f64| {
                    let moved = [poses[0].moved(&v[0], h), poses[1].moved(&v[1], h)];
                    axis.measure([&moved[0], &moved[1]])
                };
                let (_, slopes) = at(0.0);
                let rate = slopes[0].dot(&v[0]) + slopes[1].dot(&v[1]);
                let h = 1e-5;
                let difference = (at(h).0 - at(-h).0) / (2.0 * h);
                assert!(
                    (rate - difference).abs() < 1e-7 * (1.0 + rate.abs()),
                    "{axis:?} {rate} {difference}"
                );
            }
        }
    }

    #[test]
    fn rates_in_the_plane_are_the_derivatives_of_values() {
        let along = Vector2::new(0.6, 0.8);
        let axes = [
            Axis2::turn(),
            Axis2::travel(Vector2::new(0.3, -0.2), Vector2::new(0.5, 0.7), along),
        ];
        let poses = [
            Rigid2::new(Vector2::new(0.3, 0.1), 0.4),
            Rigid2::new(Vector2::new(-1.0, 0.6), 1.1),
        ];
        let v = [
            SVector::<f64, 3>::new(0.2, -0.4, 0.9),
            SVector::<f64, 3>::new(0.5, 0.3, -0.6),
        ];
        for axis in axes {
            let at = |h: f64| {
                let moved = [poses[0].moved(&v[0], h), poses[1].moved(&v[1], h)];
                axis.measure([&moved[0], &moved[1]])
            };
            let (_, slopes) = at(0.0);
            let rate = slopes[0].dot(&v[0]) + slopes[1].dot(&v[1]);
            let difference = (at(1e-5).0 - at(-1e-5).0) / 2e-5;
            assert!(
                (rate - difference).abs() < 1e-8,
                "{axis:?} {rate} {difference}"
            );
        }
    }
}
