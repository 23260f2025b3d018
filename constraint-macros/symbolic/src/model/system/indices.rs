//! Arrays and indices: whole numbers known at expansion, elements, lengths, ranges, and sums over them.

use std::ops::Range;
use std::rc::Rc;

use proc_macro2::Ident;

use super::super::lower::Lowering;
use super::super::value::Value;
use crate::diagnostic::{Diagnostic, SourceRange, system};
use crate::expr::{CollectVec, ExprId, Number, PushEach};
use crate::syntax::ast::{Expr, ExprKind, Repeated, name_of};
use crate::syntax::statement::{Statement, StatementKind};

/// Limit on the elements of an array.
const MAX_ELEMENTS: usize = 100_000;

impl Lowering<'_> {
    /// `bead[i]`, `bead[i][j]`; indexing an array of arrays returns one of these.
    pub fn index(&mut self, of: &Expr, index: &Expr) -> Value {
        let array = match &of.kind {
            ExprKind::Name(ident) => match self.names.elements(&name_of(ident)) {
                Some(elements) => Value::Array(elements),
                None => self.any(of),
            },
            ExprKind::Index(of, index) => self.index(of, index),
            ExprKind::Component(..) => self.any(of),
            _ => self.value(of),
        };
        let position = self.whole(index, system::index_not_constant);
        let elements = match array {
            Value::Array(elements) => elements,
            Value::Poison => return Value::Poison,
            body @ (Value::Body(_) | Value::Pose(_)) => {
                let name = self.name_of_body(&body);
                return self.report(match indexed_name(of) {
                    Some((_, indices)) => system::more_indices(index.range, &name, indices),
                    None => system::index_of_body(index.range, &name),
                });
            }
            _ => {
                return self.report(match indexed_name(of) {
                    Some((name, indices)) => {
                        system::more_indices(index.range, &name_of(name), indices)
                    }
                    None => system::index_of_single(index.range),
                });
            }
        };
        let Some(position) = position else {
            return Value::Poison;
        };
        let element = usize::try_from(position).ok().and_then(|i| elements.get(i));
        match element {
            Some(element) => element.clone(),
            None => self.report(system::index_out_of_range(
                index.range,
                position,
                elements.len(),
            )),
        }
    }

    /// The value of a list of any length: a vector for two or three numbers, otherwise an array.
    pub fn listed(&mut self, expr: &Expr) -> Value {
        let ExprKind::List(items) = &expr.kind else {
            return self.value(expr);
        };
        let entries: Vec<Value> = items.iter().map(|item| self.listed(item)).collect_vec();
        if entries.iter().any(|entry| matches!(entry, Value::Poison)) {
            return Value::Poison;
        }
        let scalars = entries.iter().map(|entry| match entry {
            Value::Scalar(id) => Some(*id),
            _ => None,
        });
        if let Some(scalars) = scalars.collect::<Option<Vec<ExprId>>>()
            && (2..=3).contains(&scalars.len())
        {
            return Value::Vector(scalars);
        }
        match unlike(&entries) {
            _ if entries.is_empty() => self.report(system::empty_list(expr.range)),
            None => Value::Array(Rc::new(entries)),
            Some(i) => {
                let range = items[i].range;
                self.report(system::unlike_entries(
                    range,
                    &size(&entries[i]),
                    &size(&entries[0]),
                ))
            }
        }
    }

    /// Reports an array of arrays in a place where a value is required.
    pub fn array_as_value(&mut self, expr: &Expr, elements: &[Value]) -> Value {
        let name = indexed_name(expr).map(|(name, indices)| {
            let name = name_of(name);
            format!("{name}{}", "[…]".repeat(indices))
        });
        let name = match &expr.kind {
            ExprKind::Name(name) => Some(name_of(name)),
            _ => name,
        };
        let name = name.unwrap_or_else(|| "this".to_owned());
        self.report(system::array_as_value(expr.range, &name, elements.len()))
    }

    /// a % b ≥ 0 of whole numbers.
    pub fn remainder(&mut self, a: &Expr, b: &Expr) -> Value {
        let (whole, by) = (
            self.whole(a, system::remainder_of_no_whole),
            self.whole(b, system::remainder_of_no_whole),
        );
        let (Some(whole), Some(by)) = (whole, by) else {
            return Value::Poison;
        };
        if by <= 0 {
            return self.report(system::remainder_by(b.range, by));
        }
        let remainder = Number::ratio(whole.rem_euclid(by).into(), 1);
        Value::Scalar(self.graph().number(remainder))
    }

    /// `sum(i in 0..n: term)`
    pub fn sum_over(&mut self, repeated: &Repeated, term: &Expr, range: SourceRange) -> Value {
        let Some(indices) = self.indices(repeated) else {
            return Value::Poison;
        };
        let (start, before) = (indices.start, self.diagnostics.iter().count());
        let mut terms = Vec::new();
        for i in indices {
            let mark = self.names.enter();
            self.bind_index(&repeated.index, i);
            terms.push_each(self.terms(term, false));
            self.names.leave(mark);
            // The next round would report the same mistakes.
            if self.diagnostics.iter().count() > before {
                return Value::Poison;
            }
        }
        if terms.is_empty() {
            self.sum_of_none(&repeated.index, start, term)
        } else {
            self.sum_of(&terms, range)
        }
    }

    /// Zero, of the shape that the terms would have: a number, or a vector.
    fn sum_of_none(&mut self, index: &Ident, start: i64, term: &Expr) -> Value {
        let zero = self.graph().zero();
        // After the last element there may be none, but there may be one before.
        for i in [start, start - 1] {
            if let Value::Vector(components) = self.without_reports(|lowering| {
                let mark = lowering.names.enter();
                lowering.bind_index(index, i);
                let value = lowering.value(term);
                lowering.names.leave(mark);
                value
            }) {
                return Value::Vector(vec![zero; components.len()]);
            }
        }
        Value::Scalar(zero)
    }

    /// The values of an index.
    pub fn indices(&mut self, repeated: &Repeated) -> Option<Range<i64>> {
        let Repeated {
            start,
            end,
            inclusive,
            ..
        } = repeated;
        let range = start.range.to(end.range);
        let (start, end) = (
            self.whole(start, system::bound_not_constant),
            self.whole(end, system::bound_not_constant),
        );
        let (start, end) = (start?, end?);
        if end < start {
            self.report(system::range_backwards(range, start, end));
            return None;
        }
        Some(start..end.saturating_add(i64::from(*inclusive)))
    }

    /// Binds an index to its value.
    pub fn bind_index(&mut self, index: &Ident, value: i64) {
        let number = Number::ratio(value.into(), 1);
        let value = Value::Scalar(self.graph().number(number));
        self.bind(index, value);
    }

    /// Collects the named numbers, which may also be used before their declaration.
    pub fn constants(&mut self, statements: &[Statement]) {
        for statement in statements {
            let StatementKind::Const(name, value) = &statement.kind else {
                continue;
            };
            let outer = std::mem::replace(&mut self.counting, true);
            let found = self.scalar(value);
            self.counting = outer;
            let number = found.filter(|&id| self.graph().as_number(id).is_some());
            if let (Some(_), None) = (found, number) {
                self.report(system::const_not_constant(value.range));
            }
            self.bind(name, number.map_or(Value::Poison, Value::Scalar));
        }
    }

    /// The lengths of an array.
    pub fn lengths(&mut self, written: &[Expr]) -> Vec<usize> {
        let lengths: Vec<usize> = written
            .iter()
            .map(|length| self.length(length))
            .collect_vec();
        let all = lengths
            .iter()
            .try_fold(1_usize, |all, &n| all.checked_mul(n));
        if all.is_some_and(|all| all <= MAX_ELEMENTS) {
            return lengths;
        }
        if let (Some(first), Some(last)) = (written.first(), written.last()) {
            self.report(system::bad_count(first.range.to(last.range)));
        }
        vec![1; written.len()]
    }

    /// `[8]`, as the length of an array; 1 if it is invalid, which is reported.
    fn length(&mut self, written: &Expr) -> usize {
        let Some(length) = self.whole(written, system::bad_count) else {
            return 1;
        };
        if (1..=MAX_ELEMENTS as i64).contains(&length) {
            return length as usize;
        }
        self.report(system::bad_count(written.range));
        1
    }

    /// A whole number known at expansion; otherwise `otherwise` is reported.
    pub fn whole(&mut self, expr: &Expr, otherwise: fn(SourceRange) -> Diagnostic) -> Option<i64> {
        let outer = std::mem::replace(&mut self.counting, true);
        let scalar = self.scalar(expr);
        self.counting = outer;
        let id = scalar?;
        let number = self.graph().as_number(id).and_then(Number::as_integer);
        let whole = number.and_then(|number| i64::try_from(number).ok());
        if whole.is_none() {
            self.report(otherwise(expr.range));
        }
        whole
    }
}

/// The first entry whose type differs from that of the first entry.
fn unlike(entries: &[Value]) -> Option<usize> {
    let first = entries.first()?;
    entries.iter().position(|entry| size(entry) != size(first))
}

/// Size of a list's entry, in words.
fn size(entry: &Value) -> String {
    match entry {
        Value::Array(entries) => format!("a list of {}", entries.len()),
        Value::Vector(components) => format!("a list of {}", components.len()),
        _ => "a number".to_owned(),
    }
}

/// `bead` of `bead[3]` and `bead[3][4]`, and the number of indices.
fn indexed_name(mut expr: &Expr) -> Option<(&Ident, usize)> {
    let mut indices = 0;
    while let ExprKind::Index(of, _) = &expr.kind {
        (expr, indices) = (of, indices + 1);
    }
    match &expr.kind {
        ExprKind::Name(name) if indices > 0 => Some((name, indices)),
        _ => None,
    }
}
