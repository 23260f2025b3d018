//! Tests: every subcommand passes the certificate.

use clap::Parser;
use constraint_symbolic::panicked::Stage;
use constraint_symbolic::planted;

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::{done, guarded};

const MODEL: &str = "system! { struct Pendulum { l: Real = 1, g: Real = 9.81 } particle bob: Point2 { mass: 1 } \
    gravity [0, -g]; constraint rod: norm(bob) == l; }";

/// Every subcommand that reads a model; `MODEL` stands for its file.
const COMMANDS: [&[&str]; 18] = [
    &["check", MODEL],
    &["explain", MODEL],
    &["explain", "--latex", MODEL],
    &["explain", "--markdown", MODEL],
    &["explain", "--html", MODEL],
    &["explain", "--json", MODEL],
    &["expand", MODEL],
    &["expand", "--whole", MODEL],
    &["export", "--c", MODEL],
    &["export", "--c", "--f32", MODEL],
    &["export", "--c", "--library", MODEL],
    &["export", "--cuda", MODEL],
    &["export", "--cuda", "--f32", MODEL],
    &["export", "--wgsl", MODEL],
    &["export", "--js", MODEL],
    &["export", "--js", "--module", MODEL],
    &["export", "--python", MODEL],
    &["run", MODEL, "--from", "bob.x=1,bob.y=0", "--until", "0.01"],
];

fn run(words: &[&str]) -> Result<(), Failure> {
    let words = ["constraint"].iter().chain(words);
    done(Arguments::parse_from(words).command)
}

#[test]
fn what_differs_from_the_text_is_refused_by_every_command() {
    assert!(run(&["check", MODEL]).is_ok());
    let _planted = planted::negate("acceleration");
    for words in COMMANDS {
        let Err(failure @ Failure::Mistakes(_)) = run(words) else {
            panic!("{words:?} does not refuse it");
        };
        let text = failure.to_string();
        assert!(
            text.contains("the code of `acceleration` differs from the equations"),
            "{text}"
        );
        assert_eq!(failure.code(), 1, "{words:?}");
    }
}

#[test]
fn a_panic_of_the_engine_is_refused_with_a_report_by_every_command() {
    for stage in Stage::ALL {
        for words in COMMANDS {
            let _planted = planted::panic_in(stage.word());
            let Err(failure @ Failure::Mistakes(_)) = run(words) else {
                panic!("{words:?} does not report a panic in {stage:?}");
            };
            let (text, word) = (failure.to_string(), stage.word());
            let expected = format!("the macro failed in its stage `{word}`: planted in `{word}`");
            assert!(text.contains(&expected), "{text}");
            assert!(
                text.contains("please report it with this input at http"),
                "{text}"
            );
            assert_eq!(failure.code(), 1, "{words:?}");
        }
    }
}

#[test]
fn a_panic_of_the_program_is_a_failure_that_asks_for_a_report() {
    let Err(failure) = guarded(|| panic!("as a fault would\nin two lines")) else {
        panic!("no failure");
    };
    let text = failure.to_string();
    assert!(
        text.starts_with("the program failed: as a fault would; this is a bug"),
        "{text}"
    );
    assert!(
        text.contains("please report it with this input at http"),
        "{text}"
    );
    assert_eq!(failure.code(), 1);
}
