//! Generated accelerations and simulations of many-body systems beside the same by hand, by a linear algebra
//! library and by automatic differentiation: `cargo bench -p constraint-benches --bench systems`.
//!
//! Contenders of one line are timed in turns in one run, so that their ratios hold on a noisy machine; the
//! tables also go to `systems.md` in the target directory. Words given as arguments choose the tables.

mod bodies;
#[path = "../by_hand/mod.rs"]
mod by_hand;
mod chains;
mod generated;
mod lanes;
mod multipliers;
mod others;
mod table;
mod timing;

use std::path::Path;

use constraint_runtime::Error;
use constraint_runtime::nalgebra::SVector;

/// Takes the times of one table and sets it.
type Measurement = fn() -> String;

fn main() {
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let tables: [(&str, Measurement); 6] = [
        ("chain", chains::accelerations),
        ("others", others::accelerations),
        ("bodies", bodies::accelerations),
        ("multipliers", multipliers::beside_accelerations),
        ("simulation", chains::simulations),
        ("lanes", lanes::accelerations),
    ];
    let mut page = String::new();
    for (name, table) in tables {
        if chosen.is_empty() || chosen.iter().any(|word| word == name) {
            let table = table();
            print!("{table}");
            page.push_str(&table);
        }
    }
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("systems.md");
    std::fs::write(&place, page).expect("the target directory takes a file");
}

/// Asserts that a contender computes what the others do, to rounding.
#[track_caller]
fn same<const Q: usize>(found: &Result<SVector<f64, Q>, Error>, expected: &SVector<f64, Q>) {
    let found = found.as_ref().expect("the state is regular");
    let error = (found - expected).amax() / expected.amax();
    assert!(error < 1e-9, "{error:e} apart");
}
