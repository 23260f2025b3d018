//! What can go wrong, for people, and the exit code that tells it to scripts.

use std::io;
use std::path::PathBuf;

use constraint_symbolic::diagnostic::closest;

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The model has mistakes; the text shows where, in colours that whoever prints it may take out.
    #[error("{0}")]
    Mistakes(String),
    /// A file that is not there, or that may not be read.
    #[error("cannot read `{path}`: {error}")]
    Unreadable {
        /// As it was asked for.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// A file that cannot be written.
    #[error("cannot write `{}`: {error}", path.display())]
    Unwritable {
        /// As it was asked for.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Standard output that is closed.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
    /// An expansion that is no Rust.
    #[error("the expansion is no Rust, which is a fault of this program: {0}")]
    Expansion(syn::Error),
    /// A type that the file does not declare.
    #[error("{origin} declares no `{name}`{}", among(name, known))]
    UnknownType {
        /// Where the model stands.
        origin: String,
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// More than one call, or fewer.
    #[error(
        "one model is run at a time: say which by `--only`, of {}",
        listed(known)
    )]
    Several {
        /// What there is.
        known: Vec<String>,
    },
    /// A name that the model does not have.
    #[error("there is no {} `{name}`{}", kind.join(" or "), among(name, known))]
    UnknownName {
        /// What it could have been.
        kind: Vec<&'static str>,
        /// What was set.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A number that was given twice.
    #[error("the {kind} `{name}` is set twice")]
    Twice {
        /// `parameter`
        kind: &'static str,
        /// Its name.
        name: String,
    },
    /// Components with names and others without.
    #[error(
        "`--gravity` has components with and without names: {}",
        exactly(names)
    )]
    MixedComponents {
        /// The coordinates.
        names: Vec<String>,
    },
    /// A file of Rust that calls none of the macros.
    #[error("{origin} has no call of `constraint!`, `curve!` or `system!`")]
    NoCall {
        /// Where the text stands.
        origin: String,
    },
    /// A number that the model does not have by itself.
    #[error(
        "no value for the {} {}: give it by `{option} {}=…`",
        plural(kind, names),
        listed(names),
        names[0]
    )]
    MissingValue {
        /// `parameter`
        kind: &'static str,
        /// Those that are missing.
        names: Vec<String>,
        /// Where they are set.
        option: &'static str,
    },
    /// A field of another dimension.
    #[error(
        "`--gravity` has {found} components, the particle {} coordinates: {}", names.len(), exactly(names)
    )]
    Gravity {
        /// The coordinates of the particle.
        names: Vec<String>,
        /// How many were given.
        found: usize,
    },
    /// A particle's options for a system.
    #[error(
        "`--mass` and `--gravity` are for a constraint on points or a curve: a system has masses and forces of its own"
    )]
    OwnMasses,
    /// A joint by itself.
    #[error("a constraint between bodies does not move by itself: put it into a `system!`")]
    BetweenBodies,
    /// λ has no closed form.
    #[error("a constraint of so many rows does not move by itself: put it into a `system!`")]
    ManyRows,
    /// What only generated code solves.
    #[error(
        "this system is solved by tables, which need a compiler; `#[solver(unrolled)]` before its struct does without, if it is not too large"
    )]
    NeedsTables,
    /// A start that the model refuses.
    #[error("{}", remedied(error))]
    Start {
        /// Why.
        error: constraint_runtime::Error,
    },
    /// A motion that came to an end.
    #[error("{0}")]
    Motion(constraint_runtime::Error),
    /// A figure that could not be drawn.
    #[error("cannot draw: {0}")]
    Figure(String),
}

/// What is wrong with a start, and what to do about it here.
fn remedied(error: &constraint_runtime::Error) -> String {
    error
        .to_string()
        .replace("`make_consistent`", "`--project`")
}

/// Which number is that of which coordinate.
fn exactly(names: &[String]) -> String {
    let last = names.last().map_or("y", String::as_str);
    format!(
        "all of {} in this order, or some by name, `{last}=-9.81`",
        listed(names)
    )
}

/// `parameters` of several.
fn plural(kind: &str, names: &[String]) -> String {
    let ending = if names.len() == 1 { "" } else { "s" };
    format!("{kind}{ending}")
}

impl Failure {
    /// 1 where the model is wrong or cannot move, 2 where the command line is wrong.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Mistakes(_)
            | Failure::Expansion(_)
            | Failure::Motion(_)
            | Failure::BetweenBodies
            | Failure::ManyRows
            | Failure::NeedsTables => 1,
            _ => 2,
        }
    }
}

/// What there is instead of a name, the most likely first.
pub fn among(name: &str, known: &[String]) -> String {
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    match closest(name, &names) {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None if names.is_empty() => String::new(),
        None => format!("; there is {}", listed(known)),
    }
}

/// Longer lists are cut.
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
