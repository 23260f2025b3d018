//! Moving things and inputs: coordinates, particles and bodies, single or as arrays.

use proc_macro2::Ident;

use super::super::declarations::component_name;
use super::super::value::Value;
use super::super::{Role, Shape, Symbol as Leaf};
use super::elements::{ElementKind, Own};
use super::statements::SystemBuilder;
use super::{Coordinate, Declared};
use crate::diagnostic::catalogue::{self, Kind};
use crate::diagnostic::{SourceRange, system};
use crate::expr::{CollectVec, ExprId, Node, PushEach, SortedMap};
use crate::syntax::ast::{Expr, name_of};
use crate::syntax::statement::{self, Body, Particle, ParticlePlace};
use crate::syntax::symbol::{self, Symbol};

impl SystemBuilder<'_> {
    /// Binds new values to each name: one value, an array, or, in a `for`, the next element; `None` if it is not the next.
    fn own(&mut self, list: &[statement::Declared], own: Own) -> Option<()> {
        for declared in list {
            if self.indices.is_empty() {
                self.all_elements(declared, own);
                continue;
            }
            let indices = self.next_element(declared, ElementKind::Own(own))?;
            let name = self.full_name(&element_name(declared, &indices));
            let owner = self.owner_of(declared);
            let value = self.element(&name, own, &declared.name, owner);
            let text = name_of(&declared.name);
            self.lowering.names.push_element(&text, &indices, value);
        }
        Some(())
    }

    pub(super) fn all_elements(&mut self, declared: &statement::Declared, own: Own) {
        let lengths = self.lowering.lengths(&declared.brackets);
        let text = self.full_name(&name_of(&declared.name));
        let owner = if self.is_free(&declared.name) {
            let field = self.field(&declared.name, own);
            self.end_lengths(field, &lengths);
            field
        } else {
            self.system.declared.len()
        };
        let first = self.lowering.model.symbols.len();
        let value = Value::of_elements(&text, &lengths, &mut |name| {
            self.element(name, own, &declared.name, owner)
        });
        if let Some(symbol) = &declared.symbol {
            self.show(first, &declared.name, symbol);
        }
        self.lowering.bind(&declared.name, value);
    }

    /// Sets the symbol by which formulas print the leaves from `first` on: `leg[0].θ₁`, `v_θ₁[2]`.
    fn show(&mut self, first: usize, name: &Ident, symbol: &Symbol) {
        let name = name_of(name);
        let leaves = &mut self.lowering.model.symbols;
        for leaf in &mut leaves[first..] {
            if let Some(at) = leaf.name.rfind(&name) {
                let (before, after) = (&leaf.name[..at], &leaf.name[at + name.len()..]);
                leaf.shown = Some(format!("{before}{}{after}", symbol.text));
            }
        }
        self.symbols.push((first..leaves.len(), symbol.range));
    }

    /// Reports leaves that would be printed alike: the later of two symbols, or the symbol that resembles a name.
    pub(super) fn compare_symbols(&mut self) {
        if self.symbols.is_empty() {
            return;
        }
        let leaves = &self.lowering.model.symbols;
        let look = |leaf: &Leaf| {
            let printed = leaf.printed();
            symbol::spelled(printed).unwrap_or_else(|| printed.to_owned())
        };
        let named = leaves.iter().filter(|leaf| leaf.shown.is_none());
        let mut looks: SortedMap<String, &str> =
            named.map(|leaf| (look(leaf), &leaf.name[..])).collect();
        let mut taken = Vec::new();
        for (places, range) in &self.symbols {
            let mut found = None;
            for leaf in &leaves[places.clone()] {
                if let Some(other) = looks.insert(look(leaf), &leaf.name) {
                    found = found.or(Some(system::symbol_taken(*range, leaf.printed(), other)));
                }
            }
            taken.push_each(found);
        }
        for diagnostic in taken {
            self.lowering.report(diagnostic);
        }
    }

    fn element(&mut self, text: &str, own: Own, name: &Ident, owner: usize) -> Value {
        if own.body {
            Value::Body(self.rigid(text, own.shape, name, owner))
        } else {
            self.point(text, own.shape, name, owner)
        }
    }

    /// Whether a declaration of this name is the first. A second one is reported when it is bound.
    pub(super) fn is_free(&self, name: &Ident) -> bool {
        !self.lowering.names.is_taken(&name_of(name))
    }

    fn point(&mut self, text: &str, shape: Shape, name: &Ident, owner: usize) -> Value {
        let scalars = (0..shape.len()).map(|component| {
            let name_of_scalar = match shape {
                Shape::Scalar => text.to_owned(),
                _ => component_name(text, component),
            };
            self.scalar_coordinate(name_of_scalar, name, owner)
        });
        Value::of_components(scalars.collect_vec())
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

    pub(super) fn input(&mut self, input: &statement::Input) {
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
            let field = Declared::new(&declared.name, Own { shape, body: false }, lengths);
            self.system.inputs.push(field);
        }
        self.lowering.bind(&declared.name, value);
    }

    pub(super) fn particle(&mut self, particle: &Particle) {
        match &particle.place {
            ParticlePlace::Invalid => self.bind_poison(&particle.declared),
            ParticlePlace::Own(ty) => {
                let shape = match ty.to_string().as_str() {
                    "Point2" => Shape::Plane,
                    "Point3" => Shape::Space,
                    other => {
                        let range = ty.span().into();
                        self.lowering.report(system::particle_type(range, other));
                        return self.bind_poison(&particle.declared);
                    }
                };
                self.own_particles(particle, shape);
            }
            ParticlePlace::At(place) => self.placed(particle, place),
        }
    }

    /// Binds names to poison.
    pub(super) fn bind_poison(&mut self, declared: &[statement::Declared]) {
        for declared in declared {
            self.lowering.bind(&declared.name, Value::Poison);
        }
    }

    /// Particles with their own coordinates, arrays of them, or, in a `for`, elements.
    fn own_particles(&mut self, particle: &Particle, shape: Shape) {
        let first = self.system.coordinates.len();
        let own = Own { shape, body: false };
        if self.own(&particle.declared, own).is_none() {
            return;
        }
        let mass = self.mass(particle);
        let positions = self.system.coordinates[first..].iter();
        let positions: Vec<ExprId> = positions.filter_map(|it| it.position).collect_vec();
        for place in positions.chunks(shape.len()) {
            self.add_mass(mass, &Value::Vector(place.to_vec()));
        }
    }

    /// The indices of the element declared here, if it is the next; otherwise reported.
    pub(super) fn next_element(
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
            &self.full_name(&name_of(&declared.name)),
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

    /// The value itself if it is a place: a function of positions, not of velocities.
    fn place(&mut self, value: Value, range: SourceRange) -> Value {
        let place = |role| !matches!(role, Role::Velocity(_) | Role::Input(_));
        let mut components = value.components().iter();
        if components.all(|&id| self.independent(id, "a position", range, place)) {
            value
        } else {
            Value::Poison
        }
    }

    /// Replaces a place by leaves, so that all forces on a particle are collected there before they are projected
    /// onto the coordinates.
    pub(super) fn placeholder(&mut self, value: &Value, name: &str, element: bool) -> Value {
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

    pub(super) fn body(&mut self, body: &Body) {
        let shape = match body.ty.to_string().as_str() {
            "Rigid2" => Shape::Plane,
            "Rigid3" => Shape::Space,
            other => {
                let diagnostic = system::body_type(body.ty.span().into(), other);
                self.lowering.report(diagnostic);
                return self.bind_poison(&body.declared);
            }
        };
        if let Some(pose) = &body.pose {
            return self.posed(body, pose, shape);
        }
        let first = self.lowering.model.bodies.len();
        let own = Own { shape, body: true };
        if self.own(&body.declared, own).is_none() {
            return;
        }
        let Some(((mass, _), inertia)) = self.resistance(body, shape) else {
            return;
        };
        for body in first..self.lowering.model.bodies.len() {
            self.add_inertia(body, mass, &inertia);
        }
    }

    fn rigid(&mut self, text: &str, shape: Shape, name: &Ident, owner: usize) -> usize {
        let first = (self.owners.len(), self.system.coordinates.len());
        let index = self.lowering.new_body(name, text, shape, first);
        let body = self.lowering.model.bodies[index].clone();
        let scalars = body.position.len() + body.rotation.len();
        self.owners.push_each(std::iter::repeat_n(owner, scalars));
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
}

/// `bead[3]`
pub(super) fn element_name(declared: &statement::Declared, indices: &[usize]) -> String {
    let indices: String = indices.iter().map(|i| format!("[{i}]")).collect();
    format!("{}{indices}", name_of(&declared.name))
}
