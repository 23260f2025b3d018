//! Constraints on points: C, J, Ċ, J̇ and β, λ, f̂ and K⁻¹ b.

use super::field::Residue;
use super::linear::{self, Rows, dot};
use super::point::{Point, Stop};
use super::programs::{chooses, run};
use super::series::Series;
use super::tree::{Reader, Value};
use super::{Certificate, MOST_ROOTS, MOST_TRIES, POINTS, POINTS_OF_CHOICES, Refuted, seed};
use crate::expr::SymbolId;
use crate::function::{Body, Function};
use crate::model::{Model, Role, Shape};
use crate::schedule::Program;
use crate::syntax::ast::{Constraint, name_of};

/// Compares the functions of a constraint with its equations.
///
/// # Errors
/// The first function that differs.
pub fn constraint(
    tree: &Constraint,
    model: &Model,
    functions: &[Function<'_>],
) -> Result<Certificate, Refuted> {
    if !model.bodies.is_empty() {
        return Ok(Certificate::default());
    }
    let programs = functions
        .iter()
        .filter_map(|function| match &function.body {
            Body::Straight(program) => Some(Checked::new(function.signature.name, program)),
            _ => None,
        });
    let mut programs: Vec<Checked<'_>> = programs.collect();
    let chosen = programs.iter().any(|it| chooses(it.program));
    let wanted = if chosen { POINTS_OF_CHOICES } else { POINTS };
    let first = seed(model);
    for attempt in 0..MOST_TRIES {
        if programs.iter().all(|it| it.is_done(wanted)) {
            break;
        }
        let mut at = At::new(model, Point::new(first.wrapping_add(attempt)));
        match at.compare(tree, &mut programs) {
            Err(Differs::Stopped(Stop::Uncovered)) => return Ok(Certificate::default()),
            Err(Differs::Stopped(_)) | Ok(()) => {}
            Err(Differs::Refuted(refuted)) => return Err(refuted),
        }
    }
    if let Some(wrong) = programs.iter().find(|it| it.is_without_value()) {
        return Err(Refuted {
            function: wrong.name,
        });
    }
    let covered = programs
        .iter()
        .filter(|it| it.covered && it.points >= wanted);
    Ok(Certificate {
        functions: covered.map(|it| it.name).collect(),
        points: wanted,
    })
}

/// A function under examination.
struct Checked<'a> {
    name: &'static str,
    program: &'a Program,
    /// Whether all of it has a meaning in the field.
    covered: bool,
    /// At how many points it agrees.
    points: usize,
    /// At how many it divides by 0 where a value is expected,
    zeros: usize,
    /// or takes the root of what has none.
    roots: usize,
}

impl Checked<'_> {
    fn new<'a>(name: &'static str, program: &'a Program) -> Checked<'a> {
        Checked {
            name,
            program,
            covered: true,
            points: 0,
            zeros: 0,
            roots: 0,
        }
    }

    /// Roots that the equations do not have may have no value for some time.
    fn is_without_value(&self) -> bool {
        self.zeros > 0 || self.points == 0 && self.roots >= MOST_ROOTS
    }

    fn is_done(&self, wanted: usize) -> bool {
        !self.covered || self.points >= wanted
    }
}

/// What ends a comparison.
enum Differs {
    Stopped(Stop),
    Refuted(Refuted),
}

impl From<Stop> for Differs {
    fn from(stop: Stop) -> Differs {
        Differs::Stopped(stop)
    }
}

/// All that functions are given at a point.
struct At<'a> {
    model: &'a Model,
    point: Point,
    t: Residue,
    q: Vec<Residue>,
    v: Vec<Residue>,
    w: Vec<Residue>,
    f: Vec<Residue>,
    b: Vec<Residue>,
    mass: Residue,
    /// A direction in which places may differ.
    u: Vec<Residue>,
    /// By parameter, component by component.
    parameters: Vec<Vec<Residue>>,
}

/// What a function has to find.
enum Wanted {
    /// These numbers.
    Vector(Vec<Residue>),
    /// A matrix that takes the direction u there.
    Along(Vec<Residue>),
}

/// What follows from the equations, and what follows from that.
struct Expected {
    rows: Vec<Series>,
    /// J, once the program is known to be right.
    jacobian: Rows,
}

impl At<'_> {
    fn new(model: &Model, mut point: Point) -> At<'_> {
        let n = model.coordinate_count();
        let parameters = model.parameters.iter();
        let parameters = parameters.map(|it| point.draws(it.scalars())).collect();
        At {
            model,
            t: point.draw(),
            q: point.draws(n),
            v: point.draws(n),
            w: point.draws(n),
            f: point.draws(n),
            b: point.draws(model.rows.len()),
            mass: point.draw(),
            u: point.draws(n),
            parameters,
            point,
        }
    }

    fn compare(&mut self, tree: &Constraint, programs: &mut [Checked<'_>]) -> Result<(), Differs> {
        let mut expected = Expected {
            rows: self.rows(tree)?,
            jacobian: Rows::new(),
        };
        for checked in programs.iter_mut().filter(|it| it.covered) {
            let wanted = match self.wanted(checked.name, &expected) {
                Err(Stop::Zero | Stop::Root) => continue,
                wanted => wanted?,
            };
            let found = match self.run(checked.program) {
                Err(Stop::Uncovered) => {
                    checked.covered = false;
                    continue;
                }
                Err(stop) => {
                    checked.zeros += usize::from(stop == Stop::Zero);
                    checked.roots += usize::from(stop == Stop::Root);
                    continue;
                }
                Ok(found) => found,
            };
            let (agrees, function) = (self.agrees(&found, &wanted), checked.name);
            if !agrees {
                return Err(Differs::Refuted(Refuted { function }));
            }
            checked.points += 1;
            if function == "jacobian" {
                expected.jacobian = found.chunks(self.u.len()).map(<[_]>::to_vec).collect();
            }
        }
        Ok(())
    }

    fn agrees(&self, found: &[Residue], wanted: &Wanted) -> bool {
        match wanted {
            Wanted::Vector(values) => found == values,
            Wanted::Along(values) => {
                let rows = found.chunks(self.u.len());
                rows.map(|row| dot(row, &self.u)).eq(values.iter().copied())
            }
        }
    }

    /// The equations at q + τ v + ε u and t + τ.
    fn rows(&mut self, tree: &Constraint) -> Result<Vec<Series>, Stop> {
        let series = |i: usize| Series {
            value: self.q[i],
            along: self.u[i],
            rate: self.v[i],
            ..Series::default()
        };
        let mut names = Vec::new();
        let mut first = 0;
        for coordinate in &self.model.coordinates {
            let own = (first..first + coordinate.shape.len()).map(series);
            first += coordinate.shape.len();
            names.push((
                name_of(&coordinate.name),
                shaped(coordinate.shape, own.collect()),
            ));
        }
        for (parameter, values) in self.model.parameters.iter().zip(&self.parameters) {
            let own = values.iter().map(|&it| Series::constant(it)).collect();
            names.push((name_of(&parameter.name), shaped(parameter.shape, own)));
        }
        if let Some(time) = &self.model.time {
            let time = name_of(time);
            let moves = Series {
                value: self.t,
                rate: Residue::ONE,
                ..Series::default()
            };
            names.push((time, Value::Scalar(moves)));
        }
        Reader::new(&mut self.point, names).rows(&tree.body)
    }

    fn run(&mut self, program: &Program) -> Result<Vec<Residue>, Stop> {
        let At {
            model,
            point,
            t,
            q,
            v,
            w,
            f,
            b,
            mass,
            parameters,
            ..
        } = self;
        let leaf = |symbol: SymbolId| match model.symbols[symbol.index()].role {
            Role::Time => *t,
            Role::Coordinate(i) => q[i],
            Role::Velocity(i) => v[i],
            Role::InverseMass(i) => w[i],
            Role::Force(i) => f[i],
            Role::RightHandSide(i) => b[i],
            Role::Mass => *mass,
            Role::Parameter {
                parameter,
                component,
            } => parameters[parameter][component],
            _ => Residue::ZERO,
        };
        run(program, point, leaf)
    }

    /// What a function has to find.
    fn wanted(&self, name: &str, expected: &Expected) -> Result<Wanted, Stop> {
        let of = |get: fn(&Series) -> Residue| -> Vec<Residue> {
            expected.rows.iter().map(get).collect()
        };
        let needs_jacobian = !matches!(
            name,
            "value" | "rate" | "bias" | "jacobian" | "jacobian_dot"
        );
        if needs_jacobian && expected.jacobian.is_empty() {
            return Err(Stop::Zero);
        }
        Ok(Wanted::Vector(match name {
            "value" => of(|row| row.value),
            "rate" => of(|row| row.rate),
            "bias" => of(|row| row.half_second + row.half_second),
            "jacobian" => return Ok(Wanted::Along(of(|row| row.along))),
            "jacobian_dot" => return Ok(Wanted::Along(of(|row| row.along_rate))),
            "multipliers" => self.multipliers(expected, &self.w)?,
            "force" => {
                let multipliers = self.multipliers(expected, &self.w)?;
                linear::transposed_times(&expected.jacobian, &multipliers)
            }
            "particle_force" => {
                let inverse = self.mass.recip().ok_or(Stop::Zero)?;
                let multipliers = self.multipliers(expected, &vec![inverse; self.q.len()])?;
                linear::transposed_times(&expected.jacobian, &multipliers)
            }
            "solve" => solve(&expected.jacobian, &self.w, self.b.clone())?,
            _ => return Err(Stop::Uncovered),
        }))
    }

    /// λ of J W (f + Jᵀ λ) + β = 0
    fn multipliers(&self, expected: &Expected, w: &[Residue]) -> Result<Vec<Residue>, Stop> {
        let free: Vec<Residue> = w.iter().zip(&self.f).map(|(w, f)| *w * *f).collect();
        let rows = expected.jacobian.iter().zip(&expected.rows);
        let side = rows.map(|(j, row)| -(row.half_second + row.half_second + dot(j, &free)));
        solve(&expected.jacobian, w, side.collect())
    }
}

/// x of (J W Jᵀ) x = b
fn solve(jacobian: &Rows, w: &[Residue], b: Vec<Residue>) -> Result<Vec<Residue>, Stop> {
    let weighted = |row: &Vec<Residue>| -> Vec<Residue> {
        row.iter().zip(w).map(|(entry, w)| *entry * *w).collect()
    };
    let weighted: Rows = jacobian.iter().map(weighted).collect();
    let entries = |row: &Vec<Residue>| weighted.iter().map(|it| dot(row, it)).collect();
    linear::solve(jacobian.iter().map(entries).collect(), b)
}

fn shaped(shape: Shape, components: Vec<Series>) -> Value {
    match (shape, &components[..]) {
        (Shape::Scalar, [one]) => Value::Scalar(*one),
        _ => Value::Vector(components),
    }
}
