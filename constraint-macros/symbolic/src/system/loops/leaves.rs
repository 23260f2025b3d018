//! The leaves of a system's expressions, and the arrays that they are read from.

use super::routine::{Array, Read, Slot, Varied};
use crate::expr::{ExprId, Graph, Node, SymbolId};
use crate::families::{Leaf, Leaves};
use crate::model::{Parameter, Role, Symbol, System};

/// The leaves of a system.
pub(in crate::system) struct OfSystem<'a> {
    system: &'a System,
    /// By coordinate, if there are bodies; otherwise empty.
    velocities: Vec<Option<ExprId>>,
}

/// The leaves of a system, whose expressions are in this graph.
pub(in crate::system) fn leaves<'a>(graph: &Graph, system: &'a System) -> OfSystem<'a> {
    let mut velocities = Vec::new();
    if !system.model.bodies.is_empty() {
        for coordinate in &system.coordinates {
            let Some(Node::Symbol(symbol)) = coordinate.position.map(|it| graph.node(it)) else {
                continue;
            };
            if let Role::Coordinate(i) = system.model.symbols[symbol.index()].role {
                velocities.resize(velocities.len().max(i + 1), None);
                velocities[i] = Some(coordinate.velocity);
            }
        }
    }
    OfSystem { system, velocities }
}

impl Leaves for OfSystem<'_> {
    type Array = Array;

    fn leaf(&self, symbol: SymbolId) -> Option<Leaf<Array>> {
        let role = self.system.model.symbols.get(symbol.index())?.role;
        if let Role::Arm { component, .. } = role {
            return Some(Leaf::Composed(component));
        }
        let slot = slot(self.system, symbol)?;
        let array = match (slot, role) {
            (Slot::Element(_, array, _), _) => array,
            (Slot::Record(_), Role::Velocity(_)) => Array::Velocity,
            (Slot::Record(_), _) => Array::Position,
        };
        Some(Leaf::Element(array, slot))
    }

    /// Among bodies: the velocity of a coordinate and the coordinate of a velocity; for an arm its vector in the body's frame,
    /// the rotation and the angular velocity.
    fn for_each_companion(&self, symbol: SymbolId, mut visit: impl FnMut(ExprId)) {
        let model = &self.system.model;
        if self.velocities.is_empty() {
            return;
        }
        match model.symbols.get(symbol.index()).map(|it| it.role) {
            Some(Role::Coordinate(i)) => {
                let velocity = self.velocities.get(i).copied().flatten();
                velocity.into_iter().for_each(visit);
            }
            Some(Role::Velocity(i)) => {
                let position = self.system.coordinates[i].position;
                position.into_iter().for_each(visit);
            }
            Some(Role::Arm { arm, .. }) => {
                let arm = &model.arms[arm];
                let body = &model.bodies[arm.body];
                for parts in [&arm.fixed, &body.rotation, &body.angular_velocity] {
                    parts.iter().for_each(|&id| visit(id));
                }
            }
            _ => {}
        }
    }

    fn for_each_of_record(
        &self,
        graph: &Graph,
        record: usize,
        mut visit: impl FnMut(SymbolId, Array),
    ) {
        let coordinate = &self.system.coordinates[record];
        for (leaf, array) in [
            (coordinate.position, Array::Position),
            (Some(coordinate.velocity), Array::Velocity),
        ] {
            let node = leaf.map(|leaf| graph.node(leaf));
            if let Some(Node::Symbol(symbol)) = node {
                visit(*symbol, array);
            }
        }
    }
}

/// Whether a leaf is a component of an arm.
pub(in crate::system) fn is_arm(system: &System, symbol: SymbolId) -> bool {
    let symbol = system.model.symbols.get(symbol.index());
    symbol.is_some_and(|symbol| matches!(symbol.role, Role::Arm { .. }))
}

/// The slot of a leaf that is read from an array.
pub(in crate::system) fn slot(system: &System, symbol: SymbolId) -> Option<Slot> {
    let role = system.model.symbols.get(symbol.index())?.role;
    let among_bodies = !system.model.bodies.is_empty();
    let (array, index) = match role {
        Role::Coordinate(i) if among_bodies => (Array::Position, i),
        Role::Velocity(i) if among_bodies => (Array::Velocity, i),
        Role::Coordinate(i) | Role::Velocity(i) => return Some(Slot::Record(i)),
        Role::Acceleration(i) => (Array::Acceleration, i),
        Role::Reaction(i) => (Array::Multipliers, i),
        Role::Number(i) => (Array::Numbers, i),
        Role::AccelerationAdjoint(i) => (Array::AccelerationAdjoint, i),
        Role::MultiplierAdjoint(i) => (Array::MultiplierAdjoint, i),
        Role::Tangent(i) => {
            let (of, index) = entry_of_tangent(system, i);
            (Array::Tangent(of), index)
        }
        Role::Parameter {
            parameter,
            component,
        } => {
            let declared = &system.model.parameters[parameter];
            let size = declared.shape.len();
            let array = (!declared.lengths.is_empty()).then_some(parameter)?;
            (Array::Parameter(array, component % size), component / size)
        }
        Role::Input(i) => {
            let (input, component) = system.input(i)?;
            let declared = &system.inputs[input];
            let size = declared.shape.len();
            let array = (!declared.lengths.is_empty()).then_some(input)?;
            (Array::Input(array, component % size), component / size)
        }
        _ => return None,
    };
    Some(Slot::Element(symbol, array, index))
}

/// The part of a tangent that its i-th entry is in, and its place there.
pub(in crate::system) fn entry_of_tangent(system: &System, i: usize) -> (Varied, usize) {
    let n = system.velocities();
    let parts = [
        (Varied::Time, 1),
        (Varied::Coordinate, n),
        (Varied::Velocity, n),
        (Varied::Input, system.given()),
    ];
    let mut first = 0;
    for (of, size) in parts {
        if i < first + size {
            return (of, i - first);
        }
        first += size;
    }
    (Varied::Parameter, i - first)
}

/// The leaves of slots, by the places of the slots among an item's indices.
pub(super) fn reads_of(graph: &Graph, system: &System, slots: &[Slot]) -> Vec<Read> {
    leaves(graph, system).reads(graph, slots)
}

/// Adds leaves for values that a routine computes and reads.
pub(super) fn scratch(
    symbols: &mut Vec<Symbol>,
) -> impl FnMut(&mut Graph, &str) -> (SymbolId, ExprId) {
    |graph, name| {
        let symbol = Symbol::add(symbols, Role::Scratch, name.to_owned());
        (symbol, graph.symbol(symbol))
    }
}

/// The place of a leaf that is no coordinate in a tangent.
pub(super) fn varied(system: &System, symbol: SymbolId) -> Option<(Varied, usize)> {
    match system.model.symbols.get(symbol.index())?.role {
        Role::Time => Some((Varied::Time, 0)),
        Role::Input(i) => Some((Varied::Input, i)),
        Role::Parameter {
            parameter,
            component,
        } => {
            let before = system.model.parameters[..parameter].iter();
            let first: usize = before.map(Parameter::scalars).sum();
            Some((Varied::Parameter, first + component))
        }
        _ => None,
    }
}
