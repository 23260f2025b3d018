//! Formulas in which products of sines and cosines become those of a sum or difference of angles, if that is shorter.

use super::listing::Listing;
use super::text;
use crate::expr::{CollectVec, ExprId, Function, Graph, Node, Set, Together};

/// Difference between a printed formula and the one that the generated functions compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// None.
    #[default]
    Computed,
    /// Like terms are collected.
    Collected,
    /// Sines and cosines of two angles are combined into those of their sum or difference.
    Joined,
}

impl Form {
    /// The note for readers.
    pub fn note(self) -> &'static str {
        match self {
            Form::Computed => "",
            Form::Collected => {
                "Like terms are collected here; the generated functions compute the same in another form."
            }
            Form::Joined => {
                "Sines and cosines of sums and differences of angles are shorter to read; the generated functions \
                 compute the same from the sine and cosine of each angle."
            }
        }
    }

    /// The form of `written`, compared with the computed roots.
    pub fn of(graph: &Graph, computed: &[ExprId], written: &[ExprId]) -> Form {
        if computed == written {
            Form::Computed
        } else if angles(graph, written).is_subset(&angles(graph, computed)) {
            Form::Collected
        } else {
            Form::Joined
        }
    }
}

/// Combines pairs of angles in each root if its formula becomes shorter.
pub fn readable(
    graph: &mut Graph,
    roots: &[ExprId],
    list: impl Fn(&Graph, ExprId) -> Listing,
) -> Vec<ExprId> {
    // The number of letters of a formula without its definitions.
    let length = |graph: &Graph, root| -> usize {
        let formulas = list(graph, root).results;
        let letters = |formula| text::expression(formula).chars().count();
        formulas.iter().map(letters).sum()
    };
    let shorter = |&root: &ExprId| {
        let joined = graph.joined_in_pairs(root, Together::Called);
        if joined != root && length(graph, joined) < length(graph, root) {
            joined
        } else {
            root
        }
    };
    roots.iter().map(shorter).collect_vec()
}

/// The arguments of sines and cosines.
fn angles(graph: &Graph, roots: &[ExprId]) -> Set<ExprId> {
    let nodes = graph.reachable(roots.iter().copied()).into_iter();
    let angles = nodes.filter_map(|id| match graph.node(id) {
        Node::Call(Function::Sin | Function::Cos, argument) => Some(argument[0]),
        _ => None,
    });
    angles.collect()
}
