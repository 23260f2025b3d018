//! The `let`s that take apart what a program reads.

use proc_macro2::{Ident, Literal};
use quote::quote;

use super::statements::Printer;
use crate::code::{Components, Name, Vector};
use crate::emit::bindings::Arguments;
use crate::emit::interface::Interface;
use crate::emit::tokens::Tokens;
use crate::expr::Set;
use crate::function::Argument;
use crate::function::leaves::local;
use crate::model::Role;

impl Interface<'_> {
    /// `let m = self.m; let [[x, _]] = q.data.0;`, of a function and its arguments.
    pub fn named(&self, out: &mut Tokens, of: (&str, &[Argument]), read: &Set<Role>) {
        let kind = Arguments {
            is_hygienic: true,
            is_flat: false,
        };
        let bindings = self.bindings(of, read, kind);
        Printer::new(self, false).all(out, &bindings);
    }
}

impl<'w> Printer<'w> {
    /// `let mut lent = Option::None; let given = self.inputs.lend(t, q, v, &mut lent);`
    pub fn inputs(&self, out: &mut Tokens, state: &[Name; 3], in_own_frames: bool) {
        let [t, q, v] = state.each_ref().map(|it| local(it));
        let (scalar, given, lent) = (&self.interface.scalar, local("given"), local("lent"));
        // Sources of inputs are given velocities of the world.
        let v = match in_own_frames {
            true => {
                quote!(&rt::in_world(<Self as rt::Dynamics<#scalar>>::PROPERTIES.own_frames, #q, #v))
            }
            false => quote!(#v),
        };
        out.word("let").word("mut").binding(lent.clone());
        out.quoted(quote!(= Option::None;));
        out.word("let").binding(given).punct('=');
        out.quoted(quote!(self.inputs.lend(#t, #q, #v, &mut #lent);));
    }

    /// `let [[x, _]] = q.data.0;`
    pub fn components(&mut self, out: &mut Tokens, names: &[Option<Ident>], of: &Components<'w>) {
        out.word("let");
        match of {
            Components::Number(field) => {
                names.iter().for_each(|it| component(out, it));
                self.element(out.punct('='), field);
            }
            Components::Matrix(columns, field) => {
                matrix(out, names, *columns, |out| self.element(out, field));
            }
            Components::Bodies(argument) => {
                components(out, names);
                out.punct('=').ident(local(argument));
            }
            Components::Vector(element) => match &element.vector {
                // A vector on the heap.
                Vector::Argument(name) if self.interface.large => {
                    components(out, names);
                    out.punct('=').punct('*').punct('*').ident(local(name));
                }
                _ => vector(out, names, |out| self.element(out, element)),
            },
            Components::Outputs(argument) => {
                let (scalar, argument) = (&self.interface.scalar, local(argument));
                let length = Literal::usize_unsuffixed(names.len());
                let place = quote!(rt::SVector::<#scalar, #length>::from(*#argument));
                vector(out, names, |out| _ = out.quoted(place));
            }
            Components::Law(law, vectors) => vector(out, names, |out| {
                out.ident(local(law)).parentheses(|out| {
                    out.list(vectors, |out, it| self.vector(out.punct('&'), it));
                });
            }),
        }
        out.punct(';');
    }
}

/// `[[x, _]] = place.data.0`
pub(super) fn vector(out: &mut Tokens, names: &[Option<Ident>], place: impl FnOnce(&mut Tokens)) {
    matrix(out, names, names.len(), place);
}

/// `[[a, b], [_, c]] = place.data.0`
pub(super) fn matrix(
    out: &mut Tokens,
    names: &[Option<Ident>],
    columns: usize,
    place: impl FnOnce(&mut Tokens),
) {
    out.brackets(|out| _ = out.list(names.chunks(columns), components));
    place(out.punct('='));
    out.punct('.').word("data").punct('.');
    out.literal(Literal::usize_unsuffixed(0));
}

/// `[x, _]`
fn components(out: &mut Tokens, names: &[Option<Ident>]) {
    out.brackets(|out| _ = out.list(names, component));
}

/// A component in a pattern: its leaf, or `_` if it is not read.
fn component(out: &mut Tokens, name: &Option<Ident>) {
    match name {
        Some(name) => out.binding(name.clone()),
        None => out.word("_"),
    };
}
