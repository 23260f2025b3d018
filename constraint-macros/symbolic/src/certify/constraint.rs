//! Constraints on points and between bodies: C, J, Ċ, J̇ and β, K, λ, f̂ and K⁻¹ b.

use std::cell::OnceCell;
use std::rc::Rc;

use super::bodies::{Pose, Weights};
use super::checked::{Facts, Subject};
use super::field::Residue;
use super::linear::{self, Rows, dot};
use super::point::{Point, Stop};
use super::programs::Leaves;
use super::series::Series;
use super::tree::{Reader, Value, declared};
use super::{Certificate, Refuted, checked};
use crate::expr::SymbolId;
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
    checked::examine(model, functions, |point| At::new(tree, model, point))
}

/// All that functions are given at a point, and what they have to find.
struct At<'a> {
    model: &'a Model,
    t: Residue,
    q: Vec<Residue>,
    v: Vec<Residue>,
    weights: Weights,
    f: Vec<Residue>,
    b: Vec<Residue>,
    mass: Residue,
    /// A direction in which places or velocities may differ.
    u: Vec<Residue>,
    /// By parameter, component by component.
    parameters: Vec<Vec<Residue>>,
    rows: Vec<Row>,
    /// J, once the program is known to be right.
    jacobian: Rows,
    /// λ at the weights, once it is asked for.
    solved: OnceCell<Result<Vec<Residue>, Stop>>,
}

/// What a row is at the point, and J and J̇ along the direction.
struct Row {
    value: Residue,
    rate: Residue,
    bias: Residue,
    jacobian: Residue,
    jacobian_dot: Residue,
}

impl Row {
    /// Of points, which differ by ε u.
    fn of_points(row: &Series) -> Row {
        Row {
            value: row.value,
            rate: row.rate,
            bias: row.half_second + row.half_second,
            jacobian: row.along,
            jacobian_dot: row.along_rate,
        }
    }

    /// Of bodies, whose velocities differ by ε u: what differs at once is a relation of velocities.
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

impl<'a> At<'a> {
    fn new(tree: &Constraint, model: &'a Model, point: &mut Point) -> Result<At<'a>, Stop> {
        let parameters = model.parameters.iter();
        let parameters = parameters.map(|it| point.draws(it.scalars())).collect();
        let poses: Vec<Pose> = model
            .bodies
            .iter()
            .map(|it| Pose::new(it.shape, point))
            .collect();
        let n = match poses.len() {
            0 => model.coordinate_count(),
            bodies => bodies * model.body_velocities(),
        };
        let q = match poses.len() {
            0 => point.draws(n),
            _ => poses.iter().flat_map(Pose::coordinates).collect(),
        };
        let mut at = At {
            model,
            t: point.draw(),
            q,
            v: point.draws(n),
            weights: Weights::new(model, n, point),
            f: point.draws(n),
            b: point.draws(model.rows.len()),
            mass: point.draw(),
            u: point.draws(n),
            parameters,
            rows: Vec::new(),
            jacobian: Rows::new(),
            solved: OnceCell::new(),
        };
        let rows = at.read(tree, &poses, point)?;
        let row = if poses.is_empty() {
            Row::of_points
        } else {
            Row::of_bodies
        };
        at.rows = rows.iter().map(row).collect();
        Ok(at)
    }

    /// The equations at q + τ v + ε u and t + τ; of bodies at velocities v + ε u.
    fn read(
        &self,
        tree: &Constraint,
        poses: &[Pose],
        point: &mut Point,
    ) -> Result<Vec<Series>, Stop> {
        let series = |i: usize| Series {
            value: self.q[i],
            along: self.u[i],
            rate: self.v[i],
            ..Series::default()
        };
        let (mut names, mut first) = (declared(self.model, &self.parameters), 0);
        for coordinate in &self.model.coordinates {
            let own = (first..first + coordinate.shape.len()).map(series);
            first += coordinate.shape.len();
            let value = Value::shaped(coordinate.shape, own.collect());
            names.push((name_of(&coordinate.name), value));
        }
        let width = self
            .model
            .bodies
            .first()
            .map_or(1, |_| self.model.body_velocities());
        let motions = self.v.chunks(width).zip(self.u.chunks(width));
        for ((body, pose), (v, u)) in self.model.bodies.iter().zip(poses).zip(motions) {
            let value = Value::Body(Rc::new(pose.moving(v, u)));
            names.push((name_of(&body.name), value));
        }
        if let Some(time) = &self.model.time {
            let moves = Series {
                value: self.t,
                rate: Residue::ONE,
                ..Series::default()
            };
            names.push((name_of(time), Value::Scalar(moves)));
        }
        Reader::new(point, names).rows(&tree.body)
    }

    fn all(&self, get: fn(&Row) -> Residue) -> Vec<Residue> {
        self.rows.iter().map(get).collect()
    }

    /// J W Jᵀ
    fn delassus(&self, weights: &Weights) -> Rows {
        let weighted: Rows = self.jacobian.iter().map(|row| weights.times(row)).collect();
        let entries = |row: &Vec<Residue>| weighted.iter().map(|it| dot(row, it)).collect();
        self.jacobian.iter().map(entries).collect()
    }

    /// λ of J W (f + Jᵀ λ) + β = 0
    fn multipliers(&self, weights: &Weights) -> Result<Vec<Residue>, Stop> {
        let free = weights.times(&self.f);
        let rows = self.jacobian.iter().zip(&self.rows);
        let side = rows.map(|(j, row)| -(row.bias + dot(j, &free)));
        linear::solve(self.delassus(weights), side.collect())
    }

    /// λ
    fn solved(&self) -> Result<&[Residue], Stop> {
        let solved = self.solved.get_or_init(|| self.multipliers(&self.weights));
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
            self.delassus(&self.weights).concat(),
        ];
        rows.concat()
    }
}

impl Leaves for At<'_> {
    fn leaf(&self, symbol: SymbolId) -> Result<Residue, Stop> {
        Ok(match self.model.symbols[symbol.index()].role {
            Role::Time => self.t,
            Role::Coordinate(i) => self.q[i],
            Role::Velocity(i) => self.v[i],
            Role::InverseMass(i) => self.weights.masses[i],
            Role::InverseInertia(i) => self.weights.inertias[i],
            Role::Force(i) => self.f[i],
            Role::RightHandSide(i) => self.b[i],
            Role::Mass => self.mass,
            Role::Parameter {
                parameter,
                component,
            } => self.parameters[parameter][component],
            _ => Residue::ZERO,
        })
    }
}

impl Subject for At<'_> {
    fn facts(&self, name: &str) -> Result<Facts, Stop> {
        let along = |values| Facts::Along(self.u.clone(), values);
        match name {
            "jacobian" => return Ok(along(self.all(|row| row.jacobian))),
            "jacobian_dot" => return Ok(along(self.all(|row| row.jacobian_dot))),
            "value" | "rate" | "bias" => {}
            // All others are made of J.
            _ if self.jacobian.is_empty() => return Err(Stop::Uncovered),
            _ => {}
        }
        Ok(Facts::Values(match name {
            "value" => self.all(|row| row.value),
            "rate" => self.all(|row| row.rate),
            "bias" => self.all(|row| row.bias),
            "multipliers" => self.solved()?.to_vec(),
            "force" => self.force(self.solved()?),
            "particle_force" => {
                let weights = Weights::of_particle(self.q.len(), self.mass)?;
                self.force(&self.multipliers(&weights)?)
            }
            "delassus" => self.delassus(&self.weights).concat(),
            "rows" => self.together(),
            "solve" => linear::solve(self.delassus(&self.weights), self.b.clone())?,
            "impulses" => {
                let stop = self.rows.iter().map(|row| -row.rate).collect();
                linear::solve(self.delassus(&self.weights), stop)?
            }
            _ => return Err(Stop::Uncovered),
        }))
    }

    fn teaches(&self, name: &str) -> bool {
        name == "jacobian"
    }

    fn is_told_by_branches(&self) -> bool {
        true
    }

    fn learn(&mut self, found: &[Residue]) {
        self.jacobian = found.chunks(self.u.len()).map(<[_]>::to_vec).collect();
    }
}
