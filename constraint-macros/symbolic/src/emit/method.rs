//! Functions as methods of an `impl`.

use crate::expr::{CollectVec, PushEach};
use proc_macro2::TokenStream;
use quote::quote;

use super::derivation;
use super::interface::{Interface, Reports};
use super::rust::{Printer, loops};
use super::straight::Straight;
use super::tokens::Tokens;
use super::undefined::OF_STATE;
use crate::function::leaves::local;
use crate::function::{Argument, Body, Function, Shape, Signature, Trait, roles_read};
use crate::model::Role;

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
        let judges = self.judges(function);
        let signature = &signature;
        let mut handed = loops
            .as_ref()
            .map_or_else(|| read.clone(), loops::Writer::handed);
        let reads_state = matches!(self.reports, Reports::State | Reports::Row);
        if checks || judges && reads_state {
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
            let mut printer = Printer::new(self, false);
            printer.judges = judges;
            let statements = match &function.body {
                Body::Straight(program) => straight.program(program, false),
                Body::Branches { whole, pieces } => {
                    let mut branches = straight.branches(pieces);
                    branches.push_each(straight.program(whole, false));
                    branches
                }
                Body::LeastSquares { equations, rest } => {
                    printer.multipliers(out, equations, &roles_read(symbols, rest));
                    straight.program(rest, false)
                }
                Body::Loops(_) => {
                    return loops
                        .iter()
                        .for_each(|it| it.function(out, signature, judges));
                }
            };
            printer.all(out, &statements);
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

    /// Whether the result of a function may not be finite although all pivots are good, so that it is checked.
    pub(super) fn judges(&self, function: &Function<'_>) -> bool {
        let signature = &function.signature;
        let of_state: &[Argument] = match self.reports {
            Reports::State => &[Argument::Time, Argument::Coordinates],
            Reports::Row | Reports::Index => OF_STATE,
            Reports::Value => &[Argument::Parameter],
        };
        let takes = |it| signature.arguments.contains(it);
        let passes = |slopes: bool| {
            let mut rows = self.revealed[usize::from(slopes)].iter();
            rows.any(|&row| !function.body.guards(row))
        };
        signature.fails
            && of_state.iter().all(takes)
            && match function.of_trait {
                Trait::Motion | Trait::Rows => self.undefined[0] || passes(false),
                Trait::Derivatives => self.undefined[1] || passes(true),
                Trait::Outputs => self.undefined_outputs[0],
                Trait::OutputDerivatives => self.undefined_outputs[1],
                Trait::OneSided => self.undefined_sides[0],
                Trait::OneSidedDerivatives => self.undefined_sides[1],
                _ => false,
            }
    }

    /// `rt::defined(result, rt::undefined(self, t, q, v))`: the result if it is finite.
    pub(super) fn defined(&self, out: &mut Tokens, signature: &Signature, result: Tokens) {
        let [t, q, v] = [Argument::Time, Argument::Coordinates, Argument::Velocities]
            .map(|argument| self.name(argument));
        let scalar = &self.scalar;
        let defined = match signature.result {
            Shape::Scalar => "defined_number",
            _ => "defined",
        };
        out.runtime(defined).parentheses(|out| {
            out.append(result).punct(',');
            out.quoted(match self.reports {
                Reports::State if !signature.arguments.contains(&Argument::Velocities) => {
                    quote!(rt::undefined_place::<#scalar, _>(self, #t, #q))
                }
                Reports::State => quote!(rt::undefined::<#scalar, _>(self, #t, #q, #v)),
                Reports::Row => quote!(rt::undefined_row(self, #t, #q, #v)),
                Reports::Index => quote!(rt::Singular::of_result),
                Reports::Value => quote!(rt::Cusp::of_result),
            });
        });
    }

    /// The same of results in their places.
    pub(super) fn all_defined(
        &self,
        out: &mut Tokens,
        signature: &Signature,
        places: impl Iterator<Item = TokenStream>,
    ) {
        let places: Vec<TokenStream> = places.collect_vec();
        let places = match &places[..] {
            [only] => quote!(#only),
            all => quote!((#(#all),*)),
        };
        self.defined(out, signature, places.into());
        out.quoted(quote!(.map(|_| ())));
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
