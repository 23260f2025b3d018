//! A02, N four-bar linkages side by side: N + 1 upright links of 1 m on pins 1 m apart, N couplers on top of them, all
//! uniform rods of 1 kg; the top moves at 1 m/s.
//!
//! One degree of freedom; by energy, that of one link whose angle obeys ½ I θ̇² + G sin θ = E.

use constraint_runtime::nalgebra::Isometry2;
use constraint_runtime::prelude::*;

use crate::EXPONENTS;
use crate::adaptive::{explicitly, implicitly};

/// Couplers.
const N: usize = 4;

system! {
    #[derivatives]
    pub struct FourBars { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    particle top[5]: Point2 { mass: m/3 }
    for i in 1..5 {
        kinetic m/6*(norm_squared(velocity(top[i])) + dot(velocity(top[i]), velocity(top[i-1]))
            + norm_squared(velocity(top[i-1])));
        potential m*g/2*(top[i].y + top[i-1].y);
        constraint coupler[i]: norm_squared(top[i] - top[i-1]) == l^2;
    }
    for i in 0..5 {
        potential m*g/2*top[i].y;
        constraint link[i]: norm_squared(top[i] - [i*l, 0]) == l^2;
    }
}

system! {
    /// The same as bodies on pins.
    #[derivatives]
    pub struct Pinned { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    body link[5]: Rigid2 { mass: m, inertia: m*l^2/12 }
    body coupler[4]: Rigid2 { mass: m, inertia: m*l^2/12 }
    for i in 0..5 { constraint foot[i]: at(link[i], [-l/2, 0]) == [i*l, 0]; }
    for i in 0..4 {
        constraint near[i]: at(coupler[i], [-l/2, 0]) == at(link[i], [l/2, 0]);
        constraint far[i]: at(coupler[i], [l/2, 0]) == at(link[i + 1], [l/2, 0]);
    }
    gravity [0, -g];
}

/// Links upright, with ω = −1, couplers level.
fn pinned() -> State<SVector<f64, 36>, SVector<f64, 27>> {
    let (mut q, mut v) = (PinnedCoordinates::default(), PinnedVelocities::default());
    for i in 0..=N {
        let foot = Vector2::new(i as f64, 0.5);
        q.link[i] = Isometry2::new(foot, std::f64::consts::FRAC_PI_2);
        v.link[i] = Twist2 {
            linear: Vector2::new(0.5, 0.0),
            angular: -1.0,
        };
    }
    for i in 0..N {
        q.coupler[i] = Isometry2::new(Vector2::new(i as f64 + 0.5, 1.0), 0.0);
        v.coupler[i] = Twist2 {
            linear: Vector2::new(1.0, 0.0),
            angular: 0.0,
        };
    }
    State::new(0.0, q, v)
}

fn start() -> State<SVector<f64, 10>> {
    let top = |i: usize| [i as f64, 1.0];
    let q = SVector::from_iterator((0..=N).flat_map(top));
    let v = SVector::from_iterator((0..=N).flat_map(|_| [1.0, 0.0]));
    State::new(0.0, q, v)
}

/// θ̇² at the angle θ: links turn, couplers move along.
fn speed_squared(theta: f64) -> f64 {
    let n = N as f64;
    let inertia = (n + 1.0) / 3.0 + n;
    let weight = 9.81 * ((n + 1.0) / 2.0 + n);
    1.0 + 2.0 * weight * (1.0 - theta.sin()) / inertia
}

#[test]
fn they_fall_like_one_link() {
    let system = FourBars::default();
    let unit = 9.81 * N as f64;
    let ends = [
        explicitly(&system, &start(), (0.6, unit, 300.0), EXPONENTS),
        implicitly(&system, &start(), (0.6, unit, 300.0), EXPONENTS),
    ];
    for (end, k) in ends.iter().flat_map(|ends| ends.iter().zip(EXPONENTS)) {
        let allowed = 1000.0 * 10.0_f64.powi(-k) + 1e-11;
        let theta = end.q[1].atan2(end.q[0]);
        let speed = end.v[0].hypot(end.v[1]);
        let off = (speed * speed - speed_squared(theta)).abs();
        assert!(off < allowed * 10.0, "1e-{k}: {off:e}");
        for i in 1..=N {
            let apart = (end.q[2 * i] - end.q[0] - i as f64).hypot(end.q[2 * i + 1] - end.q[1]);
            assert!(apart < 1e-11, "1e-{k}: {apart:e}");
        }
    }
}

#[test]
fn bodies_fall_like_one_link() {
    let (system, unit) = (Pinned::default(), 9.81 * N as f64);
    let ends = [
        explicitly(&system, &pinned(), (0.6, unit, 300.0), EXPONENTS),
        implicitly(&system, &pinned(), (0.6, unit, 300.0), EXPONENTS),
    ];
    for (end, k) in ends.iter().flat_map(|ends| ends.iter().zip(EXPONENTS)) {
        let allowed = 1e4 * 10.0_f64.powi(-k) + 1e-10;
        let q = PinnedCoordinates::from(end.q);
        let theta = q.link[0].rotation.angle();
        let speed = PinnedVelocities::from(end.v).link[0].angular;
        let off = (speed * speed - speed_squared(theta)).abs();
        assert!(off < allowed, "1e-{k}: {off:e}");
        for i in 1..=N {
            let apart = q.link[i].rotation.angle_to(&q.link[0].rotation).abs();
            assert!(apart < allowed, "1e-{k}: {apart:e}");
        }
    }
}
