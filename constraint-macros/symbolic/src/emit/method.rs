//! Functions as methods of an `impl`.

use super::interface::Interface;
use super::rust::{self, Body as Written, Spelling};
use super::tokens::Tokens;
use super::{derivation, loops};
use crate::expr::{Set, SymbolId};
use crate::function::{Body, Function, Shape, roles_read};
use crate::model::Role;
use crate::schedule::Program;

impl Interface<'_> {
    /// A method with its documentation.
    pub fn method(&self, out: &mut Tokens, function: &Function<'_>, docs: &str) {
        derivation::lines(out, docs);
        let (signature, symbols) = (&function.signature, self.symbols);
        let read = match &function.body {
            Body::Straight(program) => roles_read(symbols, program),
            Body::LeastSquares { equations, rest } => {
                let mut read = roles_read(symbols, rest);
                read.extend(roles_read(symbols, equations));
                read
            }
            Body::Loops(loops) => return loops::method(self, out, signature, loops),
        };
        out.punct('#').brackets(|out| _ = out.word("inline"));
        self.signature(out, signature, &read);
        out.braces(|out| {
            self.inputs(out, signature, &read);
            self.bindings(out, &read);
            let program = match &function.body {
                Body::LeastSquares { equations, rest } => {
                    self.multipliers(out, equations, &roles_read(symbols, rest));
                    rest
                }
                Body::Straight(program) => program,
                Body::Loops(_) => return,
            };
            let body = self.body(program);
            out.append(body.statements);
            fallible(out, signature.fails, |out| {
                self.result(out, signature.result, &body.outputs);
            });
        });
    }

    /// A program with the identifiers of this type.
    pub fn body(&self, program: &Program) -> Written {
        let leaf = |symbol: SymbolId| self.leaves[symbol.index()].clone();
        let [.., rows] = self.sizes;
        let coordinate = |row: usize| Some(self.coordinates.get(row.checked_sub(rows)?)?.clone());
        let spelling = Spelling {
            leaf: &leaf,
            scalar: &self.scalar,
            coordinate: &coordinate,
        };
        rust::body(program, &spelling)
    }

    /// `[a, b].into()`, columns first for a matrix.
    fn result(&self, out: &mut Tokens, shape: Shape, outputs: &[Tokens]) {
        match shape {
            Shape::Scalar => listed(out, outputs),
            Shape::Vector(_) => converted(out, |out| listed(out, outputs)),
            Shape::Matrix(_, columns) => {
                let columns = self.size(columns);
                let column = |j: usize| outputs.iter().skip(j).step_by(columns);
                converted(out, |out| {
                    out.list(0..columns, |out, j| {
                        out.brackets(|out| listed(out, column(j)));
                    });
                });
            }
            Shape::Tuple(parts) => {
                let mut rest = outputs;
                out.parentheses(|out| {
                    out.list(parts, |out, &part| {
                        let (own, others) = rest.split_at(self.entries(part));
                        rest = others;
                        self.result(out, part, own);
                    });
                });
            }
        }
    }

    /// `let [[lambda_0, _]] = { … rt::least_squares(…)? }.data.0;`
    fn multipliers(&self, out: &mut Tokens, equations: &Program, read: &Set<Role>) {
        let [.., m] = self.sizes;
        let Written {
            statements,
            outputs,
        } = self.body(equations);
        let (lower, right) = outputs.split_at(m * (m + 1) / 2);
        let entry = |i: usize, j: usize| &lower[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
        let solved = |out: &mut Tokens| {
            out.braces(|out| {
                out.append(statements);
                out.runtime("least_squares").parentheses(|out| {
                    converted(out, |out| {
                        out.list(0..m, |out, j| {
                            out.brackets(|out| listed(out, (0..m).map(|i| entry(i, j))));
                        });
                    });
                    converted(out.punct(','), |out| listed(out, right));
                });
                out.punct('?');
            });
        };
        let roles = super::interface::roles(Role::Multiplier, m);
        if roles.iter().any(|role| read.contains(role)) {
            self.unpack_vector(out, &roles, read, solved);
        } else {
            // Where no multiplier is read, nothing pushes; the equations still have to make sense.
            solved(out);
            out.punct(';');
        }
    }
}

/// What `write` writes, within `Ok` where the method may fail.
pub(super) fn fallible(out: &mut Tokens, fails: bool, write: impl FnOnce(&mut Tokens)) {
    if fails {
        out.word("Ok").parentheses(write);
    } else {
        write(out);
    }
}

/// Expressions separated by commas.
pub(super) fn listed<'a>(out: &mut Tokens, items: impl IntoIterator<Item = &'a Tokens>) {
    out.list(items, |out, item| _ = out.paste(item));
}

/// `[…].into()`
fn converted(out: &mut Tokens, entries: impl FnOnce(&mut Tokens)) {
    out.brackets(entries);
    out.punct('.').word("into").parentheses(|_| {});
}
