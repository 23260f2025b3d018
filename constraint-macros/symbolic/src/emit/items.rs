//! The generated items: struct, `impl Constraint`, derivation.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream};
use quote::quote;

use super::derivation::{self, Derivation};
use super::interface::{self, Given, Holds, Interface, roles, scalar_of};
use super::joint::joint;
use super::scope;
use super::tokens::Tokens;
use crate::constraint::Derived;
use crate::function::constraint::{Names, TABLE, functions};
use crate::function::{Argument, Dimension, Shape};
use crate::model::{Coordinate, Item, Parameter, Role, Shape as Components, Symbol};
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
    let names = Names::new(model);
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
    let mut interface = interface(&model.symbols, &names, scalar, sizes);
    interface.fields = interface::fields(&model.parameters, &quote!(self));
    let mut methods = Tokens::default();
    for function in &functions {
        let mut entries = entries.iter();
        let told = entries.find(|it| it.entry.name == function.signature.name);
        let docs = told.map(|it| derivation::method_docs(&it.entry));
        interface.method(&mut methods, function, &docs.unwrap_or_default());
    }
    methods.quoted(&coordinate_names(&model.coordinates));
    let locals = scope::Bound::of(methods.bound());
    let methods = Group::new(Delimiter::Brace, methods.into());
    let [n, m] = sizes.map(count);
    let generic = !model.parameters.is_empty();
    let arguments = generic.then(|| quote!(<#scalar>));
    let default = generic.then(|| quote!(<f64>));
    let constant = derivation::constant(entries.iter().map(|it| &it.entry));
    let own = scope::inside(&name);
    let impls = quote! {
        #[automatically_derived]
        impl<#scalar: rt::Real> rt::Constraint<#scalar, #n, #m> for #own #arguments #methods

        #[automatically_derived]
        impl #own #default {
            #constant
        }
    };
    let block = scope::block_binding(locals, &name, generic, &impls);
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

fn count(n: usize) -> Literal {
    Literal::usize_unsuffixed(n)
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

/// How the functions of a constraint come by their leaves: `sizes` of coordinates and rows.
pub(super) fn interface<'a>(
    symbols: &'a [Symbol],
    names: &'a Names,
    scalar: &Ident,
    [n, m]: [usize; 2],
) -> Interface<'a> {
    let error = quote!(rt::Singular);
    let mut interface = Interface::new(symbols, &names.leaves, scalar, [n, n, m], error);
    let vector = |dimension| {
        let ty = interface.type_of(Shape::Vector(dimension));
        quote!(&#ty)
    };
    let [coordinates, rows] = [Dimension::Coordinates, Dimension::Rows].map(vector);
    let given = names.arguments.iter().map(|(argument, name)| {
        let (ty, holds) = match argument {
            Argument::Time => (quote!(#scalar), Holds::Leaf(Role::Time)),
            Argument::Mass => (quote!(#scalar), Holds::Leaf(Role::Mass)),
            Argument::RightHandSide => (rows.clone(), Holds::Vector(roles(Role::RightHandSide, m))),
            Argument::Coordinates => (
                coordinates.clone(),
                Holds::Vector(roles(Role::Coordinate, n)),
            ),
            Argument::Velocities => (coordinates.clone(), Holds::Vector(roles(Role::Velocity, n))),
            Argument::InverseMasses => (
                coordinates.clone(),
                Holds::Vector(roles(Role::InverseMass, n)),
            ),
            Argument::Forces => (coordinates.clone(), Holds::Vector(roles(Role::Force, n))),
        };
        Given {
            argument: *argument,
            name: name.clone(),
            ty: ty.into(),
            holds,
        }
    });
    interface.arguments = given.collect();
    interface
}
