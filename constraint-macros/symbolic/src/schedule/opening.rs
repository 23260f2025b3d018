//! Sums seen through the sums in them that nobody else needs.

use crate::expr::{ExprId, Graph, Map, Node, Number, Set};

/// What is needed to tell whether an expression serves one place only.
pub struct Opening<'a> {
    /// The expressions.
    pub source: &'a Graph,
    /// How often each is an operand or a root.
    pub uses: Map<ExprId, u32>,
    /// Those with a name of their own, which keep their place.
    pub named: Set<ExprId>,
}

impl<'a> Opening<'a> {
    /// For the expressions that `roots` are made of.
    pub fn new(
        source: &'a Graph,
        reachable: &[ExprId],
        roots: &[ExprId],
        names: &[(ExprId, String)],
    ) -> Opening<'a> {
        Opening {
            source,
            uses: source.uses(reachable, roots.iter().copied()),
            named: names.iter().map(|(id, _)| *id).collect(),
        }
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
            let alone = self.uses[&id] == 1 && !self.named.contains(&id);
            match self.source.node(id) {
                Node::Sum {
                    constant: inner,
                    terms,
                } if alone && coefficient.abs().is_one() => {
                    constant = constant + coefficient * *inner;
                    stack.extend(terms.iter().rev().map(|&(t, c)| (t, c * coefficient)));
                }
                _ => opened.push((id, coefficient)),
            }
        }
        (constant, opened)
    }
}
