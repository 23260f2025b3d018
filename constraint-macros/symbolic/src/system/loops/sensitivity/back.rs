//! Backwards: the gradient of v̇*·v̇ + λ*·λ, scattered row by row and velocity by velocity.

use std::collections::BTreeMap;

use super::super::rolling::{Rolling, Side};
use super::super::routine::{Array, Read, Routine, Signature, Slot, Stage, Write};
use super::item::{Item, Leaf, dot};
use super::shared::{common, divides_alone, with_divisors};
use crate::diff::gradient;
use crate::expr::{ExprId, Map, Number};
use crate::schedule::{self, Root};

/// μ and y
const BOTH: &[Array] = &[Array::Solution, Array::SolutionBeside];

/// The leaves in a row's part of the scalar besides those of the row.
struct Weights {
    unknown: ExprId,
    adjoint: ExprId,
    counted: ExprId,
    motion: BTreeMap<usize, ExprId>,
    loads: BTreeMap<usize, ExprId>,
}

impl Rolling<'_> {
    pub(super) fn back(&mut self, rows_at: &[Vec<usize>]) -> Routine {
        self.shared.sums = self.common_factors();
        self.share(Rolling::made_back);
        let mut routine = self.eliminated(Side::Adjoint);
        let first = routine.loops.len();
        self.substituted(&mut routine, BOTH, rows_at, None, Rolling::pulled);
        let count = self.rows.of.len();
        routine.stage(|rows| (0..count).for_each(|r| self.gradient_of_row(rows, r)));
        routine.stage(|last| self.gradient_of_sums(last));
        self.shared.sums.clear();
        self.finish(&mut routine, first);
        routine.set_first_terms();
        routine
    }

    /// M⁻¹ h where it is the same all over its family, and 1/(w c).
    fn common_factors(&mut self) -> Vec<ExprId> {
        let velocities = (0..self.free.values.len()).filter(|&c| self.is_uniform(c));
        let free = velocities.map(|c| self.free.values[c]);
        let free: Vec<ExprId> = free.collect();
        let scales = self.rows.first.clone().into_iter();
        let scales: Vec<ExprId> = scales.filter_map(|r| self.scale(r)).collect();
        let mut factors = Vec::new();
        for it in free.into_iter().chain(scales) {
            if self.derivation.graph.as_number(it).is_none() && !factors.contains(&it) {
                factors.push(it);
            }
        }
        factors
    }

    /// J′ of a row, and what of it and of β′ its gradient asks for.
    fn made_back(&mut self, r: usize) -> Vec<ExprId> {
        let mut ignored = Vec::new();
        let leaves = self.leaves(&self.rows.slots[r], &mut ignored);
        let coordinates: Vec<usize> = self.rows.records(r).collect();
        let mut leaf = |name: &str| self.leaf(name);
        let mut by_velocity = |name: &str| coordinates.iter().map(|&c| (c, leaf(name))).collect();
        let (motion, loads) = (by_velocity("v_dot"), by_velocity("load"));
        let [unknown, adjoint, counted] = ["x", "y", "counted"].map(leaf);
        let weights = Weights {
            unknown,
            adjoint,
            counted,
            motion,
            loads,
        };
        let slopes = self.slopes_of_row(r, &leaves, &weights, false);
        let row = self.row(r).scaled.clone();
        let mut made: Vec<ExprId> = row.jacobian.iter().map(|&(_, entry)| entry).collect();
        let mut computed = made.clone();
        computed.extend([row.bias, self.reported_multiplier(r, counted)]);
        let graph = &mut self.derivation.graph;
        let shared = common(graph, &slopes, &computed);
        made.extend(shared.iter().map(|&id| {
            if divides_alone(graph, &slopes, &shared, id) {
                graph.recip(id)
            } else {
                id
            }
        }));
        made
    }

    /// J′ W v̇* + λ*/(w c)
    pub(in crate::system::loops) fn adjoint_side(
        &mut self,
        j: usize,
        slots: &[Slot],
        reads: &mut Vec<Read>,
        row: usize,
    ) -> ExprId {
        let counted = self.read(reads, "lambda_bar", Array::MultiplierAdjoint, row);
        let mut terms = vec![(self.reported_multiplier(j, counted), Number::ONE)];
        let counted = ("v_dot_bar", Array::AccelerationAdjoint);
        terms.extend(self.weighed_terms(j, slots, reads, counted));
        self.derivation.graph.sum(&terms)
    }

    /// J′ W x, term by term, of an x that is kept in an array.
    pub(super) fn weighed_terms(
        &mut self,
        j: usize,
        slots: &[Slot],
        reads: &mut Vec<Read>,
        (name, array): (&str, Array),
    ) -> Vec<(ExprId, Number)> {
        let mut terms = Vec::new();
        for (place, slot) in slots.iter().enumerate() {
            let Some(c) = slot.record() else { continue };
            if let Some(entry) = self.entry(j, c) {
                let counted = self.read(reads, name, array, place);
                let graph = &mut self.derivation.graph;
                let weighed = graph.mul(self.ratios[c], entry);
                terms.push((graph.mul(weighed, counted), Number::ONE));
            }
        }
        terms
    }

    /// λ of the row as written, of what is solved for.
    pub(super) fn reported_multiplier(&mut self, r: usize, x: ExprId) -> ExprId {
        let row = self.row(r).scaled.clone();
        let graph = &mut self.derivation.graph;
        let unit = graph.recip(self.common);
        row.unscaled(graph, x, unit)
    }

    /// v̇ and W x, and the gradient of x·(M⁻¹ h + W J′ᵀ μ) where J′ stands still.
    fn pulled(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        self.at_velocity(stage, c, rows, BOTH, |rolling, item, unknowns| {
            let entries = rows.iter().map(|&r| rolling.made_entry(item, r, c));
            let entries: Vec<Option<ExprId>> = entries.collect();
            let counted = &mut item.reads;
            let counted = rolling.read(counted, "v_dot_bar", Array::AccelerationAdjoint, 0);
            let [x, sum] = ["x", "sum"].map(|name| rolling.leaf(name));
            let is_uniform = rolling.is_uniform(c);
            let graph = &mut rolling.derivation.graph;
            let mut sums = Vec::new();
            for unknowns in unknowns {
                let pairs = entries.iter().zip(unknowns);
                let pairs = pairs.filter_map(|(entry, &x)| Some(((*entry)?, x)));
                sums.push(dot(graph, pairs));
            }
            let pulled = graph.sum(&[(counted, Number::ONE), (sums[1], Number::MINUS_ONE)]);
            let [pushed, pulled] = [sums[0], pulled].map(|it| graph.whole(it));
            let (ratio, free) = (rolling.ratios[c], rolling.free.values[c]);
            let mut motion = graph.mul(ratio, pushed);
            if !is_uniform {
                motion = graph.add(free, motion);
            }
            item.write(Write::Set(Array::Motion, 0), motion);
            item.write(Write::Set(Array::Load, 0), graph.mul(ratio, pulled));
            let mut moved = graph.mul(ratio, sum);
            match item.sum {
                Some(place) => item.write(Write::Add(Array::Sums, place), pulled),
                None => moved = graph.add(free, moved),
            }
            let scalar = graph.mul(x, moved);
            let known = [(x, pulled), (sum, pushed)].into_iter().collect();
            let slopes = rolling.slopes(&item.leaves, &[(scalar, known)], &item.roots);
            rolling.scatter(item, slopes);
        });
    }

    /// The gradient by the values that items have in common, from the sums over these items.
    fn gradient_of_sums(&mut self, stage: &mut Stage<'_>) {
        let sums = self.shared.sums.clone();
        let mut indices: Vec<usize> = (0..sums.len()).collect();
        let leaves = self.leaves(&[], &mut indices);
        stage.push(Vec::new(), indices, || {
            let mut item = self.item(Vec::new(), leaves);
            let mut pairs = Vec::new();
            for (place, &of) in sums.iter().enumerate() {
                pairs.push((self.read(&mut item.reads, "sum", Array::Sums, place), of));
            }
            let scalar = dot(&mut self.derivation.graph, pairs);
            let slopes = self.slopes(&item.leaves, &[(scalar, Map::default())], &[]);
            self.scatter(&mut item, slopes);
            item.into_kernel()
        });
    }

    /// The gradient of what a row adds: μ J′ W x − y (J′ v̇ + β′) + λ* λ.
    fn gradient_of_row(&mut self, stage: &mut Stage<'_>, r: usize) {
        let mut signature = Signature::default();
        self.sign_uniform_loads(&mut signature, r);
        self.of_row(stage, r, signature, |rolling, item, own| {
            let mut read = |array, name| rolling.read(&mut item.reads, name, array, own);
            let weights = Weights {
                unknown: read(Array::Solution, "x"),
                adjoint: read(Array::SolutionBeside, "y"),
                counted: read(Array::MultiplierAdjoint, "lambda_bar"),
                motion: rolling.at_slots(item, "v_dot", Array::Motion),
                loads: rolling.at_slots(item, "load", Array::Load),
            };
            if let Some(place) = item.sum {
                let graph = &mut rolling.derivation.graph;
                let counted = graph.mul(weights.counted, weights.unknown);
                item.write(Write::Add(Array::Sums, place), counted);
            }
            let slopes = rolling.slopes_of_row(r, &item.leaves, &weights, item.sum.is_some());
            let graph = &mut rolling.derivation.graph;
            let known = with_divisors(graph, &slopes, &item.made);
            let made = graph.substitute(slopes.iter().copied(), known);
            let slopes = slopes.iter().map(|id| made[id]).collect();
            rolling.scatter(item, slopes);
        });
    }

    /// M⁻¹ h that velocities do not keep is constant in a row, and substituted unless it cancels.
    fn uniform_leaves(&mut self, r: usize) -> Map<ExprId, ExprId> {
        let free = self.uniform_loads(r).into_iter();
        let free: Vec<ExprId> = free.map(|c| self.free.values[c]).collect();
        let mut leaves = Map::default();
        for id in free {
            leaves.entry(id).or_insert_with(|| self.leaf("free"));
        }
        leaves
    }

    fn slopes_of_row(
        &mut self,
        r: usize,
        leaves: &[Leaf],
        weights: &Weights,
        summed: bool,
    ) -> Vec<ExprId> {
        let row = self.row(r).scaled.clone();
        let uniform = self.uniform_leaves(r);
        let multiplier = if summed {
            self.derivation.graph.zero()
        } else {
            self.reported_multiplier(r, weights.unknown)
        };
        let counted_bias = self.leaf("y");
        let graph = &mut self.derivation.graph;
        let (mut pushed, mut pulled) = (Vec::new(), Vec::new());
        for &(c, entry) in &row.jacobian {
            pulled.push((entry, weights.loads[&c]));
            pushed.push((entry, weights.motion[&c]));
            if self.free.families.slots[c].is_empty() {
                pushed.push((entry, uniform[&self.free.values[c]]));
            }
        }
        let [pulled, pushed] = [pulled, pushed].map(|pairs| dot(graph, pairs));
        let products = [
            (weights.unknown, pulled),
            (weights.adjoint, pushed),
            (weights.counted, multiplier),
        ];
        let [pulled, pushed, multiplier] = products.map(|(by, of)| graph.mul(by, of));
        let biased = graph.mul(counted_bias, row.bias);
        // β is a square of velocities, mostly: a half of it, counted twice, has slopes without that factor.
        let ways = [Number::ONE, Number::integer(2)].map(|degree| {
            let scalar = graph.sum(&[
                (pulled, Number::ONE),
                (pushed, Number::MINUS_ONE),
                (multiplier, Number::ONE),
                (biased, Number::ZERO - Number::ONE / degree),
            ]);
            let counted = graph.scale(weights.adjoint, degree);
            let mut known: Map<ExprId, ExprId> =
                uniform.iter().map(|(&free, &leaf)| (leaf, free)).collect();
            known.insert(counted_bias, graph.whole(counted));
            (scalar, known)
        });
        self.slopes(leaves, &ways, &[])
    }

    /// The gradient of a scalar over leaves that are known, in the way that takes the fewest operations.
    pub(super) fn slopes(
        &mut self,
        leaves: &[Leaf],
        ways: &[(ExprId, Map<ExprId, ExprId>)],
        beside: &[ExprId],
    ) -> Vec<ExprId> {
        let graph = &mut self.derivation.graph;
        let variables = leaves.iter().map(|leaf| graph.symbol(leaf.symbol));
        let variables: Vec<ExprId> = variables.collect();
        let mut slopes_in = |(scalar, known): &(ExprId, Map<ExprId, ExprId>)| {
            let slopes = gradient(graph, *scalar, &variables);
            let map = graph.substitute(slopes.iter().copied(), known.clone());
            slopes.iter().map(|id| map[id]).collect()
        };
        let ways: Vec<Vec<ExprId>> = ways.iter().map(&mut slopes_in).collect();
        let weight = |slopes: &Vec<ExprId>| {
            let roots = beside.iter().chain(slopes);
            let roots: Vec<Root> = roots.copied().map(Root::Output).collect();
            schedule::count(graph, &roots).weight()
        };
        ways.into_iter().min_by_key(weight).unwrap_or_default()
    }

    /// Adds slopes by the item's leaves to the gradient.
    pub(super) fn scatter(&mut self, item: &mut Item, slopes: Vec<ExprId>) {
        for (k, slope) in slopes.into_iter().enumerate() {
            if !self.derivation.graph.is_zero(slope) {
                let Leaf { of, place, .. } = item.leaves[k];
                item.write(Write::Add(Array::Gradient(of), place), slope);
            }
        }
    }
}
