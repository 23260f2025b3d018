//! Functions of a system at random states.

use constraint_symbolic::dynamics::Matrix;
use constraint_symbolic::expr::Node;
use constraint_symbolic::function::{Argument, Function};
use constraint_symbolic::interpret::{Given, Interpreter};
use constraint_symbolic::model::{Role, System};
use constraint_symbolic::system::Derived;

use crate::dual::{Dual, dual};
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

/// The results of a function, those of a descriptor pair as matrices, and the least pivot relative to its scale.
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
    let arguments = &function.signature.arguments;
    let takes_multipliers = arguments.contains(&Argument::Multipliers);
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
        multipliers: if takes_multipliers { b } else { &[] },
        ..Given::default()
    };
    let results = Interpreter::of_system(derived).evaluate(function, &given)?;
    let pivots = results.pivots.iter();
    let parts = pivots.map(|it| it.pivot / it.diagonal);
    let values = match results.places.is_empty() {
        true => results.values,
        false => matrices(derived, &results.places, &results.values),
    };
    Some(Results {
        values,
        pivot: parts.fold(1.0, f64::min),
    })
}

/// E, A and B with their zeros, whatever the order of their entries, several of which may be of one place.
fn matrices(derived: &Derived, places: &[(Matrix, usize, usize)], entries: &[f64]) -> Vec<f64> {
    let system = &derived.system;
    let side = 2 * system.coordinates.len() + system.rows.len();
    let mut all = vec![0.0; side * (2 * side + system.given())];
    for (&(matrix, row, column), entry) in places.iter().zip(entries) {
        let (first, columns) = match matrix {
            Matrix::E => (0, side),
            Matrix::A => (side * side, side),
            Matrix::B => (2 * side * side, system.given()),
        };
        all[first + row * columns + column] += entry;
    }
    all
}

/// Arguments over dual numbers.
#[derive(Clone, Copy, Default)]
pub struct Computed<'a> {
    pub sides: &'a [Dual],
    pub acceleration: &'a [Dual],
    pub multipliers: &'a [Dual],
}

/// The same over dual numbers, along the tangent of the state, whose coordinates have these rates; with numbers that were
/// computed before.
pub fn along(
    derived: &Derived,
    function: &Function<'_>,
    state: &State,
    rates: &[f64],
    computed: Computed<'_>,
) -> Option<Vec<Dual>> {
    let n = state.v.len();
    let (_, along) = state.tangent.split_at(1 + n);
    let (dv, along) = along.split_at(n);
    let (du, dp) = along.split_at(state.inputs.len());
    let moved = |at: &[f64], by: &[f64]| -> Vec<Dual> {
        assert_eq!(at.len(), by.len());
        at.iter().zip(by).map(|(at, by)| dual(*at, *by)).collect()
    };
    let [q, v, inputs, parameters] = [
        moved(&state.q, rates),
        moved(&state.v, dv),
        moved(&state.inputs, du),
        moved(&state.parameters, dp),
    ];
    let given = Given {
        t: dual(state.t, state.tangent[0]),
        q: &q,
        v: &v,
        b: computed.sides,
        a: computed.acceleration,
        multipliers: computed.multipliers,
        inputs: &inputs,
        parameters: &parameters,
        ..Given::default()
    };
    let results = Interpreter::of_system(derived).evaluate(function, &given)?;
    Some(results.values)
}
