//! `/// docs pub struct Name { parameters } |s in start..=end| points`

use proc_macro2::{Literal, TokenStream, TokenTree};
use syn::parse::ParseStream;

use super::ast::{Annotation, Curve, Declaration, Domain, Expr, Header};
use super::header::{inside, starts_item};
use super::input::{self, Stream};
use super::keyword::is_keyword;
use super::parser::{Parsed, Parser, Reported};
use crate::diagnostic::{Diagnostics, SourceRange, catalogue};
use crate::expr::Number;

/// The tree of one call of `curve!`.
///
/// `None` only if not even the name of a struct could be read. The tree may contain mistakes:
/// broken parts are reported to `diagnostics` and become error nodes.
pub fn parse_curve(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<Curve> {
    let mut parser = Parser::new(diagnostics);
    parser.own = &["joined"];
    if tokens.is_empty() {
        parser.report(catalogue::empty_curve());
        return None;
    }
    input::read(tokens, |input| parser.call_of_curve(input))?
}

/// Pieces that are farther apart than this fraction of the extent do not meet, whatever the precision of their numbers.
const LOOSEST: f64 = 1e-2;

impl Parser<'_> {
    fn call_of_curve(&mut self, input: ParseStream<'_>) -> Option<Curve> {
        if !starts_item(input) {
            self.report(catalogue::curve_without_struct(input.range()));
            return None;
        }
        let mut header = self.structure(input).ok()?;
        let joined = self.joined();
        let domain = self.parameter(input, &mut header).ok();
        header.complete &= domain.is_some();
        let body_tokens = input.rest();
        let range = input.range();
        // Without bars there is no sign of where the body begins.
        let body = if header.coordinates.is_empty() {
            Err(Reported)
        } else {
            self.body(input)
        };
        Some(Curve {
            header,
            joined,
            domain,
            body: body.unwrap_or_else(|Reported| Expr::error(range)),
            body_tokens,
        })
    }

    /// `#[joined(1e-5)]`, which is removed from the attributes.
    fn joined(&mut self) -> Option<f64> {
        let mut joined = None;
        for attribute in std::mem::take(&mut self.taken) {
            let number = attribute.parse_args::<Literal>().ok();
            let value = number.and_then(|number| Number::parse_decimal(&number.to_string()));
            let value = value
                .map(Number::to_f64)
                .filter(|it| *it > 0.0 && *it <= LOOSEST);
            if value.is_none() || joined.is_some() {
                let range = inside(&attribute).into();
                self.report(catalogue::joined_tolerance(range, LOOSEST));
            }
            joined = value.or(joined);
        }
        joined
    }

    /// `|s in start..=end|`; the parameter becomes the header's coordinate.
    fn parameter(&mut self, input: ParseStream<'_>, header: &mut Header) -> Parsed<Domain> {
        let range = input.range();
        if !input.is_sign('|') {
            return self.fail(catalogue::expected_curve_parameter(range));
        }
        let Some((inside, bars)) = input.between_bars() else {
            return self.fail(catalogue::unclosed_curve_parameter(range));
        };
        let read = |input: ParseStream<'_>| self.parameter_in_bars(input, bars, header);
        input::read(inside, read).unwrap_or(Err(Reported))
    }

    fn parameter_in_bars(
        &mut self,
        input: ParseStream<'_>,
        bars: SourceRange,
        header: &mut Header,
    ) -> Parsed<Domain> {
        let Some(name) = input.name() else {
            return self.fail(catalogue::expected_curve_parameter(bars));
        };
        if is_keyword(&name.to_string()) {
            return self.refuse(&name);
        }
        input.take_name();
        header.coordinates.push(Declaration {
            attributes: TokenStream::new(),
            visibility: TokenStream::new(),
            name: name.clone(),
            annotation: Annotation::Missing,
            default: None,
        });
        if input.is_sign(',') && !input.is_last() {
            return self.fail(catalogue::second_curve_parameter(input.range()));
        }
        if !input.is_word("in") {
            let at = if input.is_empty() {
                SourceRange::from(name.span())
            } else {
                input.range()
            };
            return self.fail(catalogue::expected_domain(at, &name.to_string()));
        }
        input.advance(1);
        self.domain(input, &name.to_string())
    }

    /// `start..=end`
    fn domain(&mut self, input: ParseStream<'_>, name: &str) -> Parsed<Domain> {
        let range = input.range();
        let mut start_tokens = TokenStream::new();
        while !input.is_operator("..=") {
            if input.is_operator("..") || input.is_operator("...") {
                return self.fail(catalogue::half_open_domain(input.range()));
            }
            match input.next() {
                Some(token) => start_tokens.extend([token]),
                None => return self.fail(catalogue::expected_domain(range, name)),
            }
        }
        input.advance(3);
        let mut end_tokens: Vec<TokenTree> = Vec::new();
        while !input.is_sign(',')
            && let Some(token) = input.next()
        {
            end_tokens.push(token);
        }
        if input.is_sign(',') && !input.is_last() {
            self.number = end_tokens.last().map(ToString::to_string);
            let comma = self.decimal_comma(input);
            let second = || catalogue::second_curve_parameter(input.range());
            return self.fail(comma.unwrap_or_else(second));
        }
        let end_tokens: TokenStream = end_tokens.into_iter().collect();
        let start = self.end_of_domain(&start_tokens, range)?;
        let end = self.end_of_domain(&end_tokens, input.range_before())?;
        Ok(Domain {
            range: start.range.to(end.range),
            start,
            end,
            start_tokens,
            end_tokens,
        })
    }

    fn end_of_domain(&mut self, tokens: &TokenStream, place: SourceRange) -> Parsed<Expr> {
        if tokens.is_empty() {
            return self.fail(catalogue::expected_expression(place, None));
        }
        let read = |input: ParseStream<'_>| {
            let value = self.expression(input)?;
            if input.is_empty() {
                Ok(value)
            } else {
                self.remainder(input)
            }
        };
        input::read(tokens.clone(), read).unwrap_or(Err(Reported))
    }
}
