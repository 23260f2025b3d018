//! Stubs for the items of a constraint with mistakes: the same names and shapes, no bodies.

use crate::expr::CollectVec;
use proc_macro2::TokenStream;
use quote::quote;

use super::interface::scalar_of;
use super::{constraint, items};
use crate::diagnostic::Diagnostics;
use crate::function::constraint::{DERIVATIVES, table};
use crate::model::{GeneratedType, Parameter, Shape};
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
            let implementation = implementation(tree, header);
            let items = quote!(#shim #errors #structure #implementation);
            items::wrap(header.named, &header.name, &items)
        }
        // Without a header nothing is known of the constraint but that it is an expression.
        (Some(_), None) => items::value(&quote!(#shim #errors)),
        _ => quote!(#shim #errors),
    }
}

pub(super) fn structure(header: &Header) -> TokenStream {
    let item = GeneratedType {
        attributes: header.attributes.clone(),
        derives: header.derives.clone(),
        derivatives: header.derivatives,
        visibility: header.visibility.clone(),
        name: header.name.clone(),
        named: header.named,
    };
    let parameters: Vec<Parameter> = header.parameters.iter().map(parameter).collect_vec();
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
        lengths: Vec::new(),
    }
}

/// The number of scalars among the parameters.
pub(super) fn varied(header: &Header) -> usize {
    let parameters = header.parameters.iter().map(parameter);
    parameters.map(|it| it.scalars()).sum()
}

fn annotated(declaration: &Declaration) -> Option<String> {
    match &declaration.annotation {
        Annotation::Type(name) => Some(name.to_string()),
        Annotation::Missing | Annotation::Invalid | Annotation::Array(..) => None,
    }
}

/// The velocities of a body and the number of bodies, where the header declares them.
fn bodies(header: &Header) -> Option<(usize, usize)> {
    let types = || header.coordinates.iter().map(annotated);
    let d = types().find_map(|name| match name.as_deref() {
        Some("Rigid2") => Some(3),
        Some("Rigid3") => Some(6),
        _ => None,
    })?;
    let bodies = types().filter(|name| name.as_deref() != Some("Time"));
    Some((d, bodies.count()))
}

/// The number of rows, as far as it is known without the shapes of values.
fn rows(tree: &Constraint) -> usize {
    match &tree.body.kind {
        ExprKind::List(rows) => rows.len(),
        _ => 1,
    }
}

/// The shape of the constraint as far as the header determines it.
fn implementation(tree: &Constraint, header: &Header) -> TokenStream {
    let scalars = |declaration: &Declaration| match annotated(declaration).as_deref() {
        Some("Point2") => 2,
        Some("Point3") => 3,
        Some("Time") => 0,
        _ => 1,
    };
    let coordinates = header.coordinates.iter();
    let n = coordinates.map(scalars).sum();
    let (d, bodies) = bodies(header).unwrap_or((n, 0));
    let sizes = [n, d, rows(tree), bodies];
    let (scalar, varied) = (scalar_of(&header.name), varied(header));
    let interface = constraint::interface(&scalar, sizes, varied);
    let mut members = constraint::opening(&scalar, sizes);
    members.append(interface.stubs(table(bodies > 0)));
    let asked = header.derivatives.filter(|_| bodies == 0);
    let derivatives = asked.map(|_| {
        let implements = constraint::varies(&scalar, sizes, varied);
        (implements, interface.stubs(&DERIVATIVES))
    });
    let traits = [(constraint::implements(&scalar, sizes), members)];
    let traits = traits.into_iter().chain(derivatives);
    items::implementations(&header.name, !header.parameters.is_empty(), traits, [])
}
