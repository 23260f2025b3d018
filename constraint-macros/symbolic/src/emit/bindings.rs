//! The `let`s that take apart what a program reads.

use proc_macro2::{Ident, Literal};
use quote::quote;

use super::interface::{Holds, Interface, Layout, Part};
use super::tokens::Tokens;
use crate::expr::Set;
use crate::function::leaves::local;
use crate::function::{Argument, Signature};
use crate::model::Role;

impl Interface<'_> {
    /// `let mut lent = Option::None; let given = self.inputs.lend(t, q, v, &mut lent);`, where inputs are read.
    pub fn inputs(&self, out: &mut Tokens, signature: &Signature, read: &Set<Role>) {
        if !reads_inputs(read) {
            return;
        }
        let arguments = [Argument::Time, Argument::Coordinates, Argument::Velocities];
        let [t, q, v] = arguments.map(|argument| self.name(argument));
        let (scalar, given) = (&self.scalar, local("given"));
        let v = match signature.name {
            // Sources of inputs are given velocities of the world.
            "own_slope" => {
                quote!(&rt::in_world(<Self as rt::Dynamics<#scalar>>::OWN_FRAMES, #q, #v))
            }
            _ => quote!(#v),
        };
        let lent = local("lent");
        out.word("let").word("mut").binding(lent.clone());
        out.quoted(quote!(= Option::None;));
        out.word("let").binding(given).punct('=');
        out.quoted(quote!(self.inputs.lend(#t, #q, #v, &mut #lent);));
    }

    /// `let m = self.m; let [[x, _]] = q.data.0;`
    pub fn bindings(&self, out: &mut Tokens, arguments: &[Argument], read: &Set<Role>) {
        for part in &self.fields {
            self.unpack(out, part, read);
        }
        for given in arguments.iter().filter_map(|it| self.given(*it)) {
            match &given.holds {
                Holds::Leaf(_) | Holds::Law(_) | Holds::Nothing => {}
                Holds::Vector(roles) if self.large => {
                    self.unpack_large(out, roles, read, &given.name)
                }
                Holds::Vector(roles) => {
                    self.unpack_vector(out, roles, read, |out| _ = out.ident(given.name.clone()));
                }
                Holds::Named(roles) => {
                    let (scalar, name) = (&self.scalar, &given.name);
                    let length = Literal::usize_unsuffixed(roles.len());
                    self.unpack_vector(out, roles, read, |out| {
                        out.quoted(quote!(rt::SVector::<#scalar, #length>::from(*#name)));
                    });
                }
                Holds::Fields(_, parts) => {
                    parts.iter().for_each(|part| self.unpack(out, part, read));
                }
                Holds::Bodies(bodies) => self.unpack_bodies(out, &given.name, bodies, read),
            }
        }
    }

    /// `let [a, _] = q;`, then the parts of each.
    fn unpack_bodies(
        &self,
        out: &mut Tokens,
        argument: &Ident,
        bodies: &[(Ident, Vec<Part>)],
        read: &Set<Role>,
    ) {
        if !bodies.iter().any(|(_, parts)| are_read(parts, read)) {
            return;
        }
        out.word("let").brackets(|out| {
            out.list(bodies, |out, (name, parts)| {
                if are_read(parts, read) {
                    _ = out.binding(name.clone())
                } else {
                    _ = out.word("_")
                }
            });
        });
        out.punct('=').ident(argument.clone()).punct(';');
        let parts = bodies.iter().flat_map(|(_, parts)| parts);
        parts.for_each(|part| self.unpack(out, part, read));
    }

    fn unpack(&self, out: &mut Tokens, part: &Part, read: &Set<Role>) {
        let place = |out: &mut Tokens| _ = out.quoted(part.place.clone());
        match part.layout {
            Layout::Vector => self.unpack_vector(out, &part.roles, read, place),
            _ if !any_of(&part.roles, read) => {}
            Layout::Number => {
                self.component(out.word("let"), &part.roles[0], read);
                place(out.punct('='));
                out.punct(';');
            }
            Layout::Symmetric(n) => {
                let mut rest = &part.roles[..];
                out.word("let").brackets(|out| {
                    out.list(0..n, |out, j| {
                        let (column, others) = rest.split_at(n - j);
                        rest = others;
                        out.brackets(|out| {
                            (0..j).for_each(|_| _ = out.word("_").punct(','));
                            out.list(column, |out, role| self.component(out, role, read));
                        });
                    });
                });
                data_of(out, place);
            }
        }
    }

    /// `let [[x, _]] = place.data.0;`, or nothing where no component is read.
    pub fn unpack_vector(
        &self,
        out: &mut Tokens,
        roles: &[Role],
        read: &Set<Role>,
        place: impl FnOnce(&mut Tokens),
    ) {
        if !any_of(roles, read) {
            return;
        }
        out.word("let").brackets(|out| {
            out.brackets(|out| {
                out.list(roles, |out, role| self.component(out, role, read));
            });
        });
        data_of(out, place);
    }

    /// `let [x, _] = **q;` of a vector on the heap, or nothing where no component is read.
    fn unpack_large(&self, out: &mut Tokens, roles: &[Role], read: &Set<Role>, vector: &Ident) {
        if !any_of(roles, read) {
            return;
        }
        out.word("let").brackets(|out| {
            out.list(roles, |out, role| self.component(out, role, read));
        });
        out.punct('=').quoted(quote!(**#vector;));
    }

    /// A component in a pattern: its leaf, or `_` if it is not read.
    fn component(&self, out: &mut Tokens, role: &Role, read: &Set<Role>) {
        let leaf = self.leaf(*role).filter(|_| read.contains(role));
        match leaf {
            Some(leaf) => _ = out.binding(leaf.clone()),
            None => _ = out.word("_"),
        }
    }
}

/// `= place.data.0;`
fn data_of(out: &mut Tokens, place: impl FnOnce(&mut Tokens)) {
    place(out.punct('='));
    out.punct('.').word("data").punct('.');
    out.literal(Literal::usize_unsuffixed(0)).punct(';');
}

pub(super) fn any_of(roles: &[Role], read: &Set<Role>) -> bool {
    roles.iter().any(|role| read.contains(role))
}

pub(super) fn are_read(parts: &[Part], read: &Set<Role>) -> bool {
    parts.iter().any(|part| any_of(&part.roles, read))
}

pub(super) fn reads_inputs(read: &Set<Role>) -> bool {
    read.iter().any(|role| matches!(role, Role::Input(_)))
}
