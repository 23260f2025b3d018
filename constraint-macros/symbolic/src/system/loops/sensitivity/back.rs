//! Backwards: the gradient of v̇*·v̇ + λ*·λ, scattered row by row and velocity by velocity.

use super::super::families::Slot;
use super::super::routine::{Array, Routine, Stage, Write};
use super::super::{Rolling, Side};
use super::Item;
use crate::diff::gradient;
use crate::expr::{ExprId, Map, Number, SymbolId};
use crate::schedule::{self, Root};

/// μ and y
const BOTH: &[Array] = &[Array::Solution, Array::SolutionBeside];

impl Rolling<'_> {
    pub(super) fn back(&mut self, rows_at: &[Vec<usize>]) -> Routine {
        let mut routine = self.eliminated(Side::Adjoint);
        let first = routine.loops.len();
        self.substituted(&mut routine, BOTH, rows_at, None, Rolling::pulled);
        let count = self.rows.of.len();
        routine.stage(|rows| (0..count).for_each(|r| self.gradient_of_row(rows, r)));
        self.carry(&mut routine, first);
        routine
    }

    /// J′ W v̇* + λ*/(w c)
    pub(in crate::system::loops) fn adjoint_side(
        &mut self,
        j: usize,
        slots: &[Slot],
        reads: &mut Vec<(SymbolId, Array, usize)>,
        row: usize,
    ) -> ExprId {
        let counted = self.read(reads, "lambda_bar", Array::MultiplierAdjoint, row);
        let mut terms = vec![(self.told(j, counted), Number::ONE)];
        for (place, slot) in slots.iter().enumerate() {
            let Some(c) = slot.coordinate() else { continue };
            if let Some(entry) = self.entry(j, c) {
                let counted = self.read(reads, "v_dot_bar", Array::AccelerationAdjoint, place);
                let graph = &mut self.derivation.graph;
                let weighed = graph.mul(self.ratios[c], entry);
                terms.push((graph.mul(weighed, counted), Number::ONE));
            }
        }
        self.derivation.graph.sum(&terms)
    }

    /// v̇ and W x, and the gradient of x·(M⁻¹ h + W J′ᵀ μ) where J′ stands still.
    fn pulled(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        self.at_velocity(stage, c, rows, BOTH, |rolling, item, sums| {
            let counted = &mut item.reads;
            let counted = rolling.read(counted, "v_dot_bar", Array::AccelerationAdjoint, 0);
            let [x, sum] = ["x", "sum"].map(|name| rolling.leaf(name));
            let graph = &mut rolling.derivation.graph;
            let pulled = graph.sum(&[(counted, Number::ONE), (sums[1], Number::MINUS_ONE)]);
            let pulled = graph.whole(pulled);
            let pushed = graph.whole(sums[0]);
            let ratio = rolling.ratios[c];
            let moved = graph.mul(ratio, pushed);
            let motion = graph.add(rolling.free.values[c], moved);
            item.set(Array::Motion, 0, motion);
            item.set(Array::Load, 0, graph.mul(ratio, pulled));
            let moved = graph.mul(ratio, sum);
            let free = graph.add(rolling.free.values[c], moved);
            let scalar = graph.mul(x, free);
            let known = [(x, pulled), (sum, pushed)];
            rolling.scatter(item, &[(scalar, known.into_iter().collect())]);
        });
    }

    /// The gradient of what a row adds: μ J′ W x − y (J′ v̇ + β′) + λ* λ.
    fn gradient_of_row(&mut self, stage: &mut Stage<'_>, r: usize) {
        self.of_row(stage, r, |rolling, item, own| {
            let mut read = |array, name| rolling.read(&mut item.reads, name, array, own);
            let unknown = read(Array::Solution, "x");
            let adjoint = read(Array::SolutionBeside, "y");
            let counted = read(Array::MultiplierAdjoint, "lambda_bar");
            let motion = rolling.at_slots(item, "v_dot", Array::Motion);
            let loads = rolling.at_slots(item, "load", Array::Load);
            let [pushed, pulled] = [&motion, &loads].map(|x| rolling.pushed(r, x));
            let told = rolling.told(r, unknown);
            let bias = rolling.row(r).scaled.bias;
            let counted_bias = rolling.leaf("y");
            let graph = &mut rolling.derivation.graph;
            let [pulled, pushed, told] = [(unknown, pulled), (adjoint, pushed), (counted, told)]
                .map(|(by, of)| graph.mul(by, of));
            // β is a square of velocities, mostly: a half of it, counted twice, has slopes without that factor.
            let ways = [Number::ONE, Number::integer(2)].map(|degree| {
                let biased = graph.mul(counted_bias, bias);
                let scalar = graph.sum(&[
                    (pulled, Number::ONE),
                    (pushed, Number::MINUS_ONE),
                    (told, Number::ONE),
                    (biased, Number::ZERO - Number::ONE / degree),
                ]);
                let counted = graph.scale(adjoint, degree);
                let known = [(counted_bias, graph.whole(counted))];
                (scalar, known.into_iter().collect())
            });
            rolling.scatter(item, &ways);
        });
    }

    /// Adds the gradient of a scalar, in the way that takes the fewest operations.
    fn scatter(&mut self, item: &mut Item, ways: &[(ExprId, Map<ExprId, ExprId>)]) {
        let graph = &mut self.derivation.graph;
        let variables = item.leaves.iter().map(|leaf| graph.symbol(leaf.symbol));
        let variables: Vec<ExprId> = variables.collect();
        let mut slopes_in = |(scalar, known): &(ExprId, Map<ExprId, ExprId>)| {
            let slopes = gradient(graph, *scalar, &variables);
            let map = graph.substitute(slopes.iter().copied(), known.clone());
            slopes.iter().map(|id| map[id]).collect()
        };
        let ways: Vec<Vec<ExprId>> = ways.iter().map(&mut slopes_in).collect();
        let weight = |slopes: &Vec<ExprId>| {
            let roots = item.roots.iter().chain(slopes);
            let roots: Vec<Root> = roots.copied().map(Root::Output).collect();
            schedule::schedule(graph, &roots, &[], &|_| String::new()).weight()
        };
        let slopes = ways.into_iter().min_by_key(weight).unwrap_or_default();
        for (leaf, slope) in item.leaves.iter().zip(slopes) {
            if !self.derivation.graph.is_zero(slope) {
                item.roots.push(slope);
                item.writes
                    .push(Write::Add(Array::Gradient(leaf.of), leaf.place));
            }
        }
    }
}
