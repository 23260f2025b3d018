//! Every call of the README, the book, the examples and the runtime's tracks: naga reads and validates it, and run by its
//! IR it computes in single precision what the engine's interpreter finds in double.

use crate::exported::{Case, Evaluation, Fields};
use crate::interpreter::{Machine, Value};
use crate::texts::{book, cases, examples};
use crate::valid::exported;

const ROOT: &str = "../../";

/// Numbers of arrays in each other.
fn nested(lengths: &[usize], numbers: &[f32]) -> Value {
    match lengths {
        [] => Value::Number(numbers[0]),
        [length, inner @ ..] => {
            let parts = numbers.chunks((numbers.len() / length).max(1));
            Value::Composite(parts.map(|part| nested(inner, part)).collect())
        }
    }
}

fn single(numbers: &[f64]) -> Vec<f32> {
    numbers.iter().map(|&it| it as f32).collect()
}

fn structure(fields: &Fields) -> Option<Value> {
    let parts = fields.parts();
    let parts = parts.map(|(lengths, numbers)| nested(lengths, &single(numbers)));
    (!fields.is_empty()).then(|| Value::Composite(parts.collect()))
}

/// Compares a function with what is expected, where it is written and something is; what it was given back is of use if
/// the digits that single precision lacks do not decide it.
fn agrees(case: &Case, evaluation: &Evaluation, text: &str, read: &naga::Module, prefix: &str) -> bool {
    let name = format!("{prefix}_{}", evaluation.name);
    let Some((_, signature)) = text.split_once(&format!("fn {name}(")) else {
        return false;
    };
    let (signature, _) = signature.split_once(')').expect("a bracket");
    let Some(expected) = evaluation.expected.as_ref().filter(|_| evaluation.blurred < 1e-4) else {
        return false;
    };
    let mut machine = Machine::new(read);
    let structures = [&case.own, &case.given].into_iter().filter_map(structure);
    let mut arguments: Vec<Value> = structures.map(|it| machine.variable(it)).collect();
    // There are no arrays without entries.
    for value in evaluation.arguments.iter().filter(|it| !it.numbers.is_empty()) {
        let numbers = single(&value.numbers);
        arguments.push(if value.is_number {
            Value::Number(numbers[0])
        } else {
            machine.variable(Value::list(&numbers))
        });
    }
    let found = match signature.split_once("result: ptr<function, array<f32, ") {
        Some((_, length)) => {
            let length = length.trim_end_matches(">>").parse().expect("a number");
            let result = machine.variable(Value::list(&vec![f32::NAN; length]));
            arguments.push(result.clone());
            assert!(machine.call_by_name(&name, arguments).is_none());
            machine.loaded(&result).numbers()
        }
        None => machine
            .call_by_name(&name, arguments)
            .expect("a number")
            .numbers(),
    };
    let expected = &expected[expected.len() - found.len()..];
    let most = (1e-4 + 300.0 * evaluation.blurred) * evaluation.scale();
    for (found, expected) in found.iter().zip(expected) {
        let apart = (f64::from(*found) - expected).abs();
        let call = &case.call;
        assert!(
            apart <= most || expected.is_nan(),
            "{name}: {found} for {expected} of {call}"
        );
    }
    true
}

#[track_caller]
fn all_agree(room: &str, paths: &[String], least: usize) {
    let mut compared = 0;
    for case in cases(room, paths, &[]) {
        let Some((text, read)) = exported(&case.call) else {
            continue;
        };
        let prefix = case.name.to_lowercase();
        let functions = case.functions.iter();
        compared += functions
            .filter(|it| agrees(&case, it, &text, &read, &prefix))
            .count();
    }
    assert!(compared >= least, "{compared} functions");
}

#[test]
fn every_call_of_the_book_and_the_readmes() {
    all_agree("book", &book(ROOT), 300);
}

#[test]
fn every_track() {
    all_agree(
        "track",
        &[format!("{ROOT}constraint-runtime/src/curve/tracks.rs")],
        100,
    );
}

#[test]
fn every_example() {
    all_agree("example", &examples(ROOT), 300);
}
