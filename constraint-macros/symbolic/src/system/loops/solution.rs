//! Substitution backwards, and what is made of the unknowns.

use std::collections::BTreeMap;

use super::rolling::{Rolling, Side};
use super::routine::{Array, Kernel, Routine, Signature, Slot, Stage, Write};
use crate::expr::{ExprId, Number};
use crate::families::indices_of;
use crate::solve::Quantity;

/// First words of the items that share the stage of substitution.
const SUBSTITUTE: usize = 0;
const FINISH: usize = 1;
const UNSCALE: usize = 2;

/// μ
const UNKNOWNS: &[Array] = &[Array::Solution];

impl Rolling<'_> {
    /// The quantities that need a solution, by elimination step by step.
    pub(super) fn by_steps(&mut self) -> BTreeMap<Quantity, Routine> {
        let at_coordinates = self.rows_at();
        let alone: Vec<Vec<usize>> = (0..self.rows.of.len()).map(|r| vec![r]).collect();
        let one = self.derivation.graph.number(Number::ONE);
        let accelerating = self.eliminated(Side::Acceleration);
        // Where w = 1, the units are the same.
        let forcing = if self.common == one {
            accelerating.clone()
        } else {
            self.eliminated(Side::Force)
        };
        let mass = self.derivation.graph.recip(self.common);
        let [acceleration, both] = [None, Some(mass)]
            .map(|unit| self.solution(&accelerating, &at_coordinates, unit, Rolling::acceleration));
        let force = self.solution(&forcing, &at_coordinates, None, Rolling::force);
        let multipliers = self.solution(&forcing, &alone, None, |rolling, stage, r, _| {
            rolling.multiplier(stage, r, one, Array::Output);
        });
        let given = self.eliminated(Side::Given);
        let correction = self.solution(&given, &at_coordinates, None, Rolling::corrected);
        let projected = self.projected(&at_coordinates);
        BTreeMap::from([
            (Quantity::ProjectedMotion, projected),
            (Quantity::Acceleration, acceleration),
            (Quantity::AccelerationAndMultipliers, both),
            (Quantity::Force, force),
            (Quantity::Multipliers, multipliers),
            (Quantity::Correction, correction),
        ])
    }

    /// Substitution backwards, and the results as soon as the unknowns of their rows are there, so that they
    /// are computed while the next unknown is waited for.
    ///
    /// `finish` adds the item of one result, which takes the unknowns of its rows; with the `unit` of the unknowns, λ
    /// is given back besides.
    pub(super) fn solution(
        &mut self,
        eliminated: &Routine,
        rows_of: &[Vec<usize>],
        unit: Option<ExprId>,
        finish: impl Fn(&mut Self, &mut Stage<'_>, usize, &[usize]),
    ) -> Routine {
        let mut routine = eliminated.clone();
        let forward = routine.loops.len();
        self.substituted(&mut routine, UNKNOWNS, rows_of, unit, finish);
        self.carry(&mut routine, forward);
        routine
    }

    /// The same stage of a routine that has eliminated.
    pub(super) fn substituted(
        &mut self,
        routine: &mut Routine,
        unknowns: &[Array],
        rows_of: &[Vec<usize>],
        unit: Option<ExprId>,
        finish: impl Fn(&mut Self, &mut Stage<'_>, usize, &[usize]),
    ) {
        let mut missing: Vec<usize> = rows_of.iter().map(Vec::len).collect();
        let mut results_of: Vec<Vec<usize>> = vec![Vec::new(); self.rows.of.len()];
        for (result, rows) in rows_of.iter().enumerate() {
            rows.iter().for_each(|&r| results_of[r].push(result));
        }
        routine.stage(|backward| {
            for result in (0..rows_of.len()).filter(|&result| rows_of[result].is_empty()) {
                finish(self, backward, result, &[]);
            }
            for j in self.elimination.order.clone().into_iter().rev() {
                self.substitute(backward, j, unknowns, unit);
                for &result in &results_of[j] {
                    missing[result] -= 1;
                    if missing[result] == 0 {
                        finish(self, backward, result, &rows_of[result]);
                    }
                }
            }
        });
    }

    /// The unknowns of a row from those after it, and λ beside them, where its unit is given.
    fn substitute(
        &mut self,
        stage: &mut Stage<'_>,
        j: usize,
        unknowns: &[Array],
        unit: Option<ExprId>,
    ) {
        let later = self.elimination.later[j].clone();
        let unit = match (later.is_empty(), unit) {
            (true, None) => return,
            (true, Some(unit)) => return self.multiplier(stage, j, unit, Array::Multipliers),
            (false, unit) => unit,
        };
        let mut signature = Signature::default();
        signature.words.extend([SUBSTITUTE, later.len()]);
        if unit.is_some() {
            self.sign_row(&mut signature, j);
        }
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        indices.push(j);
        indices.extend(&later);
        indices.extend(later.iter().map(|&i| self.elimination.lower[&(i, j)]));
        stage.push(words, indices, || {
            let mut reads = self.reads_of(&slots);
            let own = slots.len();
            let lower = own + later.len();
            let (mut roots, mut writes) = (Vec::new(), Vec::new());
            for &array in unknowns {
                let mut value = self.read(&mut reads, "z", array, own);
                for a in 1..=later.len() {
                    let x = self.read(&mut reads, "x", array, own + a);
                    let l = self.read(&mut reads, "l", Array::Lower, lower + a);
                    let product = self.derivation.graph.mul(l, x);
                    value = self.minus(value, product);
                }
                roots.push(value);
                writes.push(Write::Set(array, own));
            }
            if let Some(unit) = unit {
                let row = self.row(j).scaled.clone();
                roots.push(row.unscaled(&mut self.derivation.graph, roots[0], unit));
                writes.push(Write::Set(Array::Multipliers, own));
            }
            Kernel {
                reads,
                roots,
                writes,
            }
        });
    }
}

impl Rolling<'_> {
    pub(super) fn rows_at(&self) -> Vec<Vec<usize>> {
        let mut rows = vec![Vec::new(); self.system.coordinates.len()];
        for r in 0..self.rows.of.len() {
            self.rows.records(r).for_each(|c| rows[c].push(r));
        }
        rows
    }

    pub(super) fn acceleration(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        self.at_coordinate(stage, c, rows, true, |rolling, sum| {
            let graph = &mut rolling.derivation.graph;
            let moved = graph.mul(rolling.ratios[c], sum);
            graph.add(rolling.free.values[c], moved)
        });
    }

    fn corrected(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        self.at_coordinate(stage, c, rows, false, |rolling, sum| {
            rolling.derivation.graph.mul(rolling.ratios[c], sum)
        });
    }

    fn force(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        self.at_coordinate(stage, c, rows, false, |_, sum| sum);
    }

    /// A result at a coordinate, which `finish` computes from Σ J′ x.
    pub(super) fn at_coordinate(
        &mut self,
        stage: &mut Stage<'_>,
        c: usize,
        rows: &[usize],
        free: bool,
        finish: impl Fn(&mut Self, ExprId) -> ExprId,
    ) {
        let mut signature = Signature::default();
        signature.words.extend([FINISH, usize::from(free)]);
        signature.slot(Slot::Record(c));
        self.sign_ratio(&mut signature, c);
        if free {
            self.sign_load(&mut signature, c, Side::Acceleration);
        }
        for &r in rows {
            self.sign_row(&mut signature, r);
        }
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        indices.extend(rows);
        let weight = self.weights[c].filter(|_| !rows.is_empty());
        indices.extend(weight);
        stage.push(words, indices, || {
            let mut reads = self.reads_of(&slots);
            let mut terms = Vec::new();
            for (k, &r) in rows.iter().enumerate() {
                let x = self.read(&mut reads, "x", Array::Solution, slots.len() + k);
                if let Some(entry) = self.entry(r, c) {
                    terms.push((self.derivation.graph.mul(entry, x), Number::ONE));
                }
            }
            let sum = self.derivation.graph.sum(&terms);
            let mut result = finish(self, sum);
            if weight.is_some() {
                // The elimination has stored the quotient: no second division.
                let place = slots.len() + rows.len();
                let weight = self.read(&mut reads, "weight", Array::Weight, place);
                let graph = &mut self.derivation.graph;
                let mass = graph.recip(self.ratios[c]);
                let inverse = graph.recip(weight);
                result =
                    graph.substitute([result], [(mass, inverse)].into_iter().collect())[&result];
            }
            Kernel {
                reads,
                roots: vec![result],
                writes: vec![Write::Set(Array::Output, 0)],
            }
        });
    }

    /// Where elimination keeps W of the velocities that a row speaks of, each place once.
    pub(super) fn weights_of(&self, r: usize) -> Vec<usize> {
        let mut weights: Vec<usize> = Vec::new();
        for c in self.rows.records(r).filter_map(|c| self.weights[c]) {
            if !weights.contains(&c) {
                weights.push(c);
            }
        }
        weights
    }

    /// λ of the row as written, from the unknown in that unit.
    fn multiplier(&mut self, stage: &mut Stage<'_>, r: usize, unit: ExprId, to: Array) {
        let mut signature = Signature::default();
        signature.words.push(UNSCALE);
        self.sign_row(&mut signature, r);
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        indices.push(r);
        stage.push(words, indices, || {
            let mut reads = self.reads_of(&slots);
            let x = self.read(&mut reads, "x", Array::Solution, slots.len());
            let row = self.row(r).scaled.clone();
            let graph = &mut self.derivation.graph;
            Kernel {
                reads,
                roots: vec![row.unscaled(graph, x, unit)],
                writes: vec![Write::Set(to, slots.len())],
            }
        });
    }
}
