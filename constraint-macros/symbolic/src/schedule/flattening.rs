//! The expressions that roots need, and sums with nested sums of a single use expanded.

use super::{Names, Root};
use crate::expr::{CollectVec, ExprId, Graph, Node, Number, PushEach};

/// The expressions that the roots need, with their numbers of uses.
pub struct Flattened<'a> {
    /// The expressions.
    pub source: &'a Graph,
    /// Needed expressions, operands before users.
    pub nodes: Vec<ExprId>,
    /// Number of uses as an operand or a root, by [index](ExprId::index).
    pub uses: Vec<u32>,
    /// True if the expression has a user's name. Such expressions are never merged into others.
    named: Vec<bool>,
}

impl<'a> Flattened<'a> {
    /// The expressions that `roots` need.
    pub fn new(source: &'a Graph, roots: &[Root], names: Names<'_>) -> Flattened<'a> {
        let roots: Vec<ExprId> = roots.iter().flat_map(|root| root.values()).collect_vec();
        let nodes = source.reachable(roots.iter().copied());
        let mut named = vec![false; source.len()];
        names
            .own
            .iter()
            .for_each(|(id, _)| named[id.index()] = true);
        Flattened {
            source,
            uses: source.uses(&nodes, &roots),
            nodes,
            named,
        }
    }

    /// Total number of operands.
    pub fn operands(&self) -> usize {
        let mut count = 0;
        for &id in &self.nodes {
            self.source.node(id).for_each_child(|_| count += 1);
        }
        count
    }

    /// True if an operand or a root needs the expression.
    pub fn is_needed(&self, id: ExprId) -> bool {
        self.uses[id.index()] > 0
    }

    /// True if exactly one operand or root needs the expression.
    pub fn used_once(&self, id: ExprId) -> bool {
        self.uses[id.index()] == 1
    }

    /// True if the expression has a user's name.
    pub fn is_named(&self, id: ExprId) -> bool {
        self.named[id.index()]
    }

    /// True if a term of a sum is a sum that is expanded in it.
    pub fn opens(&self, term: ExprId, coefficient: Number) -> bool {
        let sum = matches!(self.source.node(term), Node::Sum { .. });
        sum && coefficient.abs().is_one() && self.used_once(term) && !self.is_named(term)
    }

    /// The constant and the terms of a sum with its nested sums expanded.
    pub fn sums(
        &self,
        mut constant: Number,
        terms: &[(ExprId, Number)],
    ) -> (Number, Vec<(ExprId, Number)>) {
        let mut opened = Vec::new();
        let mut stack: Vec<_> = terms.iter().rev().copied().collect_vec();
        while let Some((id, coefficient)) = stack.pop() {
            match self.source.node(id) {
                Node::Sum {
                    constant: inner,
                    terms,
                } if self.opens(id, coefficient) => {
                    constant = constant + coefficient * *inner;
                    stack.push_each(terms.iter().rev().map(|&(t, c)| (t, c * coefficient)));
                }
                _ => opened.push((id, coefficient)),
            }
        }
        (constant, opened)
    }

    /// True if a factor of a product is a product that is expanded in it.
    pub fn opens_factor(&self, factor: ExprId, exponent: i32) -> bool {
        let product = match self.source.node(factor) {
            Node::Product(factors) => factors.iter().all(|&(_, e)| e > 0),
            _ => false,
        };
        product && exponent == 1 && self.used_once(factor) && !self.is_named(factor)
    }
}
