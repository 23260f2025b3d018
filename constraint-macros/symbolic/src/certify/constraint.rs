//! Constraints on points and between bodies: C, J, Ċ, J̇ and β, K, λ, f̂ and K⁻¹ b.

use crate::certify::Gap;
use std::cell::OnceCell;
use std::rc::Rc;

use super::bodies::{Pose, Weights};
use super::checked::{Facts, Subject};
use super::field::Residue;
use super::linear::{self, Rows, dot};
use super::point::{Point, Stop};
use super::programs::{Changing, Leaves};
use super::series::Series;
use super::tree::{Reader, Value, declared};
use super::{Certificate, Refuted, checked};
use crate::expr::{CollectVec, SymbolId};
use crate::function::Function;
use crate::model::{Model, Role};
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
    checked::examine(model, functions, |point| {
        At::new(tree, (model, functions), point)
    })
}

/// The arguments at a point, or a direction of change.
struct Given<'a> {
    model: &'a Model,
    t: Residue,
    q: Vec<Residue>,
    v: Vec<Residue>,
    weights: Weights,
    f: Vec<Residue>,
    b: Vec<Residue>,
    mass: Residue,
    /// By parameter, component by component.
    parameters: Vec<Vec<Residue>>,
    /// (δt, δq, δv, δw, δf, δp), if derivatives are requested,
    tangent: Vec<Residue>,
    /// and (f̂*, λ*).
    counted: [Vec<Residue>; 2],
}

/// The arguments at a point, and the expected results.
struct At<'a> {
    functions: &'a [Function<'a>],
    given: Given<'a>,
    /// A direction in which places or velocities may differ.
    u: Vec<Residue>,
    rows: Vec<Row>,
    /// J, once the program is known to be right.
    jacobian: Rows,
    /// λ for the weights, computed on demand.
    solved: OnceCell<Result<Vec<Residue>, Stop>>,
    /// The change of f̂ and λ along the tangent.
    along: OnceCell<Result<[Vec<Residue>; 2], Stop>>,
}

/// A row at the point, and J and J̇ along the direction.
struct Row {
    value: Residue,
    rate: Residue,
    bias: Residue,
    jacobian: Residue,
    jacobian_dot: Residue,
}

impl Row {
    /// For points, whose places differ by ε u.
    fn of_points(row: &Series) -> Row {
        Row {
            value: row.value,
            rate: row.rate,
            bias: row.half_second + row.half_second,
            jacobian: row.along,
            jacobian_dot: row.along_rate,
        }
    }

    /// For bodies, whose velocities differ by ε u: if C itself differs, the row is a relation of velocities.
    fn of_bodies(row: &Series) -> Row {
        if row.along.is_zero() {
            return Row {
                jacobian: row.along_rate,
                ..Row::of_points(row)
            };
        }
        Row {
            value: Residue::ZERO,
            rate: row.value,
            bias: row.rate,
            jacobian: row.along,
            jacobian_dot: row.along_rate,
        }
    }
}

impl<'a> Given<'a> {
    /// Random arguments, with bodies at these poses.
    fn new(model: &'a Model, poses: &[Pose], point: &mut Point) -> Given<'a> {
        let parameters = model.parameters.iter();
        let parameters = parameters.map(|it| point.draws(it.scalars())).collect_vec();
        let n = match poses.len() {
            0 => model.coordinate_count(),
            bodies => bodies * model.body_velocities(),
        };
        let q = match poses.len() {
            0 => point.draws(n),
            _ => poses.iter().flat_map(Pose::coordinates).collect_vec(),
        };
        let rows = model.rows.len();
        let mut given = Given {
            model,
            t: point.draw(),
            q,
            v: point.draws(n),
            weights: Weights::new(model, n, point),
            f: point.draws(n),
            b: point.draws(rows),
            mass: point.draw(),
            parameters,
            tangent: Vec::new(),
            counted: Default::default(),
        };
        if model.derivatives().is_some() {
            given.tangent = point.draws(1 + 4 * n + model.varied());
            given.counted = [n, rows].map(|count| point.draws(count));
        }
        given
    }

    /// The parts of a tangent without time: q, v, w, f and p.
    fn parts(&self) -> [&[Residue]; 5] {
        let (n, rest) = (self.q.len(), &self.tangent[1..]);
        let part = |k: usize| &rest[k * n..(k + 1) * n];
        [part(0), part(1), part(2), part(3), &rest[4 * n..]]
    }

    /// The direction of the tangent, with or without a change of time.
    fn along(&self, timed: bool) -> Given<'a> {
        let [q, v, w, f, mut p] = self.parts();
        let mut parameters = Vec::with_capacity(self.parameters.len());
        for parameter in &self.parameters {
            let (own, others) = p.split_at(parameter.len());
            parameters.push(own.to_vec());
            p = others;
        }
        Given {
            model: self.model,
            t: if timed {
                self.tangent[0]
            } else {
                Residue::ZERO
            },
            q: q.to_vec(),
            v: v.to_vec(),
            weights: Weights::of_points(w.to_vec()),
            f: f.to_vec(),
            b: Vec::new(),
            mass: Residue::ZERO,
            parameters,
            tangent: Vec::new(),
            counted: Default::default(),
        }
    }
}

impl<'a> At<'a> {
    fn new(
        tree: &Constraint,
        (model, functions): (&'a Model, &'a [Function<'a>]),
        point: &mut Point,
    ) -> Result<At<'a>, Stop> {
        let bodies = model.bodies.iter();
        let poses: Vec<Pose> = bodies.map(|it| Pose::new(it.shape, point)).collect_vec();
        let given = Given::new(model, &poses, point);
        let mut at = At {
            functions,
            u: point.draws(given.v.len()),
            given,
            rows: Vec::new(),
            jacobian: Rows::new(),
            solved: OnceCell::new(),
            along: OnceCell::new(),
        };
        let rows = at.read(tree, &poses, point)?;
        let row = if poses.is_empty() {
            Row::of_points
        } else {
            Row::of_bodies
        };
        at.rows = rows.iter().map(row).collect_vec();
        Ok(at)
    }

    /// The equations at q + τ v + ε u and t + τ; for bodies at velocities v + ε u.
    fn read(
        &self,
        tree: &Constraint,
        poses: &[Pose],
        point: &mut Point,
    ) -> Result<Vec<Series>, Stop> {
        let series = |i: usize| Series {
            value: self.given.q[i],
            along: self.u[i],
            rate: self.given.v[i],
            ..Series::default()
        };
        let (mut names, mut first) = (declared(self.given.model, &self.given.parameters), 0);
        for coordinate in &self.given.model.coordinates {
            let own = (first..first + coordinate.shape.len()).map(series);
            first += coordinate.shape.len();
            let value = Value::shaped(coordinate.shape, own.collect_vec());
            names.push((name_of(&coordinate.name), value));
        }
        let width = self
            .given
            .model
            .bodies
            .first()
            .map_or(1, |_| self.given.model.body_velocities());
        let motions = self.given.v.chunks(width).zip(self.u.chunks(width));
        for ((body, pose), (v, u)) in self.given.model.bodies.iter().zip(poses).zip(motions) {
            let value = Value::Body(Rc::new(pose.moving(v, u)));
            names.push((name_of(&body.name), value));
        }
        if let Some(time) = &self.given.model.time {
            let moves = Series {
                value: self.given.t,
                rate: Residue::ONE,
                ..Series::default()
            };
            names.push((name_of(time), Value::Scalar(moves)));
        }
        Reader::new(point, names).rows(&tree.body)
    }

    fn all(&self, get: fn(&Row) -> Residue) -> Vec<Residue> {
        self.rows.iter().map(get).collect_vec()
    }

    /// J W Jᵀ
    fn delassus(&self, weights: &Weights) -> Rows {
        let weighted: Rows = self
            .jacobian
            .iter()
            .map(|row| weights.times(row))
            .collect_vec();
        let entries = |row: &Vec<Residue>| weighted.iter().map(|it| dot(row, it)).collect_vec();
        self.jacobian.iter().map(entries).collect_vec()
    }

    /// λ of J W (f + Jᵀ λ) + β = 0
    fn multipliers(&self, weights: &Weights) -> Result<Vec<Residue>, Stop> {
        let free = weights.times(&self.given.f);
        let rows = self.jacobian.iter().zip(&self.rows);
        let side = rows.map(|(j, row)| -(row.bias + dot(j, &free)));
        linear::solve(self.delassus(weights), side.collect_vec())
    }

    /// λ
    fn solved(&self) -> Result<&[Residue], Stop> {
        let solved = self
            .solved
            .get_or_init(|| self.multipliers(&self.given.weights));
        solved.as_deref().map_err(|&stop| stop)
    }

    /// Jᵀ λ
    fn force(&self, multipliers: &[Residue]) -> Vec<Residue> {
        linear::transposed_times(&self.jacobian, multipliers)
    }

    /// C, J, Ċ, β and K.
    fn together(&self) -> Vec<Residue> {
        let rows = [
            self.all(|row| row.value),
            self.jacobian.concat(),
            self.all(|row| row.rate),
            self.all(|row| row.bias),
            self.delassus(&self.given.weights).concat(),
        ];
        rows.concat()
    }

    // ---- derivatives ----------------------------------------------------------------------------

    /// The change of f̂ and λ along the tangent, with or without a change of time.
    fn changed(&self, timed: bool, point: &mut Point) -> Result<[Vec<Residue>; 2], Stop> {
        let timed = timed && self.given.model.time.is_some();
        if !timed && self.given.model.time.is_some() {
            return self.change(false, point);
        }
        if let Some(known) = self.along.get() {
            return known.clone();
        }
        let found = self.change(timed, point);
        self.along.get_or_init(|| found).clone()
    }

    fn change(&self, timed: bool, point: &mut Point) -> Result<[Vec<Residue>; 2], Stop> {
        let direction = self.given.along(timed);
        let changing = Changing(&self.given, &direction);
        let mut of = |name| checked::change((self, self.functions), name, &changing, point);
        Ok([of("force")?, of("multipliers")?])
    }

    /// Matrices that map (δq, δv, δw, δf, δp) to these values.
    fn slopes(&self, groups: Vec<Vec<Residue>>) -> Facts {
        let parts = self.given.parts().map(<[Residue]>::to_vec);
        Facts::Slopes(parts.into(), groups)
    }

    /// The expected results of derivatives, if they are requested.
    fn of_derivatives(&self, name: &str, point: &mut Point) -> Result<Facts, Stop> {
        if self.given.tangent.is_empty() {
            return Err(Stop::Uncovered(Gap::Unknown));
        }
        let timed = matches!(name, "jvp" | "vjp");
        let [force, multipliers] = self.changed(timed, point)?;
        Ok(match name {
            "jvp" => Facts::Values([force, multipliers].concat()),
            "vjp" => {
                let [by_force, by_multipliers] = &self.given.counted;
                let value = dot(by_force, &force) + dot(by_multipliers, &multipliers);
                Facts::Gradient(self.given.tangent.clone(), value)
            }
            "linearize" => self.slopes(vec![force]),
            "linearize_with_multipliers" => self.slopes(vec![force, multipliers]),
            _ => return Err(Stop::Uncovered(Gap::Unknown)),
        })
    }
}

impl Leaves<Residue> for At<'_> {
    fn leaf(&self, symbol: SymbolId) -> Result<Residue, Stop> {
        self.given.leaf(symbol)
    }
}

impl Leaves<Residue> for Given<'_> {
    fn leaf(&self, symbol: SymbolId) -> Result<Residue, Stop> {
        Ok(match self.model.symbols[symbol.index()].role {
            Role::Time => self.t,
            Role::Coordinate(i) => self.q[i],
            Role::Velocity(i) => self.v[i],
            Role::InverseMass(i) => self.weights.masses[i],
            Role::InverseInertia(i) => self.weights.inertias[i],
            Role::Force(i) => self.f[i],
            Role::RightHandSide(i) => self.b.get(i).copied().unwrap_or_default(),
            Role::Mass => self.mass,
            Role::Parameter {
                parameter,
                component,
            } => self.parameters[parameter][component],
            Role::Tangent(i) => self.tangent.get(i).copied().unwrap_or_default(),
            Role::ForceAdjoint(i) => self.counted[0].get(i).copied().unwrap_or_default(),
            Role::MultiplierAdjoint(i) => self.counted[1].get(i).copied().unwrap_or_default(),
            _ => Residue::ZERO,
        })
    }
}

impl Subject for At<'_> {
    fn facts(&self, name: &str, point: &mut Point) -> Result<Facts, Stop> {
        let along = |values| Facts::Along(self.u.clone(), values);
        match name {
            "jacobian" => return Ok(along(self.all(|row| row.jacobian))),
            "jacobian_dot" => return Ok(along(self.all(|row| row.jacobian_dot))),
            "value" | "rate" | "bias" => {}
            // All others depend on J.
            _ if self.jacobian.is_empty() => return Err(Stop::UNREAD),
            _ => {}
        }
        Ok(Facts::Values(match name {
            "value" => self.all(|row| row.value),
            "rate" => self.all(|row| row.rate),
            "bias" => self.all(|row| row.bias),
            "multipliers" => self.solved()?.to_vec(),
            "force" => self.force(self.solved()?),
            "particle_force" => {
                let weights = Weights::of_particle(self.given.q.len(), self.given.mass)?;
                self.force(&self.multipliers(&weights)?)
            }
            "delassus" => self.delassus(&self.given.weights).concat(),
            "rows" => self.together(),
            "solve" => linear::solve(self.delassus(&self.given.weights), self.given.b.clone())?,
            "impulses" => {
                let stop = self.rows.iter().map(|row| -row.rate).collect_vec();
                linear::solve(self.delassus(&self.given.weights), stop)?
            }
            _ => return self.of_derivatives(name, point),
        }))
    }

    fn determines_others(&self, name: &str) -> bool {
        name == "jacobian"
    }

    fn is_determined_by_branches(&self) -> bool {
        true
    }

    fn record(&mut self, found: &[Residue]) {
        self.jacobian = found.chunks(self.u.len()).map(<[_]>::to_vec).collect_vec();
    }
}
