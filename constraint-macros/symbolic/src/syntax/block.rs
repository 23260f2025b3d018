//! Blocks with `let`, and choices.

use proc_macro2::{Delimiter, Group, Ident, TokenTree};

use super::ast::{Block, Expr, ExprKind, If, Let};
use super::cursor::{Cursor, group_range};
use super::expression::{Parsed, Parser, Reported, is_keyword};
use crate::diagnostic::catalogue::{self, Foreign};

/// A choice has no more branches than this.
const MAX_BRANCHES: usize = 128;

impl Parser<'_> {
    /// `{ let …; value }`; a broken statement is reported and skipped.
    pub fn block(&mut self, group: &Group) -> Parsed<Expr> {
        let mut cursor = Cursor::inside(group);
        let range = group_range(group);
        let (mut lets, mut value) = (Vec::new(), None);
        while !cursor.is_at_end() {
            if cursor.is_ident("let") {
                self.statement(&mut cursor, &mut lets);
                continue;
            }
            let start = cursor.range();
            let found = self.value(&mut cursor).unwrap_or_else(|Reported| {
                skip_statement(&mut cursor);
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
    fn value(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        let value = self.expression(cursor)?;
        match cursor.is_at_end() {
            true => Ok(value),
            false => self.remainder(cursor),
        }
    }

    /// `let name = value;` to after its `;`, as far as it can be understood.
    fn statement(&mut self, cursor: &mut Cursor, lets: &mut Vec<Let>) {
        cursor.advance(1);
        let range = cursor.range();
        let Ok(name) = self.let_name(cursor, lets) else {
            skip_statement(cursor);
            return;
        };
        let value = self.let_value(cursor).unwrap_or_else(|Reported| {
            skip_statement(cursor);
            Expr::error(range)
        });
        lets.push(Let { name, value });
    }

    /// The name after `let`; those of a pattern are declared as broken, so that their uses raise no errors.
    fn let_name(&mut self, cursor: &mut Cursor, lets: &mut Vec<Let>) -> Parsed<Ident> {
        let range = cursor.range();
        if cursor.is_ident("mut") || cursor.is_ident("ref") {
            self.report(catalogue::let_pattern(range));
            cursor.advance(1);
        }
        let Some(name) = cursor.ident().cloned() else {
            if let Some(TokenTree::Group(group)) = cursor.peek() {
                let names = group.stream().into_iter().filter_map(plain_name);
                lets.extend(names.map(|name| Let {
                    name,
                    value: Expr::error(range),
                }));
            }
            return self.fail(catalogue::let_pattern(range));
        };
        if is_keyword(&name.to_string()) {
            return self.refuse(&name);
        }
        cursor.advance(1);
        Ok(name)
    }

    pub(super) fn let_value(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        if cursor.is_operator(":") {
            self.report(catalogue::let_annotation(cursor.range()));
            while !cursor.is_at_end() && !cursor.is_sign(';') && !cursor.is_operator("=") {
                cursor.advance(1);
            }
        }
        if !cursor.is_operator("=") {
            return self.fail(catalogue::let_without_value(cursor.range()));
        }
        cursor.take_operator();
        if cursor.is_at_end() || cursor.is_sign(';') {
            let range = cursor.range_before();
            return self.fail(catalogue::expected_expression(range, Some("=")));
        }
        let value = self.expression(cursor)?;
        if cursor.is_operator(";") {
            cursor.advance(1);
            return Ok(value);
        }
        // The next statement begins here, or the value of the block: either way, go on with it.
        match cursor.operator() {
            Some(_) => self.remainder(cursor),
            None if cursor.is_at_end() => Ok(value),
            None => {
                self.report(catalogue::let_without_semicolon(cursor.range()));
                Ok(value)
            }
        }
    }

    /// `if condition { a } else if … { b } else { c }`, the cursor on its `if`.
    pub fn choice(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        let start = cursor.range();
        let mut branches = Vec::new();
        loop {
            branches.push(self.branch(cursor)?);
            if branches.len() > MAX_BRANCHES {
                return self.fail(catalogue::too_deep(cursor.range_before()));
            }
            if !cursor.is_ident("else") {
                return self.fail(catalogue::if_without_else(start));
            }
            cursor.advance(1);
            if !cursor.is_ident("if") {
                break;
            }
        }
        let otherwise = self.braces(cursor)?;
        let range = start.to(otherwise.range);
        let choice = If {
            branches,
            otherwise,
        };
        self.node(ExprKind::If(Box::new(choice)), range)
    }

    /// `if condition { value }`
    fn branch(&mut self, cursor: &mut Cursor) -> Parsed<(Expr, Expr)> {
        let range = cursor.range();
        cursor.advance(1);
        if cursor.is_ident("let") {
            self.report_foreign(range.to(cursor.range()), Foreign::IfLet);
            return Err(Reported);
        }
        let outer = std::mem::replace(&mut self.condition, true);
        let condition = self.expression(cursor);
        self.condition = outer;
        let condition = condition?;
        let value = self.braces(cursor)?;
        Ok((condition, value))
    }

    fn braces(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        match cursor.group(Delimiter::Brace).cloned() {
            Some(group) => {
                cursor.advance(1);
                self.deeper(group_range(&group), |p| p.block(&group))
            }
            None => self.fail(catalogue::if_without_block(cursor.range())),
        }
    }
}

/// To after the next `;`.
fn skip_statement(cursor: &mut Cursor) {
    cursor.skip_to(';');
    cursor.advance(1);
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
