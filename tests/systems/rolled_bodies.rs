//! Systems with bodies in loops against the same with every operation written out.

use constraint_runtime::prelude::*;

use crate::rolled::{both, close};

both! { PlaneChain, PlaneChainWritten { m: [Real; 16] = 1, moment: [Real; 16] = 0.1, up: Vector2 = [0.1, 0.5], g: Real = 9.81 }
    for i in 0..16 { body link[i]: Rigid2 { mass: m[i], inertia: moment[i] } }
    constraint anchor: at(link[0], up) == [0, 0];
    for i in 1..16 { constraint pin[i]: at(link[i], up) == at(link[i-1], [0.1, -0.4]); }
    for i in 0..16 { force link[i]: [0, -m[i]*g]; }
}

both! { Links, LinksWritten { m: Real = 0.7, a: Real = 0.4, b: Real = 0.3, c: Real = 0.1, l: Real = 0.5, g: Real = 9.81 }
    body link[10]: Rigid3 { mass: m, inertia: [a, b, c] }
    constraint anchor: at(link[0], [0, 0, l]) == [0, 0, 0];
    for i in 1..10 { constraint ball[i]: at(link[i], [0, 0, l]) == at(link[i-1], [0, 0, -l]); }
    for i in 0..10 { force link[i]: [0, 0, -m*g]; }
}

/// A system with bodies, `Q` coordinates and `V` velocities under `M` rows.
trait Rows<const Q: usize, const V: usize, const M: usize>:
    System<
        f64,
        Q = SVector<f64, Q>,
        V = SVector<f64, V>,
        Rows = SVector<f64, M>,
        Jacobian = SMatrix<f64, M, V>,
    >
{
}

impl<S, const Q: usize, const V: usize, const M: usize> Rows<Q, V, M> for S where
    S: System<
            f64,
            Q = SVector<f64, Q>,
            V = SVector<f64, V>,
            Rows = SVector<f64, M>,
            Jacobian = SMatrix<f64, M, V>,
        >
{
}

/// Numbers from 1/2 to 3/2.
fn own(i: usize) -> f64 {
    1.0 + (2.3 * i as f64).sin() / 2.0
}

/// At a state far from the constraints, with rotations that are unit ones.
#[track_caller]
fn agree<const Q: usize, const V: usize, const M: usize>(
    a: impl Rows<Q, V, M>,
    b: impl Rows<Q, V, M>,
) {
    let mut q = SVector::<f64, Q>::from_fn(|i, _| 0.3 * (i as f64 + 1.0) + (1.7 * i as f64).sin());
    a.normalize(&mut q);
    let v = SVector::<f64, V>::from_fn(|i, _| (0.9 * i as f64).cos());
    let w = SVector::<f64, V>::from_fn(|i, _| own(i) - 2.0 * own(i + 3));
    let c = SVector::<f64, M>::from_fn(|i, _| (i as f64 - 2.5) / (1.0 + i as f64));
    let t = 0.7;
    let same =
        |name: &str, a: Result<SVector<f64, V>, Error>, b: Result<SVector<f64, V>, Error>| {
            close(name, a.unwrap().as_slice(), b.unwrap().as_slice());
        };
    same("v̇", a.acceleration(t, &q, &v), b.acceleration(t, &q, &v));
    same(
        "Jᵀλ",
        a.constraint_force(t, &q, &v),
        b.constraint_force(t, &q, &v),
    );
    same(
        "correction",
        a.correction(t, &q, &c),
        b.correction(t, &q, &c),
    );
    let [x, y] = [a.multipliers(t, &q, &v), b.multipliers(t, &q, &v)];
    close("λ", x.unwrap().as_slice(), y.unwrap().as_slice());
    let (acceleration, lambda) = a.acceleration_and_multipliers(t, &q, &v).unwrap();
    let both = b.acceleration_and_multipliers(t, &q, &v).unwrap();
    close("v̇ of both", acceleration.as_slice(), both.0.as_slice());
    close("λ of both", lambda.as_slice(), both.1.as_slice());
    let moved = a.jacobian(t, &q) * acceleration;
    close("J v̇", moved.as_slice(), (-a.bias(t, &q, &v)).as_slice());
    same(
        "M a − h",
        a.inverse_dynamics(t, &q, &v, &w),
        b.inverse_dynamics(t, &q, &v, &w),
    );
    close(
        "M a",
        a.mass_times(t, &q, &w).as_slice(),
        b.mass_times(t, &q, &w).as_slice(),
    );
    close(
        "q̇",
        a.kinematics(t, &q, &v).as_slice(),
        b.kinematics(t, &q, &v).as_slice(),
    );
    close(
        "J",
        a.jacobian(t, &q).as_slice(),
        b.jacobian(t, &q).as_slice(),
    );
    close(
        "C",
        a.constraint(t, &q).as_slice(),
        b.constraint(t, &q).as_slice(),
    );
    close(
        "Ċ",
        a.constraint_rate(t, &q, &v).as_slice(),
        b.constraint_rate(t, &q, &v).as_slice(),
    );
    close(
        "β",
        a.bias(t, &q, &v).as_slice(),
        b.bias(t, &q, &v).as_slice(),
    );
    close(
        "sizes",
        a.row_sizes(t, &q).as_slice(),
        b.row_sizes(t, &q).as_slice(),
    );
    let energies = |kinetic, potential| [kinetic, potential];
    close(
        "energies",
        &energies(a.kinetic_energy(t, &q, &v), a.potential_energy(t, &q)),
        &energies(b.kinetic_energy(t, &q, &v), b.potential_energy(t, &q)),
    );
    if let (Ok(x), Ok(y)) = (a.own_slope(t, &q, &v), b.own_slope(t, &q, &v)) {
        close("q̇, ω of the body", x.0.as_slice(), y.0.as_slice());
        close("v̇, ω of the body", x.1.as_slice(), y.1.as_slice());
    }
}

#[test]
fn a_plane_chain_of_masses_of_its_own() {
    let m = core::array::from_fn(own);
    let moment = core::array::from_fn(|i| own(i + 20));
    let (up, g) = (Vector2::new(0.1, 0.5), 9.81);
    agree(
        PlaneChain { m, moment, up, g },
        PlaneChainWritten { m, moment, up, g },
    );
}

#[test]
fn links_on_ball_joints() {
    agree(Links::default(), LinksWritten::default());
}
