//! Functions as methods of an `impl`.

use std::ops::Range;

use proc_macro2::Literal;
use quote::{ToTokens, quote};

use super::derivation;
use super::interface::Interface;
use super::rust::{Body as Written, Printer, components_of, loops};
use super::straight::Straight;
use super::tokens::Tokens;
use crate::expr::Set;
use crate::function::leaves::local;
use crate::function::{Argument, Body, Dimension, Function, Shape, Signature, Trait, roles_read};
use crate::model::Role;
use crate::schedule::Program;

/// `linearize` without a check for corners.
const OF_BRANCH: &str = "slopes_of_branch";

impl Interface<'_> {
    /// A method with its documentation.
    pub fn method(&self, out: &mut Tokens, function: &Function<'_>, docs: &str) {
        derivation::lines(out, docs);
        let (signature, symbols) = (&function.signature, self.symbols);
        let loops = match &function.body {
            Body::Loops(loops) => Some(loops::Writer::new(self, loops, signature)),
            _ => None,
        };
        let in_place = self.is_in_place(signature, loops.is_some());
        if in_place {
            self.by_value(out, function);
        }
        let read = match &loops {
            Some(loops) => loops.all.roles_read(),
            None => function.body.roles_read(symbols),
        };
        let mut checks = loops.is_none() && self.checks_corners(function);
        let mut signature = *signature;
        if checks && signature.name == "linearize" {
            self.checked(out, &signature);
            (signature.name, checks) = (OF_BRANCH, false);
        }
        let signature = &signature;
        let mut handed = loops
            .as_ref()
            .map_or_else(|| read.clone(), loops::Writer::handed);
        if checks {
            handed.extend([Role::Time, Role::Coordinate(0), Role::Velocity(0)]);
        }
        if in_place {
            self.signature_in_place(out, signature, &handed);
        } else {
            if loops.is_none() {
                out.punct('#').brackets(|out| _ = out.word("inline"));
            }
            self.signature(out, signature, &handed);
        }
        out.braces(|out| {
            if checks {
                self.check_smooth(out);
            }
            self.named(out, (signature.name, signature.arguments), &read);
            let straight = Straight {
                interface: self,
                signature,
                checks: true,
                calls_law: true,
            };
            let statements = match &function.body {
                Body::Straight(program) => straight.program(program, false),
                Body::Branches { whole, pieces } => {
                    let mut branches = straight.branches(pieces);
                    branches.extend(straight.program(whole, false));
                    branches
                }
                Body::LeastSquares { equations, rest } => {
                    self.multipliers(out, equations, &roles_read(symbols, rest));
                    straight.program(rest, false)
                }
                Body::Loops(_) => {
                    return loops.iter().for_each(|it| it.function(out, signature));
                }
            };
            Printer::new(self, false).all(out, &statements);
        });
    }

    /// `rt::Derivatives::<T>::check_smooth(self, t, q, v)?;`
    fn check_smooth(&self, out: &mut Tokens) {
        let arguments = [Argument::Time, Argument::Coordinates, Argument::Velocities];
        let [t, q, v] = arguments.map(|argument| self.name(argument));
        let scalar = &self.scalar;
        out.quoted(quote!(rt::Derivatives::<#scalar>::check_smooth(self, #t, #q, #v)?;));
    }

    /// `linearize` of a system whose equations may have corners: implicit methods go on there with the slopes of a branch.
    fn checked(&self, out: &mut Tokens, signature: &Signature) {
        let handed = [Role::Time, Role::Coordinate(0), Role::Velocity(0)];
        self.signature(out, signature, &handed.into_iter().collect());
        out.braces(|out| {
            self.check_smooth(out);
            let name = local(OF_BRANCH);
            let arguments = signature.arguments.iter().map(|it| self.name(*it));
            let scalar = &self.scalar;
            out.quoted(quote!(rt::Derivatives::<#scalar>::#name(self #(, #arguments)*)));
        });
    }

    /// Whether a function is a derivative at a state whose equations may have corners.
    fn checks_corners(&self, function: &Function<'_>) -> bool {
        let derived = matches!(
            function.of_trait,
            Trait::Derivatives | Trait::OutputDerivatives
        );
        let arguments = function.signature.arguments;
        let corrects = arguments.contains(&Argument::CorrectionAdjoint);
        self.has_corners && derived && !corrects
    }

    /// `rt::vector([a, b])`, `rt::matrix([[a, c], [b, d]])` by columns.
    pub fn result(&self, out: &mut Tokens, shape: Shape, outputs: &mut [Tokens]) {
        match shape {
            Shape::Scalar => moved(out, outputs),
            Shape::Vector(_) if self.large => {
                out.runtime("HeapArray").quoted(quote!(::from));
                out.parentheses(|out| _ = out.brackets(|out| moved(out, outputs)));
            }
            Shape::Vector(_) => vector_of(out, |out| moved(out, outputs)),
            Shape::Matrix(_, columns) if self.large => {
                self.sparse(out, outputs, self.size(columns))
            }
            Shape::Matrix(_, columns) => {
                let columns = self.size(columns);
                columns_of(out, outputs, 0..columns, columns);
            }
            Shape::Blocks(_, columns) => {
                let (n, bodies) = (self.size(columns), self.size(Dimension::Bodies));
                out.brackets(|out| {
                    out.list(0..bodies, |out, body| {
                        columns_of(out, outputs, body * n..(body + 1) * n, bodies * n);
                    });
                });
            }
            Shape::Tuple(parts) => {
                let mut rest = outputs;
                out.parentheses(|out| {
                    out.list(parts, |out, &part| self.next(out, part, &mut rest));
                });
            }
            Shape::Record(record) => {
                let mut rest = outputs;
                out.runtime(record.name).braces(|out| {
                    out.list(record.fields, |out, &(name, field)| {
                        self.next(out.word(name).punct(':'), field, &mut rest);
                    });
                });
            }
            Shape::Array(_, part) => {
                _ = out.brackets(|out| {
                    let parts = outputs.chunks_mut(self.entries(*part));
                    out.list(parts, |out, own| self.result(out, *part, own));
                })
            }
            Shape::Outputs => {
                vector_of(out, |out| moved(out, outputs));
                out.quoted(quote!(.into()));
            }
            Shape::Range => {
                out.quoted(quote!(::core::ops::RangeInclusive::new));
                out.parentheses(|out| moved(out, outputs));
            }
        }
    }

    /// `rt::SparseMatrix::of([(0, 2, a), …])` of the entries that are not zero.
    fn sparse(&self, out: &mut Tokens, outputs: &[Tokens], columns: usize) {
        let text = |entry: &Tokens| entry.to_token_stream().to_string();
        let zero = text(&self.zeros(Shape::Scalar));
        let entries = outputs.iter().enumerate();
        let entries = entries.filter(|(_, entry)| text(entry) != zero);
        out.runtime("SparseMatrix").quoted(quote!(::of));
        out.parentheses(|out| {
            out.brackets(|out| {
                out.list(entries, |out, (place, entry)| {
                    out.parentheses(|out| {
                        let place = [place / columns, place % columns];
                        let [row, column] = place.map(Literal::usize_unsuffixed);
                        out.literal(row)
                            .punct(',')
                            .literal(column)
                            .punct(',')
                            .paste(entry);
                    });
                });
            });
        });
    }

    /// The first of several results.
    fn next(&self, out: &mut Tokens, shape: Shape, outputs: &mut &mut [Tokens]) {
        let (own, rest) = std::mem::take(outputs).split_at_mut(self.entries(shape));
        *outputs = rest;
        self.result(out, shape, own);
    }

    /// `let [[lambda_0, _]] = { … rt::least_squares(…)? }.data.0;`
    fn multipliers(&self, out: &mut Tokens, equations: &Program, read: &Set<Role>) {
        let m = self.size(Dimension::Rows);
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
                    matrix(out, 0..m, |out, j| listed(out, (0..m).map(|i| entry(i, j))));
                    vector(out.punct(','), right);
                });
                out.punct('?');
            });
        };
        // Where no multiplier is read, nothing pushes; the equations still have to make sense.
        match self.names(&super::interface::roles(Role::Multiplier, m), read) {
            Some(names) => components_of(out.word("let"), &names, solved),
            None => solved(out),
        }
        out.punct(';');
    }
}

/// The tokens of `write`, within `Ok` if the method may fail.
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

/// Expressions separated by commas that are used nowhere else.
pub(super) fn moved<'a>(out: &mut Tokens, items: impl IntoIterator<Item = &'a mut Tokens>) {
    out.list(items, |out, item| _ = out.append(std::mem::take(item)));
}

/// Some columns of a matrix of `width` columns, whose entries are row by row: `rt::matrix([[a, b], [c, d]])`
fn columns_of(out: &mut Tokens, entries: &mut [Tokens], columns: Range<usize>, width: usize) {
    matrix(out, columns, |out, j| {
        moved(out, entries.iter_mut().skip(j).step_by(width));
    });
}

/// `rt::vector([…])`, which the compiler takes for what it is; `.into()` has it search dozens of conversions.
pub(super) fn vector<'a>(out: &mut Tokens, entries: impl IntoIterator<Item = &'a Tokens>) {
    vector_of(out, |out| listed(out, entries));
}

fn vector_of(out: &mut Tokens, entries: impl FnOnce(&mut Tokens)) {
    out.runtime("vector");
    out.parentheses(|out| _ = out.brackets(entries));
}

/// `rt::matrix([[…], […]])`
fn matrix(out: &mut Tokens, columns: Range<usize>, mut column: impl FnMut(&mut Tokens, usize)) {
    out.runtime("matrix").parentheses(|out| {
        out.brackets(|out| {
            out.list(columns, |out, j| {
                out.brackets(|out| column(out, j));
            });
        });
    });
}
