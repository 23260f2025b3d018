//! Random systems in other languages, in loops and written out: what the interpreter finds, C finds bit for bit, and so but for
//! sines do JavaScript and Python.

#[path = "../../constraint-macros/symbolic/tests/loops/coupled.rs"]
mod coupled;
#[path = "../../constraint-macros/symbolic/tests/loops/grammar.rs"]
mod grammar;
#[path = "../../constraint-macros/symbolic/tests/loops/points.rs"]
mod points;
#[path = "../../constraint-macros/symbolic/tests/loops/rows.rs"]
mod rows;

use constraint_symbolic::call::{Call, MacroKind};
use proc_macro2::Span;

use crate::everywhere::{LANGUAGES, differences};
use crate::exported::Case;
use crate::random::{Random, seeds};

/// Systems per run; `CONSTRAINT_CASES=10000` for more.
const CASES: u64 = 12;
/// So many are one program of each language.
const AT_ONCE: u64 = 48;
/// What single precision changes in a result at most: beyond, the equations are nearly singular, and sines that differ in
/// their last digit show.
const MOST_BLURRED: f64 = 1e-2;

/// Reasons for which random rows are refused.
const EXCUSED: [&str; 4] = [
    "cannot be solved in loops",
    "follows from",
    "no gradient",
    "does not depend on any coordinate",
];

/// A system and its numbers; nothing where it is refused, or nearly singular.
fn case(seed: u64) -> Option<Case> {
    let kinds = [
        rows::system,
        rows::system,
        points::system,
        grammar::system,
        coupled::system,
    ];
    let form = ["rolled", "rolled", "unrolled"][seed as usize % 3];
    let mut random = Random::new(seed);
    let system = kinds[seed as usize / 3 % kinds.len()];
    let text = format!("#[solver({form})] {}", system(&mut random));
    let call = Call {
        kind: MacroKind::System,
        body: text.parse().expect("tokens"),
        start: Span::call_site(),
        name: Some("S".to_owned()),
    };
    let name = format!("R{seed}");
    let case = Case::attempted(&call, &name, &mut random, &LANGUAGES).map_err(|diagnostics| {
        let excused = |message: &str| EXCUSED.iter().any(|part| message.contains(part));
        for diagnostic in diagnostics.iter() {
            let message = &diagnostic.message;
            assert!(excused(message), "{message}\n{text}");
        }
    });
    let case = case.ok()?;
    let is_clear = |blurred: f64| blurred < MOST_BLURRED;
    let mut functions = case.functions.iter();
    functions.all(|it| is_clear(it.blurred)).then_some(case)
}

#[test]
fn random_systems_are_the_same_in_every_language() {
    let all = seeds(CASES);
    let count = all.end - all.start;
    let (mut compared, mut functions, mut apart) = (0, 0, Vec::new());
    for begin in all.clone().step_by(AT_ONCE as usize) {
        let seeds = begin..(begin + AT_ONCE).min(all.end);
        let cases: Vec<Case> = seeds.filter_map(case).collect();
        apart.extend(differences(&format!("random{begin}"), &cases));
        compared += cases.len();
        functions += cases.iter().map(|it| it.functions.len()).sum::<usize>();
    }
    println!("{compared} systems, {functions} functions");
    assert!(apart.is_empty(), "{}", apart.join("\n"));
    assert!(2 * compared as u64 >= count, "{compared} of {count}");
}

/// Seed 1125 has rows in panels, which the interpreter once summed in another order than generated code.
#[test]
fn what_once_differed_is_the_same() {
    let cases: Vec<Case> = [1125].into_iter().filter_map(case).collect();
    assert_eq!(cases.len(), 1);
    let apart = differences("once", &cases);
    assert!(apart.is_empty(), "{}", apart.join("\n"));
}
