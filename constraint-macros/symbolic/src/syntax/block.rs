//! Blocks with `let`, and choices.

use crate::expr::PushEach;
use proc_macro2::{Delimiter, Ident, TokenTree};
use syn::parse::ParseStream;

use super::ast::{Block, Expr, ExprKind, If, Let};
use super::input::{Content, Stream};
use super::keyword::is_keyword;
use super::parser::{Parsed, Parser, Reported};
use crate::diagnostic::catalogue;
use crate::diagnostic::foreign::Foreign;

/// Limit on the branches of an `if`.
const MAX_BRANCHES: usize = 128;

impl Parser<'_> {
    /// `{ let …; value }`; a broken statement is reported and skipped.
    pub fn block(&mut self, input: &Content<'_>, rows: bool) -> Parsed<Expr> {
        let range = input.range;
        let (mut lets, mut value) = (Vec::new(), None);
        while !input.is_empty() {
            if input.is_word("let") {
                self.statement(input, &mut lets);
                continue;
            }
            let start = input.range();
            self.row = rows;
            let found = self.value(input).unwrap_or_else(|Reported| {
                skip_statement(input);
                Expr::error(start)
            });
            value = Some(found);
        }
        let Some(value) = value else {
            let broken = lets.last().is_some_and(is_broken);
            if !broken {
                self.report(catalogue::block_without_value(range));
            }
            return Ok(Expr::error(range));
        };
        if lets.is_empty() {
            return Ok(value.within(range));
        }
        self.node(ExprKind::Block(Box::new(Block { lets, value })), range)
    }

    /// The expression that ends a block.
    fn value(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        let value = self.expression(input)?;
        if input.is_empty() {
            Ok(value)
        } else {
            self.remainder(input)
        }
    }

    /// `let name = value;`, consumed with its `;`; broken parts are reported.
    fn statement(&mut self, input: ParseStream<'_>, lets: &mut Vec<Let>) {
        input.advance(1);
        let range = input.range();
        let Ok(name) = self.let_name(input, lets) else {
            skip_statement(input);
            return;
        };
        let value = self.let_value(input, "let").unwrap_or_else(|Reported| {
            skip_statement(input);
            Expr::error(range)
        });
        lets.push(Let { name, value });
    }

    /// The name after `let`. The names of a pattern are declared with error values, so that their uses raise no errors.
    fn let_name(&mut self, input: ParseStream<'_>, lets: &mut Vec<Let>) -> Parsed<Ident> {
        let range = input.range();
        if input.is_word("mut") || input.is_word("ref") {
            self.report(catalogue::let_pattern(range));
            input.advance(1);
        }
        let Some(name) = input.word() else {
            if let Some(pattern) = input.open() {
                let names = pattern.rest().into_iter().filter_map(plain_name);
                lets.push_each(names.map(|name| Let {
                    name,
                    value: Expr::error(range),
                }));
            }
            return self.fail(catalogue::let_pattern(range));
        };
        if is_keyword(&name.to_string()) {
            return self.refuse(&name);
        }
        input.advance(1);
        Ok(name)
    }

    /// `= value;` after the name of a `let`, or of another such keyword.
    pub(super) fn let_value(&mut self, input: ParseStream<'_>, word: &str) -> Parsed<Expr> {
        if input.is_operator(":") {
            self.report(catalogue::let_annotation(input.range(), word));
            while !input.is_empty() && !input.is_sign(';') && !input.is_operator("=") {
                input.advance(1);
            }
        }
        if !input.is_operator("=") {
            return self.fail(catalogue::let_without_value(input.range(), word));
        }
        input.take_operator();
        if input.is_empty() || input.is_sign(';') {
            let range = input.range_before();
            return self.fail(catalogue::expected_expression(range, Some("=")));
        }
        let value = self.expression(input)?;
        if input.is_operator(";") {
            input.advance(1);
            return Ok(value);
        }
        // The next statement or the value of the block begins here; both can be parsed.
        match input.operator() {
            Some(_) => self.remainder(input),
            None if input.is_empty() => Ok(value),
            None => {
                self.report(catalogue::let_without_semicolon(input.range(), word));
                Ok(value)
            }
        }
    }

    /// `if condition { a } else if … { b } else { c }`, starting at `if`.
    pub fn choice(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        let start = input.range();
        let mut branches = Vec::new();
        loop {
            branches.push(self.branch(input)?);
            if branches.len() > MAX_BRANCHES {
                return self.fail(catalogue::too_deep(input.range_before()));
            }
            if !input.is_word("else") {
                return self.fail(catalogue::if_without_else(start));
            }
            input.advance(1);
            if !input.is_word("if") {
                break;
            }
        }
        let otherwise = self.braces(input)?;
        let range = start.to(otherwise.range);
        let choice = If {
            branches,
            otherwise,
        };
        self.node(ExprKind::If(Box::new(choice)), range)
    }

    /// `if condition { value }`
    fn branch(&mut self, input: ParseStream<'_>) -> Parsed<(Expr, Expr)> {
        let range = input.range();
        input.advance(1);
        if input.is_word("let") {
            self.report_foreign(range.to(input.range()), Foreign::IfLet);
            return Err(Reported);
        }
        let outer = std::mem::replace(&mut self.condition, true);
        let condition = self.expression(input);
        self.condition = outer;
        let condition = condition?;
        let value = self.braces(input)?;
        Ok((condition, value))
    }

    fn braces(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        match input.enter(Delimiter::Brace) {
            Some(block) => self.deeper(block.range, |p| p.block(&block, false)),
            None => self.fail(catalogue::if_without_block(input.range())),
        }
    }
}

/// Skips past the next `;`.
fn skip_statement(input: ParseStream<'_>) {
    input.skip_to(';');
    input.advance(1);
}

fn plain_name(token: TokenTree) -> Option<Ident> {
    match token {
        TokenTree::Ident(name) if !is_keyword(&name.to_string()) => Some(name),
        _ => None,
    }
}

fn is_broken(statement: &Let) -> bool {
    matches!(statement.value.kind, ExprKind::Error)
}
