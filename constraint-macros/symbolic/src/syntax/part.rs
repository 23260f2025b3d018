//! `part Leg { parameters } { statements }`, and its use, `leg[i]: Leg { values }`.

use std::rc::Rc;

use proc_macro2::{Delimiter, Ident, TokenTree};
use syn::parse::ParseStream;

use super::ast::{Header, name_of};
use super::input::Stream;
use super::parser::{Parsed, Parser};
use super::statement::{Part, PartUse};
use crate::diagnostic::{Diagnostic, SourceRange, part};

/// Whether a part is used here: `leg: Leg`, `leg[i]: Leg`.
pub(super) fn uses_part(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    if ahead.take_name().is_none() {
        return false;
    }
    while ahead.enter(Delimiter::Bracket).is_some() {}
    ahead.is_operator(":") && matches!(ahead.leaf_at(1), Some(TokenTree::Ident(_)))
}

impl Parser<'_> {
    /// `Leg { l1: Real, m: Real = 1 } { … }`
    pub(super) fn part(&mut self, input: ParseStream<'_>, header: &mut Header) -> Parsed<Part> {
        let name = self.plain_name(input)?;
        let text = name_of(&name);
        let Some(parameters) = input.enter(Delimiter::Brace) else {
            return self.fail(part::without_parameters(input.range(), &text));
        };
        let parameters = self.declarations(&parameters, true, &mut header.complete);
        let body = match input.enter(Delimiter::Brace) {
            Some(body) => {
                let inner =
                    self.deeper(body.range, |parser| Ok(parser.statements(&body, header)))?;
                Some(Rc::from(inner))
            }
            None => {
                self.report(part::without_body(input.range(), &text));
                None
            }
        };
        Ok(Part {
            name,
            parameters,
            body,
        })
    }

    /// `leg[i]: Leg { l1: 2/5 }`
    pub(super) fn part_use(&mut self, input: ParseStream<'_>) -> Parsed<PartUse> {
        self.in_use(input, part::use_without_values)
    }

    /// `knee: Hinge { a: thigh, b: shank }`
    pub(super) fn joint(&mut self, input: ParseStream<'_>) -> Parsed<PartUse> {
        self.in_use(input, part::joint_without_values)
    }

    /// `Hinge`; for `plane::Weld`, the path of its type, `Weld`: the dimension follows from the bodies.
    fn name_of_kind(&mut self, input: ParseStream<'_>) -> Parsed<Ident> {
        let name = self.plain_name(input)?;
        if name != "plane" || !input.is_operator("::") {
            return Ok(name);
        }
        input.advance(2);
        self.plain_name(input)
    }

    fn in_use(
        &mut self,
        input: ParseStream<'_>,
        without_values: fn(SourceRange, &str) -> Diagnostic,
    ) -> Parsed<PartUse> {
        let declared = self.declared(input)?;
        if !input.is_operator(":") {
            return self.fail(part::joint_without_kind(input.range()));
        }
        input.advance(1);
        let part = self.name_of_kind(input)?;
        let Some(values) = input.enter(Delimiter::Brace) else {
            let range = input.range_before();
            return self.fail(without_values(range, &name_of(&part)));
        };
        let values = self.named_values(&values)?;
        self.no_semicolon(input);
        Ok(PartUse {
            declared,
            part,
            values,
        })
    }
}
