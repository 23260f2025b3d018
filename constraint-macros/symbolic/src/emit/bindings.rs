//! The statements that name the leaves that a function reads.

use proc_macro2::Ident;

use super::interface::{Given, Holds, Interface, Layout, Part};
use crate::code::{Components, Name, Statement, Vector};
use crate::expr::{CollectVec, PushEach, Set};
use crate::function::{Argument, Dimension};
use crate::model::Role;

/// How a language has arguments that are no vectors.
#[derive(Clone, Copy)]
pub(super) struct Arguments {
    /// Whether a user's body may have the name of an argument of ours.
    pub is_hygienic: bool,
    /// Whether all their numbers are in a row. Otherwise they have fields.
    pub is_flat: bool,
}

impl Interface<'_> {
    /// Names for all leaves of fields and arguments that are read.
    pub fn bindings(
        &self,
        (function, arguments): (&str, &[Argument]),
        read: &Set<Role>,
        kind: Arguments,
    ) -> Vec<Statement<'static>> {
        let part = |part: &Part| {
            let mut names = self.names(&part.roles, read)?;
            let field = Vector::field(part.place.clone());
            let of = match part.layout {
                Layout::Number => Components::Number(field),
                Layout::Vector => Components::Vector(field),
                Layout::Symmetric(n) => {
                    names = triangle(n, names);
                    Components::Matrix(n, field)
                }
            };
            Some(Statement::Components(names, of))
        };
        let mut all = Vec::new();
        if reads_inputs(read) {
            let state = [Argument::Time, Argument::Coordinates, Argument::Velocities];
            let state = state.map(|it| self.name(it).to_string().into());
            let is_own = function == "own_slope";
            let n = self.size(Dimension::Velocities);
            all.push(Statement::Inputs(state, is_own.then_some(n)));
        }
        all.push_each(self.fields.iter().filter_map(part));
        for given in arguments.iter().filter_map(|it| self.given(*it)) {
            if let Some(roles) = given.holds.numbers(kind) {
                all.push_each(self.components(&roles, read, || vector(given)));
                continue;
            }
            match &given.holds {
                Holds::Fields(_, parts) => all.push_each(parts.iter().filter_map(part)),
                Holds::Bodies(bodies) => {
                    let own = |body: &Ident| match kind.is_hygienic {
                        true => body.clone(),
                        false => self.local(&body.to_string()),
                    };
                    let names = bodies.iter();
                    let names = names.map(|(it, parts)| are_read(parts, read).then(|| own(it)));
                    let names: Vec<Option<Ident>> = names.collect_vec();
                    if names.iter().any(Option::is_some) {
                        all.push(Statement::Components(
                            names,
                            Components::Bodies(name(given)),
                        ));
                    }
                    for (body, parts) in bodies {
                        let own = own(body);
                        let parts = parts.iter().map(|it| it.of(&own));
                        all.push_each(parts.filter_map(|it| part(&it)));
                    }
                }
                _ => {}
            }
        }
        all
    }

    /// Names for the leaves of these roles that are read; nothing where none is.
    pub fn components<'f>(
        &self,
        roles: &[Role],
        read: &Set<Role>,
        of: impl FnOnce() -> Components<'f>,
    ) -> Option<Statement<'f>> {
        let names = self.names(roles, read)?;
        Some(Statement::Components(names, of()))
    }

    /// The leaves of these roles that are read; nothing where none is.
    pub fn names(&self, roles: &[Role], read: &Set<Role>) -> Option<Vec<Option<Ident>>> {
        let leaf = |role: &Role| self.leaf(*role).filter(|_| read.contains(role)).cloned();
        any_of(roles, read).then(|| roles.iter().map(leaf).collect_vec())
    }
}

/// A matrix without names below the diagonal.
fn triangle(n: usize, names: Vec<Option<Ident>>) -> Vec<Option<Ident>> {
    let mut names = names.into_iter();
    let places = (0..n * n).map(|place| place % n >= place / n);
    places
        .map(|is_named| is_named.then(|| names.next())?.flatten())
        .collect_vec()
}

fn name(given: &Given) -> Name {
    given.name.to_string().into()
}

/// An argument that is a vector, or becomes one.
fn vector(given: &Given) -> Components<'static> {
    match given.holds {
        Holds::Named(_) => Components::Outputs(name(given)),
        _ => Components::Vector(Vector::Argument(name(given)).whole()),
    }
}

pub(super) fn any_of(roles: &[Role], read: &Set<Role>) -> bool {
    roles.iter().any(|role| read.contains(role))
}

pub(super) fn are_read(parts: &[Part], read: &Set<Role>) -> bool {
    parts.iter().any(|part| any_of(&part.roles, read))
}

pub(super) fn reads_inputs(read: &Set<Role>) -> bool {
    read.iter().any(|role| matches!(role, Role::Input(_)))
}
