//! Functions run as they stand: for tests, and for programs that have no compiler at hand.
//!
//! Input: [`Function`]s, and what they are [`Given`]. Output: the numbers that the generated code gives back, in the
//! order of the shape of the result, by the same operations.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::curve::Pieces;
use crate::expr::SymbolId;
use crate::families::Loop;
use crate::function::loops::Loops;
use crate::function::system::GRADIENT;
use crate::function::{Body, Dimension, Function, Shape};
use crate::model::{Declared, Model, Parameter, Role, Symbol};
use crate::schedule::{Judged, Program};
use crate::system::Derived;
use crate::system::loops::routine::{Array, By, Varied, Write, by_column};

/// What functions are given; what none asks for may be missing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// t
    pub t: f64,
    /// q
    pub q: &'a [f64],
    /// v
    pub v: &'a [f64],
    /// w, one for each coordinate
    pub w: &'a [f64],
    /// Entries of inverse inertias: one for each body in the plane, xx, xy, xz, yy, yz, zz in space.
    pub inertia: &'a [f64],
    /// f
    pub f: &'a [f64],
    /// b
    pub b: &'a [f64],
    /// a
    pub a: &'a [f64],
    /// (δt, δq, δv, δu, δp)
    pub tangent: &'a [f64],
    /// v̇*, what a gradient counts of v̇
    pub acceleration_bar: &'a [f64],
    /// What it counts of f̂
    pub force_bar: &'a [f64],
    /// λ*, what it counts of λ
    pub multiplier_bar: &'a [f64],
    /// w*
    pub correction_bar: &'a [f64],
    /// What it counts of outputs
    pub outputs_bar: &'a [f64],
    /// λ of a descriptor pair, and of rows that may follow from each other, found between the two halves of a function.
    pub multipliers: &'a [f64],
    /// m of the one particle
    pub mass: f64,
    /// b of the one particle
    pub damping: f64,
    /// One after the other, components side by side.
    pub parameters: &'a [f64],
    /// One after the other, components side by side.
    pub inputs: &'a [f64],
}

/// What a function gives back.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Its numbers.
    pub values: Vec<f64>,
    /// The pivots that it has divided by.
    pub pivots: Vec<Judged>,
}

/// Runs the functions of one type.
#[derive(Debug)]
pub struct Interpreter<'a> {
    symbols: &'a [Symbol],
    /// Where each parameter begins among all components.
    parameters: Vec<usize>,
    /// What loops are those of.
    system: Option<&'a Derived>,
}

impl<'a> Interpreter<'a> {
    /// Of a constraint or of a curve.
    pub fn new(model: &'a Model) -> Interpreter<'a> {
        Interpreter {
            symbols: &model.symbols,
            parameters: starts(model.parameters.iter().map(Parameter::scalars)),
            system: None,
        }
    }

    /// Of a system.
    pub fn of_system(derived: &'a Derived) -> Interpreter<'a> {
        Interpreter {
            system: Some(derived),
            ..Interpreter::new(&derived.system.model)
        }
    }

    /// All that a function gives back; `None` where a part of it is solved for at run time.
    pub fn evaluate(&self, function: &Function<'_>, given: &Given<'_>) -> Option<Results> {
        match (&function.body, self.system) {
            (Body::Straight(program), _) => Some(self.run(program, given)),
            (Body::Branches { pieces, .. }, _) => Some(self.piece(pieces, given)),
            (Body::Loops(loops), Some(derived)) if loops.routine.assembly.is_empty() => {
                let mut run = Run::new(self, derived, loops, given);
                for (per_column, loops) in by_column(&loops.routine.loops) {
                    run.group(per_column, loops);
                }
                run.results(function.signature.result)
            }
            (Body::Loops(_) | Body::LeastSquares { .. }, _) => None,
        }
    }

    /// What a program gives back.
    pub fn run(&self, program: &Program, given: &Given<'_>) -> Results {
        let (values, pivots) = program.judged(|symbol| self.leaf(symbol, given));
        Results { values, pivots }
    }

    /// The piece of a curve that is met.
    fn piece(&self, pieces: &Pieces<Program, Program>, given: &Given<'_>) -> Results {
        match pieces {
            Pieces::One(program) => self.run(program, given),
            Pieces::Either {
                condition,
                branches,
            } => {
                let decided = self.run(condition, given).values[0] != 0.0;
                self.piece(&branches[usize::from(!decided)], given)
            }
        }
    }

    /// A number that members of families differ by.
    fn number(&self, i: usize) -> f64 {
        let numbers = self.system.map(|derived| &derived.system.numbers);
        let number = numbers.and_then(|numbers| numbers.get(i));
        number.map_or(f64::NAN, |it| it.to_f64())
    }

    /// The value of a leaf; not a number where none is given.
    fn leaf(&self, symbol: SymbolId, given: &Given<'_>) -> f64 {
        match self.symbols[symbol.index()].role {
            Role::Time => given.t,
            Role::Coordinate(i) => entry(given.q, i),
            Role::Velocity(i) => entry(given.v, i),
            Role::InverseMass(i) => entry(given.w, i),
            Role::InverseInertia(i) => entry(given.inertia, i),
            Role::Force(i) => entry(given.f, i),
            Role::RightHandSide(i) => entry(given.b, i),
            Role::Acceleration(i) => entry(given.a, i),
            Role::Tangent(i) => entry(given.tangent, i),
            Role::AccelerationAdjoint(i) => entry(given.acceleration_bar, i),
            Role::ForceAdjoint(i) => entry(given.force_bar, i),
            Role::MultiplierAdjoint(i) => entry(given.multiplier_bar, i),
            Role::CorrectionAdjoint(i) => entry(given.correction_bar, i),
            Role::OutputAdjoint(i) => entry(given.outputs_bar, i),
            Role::Multiplier(i) | Role::Reaction(i) => entry(given.multipliers, i),
            Role::Input(i) => entry(given.inputs, i),
            Role::Number(i) => self.number(i),
            Role::Mass => given.mass,
            Role::Damping => given.damping,
            Role::Parameter {
                parameter,
                component,
            } => entry(given.parameters, self.parameters[parameter] + component),
            _ => f64::NAN,
        }
    }
}

fn entry(vector: &[f64], i: usize) -> f64 {
    vector.get(i).copied().unwrap_or(f64::NAN)
}

/// Where each begins of those that have so many components.
fn starts(sizes: impl Iterator<Item = usize>) -> Vec<usize> {
    let begin = |next: &mut usize, size| Some(std::mem::replace(next, *next + size));
    sizes.scan(0, begin).collect()
}

const PARTS: [Varied; 5] = [
    Varied::Time,
    Varied::Coordinate,
    Varied::Velocity,
    Varied::Input,
    Varied::Parameter,
];

/// Loops under way.
struct Run<'a> {
    interpreter: &'a Interpreter<'a>,
    derived: &'a Derived,
    loops: &'a Loops<'a>,
    /// Where each input begins.
    inputs: Vec<usize>,
    given: &'a Given<'a>,
    arrays: BTreeMap<Array, Vec<f64>>,
    /// Of a descriptor pair, in their order.
    entries: Vec<f64>,
    pivots: Vec<Judged>,
}

impl<'a> Run<'a> {
    fn new(
        interpreter: &'a Interpreter<'a>,
        derived: &'a Derived,
        loops: &'a Loops<'a>,
        given: &'a Given<'a>,
    ) -> Run<'a> {
        Run {
            interpreter,
            derived,
            loops,
            inputs: starts(derived.system.inputs.iter().map(Declared::scalars)),
            given,
            arrays: BTreeMap::new(),
            entries: Vec::new(),
            pivots: Vec::new(),
        }
    }

    /// What was written, in the order of the shape.
    fn results(mut self, shape: Shape) -> Option<Results> {
        let (n, rows) = (self.derived.system.coordinates.len(), self.derived.rows());
        let scalars = self.derived.system.scalars();
        let len = |dimension| match dimension {
            Dimension::Rows => rows,
            Dimension::Coordinates => scalars,
            _ => n,
        };
        let values = match shape {
            Shape::Scalar => self.written(Array::Output, 1),
            Shape::Vector(of) => self.written(Array::Output, len(of)),
            Shape::Outputs => self.written(Array::Output, self.derived.system.observed.len()),
            // By columns.
            Shape::Matrix(..) => {
                let entries = self.written(Array::Output, rows * n);
                let entry = |k: usize| entries[k / n + rows * (k % n)];
                (0..rows * n).map(entry).collect()
            }
            Shape::Tuple([Shape::Vector(first), Shape::Vector(second)]) => {
                let mut both = self.written(Array::Output, len(*first));
                both.extend(self.written(Array::Multipliers, len(*second)));
                both
            }
            Shape::Tuple([]) => std::mem::take(&mut self.entries),
            Shape::Record(record) if record.name == GRADIENT => {
                let mut part = |of| self.written(Array::Gradient(of), self.part(of).len());
                PARTS.into_iter().flat_map(&mut part).collect()
            }
            Shape::Record(_) => self.matrices(Array::MotionBy, n),
            Shape::Tuple([Shape::Record(_), Shape::Record(_)]) => {
                let mut both = self.matrices(Array::MotionBy, n);
                both.extend(self.matrices(Array::MultipliersBy, rows));
                both
            }
            _ => return None,
        };
        let pivots = self.pivots;
        Some(Results { values, pivots })
    }

    /// Where a part stands in (δt, δq, δv, δu, δp).
    fn part(&self, of: Varied) -> Range<usize> {
        let system = &self.derived.system;
        let n = system.coordinates.len();
        let lengths = [1, n, n, system.given(), system.model.varied()];
        let number = PARTS.iter().take_while(|&&it| it != of).count();
        let first = lengths[..number].iter().sum();
        first..first + lengths[number]
    }

    fn written(&mut self, array: Array, len: usize) -> Vec<f64> {
        let mut all = self.arrays.remove(&array).unwrap_or_default();
        debug_assert!(all.len() <= len, "{array:?} is written beyond {len}");
        all.resize(len, 0.0);
        all
    }

    /// The matrices of a linearisation, row by row.
    fn matrices(&mut self, array: fn(By) -> Array, rows: usize) -> Vec<f64> {
        let mut all = Vec::new();
        for by in By::ALL {
            let columns = self.columns(by);
            let entries = self.written(array(by), rows * columns);
            let entry = |k: usize| entries[k / columns + rows * (k % columns)];
            all.extend((0..rows * columns).map(entry));
        }
        all
    }

    fn columns(&self, by: By) -> usize {
        let system = &self.derived.system;
        match by {
            By::State => 2 * system.coordinates.len(),
            By::Input => system.given(),
            By::Parameter => system.model.varied(),
        }
    }

    /// Loops, which may be those of each column.
    fn group(&mut self, per_column: bool, loops: &[Loop]) {
        if !per_column {
            return loops.iter().for_each(|it| self.rounds(it));
        }
        let n = self.derived.system.coordinates.len();
        let lengths = [
            (Array::Output, Array::MotionBy as fn(By) -> Array, n),
            (
                Array::Multipliers,
                Array::MultipliersBy,
                self.derived.rows(),
            ),
        ];
        for by in By::ALL {
            for column in 0..self.columns(by) {
                for (own, all, rows) in lengths {
                    let whole = self.arrays.entry(all(by)).or_default();
                    whole.resize(whole.len().max((column + 1) * rows), 0.0);
                    let entries = whole[column * rows..][..rows].to_vec();
                    self.arrays.insert(own, entries);
                }
                loops.iter().for_each(|it| self.rounds(it));
                for (own, all, rows) in lengths {
                    let entries = self.arrays.remove(&own).unwrap_or_default();
                    let whole = self.arrays.entry(all(by)).or_default();
                    whole[column * rows..][..rows].copy_from_slice(&entries);
                }
            }
        }
    }

    fn rounds(&mut self, it: &Loop) {
        for round in 0..it.rounds {
            for (kernel, indices) in &it.body {
                let places = indices.iter().map(|&index| it.place(index, round));
                let places: Vec<usize> = places.collect();
                self.kernel(*kernel, &places);
            }
        }
    }

    fn kernel(&mut self, kernel: usize, places: &[usize]) {
        let loops = self.loops;
        let (planned, program) = (
            &loops.routine.kernels[kernel],
            &loops.kernels[kernel].program,
        );
        let reads = planned.reads.iter();
        let known: BTreeMap<SymbolId, f64> = reads
            .map(|&(symbol, array, at)| (symbol, self.read(array, places[at])))
            .collect();
        let value = |symbol: SymbolId| {
            let known = known.get(&symbol).copied();
            known.unwrap_or_else(|| self.interpreter.leaf(symbol, self.given))
        };
        let results = program.evaluate(value);
        for (k, write) in planned.writes.iter().enumerate() {
            match *write {
                Write::Set(array, at) => *self.place(array, places[at]) = results[k],
                Write::Add(array, at) => *self.place(array, places[at]) += results[k],
                Write::Entry(..) => self.entries.push(results[k]),
                Write::Pivot(at) => self.pivots.push(Judged {
                    row: places[at],
                    pivot: results[k],
                    diagonal: results[k + 1],
                }),
                _ => {}
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
        let system = &self.derived.system;
        match array {
            Array::Position => entry(self.given.q, at),
            Array::Velocity => entry(self.given.v, at),
            Array::RightHandSide => entry(self.given.b, at),
            Array::Acceleration => entry(self.given.a, at),
            Array::Tangent(of) => entry(self.given.tangent, self.part(of).start + at),
            Array::AccelerationAdjoint => entry(self.given.acceleration_bar, at),
            Array::MultiplierAdjoint => entry(self.given.multiplier_bar, at),
            Array::CorrectionAdjoint => entry(self.given.correction_bar, at),
            Array::Parameter(number, component) => {
                let size = system.model.parameters[number].shape.len();
                let first = self.interpreter.parameters[number];
                entry(self.given.parameters, first + at * size + component)
            }
            Array::Input(number, component) => {
                let size = system.inputs[number].shape.len();
                let first = self.inputs[number];
                entry(self.given.inputs, first + at * size + component)
            }
            Array::Numbers => self.interpreter.number(at),
            Array::Multipliers if !self.given.multipliers.is_empty() => {
                entry(self.given.multipliers, at)
            }
            other => {
                let all = self.arrays.get(&other);
                all.and_then(|all| all.get(at)).copied().unwrap_or(0.0)
            }
        }
    }
}
