//! Recognition of unit vectors.

use super::function::Function;
use super::graph::{ExprId, Graph, Node};

impl Graph {
    /// u, if the vector is ±dᵢ/√u with u = Σ dᵢ²: then its length is one if u > 0.
    pub fn unit_radicand(&self, vector: &[ExprId]) -> Option<ExprId> {
        let entries = vector.iter().filter(|&&entry| !self.is_zero(entry));
        let quotients: Option<Vec<(ExprId, ExprId)>> =
            entries.map(|&entry| self.quotient_by_root(entry)).collect();
        let quotients = quotients?;
        let root = quotients.first()?.1;
        let Node::Call(Function::Sqrt, radicand) = self.node(root) else {
            return None;
        };
        let Node::Sum { constant, terms } = self.node(radicand[0]) else {
            return None;
        };
        let whole = constant.is_zero()
            && terms.len() == quotients.len()
            && quotients.iter().all(|&(d, below)| {
                let mut squares = terms.iter().filter(|(_, c)| c.is_one());
                below == root && squares.any(|&(term, _)| self.square_of(term) == Some(d))
            });
        whole.then_some(radicand[0])
    }

    /// d and √u of ±d/√u.
    fn quotient_by_root(&self, id: ExprId) -> Option<(ExprId, ExprId)> {
        let (sign, quotient) = self.split_coefficient(id);
        let is_root = |id: ExprId| matches!(self.node(id), Node::Call(Function::Sqrt, _));
        match self.node(quotient) {
            Node::Product(factors) if sign.abs().is_one() => match factors[..] {
                [(d, 1), (root, -1)] | [(root, -1), (d, 1)] if is_root(root) => Some((d, root)),
                _ => None,
            },
            _ => None,
        }
    }
}
