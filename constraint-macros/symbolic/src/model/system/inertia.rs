//! Masses and inertias: one moment in the plane; in space three about the body's own axes, or a symmetric matrix.

use proc_macro2::Ident;

use super::super::pose::Pose;
use super::super::value::Value;
use super::super::{Role, Shape};
use super::statements::SystemBuilder;
use super::{Inertia, PointMass, PosedBody};
use crate::diagnostic::catalogue::{self, Kind};
use crate::diagnostic::{Diagnostic, SourceRange, system};
use crate::expr::{CollectVec, ExprId, Graph, MapEach, Number};
use crate::syntax::ast::{Expr, ExprKind, name_of};
use crate::syntax::keys_of;
use crate::syntax::statement::{Body, Particle};

/// Rotational inertia of a body in its own frame.
pub(super) struct Resistance {
    /// I
    tensor: Vec<Vec<ExprId>>,
}

impl SystemBuilder<'_> {
    /// The mass of a particle, with its source range; a missing or wrong mass is reported.
    pub fn mass(&mut self, particle: &Particle) -> Option<(ExprId, SourceRange)> {
        let name = &particle.declared[0].name;
        let [mass] = self.fields("particle", name, &particle.fields, ["mass"]);
        let value = mass?;
        Some((self.mass_value(value)?, value.range))
    }

    /// Mass and inertia of a body; missing or wrong values are reported.
    pub fn resistance(
        &mut self,
        body: &Body,
        shape: Shape,
    ) -> Option<((ExprId, SourceRange), Resistance)> {
        let (name, fields) = (&body.declared[0].name, body.fields.as_ref()?);
        let [mass, inertia] = self.fields("body", name, fields, ["mass", "inertia"]);
        let mass = mass.and_then(|value| Some((self.mass_value(value)?, value.range)));
        let inertia = inertia.and_then(|value| self.turning_resistance(value, shape));
        Some((mass?, inertia?))
    }

    /// The values of fields; unknown, repeated and missing fields are reported.
    fn fields<'a, const N: usize>(
        &mut self,
        owner: &str,
        name: &Ident,
        fields: &'a [(Ident, Expr)],
        expected: [&str; N],
    ) -> [Option<&'a Expr>; N] {
        let known = keys_of(owner);
        for (i, (field, _)) in fields.iter().enumerate() {
            let (range, text) = (field.span().into(), field.to_string());
            if !known.contains(&text.as_str()) {
                self.lowering
                    .report(system::unknown_field(range, owner, &text, &known));
            } else if fields[..i].iter().any(|(before, _)| before == field) {
                self.lowering.report(system::field_twice(range, &text));
            }
        }
        expected.map_each(|expected| {
            let given = fields.iter().find(|(field, _)| field == expected);
            if given.is_none() && self.lowering.diagnostics.is_empty() {
                let diagnostic =
                    system::without_field(name.span().into(), owner, &name_of(name), expected);
                self.lowering.report(diagnostic);
            }
            given.map(|(_, value)| value)
        })
    }

    /// A mass as a function of parameters only.
    fn mass_value(&mut self, value: &Expr) -> Option<ExprId> {
        let mass = self.parameters(value, "a mass", 1)?[0];
        if is_not_positive(self.lowering.graph(), mass) {
            self.lowering.report(system::mass_not_positive(value.range));
            return None;
        }
        Some(mass)
    }

    /// This many values as functions of parameters only.
    fn parameters(&mut self, value: &Expr, what: &str, count: usize) -> Option<Vec<ExprId>> {
        let found = self.lowering.value(value);
        let kind = found.kind()?;
        let expected = if count == 1 {
            Kind::Scalar
        } else {
            Kind::Vector(count)
        };
        if kind != expected {
            let diagnostic = match what {
                "a mass" => catalogue::expected_scalar(value.range, kind),
                _ => system::inertia_shape(value.range, count),
            };
            self.lowering.report(diagnostic);
            return None;
        }
        let parameter = |role| matches!(role, Role::Parameter { .. });
        let mut components = found.components().iter();
        components
            .all(|&id| self.independent(id, what, value.range, parameter))
            .then(|| found.components().to_vec())
    }

    pub fn add_mass(&mut self, mass: Option<(ExprId, SourceRange)>, place: &Value) {
        if let (Some((mass, range)), Value::Vector(place)) = (mass, place) {
            self.system.masses.push(PointMass {
                mass,
                place: place.clone(),
                range,
            });
        }
    }

    /// `inertia: i`, `inertia: [a, b, c]` or `inertia: [[a, b, c], [b, d, e], [c, e, f]]`.
    pub fn turning_resistance(&mut self, value: &Expr, shape: Shape) -> Option<Resistance> {
        let rows = match &value.kind {
            ExprKind::List(rows) if shape == Shape::Space && rows.iter().any(is_list) => Some(rows),
            _ => None,
        };
        let tensor = match rows {
            Some(rows) => self.matrix(rows, value.range)?,
            None => {
                let count = if shape == Shape::Space { 3 } else { 1 };
                let moments = self.parameters(value, "a moment of inertia", count)?;
                diagonal(self.lowering.graph().zero(), &moments)
            }
        };
        let place = |k| match rows {
            Some(_) => value.range,
            None => entry(value, k).unwrap_or(value).range,
        };
        if let Some(diagnostic) = impossible(self.lowering.graph(), &tensor, place) {
            self.lowering.report(diagnostic);
            return None;
        }
        Some(Resistance { tensor })
    }

    /// Three rows that equal the columns.
    fn matrix(&mut self, rows: &[Expr], range: SourceRange) -> Option<Vec<Vec<ExprId>>> {
        if rows.len() != 3 {
            self.lowering.report(system::inertia_shape(range, 3));
            return None;
        }
        let rows_read = rows
            .iter()
            .map(|row| self.parameters(row, "a moment of inertia", 3));
        let tensor: Vec<_> = rows_read.collect_vec().into_iter().collect::<Option<_>>()?;
        for (i, j) in [(1, 0), (2, 0), (2, 1)] {
            if tensor[i][j] != tensor[j][i] {
                let place = entry(&rows[i], j).unwrap_or(&rows[i]).range;
                let diagnostic = system::inertia_not_symmetric(place, (i, j));
                self.lowering.report(diagnostic);
                return None;
            }
        }
        Some(tensor)
    }

    /// Adds mass and inertia of a body whose pose is a function of coordinates.
    pub fn add_posed(
        &mut self,
        pose: &Pose,
        (mass, range): (ExprId, SourceRange),
        resistance: Resistance,
    ) {
        self.system.posed.push(PosedBody {
            name: pose.name.clone(),
            mass,
            range,
            tensor: resistance.tensor,
            place: pose.place.clone(),
            velocity: pose.outer.first.clone(),
            acceleration: pose.outer.second.clone(),
            spin: pose.own_spin.first.clone(),
            spin_rate: pose.own_spin.second.clone(),
            link: pose.link,
            axes: pose.axes().to_vec(),
        });
    }

    /// Adds mass and inertia of a body.
    pub fn add_inertia(&mut self, body: usize, mass: ExprId, resistance: &Resistance) {
        let Resistance { tensor } = resistance;
        let graph = self.lowering.graph();
        let common = (0..tensor.len())
            .min_by_key(|&common| differing(graph, tensor, common).len())
            .unwrap_or(0);
        let axes = differing(graph, tensor, common);
        let axes = axes.into_iter().map(|k| (k, self.own_axis(body, k)));
        let axes: Vec<_> = axes.collect_vec();
        let frame = (!axes.is_empty()).then(|| [0, 1, 2].map_each(|k| self.own_axis(body, k)));
        self.system.inertias.push(Inertia {
            body,
            mass,
            tensor: tensor.clone(),
            common,
            axes,
            frame,
        });
    }

    /// eₖ in the world.
    fn own_axis(&mut self, body: usize, k: usize) -> [ExprId; 3] {
        let arm = self.lowering.axis_of_body(body, k);
        [arm[0], arm[1], arm[2]]
    }
}

fn is_list(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::List(_))
}

/// Source range of an entry of a list.
fn entry(row: &Expr, j: usize) -> Option<&Expr> {
    match &row.kind {
        ExprKind::List(entries) => entries.get(j),
        _ => None,
    }
}

fn diagonal(zero: ExprId, moments: &[ExprId]) -> Vec<Vec<ExprId>> {
    let row = |i: usize| {
        let mut row = vec![zero; moments.len()];
        row[i] = moments[i];
        row
    };
    (0..moments.len()).map(row).collect_vec()
}

/// The axes whose rows of I − Iₖₖ 1 are not zero.
fn differing(graph: &Graph, tensor: &[Vec<ExprId>], common: usize) -> Vec<usize> {
    let differs = |&k: &usize| {
        let mut others = (0..tensor.len()).filter(|&l| l != k);
        tensor[k][k] != tensor[common][common] || others.any(|l| !graph.is_zero(tensor[k][l]))
    };
    (0..tensor.len()).filter(differs).collect_vec()
}

/// The message for a tensor that no body can have; `place` maps a moment or pivot to its source range.
fn impossible(
    graph: &mut Graph,
    tensor: &[Vec<ExprId>],
    place: impl Fn(usize) -> SourceRange,
) -> Option<Diagnostic> {
    let mut pivots = pivots(graph, tensor).into_iter();
    if let Some(k) = pivots.position(|pivot| is_not_positive(graph, pivot)) {
        return Some(system::inertia_not_positive(place(k)));
    }
    exceeding(graph, tensor).map(|k| system::inertia_impossible(place(k)))
}

/// The pivots of the elimination in the given order, up to the first that cannot be positive.
fn pivots(graph: &mut Graph, tensor: &[Vec<ExprId>]) -> Vec<ExprId> {
    let mut rest: Vec<Vec<ExprId>> = tensor.to_vec();
    let mut pivots = Vec::new();
    for k in 0..rest.len() {
        let pivot = rest[k][k];
        pivots.push(pivot);
        if is_not_positive(graph, pivot) {
            break;
        }
        let column: Vec<ExprId> = rest.iter().map(|row| row[k]).collect_vec();
        for (i, row) in rest.iter_mut().enumerate().skip(k + 1) {
            let factor = graph.div(column[i], pivot);
            for (entry, &below) in row.iter_mut().zip(&column).take(i + 1).skip(k + 1) {
                let product = graph.mul(factor, below);
                *entry = graph.sub(*entry, product);
            }
        }
    }
    pivots
}

/// The moment that exceeds the sum of the others by more than the rounding of typed numbers.
fn exceeding(graph: &Graph, tensor: &[Vec<ExprId>]) -> Option<usize> {
    let off_diagonal = |i: usize| (0..i).any(|j| !graph.is_zero(tensor[i][j]));
    if tensor.len() != 3 || (0..3).any(off_diagonal) {
        return None;
    }
    let moments = tensor.iter().enumerate();
    let moments: Option<Vec<f64>> = moments
        .map(|(i, row)| graph.as_number(row[i]).map(Number::to_f64))
        .collect();
    let moments = moments?;
    let sum: f64 = moments.iter().sum();
    moments.iter().position(|it| 2.0 * it - sum > 1e-3 * sum)
}

/// Whether a number is known to be zero or less.
fn is_not_positive(graph: &Graph, id: ExprId) -> bool {
    let number = graph.as_number(id);
    number.is_some_and(|number| number.to_f64() <= 0.0)
}
