//! Quantities that need no solution: rows, J, energies; and arms written out in all quantities.

use super::super::leaves;
use super::super::routine::{Array, Kernel, Routine, Slot, Write};
use super::derivation::Elements;
use crate::dynamics::{self, Row};
use crate::expr::{CollectVec, ExprId, MapEach, Node, PushEach, Set, SortedMap, SymbolId};
use crate::families::indices_of;
use crate::solve::Quantity;

impl Elements<'_> {
    /// Everything that the state alone tells.
    pub(super) fn state(&mut self, routines: &mut SortedMap<Quantity, Routine>) {
        let row_sizes = |elements: &mut Elements<'_>, row: &Row| {
            let graph = &mut elements.derivation.graph;
            dynamics::size(graph, elements.system, &row.jacobian)
        };
        routines.extend([
            (Quantity::Value, self.per_row(|_, row| row.value)),
            (Quantity::Rate, self.per_row(|_, row| row.rate)),
            (Quantity::Bias, self.per_row(|_, row| row.bias)),
            (Quantity::RowSizes, self.per_row(row_sizes)),
            (Quantity::Jacobian, self.jacobian()),
            (Quantity::Responses, self.responses()),
        ]);
        let potential =
            Routine::potential_energy(self.derivation, self.system, &mut self.definitions);
        routines.insert(Quantity::PotentialEnergy, potential);
        self.of_elements(routines);
    }

    /// One result per row.
    fn per_row(&mut self, result: impl Fn(&mut Elements<'_>, &Row) -> ExprId) -> Routine {
        Routine::of_ordered(self.order_of_rows(), |stage| {
            for r in 0..self.rows.of.len() {
                let slots = self.rows.slots[r].clone();
                let mut indices = indices_of(&slots);
                indices.push(r);
                stage.push(vec![self.rows.of[r]], indices, || {
                    let row = self.row(r).clone();
                    Kernel {
                        reads: self.reads_of(&slots),
                        roots: vec![result(self, &row)],
                        writes: vec![Write::Set(Array::Output, slots.len())],
                    }
                });
            }
        })
    }

    /// J, entry by entry, in an array of columns: row + rows·column.
    fn jacobian(&mut self) -> Routine {
        let count = self.rows.of.len();
        let first: Vec<(usize, Row)> = self.first_rows();
        Routine::of_ordered(self.order_of_rows(), |stage| {
            for r in 0..count {
                let slots = self.rows.slots[r].clone();
                let mut indices = indices_of(&slots);
                indices.push_each(
                    self.columns_like(r, &first)
                        .into_iter()
                        .map(|c| r + count * c),
                );
                stage.push(vec![self.rows.of[r]], indices, || {
                    let row = self.row(r).jacobian.clone();
                    let places = slots.len()..slots.len() + row.len();
                    Kernel {
                        reads: self.reads_of(&slots),
                        roots: row.iter().map(|&(_, entry)| entry).collect_vec(),
                        writes: places
                            .map(|place| Write::Set(Array::Output, place))
                            .collect_vec(),
                    }
                });
            }
        })
    }

    /// The families' first rows.
    pub(super) fn first_rows(&mut self) -> Vec<(usize, Row)> {
        let first = self.rows.first.clone().into_iter();
        first.map(|r| (r, self.row(r).clone())).collect_vec()
    }

    /// The columns of a row of J, in the order of those of its family's first row: each belongs to a slot, which is another
    /// component, of another kind of element, in another row.
    pub(super) fn columns_like(&self, r: usize, first: &[(usize, Row)]) -> Vec<usize> {
        let (other, row) = &first[self.rows.of[r]];
        let [there, here] = [*other, r].map_each(|r| &self.rows.slots[r]);
        let column = |&(c, _): &(usize, ExprId)| {
            let slot = there.iter().position(|it| column_of(*it) == Some(c))?;
            column_of(here[slot])
        };
        row.jacobian.iter().filter_map(column).collect_vec()
    }

    /// Whether kernels read all that differs from item to item where the item says: what is derived of a family may ask
    /// for more than its shape tells.
    pub(super) fn reads_everything(&self, routines: &SortedMap<Quantity, Routine>) -> bool {
        let graph = &self.derivation.graph;
        let mut kernels = routines.values().flat_map(|routine| &routine.kernels);
        kernels.all(|kernel| {
            let reads: Set<SymbolId> = kernel.reads.iter().map(|read| read.0).collect();
            let leaves = graph.reachable(kernel.roots.iter().copied()).into_iter();
            let mut symbols = leaves.filter_map(|id| match *graph.node(id) {
                Node::Symbol(symbol) => Some(symbol),
                _ => None,
            });
            symbols.all(|it| reads.contains(&it) || leaves::slot(self.system, it).is_none())
        })
    }

    /// Substitutes R u for the arms, as the last change of kernels and rows.
    pub(super) fn write_out_arms(
        &mut self,
        routines: &mut SortedMap<Quantity, Routine>,
        rows: &mut [(usize, Row)],
    ) {
        let kernels = routines
            .values_mut()
            .flat_map(|routine| &mut routine.kernels);
        let mut all: Vec<&mut ExprId> = kernels.flat_map(|kernel| &mut kernel.roots).collect_vec();
        all.push_each(rows.iter_mut().flat_map(|(_, row)| row.expressions_mut()));
        let roots = all.iter().map(|id| **id).collect_vec();
        let written =
            dynamics::written_out(&mut self.system.model, &mut self.derivation.graph, roots);
        all.into_iter().for_each(|id| *id = written[id]);
    }
}

/// The velocity that is read from a slot.
fn column_of(slot: Slot) -> Option<usize> {
    match slot {
        Slot::Record(c) | Slot::Element(_, Array::Velocity, c) => Some(c),
        Slot::Element(..) => None,
    }
}
