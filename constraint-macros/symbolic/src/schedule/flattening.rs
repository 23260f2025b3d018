//! What the roots need, and sums seen through the sums in them that nobody else needs.

use super::{Names, Root};
use crate::expr::{ExprId, Graph, Node, Number};

/// The expressions that the roots are made of, with what tells whether one serves one place only.
pub struct Flattened<'a> {
    /// The expressions.
    pub source: &'a Graph,
    /// Those that are needed, operands first.
    pub nodes: Vec<ExprId>,
    /// How often each is an operand or a root, by [index](ExprId::index).
    pub uses: Vec<u32>,
    /// Whether it has a name of its own; those with one keep their place.
    named: Vec<bool>,
}

impl<'a> Flattened<'a> {
    /// For the expressions that `roots` are made of.
    pub fn new(source: &'a Graph, roots: &[Root], names: Names<'_>) -> Flattened<'a> {
        let roots: Vec<ExprId> = roots.iter().flat_map(|root| root.values()).collect();
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

    /// How many operands there are.
    pub fn operands(&self) -> usize {
        let mut count = 0;
        for &id in &self.nodes {
            self.source.node(id).for_each_child(|_| count += 1);
        }
        count
    }

    /// Whether any operand or root needs the expression.
    pub fn is_needed(&self, id: ExprId) -> bool {
        self.uses[id.index()] > 0
    }

    /// Whether one operand or root needs the expression.
    pub fn used_once(&self, id: ExprId) -> bool {
        self.uses[id.index()] == 1
    }

    /// Whether the expression has a name of its own.
    pub fn is_named(&self, id: ExprId) -> bool {
        self.named[id.index()]
    }

    /// Whether a term of a sum is a sum that is written out in it.
    pub fn opens(&self, term: ExprId, coefficient: Number) -> bool {
        let sum = matches!(self.source.node(term), Node::Sum { .. });
        sum && coefficient.abs().is_one() && self.used_once(term) && !self.is_named(term)
    }

    /// The constant and the terms of a sum and of the sums among them.
    pub fn sums(
        &self,
        mut constant: Number,
        terms: &[(ExprId, Number)],
    ) -> (Number, Vec<(ExprId, Number)>) {
        let mut opened = Vec::new();
        let mut stack: Vec<_> = terms.iter().rev().copied().collect();
        while let Some((id, coefficient)) = stack.pop() {
            match self.source.node(id) {
                Node::Sum {
                    constant: inner,
                    terms,
                } if self.opens(id, coefficient) => {
                    constant = constant + coefficient * *inner;
                    stack.extend(terms.iter().rev().map(|&(t, c)| (t, c * coefficient)));
                }
                _ => opened.push((id, coefficient)),
            }
        }
        (constant, opened)
    }

    /// Whether a factor of a product is a product that is written out in it.
    pub fn opens_factor(&self, factor: ExprId, exponent: i32) -> bool {
        let product = match self.source.node(factor) {
            Node::Product(factors) => factors.iter().all(|&(_, e)| e > 0),
            _ => false,
        };
        product && exponent == 1 && self.used_once(factor) && !self.is_named(factor)
    }
}
