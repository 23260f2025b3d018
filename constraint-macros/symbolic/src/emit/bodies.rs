//! Bodies as arguments: of which types they are, and where their leaves stand.

use std::ops::Range;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::interface::{Layout, Part};
use crate::function::Argument;
use crate::model::Role;

/// Where a body with `d` velocities is.
pub(super) fn pose(d: usize, scalar: &Ident) -> TokenStream {
    match d {
        3 => quote!(rt::Rigid2<#scalar>),
        _ => quote!(rt::Rigid3<#scalar>),
    }
}

/// What an argument holds of each body.
pub(super) fn type_of_part(argument: Argument, d: usize, scalar: &Ident) -> TokenStream {
    match (argument, d) {
        (Argument::Coordinates, _) => pose(d, scalar),
        (Argument::InverseMasses, 3) => quote!(rt::InverseMass2<#scalar>),
        (Argument::InverseMasses, _) => quote!(rt::InverseMass3<#scalar>),
        (_, 3) => quote!(rt::SVector<#scalar, 3>),
        _ => quote!(rt::SVector<#scalar, 6>),
    }
}

/// Where the leaves of body number `body` stand in its part of an argument, which is called `name`.
pub(super) fn parts(argument: Argument, body: usize, d: usize, name: &Ident) -> Vec<Part> {
    use Layout::{Number, Symmetric, Vector};
    let part = |place: TokenStream, layout, role: fn(usize) -> Role, range: Range<usize>| Part {
        place: quote!(#name #place),
        layout,
        roles: range.map(role).collect(),
    };
    let vector = |role| vec![part(quote!(), Vector, role, body * d..(body + 1) * d)];
    match argument {
        Argument::Coordinates => {
            let first = body * if d == 3 { 4 } else { 7 };
            let part = |place: TokenStream, layout, range: Range<usize>| {
                let range = first + range.start..first + range.end;
                part(place, layout, Role::Coordinate, range)
            };
            let centre = part(quote!(.translation.vector), Vector, 0..d.div_ceil(2));
            match d {
                3 => vec![
                    centre,
                    part(quote!(.rotation.re), Number, 2..3),
                    part(quote!(.rotation.im), Number, 3..4),
                ],
                _ => vec![centre, part(quote!(.rotation.coords), Vector, 3..7)],
            }
        }
        Argument::Velocities => vector(Role::Velocity),
        Argument::Forces => vector(Role::Force),
        _ => {
            let (layout, size) = if d == 3 {
                (Number, 1)
            } else {
                (Symmetric(3), 6)
            };
            let inertia = body * size..(body + 1) * size;
            vec![
                part(quote!(.mass), Number, Role::InverseMass, body..body + 1),
                part(quote!(.inertia), layout, Role::InverseInertia, inertia),
            ]
        }
    }
}
