//! The page on the language speaks of all of it.

use constraint_symbolic::compile::analyze_system;
use constraint_symbolic::model::function_names;
use constraint_symbolic::syntax::{library_joint, library_joints};

const PAGE: &str = include_str!("language.md");

/// What the page shows as code, word by word.
fn shown() -> Vec<&'static str> {
    let code = PAGE.split('`').skip(1).step_by(2);
    code.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .collect()
}

#[test]
fn every_function_is_on_the_page() {
    let shown = shown();
    for name in function_names() {
        assert!(shown.contains(&name), "`{name}`");
    }
}

/// The statements are those that a message lists.
#[test]
fn every_statement_has_a_rule() {
    let nonsense = "pub struct S; wibble x;".parse().expect("these are tokens");
    let refused = analyze_system(nonsense).expect_err("no statement begins so");
    let help = refused.iter().find_map(|it| it.help.as_deref());
    let help = help.expect("the statements are listed");
    let statements: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
    assert!(statements.len() > 12, "{help}");
    for statement in statements {
        let rule = format!("\"{statement}\"");
        assert!(PAGE.contains(&rule), "{rule}");
    }
}

/// Its parameters, those without which it is complete in brackets.
#[test]
fn every_joint_has_a_line() {
    let lines: Vec<&str> = PAGE
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    for plane in [false, true] {
        for name in library_joints(plane) {
            let path = if plane { "plane::" } else { "" };
            let begins = format!("| `{path}{name}` |");
            let line = lines.iter().find(|line| line.starts_with(&begins));
            let line = line.unwrap_or_else(|| panic!("{begins}"));
            let tree = library_joint(name, plane, proc_macro2::Span::call_site());
            let header = tree.expect("a joint").header.expect("a struct");
            let (asked, left) = line.split_once('(').unwrap_or((line, ""));
            let words = |text: &str| text.matches('`').count() / 2;
            assert_eq!(words(line), 1 + header.parameters.len(), "{line}");
            for parameter in header.parameters {
                let word = format!("`{}`", parameter.name);
                let stands = if parameter.default.is_some() {
                    left
                } else {
                    asked
                };
                assert!(stands.contains(&word), "{word} in {line}");
            }
        }
    }
}
