//! Systems in loops against the same written out, both run by the interpreter of programs: rustc has no part in it.

#[path = "../common/random.rs"]
mod random;

#[path = "../printing/compiler.rs"]
mod compiler;

mod assignment;
mod coupled;
mod derivatives;
mod dual;
mod elsewhere;
mod grammar;
mod graphs;
mod interpreter;
mod laws;
mod limbs;
mod parts;
mod points;
mod responses;
mod rows;
mod separate;
mod shapes;

use constraint_symbolic::compile::analyze_system;
use constraint_symbolic::function::Function;
use constraint_symbolic::function::system::{functions, names};
use constraint_symbolic::system::{Derived, Solution};

use derivatives::Functions;
use interpreter::{Results, State};
use random::{Random, seeds};

/// Systems per run; `CONSTRAINT_CASES=200` for more.
const CASES: u64 = 18;

/// A system in one of the two forms, or the messages that refuse it, as random systems may deserve.
fn attempted(form: &str, text: &str) -> Result<Derived, Vec<String>> {
    let source = format!("#[solver({form})] {text}");
    let found = analyze_system(source.parse().expect("Rust tokens"));
    found.map_err(|diagnostics| {
        let messages = diagnostics.iter().map(|it| it.message.clone());
        let messages: Vec<String> = messages.collect();
        let excused = |it: &String| EXCUSED.iter().any(|part| it.contains(part));
        assert!(messages.iter().all(excused), "{messages:?}\n{source}");
        messages
    })
}

/// Reasons for which random systems are refused: by loops alone, and of any form.
const NOT_IN_LOOPS: &str = "cannot be solved in loops";
const EXCUSED: [&str; 4] = [
    NOT_IN_LOOPS,
    "follows from",
    "no gradient",
    "does not depend on any coordinate",
];

/// The same; `None` where it is refused.
fn derived(form: &str, text: &str) -> Option<Derived> {
    attempted(form, text).ok()
}

/// Both forms; `None` where both are refused. Messages about rows do not depend on the form.
fn in_both_forms(text: &str) -> Option<[Derived; 2]> {
    match ["rolled", "unrolled"].map(|form| attempted(form, text)) {
        [Ok(rolled), Ok(written)] => Some([rolled, written]),
        [Err(said), Ok(_)] if said.iter().all(|it| it.contains(NOT_IN_LOOPS)) => None,
        [Err(rolled), Err(written)] => {
            let is_of_form = rolled.iter().all(|it| it.contains(NOT_IN_LOOPS));
            assert!(
                is_of_form || rolled == written,
                "{rolled:?}, {written:?}\n{text}"
            );
            None
        }
        [rolled, written] => panic!("{:?}, {:?}\n{text}", rolled.err(), written.err()),
    }
}

/// The functions of a system that are asked for, at a state.
fn evaluated(
    derived: &Derived,
    state: &State,
    asked: fn(&str) -> bool,
) -> Vec<(&'static str, Results)> {
    let names = names(&derived.system);
    let functions = functions(derived, &names);
    let result = |function: &Function<'_>| {
        let results = interpreter::evaluate(derived, function, state)?;
        Some((function.signature.name, results))
    };
    let functions = functions.iter().filter(|it| asked(it.signature.name));
    functions.filter_map(result).collect()
}

/// Compares relative to a scale, or to what rounding makes of the values where these cancel or the equations are
/// nearly singular.
#[track_caller]
fn close(what: &str, found: &[f64], expected: &[f64], scale: f64, rounding: impl Fn() -> f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        let apart = (a - b).abs();
        let near = apart <= 1e-8 * scale || apart <= 16.0 * rounding();
        assert!(near, "{what}[{k}]: {a}, expected {b}");
    }
}

/// Functions that are computed by others where systems are in loops: M by its products, and columns by derivatives along them.
const BY_OTHERS: [&str; 2] = ["joint_space_inertia", "linearize_with_outputs"];

/// Whether it was compared: both forms are there, and nothing cancels at the state.
fn compare(seed: u64, system: fn(&mut Random) -> String, asked: fn(&str) -> bool) -> bool {
    let mut random = Random::new(seed);
    let text = system(&mut random);
    compare_text(seed, &text, &mut random, asked)
}

/// The same of a text.
fn compare_text(seed: u64, text: &str, random: &mut Random, asked: fn(&str) -> bool) -> bool {
    let Some([rolled, written]) = in_both_forms(text) else {
        return false;
    };
    let is_in_loops = matches!(rolled.solution, Solution::Rolled(_));
    assert!(is_in_loops, "{text}");
    let state = State::random(&rolled.system, random);
    if !rolled.system.rows.is_empty() {
        let what = format!("case {seed}\n{text}");
        laws::obeys(&what, &Functions::of(&rolled), &state, 1e-2);
    }
    let nearby = || evaluated(&written, &state.with_other_last_digits(), asked);
    let [found, expected] = [&rolled, &written].map(|it| evaluated(it, &state, asked));
    let smallest = expected.iter().map(|(_, it)| it.pivot);
    if smallest.fold(1.0, f64::min) < 1e-4 {
        return false;
    }
    let expected = expected.iter().filter(|it| !BY_OTHERS.contains(&it.0));
    for (name, expected) in expected {
        let found = found.iter().find(|(other, _)| other == name);
        let (_, found) = found.unwrap_or_else(|| panic!("{text}\nno {name} in loops"));
        let rounding = || {
            let nearby = nearby().into_iter().filter(|(other, _)| other == name);
            let nearby = nearby.flat_map(|it| it.1.values);
            let apart = nearby.zip(&expected.values).map(|(a, b)| (a - b).abs());
            apart.fold(0.0, f64::max)
        };
        let what = format!("case {seed}\n{text}\n{name}");
        let scale = expected.values.iter();
        // Of states of the order of 1, where all cancels.
        let scale = scale.fold(1e-6_f64, |most, x| most.max(x.abs()));
        close(&what, &found.values, &expected.values, scale, rounding);
    }
    true
}

#[test]
fn random_systems_agree_in_both_forms() {
    agree(grammar::system, CASES, |_| true);
}

#[test]
fn coupled_masses_agree_in_both_forms() {
    agree(coupled::system, CASES / 2, |_| true);
}

#[test]
fn rows_that_differ_in_what_they_are_of_agree_in_both_forms() {
    agree(rows::system, CASES, |_| true);
}

#[test]
fn systems_without_rows_agree_in_both_forms() {
    agree(separate::system, 2 * CASES, |_| true);
}

#[track_caller]
fn agree(system: fn(&mut Random) -> String, cases: u64, asked: fn(&str) -> bool) {
    let seeds = seeds(cases);
    let compared = seeds.clone().filter(|&seed| compare(seed, system, asked));
    let compared = compared.count() as u64;
    println!("{compared} of {seeds:?} compared");
    assert!(
        3 * compared >= 2 * (seeds.end - seeds.start),
        "{compared} of {seeds:?} compared"
    );
}

/// Rows of one shape share other factors where one of their bodies is solved in its own frame, as bodies are whose moments
/// differ: between link and link λ is that of the row, between link and knot a fifth of it was left.
#[test]
fn rows_of_one_shape_differ_by_the_frames_of_their_bodies() {
    agree(mixed_frames, 6, |_| true);
}

/// With a kinetic energy of the user's, the equations of no body are solved in its frame, but steps keep bodies in theirs: ω of
/// the first body of each pair is read in one frame or in the other.
#[test]
fn rows_of_one_shape_differ_by_the_frames_of_steps() {
    let pairs = |[a, b]: [&str; 2]| {
        format!(
            "pub struct S {{ l: Real }} coordinate s; kinetic velocity(s)^2;
            body a: Rigid3 {{ mass: 1, inertia: {a} }} body b: Rigid3 {{ mass: 1, inertia: {b} }}
            body c, d: Rigid3 {{ mass: 1, inertia: [0.3, 0.4, 0.5] }}
            constraint across0: dot(dir(a, [0, 0.6, 0.8]), dir(c, [0, 0.6, 0.8])) == 0;
            constraint across1: dot(dir(b, [0, 0.6, 0.8]), dir(d, [0, 0.6, 0.8])) == 0;"
        )
    };
    let [equal, other] = ["[0.3, 0.3, 0.3]", "[0.3, 0.4, 0.5]"];
    for first in [[equal, other], [other, equal]] {
        let text = pairs(first);
        let mut random = Random::new(0);
        assert!(compare_text(0, &text, &mut random, |_| true), "{text}");
    }
}

fn mixed_frames(random: &mut Random) -> String {
    let moments = ["[0.3, 0.3, 0.3]", "[0.3, 0.4, 0.5]"];
    chains([(); 3].map(|()| moments[random.below(2)]))
}

/// Bodies that differ only in their moments of inertia.
fn chains([first, second, third]: [&str; 3]) -> String {
    format!(
        "pub struct S {{ l: Real = 0.5, g: Real = 9.81 }}
for i in 0..4 {{ body link[i]: Rigid3 {{ mass: 1, inertia: {first} }} }}
for i in 0..3 {{ body knot[i]: Rigid3 {{ mass: 1, inertia: {second} }} }}
for i in 0..3 {{ body bead[i]: Rigid3 {{ mass: 1, inertia: {third} }} }}
for i in 1..4 {{ constraint across0[i]: dot(dir(link[i], [0, 0.6, 0.8]), dir(link[i-1], [0, 0.6, 0.8])) == 0; }}
for i in 0..3 {{ constraint across1[i]: dot(dir(knot[i], [0, 0.6, 0.8]), dir(link[i], [0, 0.6, 0.8])) == 0; }}
for i in 0..3 {{ constraint across2[i]: dot(dir(bead[i], [0, 0.6, 0.8]), dir(knot[i], [0, 0.6, 0.8])) == 0; }}
for i in 0..4 {{ force link[i]: [0, 0, -g]; torque link[i]: [l, i, 1]; }}"
    )
}
