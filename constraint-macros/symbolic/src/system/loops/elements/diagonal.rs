//! A diagonal M, in units of what all masses have in common.
//!
//! ```text
//! M⁻¹ = w W        unknowns wλ, or λ where forces are asked for
//! ```

use crate::dynamics::Derivation;
use crate::expr::{CollectVec, ExprId, Graph, Map, Node, Number};
use crate::solve::{Sparse, common_mass, divide_terms};

use super::super::leaves::leaves;
use super::super::routine::Families;
use crate::model::System;

/// M of elements that nothing couples, where joints compute the parts of J M⁻¹ Jᵀ and of right-hand sides themselves.
pub(super) struct Diagonal {
    /// W
    pub ratios: Vec<ExprId>,
    /// w
    pub common: ExprId,
    /// M⁻¹ h
    pub free: Vec<ExprId>,
    /// The loads in right-hand sides in units of force: M⁻¹ h of loads by acceleration, W h of others.
    pub forced: Vec<ExprId>,
    /// Whether M⁻¹ h is the shorter expression, such as g instead of m g.
    pub by_acceleration: Vec<bool>,
    /// Whether M⁻¹ h is the same all over its family, and cancels where rows ask for differences: derivatives leave it out of
    /// what velocities keep, and rows put it in.
    pub uniform: Vec<bool>,
    /// The first velocity of the same W, where that is one over an element of an array: it is divided once and kept.
    pub weights: Vec<Option<usize>>,
}

impl Diagonal {
    pub fn of(
        derivation: &mut Derivation,
        system: &System,
        mass: &Sparse,
        applied: &[ExprId],
    ) -> Diagonal {
        let graph = &mut derivation.graph;
        let one = graph.number(Number::ONE);
        let mass = |i: usize| mass.get(i, i).unwrap_or(one);
        let masses: Vec<ExprId> = (0..applied.len()).map(mass).collect_vec();
        let pairs = applied.iter().zip(&masses);
        let free: Vec<ExprId> = pairs
            .map(|(&h, &m)| divide_terms(graph, h, m))
            .collect_vec();
        let (common, ratios) = common_mass(graph, &masses);
        let pairs = applied.iter().zip(&ratios);
        let pushed: Vec<ExprId> = pairs.map(|(&h, &ratio)| graph.mul(ratio, h)).collect_vec();
        let size = |id: ExprId| graph.reachable([id]).len();
        let pairs = free.iter().zip(&pushed);
        let by_acceleration: Vec<bool> = pairs.map(|(&a, &b)| size(a) < size(b)).collect_vec();
        let forced = by_acceleration.iter().enumerate();
        let forced = forced.map(|(i, &is)| if is { free[i] } else { pushed[i] });
        let families = Families::of(graph, &leaves(graph, system), &ratios);
        let free_families = Families::of(graph, &leaves(graph, system), &free);
        let uniform = free_families.slots.iter().map(Vec::is_empty);
        Diagonal {
            uniform: uniform.collect_vec(),
            forced: forced.collect_vec(),
            weights: weights(graph, &ratios, &families),
            ratios,
            common,
            free,
            by_acceleration,
        }
    }
}

/// The first velocity of the same W, where that is one over an element of an array.
fn weights(graph: &Graph, ratios: &[ExprId], families: &Families) -> Vec<Option<usize>> {
    let is_element = |id: ExprId| matches!(graph.node(id), Node::Symbol(_));
    let mut first: Map<ExprId, usize> = Map::default();
    let weight = |(c, &ratio): (usize, &ExprId)| match graph.node(ratio) {
        Node::Product(factors) if !families.slots[c].is_empty() => match factors[..] {
            [(mass, -1)] if is_element(mass) => Some(*first.entry(ratio).or_insert(c)),
            _ => None,
        },
        _ => None,
    };
    ratios.iter().enumerate().map(weight).collect_vec()
}
