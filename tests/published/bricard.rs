//! A04, Bricard's mechanism: five square rods of 1 m and 1 kg on six hinges, each at right angles to the one before. By
//! the count of its rows it is rigid; it moves because one row follows from the others.
//!
//! In natural coordinates one redundant row is left out (three rows for each joint but two for `j2`), and J is regular on
//! the way; as bodies all thirty rows are there, by least squares.

use constraint_runtime::nalgebra::Isometry3;
use constraint_runtime::prelude::*;

use crate::adaptive::{explicitly, implicitly};
use crate::{EXPONENTS, OF_LEAST_SQUARES};

system! {
    /// In natural coordinates: the ends of the rods and unit vectors along the hinges.
    #[derivatives]
    pub struct Natural { m: Real = 1, g: Real = 9.81, w: Real = 0.1 }

    particle p[4]: Point3 { mass: 2*m/3 }
    particle u[4]: Point3 { mass: m*w^2/6 }
    for i in 1..4 { kinetic m/6*dot(velocity(p[i-1]), velocity(p[i])); }
    for i in 0..4 { potential m*g*p[i].y; }
    let last = [0, 0, 1];
    constraint l0: norm_squared(p[0]) == 1;
    for i in 1..4 { constraint l[i]: norm_squared(p[i] - p[i-1]) == 1; }
    constraint l4: norm_squared(last - p[3]) == 1;
    for i in 0..4 { constraint unit[i]: norm_squared(u[i]) == 1; }
    constraint j0: [p[0].y, dot(p[0], u[0]), u[0].y];
    constraint j1: [dot(p[1] - p[0], u[0]), dot(p[1] - p[0], u[1]), dot(u[0], u[1])];
    constraint j2: [dot(p[2] - p[1], u[1]), dot(p[2] - p[1], u[2])];
    constraint j3: [dot(p[3] - p[2], u[2]), dot(p[3] - p[2], u[3]), dot(u[2], u[3])];
    constraint j4: [dot(last - p[3], u[3]), -p[3].x, u[3].x];
}

system! {
    /// As bodies, whose frames are those of the ground at the start; rods along x, y and z.
    #[redundant(least_squares)]
    #[derivatives]
    pub struct Bodies { m: Real = 1, g: Real = 9.81, w: Real = 0.1 }

    let thin = m*w^2/6;
    let long = m/12 + m*w^2/12;
    body a: Rigid3 { mass: m, inertia: [thin, long, long] }
    body b: Rigid3 { mass: m, inertia: [long, thin, long] }
    body c: Rigid3 { mass: m, inertia: [long, long, thin] }
    body d: Rigid3 { mass: m, inertia: [thin, long, long] }
    body e: Rigid3 { mass: m, inertia: [long, thin, long] }
    let x = [1, 0, 0];
    let y = [0, 1, 0];
    let z = [0, 0, 1];
    constraint h0: [at(a, [-0.5, 0, 0]) == [0, 0, 0], dir(a, y).x, dir(a, y).z];
    constraint h1: [at(b, [0, 0.5, 0]) == at(a, [0.5, 0, 0]), dot(dir(b, z), dir(a, x)), dot(dir(b, z), dir(a, y))];
    constraint h2: [at(c, [0, 0, -0.5]) == at(b, [0, -0.5, 0]), dot(dir(c, x), dir(b, y)), dot(dir(c, x), dir(b, z))];
    constraint h3: [at(d, [0.5, 0, 0]) == at(c, [0, 0, 0.5]), dot(dir(d, y), dir(c, x)), dot(dir(d, y), dir(c, z))];
    constraint h4: [at(e, [0, -0.5, 0]) == at(d, [-0.5, 0, 0]), dot(dir(e, z), dir(d, x)), dot(dir(e, z), dir(d, y))];
    constraint h5: [at(e, [0, 0.5, 0]) == [0, 0, 1], dir(e, x).y, dir(e, x).z];
    gravity [0, -g, 0];
}

const P: [[f64; 3]; 4] = [
    [1.0, 0.0, 0.0],
    [1.0, -1.0, 0.0],
    [1.0, -1.0, 1.0],
    [0.0, -1.0, 1.0],
];

pub fn natural() -> State<SVector<f64, 24>> {
    let u = [
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let q = SVector::from_iterator(P.into_iter().chain(u).flatten());
    State::new(0.0, q, SVector::zeros())
}

fn bodies() -> State<SVector<f64, 35>, SVector<f64, 30>> {
    let [a, b, c, d, e] = [
        [0.5, 0.0, 0.0],
        [1.0, -0.5, 0.0],
        [1.0, -1.0, 0.5],
        [0.5, -1.0, 1.0],
        [0.0, -0.5, 1.0],
    ]
    .map(|[x, y, z]| Isometry3::translation(x, y, z));
    let q = BodiesCoordinates { a, b, c, d, e };
    State::new(0.0, q, BodiesVelocities::default())
}

#[test]
fn it_moves_in_natural_coordinates() {
    let run = (0.8, 9.81, 300.0);
    let explicit = explicitly(&Natural::default(), &natural(), run, EXPONENTS);
    let implicit = implicitly(&Natural::default(), &natural(), run, EXPONENTS);
    for ((a, b), k) in explicit.iter().zip(&implicit).zip(EXPONENTS) {
        let off = (a.q - b.q).amax();
        assert!(off < 1000.0 * 10.0_f64.powi(-k) + 1e-10, "1e-{k}: {off:e}");
    }
    // It does move.
    assert!((explicit[0].q - natural().q).amax() > 0.5);
}

#[test]
fn bodies_move_in_the_same_manner() {
    let run = (0.3, 9.81, 300.0);
    let natural = explicitly(&Natural::default(), &natural(), run, [12]);
    let other = Point3::from_slice(&natural[0].q.as_slice()[3..6]);
    let (system, start) = (Bodies::default(), bodies());
    let ends = [
        explicitly(&system, &start, run, OF_LEAST_SQUARES),
        implicitly(&system, &start, run, OF_LEAST_SQUARES),
    ];
    for (end, k) in ends
        .iter()
        .flat_map(|ends| ends.iter().zip(OF_LEAST_SQUARES))
    {
        let end = BodiesCoordinates::from(end.q).b * Point3::new(0.0, -0.5, 0.0);
        let off = (end - other).norm();
        assert!(off < 1000.0 * 10.0_f64.powi(-k) + 1e-10, "1e-{k}: {off:e}");
    }
}
