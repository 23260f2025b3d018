//! Results by name: the structs of a system's outputs and multipliers.

use crate::expr::CollectVec;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::fields::{affine, count, letters};
use super::items::Items;
use super::nested::{Nested, tree, writes};
use crate::model::{Element, Named, Shape};

impl Items<'_> {
    /// The structs, then how they are read from flat vectors.
    pub fn told(&self) -> [TokenStream; 2] {
        let of = &self.name;
        let outputs = format!(" Outputs of [`{of}`] at a state, by name.");
        let multipliers = format!(" λ of [`{of}`] by the names of its constraints.");
        let parts = [
            ("Outputs", outputs, &self.system.outputs),
            ("Multipliers", multipliers, &self.system.constraints),
        ];
        let lengths = [self.system.observed.len(), self.system.rows.len()];
        let mut told = [TokenStream::new(), TokenStream::new()];
        for ((suffix, docs, fields), length) in parts.into_iter().zip(lengths) {
            // Of large systems λ is flat: names would ask for arrays on the stack.
            let told_by_name = suffix != "Multipliers" || !self.is_large();
            if !fields.is_empty() && told_by_name {
                told[0].extend(self.structure_of(suffix, &docs, fields));
                let back = suffix == "Outputs" && self.system.options.derivatives.is_some();
                told[1].extend(self.conversions_of(suffix, fields, length, back));
            }
        }
        told
    }

    /// `ChainMultipliers<T>`, or the flat vector where no constraint has a name of its own or the system is large.
    pub fn multipliers(&self) -> TokenStream {
        let scalar = &self.scalar;
        if self.system.constraints.is_empty() || self.is_large() {
            return quote!(Self::Rows);
        }
        let name = self.sibling("Multipliers");
        quote!(#name<#scalar>)
    }

    fn structure_of(&self, suffix: &str, docs: &str, fields: &[Named]) -> TokenStream {
        let rt = quote!(::constraint_runtime::__private);
        let scalar = &self.scalar;
        self.structs(suffix, docs, &tree(fields), &|field| {
            let name = &field.name;
            let docs = self.field_docs(&field.key(), &format!(" `{name}`"));
            let element = match field.element {
                Element::Vector(Shape::Scalar) => quote!(#scalar),
                Element::Vector(Shape::Plane) => quote!(#rt::Vector2<#scalar>),
                Element::Vector(Shape::Space) => quote!(#rt::Vector3<#scalar>),
                Element::List(length) => {
                    let length = count(length);
                    quote!([#scalar; #length])
                }
            };
            let own = field.indices_around()..;
            let indices = field.first[own.clone()].iter().zip(&field.lengths[own]);
            let indices = indices.rev();
            let ty = indices.fold(element, |ty, (&first, &length)| {
                let (start, length) = (count(first), count(length));
                match first {
                    0 => quote!([#ty; #length]),
                    _ => quote!(#rt::Numbered<#ty, #start, #length>),
                }
            });
            quote!(#docs pub #name: #ty)
        })
    }

    /// The conversions between the struct and the flat vector of results; back to the flat one if gradients by outputs are
    /// given.
    fn conversions_of(
        &self,
        suffix: &str,
        fields: &[Named],
        length: usize,
        back: bool,
    ) -> TokenStream {
        let (scalar, length) = (&self.scalar, count(length));
        let vector = quote!(rt::SVector<#scalar, #length>);
        let nodes = tree(fields);
        let reads = self.reads(suffix, &nodes, &read);
        let read = self.read_from(suffix, &vector, &quote!(#(#reads),*));
        let written = back.then(|| {
            let writes = writes(&quote!(named), &nodes, &write);
            let zeros = quote!(rt::SVector::<#scalar, #length>::zeros().into());
            self.written_to(suffix, &vector, &writes, &zeros)
        });
        quote!(#read #written)
    }
}

/// The places of the components of a field's element in the flat vector, and the table that they need.
fn places(field: &Named) -> (Vec<TokenStream>, Option<TokenStream>) {
    let steps = field.steps();
    let place = |component: usize| match (&steps, field.places.first()) {
        (Some(steps), Some(&first)) => affine(first + component, steps),
        _ => {
            let inner = (1..=field.lengths.len()).map(|k| field.lengths[k..].iter().product());
            let inner: Vec<usize> = inner.collect_vec();
            let (number, component) = (affine(0, &inner), count(component));
            quote!(PLACES[#number] + #component)
        }
    };
    let components = (0..field.element.scalars()).map(place).collect_vec();
    let table = steps.is_none().then(|| {
        let length = count(field.places.len());
        let places = field.places.iter().copied().map(count);
        quote!(const PLACES: [usize; #length] = [#(#places),*];)
    });
    (components, table)
}

/// `for (i, element) in named.link.iter().enumerate() { flat[1 + i] = *element; }`
fn write(owner: &TokenStream, field: &Named) -> TokenStream {
    let name = &field.name;
    let (components, table) = places(field);
    let around = field.indices_around();
    let (array, element) = (quote!(#owner.#name), quote!(element));
    let is_alone = field.lengths.len() == around;
    let place = if is_alone { &array } else { &element };
    let lines: TokenStream = match field.element {
        Element::Vector(Shape::Scalar) if is_alone => quote!(#(flat[#components] = #array;)*),
        Element::Vector(Shape::Scalar) => quote!(#(flat[#components] = *element;)*),
        Element::Vector(_) => {
            let letters = ["x", "y", "z"].map(|it| Ident::new(it, Span::call_site()));
            let pairs = components.iter().zip(&letters);
            let line = |(to, letter)| quote!(flat[#to] = #place.#letter;);
            pairs.map(line).collect()
        }
        Element::List(length) => {
            let numbers = (0..length).map(count);
            quote!(#(flat[#components] = #place[#numbers];)*)
        }
    };
    let letters = letters().into_iter().skip(around);
    let letters: Vec<Ident> = letters.take(field.lengths.len() - around).collect_vec();
    let levels = letters.iter().enumerate().rev();
    let loops = levels.fold(lines, |lines, (k, letter)| {
        let array = if k == 0 { &array } else { &element };
        quote!(for (#letter, element) in #array.iter().enumerate() { #lines })
    });
    match table {
        Some(table) => quote!({ #table #loops }),
        None => loops,
    }
}

/// `link: core::array::from_fn(|i| flat[1 + i])`
fn read(field: &Named) -> TokenStream {
    let name = &field.name;
    let (components, table) = places(field);
    let element = match field.element {
        Element::Vector(Shape::Scalar) => quote!(#(flat[#components])*),
        Element::Vector(Shape::Plane) => quote!(rt::Vector2::new(#(flat[#components]),*)),
        Element::Vector(Shape::Space) => quote!(rt::Vector3::new(#(flat[#components]),*)),
        Element::List(_) => quote!([#(flat[#components]),*]),
    };
    let indices = letters().into_iter().zip(&field.first);
    let indices: Vec<_> = indices.skip(field.indices_around()).collect_vec();
    let value = indices
        .into_iter()
        .rev()
        .fold(element, |value, (letter, &first)| {
            let array = quote!(::core::array::from_fn(|#letter| #value));
            if first == 0 {
                array
            } else {
                quote!(rt::Numbered::new(#array))
            }
        });
    match table {
        Some(table) => quote!(#name: { #table #value }),
        None => quote!(#name: #value),
    }
}
