//! The precedence parser.
//!
//! ```text
//! loosest   ||   &&   == < <= > >=   + -   * /   unary - !   ^   .x f() .f()   tightest
//! ```
//! `^` takes its exponent from the unary level, which makes it right-associative and lets `2^-1` be.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, Ident, TokenTree};

use super::ast::{Expr, ExprKind, Factor, MAX_HEIGHT, Relation, RelationKind, Term};
use super::cursor::{Cursor, Operator, group_range};
use super::literal::{Judged, judge};
use crate::diagnostic::catalogue::{self, Foreign};
use crate::diagnostic::{Diagnostic, Diagnostics, SourceRange, system};

/// The parser gave up here; the reason has been reported.
#[derive(Debug)]
pub(super) struct Reported;

pub(super) type Parsed<T> = Result<T, Reported>;

/// Groups, exponents and `!` may nest this deep.
const MAX_DEPTH: usize = 128;

pub(super) struct Parser<'d> {
    diagnostics: &'d mut Diagnostics,
    depth: usize,
    too_deep: bool,
    /// Directly inside the condition of an `if`, whose end is not marked.
    pub condition: bool,
    /// In `system!`, where parameters have defaults and names have indices.
    pub system: bool,
    /// Keywords that were used as names.
    refused: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Relation,
    Sum,
    Product,
    Unary,
}

fn level_of(sign: &str) -> Option<Level> {
    match sign {
        "||" => Some(Level::Or),
        "&&" => Some(Level::And),
        "==" | "<" | "<=" | ">" | ">=" | "=" | "!=" => Some(Level::Relation),
        "+" | "-" => Some(Level::Sum),
        "*" | "/" => Some(Level::Product),
        _ => None,
    }
}

impl<'d> Parser<'d> {
    pub fn new(diagnostics: &'d mut Diagnostics) -> Parser<'d> {
        Parser {
            diagnostics,
            depth: 0,
            too_deep: false,
            condition: false,
            system: false,
            refused: BTreeSet::new(),
        }
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.report(diagnostic);
        Err(Reported)
    }

    /// Runs `parse` one level deeper.
    pub fn deeper<T>(
        &mut self,
        range: SourceRange,
        parse: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail_too_deep(range);
        }
        self.depth += 1;
        let condition = std::mem::replace(&mut self.condition, false);
        let result = parse(self);
        self.condition = condition;
        self.depth -= 1;
        result
    }

    /// A declaration that cannot have its name.
    pub fn refuse<T>(&mut self, name: &Ident) -> Parsed<T> {
        let text = name.to_string();
        let diagnostic = catalogue::reserved_name(name.span().into(), &text);
        self.refused.insert(text);
        self.fail(diagnostic)
    }

    /// One error however many branches are too deep.
    fn fail_too_deep<T>(&mut self, range: SourceRange) -> Parsed<T> {
        if !std::mem::replace(&mut self.too_deep, true) {
            self.report(catalogue::too_deep(range));
        }
        Err(Reported)
    }

    /// The node, unless the tree would become too high for recursion.
    pub fn node(&mut self, kind: ExprKind, range: SourceRange) -> Parsed<Expr> {
        let expr = Expr::new(kind, range);
        match expr.height() {
            0..=MAX_HEIGHT => Ok(expr),
            _ => self.fail_too_deep(range),
        }
    }

    /// An expression up to whatever cannot continue it.
    pub fn expression(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        self.at_least(cursor, Level::Or)
    }

    /// An expression up to whatever cannot continue it, a relation included.
    pub fn sum_of_terms(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        self.at_least(cursor, Level::Sum)
    }

    fn at_least(&mut self, cursor: &mut Cursor, least: Level) -> Parsed<Expr> {
        let mut left = self.unary(cursor)?;
        while let Some(operator) = cursor.operator() {
            let Some(level) = level_of(operator.text).filter(|&level| level >= least) else {
                break;
            };
            left = match level {
                Level::Relation => self.relation(cursor, left)?,
                Level::Sum => self.sum(cursor, left)?,
                Level::Product | Level::Unary => self.product(cursor, left)?,
                Level::And => self.conditions(cursor, left, "&&", Level::Relation)?,
                Level::Or => self.conditions(cursor, left, "||", Level::And)?,
            };
        }
        Ok(left)
    }

    fn sum(&mut self, cursor: &mut Cursor, first: Expr) -> Parsed<Expr> {
        let mut range = first.range;
        let mut terms = vec![Term {
            negative: false,
            value: first,
        }];
        while let Some(operator) = cursor.operator()
            && level_of(operator.text) == Some(Level::Sum)
        {
            cursor.take_operator();
            let value = self.operand(cursor, &operator, Level::Product)?;
            range = range.to(value.range);
            terms.push(Term {
                negative: operator.text == "-",
                value,
            });
        }
        self.node(ExprKind::Sum(terms), range)
    }

    fn product(&mut self, cursor: &mut Cursor, first: Expr) -> Parsed<Expr> {
        let mut range = first.range;
        let mut factors = vec![Factor {
            inverse: false,
            value: first,
        }];
        while let Some(operator) = cursor.operator()
            && level_of(operator.text) == Some(Level::Product)
        {
            cursor.take_operator();
            let value = self.operand(cursor, &operator, Level::Unary)?;
            range = range.to(value.range);
            factors.push(Factor {
                inverse: operator.text == "/",
                value,
            });
        }
        self.node(ExprKind::Product(factors), range)
    }

    fn conditions(
        &mut self,
        cursor: &mut Cursor,
        first: Expr,
        sign: &str,
        operand: Level,
    ) -> Parsed<Expr> {
        let mut range = first.range;
        let mut list = vec![first];
        while let Some(operator) = cursor.operator()
            && operator.text == sign
        {
            cursor.take_operator();
            let value = self.operand(cursor, &operator, operand)?;
            range = range.to(value.range);
            list.push(value);
        }
        let kind = match sign {
            "&&" => ExprKind::And(list),
            _ => ExprKind::Or(list),
        };
        self.node(kind, range)
    }

    fn relation(&mut self, cursor: &mut Cursor, left: Expr) -> Parsed<Expr> {
        let relation = self.relation_sign(cursor)?;
        let operator = |relation: Relation| Operator {
            text: "==",
            range: relation.range,
        };
        let right = self.operand(cursor, &operator(relation), Level::Sum)?;
        let mut range = left.range.to(right.range);
        let is_relation = |c: &Cursor| {
            c.operator()
                .filter(|o| level_of(o.text) == Some(Level::Relation))
        };
        let Some(second) = is_relation(cursor) else {
            let kind = ExprKind::Compare(relation, Box::new(left), Box::new(right));
            return self.node(kind, range);
        };
        let equalities = relation.kind == RelationKind::Eq;
        self.report(catalogue::chained_comparison(second.range, equalities));
        while let Some(next) = is_relation(cursor) {
            cursor.take_operator();
            range = range.to(self.operand(cursor, &next, Level::Sum)?.range);
        }
        Ok(Expr::error(range))
    }

    fn relation_sign(&mut self, cursor: &mut Cursor) -> Parsed<Relation> {
        let Some(operator) = cursor.take_operator() else {
            return Err(Reported);
        };
        let kind = match operator.text {
            "<" => RelationKind::Lt,
            "<=" => RelationKind::Le,
            ">" => RelationKind::Gt,
            ">=" => RelationKind::Ge,
            _ => RelationKind::Eq,
        };
        match operator.text {
            "=" => self.report(catalogue::single_equals(operator.range)),
            "!=" => self.report(catalogue::not_equal(operator.range)),
            _ => {}
        }
        let range = operator.range;
        Ok(Relation { kind, range })
    }

    /// The right operand of `operator`.
    fn operand(&mut self, cursor: &mut Cursor, operator: &Operator, least: Level) -> Parsed<Expr> {
        if cursor.is_at_end() || cursor.is_sign(',') || cursor.is_sign(';') {
            let missing = catalogue::expected_expression(operator.range, Some(operator.text));
            return self.fail(missing);
        }
        match least {
            Level::Unary => self.unary(cursor),
            _ => self.at_least(cursor, least),
        }
    }

    fn unary(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        let start = cursor.range();
        let mut negations = 0u32;
        while let Some(operator) = cursor.operator() {
            match operator.text {
                "-" => negations = negations.wrapping_add(1),
                "+" => self.report(catalogue::unary_plus(operator.range)),
                "&" | "&&" => self.report_foreign(operator.range, Foreign::Reference),
                "!" => {
                    cursor.take_operator();
                    let inner =
                        self.deeper(start, |p| p.operand(cursor, &operator, Level::Unary))?;
                    let range = operator.range.to(inner.range);
                    let not = self.node(ExprKind::Not(Box::new(inner)), range)?;
                    return self.negated(not, negations, start);
                }
                _ => break,
            }
            cursor.take_operator();
            if cursor.is_at_end() {
                let missing = catalogue::expected_expression(operator.range, Some(operator.text));
                return self.fail(missing);
            }
        }
        let power = self.power(cursor)?;
        self.negated(power, negations, start)
    }

    fn negated(&mut self, operand: Expr, negations: u32, start: SourceRange) -> Parsed<Expr> {
        let range = start.to(operand.range);
        let mut result = operand;
        // −−a is a, but stays an arithmetic expression.
        for _ in 0..negations.min(2 - negations % 2) {
            result = self.node(ExprKind::Neg(Box::new(result)), range)?;
        }
        Ok(result)
    }

    fn power(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        let base = self.postfix(cursor)?;
        let Some(operator) = cursor.operator() else {
            return Ok(base);
        };
        match operator.text {
            "^" => {}
            "**" => self.report(catalogue::double_star(operator.range)),
            _ => return Ok(base),
        }
        cursor.take_operator();
        let range = base.range;
        let exponent = self.deeper(range, |p| p.operand(cursor, &operator, Level::Unary))?;
        let range = range.to(exponent.range);
        self.node(ExprKind::Power(Box::new(base), Box::new(exponent)), range)
    }

    fn postfix(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        let mut value = self.primary(cursor)?;
        loop {
            if cursor.is_operator(".") {
                value = self.member(cursor, value)?;
            } else if cursor.is_sign('?') && cursor.holds_before(':', ',') {
                return self.fail(catalogue::ternary(cursor.range()));
            } else if cursor.is_sign('?') {
                self.report_foreign(cursor.range(), Foreign::Question);
                cursor.advance(1);
            } else if cursor.is_ident("as") {
                self.report_foreign(cursor.range(), Foreign::Cast);
                cursor.advance(2);
            } else if self.system
                && let Some(group) = cursor.group(Delimiter::Bracket).cloned()
            {
                cursor.advance(1);
                let range = value.range.to(group_range(&group));
                if holds_comma(&group) {
                    return self.fail(system::index_with_comma(group_range(&group)));
                }
                let index = self.deeper(range, |p| p.only(&group))?;
                value = self.node(ExprKind::Index(Box::new(value), Box::new(index)), range)?;
            } else if cursor.group(Delimiter::Bracket).is_some() {
                self.report_foreign(cursor.range(), Foreign::Index);
                value = Expr::error(value.range.to(cursor.range()));
                cursor.advance(1);
            } else if matches!(value.kind, ExprKind::Error)
                && cursor.group(Delimiter::Parenthesis).is_some()
            {
                // The arguments of something that could not be read.
                cursor.advance(1);
            } else if let Some(factor) = factor_after_number(cursor, &value)
                && !self.condition
                && !(self.system && super::system::begins_statement(cursor))
            {
                let range = value.range.to(cursor.range());
                if let ExprKind::Number(number) = &value.kind {
                    self.report(catalogue::missing_multiplication(range, number, &factor));
                }
                self.primary(cursor)?;
                value = Expr::error(range);
            } else {
                return Ok(value);
            }
        }
    }

    /// `.x`, `.f(…)`
    fn member(&mut self, cursor: &mut Cursor, receiver: Expr) -> Parsed<Expr> {
        let dot = cursor.range();
        cursor.advance(1);
        match cursor.next() {
            Some(TokenTree::Ident(name)) => {
                if cursor.is_operator("::") {
                    let range = cursor.range();
                    self.report_foreign(range, Foreign::Turbofish);
                    return Err(Reported);
                }
                match cursor.group(Delimiter::Parenthesis).cloned() {
                    Some(group) => {
                        cursor.advance(1);
                        self.call(name, Some(receiver), &group)
                    }
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

    fn call(&mut self, function: Ident, receiver: Option<Expr>, group: &Group) -> Parsed<Expr> {
        let method = receiver.is_some();
        let start = receiver
            .as_ref()
            .map_or(function.span().into(), |r| r.range);
        let range = start.to(group_range(group));
        let mut arguments: Vec<Expr> = receiver.into_iter().collect();
        arguments.extend(self.deeper(range, |p| Ok(p.list(&mut Cursor::inside(group))))?);
        let kind = ExprKind::Call {
            function,
            arguments,
            method,
        };
        self.node(kind, range)
    }

    /// Expressions with commas between; a broken one becomes an error node.
    fn list(&mut self, cursor: &mut Cursor) -> Vec<Expr> {
        let mut items = Vec::new();
        while !cursor.is_at_end() {
            let start = cursor.range();
            let item = self.item(cursor).unwrap_or_else(|Reported| {
                cursor.skip_to(',');
                Expr::error(start)
            });
            items.push(item);
            cursor.advance(1);
        }
        items
    }

    /// The one expression in a group.
    pub fn only(&mut self, group: &Group) -> Parsed<Expr> {
        let mut cursor = Cursor::inside(group);
        if cursor.is_at_end() {
            return self.fail(catalogue::expected_expression(group_range(group), None));
        }
        let value = self.expression(&mut cursor)?;
        match cursor.is_at_end() {
            true => Ok(value),
            false => self.remainder(&cursor),
        }
    }

    fn item(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        let item = self.expression(cursor)?;
        if cursor.is_sign(';') {
            self.report(catalogue::semicolon_in_list(cursor.range()));
            return Ok(item);
        }
        if cursor.is_at_end() || cursor.is_sign(',') {
            return Ok(item);
        }
        self.remainder(cursor)
    }

    fn primary(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        match cursor.peek().cloned() {
            None => self.fail(catalogue::expected_expression(cursor.range(), None)),
            Some(TokenTree::Literal(literal)) => {
                cursor.advance(1);
                self.number(&literal.to_string(), literal.span().into())
            }
            Some(TokenTree::Ident(ident)) => self.name(cursor, ident),
            Some(TokenTree::Group(group)) => {
                cursor.advance(1);
                self.group(&group)
            }
            Some(TokenTree::Punct(_)) => self.misplaced_operator(cursor),
        }
    }

    fn number(&mut self, text: &str, range: SourceRange) -> Parsed<Expr> {
        let diagnostic = match judge(text) {
            Judged::Number => match text.strip_prefix('-') {
                None => return self.node(ExprKind::Number(text.to_owned()), range),
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
            Judged::Other => catalogue::not_a_number(range, text),
        };
        self.report(diagnostic);
        Ok(Expr::error(range))
    }

    fn name(&mut self, cursor: &mut Cursor, ident: Ident) -> Parsed<Expr> {
        let range = SourceRange::from(ident.span());
        if is_keyword(&ident.to_string()) {
            return self.keyword(cursor, &ident);
        }
        cursor.advance(1);
        if cursor.is_operator("::") {
            self.report_foreign(range, Foreign::Path);
            return self.rest_of_path(cursor, range);
        }
        if cursor.is_operator("!") && matches!(cursor.peek_at(1), Some(TokenTree::Group(_))) {
            self.report_foreign(range.to(cursor.range()), Foreign::Macro);
            cursor.advance(2);
            return Ok(Expr::error(range));
        }
        if let Some(group) = cursor.group(Delimiter::Parenthesis).cloned() {
            cursor.advance(1);
            return self.call(ident, None, &group);
        }
        self.node(ExprKind::Name(ident), range)
    }

    fn rest_of_path(&mut self, cursor: &mut Cursor, range: SourceRange) -> Parsed<Expr> {
        while cursor.is_operator("::") {
            cursor.take_operator();
            if cursor.ident().is_none() {
                return Err(Reported);
            }
            cursor.advance(1);
        }
        if cursor.group(Delimiter::Parenthesis).is_some() {
            cursor.advance(1);
        }
        Ok(Expr::error(range))
    }

    fn keyword(&mut self, cursor: &mut Cursor, ident: &Ident) -> Parsed<Expr> {
        let range = SourceRange::from(ident.span());
        let text = ident.to_string();
        let construct = match text.as_str() {
            "if" => return self.deeper(range, |p| p.choice(cursor)),
            "let" => return self.fail(catalogue::let_outside_block(range)),
            "_" => return self.fail(catalogue::reserved_name(range, "_")),
            "for" | "while" | "loop" => Foreign::Loop,
            "match" => Foreign::Match,
            "true" | "false" => {
                cursor.advance(1);
                self.report_foreign(range, Foreign::Boolean);
                return Ok(Expr::error(range));
            }
            _ if self.refused.contains(&text) => return Err(Reported),
            _ => Foreign::Keyword,
        };
        self.fail(catalogue::foreign(range, construct, &text))
    }

    pub fn report_foreign(&mut self, range: SourceRange, construct: Foreign) {
        self.report(catalogue::foreign(range, construct, ""));
    }

    /// An operand that is a group of tokens.
    fn group(&mut self, group: &Group) -> Parsed<Expr> {
        let range = group_range(group);
        match group.delimiter() {
            Delimiter::Brace => self.deeper(range, |p| p.block(group)),
            Delimiter::Bracket => {
                let list = self.deeper(range, |p| Ok(p.list(&mut Cursor::inside(group))))?;
                self.node(ExprKind::List(list), range)
            }
            Delimiter::Parenthesis | Delimiter::None => {
                let inner = self.deeper(range, |p| p.parenthesized(group));
                let inner = inner.unwrap_or_else(|Reported| Expr::error(range));
                Ok(inner.within(range))
            }
        }
    }

    fn parenthesized(&mut self, group: &Group) -> Parsed<Expr> {
        let mut cursor = Cursor::inside(group);
        if cursor.is_at_end() {
            return self.fail(catalogue::expected_expression(group_range(group), None));
        }
        let inner = self.expression(&mut cursor)?;
        if cursor.is_sign(',') {
            self.report_foreign(group_range(group), Foreign::Tuple);
            return Err(Reported);
        }
        match cursor.is_at_end() {
            true => Ok(inner),
            false => self.remainder(&cursor),
        }
    }

    /// An operator where an operand belongs.
    fn misplaced_operator(&mut self, cursor: &Cursor) -> Parsed<Expr> {
        let Some(Operator { text, range }) = cursor.operator() else {
            return Err(Reported);
        };
        let construct = match text {
            "," | ";" => return self.fail(catalogue::expected_expression(range, None)),
            "*" => Foreign::Dereference,
            "|" | "||" => Foreign::Closure,
            _ => match foreign_operator(text) {
                Some(construct) => construct,
                None if level_of(text).is_some() || text == "^" || text == "**" => {
                    return self.fail(catalogue::operator_without_operand(range, text));
                }
                None => return self.fail(catalogue::unexpected(range, text)),
            },
        };
        self.fail(catalogue::foreign(range, construct, text))
    }

    /// Tokens after an expression that do not continue it.
    pub fn remainder<T>(&mut self, cursor: &Cursor) -> Parsed<T> {
        let range = cursor.range();
        let Some(token) = cursor.peek() else {
            return Err(Reported);
        };
        let diagnostic = match token {
            TokenTree::Ident(ident) if is_keyword(&ident.to_string()) => {
                let text = ident.to_string();
                catalogue::foreign(range, Foreign::Keyword, &text)
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                catalogue::foreign(range, Foreign::StructLiteral, "")
            }
            TokenTree::Punct(_) => return self.foreign_remainder(cursor),
            _ => catalogue::missing_operator(range),
        };
        self.fail(diagnostic)
    }

    fn foreign_remainder<T>(&mut self, cursor: &Cursor) -> Parsed<T> {
        let Some(Operator { text, range }) = cursor.operator() else {
            return Err(Reported);
        };
        let diagnostic = match text {
            ";" => catalogue::semicolon(range),
            "," => catalogue::comma(range),
            "|" => catalogue::foreign(range, Foreign::Closure, ""),
            "!" => catalogue::missing_operator(range),
            _ => match foreign_operator(text) {
                Some(construct) => catalogue::foreign(range, construct, ""),
                None => catalogue::unexpected(range, text),
            },
        };
        self.fail(diagnostic)
    }
}

fn holds_comma(group: &Group) -> bool {
    let mut tokens = group.stream().into_iter();
    tokens.any(|token| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ','))
}

/// What stands after a number without a sign between, as it should be multiplied.
fn factor_after_number(cursor: &Cursor, value: &Expr) -> Option<String> {
    if !matches!(value.kind, ExprKind::Number(_)) {
        return None;
    }
    match cursor.peek()? {
        TokenTree::Ident(ident) if !is_keyword(&ident.to_string()) => Some(ident.to_string()),
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            Some("(…)".to_owned())
        }
        _ => None,
    }
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

/// In ascending order.
const KEYWORDS: [&str; 53] = [
    "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Whether Rust reserves the word.
pub(crate) fn is_keyword(text: &str) -> bool {
    KEYWORDS.binary_search(&text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_ascend_so_that_they_can_be_searched() {
        assert!(KEYWORDS.is_sorted());
        assert!(is_keyword("Self") && is_keyword("_") && is_keyword("yield") && !is_keyword("x"));
    }
}
