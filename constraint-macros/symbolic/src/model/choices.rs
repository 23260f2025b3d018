//! Choices and conditions.

use super::lower::Lowering;
use super::value::Value;
use crate::diagnostic::SourceRange;
use crate::diagnostic::catalogue::{self, Kind};
use crate::expr::{CollectVec, ExprId, Graph};
use crate::syntax::ast::{Expr, ExprKind, If, Relation, RelationKind, name_of};

impl Lowering<'_> {
    /// Lowers an `if`. Branches excluded by indices and constants are not lowered at all.
    pub(super) fn choice(&mut self, choice: &If) -> Value {
        let mut left = &choice.branches[..];
        while let Some(((condition, branch), later)) = left.split_first()
            && self.is_counted(condition)
        {
            let holds = self.condition(condition);
            match holds.and_then(|id| self.graph().as_boolean(id)) {
                Some(true) => return self.value_or_body(branch),
                Some(false) => left = later,
                None => break,
            }
        }
        if left.is_empty() {
            return self.value_or_body(&choice.otherwise);
        }
        self.open_choice(left, &choice.otherwise)
    }

    /// Whether a condition contains only indices and constants of a system. The branch not taken may then name
    /// elements that do not exist, as `link[i - 1]` for the first.
    fn is_counted(&self, condition: &Expr) -> bool {
        let mut named = false;
        self.system.is_some() && self.counts(condition, &mut named) && named
    }

    fn counts(&self, expr: &Expr, named: &mut bool) -> bool {
        if let ExprKind::Name(name) = &expr.kind {
            *named = true;
            return match self.names.get(&name_of(name)) {
                Some(&Value::Scalar(id)) => self.model.graph.as_number(id).is_some(),
                _ => false,
            };
        }
        let mut all = true;
        expr.kind
            .for_each_operand(&mut |operand| all = all && self.counts(operand, named));
        all
    }

    /// Lowers the branches in order. A branch with a constant false condition is dropped, and a branch with a constant
    /// true condition is the last.
    fn open_choice(&mut self, branches: &[(Expr, Expr)], otherwise: &Expr) -> Value {
        let before = self.dead;
        let mut taken: Vec<(ExprId, Value)> = Vec::new();
        let mut last = None;
        let (mut first_kind, mut agree) = (None, true);
        for (condition, branch) in branches {
            let condition = self.condition(condition);
            let constant = condition.and_then(|id| self.graph().as_boolean(id));
            let dead = self.dead;
            self.dead |= constant == Some(false);
            let value = self.value(branch);
            self.dead = dead;
            agree &= self.same_kind(&mut first_kind, &value, branch.range);
            match (condition, constant) {
                (None, _) => agree = false,
                (_, Some(false)) => {}
                (Some(_), Some(true)) => {
                    last.get_or_insert(value);
                    self.dead = true;
                }
                (Some(id), None) => taken.push((id, value)),
            }
        }
        let (found, range) = (self.value(otherwise), otherwise.range);
        agree &= self.same_kind(&mut first_kind, &found, range);
        self.dead = before;
        let last = last.unwrap_or(found);
        if !agree {
            return Value::Poison;
        }
        self.selected(taken, last)
    }

    /// Reports a branch whose shape differs from the first.
    pub(super) fn same_kind(
        &mut self,
        first: &mut Option<Kind>,
        value: &Value,
        range: SourceRange,
    ) -> bool {
        match (value.kind(), *first) {
            (None, _) => return false,
            (Some(kind), None) => *first = Some(kind),
            (Some(kind), Some(first)) if kind != first => {
                self.report(catalogue::shape_mismatch(range, first, kind));
                return false;
            }
            (Some(_), Some(_)) => {}
        }
        true
    }

    pub(super) fn selected(&mut self, taken: Vec<(ExprId, Value)>, last: Value) -> Value {
        taken
            .into_iter()
            .rev()
            .fold(last, |otherwise, (condition, then)| {
                let pairs = then.components().iter().zip(otherwise.components());
                let graph = &mut self.model.graph;
                let ids: Vec<ExprId> = pairs
                    .map(|(&a, &b)| graph.select(condition, a, b))
                    .collect_vec();
                match (&then, ids.first()) {
                    (Value::Scalar(_), Some(&id)) => Value::Scalar(id),
                    (Value::Vector(_), Some(_)) => Value::Vector(ids),
                    _ => Value::Poison,
                }
            })
    }

    pub(super) fn condition(&mut self, expr: &Expr) -> Option<ExprId> {
        match self.expr(expr) {
            Value::Condition(id) => Some(id),
            Value::Poison => None,
            other => {
                let found = other.kind().unwrap_or(Kind::Scalar);
                self.report(catalogue::expected_condition(expr.range, found));
                None
            }
        }
    }

    pub(super) fn comparison(&mut self, relation: Relation, a: &Expr, b: &Expr) -> Value {
        use crate::expr::Comparison;
        let (Some(a), Some(b)) = (self.scalar(a), self.scalar(b)) else {
            return Value::Poison;
        };
        let comparison = match relation.kind {
            RelationKind::Lt => Comparison::Lt,
            RelationKind::Le => Comparison::Le,
            RelationKind::Gt => Comparison::Gt,
            RelationKind::Ge => Comparison::Ge,
            RelationKind::Eq => Comparison::Eq,
        };
        Value::Condition(self.graph().compare(comparison, a, b))
    }

    pub(super) fn junction(
        &mut self,
        list: &[Expr],
        join: impl Fn(&mut Graph, ExprId, ExprId) -> ExprId,
    ) -> Value {
        let conditions: Vec<_> = list.iter().map(|item| self.condition(item)).collect_vec();
        let Some(conditions) = conditions.into_iter().collect::<Option<Vec<_>>>() else {
            return Value::Poison;
        };
        let joined = conditions
            .into_iter()
            .reduce(|a, b| join(self.graph(), a, b));
        joined.map_or(Value::Poison, Value::Condition)
    }

    pub fn is_dead(&self) -> bool {
        self.dead
    }
}
