//! M: the links beyond a joint as one rigid body, accelerated by the joint alone.

use super::masses::Masses;
use super::tree::{Link, Tree};
use super::vector::{Vector, others, scaled, sum};
use crate::expr::{CollectVec, ExprId, Graph, MapEach, Number};
use crate::solve::Sparse;

impl Tree {
    /// Adds M of the tree.
    pub fn add_masses(&self, graph: &mut Graph, mass: &mut Sparse) {
        let beyond = self.rigid_beyond(graph);
        for (i, link) in self.links.iter().enumerate() {
            let columns = link.columns();
            for (nth, &column) in columns.iter().enumerate() {
                let mut load = link.load_of(graph, &beyond[i], column);
                for &other in &columns[..=nth] {
                    let entry = link.virtual_power(graph, other, &load);
                    mass.add(graph, column, other, entry);
                }
                let mut at = link;
                while let Some(before) = at.from {
                    load = at.passed(graph, &load);
                    at = &self.links[before];
                    for other in at.columns() {
                        let entry = at.virtual_power(graph, other, &load);
                        mass.add(graph, column, other, entry);
                        if other == column {
                            // Both of the products, of this link with that and of that with this.
                            mass.add(graph, column, other, entry);
                        }
                    }
                }
            }
        }
    }

    /// For each link, the mass of it and all links after it.
    fn rigid_beyond(&self, graph: &mut Graph) -> Vec<Masses> {
        let mut beyond: Vec<Masses> = self.links.iter().map(|it| it.masses.clone()).collect_vec();
        for (i, link) in self.links.iter().enumerate().rev() {
            if let Some(before) = link.from {
                let out = beyond[i].out(graph, &link.turn, &link.place);
                beyond[before] = beyond[before].plus(graph, &out);
            }
        }
        beyond
    }
}

/// Force and torque about the origin.
type Load = [Vector; 2];

impl Link {
    /// What it takes to accelerate these masses at rest: f = m a + α×s, n = s×a + (tr S − S) α.
    fn load_of(&self, graph: &mut Graph, masses: &Masses, column: usize) -> Load {
        let zero = graph.zero();
        let [turning, sliding] = self.slopes(zero, column);
        let sliding = self.turn.own(graph, &sliding);
        let carried = scaled(graph, masses.mass, &sliding);
        let swept = graph.cross(turning, masses.first);
        let lever = graph.cross(masses.first, sliding);
        let resisted = [0, 1, 2].map_each(|i| {
            let [j, k] = others(i);
            let [jj, kk] = [j, k].map_each(|it| masses.second.get(it, it));
            let own = graph.add(jj, kk);
            let entries = [0, 1, 2].map_each(|l| match l == i {
                true => own,
                false => graph.neg(masses.second.get(i, l)),
            });
            graph.dot(&entries, &turning)
        });
        [
            sum(graph, [&carried, &swept]),
            sum(graph, [&lever, &resisted]),
        ]
    }

    /// (∂ω′/∂v)ᵀ n + (∂ṗ/∂v)ᵀ R f
    pub(super) fn virtual_power(
        &self,
        graph: &mut Graph,
        column: usize,
        [force, torque]: &Load,
    ) -> ExprId {
        let zero = graph.zero();
        let [turning, sliding] = self.slopes(zero, column);
        let own = self.turn.own(graph, &sliding);
        let [turned, slid] = [graph.dot(&turning, torque), graph.dot(&own, force)];
        graph.sum(&[(turned, Number::ONE), (slid, Number::ONE)])
    }

    /// The load in the frame before the link, about its origin.
    pub(super) fn passed(&self, graph: &mut Graph, [force, torque]: &Load) -> Load {
        let [force, torque] = [force, torque].map_each(|it| self.turn.out(graph, it));
        let lever = graph.cross(self.place, force);
        [force, sum(graph, [&torque, &lever])]
    }
}
