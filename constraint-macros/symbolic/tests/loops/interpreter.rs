//! Functions of a system at random states.

use constraint_symbolic::expr::Node;
use constraint_symbolic::function::Function;
use constraint_symbolic::interpret::{Given, Interpreter};
use constraint_symbolic::model::{Role, System};
use constraint_symbolic::system::Derived;

use crate::random::Random;

/// What a function is given.
#[derive(Clone)]
pub struct State {
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub b: Vec<f64>,
    pub a: Vec<f64>,
    /// (δt, δq, δv, δu, δp)
    pub tangent: Vec<f64>,
    /// v̇* and λ*
    pub bars: [Vec<f64>; 2],
    /// y*
    pub outputs_bar: Vec<f64>,
    pub parameters: Vec<f64>,
    pub inputs: Vec<f64>,
}

/// t, where nothing moves
pub const TIME: f64 = 0.7;

/// What a function gives back, and the least pivot beside its scale.
pub struct Results {
    pub values: Vec<f64>,
    pub pivot: f64,
}

impl State {
    /// Rotations are unit ones; of parameters and inputs all may be masses.
    pub fn random(system: &System, random: &mut Random) -> State {
        let mut list = |count: usize| -> Vec<f64> {
            (0..count)
                .map(|_| random.away_from_zero(0.2, 1.5))
                .collect()
        };
        let (mut q, v) = (list(system.scalars()), list(system.coordinates.len()));
        let (b, a) = (list(system.rows.len()), list(v.len()));
        let varied = 1 + 2 * v.len() + system.given() + system.model.varied();
        let tangent = list(varied);
        let bars = [v.len(), b.len()].map(&mut list);
        let outputs_bar = list(system.observed.len());
        for body in &system.model.bodies {
            let place = |id| match *system.model.graph.node(id) {
                Node::Symbol(symbol) => match system.model.symbols[symbol.index()].role {
                    Role::Coordinate(i) => i,
                    role => panic!("{role:?}"),
                },
                _ => panic!("a rotation is made of leaves"),
            };
            let places: Vec<usize> = body.rotation.iter().map(|&id| place(id)).collect();
            let size = places.iter().map(|&i| q[i] * q[i]).sum::<f64>().sqrt();
            places.iter().for_each(|&i| q[i] /= size);
        }
        let mut masses =
            |count: usize| -> Vec<f64> { (0..count).map(|_| random.between(0.6, 1.4)).collect() };
        let (parameters, inputs) = (masses(system.model.varied()), masses(system.given()));
        State {
            t: TIME,
            q,
            v,
            b,
            a,
            tangent,
            bars,
            outputs_bar,
            parameters,
            inputs,
        }
    }

    /// The state with other last digits, which shows what rounding makes of results.
    pub fn with_other_last_digits(&self) -> State {
        let mut there = self.clone();
        for numbers in [&mut there.q, &mut there.v, &mut there.b, &mut there.a] {
            for (i, x) in numbers.iter_mut().enumerate() {
                *x *= 1.0 + [1.0, -1.0, 0.0][i % 3] * f64::EPSILON;
            }
        }
        there
    }

    /// The state so far along its tangent, of points.
    pub fn moved(&self, by: f64) -> State {
        let mut there = self.clone();
        let numbers = std::iter::once(&mut there.t)
            .chain(&mut there.q)
            .chain(&mut there.v)
            .chain(&mut there.inputs)
            .chain(&mut there.parameters);
        assert_eq!(numbers.size_hint().0, self.tangent.len());
        numbers
            .zip(&self.tangent)
            .for_each(|(number, slope)| *number += by * slope);
        there
    }
}

/// `None` where a part of it is left to the runtime.
pub fn evaluate(derived: &Derived, function: &Function<'_>, state: &State) -> Option<Results> {
    let State {
        t,
        q,
        v,
        b,
        a,
        tangent,
        bars: [acceleration_bar, multiplier_bar],
        outputs_bar,
        parameters,
        inputs,
    } = state;
    let given = Given {
        t: *t,
        q,
        v,
        b,
        a,
        tangent,
        acceleration_bar,
        multiplier_bar,
        correction_bar: acceleration_bar,
        outputs_bar,
        parameters,
        inputs,
        ..Given::default()
    };
    let results = Interpreter::of_system(derived).evaluate(function, &given)?;
    let pivots = results.pivots.iter();
    let parts = pivots.map(|it| it.pivot / it.diagonal);
    Some(Results {
        values: results.values,
        pivot: parts.fold(1.0, f64::min),
    })
}
