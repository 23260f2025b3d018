//! Where the masses of a system are, for pictures of it.

use super::Derived;
use crate::dynamics::arms;
use crate::expr::{ExprId, SymbolId};
use crate::schedule::{self, Program, Root};

impl Derived {
    /// The places of the point masses, then of the bodies whose poses coordinates tell, with so many numbers each.
    ///
    /// Bodies that have coordinates of their own are where these say.
    pub fn places(&self, symbol_name: &dyn Fn(SymbolId) -> String) -> (usize, Program) {
        let system = &self.system;
        let model = &system.model;
        let mut graph = model.graph.clone();
        let masses = system.masses.iter().map(|mass| &mass.place);
        let bodies = system.posed.iter().map(|body| &body.place);
        let places: Vec<&Vec<ExprId>> = masses.chain(bodies).collect();
        let size = places.first().map_or(0, |place| place.len());
        let places: Vec<ExprId> = places.into_iter().flatten().copied().collect();
        let definitions = system.places.iter().map(|&(_, place)| place);
        let roots: Vec<ExprId> = places.iter().copied().chain(definitions).collect();
        let (mut map, _) = arms(model, &mut graph, &roots);
        // A place is made of leaves that stand for earlier ones at most.
        for &(leaf, place) in &system.places {
            map = graph.substitute([place], map);
            map.insert(leaf, map[&place]);
        }
        map = graph.substitute(places.iter().copied(), map);
        let roots = places.iter().map(|place| Root::Output(map[place]));
        let roots: Vec<Root> = roots.collect();
        (
            size,
            schedule::schedule(&graph, &roots, &model.names, symbol_name),
        )
    }
}
