//! The definitions of places that coordinates determine, put in: families see what differs only there.

use crate::expr::{ExprId, Graph, Map};
use crate::model::System;

/// What stands for each place, and for what contains one.
#[derive(Default)]
pub(in crate::system) struct Definitions(Map<ExprId, ExprId>);

impl Definitions {
    /// A place is made of earlier ones at most.
    pub fn of(graph: &mut Graph, system: &System) -> Definitions {
        let mut map = Map::default();
        for &(leaf, place) in &system.places {
            map = graph.substitute([place], map);
            map.insert(leaf, map[&place]);
        }
        Definitions(map)
    }

    /// Puts them in.
    pub fn put_in<'a>(&mut self, graph: &mut Graph, all: impl IntoIterator<Item = &'a mut ExprId>) {
        if self.0.is_empty() {
            return;
        }
        for id in all {
            self.0 = graph.substitute([*id], std::mem::take(&mut self.0));
            *id = self.0[id];
        }
    }
}
