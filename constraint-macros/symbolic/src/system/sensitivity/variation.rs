//! The system that variations solve, with the elimination that v̇ and λ were found by.
//!
//! ```text
//! M̂ δu − D⁻¹ J′ᵀ δμ = r₁        (J′ W J′ᵀ) δμ = r₂ − J′ D⁻¹ M̂⁻¹ r₁,   W = D⁻¹ M̂⁻¹ D⁻¹
//! J′ D⁻¹ δu         = r₂        δu = M̂⁻¹ r₁ + D W J′ᵀ δμ
//! ```
//! Backwards the signs of J change: (x, −y) solves the same system with (r₁, −r₂).

use super::residual::{Residual, Unknowns};
use crate::expr::{CollectVec, ExprId, Graph, Number};
use crate::solve::Schur;

/// K.
#[derive(Clone, Copy)]
pub struct Variation<'a> {
    pub schur: &'a Schur,
    pub residual: &'a Residual,
    /// Whether numbers of a row that is alone go to one over its pivot.
    pub gathers: bool,
}

impl Variation<'_> {
    /// (δu, δμ) of K (δu, δμ) = (first, second).
    pub fn forwards(&self, graph: &mut Graph, first: &[ExprId], second: &[ExprId]) -> Unknowns {
        let free = self.free(graph, first, true);
        self.accelerated(graph, free, second)
    }

    /// (x, y) of Kᵀ (x, y) = (first, second).
    pub fn backwards(&self, graph: &mut Graph, first: &[ExprId], second: &[ExprId]) -> Unknowns {
        let second: Vec<ExprId> = second.iter().map(|&it| graph.neg(it)).collect_vec();
        let free = self.free(graph, first, false);
        let mut found = self.accelerated(graph, free, &second);
        // An equation that is divided by its mass counts as often as that.
        let pushes = self.schur.force(graph, &found.multipliers);
        for (i, _) in self.residual.divided.iter().enumerate().filter(|it| *it.1) {
            found.acceleration[i] = graph.add(first[i], pushes[i]);
        }
        for y in &mut found.multipliers {
            *y = graph.neg(*y);
        }
        found
    }

    /// M̂⁻¹ r; r itself where the equation is divided already.
    fn free(&self, graph: &mut Graph, r: &[ExprId], reported: bool) -> Vec<ExprId> {
        if let Some(mass) = self.schur.mass_factors() {
            return mass.solve(graph, r);
        }
        let weighed = self.schur.weigh(graph, r);
        let pairs = r.iter().zip(weighed).enumerate();
        let free = pairs.map(|(i, (&r, weighed))| {
            if reported && self.residual.divided[i] {
                r
            } else {
                graph.mul(weighed, self.residual.per_unit)
            }
        });
        free.collect_vec()
    }

    fn accelerated(&self, graph: &mut Graph, free: Vec<ExprId>, second: &[ExprId]) -> Unknowns {
        // Each stands in several rows, as a whole.
        let mut as_whole = |&it: &ExprId| {
            if self.gathers && graph.terms(it).len() == 1 {
                it
            } else {
                graph.whole(it)
            }
        };
        let free: Vec<ExprId> = free.iter().map(&mut as_whole).collect_vec();
        let scaled = self.residual.scaled(graph, &free);
        let right = self.schur.minus_jacobian_product(graph, second, &scaled);
        if let (&[right], true) = (&right[..], self.gathers) {
            return self.gathered(graph, &free, right);
        }
        let found = self.schur.solve(graph, &right, "").unknowns;
        let moved = self.schur.velocity_changes(graph, &found);
        let acceleration = free.iter().zip(moved).enumerate();
        let acceleration = acceleration.map(|(i, (&free, moved))| {
            let moved = match self.schur.mass_factors() {
                Some(mass) => graph.mul(mass.scaled.scales[i], moved),
                None => moved,
            };
            graph.add(free, moved)
        });
        let acceleration = acceleration.collect_vec();
        let multipliers = found.iter();
        let per_unit = self.residual.per_unit;
        Unknowns {
            acceleration,
            multipliers: multipliers.map(|&x| graph.div(x, per_unit)).collect_vec(),
        }
    }

    /// The same of one row, where a number n stands in W J′ᵀ and another, c, before the right-hand side:
    /// n δμ = (r/c) (c n/p), of which the velocities are W J′ᵀ/n.
    fn gathered(&self, graph: &mut Graph, free: &[ExprId], right: ExprId) -> Unknowns {
        let one = graph.number(Number::ONE);
        let inverse = self.schur.solve(graph, &[one], "").unknowns[0];
        let weights = self.schur.velocity_changes(graph, &[one]);
        let numbers = weights.iter().filter_map(|&id| graph.as_number(id));
        let number = { numbers }.find(|it| !it.is_zero()).unwrap_or(Number::ONE);
        let (by, rest) = graph.split_coefficient(right);
        let scale = graph.scale(inverse, by * number);
        let scale = graph.whole(scale);
        let found = graph.mul(rest, scale);
        let mut moved = Vec::new();
        for (&free, weight) in free.iter().zip(weights) {
            let weight = graph.scale(weight, number.recip());
            let weight = graph.whole(weight);
            let change = graph.mul(weight, found);
            moved.push(graph.add(free, change));
        }
        let found = graph.scale(found, number.recip());
        Unknowns {
            acceleration: moved,
            multipliers: vec![graph.div(found, self.residual.per_unit)],
        }
    }
}
