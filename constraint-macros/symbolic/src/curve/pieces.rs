//! A curve of pieces: what decides between them, and what each is by itself.
//!
//! Input: the components of r with their `if`s. Output: [`Pieces`], a tree of decisions, and at its ends
//! expressions in which everything is decided. A piece simplifies by itself: an arc has a constant r′·r′, which
//! the choice between an arc and a straight hides.

use crate::expr::{ExprId, Graph, Map, Node};

/// Curves of more pieces are left in one.
const MAX_PIECES: usize = 8;

/// What there is for each piece, and what decides between them.
#[derive(Clone, Debug)]
pub enum Pieces<L, C = ExprId> {
    /// One piece.
    One(L),
    /// Two of them, or more.
    Either {
        /// Decides between the two.
        condition: C,
        /// Where it holds, and where it does not.
        branches: Box<[Pieces<L, C>; 2]>,
    },
}

impl<L, C> Pieces<L, C> {
    /// The same tree with something else in it, if there is that for all of its ends.
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

    /// All ends.
    pub fn leaves(&self) -> Vec<&L> {
        match self {
            Pieces::One(leaf) => vec![leaf],
            Pieces::Either { branches, .. } => branches.iter().flat_map(|it| it.leaves()).collect(),
        }
    }
}

impl<L> Pieces<L, L> {
    /// All that decides, and all ends.
    pub fn all(&self) -> Vec<&L> {
        match self {
            Pieces::One(leaf) => vec![leaf],
            Pieces::Either {
                condition,
                branches,
            } => {
                let branches = branches.iter().flat_map(|it| it.all());
                branches.chain([condition]).collect()
            }
        }
    }
}

/// Takes expressions apart by the `if`s in the first `deciding` of them; `None` for one piece, and for too many.
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

/// The condition of a choice that stands inside no other: operands come before what is made of them.
fn outermost(graph: &Graph, roots: &[ExprId]) -> Option<ExprId> {
    let nodes = graph.reachable(roots.iter().copied());
    nodes.iter().rev().find_map(|&id| match *graph.node(id) {
        Node::Select { condition, .. } => Some(condition),
        _ => None,
    })
}

/// The expressions where the condition is known.
fn decide(graph: &mut Graph, roots: &[ExprId], condition: ExprId, value: bool) -> Vec<ExprId> {
    let decided = Map::from_iter([(condition, graph.boolean(value))]);
    let map = graph.substitute(roots.iter().copied(), decided);
    roots.iter().map(|root| map[root]).collect()
}
