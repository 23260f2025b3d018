//! Bodies of the language: their leaves, their body-fixed vectors, and the functions that use them.
//!
//! A body-fixed vector u turned into the world, r = R u, is an *arm*: two or three leaves of the graph that
//! move with ṙ = ω×r. No derivative ever sees the numbers in R (a unit complex number, a unit quaternion);
//! they are substituted when the program is generated.

use proc_macro2::Ident;

use super::declarations::component_name;
use super::lower::Lowering;
use super::value::Value;
use super::{Model, Role, Shape};
use crate::diagnostic::catalogue::{self, Kind};
use crate::diagnostic::{SourceRange, system};
use crate::diff::Taylor;
use crate::expr::{CollectVec, ExprId, Node, Number, SymbolId};
use crate::syntax::ast::{Expr, ExprKind, name_of};

/// A rigid body among the coordinates.
#[derive(Clone, Debug)]
pub struct Body {
    /// The user's identifier, with the user's span.
    pub name: Ident,
    /// [`Shape::Plane`] for `Rigid2`, [`Shape::Space`] for `Rigid3`.
    pub shape: Shape,
    /// The place of the centre of mass.
    pub position: Vec<ExprId>,
    /// The rotation from the body's frame to the world's: re, im of a unit complex number, or i, j, k, w of a
    /// unit quaternion.
    pub rotation: Vec<ExprId>,
    /// v, the velocity of the centre of mass.
    pub velocity: Vec<ExprId>,
    /// ω in the world frame: one number in the plane, three in space.
    pub angular_velocity: Vec<ExprId>,
    /// Its arms, by their numbers in [`Model::arms`].
    pub arms: Vec<usize>,
}

/// A body-fixed vector and its leaves in the world.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Index into [`Model::bodies`].
    pub body: usize,
    /// u, in the body's frame; contains parameters and numbers only.
    pub fixed: Vec<ExprId>,
    /// Its name: `a_r1` for r1 fixed to a.
    pub label: String,
    /// r = R u, in the world's frame.
    pub leaves: Vec<ExprId>,
}

impl Model {
    /// The number of velocities of one body: 3 in the plane, 6 in space.
    pub fn body_velocities(&self) -> usize {
        let first = self.bodies.first();
        first.map_or(0, |body| body.velocity.len() + body.angular_velocity.len())
    }

    /// Whether any of the expressions contains a velocity.
    pub fn mentions_velocity(&self, roots: impl IntoIterator<Item = ExprId>) -> bool {
        let reachable = self.graph.reachable(roots);
        reachable.into_iter().any(|id| {
            let role = self.role(id);
            matches!(role, Some(Role::Velocity(_)))
        })
    }

    /// The role of a leaf.
    pub fn role(&self, id: ExprId) -> Option<Role> {
        match *self.graph.node(id) {
            Node::Symbol(symbol) => Some(self.symbols.get(symbol.index())?.role),
            _ => None,
        }
    }
}

/// The functions of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfBody {
    At,
    Dir,
    Velocity,
    AngularVelocity,
}

impl Lowering<'_> {
    /// Declares a body. All bodies of a joint have the same dimension, and a joint has no other coordinates.
    pub fn body(&mut self, ident: &Ident, shape: Shape, ty: &Ident) -> Value {
        if let Some(plain) = self.model.coordinates.first() {
            let (range, name) = (plain.name.span().into(), name_of(&plain.name));
            return self.report(catalogue::coordinate_among_bodies(range, &name));
        }
        if let Some(first) = self.model.bodies.first().filter(|b| b.shape != shape) {
            let first = name_of(&first.name);
            return self.report(catalogue::bodies_of_two_spaces(ty.span().into(), &first));
        }
        let index = self.model.bodies.len();
        let first = match shape {
            Shape::Space => (7 * index, 6 * index),
            _ => (4 * index, 3 * index),
        };
        Value::Body(self.new_body(ident, &name_of(ident), shape, first))
    }

    /// A body whose coordinates and velocities begin at the given numbers.
    pub fn new_body(
        &mut self,
        ident: &Ident,
        name: &str,
        shape: Shape,
        (q, v): (usize, usize),
    ) -> usize {
        let (turn, spin): (&[&str], &[&str]) = match shape {
            Shape::Space => (&["i", "j", "k", "w"], &[".x", ".y", ".z"]),
            _ => (&["re", "im"], &[""]),
        };
        let linear = shape.len();
        let model = &mut self.model;
        let mut leaves =
            |count: usize, role: &dyn Fn(usize) -> Role, name: &dyn Fn(usize) -> String| {
                let leaf = |i| model.add_leaf(role(i), name(i));
                (0..count).map(leaf).collect_vec()
            };
        let body = Body {
            name: ident.clone(),
            shape,
            position: leaves(linear, &|i| Role::Coordinate(q + i), &|i| {
                component_name(name, i)
            }),
            rotation: leaves(turn.len(), &|i| Role::Coordinate(q + linear + i), &|i| {
                format!("{name}.{}", turn[i])
            }),
            velocity: leaves(linear, &|i| Role::Velocity(v + i), &|i| {
                component_name(&format!("v_{name}"), i)
            }),
            angular_velocity: leaves(spin.len(), &|i| Role::Velocity(v + linear + i), &|i| {
                format!("omega_{name}{}", spin[i])
            }),
            arms: Vec::new(),
        };
        self.model.bodies.push(body);
        self.model.bodies.len() - 1
    }

    /// A call of a function of bodies with the right number of arguments.
    pub fn of_body(&mut self, function: OfBody, arguments: &[Expr], range: SourceRange) -> Value {
        match (function, arguments) {
            (OfBody::Velocity, [point]) => self.velocity(point, range),
            (OfBody::AngularVelocity, [body]) => match self.named_body(body) {
                Some(body) => Value::of_components(self.spin_of(&body).to_vec()),
                None => Value::Poison,
            },
            (_, [body, vector]) => self.body_fixed(function, body, vector),
            _ => Value::Poison,
        }
    }

    /// The value of an expression that may also be a body: `wheel`, `link[3]`, `pose(place, angle)`.
    pub fn value_or_body(&mut self, expr: &Expr) -> Value {
        match self.expr_or_body(expr) {
            Value::Condition(_) => self.report(catalogue::condition_as_value(expr.range)),
            value => value,
        }
    }

    /// Name of a body in messages.
    pub fn name_of_body(&self, body: &Value) -> String {
        match body {
            Value::Body(body) => name_of(&self.model.bodies[*body].name),
            Value::Pose(pose) => pose.name.clone(),
            _ => String::new(),
        }
    }

    /// The place of a body, or `None` for other values.
    pub fn place_of_body<'a>(&'a self, body: &'a Value) -> Option<&'a [ExprId]> {
        match body {
            Value::Body(body) => Some(&self.model.bodies[*body].position),
            Value::Pose(pose) => Some(&pose.place),
            _ => None,
        }
    }

    /// ω of a body in the world.
    pub fn spin_of<'a>(&'a self, body: &'a Value) -> &'a [ExprId] {
        match body {
            Value::Body(body) => &self.model.bodies[*body].angular_velocity,
            Value::Pose(pose) => &pose.spin,
            _ => &[],
        }
    }

    /// The body that an argument names: a free one, or one posed by coordinates.
    pub fn named_body(&mut self, expr: &Expr) -> Option<Value> {
        let value = self.value_or_body(expr);
        if let Value::Body(_) | Value::Pose(_) = value {
            return Some(value);
        }
        if value.kind().is_some() {
            let bodies = self.bodies_in_scope();
            let diagnostic = match self.system {
                Some(_) => system::expected_body(expr.range, &bodies),
                None => catalogue::expected_body(expr.range, &bodies),
            };
            self.report(diagnostic);
        }
        None
    }

    /// The names of bodies and of arrays of them.
    fn bodies_in_scope(&self) -> Vec<String> {
        let names = self.names.in_order().into_iter();
        let bodies = names.filter(|name| self.names.get(name).is_some_and(Value::holds_bodies));
        bodies.map(str::to_owned).collect_vec()
    }

    /// `at(body, r)` and `dir(body, u)`.
    fn body_fixed(&mut self, function: OfBody, body: &Expr, vector: &Expr) -> Value {
        let body = self.named_body(body);
        let value = self.value(vector);
        let (Some(body), Some(kind)) = (body, value.kind()) else {
            return Value::Poison;
        };
        let place = self.place_of_body(&body).unwrap_or_default().to_vec();
        let size = place.len();
        if kind != Kind::Vector(size) {
            let name = self.name_of_body(&body);
            return self.report(catalogue::body_fixed_vector(
                vector.range,
                kind,
                &name,
                size,
            ));
        }
        let label = match &vector.kind {
            ExprKind::Name(name) => Some(name_of(name)),
            _ => None,
        };
        let arm = match &body {
            Value::Pose(pose) => pose.turned(self.graph(), value.components()),
            Value::Body(index) => self.turned(*index, value.components(), label),
            _ => return Value::Poison,
        };
        if function == OfBody::Dir {
            return Value::Vector(arm);
        }
        let pairs = place.into_iter().zip(arm);
        Value::Vector(pairs.map(|(p, r)| self.graph().add(p, r)).collect_vec())
    }

    /// R u: one arm if u is fixed, otherwise its components along the arms of the axes.
    fn turned(&mut self, body: usize, u: &[ExprId], label: Option<String>) -> Vec<ExprId> {
        if u.iter().all(|&id| self.graph().is_zero(id)) {
            return u.to_vec();
        }
        if self.is_fixed(u) {
            return self.arm(body, u, label);
        }
        let axes = (0..u.len()).map(|k| self.axis_of_body(body, k));
        let axes: Vec<Vec<ExprId>> = axes.collect_vec();
        let along = |k: usize, lowering: &mut Self| {
            let terms = axes.iter().zip(u);
            let terms: Vec<_> = terms
                .map(|(axis, &u)| (lowering.graph().mul(u, axis[k]), Number::ONE))
                .collect_vec();
            lowering.graph().sum(&terms)
        };
        (0..u.len()).map(|k| along(k, self)).collect_vec()
    }

    /// Whether a vector contains parameters and numbers only.
    fn is_fixed(&self, u: &[ExprId]) -> bool {
        let leaves = self.model.graph.reachable(u.iter().copied());
        let mut roles = leaves.into_iter().filter_map(|id| self.model.role(id));
        roles.all(|role| matches!(role, Role::Parameter { .. }))
    }

    /// The arm of a fixed vector, added if new.
    pub fn arm(&mut self, body: usize, u: &[ExprId], label: Option<String>) -> Vec<ExprId> {
        let known = self.model.bodies[body].arms.iter();
        let mut known = known.map(|&arm| &self.model.arms[arm]);
        if let Some(arm) = known.find(|arm| arm.fixed == u) {
            return arm.leaves.clone();
        }
        let arm = self.model.arms.len();
        let label = label.unwrap_or_else(|| format!("arm{}", arm + 1));
        let name = format!("{}_{label}", name_of(&self.model.bodies[body].name));
        let leaf = |component| {
            let role = Role::Arm { arm, component };
            self.model.add_leaf(role, component_name(&name, component))
        };
        let leaves: Vec<ExprId> = (0..u.len()).map(leaf).collect_vec();
        self.model.arms.push(Arm {
            body,
            fixed: u.to_vec(),
            label: name,
            leaves: leaves.clone(),
        });
        self.model.bodies[body].arms.push(arm);
        self.seed_motion(body, &leaves);
        leaves
    }

    /// Axis eₖ of a body in the world.
    pub fn axis_of_body(&mut self, body: usize, k: usize) -> Vec<ExprId> {
        let size = self.model.bodies[body].shape.len();
        let graph = self.graph();
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        let axis: Vec<ExprId> = (0..size)
            .map(|i| if i == k { one } else { zero })
            .collect_vec();
        self.arm(body, &axis, Some(["ex", "ey", "ez"][k].to_owned()))
    }

    /// Adds an arm's rates to the motion of a system.
    fn seed_motion(&mut self, body: usize, arm: &[ExprId]) {
        if let Some(scope) = &mut self.system {
            let spin = &self.model.bodies[body].angular_velocity;
            scope.motion.seed_arm(spin, arm);
        }
    }

    /// Rates of time and of the places and arms of all bodies.
    fn motion(&mut self) -> Taylor {
        let model = &mut self.model;
        let (zero, one) = (model.graph.zero(), model.graph.number(Number::ONE));
        let time = model.symbols.iter().position(|s| s.role == Role::Time);
        let time = time.map(|time| (model.graph.symbol(SymbolId::new(time)), one, zero));
        let bodies = model.bodies.iter();
        let places = bodies.flat_map(|body| body.position.iter().zip(&body.velocity));
        let places = places.map(|(&place, &velocity)| (place, velocity, zero));
        let mut motion = Taylor::new(time.into_iter().chain(places));
        for arm in &model.arms {
            let spin = &model.bodies[arm.body].angular_velocity;
            motion.seed_arm(spin, &arm.leaves);
        }
        motion
    }

    /// `velocity(p)`: the time derivative of a point or vector that bodies carry.
    fn velocity(&mut self, point: &Expr, range: SourceRange) -> Value {
        let value = self.value(point);
        if self.model.bodies.is_empty() && value.kind().is_some() {
            return self.report(catalogue::velocity_without_bodies(range));
        }
        if self
            .model
            .mentions_velocity(value.components().iter().copied())
        {
            return self.report(catalogue::velocity_of_velocity(point.range));
        }
        let mut motion = self.motion();
        value.map(|id| motion.first(&mut self.model.graph, id))
    }
}
