//! Functions run without a compiler, over `f64` or any other number: for tests, and for programs that have none at hand.
//!
//! Input: [`Function`]s, and what they are [`Given`]. Output: the numbers that the generated code gives back, in the
//! order of the shape of the result, by the same operations.

use crate::curve::Pieces;
use crate::dynamics::Matrix;
use crate::expr::{CollectVec, MapEach, SymbolId};
use crate::families::Loop;
use crate::function::loops::Loops;
use crate::function::run::{Leaves, PARTS, Run};
use crate::function::system::GRADIENT;
use crate::function::{Body, Dimension, Function, Shape};
use crate::model::{Declared, Model, Parameter, Role, Symbol};
use crate::schedule::{Element, Judged, Program};
use crate::system::Derived;
use crate::system::loops::routine::{Array, By, Varied, by_column};

/// What functions are given; what none asks for may be missing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a, R = f64> {
    /// t
    pub t: R,
    /// q
    pub q: &'a [R],
    /// v
    pub v: &'a [R],
    /// w, one for each coordinate
    pub w: &'a [R],
    /// Entries of inverse inertias: one for each body in the plane, xx, xy, xz, yy, yz, zz in space.
    pub inertia: &'a [R],
    /// f
    pub f: &'a [R],
    /// b
    pub b: &'a [R],
    /// a
    pub a: &'a [R],
    /// (δt, δq, δv, δu, δp)
    pub tangent: &'a [R],
    /// v̇*, what a gradient counts of v̇
    pub acceleration_bar: &'a [R],
    /// What it counts of f̂
    pub force_bar: &'a [R],
    /// λ*, what it counts of λ
    pub multiplier_bar: &'a [R],
    /// w*
    pub correction_bar: &'a [R],
    /// What it counts of outputs
    pub outputs_bar: &'a [R],
    /// Forces on rows of one side
    pub contact_forces: &'a [R],
    /// What a gradient counts of rows of one side
    pub sides_bar: &'a [R],
    /// λ of a descriptor pair, and of rows that may follow from each other, found between the two halves of a function.
    pub multipliers: &'a [R],
    /// m of the one particle
    pub mass: R,
    /// b of the one particle
    pub damping: R,
    /// One after the other, components side by side.
    pub parameters: &'a [R],
    /// One after the other, components side by side.
    pub inputs: &'a [R],
}

/// What a function gives back.
#[derive(Clone, Debug, Default)]
pub struct Results<R = f64> {
    /// Its numbers.
    pub values: Vec<R>,
    /// The pivots that it has divided by.
    pub pivots: Vec<Judged<R>>,
    /// Of a descriptor pair, the matrix, row and column of each number.
    pub places: Vec<(Matrix, usize, usize)>,
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

    /// All that a function gives back; `None` where a part of it is solved for at run time, or a number has no value.
    pub fn evaluate<R: Element<Context = ()>>(
        &self,
        function: &Function<'_>,
        given: &Given<'_, R>,
    ) -> Option<Results<R>> {
        match (&function.body, self.system) {
            (Body::Straight(program), _) => self.results(program, given).ok(),
            (Body::Branches { pieces, .. }, _) => self.piece(pieces, given).ok(),
            (Body::Loops(loops), Some(derived)) => {
                let run = InLoops {
                    interpreter: self,
                    derived,
                    given,
                };
                run.evaluate(loops, function.signature.result)
            }
            (Body::Loops(_) | Body::LeastSquares { .. }, _) => None,
        }
    }

    /// What a program gives back.
    pub fn run(&self, program: &Program, given: &Given<'_>) -> Results {
        let Ok(results) = self.results(program, given);
        results
    }

    fn results<R: Element<Context = ()>>(
        &self,
        program: &Program,
        given: &Given<'_, R>,
    ) -> Result<Results<R>, R::Stop> {
        let (values, pivots) = program.judged(|symbol| self.leaf(symbol, given))?;
        Ok(Results {
            values,
            pivots,
            places: Vec::new(),
        })
    }

    /// The piece of a curve that is met.
    fn piece<R: Element<Context = ()>>(
        &self,
        pieces: &Pieces<Program, Program>,
        given: &Given<'_, R>,
    ) -> Result<Results<R>, R::Stop> {
        match pieces {
            Pieces::One(program) => self.results(program, given),
            Pieces::Either {
                condition,
                branches,
            } => {
                let decided = self.results(condition, given)?.values[0].holds();
                self.piece(&branches[usize::from(!decided)], given)
            }
        }
    }

    /// A number that members of families differ by.
    fn number<R: Element>(&self, i: usize) -> Result<R, R::Stop> {
        let numbers = self.system.map(|derived| &derived.system.numbers);
        let number = numbers.and_then(|numbers| numbers.get(i));
        number.map_or_else(missing, |it| R::of_constant(*it))
    }

    /// The value of a leaf; not a number where none is given.
    fn leaf<R: Element>(&self, symbol: SymbolId, given: &Given<'_, R>) -> Result<R, R::Stop> {
        match self.symbols[symbol.index()].role {
            Role::Time => Ok(given.t),
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
            Role::SideForce(i) => entry(given.contact_forces, i),
            Role::SideAdjoint(i) => entry(given.sides_bar, i),
            Role::Multiplier(i) | Role::Reaction(i) => entry(given.multipliers, i),
            Role::Input(i) => entry(given.inputs, i),
            Role::Number(i) => self.number(i),
            Role::Mass => Ok(given.mass),
            Role::Damping => Ok(given.damping),
            Role::Parameter {
                parameter,
                component,
            } => entry(given.parameters, self.parameters[parameter] + component),
            _ => missing(),
        }
    }
}

/// 0/0, not a number of `f64`.
fn missing<R: Element>() -> Result<R, R::Stop> {
    R::ZERO.over(R::ZERO)
}

fn entry<R: Element>(vector: &[R], i: usize) -> Result<R, R::Stop> {
    vector.get(i).copied().map_or_else(missing, Ok)
}

/// Where each begins of those that have so many components.
fn starts(sizes: impl Iterator<Item = usize>) -> Vec<usize> {
    let begin = |next: &mut usize, size| Some(std::mem::replace(next, *next + size));
    sizes.scan(0, begin).collect_vec()
}

/// What functions in loops are given.
struct InLoops<'a, R> {
    interpreter: &'a Interpreter<'a>,
    derived: &'a Derived,
    given: &'a Given<'a, R>,
}

/// The columns of matrices of slopes: where one is put, the matrices, and their rows.
type Columns = (Array, fn(By) -> Array, Dimension);

const COLUMNS: [Columns; 2] = [
    (Array::Output, Array::MotionBy, Dimension::Velocities),
    (Array::Multipliers, Array::MultipliersBy, Dimension::Rows),
];

impl<R: Element<Context = ()>> InLoops<'_, R> {
    fn evaluate(&self, loops: &Loops<'_>, shape: Shape) -> Option<Results<R>> {
        let mut run = Run::new(loops, self).ok()?;
        for (per_column, loops) in by_column(&loops.routine.loops) {
            if per_column {
                self.each_column(&mut run, loops).ok()?;
            } else {
                rounds(&mut run, loops).ok()?;
            }
        }
        let mut matrices = |columns: &[Columns]| {
            let all = columns
                .iter()
                .flat_map(|it| By::ALL.map_each(|by| (it.1(by), by, it.2)));
            let all: Vec<_> = all.collect_vec();
            let rows = |(array, by, of): (Array, By, Dimension)| {
                let [rows, columns] = [self.len(of), self.columns(by)];
                by_rows(&run.written(array, rows * columns), rows)
            };
            all.into_iter().flat_map(rows).collect_vec()
        };
        let values = match shape {
            Shape::Record(record) if record.name != GRADIENT => matrices(&COLUMNS[..1]),
            Shape::Tuple([Shape::Record(_), Shape::Record(_)]) => matrices(&COLUMNS),
            Shape::Matrix(rows, _) => by_rows(&run.results(shape, self)?, self.len(rows)),
            shape => run.results(shape, self)?,
        };
        let pivots = run.judged();
        Some(Results {
            values,
            pivots,
            places: run.places_of_entries,
        })
    }

    /// Loops for each column of the matrices.
    fn each_column(&self, run: &mut Run<'_, R>, loops: &[Loop]) -> Result<(), R::Stop> {
        for by in By::ALL {
            let columns = self.columns(by);
            let mut matrices = COLUMNS.map(|(own, all, of)| {
                let rows = self.len(of);
                (own, all(by), rows, run.written(all(by), rows * columns))
            });
            for column in 0..columns {
                for (own, _, rows, matrix) in &matrices {
                    run.put(*own, matrix[column * rows..][..*rows].to_vec());
                }
                rounds(run, loops)?;
                for (own, _, rows, matrix) in &mut matrices {
                    let found = run.written(*own, *rows);
                    matrix[column * *rows..][..*rows].copy_from_slice(&found);
                }
            }
            for (_, all, _, matrix) in matrices {
                run.put(all, matrix);
            }
        }
        Ok(())
    }

    fn columns(&self, by: By) -> usize {
        let system = &self.derived.system;
        match by {
            By::State => 2 * system.coordinates.len(),
            By::Input => system.given(),
            By::Parameter => system.model.varied(),
        }
    }

    /// Where a part begins in (δt, δq, δv, δu, δp).
    fn before(&self, of: Varied) -> usize {
        let before = PARTS.into_iter().take_while(|it| *it != of);
        before.map(|it| self.part(it)).sum()
    }
}

fn rounds<R: Element<Context = ()>>(run: &mut Run<'_, R>, loops: &[Loop]) -> Result<(), R::Stop> {
    let mut loops = loops.iter();
    loops.try_for_each(|it| run.rounds(it, &mut (), &mut |_, _, ()| {}))
}

/// The entries row by row of a matrix that is column by column.
fn by_rows<R: Copy>(entries: &[R], rows: usize) -> Vec<R> {
    let columns = entries.len() / rows.max(1);
    let entry = |k: usize| entries[k / columns + rows * (k % columns)];
    (0..entries.len()).map(entry).collect_vec()
}

impl<R: Element<Context = ()>> Leaves<R> for InLoops<'_, R> {
    fn leaf(&self, symbol: SymbolId) -> Result<R, R::Stop> {
        self.interpreter.leaf(symbol, self.given)
    }

    /// Of what is missing, numbers are not a number.
    fn array(&self, array: Array) -> Result<Option<Vec<R>>, R::Stop> {
        let (given, system) = (self.given, &self.derived.system);
        let all = |numbers: &[R], len: usize| (0..len).map(|i| entry(numbers, i)).collect();
        let elements = |numbers: &[R], first: usize, declared: usize, of: [usize; 2]| {
            let [size, component] = of;
            let all = 0..declared / size;
            all.map(|at| entry(numbers, first + at * size + component))
                .collect()
        };
        let [n, rows] = [system.coordinates.len(), self.derived.rows()];
        let numbers: Result<Vec<R>, R::Stop> = match array {
            Array::Position => all(given.q, system.scalars()),
            Array::Velocity => all(given.v, n),
            Array::RightHandSide => all(given.b, rows),
            Array::Acceleration => all(given.a, n),
            Array::Tangent(of) => {
                let first = self.before(of);
                let own = first..first + self.part(of);
                own.map(|i| entry(given.tangent, i)).collect()
            }
            Array::AccelerationAdjoint => all(given.acceleration_bar, n),
            Array::MultiplierAdjoint => all(given.multiplier_bar, rows),
            Array::CorrectionAdjoint => all(given.correction_bar, n),
            Array::Parameter(number, component) => {
                let parameter = &system.model.parameters[number];
                let first = self.interpreter.parameters[number];
                let of = [parameter.shape.len(), component];
                elements(given.parameters, first, parameter.scalars(), of)
            }
            Array::Input(number, component) => {
                let input = &system.inputs[number];
                let first = system.inputs[..number].iter().map(Declared::scalars).sum();
                let of = [input.shape.len(), component];
                elements(given.inputs, first, input.scalars(), of)
            }
            Array::Numbers => (0..system.numbers.len())
                .map(|i| self.interpreter.number(i))
                .collect(),
            Array::Multipliers if !given.multipliers.is_empty() => all(given.multipliers, rows),
            _ => return Ok(None),
        };
        numbers.map(Some)
    }

    fn len(&self, of: Dimension) -> usize {
        let system = &self.derived.system;
        match of {
            Dimension::Rows => self.derived.rows(),
            Dimension::Coordinates => system.scalars(),
            Dimension::Outputs => system.observed.len(),
            Dimension::Inertial => system.inertial.names.len(),
            Dimension::Base => system.inertial.base.len(),
            Dimension::Sides => system.sides(),
            _ => system.coordinates.len(),
        }
    }

    fn part(&self, of: Varied) -> usize {
        let system = &self.derived.system;
        match of {
            Varied::Time => 1,
            Varied::Coordinate | Varied::Velocity => system.coordinates.len(),
            Varied::Input => system.given(),
            Varied::Parameter => system.model.varied(),
        }
    }
}
