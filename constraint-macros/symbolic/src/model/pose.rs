//! Poses as functions of coordinates: `pose(place, angle)`, `pose(place, axis, angle)`, and their products.
//!
//! ```text
//! a * b:   p = pₐ + Rₐ p_b,    R = Rₐ R_b
//!          ω = R_bᵀ ωₐ + ω_b,  α = R_bᵀ αₐ + (R_bᵀ ωₐ)×ω_b + α_b                        in the frame of a * b
//!          v = vₐ + ωₐ×p_b + ṗ_b,  a = aₐ + αₐ×p_b + ωₐ×(ωₐ×p_b + 2 ṗ_b) + p̈_b        in the frame of a
//! ```
//! α, a, p̈ are at v̇ = 0. Each factor contains only its own coordinates, so that M and h of an arm contain only
//! the angles on which they depend; and no matrix is differentiated.

use std::rc::Rc;

use super::lower::Lowering;
use super::value::Value;
use super::{Role, Shape};
use crate::diagnostic::catalogue::{self, Kind};
use crate::diagnostic::{SourceRange, system};
use crate::expr::{CollectVec, ExprId, Function, Graph, MapEach, Number};
use crate::kinematics::turning;
use crate::syntax::ast::{Expr, Factor, name_of};

/// One factor of a product of poses: a frame that moves relative to the frame of the factors before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    /// The link before it; `None` for the world.
    pub from: Option<usize>,
    /// Its origin p in the frame before it.
    pub place: Vec<ExprId>,
    /// ṗ, and p̈ at v̇ = 0, in the frame before it.
    pub rates: Rates,
    /// The columns of its rotation R.
    pub axes: Vec<Vec<ExprId>>,
    /// ω relative to the frame before it, and its derivative at v̇ = 0, in its own frame.
    pub spin: Rates,
}

/// A place and a rotation, with their rates.
#[derive(Clone, Debug)]
pub(super) struct Pose {
    /// Its name in messages.
    pub name: String,
    pub shape: Shape,
    /// p, in the world.
    pub place: Vec<ExprId>,
    /// The columns of R: the pose's axes in the world.
    axes: Vec<Vec<ExprId>>,
    /// The angle of a pose in the plane.
    angle: Option<ExprId>,
    /// ω in the world.
    pub spin: Vec<ExprId>,
    /// ω and α in its own frame.
    pub own_spin: Rates,
    /// v and a of its place, in the frame of the factors before the last.
    pub outer: Rates,
    /// v and a of its place in its own frame.
    own: Rates,
    /// Whether it is a product of several factors.
    is_product: bool,
    /// Its last factor; `None` for the ground.
    pub link: Option<usize>,
}

/// A velocity, and its derivative at v̇ = 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The derivatives of their names.
pub struct Rates {
    pub first: Vec<ExprId>,
    pub second: Vec<ExprId>,
}

impl Pose {
    /// The world's own frame.
    pub fn ground(graph: &mut Graph, shape: Shape) -> Pose {
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        let size = shape.len();
        let still = |n: usize| Rates {
            first: vec![zero; n],
            second: vec![zero; n],
        };
        let spin = if size == 3 { 3 } else { 1 };
        let axis = |i: usize| {
            (0..size)
                .map(|k| if k == i { one } else { zero })
                .collect_vec()
        };
        Pose {
            name: "the ground".to_owned(),
            shape,
            place: vec![zero; size],
            axes: (0..size).map(axis).collect_vec(),
            angle: (size == 2).then_some(zero),
            spin: vec![zero; spin],
            own_spin: still(spin),
            outer: still(size),
            own: still(size),
            is_product: false,
            link: None,
        }
    }

    /// The columns of R.
    pub fn axes(&self) -> &[Vec<ExprId>] {
        &self.axes
    }

    /// R u; the spin of a plane pose is one number and stays the same.
    pub fn turned(&self, graph: &mut Graph, u: &[ExprId]) -> Vec<ExprId> {
        if u.len() != self.axes.len() {
            return u.to_vec();
        }
        let component = |i: usize| {
            let along = self.axes.iter().map(|axis| axis[i]);
            graph.dot(&along.collect_vec(), u)
        };
        (0..u.len()).map(component).collect_vec()
    }

    /// Rᵀ x; the spin of a plane pose is one number and stays the same.
    fn own(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        if x.len() != self.axes.len() {
            return x.to_vec();
        }
        self.axes
            .iter()
            .map(|axis| graph.dot(axis, x))
            .collect_vec()
    }

    fn own_rates(&self, graph: &mut Graph, rates: &Rates) -> Rates {
        Rates {
            first: self.own(graph, &rates.first),
            second: self.own(graph, &rates.second),
        }
    }

    /// p + R u
    pub fn point(&self, graph: &mut Graph, u: &[ExprId]) -> Vec<ExprId> {
        let turned = self.turned(graph, u);
        sum(graph, &[&self.place, &turned])
    }

    /// The product `from * self`.
    fn relative_to(&self, graph: &mut Graph, from: &Pose) -> Pose {
        let angle = match (from.angle, self.angle) {
            (Some(a), Some(b)) => Some(graph.add(a, b)),
            _ => None,
        };
        let axes = match angle {
            Some(angle) => turn_of_the_plane(graph, angle),
            None => {
                let axes = self.axes.iter();
                axes.map(|axis| from.turned(graph, axis)).collect_vec()
            }
        };
        let spin = from.turned(graph, &self.spin);
        let mut pose = Pose {
            name: self.name.clone(),
            shape: self.shape,
            place: from.point(graph, &self.place),
            axes,
            angle,
            spin: sum(graph, &[&from.spin, &spin]),
            own_spin: self.composed_spin(graph, from),
            outer: self.composed_rates(graph, from),
            own: self.own.clone(),
            is_product: true,
            link: None,
        };
        pose.own = self.own_rates(graph, &pose.outer);
        pose
    }

    /// ω and α of the product `from * self`, in the frame of `self`.
    fn composed_spin(&self, graph: &mut Graph, from: &Pose) -> Rates {
        let of = self.own_rates(graph, &from.own_spin);
        let own = &self.own_spin;
        let second = match (&of.first[..], &own.first[..]) {
            (&[x, y, z], &[a, b, c]) => {
                let turned = graph.cross([x, y, z], [a, b, c]);
                sum(graph, &[&of.second, &turned, &own.second])
            }
            _ => sum(graph, &[&of.second, &own.second]),
        };
        Rates {
            first: sum(graph, &[&of.first, &own.first]),
            second,
        }
    }

    /// v and a of the product's place in the frame of `from`; the rates of `self` are in the same frame.
    fn composed_rates(&self, graph: &mut Graph, from: &Pose) -> Rates {
        let (spin, relative) = (&from.own_spin, &self.outer);
        let swept = turning(graph, &spin.first, &self.place);
        let sliding = relative
            .first
            .iter()
            .map(|&rate| graph.scale(rate, Number::integer(2)));
        let sliding: Vec<ExprId> = sliding.collect_vec();
        let swept_and_sliding = sum(graph, &[&swept, &sliding]);
        let inward = turning(graph, &spin.first, &swept_and_sliding);
        let onward = turning(graph, &spin.second, &self.place);
        Rates {
            first: sum(graph, &[&from.own.first, &swept, &relative.first]),
            second: sum(
                graph,
                &[&from.own.second, &onward, &inward, &relative.second],
            ),
        }
    }
}

/// Entry-by-entry sum.
fn sum(graph: &mut Graph, vectors: &[&[ExprId]]) -> Vec<ExprId> {
    let entries = 0..vectors.first().map_or(0, |first| first.len());
    let entry = |i: usize| {
        let terms: Vec<_> = vectors.iter().map(|it| (it[i], Number::ONE)).collect_vec();
        graph.sum(&terms)
    };
    entries.map(entry).collect_vec()
}

/// The columns of the rotation by an angle.
fn turn_of_the_plane(graph: &mut Graph, angle: ExprId) -> Vec<Vec<ExprId>> {
    let sin = graph.call(Function::Sin, &[angle]);
    let cos = graph.call(Function::Cos, &[angle]);
    vec![vec![cos, sin], vec![graph.neg(sin), cos]]
}

/// An axis as written, |a|² and a/|a|.
struct Axis {
    entries: [ExprId; 3],
    square: ExprId,
    unit: [ExprId; 3],
}

/// The columns of c 1 + s a×/|a| + (1 − c) a aᵀ/|a|²: only the sine brings a root into a turn about an oblique axis.
fn turn_about(graph: &mut Graph, axis: &Axis, angle: ExprId) -> Vec<Vec<ExprId>> {
    let sin = graph.call(Function::Sin, &[angle]);
    let cos = graph.call(Function::Cos, &[angle]);
    let one = graph.number(Number::ONE);
    let rest = graph.sub(one, cos);
    let column = |k: usize| {
        let entry = |i: usize| {
            let product = graph.mul(axis.entries[i], axis.entries[k]);
            let square = graph.div(product, axis.square);
            if i == k {
                // c + (1 − c) a², which is 1 if a² is 1 and c if it is 0.
                if square == one {
                    return one;
                }
                let along = graph.mul(rest, square);
                return graph.add(cos, along);
            }
            let along = graph.mul(rest, square);
            let across = graph.mul(sin, axis.unit[3 - i - k]);
            if (i + 1) % 3 == k {
                graph.sub(along, across)
            } else {
                graph.add(along, across)
            }
        };
        [0, 1, 2].map_each(entry).to_vec()
    };
    (0..3).map(column).collect_vec()
}

impl Lowering<'_> {
    /// Whether a word is the function `pose`, which exists only in systems.
    pub fn is_pose(&self, name: &str) -> bool {
        self.system.is_some() && name == "pose" && self.user_usage(name).is_none()
    }

    /// `pose(place)`, `pose(place, angle)`, `pose(place, axis, angle)`
    pub fn pose(&mut self, arguments: &[Expr], name: SourceRange, range: SourceRange) -> Value {
        let values: Vec<Value> = arguments.iter().map(|it| self.value(it)).collect_vec();
        let kinds: Option<Vec<Kind>> = values.iter().map(Value::kind).collect();
        let Some(kinds) = kinds else {
            return Value::Poison;
        };
        let size = match kinds.first() {
            Some(&Kind::Vector(size)) => size,
            Some(&found) => {
                return self.report(catalogue::expected_vector(arguments[0].range, found));
            }
            None => 2,
        };
        let expected = if size == 2 { 1..=2 } else { 1..=3 };
        if !expected.contains(&values.len()) || (size, values.len()) == (3, 2) {
            return self.report(system::pose_arguments(name, size, values.len()));
        }
        for (value, argument) in values.iter().zip(arguments) {
            if !self.is_place(value, argument.range) {
                return Value::Poison;
            }
        }
        let last = arguments.last().map_or(range, |last| last.range);
        let place = values[0].components();
        match &values[1..] {
            [] => self.unturned(place),
            [angle] => match self.as_scalar(angle, last) {
                Some(angle) => self.turned_in_the_plane(place, angle),
                None => Value::Poison,
            },
            [axis, angle, ..] => {
                let axis = self.axis(axis, arguments[1].range);
                match (axis, self.as_scalar(angle, last)) {
                    (Some(axis), Some(angle)) => self.turned_in_space(place, &axis, angle),
                    _ => Value::Poison,
                }
            }
        }
    }

    /// Whether a value depends on positions but not on velocities; otherwise reports that.
    fn is_place(&mut self, value: &Value, range: SourceRange) -> bool {
        let place = |role| !matches!(role, Role::Velocity(_) | Role::Input(_));
        let mut components = value.components().iter();
        let found = components.find_map(|&id| self.depends(id, place));
        let refused = found.map(|it| system::mentions(range, "a pose", it.on, it.name));
        let is_place = refused.is_none();
        refused.into_iter().for_each(|it| _ = self.report(it));
        is_place
    }

    /// An axis that contains only parameters and numbers; otherwise reports the mistake.
    fn axis(&mut self, value: &Value, range: SourceRange) -> Option<Axis> {
        let &[x, y, z] = value.components() else {
            let found = value.kind()?;
            self.report(system::axis_of_no_space(range, found));
            return None;
        };
        let entries = [x, y, z];
        let fixed = |role| matches!(role, Role::Parameter { .. });
        if let Some(found) = entries.iter().find_map(|&id| self.depends(id, fixed)) {
            let diagnostic = system::mentions(range, "an axis", found.on, found.name);
            self.report(diagnostic);
            return None;
        }
        let graph = self.graph();
        let square = graph.dot(&entries, &entries);
        if graph.is_zero(square) {
            self.report(system::axis_of_no_length(range));
            return None;
        }
        let length = graph.call(Function::Sqrt, &[square]);
        let unit = entries.map_each(|entry| graph.div(entry, length));
        Some(Axis {
            entries,
            square,
            unit,
        })
    }

    fn unturned(&mut self, place: &[ExprId]) -> Value {
        let graph = self.graph();
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        let plane = place.len() == 2;
        let unit = |k: usize| (0..place.len()).map(move |i| if i == k { one } else { zero });
        let axes = (0..place.len())
            .map(|k| unit(k).collect_vec())
            .collect_vec();
        let spin = vec![zero; if plane { 1 } else { 3 }];
        self.new_pose(place, axes, plane.then_some(zero), [spin.clone(), spin])
    }

    fn turned_in_the_plane(&mut self, place: &[ExprId], angle: ExprId) -> Value {
        let (first, second) = self.derivatives(angle);
        let axes = turn_of_the_plane(self.graph(), angle);
        self.new_pose(place, axes, Some(angle), [vec![first], vec![second]])
    }

    fn turned_in_space(&mut self, place: &[ExprId], axis: &Axis, angle: ExprId) -> Value {
        let (first, second) = self.derivatives(angle);
        let graph = self.graph();
        let axes = turn_about(graph, axis, angle);
        let along = |rate: ExprId| axis.unit.map_each(|entry| graph.mul(entry, rate)).to_vec();
        let rates = [first, second].map(along);
        self.new_pose(place, axes, None, rates)
    }

    /// A pose of one factor, whose spin is the same in the world and in its own frame.
    fn new_pose(
        &mut self,
        place: &[ExprId],
        axes: Vec<Vec<ExprId>>,
        angle: Option<ExprId>,
        [spin, spin_rate]: [Vec<ExprId>; 2],
    ) -> Value {
        let rates = place.iter().map(|&id| self.derivatives(id));
        let (first, second) = rates.unzip();
        let outer = Rates { first, second };
        let mut pose = Pose {
            name: "pose".to_owned(),
            shape: if place.len() == 2 {
                Shape::Plane
            } else {
                Shape::Space
            },
            place: place.to_vec(),
            axes,
            angle,
            spin: spin.clone(),
            own_spin: Rates {
                first: spin,
                second: spin_rate,
            },
            own: outer.clone(),
            outer,
            is_product: false,
            link: None,
        };
        pose.own = pose.own_rates(self.graph(), &pose.outer);
        pose.link = self.link(&pose, None);
        Value::Pose(Rc::new(pose))
    }

    /// The link that a factor is after the link `from`.
    fn link(&mut self, factor: &Pose, from: Option<usize>) -> Option<usize> {
        let links = &mut self.system.as_mut()?.links;
        links.push(Link {
            from,
            place: factor.place.clone(),
            rates: factor.outer.clone(),
            axes: factor.axes.clone(),
            spin: factor.own_spin.clone(),
        });
        Some(links.len() - 1)
    }

    /// `a * b * c`, each pose relative to the one before it.
    pub fn product_of_bodies(&mut self, factors: &[Factor], values: &[Value]) -> Value {
        let is_body = |value: &Value| matches!(value, Value::Body(_) | Value::Pose(_));
        if values.iter().any(|it| !is_body(it) && it.kind().is_none()) {
            return Value::Poison;
        }
        let all = values.iter().all(is_body) && factors.iter().all(|it| !it.inverse);
        if !all || self.system.is_none() {
            let first = values.iter().position(is_body).unwrap_or_default();
            let name = self.name_of_body(&values[first]);
            let range = factors[first].value.range;
            return self.report(catalogue::body_as_value(range, &name));
        }
        let mut product: Option<Pose> = None;
        for (factor, value) in factors.iter().zip(values) {
            let Some(pose) = self.as_pose(value) else {
                return Value::Poison;
            };
            product = match product {
                None => Some(pose),
                Some(before) if before.shape == pose.shape => {
                    let pose = self.as_one_factor(pose);
                    let link = self.link(&pose, before.link);
                    let product = pose.relative_to(self.graph(), &before);
                    Some(Pose { link, ..product })
                }
                Some(_) => {
                    return self.report(system::poses_of_two_spaces(factor.value.range));
                }
            };
        }
        product.map_or(Value::Poison, |pose| Value::Pose(Rc::new(pose)))
    }

    /// A product as a single factor: v and a of its place are in the frame of all factors before it, instead of the
    /// frame of its own last factor.
    fn as_one_factor(&mut self, pose: Pose) -> Pose {
        if !pose.is_product {
            return pose;
        }
        let rates = pose.place.iter().map(|&id| self.derivatives(id));
        let (first, second) = rates.unzip();
        Pose {
            outer: Rates { first, second },
            ..pose
        }
    }

    /// The pose of a body; a body with its own coordinates has one too.
    pub fn as_pose(&mut self, value: &Value) -> Option<Pose> {
        let index = match value {
            Value::Pose(pose) => return Some(Pose::clone(pose)),
            Value::Body(index) => *index,
            _ => return None,
        };
        let size = self.model.bodies[index].shape.len();
        let axes = (0..size).map(|k| self.axis_of_body(index, k)).collect_vec();
        let body = self.model.bodies[index].clone();
        let zero = self.graph().zero();
        let still = |rates: &[ExprId]| vec![zero; rates.len()];
        let mut pose = Pose {
            name: name_of(&body.name),
            shape: body.shape,
            place: body.position,
            axes,
            angle: None,
            own_spin: Rates {
                second: still(&body.angular_velocity),
                first: body.angular_velocity.clone(),
            },
            spin: body.angular_velocity,
            outer: Rates {
                second: still(&body.velocity),
                first: body.velocity.clone(),
            },
            own: Rates {
                first: Vec::new(),
                second: Vec::new(),
            },
            is_product: false,
            link: None,
        };
        pose.own_spin = pose.own_rates(self.graph(), &pose.own_spin);
        pose.own = pose.own_rates(self.graph(), &pose.outer);
        pose.link = self.link(&pose, None);
        Some(pose)
    }
}
