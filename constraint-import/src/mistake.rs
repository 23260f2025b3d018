//! What is wrong in a file, and where.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The fact, lower case, without a final stop.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The bytes of the file that it refers to.
    pub range: Range<usize>,
    /// The line of the file, from 1.
    pub line: usize,
    /// The column of the line, from 1.
    pub column: usize,
    /// The file.
    pub origin: Origin,
}

/// The file that a mistake is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file of the robot.
    Robot,
    /// The second file, that of the loops.
    Loops,
    /// A file that it includes.
    Included(PathBuf),
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = match &self.origin {
            Origin::Robot => String::new(),
            Origin::Loops => "file of loops, ".to_owned(),
            Origin::Included(path) => format!("{}, ", path.display()),
        };
        write!(
            f,
            "{file}line {}, column {}: {}",
            self.line, self.column, self.message
        )?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

/// Everything that is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes(pub Vec<Mistake>);

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.0.iter().map(Mistake::to_string).collect();
        f.write_str(&all.join("\n"))
    }
}

impl std::error::Error for Mistakes {}

/// The places in a text where its lines begin.
#[derive(Debug)]
pub struct Lines(Vec<usize>);

impl Lines {
    /// The lines of a text.
    pub fn of(text: &str) -> Lines {
        let after = text.match_indices('\n').map(|(at, _)| at + 1);
        Lines(std::iter::once(0).chain(after).collect())
    }

    /// The line of a byte, from 1.
    pub fn line(&self, byte: usize) -> usize {
        self.0.partition_point(|start| *start <= byte)
    }

    /// Line and column of a byte, from 1; columns count characters.
    pub fn position(&self, text: &str, byte: usize) -> (usize, usize) {
        let line = self.line(byte);
        let before = text.get(self.0[line - 1]..byte).unwrap_or_default();
        (line, before.chars().count() + 1)
    }
}
