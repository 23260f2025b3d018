//! Nets, rings, ladders, trees and what joins them, in loops: the laws of motion, and derivatives against differences of
//! what they are derivatives of, and against each other.

#[path = "../common/graphs.rs"]
mod text;

use constraint_symbolic::function::Function;
use constraint_symbolic::function::system::{functions, names};
use constraint_symbolic::system::{Derived, Solution};

use crate::derived;
use crate::interpreter::{State, evaluate};
use crate::random::Random;

/// Graphs per run; `LOOPS_CASES` for more.
const CASES: u64 = 40;
/// The most points that they have.
const MOST: usize = 16;
/// The same of one in sixteen.
const LARGE: usize = 40;
/// Pivots below this part of their diagonals: differences would tell little.
const SMALL: f64 = 2e-2;
/// What differences may be off by, and a part of the largest.
const DIFFERENCES: f64 = 1e-7;

/// A system's functions.
struct Functions<'a> {
    derived: &'a Derived,
    list: Vec<Function<'a>>,
}

impl Functions<'_> {
    /// The numbers of a function, and the least pivot.
    fn judged(&self, name: &str, state: &State) -> (Vec<f64>, f64) {
        let function = self.list.iter().find(|it| it.signature.name == name);
        let function = function.unwrap_or_else(|| panic!("no {name}"));
        let found = evaluate(self.derived, function, state).expect("it is in loops");
        (found.values, found.pivot)
    }

    fn at(&self, name: &str, state: &State) -> Vec<f64> {
        self.judged(name, state).0
    }

    /// The derivative of what is made of a state along its tangent, and how far off it may be.
    fn along(&self, state: &State, of: impl Fn(&Self, &State) -> Vec<f64>) -> (Vec<f64>, f64) {
        // Seven points: the error is of order h⁶.
        let weights = [(45.0, 1.0), (-9.0, 2.0), (1.0, 3.0)];
        let slopes = |h: f64| {
            let mut sum = vec![0.0; of(self, state).len()];
            for (weight, steps) in weights {
                for side in [1.0, -1.0] {
                    let there = of(self, &state.moved(side * steps * h));
                    let pairs = sum.iter_mut().zip(there);
                    pairs.for_each(|(sum, it)| *sum += side * weight * it / (60.0 * h));
                }
            }
            sum
        };
        let [coarse, fine] = [4e-4, 2e-4].map(slopes);
        let off = coarse.iter().zip(&fine).map(|(a, b)| a - b);
        let off = size(&off.collect::<Vec<_>>());
        (fine, off)
    }
}

#[track_caller]
fn close(what: &str, found: &[f64], expected: &[f64], part: f64, size: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        let near = (a - b).abs() <= part * size;
        assert!(near, "{what}[{k}]: {a}, expected {b}, size {size}");
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn size(list: &[f64]) -> f64 {
    list.iter().fold(0.0f64, |most, it| most.max(it.abs()))
}

/// M v̇ = h + Jᵀ λ and J v̇ = −β.
fn obeys_the_laws(what: &str, system: &Functions<'_>, state: &State) {
    let n = state.v.len();
    let both = system.at("acceleration_and_multipliers", state);
    let (v_dot, lambda) = both.split_at(n);
    let there = State {
        a: v_dot.to_vec(),
        ..state.clone()
    };
    let [resisting, jacobian, bias] =
        ["inverse_dynamics", "jacobian", "bias"].map(|name| system.at(name, &there));
    let column = |c: usize| {
        (0..lambda.len())
            .map(|r| jacobian[r * n + c])
            .collect::<Vec<_>>()
    };
    let pushed: Vec<f64> = (0..n).map(|c| dot(&column(c), lambda)).collect();
    let scale = size(v_dot).max(size(lambda));
    close(
        &format!("{what}\nM v̇ − h"),
        &resisting,
        &pushed,
        1e-11,
        scale,
    );
    for (row, bias) in jacobian.chunks(n).zip(&bias) {
        let scale = size(v_dot) + bias.abs();
        let rate = [dot(row, v_dot) + bias];
        close(&format!("{what}\nC̈"), &rate, &[0.0], 1e-11, scale);
    }
}

/// ∂(v̇, λ) along a tangent, and back.
fn agrees_with_differences(what: &str, system: &Functions<'_>, state: &State) {
    let jvp = system.at("jvp", state);
    let (expected, off) = system.along(state, |it, at| it.at("acceleration_and_multipliers", at));
    let scale = size(&expected);
    close(
        &format!("{what}\njvp"),
        &jvp,
        &expected,
        DIFFERENCES,
        scale + off / DIFFERENCES,
    );
    let still = State {
        tangent: vec![0.0; state.tangent.len()],
        ..state.clone()
    };
    let nothing = system.at("jvp", &still);
    assert!(
        nothing.iter().all(|&it| it == 0.0),
        "{what}\njvp of nothing: {nothing:?}"
    );
    let back = dot(&system.at("vjp", state), &state.tangent);
    let forwards = dot(&state.bars.concat(), &jvp);
    close(&format!("{what}\nvjp"), &[back], &[forwards], 1e-9, scale);
}

/// The matrices times a tangent of (q, v), u and p are what changes along it.
fn columns_agree(what: &str, system: &Functions<'_>, state: &State) {
    let mut still = state.clone();
    still.tangent[0] = 0.0;
    let (n, all) = (state.v.len(), &still.tangent[1..]);
    let expected = system.at("jvp", &still);
    let inputs = system.derived.system.given();
    let (by_state, others) = all.split_at(2 * n);
    let (by_input, by_parameter) = others.split_at(inputs);
    let times = |mut matrices: &[f64], rows: usize| -> Vec<f64> {
        let mut sum = vec![0.0; rows];
        for tangent in [by_state, by_input, by_parameter] {
            for sum in &mut sum {
                let (row, others) = matrices.split_at(tangent.len());
                *sum += dot(row, tangent);
                matrices = others;
            }
        }
        sum
    };
    let part = 1e-9;
    let motion = system.at("linearize", state);
    let name = format!("{what}\nlinearize");
    close(
        &name,
        &times(&motion, n),
        &expected[..n],
        part,
        size(&expected),
    );
    let both = system.at("linearize_with_multipliers", state);
    let (first, others) = both.split_at(motion.len());
    let name = format!("{what}\nlinearize_with_multipliers");
    close(&name, first, &motion, 1e-12, size(&motion));
    let found = times(others, expected.len() - n);
    close(&name, &found, &expected[n..], part, size(&expected));
}

/// What a projection takes off, w*·w along a tangent.
fn corrections_agree(what: &str, system: &Functions<'_>, state: &State) {
    for (residual, name) in [
        ("constraint", "place_correction_vjp"),
        ("constraint_rate", "velocity_correction_vjp"),
    ] {
        let taken = |it: &Functions<'_>, at: &State| {
            let at = State {
                b: it.at(residual, at),
                ..at.clone()
            };
            vec![dot(&at.bars[0], &it.at("correction", &at))]
        };
        let (expected, off) = system.along(state, taken);
        let gradient = system.at(name, state);
        let back = dot(&gradient, &state.tangent);
        let scale = size(&gradient);
        close(
            &format!("{what}\n{name}"),
            &[back],
            &expected,
            DIFFERENCES,
            scale + off / DIFFERENCES,
        );
    }
}

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
    let Solution::Rolled(loops) = &derived.solution else {
        panic!("{text}")
    };
    if loops.panels.is_some() {
        return false;
    }
    let names = names(&derived.system);
    let list = functions(&derived, &names);
    let system = Functions {
        derived: &derived,
        list,
    };
    let state = State::random(&derived.system, random);
    if system.judged("acceleration", &state).1 < SMALL {
        return false;
    }
    let what = format!("case {seed}\n{text}");
    obeys_the_laws(&what, &system, &state);
    agrees_with_differences(&what, &system, &state);
    corrections_agree(&what, &system, &state);
    columns_agree(&what, &system, &state);
    true
}

#[test]
fn graphs_obey_the_laws_and_their_derivatives_those_of_calculus() {
    let wanted = std::env::var("LOOPS_CASES").ok();
    let cases = wanted.and_then(|n| n.parse().ok()).unwrap_or(CASES);
    let compared = (0..cases).filter(|&seed| compare(seed)).count();
    assert!(
        2 * compared as u64 >= cases,
        "{compared} of {cases} compared"
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
