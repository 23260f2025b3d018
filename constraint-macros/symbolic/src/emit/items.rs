//! The parts of all generated types: struct, implementation, derivation.

use crate::expr::CollectVec;
use proc_macro2::{Delimiter, Group, Ident, TokenStream};
use quote::quote;

use super::interface::scalar_of;
use super::tokens::Tokens;
use super::{derivation, heap, scope};
use crate::function::Entry;
use crate::model::{GeneratedType, Parameter, Shape};

/// The items, or, of the bare form, a block whose value is the constraint.
pub(super) fn wrap(named: bool, name: &Ident, items: &TokenStream) -> TokenStream {
    if named {
        items.clone()
    } else {
        value(&quote!(#items #name))
    }
}

/// A block that has a value. Where items are expected, rustc reads no errors of ours in it, but names the token that it
/// cannot begin an item with: the label, which says what to write.
pub(super) fn value(items: &TokenStream) -> TokenStream {
    quote!('a_bare_equation_is_a_value_so_bind_it_by_let_or_give_it_a_struct: { #items })
}

/// The implementations of traits and the derivation, in the block of a type that is generic over its scalar or not.
pub(super) fn implementations<'a>(
    name: &Ident,
    generic: bool,
    traits: impl IntoIterator<Item = (TokenStream, Tokens)>,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> TokenStream {
    let traits: Vec<(TokenStream, Tokens)> = traits.into_iter().collect_vec();
    let bound = traits.iter().flat_map(|(_, methods)| methods.bound());
    let locals = scope::Bound::of(bound);
    let (own, scalar) = (scope::inside(name), scalar_of(name));
    let arguments = generic.then(|| quote!(<#scalar>));
    let default = generic.then(|| quote!(<f64>));
    let constant = derivation::constant(entries);
    let implemented = traits.into_iter().map(|(implements, methods)| {
        let methods = Group::new(Delimiter::Brace, methods.into());
        quote! {
            #[automatically_derived]
            impl<#scalar: rt::Real> #implements for #own #arguments #methods
        }
    });
    let impls = quote! {
        #(#implemented)*

        impl #own #default {
            #constant
        }
    };
    scope::block(locals, name, generic, &impls)
}

pub(super) fn structure(
    item: Option<&GeneratedType>,
    name: &Ident,
    docs: &TokenStream,
    parameters: &[Parameter],
    scalar: &Ident,
) -> TokenStream {
    let runtime = quote!(::constraint_runtime::__private);
    let large = parameters.iter().any(is_large);
    let derives = derives(item, large);
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
        let ty = heap::array_of(ty, shape.len(), lengths, &runtime);
        quote!(#attributes #visibility #name: #ty)
    });
    quote! {
        #attributes
        #docs
        #derives
        #visibility struct #name<#scalar: #runtime::Real = ::core::primitive::f64> { #(#fields),* }
    }
}

/// Whether a parameter is on the heap.
pub(super) fn is_large(parameter: &Parameter) -> bool {
    heap::is_large(parameter.shape.len() * parameter.lengths.iter().product::<usize>())
}

/// Clone, Copy, Debug and PartialEq, then the user's own derives; without Copy if something is `large`.
fn derives(item: Option<&GeneratedType>, large: bool) -> TokenStream {
    let theirs = item.map_or(&[][..], |item| &item.derives).iter();
    let ours = ["Clone", "Copy", "Debug", "PartialEq"];
    let theirs = theirs.filter(|path| !ours.iter().any(|name| is_path_to(path, name)));
    let ours = derived(large);
    quote!(#[derive(#ours, #(#theirs),*)])
}

/// The derives of every generated type, by paths that no name of the user's hides; without Copy if it is `large`.
pub(super) fn derived(large: bool) -> TokenStream {
    let copy = (!large).then(|| quote!(::core::marker::Copy,));
    quote!(
        ::core::clone::Clone,
        #copy
        ::core::fmt::Debug,
        ::core::cmp::PartialEq
    )
}

/// Whether a path ends in the name.
pub(super) fn is_path_to(path: &TokenStream, name: &str) -> bool {
    let path = path.to_string();
    path.rsplit("::").next().unwrap_or(&path).trim() == name
}
