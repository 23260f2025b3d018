//! What is wrong in a file, and where.

use std::fmt;
use std::ops::Range;

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
    /// True if it is in the second file, that of the loops.
    pub in_loops: bool,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = if self.in_loops { "file of loops, " } else { "" };
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

/// Line and column of a byte, from 1; columns count characters.
pub fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before[start..].chars().count() + 1)
}
