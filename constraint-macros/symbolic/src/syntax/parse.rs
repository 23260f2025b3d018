//! The entry point: full form, or bare form with or without bars.

use proc_macro2::TokenStream;
use syn::parse::ParseStream;

use super::ast::{Constraint, Expr};
use super::header::{starts_another_item, starts_item};
use super::input::{self, Stream};
use super::parser::{Parsed, Parser, Reported};
use crate::diagnostic::{Diagnostics, catalogue};

/// The tree of one macro call.
///
/// `None` only if not even the name of a struct could be read. The tree may contain mistakes:
/// broken parts are reported to `diagnostics` and become error nodes.
pub fn parse(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<Constraint> {
    let mut parser = Parser::new(diagnostics);
    if tokens.is_empty() {
        parser.report(catalogue::empty_input());
        return None;
    }
    input::read(tokens, |input| parser.call_of_constraint(input))?
}

impl Parser<'_> {
    fn call_of_constraint(&mut self, input: ParseStream<'_>) -> Option<Constraint> {
        let header = if starts_item(input) {
            Some(self.header(input).ok()?)
        } else if starts_another_item(input) {
            self.report(catalogue::not_a_struct(input.range()));
            return None;
        } else if input.is_sign('|') && !input.is_operator("||") {
            Some(self.bars(input))
        } else {
            None
        };
        let body_tokens = input.rest();
        let range = input.range();
        let body = match &header {
            Some(header) if header.coordinates.is_empty() && !header.complete => Err(Reported),
            _ => {
                self.row = true;
                self.body(input)
            }
        };
        Some(Constraint {
            header,
            body: body.unwrap_or_else(|Reported| Expr::error(range)),
            body_tokens,
        })
    }

    pub(super) fn body(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        if input.is_empty() {
            return self.fail(catalogue::expected_expression(input.range_before(), None));
        }
        let body = self.expression(input)?;
        if input.is_sign(',') && input.is_last() {
            input.advance(1);
        }
        if input.is_empty() {
            Ok(body)
        } else {
            self.remainder(input)
        }
    }
}
