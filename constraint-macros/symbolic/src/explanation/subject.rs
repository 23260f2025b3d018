//! Properties of a system or constraint on which the sentences depend.

use crate::expr::Node;
use crate::macros::Derivation;
use crate::model::{Role, System};

/// Parts of a system or a constraint.
#[derive(Clone, Copy, Debug, Default)]
pub struct Subject {
    /// Bodies with coordinates of their own.
    pub bodies: bool,
    /// Bodies posed by other coordinates.
    pub posed: bool,
    /// Particles.
    pub particles: bool,
    /// Whether any of those are placed by expressions of the coordinates.
    pub placed: bool,
    /// Kinetic energies by declaration.
    pub kinetic: bool,
    /// Forces without a potential.
    pub forces: bool,
    /// Constraints on positions.
    pub positions: bool,
    /// Constraints on velocities.
    pub velocities: bool,
    /// A curve in the plane.
    pub plane: bool,
}

impl Subject {
    /// Determines the parts.
    pub fn of(derived: &dyn Derivation) -> Subject {
        let holonomic = derived.holonomic();
        let subject = Subject {
            bodies: !derived.model().bodies.is_empty(),
            positions: holonomic.iter().any(|&it| it),
            velocities: holonomic.iter().any(|&it| !it),
            plane: derived.is_plane(),
            ..Subject::default()
        };
        match derived.system() {
            Some(derived) => subject.of_system(&derived.system),
            None => subject,
        }
    }

    fn of_system(self, system: &System) -> Subject {
        let graph = &system.model.graph;
        let places = system.masses.iter().flat_map(|it| &it.place);
        let is_coordinate = |&id: &_| match graph.node(id) {
            Node::Symbol(symbol) => matches!(
                system.model.symbols[symbol.index()].role,
                Role::Coordinate(_)
            ),
            _ => false,
        };
        Subject {
            posed: !system.posed.is_empty(),
            particles: !system.masses.is_empty(),
            placed: !system.posed.is_empty() || !places.clone().all(is_coordinate),
            kinetic: !system.kinetic.is_empty(),
            forces: !system.has_potential_forces(),
            ..self
        }
    }

    /// Whether there are constraints.
    pub fn is_constrained(&self) -> bool {
        self.positions || self.velocities
    }
}
