//! A joint that rapier does not have, beside its own: C, Ċ, J and J W Jᵀ by `rows()`, an impulse before each of its steps.
//!
//! A rod of length 1 from the origin to a ball, released from the level. A second ball hangs on the first by a joint of
//! rapier's at the centres of both, so that the two fall as one: a simple pendulum, whose quarter of a swing takes
//! K(½)/√g and ends with v²/2 = g l.

use constraint_runtime::nalgebra::Vector3;
use constraint_runtime::prelude::*;
use rapier3d_f64::prelude::*;

constraint! {
    /// A rod between a point `r1` of one body and a point `r2` of another.
    pub struct Rod { pub r1: Vector3, pub r2: Vector3, pub length: Real }
    |a: Rigid3, b: Rigid3| norm(at(b, r2) - at(a, r1)) == length
}

const G: f64 = 9.81;
const STEP: f64 = 1e-4;
/// The part of C that a step takes away.
const RESTORED: f64 = 0.1;

/// Pose and velocity of a body of rapier's.
fn state(body: &RigidBody) -> (Rigid3<f64>, SVector<f64, 6>) {
    let (place, turn) = (body.translation(), body.rotation());
    let q = [place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w];
    let (v, w) = (body.linvel(), body.angvel());
    let pose = Rigid::try_from_coordinates(&q.into()).expect("rapier keeps rotations");
    (pose, [v.x, v.y, v.z, w.x, w.y, w.z].into())
}

/// The impulse that Ċ + (J g) h + γ C/h = 0 asks for: rapier's own step adds g h.
fn push(rod: &Rod<f64>, world: &mut PhysicsWorld, ball: RigidBodyHandle, inertia: &Inertia3<f64>) {
    let (pose, velocity) = state(&world.bodies[ball]);
    let (ground, still) = (Rigid3::identity(), SVector::zeros());
    let (q, v) = ([&ground, &pose], [&still, &velocity]);
    let w = [&InverseMass3::pinned(), &inertia.inverse_at(&pose)];
    let rows = rod.rows(0.0, q, v, w);
    let falling = rows.jacobian[1] * SVector::from([0.0, 0.0, -G, 0.0, 0.0, 0.0]) * STEP;
    let asked = rows.rate + falling + rows.value * (RESTORED / STEP);
    let lambda = -asked[0] / rows.delassus[(0, 0)];
    let impulse = rows.jacobian[1].transpose() * lambda;
    let body = &mut world.bodies[ball];
    body.apply_impulse(Vector::new(impulse[0], impulse[1], impulse[2]), true);
    body.apply_torque_impulse(Vector::new(impulse[3], impulse[4], impulse[5]), true);
}

#[test]
fn a_rod_swings_what_rapier_has_joined() {
    let mut world = PhysicsWorld::default();
    world.gravity = Vector::new(0.0, 0.0, -G);
    world.integration_parameters.dt = STEP;
    let balls = [0, 1].map(|_| {
        let mass = MassProperties::new(Vector::ZERO, 1.0, Vector::new(0.1, 0.2, 0.3));
        let ball = RigidBodyBuilder::dynamic()
            .translation(Vector::new(1.0, 0.0, 0.0))
            .additional_mass_properties(mass)
            .can_sleep(false);
        world.bodies.insert(ball)
    });
    let joint = SphericalJointBuilder::new();
    world.impulse_joints.insert(balls[0], balls[1], joint, true);
    let rod = Rod {
        r1: Vector3::zeros(),
        r2: Vector3::zeros(),
        length: 1.0,
    };
    // What the rod holds is both.
    let inertia = Inertia3::principal(2.0, [0.1, 0.2, 0.3]).expect("an inertia");

    let quarter = 1.854_074_677_301_372 / G.sqrt();
    for _ in 0..(quarter / STEP).round() as usize {
        push(&rod, &mut world, balls[0], &inertia);
        world.step();
        let (pose, _) = state(&world.bodies[balls[0]]);
        let off = pose.translation.vector.norm() - 1.0;
        assert!(off.abs() < 1e-5, "the rod is {off:e} off");
    }
    for ball in balls {
        let (pose, velocity) = state(&world.bodies[ball]);
        let (place, speed) = (pose.translation.vector, (2.0 * G).sqrt());
        assert!(
            (place - Vector3::new(0.0, 0.0, -1.0)).norm() < 6e-4,
            "{place}"
        );
        assert!((velocity[0].abs() - speed).abs() < 6e-4, "{velocity}");
    }
}
