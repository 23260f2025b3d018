//! Contacts that are statically indeterminate, against closed forms.

use constraint_runtime::joint::Hinge;
use constraint_runtime::prelude::*;
use constraint_runtime::{Contact3, Motor};

use crate::{DOWN, G};

const RADIUS: f64 = 0.3;
const HALF_BASE: f64 = 1.0;
const HALF_TRACK: f64 = 0.6;
/// Chassis and wheels, and the moment of a wheel about its axle.
const MASSES: [f64; 2] = [100.0, 5.0];
const SPIN: f64 = 0.225;

/// A car without suspension; `driven` wheels have a motor of this torque. Front left, front right, rear left, rear right.
fn car(driven: [bool; 4], torque: f64) -> (World3, BodyHandle) {
    let mut world = World3::new().with_gravity(DOWN);
    let floor = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let place = Rigid3::translation(0.0, 0.0, 0.5);
    let inertia = Inertia3::principal(MASSES[0], [10.0, 20.0, 25.0]).unwrap();
    let chassis = world.add(Body3::new(inertia, place)).unwrap();
    let mut wheels = Vec::new();
    for (wheel, is_driven) in driven.into_iter().enumerate() {
        let x = if wheel < 2 { HALF_BASE } else { -HALF_BASE };
        let y = if wheel % 2 == 0 {
            HALF_TRACK
        } else {
            -HALF_TRACK
        };
        let pose = Rigid3::translation(x, y, RADIUS);
        let inertia = Inertia3::principal(MASSES[1], [0.12, SPIN, 0.12]).unwrap();
        let body = world.add(Body3::new(inertia, pose)).unwrap();
        let axle = Hinge::between(
            &place,
            &pose,
            &Point3::new(x, y, RADIUS),
            &Vector3::y_axis(),
        );
        if is_driven {
            let motor = Motor::speed(1e3).most(torque);
            world
                .connect(axle.with_motor(motor), [chassis, body])
                .unwrap();
        } else {
            world.connect(axle, [chassis, body]).unwrap();
        }
        wheels.push(body);
    }
    let world = world.with_contacts(move |world, found| {
        for &wheel in &wheels {
            let Ok(pose) = world.pose(wheel) else { return };
            let [x, y, z] = pose.translation.vector.into();
            let contact = Contact3::new([floor, wheel], [x, y, 0.0], [0.0, 0.0, 1.0], z - RADIUS);
            found.push(contact.with_friction(0.8));
        }
    });
    (world, chassis)
}

/// F r = τ − I α at each driven wheel, F r = I α at the others: a = n τ/r / (m + 4 I/r²) at any step.
///
/// Moments about the middle of the floor: the load moves backwards by (m_c z_c + 4 m_w r) a/(2 · base) and by the spin of the wheels,
/// and left and right carry the same.
#[test]
fn a_car_without_suspension_accelerates_alike_at_all_steps() {
    let (torque, [body, wheel]) = (40.0, MASSES);
    let mass = body + 4.0 * wheel;
    let a = 2.0 * torque / RADIUS / (mass + 4.0 * SPIN / (RADIUS * RADIUS));
    let moment = (body * 0.5 + 4.0 * wheel * RADIUS) * a + 4.0 * SPIN * a / RADIUS;
    let shift = moment / (4.0 * HALF_BASE);
    for per_second in [60.0, 120.0, 240.0, 960.0] {
        let (mut world, chassis) = car([false, false, true, true], torque);
        let h = 1.0 / per_second;
        for _ in 0..60 {
            world.step(h).unwrap();
        }
        let speed = world.velocity(chassis).unwrap()[0];
        assert!(
            (speed - 60.0 * h * a).abs() < 1e-9 * a,
            "1/{per_second}: {speed}"
        );
        let loads: Vec<f64> = world.contacts().map(|it| it.impulse / h).collect();
        let expected = [-1.0, -1.0, 1.0, 1.0].map(|side| mass * G / 4.0 + side * shift);
        for (load, expected) in loads.iter().zip(expected) {
            assert!(
                (load - expected).abs() < 1e-7 * mass * G,
                "{loads:?}, {expected}"
            );
        }
    }
}

/// One driven wheel carries its part of the load, and does not slip: the same law with one motor.
#[test]
fn a_single_driven_wheel_keeps_its_grip() {
    let torque = 40.0;
    let mass = MASSES[0] + 4.0 * MASSES[1];
    let a = torque / RADIUS / (mass + 4.0 * SPIN / (RADIUS * RADIUS));
    for per_second in [60.0, 240.0, 960.0] {
        let (mut world, chassis) = car([false, false, true, false], torque);
        world.run_until(1.0, 1.0 / per_second).unwrap();
        let speed = world.velocity(chassis).unwrap()[0];
        assert!(
            (speed - a).abs() < 1e-6 * a,
            "1/{per_second}: {speed}, not {a}"
        );
    }
}

/// A plate on four legs of one body: each carries a quarter, wherever the sweeps begin; on five with one in the middle, a fifth.
#[test]
fn the_legs_of_a_table_share_its_weight() {
    let corners = [
        [1.0, 1.0],
        [1.0, -1.0],
        [-1.0, 1.0],
        [-1.0, -1.0],
        [0.0, 0.0],
    ];
    for legs in [4, 5] {
        for friction in [0.0, 0.5] {
            let mut world = World3::new().with_gravity(DOWN);
            let floor = world.add(Body3::fixed(Rigid3::identity())).unwrap();
            let table = Inertia3::principal(8.0, [1.0, 1.0, 2.0]).unwrap();
            let place = Rigid3::translation(0.0, 0.0, 1.0);
            let table = world.add(Body3::new(table, place)).unwrap();
            let mut world = world.with_contacts(move |world, found| {
                let Ok(pose) = world.pose(table) else { return };
                for (feature, [x, y]) in corners.into_iter().take(legs).enumerate() {
                    let at = pose * Point3::new(x, y, -1.0);
                    let contact = Contact3::new([floor, table], at.coords, [0.0, 0.0, 1.0], at.z);
                    found.push(contact.with_friction(friction).with_feature(feature as u64));
                }
            });
            let h = 1e-2;
            world.run_until(0.5, h).unwrap();
            let loads: Vec<f64> = world.contacts().map(|it| it.impulse / h).collect();
            assert_eq!(loads.len(), legs);
            for load in &loads {
                assert!((load - 8.0 * G / legs as f64).abs() < 1e-8, "{loads:?}");
            }
        }
    }
}
