//! Systems with bodies in loops against the same with every operation written out.

use constraint_runtime::prelude::*;

use crate::rolled::{both, close, responses_agree};

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

// Bodies, joints, forces and torques that know their index, and inputs.
both! { OwnLinks, OwnLinksWritten { w: [Real; 6], moments: [Vector3; 6], up: [Vector3; 6], down: Vector3 = [0.1, -0.1, -0.4] }
    input push[6]: Vector3, twist[6]: Vector3;
    for i in 0..6 { body link[i]: Rigid3 { mass: 1/w[i], inertia: [moments[i].x, moments[i].y, moments[i].z] } }
    constraint anchor: at(link[0], up[0]) == [sin(t), 0, 0];
    for i in 1..6 { constraint ball[i]: at(link[i], up[i]) == at(link[i-1], down); }
    for i in 0..6 { force at(link[i], up[i]): push[i]; torque link[i]: twist[i]; }
}

// Hinges, whose two constraints couple a body with the same next one: elimination creates entries.
both! { Hinges, HingesWritten { m: Real = 1, l: Real = 0.4, i0: Real = 0.2, i1: Real = 0.3, i2: Real = 0.25, p: Real = 0.01 }
    body leaf[6]: Rigid3 { mass: m, inertia: [[i0, p, 0], [p, i1, 2*p], [0, 2*p, i2]] }
    constraint frame: at(leaf[0], [0, 0, l]) == [0, 0, 0];
    for i in 1..6 {
        constraint point[i]: at(leaf[i], [0, 0, l]) == at(leaf[i-1], [0, 0, -l]);
        constraint across[i]: dot(dir(leaf[i], [1, 0, 0]), dir(leaf[i-1], [0, 1, 0])) == 0;
        constraint along[i]: dot(dir(leaf[i], [1, 0, 0]), dir(leaf[i-1], [0, 0, 1])) == 0;
    }
    for i in 0..6 { force leaf[i]: [0, 0, -9.81*m]; dissipation norm_squared(angular_velocity(leaf[i])); }
}

// A ring of balls and bodies without an axis of their own between particles, on rods.
both! { Mobile, MobileWritten { m: [Real; 5] = 1, l: Real = 0.5 }
    for i in 0..5 { particle knot[i]: Point3 { mass: m[i] } }
    body ball[5]: Rigid3 { mass: 2, inertia: [0.3, 0.3, 0.3] }
    body top[5]: Rigid3 { mass: 1, inertia: [0.2, 0.2, 0.1] }
    for i in 0..5 { constraint thread[i]: norm(at(ball[i], [0, l, 0]) - knot[i]) == l; }
    for i in 0..5 { constraint hung[i]: norm_squared(at(top[i], [0, 0, l]) - knot[(i + 1) % 5]) == l^2; }
    for i in 0..5 { constraint joint[i]: at(ball[i], [l, 0, 0]) == at(top[i], [0, 0, -l]); }
    for i in 0..5 { potential 9.81*m[i]*knot[i].z; force ball[i]: [0, 0, -19.62]; }
    for i in 0..5 { potential norm_squared(at(top[i], [l, 0, 0]) - at(ball[(i + 1) % 5], [0, 0, l])); }
}

// A tree, and rows on velocities.
both! { Skates, SkatesWritten { m: Real = 1, l: Real = 0.3 }
    body sled[7]: Rigid2 { mass: m, inertia: 0.1*m }
    for i in 0..3 { constraint left[i]: at(sled[2*i + 1], [0, l]) == at(sled[i], [l, -l]); }
    for i in 0..3 { constraint right[i]: at(sled[2*i + 2], [0, l]) == at(sled[i], [-l, -l]); }
    for i in 0..7 { constraint runner[i]: dot(velocity(at(sled[i], [l, 0])), dir(sled[i], [0, 1])) == 0; }
    for i in 0..7 { force sled[i]: [1, 0.1*i]; torque sled[i]: 0.2; }
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
    let (moved, there) = a.projected_motion(t, &q, &v).unwrap();
    let both = b.projected_motion(t, &q, &v).unwrap();
    close("v′", moved.as_slice(), both.0.as_slice());
    close("v̇ at v′", there.as_slice(), both.1.as_slice());
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
    same(
        "M⁻¹ h",
        a.free_acceleration(t, &q, &v),
        b.free_acceleration(t, &q, &v),
    );
    responses_agree(&a, &b, &q);
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

#[test]
fn everything_by_index() {
    let vector = |i: usize| Vector3::new(own(i), own(i + 31), own(i + 67));
    let w = core::array::from_fn(own);
    let moments = core::array::from_fn(vector);
    let up = core::array::from_fn(|i| vector(i + 5));
    let down = Vector3::new(0.1, -0.1, -0.4);
    let push = core::array::from_fn(|i| vector(i + 9));
    let twist = core::array::from_fn(|i| vector(i + 13));
    agree(
        OwnLinks {
            w,
            moments,
            up,
            down,
        }
        .with_inputs(OwnLinksInputs { push, twist }),
        OwnLinksWritten {
            w,
            moments,
            up,
            down,
        }
        .with_inputs(OwnLinksWrittenInputs { push, twist }),
    );
}

#[test]
fn hinges_of_two_constraints() {
    agree(Hinges::default(), HingesWritten::default());
}

#[test]
fn a_ring_of_balls_tops_and_particles() {
    let m = core::array::from_fn(own);
    agree(Mobile { m, l: 0.5 }, MobileWritten { m, l: 0.5 });
}

#[test]
fn a_tree_on_runners() {
    agree(Skates::default(), SkatesWritten::default());
}
