//! Markdown tables of times and ratios.

use std::fmt::Write;

/// A table that grows row by row.
pub struct Table {
    text: String,
}

impl Table {
    /// `title` above a header of `columns`.
    pub fn new(title: &str, columns: &[&str]) -> Self {
        let mut table = Self {
            text: format!("## {title}\n\n"),
        };
        table.row(columns.iter().copied());
        table.row(columns.iter().map(|_| "---"));
        table
    }

    /// Adds one line.
    pub fn row<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) {
        for cell in cells {
            self.text.push_str("| ");
            self.text.push_str(cell);
            self.text.push(' ');
        }
        self.text.push_str("|\n");
    }

    /// Adds `name` and the times of one race: the first as they are, the others also as multiples of it.
    pub fn race(&mut self, name: &str, seconds: &[f64]) {
        let cells: Vec<String> = seconds
            .iter()
            .map(|&s| format!("{} ({})", time(s), ratio(s / seconds[0])))
            .collect();
        self.row(std::iter::once(name).chain(cells.iter().map(String::as_str)));
    }

    /// The finished table.
    pub fn finish(mut self) -> String {
        writeln!(self.text).expect("a string takes all writes");
        self.text
    }
}

/// A time in the unit that suits its size.
pub fn time(seconds: f64) -> String {
    match seconds * 1e9 {
        ns if ns < 100.0 => format!("{ns:.1} ns"),
        ns if ns < 1e4 => format!("{ns:.0} ns"),
        ns => format!("{:.1} µs", ns / 1e3),
    }
}

/// A ratio to two decimals, or fewer where it is large.
pub fn ratio(x: f64) -> String {
    if x < 10.0 {
        format!("{x:.2}")
    } else {
        format!("{x:.0}")
    }
}
