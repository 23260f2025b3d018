//! The precedence parser.
//!
//! ```text
//! loosest   ||   &&   == < <= > >=   + -   * /   unary - !   ^   .x f() .f()   tightest
//! ```
//! `^` takes its exponent from the unary level, which makes it right-associative and allows `2^-1`.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Ident, Literal, TokenTree};
use syn::Attribute;
use syn::parse::ParseStream;

use super::ast::{Expr, ExprKind, Factor, MAX_HEIGHT, Relation, RelationKind, Term};
use super::bound::BoundIndex;
use super::input::{Content, Operator, Stream};
use super::literal::{Judged, judge};
use crate::diagnostic::catalogue;
use crate::diagnostic::foreign::{self, Foreign};
use crate::diagnostic::{Diagnostic, Diagnostics, SourceRange, system};

/// The parser gave up; the reason has been reported.
#[derive(Debug)]
pub(super) struct Reported;

pub(super) type Parsed<T> = Result<T, Reported>;

/// Limit on the nesting of groups, exponents and `!`.
pub(super) const MAX_DEPTH: usize = 128;

pub(super) struct Parser<'d> {
    diagnostics: &'d mut Diagnostics,
    depth: usize,
    too_deep: bool,
    /// Whether directly inside the condition of an `if`, which has no closing delimiter.
    pub condition: bool,
    /// Whether a row begins here, whose relation may have properties.
    pub row: bool,
    /// Whether inside `system!`, where parameters have defaults and names have indices.
    pub system: bool,
    /// Keywords that were used as names.
    refused: BTreeSet<String>,
    /// The names of our own attributes, and those found.
    pub own: &'static [&'static str],
    pub taken: Vec<Attribute>,
    /// The indices bound by the current statement.
    pub bound: Vec<BoundIndex>,
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
        "*" | "/" | "%" => Some(Level::Product),
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
            row: false,
            system: false,
            refused: BTreeSet::new(),
            own: &[],
            taken: Vec::new(),
            bound: Vec::new(),
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

    /// Reports a declaration with a name that is not allowed.
    pub fn refuse<T>(&mut self, name: &Ident) -> Parsed<T> {
        let text = name.to_string();
        let diagnostic = catalogue::reserved_name(name.span().into(), &text);
        self.refused.insert(text);
        self.fail(diagnostic)
    }

    /// Reports only one error, however many branches are too deep.
    fn fail_too_deep<T>(&mut self, range: SourceRange) -> Parsed<T> {
        if !std::mem::replace(&mut self.too_deep, true) {
            self.report(catalogue::too_deep(range));
        }
        Err(Reported)
    }

    /// Creates a node, unless the tree would become too high for recursion.
    pub fn node(&mut self, kind: ExprKind, range: SourceRange) -> Parsed<Expr> {
        let expr = Expr::new(kind, range);
        match expr.height() {
            0..=MAX_HEIGHT => Ok(expr),
            _ => self.fail_too_deep(range),
        }
    }

    /// An expression, up to the first token that cannot continue it.
    pub fn expression(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        self.at_least(input, Level::Or)
    }

    /// The same, but a relation ends it too.
    pub fn sum_of_terms(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        self.at_least(input, Level::Sum)
    }

    fn at_least(&mut self, input: ParseStream<'_>, least: Level) -> Parsed<Expr> {
        let row = self.row;
        let left = self.unary(input);
        self.row = false;
        let mut left = left?;
        while let Some(operator) = input.operator() {
            let level = level_of(operator.text).filter(|&level| level >= least);
            let Some(level) = level.filter(|_| self.system || operator.text != "%") else {
                break;
            };
            left = match level {
                Level::Relation => {
                    let relation = self.relation(input, left)?;
                    if row && let Some(braces) = input.enter(Delimiter::Brace) {
                        return self.with_properties(&braces, relation);
                    }
                    relation
                }
                Level::Sum => self.sum(input, left)?,
                Level::Product | Level::Unary => self.product(input, left)?,
                Level::And => self.conditions(input, left, "&&", Level::Relation)?,
                Level::Or => self.conditions(input, left, "||", Level::And)?,
            };
        }
        Ok(left)
    }

    fn sum(&mut self, input: ParseStream<'_>, first: Expr) -> Parsed<Expr> {
        let mut range = first.range;
        let mut terms = vec![Term {
            negative: false,
            value: first,
        }];
        while let Some(operator) = input.operator()
            && level_of(operator.text) == Some(Level::Sum)
        {
            input.take_operator();
            let value = self.operand(input, &operator, Level::Product)?;
            range = range.to(value.range);
            terms.push(Term {
                negative: operator.text == "-",
                value,
            });
        }
        self.node(ExprKind::Sum(terms), range)
    }

    fn product(&mut self, input: ParseStream<'_>, first: Expr) -> Parsed<Expr> {
        let mut range = first.range;
        let mut factors = vec![Factor {
            inverse: false,
            value: first,
        }];
        while let Some(operator) = input.operator()
            && level_of(operator.text) == Some(Level::Product)
            && (self.system || operator.text != "%")
        {
            input.take_operator();
            let value = self.operand(input, &operator, Level::Unary)?;
            range = range.to(value.range);
            if operator.text == "%" {
                let left = self.node(ExprKind::Product(factors), range)?;
                let kind = ExprKind::Remainder(Box::new(left), Box::new(value));
                factors = vec![Factor {
                    inverse: false,
                    value: self.node(kind, range)?,
                }];
                continue;
            }
            factors.push(Factor {
                inverse: operator.text == "/",
                value,
            });
        }
        self.node(ExprKind::Product(factors), range)
    }

    fn conditions(
        &mut self,
        input: ParseStream<'_>,
        first: Expr,
        sign: &str,
        operand: Level,
    ) -> Parsed<Expr> {
        let mut range = first.range;
        let mut list = vec![first];
        while let Some(operator) = input.operator()
            && operator.text == sign
        {
            input.take_operator();
            let value = self.operand(input, &operator, operand)?;
            range = range.to(value.range);
            list.push(value);
        }
        let kind = match sign {
            "&&" => ExprKind::And(list),
            _ => ExprKind::Or(list),
        };
        self.node(kind, range)
    }

    fn relation(&mut self, input: ParseStream<'_>, left: Expr) -> Parsed<Expr> {
        let relation = self.relation_sign(input)?;
        let operator = |relation: Relation| Operator {
            text: "==",
            range: relation.range,
        };
        let right = self.operand(input, &operator(relation), Level::Sum)?;
        let mut range = left.range.to(right.range);
        let is_relation = || {
            input
                .operator()
                .filter(|o| level_of(o.text) == Some(Level::Relation))
        };
        let Some(second) = is_relation() else {
            let kind = ExprKind::Compare(relation, Box::new(left), Box::new(right));
            return self.node(kind, range);
        };
        let equalities = relation.kind == RelationKind::Eq;
        self.report(catalogue::chained_comparison(second.range, equalities));
        while let Some(next) = is_relation() {
            input.take_operator();
            range = range.to(self.operand(input, &next, Level::Sum)?.range);
        }
        Ok(Expr::error(range))
    }

    /// A relation with its properties in braces.
    fn with_properties(&mut self, braces: &Content<'_>, relation: Expr) -> Parsed<Expr> {
        let range = relation.range;
        let fields = self.deeper(braces.range, |parser| parser.named_values(braces))?;
        self.node(ExprKind::With(Box::new(relation), fields), range)
    }

    fn relation_sign(&mut self, input: ParseStream<'_>) -> Parsed<Relation> {
        let Some(operator) = input.take_operator() else {
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
    fn operand(
        &mut self,
        input: ParseStream<'_>,
        operator: &Operator,
        least: Level,
    ) -> Parsed<Expr> {
        if input.is_empty() || input.is_sign(',') || input.is_sign(';') {
            let missing = catalogue::expected_expression(operator.range, Some(operator.text));
            return self.fail(missing);
        }
        match least {
            Level::Unary => self.unary(input),
            _ => self.at_least(input, least),
        }
    }

    fn unary(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        let start = input.range();
        let mut negations = 0u32;
        while let Some(operator) = input.operator() {
            self.row = false;
            match operator.text {
                "-" => negations = negations.wrapping_add(1),
                "+" => self.report(catalogue::unary_plus(operator.range)),
                "&" | "&&" => self.report_foreign(operator.range, Foreign::Reference),
                "!" => {
                    input.take_operator();
                    let inner =
                        self.deeper(start, |p| p.operand(input, &operator, Level::Unary))?;
                    let range = operator.range.to(inner.range);
                    let not = self.node(ExprKind::Not(Box::new(inner)), range)?;
                    return self.negated(not, negations, start);
                }
                _ => break,
            }
            input.take_operator();
            if input.is_empty() {
                let missing = catalogue::expected_expression(operator.range, Some(operator.text));
                return self.fail(missing);
            }
        }
        let power = self.power(input)?;
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

    fn power(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        let base = self.postfix(input)?;
        let Some(operator) = input.operator() else {
            return Ok(base);
        };
        match operator.text {
            "^" => {}
            "**" => self.report(catalogue::double_star(operator.range)),
            _ => return Ok(base),
        }
        input.take_operator();
        let range = base.range;
        let exponent = self.deeper(range, |p| p.operand(input, &operator, Level::Unary))?;
        let range = range.to(exponent.range);
        self.node(ExprKind::Power(Box::new(base), Box::new(exponent)), range)
    }

    fn postfix(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
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
        let mut arguments: Vec<Expr> = receiver.into_iter().collect();
        arguments.extend(self.deeper(range, |p| Ok(p.list(content, false)))?);
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
                None => return self.node(ExprKind::Number(text), range),
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

    pub fn report_foreign(&mut self, range: SourceRange, construct: Foreign) {
        self.report(foreign::foreign(range, construct, ""));
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
            self.report_foreign(content.range, Foreign::Tuple);
            return Err(Reported);
        }
        if content.is_empty() {
            Ok(inner)
        } else {
            self.remainder(content)
        }
    }

    /// Reports an operator in the place of an operand.
    fn misplaced_operator(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        let Some(Operator { text, range }) = input.operator() else {
            return Err(Reported);
        };
        let construct = match text {
            "," | ";" => return self.fail(catalogue::expected_expression(range, None)),
            "*" => Foreign::Dereference,
            "|" | "||" => Foreign::Closure,
            _ => match foreign_operator(text).filter(|_| !(self.system && text == "%")) {
                Some(construct) => construct,
                None if level_of(text).is_some() || text == "^" || text == "**" => {
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

    fn foreign_remainder<T>(&mut self, input: ParseStream<'_>) -> Parsed<T> {
        let Some(Operator { text, range }) = input.operator() else {
            return Err(Reported);
        };
        let diagnostic = match text {
            ";" => catalogue::semicolon(range),
            "," => catalogue::comma(range),
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
    // Quick exclusion, because most names are one letter or one before an underscore, and a search compares six words.
    let letters = text.as_bytes();
    let may_be = (2..=8).contains(&letters.len()) && letters[1] != b'_' || text == "_";
    may_be && KEYWORDS.binary_search(&text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_ascend_so_that_they_can_be_searched() {
        assert!(KEYWORDS.is_sorted());
        assert!(KEYWORDS.into_iter().all(is_keyword) && !is_keyword("x"));
    }
}
