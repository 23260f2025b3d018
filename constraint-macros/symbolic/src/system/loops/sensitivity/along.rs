//! Forwards: δv̇ and δλ along a tangent.

use super::super::routine::{Array, Routine, Stage};
use super::super::signature::Signature;
use super::super::step::{Places, write};
use super::super::{Rolling, Side};
use crate::diff::Taylor;

impl Rolling<'_> {
    pub(super) fn along(&mut self, rows_at: &[Vec<usize>]) -> Routine {
        let eliminated = self.eliminated(Side::Variation);
        let mut routine = self.solution(&eliminated, rows_at, None, Rolling::moved);
        let first = routine.loops.len();
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
        self.substituted(
            &mut routine,
            unknowns,
            &results,
            None,
            |rolling, stage, result, rows| match result.checked_sub(n) {
                None => rolling.varied_motion(stage, result, rows),
                Some(r) => rolling.varied_multiplier(stage, r),
            },
        );
        self.carry(&mut routine, first);
        routine
    }

    /// v̇, and f.
    fn moved(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        self.at_velocity(stage, c, rows, &[Array::Solution], |rolling, item, sums| {
            let seeds = rolling.seeds(item);
            let graph = &mut rolling.derivation.graph;
            let moved = graph.mul(rolling.ratios[c], sums[0]);
            let motion = graph.add(rolling.free.values[c], moved);
            let change = Taylor::new(seeds).first(graph, motion);
            item.set(Array::Motion, 0, motion);
            item.set(Array::Load, 0, change);
        });
    }

    /// A step of the elimination that has been made, with −δβ′ − δJ′ v̇ − J′ f.
    fn push_variation(&mut self, stage: &mut Stage<'_>, updated: &mut [bool], j: usize) {
        let later = self.elimination.later[j].clone();
        let mut signature = Signature::default();
        self.sign_row(&mut signature, j);
        let words = [usize::from(updated[j]), later.len()];
        signature.words.extend(words);
        let before = later.iter().map(|&i| usize::from(updated[i]));
        signature.words.extend(before);
        let Signature { words, slots } = signature;
        let places = Places::new(&self.elimination, &slots, j, &later);
        let mut indices = places.indices.clone();
        let leaves = self.leaves(&slots, &mut indices);
        stage.push(words, indices, || {
            let mut item = self.item(slots, leaves);
            let mut seeds = self.seeds(&mut item);
            let motion = self.at_slots(&mut item, "v_dot", Array::Motion);
            let loads = self.at_slots(&mut item, "load", Array::Load);
            let zero = self.derivation.graph.zero();
            let pairs = motion.values().zip(loads.values());
            seeds.extend(pairs.map(|(&leaf, &change)| (leaf, change, zero)));
            let pushed = self.pushed(j, &motion);
            let bias = self.row(j).scaled.bias;
            let graph = &mut self.derivation.graph;
            let equation = graph.add(pushed, bias);
            let change = Taylor::new(seeds).first(graph, equation);
            let mut right = graph.neg(change);
            let reads = &mut item.reads;
            if updated[j] {
                let taken = self.read(reads, "pushed", Array::RightBeside, places.row);
                right = self.minus(right, taken);
            }
            let inverse = self.read(reads, "inverse", Array::Inverse, places.row);
            let z = self.derivation.graph.mul(right, inverse);
            let mut lower = Vec::new();
            for (a, &i) in later.iter().enumerate() {
                let l = self.read(reads, "l", Array::Lower, places.lower[a]);
                let taken = self.derivation.graph.mul(l, right);
                lower.push((
                    taken,
                    write(updated[i], Array::RightBeside, places.later[a]),
                ));
            }
            item.set(Array::SolutionBeside, places.row, z);
            for (root, write) in lower {
                item.roots.push(root);
                item.writes.push(write);
            }
            item.into_kernel()
        });
        later.iter().for_each(|&i| updated[i] = true);
    }

    /// δv̇ = f + W J′ᵀ δμ
    fn varied_motion(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        let unknowns = &[Array::SolutionBeside];
        self.at_velocity(stage, c, rows, unknowns, |rolling, item, sums| {
            let load = rolling.read(&mut item.reads, "load", Array::Load, 0);
            let graph = &mut rolling.derivation.graph;
            let moved = graph.mul(rolling.ratios[c], sums[0]);
            let motion = graph.add(load, moved);
            item.set(Array::Output, 0, motion);
        });
    }

    /// δλ
    fn varied_multiplier(&mut self, stage: &mut Stage<'_>, r: usize) {
        self.of_row(stage, r, |rolling, item, own| {
            let mut seeds = rolling.seeds(item);
            let x = rolling.read(&mut item.reads, "x", Array::Solution, own);
            let change = rolling.read(&mut item.reads, "dx", Array::SolutionBeside, own);
            seeds.push((x, change, rolling.derivation.graph.zero()));
            let told = rolling.told(r, x);
            let told = Taylor::new(seeds).first(&mut rolling.derivation.graph, told);
            item.set(Array::Multipliers, own, told);
        });
    }
}
