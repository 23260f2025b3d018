//! Forwards: δv̇ and δλ along a tangent.

use super::super::rolling::{Rolling, Side};
use super::super::routine::{Array, Routine, Signature, Stage, Write};
use super::super::step::{Places, write};
use super::item::{Item, dot};
use crate::diff::Taylor;
use crate::expr::{ExprId, Number};

impl Rolling<'_> {
    pub(super) fn along(&mut self, rows_at: &[Vec<usize>]) -> Routine {
        self.share(Rolling::made_along);
        let mut routine = self.eliminated(Side::Variation);
        let first = routine.loops.len();
        let unknowns = &[Array::Solution];
        self.substituted(&mut routine, unknowns, rows_at, None, Rolling::moved);
        let order = self.elimination.order.clone();
        routine.stage(|forward| {
            let mut updated = vec![false; order.len()];
            for &j in &order {
                self.push_variation(forward, &mut updated, j);
            }
        });
        let n = rows_at.len();
        let mut results = rows_at.to_vec();
        results.extend((0..order.len()).map(|r| vec![r]));
        let unknowns = &[Array::SolutionBeside];
        let finish =
            |rolling: &mut Self, stage: &mut Stage<'_>, result: usize, rows: &[usize]| match result
                .checked_sub(n)
            {
                None => rolling.varied_motion(stage, result, rows),
                Some(r) => rolling.varied_multiplier(stage, r),
            };
        self.substituted(&mut routine, unknowns, &results, None, finish);
        self.finish(&mut routine, first);
        routine
    }

    /// J′, δJ′ and δβ′ of a row, and the factors of its λ.
    fn made_along(&mut self, r: usize) -> Vec<ExprId> {
        let mut ignored = Vec::new();
        let leaves = self.leaves(&self.rows.slots[r], &mut ignored);
        let mut motion = Taylor::new(self.seeds(&mut Vec::new(), &leaves));
        let row = self.row(r).scaled.clone();
        let graph = &mut self.derivation.graph;
        let mut made: Vec<ExprId> = row.jacobian.iter().map(|&(_, entry)| entry).collect();
        let mut varied = made.clone();
        varied.push(row.bias);
        if graph.as_number(row.content).is_none() {
            made.push(row.content);
            varied.push(row.content);
        }
        made.extend(varied.iter().map(|&id| motion.first(graph, id)));
        made
    }

    fn motion_of(&mut self, item: &mut Item) -> Taylor {
        let seeds = self.seeds(&mut item.reads, &item.leaves);
        Taylor::new(seeds)
    }

    /// v̇, and f.
    fn moved(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        self.at_velocity(stage, c, rows, &[Array::Solution], |rolling, item, x| {
            let mut along = rolling.motion_of(item);
            let (mut pushes, mut changes) = (Vec::new(), Vec::new());
            for (&r, &x) in rows.iter().zip(&x[0]) {
                let Some(entry) = rolling.entry(r, c) else {
                    continue;
                };
                let change = along.first(&mut rolling.derivation.graph, entry);
                pushes.push((rolling.as_made(item, entry), x));
                changes.push((rolling.as_made(item, change), x));
            }
            let ratio = rolling.ratios[c];
            let graph = &mut rolling.derivation.graph;
            let [pushed, changed] = [pushes, changes].map(|pairs| dot(graph, pairs));
            let ratio_change = along.first(graph, ratio);
            let mut motion = graph.mul(ratio, pushed);
            let mut load = dot(graph, [(ratio, changed), (ratio_change, pushed)]);
            if !rolling.is_uniform(c) {
                let graph = &mut rolling.derivation.graph;
                let free = rolling.free.values[c];
                motion = graph.add(free, motion);
                let change = along.first(graph, free);
                load = graph.add(change, load);
            }
            item.write(Write::Set(Array::Motion, 0), motion);
            item.write(Write::Set(Array::Load, 0), load);
        });
    }

    /// A step of the elimination that has been made, with −δβ′ − δJ′ v̇ − J′ f.
    fn push_variation(&mut self, stage: &mut Stage<'_>, updated: &mut [bool], j: usize) {
        let later = self.elimination.later[j].clone();
        let mut signature = Signature::default();
        self.sign_row(&mut signature, j);
        self.sign_uniform_loads(&mut signature, j);
        signature.words.extend(self.sign_updates(updated, j));
        let Signature { words, slots } = signature;
        let places = Places::of_solution(&self.elimination, &slots, j, &later);
        let mut indices = places.indices.clone();
        let made = self.place_shared(j, &mut indices);
        let leaves = self.leaves(&slots, &mut indices);
        stage.push(words, indices, || {
            let mut item = self.item(slots, leaves);
            self.read_shared(&mut item, j, made);
            let right = self.varied_side(&mut item, j);
            self.update_later(&mut item, updated, j, &places, right);
            item.into_kernel()
        });
        later.iter().for_each(|&i| updated[i] = true);
    }

    /// The part of a signature by which two steps with a second right-hand side update later rows alike.
    pub(super) fn sign_updates(&self, updated: &[bool], j: usize) -> Vec<usize> {
        let later = &self.elimination.later[j];
        let before = later.iter().map(|&i| usize::from(updated[i]));
        let words = [usize::from(updated[j]), later.len()];
        words.into_iter().chain(before).collect()
    }

    /// Divides a second right-hand side by the pivot and updates those of later rows.
    pub(super) fn update_later(
        &mut self,
        item: &mut Item,
        updated: &[bool],
        j: usize,
        places: &Places,
        mut right: ExprId,
    ) {
        let reads = &mut item.reads;
        if updated[j] {
            let taken = self.read(reads, "pushed", Array::RightBeside, places.row);
            right = self.minus(right, taken);
        }
        let inverse = self.read(reads, "inverse", Array::Inverse, places.row);
        let z = self.derivation.graph.mul(right, inverse);
        item.write(Write::Set(Array::SolutionBeside, places.row), z);
        for (a, i) in self.elimination.later[j].clone().into_iter().enumerate() {
            let l = self.read(&mut item.reads, "l", Array::Lower, places.lower[a]);
            let taken = self.derivation.graph.mul(l, right);
            let to = write(updated[i], Array::RightBeside, places.later[a]);
            item.write(to, taken);
        }
    }

    /// The velocities of a row whose free accelerations velocities do not keep.
    pub(super) fn uniform_loads(&self, r: usize) -> Vec<usize> {
        let all = self.rows.records(r);
        all.filter(|&c| self.is_uniform(c)).collect()
    }

    /// Which those are, and what they are.
    pub(super) fn sign_uniform_loads(&self, signature: &mut Signature, r: usize) {
        for c in self.rows.records(r) {
            signature.words.push(usize::from(self.is_uniform(c)));
            if self.is_uniform(c) {
                self.sign_load(signature, c, Side::Acceleration);
            }
        }
    }

    /// −δβ′ − δJ′ v̇ − J′ f
    fn varied_side(&mut self, item: &mut Item, j: usize) -> ExprId {
        let mut along = self.motion_of(item);
        let motion = self.at_slots(item, "v_dot", Array::Motion);
        let loads = self.at_slots(item, "load", Array::Load);
        let row = self.row(j).scaled.clone();
        let change = along.first(&mut self.derivation.graph, row.bias);
        let mut terms = vec![(self.as_made(item, change), Number::MINUS_ONE)];
        for (c, entry) in row.jacobian {
            let change = along.first(&mut self.derivation.graph, entry);
            let [entry, change] = [entry, change].map(|id| self.as_made(item, id));
            let mut pairs = vec![(change, motion[&c]), (entry, loads[&c])];
            let graph = &mut self.derivation.graph;
            if self.free.families.slots[c].is_empty() {
                let free = self.free.values[c];
                pairs.extend([(change, free), (entry, along.first(graph, free))]);
            }
            let products = pairs.into_iter();
            terms.extend(products.map(|(a, b)| (graph.mul(a, b), Number::MINUS_ONE)));
        }
        self.derivation.graph.sum(&terms)
    }

    /// δv̇ = f + W J′ᵀ δμ
    fn varied_motion(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        let unknowns = &[Array::SolutionBeside];
        self.at_velocity(stage, c, rows, unknowns, |rolling, item, x| {
            let load = rolling.read(&mut item.reads, "load", Array::Load, 0);
            let pairs = rows.iter().zip(&x[0]);
            let pairs: Vec<_> = pairs
                .filter_map(|(&r, &x)| Some((rolling.made_entry(item, r, c)?, x)))
                .collect();
            let mut along = rolling.motion_of(item);
            let is_uniform = rolling.is_uniform(c);
            let graph = &mut rolling.derivation.graph;
            let pushed = dot(graph, pairs);
            let moved = graph.mul(rolling.ratios[c], pushed);
            let mut terms = vec![(load, Number::ONE), (moved, Number::ONE)];
            if is_uniform {
                let change = along.first(graph, rolling.free.values[c]);
                terms.push((change, Number::ONE));
            }
            let motion = graph.sum(&terms);
            item.write(Write::Set(Array::Output, 0), motion);
        });
    }

    /// δλ
    fn varied_multiplier(&mut self, stage: &mut Stage<'_>, r: usize) {
        self.of_row(stage, r, Signature::default(), |rolling, item, own| {
            let mut along = rolling.motion_of(item);
            let x = rolling.read(&mut item.reads, "x", Array::Solution, own);
            let change = rolling.read(&mut item.reads, "dx", Array::SolutionBeside, own);
            let content = rolling.row(r).scaled.content;
            let scale = rolling.scale(r);
            let graph = &mut rolling.derivation.graph;
            let multiplier = if let Some(scale) = scale {
                // Rows have their scale in common, and so its rate.
                let rate = along.first(graph, scale);
                let [scale, rate] = [scale, rate].map(|it| graph.whole(it));
                dot(graph, [(change, scale), (x, rate)])
            } else {
                let zero = graph.zero();
                along.seed(x, change, zero);
                let content = rolling.content(item, &mut along, content);
                rolling.change_of_multiplier(&mut along, x, content)
            };
            item.write(Write::Set(Array::Multipliers, own), multiplier);
        });
    }

    /// The content of a row as a leaf that moves, both made already.
    fn content(&mut self, item: &Item, along: &mut Taylor, content: ExprId) -> ExprId {
        let change = along.first(&mut self.derivation.graph, content);
        let [value, change] = [content, change].map(|id| self.as_made(item, id));
        let zero = self.derivation.graph.zero();
        along.seed(value, change, zero);
        value
    }

    /// δ(x/(w c))
    fn change_of_multiplier(&mut self, along: &mut Taylor, x: ExprId, content: ExprId) -> ExprId {
        let graph = &mut self.derivation.graph;
        let unit = graph.recip(self.common);
        let multiplier = graph.div(x, content);
        let multiplier = graph.mul(multiplier, unit);
        along.first(graph, multiplier)
    }
}
