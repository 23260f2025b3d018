//! One mistake, one message: every file under `ui/` is one mistake, its `.stderr` is what the user reads.
//!
//! The engine's messages are rendered as rustc renders them, all in one process (`engine.rs`). Rustc itself judges one
//! file for each kind of place and each macro, and what it alone can say. `obeyed.rs` does what the help says.

mod engine;
mod obeyed;

use std::path::PathBuf;

/// The folders of mistakes that the engine alone sees.
const FOLDERS: [&str; 4] = ["syntax", "model", "curve", "system"];

/// Files that only rustc can judge: the message points at the whole call, at what surrounds it, or into a line that rustc
/// shortens in its own manner.
const ONLY_UNDER_RUSTC: &[&str] = &[
    "curve/empty_input",
    "syntax/empty_input",
    "syntax/empty_input_bare",
    "syntax/methods_too_many",
    "syntax/mistake_without_struct",
    "syntax/no_struct",
    "system/empty_input",
];

/// Files that rustc judges too: of each macro, each kind of place that a message can have, and stubs that are used.
const ALSO_UNDER_RUSTC: &[&str] = &[
    // A name, a number, an operator, a bracket, an expression, nothing before or behind.
    "curve/comma_missing",
    "curve/cusp",
    "curve/domain_is_a_vector",
    "curve/unknown_name",
    "model/body_twice",
    "model/constant_row_among_others",
    "model/number_out_of_range",
    "model/unknown_name",
    "syntax/missing_body",
    "syntax/double_star",
    "syntax/empty_parentheses",
    "syntax/inner_attribute",
    "syntax/struct_misspelt",
    "syntax/unary_plus",
    "system/constraint_rows_dependent",
    "system/option_misspelt",
    "system/semicolon_missing_at_end",
    // Several at a time.
    "curve/two_mistakes",
    "model/two_mistakes",
    "syntax/two_mistakes",
    "system/two_mistakes",
    // In an expression of Rust.
    "model/angular_velocity_bare",
    "model/constant_bare",
    "model/unknown_function_bare",
    "syntax/bare_coordinates_unclosed",
    "syntax/bars_for_absolute_value",
    // In the text of a joint of the library, of a part, of a function.
    "system/joint_parameter_unknown",
    "system/part_with_a_mistake",
    "system/mistake_in_function",
    // What was declared is used behind the mistake, and gives no error of its own.
    "model/bare_parameter",
    "system/attribute_of_statement",
    "system/broken_output_is_used",
    "system/default_of_wrong_shape",
    "system/particle_without_mass",
    "system/rolled_least_squares",
    "system/stub_of_everything",
];

#[test]
fn mistakes_are_reported_at_their_tokens_in_our_own_words() {
    let cases = trybuild::TestCases::new();
    for case in ONLY_UNDER_RUSTC.iter().chain(ALSO_UNDER_RUSTC) {
        cases.compile_fail(format!("{case}.rs"));
    }
    cases.compile_fail("runtime/*.rs");
}

#[test]
fn messages_hold_nothing_but_our_own_text() {
    for path in files("stderr") {
        let text = std::fs::read_to_string(&path).expect("text");
        for foreign in [
            "error[E",
            "warning:",
            "= help: consider",
            "panicked",
            "expected one of",
        ] {
            assert!(
                !text.contains(foreign),
                "{} has `{foreign}`",
                path.display()
            );
        }
    }
}

/// All files of [`FOLDERS`] with an extension, in their order.
fn files(extension: &str) -> Vec<PathBuf> {
    let folders = FOLDERS.iter().map(PathBuf::from);
    let mut files: Vec<PathBuf> = folders
        .flat_map(|it| std::fs::read_dir(it).expect("the folder of cases"))
        .map(|it| it.expect("a file").path())
        .filter(|it| it.extension().is_some_and(|it| it == extension))
        .collect();
    files.sort();
    files
}
