//! The engine, asked for numbers.

use constraint_symbolic::compile::analyze;
use constraint_symbolic::constraint::{Derived, Quantity};
use constraint_symbolic::expr::SymbolId;
use constraint_symbolic::model::Role;
use constraint_symbolic::schedule::Program;

use super::oracle::{Answers, State};

/// A constraint as the engine understood it, ready to be evaluated.
pub struct Engine {
    pub derived: Derived,
    /// For every scalar coordinate of the engine the flat coordinate of the test.
    pub columns: Vec<usize>,
    /// Flat position of every parameter's first component.
    parameters: Vec<usize>,
    /// One for every quantity, as generated methods are.
    programs: [Program; 9],
}

/// Everything that is asked for, in the order of [`Answers::all`].
pub const QUANTITIES: [Quantity; 9] = [
    Quantity::Value,
    Quantity::Jacobian,
    Quantity::Rate,
    Quantity::JacobianDot,
    Quantity::Bias,
    Quantity::Multipliers,
    Quantity::Force,
    Quantity::ParticleForce,
    Quantity::Solution,
];

impl Engine {
    /// The engine's understanding of `source`; `coordinates` are the names and sizes of the test.
    ///
    /// # Errors
    /// The engine's messages.
    pub fn new(source: &str, coordinates: &[(String, usize)]) -> Result<Engine, String> {
        let tokens = source.parse().map_err(|error| format!("{error:?}"))?;
        let derived = analyze(tokens).map_err(|diagnostics| {
            diagnostics
                .iter()
                .map(|diagnostic| diagnostic.text())
                .collect::<Vec<_>>()
                .join("\n")
        })?;
        let columns = derived.model.coordinates.iter().flat_map(|coordinate| {
            let name = coordinate.name.to_string();
            let before = coordinates.iter().take_while(|(other, _)| *other != name);
            let first = before.map(|(_, len)| len).sum::<usize>();
            first..first + coordinate.shape.len()
        });
        let columns = columns.collect();
        let sizes = derived
            .model
            .parameters
            .iter()
            .map(|parameter| parameter.shape.len());
        let parameters = sizes
            .scan(0, |next, len| Some(std::mem::replace(next, *next + len)))
            .collect();
        let programs = QUANTITIES.map(|quantity| derived.plain_program(&[quantity]));
        Ok(Engine {
            derived,
            columns,
            parameters,
            programs,
        })
    }

    /// A constraint of scalar coordinates in the order of `names`.
    pub fn of(source: &str, names: &[&str]) -> Engine {
        let coordinates: Vec<_> = names.iter().map(|name| ((*name).to_owned(), 1)).collect();
        Engine::new(source, &coordinates).unwrap_or_else(|errors| panic!("{source}\n{errors}"))
    }

    pub fn input(&self, symbol: SymbolId, state: &State) -> f64 {
        match self.derived.model.symbols[symbol.index()].role {
            Role::Time => state.t,
            Role::Coordinate(i) => state.q[self.columns[i]],
            Role::Velocity(i) => state.v[self.columns[i]],
            Role::InverseMass(i) => state.inverse_masses[self.columns[i]],
            Role::Force(i) => state.forces[self.columns[i]],
            Role::RightHandSide(i) => state.right_hand_side[i],
            Role::Mass => state.mass,
            Role::Parameter {
                parameter,
                component,
            } => state.parameters[self.parameters[parameter] + component],
            role => unreachable!("a constraint on points has no {role:?}"),
        }
    }

    /// One quantity by a program of its own.
    pub fn quantity(&self, quantity: Quantity, state: &State) -> Vec<f64> {
        let index = QUANTITIES
            .iter()
            .position(|other| *other == quantity)
            .unwrap();
        self.programs[index].evaluate(|symbol| self.input(symbol, state))
    }

    /// Several quantities by one program.
    pub fn together(&self, quantities: &[Quantity], state: &State) -> Vec<f64> {
        self.derived
            .plain_program(quantities)
            .evaluate(|symbol| self.input(symbol, state))
    }

    /// Everything, each quantity by a program of its own.
    pub fn answers(&self, state: &State) -> Answers {
        let mut found = QUANTITIES
            .map(|quantity| self.quantity(quantity, state))
            .into_iter();
        let mut next = || found.next().unwrap();
        Answers {
            value: next(),
            jacobian: next(),
            rate: next(),
            jacobian_dot: next(),
            bias: next(),
            multipliers: next(),
            force: next(),
            particle_force: next(),
            solution: next(),
        }
    }
}
