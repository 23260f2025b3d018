//! Functions as methods of an `impl`.

use std::ops::Range;

use proc_macro2::{Ident, Literal};
use quote::{ToTokens, quote};

use super::interface::{Holds, Interface};
use super::rust::{self, Body as Written, Spelling};
use super::tokens::Tokens;
use super::{derivation, loops};
use crate::curve::Pieces;
use crate::expr::{Set, SymbolId};
use crate::function::leaves::local;
use crate::function::{Argument, Body, Dimension, Function, Shape, Signature, Trait, roles_read};
use crate::model::Role;
use crate::schedule::{Program, Statement};

/// `linearize` without a check for corners.
const OF_BRANCH: &str = "slopes_of_branch";

impl Interface<'_> {
    /// A method with its documentation.
    pub fn method(&self, out: &mut Tokens, function: &Function<'_>, docs: &str) {
        derivation::lines(out, docs);
        let (signature, symbols) = (&function.signature, self.symbols);
        let in_place = self.is_in_place(signature, matches!(function.body, Body::Loops(_)));
        if in_place {
            self.by_value(out, function);
        }
        if let Body::Loops(loops) = &function.body {
            return loops::method(self, out, signature, loops);
        }
        let read = function.body.roles_read(symbols);
        let mut checks = self.checks_corners(function);
        let mut signature = *signature;
        if checks && signature.name == "linearize" {
            self.checked(out, &signature);
            (signature.name, checks) = (OF_BRANCH, false);
        }
        let signature = &signature;
        let mut handed = read.clone();
        if checks {
            handed.extend([Role::Time, Role::Coordinate(0), Role::Velocity(0)]);
        }
        if in_place {
            self.signature_in_place(out, signature, &handed);
        } else {
            out.punct('#').brackets(|out| _ = out.word("inline"));
            self.signature(out, signature, &handed);
        }
        out.braces(|out| {
            if checks {
                self.check_smooth(out);
            }
            self.inputs(out, signature, &read);
            self.bindings(out, signature.arguments, &read);
            match &function.body {
                Body::Straight(program) => self.way(out, signature, program, false),
                Body::Branches { whole, pieces } => {
                    self.branches(out, signature, pieces);
                    self.way(out, signature, whole, false);
                }
                Body::LeastSquares { equations, rest } => {
                    self.multipliers(out, equations, &roles_read(symbols, rest));
                    self.way(out, signature, rest, false);
                }
                Body::Loops(_) => {}
            }
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

    /// `let here = …; if rt::all(here) { …; return …; } if rt::none(here) { …; return …; }`
    fn branches(&self, out: &mut Tokens, signature: &Signature, pieces: &Pieces<Program, Program>) {
        let (decision, branches) = match pieces {
            Pieces::One(program) => return self.way(out, signature, program, true),
            Pieces::Either {
                condition,
                branches,
            } => (self.body(condition), branches),
        };
        let here = self.local("here");
        out.append(decision.statements);
        out.word("let").binding(here.clone()).punct('=');
        listed(out, &decision.outputs);
        out.punct(';');
        for (test, branch) in ["all", "none"].into_iter().zip(&**branches) {
            out.word("if").runtime(test);
            out.parentheses(|out| _ = out.ident(here.clone()));
            out.braces(|out| self.branches(out, signature, branch));
        }
    }

    /// The statements of a program and its result; `returns` from amidst a function.
    ///
    /// Whether a tangent vanishes is asked first, unless that would part a sine from its cosine, which are computed
    /// together in less time than apart; then of a result that is a number and not finite only: where r′ vanishes, s̈ is a
    /// number over 0.
    fn way(&self, out: &mut Tokens, signature: &Signature, program: &Program, returns: bool) {
        let law = self.law(signature);
        let given = law.map_or(0, |(_, force)| 2 * force.len());
        let squares = program.outputs.len() - given - self.entries(signature.result);
        let single = signature.result == Shape::Scalar;
        let late = single && program.parts_sine_and_cosine(0);
        let checked_first = squares > 0 && !late;
        let checked = program.needed_for(checked_first.then_some(0));
        let forced = law.map_or_else(Vec::new, |(_, force)| self.made_of(program, force));
        let part = |statement: &Statement| {
            let value = statement.value().index();
            match (checked[value], forced.get(value)) {
                (true, _) => 0,
                (false, Some(true)) => 2,
                (false, _) => 1,
            }
        };
        let mut body = self.body_in_parts(program, part);
        let [checked, before, after] = body.statements;
        let (squares, outputs) = body.outputs.split_at_mut(squares);
        let (given, outputs) = outputs.split_at_mut(given);
        out.append(checked);
        if checked_first {
            check_tangent(out, squares);
        }
        out.append(before);
        if let Some((law, force)) = law {
            self.force(out, law, force, given, &roles_read(self.symbols, program));
        }
        out.append(after);
        if self.is_in_place(signature, false) {
            let mut rest = outputs;
            for (place, shape) in self.places(signature) {
                let (own, others) = rest.split_at_mut(self.entries(shape));
                rest = others;
                out.quoted(quote!(**#place =));
                out.brackets(|out| moved(out, own)).punct(';');
            }
            if signature.fails {
                out.quoted(quote!(Ok(())));
            }
            return;
        }
        let mut result = Tokens::default();
        self.result(&mut result, signature.result, outputs);
        if !squares.is_empty() && !checked_first {
            result = self.checked_late(out, result, squares);
        }
        if returns {
            out.word("return");
        }
        fallible(out, signature.fails, |out| _ = out.append(result));
        if returns {
            out.punct(';');
        }
    }

    /// `let result = …; if !rt::is_finite(result) { rt::check_tangent(…)?; }`, and its name.
    fn checked_late(&self, out: &mut Tokens, result: Tokens, squares: &[Tokens]) -> Tokens {
        let name = self.local("result");
        out.word("let").binding(name.clone()).punct('=');
        out.append(result).punct(';');
        out.word("if").punct('!').runtime("is_finite");
        out.parentheses(|out| _ = out.ident(name.clone()));
        out.braces(|out| check_tangent(out, squares));
        let mut result = Tokens::default();
        result.ident(name);
        result
    }

    /// The force law among the arguments, and the roles of its force.
    pub fn law(&self, signature: &Signature) -> Option<(&Ident, &[Role])> {
        let given = signature.arguments.iter();
        let mut given = given.filter_map(|&argument| self.given(argument));
        given.find_map(|given| match &given.holds {
            Holds::Law(force) => Some((&given.name, &force[..])),
            _ => None,
        })
    }

    /// For every value: does it need one of these roles' leaves?
    pub fn made_of(&self, program: &Program, roles: &[Role]) -> Vec<bool> {
        program.depends_on(|symbol| roles.contains(&self.symbols[symbol.index()].role))
    }

    /// `let [[f_x, f_y]] = f(&rt::vector([x, y]), &rt::vector([v_x, v_y])).data.0;`
    fn force(
        &self,
        out: &mut Tokens,
        law: &Ident,
        force: &[Role],
        given: &[Tokens],
        read: &Set<Role>,
    ) {
        self.unpack_vector(out, force, read, |out| {
            out.ident(law.clone()).parentheses(|out| {
                out.list(given.chunks(force.len()), |out, vector| {
                    self::vector(out.punct('&'), vector);
                });
            });
        });
    }

    /// A program with the identifiers of this type.
    pub fn body(&self, program: &Program) -> Written {
        let Written {
            statements: [statements],
            outputs,
        } = self.body_in_parts(program, |_| 0);
        Written {
            statements,
            outputs,
        }
    }

    /// A program with the identifiers of this type, its statements in `N` parts.
    fn body_in_parts<const N: usize>(
        &self,
        program: &Program,
        part: impl Fn(&Statement) -> usize,
    ) -> Written<[Tokens; N]> {
        let leaf = |symbol: SymbolId| self.leaves[symbol.index()].clone();
        let rows = self.size(Dimension::Rows);
        let coordinate = |row: usize| Some(self.coordinates.get(row.checked_sub(rows)?)?.clone());
        let spelling = Spelling {
            leaf: &leaf,
            scalar: &self.scalar,
            coordinate: &coordinate,
        };
        rust::body_in_parts(program, &spelling, part)
    }

    /// `rt::vector([a, b])`, `rt::matrix([[a, c], [b, d]])` by columns.
    fn result(&self, out: &mut Tokens, shape: Shape, outputs: &mut [Tokens]) {
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
        let zero = text(&loops::zero(&self.scalar));
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

/// `rt::check_tangent(metric)?;`
fn check_tangent(out: &mut Tokens, squares: &[Tokens]) {
    for square in squares {
        out.runtime("check_tangent");
        out.parentheses(|out| _ = out.paste(square));
        out.punct('?').punct(';');
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
fn moved<'a>(out: &mut Tokens, items: impl IntoIterator<Item = &'a mut Tokens>) {
    out.list(items, |out, item| _ = out.append(std::mem::take(item)));
}

/// Some columns of a matrix of `width` columns, whose entries are row by row: `rt::matrix([[a, b], [c, d]])`
fn columns_of(out: &mut Tokens, entries: &mut [Tokens], columns: Range<usize>, width: usize) {
    matrix(out, columns, |out, j| {
        moved(out, entries.iter_mut().skip(j).step_by(width));
    });
}

/// `rt::vector([…])`, which the compiler takes for what it is; `.into()` has it search dozens of conversions.
fn vector<'a>(out: &mut Tokens, entries: impl IntoIterator<Item = &'a Tokens>) {
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
