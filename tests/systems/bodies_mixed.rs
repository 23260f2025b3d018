//! Bodies of space together with what else a system has: particles, coordinates, kinetic energies, rows on velocities.

use approx::assert_relative_eq;
use constraint_runtime::make_consistent;
use constraint_runtime::nalgebra::{DMatrix, DVector, Matrix3, UnitQuaternion};
use constraint_runtime::prelude::*;

system! {
    /// A ball that rolls on a table, which is turned evenly.
    pub struct Turntable { m: Real = 0.3, r: Real = 0.05, omega: Real = 2, share: Real = 0.4, g: Real = 9.81 }
    body table: Rigid3 { mass: 1, inertia: [1, 1, 2] }
    body ball: Rigid3 { mass: m, inertia: [share*m*r^2, share*m*r^2, share*m*r^2] }
    constraint pivot: at(table, [0, 0, 0]) == [0, 0, 0];
    constraint turning: angular_velocity(table) == [0, 0, omega];
    constraint contact: dot(dir(table, [0, 0, 1]), at(ball, [0, 0, 0]) - at(table, [0, 0, 0])) == r;
    let below = at(ball, [0, 0, 0]) - r*dir(table, [0, 0, 1]);
    let slip = velocity(at(ball, [0, 0, 0])) - r*cross(angular_velocity(ball), dir(table, [0, 0, 1]))
        - velocity(at(table, [0, 0, 0])) - cross(angular_velocity(table), below - at(table, [0, 0, 0]));
    constraint rolling: [dot(slip, dir(table, [1, 0, 0])), dot(slip, dir(table, [0, 1, 0]))];
    potential m*g*at(ball, [0, 0, 0]).z;
}

/// The ball's centre goes in circles about a point at rest, two sevenths as fast as the table turns if it is solid:
/// m v̇ = F, I ω̇ = −r z×F and v − r ω×z = Ω z×x give (1 + m r²/I) v̇ = Ω z×v.
#[test]
fn a_ball_on_a_turntable_goes_in_circles() -> Result<(), Error> {
    for (share, ratio) in [(0.4, 2.0 / 7.0), (2.0 / 3.0, 0.4)] {
        let system = Turntable {
            share,
            ..Turntable::default()
        };
        let Turntable { r, omega, .. } = system;
        let place = Vector3::new(0.2, 0.1, r);
        let linear = Vector3::new(0.05, -0.02, 0.0);
        let matter = Vector3::z().cross(&place) * omega;
        let angular = Vector3::z().cross(&(linear - matter)) / r;
        let q = TurntableCoordinates {
            table: Rigid3::identity(),
            ball: Rigid3::from_parts(place.into(), UnitQuaternion::identity()),
        };
        let v = TurntableVelocities {
            table: Twist3 {
                linear: Vector3::zeros(),
                angular: Vector3::z() * omega,
            },
            ball: Twist3 { linear, angular },
        };
        let start = State::new(0.0, q, v);
        let mut run = Simulation::new(system, start, DormandPrince::new(1e-12, 1e-12))?;
        run.run_until(5.0)?;
        // v̇ = Ω z×v, so that the centre of the circle is x + z×v/Ω.
        let rate = ratio * omega;
        let center = place + Vector3::z().cross(&linear) / rate;
        let turn = UnitQuaternion::from_scaled_axis(Vector3::z() * (rate * 5.0));
        let expected = center + turn * (place - center);
        let found = run.coordinates().ball.translation.vector;
        assert_relative_eq!(found, expected, epsilon = 1e-9);
    }
    Ok(())
}

system! {
    /// A body with a rotor about its own z axis, told by its kinetic energy.
    pub struct Gyrostat { a: Real = 0.7, b: Real = 1.1, c: Real = 1.4, rotor: Real = 0.3, motor: Real = 0.2 }
    body carrier: Rigid3 { mass: 2, inertia: [a, b, c] }
    coordinate angle;
    kinetic rotor/2 * (velocity(angle) + dot(angular_velocity(carrier), dir(carrier, [0, 0, 1])))^2;
    force angle: motor;
}

/// L = I ω + h e₃ with h = rotor (φ̇ + ω₃): in the body's frame L̇ = −ω×L and ḣ = τ, hence
/// I₁ ω̇₁ = (I₂ − I₃) ω₂ ω₃ − h ω₂, I₂ ω̇₂ = (I₃ − I₁) ω₃ ω₁ + h ω₁, I₃ ω̇₃ = (I₁ − I₂) ω₁ ω₂ − τ.
#[test]
fn a_kinetic_energy_may_speak_of_a_spin() -> Result<(), Error> {
    let system = Gyrostat::<f64>::default();
    let Gyrostat {
        a,
        b,
        c,
        rotor,
        motor,
    } = system;
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.4, -1.1, 0.6));
    let [x, y, z] = [0.8, -0.5, 1.7];
    let rate = 9.0;
    let q = GyrostatCoordinates {
        carrier: Rigid3::from_parts(Vector3::new(0.1, 0.2, 0.3).into(), turn),
        angle: 0.4,
    };
    let v = GyrostatVelocities {
        carrier: Twist3 {
            linear: Vector3::new(1.0, 2.0, 3.0),
            angular: turn * Vector3::new(x, y, z),
        },
        angle: rate,
    };
    let found = GyrostatVelocities::from(system.acceleration(0.0, &q.into(), &v.into())?);
    let h = rotor * (rate + z);
    let expected = Vector3::new(
        ((b - c) * y * z - h * y) / a,
        ((c - a) * z * x + h * x) / b,
        ((a - b) * x * y - motor) / c,
    );
    assert_relative_eq!(
        turn.inverse() * found.carrier.angular,
        expected,
        epsilon = 1e-13
    );
    assert_relative_eq!(found.angle, motor / rotor - expected.z, epsilon = 1e-12);
    assert_eq!(found.carrier.linear, Vector3::zeros());
    Ok(())
}

system! {
    /// A bead on a body, as a particle.
    pub struct Placed { bead: Vector3 }
    body carrier: Rigid3 { mass: 1.3, inertia: [0.9, 1.4, 2.1] }
    particle p = at(carrier, bead) { mass: 0.4 }
    force p: [1, -2, 3];
    torque carrier: [0.1, 0.2, -0.3];
}

system! {
    /// The same bead as a kinetic energy.
    pub struct Energetic { bead: Vector3 }
    body carrier: Rigid3 { mass: 1.3, inertia: [0.9, 1.4, 2.1] }
    kinetic 0.4/2 * norm_squared(velocity(at(carrier, bead)));
    force at(carrier, bead): [1, -2, 3];
    torque carrier: [0.1, 0.2, -0.3];
}

const BEAD: Vector3<f64> = Vector3::new(0.3, -0.2, 0.5);

fn carrier() -> (Rigid3, Twist3) {
    let place = Rigid3::new(Vector3::new(0.1, 0.2, 0.3), Vector3::new(0.7, 0.4, -1.3));
    let twist = Twist3 {
        linear: Vector3::new(0.3, -1.0, 0.2),
        angular: Vector3::new(1.0, 2.5, -0.7),
    };
    (place, twist)
}

/// M v̇ = h by hand: (m + m′) v̇ + m′ ω̇×r = F − m′ ω×(ω×r), I ω̇ + m′ r×(v̇ + ω̇×r) = τ − ω×I ω + r×(F − m′ ω×(ω×r)).
#[test]
fn a_bead_on_a_body_weighs_the_same_however_it_is_told() -> Result<(), Error> {
    let (place, twist) = carrier();
    let turn = place.rotation.to_rotation_matrix();
    let inertia = turn * Matrix3::from_diagonal(&[0.9, 1.4, 2.1].into()) * turn.transpose();
    let (r, spin) = (turn * BEAD, twist.angular);
    let lever = r.cross_matrix();
    let mut mass = DMatrix::zeros(6, 6);
    mass.view_mut((0, 0), (3, 3)).fill_diagonal(1.7);
    mass.view_mut((0, 3), (3, 3)).copy_from(&(lever * -0.4));
    mass.view_mut((3, 0), (3, 3)).copy_from(&(lever * 0.4));
    mass.view_mut((3, 3), (3, 3))
        .copy_from(&(inertia - lever * lever * 0.4));
    let push = Vector3::new(1.0, -2.0, 3.0) - spin.cross(&spin.cross(&r)) * 0.4;
    let torque = Vector3::new(0.1, 0.2, -0.3) - spin.cross(&(inertia * spin)) + r.cross(&push);
    let right = DVector::from_iterator(6, push.iter().chain(torque.iter()).copied());
    let expected = mass.lu().solve(&right).expect("a regular matrix");
    let expected = SVector::<f64, 6>::from_column_slice(expected.as_slice());

    let placed = Placed { bead: BEAD };
    let q = PlacedCoordinates { carrier: place };
    let v = PlacedVelocities { carrier: twist };
    let found = placed.acceleration(0.0, &q.into(), &v.into())?;
    assert_relative_eq!(found, expected, epsilon = 1e-13);
    let energetic = Energetic { bead: BEAD };
    let found = energetic.acceleration(0.0, &q.into(), &v.into())?;
    assert_relative_eq!(found, expected, epsilon = 1e-13);
    let energies = [
        placed.kinetic_energy(0.0, &q.into(), &v.into()),
        energetic.kinetic_energy(0.0, &q.into(), &v.into()),
    ];
    assert_relative_eq!(energies[0], energies[1], epsilon = 1e-14);
    Ok(())
}

system! {
    /// A chandelier: a body hung by a ball joint, four beads by ropes, more rows than are solved in closed form.
    pub struct Chandelier { m: Real = 3, bead: Real = 0.5, l: Real = 0.4, g: Real = 9.81 }
    body crown: Rigid3 { mass: m, inertia: [0.2, 0.25, 0.4] }
    particle drop[4]: Point3 { mass: bead }
    constraint hook: at(crown, [0, 0, 0.3]) == [0, 0, 0];
    constraint rope[0]: norm(drop[0] - at(crown, [0.5, 0, 0])) == l;
    constraint rope[1]: norm(drop[1] - at(crown, [0, 0.5, 0])) == l;
    constraint rope[2]: norm(drop[2] - at(crown, [-0.5, 0, 0])) == l;
    constraint rope[3]: norm(drop[3] - at(crown, [0, -0.5, 0])) == l;
    potential m*g*at(crown, [0, 0, 0]).z;
    for i in 0..4 { potential bead*g*drop[i].z; }
}

/// Hung up aslant and let go, it keeps its energy and the momentum about the vertical; at rest its ropes carry the
/// beads and the hook carries all.
#[test]
fn a_chandelier_of_a_body_and_beads() -> Result<(), Error> {
    let system = Chandelier::<f64>::default();
    let hung = |turn: Vector3<f64>| {
        let turn = UnitQuaternion::from_scaled_axis(turn);
        let place = turn * Vector3::new(0.0, 0.0, -0.3);
        let crown = Rigid3::from_parts(place.into(), turn);
        let ends = [[0.5, 0.0], [0.0, 0.5], [-0.5, 0.0], [0.0, -0.5]];
        let drop = ends.map(|[x, y]| crown * Point3::new(x, y, 0.0) - Vector3::z() * system.l);
        ChandelierCoordinates { crown, drop }
    };
    let lambda = system.multipliers(0.0, &hung(Vector3::zeros()).into(), &SVector::zeros())?;
    let weight = system.bead * system.g;
    assert_relative_eq!(
        lambda[2],
        (system.m + 4.0 * system.bead) * system.g,
        epsilon = 1e-12
    );
    for rope in 3..7 {
        assert_relative_eq!(lambda[rope], -weight, epsilon = 1e-12);
    }

    let mut v = ChandelierVelocities::default();
    v.drop[0] = Vector3::new(0.0, 0.6, 0.0);
    let start = State::new(0.0, hung(Vector3::new(0.4, 0.2, 0.0)), v);
    let start = make_consistent(&system, start)?;
    let mut run = Simulation::new(system, start, DormandPrince::new(1e-11, 1e-11))?;
    let about_vertical = |state: &State<SVector<f64, 19>, SVector<f64, 18>>| {
        let (q, v) = (
            ChandelierCoordinates::from(state.q),
            ChandelierVelocities::from(state.v),
        );
        let turn = q.crown.rotation;
        let inside = turn.inverse() * v.crown.angular;
        let own = turn * inside.component_mul(&Vector3::new(0.2, 0.25, 0.4));
        let crown = q.crown.translation.vector.cross(&v.crown.linear) * system.m + own;
        let beads = q.drop.iter().zip(&v.drop);
        let beads: Vector3<f64> = beads.map(|(x, v)| x.coords.cross(v) * system.bead).sum();
        (crown + beads).z
    };
    let (energy, momentum) = (run.energy(), about_vertical(run.state()));
    run.run_until(3.0)?;
    assert_relative_eq!(run.energy(), energy, max_relative = 1e-9);
    assert_relative_eq!(about_vertical(run.state()), momentum, epsilon = 1e-9);
    assert!(run.drift() < 1e-13 && momentum > 0.1, "{momentum}");
    Ok(())
}

system! {
    /// Bodies that are refused where a parameter is.
    pub struct Refused { m: Real = 1, flat: Real = 1, a: Real = 1, b: Real = 1, c: Real = 1, coupling: Real = 0 }
    body disk: Rigid2 { mass: 1, inertia: flat }
    body told: Rigid3 { mass: m, inertia: [a, b, c] }
    body coupled: Rigid3 { mass: m, inertia: [[a, coupling, 0], [coupling, b, 0], [0, 0, c]] }
}

#[test]
fn masses_and_inertias_must_be_positive_and_finite() {
    let good = Refused::<f64>::default();
    assert_eq!(good.validate(), Ok(()));
    for bad in [0.0, -2.0] {
        let refused = Refused { flat: bad, ..good }.validate();
        assert_eq!(refused, Err(Error::InvalidInertia { pivot: bad }));
        let refused = Refused { c: bad, ..good }.validate();
        assert_eq!(refused, Err(Error::InvalidInertia { pivot: bad }));
        let refused = Refused { m: bad, ..good }.validate();
        assert_eq!(refused, Err(Error::InvalidMass { mass: bad }));
    }
    let value = f64::INFINITY;
    let (mut flat, mut c, mut m) = (good, good, good);
    (flat.flat, c.c, m.m) = (value, value, value);
    for (refused, parameter) in [(flat, "flat"), (c, "c"), (m, "m")] {
        let refused = refused.validate();
        assert_eq!(refused, Err(Error::InvalidParameter { parameter, value }));
    }
    let a = f64::NAN;
    let refused = Refused { a, ..good }.validate();
    assert!(
        matches!(refused, Err(Error::InvalidParameter { parameter: "a", .. })),
        "{refused:?}"
    );
}

/// A rod has two moments, a disk one that is the sum of the others, and nothing has more.
#[test]
fn a_moment_beyond_the_sum_of_the_others_is_refused_with_its_excess() {
    let good = Refused::<f64>::default();
    let (a, b) = (0.5, 0.5);
    assert_eq!(Refused { a, b, ..good }.validate(), Ok(()));
    let excess = |refused: Refused| match refused.validate() {
        Err(Error::ImpossibleInertia { excess }) => excess,
        other => panic!("{other:?}"),
    };
    let long = Refused { b: 2.5, ..good };
    assert_relative_eq!(excess(long), 0.5, epsilon = 1e-14);
    // 1 ± 0.6 about the principal axes, and 1: the sum of 0.4 and 1 is exceeded by 0.2.
    let coupling = 0.6;
    assert_relative_eq!(excess(Refused { coupling, ..good }), 0.2, epsilon = 1e-14);
    let start = State::new(
        0.0,
        RefusedCoordinates::default(),
        RefusedVelocities::default(),
    );
    let simulated = Simulation::new(long, start, Rk4::new(1e-3));
    let message = simulated.unwrap_err().to_string();
    assert!(message.starts_with("no body has this inertia"), "{message}");
}
