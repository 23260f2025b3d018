//! `constraint run --project` of all examples from coordinates of zero, exactly and nearly: what stops a run is the
//! mechanism, never the rounding of what is zero.

mod common;

use common::{constraint, examples};

/// Deviations from zero that are nothing, and places far from it.
const PLACES: [&str; 10] = [
    "0", "1e-17", "-1e-17", "1e-30", "-1e-30", "1e-300", "-1e-300", "0.7", "-0.4", "1.1",
];

/// What guesses may lead to: places where rows are dependent, have no value or cannot be met; what the program does not
/// run, and inputs and names that are missing.
const EXPECTED: [&str; 7] = [
    "is singular at t = 0",
    "at t = 0, too far to be repaired by",
    "is NaN at the start",
    "no derivative exists here",
    "cannot be reached from the start",
    "does not run constraints of one side",
    "others: set it with",
];

/// The types that a file declares, without curves, whose parameters begin where they do.
fn types(path: &str) -> Vec<String> {
    let printed = constraint(["check", path]).output;
    let declared = printed.lines().filter_map(|line| {
        let (_, text) = line.split_once(": ")?;
        let (kind, rest) = text.split_once(' ')?;
        let (name, _) = rest.split_once(':')?;
        matches!(kind, "system" | "constraint").then(|| name.to_owned())
    });
    declared.collect()
}

/// The names in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Runs a type with a value for each name that it asks for, and returns what went wrong.
fn run(path: &str, name: &str, places: &mut dyn Iterator<Item = &str>) -> Option<String> {
    let (mut parameters, mut start) = (String::new(), String::new());
    loop {
        let mut arguments = vec!["run", "--project", "--only", name, path, "--until", "0.003"];
        arguments.extend(["--tolerance", "1e-9"]);
        for (option, values) in [("--set", &parameters), ("--from", &start)] {
            if !values.is_empty() {
                arguments.extend([option, values]);
            }
        }
        let run = constraint(arguments);
        let error = run.errors.lines().find(|line| line.starts_with("error"))?;
        let asked = error.split_once("no value for the ");
        let Some((asked, option)) = asked.and_then(|it| it.1.split_once(": set it with `")) else {
            return Some(error.to_owned());
        };
        if asked.contains("others") {
            return Some(error.to_owned());
        }
        for name in quoted(asked) {
            let (values, value) = match option.starts_with("--set") {
                true => (&mut parameters, "1"),
                false => (&mut start, places.next().expect("places without end")),
            };
            let comma = if values.is_empty() { "" } else { "," };
            *values += &format!("{comma}{name}={value}");
        }
    }
}

#[test]
fn examples_start_at_coordinates_of_nearly_zero() {
    // Each type begins at another place of the cycle; steps of 3 visit them all.
    let mut places = PLACES.iter().copied().cycle().step_by(3);
    let (mut runs, mut ended) = (0, 0);
    for path in examples() {
        let path = path.to_str().expect("a path");
        for name in types(path) {
            runs += 1;
            let Some(error) = run(path, &name, &mut places) else {
                ended += 1;
                continue;
            };
            let is_expected = EXPECTED.iter().any(|it| error.contains(it));
            assert!(is_expected, "{name} of {path}: {error}");
        }
    }
    // A packed crate has no examples next to it.
    assert!(runs < 20 || 3 * ended > runs, "{ended} of {runs} ended");
}
