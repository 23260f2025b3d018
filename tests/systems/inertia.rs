//! Bodies whose inertia is a matrix: the same body told in its principal frame moves in the same way.

use constraint_runtime::make_consistent;
use constraint_runtime::nalgebra::{Matrix3, UnitQuaternion};
use constraint_runtime::prelude::*;

system! {
    /// A body on a ball joint away from its centre of mass, pushed elsewhere.
    pub struct Told {
        m: Real = 1.3, a: Real, b: Real, c: Real, d: Real, e: Real, f: Real, joint: Vector3, pushed: Vector3,
    }
    body b1: Rigid3 { mass: m, inertia: [[a, b, c], [b, d, e], [c, e, f]] }
    constraint ball: at(b1, joint) == [0, 0, 0];
    force at(b1, pushed): [1, 2, -3];
    torque b1: [0.3, -0.2, 0.1];
}

system! {
    /// The same in its principal frame.
    pub struct Principal {
        m: Real = 1.3, a: Real, b: Real, c: Real, joint: Vector3, pushed: Vector3,
    }
    body b1: Rigid3 { mass: m, inertia: [a, b, c] }
    constraint ball: at(b1, joint) == [0, 0, 0];
    force at(b1, pushed): [1, 2, -3];
    torque b1: [0.3, -0.2, 0.1];
}

system! {
    /// With a bead on it, so that M is no longer that of bodies alone.
    pub struct ToldWithBead { a: Real, b: Real, c: Real, d: Real, e: Real, f: Real, bead: Vector3 }
    body b1: Rigid3 { mass: 1.3, inertia: [[a, b, c], [b, d, e], [c, e, f]] }
    particle p = at(b1, bead) { mass: 0.4 }
    force p: [0, 0, -4];
}

system! {
    /// The same in its principal frame.
    pub struct PrincipalWithBead { a: Real, b: Real, c: Real, bead: Vector3 }
    body b1: Rigid3 { mass: 1.3, inertia: [a, b, c] }
    particle p = at(b1, bead) { mass: 0.4 }
    force p: [0, 0, -4];
}

system! {
    /// Numbers, one axis of them principal.
    pub struct Numbers;
    body b1: Rigid3 { mass: 1, inertia: [[3, 1, 0], [1, 2, 0], [0, 0, 4]] }
}

system! {
    /// The same with all entries given.
    pub struct Entries { a: Real = 3, b: Real = 1, d: Real = 2, f: Real = 4, z: Real = 0 }
    body b1: Rigid3 { mass: 1, inertia: [[a, b, z], [b, d, z], [z, z, f]] }
}

system! {
    /// Held by its velocity at one point, and slowed in its turning.
    pub struct Dragged { c: Real = 0.4, joint: Vector3 }
    body b1: Rigid3 { mass: 1.3, inertia: [0.9, 1.4, 2.1] }
    constraint level: velocity(at(b1, joint)).z == 0;
    dissipation c/2*norm_squared(angular_velocity(b1));
}

system! {
    /// On a table with one point, a weight placed on another.
    pub struct OnTable { g: Real = 9.81, foot: Vector3, bead: Vector3 }
    body b1: Rigid3 { mass: 1.3, inertia: [0.9, 1.4, 2.1] }
    particle p = at(b1, bead) { mass: 0.4 }
    constraint table: at(b1, foot).z == 0;
    potential 1.3*g*at(b1, [0, 0, 0]).z + 0.4*g*p.z;
}

const MOMENTS: [f64; 3] = [0.9, 1.4, 2.1];

/// The principal axes in the body's frame.
fn axes() -> UnitQuaternion<f64> {
    UnitQuaternion::from_scaled_axis(Vector3::new(0.4, -0.9, 0.7))
}

fn tensor() -> Matrix3<f64> {
    let turn = axes().to_rotation_matrix();
    turn * Matrix3::from_diagonal(&MOMENTS.into()) * turn.transpose()
}

const JOINT: Vector3<f64> = Vector3::new(0.3, -0.2, 0.5);
const PUSHED: Vector3<f64> = Vector3::new(-0.1, 0.6, 0.2);

fn told() -> Told {
    let i = tensor();
    Told {
        m: 1.3,
        a: i.m11,
        b: i.m12,
        c: i.m13,
        d: i.m22,
        e: i.m23,
        f: i.m33,
        joint: JOINT,
        pushed: PUSHED,
    }
}

fn principal() -> Principal {
    let [a, b, c] = MOMENTS;
    Principal {
        m: 1.3,
        a,
        b,
        c,
        joint: axes().inverse() * JOINT,
        pushed: axes().inverse() * PUSHED,
    }
}

/// The body at its joint, and its twist.
fn start() -> (Rigid3<f64>, Twist3<f64>) {
    let rotation = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 1.1, -0.4));
    let arm = rotation * JOINT;
    let angular = Vector3::new(2.0, -1.0, 1.5);
    let twist = Twist3 {
        linear: -angular.cross(&arm),
        angular,
    };
    (Rigid3::from_parts((-arm).into(), rotation), twist)
}

/// The body, its frame turned into the principal one.
fn turned(body: Rigid3<f64>) -> Rigid3<f64> {
    Rigid3::from_parts(body.translation, body.rotation * axes())
}

fn assert_close<const N: usize>(found: SVector<f64, N>, expected: SVector<f64, N>, what: &str) {
    let apart = (found - expected).amax() / expected.amax().max(1.0);
    assert!(apart < 1e-13, "{what}: {apart:e}");
}

#[test]
fn a_matrix_resists_as_its_principal_moments_do() -> Result<(), Error> {
    let (body, twist) = start();
    let (one, other) = (told(), principal());
    let q: SVector<f64, 7> = ToldCoordinates { b1: body }.into();
    let p: SVector<f64, 7> = PrincipalCoordinates { b1: turned(body) }.into();
    let v: SVector<f64, 6> = ToldVelocities { b1: twist }.into();
    assert!(one.constraint(0.0, &q).norm() < 1e-15 && other.constraint(0.0, &p).norm() < 1e-15);
    let pairs = [
        (
            one.acceleration(0.0, &q, &v)?,
            other.acceleration(0.0, &p, &v)?,
            "v̇",
        ),
        (
            one.constraint_force(0.0, &q, &v)?,
            other.constraint_force(0.0, &p, &v)?,
            "Jᵀ λ",
        ),
    ];
    for (found, expected, what) in pairs {
        assert_close(found, expected, what);
    }
    let (found, expected) = (
        one.multipliers(0.0, &q, &v)?,
        other.multipliers(0.0, &p, &v)?,
    );
    assert_close(found, expected, "λ");
    let push = Vector3::new(0.1, -0.2, 0.3);
    assert_close(
        one.correction(0.0, &q, &push)?,
        other.correction(0.0, &p, &push)?,
        "projection",
    );
    let energies = [
        one.kinetic_energy(0.0, &q, &v),
        other.kinetic_energy(0.0, &p, &v),
    ];
    let spin = body.rotation.inverse() * twist.angular;
    let expected = 0.5 * (1.3 * twist.linear.norm_squared() + spin.dot(&(tensor() * spin)));
    assert!(
        energies
            .iter()
            .all(|it| (it - expected).abs() < 1e-14 * expected)
    );
    Ok(())
}

/// I ω̇ + ω×(I ω) = τ + r×F + r×λ in the world's frame.
#[test]
fn the_laws_of_euler_hold() -> Result<(), Error> {
    let (body, twist) = start();
    let q = ToldCoordinates { b1: body }.into();
    let v = ToldVelocities { b1: twist }.into();
    let accelerated = ToldVelocities::from(told().acceleration(0.0, &q, &v)?).b1;
    let held = told().multipliers(0.0, &q, &v)?;
    let turn = body.rotation.to_rotation_matrix();
    let tensor = turn * tensor() * turn.transpose();
    let spin = twist.angular;
    let found = tensor * accelerated.angular + spin.cross(&(tensor * spin));
    let pushed = (turn * PUSHED).cross(&Vector3::new(1.0, 2.0, -3.0));
    let expected = Vector3::new(0.3, -0.2, 0.1) + pushed + (turn * JOINT).cross(&held);
    assert_close(found, expected, "torques");
    let force = Vector3::new(1.0, 2.0, -3.0) + held;
    assert_close(accelerated.linear * 1.3, force, "forces");
    Ok(())
}

/// I ω̇ + ω×(I ω) = −c ω + λ r×e_z, m v̇ = λ e_z, and the point stays level.
#[test]
fn the_laws_of_euler_hold_beside_velocities() -> Result<(), Error> {
    let (body, mut twist) = start();
    let turn = body.rotation.to_rotation_matrix();
    let (arm, spin) = (turn * JOINT, twist.angular);
    twist.linear.z = -spin.cross(&arm).z;
    let dragged = Dragged {
        c: 0.4,
        joint: JOINT,
    };
    let q = DraggedCoordinates { b1: body }.into();
    let v = DraggedVelocities { b1: twist }.into();
    assert!(dragged.constraint_rate(0.0, &q, &v).norm() < 1e-15);
    let found = DraggedVelocities::from(dragged.acceleration(0.0, &q, &v)?).b1;
    let lambda = dragged.multipliers(0.0, &q, &v)?[0];
    let tensor = turn * Matrix3::from_diagonal(&MOMENTS.into()) * turn.transpose();
    let torque = tensor * found.angular + spin.cross(&(tensor * spin));
    assert_close(
        torque,
        arm.cross(&Vector3::z()) * lambda - spin * 0.4,
        "torques",
    );
    assert_close(found.linear * 1.3, Vector3::z() * lambda, "forces");
    let lifted = found.linear + found.angular.cross(&arm) + spin.cross(&spin.cross(&arm));
    assert!(lifted.z.abs() < 1e-13, "{lifted}");
    Ok(())
}

#[test]
fn a_body_with_a_weight_on_it_keeps_its_energy_on_a_table() -> Result<(), Error> {
    let system = OnTable {
        g: 9.81,
        foot: JOINT,
        bead: PUSHED,
    };
    let (body, twist) = start();
    let start = State::new(
        0.0,
        OnTableCoordinates { b1: body },
        OnTableVelocities { b1: twist },
    );
    let start = make_consistent(&system, start)?;
    let mut run = Simulation::new(system, start, DormandPrince::new(1e-11, 1e-11))?;
    let energy = run.energy();
    let (v, turned) = (run.velocities().b1, run.coordinates().b1);
    let arm = turned.rotation * PUSHED;
    let spin = turned.rotation.inverse() * v.angular;
    let carried = v.linear + v.angular.cross(&arm);
    let kinetic = 1.3 * v.linear.norm_squared()
        + 0.4 * carried.norm_squared()
        + spin.dot(&spin.component_mul(&Vector3::from(MOMENTS)));
    let height = turned.translation.z;
    let expected = 0.5 * kinetic + 9.81 * (1.3 * height + 0.4 * (height + arm.z));
    assert!((energy - expected).abs() < 1e-12 * expected.abs());
    run.run_until(2.0)?;
    assert!(
        (run.energy() - energy).abs() < 1e-8 * energy.abs(),
        "{energy} {}",
        run.energy()
    );
    Ok(())
}

#[test]
fn a_matrix_beside_other_masses_is_eliminated_with_them() -> Result<(), Error> {
    let (body, twist) = start();
    let i = tensor();
    let (a, b, c, d, e, f) = (i.m11, i.m12, i.m13, i.m22, i.m23, i.m33);
    let one = ToldWithBead {
        a,
        b,
        c,
        d,
        e,
        f,
        bead: JOINT,
    };
    let [a, b, c] = MOMENTS;
    let other = PrincipalWithBead {
        a,
        b,
        c,
        bead: axes().inverse() * JOINT,
    };
    let q = ToldWithBeadCoordinates { b1: body }.into();
    let p = PrincipalWithBeadCoordinates { b1: turned(body) }.into();
    let v = ToldWithBeadVelocities { b1: twist }.into();
    assert_close(
        one.acceleration(0.0, &q, &v)?,
        other.acceleration(0.0, &p, &v)?,
        "v̇",
    );
    Ok(())
}

#[test]
fn both_frames_tell_the_same_motion() -> Result<(), Error> {
    let (body, twist) = start();
    let integrator = || DormandPrince::new(1e-12, 1e-12);
    let from = State::new(
        0.0,
        ToldCoordinates { b1: body },
        ToldVelocities { b1: twist },
    );
    let mut one = Simulation::new(told(), from, integrator())?;
    let from = State::new(
        0.0,
        PrincipalCoordinates { b1: turned(body) },
        PrincipalVelocities { b1: twist },
    );
    let mut other = Simulation::new(principal(), from, integrator())?;
    one.run_until(5.0)?;
    other.run_until(5.0)?;
    let (found, expected) = (turned(one.coordinates().b1), other.coordinates().b1);
    assert!((found.translation.vector - expected.translation.vector).norm() < 1e-9);
    assert!(found.rotation.angle_to(&expected.rotation) < 1e-9);
    Ok(())
}

#[test]
fn numbers_are_eliminated_at_expansion() -> Result<(), Error> {
    let (body, twist) = start();
    let (one, other) = (Numbers, Entries::<f64>::default());
    let q = NumbersCoordinates { b1: body }.into();
    let v = NumbersVelocities { b1: twist }.into();
    assert_close(
        one.acceleration(0.0, &q, &v)?,
        other.acceleration(0.0, &q, &v)?,
        "v̇",
    );
    let [numbers, entries] = [Numbers::DERIVATION, Entries::DERIVATION]
        .map(|derivation| derivation.entry("acceleration").cost.total());
    // Two axes in place of three, and no inverse to make.
    assert!(numbers < entries);
    Ok(())
}

#[test]
fn a_matrix_that_is_not_positive_definite_is_refused() {
    let bad = Entries {
        b: 3.0,
        ..Entries::default()
    };
    // 2 − 3²/3
    assert_eq!(bad.validate(), Err(Error::InvalidInertia { pivot: -1.0 }));
    assert_eq!(Entries::<f64>::default().validate(), Ok(()));
    assert_eq!(Dynamics::<f64>::validate(&Numbers), Ok(()));
}
