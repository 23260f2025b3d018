//! Errors of the program as messages, with their exit codes.

use std::io;
use std::path::PathBuf;

use constraint_symbolic::diagnostic::closest;
use constraint_symbolic::panicked::REPOSITORY;

/// The reason why nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The model has errors; the text shows their places, with colours that the caller may strip.
    #[error("{0}")]
    Mistakes(String),
    /// A file that does not exist, or that may not be read.
    #[error("cannot read `{path}`: {error}")]
    Unreadable {
        /// The path on the command line.
        path: String,
        /// The cause.
        error: io::Error,
    },
    /// A file that cannot be written.
    #[error("cannot write `{}`: {error}", path.display())]
    Unwritable {
        /// The path on the command line.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// Standard output that is closed.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
    /// An expansion that is not valid Rust.
    #[error("the expansion is not valid Rust, which is a bug in this program: {0}")]
    Expansion(syn::Error),
    /// A panic.
    #[error(
        "the program failed: {0}; this is a bug in the program, not in your input\n\
         help: please report it with this input at {REPOSITORY}"
    )]
    Panicked(String),
    /// A written model that does not agree with its file.
    #[error("the written model differs from the file, which is a bug in this program")]
    Differs,
    /// A type that the file does not declare.
    #[error("{origin} does not declare `{name}`{}", among(name, known))]
    UnknownType {
        /// The source of the model.
        origin: String,
        /// The requested name.
        name: String,
        /// The existing names.
        known: Vec<String>,
    },
    /// More or fewer than one call.
    #[error(
        "there are several models: choose one with `--only` from {}",
        listed(known)
    )]
    Several {
        /// The existing names.
        known: Vec<String>,
    },
    /// A name that the model does not have.
    #[error("there is no {} `{name}`{}", kind.join(" or "), among(name, known))]
    UnknownName {
        /// The possible kinds.
        kind: Vec<&'static str>,
        /// The name that was set.
        name: String,
        /// The existing names.
        known: Vec<String>,
    },
    /// A value that was given twice.
    #[error("the {kind} `{name}` is set twice")]
    Twice {
        /// `parameter`
        kind: &'static str,
        /// Its name.
        name: String,
    },
    /// Components with names and others without.
    #[error(
        "`--gravity` mixes components with and without names: give {}",
        exactly(names)
    )]
    MixedComponents {
        /// The coordinates.
        names: Vec<String>,
    },
    /// A file of Rust that calls none of the macros.
    #[error("{origin} has no call of `constraint!`, `curve!` or `system!`")]
    NoCall {
        /// The source of the text.
        origin: String,
    },
    /// A value that the model does not define.
    #[error(
        "no value for the {} {}: set it with `{option} {}=…`",
        plural(kind, names),
        listed(names),
        names[0]
    )]
    MissingValue {
        /// `parameter`
        kind: &'static str,
        /// The missing names.
        names: Vec<String>,
        /// The option that sets them.
        option: &'static str,
    },
    /// A gravity vector of another dimension.
    #[error(
        "`--gravity` has {found} components, but the particle has {} coordinates: give {}", names.len(), exactly(names)
    )]
    Gravity {
        /// The coordinates of the particle.
        names: Vec<String>,
        /// The number of components given.
        found: usize,
    },
    /// A particle's options for a system.
    #[error(
        "`--mass` and `--gravity` are for constraints on points and curves; a system has its own masses and forces"
    )]
    OwnMasses,
    /// A joint on its own.
    #[error(
        "a constraint between bodies cannot be simulated on its own: write a `system!` that contains it"
    )]
    BetweenBodies,
    /// λ has no closed form.
    #[error(
        "a constraint of more than three rows cannot be simulated on its own: write a `system!` that contains it"
    )]
    ManyRows,
    /// A system with constraints of one side, friction on constraints, or motors.
    #[error(
        "the program does not run constraints of one side, `a >= b`, friction on constraints or motors: write contacts as `Contact` and `Friction`, or use a `ContactSimulation` in Rust"
    )]
    OneSided,
    /// A start that the model rejects.
    #[error("{}", remedied(error))]
    Start {
        /// The cause.
        error: constraint_runtime::Error,
    },
    /// A motion that failed.
    #[error("{0}")]
    Motion(constraint_runtime::Error),
    /// A figure that could not be drawn.
    #[error("cannot draw: {0}")]
    Figure(String),
}

/// The error of a start, with the remedy on the command line.
fn remedied(error: &constraint_runtime::Error) -> String {
    error
        .to_string()
        .replace("`make_consistent`", "`--project`")
}

/// The order of the components.
fn exactly(names: &[String]) -> String {
    let last = names.last().map_or("y", String::as_str);
    format!(
        "all of {} in this order, or some by name, `{last}=-9.81`",
        listed(names)
    )
}

/// The plural of a kind, for several names.
fn plural(kind: &str, names: &[String]) -> String {
    let ending = if names.len() == 1 { "" } else { "s" };
    format!("{kind}{ending}")
}

impl Failure {
    /// 1 if the model is wrong or cannot move, 2 if the command line is wrong.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Mistakes(_)
            | Failure::Expansion(_)
            | Failure::Motion(_)
            | Failure::Differs
            | Failure::Panicked(_)
            | Failure::BetweenBodies
            | Failure::ManyRows
            | Failure::OneSided => 1,
            _ => 2,
        }
    }
}

/// The existing names, or the most likely one.
pub fn among(name: &str, known: &[String]) -> String {
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    match closest(name, &names) {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None if names.is_empty() => String::new(),
        None => format!("; known: {}", listed(known)),
    }
}

/// Limit on the length of a list.
const MOST_LISTED: usize = 12;

/// `a`, `b` and `c`
pub fn listed(names: &[String]) -> String {
    let quoted = |names: &[String]| {
        let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        quoted.join(", ")
    };
    match names {
        [] | [_] => quoted(names),
        [before @ .., last] if names.len() <= MOST_LISTED => {
            format!("{} and `{last}`", quoted(before))
        }
        _ => {
            let (first, others) = names.split_at(MOST_LISTED - 2);
            format!("{} and {} others", quoted(first), others.len())
        }
    }
}
