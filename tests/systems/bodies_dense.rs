//! Bodies of `system!` against dense equations set up by hand: M, gyroscopic torques, J and its change.

use constraint_runtime::nalgebra::{DMatrix, DVector, Matrix3, UnitQuaternion};
use constraint_runtime::prelude::*;

const LINKS: usize = 8;

system! {
    /// Eight bodies on ball joints, the first on a fixed point.
    pub struct Links { m: Real = 0.7, a: Real = 0.4, b: Real = 0.3, c: Real = 0.1, l: Real = 0.5, g: Real = 9.81 }
    body link[8]: Rigid3 { mass: m, inertia: [a, b, c] }
    constraint anchor: at(link[0], [0, 0, l]) == [0, 0, 0];
    for i in 1..8 { constraint ball[i]: at(link[i], [0, 0, l]) == at(link[i-1], [0, 0, -l]); }
    for i in 0..8 { force link[i]: [0, 0, -m*g]; }
    force at(link[7], [0.1, 0, -l]): [1, 2, 3];
    torque link[3]: [0.3, -0.2, 0.1];
}

fn cross(r: Vector3<f64>) -> Matrix3<f64> {
    r.cross_matrix()
}

/// A state that hangs together, made of turns and spins; the joints' velocities match too.
fn state() -> (LinksCoordinates, LinksVelocities) {
    let mut q = LinksCoordinates::default();
    let mut v = LinksVelocities::default();
    let (mut joint, mut rate) = (Vector3::zeros(), Vector3::zeros());
    for i in 0..LINKS {
        let x = i as f64;
        let turn = Vector3::new((1.1 * x).sin(), (0.7 * x + 1.0).cos(), (0.3 * x).sin());
        let spin = Vector3::new((2.1 * x).cos(), (0.9 * x).sin(), (1.3 * x + 0.5).cos());
        let rotation = UnitQuaternion::from_scaled_axis(turn);
        let arm = rotation * Vector3::new(0.0, 0.0, 0.5);
        let place = joint - arm;
        q.link[i] = Rigid3::from_parts(place.into(), rotation);
        let linear = rate - spin.cross(&arm);
        v.link[i] = Twist3 {
            linear,
            angular: spin,
        };
        joint = place - arm;
        rate = linear - spin.cross(&arm);
    }
    (q, v)
}

struct Dense {
    mass: DMatrix<f64>,
    applied: DVector<f64>,
    jacobian: DMatrix<f64>,
    bias: DVector<f64>,
}

/// M, h, J and β: the joint between bodies i−1 and i has rows 3i, bodies have columns 6i.
fn dense(q: &LinksCoordinates, v: &LinksVelocities) -> Dense {
    let n = 6 * LINKS;
    let mut mass = DMatrix::zeros(n, n);
    let mut applied = DVector::zeros(n);
    let mut jacobian = DMatrix::zeros(3 * LINKS, n);
    let mut bias = DVector::zeros(3 * LINKS);
    for i in 0..LINKS {
        let turn = q.link[i].rotation.to_rotation_matrix();
        let spin = v.link[i].angular;
        let inertia = turn * Matrix3::from_diagonal(&[0.4, 0.3, 0.1].into()) * turn.transpose();
        let c = 6 * i;
        mass.view_mut((c, c), (3, 3)).fill_diagonal(0.7);
        mass.view_mut((c + 3, c + 3), (3, 3)).copy_from(&inertia);
        applied[c + 2] = -0.7 * 9.81;
        applied
            .rows_mut(c + 3, 3)
            .copy_from(&-spin.cross(&(inertia * spin)));
        let (up, down) = (turn * Vector3::z() * 0.5, turn * Vector3::z() * -0.5);
        for (row, arm, sign) in [(3 * i, up, 1.0), (3 * i + 3, down, -1.0)] {
            if row == 3 * LINKS {
                continue;
            }
            jacobian.view_mut((row, c), (3, 3)).fill_diagonal(sign);
            jacobian
                .view_mut((row, c + 3), (3, 3))
                .copy_from(&(cross(arm) * -sign));
            let mut rows = bias.rows_mut(row, 3);
            rows += spin.cross(&spin.cross(&arm)) * sign;
        }
    }
    let last = q.link[LINKS - 1].rotation * Vector3::new(0.1, 0.0, -0.5);
    let force = Vector3::new(1.0, 2.0, 3.0);
    let mut pushed = applied.rows_mut(n - 6, 3);
    pushed += force;
    let mut turned = applied.rows_mut(n - 3, 3);
    turned += last.cross(&force);
    let mut torque = applied.rows_mut(6 * 3 + 3, 3);
    torque += Vector3::new(0.3, -0.2, 0.1);
    Dense {
        mass,
        applied,
        jacobian,
        bias,
    }
}

#[test]
fn a_chain_of_bodies_agrees_with_dense_equations() -> Result<(), Error> {
    let system = Links::<f64>::default();
    let (named_q, named_v) = state();
    let (q, v) = (named_q.into(), named_v.into());
    let Dense {
        mass,
        applied,
        jacobian,
        bias,
    } = dense(&named_q, &named_v);
    let (n, m) = (6 * LINKS, 3 * LINKS);
    let close = |found: &[f64], expected: &[f64], what: &str| {
        let size = expected.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
        assert_eq!(found.len(), expected.len());
        for (i, (x, y)) in found.iter().zip(expected).enumerate() {
            assert!((x - y).abs() < 1e-11 * size, "{what} {i}: {x} {y}");
        }
    };
    assert!(system.constraint(0.0, &q).norm() < 1e-14);
    assert!(system.constraint_rate(0.0, &q, &v).norm() < 1e-14);
    close(
        system.jacobian(0.0, &q).as_slice(),
        jacobian.as_slice(),
        "J",
    );
    close(system.bias(0.0, &q, &v).as_slice(), bias.as_slice(), "β");
    // (M −Jᵀ; J 0) (v̇; λ) = (h; −β)
    let mut matrix = DMatrix::zeros(n + m, n + m);
    matrix.view_mut((0, 0), (n, n)).copy_from(&mass);
    matrix
        .view_mut((0, n), (n, m))
        .copy_from(&-jacobian.transpose());
    matrix.view_mut((n, 0), (m, n)).copy_from(&jacobian);
    let mut right = DVector::zeros(n + m);
    right.rows_mut(0, n).copy_from(&applied);
    right.rows_mut(n, m).copy_from(&-bias);
    let solution = matrix.lu().solve(&right).expect("a regular matrix");
    let (acceleration, multipliers) = solution.as_slice().split_at(n);
    close(
        system.acceleration(0.0, &q, &v)?.as_slice(),
        acceleration,
        "v̇",
    );
    close(
        system.multipliers(0.0, &q, &v)?.as_slice(),
        multipliers,
        "λ",
    );
    let given = SVector::<f64, 48>::from_fn(|i, _| (0.7 * i as f64).sin());
    let resisting = &mass * DVector::from_column_slice(given.as_slice());
    close(
        system.mass_times(0.0, &q, &given).as_slice(),
        resisting.as_slice(),
        "M a",
    );
    close(
        system.inverse_dynamics(0.0, &q, &v, &given)?.as_slice(),
        (resisting - &applied).as_slice(),
        "M a − h",
    );
    close(
        system.applied(0.0, &q, &v)?.as_slice(),
        applied.as_slice(),
        "h",
    );
    close(system.mass_matrix(0.0, &q).as_slice(), mass.as_slice(), "M");
    let (both, beside) = system.acceleration_and_multipliers(0.0, &q, &v)?;
    close(both.as_slice(), acceleration, "v̇ beside λ");
    close(beside.as_slice(), multipliers, "λ beside v̇");
    let off = v.map(|x: f64| x + 0.1);
    let (projected, there) = system.projected_motion(0.0, &q, &off)?;
    let change = system.correction(0.0, &q, &system.constraint_rate(0.0, &q, &off))?;
    let expected = off - change;
    close(projected.as_slice(), expected.as_slice(), "v projected");
    let expected = system.acceleration(0.0, &q, &projected)?;
    close(there.as_slice(), expected.as_slice(), "v̇ there");
    let flat = DVector::from_column_slice(SVector::<f64, 48>::from(named_v).as_slice());
    let energy = 0.5 * flat.dot(&(mass * &flat));
    assert!((system.kinetic_energy(0.0, &q, &v) - energy).abs() < 1e-12 * energy);
    Ok(())
}
