//! Tokens where no rule of the language allows them, many of them Rust.

use proc_macro2::{Delimiter, TokenTree};
use syn::parse::ParseStream;

use super::ast::Expr;
use super::expression::is_binary;
use super::input::{Operator, Stream};
use super::keyword::is_keyword;
use super::parser::{Parsed, Parser, Reported};
use crate::diagnostic::foreign::{self, Foreign};
use crate::diagnostic::{Diagnostic, catalogue};

impl Parser<'_> {
    /// Reports an operator in the place of an operand.
    pub(super) fn misplaced_operator(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        let Some(Operator { text, range }) = input.operator() else {
            return Err(Reported);
        };
        let construct = match text {
            "," | ";" => return self.fail(catalogue::expected_expression(range, None)),
            "*" => Foreign::Dereference,
            "|" | "||" => Foreign::Closure,
            _ => match foreign_operator(text).filter(|_| !(self.system && text == "%")) {
                Some(construct) => construct,
                None if is_binary(text) => {
                    return self.fail(catalogue::operator_without_operand(range, text));
                }
                None => return self.fail(catalogue::unexpected(range, text)),
            },
        };
        self.fail(foreign::foreign(range, construct, text))
    }

    /// Tokens after an expression that do not continue it.
    pub fn remainder<T>(&mut self, input: ParseStream<'_>) -> Parsed<T> {
        let range = input.range();
        if input.is_empty() {
            return Err(Reported);
        }
        let diagnostic = match input.leaf() {
            Some(TokenTree::Ident(ident)) if is_keyword(&ident.to_string()) => {
                let text = ident.to_string();
                foreign::foreign(range, Foreign::Keyword, &text)
            }
            Some(TokenTree::Punct(_)) => return self.foreign_remainder(input),
            None if input.is_group(Delimiter::Brace) => {
                foreign::foreign(range, Foreign::StructLiteral, "")
            }
            _ => catalogue::missing_operator(range),
        };
        self.fail(diagnostic)
    }

    /// The message for a comma within a number, if the next token is one.
    pub(super) fn decimal_comma(&self, input: ParseStream<'_>) -> Option<Diagnostic> {
        let whole = self.number.as_ref().filter(|_| input.is_sign(','))?;
        let Some(TokenTree::Literal(fraction)) = input.leaf_at(1) else {
            return None;
        };
        if is_relation(input, 2) {
            return None;
        }
        catalogue::decimal_comma(input.range(), whole, &fraction.to_string())
    }

    /// Reports a comma within a number, and skips to the comma behind it.
    pub(super) fn skip_decimal_comma(&mut self, input: ParseStream<'_>) {
        if let Some(comma) = self.decimal_comma(input) {
            self.report(comma);
            input.advance(2);
            input.skip_to(',');
        }
    }

    fn foreign_remainder<T>(&mut self, input: ParseStream<'_>) -> Parsed<T> {
        let Some(Operator { text, range }) = input.operator() else {
            return Err(Reported);
        };
        let diagnostic = match text {
            ";" => catalogue::semicolon(range),
            "," => match self.decimal_comma(input) {
                Some(comma) => comma,
                None => catalogue::comma(range),
            },
            "|" => foreign::foreign(range, Foreign::Closure, ""),
            "!" => catalogue::missing_operator(range),
            _ => match foreign_operator(text) {
                Some(construct) => foreign::foreign(range, construct, ""),
                None => catalogue::unexpected(range, text),
            },
        };
        self.fail(diagnostic)
    }
}

/// Whether the tokens from this one to the next comma or semicolon have a sign of a relation, as another row has.
fn is_relation(input: ParseStream<'_>, first: usize) -> bool {
    let tokens = (first..).map_while(|ahead| match input.leaf_at(ahead) {
        Some(TokenTree::Punct(sign)) if matches!(sign.as_char(), ',' | ';') => None,
        None => input.group_at(ahead).map(|_| None),
        token => Some(token),
    });
    let mut signs = tokens.flatten();
    signs.any(|token| matches!(token, TokenTree::Punct(sign) if "=<>".contains(sign.as_char())))
}

fn foreign_operator(text: &str) -> Option<Foreign> {
    match text {
        "%" => Some(Foreign::Remainder),
        "<<" | ">>" | "&" | "~" => Some(Foreign::Bits),
        "+=" | "-=" | "*=" | "/=" | "^=" | "%=" | "&=" | "|=" | "<<=" | ">>=" => {
            Some(Foreign::Assignment)
        }
        ".." | "..=" | "..." => Some(Foreign::Range),
        "->" | "=>" => Some(Foreign::Arrow),
        "::" => Some(Foreign::Path),
        "#" => Some(Foreign::Attribute),
        "'" => Some(Foreign::Lifetime),
        _ => None,
    }
}
