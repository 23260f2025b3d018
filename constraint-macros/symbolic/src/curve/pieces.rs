//! A curve of pieces: the conditions between pieces, and the expressions of each piece.
//!
//! Input: the components of r with their `if`s. Output: [`Pieces`], a tree of conditions whose leaves are
//! expressions without these choices. A piece simplifies alone: an arc has a constant r′·r′, which
//! the choice between an arc and a straight line hides.

use crate::expr::{CollectVec, ExprId, Graph, Map, Node};

/// Curves of more pieces are not split.
const MAX_PIECES: usize = 8;

/// A tree with data for each piece and for each condition between pieces.
#[derive(Clone, Debug)]
pub enum Pieces<L, C = ExprId> {
    /// One piece.
    One(L),
    /// Two or more pieces.
    Either {
        /// The condition that separates the branches.
        condition: C,
        /// The branch if it holds, and the branch if it does not.
        branches: Box<[Pieces<L, C>; 2]>,
    },
}

impl<L, C> Pieces<L, C> {
    /// The tree with mapped data; `None` if the mapping fails for any of them.
    pub fn try_map<R, D>(
        &self,
        leaf: &mut impl FnMut(&L) -> Option<R>,
        decision: &impl Fn(&C) -> D,
    ) -> Option<Pieces<R, D>> {
        match self {
            Pieces::One(end) => leaf(end).map(Pieces::One),
            Pieces::Either {
                condition,
                branches,
            } => {
                let [a, b] = &**branches;
                let branches = [a.try_map(leaf, decision)?, b.try_map(leaf, decision)?];
                Some(Pieces::Either {
                    condition: decision(condition),
                    branches: Box::new(branches),
                })
            }
        }
    }

    /// The data of all pieces.
    pub fn leaves(&self) -> Vec<&L> {
        match self {
            Pieces::One(leaf) => vec![leaf],
            Pieces::Either { branches, .. } => {
                branches.iter().flat_map(|it| it.leaves()).collect_vec()
            }
        }
    }
}

impl<L> Pieces<L, L> {
    /// The data of all conditions and all pieces.
    pub fn all(&self) -> Vec<&L> {
        match self {
            Pieces::One(leaf) => vec![leaf],
            Pieces::Either {
                condition,
                branches,
            } => {
                let branches = branches.iter().flat_map(|it| it.all());
                branches.chain([condition]).collect_vec()
            }
        }
    }
}

/// Splits expressions by the `if`s in the first `deciding` of them; `None` for one piece, and for too many.
pub fn split(graph: &mut Graph, roots: &[ExprId], deciding: usize) -> Option<Pieces<Vec<ExprId>>> {
    let mut left = MAX_PIECES;
    let pieces = divided(graph, roots, deciding, &mut left)?;
    matches!(pieces, Pieces::Either { .. }).then_some(pieces)
}

fn divided(
    graph: &mut Graph,
    roots: &[ExprId],
    deciding: usize,
    left: &mut usize,
) -> Option<Pieces<Vec<ExprId>>> {
    let Some(condition) = outermost(graph, &roots[..deciding]) else {
        *left = left.checked_sub(1)?;
        return Some(Pieces::One(roots.to_vec()));
    };
    let mut branch = |value| {
        let decided = decide(graph, roots, condition, value);
        divided(graph, &decided, deciding, left)
    };
    Some(Pieces::Either {
        condition,
        branches: Box::new([branch(true)?, branch(false)?]),
    })
}

/// The condition of a choice that is inside no other choice: operands come before their users.
fn outermost(graph: &Graph, roots: &[ExprId]) -> Option<ExprId> {
    let nodes = graph.reachable(roots.iter().copied());
    nodes.iter().rev().find_map(|&id| match *graph.node(id) {
        Node::Select { condition, .. } => Some(condition),
        _ => None,
    })
}

/// The expressions for one value of the condition.
fn decide(graph: &mut Graph, roots: &[ExprId], condition: ExprId, value: bool) -> Vec<ExprId> {
    let decided = Map::from_iter([(condition, graph.boolean(value))]);
    let map = graph.substitute(roots.iter().copied(), decided);
    roots.iter().map(|root| map[root]).collect_vec()
}
