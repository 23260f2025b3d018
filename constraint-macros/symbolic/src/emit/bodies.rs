//! Bodies as arguments: their types, and the places of their leaves.

use crate::expr::CollectVec;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::interface::Layout::{self, Number, Symmetric, Vector};
use super::interface::Part;
use crate::function::Argument;
use crate::model::Role;

/// The pose of a body with `d` velocities.
pub(super) fn pose(d: usize, scalar: &Ident) -> TokenStream {
    match d {
        3 => quote!(rt::Rigid2<#scalar>),
        _ => quote!(rt::Rigid3<#scalar>),
    }
}

/// The quantity of each body that an argument holds.
pub(super) fn type_of_part(argument: Argument, d: usize, scalar: &Ident) -> TokenStream {
    match (argument, d) {
        (Argument::Coordinates, _) => pose(d, scalar),
        (Argument::InverseMasses, 3) => quote!(rt::InverseMass2<#scalar>),
        (Argument::InverseMasses, _) => quote!(rt::InverseMass3<#scalar>),
        (_, 3) => quote!(rt::SVector<#scalar, 3>),
        _ => quote!(rt::SVector<#scalar, 6>),
    }
}

/// The places of the leaves of body number `body` in its part of an argument, which is called `name`.
pub(super) fn parts(argument: Argument, body: usize, d: usize, name: &Ident) -> Vec<Part> {
    let vector = |role| vec![part(name, quote!(), Vector, (role, body * d, d))];
    match argument {
        Argument::Coordinates => pose_parts(body, d, name),
        Argument::Velocities => vector(Role::Velocity),
        Argument::Forces => vector(Role::Force),
        _ => {
            let (layout, size) = if d == 3 {
                (Number, 1)
            } else {
                (Symmetric(3), 6)
            };
            let inertia = quote!(.inertia);
            vec![
                part(name, quote!(.mass), Number, (Role::InverseMass, body, 1)),
                part(
                    name,
                    inertia,
                    layout,
                    (Role::InverseInertia, body * size, size),
                ),
            ]
        }
    }
}

/// The centre of mass, then a unit complex number or quaternion.
fn pose_parts(body: usize, d: usize, name: &Ident) -> Vec<Part> {
    let part =
        |place, layout, first, count| part(name, place, layout, (Role::Coordinate, first, count));
    let centre = quote!(.translation.vector);
    if d == 3 {
        let first = 4 * body;
        vec![
            part(centre, Vector, first, 2),
            part(quote!(.rotation.re), Number, first + 2, 1),
            part(quote!(.rotation.im), Number, first + 3, 1),
        ]
    } else {
        let first = 7 * body;
        vec![
            part(centre, Vector, first, 3),
            part(quote!(.rotation.coords), Vector, first + 3, 4),
        ]
    }
}

/// `count` leaves of a kind, from number `first`, at a place of `name`.
fn part(
    name: &Ident,
    place: TokenStream,
    layout: Layout,
    (role, first, count): (fn(usize) -> Role, usize, usize),
) -> Part {
    Part {
        place: quote!(#name #place),
        layout,
        roles: (first..first + count).map(role).collect_vec(),
    }
}
