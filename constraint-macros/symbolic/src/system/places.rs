//! Where the masses of a system are, for pictures of it.

use super::derived::Derived;
use crate::dynamics::arms;
use crate::expr::{CollectVec, ExprId, Graph, MapEach, Node, SymbolId};
use crate::model::Arm;
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
        let places: Vec<&Vec<ExprId>> = masses.chain(bodies).collect_vec();
        let size = places.first().map_or(0, |place| place.len());
        let places: Vec<ExprId> = places.into_iter().flatten().copied().collect_vec();
        let definitions = system.places.iter().map(|&(_, place)| place);
        let roots: Vec<ExprId> = places.iter().copied().chain(definitions).collect_vec();
        let (mut map, _) = arms(model, &mut graph, &roots);
        // A place is made of leaves that stand for earlier ones at most.
        for &(leaf, place) in &system.places {
            map = graph.substitute([place], map);
            map.insert(leaf, map[&place]);
        }
        map = graph.substitute(places.iter().copied(), map);
        let roots = places.iter().map(|place| Root::Output(map[place]));
        let roots: Vec<Root> = roots.collect_vec();
        (
            size,
            schedule::schedule(&graph, &roots, &model.names, symbol_name),
        )
    }

    /// The acceleration of free fall that `gravity` states; no outputs without one.
    pub fn gravity(&self, symbol_name: &dyn Fn(SymbolId) -> String) -> Program {
        let model = &self.system.model;
        let roots = self.system.gravity.iter().map(|&it| Root::Output(it));
        let roots: Vec<Root> = roots.collect_vec();
        schedule::schedule(&model.graph, &roots, &model.names, symbol_name)
    }

    /// The points at which rows hold the bodies: of each the number of its body, and where they are.
    pub fn held_points(&self, symbol_name: &dyn Fn(SymbolId) -> String) -> (Vec<usize>, Program) {
        let model = &self.system.model;
        let mut graph = model.graph.clone();
        let rows = graph.reachable(model.rows.iter().map(|row| row.root));
        let is_held = |arm: &&Arm| {
            let place = &model.bodies[arm.body].position;
            let mut ends = place.iter().zip(&arm.leaves);
            ends.any(|(&place, &leaf)| rows.iter().any(|&it| sums_up(&graph, it, [place, leaf])))
        };
        let held: Vec<&Arm> = model.arms.iter().filter(is_held).collect_vec();
        let leaves: Vec<ExprId> = held.iter().flat_map(|arm| arm.leaves.clone()).collect_vec();
        let (turned, _) = arms(model, &mut graph, &leaves);
        let mut roots = Vec::new();
        for arm in &held {
            for (&place, leaf) in model.bodies[arm.body].position.iter().zip(&arm.leaves) {
                let arm = turned.get(leaf).copied().unwrap_or(*leaf);
                roots.push(Root::Output(graph.add(place, arm)));
            }
        }
        let bodies = held.iter().map(|arm| arm.body).collect_vec();
        let program = schedule::schedule(&graph, &roots, &model.names, symbol_name);
        (bodies, program)
    }
}

/// Whether both are terms of a sum, equally often.
fn sums_up(graph: &Graph, sum: ExprId, parts: [ExprId; 2]) -> bool {
    let Node::Sum { terms, .. } = graph.node(sum) else {
        return false;
    };
    let [a, b] = parts.map_each(|part| terms.iter().find(|term| term.0 == part));
    a.zip(b).is_some_and(|(a, b)| a.1 == b.1)
}
