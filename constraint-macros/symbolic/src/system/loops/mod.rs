//! Large systems in loops: every family of rows is derived once, every kind of elimination step is written once.
//!
//! ```text
//! rows ─ families ─┬─ elimination: the order, and the places of L and of what fills in
//!                  │        ↓
//!                  ├─ step: one row goes ────────────╮
//!                  └─ solution: substitution,        ├─ routine: kernels at places ─ rerolling: loops
//!                     v̇, λ, Jᵀλ of the unknowns ─────╯     ─ scalar replacement
//! ```

pub(super) mod block_diagonal;
pub(super) mod bodies;
mod elimination;
pub(super) mod leaves;
pub(super) mod numbers;
mod panels;
mod projected;
mod responses;
mod rolling;
pub mod routine;
mod rows;
mod sensitivity;
mod signatures;
mod solution;
mod step;
mod unsolved;

pub(super) use elimination::elimination_cost;
pub use rolling::{Rolled, Rolling};

use crate::diagnostic::Diagnostics;
use crate::dynamics::{self, Derivation, Row};
use crate::expr::ExprId;
use crate::solve::{self, Panels, Quantity};
use elimination::Elimination;
use routine::Routine;

/// A step is written down that updates so many later rows at most,
const MOST_LATER: usize = 8;
/// and the steps of all loops in about so many operations: what fits the instruction cache of 32 KB twice.
const MOST_WRITTEN: usize = 2400;

impl Rolling<'_> {
    /// All routines; mistakes in rows are reported.
    pub fn all(mut self, diagnostics: &mut Diagnostics) -> Rolled {
        for r in self.rows.first.clone() {
            let row = self.derivation.system_row(self.system, r, diagnostics);
            self.derived.insert(r, row);
        }
        let panels = self.plan();
        let mut routines = match &panels {
            Some(panels) => self.by_panels(panels),
            None => self.by_steps(),
        };
        let reps = self.rows.first.clone();
        let rows = reps.into_iter().map(|r| (r, self.row(r).clone()));
        let rows: Vec<(usize, Row)> = rows.collect();
        let row_sizes = |rolling: &mut Rolling<'_>, row: &Row| {
            let graph = &mut rolling.derivation.graph;
            dynamics::size(graph, rolling.system, &row.jacobian)
        };
        routines.extend([
            (Quantity::Value, self.per_row(|_, row| row.value)),
            (Quantity::Rate, self.per_row(|_, row| row.rate)),
            (Quantity::Bias, self.per_row(|_, row| row.bias)),
            (Quantity::RowSizes, self.per_row(row_sizes)),
            (Quantity::Jacobian, self.jacobian()),
            (Quantity::Responses, self.responses()),
            (Quantity::Free, self.free()),
        ]);
        let potential = Routine::potential_energy(self.derivation, self.system);
        routines.insert(Quantity::PotentialEnergy, potential);
        routines.extend(self.of_coordinates());
        if super::sensitivity::are_asked(self.system) && panels.is_none() {
            routines.extend(self.sensitivities());
        }
        routines.values_mut().for_each(Routine::compact);
        let columns = (0..self.rows.of.len()).map(|r| self.columns_like(r, &rows));
        Rolled {
            columns: columns.collect(),
            routines,
            rows,
            families: self.rows.clone(),
            lower: self.elimination.lower.len(),
            panels,
        }
    }

    /// Quantities that follow from M and h.
    fn of_coordinates(&mut self) -> [(Quantity, Routine); 3] {
        let kinetic = rows::kinetic_terms(self.derivation, self.system);
        let Derivation {
            graph,
            mass,
            applied,
            ..
        } = &mut *self.derivation;
        let applied: Vec<ExprId> = applied.iter().map(|terms| graph.sum(terms)).collect();
        rows::of_coordinates(graph, self.system, &kinetic, mass, &applied)
    }

    /// Decides how rows are eliminated: one by one, where few kinds of steps repeat, with the order of the fewest
    /// operations or from both ends; else in panels.
    fn plan(&mut self) -> Option<Panels> {
        let neighbours = solve::neighbours(self.rows.of.len(), self.coupled.iter().copied());
        let orders = [solve::least_degree_order, solve::order_from_both_ends];
        for order in orders {
            let steps = Elimination::of(&neighbours, order(&neighbours), MOST_LATER);
            let Some(steps) = steps else { continue };
            self.elimination = steps;
            if self.written_steps() <= MOST_WRITTEN {
                return None;
            }
        }
        self.elimination = Elimination::default();
        Some(Panels::of(&neighbours))
    }

    /// The columns of a row of J, in the order of those of its family's first row.
    fn columns_like(&self, r: usize, first: &[(usize, Row)]) -> Vec<usize> {
        let (other, row) = &first[self.rows.of[r]];
        let there: Vec<usize> = self.rows.records(*other).collect();
        let here: Vec<usize> = self.rows.records(r).collect();
        let place = |column| there.iter().position(|&it| it == column);
        let columns = row.jacobian.iter();
        columns
            .filter_map(|&(c, _)| Some(here[place(c)?]))
            .collect()
    }
}
