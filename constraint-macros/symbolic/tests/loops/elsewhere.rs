//! Systems in loops in other languages: what C makes of random ones is what the interpreter does, bit for bit, and so but
//! for sines is what JavaScript makes of them.

use std::fmt::Write;
use std::process::Command;

use constraint_symbolic::export::{Target, export};
use constraint_symbolic::function::system::{functions, names};
use constraint_symbolic::function::{Argument, Function};
use constraint_symbolic::model::Shape;
use constraint_symbolic::system::Derived;

use crate::compiler::{hexadecimal, run};
use crate::interpreter::{self, State, TIME};
use crate::random::Random;
use crate::{CASES, derived, grammar, limbs, points};

/// A system, its text in another language, and a state of it.
struct Case {
    name: String,
    text: String,
    derived: Derived,
    state: State,
}

/// Random systems in loops.
fn cases(system: fn(&mut Random) -> String, count: u64, target: Target) -> Vec<Case> {
    cases_of(count, target, |random| {
        let text = system(random);
        let derived = derived("rolled", &text)?;
        Some((format!("#[solver(rolled)] {text}"), derived))
    })
}

fn cases_of(
    count: u64,
    target: Target,
    system: impl Fn(&mut Random) -> Option<(String, Derived)>,
) -> Vec<Case> {
    let case = |seed: u64| {
        let mut random = Random::new(seed);
        let (text, derived) = system(&mut random)?;
        let name = format!("S{seed}");
        let text = text.replacen("struct S ", &format!("struct {name} "), 1);
        let call = format!("system! {{ {text} }}");
        let exported = export(call.parse().expect("tokens"), target);
        Some(Case {
            state: State::random(&derived.system, &mut random),
            text: exported.unwrap_or_else(|it| panic!("{call}: {it}")),
            name,
            derived,
        })
    };
    (0..count).filter_map(case).collect()
}

/// The values of an argument; nothing of one that other languages are not given.
fn values(argument: Argument, state: &State) -> Option<&[f64]> {
    Some(match argument {
        Argument::Time => &[TIME],
        Argument::Coordinates => &state.q,
        Argument::Velocities => &state.v,
        Argument::RightHandSide => &state.b,
        Argument::Accelerations => &state.a,
        Argument::Tangent => &state.tangent,
        Argument::AccelerationAdjoint | Argument::CorrectionAdjoint => &state.bars[0],
        Argument::MultiplierAdjoint => &state.bars[1],
        _ => return None,
    })
}

fn listed(values: &[f64], [open, close]: [&str; 2]) -> String {
    let values = values.iter().map(|it| format!("{it:?}"));
    let values: Vec<String> = values.collect();
    format!("{open} {} {close}", values.join(", "))
}

/// The values of fields in braces, arrays and vectors in braces of their own.
fn structure(fields: &[(Shape, Vec<usize>)], mut values: &[f64]) -> String {
    let fields = fields.iter().map(|(shape, lengths)| {
        let mut lengths = lengths.clone();
        lengths.extend((*shape != Shape::Scalar).then(|| shape.len()));
        let (own, rest) = values.split_at(lengths.iter().product());
        values = rest;
        lengths.iter().rev().fold(
            own.iter()
                .map(|it| format!("{it:?}"))
                .collect::<Vec<String>>(),
            |parts, &length| {
                let parts = parts.chunks(length);
                parts
                    .map(|part| format!("{{ {} }}", part.join(", ")))
                    .collect()
            },
        )[0]
        .clone()
    });
    format!("{{ {} }}", fields.collect::<Vec<String>>().join(", "))
}

/// The statements of C that tell what all functions give.
fn calls(case: &Case, told: &mut Vec<(String, Vec<f64>)>) -> String {
    let Case {
        name,
        text,
        derived,
        state,
    } = case;
    let system = &derived.system;
    let fields = |parameters: Vec<(Shape, Vec<usize>)>, values: &[f64]| {
        (!parameters.is_empty()).then(|| structure(&parameters, values))
    };
    let parameters = system.model.parameters.iter();
    let own = fields(
        parameters
            .map(|it| (it.shape, it.lengths.clone()))
            .collect(),
        &state.parameters,
    );
    let inputs = system.inputs.iter();
    let given = fields(
        inputs.map(|it| (it.shape, it.lengths.clone())).collect(),
        &state.inputs,
    );
    let mut lines = String::from("  {\n");
    let mut structures = Vec::new();
    for (ty, variable, value) in [("", "own", own), ("Inputs", "given", given)] {
        if let Some(value) = value {
            writeln!(lines, "    const {name}{ty} {variable} = {value};").expect("a string");
            structures.push(format!("&{variable}"));
        }
    }
    let all = names(system);
    for function in functions(derived, &all) {
        let expected = interpreter::evaluate(derived, &function, state);
        let Some((call, length)) = call(text, name, &function, state, &structures) else {
            continue;
        };
        let expected = expected.expect("it is in loops").values;
        // What is checked stands before the result.
        let expected = &expected[expected.len() - length..];
        told.push((
            format!("{name} {}", function.signature.name),
            expected.to_vec(),
        ));
        lines += &call;
    }
    lines + "  }\n"
}

/// A call and the number of its results; nothing where the function is not there.
fn call(
    text: &str,
    name: &str,
    function: &Function<'_>,
    state: &State,
    structures: &[String],
) -> Option<(String, usize)> {
    let named = format!("{}_{}", name.to_lowercase(), function.signature.name);
    let signature = text.split_once(&format!(" {named}("))?.1.split_once(')')?.0;
    let arguments = function.signature.arguments.iter().map(|&argument| {
        let values = values(argument, state)?;
        Some(match argument {
            Argument::Time => format!("{TIME:?}"),
            _ => listed(values, ["(double[]){", "}"]),
        })
    });
    let arguments: Option<Vec<String>> = arguments.collect();
    let arguments = [structures, &arguments?].concat().join(", ");
    Some(match signature.split_once("double result[") {
        Some((_, length)) => {
            let length = length.trim_end_matches(']').parse().expect("a number");
            (
                format!("    {named}({arguments}, result); tell(result, {length});\n"),
                length,
            )
        }
        None => (
            format!("    result[0] = {named}({arguments}); tell(result, 1);\n"),
            1,
        ),
    })
}

#[track_caller]
fn compare(room: &str, cases: &[Case], least: usize) {
    let mut told = Vec::new();
    let calls: String = cases.iter().map(|case| calls(case, &mut told)).collect();
    let headers: Vec<&str> = cases.iter().map(|case| case.text.as_str()).collect();
    let text = format!(
        "{}
#include <stdio.h>
static void tell(const double *values, int length) {{
  for (int i = 0; i < length; i++) printf(\"%a \", values[i]);
  printf(\"\\n\");
}}
int main(void) {{
  static double result[10000];
{calls}  return 0;
}}
",
        headers.join("\n")
    );
    assert!(told.len() >= least, "{} functions", told.len());
    let Some(output) = run(room, &text) else {
        return;
    };
    assert_eq!(output.lines().count(), told.len());
    for (line, (what, expected)) in output.lines().zip(&told) {
        let found: Vec<f64> = line.split_whitespace().map(hexadecimal).collect();
        let bits = |values: &[f64]| values.iter().map(|it| it.to_bits()).collect::<Vec<u64>>();
        assert_eq!(
            bits(&found),
            bits(expected),
            "{what}: {found:?} for {expected:?}"
        );
    }
}

/// The values of fields by name, arrays and vectors in brackets.
fn object<'n>(names: impl Iterator<Item = &'n proc_macro2::Ident>, structure: &str) -> String {
    let values = structure.replace('{', "[").replace('}', "]");
    let names: Vec<String> = names.map(ToString::to_string).collect();
    format!("(([{}]) => ({{ {0} }}))({values})", names.join(", "))
}

/// A program that prints what each function gives, a line for each.
fn script(case: &Case, told: &mut Vec<(String, Vec<f64>)>) -> String {
    let (system, state) = (&case.derived.system, &case.state);
    let shapes = |it: (&Shape, &Vec<usize>)| (*it.0, it.1.clone());
    let parameters = system.model.parameters.iter();
    let shaped: Vec<_> = parameters
        .clone()
        .map(|it| shapes((&it.shape, &it.lengths)))
        .collect();
    let own = object(
        parameters.map(|it| &it.name),
        &structure(&shaped, &state.parameters),
    );
    let inputs = system.inputs.iter();
    let shaped: Vec<_> = inputs
        .clone()
        .map(|it| shapes((&it.shape, &it.lengths)))
        .collect();
    let given = object(
        inputs.map(|it| &it.name),
        &structure(&shaped, &state.inputs),
    );
    let mut lines = format!(
        "(() => {{
{}
const flat = (it) => typeof it === 'number' ? [it] : Object.values(it).flatMap(flat);
const own = Object.assign({own}, {{ inputs: () => {given} }});
",
        case.text
    );
    for function in functions(&case.derived, &names(system)) {
        let name = function.signature.name;
        let given = function
            .signature
            .arguments
            .iter()
            .map(|&argument| match argument {
                Argument::Time => Some(TIME.to_string()),
                // JavaScript is given an object.
                Argument::Tangent => None,
                argument => Some(listed(values(argument, state)?, ["[", "]"])),
            });
        let given: Option<Vec<String>> = given.collect();
        let Some(given) = given.filter(|_| case.text.contains(&format!("function {name}("))) else {
            continue;
        };
        let expected = interpreter::evaluate(&case.derived, &function, state);
        told.push((name.to_owned(), expected.expect("it is in loops").values));
        lines += &format!(
            "console.log(flat({name}(own, {})).join(' '));\n",
            given.join(", ")
        );
    }
    lines + "})();\n"
}

#[test]
fn node_computes_loops_as_the_interpreter_does() {
    let cases = cases(points::system, 3, Target::JavaScript);
    let mut told = Vec::new();
    let scripts: Vec<String> = cases.iter().map(|case| script(case, &mut told)).collect();
    assert!(told.len() >= 30, "{} functions", told.len());
    let file = std::env::temp_dir().join(format!("constraint-loops-{}.js", std::process::id()));
    std::fs::write(&file, scripts.join("\n")).expect("the script is written");
    let Ok(output) = Command::new("node").arg(&file).output() else {
        eprintln!("skipped: node is not installed, so nothing was run");
        return;
    };
    std::fs::remove_file(&file).expect("the script is removed");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let output = String::from_utf8(output.stdout).expect("numbers");
    assert_eq!(output.lines().count(), told.len());
    for (line, (what, expected)) in output.lines().zip(&told) {
        let found: Vec<f64> = line
            .split_whitespace()
            .map(|it| it.parse().expect("a number"))
            .collect();
        let expected = &expected[expected.len() - found.len()..];
        crate::close(
            what,
            &found,
            expected,
            crate::derivatives::size(expected),
            || 0.0,
        );
    }
}

#[test]
fn c_computes_loops_of_points_as_the_interpreter_does() {
    compare("points", &cases(points::system, CASES / 6, Target::C), 40);
}

#[test]
fn c_computes_loops_of_any_system_as_the_interpreter_does() {
    compare("any", &cases(grammar::system, CASES / 6, Target::C), 40);
}

#[test]
fn c_computes_loops_over_limbs_as_the_interpreter_does() {
    compare("limbs", &cases_of(1, Target::C, limbs::in_loops), 5);
}
