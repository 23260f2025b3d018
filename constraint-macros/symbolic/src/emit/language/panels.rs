//! The elimination of panels: one text for all languages, beside tables of what stands where.

use super::Kind;
use super::functions::Writer;
use super::passage::{Passage, parameters};
use crate::solve::{Panels, WIDTH};

/// What it is called.
pub(super) const ELIMINATE: &str = "eliminate";

/// The function that makes unknowns of the right-hand side.
pub(super) fn elimination(writer: &Writer<'_>, panels: &Panels) -> String {
    let sizes = panels.rows.iter().zip(&panels.below);
    let sizes = sizes.map(|(rows, below)| vec![rows.len(), below.len()]);
    let single = |values: Vec<usize>| values.into_iter().map(|it| vec![it]).collect();
    let tables: [(_, Vec<Vec<usize>>); 3] = [
        ("panels", sizes.collect()),
        ("rows", single(panels.below.concat())),
        ("products", single(panels.targets())),
    ];
    let tables = tables.map(|(name, lines)| match lines[..] {
        // No language has tables without lines.
        [] => (name, vec![vec![0]]),
        _ => (name, lines),
    });
    let tables = tables
        .iter()
        .map(|(name, lines)| (*name, writer.table(lines), &lines[..]));
    let count = panels.rows.len();
    let blocks = WIDTH * WIDTH * panels.blocks();
    let passage = Passage {
        name: ELIMINATE,
        parameters: parameters([
            ("blocks", Kind::Changed(blocks)),
            ("x", Kind::Changed(WIDTH * count)),
        ]),
        body: include_str!("panels.c").replace("PANELS", &count.to_string()),
        tables: tables.collect(),
        gives: None,
    };
    passage.told(writer.language)
}
