//! What a sweep refuses.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use constraint_runtime::Error;

/// Everything that can go wrong with a sweep; what happens to a copy alone is written with its shard.
#[derive(Debug)]
pub enum Failure {
    /// Settings that make no sweep: no copies, a shard that there is not, a step that is not positive.
    Settings(Error),
    /// What the file system refuses.
    File {
        /// The file or directory.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// Another process has written this shard first: what it wrote is kept.
    AlreadyWritten {
        /// The file.
        path: PathBuf,
    },
    /// A file that is truncated, or not a shard.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// The shard of a sweep with other settings.
    OfAnotherSweep {
        /// The file.
        path: PathBuf,
    },
    /// A shard stored without rows, in a sweep that needs them.
    WithoutRows {
        /// The file.
        path: PathBuf,
    },
    /// Shards that have not been written yet.
    Missing {
        /// How many.
        shards: usize,
    },
}

impl Failure {
    /// An error of the file system at a path.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| Self::File { path, source }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Settings(error) => write!(f, "{error}"),
            Self::File { path, source } => write!(f, "{}: {source}", path.display()),
            Self::AlreadyWritten { path } => {
                write!(f, "{} has been written by another process", path.display())
            }
            Self::Damaged { path, cause } => write!(
                f,
                "{} is not a complete shard ({cause}): delete it, and the next run writes it",
                path.display()
            ),
            Self::OfAnotherSweep { path } => write!(
                f,
                "{} is of a sweep with other settings: use another directory",
                path.display()
            ),
            Self::WithoutRows { path } => write!(
                f,
                "{} was stored without rows: use another directory, or `--summary-only`",
                path.display()
            ),
            Self::Missing { shards } => {
                write!(f, "{shards} shards are missing: the next run makes them")
            }
        }
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Settings(error)
    }
}
