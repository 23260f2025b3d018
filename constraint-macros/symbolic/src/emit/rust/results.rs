//! Results in the types of the runtime, and multipliers by least squares.

use std::borrow::Borrow;

use proc_macro2::Literal;
use quote::{ToTokens, quote};

use super::bindings;
use super::statements::{Printer, zero};
use crate::code::{Expression, Results, Value, Values};
use crate::emit::interface::roles;
use crate::emit::method::fallible;
use crate::emit::tokens::Tokens;
use crate::expr::{CollectVec, Set};
use crate::function::{Dimension, Shape};
use crate::model::Role;
use crate::schedule::Program;

impl<'w> Printer<'w> {
    /// The end of a function. Where a tangent may vanish, `let result = …; if !rt::is_finite(result) { … }` is before it.
    pub(super) fn results(&mut self, out: &mut Tokens, results: &Results<'w>) {
        let (interface, signature) = (self.interface, &results.signature);
        if interface.is_in_place(signature, false) {
            let parts = match &results.value {
                Value::Tuple(parts) => parts.iter().collect_vec(),
                value => vec![value],
            };
            for ((place, _), part) in interface.places(signature).into_iter().zip(parts) {
                out.quoted(quote!(**#place =));
                self.listed(out, &part.numbers());
                out.punct(';');
            }
            if self.judges {
                let places = interface.places(signature);
                interface.all_defined(
                    out,
                    signature,
                    places.into_iter().map(|(place, _)| quote!(&**#place)),
                );
            } else if signature.fails {
                out.quoted(quote!(Ok(())));
            }
            return;
        }
        let mut result = Tokens::default();
        let judges = self.judges;
        let is_named_later = judges && signature.result == Shape::Outputs;
        match is_named_later {
            true => self.vector(&mut result, &results.value.numbers()),
            false => self.result(&mut result, signature.result, &results.value),
        }
        if !results.squares.is_empty() {
            let name = interface.local("result");
            out.word("let").binding(name.clone()).punct('=');
            out.append(std::mem::take(&mut result)).punct(';');
            out.word("if").punct('!').runtime("is_finite");
            out.parentheses(|out| _ = out.ident(name.clone()));
            out.braces(|out| results.squares.iter().for_each(|it| self.tangent(out, it)));
            result.ident(name);
        }
        if results.returns {
            out.word("return");
        }
        if judges {
            interface.defined(out, signature, result);
            if is_named_later {
                out.quoted(quote!(.map(Into::into)));
            }
        } else {
            fallible(out, signature.fails, |out| _ = out.append(result));
        }
        if results.returns {
            out.punct(';');
        }
    }

    /// `rt::vector([a, b])`, `rt::matrix([[a, c], [b, d]])` by columns.
    fn result(&mut self, out: &mut Tokens, shape: Shape, value: &Value<Expression<'w>>) {
        match (shape, value) {
            (_, Value::Number(number)) => self.expression(out, number),
            (Shape::Tuple(parts), Value::Tuple(values)) => {
                out.parentheses(|out| {
                    let parts = parts.iter().zip(values);
                    out.list(parts, |out, (&part, value)| self.result(out, part, value));
                });
            }
            (Shape::Record(record), Value::Record(values)) => {
                let fields = record.fields.iter().zip(values);
                out.runtime(record.name).braces(|out| {
                    out.list(fields, |out, (&(name, field), (_, value))| {
                        self.result(out.word(name).punct(':'), field, value);
                    });
                });
            }
            (Shape::Matrix(_, columns), Value::List(rows)) => {
                let rows = rows.iter().map(Value::numbers);
                let rows: Vec<Vec<&Expression<'_>>> = rows.collect_vec();
                if self.interface.large {
                    return self.sparse(out, &rows);
                }
                let column = |j: usize| rows.iter().map(|row| row[j]).collect_vec();
                let columns = (0..self.interface.size(columns)).map(column);
                self.matrix(out, &columns.collect_vec());
            }
            (Shape::Blocks(rows, columns), Value::List(blocks)) => {
                let block = Shape::Matrix(rows, columns);
                out.brackets(|out| _ = out.list(blocks, |out, it| self.result(out, block, it)));
            }
            (Shape::Array(_, part), Value::List(values)) => {
                out.brackets(|out| _ = out.list(values, |out, it| self.result(out, *part, it)));
            }
            (Shape::Vector(_), value) if self.interface.large => {
                out.runtime("HeapArray").quoted(quote!(::from));
                out.parentheses(|out| self.listed(out, &value.numbers()));
            }
            (Shape::Range, value) => {
                out.quoted(quote!(::core::ops::RangeInclusive::new));
                out.parentheses(|out| self.each(out, &value.numbers()));
            }
            (shape, value) => {
                self.vector(out, &value.numbers());
                if shape == Shape::Outputs {
                    out.quoted(quote!(.into()));
                }
            }
        }
    }

    /// `rt::SparseMatrix::of([(0, 2, a), …])` of the entries that are not zero.
    fn sparse(&mut self, out: &mut Tokens, rows: &[Vec<&Expression<'w>>]) {
        let text = |entry: &Tokens| entry.to_token_stream().to_string();
        let zero = text(&zero(&self.interface.scalar));
        let mut entries = Tokens::default();
        for (i, row) in rows.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                let entry = self.alone(entry);
                if text(&entry) == zero {
                    continue;
                }
                if !entries.is_empty() {
                    entries.punct(',');
                }
                let [i, j] = [i, j].map(Literal::usize_unsuffixed);
                entries.parentheses(|out| {
                    out.literal(i).punct(',').literal(j);
                    out.punct(',').append(entry);
                });
            }
        }
        out.runtime("SparseMatrix").quoted(quote!(::of));
        out.parentheses(|out| _ = out.brackets(|out| _ = out.append(entries)));
    }

    /// `let [[lambda_0, _]] = { … rt::least_squares(…)? }.data.0;`, or
    /// `let [[inverse_0_0, …], …] = { … rt::pseudo_inverse(…)? }.data.0;` where no right-hand side is given
    pub fn multipliers(&mut self, out: &mut Tokens, equations: &'w Program, read: &Set<Role>) {
        let m = self.interface.size(Dimension::Rows);
        let values = Values::of(equations);
        let outputs = equations.outputs.iter().map(|it| values.value(*it));
        let outputs: Vec<Expression<'_>> = outputs.collect_vec();
        let (lower, right) = outputs.split_at(m * (m + 1) / 2);
        let entry = |i: usize, j: usize| &lower[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
        let columns = (0..m).map(|j| (0..m).map(|i| entry(i, j)).collect_vec());
        let columns: Vec<Vec<&Expression<'_>>> = columns.collect_vec();
        let inverts = right.is_empty();
        let (function, unknowns) = match inverts {
            true => ("pseudo_inverse", roles(Role::PseudoInverse, m * m)),
            false => ("least_squares", roles(Role::Multiplier, m)),
        };
        let names = self.interface.names(&unknowns, read);
        let mut solved = |out: &mut Tokens| {
            out.braces(|out| {
                for statement in &equations.statements {
                    self.writer(values).statement(out, statement);
                }
                out.runtime(function).parentheses(|out| {
                    self.matrix(out, &columns);
                    if !inverts {
                        self.vector(out.punct(','), right);
                    }
                });
                out.punct('?');
            });
        };
        // Where no multiplier is read, nothing pushes; the equations still have to make sense.
        match names {
            Some(names) => bindings::matrix(out.word("let"), &names, m, solved),
            None => solved(out),
        }
        out.punct(';');
    }

    /// `rt::matrix([[…], […]])`
    fn matrix(&mut self, out: &mut Tokens, columns: &[Vec<&Expression<'w>>]) {
        out.runtime("matrix").parentheses(|out| {
            out.brackets(|out| _ = out.list(columns, |out, it| self.listed(out, it)));
        });
    }

    /// `rt::vector([…])`, which the compiler takes for what it is; `.into()` has it search dozens of conversions.
    pub(super) fn vector<E: Borrow<Expression<'w>>>(&mut self, out: &mut Tokens, numbers: &[E]) {
        out.runtime("vector");
        out.parentheses(|out| self.listed(out, numbers));
    }

    /// `[a, b]`
    pub(super) fn listed<E: Borrow<Expression<'w>>>(&mut self, out: &mut Tokens, numbers: &[E]) {
        out.brackets(|out| self.each(out, numbers));
    }

    /// `a, b`
    fn each<E: Borrow<Expression<'w>>>(&mut self, out: &mut Tokens, numbers: &[E]) {
        out.list(numbers, |out, it| self.expression(out, it.borrow()));
    }
}
