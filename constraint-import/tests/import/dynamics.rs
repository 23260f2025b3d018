//! Mass matrices, forces and accelerations against Newton–Euler with the numbers of the files, copied here by hand.

use std::f64::consts::PI;

use constraint_import::Options;
use nalgebra::DVector;

use crate::model::{Model, assert_close, imported, noise};
use crate::newton_euler::{By, Link, forces, frames, mass_matrix, world};

const NOTHING: [f64; 3] = [0.0; 3];

/// A link without rotated frames.
fn link(
    base: Option<usize>,
    place: [f64; 3],
    by: By,
    mass: f64,
    centre: [f64; 3],
    inertia: [f64; 6],
) -> Link {
    Link {
        base,
        place,
        rpy: NOTHING,
        by,
        mass,
        centre,
        inertia,
        inertia_rpy: NOTHING,
    }
}

/// The links of `two_link.urdf`.
fn two_link() -> Vec<Link> {
    let y = [0.0, 1.0, 0.0];
    let mut upper = link(
        None,
        [0.0, 0.0, 0.5],
        By::Hinge(y, 0, 1.0, 0.0),
        3.0,
        [0.0, 0.0, 0.4],
        [0.16, 0.0, 0.0, 0.16, 0.0, 0.01],
    );
    upper.rpy = [0.0, PI / 2.0, 0.0];
    let fore = link(
        Some(0),
        [0.0, 0.0, 0.8],
        By::Hinge(y, 1, 1.0, 0.0),
        2.0,
        [0.0, 0.0, 0.3],
        [0.06, 0.001, 0.0, 0.063, 0.0, 0.005],
    );
    vec![upper, fore]
}

/// Compares M, M a − h and v̇ of a robot on a fixed root at 20 states. `losses` are the forces of damping and friction.
fn check(model: &Model, links: &[Link], count: usize, losses: impl Fn(&[f64]) -> Vec<f64>) {
    for i in 0..20 {
        let [q, v, a] = [0, 1, 2].map(|k| {
            (0..count)
                .map(|j| 2.0 * noise(60 * i + 20 * k + j))
                .collect::<Vec<f64>>()
        });
        let mass = mass_matrix(links, count, &q);
        assert_close(
            &model.call("mass_times", &q, &v, &a),
            (&mass * DVector::from(a.clone())).as_slice(),
            1e-12,
        );
        let lost = losses(&v);
        let (mut torque, _) = forces(links, world(9.81), count, [&q, &v, &a]);
        torque
            .iter_mut()
            .zip(&lost)
            .for_each(|(x, lost)| *x += lost);
        assert_close(&model.call("inverse_dynamics", &q, &v, &a), &torque, 1e-12);
        let (bias, _) = forces(links, world(9.81), count, [&q, &v, &vec![0.0; count]]);
        let free = -(DVector::from(bias) + DVector::from(lost));
        let expected = mass.cholesky().expect("a positive definite M").solve(&free);
        assert_close(
            &model.call("acceleration", &q, &v, &[]),
            expected.as_slice(),
            1e-10,
        );
    }
}

#[test]
fn two_links_move_as_newton_and_euler_say() {
    let imported = imported("two_link.urdf", &Options::new("two_link.urdf"));
    let model = Model::new(&imported.text);
    let losses = |v: &[f64]| vec![0.7 * v[0] + 0.2 * (v[0] / 0.01).tanh(), 0.0];
    check(&model, &two_link(), 2, losses);
    for i in 0..20 {
        let q = [3.0 * noise(i), 3.0 * noise(i + 20)];
        let expected = frames(&two_link(), world(0.0), [&q, &[0.0; 2], &[0.0; 2]])[1].place;
        assert_close(
            &model.call("outputs", &q, &[0.0; 2], &[]),
            expected.as_slice(),
            1e-14,
        );
    }
}
