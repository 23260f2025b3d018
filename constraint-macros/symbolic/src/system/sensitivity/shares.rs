//! How dependent rows share the constraint force, and the derivatives of the shares.
//!
//! Of all μ with A μ = b, A = J W Jᵀ, least squares choose the one with the smallest μᵀ D μ, D the diagonal of A: μ = P b.
//! It satisfies D μ = A ν with ν = P D μ. This equation is differentiated like the others:
//!
//! ```text
//! forwards    δμ = P (δb − δA μ) + N D⁻¹ (δA ν − δD μ)      N = I − P A; the first part solves the equations of motion
//! backwards   ∂(μ*·μ) = … + ∂(ζ·(A ν − D μ))                  ζ = D⁻¹ Nᵀ μ*; ζ, ν and μ are constant
//! ```
//! This requires b in the range of A and a constant rank, which holds wherever C = 0 and the rows do not lock. Since
//! J N = 0, v̇ does not depend on the shares.

use crate::diff::Taylor;
use crate::expr::{CollectVec, ExprId, Graph, Map, Number};
use crate::model::{Role, System};
use crate::solve::{Schur, Sparse};

/// The equation of the shares, over μ and ν as leaves.
pub(super) struct Shares {
    /// A
    matrix: Sparse,
    /// P
    inverse: Vec<Vec<ExprId>>,
    /// D
    diagonal: Vec<ExprId>,
    /// The leaves of ν.
    balance: Vec<ExprId>,
    /// The leaves of ζ.
    adjoints: Vec<ExprId>,
    /// A ν − D μ
    pub(super) equations: Vec<ExprId>,
}

impl Shares {
    /// The shares of rows that may depend on each other; `unknowns` are the leaves of μ.
    pub(super) fn new(system: &mut System, schur: &Schur, unknowns: &[ExprId]) -> Option<Shares> {
        let inverse = schur.pseudo_inverse()?.to_vec();
        let mut leaves = || {
            let leaf = |_| system.model.add_leaf(Role::Scratch, "share".to_owned());
            inverse.iter().map(leaf).collect_vec()
        };
        let (balance, adjoints) = (leaves(), leaves());
        let graph = &mut system.model.graph;
        let (matrix, zero) = (schur.matrix.clone(), graph.zero());
        let diagonal = (0..inverse.len()).map(|i| matrix.get(i, i).unwrap_or(zero));
        let diagonal: Vec<ExprId> = diagonal.collect_vec();
        let mut equations = Vec::new();
        for (i, mut terms) in matrix.products(graph, &balance).into_iter().enumerate() {
            terms.push((graph.mul(diagonal[i], unknowns[i]), Number::MINUS_ONE));
            equations.push(graph.sum(&terms));
        }
        Some(Shares {
            matrix,
            inverse,
            diagonal,
            balance,
            adjoints,
            equations,
        })
    }

    /// Adds the values of ν, from those of μ.
    pub(super) fn add_values(
        &self,
        graph: &mut Graph,
        unknowns: &[ExprId],
        known: &mut Map<ExprId, ExprId>,
    ) {
        let pairs = self.diagonal.iter().zip(unknowns);
        let weighed: Vec<ExprId> = pairs.map(|(&d, &x)| graph.mul(d, known[&x])).collect_vec();
        for (&leaf, row) in self.balance.iter().zip(&self.inverse) {
            let value = graph.dot(row, &weighed);
            known.insert(leaf, graph.whole(value));
        }
    }

    /// N D⁻¹ r, of the rates r of the equations.
    pub(super) fn moved(&self, graph: &mut Graph, rates: &[ExprId]) -> Vec<ExprId> {
        let pairs = rates.iter().zip(&self.diagonal);
        let divided = pairs.map(|(&rate, &d)| {
            let divided = graph.div(rate, d);
            graph.whole(divided)
        });
        let divided: Vec<ExprId> = divided.collect_vec();
        let turned = self.products(graph, &divided);
        let pairs = divided.iter().zip(&self.inverse);
        let moved = pairs.map(|(&divided, row)| {
            let held = graph.dot(row, &turned);
            graph.sub(divided, held)
        });
        moved.collect_vec()
    }

    /// The same along a motion.
    pub(super) fn along(&self, graph: &mut Graph, motion: &mut Taylor) -> Vec<ExprId> {
        let rates = self.equations.iter().map(|&it| motion.first(graph, it));
        let rates: Vec<ExprId> = rates.collect_vec();
        self.moved(graph, &rates)
    }

    /// ζ·(A ν − D μ), with ζ as leaves; adds their values, from the weights μ*.
    pub(super) fn weighed(
        &self,
        graph: &mut Graph,
        weights: &[ExprId],
        known: &mut Map<ExprId, ExprId>,
    ) -> ExprId {
        let held = self.inverse.iter().map(|row| graph.dot(row, weights));
        let held: Vec<ExprId> = held.collect_vec();
        let turned = self.products(graph, &held);
        for (i, &leaf) in self.adjoints.iter().enumerate() {
            let free = graph.sub(weights[i], turned[i]);
            let value = graph.div(free, self.diagonal[i]);
            known.insert(leaf, graph.whole(value));
        }
        graph.dot(&self.adjoints, &self.equations)
    }

    /// A x
    fn products(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        let products = self.matrix.products(graph, x).into_iter();
        let products: Vec<ExprId> = products.map(|terms| graph.sum(&terms)).collect_vec();
        products.iter().map(|&it| graph.whole(it)).collect_vec()
    }
}
