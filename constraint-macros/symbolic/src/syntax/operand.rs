//! Operands of expressions: numbers, names, calls, groups, and what follows them directly.

use crate::expr::{CollectVec, PushEach};
use proc_macro2::{Delimiter, Ident, Literal, TokenTree};
use syn::parse::ParseStream;

use super::ast::{Expr, ExprKind};
use super::input::{Content, Stream};
use super::keyword::is_keyword;
use super::literal::{Judged, judge};
use super::parser::{Parsed, Parser, Reported};
use crate::diagnostic::foreign::{self, Foreign};
use crate::diagnostic::{SourceRange, catalogue, system};

impl Parser<'_> {
    pub(super) fn postfix(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        let value = self.primary(input)?;
        self.continued(input, value)
    }

    /// The value with all suffixes that follow: components, methods, indices.
    pub(super) fn continued(&mut self, input: ParseStream<'_>, mut value: Expr) -> Parsed<Expr> {
        loop {
            if input.is_operator(".") {
                value = self.member(input, value)?;
            } else if input.is_sign('?') && input.holds_before(':', ',') {
                return self.fail(catalogue::ternary(input.range()));
            } else if input.is_sign('?') {
                self.report_foreign(input.range(), Foreign::Question);
                input.advance(1);
            } else if input.is_word("as") {
                self.report_foreign(input.range(), Foreign::Cast);
                input.advance(2);
            } else if self.system
                && let Some(index) = input.enter(Delimiter::Bracket)
            {
                let range = value.range.to(index.range);
                if holds_comma(&index) {
                    return self.fail(system::index_with_comma(index.range));
                }
                let index = self.deeper(range, |p| p.only(&index))?;
                value = self.node(ExprKind::Index(Box::new(value), Box::new(index)), range)?;
            } else if input.is_group(Delimiter::Bracket) {
                self.report_foreign(input.range(), Foreign::Index);
                value = Expr::error(value.range.to(input.range()));
                input.advance(1);
            } else if matches!(value.kind, ExprKind::Error)
                && input.is_group(Delimiter::Parenthesis)
            {
                // The arguments of a call whose function could not be read.
                input.advance(1);
            } else if let Some(factor) = factor_after_number(input, &value)
                && !self.condition
                && !(self.system && super::system::begins_statement(input))
            {
                let range = value.range.to(input.range());
                if let ExprKind::Number(number) = &value.kind {
                    self.report(catalogue::missing_multiplication(range, number, &factor));
                }
                self.primary(input)?;
                value = Expr::error(range);
            } else {
                return Ok(value);
            }
        }
    }

    /// `.x`, `.f(…)`
    fn member(&mut self, input: ParseStream<'_>, receiver: Expr) -> Parsed<Expr> {
        let dot = input.range();
        input.advance(1);
        match input.next() {
            Some(TokenTree::Ident(name)) => {
                if input.is_operator("::") {
                    let range = input.range();
                    self.report_foreign(range, Foreign::Turbofish);
                    return Err(Reported);
                }
                match input.enter(Delimiter::Parenthesis) {
                    Some(arguments) => self.call(name, Some(receiver), &arguments),
                    None => {
                        let range = receiver.range.to(name.span().into());
                        self.node(ExprKind::Component(Box::new(receiver), name), range)
                    }
                }
            }
            Some(TokenTree::Literal(literal)) => {
                self.report_foreign(literal.span().into(), Foreign::TupleField);
                Ok(Expr::error(receiver.range.to(literal.span().into())))
            }
            _ => self.fail(catalogue::unexpected(dot, ".")),
        }
    }

    fn call(
        &mut self,
        function: Ident,
        receiver: Option<Expr>,
        content: &Content<'_>,
    ) -> Parsed<Expr> {
        let method = receiver.is_some();
        let start = receiver
            .as_ref()
            .map_or(function.span().into(), |r| r.range);
        let range = start.to(content.range);
        let mut arguments: Vec<Expr> = receiver.into_iter().collect_vec();
        arguments.push_each(self.deeper(range, |p| Ok(p.list(content, false)))?);
        let kind = ExprKind::Call {
            function,
            arguments,
            method,
        };
        self.node(kind, range)
    }

    /// Expressions separated by commas; a broken one becomes an error node.
    fn list(&mut self, input: ParseStream<'_>, rows: bool) -> Vec<Expr> {
        let mut items = Vec::new();
        while !input.is_empty() {
            let start = input.range();
            self.row = rows;
            let item = self.item(input).unwrap_or_else(|Reported| {
                input.skip_to(',');
                Expr::error(start)
            });
            // A number alone is no row.
            let ends = input.leaf_at(2).is_none() && input.group_at(2).is_none()
                || matches!(input.leaf_at(2), Some(TokenTree::Punct(sign)) if sign.as_char() == ',');
            if matches!(item.kind, ExprKind::Compare(..)) && ends {
                self.skip_decimal_comma(input);
            }
            items.push(item);
            input.advance(1);
        }
        items
    }

    /// The single expression in a group.
    pub fn only(&mut self, content: &Content<'_>) -> Parsed<Expr> {
        if content.is_empty() {
            return self.fail(catalogue::expected_expression(content.range, None));
        }
        let value = self.expression(content)?;
        if content.is_empty() {
            Ok(value)
        } else {
            self.remainder(content)
        }
    }

    fn item(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        let item = self.expression(input)?;
        if input.is_sign(';') {
            self.report(catalogue::semicolon_in_list(input.range()));
            return Ok(item);
        }
        if input.is_empty() || input.is_sign(',') {
            return Ok(item);
        }
        self.remainder(input)
    }

    fn primary(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        let row = std::mem::take(&mut self.row);
        self.number = None;
        if let Some(content) = input.open() {
            // Rows in brackets, or behind names.
            let alone = input.is_empty() || input.is_sign(',') || input.is_sign(';');
            return self.group(&content, row && alone);
        }
        match input.leaf() {
            Some(TokenTree::Literal(literal)) => {
                input.advance(1);
                self.number(literal)
            }
            Some(TokenTree::Ident(ident)) => self.name(input, ident),
            Some(TokenTree::Punct(_)) => self.misplaced_operator(input),
            Some(TokenTree::Group(_)) | None => {
                self.fail(catalogue::expected_expression(input.range(), None))
            }
        }
    }

    fn number(&mut self, literal: Literal) -> Parsed<Expr> {
        let (text, range) = (literal.to_string(), literal.span().into());
        let diagnostic = match judge(literal, &text) {
            Judged::Number => match text.strip_prefix('-') {
                None => {
                    self.number = Some(text.clone());
                    return self.node(ExprKind::Number(text), range);
                }
                Some(digits) => {
                    let number = self.node(ExprKind::Number(digits.to_owned()), range)?;
                    return self.node(ExprKind::Neg(Box::new(number)), range);
                }
            },
            Judged::Radix => catalogue::number_radix(range),
            Judged::Suffix(number) => catalogue::number_suffix(range, &number),
            Judged::Multiplied(number, factor) => {
                catalogue::missing_multiplication(range, &number, &factor)
            }
            Judged::Other => catalogue::not_a_number(range, &text),
        };
        self.report(diagnostic);
        Ok(Expr::error(range))
    }

    fn name(&mut self, input: ParseStream<'_>, ident: Ident) -> Parsed<Expr> {
        let range = SourceRange::from(ident.span());
        if is_keyword(&ident.to_string()) {
            return self.keyword(input, &ident);
        }
        input.advance(1);
        if input.is_operator("::") {
            self.report_foreign(range, Foreign::Path);
            return self.rest_of_path(input, range);
        }
        if input.is_operator("!") && input.group_at(1).is_some() {
            self.report_foreign(range.to(input.range()), Foreign::Macro);
            input.advance(2);
            return Ok(Expr::error(range));
        }
        if let Some(arguments) = input.enter(Delimiter::Parenthesis) {
            let ranged =
                matches!(arguments.leaf_at(1), Some(TokenTree::Ident(word)) if word == "in");
            if self.system && ident == "sum" && ranged {
                let range = range.to(arguments.range);
                return self.deeper(range, |parser| parser.sum_over(&arguments, range));
            }
            return self.call(ident, None, &arguments);
        }
        // In Rust `·` is part of an identifier.
        let text = ident.to_string();
        if text.contains('·') {
            return self.fail(catalogue::dot_in_a_name(
                range,
                &text,
                &text.replace('·', "*"),
            ));
        }
        self.node(ExprKind::Name(ident), range)
    }

    fn rest_of_path(&mut self, input: ParseStream<'_>, range: SourceRange) -> Parsed<Expr> {
        while input.is_operator("::") {
            input.take_operator();
            if input.word().is_none() {
                return Err(Reported);
            }
            input.advance(1);
        }
        if input.is_group(Delimiter::Parenthesis) {
            input.advance(1);
        }
        Ok(Expr::error(range))
    }

    fn keyword(&mut self, input: ParseStream<'_>, ident: &Ident) -> Parsed<Expr> {
        let range = SourceRange::from(ident.span());
        let text = ident.to_string();
        let construct = match text.as_str() {
            "if" => return self.deeper(range, |p| p.choice(input)),
            "let" => return self.fail(catalogue::let_outside_block(range)),
            "_" => return self.fail(catalogue::reserved_name(range, "_")),
            "for" | "while" | "loop" => Foreign::Loop,
            "match" => Foreign::Match,
            "true" | "false" => {
                input.advance(1);
                self.report_foreign(range, Foreign::Boolean);
                return Ok(Expr::error(range));
            }
            _ if self.refused.contains(&text) => return Err(Reported),
            _ => Foreign::Keyword,
        };
        self.fail(foreign::foreign(range, construct, &text))
    }

    /// An operand that is a group of tokens.
    fn group(&mut self, content: &Content<'_>, rows: bool) -> Parsed<Expr> {
        let range = content.range;
        match content.delimiter {
            Delimiter::Brace => self.deeper(range, |p| p.block(content, rows)),
            Delimiter::Bracket => {
                let list = self.deeper(range, |p| Ok(p.list(content, rows)))?;
                self.node(ExprKind::List(list), range)
            }
            Delimiter::Parenthesis | Delimiter::None => {
                let inner = self.deeper(range, |p| p.parenthesized(content));
                let inner = inner.unwrap_or_else(|Reported| Expr::error(range));
                Ok(inner.within(range))
            }
        }
    }

    fn parenthesized(&mut self, content: &Content<'_>) -> Parsed<Expr> {
        if content.is_empty() {
            return self.fail(catalogue::expected_expression(content.range, None));
        }
        let inner = self.expression(content)?;
        if content.is_sign(',') {
            if let Some(comma) = self.decimal_comma(content) {
                return self.fail(comma);
            }
            self.report_foreign(content.range, Foreign::Tuple);
            return Err(Reported);
        }
        if content.is_empty() {
            Ok(inner)
        } else {
            self.remainder(content)
        }
    }
}

fn holds_comma(content: &Content<'_>) -> bool {
    content.holds_before(',', '\0')
}

/// The factor that directly follows a number, as text for the suggestion to write `*`.
fn factor_after_number(input: ParseStream<'_>, value: &Expr) -> Option<String> {
    if !matches!(value.kind, ExprKind::Number(_)) {
        return None;
    }
    match input.word() {
        Some(ident) => Some(ident.to_string()).filter(|word| !is_keyword(word)),
        None => input
            .is_group(Delimiter::Parenthesis)
            .then(|| "(…)".to_owned()),
    }
}
