//! The nodes on which a few roots depend, as a separate graph, so that tables indexed by node are short.

use super::graph::{ExprId, Graph, MANY};
use super::map::Map;
use crate::expr::CollectVec;

/// A part of a graph, with its nodes in the same order.
pub struct Part {
    /// The nodes.
    pub graph: Graph,
    places: Map<ExprId, ExprId>,
}

impl Part {
    /// The nodes on which `roots` depend; `None` unless they are a small part of a large graph.
    pub fn of(whole: &Graph, roots: impl IntoIterator<Item = ExprId>) -> Option<Part> {
        if whole.len() <= MANY {
            return None;
        }
        let reachable = whole.reachable(roots);
        if 4 * reachable.len() > whole.len() {
            return None;
        }
        let mut graph = Graph::with_capacity(reachable.len());
        graph.turns = whole.turns;
        graph.joining = whole.joining;
        let mut places: Map<ExprId, ExprId> = Map::default();
        for id in reachable {
            let mut node = whole.node(id).clone();
            node.renumber(|operand| *operand = places[operand]);
            places.insert(id, graph.intern(node));
        }
        Some(Part { graph, places })
    }

    /// The id of a root in the part.
    pub fn place(&self, root: ExprId) -> ExprId {
        self.places[&root]
    }

    /// Names of the expressions that the part contains.
    pub fn names<Name: Clone>(&self, names: &[(ExprId, Name)]) -> Vec<(ExprId, Name)> {
        let name = |(id, name): &(ExprId, Name)| Some((*self.places.get(id)?, name.clone()));
        names.iter().filter_map(name).collect_vec()
    }
}
