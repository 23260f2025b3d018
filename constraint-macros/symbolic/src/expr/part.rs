//! What a few roots are made of, as a graph of its own: tables of all nodes are then no longer than those.

use super::graph::{ExprId, Graph, MANY};
use super::hash::Map;

/// A part of a graph, its nodes in the same order.
pub struct Part {
    /// The nodes.
    pub graph: Graph,
    places: Map<ExprId, ExprId>,
}

impl Part {
    /// The nodes that `roots` are made of; `None` where they are not few among very many.
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

    /// Where a root stands.
    pub fn place(&self, root: ExprId) -> ExprId {
        self.places[&root]
    }

    /// Names of the expressions that are part of it.
    pub fn names<Name: Clone>(&self, names: &[(ExprId, Name)]) -> Vec<(ExprId, Name)> {
        let name = |(id, name): &(ExprId, Name)| Some((*self.places.get(id)?, name.clone()));
        names.iter().filter_map(name).collect()
    }
}
