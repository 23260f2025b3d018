//! What stands in for the items of a constraint with mistakes: the same names and shapes, no bodies.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::items;
use crate::diagnostic::Diagnostics;
use crate::model::{Item, Parameter, Shape};
use crate::syntax::ast::{Annotation, Constraint, Declaration, ExprKind, Header};

/// The errors, and items of the right names and shapes, so that one mistake gives one error.
pub fn stub(
    tree: Option<&Constraint>,
    diagnostics: &Diagnostics,
    shim: &TokenStream,
) -> TokenStream {
    let errors = diagnostics.to_tokens();
    let header = tree.and_then(|tree| tree.header.as_ref());
    match (tree, header) {
        (Some(tree), Some(header)) => {
            let structure = structure(header);
            let implementation = match bodies(header) {
                Some(velocities) => between_bodies(tree, header, velocities),
                None => implementation(tree, header),
            };
            quote!(#errors #shim #structure #implementation)
        }
        // The bare form is an expression.
        (Some(_), None) => quote!({ #errors #shim }),
        _ => quote!(#errors #shim),
    }
}

pub(super) fn structure(header: &Header) -> TokenStream {
    let item = Item {
        attributes: header.attributes.clone(),
        derives: header.derives.clone(),
        visibility: header.visibility.clone(),
        name: header.name.clone(),
    };
    let parameters: Vec<Parameter> = header.parameters.iter().map(parameter).collect();
    let scalar = Ident::new("T", Span::mixed_site());
    items::structure(
        Some(&item),
        &header.name,
        &TokenStream::new(),
        &parameters,
        &scalar,
    )
}

fn parameter(declaration: &Declaration) -> Parameter {
    Parameter {
        attributes: declaration.attributes.clone(),
        visibility: declaration.visibility.clone(),
        name: declaration.name.clone(),
        shape: match annotated(declaration).as_deref() {
            Some("Vector2") => Shape::Plane,
            Some("Vector3") => Shape::Space,
            _ => Shape::Scalar,
        },
    }
}

fn annotated(declaration: &Declaration) -> Option<String> {
    match &declaration.annotation {
        Annotation::Type(name) => Some(name.to_string()),
        Annotation::Missing | Annotation::Invalid => None,
    }
}

/// The velocities of a body, where the header declares bodies.
fn bodies(header: &Header) -> Option<usize> {
    let mut coordinates = header.coordinates.iter();
    coordinates.find_map(|declaration| match annotated(declaration).as_deref() {
        Some("Rigid2") => Some(3),
        Some("Rigid3") => Some(6),
        _ => None,
    })
}

/// As many rows as can be told without knowing the shapes of values.
fn rows(tree: &Constraint) -> Literal {
    Literal::usize_unsuffixed(match &tree.body.kind {
        ExprKind::List(rows) => rows.len(),
        _ => 1,
    })
}

fn between_bodies(tree: &Constraint, header: &Header, velocities: usize) -> TokenStream {
    let times = |declaration: &&Declaration| annotated(declaration).as_deref() != Some("Time");
    let bodies = header.coordinates.iter().filter(times).count();
    let body = match velocities {
        3 => quote!(rt::Rigid2<T>),
        _ => quote!(rt::Rigid3<T>),
    };
    let [d, bodies] = [velocities, bodies].map(Literal::usize_unsuffixed);
    let (name, m) = (&header.name, rows(tree));
    let arguments = (!header.parameters.is_empty()).then(|| quote!(<T>));
    let default = (!header.parameters.is_empty()).then(|| quote!(<f64>));
    let (q, v) = (
        quote!([&#body; #bodies]),
        quote!([&rt::SVector<T, #d>; #bodies]),
    );
    let row = quote!(rt::SVector<T, #m>);
    quote! {
        const _: () = {
            use ::constraint_runtime::__private as rt;

            impl<T: rt::Real> rt::BodyConstraint<T, #d, #bodies, #m> for #name #arguments {
                type Body = #body;
                fn value(&self, _: T, _: #q) -> #row { ::core::unreachable!() }
                fn jacobian(&self, _: T, _: #q) -> [rt::SMatrix<T, #m, #d>; #bodies] { ::core::unreachable!() }
                fn rate(&self, _: T, _: #q, _: #v) -> #row { ::core::unreachable!() }
                fn bias(&self, _: T, _: #q, _: #v) -> #row { ::core::unreachable!() }
            }

            impl #name #default {
                pub const DERIVATION: rt::BodyDerivation = rt::BodyDerivation::EMPTY;
            }
        };
    }
}

fn implementation(tree: &Constraint, header: &Header) -> TokenStream {
    let scalars = |declaration: &Declaration| match annotated(declaration).as_deref() {
        Some("Point2") => 2,
        Some("Point3") => 3,
        Some("Time") => 0,
        _ => 1,
    };
    let n = Literal::usize_unsuffixed(header.coordinates.iter().map(scalars).sum());
    let m = rows(tree);
    let name = &header.name;
    let arguments = (!header.parameters.is_empty()).then(|| quote!(<T>));
    let default = (!header.parameters.is_empty()).then(|| quote!(<f64>));
    let (q, row) = (quote!(&rt::SVector<T, #n>), quote!(rt::SVector<T, #m>));
    let matrix = quote!(rt::SMatrix<T, #m, #n>);
    let (tried_rows, tried_force) = (
        quote!(Result<#row, rt::Singular>),
        quote!(Result<rt::SVector<T, #n>, rt::Singular>),
    );
    let methods = [
        ("value", quote!(), row.clone()),
        ("jacobian", quote!(), matrix.clone()),
        ("rate", quote!(, _: #q), row.clone()),
        ("jacobian_dot", quote!(, _: #q), matrix),
        ("bias", quote!(, _: #q), row.clone()),
        (
            "multipliers",
            quote!(, _: #q, _: #q, _: #q),
            tried_rows.clone(),
        ),
        ("force", quote!(, _: #q, _: #q, _: #q), tried_force.clone()),
        ("particle_force", quote!(, _: #q, _: T, _: #q), tried_force),
        ("solve", quote!(, _: #q, _: &#row), tried_rows),
    ]
    .map(|(method, rest, returned)| {
        let method: Ident = format_ident!("{method}", span = Span::mixed_site());
        quote!(fn #method(&self, _: T, _: #q #rest) -> #returned { ::core::unreachable!() })
    });
    quote! {
        const _: () = {
            use ::constraint_runtime::__private as rt;

            impl<T: rt::Real> rt::Constraint<T, #n, #m> for #name #arguments { #(#methods)* }

            impl #name #default {
                pub const DERIVATION: rt::Derivation = rt::Derivation::EMPTY;
            }
        };
    }
}
