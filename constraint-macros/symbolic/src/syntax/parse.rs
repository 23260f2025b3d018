//! The entry point: full form, or bare form with or without bars.

use proc_macro2::TokenStream;

use super::ast::{Constraint, Expr};
use super::cursor::Cursor;
use super::expression::{Parsed, Parser, Reported};
use super::header::{starts_another_item, starts_item};
use crate::diagnostic::{Diagnostics, catalogue};

/// The tree of one macro call.
///
/// `None` only where not even the name of a struct could be read. Whether the input is right is a
/// question to `diagnostics`: broken parts are reported there and stand in the tree as error nodes.
pub fn parse(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<Constraint> {
    let mut cursor = Cursor::over(tokens);
    let mut parser = Parser::new(diagnostics);
    if cursor.is_at_end() {
        parser.report(catalogue::empty_input());
        return None;
    }
    let header = if starts_item(&mut cursor) {
        Some(parser.header(&mut cursor).ok()?)
    } else if starts_another_item(&cursor) {
        parser.report(catalogue::not_a_struct(cursor.range()));
        return None;
    } else if cursor.is_sign('|') && !cursor.is_operator("||") {
        Some(parser.bars(&mut cursor))
    } else {
        None
    };
    let body_tokens = cursor.rest();
    let range = cursor.range();
    let body = match &header {
        Some(header) if header.coordinates.is_empty() && !header.complete => Err(Reported),
        _ => parser.body(&mut cursor),
    };
    Some(Constraint {
        header,
        body: body.unwrap_or_else(|Reported| Expr::error(range)),
        body_tokens,
    })
}

impl Parser<'_> {
    pub(super) fn body(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        if cursor.is_at_end() {
            return self.fail(catalogue::expected_expression(cursor.range_before(), None));
        }
        let body = self.expression(cursor)?;
        if cursor.is_sign(',') && cursor.peek_at(1).is_none() {
            cursor.advance(1);
        }
        match cursor.is_at_end() {
            true => Ok(body),
            false => self.remainder(cursor),
        }
    }
}
