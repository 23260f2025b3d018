//! What the equations of a site vary with, and how.
//!
//! A leaf moves along a tangent by a rate that is linear in it: a coordinate by its own entry, an arm r = R s of a body by
//! δθ×r + R δs.

use super::super::super::leaves::{self, varied};
use super::super::super::routine::{Array, Slot, Varied};
use super::super::derivation::Elements;
use super::super::structure::Site;
use super::Moving;
use crate::diff::{Taylor, gradient};
use crate::dynamics::{self};
use crate::expr::{CollectVec, ExprId, Number, PushEach, SymbolId};
use crate::kinematics;

impl Elements<'_> {
    /// The entries of a tangent that an element's equations vary with, in the order of its slots; then those that all share.
    pub(in super::super) fn directions(&self, at: Site) -> Vec<(Varied, usize)> {
        let mut directions = Vec::new();
        for &slot in self.slots_at(at) {
            for direction in self.directions_of(slot) {
                if !directions.contains(&direction) {
                    directions.push(direction);
                }
            }
        }
        directions.push_each(self.shared_leaves().into_iter().map(|it| it.1));
        directions
    }

    pub(in super::super) fn directions_of(&self, slot: Slot) -> Vec<(Varied, usize)> {
        match slot {
            Slot::Element(_, Array::Position, i) => {
                let element = &self.structure.elements[self.structure.element_of_position(i)];
                let (plain, spin) = self.plain_and_spin(&element.columns);
                let place = element.positions.iter().position(|&own| own == i);
                let own = place.and_then(|place| plain.get(place).copied());
                let columns = own.map_or(spin, |c| vec![c]).into_iter();
                columns.map(|c| (Varied::Coordinate, c)).collect_vec()
            }
            Slot::Element(_, Array::Velocity, c) => vec![(Varied::Velocity, c)],
            Slot::Element(symbol, ..) => varied(self.system, symbol).into_iter().collect_vec(),
            Slot::Record(c) => vec![(Varied::Coordinate, c), (Varied::Velocity, c)],
        }
    }

    /// The columns of an element that are rates of coordinates, and those of ω.
    fn plain_and_spin(&self, columns: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let columns = columns.iter().copied();
        columns.partition(|&c| self.system.coordinates[c].position.is_some())
    }

    /// Leaves that no element has of its own, and their places in a tangent.
    pub(super) fn shared_leaves(&self) -> Vec<(SymbolId, (Varied, usize))> {
        let symbols = (0..self.system.model.symbols.len()).map(SymbolId::new);
        let shared = symbols.filter(|&it| leaves::slot(self.system, it).is_none());
        shared
            .filter_map(|it| Some((it, varied(self.system, it)?)))
            .collect_vec()
    }

    /// An entry of a tangent, as a leaf.
    pub(in super::super) fn change(&mut self, direction: (Varied, usize)) -> ExprId {
        if let Some(&known) = self.changes.get(&direction) {
            return known;
        }
        let (symbol, leaf) = self.scratch("along");
        self.changes.insert(direction, leaf);
        self.direction_of.insert(symbol, direction);
        leaf
    }

    /// How the leaves of an element's equations move.
    pub(in super::super) fn moving(&mut self, at: Site) -> Moving {
        let directions = self.directions(at);
        let changes: Vec<ExprId> = directions.iter().map(|&it| self.change(it)).collect_vec();
        let mut rates = self.plain_rates(at);
        let mut bodies: Vec<usize> = Vec::new();
        for &(of, c) in &directions {
            if of == Varied::Coordinate && self.system.coordinates[c].position.is_none() {
                bodies.push_each(self.structure.elements[self.structure.element_of(c)].body);
            }
        }
        bodies.dedup();
        let mut constants = Taylor::new(self.seeds(&rates));
        for body in bodies {
            self.turning(body, &mut constants, &mut rates);
        }
        Moving { changes, rates }
    }

    /// The leaves that are entries of what a tangent varies.
    pub(super) fn plain_rates(&mut self, at: Site) -> Vec<(ExprId, ExprId)> {
        let mut rates = Vec::new();
        for (of, c) in self.directions(at) {
            let coordinate = self.system.coordinates.get(c);
            let leaf = match of {
                Varied::Coordinate => coordinate.and_then(|it| it.position),
                Varied::Velocity => coordinate.map(|it| it.velocity),
                _ => None,
            };
            rates.push_each(leaf.map(|leaf| (leaf, self.change((of, c)))));
        }
        let slots = self.slots_at(at).iter();
        let own = slots.filter_map(|slot| match *slot {
            Slot::Element(symbol, ..) => Some((symbol, varied(self.system, symbol)?)),
            Slot::Record(_) => None,
        });
        let others: Vec<_> = own.chain(self.shared_leaves()).collect_vec();
        for (symbol, direction) in others {
            let leaf = self.graph().symbol(symbol);
            rates.push((leaf, self.change(direction)));
        }
        rates
    }

    pub(super) fn seeds(&mut self, rates: &[(ExprId, ExprId)]) -> Vec<(ExprId, ExprId, ExprId)> {
        let zero = self.graph().zero();
        rates
            .iter()
            .map(|&(leaf, rate)| (leaf, rate, zero))
            .collect_vec()
    }

    /// The leaves that turn with a body.
    pub(super) fn turning(
        &mut self,
        body: usize,
        constants: &mut Taylor,
        rates: &mut Vec<(ExprId, ExprId)>,
    ) {
        let element = self.structure.element_of_body(body);
        let (_, spin) = self.plain_and_spin(&self.structure.elements[element].columns);
        let spin = spin.into_iter();
        let turn: Vec<ExprId> = spin
            .map(|c| self.change((Varied::Coordinate, c)))
            .collect_vec();
        let model = &self.system.model;
        let graph = &mut self.derivation.graph;
        let rotation = &model.bodies[body].rotation;
        let changes = dynamics::turn_rate(graph, rotation, &turn, false);
        rates.push_each(rotation.iter().copied().zip(changes));
        for &arm in &model.bodies[body].arms {
            let arm = &model.arms[arm];
            let fixed = arm.fixed.iter();
            let fixed: Vec<ExprId> = fixed.map(|&it| constants.first(graph, it)).collect_vec();
            let mut changes = kinematics::turning(graph, &turn, &arm.leaves);
            if fixed.iter().any(|&it| !graph.is_zero(it)) {
                let stretched = dynamics::rotated(graph, model, body, &fixed);
                for (change, stretched) in changes.iter_mut().zip(stretched) {
                    *change = graph.add(*change, stretched);
                }
            }
            rates.push_each(arm.leaves.iter().copied().zip(changes));
        }
    }

    /// The slopes of a scalar along each direction.
    pub(in super::super) fn slopes(&mut self, moving: &Moving, scalar: ExprId) -> Vec<ExprId> {
        let leaves: Vec<ExprId> = moving.rates.iter().map(|it| it.0).collect_vec();
        let graph = &mut self.derivation.graph;
        let slopes = gradient(graph, scalar, &leaves);
        let mut terms = vec![Vec::new(); moving.changes.len()];
        for (slope, &(_, rate)) in slopes.into_iter().zip(&moving.rates) {
            if graph.is_zero(slope) {
                continue;
            }
            let along = gradient(graph, rate, &moving.changes);
            for (terms, along) in terms.iter_mut().zip(along) {
                terms.push((graph.mul(slope, along), Number::ONE));
            }
        }
        terms.iter().map(|terms| graph.sum(terms)).collect_vec()
    }
}
