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
}

impl Failure {
    /// 1 where the model is wrong, 2 where the command line is.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Mistakes(_) | Failure::Expansion(_) => 1,
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
        None => format!("; there is {}", listed(&names)),
    }
}

/// `a`, `b` and `c`
pub fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}
