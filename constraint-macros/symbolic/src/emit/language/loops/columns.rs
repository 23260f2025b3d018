//! Linearisations in loops: the loop over the columns, and their places in the result.

use super::{OfLoops, by_rows, place};
use crate::code::{Affine, ArrayElement, Counter, Integer, Rounds, Statement, Vector};
use crate::expr::{CollectVec, MapEach};
use crate::families::{Index, Loop};
use crate::function::{Dimension, Shape};
use crate::system::loops::routine::{Array, By};

/// The counter of columns,
const COLUMN: &str = "column";
/// and a line of the table of their places.
const COLUMN_PLACE: &str = "column_of";

impl<'a> OfLoops<'_, 'a> {
    /// A loop over the columns of the result. Matrices are stored row by row, so a table lists for each column where its entries
    /// of ∂v̇ begin and how far they are apart, and the same of ∂λ where that is a result.
    pub(super) fn each_column(&self, mut body: Vec<Statement<'a>>) -> Statement<'a> {
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
                table.push(places.collect_vec());
            }
        }
        let rounds = Rounds::up_to(COLUMN, table.len());
        let (table, column) = (self.writer.table(&table), Counter::Name(COLUMN));
        body.insert(0, Statement::Line(COLUMN_PLACE, table, column.into()));
        Statement::Rounds(rounds, body)
    }

    /// The number of columns of a matrix of slopes.
    fn columns(&self, by: By) -> usize {
        self.writer.interface.size(by.dimension())
    }

    /// An entry of the column that a loop is at; `k` is the column of the table with its place.
    pub(super) fn in_column(&self, k: usize, at: Index) -> ArrayElement {
        let [first, apart] =
            [k, k + 1].map_each(|k| Affine::from(Counter::Column(COLUMN_PLACE, k)));
        let far = Integer::Product(Box::new([apart.into(), place(at, 0)]));
        Vector::Result.at(Integer::Sum(Box::new([first.into(), far])))
    }

    /// An entry of a matrix, outside of the loop over columns.
    pub(super) fn in_matrix(
        &self,
        it: &Loop,
        (rows, by): (Dimension, By),
        array: Array,
        at: Index,
    ) -> ArrayElement {
        let sizes = [self.writer.interface.size(rows), self.columns(by)];
        let first = self.first(array);
        Vector::Result.at(match by_rows(it, at, sizes) {
            Integer::Affine(place) => Integer::Affine(place + first),
            place => Integer::Sum(Box::new([first.into(), place])),
        })
    }
}
