//! Systems and constraints for the runtime, their functions run by the engine's interpreter.

use std::ops::Range;

use constraint_runtime::error::{Coordinate, Names, Row};
use constraint_runtime::nalgebra::{DMatrix, DVector, SymmetricEigen};
use constraint_runtime::{Constrained, Dynamics, Error, System};
use constraint_symbolic::constraint;
use constraint_symbolic::function::{Body, Function, undefined};
use constraint_symbolic::interpret::{Given, Interpreter, Results};
use constraint_symbolic::schedule::Program;
use constraint_symbolic::system::{self, Quantity};

use super::undefined::Undefined;

/// A pivot below this many rounding units of its diagonal is noise left by cancellation: as in generated code.
const PIVOT_EPSILONS: f64 = 64.0;

/// The subject of a simulation: a system, or one particle on a constraint.
pub struct Interpreted<'a> {
    interpreter: Interpreter<'a>,
    functions: &'a [Function<'a>],
    /// Values in order, component by component.
    parameters: Vec<f64>,
    inputs: Vec<f64>,
    /// The names of the rows; they live as long as the program.
    rows: Vec<&'static str>,
    /// The names of the coordinates and of the velocities.
    names: [&'static [Names]; 2],
    /// Where results are not finite.
    undefined: Undefined,
    kind: Kind,
}

enum Kind {
    /// A system, its masses and the indices of rotations among its coordinates.
    System {
        masses: Program,
        turns: Vec<Range<usize>>,
    },
    /// A particle on a constraint, in a uniform field.
    Particle { mass: f64, gravity: DVector<f64> },
}

/// A name for the runtime's messages, which need `'static` names.
fn kept(name: impl ToString) -> &'static str {
    Box::leak(name.to_string().into_boxed_str())
}

fn kept_names(names: &[String]) -> &'static [Names] {
    let names = names.iter().map(|name| Names::of(kept(name), &[""]));
    Box::leak(names.collect())
}

impl<'a> Interpreted<'a> {
    /// A system with these parameters and constant inputs.
    pub fn system(
        (derived, functions): (&'a system::Derived, &'a [Function<'a>]),
        [parameters, inputs]: [Vec<f64>; 2],
        names: &[Vec<String>; 2],
    ) -> Interpreted<'a> {
        let system = &derived.system;
        Interpreted {
            interpreter: Interpreter::of_system(derived),
            functions,
            parameters,
            inputs,
            rows: system.rows.iter().map(kept).collect(),
            names: [0, 1].map(|k| kept_names(&names[k])),
            undefined: Undefined::new(
                undefined::named_places(derived),
                derived.plain_program(&[Quantity::Undefined]),
            ),
            kind: Kind::System {
                masses: derived.plain_program(&[Quantity::Masses]),
                turns: poses(system).into_iter().map(|[_, turn]| turn).collect(),
            },
        }
    }

    /// A particle of this mass on a constraint.
    pub fn particle(
        (derived, functions): (&'a constraint::Derived, &'a [Function<'a>]),
        parameters: Vec<f64>,
        (mass, gravity): (f64, Vec<f64>),
        names: &[Vec<String>; 2],
    ) -> Interpreted<'a> {
        let model = &derived.model;
        let rows = (0..model.rows.len()).map(|row| kept(format!("C[{row}]")));
        Interpreted {
            interpreter: Interpreter::new(model),
            functions,
            parameters,
            inputs: Vec::new(),
            rows: rows.collect(),
            names: [0, 1].map(|k| kept_names(&names[k])),
            undefined: Undefined::new(
                undefined::named(
                    model,
                    &derived.undefined,
                    &undefined::numbered(model.rows.len()),
                ),
                derived.plain_program(&[Quantity::Undefined]),
            ),
            kind: Kind::Particle {
                mass,
                gravity: gravity.into(),
            },
        }
    }

    fn function(&self, name: &str) -> Option<&Function<'a>> {
        let mut functions = self.functions.iter();
        functions.find(|function| function.signature.name == name)
    }

    /// The result of a function.
    ///
    /// # Errors
    /// [`Error::Singular`], [`Error::SingularMass`], [`Error::Corner`]
    fn call(&self, name: &str, given: Given<'_>) -> Result<Vec<f64>, Error> {
        let given = Given {
            parameters: &self.parameters,
            inputs: &self.inputs,
            ..given
        };
        let Some(function) = self.function(name) else {
            return Ok(Vec::new());
        };
        let results = match &function.body {
            Body::LeastSquares { equations, rest } => {
                let equations = self.interpreter.run(equations, &given).values;
                let multipliers = least_squares(&equations, self.rows.len());
                let multipliers = &multipliers;
                self.interpreter.run(
                    rest,
                    &Given {
                        multipliers,
                        ..given
                    },
                )
            }
            _ => self
                .interpreter
                .evaluate(function, &given)
                .unwrap_or_default(),
        };
        self.judge(&results)?;
        if results.values.iter().any(|x| !x.is_finite()) {
            self.undefined.check(&self.interpreter, &given)?;
        }
        Ok(results.values)
    }

    fn judge(&self, results: &Results) -> Result<(), Error> {
        for it in &results.pivots {
            if it.pivot > PIVOT_EPSILONS * f64::EPSILON * it.diagonal {
                continue;
            }
            let (pivot, time) = (it.pivot, None);
            let of_mass = it.row.checked_sub(self.rows.len());
            let coordinate = of_mass.and_then(|k| self.names[1].get(k).map(|it| it.base));
            return Err(match coordinate {
                Some(coordinate) => Error::SingularMass {
                    coordinate: Coordinate::Named(coordinate),
                    pivot,
                    time,
                },
                None => Error::Singular {
                    row: Row::from(it.row),
                    pivot,
                    time,
                },
            });
        }
        Ok(())
    }

    /// The result of a function; empty on an error.
    fn vector(&self, name: &str, given: Given<'_>) -> DVector<f64> {
        self.call(name, given).unwrap_or_default().into()
    }

    fn number(&self, name: &str, given: Given<'_>) -> f64 {
        self.call(name, given)
            .unwrap_or_default()
            .first()
            .copied()
            .unwrap_or(0.0)
    }

    /// The outputs of the system.
    pub fn outputs(&self, t: f64, q: &DVector<f64>, v: &DVector<f64>) -> Vec<f64> {
        self.call("outputs", at(t, q, v)).unwrap_or_default()
    }

    /// Outputs of a program of the engine at rest, all inputs zero.
    pub fn run_undriven(&self, program: &Program, t: f64, q: &DVector<f64>) -> Vec<f64> {
        let (v, inputs) = (vec![0.0; self.names[1].len()], vec![0.0; self.inputs.len()]);
        let given = Given {
            v: &v,
            parameters: &self.parameters,
            inputs: &inputs,
            ..placed(t, q)
        };
        self.interpreter.run(program, &given).values
    }

    /// The results of an engine program at these coordinates.
    pub fn run(&self, program: &Program, t: f64, q: &DVector<f64>) -> Vec<f64> {
        let given = Given {
            parameters: &self.parameters,
            inputs: &self.inputs,
            ..placed(t, q)
        };
        self.interpreter.run(program, &given).values
    }

    /// w of each coordinate, and f.
    fn load(&self, count: usize) -> [DVector<f64>; 2] {
        match &self.kind {
            Kind::Particle { mass, gravity } => {
                [DVector::repeat(count, 1.0 / mass), gravity * *mass]
            }
            Kind::System { .. } => [DVector::zeros(0), DVector::zeros(0)],
        }
    }
}

fn at<'a>(t: f64, q: &'a DVector<f64>, v: &'a DVector<f64>) -> Given<'a> {
    Given {
        v: v.as_slice(),
        ..placed(t, q)
    }
}

fn placed(t: f64, q: &DVector<f64>) -> Given<'_> {
    Given {
        t,
        q: q.as_slice(),
        ..Given::default()
    }
}

/// The indices of the positions and rotations of bodies among the coordinates.
pub fn poses(system: &constraint_symbolic::model::System) -> Vec<[Range<usize>; 2]> {
    let mut first = 0;
    let mut poses = Vec::new();
    for declared in &system.declared {
        let (size, linear) = (declared.element_scalars(), declared.shape.len());
        if declared.body {
            let starts = (0..declared.elements()).map(|i| first + i * size);
            poses.extend(starts.map(|it| [it..it + linear, it + linear..it + size]));
        }
        first += declared.scalars();
    }
    poses
}

/// λ of A λ = b, given the lower triangle of A followed by b: among all that fit best, the one of least Σ Aᵢᵢ λᵢ².
fn least_squares(equations: &[f64], rows: usize) -> Vec<f64> {
    let (lower, b) = equations.split_at(rows * (rows + 1) / 2);
    let entry = |i: usize, j: usize| lower[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
    let size = |i: usize| {
        if entry(i, i) > 0.0 {
            1.0 / entry(i, i).sqrt()
        } else {
            0.0
        }
    };
    let scale = DVector::from_fn(rows, |i, _| size(i));
    let scaled = DMatrix::from_fn(rows, rows, |i, j| entry(i, j) * scale[i] * scale[j]);
    let SymmetricEigen {
        eigenvalues,
        eigenvectors,
    } = SymmetricEigen::new(scaled);
    let least = eigenvalues.max() * f64::EPSILON.sqrt();
    let mut along = eigenvectors.transpose() * DVector::from_column_slice(b).component_mul(&scale);
    for (x, &value) in along.iter_mut().zip(&eigenvalues) {
        *x = if value > least { *x / value } else { 0.0 };
    }
    (eigenvectors * along)
        .component_mul(&scale)
        .as_slice()
        .to_vec()
}

impl Dynamics<f64> for Interpreted<'_> {
    type Q = DVector<f64>;
    type V = DVector<f64>;
    type Coordinates = DVector<f64>;
    type Velocities = DVector<f64>;

    fn acceleration(
        &self,
        t: f64,
        q: &DVector<f64>,
        v: &DVector<f64>,
    ) -> Result<DVector<f64>, Error> {
        let Kind::Particle { mass, .. } = self.kind else {
            return Ok(self.call("acceleration", at(t, q, v))?.into());
        };
        let [_, f] = self.load(q.len());
        let given = Given {
            mass,
            f: f.as_slice(),
            ..at(t, q, v)
        };
        let held: DVector<f64> = self.call("particle_force", given)?.into();
        Ok((f + held) * (1.0 / mass))
    }

    fn kinetic_energy(&self, t: f64, q: &DVector<f64>, v: &DVector<f64>) -> f64 {
        match self.kind {
            Kind::System { .. } => self.number("kinetic_energy", at(t, q, v)),
            Kind::Particle { mass, .. } => 0.5 * mass * v.dot(v),
        }
    }

    fn potential_energy(&self, t: f64, q: &DVector<f64>) -> f64 {
        match &self.kind {
            Kind::System { .. } => self.number("potential_energy", placed(t, q)),
            Kind::Particle { mass, gravity } => -mass * gravity.dot(q),
        }
    }

    fn kinematics(&self, t: f64, q: &DVector<f64>, v: &DVector<f64>) -> DVector<f64> {
        match self.function("kinematics") {
            Some(_) => self.vector("kinematics", at(t, q, v)),
            None => v.clone(),
        }
    }

    fn normalize(&self, q: &mut DVector<f64>) {
        if let Kind::System { turns, .. } = &self.kind {
            for turn in turns {
                let turn = &mut q.as_mut_slice()[turn.clone()];
                let inverse = 1.0 / turn.iter().map(|x| x * x).sum::<f64>().sqrt();
                turn.iter_mut().for_each(|x| *x *= inverse);
            }
        }
    }

    fn names(&self, quantity: constraint_runtime::Quantity) -> Option<&'static [Names]> {
        match quantity {
            constraint_runtime::Quantity::Coordinate => Some(self.names[0]),
            constraint_runtime::Quantity::Velocity => Some(self.names[1]),
            _ => None,
        }
    }

    fn validate(&self) -> Result<(), Error> {
        let masses = match &self.kind {
            Kind::Particle { mass, .. } => vec![*mass],
            Kind::System { masses, .. } => {
                let given = Given {
                    parameters: &self.parameters,
                    ..Given::default()
                };
                self.interpreter.run(masses, &given).values
            }
        };
        // An inertia that depends on the state is checked there.
        let wrong = |mass: &&f64| **mass <= 0.0 || mass.is_infinite();
        match masses.iter().find(wrong) {
            Some(&mass) => Err(Error::InvalidMass { mass }),
            None => Ok(()),
        }
    }
}

impl System<f64> for Interpreted<'_> {}

impl Constrained<f64> for Interpreted<'_> {
    type Rows = DVector<f64>;
    type Jacobian = DMatrix<f64>;
    type Multipliers = DVector<f64>;

    fn multipliers(
        &self,
        t: f64,
        q: &DVector<f64>,
        v: &DVector<f64>,
    ) -> Result<DVector<f64>, Error> {
        let [w, f] = self.load(q.len());
        let given = Given {
            w: w.as_slice(),
            f: f.as_slice(),
            ..at(t, q, v)
        };
        Ok(self.call("multipliers", given)?.into())
    }

    fn constraint_force(
        &self,
        t: f64,
        q: &DVector<f64>,
        v: &DVector<f64>,
    ) -> Result<DVector<f64>, Error> {
        Ok(self.jacobian(t, q).tr_mul(&self.multipliers(t, q, v)?))
    }

    fn constraint(&self, t: f64, q: &DVector<f64>) -> DVector<f64> {
        match self.kind {
            Kind::System { .. } => self.vector("constraint", placed(t, q)),
            Kind::Particle { .. } => self.vector("value", placed(t, q)),
        }
    }

    fn constraint_rate(&self, t: f64, q: &DVector<f64>, v: &DVector<f64>) -> DVector<f64> {
        match self.kind {
            Kind::System { .. } => self.vector("constraint_rate", at(t, q, v)),
            Kind::Particle { .. } => self.vector("rate", at(t, q, v)),
        }
    }

    fn jacobian(&self, t: f64, q: &DVector<f64>) -> DMatrix<f64> {
        let entries = self.vector("jacobian", placed(t, q));
        let rows = self.rows.len();
        let columns = entries.len().checked_div(rows).unwrap_or(0);
        DMatrix::from_row_slice(rows, columns, entries.as_slice())
    }

    fn bias(&self, t: f64, q: &DVector<f64>, v: &DVector<f64>) -> DVector<f64> {
        self.vector("bias", at(t, q, v))
    }

    fn correction(
        &self,
        t: f64,
        q: &DVector<f64>,
        b: &DVector<f64>,
    ) -> Result<DVector<f64>, Error> {
        let b = b.as_slice();
        if let Kind::System { .. } = self.kind {
            if self.rows.is_empty() {
                return Ok(DVector::zeros(self.names[1].len()));
            }
            return Ok(self.call("correction", Given { b, ..placed(t, q) })?.into());
        }
        // Equal masses cancel.
        let w = &vec![1.0; q.len()];
        let solved = self.call(
            "solve",
            Given {
                b,
                w,
                ..placed(t, q)
            },
        )?;
        Ok(self.jacobian(t, q).tr_mul(&DVector::from_vec(solved)))
    }

    fn row_sizes(&self, t: f64, q: &DVector<f64>) -> DVector<f64> {
        if let Kind::System { .. } = self.kind {
            return self.vector("row_sizes", placed(t, q));
        }
        let jacobian = self.jacobian(t, q);
        let size = |i: usize| {
            jacobian
                .row(i)
                .iter()
                .zip(q)
                .map(|(j, q)| (j * q).abs())
                .sum()
        };
        DVector::from_fn(self.rows.len(), |i, _| size(i))
    }

    fn row_name(&self, row: usize) -> Option<&'static str> {
        self.rows.get(row).copied()
    }
}
