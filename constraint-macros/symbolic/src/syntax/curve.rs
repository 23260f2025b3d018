//! `/// docs pub struct Name { parameters } |s in start..=end| points`

use proc_macro2::{TokenStream, TokenTree};

use super::ast::{Annotation, Curve, Declaration, Domain, Expr, Header};
use super::cursor::Cursor;
use super::expression::{Parsed, Parser, Reported, is_keyword};
use super::header::starts_item;
use super::system::take_attributes;
use crate::diagnostic::{Diagnostics, SourceRange, catalogue};
use crate::expr::Number;

/// The tree of one call of `curve!`.
///
/// `None` only where not even the name of a struct could be read. Whether the input is right is a
/// question to `diagnostics`: broken parts are reported there and stand in the tree as error nodes.
pub fn parse_curve(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<Curve> {
    let mut cursor = Cursor::over(tokens);
    let mut parser = Parser::new(diagnostics);
    if cursor.is_at_end() {
        parser.report(catalogue::empty_curve());
        return None;
    }
    if !starts_item(&mut cursor) {
        parser.report(catalogue::curve_without_struct(cursor.range()));
        return None;
    }
    let mut header = parser.structure(&mut cursor).ok()?;
    let joined = parser.joined(&mut header.attributes);
    let domain = parser.parameter(&mut cursor, &mut header).ok();
    header.complete &= domain.is_some();
    let body_tokens = cursor.rest();
    let range = cursor.range();
    // Without bars there is no telling where the body begins.
    let body = match header.coordinates.is_empty() {
        true => Err(Reported),
        false => parser.body(&mut cursor),
    };
    Some(Curve {
        header,
        joined,
        domain,
        body: body.unwrap_or_else(|Reported| Expr::error(range)),
        body_tokens,
    })
}

/// Pieces farther apart than this part of the extent do not meet, to whatever digits they are printed.
const LOOSEST: f64 = 1e-2;

impl Parser<'_> {
    /// `#[joined(1e-5)]`, which is ours and not passed on.
    fn joined(&mut self, attributes: &mut TokenStream) -> Option<f64> {
        let mut joined = None;
        for (name, inside) in take_attributes(attributes, &["joined"]) {
            let value = inside.as_ref().and_then(|inside| match inside.peek() {
                Some(TokenTree::Literal(number)) if inside.peek_at(1).is_none() => {
                    Number::parse_decimal(&number.to_string())
                }
                _ => None,
            });
            let value = value
                .map(Number::to_f64)
                .filter(|it| *it > 0.0 && *it <= LOOSEST);
            if value.is_none() || joined.is_some() {
                let range = inside.map_or(name.span().into(), |inside| inside.range());
                self.report(catalogue::joined_tolerance(range, LOOSEST));
            }
            joined = value.or(joined);
        }
        joined
    }

    /// `|s in start..=end|`; the parameter becomes the header's coordinate.
    fn parameter(&mut self, cursor: &mut Cursor, header: &mut Header) -> Parsed<Domain> {
        let range = cursor.range();
        if !cursor.is_sign('|') {
            return self.fail(catalogue::expected_curve_parameter(range));
        }
        cursor.advance(1);
        let mut inside = TokenStream::new();
        while !cursor.is_sign('|') {
            match cursor.next() {
                Some(token) => inside.extend([token]),
                None => return self.fail(catalogue::unclosed_curve_parameter(range)),
            }
        }
        let bars = range.to(cursor.range());
        cursor.advance(1);
        let mut inside = Cursor::over(inside);
        inside.open_invisible();
        let Some(name) = inside.ident().cloned() else {
            return self.fail(catalogue::expected_curve_parameter(bars));
        };
        if is_keyword(&name.to_string()) {
            return self.refuse(&name);
        }
        inside.advance(1);
        header.coordinates.push(Declaration {
            attributes: TokenStream::new(),
            visibility: TokenStream::new(),
            name: name.clone(),
            annotation: Annotation::Missing,
            default: None,
        });
        if inside.is_sign(',') && inside.peek_at(1).is_some() {
            return self.fail(catalogue::second_curve_parameter(inside.range()));
        }
        if !inside.is_ident("in") {
            let at = match inside.is_at_end() {
                true => SourceRange::from(name.span()),
                false => inside.range(),
            };
            return self.fail(catalogue::expected_domain(at, &name.to_string()));
        }
        inside.advance(1);
        self.domain(&mut inside, &name.to_string())
    }

    /// `start..=end`
    fn domain(&mut self, cursor: &mut Cursor, name: &str) -> Parsed<Domain> {
        let range = cursor.range();
        let mut start_tokens = TokenStream::new();
        while !cursor.is_operator("..=") {
            if cursor.is_operator("..") || cursor.is_operator("...") {
                return self.fail(catalogue::half_open_domain(cursor.range()));
            }
            match cursor.next() {
                Some(token) => start_tokens.extend([token]),
                None => return self.fail(catalogue::expected_domain(range, name)),
            }
        }
        cursor.advance(3);
        let mut end_tokens: Vec<TokenTree> = Vec::new();
        while !cursor.is_sign(',')
            && let Some(token) = cursor.next()
        {
            end_tokens.push(token);
        }
        if cursor.is_sign(',') && cursor.peek_at(1).is_some() {
            return self.fail(catalogue::second_curve_parameter(cursor.range()));
        }
        let end_tokens: TokenStream = end_tokens.into_iter().collect();
        let start = self.end_of_domain(&start_tokens, range)?;
        let end = self.end_of_domain(&end_tokens, cursor.range_before())?;
        Ok(Domain {
            range: start.range.to(end.range),
            start,
            end,
            start_tokens,
            end_tokens,
        })
    }

    fn end_of_domain(&mut self, tokens: &TokenStream, place: SourceRange) -> Parsed<Expr> {
        let mut cursor = Cursor::over(tokens.clone());
        if cursor.is_at_end() {
            return self.fail(catalogue::expected_expression(place, None));
        }
        let value = self.expression(&mut cursor)?;
        match cursor.is_at_end() {
            true => Ok(value),
            false => self.remainder(&cursor),
        }
    }
}
