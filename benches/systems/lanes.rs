//! Several chains at once, one in each lane of a SIMD scalar, beside one chain in `f64`.
//!
//! With `RUSTFLAGS="-C target-cpu=native"` lanes are as wide as the machine's; for the default target of x86-64 four
//! `f64` are two pairs.

use std::hint::black_box;

use constraint_runtime::Vector;
use constraint_runtime::prelude::*;
use simba::simd::{WideF32x8, WideF64x4};

use crate::by_hand::states;
use crate::generated::{Chain8, Chain64, Chain1024};
use crate::table::{Table, ratio, time};
use crate::timing::{Contender, race};

const LENGTH: f64 = 0.5;

/// Accelerations of chains for the time of one, in lanes of two kinds.
pub fn accelerations() -> String {
    let columns = [
        "links",
        "f64",
        "f64x4",
        "chains in its time",
        "f32x8",
        "chains in its time",
    ];
    let mut table = Table::new("Accelerations of chains in lanes", &columns);
    macro_rules! line {
        ($chain:ident, $links:literal) => {
            let one = lanes::<f64, _, { 2 * $links }>($chain::default());
            let four = lanes::<WideF64x4, _, { 2 * $links }>($chain::default());
            let eight = lanes::<WideF32x8, _, { 2 * $links }>($chain::default());
            line(&mut table, $links, [one, four, eight]);
        };
    }
    line!(Chain8, 8);
    line!(Chain64, 64);
    line!(Chain1024, 1024);
    table.finish()
}

fn line(table: &mut Table, links: usize, mut contenders: [Contender<'_>; 3]) {
    let seconds = race(&mut contenders);
    let chains = |lanes: f64, k: usize| ratio(lanes * seconds[0] / seconds[k]);
    let cells = [
        links.to_string(),
        time(seconds[0]),
        time(seconds[1]),
        chains(4.0, 1),
        time(seconds[2]),
        chains(8.0, 2),
    ];
    table.row(cells.iter().map(String::as_str));
}

/// The same chain in every lane.
fn lanes<'a, T: Real + 'a, S: System<T> + 'a, const Q: usize>(system: S) -> Contender<'a> {
    let (q, v) = states::chain::<Q>(LENGTH);
    let q = S::Q::blank().like(|i| T::lit(q[i]));
    let v = S::V::blank().like(|i| T::lit(v[i]));
    Contender::new(move || {
        let rest = T::lit(0.0);
        black_box(&system).acceleration(rest, black_box(&q), black_box(&v))
    })
}
