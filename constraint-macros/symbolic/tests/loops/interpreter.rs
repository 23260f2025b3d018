//! Functions of a system, straight or in loops, evaluated as they stand.

use std::collections::BTreeMap;
use std::ops::Range;

use constraint_symbolic::expr::{Node, SymbolId};
use constraint_symbolic::function::loops::Loops;
use constraint_symbolic::function::{Body, Dimension, Function, Shape};
use constraint_symbolic::model::{Role, System};
use constraint_symbolic::system::Derived;
use constraint_symbolic::system::loops::rerolling::{Index, Loop};
use constraint_symbolic::system::loops::routine::{Array, Varied, Write};

use crate::random::Random;

/// What a function is given.
pub struct State {
    q: Vec<f64>,
    v: Vec<f64>,
    b: Vec<f64>,
    a: Vec<f64>,
    /// (δt, δq, δv, δu, δp)
    tangent: Vec<f64>,
    /// v̇* and λ*
    bars: [Vec<f64>; 2],
    seed: u64,
}

/// What a function gives back, and the least pivot beside its scale.
pub struct Results {
    pub values: Vec<f64>,
    pub pivot: f64,
}

impl State {
    /// Rotations are unit ones.
    pub fn random(system: &System, random: &mut Random) -> State {
        let mut list = |count: usize| -> Vec<f64> {
            (0..count)
                .map(|_| random.away_from_zero(0.2, 1.5))
                .collect()
        };
        let (mut q, v) = (list(system.scalars()), list(system.coordinates.len()));
        let (b, a) = (list(system.rows.len()), list(v.len()));
        let varied = 1 + 2 * v.len() + system.given() + system.varied();
        let tangent = list(varied);
        let bars = [v.len(), b.len()].map(&mut list);
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
        let seed = random.bits();
        State {
            q,
            v,
            b,
            a,
            tangent,
            bars,
            seed,
        }
    }

    /// Of a parameter or an input, all of which may be masses.
    fn given(&self, kind: u64, number: usize, component: usize) -> f64 {
        let place = (kind << 40) ^ ((number as u64) << 20) ^ component as u64;
        Random::new(self.seed ^ place).between(0.6, 1.4)
    }

    fn value(&self, system: &System, symbol: SymbolId) -> f64 {
        match system.model.symbols[symbol.index()].role {
            Role::Time => 0.7,
            Role::Coordinate(i) => self.q[i],
            Role::Velocity(i) => self.v[i],
            Role::RightHandSide(i) => self.b[i],
            Role::Acceleration(i) => self.a[i],
            Role::Tangent(i) => self.tangent[i],
            Role::AccelerationAdjoint(i) => self.bars[0][i],
            Role::MultiplierAdjoint(i) => self.bars[1][i],
            Role::Parameter {
                parameter,
                component,
            } => self.given(0, parameter, component),
            Role::Input(i) => {
                let (input, component) = system.input(i).expect("an input");
                self.given(1, input, component)
            }
            role => panic!("{role:?} ({symbol:?}) is read and never written"),
        }
    }
}

/// `None` where a part of it is left to the runtime.
pub fn evaluate(derived: &Derived, function: &Function<'_>, state: &State) -> Option<Results> {
    let (system, rows) = (&derived.system, derived.rows());
    match &function.body {
        Body::Straight(program) => {
            let values = program.evaluate(|symbol| state.value(system, symbol));
            Some(Results { values, pivot: 1.0 })
        }
        Body::Loops(loops) => {
            let mut run = Run {
                system,
                loops,
                state,
                arrays: BTreeMap::new(),
                pivot: 1.0,
            };
            loops.routine.loops.iter().for_each(|it| run.rounds(it));
            let (n, scalars) = (system.coordinates.len(), system.scalars());
            let len = |dimension| match dimension {
                Dimension::Rows => rows,
                Dimension::Coordinates => scalars,
                _ => n,
            };
            let values = match function.signature.result {
                Shape::Scalar => run.array(Array::Output, 1),
                Shape::Vector(of) => run.array(Array::Output, len(of)),
                // By columns.
                Shape::Matrix(..) => {
                    let entries = run.array(Array::Output, rows * n);
                    (0..rows * n)
                        .map(|k| entries[k / n + rows * (k % n)])
                        .collect()
                }
                Shape::Tuple([Shape::Vector(first), Shape::Vector(second)]) => {
                    let mut both = run.array(Array::Output, len(*first));
                    both.extend(run.array(Array::Multipliers, len(*second)));
                    both
                }
                Shape::Record(_) => PARTS
                    .iter()
                    .flat_map(|&of| run.array(Array::Gradient(of), part(system, of).len()))
                    .collect(),
                shape => panic!("{shape:?}"),
            };
            Some(Results {
                values,
                pivot: run.pivot,
            })
        }
        _ => None,
    }
}

const PARTS: [Varied; 5] = [
    Varied::Time,
    Varied::Coordinate,
    Varied::Velocity,
    Varied::Input,
    Varied::Parameter,
];

/// Where a part stands in (δt, δq, δv, δu, δp).
fn part(system: &System, of: Varied) -> Range<usize> {
    let n = system.coordinates.len();
    let lengths = [1, n, n, system.given(), system.varied()];
    let number = PARTS.iter().take_while(|&&it| it != of).count();
    let first = lengths[..number].iter().sum();
    first..first + lengths[number]
}

struct Run<'a> {
    system: &'a System,
    loops: &'a Loops<'a>,
    state: &'a State,
    arrays: BTreeMap<Array, Vec<f64>>,
    pivot: f64,
}

impl Run<'_> {
    fn array(&mut self, array: Array, len: usize) -> Vec<f64> {
        let mut all = self.arrays.remove(&array).unwrap_or_default();
        assert!(all.len() <= len, "{array:?} is written beyond {len}");
        all.resize(len, 0.0);
        all
    }

    fn rounds(&mut self, it: &Loop) {
        for round in 0..it.rounds {
            for (kernel, indices) in &it.body {
                let place = |index: &Index| match *index {
                    Index::Table(column, ahead) => it.table[round][column] + ahead,
                    index => index.at(round).expect("a place"),
                };
                let places: Vec<usize> = indices.iter().map(place).collect();
                self.kernel(*kernel, &places);
            }
        }
    }

    fn kernel(&mut self, kernel: usize, places: &[usize]) {
        let (planned, program) = (
            &self.loops.routine.kernels[kernel],
            &self.loops.kernels[kernel].program,
        );
        let reads = planned.reads.iter();
        let known: BTreeMap<SymbolId, f64> = reads
            .map(|&(symbol, array, at)| (symbol, self.read(array, places[at])))
            .collect();
        let value = |symbol: SymbolId| {
            let known = known.get(&symbol).copied();
            known.unwrap_or_else(|| self.state.value(self.system, symbol))
        };
        let results = program.evaluate(value);
        for (k, write) in planned.writes.iter().enumerate() {
            match *write {
                Write::Set(array, at) => *self.place(array, places[at]) = results[k],
                Write::Add(array, at) => *self.place(array, places[at]) += results[k],
                Write::Pivot(_) => self.pivot = self.pivot.min(results[k] / results[k + 1]),
                Write::Diagonal => {}
                ref other => panic!("{other:?}"),
            }
        }
    }

    fn place(&mut self, array: Array, at: usize) -> &mut f64 {
        let all = self.arrays.entry(array).or_default();
        if all.len() <= at {
            all.resize(at + 1, 0.0);
        }
        &mut all[at]
    }

    fn read(&self, array: Array, at: usize) -> f64 {
        let state = self.state;
        match array {
            Array::Position => state.q[at],
            Array::Velocity => state.v[at],
            Array::RightHandSide => state.b[at],
            Array::Acceleration => state.a[at],
            Array::Tangent(of) => state.tangent[part(self.system, of)][at],
            Array::AccelerationAdjoint => state.bars[0][at],
            Array::MultiplierAdjoint => state.bars[1][at],
            Array::Parameter(number, component) => {
                let size = self.system.model.parameters[number].shape.len();
                state.given(0, number, at * size + component)
            }
            Array::Input(number, component) => {
                let size = self.system.inputs[number].shape.len();
                state.given(1, number, at * size + component)
            }
            other => {
                let all = self.arrays.get(&other);
                all.and_then(|all| all.get(at)).copied().unwrap_or(0.0)
            }
        }
    }
}
