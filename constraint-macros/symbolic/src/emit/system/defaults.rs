//! `Default`: the values of the parameters, or a message that lists those without one.

use crate::expr::CollectVec;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::{heap, items};
use super::fields::count;
use super::items::Items;
use crate::model::{Parameter, Shape};

impl Items<'_> {
    /// The struct itself; what `Default` gives is written by us, whether or not the user derives it.
    pub fn structure(&self, docs: &TokenStream, defaulted: bool) -> TokenStream {
        let mut item = self.system.model.item.clone();
        if let Some(item) = item.as_mut().filter(|_| defaulted) {
            item.derives
                .retain(|path| !items::is_path_to(path, "Default"));
        }
        items::structure(
            item.as_ref(),
            &self.name,
            docs,
            self.parameters,
            &self.scalar,
        )
    }

    /// `impl Default`, where every parameter has a value.
    pub fn default_values(&self) -> Option<TokenStream> {
        let scalar = &self.scalar;
        let values: Option<Vec<&Vec<f64>>> =
            self.system.defaults.iter().map(Option::as_ref).collect();
        let fields = self
            .parameters
            .iter()
            .zip(values?)
            .map(|(parameter, values)| {
                let field = &parameter.name;
                let element = |values: &[f64]| {
                    let literals = values.iter().map(|&value| {
                        let literal = Literal::f64_unsuffixed(value);
                        quote!(#scalar::lit(#literal))
                    });
                    match parameter.shape {
                        Shape::Scalar => quote!(#(#literals)*),
                        _ => quote!([#(#literals),*].into()),
                    }
                };
                let size = parameter.shape.len();
                let value = value_of(values, size, &parameter.lengths, &element);
                quote!(#field: #value)
            });
        Some(self.default(&if self.parameters.is_empty() {
            quote!(Self)
        } else {
            quote!(Self { #(#fields),* })
        }))
    }

    /// `impl Default` with this value.
    pub fn default(&self, value: &TokenStream) -> TokenStream {
        let (own, scalar, generic) = (&self.own, &self.scalar, self.generic());
        let parameters = generic.as_ref().map(|_| quote!(<#scalar: rt::Real>));
        quote! {
            #[automatically_derived]
            impl #parameters Default for #own #generic {
                fn default() -> Self {
                    #value
                }
            }
        }
    }

    /// `default()` where parameters lack values: what the user implements `Default` by, or an error of ours. Nothing where
    /// the user derives it.
    pub fn without_default<'a>(
        &self,
        missing: impl Iterator<Item = &'a Parameter>,
    ) -> Option<TokenStream> {
        let item = self.system.model.item.as_ref()?;
        let mut derives = item.derives.iter();
        if derives.any(|path| items::is_path_to(path, "Default")) {
            return None;
        }
        let missing: Vec<&Parameter> = missing.collect_vec();
        let names: Vec<String> = missing
            .iter()
            .map(|it| format!("`{}`", it.name))
            .collect_vec();
        let name = &self.name;
        let message = match &names[..] {
            [] => return None,
            [one] => format!("`{name}` has no default: its parameter {one} has no value"),
            [all @ .., last] => {
                let all = all.join(", ");
                format!("`{name}` has no default: its parameters {all} and {last} have no values")
            }
        };
        let fields = self.parameters.iter().map(|it| format!("{}: …", it.name));
        let fields = fields.collect_vec().join(", ");
        let value = missing.first().map(|it| with_a_value(it))?;
        let note = format!(
            "write a value in its `system!`, as in `{value}`, or all fields here: `{name} {{{{ {fields} }}}}`"
        );
        let (visibility, scalar, own) = (&item.visibility, &self.scalar, &self.own);
        Some(quote! {
            ::constraint_runtime::__private::without_default! {
                #visibility #scalar #own<#scalar>, #message, #note
            }
        })
    }
}

/// `k: [Real; 8] = 1`
fn with_a_value(parameter: &Parameter) -> String {
    let (ty, value) = match parameter.shape {
        Shape::Scalar => ("Real", "1"),
        Shape::Plane => ("Vector2", "[1, 0]"),
        Shape::Space => ("Vector3", "[1, 0, 0]"),
    };
    let lengths = parameter.lengths.iter().rev();
    let ty = lengths.fold(ty.to_owned(), |ty, length| format!("[{ty}; {length}]"));
    format!("{}: {ty} = {value}", parameter.name)
}

/// The value of a field that is an array of such lengths: an element of `size` numbers, or arrays of them.
fn value_of(
    values: &[f64],
    size: usize,
    lengths: &[usize],
    element: &dyn Fn(&[f64]) -> TokenStream,
) -> TokenStream {
    let Some((&length, inner)) = lengths.split_first() else {
        return element(values);
    };
    let large = heap::is_large(size * lengths.iter().product::<usize>());
    let (first, rest) = values.split_at(values.len() / length);
    let parts = rest.chunks(first.len());
    if parts.clone().all(|part| part == first) {
        let value = value_of(first, size, inner, element);
        if large {
            return quote!(rt::HeapArray::repeat(#value));
        }
        let length = count(length);
        return quote!([#value; #length]);
    }
    let parts = [first].into_iter().chain(parts);
    let parts = parts.map(|part| value_of(part, size, inner, element));
    if large {
        quote!(rt::HeapArray::from([#(#parts),*]))
    } else {
        quote!([#(#parts),*])
    }
}
