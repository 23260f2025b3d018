//! The statements of a system, one by one; `for` says its own again and again.

use std::collections::BTreeMap;

use proc_macro2::Ident;

use super::super::lower::{Lowering, component_name};
use super::super::value::Value;
use super::super::{Role, Shape};
use super::elements::{Growing, Kind as ElementKind};
use super::inertia::{Resistance, is_not_positive};
use super::{Coordinate, Declared, Force, Options, PointMass, RowName, System, Torque};
use crate::diagnostic::catalogue::{self, Kind};
use crate::diagnostic::{Diagnostics, SourceRange, system};
use crate::expr::{ExprId, Node};
use crate::syntax::ast::{Expr, ExprKind, name_of};
use crate::syntax::statement::{self, Body, For, Particle, Place, Statement, StatementKind};

/// Repetitions are written out up to this many statements.
const MAX_STATEMENTS: usize = 100_000;

/// The system being made.
pub(super) struct SystemBuilder<'d> {
    pub(super) lowering: Lowering<'d>,
    pub(super) system: System,
    /// The indices of the `for`s around the statement.
    indices: Vec<String>,
    statement_count: usize,
    /// The arrays that are declared element by element.
    pub(super) growing: BTreeMap<String, Growing>,
    /// By number of coordinate the declaration it belongs to; the same of velocities.
    pub(super) owners: Vec<usize>,
    pub(super) owners_of_velocities: Vec<usize>,
}

impl<'d> SystemBuilder<'d> {
    pub fn new(lowering: Lowering<'d>, options: Options) -> SystemBuilder<'d> {
        let system = System {
            model: lowering.model.clone(),
            defaults: Vec::new(),
            declared: Vec::new(),
            coordinates: Vec::new(),
            inputs: Vec::new(),
            places: Vec::new(),
            masses: Vec::new(),
            inertias: Vec::new(),
            torques: Vec::new(),
            forces: Vec::new(),
            potential: Vec::new(),
            dissipation: Vec::new(),
            kinetic: Vec::new(),
            rows: Vec::new(),
            signatures: Default::default(),
            options,
        };
        SystemBuilder {
            lowering,
            system,
            indices: Vec::new(),
            statement_count: 0,
            growing: BTreeMap::new(),
            owners: Vec::new(),
            owners_of_velocities: Vec::new(),
        }
    }

    pub fn finish(mut self, name: &Ident) -> (System, &'d mut Diagnostics) {
        self.close_arrays();
        if self.system.coordinates.is_empty() && self.lowering.diagnostics.is_empty() {
            let nothing = system::nothing_moves(name.span().into());
            self.lowering.report(nothing);
        }
        if let Some(scope) = self.lowering.system {
            self.system.signatures = scope.signatures;
        }
        self.system.model = self.lowering.model;
        (self.system, self.lowering.diagnostics)
    }

    pub fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            if self.is_too_large(statement.keyword) {
                return;
            }
            self.statement(statement);
        }
    }

    /// Counts a statement, or a round of a `for`; the first beyond the limit is reported.
    fn is_too_large(&mut self, range: SourceRange) -> bool {
        self.statement_count += 1;
        if self.statement_count == MAX_STATEMENTS + 1 {
            let diagnostic = system::too_large(range, MAX_STATEMENTS);
            self.lowering.report(diagnostic);
        }
        self.statement_count > MAX_STATEMENTS
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Function(function) => {
                if self.outside(statement.keyword, "fn") {
                    self.lowering.define(function);
                }
            }
            StatementKind::Const(name, _) => {
                if !self.outside(statement.keyword, "const") {
                    self.lowering.bind(name, Value::Poison);
                }
            }
            StatementKind::Let(name, value) => self.name(name, value),
            StatementKind::Coordinate(list) => {
                if self.outside(statement.keyword, "coordinate") {
                    list.iter().for_each(|it| self.points(it, Shape::Scalar));
                }
            }
            StatementKind::Input(list) => {
                if self.outside(statement.keyword, "input") {
                    list.iter().for_each(|input| self.input(input));
                }
            }
            StatementKind::Particle(particle) => self.particle(particle),
            StatementKind::Body(body) => self.body(body),
            StatementKind::Force(target, value) => self.force(target, value),
            StatementKind::Torque(target, value) => self.torque(target, value),
            StatementKind::Potential(value) => {
                let term = self.energy(value, "a potential", |role| {
                    !matches!(role, Role::Velocity(_) | Role::Input(_))
                });
                self.system.potential.extend(term);
            }
            StatementKind::Dissipation(value) => {
                let term = self.energy(value, "a dissipation", |role| {
                    !matches!(role, Role::Input(_))
                });
                self.system.dissipation.extend(term);
            }
            StatementKind::Kinetic(value) => {
                let term = self.energy(value, "a kinetic energy", |role| {
                    !matches!(role, Role::Input(_))
                });
                let range = value.range;
                let terms = term.map(|term| (term, range));
                self.system.kinetic.extend(terms);
            }
            StatementKind::Constraint(declared, relation) => self.constraint(declared, relation),
            StatementKind::For(repeated) => self.repeat(repeated),
        }
    }

    /// Whether the statement stands outside of all `for`s; reported where not.
    fn outside(&mut self, range: SourceRange, word: &str) -> bool {
        let outside = self.indices.is_empty();
        if !outside {
            self.lowering
                .report(system::declaration_in_for(range, word));
        }
        outside
    }

    fn name(&mut self, name: &Ident, value: &Expr) {
        let statement = crate::syntax::ast::Let {
            name: name.clone(),
            value: value.clone(),
        };
        self.lowering.lets(std::slice::from_ref(&statement));
    }
}

// ---- what moves ---------------------------------------------------------------------------------

impl SystemBuilder<'_> {
    /// New coordinates of one shape under a name: a value, or arrays of them.
    fn points(&mut self, declared: &statement::Declared, shape: Shape) {
        let lengths = self.lowering.lengths(&declared.brackets);
        let (text, owner) = (name_of(&declared.name), self.system.declared.len());
        let value = Value::of_elements(&text, &lengths, &mut |name| {
            self.point(name, shape, &declared.name, owner)
        });
        self.declare(declared, shape, false, lengths);
        self.lowering.bind(&declared.name, value);
    }

    /// A field of the coordinates, unless its name is taken.
    fn declare(
        &mut self,
        declared: &statement::Declared,
        shape: Shape,
        body: bool,
        lengths: Vec<usize>,
    ) {
        if self.is_free(&declared.name) {
            self.system.declared.push(Declared {
                name: declared.name.clone(),
                shape,
                body,
                lengths,
            });
        }
    }

    /// Whether a declaration of this name is the first; another is an error, which is reported when it is bound.
    fn is_free(&self, name: &Ident) -> bool {
        self.lowering.names.get(&name_of(name)).is_none()
    }

    fn point(&mut self, text: &str, shape: Shape, name: &Ident, owner: usize) -> Value {
        let scalars = (0..shape.len()).map(|component| {
            let name_of_scalar = match shape {
                Shape::Scalar => text.to_owned(),
                _ => component_name(text, component),
            };
            self.scalar_coordinate(name_of_scalar, name, owner)
        });
        Value::of_components(scalars.collect())
    }

    fn scalar_coordinate(&mut self, name: String, ident: &Ident, owner: usize) -> ExprId {
        let position = self.leaf(Role::Coordinate(self.owners.len()), name.clone());
        self.owners.push(owner);
        let velocity = Role::Velocity(self.system.coordinates.len());
        let velocity = self.leaf(velocity, format!("v_{name}"));
        self.degree_of_freedom(Some(position), velocity, name, ident);
        self.owners_of_velocities.push(owner);
        position
    }

    fn degree_of_freedom(
        &mut self,
        position: Option<ExprId>,
        velocity: ExprId,
        name: String,
        ident: &Ident,
    ) {
        if let Some(position) = position {
            let zero = self.lowering.graph().zero();
            self.lowering.seed(position, velocity, zero);
        }
        self.system.coordinates.push(Coordinate {
            position,
            velocity,
            name,
            range: ident.span().into(),
        });
    }

    fn leaf(&mut self, role: Role, name: String) -> ExprId {
        self.lowering.model.add_leaf(role, name)
    }

    fn input(&mut self, input: &statement::Input) {
        let declared = &input.declared;
        let shape = match input.ty.as_ref().map(Ident::to_string).as_deref() {
            None | Some("Real") => Shape::Scalar,
            Some("Vector2") => Shape::Plane,
            Some("Vector3") => Shape::Space,
            Some(other) => {
                let range = input.ty.as_ref().unwrap_or(&declared.name).span().into();
                self.lowering.report(system::input_type(range, other));
                return self.lowering.bind(&declared.name, Value::Poison);
            }
        };
        let lengths = self.lowering.lengths(&declared.brackets);
        let mut first: usize = self.system.inputs.iter().map(Declared::scalars).sum();
        let text = name_of(&declared.name);
        let value = Value::of_elements(&text, &lengths, &mut |name| {
            let element = self
                .lowering
                .leaves(name, shape, |i| Role::Input(first + i));
            first += shape.len();
            element
        });
        if self.is_free(&declared.name) {
            self.system.inputs.push(Declared {
                name: declared.name.clone(),
                shape,
                body: false,
                lengths,
            });
        }
        self.lowering.bind(&declared.name, value);
    }

    fn particle(&mut self, particle: &Particle) {
        match &particle.place {
            Place::Invalid => self.nothing(&particle.declared),
            Place::Own(ty) => {
                let shape = match ty.to_string().as_str() {
                    "Point2" => Shape::Plane,
                    "Point3" => Shape::Space,
                    other => {
                        let range = ty.span().into();
                        self.lowering.report(system::particle_type(range, other));
                        return self.nothing(&particle.declared);
                    }
                };
                self.own_particles(particle, shape);
            }
            Place::At(place) => self.placed(particle, place),
        }
    }

    /// Names of which nothing more is known.
    fn nothing(&mut self, declared: &[statement::Declared]) {
        for declared in declared {
            self.lowering.bind(&declared.name, Value::Poison);
        }
    }

    /// Particles with coordinates of their own, arrays of them, or, in a `for`, elements.
    fn own_particles(&mut self, particle: &Particle, shape: Shape) {
        let first = self.system.coordinates.len();
        for declared in &particle.declared {
            if self.indices.is_empty() {
                self.points(declared, shape);
                continue;
            }
            let Some(indices) = self.next_element(declared, ElementKind::Particle(shape)) else {
                return;
            };
            let (name, owner) = (element_name(declared, &indices), self.owner_of(declared));
            let value = self.point(&name, shape, &declared.name, owner);
            let text = name_of(&declared.name);
            self.lowering.names.push_element(&text, &indices, value);
        }
        let mass = self.mass(particle);
        let positions = self.system.coordinates[first..].iter();
        let positions: Vec<ExprId> = positions.filter_map(|it| it.position).collect();
        for place in positions.chunks(shape.len()) {
            self.add_mass(mass, &Value::Vector(place.to_vec()));
        }
    }

    /// The indices of the element that is declared here, if it is the next; what is wrong is reported.
    fn next_element(
        &mut self,
        declared: &statement::Declared,
        kind: ElementKind,
    ) -> Option<Vec<usize>> {
        if let Some(index) = self.indices.last().filter(|_| declared.brackets.is_empty()) {
            let (range, name) = (declared.name.span().into(), name_of(&declared.name));
            let diagnostic = system::repeated_without_index(range, &name, index);
            self.lowering.report(diagnostic);
            return None;
        }
        let indices = self.indices_of(declared)?;
        self.grows(declared, &indices, kind).then_some(indices)
    }

    /// `particle a = place`, or element i of an array of such.
    fn placed(&mut self, particle: &Particle, place: &Expr) {
        let [declared] = &particle.declared[..] else {
            return;
        };
        let value = self.lowering.value(place);
        let value = match value.kind() {
            Some(Kind::Vector(_)) | None => value,
            Some(Kind::Scalar) => Value::Vector(value.components().to_vec()),
            Some(found) => self
                .lowering
                .report(catalogue::expected_vector(place.range, found)),
        };
        let value = self.place(value, place.range);
        let value = self.placeholder(
            &value,
            &name_of(&declared.name),
            !declared.brackets.is_empty(),
        );
        let mass = self.mass(particle);
        self.add_mass(mass, &value);
        if declared.brackets.is_empty() {
            return self.lowering.bind(&declared.name, value);
        }
        if let Some(indices) = self.next_element(declared, ElementKind::Placed) {
            let text = name_of(&declared.name);
            self.lowering.names.push_element(&text, &indices, value);
        }
    }

    /// The place itself, if it is one: made of what moves, not of how fast.
    fn place(&mut self, value: Value, range: SourceRange) -> Value {
        let place = |role| !matches!(role, Role::Velocity(_) | Role::Input(_));
        let mut components = value.components().iter();
        if components.all(|&id| self.independent(id, "a place", range, place)) {
            value
        } else {
            Value::Poison
        }
    }

    /// Leaves in the place of what moves, so that everything that pushes a particle is collected there before
    /// it is handed on to the coordinates.
    fn placeholder(&mut self, value: &Value, name: &str, element: bool) -> Value {
        let mut component = 0;
        value.map(|id| {
            let name = component_name(
                &if element {
                    format!("{name}[]")
                } else {
                    name.to_owned()
                },
                component,
            );
            component += 1;
            let graph = self.lowering.graph();
            if matches!(graph.node(id), Node::Symbol(_) | Node::Number(_)) {
                return id;
            }
            let leaf = self.leaf(Role::Place, name);
            let (first, second) = self.lowering.derivatives(id);
            self.lowering.seed(leaf, first, second);
            self.system.places.push((leaf, id));
            leaf
        })
    }

    fn mass(&mut self, particle: &Particle) -> Option<(ExprId, SourceRange)> {
        let mut mass = None;
        for (field, value) in &particle.fields {
            if field != "mass" {
                let found = field.to_string();
                let diagnostic = system::unknown_field(field.span().into(), "particle", &found);
                self.lowering.report(diagnostic);
                continue;
            }
            if mass.is_some() {
                let diagnostic = system::field_twice(field.span().into(), "mass");
                self.lowering.report(diagnostic);
            }
            mass = self.mass_value(value).map(|id| (id, value.range));
        }
        let names_mass = particle.fields.iter().any(|(field, _)| field == "mass");
        if !names_mass && self.lowering.diagnostics.is_empty() {
            let ident = &particle.declared[0].name;
            let diagnostic = system::particle_without_mass(ident.span().into(), &name_of(ident));
            self.lowering.report(diagnostic);
        }
        mass
    }

    fn body(&mut self, body: &Body) {
        let shape = match body.ty.to_string().as_str() {
            "Rigid2" => Shape::Plane,
            "Rigid3" => Shape::Space,
            other => {
                let diagnostic = system::body_type(body.ty.span().into(), other);
                self.lowering.report(diagnostic);
                return self.nothing(&body.declared);
            }
        };
        let first = self.lowering.model.bodies.len();
        for declared in &body.declared {
            if self.indices.is_empty() {
                self.bodies(declared, shape);
                continue;
            }
            let Some(indices) = self.next_element(declared, ElementKind::Body(shape)) else {
                return;
            };
            let (name, owner) = (element_name(declared, &indices), self.owner_of(declared));
            let value = Value::Body(self.rigid(&name, shape, &declared.name, owner));
            let text = name_of(&declared.name);
            self.lowering.names.push_element(&text, &indices, value);
        }
        let Some((mass, inertia)) = self.resistance(body, shape) else {
            return;
        };
        for body in first..self.lowering.model.bodies.len() {
            self.add_inertia(body, mass, &inertia);
        }
    }

    /// New bodies: one, or arrays of them.
    fn bodies(&mut self, declared: &statement::Declared, shape: Shape) {
        let lengths = self.lowering.lengths(&declared.brackets);
        let (text, owner) = (name_of(&declared.name), self.system.declared.len());
        let value = Value::of_elements(&text, &lengths, &mut |name| {
            Value::Body(self.rigid(name, shape, &declared.name, owner))
        });
        self.declare(declared, shape, true, lengths);
        self.lowering.bind(&declared.name, value);
    }

    fn rigid(&mut self, text: &str, shape: Shape, name: &Ident, owner: usize) -> usize {
        let first = (self.owners.len(), self.system.coordinates.len());
        let index = self.lowering.new_body(name, text, shape, first);
        let body = self.lowering.model.bodies[index].clone();
        let scalars = body.position.len() + body.rotation.len();
        self.owners.extend(std::iter::repeat_n(owner, scalars));
        for (i, (&position, &velocity)) in body.position.iter().zip(&body.velocity).enumerate() {
            self.degree_of_freedom(Some(position), velocity, component_name(text, i), name);
        }
        for (i, &spin) in body.angular_velocity.iter().enumerate() {
            let about = match shape {
                Shape::Space => component_name(&format!("{text}.omega"), i),
                _ => format!("{text}.omega"),
            };
            self.degree_of_freedom(None, spin, about, name);
        }
        let velocities = self.system.coordinates.len();
        self.owners_of_velocities.resize(velocities, owner);
        index
    }

    /// Mass and inertia; what is missing or wrong is reported.
    fn resistance(&mut self, body: &Body, shape: Shape) -> Option<(ExprId, Resistance)> {
        let fields = body.fields.as_ref()?;
        let (mut mass, mut inertia) = (None, None);
        for (i, (field, value)) in fields.iter().enumerate() {
            let (range, text) = (field.span().into(), field.to_string());
            if fields[..i].iter().any(|(before, _)| before == field) {
                self.lowering.report(system::field_twice(range, &text));
                continue;
            }
            match text.as_str() {
                "mass" => mass = self.mass_value(value),
                "inertia" => inertia = self.turning_resistance(value, shape),
                _ => {
                    let diagnostic = system::unknown_field(range, "body", &text);
                    self.lowering.report(diagnostic);
                }
            }
        }
        for needed in ["mass", "inertia"] {
            let given = fields.iter().any(|(field, _)| field == needed);
            if !given && self.lowering.diagnostics.is_empty() {
                let ident = &body.declared[0].name;
                let range = ident.span().into();
                let diagnostic = system::body_without(range, &name_of(ident), needed);
                self.lowering.report(diagnostic);
            }
        }
        Some((mass?, inertia?))
    }

    /// A mass made of parameters alone.
    fn mass_value(&mut self, value: &Expr) -> Option<ExprId> {
        let mass = self.parameters(value, "a mass", 1)?[0];
        if is_not_positive(self.lowering.graph(), mass) {
            self.lowering.report(system::mass_not_positive(value.range));
            return None;
        }
        Some(mass)
    }

    /// So many values made of parameters alone.
    pub fn parameters(&mut self, value: &Expr, what: &str, count: usize) -> Option<Vec<ExprId>> {
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

    fn add_mass(&mut self, mass: Option<(ExprId, SourceRange)>, place: &Value) {
        if let (Some((mass, range)), Value::Vector(place)) = (mass, place) {
            self.system.masses.push(PointMass {
                mass,
                place: place.clone(),
                range,
            });
        }
    }

    /// Whether an expression depends on nothing but what is allowed; reported where not.
    fn independent(
        &mut self,
        id: ExprId,
        what: &str,
        range: SourceRange,
        allowed: impl Fn(Role) -> bool,
    ) -> bool {
        match self.lowering.depends(id, allowed) {
            None => true,
            Some(found) => {
                self.lowering.report(system::mentions(range, what, found));
                false
            }
        }
    }
}

// ---- what pushes and what holds -----------------------------------------------------------------

impl SystemBuilder<'_> {
    fn force(&mut self, target: &Expr, value: &Expr) {
        if matches!(&target.kind, ExprKind::Call { function, .. } if function == "dir") {
            let diagnostic = system::force_on_a_direction(target.range);
            self.lowering.report(diagnostic);
            return;
        }
        let place = match self.lowering.value_or_body(target) {
            Value::Body(body) => Value::Vector(self.lowering.model.bodies[body].position.clone()),
            value => value,
        };
        let force = self.lowering.value(value);
        let (Some(of_place), Some(of_force)) = (place.kind(), force.kind()) else {
            return;
        };
        let coordinate =
            |role| matches!(role, Role::Coordinate(_) | Role::Arm { .. } | Role::Place);
        let moves = place.components().iter().any(|&id| {
            self.lowering
                .depends(id, |role| !coordinate(role))
                .is_some()
        });
        if !moves {
            self.lowering.report(system::no_target(target.range));
            return;
        }
        let compatible = place.components().len() == force.components().len();
        if !compatible {
            let diagnostic = catalogue::shape_mismatch(value.range, of_place, of_force);
            self.lowering.report(diagnostic);
            return;
        }
        self.system.forces.push(Force {
            place: place.components().to_vec(),
            value: force.components().to_vec(),
        });
    }

    fn torque(&mut self, target: &Expr, value: &Expr) {
        let found = self.lowering.value_or_body(target);
        let torque = self.lowering.value(value);
        let Value::Body(body) = found else {
            if found.kind().is_some() {
                let diagnostic = system::torque_on_no_body(target.range);
                self.lowering.report(diagnostic);
            }
            return;
        };
        let Some(kind) = torque.kind() else {
            return;
        };
        let space = self.lowering.model.bodies[body].shape == Shape::Space;
        let expected = if space { Kind::Vector(3) } else { Kind::Scalar };
        if kind != expected {
            let diagnostic = system::torque_shape(value.range, space);
            self.lowering.report(diagnostic);
            return;
        }
        self.system.torques.push(Torque {
            body,
            value: torque.components().to_vec(),
        });
    }

    fn energy(
        &mut self,
        value: &Expr,
        what: &str,
        allowed: impl Fn(Role) -> bool,
    ) -> Option<ExprId> {
        let id = self.lowering.scalar(value)?;
        self.independent(id, what, value.range, allowed)
            .then_some(id)
    }

    /// `across[2]` and 3 of `across[2][3]`; `None` where an index is none, which is reported.
    fn row_name(&mut self, declared: &statement::Declared) -> Option<(String, Option<usize>)> {
        let mut indices = self.indices_of(declared)?;
        let last = indices.pop();
        let outer: String = indices.iter().map(|i| format!("[{i}]")).collect();
        Some((format!("{}{outer}", name_of(&declared.name)), last))
    }

    fn constraint(&mut self, declared: &statement::Declared, relation: &Expr) {
        let range = declared.name.span().into();
        let Some((base, index)) = self.row_name(declared) else {
            return;
        };
        if let (Some(repeated), None) = (self.indices.last(), index) {
            let diagnostic = system::repeated_without_index(range, &base, repeated);
            self.lowering.report(diagnostic);
        }
        let taken = self.system.rows.iter().rev();
        if taken
            .take(64)
            .any(|row| row.base == base && row.index == index)
        {
            self.lowering
                .report(catalogue::duplicate_name(range, &base));
        }
        let before = self.lowering.model.rows.len();
        self.lowering.rows(relation);
        let count = self.lowering.model.rows.len() - before;
        let listed = matches!(relation.innermost().kind, ExprKind::List(_));
        for i in 0..count {
            let suffix = match (count, listed) {
                (1, _) => String::new(),
                (_, true) => format!(".{i}"),
                (_, false) => component_name("", i),
            };
            let base = base.clone();
            self.system.rows.push(RowName {
                base,
                index,
                suffix,
            });
        }
        let lists = self.lowering.model.rows[before..]
            .iter()
            .map(|row| row.root)
            .collect::<Vec<_>>();
        for root in lists {
            let no_input = |role| !matches!(role, Role::Input(_));
            self.independent(root, "a constraint", relation.range, no_input);
        }
    }

    fn repeat(&mut self, repetition: &For) {
        let For { repeated, body } = repetition;
        let Some(indices) = self.lowering.indices(repeated) else {
            return;
        };
        let range = repeated.start.range.to(repeated.end.range);
        let before = self.lowering.diagnostics.iter().count();
        self.indices.push(name_of(&repeated.index));
        for i in indices {
            if self.is_too_large(range) {
                break;
            }
            let mark = self.lowering.names.enter();
            self.lowering.bind_index(&repeated.index, i);
            self.statements(body);
            self.lowering.names.leave(mark);
            // The next round would report the same mistakes again.
            if self.lowering.diagnostics.iter().count() > before {
                break;
            }
        }
        self.indices.pop();
    }
}

/// `bead[3]`
fn element_name(declared: &statement::Declared, indices: &[usize]) -> String {
    let indices: String = indices.iter().map(|i| format!("[{i}]")).collect();
    format!("{}{indices}", name_of(&declared.name))
}
