//! Identifiers of the leaves of an expansion, and the `let`s that bring them in.
//!
//! What all macros share: names that never meet, the user's own identifiers where they can stand, and vectors
//! taken apart.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::rust::{local, snake};
use crate::expr::Set;
use crate::model::{Model, Role, Shape};
use crate::schedule::Program;

/// Names that are all different.
#[derive(Default)]
pub(super) struct Unique(Set<String>);

impl Unique {
    /// Different from these, too.
    pub fn beside(taken: impl IntoIterator<Item = String>) -> Unique {
        Unique(taken.into_iter().collect())
    }

    /// The name as an identifier can be, with underscores after it as long as it is taken.
    pub fn name(&mut self, wanted: &str) -> String {
        let mut name = snake(wanted);
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    /// The user's own identifier of a leaf where it is free, else one of ours.
    pub fn leaf(&mut self, model: &Model, role: Role, wanted: &str) -> Ident {
        let name = self.name(wanted);
        let own = model.identifier(role).filter(|ident| *ident == name);
        own.unwrap_or_else(|| local(&name))
    }
}

/// The type parameter of a generated type: `T`, unless that is the type's own name.
pub(super) fn scalar_of(type_name: &Ident) -> Ident {
    let name = if type_name == "T" { "Scalar" } else { "T" };
    Ident::new(name, Span::mixed_site())
}

/// The roles that a program reads.
pub(super) fn roles_read(model: &Model, program: &Program) -> Set<Role> {
    let read = program.inputs().into_iter();
    read.map(|symbol| model.symbols[symbol.index()].role)
        .collect()
}

/// `let [x, _]: [T; 2] = source.into();`, or nothing where no component is read.
pub(super) fn unpack(
    scalar: &Ident,
    source: &TokenStream,
    leaves: &[Option<&Ident>],
) -> Option<TokenStream> {
    if leaves.iter().all(Option::is_none) {
        return None;
    }
    let pattern = pattern(leaves);
    let length = Literal::usize_unsuffixed(leaves.len());
    Some(quote!(let #pattern: [#scalar; #length] = #source.into();))
}

/// `[x, _]`
pub(super) fn pattern(leaves: &[Option<&Ident>]) -> TokenStream {
    let leaves = leaves.iter().map(|leaf| match leaf {
        Some(leaf) => quote!(#leaf),
        None => quote!(_),
    });
    quote!([#(#leaves),*])
}

impl Model {
    /// The user's own identifier of a scalar leaf.
    fn identifier(&self, role: Role) -> Option<Ident> {
        match role {
            Role::Time => self.time.clone(),
            Role::Coordinate(index) => {
                let mut first = 0;
                for coordinate in &self.coordinates {
                    if first == index && coordinate.shape == Shape::Scalar {
                        return Some(coordinate.name.clone());
                    }
                    first += coordinate.shape.len();
                }
                None
            }
            Role::Parameter { parameter, .. } => {
                let parameter = self.parameters.get(parameter)?;
                (parameter.shape == Shape::Scalar).then(|| parameter.name.clone())
            }
            _ => None,
        }
    }
}
