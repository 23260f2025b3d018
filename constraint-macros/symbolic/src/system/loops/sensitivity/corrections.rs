//! How the corrections vary that a projection takes off, backwards: as written out in
//! [`corrections`](crate::system), row by row and velocity by velocity.
//!
//! ```text
//! A μ = r/c,  w = W J′ᵀ μ        A y = J′ W x,  a = W (x − J′ᵀ y)        r = C, or Ċ
//! gradient of (x − J′ᵀ y)·W J′ᵀ μ at each velocity, where W alone varies
//!             μ J′ a + (y/c) (r − J w) of each row, or μ J′ a + y (r/c − J′ w): all but μ, a, y and w varies
//! ```

use std::collections::BTreeMap;

use super::super::rolling::{Rolling, Side};
use super::super::routine::{Array, Read, Routine, Signature, Slot, Stage, Write};
use super::item::dot;
use crate::expr::{ExprId, Map, Number};
use crate::solve::{Quantity, divide_terms};

/// μ and y
const BOTH: &[Array] = &[Array::Solution, Array::SolutionBeside];

impl Rolling<'_> {
    /// The gradients of w*·w.
    pub(super) fn of_corrections(&mut self, rows_at: &[Vec<usize>]) -> [(Quantity, Routine); 2] {
        [
            (Quantity::PlaceCorrectionGradient, Side::PlaceCorrection),
            (
                Quantity::VelocityCorrectionGradient,
                Side::VelocityCorrection,
            ),
        ]
        .map(|(quantity, side)| {
            self.share(Rolling::made_of_jacobian);
            let mut routine = self.eliminated(side);
            let first = routine.loops.len();
            self.substituted(&mut routine, BOTH, rows_at, None, Rolling::taken_off);
            let count = self.rows.of.len();
            routine.stage(|rows| (0..count).for_each(|r| self.correction_of_row(rows, r, side)));
            self.finish(&mut routine, first);
            (quantity, routine)
        })
    }

    /// J′ W x
    pub(in crate::system::loops) fn weighed_side(
        &mut self,
        j: usize,
        slots: &[Slot],
        reads: &mut Vec<Read>,
    ) -> ExprId {
        let counted = ("w_bar", Array::CorrectionAdjoint);
        let terms = self.weighed_terms(j, slots, reads, counted);
        self.derivation.graph.sum(&terms)
    }

    /// J′ of a row.
    fn made_of_jacobian(&mut self, r: usize) -> Vec<ExprId> {
        let entries = self.row(r).scaled.jacobian.iter();
        entries.map(|&(_, entry)| entry).collect()
    }

    /// w and a, and the gradient of what varies of W.
    fn taken_off(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        self.at_velocity(stage, c, rows, BOTH, |rolling, item, unknowns| {
            let entries = rows.iter().map(|&r| rolling.made_entry(item, r, c));
            let entries: Vec<Option<ExprId>> = entries.collect();
            let counted = &mut item.reads;
            let counted = rolling.read(counted, "w_bar", Array::CorrectionAdjoint, 0);
            let [x, sum] = ["x", "sum"].map(|name| rolling.leaf(name));
            let graph = &mut rolling.derivation.graph;
            let mut sums = Vec::new();
            for unknowns in unknowns {
                let pairs = entries.iter().zip(unknowns);
                let pairs = pairs.filter_map(|(entry, &x)| Some(((*entry)?, x)));
                sums.push(dot(graph, pairs));
            }
            let rest = graph.sum(&[(counted, Number::ONE), (sums[1], Number::MINUS_ONE)]);
            let [pushed, rest] = [sums[0], rest].map(|it| graph.whole(it));
            let ratio = rolling.ratios[c];
            item.write(Write::Set(Array::Motion, 0), graph.mul(ratio, pushed));
            item.write(Write::Set(Array::Load, 0), graph.mul(ratio, rest));
            let moved = graph.mul(ratio, sum);
            let scalar = graph.mul(x, moved);
            let known = [(x, rest), (sum, pushed)].into_iter().collect();
            let slopes = rolling.slopes(&item.leaves, &[(scalar, known)], &item.roots);
            rolling.scatter(item, slopes);
        });
    }

    /// The gradient of what a row adds.
    fn correction_of_row(&mut self, stage: &mut Stage<'_>, r: usize, side: Side) {
        self.of_row(stage, r, Signature::default(), |rolling, item, own| {
            let mut read = |array, name| rolling.read(&mut item.reads, name, array, own);
            let unknown = read(Array::Solution, "x");
            let adjoint = read(Array::SolutionBeside, "y");
            let changes = rolling.at_slots(item, "w", Array::Motion);
            let along = rolling.at_slots(item, "load", Array::Load);
            let counted = rolling.leaf("y");
            let lefts = rolling.lefts(r, &changes, side);
            let row = rolling.row(r).scaled.clone();
            let graph = &mut rolling.derivation.graph;
            let entries = row.jacobian.iter();
            let pushed = dot(graph, entries.map(|&(c, entry)| (entry, along[&c])));
            let one = graph.number(Number::ONE);
            let told = row.unscaled(graph, adjoint, one);
            let ways = lefts.into_iter().zip([told, adjoint]).map(|(left, told)| {
                let scalar = dot(graph, [(unknown, pushed), (counted, left)]);
                (scalar, Map::from_iter([(counted, graph.whole(told))]))
            });
            let ways: Vec<_> = ways.collect();
            let slopes = rolling.slopes(&item.leaves, &ways, &item.roots);
            let graph = &mut rolling.derivation.graph;
            let made = graph.substitute(slopes.iter().copied(), item.made.clone());
            let slopes = slopes.iter().map(|id| made[id]).collect();
            rolling.scatter(item, slopes);
        });
    }

    /// r − J w of a row as it is written and as it is solved, which are zero both; Ċ is affine in v.
    fn lefts(&mut self, r: usize, changes: &BTreeMap<usize, ExprId>, side: Side) -> [ExprId; 2] {
        let row = self.row(r).clone();
        let velocities = changes.iter();
        let velocities = velocities.map(|(&c, &w)| (self.system.coordinates[c].velocity, w));
        let velocities: Vec<(ExprId, ExprId)> = velocities.collect();
        let graph = &mut self.derivation.graph;
        if side == Side::VelocityCorrection {
            let left = velocities.into_iter().map(|(v, w)| {
                let left = [(v, Number::ONE), (w, Number::MINUS_ONE)];
                (v, graph.sum(&left))
            });
            let left: Map<ExprId, ExprId> = left.collect();
            let rates = [row.rate, divide_terms(graph, row.rate, row.scaled.content)];
            return rates.map(|rate| graph.substitute([rate], left.clone())[&rate]);
        }
        let value = divide_terms(graph, row.value, row.scaled.content);
        let rows = [(row.value, &row.jacobian), (value, &row.scaled.jacobian)];
        rows.map(|(value, jacobian)| {
            let entries = jacobian.iter();
            let moved = dot(graph, entries.map(|&(c, entry)| (entry, changes[&c])));
            graph.sum(&[(value, Number::ONE), (moved, Number::MINUS_ONE)])
        })
    }
}
