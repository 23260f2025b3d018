//! Bricard's mechanism: problem A04 of the IFToMM library of multibody benchmarks.

use constraint_runtime::prelude::*;

system! {
    /// In natural coordinates: the ends of the rods and unit vectors along the hinges.
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

fn natural_start() -> State<SVector<f64, 24>> {
    let p = [
        [1.0, 0.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, -1.0, 1.0],
        [0.0, -1.0, 1.0],
    ];
    let u = [
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let q = SVector::from_iterator(p.into_iter().chain(u).flatten());
    State::new(0.0, q, SVector::zeros())
}

#[test]
fn it_moves_in_natural_coordinates() {
    let mut run = Simulation::new(
        Natural::default(),
        natural_start(),
        DormandPrince::new(1e-12, 1e-14),
    )
    .unwrap();
    let energy = run.energy();
    run.run_until(1.0).unwrap();
    assert!(
        (run.energy() - energy).abs() < 1e-9,
        "{:e}",
        run.energy() - energy
    );
}
