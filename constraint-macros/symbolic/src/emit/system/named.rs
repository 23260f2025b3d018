//! What a system gives back by name: the structs of its outputs and of its multipliers.

use proc_macro2::TokenStream;
use quote::quote;

use super::items::{Items, affine, count, letters};
use super::nested::{Nested, tree};
use crate::model::{Element, Named, Shape};

impl Items<'_> {
    /// The structs, then how they are read from flat vectors.
    pub fn told(&self) -> [TokenStream; 2] {
        let of = &self.name;
        let outputs = format!(" What [`{of}`] tells at a state, by name.");
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
                told[1].extend(self.read_from_flat(suffix, fields, length));
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

    fn read_from_flat(&self, suffix: &str, fields: &[Named], length: usize) -> TokenStream {
        let (scalar, length) = (&self.scalar, count(length));
        let name = self.sibling(suffix);
        let reads = self.reads(suffix, &tree(fields), &read);
        quote! {
            #[automatically_derived]
            impl<#scalar: rt::Real> From<rt::SVector<#scalar, #length>> for #name<#scalar> {
                #[inline]
                fn from(flat: rt::SVector<#scalar, #length>) -> Self {
                    Self { #(#reads),* }
                }
            }
        }
    }
}

/// `link: core::array::from_fn(|i| flat[1 + i])`
fn read(field: &Named) -> TokenStream {
    let name = &field.name;
    let steps = field.steps();
    let place = |component: usize| match (&steps, field.places.first()) {
        (Some(steps), Some(&first)) => affine(first + component, steps),
        _ => {
            let inner = (1..=field.lengths.len()).map(|k| field.lengths[k..].iter().product());
            let inner: Vec<usize> = inner.collect();
            let (number, component) = (affine(0, &inner), count(component));
            quote!(PLACES[#number] + #component)
        }
    };
    let components = (0..field.element.scalars()).map(place);
    let element = match field.element {
        Element::Vector(Shape::Scalar) => quote!(#(flat[#components])*),
        Element::Vector(Shape::Plane) => quote!(rt::Vector2::new(#(flat[#components]),*)),
        Element::Vector(Shape::Space) => quote!(rt::Vector3::new(#(flat[#components]),*)),
        Element::List(_) => quote!([#(flat[#components]),*]),
    };
    let indices = letters().into_iter().zip(&field.first);
    let indices: Vec<_> = indices.skip(field.indices_around()).collect();
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
    if steps.is_some() {
        return quote!(#name: #value);
    }
    let (places, length) = (
        field.places.iter().copied().map(count),
        count(field.places.len()),
    );
    quote! {
        #name: {
            const PLACES: [usize; #length] = [#(#places),*];
            #value
        }
    }
}
