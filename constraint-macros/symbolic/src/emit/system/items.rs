//! The names and shapes of a system's items, which do not depend on whether its equations can be solved.
//!
//! Input: [`model::System`](crate::model::System). Output: `…Coordinates`, `…Velocities`, `…Inputs`, `…WithInputs`, the defaults, and the
//! head of `impl System`. Errors or none, these are the same, so that code that uses them has no errors of its own.

use crate::expr::CollectVec;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::super::interface::scalar_of;
use super::super::scope::{self, Bound};
use super::super::tokens::Tokens;
use super::super::{heap, items};
use super::fields::{
    Field, POINTS, Places, Types, VECTORS, affine, count, names_in_parts, places, rates, vector,
};
use super::nested::{Nested, tree, writes};
use crate::function::leaves::local;
use crate::model::{Declared, Parameter, Shape, System};

/// Names and shapes of one system.
pub(super) struct Items<'a> {
    pub(super) system: &'a System,
    /// The struct's fields.
    pub parameters: &'a [Parameter],
    /// The struct's name.
    pub name: Ident,
    /// The struct's name in the block of impls.
    pub own: Ident,
    /// The type parameter of the scalar.
    pub scalar: Ident,
}

impl<'a> Items<'a> {
    /// `None` for what declares no struct.
    pub fn new(system: &'a System) -> Option<Items<'a>> {
        let name = system.model.item.as_ref()?.name.clone();
        Some(Items {
            system,
            parameters: &system.model.parameters,
            scalar: scalar_of(&name),
            own: scope::inside(&name),
            name,
        })
    }

    /// Whether vectors are on the heap: those of all kinds if those of one are large.
    pub fn is_large(&self) -> bool {
        let velocities = self.system.declared.iter().map(Declared::velocities).sum();
        let sizes = [self.system.scalars(), velocities, self.system.rows.len()];
        sizes.into_iter().any(heap::is_large)
    }

    /// A vector of the system.
    pub(super) fn vector(&self, n: &Literal) -> TokenStream {
        heap::vector(&self.scalar, n, self.is_large())
    }

    /// Q, the number of scalar coordinates.
    pub fn q(&self) -> Literal {
        count(self.system.scalars())
    }

    /// N, the number of velocities.
    pub fn n(&self) -> Literal {
        count(self.system.velocities())
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

    /// All items: the tokens before them, the struct, the structs of its values, and the impls in their block.
    pub fn all(
        &self,
        before: &TokenStream,
        structure: &TokenStream,
        methods: [Tokens; 9],
        constants: &TokenStream,
    ) -> TokenStream {
        let [points, conversions] = self.points();
        let [inputs, held] = self.inputs().unwrap_or_default();
        let [told, read] = self.told();
        let mut bound = Bound::of(methods.iter().flat_map(Tokens::bound));
        [&conversions, &held, &read, constants]
            .into_iter()
            .for_each(|items| bound.items(items.clone()));
        let (implementation, lanes) = (self.implementations(methods), self.in_lanes());
        let impls = quote!(#conversions #held #read #implementation #lanes #constants);
        let block = scope::block(bound, &self.name, !self.parameters.is_empty(), &impls);
        quote!(#before #structure #points #inputs #told #block)
    }

    /// The conversion of copies of the system and of its inputs into lanes, for runtimes that have ensembles.
    fn in_lanes(&self) -> TokenStream {
        let (own, scalar) = (&self.own, &self.scalar);
        let fields = self.parameters.iter().map(|parameter| &parameter.name);
        let fields = (!self.parameters.is_empty()).then(|| quote!({ #(#fields)* }));
        let system = quote!(::constraint_runtime::__private::in_lanes! { #own<#scalar> #fields });
        if self.system.inputs.is_empty() {
            return system;
        }
        let total = self.system.inputs.iter().map(Declared::velocities).sum();
        let (kind, total) = (heap::kind(heap::is_large(total)), count(total));
        let (inputs, held) = (self.sibling("Inputs"), self.sibling("WithInputs"));
        let scalars = self.generic().map(|_| quote!(#scalar::Element, #scalar));
        let source = self.source();
        quote! {
            #system
            ::constraint_runtime::__private::in_lanes! {
                inputs #inputs<#scalar>, #kind<#scalar::Element, #total>, #kind<#scalar, #total>,
                of #own<#scalars>, held #held, by #source
            }
        }
    }

    /// The vectors of coordinates and velocities, flat and by name.
    pub(super) fn types(&self) -> TokenStream {
        let (scalar, q, n) = (&self.scalar, self.vector(&self.q()), self.vector(&self.n()));
        let (coordinates, velocities) = (self.sibling("Coordinates"), self.sibling("Velocities"));
        quote! {
            type Q = #q;
            type V = #n;
            type Coordinates = #coordinates<#scalar>;
            type Velocities = #velocities<#scalar>;
        }
    }

    /// `CartWithInputs<T, U>`
    pub(super) fn with_inputs(&self) -> TokenStream {
        let (held, source) = (self.sibling("WithInputs"), self.source());
        let scalar = (!self.parameters.is_empty()).then_some(&self.scalar);
        let scalar = scalar.map(|scalar| quote!(#scalar,));
        quote!(#held<#scalar #source>)
    }

    /// The type parameter of what gives the inputs.
    pub(super) fn source(&self) -> Ident {
        let name = if self.name == "U" { "Source" } else { "U" };
        Ident::new(name, Span::mixed_site())
    }

    /// True, or if there are inputs the constant of their source.
    pub fn inputs_ignore_velocity(&self) -> TokenStream {
        match self.system.inputs[..] {
            [] => quote!(true),
            _ => {
                let source = self.source();
                quote!(#source::IGNORES_VELOCITY)
            }
        }
    }
}

// ---- the structs of its values ------------------------------------------------------------------

impl Items<'_> {
    /// `ChainCoordinates` and `ChainVelocities`, then their conversions.
    fn points(&self) -> [TokenStream; 2] {
        let (declared, large) = (&self.system.declared, self.is_large());
        let of = format!("[`{}`]", self.name);
        let docs_q = format!(" The coordinates of {of} by name.");
        let docs_v = format!(" The velocities of {of} by name.");
        let position = self.flat_struct(["Coordinates", &docs_q, "Position of"], declared, POINTS);
        let velocity = self.flat_struct(["Velocities", &docs_v, "Velocity of"], declared, VECTORS);
        let [of_position, of_velocity] = [("Coordinates", POINTS), ("Velocities", VECTORS)]
            .map(|(suffix, types)| self.conversions(suffix, declared, types, large));
        let named_q = self.named("Coordinates", places, &self.q());
        let named_v = self.named("Velocities", rates, &self.n());
        [
            quote!(#position #velocity),
            quote!(#of_position #named_q #of_velocity #named_v),
        ]
    }

    /// The user's documentation of a field, `leg.thigh`, or else `plain`.
    pub(super) fn field_docs(&self, key: &str, plain: &str) -> TokenStream {
        let docs = self.system.docs.get(key).cloned();
        docs.unwrap_or_else(|| quote!(#[doc = #plain]))
    }

    /// A struct of one field per name, and those of parts.
    fn flat_struct(
        &self,
        [suffix, docs, what]: [&str; 3],
        declared: &[Declared],
        types: Types,
    ) -> TokenStream {
        let scalar = &self.scalar;
        let rt = quote!(::constraint_runtime::__private);
        let single = |declared: &Declared| match declared.shape {
            Shape::Scalar => quote!(#scalar),
            Shape::Plane | Shape::Space => {
                let ty = vector(types, declared);
                quote!(#rt::#ty<#scalar>)
            }
        };
        let fields = Field::all(declared, types);
        self.structs(suffix, docs, &tree(&fields), &|field| {
            let (name, ty) = (&field.declared.name, single(field.declared));
            let docs = self.field_docs(&field.key(), &format!(" {what} `{name}`."));
            let own = &field.declared.lengths[field.indices_around()..];
            let ty = heap::array_of(ty, field.size, own, &rt);
            quote!(#docs pub #name: #ty)
        })
    }

    /// From and to the flat vector, and zero by default.
    fn conversions(
        &self,
        suffix: &str,
        declared: &[Declared],
        types: Types,
        large: bool,
    ) -> TokenStream {
        let scalar = &self.scalar;
        let points = types == POINTS;
        let fields = Field::all(declared, types);
        let nodes = tree(&fields);
        let reads = self.reads(suffix, &nodes, &|field| field.read(types));
        let writes = writes(&quote!(named), &nodes, &|owner, field| field.write(owner));
        let unturned = fields.iter().filter_map(Field::unturned);
        let unturned: Vec<TokenStream> = unturned.filter(|_| points).collect_vec();
        let total = fields.iter().map(|it| it.size * it.declared.elements());
        let (kind, total) = (heap::kind(large), count(total.sum()));
        let vector = heap::vector(scalar, &total, large);
        let default = if unturned.is_empty() {
            quote!(#kind::<#scalar, #total>::zeros().into())
        } else {
            quote! {
                let mut flat = #kind::<#scalar, #total>::zeros();
                #(#unturned)*
                flat.into()
            }
        };
        let marker = declared
            .is_empty()
            .then(|| quote!(marker: ::core::marker::PhantomData));
        let read = self.read_from(suffix, &vector, &quote!(#(#reads),* #marker));
        let written = self.written_to(suffix, &vector, &writes, &default);
        quote!(#read #written)
    }

    /// The struct of that suffix, read from the flat vector.
    pub(super) fn read_from(
        &self,
        suffix: &str,
        vector: &TokenStream,
        fields: &TokenStream,
    ) -> TokenStream {
        let (scalar, name) = (&self.scalar, self.sibling(suffix));
        quote! {
            #[automatically_derived]
            impl<#scalar: rt::Real> From<#vector> for #name<#scalar> {
                #[inline]
                fn from(flat: #vector) -> Self {
                    Self { #fields }
                }
            }
        }
    }

    /// The conversion back, and the default.
    pub(super) fn written_to(
        &self,
        suffix: &str,
        vector: &TokenStream,
        writes: &[TokenStream],
        default: &TokenStream,
    ) -> TokenStream {
        let (scalar, name) = (&self.scalar, self.sibling(suffix));
        quote! {
            #[automatically_derived]
            impl<#scalar: rt::Real> From<#name<#scalar>> for #vector {
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
                    #default
                }
            }
        }
    }

    /// The rotations made of length one again; nothing where there are none.
    pub fn normalize(&self) -> Option<TokenStream> {
        let vector = self.vector(&self.q());
        let (q, flat) = (local("q"), local("flat"));
        let mut first = 0;
        let mut lines = Vec::new();
        for declared in &self.system.declared {
            let (size, linear) = (declared.element_scalars(), declared.shape.len());
            let start = first + linear;
            first += declared.scalars();
            if !declared.body {
                continue;
            }
            let turn = count(size - linear);
            lines.push(match declared.lengths[..] {
                [] => {
                    let (start, end) = (count(start), count(start + size - linear));
                    quote!(rt::restore_length(&mut #flat[#start..#end]);)
                }
                [..] => {
                    let (start, length) = (affine(start, &[size]), count(declared.elements()));
                    quote! {
                        for i in 0..#length {
                            rt::restore_length(&mut #flat[#start..][..#turn]);
                        }
                    }
                }
            });
        }
        (!lines.is_empty()).then(|| {
            quote! {
                fn normalize(&self, #q: &mut #vector) {
                    let #flat = #q.as_mut_slice();
                    #(#lines)*
                }
            }
        })
    }

    /// Coordinates or velocities get their names, for messages and for `Display`.
    fn named(&self, suffix: &str, components: fn(&Declared) -> Places, n: &Literal) -> TokenStream {
        let names = self.system.declared.iter().flat_map(|declared| {
            if !declared.around.is_empty() {
                return names_in_parts(declared, components(declared));
            }
            let (base, components) = (declared.name.to_string(), components(declared));
            vec![match declared.lengths[..] {
                [] => quote!(rt::Names::of(#base, &[#(#components),*])),
                [length] => {
                    let length = count(length);
                    quote!(rt::Names::of_array(#base, #length, &[#(#components),*]))
                }
                [length, ref inner @ ..] => {
                    let (length, inner) = (count(length), inner.iter().copied().map(count));
                    quote!(rt::Names::of_array(#base, #length, &[#(#components),*]).of_arrays(&[#(#inner),*]))
                }
            }]
        });
        let (scalar, own, flat) = (&self.scalar, self.sibling(suffix), self.vector(n));
        quote!(rt::named! { #scalar, #own<#scalar>, #flat, [#(#names),*] })
    }

    /// The function that returns the names, for messages.
    pub fn names(&self) -> TokenStream {
        quote! {
            fn names(&self, quantity: rt::Quantity) -> Option<&'static [rt::Names]> {
                rt::names::<Self::Coordinates, Self::Velocities>(quantity)
            }
        }
    }

    /// The inputs by name and the system with its inputs held, then the impls of both.
    fn inputs(&self) -> Option<[TokenStream; 2]> {
        let has_inputs = !self.system.inputs.is_empty();
        has_inputs.then(|| [self.input_structs(), self.input_impls()])
    }

    fn input_structs(&self) -> TokenStream {
        let visibility = self.system.model.item.as_ref().map(|item| &item.visibility);
        let (inputs, held) = (self.sibling("Inputs"), self.sibling("WithInputs"));
        let (name, scalar, generic) = (&self.name, &self.scalar, self.generic());
        let docs = format!(" Inputs of [`{name}`], which the caller supplies at every evaluation.");
        let declared = &self.system.inputs;
        let structure = self.flat_struct(["Inputs", &docs, "Input"], declared, VECTORS);
        let source = self.source();
        let declared = match generic {
            Some(_) => quote! {
                #scalar: ::constraint_runtime::__private::Real = ::core::primitive::f64,
                #source = #inputs<#scalar>
            },
            None => quote!(#source = #inputs),
        };
        let derived = items::derived(self.parameters.iter().any(items::is_large));
        let docs_held = format!(" [`{name}`] together with the source of its inputs.");
        quote! {
            #structure

            #[doc = #docs_held]
            #[derive(#derived)]
            #visibility struct #held<#declared> {
                /// The system.
                pub system: #name #generic,
                /// Its inputs, or the law that computes them.
                pub inputs: #source,
            }
        }
    }

    fn input_impls(&self) -> TokenStream {
        let (inputs, held) = (self.sibling("Inputs"), self.sibling("WithInputs"));
        let (own, scalar, generic) = (&self.own, &self.scalar, self.generic());
        let (source, types, with) = (self.source(), self.types(), self.with_inputs());
        let [q, n] = [self.q(), self.n()].map(|n| self.vector(&n));
        let declared = &self.system.inputs;
        let total = declared.iter().map(Declared::velocities).sum();
        let conversions = self.conversions("Inputs", declared, VECTORS, heap::is_large(total));
        let large_inputs = declared
            .iter()
            .map(Declared::velocities)
            .any(heap::is_large);
        let large_system = self.parameters.iter().any(items::is_large);
        let [given, system] = [large_inputs, large_system].map(|large| {
            if large {
                quote!(self.clone())
            } else {
                quote!(*self)
            }
        });
        quote! {
            #conversions

            #[automatically_derived]
            impl<#scalar: rt::Real> rt::InputSystem<#scalar> for #own #generic {
                #types
                type Inputs = #inputs<#scalar>;
                type With<#source: rt::InputSource<#scalar, Self>> = #with;

                #[inline]
                fn with_inputs<#source: rt::InputSource<#scalar, Self>>(&self, inputs: #source) -> #with {
                    #held { system: #system, inputs }
                }
            }

            #[automatically_derived]
            impl<#scalar: rt::Real> rt::InputSource<#scalar, #own #generic> for #inputs<#scalar> {
                const HELD: bool = true;

                #[inline]
                fn at(&self, _: #scalar, _: &#q, _: &#n) -> Self {
                    #given
                }

                #[inline]
                fn lend<'a>(
                    &'a self,
                    _: #scalar,
                    _: &#q,
                    _: &#n,
                    _: &'a mut Option<Self>,
                ) -> &'a Self {
                    self
                }
            }
        }
    }
}
