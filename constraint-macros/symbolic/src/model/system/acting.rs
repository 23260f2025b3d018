//! Loads and constraints: forces, torques, energies and rows.

use proc_macro2::Ident;

use super::super::declarations::component_name;
use super::super::value::Value;
use super::super::{Role, Shape};
use super::moving::element_name;
use super::named::{Element, Named, grouped};
use super::statements::SystemBuilder;
use super::{Around, Force, RateForce, RowName};
use crate::diagnostic::catalogue::{self, Kind};
use crate::diagnostic::system;
use crate::expr::{CollectVec, ExprId, PushEach};
use crate::syntax::ast::{Expr, ExprKind, name_of};
use crate::syntax::statement;

/// The rows of one constraint.
#[derive(Debug)]
pub(super) struct NamedRows {
    name: Ident,
    /// The parts around it.
    around: Vec<Around>,
    /// Indices of the parts, then its own.
    indices: Vec<usize>,
    element: Element,
    first: usize,
}

/// The target of a force.
enum Target {
    /// r(q, t)
    Place,
    /// An expression of velocities, such as the slip at a contact.
    Rate,
    /// Some components are places and some are rates.
    Both,
}

impl RowName {
    /// `across[2]` and 3 of `across[2][3]`; `leg`, 2 and `.knee` of `leg[2].knee`.
    fn of(name: &str) -> RowName {
        let split = name.rsplit_once('[').and_then(|(base, rest)| {
            let (index, member) = rest.split_once(']')?;
            Some((base, index.parse().ok()?, member))
        });
        let (base, index, member) = match split {
            Some((base, index, member)) => (base, Some(index), member),
            None => (name, None, ""),
        };
        RowName {
            base: base.to_owned(),
            index,
            member: member.to_owned(),
            suffix: String::new(),
        }
    }
}

impl SystemBuilder<'_> {
    pub(super) fn force(&mut self, target: &Expr, value: &Expr) {
        if matches!(&target.kind, ExprKind::Call { function, .. } if function == "dir") {
            let diagnostic = system::force_on_a_direction(target.range);
            self.lowering.report(diagnostic);
            return;
        }
        let found = self.lowering.value_or_body(target);
        let place = match self.lowering.place_of_body(&found) {
            Some(place) => Value::Vector(place.to_vec()),
            None => found,
        };
        let force = self.lowering.value(value);
        let (Some(of_place), Some(of_force)) = (place.kind(), force.kind()) else {
            return;
        };
        let Some(target_is) = self.target_of_force(place.components()) else {
            self.lowering.report(system::no_target(target.range));
            return;
        };
        let compatible = place.components().len() == force.components().len();
        if !compatible {
            let diagnostic = catalogue::shape_mismatch(value.range, of_place, of_force);
            self.lowering.report(diagnostic);
            return;
        }
        let (components, value) = (place.components().to_vec(), force.components().to_vec());
        match target_is {
            Target::Place => self.system.forces.push(Force {
                place: components,
                value,
            }),
            Target::Rate => self.system.rate_forces.push(RateForce {
                rate: components,
                value,
                range: target.range,
            }),
            Target::Both => {
                self.lowering.report(system::target_of_both(target.range));
            }
        }
    }

    /// The kind of the target of a force; `None` if nothing in it moves.
    fn target_of_force(&self, components: &[ExprId]) -> Option<Target> {
        let mentions =
            |id, role: fn(Role) -> bool| self.lowering.depends(id, |found| !role(found)).is_some();
        let (mut places, mut rates) = (false, false);
        for &id in components {
            let rate = mentions(id, |role| matches!(role, Role::Velocity(_)));
            rates |= rate;
            places |= !rate
                && mentions(id, |role| {
                    matches!(role, Role::Coordinate(_) | Role::Arm { .. } | Role::Place)
                });
        }
        match (places, rates) {
            (false, false) => None,
            (true, false) => Some(Target::Place),
            (false, true) => Some(Target::Rate),
            (true, true) => Some(Target::Both),
        }
    }

    /// Reports a force whose target is a joint or a constraint.
    fn is_of_rows(&mut self, target: &Expr) -> bool {
        let named = match &target.kind {
            ExprKind::Index(of, _) => &of.kind,
            kind => kind,
        };
        let ExprKind::Name(name) = named else {
            return false;
        };
        let text = name_of(name);
        let known = self.lowering.names.get(&text).is_some();
        let full = self.lowering.full_name(text.clone());
        let found = !known && self.system.rows.iter().any(|row| row.base == full);
        if found {
            let diagnostic = system::push_on_rows(target.range, &text);
            self.lowering.report(diagnostic);
        }
        found
    }

    pub(super) fn torque(&mut self, target: &Expr, value: &Expr) {
        if self.is_of_rows(target) {
            return;
        }
        let found = self.lowering.value_or_body(target);
        let torque = self.lowering.value(value);
        let spin = self.lowering.spin_of(&found).to_vec();
        if spin.is_empty() && found.kind().is_some() {
            let diagnostic = system::torque_on_no_body(target.range);
            self.lowering.report(diagnostic);
        }
        let (Some(kind), false) = (torque.kind(), spin.is_empty()) else {
            return;
        };
        let space = spin.len() == 3;
        let expected = if space { Kind::Vector(3) } else { Kind::Scalar };
        if kind != expected {
            let diagnostic = system::torque_shape(value.range, space);
            self.lowering.report(diagnostic);
            return;
        }
        self.system.rate_forces.push(RateForce {
            rate: spin,
            value: torque.components().to_vec(),
            range: target.range,
        });
    }

    pub(super) fn energy(
        &mut self,
        value: &Expr,
        what: &str,
        allowed: impl Fn(Role) -> bool,
    ) -> Option<ExprId> {
        let id = self.lowering.scalar(value)?;
        self.independent(id, what, value.range, allowed)
            .then_some(id)
    }

    /// Groups the constraints by name; drops names whose indices do not form an array.
    pub(super) fn close_constraints(&mut self) {
        let constraints = std::mem::take(&mut self.constraints);
        for rows in grouped(constraints, |it| (&it.around, &it.name)) {
            let first = &rows[0];
            let indices = rows.iter().map(|it| &it.indices[..]);
            let places = rows.iter().map(|it| it.first).collect_vec();
            let alike = rows.iter().all(|it| it.element == first.element);
            let field = (&first.around[..], &first.name);
            let named = Named::new(field, first.element, indices, places);
            self.system
                .constraints
                .push_each(named.ok().filter(|_| alike));
        }
    }

    pub(super) fn constraint(&mut self, declared: &statement::Declared, relation: &Expr) {
        if let Some(indices) = self.indices_of(declared) {
            self.rows_of_constraint(declared, indices, relation);
        }
    }

    /// The rows of a constraint; the relation is lowered in the current scope.
    pub(super) fn rows_of_constraint(
        &mut self,
        declared: &statement::Declared,
        indices: Vec<usize>,
        relation: &Expr,
    ) {
        let range = declared.name.span().into();
        let name = self.full_name(&element_name(declared, &indices));
        let row = RowName::of(&name);
        if let (Some(repeated), true) = (self.indices.last(), indices.is_empty()) {
            let text = name_of(&declared.name);
            let diagnostic = system::repeated_without_index(range, &text, repeated);
            self.lowering.report(diagnostic);
        }
        let mut taken = self.system.rows.iter().rev().take(64);
        if taken.any(|known| known.is_with(&row)) || self.is_one_sided(&name) {
            let text = match &row.member[..] {
                "" => &row.base,
                _ => &name,
            };
            self.lowering.report(catalogue::duplicate_name(range, text));
        }
        let before = self.lowering.model.rows.len();
        self.lowering.rows(relation);
        let count = self.lowering.model.rows.len() - before;
        let listed = matches!(relation.innermost().kind, ExprKind::List(_));
        let element = match (count, listed) {
            (1, _) => Element::Vector(Shape::Scalar),
            (2, false) => Element::Vector(Shape::Plane),
            (_, false) => Element::Vector(Shape::Space),
            (_, true) => Element::List(count),
        };
        if count > 0 {
            self.constraints.push(NamedRows {
                name: declared.name.clone(),
                around: self.around(),
                indices: [self.indices_around(), indices].concat(),
                element,
                first: before,
            });
        }
        if let Some(scope) = &mut self.lowering.system {
            scope.rows.insert(name, before..before + count);
        }
        for i in 0..count {
            let suffix = match (count, listed) {
                (1, _) => String::new(),
                (_, true) => format!(".{i}"),
                (_, false) => component_name("", i),
            };
            let row = row.clone();
            self.system.rows.push(RowName { suffix, ..row });
        }
        let lists = self.lowering.model.rows[before..]
            .iter()
            .map(|row| row.root)
            .collect_vec();
        for root in lists {
            let no_input = |role| !matches!(role, Role::Input(_));
            self.independent(root, "a constraint", relation.range, no_input);
        }
    }
}
