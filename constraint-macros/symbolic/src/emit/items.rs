//! What all generated types are made of: struct, implementation, derivation.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream};
use quote::quote;

use super::interface::scalar_of;
use super::tokens::Tokens;
use super::{derivation, scope};
use crate::function::Entry;
use crate::model::{Item, Parameter, Shape};

/// The items, or, of the bare form, a block whose value is the constraint.
pub(super) fn wrap(named: bool, name: &Ident, items: &TokenStream) -> TokenStream {
    if named {
        items.clone()
    } else {
        quote!({ #items #name })
    }
}

/// The implementation of a trait and the derivation, in the block of a type that is generic over its scalar or not.
pub(super) fn implementation<'a>(
    name: &Ident,
    generic: bool,
    implements: &TokenStream,
    methods: Tokens,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> TokenStream {
    let locals = scope::Bound::of(methods.bound());
    let methods = Group::new(Delimiter::Brace, methods.into());
    let (own, scalar) = (scope::inside(name), scalar_of(name));
    let arguments = generic.then(|| quote!(<#scalar>));
    let default = generic.then(|| quote!(<f64>));
    let constant = derivation::constant(entries);
    let impls = quote! {
        #[automatically_derived]
        impl<#scalar: rt::Real> #implements for #own #arguments #methods

        impl #own #default {
            #constant
        }
    };
    scope::block(locals, name, generic, &impls)
}

pub(super) fn structure(
    item: Option<&Item>,
    name: &Ident,
    docs: &TokenStream,
    parameters: &[Parameter],
    scalar: &Ident,
) -> TokenStream {
    let runtime = quote!(::constraint_runtime::__private);
    let derives = derives(item);
    let attributes = item.map(|item| &item.attributes);
    let visibility = item.map(|item| &item.visibility);
    if parameters.is_empty() {
        return quote! { #attributes #docs #derives #visibility struct #name; };
    }
    let fields = parameters.iter().map(|parameter| {
        let Parameter {
            attributes,
            visibility,
            name,
            shape,
            lengths,
        } = parameter;
        let ty = match shape {
            Shape::Scalar => quote!(#scalar),
            Shape::Plane => quote!(#runtime::Vector2<#scalar>),
            Shape::Space => quote!(#runtime::Vector3<#scalar>),
        };
        let ty = array_of(ty, lengths);
        quote!(#attributes #visibility #name: #ty)
    });
    quote! {
        #attributes
        #docs
        #derives
        #visibility struct #name<#scalar: #runtime::Real = ::core::primitive::f64> { #(#fields),* }
    }
}

/// `[[T; 4]; 3]` of the lengths 3 and 4.
pub(super) fn array_of(element: TokenStream, lengths: &[usize]) -> TokenStream {
    let lengths = lengths.iter().rev().copied().map(Literal::usize_unsuffixed);
    lengths.fold(element, |element, length| quote!([#element; #length]))
}

/// Clone, Copy, Debug and PartialEq, then what the user asks for besides.
fn derives(item: Option<&Item>) -> TokenStream {
    let theirs = item.map_or(&[][..], |item| &item.derives).iter();
    let ours = ["Clone", "Copy", "Debug", "PartialEq"];
    let theirs = theirs.filter(|path| !ours.iter().any(|name| is_path_to(path, name)));
    let ours = derived();
    quote!(#[derive(#ours, #(#theirs),*)])
}

/// What every generated type derives, whatever else is called so where it stands.
pub(super) fn derived() -> TokenStream {
    quote!(
        ::core::clone::Clone,
        ::core::marker::Copy,
        ::core::fmt::Debug,
        ::core::cmp::PartialEq
    )
}

/// Whether a path ends in the name.
pub(super) fn is_path_to(path: &TokenStream, name: &str) -> bool {
    let path = path.to_string();
    path.rsplit("::").next().unwrap_or(&path).trim() == name
}
