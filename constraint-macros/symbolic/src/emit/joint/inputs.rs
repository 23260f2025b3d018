//! How a generated method comes by its leaves: parameters, `let`s that unpack bodies, velocities and weights.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::interface;
use super::{Names, Sizes, body_type, in_space};
use crate::expr::{Set, SymbolId};
use crate::function::leaves::local;
use crate::model::{Body, Model, Parameter, Role};

/// What a program reads, and how the method comes by it.
pub(super) struct Inputs<'a> {
    /// The leaves and their roles.
    pub model: &'a Model,
    /// Their identifiers.
    pub names: &'a Names,
    /// What the program reads.
    pub used: Set<SymbolId>,
}

impl Inputs<'_> {
    /// The identifiers of the leaves with such roles, in the order of their symbols, `None` where not read.
    fn leaves(&self, wanted: impl Fn(Role) -> bool) -> Vec<Option<&Ident>> {
        let symbols = self.model.symbols.iter().enumerate();
        let found = symbols.filter(|(_, symbol)| wanted(symbol.role));
        let leaf = |(i, _): (usize, _)| {
            let used = self.used.contains(&SymbolId::new(i));
            used.then(|| &self.names.leaves[i])
        };
        found.map(leaf).collect()
    }

    fn reads(&self, wanted: impl Fn(Role) -> bool) -> bool {
        self.leaves(wanted).iter().any(Option::is_some)
    }

    fn unpack(&self, source: &TokenStream, leaves: &[Option<&Ident>]) -> Option<TokenStream> {
        interface::unpack(source, leaves)
    }

    /// Every leaf that is read, bound to its identifier.
    pub fn bindings(&self) -> TokenStream {
        let mut bindings = self.parameter_bindings();
        bindings.extend(self.family("q", Role::Coordinate, |body| self.places(body)));
        let velocities = |body: usize| self.flat(body, Role::Velocity);
        bindings.extend(self.family("v", Role::Velocity, velocities));
        let weights = self.weights();
        bindings.extend(weights);
        let forces = |body: usize| self.flat(body, Role::Force);
        bindings.extend(self.family("f", Role::Force, forces));
        let right = self.leaves(|role| matches!(role, Role::RightHandSide(_)));
        let source = local("b");
        bindings.extend(self.unpack(&quote!(#source), &right));
        bindings
    }

    fn parameter_bindings(&self) -> TokenStream {
        let parameters = self.model.parameters.iter().enumerate();
        let binding = |(index, parameter): (usize, &Parameter)| {
            let field = &parameter.name;
            let leaves = self.leaves(|role| match role {
                Role::Parameter { parameter, .. } => parameter == index,
                _ => false,
            });
            match leaves[..] {
                [leaf] => leaf.map(|leaf| quote!(let #leaf = self.#field;)),
                _ => self.unpack(&quote!(self.#field), &leaves),
            }
        };
        parameters.filter_map(binding).collect()
    }

    /// `let [a, b] = q;`, then what is unpacked from each.
    fn family(
        &self,
        argument: &str,
        role: fn(usize) -> Role,
        unpacked: impl Fn(usize) -> Option<TokenStream>,
    ) -> TokenStream {
        let mut each = TokenStream::new();
        let mut heads = Vec::new();
        for index in 0..self.model.bodies.len() {
            let unpacked = unpacked(index);
            heads.push(match unpacked {
                Some(_) => {
                    let head = self.head(index, role);
                    quote!(#head)
                }
                None => quote!(_),
            });
            each.extend(unpacked);
        }
        if each.is_empty() {
            return each;
        }
        let argument = local(argument);
        quote!(let [#(#heads),*] = #argument; #each)
    }

    fn head(&self, body: usize, role: fn(usize) -> Role) -> &Ident {
        let heads = &self.names.heads[body];
        match role(0) {
            Role::Coordinate(_) => &heads.q,
            Role::InverseMass(_) => &heads.w,
            Role::Force(_) => &heads.f,
            _ => &heads.v,
        }
    }

    fn places(&self, index: usize) -> Option<TokenStream> {
        let body: &Body = &self.model.bodies[index];
        let head = self.head(index, Role::Coordinate);
        let (linear, turn) = (body.position.len(), body.rotation.len());
        let leaves = self.flat_leaves(index, linear + turn, Role::Coordinate);
        let (place, turn) = leaves.split_at(linear);
        let place = self.unpack(&quote!(#head.translation.vector), place);
        let turn = match turn[..] {
            [re, im] => {
                let parts = [(re, quote!(re)), (im, quote!(im))];
                let parts = parts.iter().filter_map(|(leaf, part)| {
                    leaf.map(|leaf| quote!(let #leaf = #head.rotation.#part;))
                });
                Some(parts.collect()).filter(|tokens: &TokenStream| !tokens.is_empty())
            }
            _ => self.unpack(&quote!(#head.rotation.coords), turn),
        };
        (place.is_some() || turn.is_some()).then(|| quote!(#place #turn))
    }

    /// `let [[v_a_x, …]] = v_a.data.0;`
    fn flat(&self, body: usize, role: fn(usize) -> Role) -> Option<TokenStream> {
        let leaves = self.flat_leaves(body, self.model.body_velocities(), role);
        let head = self.head(body, role);
        self.unpack(&quote!(#head), &leaves)
    }

    fn flat_leaves(
        &self,
        body: usize,
        count: usize,
        role: fn(usize) -> Role,
    ) -> Vec<Option<&Ident>> {
        let range = body * count..(body + 1) * count;
        self.leaves(|found| range.clone().any(|i| found == role(i)))
    }

    /// `let [inverse_a, inverse_b] = w;`, then masses and inertias.
    fn weights(&self) -> TokenStream {
        self.family("w", Role::InverseMass, |body| {
            let head = self.head(body, Role::InverseMass);
            let mass = self.leaves(|role| role == Role::InverseMass(body));
            let mass = mass.first().copied().flatten();
            let mass = mass.map(|mass| quote!(let #mass = #head.mass;));
            let inertia = self.inertia(body, head);
            (mass.is_some() || inertia.is_some()).then(|| quote!(#mass #inertia))
        })
    }

    fn inertia(&self, body: usize, head: &Ident) -> Option<TokenStream> {
        if !in_space(self.model) {
            let leaf = self.leaves(|role| role == Role::InverseInertia(body));
            let leaf = leaf.first().copied().flatten()?;
            return Some(quote!(let #leaf = #head.inertia;));
        }
        let leaves = self.flat_leaves(body, 6, Role::InverseInertia);
        let [xx, xy, xz, yy, yz, zz] = leaves[..] else {
            return None;
        };
        if leaves.iter().all(Option::is_none) {
            return None;
        }
        let columns = [[xx, xy, xz], [None, yy, yz], [None, None, zz]];
        let columns = columns.iter().map(|column| interface::pattern(column));
        Some(quote!(let [#(#columns),*] = #head.inertia.data.0;))
    }

    /// The parameter list; those not read begin with an underscore.
    pub fn parameters(&self, sizes: &Sizes, arguments: &[&str]) -> TokenStream {
        let scalar = &self.names.scalar;
        let Sizes {
            velocities,
            bodies,
            rows,
        } = sizes;
        let spelled = |name: &str, read: bool| match read {
            true => local(name),
            false => local(&format!("_{name}")),
        };
        let time = self.leaves(|role| role == Role::Time);
        let time = time.first().copied().flatten().cloned();
        let t = time.unwrap_or_else(|| spelled("t", false));
        let q = spelled("q", self.reads(|role| matches!(role, Role::Coordinate(_))));
        let body = body_type(self.model, scalar);
        let inverse_mass = match in_space(self.model) {
            true => quote!(rt::InverseMass3<#scalar>),
            false => quote!(rt::InverseMass2<#scalar>),
        };
        let flat = quote!([&rt::SVector<#scalar, #velocities>; #bodies]);
        let rest = arguments.iter().map(|&argument| {
            let (read, ty): (fn(Role) -> bool, TokenStream) = match argument {
                "v" => (|role| matches!(role, Role::Velocity(_)), flat.clone()),
                "w" => (
                    |role| matches!(role, Role::InverseMass(_) | Role::InverseInertia(_)),
                    quote!([&#inverse_mass; #bodies]),
                ),
                "b" => (
                    |role| matches!(role, Role::RightHandSide(_)),
                    quote!(&rt::SVector<#scalar, #rows>),
                ),
                _ => (|role| matches!(role, Role::Force(_)), flat.clone()),
            };
            let name = spelled(argument, self.reads(read));
            quote!(#name: #ty)
        });
        quote!(#t: #scalar, #q: [&#body; #bodies] #(, #rest)*)
    }
}
