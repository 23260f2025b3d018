//! Constant tables: the places that loops read from line to line, and the patterns of sparse matrices.
//!
//! They are items next to the impls, each once for all functions that read it.

use proc_macro2::{Ident, Literal, Span};
use quote::quote;

use super::tokens::Tokens;
use crate::code::{self, Table};
use crate::expr::{CollectVec, Number};
use crate::solve::{Panels, WIDTH};

/// The tables of one type.
#[derive(Default)]
pub(super) struct Tables {
    /// Places that loops read.
    pub places: code::Tables,
    /// Whether loops read the numbers that members of families differ by.
    pub has_numbers: bool,
    pattern: Option<Tokens>,
}

impl Tables {
    /// All that are read.
    pub fn items(self, numbers: &[Number]) -> Tokens {
        let mut out = Tokens::default();
        self.places.iter().for_each(|it| places(&mut out, it));
        if self.has_numbers {
            let (name, count) = (numbers_name(), Literal::usize_unsuffixed(numbers.len()));
            out.quoted(quote!(static #name: [f64; #count] =));
            out.brackets(|out| {
                out.list(numbers, |out, value| {
                    out.literal(Literal::f64_unsuffixed(value.to_f64()));
                });
            });
            out.punct(';');
        }
        out.append(self.pattern.unwrap_or_default());
        out
    }

    /// The name of the pattern of a matrix, of which a system has one.
    pub fn pattern(&mut self, panels: &Panels) -> Ident {
        let name = Ident::new("PANELS", Span::call_site());
        self.pattern.get_or_insert_with(|| pattern(&name, panels));
        name
    }
}

/// `PLACES_1`
pub(super) fn places_name(table: &Table) -> Ident {
    Ident::new(&table.name.to_uppercase(), Span::call_site())
}

/// `NUMBERS`
pub(super) fn numbers_name() -> Ident {
    Ident::new("NUMBERS", Span::call_site())
}

/// `static PLACES_1: [[u16; 3]; 10] = [[0, 4, 2], …];`
fn places(out: &mut Tokens, table: &Table) {
    let (name, lines) = (places_name(table), &table.lines);
    let [count, width] = [lines.len(), table.width()].map(Literal::usize_unsuffixed);
    let of = integer(lines.iter().flatten().copied().max());
    out.quoted(quote!(static #name: [[#of; #width]; #count] =));
    out.brackets(|out| {
        out.list(&**lines, |out, line| {
            out.brackets(|out| numbers(out, line.iter().copied()));
        });
    });
    out.punct(';');
}

fn pattern(name: &Ident, panels: &Panels) -> Tokens {
    let names = panels.rows.iter().flat_map(|rows| {
        let row = |k: usize| rows.get(k).map_or(u32::MAX as usize, |&row| row);
        (0..WIDTH).map(row)
    });
    let fields = [
        ("below", panels.below.iter().map(Vec::len).collect_vec()),
        ("rows", panels.below.concat()),
        ("targets", panels.targets()),
        ("names", names.collect_vec()),
    ];
    let mut out = Tokens::default();
    out.quoted(quote!(static #name: rt::Pattern = rt::Pattern));
    out.braces(|out| {
        out.list(fields, |out, (field, values)| {
            out.word(field).punct(':').punct('&');
            out.brackets(|out| numbers(out, values));
        });
    });
    out.punct(';');
    out
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
