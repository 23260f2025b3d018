//! The precedence parser.
//!
//! ```text
//! loosest   ||   &&   == < <= > >=   + -   * /   unary - !   ^   .x f() .f()   tightest
//! ```
//! `^` takes its exponent from the unary level, which makes it right-associative and allows `2^-1`.

use proc_macro2::Delimiter;
use syn::parse::ParseStream;

use super::ast::{Expr, ExprKind, Factor, Relation, RelationKind, Term};
use super::input::{Content, Operator, Stream};
use super::parser::{Parsed, Parser, Reported};
use crate::diagnostic::SourceRange;
use crate::diagnostic::catalogue::{self, Place};
use crate::diagnostic::foreign::Foreign;

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

impl Parser<'_> {
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
                    let relation = self.relation(input, left, row)?;
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

    /// A relation; `row` is whether it is a row and not a condition.
    fn relation(&mut self, input: ParseStream<'_>, left: Expr, row: bool) -> Parsed<Expr> {
        let relation = self.relation_sign(input, row)?;
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
        let mut equalities = relation.kind == RelationKind::Eq;
        while let Some(next) = is_relation() {
            equalities &= matches!(next.text, "==" | "=");
            input.take_operator();
            range = range.to(self.operand(input, &next, Level::Sum)?.range);
        }
        let place = match (row, self.system) {
            (true, true) => Place::Constraint,
            (true, false) => Place::Row,
            (false, _) => Place::Condition,
        };
        self.report(catalogue::chained_comparison(
            second.range,
            equalities,
            place,
        ));
        Ok(Expr::error(range))
    }

    /// A relation with its properties in braces.
    fn with_properties(&mut self, braces: &Content<'_>, relation: Expr) -> Parsed<Expr> {
        let range = relation.range;
        let fields = self.deeper(braces.range, |parser| parser.named_values(braces))?;
        self.node(ExprKind::With(Box::new(relation), fields), range)
    }

    fn relation_sign(&mut self, input: ParseStream<'_>, row: bool) -> Parsed<Relation> {
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
            "!=" => self.report(catalogue::not_equal(operator.range, row)),
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
}

/// Whether a sign joins two operands.
pub(super) fn is_binary(sign: &str) -> bool {
    level_of(sign).is_some() || matches!(sign, "^" | "**")
}
