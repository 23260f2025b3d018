//! Two indices, arithmetic on them, sums over them, lists, and numbers with names.

use constraint_runtime::prelude::*;

use crate::{check_alike, noise};

const ROWS: usize = 2;
const COLUMNS: usize = 3;

system! {
    /// A net of six knots, its threads of their own rest lengths, in a wind that each knot feels its own part of.
    pub struct Net { m: [[Real; COLUMNS]; ROWS], k: [Real; COLUMNS] = [20, 30, 40], pin: [Vector2; 2] = [[0, 1], [2, 1]] }
    const ROWS = 2;
    const COLUMNS = ROWS + 1;
    let rest = [1, 5/4, 3/2, 7/4];
    let corner = [[0, 0], [1, 0], [1, 1], [0, 1]];
    let across = [1/2, 3/4];
    input wind[ROWS][COLUMNS]: Vector2, pull[ROWS];
    for i in 0..ROWS { for j in 0..COLUMNS { particle knot[i][j]: Point2 { mass: m[i][j] } } }
    for i in 0..ROWS { for j in 1..COLUMNS {
        constraint thread[i][j]: norm(knot[i][j] - knot[i][j - 1]) == across[i];
    } }
    potential sum(j in 0..COLUMNS: k[j]/2*(norm(knot[1][j] - knot[0][j]) - rest[(j + 3) % 4])^2);
    potential norm_squared(knot[0][0] - corner[2]) + norm_squared(knot[0][2] - pin[1]);
    for i in 0..ROWS { for j in 0..COLUMNS { force knot[i][j]: wind[i][j] + [0, pull[i] - 9.81*m[i][j]]; } }
}

system! {
    pub struct NetByName {
        m0: Real, m1: Real, m2: Real, m3: Real, m4: Real, m5: Real,
        k0: Real = 20, k1: Real = 30, k2: Real = 40, pin: Vector2 = [2, 1],
    }
    input w0: Vector2, w1: Vector2, w2: Vector2, w3: Vector2, w4: Vector2, w5: Vector2, p0, p1;
    particle a0: Point2 { mass: m0 }
    particle a1: Point2 { mass: m1 }
    particle a2: Point2 { mass: m2 }
    particle b0: Point2 { mass: m3 }
    particle b1: Point2 { mass: m4 }
    particle b2: Point2 { mass: m5 }
    constraint c01: norm(a1 - a0) == 1/2;
    constraint c02: norm(a2 - a1) == 1/2;
    constraint c11: norm(b1 - b0) == 3/4;
    constraint c12: norm(b2 - b1) == 3/4;
    potential k0/2*(norm(b0 - a0) - 7/4)^2 + k1/2*(norm(b1 - a1) - 1)^2 + k2/2*(norm(b2 - a2) - 5/4)^2;
    potential norm_squared(a0 - [1, 1]) + norm_squared(a2 - pin);
    force a0: w0 + [0, p0 - 9.81*m0];
    force a1: w1 + [0, p0 - 9.81*m1];
    force a2: w2 + [0, p0 - 9.81*m2];
    force b0: w3 + [0, p1 - 9.81*m3];
    force b1: w4 + [0, p1 - 9.81*m4];
    force b2: w5 + [0, p1 - 9.81*m5];
}

#[test]
fn a_net_of_two_indices_is_the_net_written_by_name() {
    let m: [[f64; COLUMNS]; ROWS] =
        core::array::from_fn(|i| core::array::from_fn(|j| 1.5 + noise(3 * i + j)));
    let net = Net {
        m,
        k: [20.0, 30.0, 40.0],
        pin: [[0.0, 1.0].into(), [2.0, 1.0].into()],
    };
    let wind = core::array::from_fn(|i| {
        core::array::from_fn(|j| Vector2::new(noise(i + 7 * j), noise(i + j + 50)))
    });
    let pull = [0.25, 0.75];
    let [[m0, m1, m2], [m3, m4, m5]] = m;
    let by_name = NetByName {
        m0,
        m1,
        m2,
        m3,
        m4,
        m5,
        k0: 20.0,
        k1: 30.0,
        k2: 40.0,
        pin: [2.0, 1.0].into(),
    };
    let [[w0, w1, w2], [w3, w4, w5]] = wind;
    let [p0, p1] = pull;
    let net = net.with_inputs(NetInputs { wind, pull });
    let by_name = by_name.with_inputs(NetByNameInputs {
        w0,
        w1,
        w2,
        w3,
        w4,
        w5,
        p0,
        p1,
    });
    let q = SVector::<f64, 12>::from_fn(|i, _| i as f64 / 3.0 + noise(i) / 4.0);
    let v = SVector::<f64, 12>::from_fn(|i, _| noise(i + 40));
    check_alike(&net, &by_name, &q, &v);
    assert_eq!(
        Net::<f64>::CONSTRAINTS,
        [
            "thread[0][1]",
            "thread[0][2]",
            "thread[1][1]",
            "thread[1][2]"
        ]
    );
}

#[test]
fn fields_are_arrays_of_arrays_that_stand_row_by_row() {
    let flat = SVector::<f64, 12>::from_fn(|i, _| i as f64);
    let named = NetCoordinates::from(flat);
    assert_eq!(named.knot[1][2], Point2::new(10.0, 11.0));
    assert_eq!(SVector::from(named), flat);
    let velocities = NetVelocities::<f64>::default();
    assert_eq!(velocities.knot, [[Vector2::zeros(); COLUMNS]; ROWS]);
}

#[test]
fn errors_name_both_indices() {
    let net = Net {
        m: [[1.0; COLUMNS]; ROWS],
        k: [1.0; COLUMNS],
        pin: [[0.0, 1.0].into(); 2],
    };
    let net = net.with_inputs(NetInputs::default());
    let mut q = NetCoordinates::from(SVector::<f64, 12>::from_fn(|i, _| i as f64));
    q.knot[1][2].y = f64::NAN;
    let start = State::new(0.0, q, SVector::<f64, 12>::zeros());
    let error = Simulation::new(net, start, Rk4::new(1e-3)).unwrap_err();
    assert!(error.to_string().contains("`knot[1][2].y`"), "{error}");
}

system! {
    /// Four beads on a ring of rods.
    pub struct Ring { m: [Real; N], l: Real = 1 }
    const N = 4;
    for i in 0..N {
        particle bead[i]: Point2 { mass: m[i] }
    }
    for i in 0..N { constraint rod[i]: norm(bead[(i + 1) % N] - bead[i]) == l; }
    for i in 0..N { dissipation i/10*norm_squared(velocity(bead[i])); }
}

system! {
    pub struct RingByName { m0: Real, m1: Real, m2: Real, m3: Real, l: Real = 1 }
    particle b0: Point2 { mass: m0 }
    particle b1: Point2 { mass: m1 }
    particle b2: Point2 { mass: m2 }
    particle b3: Point2 { mass: m3 }
    constraint r0: norm(b1 - b0) == l;
    constraint r1: norm(b2 - b1) == l;
    constraint r2: norm(b3 - b2) == l;
    constraint r3: norm(b0 - b3) == l;
    dissipation norm_squared(velocity(b1))/10;
    dissipation norm_squared(velocity(b2))/5;
    dissipation 3/10*norm_squared(velocity(b3));
}

#[test]
fn remainders_close_a_ring() {
    let m = [1.0, 2.0, 1.5, 0.5];
    let [m0, m1, m2, m3] = m;
    let (ring, by_name) = (
        Ring { m, l: 1.0 },
        RingByName {
            m0,
            m1,
            m2,
            m3,
            l: 1.0,
        },
    );
    let q = SVector::<f64, 8>::from_fn(|i, _| noise(i));
    let v = SVector::<f64, 8>::from_fn(|i, _| noise(i + 40));
    check_alike(&ring, &by_name, &q, &v);
}

system! {
    /// Wheels and weights declared by turns, several names at once, a list of two.
    pub struct Wheels { m: [Real; 2], inertia: [Vector3; 2], arm: [Vector3; 2], l: [Real; 2] = 1/2 }
    let share = [1/3, 2/3];
    for i in 0..2 {
        body wheel[i]: Rigid3 { mass: m[i], inertia: inertia[i] }
        particle weight[i]: Point3 { mass: share[i]*m[i] }
        constraint string[i]: norm(weight[i] - at(wheel[i], arm[i])) == l[i];
        torque wheel[i]: [0, 0, share[i]];
    }
    body left, right: Rigid3 { mass: 2, inertia: [1, 2, 2] }
    particle tip, tail[2]: Point3 { mass: 3 }
}

system! {
    pub struct WheelsByName {
        m0: Real, m1: Real, i0: Vector3, i1: Vector3, a0: Vector3, a1: Vector3, l0: Real = 1/2, l1: Real = 1/2,
    }
    body wheel0: Rigid3 { mass: m0, inertia: i0 }
    body wheel1: Rigid3 { mass: m1, inertia: i1 }
    particle weight0: Point3 { mass: m0/3 }
    particle weight1: Point3 { mass: 2/3*m1 }
    body left: Rigid3 { mass: 2, inertia: [1, 2, 2] }
    body right: Rigid3 { mass: 2, inertia: [1, 2, 2] }
    particle tip: Point3 { mass: 3 }
    particle tail0: Point3 { mass: 3 }
    particle tail1: Point3 { mass: 3 }
    constraint string0: norm(weight0 - at(wheel0, a0)) == l0;
    constraint string1: norm(weight1 - at(wheel1, a1)) == l1;
    torque wheel0: [0, 0, 1/3];
    torque wheel1: [0, 0, 2/3];
}

#[test]
fn elements_declared_by_turns_stand_together() {
    let vectors = |from: usize| {
        core::array::from_fn(|i| Vector3::from_fn(|j, _| 1.5 + noise(from + 3 * i + j) / 4.0))
    };
    let [inertia, arm] = [vectors(3), vectors(20)];
    let (wheels, by_name) = (
        Wheels {
            m: [2.0, 3.0],
            inertia,
            arm,
            l: [0.5, 0.75],
        },
        WheelsByName {
            m0: 2.0,
            m1: 3.0,
            i0: inertia[0],
            i1: inertia[1],
            a0: arm[0],
            a1: arm[1],
            l0: 0.5,
            l1: 0.75,
        },
    );
    let start = WheelsCoordinates::<f64>::default();
    assert_eq!(start.wheel[1], Rigid3::default());
    let mut q: SVector<f64, 43> = start.into();
    for (i, q) in q.iter_mut().enumerate() {
        *q += noise(i) / 3.0;
    }
    let mut other = q;
    wheels.normalize(&mut q);
    by_name.normalize(&mut other);
    assert_eq!(q, other);
    let v = SVector::<f64, 39>::from_fn(|i, _| noise(i + 40));
    check_alike(&wheels, &by_name, &q, &v);
    let named = WheelsCoordinates::from(q);
    assert_eq!(named.weight[1], Point3::new(q[17], q[18], q[19]));
}
