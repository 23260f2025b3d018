//! A figure of bodies and joints of the library, which falls.

use approx::assert_abs_diff_eq;
use constraint_runtime::make_consistent;
use constraint_runtime::prelude::*;

use crate::lagrange::scattered;

system! {
    /// A ragdoll: a trunk, a head, arms and legs of two bones each, on ball joints and hinges with springs that limit them.
    pub struct Ragdoll { m: Real = 70, k: Real = 2000, c: Real = 5, floor: Real = 20000, g: Real = 9.81 }

    part Limb { trunk: Rigid3, place: Vector3, upper: Real, lower: Real, m: Real, axis: Vector3, k: Real, c: Real, most: Real } {
        body first: Rigid3 { mass: m, inertia: [m*upper^2/12, m*upper^2/12, m*upper^2/200] }
        body second: Rigid3 { mass: m/2, inertia: [m*lower^2/24, m*lower^2/24, m*lower^2/400] }
        joint root: Ball { a: trunk, b: first, r1: place, r2: [0, 0, upper/2] }
        joint middle: Hinge { a: first, b: second, r1: [0, 0, -upper/2], r2: [0, 0, lower/2], axis: axis }
        let end = at(second, [0, 0, -lower/2]);
        let bend = dot(dir(first, [1, 0, 0]), dir(second, [0, 0, 1]));
        potential k/2*max(0, bend - most)^2 + k/2*max(0, -bend)^2;
        let slip = angular_velocity(second) - angular_velocity(first);
        dissipation c/2*norm_squared(slip);
    }

    body trunk: Rigid3 { mass: m/2, inertia: [m/20, m/20, m/40] }
    body head: Rigid3 { mass: m/15, inertia: [m/1000, m/1000, m/1000] }
    joint neck: Ball { a: trunk, b: head, r1: [0, 0, 0.3], r2: [0, 0, -0.12] }
    arm[i in 0..2]: Limb { trunk: trunk, place: [0, 0.4*i - 0.2, 0.25], upper: 0.3, lower: 0.28, m: m/20, axis: [0, 1, 0], k: k, c: c, most: 0.9 }
    leg[i in 0..2]: Limb { trunk: trunk, place: [0, 0.2*i - 0.1, -0.3], upper: 0.45, lower: 0.45, m: m/10, axis: [0, -1, 0], k: k, c: c, most: 0.9 }

    gravity [0, 0, -g];
    for i in 0..2 {
        potential floor/2*min(0, leg[i].end.z)^2 + floor/2*min(0, arm[i].end.z)^2;
    }
    output top = at(head, [0, 0, 0.12]);
    output knee[i in 0..2] = leg[i].bend;
}

/// Standing, arms and legs down.
fn standing() -> RagdollCoordinates<f64> {
    let at = |y: f64, z: f64| Rigid3::translation(0.0, y, z);
    let sides = [-1.0, 1.0];
    RagdollCoordinates {
        trunk: at(0.0, 1.5),
        head: at(0.0, 1.5 + 0.3 + 0.12),
        arm: sides.map(|side| RagdollLimbCoordinates {
            first: at(0.2 * side, 1.75 - 0.15),
            second: at(0.2 * side, 1.75 - 0.3 - 0.14),
        }),
        leg: sides.map(|side| RagdollLimbCoordinates {
            first: at(0.1 * side, 1.2 - 0.225),
            second: at(0.1 * side, 1.2 - 0.45 - 0.225),
        }),
    }
}

fn poses(q: &RagdollCoordinates<f64>) -> [Rigid3<f64>; 10] {
    let limbs =
        [&q.arm, &q.leg].map(|[one, other]| [one.first, one.second, other.first, other.second]);
    let [a, l] = limbs;
    [
        q.trunk, q.head, a[0], a[1], a[2], a[3], l[0], l[1], l[2], l[3],
    ]
}

fn twists(v: &RagdollVelocities<f64>) -> [Twist3<f64>; 10] {
    let limbs =
        [&v.arm, &v.leg].map(|[one, other]| [one.first, one.second, other.first, other.second]);
    let [a, l] = limbs;
    [
        v.trunk, v.head, a[0], a[1], a[2], a[3], l[0], l[1], l[2], l[3],
    ]
}

/// Joints, springs and dampers push both ways: what is left is the weight, and its torque about the origin.
#[test]
fn a_ragdoll_falls_as_its_weight_pulls() -> Result<(), Error> {
    let doll = Ragdoll::<f64>::default();
    let bent = SVector::from(standing()) + scattered::<70>(1.0) * 0.05;
    let State { q, v, .. } = make_consistent(&doll, State::new(0.0, bent, scattered::<60>(2.0)))?;
    let a = doll.acceleration(0.0, &q, &v)?;
    let poses = poses(&q.into());
    let (rates, changes) = (twists(&v.into()), twists(&a.into()));

    let rod = |m: f64, l: f64| {
        (
            m,
            Vector3::new(l * l / 12.0, l * l / 12.0, l * l / 200.0) * m,
        )
    };
    let m = doll.m;
    let arm = [rod(m / 20.0, 0.3), rod(m / 40.0, 0.28)];
    let leg = [rod(m / 10.0, 0.45), rod(m / 20.0, 0.45)];
    let trunk = (m / 2.0, Vector3::new(m / 20.0, m / 20.0, m / 40.0));
    let head = (m / 15.0, Vector3::from_element(m / 1000.0));
    let masses = [&[trunk, head][..], &arm, &arm, &leg, &leg].concat();

    let (mut force, mut torque) = (Vector3::zeros(), Vector3::zeros());
    for (i, (mass, moments)) in masses.into_iter().enumerate() {
        let place = poses[i].translation.vector;
        let turn = poses[i].rotation.to_rotation_matrix();
        let inertia = turn * SMatrix::<f64, 3, 3>::from_diagonal(&moments) * turn.transpose();
        let spin = rates[i].angular;
        let pushed = (changes[i].linear + Vector3::z() * doll.g) * mass;
        force += pushed;
        torque +=
            place.cross(&pushed) + inertia * changes[i].angular + spin.cross(&(inertia * spin));
    }
    let most = a.amax() * m;
    assert_abs_diff_eq!(force.norm() / most, 0.0, epsilon = 1e-12);
    assert_abs_diff_eq!(torque.norm() / most, 0.0, epsilon = 1e-12);

    // Both knees are held back, one because it is bent the wrong way.
    let told = doll.outputs(0.0, &q, &v)?;
    assert!(told.knee.iter().any(|&bend| bend < 0.0), "{:?}", told.knee);
    Ok(())
}
