//! Limits and motors against closed forms, by both solvers and both methods.

use constraint_runtime::joint::*;
use constraint_runtime::prelude::*;
use constraint_runtime::{AxisState, Limits, Motor, WorldMethod};

use super::{DOWN, G};

const MASS: f64 = 2.0;
const ARM: f64 = 0.5;
const MOMENT: f64 = 0.3;
/// About the pin.
const WHOLE: f64 = MOMENT + MASS * ARM * ARM;

/// How a world steps: the method of second order, that of first order, and that with sweeps.
const STEPPINGS: [fn(World3) -> World3; 3] = [
    |world| world,
    |world| world.with_method(WorldMethod::SemiImplicitEuler),
    |world| world.with_solver(SequentialImpulses::new(40)),
];

/// A level rod on a hinge at its end; y points back, so that it falls in the positive sense.
fn rod(
    gravity: [f64; 3],
    driven: impl FnOnce(Hinge<f64>) -> Driven3<Hinge<f64>>,
) -> (World3, JointHandle) {
    let mut world = World3::new().with_gravity(gravity);
    let (wall, place) = (Rigid3::identity(), Rigid3::translation(ARM, 0.0, 0.0));
    let ground = world.add(Body3::fixed(wall)).unwrap();
    let inertia = Inertia3::principal(MASS, [0.1, MOMENT, 0.35]).unwrap();
    let rod = world.add(Body3::new(inertia, place)).unwrap();
    let pin = Hinge::between(&wall, &place, &Point3::origin(), &Vector3::y_axis());
    let joint = world.connect(driven(pin), [ground, rod]).unwrap();
    (world, joint)
}

fn axis(world: &World3, joint: JointHandle) -> AxisState {
    world.axes(joint).unwrap()[0]
}

// ---- motors -------------------------------------------------------------------------------------

/// Its speed grows by τ h/I a step until it is reached, after I ω/τ.
#[test]
fn a_motor_of_bounded_torque_reaches_its_speed_in_its_time() {
    let (torque, speed, h) = (4.0, 2.0, 1e-3);
    let time = WHOLE * speed / torque;
    // The method of second order keeps the angular momentum about the pin exactly.
    for (stepping, near) in STEPPINGS.into_iter().zip([1e-9, 1e-3, 1e-3]) {
        let motor = |pin: Hinge<f64>| pin.with_motor(Motor::speed(speed).most(torque));
        let (world, joint) = rod([0.0; 3], motor);
        let mut world = stepping(world);
        for part in [0.25, 0.5, 0.9] {
            world.run_until(part * time, h).unwrap();
            let AxisState { rate, impulse, .. } = axis(&world, joint);
            let expected = torque * world.time() / WHOLE;
            assert!((rate - expected).abs() < near, "{rate} {expected}");
            assert!(impulse <= torque * h * (1.0 + 1e-12), "{impulse}");
        }
        world.run_until(time + 0.01, h).unwrap();
        assert!((axis(&world, joint).rate - speed).abs() < near);
        world.step(h).unwrap();
        // Nothing is left to do but to bend the path, of order h².
        let rest = axis(&world, joint).impulse;
        assert!(rest.abs() < 1e-3 * torque * h, "{rest}");
        // Work of a constant torque over the angle: ω²I/2.
        assert!((world.energy() - 0.5 * WHOLE * speed * speed).abs() < 10.0 * near);
    }
}

/// k φ = m g r cos φ at rest, with φ counted downwards from the level.
#[test]
fn a_motor_that_holds_a_place_is_a_spring_at_rest() {
    for stepping in STEPPINGS {
        let motor = |pin: Hinge<f64>| pin.with_motor(Motor::position(0.0, 60.0, 8.0).most(1e3));
        let (world, joint) = rod(DOWN, motor);
        let mut world = stepping(world);
        world.run_until(4.0, 5e-3).unwrap();
        let AxisState { value, rate, .. } = axis(&world, joint);
        let balance = 60.0 * value - MASS * G * ARM * value.cos();
        assert!(
            balance.abs() < 1e-6 && rate.abs() < 0.03,
            "{balance} {rate}"
        );
    }
}

/// Dry friction of a torque above m g r holds, below it lets slip.
#[test]
fn dry_friction_sticks_and_slips() {
    let weight = MASS * G * ARM;
    for stepping in STEPPINGS {
        let (world, joint) = rod(DOWN, |pin| pin.with_motor(Motor::friction(1.01 * weight)));
        let mut world = stepping(world);
        world.run_until(0.5, 1e-3).unwrap();
        let stuck = axis(&world, joint);
        assert!(
            stuck.value.abs() < 1e-12 && stuck.rate.abs() < 1e-12,
            "{stuck:?}"
        );
        assert!((stuck.impulse - -weight * 1e-3).abs() < 1e-9, "{stuck:?}");
        let (world, joint) = rod(DOWN, |pin| pin.with_motor(Motor::friction(0.5 * weight)));
        let mut world = stepping(world);
        world.step(1e-3).unwrap();
        let slips = axis(&world, joint).rate;
        assert!(
            (slips - 0.5 * weight * 1e-3 / WHOLE).abs() < 1e-8,
            "{slips}"
        );
    }
}

// ---- limits -------------------------------------------------------------------------------------

/// A pendulum falls onto a stop at the angle φ: it arrives with √(2 m g r sin φ/I) and rebounds with e times that.
#[test]
fn a_pendulum_rebounds_from_a_stop_as_newton_says() {
    let (stop, e) = (0.6_f64, 0.5);
    let arrival = (2.0 * MASS * G * ARM * stop.sin() / WHOLE).sqrt();
    for (stepping, allowed) in STEPPINGS.into_iter().zip([1e-2, 2e-2, 2e-2]) {
        let limits = Limits::new(-1.0..=stop).with_restitution(e);
        let (world, joint) = rod(DOWN, |pin| pin.with_limits(limits));
        let mut world = stepping(world);
        let (mut fastest, mut back, mut highest) = (0.0_f64, 0.0_f64, f64::INFINITY);
        while world.time() < 0.7 {
            world.step(1e-3).unwrap();
            let AxisState { value, rate, .. } = axis(&world, joint);
            assert!(value < stop + 1e-4, "{value}");
            fastest = fastest.max(rate);
            if back == 0.0 && rate < 0.0 {
                back = rate;
            }
            if back != 0.0 {
                highest = highest.min(value);
            }
        }
        assert!(
            (fastest / arrival - 1.0).abs() < allowed,
            "{fastest} {arrival}"
        );
        assert!(
            (back / (-e * arrival) - 1.0).abs() < allowed,
            "{back} {arrival}"
        );
        // It rises until its energy is used up: sin φ − sin φ' = e² sin φ.
        let expected = ((1.0 - e * e) * stop.sin()).asin();
        assert!((highest - expected).abs() < 5e-3, "{highest} {expected}");
    }
}

/// At rest on the stop: no drift, and the impulse is that of the weight's torque.
#[test]
fn a_stop_carries_the_weight() {
    let stop = 0.4_f64;
    for stepping in STEPPINGS {
        let (world, joint) = rod(DOWN, |pin| pin.with_limits(-1.0..=stop));
        let mut world = stepping(world);
        world.run_until(0.8, 1e-3).unwrap();
        let AxisState {
            value,
            rate,
            impulse,
        } = axis(&world, joint);
        assert!(
            (value - stop).abs() < 1e-6 && rate.abs() < 1e-6,
            "{value} {rate}"
        );
        let weight = -MASS * G * ARM * stop.cos() * 1e-3;
        assert!((impulse / weight - 1.0).abs() < 1e-3, "{impulse} {weight}");
        assert!(world.drift() < if impulse == 0.0 { 0.0 } else { 1e-5 });
    }
}

/// Limits that nothing reaches change nothing of the motion beyond rounding.
#[test]
fn a_limit_out_of_reach_does_nothing() {
    for stepping in STEPPINGS {
        let (bounded, _) = rod(DOWN, |pin| pin.with_limits(-3.0..=3.1));
        let (free, _) = rod(DOWN, |pin| pin.with_motor(Motor::friction(1e-300)));
        let [mut bounded, mut free] = [bounded, free].map(stepping);
        bounded.run_until(0.2, 1e-3).unwrap();
        free.run_until(0.2, 1e-3).unwrap();
        let [bounded, free] = [bounded, free].map(|world| {
            let rod = world.bodies().nth(1).unwrap();
            *world.pose(rod).unwrap()
        });
        assert!((bounded.translation.vector - free.translation.vector).norm() < 1e-10);
    }
}

/// A chain whose elbows have limits on both sides, and motors: many rows at once, by all solvers alike.
#[test]
fn the_solvers_agree_on_a_chain_of_limits_and_motors() {
    let build = || {
        let mut world = World3::new().with_gravity(DOWN);
        let mut last = world.add(Body3::fixed(Rigid3::identity())).unwrap();
        let mut place = Rigid3::identity();
        let mut joints = Vec::new();
        for k in 0..5 {
            let next = Rigid3::translation(f64::from(k) + 0.5, 0.0, 0.0);
            let inertia = Inertia3::principal(1.0, [0.02, 0.1, 0.1]).unwrap();
            let body = world.add(Body3::new(inertia, next)).unwrap();
            let at = Point3::new(f64::from(k), 0.0, 0.0);
            let pin = Hinge::between(&place, &next, &at, &Vector3::y_axis());
            let pin = pin.with_limits(-0.03..=0.03);
            let pin = if k % 3 == 0 {
                pin.with_motor(Motor::friction(3.0))
            } else {
                pin
            };
            joints.push(world.connect(pin, [last, body]).unwrap());
            (last, place) = (body, next);
        }
        (world, joints)
    };
    let run = |stepping: fn(World3) -> World3| {
        let (world, joints) = build();
        let mut world = stepping(world);
        world.run_until(0.12, 1e-3).unwrap();
        let values: Vec<f64> = joints.iter().map(|&it| axis(&world, it).value).collect();
        for joint in joints {
            world.set_limits(joint, 0, None).unwrap();
        }
        world.step(1e-3).unwrap(); // stops that push disappear
        values
    };
    let exact = run(|world| world.with_method(WorldMethod::SemiImplicitEuler));
    let swept = run(|world| world.with_solver(SequentialImpulses::new(100).with_projections(10)));
    let second = run(|world| world);
    assert!(
        exact.iter().any(|it| it.abs() > 0.0299),
        "no limit is reached: {exact:?}"
    );
    for ((exact, swept), second) in exact.iter().zip(&swept).zip(&second) {
        assert!(exact.abs() < 0.0302, "{exact}");
        assert!((exact - swept).abs() < 1e-5, "{exact} {swept}");
        assert!((exact - second).abs() < 2e-3, "{exact} {second}");
    }
}

// ---- other joints -------------------------------------------------------------------------------

#[test]
fn a_slider_stops_at_the_end_of_its_travel() {
    let mut world = World3::new().with_gravity(DOWN);
    let (rail, place) = (Rigid3::identity(), Rigid3::translation(0.0, 0.0, -0.1));
    let ground = world.add(Body3::fixed(rail)).unwrap();
    let inertia = Inertia3::principal(3.0, [0.1; 3]).unwrap();
    let lift = world.add(Body3::new(inertia, place)).unwrap();
    let slide = Prismatic::between(&rail, &place, &Point3::origin(), &Vector3::z_axis());
    let slide = world
        .connect(slide.with_limits(-0.5..=0.2), [ground, lift])
        .unwrap();
    world.run_until(1.0, 1e-3).unwrap();
    assert!((axis(&world, slide).value + 0.5).abs() < 1e-6);
    // A motor of twice the weight: it rises with g until the upper stop.
    world
        .set_motor(slide, 0, Motor::speed(100.0).most(2.0 * 3.0 * G))
        .unwrap();
    world.run_until(1.2, 1e-3).unwrap();
    let risen = axis(&world, slide);
    assert!((risen.rate - 0.2 * G).abs() < 2e-2 && (risen.value + 0.5 - 0.02 * G).abs() < 5e-3);
    world.run_until(2.0, 1e-3).unwrap();
    assert!((axis(&world, slide).value - 0.2).abs() < 1e-6);
    assert!(world.drift() < 1e-12);
}

#[test]
fn cylinders_have_two_coordinates_and_balls_cone_and_twist() {
    let mut world = World3::new().with_gravity(DOWN);
    let (wall, place) = (Rigid3::identity(), Rigid3::translation(0.0, 0.0, 0.3));
    let ground = world.add(Body3::fixed(wall)).unwrap();
    let inertia = Inertia3::principal(1.0, [0.1; 3]).unwrap();
    let nut = world
        .add(Body3::new(inertia, place).moving([0.0, 0.0, 0.0, 0.0, 0.0, 2.0]))
        .unwrap();
    let thread = Cylindrical::between(&wall, &place, &Point3::origin(), &Vector3::z_axis());
    let thread = thread
        .travel()
        .with_limits(-0.25..=1.0)
        .turn()
        .with_limits(-1.0..=0.7);
    let thread = world.connect(thread, [ground, nut]).unwrap();
    world.run_until(1.0, 1e-3).unwrap();
    let [travel, turn] = world.axes(thread).unwrap()[..] else {
        panic!("two coordinates")
    };
    assert!((travel.value + 0.25).abs() < 1e-6 && (turn.value - 0.7).abs() < 1e-6);

    // A thigh: 0.5 rad to any side, 0.2 rad about its own axis.
    let hip = Rigid3::translation(1.0, 0.0, 0.0);
    let leg = Body3::new(
        Inertia3::principal(5.0, [0.1, 0.1, 0.02]).unwrap(),
        Rigid3::translation(1.0, 0.0, 0.4),
    );
    let leg = world
        .add(leg.moving([0.0, 0.0, 0.0, 0.3, 0.2, 4.0]))
        .unwrap();
    let anchor = world.add(Body3::fixed(hip)).unwrap();
    let ball = Ball::between(
        &hip,
        &Rigid3::translation(1.0, 0.0, 0.4),
        &Point3::new(1.0, 0.0, 0.0),
    );
    let ball = ball
        .with_cone(&Vector3::z_axis(), 0.5)
        .with_twist(&Vector3::z_axis(), -0.2..=0.2);
    let ball = world.connect(ball, [anchor, leg]).unwrap();
    for _ in 0..2_000 {
        world.step(1e-3).unwrap();
        let [tilt, twist] = world.axes(ball).unwrap()[..] else {
            panic!("two coordinates")
        };
        assert!(
            tilt.value < 0.5 + 1e-3 && twist.value.abs() < 0.2 + 1e-3,
            "{tilt:?} {twist:?}"
        );
    }
    // It leans on the cone, and the tilt by hand agrees.
    let up = world.pose(leg).unwrap().rotation * Vector3::z();
    let tilt = world.axes(ball).unwrap()[0].value;
    assert!(
        (up.z.acos() - tilt).abs() < 1e-9 && (tilt - 0.5).abs() < 1e-2,
        "{tilt}"
    );
}

#[test]
fn a_gear_train_in_the_plane_is_driven_by_a_motor() {
    let mut world = World2::<f64>::new();
    let (a, b) = (Rigid2::identity(), Rigid2::translation(1.5, 0.0));
    let base = world.add(Body2::fixed(a)).unwrap();
    let wheels = [(a, 0.2), (b, 0.8)].map(|(place, moment)| {
        let wheel = Body2::new(Inertia2::new(1.0, moment).unwrap(), place);
        world.add(wheel).unwrap()
    });
    let axle = plane::Revolute::between(&a, &a, &Point2::origin());
    let axle = axle.with_motor(Motor::speed(10.0).most(3.0));
    let axle = world.connect(axle, [base, wheels[0]]).unwrap();
    let other = plane::Revolute::between(&a, &b, &Point2::new(1.5, 0.0));
    world.connect(other, [base, wheels[1]]).unwrap();
    let gear = plane::Gear {
        radius1: 0.5,
        radius2: 1.0,
    };
    world.connect(gear, wheels).unwrap();
    // ω₂ = −ω₁/2: the motor feels 0.2 + 0.8/4.
    world.run_until(0.5, 1e-3).unwrap();
    let rate = world.axes(axle).unwrap()[0].rate;
    assert!((rate - 3.0 * 0.5 / 0.4).abs() < 1e-9, "{rate}");
    assert!((world.velocity(wheels[1]).unwrap()[2] + 0.5 * rate).abs() < 1e-9);
}

/// Several turns: angles are those of the branch in which the limits lie.
#[test]
fn an_angle_passes_half_a_turn() {
    let (mut world, joint) = rod([0.0; 3], |pin| {
        pin.with_limits(-0.5..=4.5)
            .with_motor(Motor::speed(3.0).most(50.0))
    });
    world.run_until(1.2, 1e-3).unwrap();
    assert!((axis(&world, joint).value - 3.6).abs() < 0.1);
    world.run_until(3.0, 1e-3).unwrap();
    assert!((axis(&world, joint).value - 4.5).abs() < 1e-6);
}

// ---- change and bad input -----------------------------------------------------------------------

#[test]
fn drives_leave_with_their_joints_and_rest_while_these_are_suspended() {
    let (mut world, joint) = rod(DOWN, |pin| pin.with_motor(Motor::friction(100.0)));
    world.run_until(0.1, 1e-3).unwrap();
    world.set_motor(joint, 0, None).unwrap();
    world.step(1e-3).unwrap();
    assert!(axis(&world, joint).rate > 1e-3);
    world.set_limits(joint, 0, Limits::new(-0.1..=0.1)).unwrap();
    world.run_until(1.0, 1e-3).unwrap();
    assert!((axis(&world, joint).value - 0.1).abs() < 1e-6);
    world.set_limits(joint, 0, None).unwrap();
    world.step(1e-3).unwrap();
    assert!(axis(&world, joint).rate > 1e-3, "it falls from the stop");
    world.set_limits(joint, 0, Limits::new(-0.1..=0.2)).unwrap();
    world.run_until(2.0, 1e-3).unwrap();
    world.set_enabled(joint, false).unwrap();
    world.run_until(2.1, 1e-3).unwrap();
    let rod = world.bodies().nth(1).unwrap();
    assert!(
        (world.velocity(rod).unwrap()[2] + 0.1 * G).abs() < 0.02,
        "it falls freely"
    );
    world.disconnect(joint).unwrap();
    assert!(world.axes(joint).is_err());
    world.step(1e-3).unwrap();
}

#[test]
fn a_world_with_drives_resumes_to_the_last_bit() {
    for stepping in STEPPINGS {
        let build = || {
            let limits = Limits::new(-0.2..=0.3).with_restitution(0.6);
            let (world, joint) = rod(DOWN, |pin| {
                pin.with_limits(limits).with_motor(Motor::friction(0.5))
            });
            (stepping(world), joint)
        };
        let (mut world, joint) = build();
        world.run_until(0.4, 1e-3).unwrap();
        let (mut resumed, same) = build();
        resumed.resume(&world.checkpoint()).unwrap();
        for _ in 0..100 {
            world.step(1e-3).unwrap();
            resumed.step(1e-3).unwrap();
            assert_eq!(world.axes(joint), resumed.axes(same));
        }
    }
}

#[test]
fn limits_and_motors_that_cannot_be_are_refused() {
    let (mut world, joint) = rod(DOWN, |pin| pin.with_motor(Motor::friction(1.0)));
    let bodies: Vec<BodyHandle> = world.bodies().collect();
    let poses = [0, 1].map(|k| *world.pose(bodies[k]).unwrap());
    let hinge = || Hinge::between(&poses[0], &poses[1], &Point3::origin(), &Vector3::y_axis());
    let before = world.checkpoint();
    let mut refused = |joint: Driven3<Hinge<f64>>| {
        let error = world.connect(joint, [bodies[0], bodies[1]]).unwrap_err();
        assert_eq!(world.joints().count(), 1);
        error
    };
    for (low, high) in [(1.0, -1.0), (0.5, 0.5), (f64::NAN, 1.0), (-4.0, 4.0)] {
        let error = refused(hinge().with_limits(low..=high));
        assert!(matches!(error, Error::InvalidLimits { .. }), "{error}");
    }
    let bouncy = Limits::new(-1.0..=1.0).with_restitution(1.5);
    assert_eq!(
        refused(hinge().with_limits(bouncy)),
        Error::InvalidRestitution { restitution: 1.5 }
    );
    assert_eq!(
        refused(hinge().with_motor(Motor::speed(1.0))),
        Error::InvalidMotor {
            most: f64::INFINITY
        }
    );
    for most in [0.0, -1.0, f64::INFINITY] {
        let error = refused(hinge().with_motor(Motor::speed(1.0).most(most)));
        assert_eq!(error, Error::InvalidMotor { most });
    }
    let error = refused(hinge().with_motor(Motor::speed(f64::NAN).most(1.0)));
    assert!(
        error.to_string().starts_with("parameter `speed` is NaN"),
        "{error}"
    );
    let error = refused(hinge().with_motor(Motor::position(0.0, -1.0, 0.0).most(1.0)));
    assert!(matches!(error, Error::InvalidSoftness { .. }), "{error}");
    assert_eq!(world.checkpoint(), before);
    assert_eq!(
        world.set_motor(joint, 1, None),
        Err(Error::NoAxis { joint: 0, axis: 1 })
    );
    assert!(world.set_motor(joint, 0, Motor::speed(1.0)).is_err());

    // Outside of the limits from the start, and under an integrator.
    world.set_limits(joint, 0, Limits::new(1.0..=2.0)).unwrap();
    let error = world.step(1e-3).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("joint 0 is at 0, outside of its limits from 1 to 2"),
        "{error}"
    );
    assert_eq!(world.checkpoint(), before);
    let start = world.state();
    let refused = Simulation::new(world, start, Rk4::new(1e-3)).and_then(|mut run| run.step());
    assert!(matches!(refused, Err(Error::OwnStepsOnly)), "{refused:?}");
}
