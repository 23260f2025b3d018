//! The step of second order: what it keeps, and how fast its errors vanish.

use constraint_runtime::WorldMethod;
use constraint_runtime::joint::*;
use constraint_runtime::prelude::*;

use super::simulation::ragdoll;
use super::{DOWN, G, ball_of_mass};

/// Two links that swing in space, from a wall: no motion in a plane, and moments that all differ.
fn links() -> (World3, [BodyHandle; 2]) {
    let mut world = World3::new().with_gravity(DOWN);
    let (wall, upper, lower) = (
        Rigid3::identity(),
        Rigid3::new(Vector3::new(0.5, 0.0, 0.0), Vector3::new(0.0, 0.3, 0.0)),
        Rigid3::translation(1.0, 0.4, -0.1),
    );
    let ground = world.add(Body3::fixed(wall)).unwrap();
    let upper_link = world.add(Body3::new(ball_of_mass(1.0), upper)).unwrap();
    let lower_link = world.add(Body3::new(ball_of_mass(2.0), lower)).unwrap();
    let pin = Ball::between(&wall, &upper, &Point3::origin());
    world.connect(pin, [ground, upper_link]).unwrap();
    let elbow = Point3::new(1.0, 0.1, -0.2);
    let elbow = Hinge::between(&upper, &lower, &elbow, &Vector3::z_axis());
    world.connect(elbow, [upper_link, lower_link]).unwrap();
    (world, [upper_link, lower_link])
}

#[test]
fn a_ragdoll_keeps_its_energy() {
    let mut world = ragdoll().unwrap();
    let first = world.energy();
    for tenth in 1..=20 {
        world.run_until(f64::from(tenth) * 0.1, 1e-3).unwrap();
        assert!((world.energy() - first).abs() < 0.02, "{}", world.energy());
        assert!(world.drift() < 1e-14 && world.rate_drift() < 1e-13);
    }
}

/// With a half and a quarter of the step the error is a quarter and a sixteenth, and the energy comes back.
#[test]
fn the_step_is_of_second_order_and_energy_has_no_trend() {
    let end = |h: f64| {
        let (mut world, [_, tip]) = links();
        let first = world.energy();
        let (mut worst, mut last) = (0.0_f64, 0.0);
        for k in 1..=10 {
            world.run_until(0.1 * f64::from(k), h).unwrap();
            last = world.energy() - first;
            worst = worst.max(last.abs());
        }
        let place = *world.pose(tip).unwrap() * Point3::new(0.3, 0.2, 0.1);
        (place, worst, last)
    };
    let (exact, ..) = end(1.25e-4);
    let errors = [4e-3, 2e-3, 1e-3].map(|h| (end(h).0 - exact).norm());
    assert!((3.8..4.3).contains(&(errors[0] / errors[1])), "{errors:?}");
    assert!((3.8..4.3).contains(&(errors[1] / errors[2])), "{errors:?}");
    let (coarse, fine) = (end(4e-3).1, end(2e-3).1);
    assert!((3.5..4.5).contains(&(coarse / fine)), "{coarse} {fine}");
}

#[test]
fn reversed_velocities_lead_back_to_the_start() {
    let (mut world, bodies) = links();
    world.run_until(0.1, 2e-3).unwrap();
    let starts = bodies.map(|it| *world.pose(it).unwrap());
    let turn = |world: &mut World3| {
        for body in bodies {
            let reversed = -world.velocity(body).unwrap();
            world.set_velocity(body, reversed).unwrap();
        }
    };
    for _ in 0..200 {
        world.step(2e-3).unwrap();
    }
    turn(&mut world);
    for _ in 0..200 {
        world.step(2e-3).unwrap();
    }
    for (body, start) in bodies.into_iter().zip(&starts) {
        let back = world.pose(body).unwrap();
        assert!((back.translation.vector - start.translation.vector).norm() < 1e-11);
        assert!(back.rotation.angle_to(&start.rotation) < 1e-7);
    }
}

fn momentum(inertia: &Inertia3, world: &World3, body: BodyHandle) -> Vector3<f64> {
    let turn = world.pose(body).unwrap().rotation;
    let spin = world
        .velocity(body)
        .unwrap()
        .fixed_rows::<3>(3)
        .into_owned();
    turn * (inertia.tensor() * (turn.inverse() * spin))
}

/// A body of three different moments that tumbles about its middle axis, with an inertia tensor that is not diagonal.
#[test]
fn a_free_body_keeps_its_momentum_exactly_and_its_energy_without_a_trend() {
    let turned = Rigid3::rotation(Vector3::new(0.4, -0.2, 0.7)).rotation;
    let axes = turned.to_rotation_matrix();
    let moments = SMatrix::<f64, 3, 3>::from_diagonal(&Vector3::new(1.0, 2.0, 2.5));
    let tensor = axes.matrix() * moments * axes.matrix().transpose();
    let inertia = Inertia3::new(1.0, (tensor + tensor.transpose()) * 0.5).unwrap();
    let spin = turned * Vector3::new(0.1, 3.0, 0.2);
    let run = |h: f64| {
        let mut world = World3::new();
        let velocity = [0.1, 0.2, 0.3, spin.x, spin.y, spin.z];
        let body = Body3::new(inertia, Rigid3::identity()).moving(velocity);
        let body = world.add(body).unwrap();
        let (first, energy) = (momentum(&inertia, &world, body), world.energy());
        let mut worst = 0.0_f64;
        for _ in 0..(20.0 / h) as usize {
            world.step(h).unwrap();
            assert!((momentum(&inertia, &world, body) - first).norm() < 1e-11);
            worst = worst.max((world.energy() / energy - 1.0).abs());
        }
        worst
    };
    let (coarse, fine) = (run(2e-2), run(1e-2));
    assert!(fine < 1e-4, "{fine}");
    assert!((3.5..4.5).contains(&(coarse / fine)), "{coarse} {fine}");
}

/// A symmetric body precesses about L at |L|/I₁, in any step: closed form.
#[test]
fn a_symmetric_body_turns_exactly() {
    let inertia = Inertia3::principal(1.0, [2.0, 2.0, 0.5]).unwrap();
    let mut world = World3::new();
    let spin = Vector3::new(0.3, 0.0, 5.0);
    let body = Body3::new(inertia, Rigid3::identity()).moving([0.0, 0.0, 0.0, 0.3, 0.0, 5.0]);
    let body = world.add(body).unwrap();
    world.run_until(3.0, 0.25).unwrap();
    // R = exp(t L/I₁) exp(t (1 − I₃/I₁) ω₃ e₃)
    let l = Vector3::new(2.0 * spin.x, 0.0, 0.5 * spin.z);
    let [precession, own] = [l * (3.0 / 2.0), Vector3::z() * (3.0 * 0.75 * 5.0)];
    let expected = Rigid3::rotation(precession).rotation * Rigid3::rotation(own).rotation;
    let found = world.pose(body).unwrap().rotation;
    let same: f64 = (found.coords - expected.coords).norm();
    let opposite: f64 = (found.coords + expected.coords).norm();
    assert!(same.min(opposite) < 1e-13, "{found} {expected}");
}

/// A pendulum in the plane against the elliptic integral of its period.
#[test]
fn a_pendulum_in_the_plane_swings_in_its_period() {
    let (m, arm, moment) = (2.0_f64, 0.5_f64, 0.3_f64);
    let (mut a, mut b) = (1.0_f64, 0.5_f64.sqrt());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let omega = (m * G * arm / (moment + m * arm * arm)).sqrt();
    let period = std::f64::consts::TAU / a / omega;
    let end = |h: f64| {
        let mut world = World2::new().with_gravity([0.0, -G]);
        let (wall, place) = (Rigid2::identity(), Rigid2::translation(arm, 0.0));
        let ground = world.add(Body2::fixed(wall)).unwrap();
        let rod = Body2::new(Inertia2::new(m, moment).unwrap(), place);
        let rod = world.add(rod).unwrap();
        let pin = plane::Revolute::between(&wall, &place, &Point2::origin());
        world.connect(pin, [ground, rod]).unwrap();
        // At the turning point the error of the place is quadratic in that of time; the speed shows it.
        world.run_until(0.75 * period, h).unwrap();
        world.pose(rod).unwrap().translation.x
    };
    let (coarse, fine) = (end(4e-3), end(2e-3));
    assert!(fine.abs() < 1e-4, "{fine}");
    assert!((3.8..4.2).contains(&(coarse / fine)), "{coarse} {fine}");
}

/// Queries use the memory of the solver, and a resumed world has none: neither changes a bit.
#[test]
fn queries_and_a_resumed_world_change_no_bit() {
    let (mut plain, bodies) = links();
    let (mut queried, _) = links();
    for k in 0..50 {
        plain.step(2e-3).unwrap();
        queried.step(2e-3).unwrap();
        if k % 3 == 0 {
            let at = queried.state();
            queried.multipliers(at.t, &at.q, &at.v).unwrap();
        }
        if k % 5 == 0 {
            let checkpoint = queried.checkpoint();
            queried = links().0;
            queried.resume(&checkpoint).unwrap();
        }
    }
    for (body, other) in bodies.into_iter().zip(queried.bodies().skip(1)) {
        assert_eq!(plain.pose(body), queried.pose(other));
        assert_eq!(plain.velocity(body), queried.velocity(other));
    }
}

/// 0.7 radians in a step: two of half the size are of second order still.
#[test]
fn a_step_in_which_a_body_turns_too_far_is_divided() {
    let build = |method, h: f64| {
        let mut world = World3::new().with_gravity(DOWN).with_method(method);
        let place = Rigid3::translation(1.0, 0.0, 0.0);
        let hook = world.add(Body3::fixed(Rigid3::identity())).unwrap();
        let velocity = [0.0, 7.0, 0.0, 0.0, 0.0, 7.0];
        let bob = Body3::new(ball_of_mass(1.0), place).moving(velocity);
        let bob = world.add(bob).unwrap();
        let pin = Ball::between(&Rigid3::identity(), &place, &Point3::origin());
        world.connect(pin, [hook, bob]).unwrap();
        assert_eq!(world.parts_of_step(), 1);
        world.run_until(0.1, h).unwrap();
        (
            world.pose(bob).unwrap().translation.vector,
            world.parts_of_step(),
        )
    };
    let (reference, parts) = build(WorldMethod::Rattle, 1e-4);
    assert_eq!(parts, 1);
    let [second, first] =
        [WorldMethod::Rattle, WorldMethod::SemiImplicitEuler].map(|method| build(method, 0.1));
    let errors = [second, first].map(|(place, _)| (place - reference).norm());
    assert_eq!((second.1, first.1), (2, 1));
    assert!(
        errors[0] < 0.02 && errors[0] < errors[1] / 4.0,
        "{errors:?}"
    );
}

/// Five radians in a step: the angular momentum is exact, and the energy errs as in steps of a quarter of a radian.
#[test]
fn a_free_body_that_turns_fast_keeps_its_energy() {
    for turn in [0.5, 1.7, 5.0, 40.0] {
        let mut world = World3::new();
        let spin = Vector3::new(0.48, 0.6, 0.64) * turn;
        let velocity = [0.0, 0.0, 0.0, spin.x, spin.y, spin.z];
        let inertia = Inertia3::principal(1.0, [0.1, 0.2, 0.28]).unwrap();
        let body = Body3::new(inertia, Rigid3::identity()).moving(velocity);
        world.add(body).unwrap();
        let start = world.energy();
        for _ in 0..200 {
            world.step(1.0).unwrap();
            let error: f64 = world.energy() / start - 1.0;
            assert!(error.abs() < 0.01, "{turn}: {error}");
        }
    }
}
