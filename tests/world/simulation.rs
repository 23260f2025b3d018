//! A world as a system: moved by integrators, watched by events, held by stabilisation.

use constraint_runtime::joint::*;
use constraint_runtime::nalgebra::DVector;
use constraint_runtime::prelude::*;
use constraint_runtime::{WorldMethod, make_consistent};

use crate::{Chain, DOWN, G, hung_softly};

type WorldState = State<DVector<f64>>;

// ---- the pendulum -------------------------------------------------------------------------------

const MASS: f64 = 2.0;
const ARM: f64 = 0.5;
const MOMENT: f64 = 0.3;

/// A rod on a hinge, held level.
fn pendulum() -> (World3, BodyHandle) {
    let mut world = World3::new().with_gravity(DOWN);
    let (wall, place) = (Rigid3::identity(), Rigid3::translation(ARM, 0.0, 0.0));
    let ground = world.add(Body3::fixed(wall)).unwrap();
    let inertia = Inertia3::principal(MASS, [0.1, MOMENT, 0.35]).unwrap();
    let rod = world.add(Body3::new(inertia, place)).unwrap();
    let pin = Hinge::between(&wall, &place, &Point3::origin(), &Vector3::y_axis());
    world.connect(pin, [ground, rod]).unwrap();
    (world, rod)
}

/// The quarter of the period from the level: K(sin 45°)/ω, ω² = m g r/(I + m r²), K by the arithmetic-geometric mean.
fn quarter() -> f64 {
    let (mut a, mut b) = (1.0, 0.5_f64.sqrt());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    let omega = (MASS * G * ARM / (MOMENT + MASS * ARM * ARM)).sqrt();
    std::f64::consts::FRAC_PI_2 / a / omega
}

/// When the rod first hangs straight down, and its speed there, √(2 m g r/(I + m r²)) by energy.
fn first_passage<I: Integrator<Scalar = f64>>(method: I) -> (f64, f64, f64) {
    let (world, rod) = pendulum();
    let x = world.coordinates_of(rod).unwrap().start;
    let spin = world.velocities_of(rod).unwrap().start + 4;
    let start = world.state();
    let mut run = Simulation::new(world, start, method).unwrap().on(
        Crossing::Falling,
        move |state: &WorldState| state.q[x],
        |_| Then::Stop,
    );
    assert_eq!(run.run_until(10.0).unwrap(), Arrival::Event(0));
    (run.state().t, run.state().v[spin], run.drift())
}

#[test]
fn a_pendulum_swings_in_the_period_of_the_elliptic_integral() {
    let speed = (2.0 * MASS * G * ARM / (MOMENT + MASS * ARM * ARM)).sqrt();
    let (time, spin, drift) = first_passage(DormandPrince::new(1e-12, 1e-12));
    assert!(
        (time / quarter() - 1.0).abs() < 1e-10,
        "{time} {}",
        quarter()
    );
    assert!((spin / speed - 1.0).abs() < 1e-10, "{spin} {speed}");
    assert!(drift < 1e-14);
    let error = |h: f64| {
        let (time, spin, drift) = first_passage(Rattle::new(h));
        assert!(drift < 1e-14);
        [time / quarter() - 1.0, spin / speed - 1.0]
    };
    let (coarse, fine) = (error(2e-3), error(1e-3));
    for (coarse, fine) in coarse.into_iter().zip(fine) {
        assert!(fine.abs() < 1e-5, "{fine}");
        assert!((3.8..4.2).contains(&(coarse / fine)), "{coarse} {fine}");
    }
}

/// Every method, every stabilisation: over two periods it is back where it began.
#[test]
fn all_methods_and_stabilisations_move_a_world() {
    fn swing<I: Integrator<Scalar = f64>>(method: I, kept: Stabilization<f64>, allowed: f64) {
        let (world, rod) = pendulum();
        let start = world.state();
        let run = Simulation::new(world, start, method).unwrap();
        let mut run = run.with_stabilization(kept);
        let energy = run.energy();
        run.run_until(8.0 * quarter()).unwrap();
        let place = run.system().pose_in(&run.state().q, rod).unwrap();
        let off = (place.translation.vector - Vector3::x() * ARM).norm();
        assert!(
            off < allowed && run.drift() < allowed,
            "{off:e} {}",
            run.drift()
        );
        assert!((run.energy() - energy).abs() < 10.0 * allowed * MASS * G);
    }
    let feedback = Stabilization::Baumgarte {
        alpha: 20.0,
        beta: 20.0,
    };
    for kept in [Stabilization::default(), feedback, Stabilization::None] {
        swing(Rk4::new(2e-3), kept, 1e-7);
        swing(DormandPrince::new(1e-10, 1e-10), kept, 1e-6);
        swing(SemiImplicitEuler::new(1e-3), kept, 5e-2);
    }
    swing(Rattle::new(2e-3), Stabilization::None, 1e-4);
    let impulses = SequentialImpulses::new(20).stepping(1e-3);
    swing(impulses, Stabilization::default(), 5e-2);
}

// ---- the same mechanism as a system! ------------------------------------------------------------

system! {
    /// Two links on balls.
    pub struct Links { m: Real = 1.5, g: Real = 9.81 }
    body upper: Rigid3 { mass: m, inertia: [0.2, 0.3, 0.15] }
    body lower: Rigid3 { mass: 2*m, inertia: [0.25, 0.1, 0.3] }
    constraint pin: at(upper, [0, 0, 0.5]) == [0, 0, 0];
    constraint joint: at(lower, [0.1, 0, 0.4]) == at(upper, [0, 0.2, -0.5]);
    force upper: [0, 0, -m*g];
    force lower: [0, 0, -2*m*g];
}

/// The links tumble; so do the same bodies and balls in a world, next to a ground that it counts as a body.
#[test]
fn a_step_is_that_of_the_same_system() {
    let turn = |x, y, z| Rigid3::new(Vector3::zeros(), Vector3::new(x, y, z));
    let (mut upper, mut lower) = (turn(0.3, -0.5, 0.2), turn(-0.4, 0.1, 0.9));
    upper.translation.vector = -(upper.rotation * Vector3::new(0.0, 0.0, 0.5));
    let tip = (upper * Point3::new(0.0, 0.2, -0.5)).coords;
    lower.translation.vector = tip - lower.rotation * Vector3::new(0.1, 0.0, 0.4);
    let twist = |x, y, z| Twist3 {
        linear: Vector3::zeros(),
        angular: Vector3::new(x, y, z),
    };
    let system = Links::<f64>::default();
    let velocities = LinksVelocities {
        upper: twist(1.0, -2.0, 0.5),
        lower: twist(-0.7, 1.1, 2.0),
    };
    let start = State::new(0.0, LinksCoordinates { upper, lower }, velocities);
    let start = make_consistent(&system, start).unwrap();

    let mut world = World3::new().with_gravity(DOWN);
    let ground = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let (places, moves) = (
        LinksCoordinates::from(start.q),
        LinksVelocities::from(start.v),
    );
    let mut add = |mass, moments, place, twist: Twist3| {
        let inertia = Inertia3::principal(mass, moments).unwrap();
        let body = Body3::new(inertia, place).moving(SVector::from(twist));
        world.add(body).unwrap()
    };
    let upper = add(1.5, [0.2, 0.3, 0.15], places.upper, moves.upper);
    let lower = add(3.0, [0.25, 0.1, 0.3], places.lower, moves.lower);
    let ball = |r1: [f64; 3], r2: [f64; 3]| Ball {
        r1: r1.into(),
        r2: r2.into(),
    };
    world
        .connect(ball([0.0; 3], [0.0, 0.0, 0.5]), [ground, upper])
        .unwrap();
    world
        .connect(ball([0.0, 0.2, -0.5], [0.1, 0.0, 0.4]), [upper, lower])
        .unwrap();

    let at = world.state();
    let (free, held) = (
        world.free_acceleration(0.0, &at.q, &at.v).unwrap(),
        world.multipliers(0.0, &at.q, &at.v).unwrap(),
    );
    let expected = system.free_acceleration(0.0, &start.q, &start.v).unwrap();
    assert!((free.rows(6, 12) - expected).norm() < 1e-12);
    // C of the world is at(b) − at(a): of the first ball that of the system's row, of the second too.
    let expected = system.multipliers(0.0, &start.q, &start.v).unwrap();
    assert!((held - expected).norm() < 1e-11 * expected.norm());
    let rates = (
        world.constraint_rate(0.0, &at.q, &at.v),
        system.constraint_rate(0.0, &start.q, &start.v),
    );
    assert!((rates.0 - rates.1).norm() < 1e-14);
    let force = (
        world.constraint_force(0.0, &at.q, &at.v).unwrap(),
        system.constraint_force(0.0, &start.q, &start.v).unwrap(),
    );
    assert!((force.0.rows(6, 12) - force.1).norm() < 1e-11);

    let kinetic = system.kinetic_energy(0.0, &start.q, &start.v);
    assert!((world.kinetic_energy(0.0, &at.q, &at.v) - kinetic).abs() < 1e-13);
    let mut ours = Simulation::new(world, at, Rk4::new(1e-3)).unwrap();
    let mut theirs = Simulation::new(system, start, Rk4::new(1e-3)).unwrap();
    ours.step().unwrap();
    theirs.step().unwrap();
    assert!((ours.state().q.rows(7, 14) - theirs.state().q).norm() < 1e-12);
    assert!((ours.state().v.rows(6, 12) - theirs.state().v).norm() < 1e-12);
}

/// C̈ = J v̇ + β = 0, M v̇ = f + Jᵀ λ, and Ċ changes by what it is asked to.
#[test]
fn forces_rates_and_biases_of_rows_agree() {
    let world = Chain::new(5, |i| 1.0 + i as f64).world;
    let mut state = world.state();
    for (i, v) in state.v.iter_mut().enumerate().skip(6) {
        *v = (i as f64).sin();
    }
    let State { t, q, v } = make_consistent(&world, state).unwrap();
    let (jacobian, bias) = (world.jacobian(t, &q), world.bias(t, &q, &v));
    let acceleration = world.acceleration(t, &q, &v).unwrap();
    assert!((&jacobian * &acceleration + bias).norm() < 1e-11);
    assert!((world.constraint_rate(t, &q, &v) - &jacobian * &v).norm() < 1e-13);
    let force = world.constraint_force(t, &q, &v).unwrap();
    let multipliers = world.multipliers(t, &q, &v).unwrap();
    let both = world.acceleration_and_multipliers(t, &q, &v).unwrap();
    assert_eq!(both, (acceleration.clone(), multipliers.clone()));
    // M v̇ − h is what the joints pull with.
    let missing = world.inverse_dynamics(t, &q, &v, &acceleration).unwrap();
    assert!((missing - &force).norm() < 1e-11);
    let mass = world.mass_matrix(t, &q);
    assert!((&mass * &v - world.mass_times(t, &q, &v)).norm() < 1e-11);
    assert!((v.dot(&(&mass * &v)) - 2.0 * world.kinetic_energy(t, &q, &v)).abs() < 1e-11);
    assert!((jacobian.transpose() * multipliers - force).norm() < 1e-11);
    let asked = DVector::from_fn(15, |i, _| (0.3 * i as f64).cos());
    let change = world.correction(t, &q, &asked).unwrap();
    assert!((&jacobian * change - asked).norm() < 1e-12);
    // Σ |Jᵢ qᵢ|: the ground lies at the origin, a link has one radian about each axis and half a metre to its pins.
    let sizes = world.row_sizes(t, &q);
    assert!(
        sizes.iter().all(|size| (0.1..20.0).contains(size)),
        "{sizes}"
    );
}

// ---- soft joints, moving ground, errors ---------------------------------------------------------

/// m z̈ = −m g − k z − c ż from rest: the closed form of a damped oscillation; the joint is no row.
#[test]
fn a_soft_joint_is_a_force() {
    let (m, k, c) = (2.0, 50.0, 1.5);
    let hung = || {
        let (world, ..) = hung_softly(m, Softness::new(k, c).unwrap());
        let start = world.state();
        (world, start)
    };
    let (delta, t) = (0.5 * c / m, 1.0);
    let omega = (k / m - delta * delta).sqrt();
    let rest = -m * G / k;
    let swung = (omega * t).cos() + delta / omega * (omega * t).sin();
    let expected = rest * (1.0 - (-delta * t).exp() * swung);
    let (world, start) = hung();
    let mut run = Simulation::new(world, start, Rk4::new(1e-3)).unwrap();
    run.run_until(t).unwrap();
    let height = run.state().q[7 + 2];
    assert!((height - expected).abs() < 1e-11, "{height} {expected}");
    assert_eq!(run.multipliers().unwrap()[0], 0.0);
    // Swept impulses leave it alone, too.
    let impulses = SequentialImpulses::new(3).stepping(1e-4);
    let (world, start) = hung();
    let mut run = Simulation::new(world, start, impulses).unwrap();
    run.run_until(t).unwrap();
    assert!((run.state().q[7 + 2] - expected).abs() < 1e-3);
}

#[test]
fn a_platform_carries_what_hangs_on_it() {
    let mut world = World2::new();
    let lift = Body2::fixed(Rigid2::identity()).moving([0.0, 2.0, 0.0]);
    let place = Rigid2::translation(1.0, 0.0);
    let lift = world.add(lift).unwrap();
    let inertia = Inertia2::new(1.0, 0.2).unwrap();
    let load = world
        .add(Body2::new(inertia, place).moving([0.0, 2.0, 0.0]))
        .unwrap();
    let weld = plane::Weld::between(&Rigid2::identity(), &place, &Point2::origin());
    world.connect(weld, [lift, load]).unwrap();
    let start = world.state();
    let mut run = Simulation::new(world, start, Rk4::new(0.1)).unwrap();
    run.run_until(1.5).unwrap();
    let place = run.system().pose_in(&run.state().q, load).unwrap();
    assert!((place.translation.vector - Vector2::new(1.0, 3.0)).norm() < 1e-14);
}

#[test]
fn errors_name_the_joint_and_the_state_goes_back_to_the_world() {
    let (mut world, rod) = pendulum();
    let mut start = world.state();
    start.q[7] += 0.1;
    let refused = make_consistent(&world, start.clone());
    assert!(refused.is_ok());
    let (other, _) = pendulum();
    let refused = Simulation::new(other, start, Rk4::new(1e-3)).unwrap_err();
    let message = "the start violates joint 0 (Hinge between fixed body 0 and body 1) by 0.0";
    assert!(refused.to_string().starts_with(message), "{refused}");

    let (other, _) = pendulum();
    let begin = other.state();
    let mut run = Simulation::new(other, begin, Rk4::new(1e-3)).unwrap();
    run.run_until(0.2).unwrap();
    world.set_state(run.state()).unwrap();
    assert_eq!(world.time(), 0.2);
    assert!((world.energy() - run.energy()).abs() < 1e-14);
    assert_eq!(
        world.pose_in(&run.state().q, rod).unwrap(),
        *world.pose(rod).unwrap()
    );
    world.step(1e-3).unwrap();
    let mut lost = run.state().clone();
    lost.q[8] = f64::NAN;
    assert!(matches!(
        world.set_state(&lost),
        Err(Error::NonFinite { index: 8, .. })
    ));
}

/// The ragdoll of the book, hung up by one hand.
pub(crate) fn ragdoll() -> Result<World3, Error> {
    let mut world = World3::new().with_gravity([0.0, 0.0, -9.81]);
    let mut part = |mass: f64, [x, y, z]: [f64; 3], [a, b, c]: [f64; 3]| -> Result<_, Error> {
        let moments = [y * y + z * z, x * x + z * z, x * x + y * y].map(|it| mass * it / 12.0);
        let place = Rigid3::translation(a, b, c);
        Ok((
            world.add(Body3::new(Inertia3::principal(mass, moments)?, place))?,
            place,
        ))
    };
    let torso = part(30.0, [0.35, 0.2, 0.6], [0.0, 0.0, 1.2])?;
    let head = part(5.0, [0.2, 0.2, 0.25], [0.0, 0.0, 1.65])?;
    let mut limbs = Vec::new();
    for side in [-1.0, 1.0] {
        let upper_arm = part(2.0, [0.3, 0.1, 0.1], [0.35 * side, 0.0, 1.45])?;
        let forearm = part(1.5, [0.3, 0.1, 0.1], [0.65 * side, 0.0, 1.45])?;
        let thigh = part(8.0, [0.15, 0.15, 0.45], [0.1 * side, 0.0, 0.65])?;
        let shin = part(4.0, [0.12, 0.12, 0.45], [0.1 * side, 0.0, 0.2])?;
        limbs.push((side, upper_arm, forearm, thigh, shin));
    }
    let neck = Ball::between(&torso.1, &head.1, &Point3::new(0.0, 0.0, 1.5));
    world.connect(neck, [torso.0, head.0])?;
    for (side, upper_arm, forearm, thigh, shin) in &limbs {
        let shoulder = Ball::between(&torso.1, &upper_arm.1, &Point3::new(0.2 * side, 0.0, 1.45));
        world.connect(shoulder, [torso.0, upper_arm.0])?;
        let hip = Ball::between(&torso.1, &thigh.1, &Point3::new(0.1 * side, 0.0, 0.88));
        world.connect(hip, [torso.0, thigh.0])?;
        let elbow = Point3::new(0.5 * side, 0.0, 1.45);
        let elbow = Hinge::between(&upper_arm.1, &forearm.1, &elbow, &Vector3::z_axis());
        world.connect(elbow, [upper_arm.0, forearm.0])?;
        let knee = Point3::new(0.1 * side, 0.0, 0.42);
        let knee = Hinge::between(&thigh.1, &shin.1, &knee, &Vector3::x_axis());
        world.connect(knee, [thigh.0, shin.0])?;
    }
    let (room, hand) = (Rigid3::identity(), limbs[1].2);
    let hook = world.add(Body3::fixed(room))?;
    let held = Ball::between(&room, &hand.1, &Point3::new(0.8, 0.0, 1.45));
    world.connect(held, [hook, hand.0])?;
    Ok(world)
}

/// Its own step takes energy; the same world in a simulation keeps it, with steps twice and four times as long.
#[test]
fn a_ragdoll_loses_energy_by_the_step_of_first_order_alone() -> Result<(), Error> {
    let mut world = ragdoll()?.with_method(WorldMethod::SemiImplicitEuler);
    let first = world.energy();
    world.run_until(0.3, 1e-3)?;
    let lost = first - world.energy();
    let by_method = |run: Result<f64, Error>| run.map(|energy| (energy - first).abs());
    let by_order_four = by_method(energy_after(0.3, Rk4::new(2e-3)))?;
    let symplectic = by_method(energy_after(0.3, Rattle::new(4e-3)))?;
    assert!(lost > 0.5, "{lost}");
    assert!(
        by_order_four < 1e-4 * lost && symplectic < 0.1 * lost,
        "{lost} {by_order_four} {symplectic}"
    );
    Ok(())
}

fn energy_after<I: Integrator<Scalar = f64>>(time: f64, method: I) -> Result<f64, Error> {
    let world = ragdoll()?;
    let start = world.state();
    let mut run = Simulation::new(world, start, method)?;
    run.run_until(time)?;
    Ok(run.energy())
}
