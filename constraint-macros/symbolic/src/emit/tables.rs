//! Constant tables: the places that loops read from line to line, and the patterns of sparse matrices.
//!
//! They are items next to the impls, each once for all functions that read it.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::tokens::Tokens;
use crate::expr::{Map, Number};
use crate::solve::{Panels, WIDTH};

/// The tables of one expansion.
#[derive(Default)]
pub(super) struct Tables {
    known: Map<Vec<Vec<usize>>, Ident>,
    has_pattern: bool,
    has_numbers: bool,
    items: Tokens,
}

impl Tables {
    /// The name of a table of places: `static PLACES_1: [[u16; 3]; 10] = [[0, 4, 2], …];`
    pub fn places(&mut self, table: &[Vec<usize>]) -> Ident {
        if let Some(name) = self.known.get(table) {
            return name.clone();
        }
        let name = format_ident!("PLACES_{}", self.known.len() + 1);
        self.known.insert(table.to_vec(), name.clone());
        let [lines, width] = [table.len(), table.first().map_or(0, Vec::len)];
        let [lines, width] = [lines, width].map(Literal::usize_unsuffixed);
        let of = integer(table.iter().flatten().copied().max());
        let out = &mut self.items;
        out.quoted(quote!(static #name: [[#of; #width]; #lines] =));
        out.brackets(|out| {
            out.list(table, |out, line| {
                out.brackets(|out| numbers(out, line.iter().copied()));
            });
        });
        out.punct(';');
        name
    }

    /// The name of the numbers of a system: `static NUMBERS: [f64; 3] = [1.0, 2.0, 3.0];`
    pub fn numbers(&mut self, values: &[Number]) -> Ident {
        let name = Ident::new("NUMBERS", Span::call_site());
        if std::mem::replace(&mut self.has_numbers, true) {
            return name;
        }
        let count = Literal::usize_unsuffixed(values.len());
        let out = &mut self.items;
        out.quoted(quote!(static #name: [f64; #count] =));
        out.brackets(|out| {
            out.list(values, |out, value| {
                out.literal(Literal::f64_unsuffixed(value.to_f64()));
            });
        });
        out.punct(';');
        name
    }

    /// The name of the pattern of a matrix, of which a system has one.
    pub fn pattern(&mut self, panels: &Panels) -> Ident {
        let name = Ident::new("PANELS", Span::call_site());
        if std::mem::replace(&mut self.has_pattern, true) {
            return name;
        }
        let names = panels.rows.iter().flat_map(|rows| {
            let row = |k: usize| rows.get(k).map_or(u32::MAX as usize, |&row| row);
            (0..WIDTH).map(row)
        });
        let fields = [
            ("below", panels.below.iter().map(Vec::len).collect()),
            ("rows", panels.below.concat()),
            ("targets", panels.targets()),
            ("names", names.collect::<Vec<usize>>()),
        ];
        let out = &mut self.items;
        out.quoted(quote!(static #name: rt::Pattern = rt::Pattern));
        out.braces(|out| {
            out.list(fields, |out, (field, values)| {
                out.word(field).punct(':').punct('&');
                out.brackets(|out| numbers(out, values));
            });
        });
        out.punct(';');
        name
    }
}

impl ToTokens for Tables {
    fn to_tokens(&self, stream: &mut TokenStream) {
        self.items.to_tokens(stream);
    }
}

fn numbers(out: &mut Tokens, values: impl IntoIterator<Item = usize>) {
    out.list(values, |out, value| {
        out.literal(Literal::usize_unsuffixed(value));
    });
}

/// The smallest type of integers that holds all up to `most`.
fn integer(most: Option<usize>) -> Ident {
    let name = match most.unwrap_or(0) {
        0..0x1_0000 => "u16",
        _ => "u32",
    };
    Ident::new(name, Span::call_site())
}
