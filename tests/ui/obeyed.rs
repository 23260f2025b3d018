//! Help that is obeyed: the program compiles, or reports another mistake whose help does not lead back.
//!
//! Help that is one replacement, as "write `==`" or "did you mean `length`?", is obeyed for every mistake of every file.
//! `obeyed.txt` has the replacements for the others. Help of a kind that neither obeys fails.

use std::collections::{BTreeMap, BTreeSet};

use constraint_symbolic::call::calls;
use constraint_symbolic::diagnostic::Diagnostic;

use crate::{ONLY_UNDER_RUSTC, files};

/// Of each case in `obeyed.txt` the replacements that its help describes, in order.
fn by_hand() -> Vec<(String, Vec<[String; 2]>)> {
    let mut cases: Vec<(String, Vec<[String; 2]>)> = Vec::new();
    let text = std::fs::read_to_string("obeyed.txt").expect("the table");
    for line in text.lines().filter(|it| !it.starts_with('#')) {
        let value = || line.get(2..).unwrap_or_default().replace("\\n", "\n");
        match line.chars().next() {
            Some('-') => cases
                .last_mut()
                .expect("a case")
                .1
                .push([value(), String::new()]),
            Some('+') => {
                let last = cases.last_mut().and_then(|it| it.1.last_mut());
                last.expect("what is replaced")[1] = value();
            }
            _ => cases.push((line.to_owned(), Vec::new())),
        }
    }
    cases
}

/// Kinds of help with names in backticks that replace nothing by themselves: lists and facts, and systems that are too large.
const DESCRIPTIONS: &[&str] = &[
    "a statement begins with ``, ``, ``, ``, ``, ``, ``, ``, ``, ``, ``, ``, ``, ``, ``, ``, ``, `` or ``",
    "it reduces to ``",
    "make it smaller, or implement `` by hand",
    "name repeated subexpressions with ``, or split it into several types",
    "store lengths and other numbers that differ in arrays, ``, and write the constraints by index in a ``",
];

#[test]
fn help_obeyed_by_hand_compiles() {
    let cases = by_hand();
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(case, it)| obeyed(case, it).err())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A kind of help is its text without what is in backticks.
fn kind(help: &str) -> String {
    help.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

/// Every kind of help that names something in backticks is obeyed: as one replacement, in `obeyed.txt`, or it is one of
/// [`DESCRIPTIONS`].
#[test]
fn no_help_is_left_out() {
    let cases = by_hand();
    let obeyed = |case: &str| cases.iter().any(|(it, _)| it == case);
    let (mut known, mut found) = (BTreeSet::new(), BTreeMap::new());
    for path in files("stderr") {
        let text = std::fs::read_to_string(&path).expect("text");
        let case = path.with_extension("").display().to_string();
        for (_, help) in text.lines().filter_map(|it| it.split_once("help: ")) {
            let kind = kind(help);
            if obeyed(&case) {
                known.insert(kind);
            } else if kind.contains('`') && new_text(help).is_none() {
                found.insert(kind, case.clone());
            }
        }
    }
    let described = |kind: &str| DESCRIPTIONS.contains(&kind);
    found.retain(|kind, _| !known.contains(kind) && !described(kind));
    assert!(found.is_empty(), "not obeyed: {found:#?}");
    let stale = DESCRIPTIONS.iter().find(|it| known.contains(**it));
    assert_eq!(stale, None, "obeyed, and listed");
}

/// Makes the replacements; each takes a mistake away, and none is left.
fn obeyed(case: &str, replacements: &[[String; 2]]) -> Result<(), String> {
    let mut source = std::fs::read_to_string(format!("{case}.rs")).expect(case);
    for [old, new] in replacements {
        let before = messages(&source);
        if !source.contains(old.as_str()) {
            return Err(format!("{case} has no `{old}`"));
        }
        source = source.replacen(old, new, 1);
        let after = messages(&source);
        if after.len() >= before.len() {
            return Err(format!("{case}, `{new}`: {}", shown(&after)));
        }
    }
    match &messages(&source)[..] {
        [] => Ok(()),
        left => Err(format!("{case}: {}", shown(left))),
    }
}

/// The most replacements after each other.
const ROUNDS: usize = 16;

#[test]
fn help_that_is_a_replacement_never_leads_back() {
    let (mut obeyed, mut circles) = (0, Vec::new());
    for path in files("rs") {
        let case = path.with_extension("");
        if ONLY_UNDER_RUSTC.iter().any(|it| case.ends_with(it)) {
            continue;
        }
        let mut source = std::fs::read_to_string(&path).expect("text");
        if source.len() > LONGEST {
            continue;
        }
        let mut seen = BTreeSet::new();
        for _ in 0..ROUNDS {
            let found = messages(&source);
            let Some((range, new)) = found.iter().find_map(replacement) else {
                break;
            };
            if !seen.insert(source.clone()) {
                circles.push(format!("{}\n{source}", case.display()));
                break;
            }
            obeyed += 1;
            source.replace_range(range, &new);
        }
    }
    assert!(circles.is_empty(), "in circles: {}", circles.join("\n"));
    assert!(obeyed > 150, "{obeyed}");
}

/// Longer files are about sizes, and take seconds.
const LONGEST: usize = 2_000;

/// The replacement of a mistake's range by which its help is obeyed, if it is one.
fn replacement(mistake: &Diagnostic) -> Option<(core::ops::Range<usize>, String)> {
    let new = new_text(mistake.help.as_deref()?)?;
    let start = mistake.range.start.byte_range().start;
    let end = mistake.range.end.byte_range().end;
    (end > start).then_some((start..end, new))
}

/// The text that replaces a mistake, if its help is that alone; texts with letters for the user's values are none.
fn new_text(help: &str) -> Option<String> {
    let quoted = |text: &'static str, end: &str| {
        let inside = help.strip_prefix(text)?.strip_suffix(end)?;
        (!inside.contains(['`', '…'])).then(|| inside.to_owned())
    };
    match help {
        "remove it" => Some(String::new()),
        _ => quoted("did you mean `", "`?").or_else(|| quoted("write `", "`")),
    }
}

fn messages(source: &str) -> Vec<Diagnostic> {
    let Ok(tokens) = source.parse() else {
        return Vec::new();
    };
    let mistakes = calls(tokens)
        .into_iter()
        .filter_map(|call| call.derive().err());
    mistakes
        .flat_map(|it| it.iter().cloned().collect::<Vec<_>>())
        .collect()
}

fn shown(messages: &[Diagnostic]) -> String {
    messages.iter().map(|it| it.text() + "\n").collect()
}
