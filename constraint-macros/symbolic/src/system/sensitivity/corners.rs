//! Where no derivative exists: at the corners of |x|, and where signs jump.
//!
//! ```text
//! n = |x| has a corner at x = 0, and what is made of it has one there unless ∂F/∂n = 0, as x |x| has none
//! n = signum(x) jumps there, and what is made of it bends unless ∂²F/∂n∂(t, q, v) = 0 besides: x n bends, x² n does not
//! ```

use super::motion::{Sensitivity, Solved};
use super::residual::substituted;
use crate::diff::gradient;
use crate::expr::{CollectVec, ExprId, Function, Graph, Map, Node, Number, PushEach};
use crate::model::{Role, System};
use crate::solve::Computed;

impl Sensitivity<'_> {
    /// For each corner of F, the expression that is zero there, and its weight.
    pub fn corners(&self, system: &mut System, solved: &Solved<'_>) -> Option<Computed> {
        let roots = self.residual.motion.iter().chain(&self.residual.rows);
        let roots: Vec<ExprId> = roots.copied().collect_vec();
        let nodes = system.model.graph.reachable(roots.iter().copied());
        let mut outputs = Vec::new();
        for node in nodes {
            let Some(at) = corner(&system.model.graph, node) else {
                continue;
            };
            let leaf = system.model.add_leaf(Role::Scratch, "corner".to_owned());
            let weight = self.weight(&mut system.model.graph, &roots, node, leaf);
            if !system.model.graph.is_zero(weight) {
                outputs.push_each([at, weight]);
            }
        }
        if outputs.is_empty() {
            return None;
        }
        let graph = &mut system.model.graph;
        let known = substituted(graph, &outputs, self.known.clone());
        // Where nothing is solved for, nothing stands before.
        Some(if known == outputs {
            Computed::plain(outputs)
        } else {
            Computed::of(known, solved.found)
        })
    }

    /// Σ |∂F/∂n|, and of a sign Σ |∂²F/∂n∂x| besides, x being what moves; `leaf` stands for n meanwhile.
    fn weight(&self, graph: &mut Graph, roots: &[ExprId], node: ExprId, leaf: ExprId) -> ExprId {
        let jumps = matches!(graph.node(node), Node::Call(Function::Signum, _));
        let moving = 1 + 2 * self.variables.n;
        let mut slopes = Vec::new();
        for root in substituted(graph, roots, Map::from_iter([(node, leaf)])) {
            let slope = gradient(graph, root, &[leaf])[0];
            slopes.push(slope);
            if jumps {
                let bends = self.variables.gradient(graph, slope);
                slopes.push_each(bends.into_iter().take(moving));
            }
        }
        slopes.retain(|&slope| !graph.is_zero(slope));
        let mut sizes = Vec::new();
        for slope in slopes {
            sizes.push((graph.call(Function::Abs, &[slope]), Number::ONE));
        }
        let sum = graph.sum(&sizes);
        substituted(graph, &[sum], Map::from_iter([(leaf, node)]))[0]
    }
}

/// The expression that is zero where a node has a corner, or jumps. Minimum and maximum have none: `softplus` and splines
/// consist of them, and their corners cancel.
fn corner(graph: &Graph, node: ExprId) -> Option<ExprId> {
    match graph.node(node) {
        Node::Call(Function::Abs | Function::Signum, arguments) => arguments.first().copied(),
        _ => None,
    }
}
