//! What stands in for the items of a constraint with mistakes: the same names and shapes, no bodies.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::interface::scalar_of;
use super::{derivation, items, scope};
use crate::diagnostic::Diagnostics;
use crate::function::constraint::TABLE;
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
            let items = quote!(#errors #shim #structure #implementation);
            items::wrap(header.named, &header.name, &items)
        }
        // Without a header nothing is known of the constraint but that it is an expression.
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
        named: header.named,
    };
    let parameters: Vec<Parameter> = header.parameters.iter().map(parameter).collect();
    let scalar = scalar_of(&header.name);
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
fn rows(tree: &Constraint) -> usize {
    match &tree.body.kind {
        ExprKind::List(rows) => rows.len(),
        _ => 1,
    }
}

fn between_bodies(tree: &Constraint, header: &Header, velocities: usize) -> TokenStream {
    let times = |declaration: &&Declaration| annotated(declaration).as_deref() != Some("Time");
    let bodies = header.coordinates.iter().filter(times).count();
    let scalar = scalar_of(&header.name);
    let body = match velocities {
        3 => quote!(rt::Rigid2<#scalar>),
        _ => quote!(rt::Rigid3<#scalar>),
    };
    let [d, bodies] = [velocities, bodies].map(Literal::usize_unsuffixed);
    let (own, m) = (
        scope::inside(&header.name),
        Literal::usize_unsuffixed(rows(tree)),
    );
    let arguments = (!header.parameters.is_empty()).then(|| quote!(<#scalar>));
    let default = (!header.parameters.is_empty()).then(|| quote!(<f64>));
    let (q, v) = (
        quote!([&#body; #bodies]),
        quote!([&rt::SVector<#scalar, #d>; #bodies]),
    );
    let row = quote!(rt::SVector<#scalar, #m>);
    let derivation = derivation::constant([]);
    let impls = quote! {
        impl<#scalar: rt::Real> rt::BodyConstraint<#scalar, #d, #bodies, #m> for #own #arguments {
            type Body = #body;
            fn value(&self, _: #scalar, _: #q) -> #row { ::core::unreachable!() }
            fn jacobian(&self, _: #scalar, _: #q) -> [rt::SMatrix<#scalar, #m, #d>; #bodies] { ::core::unreachable!() }
            fn rate(&self, _: #scalar, _: #q, _: #v) -> #row { ::core::unreachable!() }
            fn bias(&self, _: #scalar, _: #q, _: #v) -> #row { ::core::unreachable!() }
        }

        impl #own #default {
            #derivation
        }
    };
    scope::block(&header.name, !header.parameters.is_empty(), &impls)
}

fn implementation(tree: &Constraint, header: &Header) -> TokenStream {
    let scalars = |declaration: &Declaration| match annotated(declaration).as_deref() {
        Some("Point2") => 2,
        Some("Point3") => 3,
        Some("Time") => 0,
        _ => 1,
    };
    let sizes = [header.coordinates.iter().map(scalars).sum(), rows(tree)];
    let scalar = scalar_of(&header.name);
    let methods = items::interface(&[], &[], &scalar, sizes).stubs(&TABLE);
    let (generic, implements) = (
        !header.parameters.is_empty(),
        items::implements(&scalar, sizes),
    );
    items::implementation(&header.name, generic, &implements, methods, [])
}
