//! `World`: bodies and joints put together at run time, held exactly and by sequential impulses.

mod apart;
mod assembled;
mod bounces;
mod bounds;
mod change;
mod colliders;
mod contacts;
mod drives;
mod energy;
mod friction;
mod kept;
mod method;
#[path = "../common/random.rs"]
mod random;
mod redundant;
mod scenes;
mod simulation;
mod uneven;
mod wheels;
mod zeros;

use constraint_runtime::joint::*;
use constraint_runtime::nalgebra::{DMatrix, DVector, Matrix3, Quaternion, Unit, UnitQuaternion};
use constraint_runtime::prelude::*;
use constraint_runtime::{Quantity, WorldMethod};

const G: f64 = 9.81;
const DOWN: [f64; 3] = [0.0, 0.0, -G];

fn ball_of_mass(mass: f64) -> Inertia3 {
    Inertia3::principal(mass, [0.1 * mass, 0.2 * mass, 0.15 * mass]).unwrap()
}

/// A chain of links on balls, straight down from the ground.
struct Chain {
    world: World3,
    joints: Vec<JointHandle>,
}

impl Chain {
    /// Links of length one; each weighs as much as `mass` says.
    fn new(links: usize, mass: impl Fn(usize) -> f64) -> Self {
        let mut world = World3::new().with_gravity(DOWN);
        let mut last = Rigid3::identity();
        let mut bodies = vec![world.add(Body3::fixed(last)).unwrap()];
        let mut joints = Vec::new();
        for i in 0..links {
            let place = Rigid3::translation(0.0, 0.0, -0.5 - i as f64);
            let link = Body3::new(ball_of_mass(mass(i)), place);
            bodies.push(world.add(link).unwrap());
            let pin = Ball::between(&last, &place, &Point3::new(0.0, 0.0, -(i as f64)));
            let pair = [bodies[i], bodies[i + 1]];
            joints.push(world.connect(pin, pair).unwrap());
            last = place;
        }
        Self { world, joints }
    }

    fn solved_by(self, solver: impl Into<Solver>) -> Self {
        let world = self.world.with_solver(solver);
        Self { world, ..self }
    }

    fn impulses(&self) -> DVector<f64> {
        let all = self
            .joints
            .iter()
            .map(|&it| self.world.impulse(it).unwrap());
        DVector::from_vec(all.flatten().copied().collect())
    }
}

// ---- the exact solver ---------------------------------------------------------------------------

/// A rod let go from the level: its centre falls with g m r²/(I + m r²), derived by hand.
#[test]
fn a_level_pendulum_starts_to_fall_as_derived_by_hand() {
    let (m, r, moment, h) = (2.0, 0.5, 0.3, 1e-3);
    let mut world = World3::new()
        .with_gravity(DOWN)
        .with_method(WorldMethod::SemiImplicitEuler);
    let (wall, place) = (Rigid3::identity(), Rigid3::translation(r, 0.0, 0.0));
    let ground = world.add(Body3::fixed(wall)).unwrap();
    let inertia = Inertia3::principal(m, [0.1, moment, 0.4]).unwrap();
    let rod = world.add(Body3::new(inertia, place)).unwrap();
    let pin = Hinge::between(&wall, &place, &Point3::origin(), &Vector3::y_axis());
    world.connect(pin, [ground, rod]).unwrap();
    world.step(h).unwrap();
    let fall = -G * m * r * r / (moment + m * r * r);
    let v = world.velocity(rod).unwrap();
    assert!((v[2] / h - fall).abs() < 1e-12);
    assert!((v[4] * -r / h - fall).abs() < 1e-12);
    assert!(world.drift() < 1e-15);
}

constraint! {
    /// The centre of `b` halfway between those of `a` and `c`.
    pub struct Halfway;
    |a: Rigid3, b: Rigid3, c: Rigid3| 2*at(b, [0, 0, 0]) == at(a, [0, 0, 0]) + at(c, [0, 0, 0])
}

/// A branched mechanism with a loop, joints of one to five rows, one of three bodies, several joints at one body
/// and two joints between the same two: Λ of the sparse solver against nalgebra's dense one.
#[test]
fn impulses_are_those_of_a_dense_solution() {
    let mut world = World3::new().with_gravity(DOWN);
    let places: Vec<Rigid3> = (0..7)
        .map(|i| {
            let i = f64::from(i);
            Rigid3::new(
                Vector3::new(i, (2.0 * i).sin(), (3.0 * i).cos()),
                Vector3::new(0.3 * i, 0.2, -0.1 * i),
            )
        })
        .collect();
    let velocity = |i: usize| {
        SVector::<f64, 6>::from_fn(|k, _| {
            if i == 0 {
                0.0
            } else {
                ((i * 6 + k) as f64).sin()
            }
        })
    };
    let inertias: Vec<Inertia3> = (0..7)
        .map(|i| ball_of_mass(1.0 + 0.3 * f64::from(i)))
        .collect();
    let mut handles = vec![world.add(Body3::fixed(places[0])).unwrap()];
    for i in 1..7 {
        let body = Body3::new(inertias[i], places[i]).moving(velocity(i));
        handles.push(world.add(body).unwrap());
    }
    // J of all rows, and the bodies' velocities: the dense problem.
    let mut rows: Vec<DVector<f64>> = Vec::new();
    let mut joints = Vec::new();
    macro_rules! connect {
        ($joint:expr, $bodies:expr) => {{
            let bodies = $bodies;
            joints.push(
                world
                    .connect($joint, bodies.map(|i: usize| handles[i]))
                    .unwrap(),
            );
            let blocks = $joint.jacobian(0.0, bodies.map(|i| &places[i]));
            for row in 0..blocks[0].nrows() {
                let mut dense = DVector::zeros(42);
                for (block, &body) in blocks.iter().zip(&bodies) {
                    dense
                        .rows_mut(6 * body, 6)
                        .copy_from(&block.row(row).transpose());
                }
                rows.push(dense);
            }
        }};
    }
    let point = Point3::new(0.5, 0.3, -0.2);
    let axis = Vector3::y_axis();
    let rod = |r1: [f64; 3]| Distance {
        r1: r1.into(),
        r2: Vector3::new(0.5, -0.2, 0.3),
        length: 1.0,
    };
    connect!(Ball::between(&places[0], &places[1], &point), [0, 1]);
    connect!(
        Hinge::between(&places[1], &places[2], &point, &axis),
        [1, 2]
    );
    connect!(rod([0.1, 0.2, 0.3]), [2, 3]);
    connect!(Halfway, [1, 3, 4]);
    connect!(
        Universal::between(&places[4], &places[5], &point, [&axis, &Vector3::x_axis()]),
        [4, 5]
    );
    connect!(
        PointOnPlane::between(&places[5], &places[1], &point, &axis),
        [5, 1]
    );
    connect!(
        Ball::between(&places[6], &places[1], &Point3::origin()),
        [6, 1]
    );
    connect!(rod([-0.4, 0.5, 0.1]), [1, 6]);
    let h = 1e-2;
    let jacobian = DMatrix::from_fn(rows.len(), 42, |i, k| rows[i][k]);
    let mut weights = DMatrix::zeros(42, 42);
    let mut free = DVector::zeros(42);
    for i in 1..7 {
        let w = inertias[i].inverse_at(&places[i]);
        weights
            .view_mut((6 * i, 6 * i), (3, 3))
            .copy_from(&(Matrix3::identity() * w.mass));
        weights
            .view_mut((6 * i + 3, 6 * i + 3), (3, 3))
            .copy_from(&w.inertia);
        let v = velocity(i);
        let (spin, turn) = (v.fixed_rows::<3>(3).into_owned(), places[i].rotation);
        let momentum = turn * (inertias[i].tensor() * (turn.inverse() * spin));
        let carried = UnitQuaternion::from_scaled_axis(-spin * h) * momentum;
        free.rows_mut(6 * i, 6).copy_from(&v);
        free[6 * i + 2] -= h * G;
        let change = w.inertia * (carried - momentum);
        for k in 0..3 {
            free[6 * i + 3 + k] += change[k];
        }
    }
    let delassus = &jacobian * &weights * jacobian.transpose();
    let expected = delassus.cholesky().unwrap().solve(&(-&jacobian * &free));
    let mut world = world.with_stabilization(Stabilization::None);
    world.step(h).unwrap();
    let found: Vec<f64> = joints
        .iter()
        .flat_map(|&it| world.impulse(it).unwrap().to_vec())
        .collect();
    let found = DVector::from_vec(found);
    assert!(
        (&found - &expected).norm() < 1e-11 * expected.norm(),
        "{found} {expected}"
    );
}

// ---- sequential impulses ------------------------------------------------------------------------

/// Ten links with masses from 1 to 3: with twice the iterations the error of Λ is the square of what it was.
#[test]
fn sequential_impulses_converge_to_the_exact_impulses() {
    let mass = |i: usize| 1.0 + (i % 3) as f64;
    let mut exact = Chain::new(10, mass);
    exact.world = exact.world.with_method(WorldMethod::SemiImplicitEuler);
    exact.world.step(1e-3).unwrap();
    let expected = exact.impulses();
    let error = |iterations: usize| {
        let mut chain = Chain::new(10, mass).solved_by(SequentialImpulses::new(iterations));
        chain.world.step(1e-3).unwrap();
        (chain.impulses() - &expected).norm() / expected.norm()
    };
    let errors = [80, 160, 320, 640, 1280, 2560].map(error);
    println!("relative error of Λ after 80, 160, … 2560 iterations: {errors:?}");
    assert!((0.1..0.5).contains(&errors[0]), "{errors:?}");
    for pair in errors[..5].windows(2) {
        assert!(pair[1] < 1.1 * pair[0] * pair[0], "{errors:?}");
    }
    assert!(errors[5] < 1e-13, "{errors:?}");
}

/// The same number of iterations a step, started from the last step's Λ, ends where many would.
#[test]
fn warm_starting_carries_the_convergence_over_steps() {
    let error = |solver: SequentialImpulses| {
        let mut hanging = Chain::new(20, |_| 1.0).solved_by(solver);
        for _ in 0..1_000 {
            hanging.world.step(1e-3).unwrap();
        }
        hanging.world.drift()
    };
    let (warm, cold) = (
        error(SequentialImpulses::new(5).with_projections(0)),
        error(
            SequentialImpulses::new(5)
                .with_projections(0)
                .without_warm_start(),
        ),
    );
    println!("drift of a hanging chain after 1 s, 5 iterations a step: {warm:e}, cold {cold:e}");
    assert!(warm < 1e-2 * cold);
}

#[test]
fn joints_that_depend_on_one_another_stop_no_solver() {
    let twice = || {
        let mut world = World3::new().with_gravity(DOWN);
        let (wall, place) = (Rigid3::identity(), Rigid3::translation(1.0, 0.0, 0.0));
        let ground = world.add(Body3::fixed(wall)).unwrap();
        let shelf = world.add(Body3::new(ball_of_mass(2.0), place)).unwrap();
        let at =
            |y: f64| Hinge::between(&wall, &place, &Point3::new(0.0, y, 0.0), &Vector3::y_axis());
        world.connect(at(-1.0), [ground, shelf]).unwrap();
        world.connect(at(1.0), [ground, shelf]).unwrap();
        (world, shelf)
    };
    let (mut exact, exact_shelf) = twice();
    exact.run_until(0.25, 1e-3).unwrap();
    assert!(exact.drift() < 1e-14, "{}", exact.drift());

    let (world, shelf) = twice();
    let mut world = world.with_solver(SequentialImpulses::new(30));
    world.run_until(0.25, 1e-3).unwrap();
    // It turns about y like a shelf on one hinge.
    assert!(world.drift() < 1e-6, "{}", world.drift());
    assert!(world.pose(shelf).unwrap().translation.y.abs() < 1e-9);
    assert!(world.pose(shelf).unwrap().translation.z < -0.2);
    let apart = exact.pose(exact_shelf).unwrap().translation.vector
        - world.pose(shelf).unwrap().translation.vector;
    // Sequential impulses step by semi-implicit Euler, of first order.
    assert!(apart.norm() < 2e-3, "{apart}");
}

// ---- soft joints, moving ground, free bodies ----------------------------------------------------

/// A weight on a vertical spring and damper is implicit Euler on z̈ = −g − (k z + c ż)/m.
/// A mass on a soft joint that holds its height, at rest where the joint pushes nothing.
fn hung_softly(mass: f64, softness: Softness<f64>) -> (World3, BodyHandle, JointHandle) {
    let mut world = World3::new().with_gravity(DOWN);
    let floor = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let weight = world
        .add(Body3::new(ball_of_mass(mass), Rigid3::identity()))
        .unwrap();
    let plane = PointOnPlane {
        r1: Vector3::zeros(),
        normal: Vector3::z(),
        r2: Vector3::zeros(),
    };
    let spring = world.connect(plane, [floor, weight]).unwrap();
    world.set_softness(spring, softness).unwrap();
    (world, weight, spring)
}

#[test]
fn a_soft_joint_is_a_spring_and_a_damper() {
    let (m, k, c, h) = (2.0, 50.0, 1.5, 1e-2);
    for solver in [Solver::Exact, SequentialImpulses::new(3).into()] {
        let softness = Softness::new(k, c).unwrap();
        let (world, weight, spring) = hung_softly(m, softness);
        let mut world = world.with_solver(solver);
        let (mut z, mut v) = (0.0, 0.0);
        for _ in 0..100 {
            world.step(h).unwrap();
            v = (v - h * (G + k * z / m)) / (1.0 + h * c / m + h * h * k / m);
            z += h * v;
            let found = world.pose(weight).unwrap().translation.z;
            assert!((found - z).abs() < 1e-13, "{found} {z}");
        }
        // It comes to rest where k z = −m g; soft joints do not count as drift.
        world.run_until(20.0, 0.1).unwrap();
        assert!((world.pose(weight).unwrap().translation.z + m * G / k).abs() < 1e-6);
        assert_eq!(world.drift(), 0.0);
        // Rigid once more, it is closed.
        world.set_softness(spring, None).unwrap();
        world.step(h).unwrap();
        assert!(world.drift() < 1e-14);
    }
}

#[test]
fn a_fixed_body_that_moves_carries_what_hangs_on_it() {
    let mut world = World3::new();
    let lift = Body3::fixed(Rigid3::identity()).moving([0.0, 0.0, 2.0, 0.0, 0.0, 0.0]);
    let place = Rigid3::translation(1.0, 0.0, 0.0);
    let lift = world.add(lift).unwrap();
    let load = world.add(Body3::new(ball_of_mass(1.0), place)).unwrap();
    world
        .connect(
            Fixed::between(&Rigid3::identity(), &place, &Point3::origin()),
            [lift, load],
        )
        .unwrap();
    world.run_until(1.5, 0.1).unwrap();
    assert!((world.pose(lift).unwrap().translation.z - 3.0).abs() < 1e-14);
    assert!(
        (world.pose(load).unwrap().translation.vector - Vector3::new(1.0, 0.0, 3.0)).norm() < 1e-14
    );
}

/// A body that tumbles freely by the step of first order: I ω, taken where ω has led from, keeps length and direction; the energy gains in
/// proportion to h, the method being of first order.
#[test]
fn a_free_body_keeps_its_angular_momentum() {
    let inertia = Inertia3::principal(1.0, [1.0, 2.0, 3.0]).unwrap();
    let momentum = |at: &Rigid3, v: &SVector<f64, 6>| {
        let turn = at.rotation;
        turn * (inertia.tensor() * (turn.inverse() * v.fixed_rows::<3>(3)))
    };
    let gain = |h: f64, steps: usize| {
        let mut world = World3::new().with_method(WorldMethod::SemiImplicitEuler);
        let place = Rigid3::rotation(Vector3::new(0.3, 0.4, 0.5));
        let body = Body3::new(inertia, place).moving([0.0, 0.0, 0.0, 0.1, 3.0, 0.2]);
        let body = world.add(body).unwrap();
        world.step(h).unwrap();
        let (expected, energy) = (
            momentum(&place, world.velocity(body).unwrap()),
            world.energy(),
        );
        for _ in 0..steps {
            let before = *world.pose(body).unwrap();
            world.step(h).unwrap();
            let found = momentum(&before, world.velocity(body).unwrap());
            assert!((found - expected).norm() < 1e-12);
        }
        world.energy() / energy - 1.0
    };
    let (coarse, fine) = (gain(2e-3, 2_000), gain(1e-3, 4_000));
    assert!(coarse.abs() < 0.02, "{coarse}");
    assert!((1.8..2.2).contains(&(coarse / fine)), "{coarse} {fine}");
}

#[test]
fn forces_stay_until_they_are_set_anew() {
    let mut world = World2::new();
    let disk = Body2::new(
        Inertia2::new(2.0, 0.5).unwrap(),
        Rigid2::translation(1.0, 1.0),
    );
    let disk = world.add(disk).unwrap();
    world.set_force(disk, [2.0, 0.0, 0.0]).unwrap();
    // At the point (1, 2) a force along x turns clockwise.
    world.add_force_at(disk, [4.0, 0.0], [1.0, 2.0]).unwrap();
    world.step(0.1).unwrap();
    world.step(0.1).unwrap();
    let v = world.velocity(disk).unwrap();
    assert!((v - Vector3::new(0.6, 0.0, -1.6)).norm() < 1e-14);
    world.set_force(disk, [0.0; 3]).unwrap();
    let before = *world.velocity(disk).unwrap();
    world.step(0.1).unwrap();
    assert_eq!(world.velocity(disk).unwrap(), &before);
}

/// A link let go from the level, on a ball.
#[test]
fn baumgarte_feeds_the_drift_back() {
    let run = |stabilization| {
        let mut world = World3::new()
            .with_gravity(DOWN)
            .with_stabilization(stabilization);
        let (wall, place) = (Rigid3::identity(), Rigid3::translation(1.0, 0.0, 0.0));
        let ground = world.add(Body3::fixed(wall)).unwrap();
        let link = world.add(Body3::new(ball_of_mass(1.0), place)).unwrap();
        let pin = Ball::between(&wall, &place, &Point3::origin());
        world.connect(pin, [ground, link]).unwrap();
        world.run_until(2.0, 1e-3).unwrap();
        world.drift()
    };
    let none = run(Stabilization::None);
    let fed_back = run(Stabilization::Baumgarte {
        alpha: 50.0,
        beta: 50.0,
    });
    let projected = run(Stabilization::default());
    println!("drift {none:e}, Baumgarte {fed_back:e}, projection {projected:e}");
    assert!(none > 1e-3 && fed_back < 0.1 * none && projected < 1e-14);
}

// ---- bad input ----------------------------------------------------------------------------------

#[test]
fn strangers_and_pairs_of_one_are_refused_and_nothing_is_lost() {
    let mut world = World3::new().with_gravity(DOWN);
    let ground = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let place = Rigid3::translation(1.0, 0.0, 0.0);
    let body = world.add(Body3::new(ball_of_mass(1.0), place)).unwrap();
    let pin = Ball::between(&Rigid3::identity(), &place, &Point3::origin());
    let joint = world.connect(pin, [ground, body]).unwrap();
    world.step(1e-3).unwrap();
    let (state, impulse) = (
        *world.pose(body).unwrap(),
        world.impulse(joint).unwrap().to_vec(),
    );

    let mut other = World3::<f64>::new();
    let stranger = other.add(Body3::fixed(Rigid3::identity())).unwrap();
    let unknown = Err(Error::UnknownBody { index: 0 });
    assert_eq!(
        world.connect(pin, [stranger, body]),
        Err(Error::UnknownBody { index: 0 })
    );
    assert_eq!(
        world.connect(pin, [body, body]),
        Err(Error::SelfJoint { body: 1 })
    );
    assert_eq!(world.set_force(stranger, [0.0; 6]), unknown);
    assert_eq!(world.set_velocity(stranger, [0.0; 6]), unknown);
    assert_eq!(world.pose(stranger).err(), unknown.err());
    assert_eq!(other.impulse(joint), Err(Error::UnknownJoint { index: 0 }));
    let bad = world.set_force(body, [0.0, f64::NAN, 0.0, 0.0, 0.0, 0.0]);
    assert!(matches!(
        bad,
        Err(Error::NonFinite {
            quantity: Quantity::Force,
            index: 1,
            ..
        })
    ));
    for h in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(world.step(h), Err(Error::InvalidStepSize { .. })));
    }
    assert!(matches!(
        world.run_until(-1.0, 0.1),
        Err(Error::InvalidTime { .. })
    ));
    assert_eq!(world.pose(body).unwrap(), &state);
    assert_eq!(world.impulse(joint).unwrap(), impulse);
    world.step(1e-3).unwrap();
}

#[test]
fn bodies_that_cannot_be_are_refused() {
    let mut world = World3::new();
    let mut bent = Rigid3::identity();
    bent.rotation = Unit::new_unchecked(Quaternion::new(2.0, 0.0, 0.0, 0.0));
    let refused = world.add(Body3::fixed(bent));
    assert_eq!(refused, Err(Error::InvalidRotation { norm: 2.0 }));
    let fast = Body3::fixed(Rigid3::identity()).moving([f64::INFINITY; 6]);
    let refused = world.add(fast);
    assert!(matches!(
        refused,
        Err(Error::NonFinite {
            quantity: Quantity::Velocity,
            ..
        })
    ));
    for mass in [0.0, -1.0] {
        assert_eq!(
            Inertia3::principal(mass, [1.0; 3]),
            Err(Error::InvalidMass { mass })
        );
    }
    assert!(Inertia3::principal(1.0, [1.0, 0.0, 1.0]).is_err());
    assert!(Softness::new(0.0, 0.0).is_err() && Softness::new(1.0, f64::NAN).is_err());
}

#[test]
fn a_joint_between_fixed_bodies_is_singular() {
    let mut world = World3::<f64>::new();
    let a = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let b = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    world
        .connect(
            Ball {
                r1: Vector3::zeros(),
                r2: Vector3::zeros(),
            },
            [a, b],
        )
        .unwrap();
    for solver in [Solver::Exact, SequentialImpulses::new(3).into()] {
        world = world.with_solver(solver);
        let refused = world.step(0.1).unwrap_err();
        let message =
            "joint 0 (Ball between fixed bodies 0 and 1) is singular at t = 0: pivot 0 of J W Jᵀ";
        assert!(refused.to_string().starts_with(message), "{refused}");
    }
}

#[test]
fn places_out_of_reach_are_an_error_and_nothing_moves() {
    // Two balls pull one body to points 2 apart.
    let mut world = World3::new();
    let (left, right) = (
        Rigid3::translation(-1.0, 0.0, 0.0),
        Rigid3::translation(1.0, 0.0, 0.0),
    );
    let (a, b) = (
        world.add(Body3::fixed(left)).unwrap(),
        world.add(Body3::fixed(right)).unwrap(),
    );
    let rod = world
        .add(Body3::new(
            ball_of_mass(1.0),
            Rigid3::translation(0.1, 0.2, 0.3),
        ))
        .unwrap();
    let end = |r: f64| Distance {
        r1: Vector3::zeros(),
        r2: Vector3::x() * r,
        length: 0.25,
    };
    world.connect(end(-0.25), [a, rod]).unwrap();
    world.connect(end(0.25), [b, rod]).unwrap();
    let drift = world.drift();
    let refused = world.step(1e-2);
    assert!(refused.is_err(), "{refused:?}");
    assert_eq!(world.drift(), drift);
    assert_eq!(world.step(1e-2), refused);
    assert_eq!(
        world.pose(rod).unwrap(),
        &Rigid3::translation(0.1, 0.2, 0.3)
    );
    assert_eq!(world.time(), 0.0);
}

#[test]
fn a_step_of_a_thousand_radians_is_refused_and_nothing_moves() {
    [0.0, 1e-6].into_iter().for_each(refuses_a_thousand_radians);
}

/// Whatever residual is left alone.
fn refuses_a_thousand_radians(tolerance: f64) {
    let kept = Stabilization::Projection { tolerance };
    let world = World3::new().with_gravity(DOWN);
    let mut world = world.with_stabilization(kept);
    let place = Rigid3::translation(0.0, 0.0, -0.5);
    let ground = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let link = world.add(Body3::new(ball_of_mass(2.0), place)).unwrap();
    let pin = Ball::between(&Rigid3::identity(), &place, &Point3::origin());
    world.connect(pin, [ground, link]).unwrap();
    world.step(1e-3).unwrap();
    // Half a metre off the pin, at 10⁵ m/s.
    let velocity = [1e5, 0.0, 0.0, 0.0, -2e5, 0.0];
    world.set_velocity(link, velocity).unwrap();
    let place = *world.pose(link).unwrap();
    let error = world.step(1e-2).unwrap_err();
    assert!(matches!(error, Error::ProjectionDiverged { .. }), "{error}");
    assert_eq!(*world.pose(link).unwrap(), place);
    world.step(1e-6).unwrap();
    assert!(world.drift() < tolerance.max(1e-15));
}
