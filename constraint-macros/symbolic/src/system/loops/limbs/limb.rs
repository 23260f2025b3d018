//! One limb.

use crate::dynamics::{Recursion, Tree};
use crate::expr::{CollectVec, ExprId, Graph, PushEach};

/// A part of a tree that hangs on the trunk, with all else that its velocities take part in.
#[derive(Clone, Debug)]
pub(super) struct Limb {
    pub tree: Tree,
    /// Its velocities,
    pub columns: Vec<usize>,
    /// and of each the entry of M,
    pub mass: Vec<ExprId>,
    /// and h, both without the links.
    pub applied: Vec<ExprId>,
}

impl Limb {
    pub fn new(graph: &mut Graph, recursion: &Recursion, links: &[usize]) -> Limb {
        let tree = recursion.tree.part(links);
        let columns = tree.columns();
        let zero = graph.zero();
        let mass = columns.iter().map(|&i| recursion.mass.get(i, i));
        Limb {
            mass: mass.map(|it| it.unwrap_or(zero)).collect_vec(),
            applied: columns.iter().map(|&i| recursion.applied[i]).collect_vec(),
            tree,
            columns,
        }
    }

    pub fn expressions_mut(&mut self) -> Vec<&mut ExprId> {
        let mut all = self.tree.expressions_mut();
        all.push_each(self.mass.iter_mut().chain(&mut self.applied));
        all
    }

    pub fn expressions(&self) -> Vec<ExprId> {
        let mut copy = self.clone();
        copy.expressions_mut().iter().map(|it| **it).collect_vec()
    }
}
