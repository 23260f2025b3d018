//! Sums, products and powers of scalars and vectors.

use super::lower::Lowering;
use super::value::Value;
use crate::diagnostic::SourceRange;
use crate::diagnostic::catalogue::{self, Cause, Kind};
use crate::expr::{CollectVec, ExprId, Function, Node, Number};
use crate::syntax::ast::{Expr, ExprKind, Factor};

/// Larger constant exponents are refused, also as powers of powers: only 0 and ±1 survive them in floats.
const MAX_EXPONENT: i32 = 1_000_000;

/// One term of a sum, lowered.
pub(super) struct Summand {
    negative: bool,
    value: Value,
    range: SourceRange,
}

impl Lowering<'_> {
    /// The terms of a sum; any other expression is one term.
    pub fn terms(&mut self, expr: &Expr, negative: bool) -> Vec<Summand> {
        let mut summand = |expr: &Expr, negative| Summand {
            negative,
            value: self.value(expr),
            range: expr.range,
        };
        match &expr.kind {
            ExprKind::Sum(terms) => {
                let terms = terms.iter();
                let terms = terms.map(|term| summand(&term.value, term.negative != negative));
                terms.collect_vec()
            }
            _ => vec![summand(expr, negative)],
        }
    }

    pub fn sum_of(&mut self, terms: &[Summand], range: SourceRange) -> Value {
        let kinds = terms.iter().map(|term| term.value.kind());
        let Some(kinds) = kinds.collect::<Option<Vec<Kind>>>() else {
            return Value::Poison;
        };
        let Some(&first) = kinds.first() else {
            return Value::Poison;
        };
        if let Some(i) = kinds.iter().position(|&kind| kind != first) {
            let other = terms[i].range;
            return self.report(catalogue::shape_mismatch(other, first, kinds[i]));
        }
        let sums = (0..terms[0].value.components().len()).map(|i| {
            let component = |term: &Summand| {
                let sign = if term.negative {
                    Number::MINUS_ONE
                } else {
                    Number::ONE
                };
                (term.value.components()[i], sign)
            };
            let list: Vec<_> = terms.iter().map(component).collect_vec();
            self.model.graph.sum(&list)
        });
        let sums: Vec<ExprId> = sums.collect_vec();
        let sums = sums
            .into_iter()
            .map(|sum| self.finite(sum, range, Cause::Other));
        let Some(sums) = sums.collect::<Option<Vec<ExprId>>>() else {
            return Value::Poison;
        };
        match (first, sums.first()) {
            (Kind::Scalar, Some(&sum)) => Value::Scalar(sum),
            _ => Value::Vector(sums),
        }
    }

    pub fn product(&mut self, factors: &[Factor], range: SourceRange) -> Value {
        let values = factors.iter();
        let values: Vec<Value> = values.map(|f| self.value_or_body(&f.value)).collect_vec();
        if values
            .iter()
            .any(|it| matches!(it, Value::Body(_) | Value::Pose(_)))
        {
            return self.product_of_bodies(factors, &values);
        }
        let mut scalars: Vec<(ExprId, i32)> = Vec::new();
        let (mut vector, mut poisoned) = (None, false);
        for (factor, value) in factors.iter().zip(&values) {
            let place = factor.value.range;
            match value {
                Value::Scalar(id) if factor.inverse => {
                    poisoned |= !self.is_divisor(*id, place);
                    scalars.push((*id, -1));
                }
                Value::Scalar(id) => scalars.push((*id, 1)),
                Value::Vector(_) if factor.inverse => {
                    self.report(catalogue::division_by_vector(place));
                    poisoned = true;
                }
                Value::Vector(_) if vector.is_some() => {
                    self.report(catalogue::product_of_vectors(place));
                    poisoned = true;
                }
                Value::Vector(_) => vector = Some(value),
                _ => poisoned = true,
            }
        }
        if poisoned {
            return Value::Poison;
        }
        let scalar = self.graph().product(&scalars);
        let Some(scalar) = self.finite(scalar, range, Cause::Other) else {
            return Value::Poison;
        };
        match vector {
            None => Value::Scalar(scalar),
            Some(vector) => {
                let scaled = vector.map(|id| self.graph().mul(scalar, id));
                self.finite_value(scaled, range)
            }
        }
    }

    /// Returns false, with a report, for the constant 0.
    pub fn is_divisor(&mut self, id: ExprId, range: SourceRange) -> bool {
        if !self.is_dead() && self.graph().is_zero(id) {
            self.report(catalogue::division_by_zero(range));
            return false;
        }
        true
    }

    /// baseᵉ: a multiplication chain for whole constants, `powf` for all others.
    pub fn power(&mut self, base: ExprId, exponent: ExprId, range: SourceRange) -> Value {
        let constant = self.graph().as_number(exponent);
        let limit = Number::integer(MAX_EXPONENT.into());
        if constant.is_some_and(|constant| constant.abs() > limit) {
            return self.report(catalogue::exponent_too_large(range, MAX_EXPONENT));
        }
        if let Some(whole) = constant.and_then(Number::as_exponent) {
            if whole < 0 && !self.is_divisor(base, range) {
                return Value::Poison;
            }
            let power = self.graph().powi(base, whole);
            return self.finite_scalar(power, range, Cause::Other);
        }
        let base_number = self.graph().as_number(base);
        if constant.is_none() && base_number.is_some_and(Number::is_negative) && !self.is_dead() {
            return self.report(catalogue::power_of_negative(range));
        }
        let cause = if constant.is_some() && base_number.is_some() {
            Cause::FractionalPower
        } else {
            Cause::Other
        };
        let power = self.graph().call(Function::Powf, &[base, exponent]);
        self.finite_scalar(power, range, cause)
    }

    pub fn finite_scalar(&mut self, id: ExprId, range: SourceRange, cause: Cause) -> Value {
        match self.finite(id, range, cause) {
            Some(id) => Value::Scalar(id),
            None => Value::Poison,
        }
    }

    pub fn finite_value(&mut self, value: Value, range: SourceRange) -> Value {
        for &id in value.components() {
            if self.finite(id, range, Cause::Other).is_none() {
                return Value::Poison;
            }
        }
        value
    }

    /// Counts powers of powers too, also with a product between them, because later cancellation may combine them.
    fn has_large_exponent(&mut self, id: ExprId) -> bool {
        let graph = &self.model.graph;
        let (_, rest) = graph.split_coefficient(id);
        let Node::Product(factors) = graph.node(rest) else {
            return false;
        };
        let largest_in = |base: ExprId| {
            let (_, base) = graph.split_coefficient(base);
            let inner = match graph.node(base) {
                Node::Call(Function::Sqrt | Function::Abs, of) => graph.split_coefficient(of[0]).1,
                _ => base,
            };
            self.exponents.get(&inner).copied().unwrap_or(1)
        };
        let totals = factors.iter();
        let totals = totals.map(|&(base, e)| u64::from(e.unsigned_abs()) * largest_in(base));
        let largest = totals.max().unwrap_or(1);
        self.exponents.insert(rest, largest);
        largest > MAX_EXPONENT.unsigned_abs().into()
    }

    /// The expression, unless it contains an infinite or undefined constant or too large an exponent. A coefficient
    /// that has merely left the range of `f64` is kept, because later factors may bring it back.
    pub fn finite(&mut self, id: ExprId, range: SourceRange, cause: Cause) -> Option<ExprId> {
        if self.is_dead() {
            return Some(id);
        }
        let node = self.model.graph.node(id);
        let alone = matches!(node, Node::Number(_));
        let beyond = node.number_beyond().filter(|it| alone || !it.is_finite());
        if self.has_large_exponent(id) {
            self.report(catalogue::exponent_too_large(range, MAX_EXPONENT));
            return None;
        }
        if let Some(value) = beyond {
            self.report(catalogue::not_finite(range, value, cause));
            return None;
        }
        Some(id)
    }
}
