//! A square of rods, a four-bar linkage, a net and two beads joined by a spring.

use std::hint::black_box;

use constraint_runtime::prelude::*;

use crate::by_hand::{
    Dense, DenseSpringBeads, Differentiated, DifferentiatedSpringBeads, FourBar, Net, Rods,
    SpringBeads, Square, states,
};
use crate::table::Table;
use crate::timing::{Contender, race};
use crate::{generated, same};

const G: f64 = 9.81;
const LENGTH: f64 = 0.5;
const BASE: f64 = 1.3;

type Vector<const Q: usize> = SVector<f64, Q>;

/// Time of one acceleration.
pub fn accelerations() -> String {
    let columns = [
        "system",
        "by hand",
        "generated",
        "nalgebra",
        "num-dual + nalgebra",
    ];
    let mut table = Table::new("Accelerations of closed loops and others", &columns);
    let square = black_box(Square { g: G });
    line(
        &mut table,
        "square of four rods",
        states::square(LENGTH),
        move |q, v| square.acceleration(q, v),
        generated::Square::default(),
        Rods::square(1.0, G),
    );
    let four_bar = black_box(FourBar { base: BASE, g: G });
    line(
        &mut table,
        "four-bar linkage",
        states::four_bar(LENGTH, BASE),
        move |q, v| four_bar.acceleration(q, v),
        generated::FourBar::default(),
        Rods::four_bar(BASE, 1.0, G),
    );
    let net = black_box(Net { g: G });
    line(
        &mut table,
        "net of 4 × 4 beads, by hand over padded rows",
        states::net(LENGTH),
        move |q, v| net.acceleration(q, v),
        generated::Net::default(),
        Rods::net(1.0, G),
    );
    line(
        &mut table,
        "the same net, by hand with index loops",
        states::net(LENGTH),
        move |q, v| net.acceleration_by_index_loops(q, v),
        generated::Net::default(),
        Rods::net(1.0, G),
    );
    spring_beads(&mut table);
    table.finish()
}

fn line<const Q: usize, const M: usize>(
    table: &mut Table,
    name: &str,
    (q, v): states::State<Q>,
    by_hand: impl Fn(&Vector<Q>, &Vector<Q>) -> Vector<Q>,
    system: impl System<f64, Q = SVector<f64, Q>, V = SVector<f64, Q>>,
    rods: Rods<M>,
) {
    same(&system.acceleration(0.0, &q, &v), &by_hand(&q, &v));
    let mut contenders = [
        Contender::new(|| by_hand(black_box(&q), black_box(&v))),
        Contender::new(|| black_box(&system).acceleration(0.0, black_box(&q), black_box(&v))),
        Contender::new(|| Dense(rods).acceleration(black_box(&q), black_box(&v))),
        Contender::new(|| Differentiated(rods).acceleration(black_box(&q), black_box(&v))),
    ];
    table.race(name, &race(&mut contenders));
}

fn spring_beads(table: &mut Table) {
    let beads = SpringBeads {
        m1: 1.0,
        m2: 1.0,
        k: 20.0,
        rest: 1.0,
        g: G,
    };
    let system = generated::SpringBeads::default();
    let (q, v) = (Vector2::new(-0.8, 0.9), Vector2::new(0.3, -0.5));
    same(
        &system.acceleration(0.0, &q, &v),
        &beads.acceleration(&q, &v),
    );
    let beads = black_box(beads);
    let (dense, dual) = (DenseSpringBeads(beads), DifferentiatedSpringBeads(beads));
    let mut contenders = [
        Contender::new(|| beads.acceleration(black_box(&q), black_box(&v))),
        Contender::new(|| black_box(&system).acceleration(0.0, black_box(&q), black_box(&v))),
        Contender::new(|| dense.acceleration(black_box(&q), black_box(&v))),
        Contender::new(|| dual.acceleration(black_box(&q), black_box(&v))),
    ];
    table.race("spring beads", &race(&mut contenders));
}
