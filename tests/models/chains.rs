//! Chains of links: a part used again and again, each hung from the one before, with n by a `const`.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use constraint_runtime::prelude::*;

use crate::lagrange::{check_lagrange, scattered};

system! {
    /// An arm of n links as parts.
    pub struct Arm { m: [Real; N] = 1, l: Real = 0.5, g: Real = 9.81 }
    const N = 5;

    part Link { base: Rigid2, m: Real, l: Real } {
        coordinate angle;
        body rod: Rigid2 = base * pose([0, 0], angle) * pose([l/2, 0]) { mass: m, inertia: m*l^2/12 }
        let tip = rod * pose([l/2, 0]);
    }
    input torque[N];
    link[0]: Link { base: pose([0, 0]), m: m[0], l: l }
    link[i in 1..N]: Link { base: link[i - 1].tip, m: m[i], l: l }
    force link[i in 0..N].angle: torque[i];
    gravity [0, -g];
    output hand = at(link[N - 1].tip, [0, 0]);
}

system! {
    /// The same in one `for`.
    pub struct Chosen { m: [Real; N] = 1, l: Real = 0.5, g: Real = 9.81 }
    const N = 5;

    part Link { base: Rigid2, m: Real, l: Real } {
        coordinate angle;
        body rod: Rigid2 = base * pose([0, 0], angle) * pose([l/2, 0]) { mass: m, inertia: m*l^2/12 }
    }
    for i in 0..N {
        link[i]: Link { base: if i == 0 { pose([0, 0]) } else { link[i - 1].rod * pose([l/2, 0]) }, m: m[i], l: l }
    }
    gravity [0, -g];
}

system! {
    /// The same held by pins: n bodies, 2 n rows.
    pub struct Pinned { m: [Real; N] = 1, l: Real = 0.5, g: Real = 9.81 }
    const N = 5;

    part Link { hook: Vector2, m: Real, l: Real } {
        body rod: Rigid2 { mass: m, inertia: m*l^2/12 }
        constraint hinge: at(rod, [-l/2, 0]) == hook;
        let tip = at(rod, [l/2, 0]);
    }
    link[0]: Link { hook: [0, 0], m: m[0], l: l }
    link[i in 1..N]: Link { hook: link[i - 1].tip, m: m[i], l: l }
    gravity [0, -g];
    output hand = link[N - 1].tip;
}

system! {
    /// A robot arm of three links in space, put together with hinges of the library.
    pub struct Arm3 { m: [Real; 3] = [4, 3, 2], l: Real = 0.6, g: Real = 9.81 }

    input motor[3];
    body link[i in 0..3]: Rigid3 { mass: m[i], inertia: [m[i]*l^2/100, m[i]*l^2/12, m[i]*l^2/12] }
    gravity [0, 0, -g];

    joint shoulder: Hinge { b: link[0], r1: [0, 0, 1], r2: [-l/2, 0, 0], axis: [0, 1, 0] }
    for i in 1..3 {
        joint elbow[i]: Hinge { a: link[i - 1], b: link[i], r1: [l/2, 0, 0], r2: [-l/2, 0, 0], axis: [0, 1, 0] }
    }
    torque link[0]: motor[0]*[0, 1, 0];
    for i in 1..3 {
        torque link[i]: motor[i]*dir(link[i], [0, 1, 0]);
        torque link[i - 1]: -motor[i]*dir(link[i], [0, 1, 0]);
    }
    output hand = at(link[2], [l/2, 0, 0]);
    output speed = norm(velocity(at(link[2], [l/2, 0, 0])));
    output load[k in 0..5] = multiplier(shoulder[k]);
}

system! {
    /// The same arm told by its angles.
    pub struct ByAngles { m: [Real; 3] = [4, 3, 2], l: Real = 0.6, g: Real = 9.81 }
    coordinate q[3];
    input motor[3];
    for i in 0..3 {
        body link[i]: Rigid2 = if i == 0 { pose([0, 1]) } else { link[i - 1] * pose([l/2, 0]) } * pose([0, 0], -q[i]) * pose([l/2, 0]) {
            mass: m[i], inertia: m[i]*l^2/12
        }
        force q[i]: motor[i];
    }
    gravity [0, -g];
}

const MASSES: [f64; 5] = [1.0, 0.7, 1.9, 0.4, 1.2];

/// Turns of the world from those of each link against the one before.
fn sums<const N: usize>(angles: &SVector<f64, N>) -> SVector<f64, N> {
    SVector::from_fn(|i, _| angles.as_slice()[..=i].iter().sum())
}

#[test]
fn links_told_by_angles_move_as_links_on_pins() -> Result<(), Error> {
    let arm = Arm {
        m: MASSES,
        ..Default::default()
    }
    .with_inputs(ArmInputs::default());
    let chosen = Chosen {
        m: MASSES,
        ..Default::default()
    };
    let pinned = Pinned {
        m: MASSES,
        ..Default::default()
    };
    for k in 0..8 {
        let (q, v) = (
            scattered::<5>(f64::from(k)) * 2.0,
            scattered::<5>(0.5 + f64::from(k)) * 3.0,
        );
        let found = arm.acceleration(0.0, &q, &v)?;
        assert_relative_eq!(
            found,
            chosen.acceleration(0.0, &q, &v)?,
            max_relative = 1e-12
        );

        let (turns, rates) = (sums(&q), sums(&v));
        let (mut coordinates, mut velocities) =
            (PinnedCoordinates::default(), PinnedVelocities::default());
        let (mut hook, mut moved) = (Vector2::zeros(), Vector2::zeros());
        for i in 0..5 {
            let half = Vector2::new(turns[i].cos(), turns[i].sin()) * (pinned.l / 2.0);
            let half_rate = Vector2::new(-half.y, half.x) * rates[i];
            let place = hook + half;
            coordinates.link[i].rod = Rigid2::new(place, turns[i]);
            velocities.link[i].rod.linear = moved + half_rate;
            velocities.link[i].rod.angular = rates[i];
            (hook, moved) = (place + half, moved + 2.0 * half_rate);
        }
        let (held, rates) = (coordinates.into(), velocities.into());
        assert_abs_diff_eq!(
            pinned.constraint_rate(0.0, &held, &rates).norm(),
            0.0,
            epsilon = 1e-12
        );
        let hand = pinned.outputs(0.0, &held, &rates)?.hand;
        assert_abs_diff_eq!(hand, arm.outputs(0.0, &q, &v)?.hand, epsilon = 1e-12);
        let there: PinnedVelocities = pinned.acceleration(0.0, &held, &rates)?.into();
        let expected = sums(&found);
        for i in 0..5 {
            assert_abs_diff_eq!(there.link[i].rod.angular, expected[i], epsilon = 1e-9);
        }
    }
    let driven = Arm::<f64>::default().with_inputs(ArmInputs {
        torque: [1.0, -2.0, 3.0, 0.5, -1.0],
    });
    check_lagrange(&driven, |_, _| [1.0, -2.0, 3.0, 0.5, -1.0].into());
    Ok(())
}

/// Angles about y turn x towards −z: links of the library's hinges, told by the angles of the other.
#[test]
fn an_arm_on_hinges_is_the_arm_told_by_angles() -> Result<(), Error> {
    let motor = [3.0, -1.0, 0.5];
    let hinged = Arm3::<f64>::default().with_inputs(Arm3Inputs { motor });
    let told = ByAngles::<f64>::default().with_inputs(ByAnglesInputs { motor });
    for k in 0..8 {
        let (q, v) = (
            scattered::<3>(f64::from(k)) * 2.0,
            scattered::<3>(0.5 + f64::from(k)) * 3.0,
        );
        let (turns, rates) = (sums(&q), sums(&v));
        let (mut coordinates, mut velocities) =
            (Arm3Coordinates::default(), Arm3Velocities::default());
        let (mut pin, mut moved) = (Vector3::z(), Vector3::zeros());
        for i in 0..3 {
            let spin = Vector3::y() * rates[i];
            let half = Vector3::new(turns[i].cos(), 0.0, -turns[i].sin()) * (told.system.l / 2.0);
            let link = &mut coordinates.link[i];
            *link = Rigid3::rotation(Vector3::y() * turns[i]);
            link.translation.vector = pin + half;
            velocities.link[i].linear = moved + spin.cross(&half);
            velocities.link[i].angular = spin;
            (pin, moved) = (pin + 2.0 * half, moved + 2.0 * spin.cross(&half));
        }
        let (held, rates) = (coordinates.into(), velocities.into());
        assert_abs_diff_eq!(
            hinged.constraint_rate(0.0, &held, &rates).norm(),
            0.0,
            epsilon = 1e-12
        );
        let outputs = hinged.outputs(0.0, &held, &rates)?;
        assert_abs_diff_eq!(outputs.hand, pin, epsilon = 1e-12);
        assert_abs_diff_eq!(outputs.speed, moved.norm(), epsilon = 1e-12);
        let found: Arm3Velocities = hinged.acceleration(0.0, &held, &rates)?.into();
        let expected = sums(&told.acceleration(0.0, &q, &v)?);
        for i in 0..3 {
            assert_abs_diff_eq!(found.link[i].angular.y, expected[i], epsilon = 1e-9);
        }
    }
    Ok(())
}
