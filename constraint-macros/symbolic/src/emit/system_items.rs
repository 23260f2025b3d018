//! What a system's items look like from outside, whether or not its equations can be solved: its names and shapes.
//!
//! Input: [`model::System`](crate::model::System). Output: `…Coordinates`, `…Velocities`, `…Inputs`, `…WithInputs`, the defaults, and the
//! head of `impl System`. Errors or none, these are the same, so that code that uses them has no errors of its own.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use crate::model::{Declared, Parameter, Shape, System};

/// Names and shapes of one system.
pub(super) struct Items<'a> {
    system: &'a System,
    /// The struct's fields.
    pub parameters: &'a [Parameter],
    /// The struct's name.
    pub name: Ident,
    /// The type parameter of the scalar.
    pub scalar: Ident,
}

impl<'a> Items<'a> {
    /// `None` for what declares no struct.
    pub fn new(system: &'a System) -> Option<Items<'a>> {
        let name = system.model.item.as_ref()?.name.clone();
        let scalar = if name == "T" { "Scalar" } else { "T" };
        Some(Items {
            system,
            parameters: &system.model.parameters,
            scalar: Ident::new(scalar, Span::mixed_site()),
            name,
        })
    }

    /// N, the number of scalar coordinates.
    pub fn n(&self) -> Literal {
        count(self.system.declared.iter().map(Declared::scalars).sum())
    }

    /// M, the number of rows.
    pub fn m(&self) -> Literal {
        count(self.system.rows.len())
    }

    /// `<T>`, where there are parameters.
    pub fn generic(&self) -> Option<TokenStream> {
        let scalar = &self.scalar;
        (!self.parameters.is_empty()).then(|| quote!(<#scalar>))
    }

    /// `<f64>`, where there are parameters.
    pub fn generic_f64(&self) -> Option<TokenStream> {
        (!self.parameters.is_empty()).then(|| quote!(<f64>))
    }

    /// `ChainCoordinates` of `Chain`.
    pub fn sibling(&self, suffix: &str) -> Ident {
        format_ident!("{}{suffix}", self.name, span = self.name.span())
    }

    /// `rt::System<T, 8, 8, 3> for Chain<T>` and what stands before the methods.
    pub fn implementation(&self, methods: &TokenStream) -> TokenStream {
        let (scalar, n, m) = (&self.scalar, self.n(), self.m());
        let implementor = match self.system.inputs.is_empty() {
            true => {
                let (name, generic) = (&self.name, self.generic());
                quote!(#name #generic)
            }
            false => {
                let held = self.sibling("WithInputs");
                quote!(#held<#scalar>)
            }
        };
        let (coordinates, velocities) = (self.sibling("Coordinates"), self.sibling("Velocities"));
        quote! {
            #[automatically_derived]
            #[allow(clippy::all, clippy::pedantic)]
            impl<#scalar: rt::Real> rt::System<#scalar, #n, #n, #m> for #implementor {
                type Coordinates = #coordinates<#scalar>;
                type Velocities = #velocities<#scalar>;

                #methods
            }
        }
    }
}

// ---- the structs beside the system --------------------------------------------------------------

impl Items<'_> {
    /// `ChainCoordinates` and `ChainVelocities`, then their conversions.
    pub fn points(&self) -> [TokenStream; 2] {
        let visibility = self.system.model.item.as_ref().map(|item| &item.visibility);
        let (coordinates, velocities) = (self.sibling("Coordinates"), self.sibling("Velocities"));
        let declared = &self.system.declared;
        let position = self.flat_struct(&coordinates, declared, "Place of", POINTS);
        let velocity = self.flat_struct(&velocities, declared, "Velocity of", VECTORS);
        let [of_position, of_velocity] = [(&coordinates, POINTS), (&velocities, VECTORS)]
            .map(|(name, types)| self.conversions(name, declared, types));
        let of = format!("[`{}`]", self.name);
        let docs = [
            format!(" The coordinates of {of} by name."),
            format!(" The velocities of {of} by name."),
        ];
        let [docs_q, docs_v] = docs;
        let structures = quote! {
            #[doc = #docs_q]
            #[derive(Clone, Copy, Debug, PartialEq)]
            #visibility #position
            #[doc = #docs_v]
            #[derive(Clone, Copy, Debug, PartialEq)]
            #visibility #velocity
        };
        [structures, quote!(#of_position #of_velocity)]
    }

    /// A struct of one field per name.
    fn flat_struct(
        &self,
        name: &Ident,
        declared: &[Declared],
        what: &str,
        types: [&str; 2],
    ) -> TokenStream {
        let scalar = &self.scalar;
        let rt = quote!(::constraint_runtime::__private);
        let single = |shape: Shape| match shape {
            Shape::Scalar => quote!(#scalar),
            Shape::Plane | Shape::Space => {
                let ty = vector(types, shape);
                quote!(#rt::#ty<#scalar>)
            }
        };
        let fields = declared.iter().map(|declared| {
            let (field, ty) = (&declared.name, single(declared.shape));
            let docs = format!(" {what} `{field}`.");
            match declared.count {
                None => quote!(#[doc = #docs] pub #field: #ty),
                Some(count) => {
                    let count = self::count(count);
                    quote!(#[doc = #docs] pub #field: [#ty; #count])
                }
            }
        });
        // Only a system with mistakes has no names; its stub still has to use its scalar.
        let marker = declared
            .is_empty()
            .then(|| quote!(marker: ::core::marker::PhantomData<#scalar>));
        quote!(struct #name<#scalar: #rt::Real = f64> { #(#fields),* #marker })
    }

    /// From and to the flat vector, and zero by default.
    fn conversions(&self, name: &Ident, declared: &[Declared], types: [&str; 2]) -> TokenStream {
        let scalar = &self.scalar;
        let total = count(declared.iter().map(Declared::scalars).sum());
        let mut first = 0;
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for declared in declared {
            reads.push(read(declared, first, types));
            writes.push(write(declared, first));
            first += declared.scalars();
        }
        let marker = declared
            .is_empty()
            .then(|| quote!(marker: ::core::marker::PhantomData));
        quote! {
            #[automatically_derived]
            impl<#scalar: rt::Real> From<rt::SVector<#scalar, #total>> for #name<#scalar> {
                #[inline]
                fn from(flat: rt::SVector<#scalar, #total>) -> Self {
                    Self { #(#reads),* #marker }
                }
            }

            #[automatically_derived]
            impl<#scalar: rt::Real> From<#name<#scalar>> for rt::SVector<#scalar, #total> {
                #[inline]
                fn from(named: #name<#scalar>) -> Self {
                    let mut flat = Self::zeros();
                    #(#writes)*
                    flat
                }
            }

            #[automatically_derived]
            impl<#scalar: rt::Real> Default for #name<#scalar> {
                #[inline]
                fn default() -> Self {
                    rt::SVector::<#scalar, #total>::zeros().into()
                }
            }
        }
    }

    /// `impl Default`, where every parameter has a value.
    pub fn default_values(&self) -> Option<TokenStream> {
        let (name, scalar) = (&self.name, &self.scalar);
        let values: Option<Vec<&Vec<f64>>> =
            self.system.defaults.iter().map(Option::as_ref).collect();
        let values = values.filter(|values| !values.is_empty())?;
        let fields = self
            .parameters
            .iter()
            .zip(values)
            .map(|(parameter, values)| {
                let field = &parameter.name;
                let literals = values.iter().map(|&value| {
                    let literal = Literal::f64_unsuffixed(value);
                    quote!(#scalar::lit(#literal))
                });
                match parameter.shape {
                    Shape::Scalar => quote!(#field: #(#literals)*),
                    _ => quote!(#field: [#(#literals),*].into()),
                }
            });
        Some(quote! {
            #[automatically_derived]
            impl<#scalar: rt::Real> Default for #name<#scalar> {
                fn default() -> Self {
                    Self { #(#fields),* }
                }
            }
        })
    }

    /// The inputs by name and the system with its inputs held, then the impls of both.
    pub fn inputs(&self) -> Option<[TokenStream; 2]> {
        if self.system.inputs.is_empty() {
            return None;
        }
        let visibility = self.system.model.item.as_ref().map(|item| &item.visibility);
        let (inputs, held) = (self.sibling("Inputs"), self.sibling("WithInputs"));
        let structure = self.flat_struct(&inputs, &self.system.inputs, "Input", VECTORS);
        let conversions = self.conversions(&inputs, &self.system.inputs, VECTORS);
        let (name, scalar, generic) = (&self.name, &self.scalar, self.generic());
        let (n, m) = (self.n(), self.m());
        let docs_inputs = format!(" What the caller of [`{name}`] supplies at every evaluation.");
        let docs_held = format!(" [`{name}`] with its inputs held.");
        let structures = quote! {
            #[doc = #docs_inputs]
            #[derive(Clone, Copy, Debug, PartialEq)]
            #visibility #structure

            #[doc = #docs_held]
            #[derive(Clone, Copy, Debug, PartialEq)]
            #visibility struct #held<#scalar: ::constraint_runtime::__private::Real = f64> {
                /// The system.
                pub system: #name #generic,
                /// Its inputs.
                pub inputs: #inputs<#scalar>,
            }
        };
        let implementations = quote! {
            #conversions

            #[automatically_derived]
            impl<#scalar: rt::Real> rt::InputSystem<#scalar, #n, #n, #m> for #name #generic {
                type Inputs = #inputs<#scalar>;
                type Held = #held<#scalar>;

                #[inline]
                fn with_inputs(&self, inputs: #inputs<#scalar>) -> #held<#scalar> {
                    #held { system: *self, inputs }
                }
            }
        };
        Some([structures, implementations])
    }
}

/// What places are made of, in the plane and in space.
const POINTS: [&str; 2] = ["Point2", "Point3"];
/// What velocities are made of.
const VECTORS: [&str; 2] = ["Vector2", "Vector3"];

/// The type of a place or of a velocity.
fn vector(types: [&str; 2], shape: Shape) -> Ident {
    let [plane, space] = types;
    let name = if shape == Shape::Space { space } else { plane };
    Ident::new(name, Span::mixed_site())
}

/// A field, read from the flat vector.
fn read(declared: &Declared, first: usize, types: [&str; 2]) -> TokenStream {
    let (field, size) = (&declared.name, declared.shape.len());
    let element = |i: &dyn Fn(usize) -> TokenStream| {
        let components = (0..size).map(i);
        match declared.shape {
            Shape::Scalar => quote!(#(flat[#components])*),
            Shape::Plane | Shape::Space => {
                let ty = vector(types, declared.shape);
                quote!(rt::#ty::new(#(flat[#components]),*))
            }
        }
    };
    match declared.count {
        None => {
            let value = element(&|k| {
                let index = count(first + k);
                quote!(#index)
            });
            quote!(#field: #value)
        }
        Some(_) => {
            let value = element(&|k| affine(first + k, size));
            quote!(#field: ::core::array::from_fn(|i| #value))
        }
    }
}

/// `first + size * i`
fn affine(first: usize, size: usize) -> TokenStream {
    let (offset, step) = (count(first), count(size));
    match (first, size) {
        (0, 1) => quote!(i),
        (_, 1) => quote!(#offset + i),
        (0, _) => quote!(#step * i),
        _ => quote!(#offset + #step * i),
    }
}

/// The flat vector, written from a field.
fn write(declared: &Declared, first: usize) -> TokenStream {
    let (field, size) = (&declared.name, declared.shape.len());
    let components = ["x", "y", "z"].map(|name| Ident::new(name, Span::call_site()));
    let scalars = declared.shape != Shape::Scalar;
    let part = |value: TokenStream, k: usize| match scalars {
        true => {
            let component = &components[k];
            quote!(#value.#component)
        }
        false => value,
    };
    match declared.count {
        None => {
            let lines = (0..size).map(|k| {
                let (index, value) = (count(first + k), part(quote!(named.#field), k));
                quote!(flat[#index] = #value;)
            });
            quote!(#(#lines)*)
        }
        Some(_) => {
            let lines = (0..size).map(|k| {
                let (index, value) = (affine(first + k, size), part(quote!(element), k));
                quote!(flat[#index] = #value;)
            });
            quote! {
                for (i, element) in named.#field.into_iter().enumerate() { #(#lines)* }
            }
        }
    }
}

/// A number as Rust writes it in a type.
pub(super) fn count(n: usize) -> Literal {
    Literal::usize_unsuffixed(n)
}
