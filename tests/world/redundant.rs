//! Joints, motors and brakes that depend on one another, against closed forms.

use std::f64::consts::{FRAC_PI_2, PI};

use constraint_runtime::Motor;
use constraint_runtime::joint::{Ball, Hinge, plane};
use constraint_runtime::prelude::*;

use crate::{DOWN, G};

/// Three bars of mass 1 on four pins: a crank of length 1, a coupler of length 2, a rocker of length 1, on pins 2 apart.
struct Parallelogram {
    world: World2,
    pins: Vec<JointHandle>,
    bars: [BodyHandle; 3],
}

impl Parallelogram {
    /// With the crank at this angle; the motors are those of crank, coupler, coupler and rocker.
    fn new(angle: f64, motors: [Option<Motor<f64>>; 4]) -> Self {
        let mut world = World2::new();
        let base = Rigid2::identity();
        let ground = world.add(Body2::fixed(base)).unwrap();
        let (x, y) = (angle.cos(), angle.sin());
        let mut bar = |length: f64, x: f64, y: f64, angle: f64| {
            let pose = Rigid2::new([x, y].into(), angle);
            let inertia = Inertia2::new(1.0, length * length / 12.0).unwrap();
            (world.add(Body2::new(inertia, pose)).unwrap(), pose)
        };
        let (crank, coupler, rocker) = (
            bar(1.0, 0.5 * x, 0.5 * y, angle),
            bar(2.0, 1.0 + x, y, 0.0),
            bar(1.0, 2.0 + 0.5 * x, 0.5 * y, angle),
        );
        let base = (ground, base);
        let all = [
            (base, crank, [0.0, 0.0]),
            (crank, coupler, [x, y]),
            (rocker, coupler, [2.0 + x, y]),
            (base, rocker, [2.0, 0.0]),
        ];
        let pins = all.into_iter().zip(motors).map(|((a, b, [x, y]), motor)| {
            let pin = plane::Revolute::between(&a.1, &b.1, &Point2::new(x, y));
            match motor {
                Some(motor) => world.connect(pin.with_motor(motor), [a.0, b.0]),
                None => world.connect(pin, [a.0, b.0]),
            }
        });
        Self {
            pins: pins.collect::<Result<_, _>>().unwrap(),
            world,
            bars: [crank.0, coupler.0, rocker.0],
        }
    }

    fn axis(&self, pin: usize) -> constraint_runtime::AxisState {
        self.world.axes(self.pins[pin]).unwrap()[0]
    }

    /// The angle by which crank and rocker differ.
    fn twist(&self) -> f64 {
        let [crank, _, rocker] = self.bars.map(|it| self.world.pose(it).unwrap().rotation);
        crank.rotation_to(&rocker).angle()
    }
}

/// At a constant speed the bars keep their energy, and the motor of the crank gives what the brake of the rocker takes.
#[test]
fn a_motor_drives_a_loop_against_a_brake() {
    for friction in [1e-9, 0.5, 40.0] {
        let motor = Motor::speed(1.0).most(1e4);
        let brake = Motor::friction(friction);
        let mut bars = Parallelogram::new(1.0, [Some(motor), None, None, Some(brake)]);
        let h = 1e-2;
        for _ in 0..200 {
            bars.world.step(h).unwrap();
        }
        let (crank, rocker) = (bars.axis(0), bars.axis(3));
        assert!((crank.rate - 1.0).abs() < 1e-12 && (rocker.rate - 1.0).abs() < 1e-12);
        assert!((rocker.impulse + h * friction).abs() < 1e-14 * friction);
        assert!((crank.impulse - h * friction).abs() < h * h, "{crank:?}");
        assert!(bars.world.drift() < 1e-14);
    }
}

/// Two motors of different speeds: the stronger one prevails, and the other pulls with all it has.
#[test]
fn of_two_motors_that_conflict_the_stronger_one_prevails() {
    let motors = [(1.0, 30.0), (-2.0, 20.0)].map(|(speed, most)| Motor::speed(speed).most(most));
    let mut bars = Parallelogram::new(1.0, [Some(motors[0]), None, None, Some(motors[1])]);
    bars.world.run_until(1.0, 1e-2).unwrap();
    let (crank, rocker) = (bars.axis(0), bars.axis(3));
    assert!((crank.rate - 1.0).abs() < 1e-12, "{crank:?}");
    assert!((rocker.impulse + 0.2).abs() < 1e-12, "{rocker:?}");
}

/// The weight turns the crank with 2 g cos φ: by virtual work, four brakes hold it if their sum is larger.
#[test]
fn brakes_at_all_pins_of_a_loop_hold_with_their_sum() {
    let turn = 2.0 * G * 1.0_f64.cos();
    for (part, holds) in [(4.0, true), (1.001, true), (0.999, false)] {
        let most = part * turn / 4.0;
        let mut bars = Parallelogram::new(1.0, [Some(Motor::friction(most)); 4]);
        bars.world.set_gravity([0.0, -G]).unwrap();
        let h = 1e-2;
        bars.world.run_until(1.0, h).unwrap();
        let all = [0, 1, 2, 3].map(|pin| bars.axis(pin));
        assert_eq!(all.iter().all(|it| it.rate.abs() < 1e-12), holds, "{all:?}");
        assert!(
            all.iter()
                .all(|it| it.impulse.abs() <= h * most * (1.0 + 1e-12))
        );
        if holds {
            // When the crank turns by 1, the angles of the pins change by 1, −1, −1 and 1.
            let [a, b, c, d] = all.map(|it| it.impulse);
            assert!((a - b - c + d - h * turn).abs() < 1e-12, "{all:?}");
        }
    }
}

/// All bars lie in line at a step, in half a step, and never at a step.
#[test]
fn a_linkage_passes_its_change_point() {
    for (angle, h) in [
        (FRAC_PI_2, 1e-2),
        (FRAC_PI_2 + 0.005 * FRAC_PI_2, 1e-2),
        (1.0, 3e-3),
    ] {
        let motor = Motor::speed(FRAC_PI_2).most(1e4);
        let mut bars = Parallelogram::new(angle, [Some(motor), None, None, None]);
        for _ in 0..(3.0 / h) as usize {
            bars.world.step(h).unwrap();
            assert!(
                bars.twist().abs() < 1e-4 * h.sqrt(),
                "{angle} {h}: {}",
                bars.twist()
            );
        }
        assert!(bars.twist().abs() < 1e-10, "{}", bars.twist());
        assert!(bars.world.drift() < 1e-14);
    }
}

/// 4 K(sin²(A/2))/ω₀ by the arithmetic–geometric mean.
fn period(amplitude: f64, omega: f64) -> f64 {
    let (mut a, mut b) = (1.0, (amplitude / 2.0).cos());
    for _ in 0..8 {
        (a, b) = ((a + b) / 2.0, f64::sqrt(a * b));
    }
    2.0 * PI / (omega * a)
}

/// A coupler of mass 3 on two cranks of mass 1 and length 1 is a pendulum: I = 2 (0.1 + 0.25) + 3, m g l = g (1 + 3).
#[test]
fn a_four_bar_in_space_on_four_hinges_swings_like_a_pendulum() {
    let amplitude = 0.7_f64;
    let (x, z) = (amplitude.sin(), -amplitude.cos());
    let mut world = World3::new().with_gravity(DOWN);
    let base = Rigid3::identity();
    let ground = world.add(Body3::fixed(base)).unwrap();
    let mut bar = |mass: f64, x: f64, z: f64| {
        let pose = Rigid3::translation(x, 0.0, z);
        let inertia = Inertia3::principal(mass, [0.1; 3]).unwrap();
        (world.add(Body3::new(inertia, pose)).unwrap(), pose)
    };
    let left = bar(1.0, 0.5 * x, 0.5 * z);
    let coupler = bar(3.0, 1.0 + x, z);
    let right = bar(1.0, 2.0 + 0.5 * x, 0.5 * z);
    let base = (ground, base);
    let all = [
        (base, left, [0.0, 0.0]),
        (left, coupler, [x, z]),
        (right, coupler, [2.0 + x, z]),
        (base, right, [2.0, 0.0]),
    ];
    let joints = all.map(|(a, b, [x, z])| {
        let pin = Hinge::between(&a.1, &b.1, &Point3::new(x, 0.0, z), &Vector3::y_axis());
        world.connect(pin, [a.0, b.0]).unwrap()
    });
    let redundant = world.redundancies().unwrap();
    assert_eq!(redundant.len(), 3);
    for it in &redundant {
        assert!(it.row.joint.is_some() && it.joints == joints, "{it:?}");
    }
    let omega = (4.0_f64 * G / 3.7).sqrt();
    let half = period(amplitude, omega) / 2.0;
    world.run_until(half, 1e-3).unwrap();
    let swung = world.pose(coupler.0).unwrap().translation;
    assert!(
        (swung.x - (1.0 - x)).abs() < 1e-6 && (swung.z - z).abs() < 1e-6,
        "{swung}"
    );
    assert!(world.drift() < 1e-14);
    // In the plane of the motion it is symmetric, and nothing acts across it.
    let impulses = joints.map(|it| world.impulse(it).unwrap().to_vec());
    for impulse in &impulses {
        assert!(impulse[1].abs().max(impulse[3].abs()).max(impulse[4].abs()) < 1e-14);
    }
}

/// A hinge holds all that a ball at its axis does: three rows are redundant, and in each direction two rows share a force.
#[test]
fn a_hinge_beside_a_ball_swings_like_the_hinge_alone() {
    let build = |balls: &[f64]| {
        let mut world = World3::new().with_gravity(DOWN);
        let (wall, place) = (Rigid3::identity(), Rigid3::translation(1.0, 0.0, 0.0));
        let ground = world.add(Body3::fixed(wall)).unwrap();
        let door = Body3::new(Inertia3::principal(2.0, [0.1; 3]).unwrap(), place);
        let door = world.add(door).unwrap();
        let hinge = Hinge::between(&wall, &place, &Point3::origin(), &Vector3::y_axis());
        world.connect(hinge, [ground, door]).unwrap();
        for &y in balls {
            let ball = Ball::between(&wall, &place, &Point3::new(0.0, y, 0.0));
            world.connect(ball, [ground, door]).unwrap();
        }
        assert_eq!(world.redundancies().unwrap().len(), 3 * balls.len());
        world.run_until(1.0, 1e-3).unwrap();
        assert!(world.drift() < 1e-14);
        *world.pose(door).unwrap()
    };
    let alone = build(&[]);
    for balls in [&[0.0][..], &[1.0], &[0.5, -0.5, 2.0]] {
        let pose = build(balls);
        assert!((pose.translation.vector - alone.translation.vector).norm() < 1e-10);
    }
}

/// What is truly singular is named with its joint, and not by an attribute of another kind of system.
#[test]
fn a_joint_that_moves_nothing_is_named() {
    let mut world = World3::<f64>::new();
    let [a, b] = [0, 1].map(|_| world.add(Body3::fixed(Rigid3::identity())).unwrap());
    let ball = Ball {
        r1: Vector3::zeros(),
        r2: Vector3::zeros(),
    };
    world.connect(ball, [a, b]).unwrap();
    for refused in [
        world.step(1e-3).unwrap_err(),
        world.redundancies().unwrap_err(),
    ] {
        let text = refused.to_string();
        let named = "joint 0 (Ball between fixed bodies 0 and 1) is singular at t = 0: pivot 0 of J W Jᵀ; it moves nothing";
        assert!(text.starts_with(named), "{text}");
        assert!(!text.contains("system!"), "{text}");
    }
}
