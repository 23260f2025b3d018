//! Nets, rings, ladders, trees and what joins them, in loops: the laws of motion, and derivatives against dual numbers.

#[path = "../common/graphs.rs"]
mod text;

use crate::derivatives::{self, Functions};
use crate::interpreter::State;
use crate::random::{Random, seeds};
use crate::{derived, laws};

/// Graphs per run; `CONSTRAINT_CASES` for more.
const CASES: u64 = 40;
/// The most points that they have.
const MOST: usize = 16;
/// The same of one in sixteen.
const LARGE: usize = 40;
/// Pivots below this part of their diagonals: rounding hides much there.
const SMALL: f64 = 2e-2;

/// Whether it was compared.
fn compare(seed: u64) -> bool {
    let mut random = Random::new(seed);
    let most = if seed % 16 == 15 { LARGE } else { MOST };
    let text = text::system(&mut |n| random.below(n), most);
    agrees(seed, &text, &mut random)
}

/// All of a system's laws at a random state; `false` where it is refused, or the state is a poor one.
fn agrees(seed: u64, text: &str, random: &mut Random) -> bool {
    let text = format!("#[derivatives] {text}");
    let Some(derived) = derived("rolled", &text) else {
        return false;
    };
    let system = Functions::of(&derived);
    let state = State::random(&derived.system, random);
    if system.judged("acceleration", &state).1 < SMALL {
        return false;
    }
    let what = format!("case {seed}\n{text}");
    laws::obeys(&what, &system, &state, SMALL);
    derivatives::agree(&what, &system, &state);
    true
}

#[test]
fn graphs_obey_the_laws_and_their_derivatives_those_of_calculus() {
    let seeds = seeds(CASES);
    let compared = seeds.clone().filter(|&seed| compare(seed)).count() as u64;
    println!("{compared} of {seeds:?} compared");
    assert!(
        2 * compared >= seeds.end - seeds.start,
        "{compared} of {seeds:?} compared"
    );
}

/// Two rails from two ends, a rung at each bay.
fn ladder(bays: usize) -> String {
    format!(
        "pub struct Ladder {{ m: Real = 1, l: Real = 1, g: Real = 9.81 }}
        particle a[{bays}]: Point2 {{ mass: m }}
        particle b[{bays}]: Point2 {{ mass: m }}
        constraint fa: norm(a[0]) == l;
        constraint fb: norm(b[0] - [1, 0]) == l;
        for i in 1..{bays} {{
            constraint ra[i]: norm(a[i] - a[i-1]) == l;
            constraint rb[i]: norm(b[i] - b[i-1]) == l;
        }}
        for i in 0..{bays} {{ constraint rung[i]: norm(b[i] - a[i]) == l; }}
        gravity [0, -g];"
    )
}

#[test]
fn ladders_of_any_number_of_bays_obey_them() {
    for bays in [2, 3, 5, 11, 12, 13, 16, 20] {
        let random = |seed: u64| Random::new(100 * bays as u64 + seed);
        let compared = (0..8).any(|seed| agrees(seed, &ladder(bays), &mut random(seed)));
        assert!(compared, "a ladder of {bays} bays is not compared");
    }
}
