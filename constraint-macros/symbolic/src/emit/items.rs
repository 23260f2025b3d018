//! The generated items: struct, `impl Constraint`, derivation.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream};
use quote::quote;

use super::derivation::{self, Derivation};
use super::interface::{self, Interface, scalar_of};
use super::joint::joint;
use super::scope;
use super::tokens::Tokens;
use crate::constraint::Derived;
use crate::function::Entry;
use crate::function::constraint::{TABLE, functions, names};
use crate::model::{Coordinate, Item, Parameter, Shape as Components, Symbol};
use crate::syntax::bare_name;

/// The derivation as the MathML that rustdoc shows.
pub fn mathml(derived: &Derived) -> String {
    // Costs stand in the text beside it.
    Derivation::new(derived, &|_| None).mathml()
}

/// The coordinates by name, for messages.
fn coordinate_names(coordinates: &[Coordinate]) -> TokenStream {
    let names = coordinates.iter().map(|coordinate| {
        let base = coordinate.name.to_string();
        let components: &[&str] = match coordinate.shape.len() {
            1 => &[""],
            2 => &[".x", ".y"],
            _ => &[".x", ".y", ".z"],
        };
        quote!(rt::Names::of(#base, &[#(#components),*]))
    });
    quote! {
        fn names(&self) -> &'static [rt::Names] {
            const { &[#(#names),*] }
        }
    }
}

/// The items of a derived constraint: for the bare form, a block whose value is the constraint.
pub fn constraint(derived: &Derived, shim: &TokenStream, source: &TokenStream) -> TokenStream {
    let model = &derived.model;
    if !model.bodies.is_empty() {
        return joint(derived, shim);
    }
    let item = model.item.as_ref();
    let name = item.map_or_else(bare_name, |item| item.name.clone());
    let names = names(model);
    let functions = functions(derived, &names);
    let counts = |quantity| {
        let mut rows = TABLE.iter().zip(&functions);
        let found = rows.find(|(row, _)| row.quantity == quantity);
        found.map(|(_, function)| function.body.cost())
    };
    let derivation = Derivation::new(derived, &counts);
    let entries = &derivation.entries;
    let docs = derivation.type_docs(source);
    let scalar = &scalar_of(&name);
    let structure = structure(item, &name, &docs, &model.parameters, scalar);
    let sizes = [model.coordinate_count(), model.rows.len()];
    let mut interface = interface(&model.symbols, &names.leaves, scalar, sizes);
    interface.give(&names.arguments);
    interface.fields = interface::fields(&model.parameters, &quote!(self));
    let mut methods = Tokens::default();
    for function in &functions {
        let mut entries = entries.iter();
        let told = entries.find(|it| it.entry.name == function.signature.name);
        let docs = told.map(|it| derivation::method_docs(&it.entry));
        interface.method(&mut methods, function, &docs.unwrap_or_default());
    }
    methods.quoted(&coordinate_names(&model.coordinates));
    let implements = implements(scalar, sizes);
    let generic = !model.parameters.is_empty();
    let entries = entries.iter().map(|it| &it.entry);
    let block = implementation(&name, generic, &implements, methods, entries);
    let named = item.is_some_and(|item| item.named);
    wrap(named, &name, &quote!(#shim #structure #block))
}

/// The items, or, of the bare form, a block whose value is the constraint.
pub(super) fn wrap(named: bool, name: &Ident, items: &TokenStream) -> TokenStream {
    match named {
        true => items.clone(),
        false => quote!({ #items #name }),
    }
}

/// `rt::Constraint<T, 2, 1>`
pub(super) fn implements(scalar: &Ident, sizes: [usize; 2]) -> TokenStream {
    let [n, m] = sizes.map(Literal::usize_unsuffixed);
    quote!(rt::Constraint<#scalar, #n, #m>)
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

        #[automatically_derived]
        impl #own #default {
            #constant
        }
    };
    scope::block_binding(locals, name, generic, &impls)
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
        } = parameter;
        let ty = match shape {
            Components::Scalar => quote!(#scalar),
            Components::Plane => quote!(#runtime::Vector2<#scalar>),
            Components::Space => quote!(#runtime::Vector3<#scalar>),
        };
        quote!(#attributes #visibility #name: #ty)
    });
    quote! {
        #attributes
        #docs
        #derives
        #visibility struct #name<#scalar: #runtime::Real = ::core::primitive::f64> { #(#fields),* }
    }
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

/// What the functions of a constraint share: `sizes` of coordinates and rows.
pub(super) fn interface<'a>(
    symbols: &'a [Symbol],
    leaves: &'a [Ident],
    scalar: &Ident,
    [n, m]: [usize; 2],
) -> Interface<'a> {
    Interface::new(symbols, leaves, scalar, [n, n, m], quote!(rt::Singular))
}
