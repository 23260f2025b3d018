//! Accelerations and multipliers together: one call beside two.

use std::hint::black_box;

use constraint_runtime::prelude::*;

use crate::bodies::hanging;
use crate::by_hand::states;
use crate::generated::{Chain8, Chain64, Links8, Net, Square};
use crate::table::Table;
use crate::timing::{Contender, race};

const LENGTH: f64 = 0.5;

/// Time of v̇ alone, of v̇ and λ by one call, and by two.
pub fn beside_accelerations() -> String {
    let columns = ["system", "v̇", "v̇ and λ", "v̇ and λ by two calls"];
    let mut table = Table::new("Accelerations and multipliers", &columns);
    let t = &mut table;
    line(t, "chain of 8", &Chain8::default(), states::chain(LENGTH));
    line(t, "chain of 64", &Chain64::default(), states::chain(LENGTH));
    line(
        t,
        "square of four rods",
        &Square::default(),
        states::square(LENGTH),
    );
    line(
        t,
        "net of 4 × 4 beads",
        &Net::default(),
        states::net(LENGTH),
    );
    line(
        t,
        "eight links on ball joints",
        &Links8::default(),
        hanging::<8, 56, 48>(),
    );
    table.finish()
}

fn line<S: System<f64>>(table: &mut Table, name: &str, system: &S, (q, v): (S::Q, S::V)) {
    let mut contenders = [
        Contender::new(|| black_box(system).acceleration(0.0, black_box(&q), black_box(&v))),
        Contender::new(|| {
            black_box(system).acceleration_and_multipliers(0.0, black_box(&q), black_box(&v))
        }),
        Contender::new(|| {
            let acceleration = black_box(system).acceleration(0.0, black_box(&q), black_box(&v));
            let multipliers = black_box(system).multipliers(0.0, black_box(&q), black_box(&v));
            (acceleration, multipliers)
        }),
    ];
    table.race(name, &race(&mut contenders));
}
