//! What stands in for the items of a system with mistakes: the same names and shapes, no bodies.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::items::is_path_to;
use super::stub;
use super::system_items::Items;
use crate::diagnostic::Diagnostics;
use crate::model::System;
use crate::syntax::ast::Header;

/// The errors, and items of the right names and shapes as far as they are known, so that one mistake gives
/// one error. `system` is `None` where there is not even a struct.
pub fn system_stub(
    parsed: Option<(&Header, &System)>,
    diagnostics: &Diagnostics,
    shim: &TokenStream,
) -> TokenStream {
    let errors = diagnostics.to_tokens();
    let named = parsed.and_then(|(header, system)| Some((header, system, Items::new(system)?)));
    let Some((header, system, items)) = named else {
        return quote!(#errors #shim);
    };
    let default = default(header, &items);
    let mut header = header.clone();
    if default.is_some() {
        header.derives.retain(|path| !is_path_to(path, "Default"));
    }
    let structure = stub::structure(&header);
    let [points, conversions] = items.points();
    let [inputs, held] = items.inputs().unwrap_or_default();
    let implementation = items.implementation(&methods(&items));
    let constants = constants(system, &items);
    let block = items.block(&quote!(#default #conversions #held #implementation #constants));
    quote! {
        #errors
        #shim
        #structure
        #points
        #inputs
        #block
    }
}

/// `impl Default`, where every parameter was given a value, be it a wrong one.
fn default(header: &Header, items: &Items<'_>) -> Option<TokenStream> {
    let mut parameters = header.parameters.iter();
    let given = parameters.all(|parameter| parameter.default.is_some());
    given.then(|| items.default(&quote!(::core::unreachable!())))
}

fn methods(items: &Items<'_>) -> TokenStream {
    let (scalar, n, m) = (&items.scalar, items.n(), items.m());
    let q = items.q();
    let places = quote!(rt::SVector<#scalar, #q>);
    let coordinates = quote!(rt::SVector<#scalar, #n>);
    let rows = quote!(rt::SVector<#scalar, #m>);
    let (q, v, b) = (
        quote!(_: &#places),
        quote!(, _: &#coordinates),
        quote!(, _: &#rows),
    );
    let tried_coordinates = quote!(Result<#coordinates, rt::Error>);
    let methods = [
        ("acceleration", v.clone(), tried_coordinates.clone()),
        ("multipliers", v.clone(), quote!(Result<#rows, rt::Error>)),
        ("constraint_force", v.clone(), tried_coordinates.clone()),
        ("constraint", quote!(), rows.clone()),
        ("constraint_rate", v.clone(), rows.clone()),
        ("jacobian", quote!(), quote!(rt::SMatrix<#scalar, #m, #n>)),
        ("bias", v.clone(), rows),
        ("correction", b, tried_coordinates),
        ("kinetic_energy", v.clone(), quote!(#scalar)),
        ("kinematics", v, places),
        ("potential_energy", quote!(), quote!(#scalar)),
    ];
    let methods = methods.map(|(method, rest, returned)| {
        let method: Ident = format_ident!("{method}", span = Span::mixed_site());
        quote!(fn #method(&self, _: #scalar, #q #rest) -> #returned { ::core::unreachable!() })
    });
    quote!(#(#methods)*)
}

fn constants(system: &System, items: &Items<'_>) -> TokenStream {
    let (own, generic, m) = (&items.own, items.generic_f64(), items.m());
    let names = system.rows.iter().map(ToString::to_string);
    quote! {
        impl #own #generic {
            pub const CONSTRAINTS: [&'static str; #m] = [#(#names),*];
            pub const DERIVATION: rt::SystemDerivation = rt::SystemDerivation::EMPTY;
        }
    }
}
