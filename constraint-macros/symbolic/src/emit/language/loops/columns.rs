//! Linearisations in loops as text: the loop over the columns, and where these stand in the result.

use super::{InLoops, by_rows, text};
use crate::families::{Index, Loop};
use crate::function::{Dimension, Shape};
use crate::system::loops::routine::{Array, By};

/// What counts the columns,
const COLUMN: &str = "column";
/// and a line of the table of their places.
const COLUMN_PLACE: &str = "column_of";

impl InLoops<'_> {
    /// A loop over the columns of the result. Matrices stand row by row, so a table lists for each column where its entries
    /// of ∂v̇ begin and how far they are apart, and the same of ∂λ where that is a result.
    pub(super) fn each_column(&self, loops: &[String]) -> String {
        let language = self.writer.language;
        let mut table = Vec::new();
        for by in By::ALL {
            let matrices = [Array::MotionBy(by), Array::MultipliersBy(by)];
            let count = if let Shape::Tuple(_) = self.shape {
                2
            } else {
                1
            };
            for column in 0..self.columns(by) {
                let places = matrices[..count].iter();
                let places = places.flat_map(|&it| [self.first(it) + column, self.columns(by)]);
                table.push(places.collect());
            }
        }
        let name = self.writer.table(&table);
        let line = language.line(COLUMN_PLACE, (&name, &table), COLUMN);
        let body = [&[line], loops].concat().join("\n");
        language.rounds(COLUMN, table.len(), &body)
    }

    /// The number of columns of a matrix of slopes.
    fn columns(&self, by: By) -> usize {
        self.writer.interface.size(by.dimension())
    }

    /// An entry of the column that a loop is at; `k` is where its place stands in the table.
    pub(super) fn in_column(&self, k: usize, at: Index) -> String {
        let result = self.writer.language.result_name();
        let [first, apart] = [k, k + 1].map(|k| format!("{COLUMN_PLACE}[{k}]"));
        format!("{result}[{first} + {apart} * ({})]", text(at, 0))
    }

    /// An entry of a matrix, outside of the loop over columns.
    pub(super) fn in_matrix(
        &self,
        it: &Loop,
        (rows, by): (Dimension, By),
        array: Array,
        at: Index,
    ) -> String {
        let language = self.writer.language;
        let sizes = [self.writer.interface.size(rows), self.columns(by)];
        let place = by_rows(language, it, at, sizes);
        let (result, first) = (language.result_name(), self.first(array));
        format!("{result}[{first} + {place}]")
    }
}
