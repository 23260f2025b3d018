//! Programs run directly, for tests and for checks at expansion.

use super::{Guard, Op, Program, Statement, ValueId};
use crate::expr::SymbolId;

/// A pivot as it was met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The constraint row; those of the mass matrix come after the constraints.
    pub row: usize,
    /// The pivot.
    pub pivot: f64,
    /// The entry before elimination.
    pub diagonal: f64,
}

impl Program {
    /// The outputs for given inputs; guards are not judged.
    pub fn evaluate(&self, input: impl Fn(SymbolId) -> f64) -> Vec<f64> {
        self.results(&self.computed(input))
    }

    /// The outputs, and the pivots that guards judge.
    pub fn judged(&self, input: impl Fn(SymbolId) -> f64) -> (Vec<f64>, Vec<Judged>) {
        let values = self.computed(input);
        let number = |id: ValueId| values[id.index()];
        let judged = |guard: &Guard<ValueId>| Judged {
            row: guard.row,
            pivot: number(guard.pivot) / guard.partner.map_or(1.0, number),
            diagonal: number(guard.diagonal),
        };
        let guards = self.statements.iter().filter_map(|it| match it {
            Statement::Guard(guard) => Some(judged(guard)),
            _ => None,
        });
        (self.results(&values), guards.collect())
    }

    fn results(&self, values: &[f64]) -> Vec<f64> {
        let outputs = self.outputs.iter();
        outputs.map(|output| values[output.index()]).collect()
    }

    /// All values.
    fn computed(&self, input: impl Fn(SymbolId) -> f64) -> Vec<f64> {
        let mut results: Vec<f64> = Vec::with_capacity(self.values.len());
        for op in &self.values {
            let number = |id: &ValueId| results[id.index()];
            let truth = |id: &ValueId| results[id.index()] != 0.0;
            let flag = |value: bool| f64::from(u8::from(value));
            let result = match op {
                Op::Input(symbol) => input(*symbol),
                Op::Number(number) => number.to_f64(),
                Op::Boolean(value) => flag(*value),
                Op::Add(a, b) => number(a) + number(b),
                Op::Sub(a, b) => number(a) - number(b),
                Op::Mul(a, b) => number(a) * number(b),
                Op::Div(a, b) => number(a) / number(b),
                Op::Recip(a) => 1.0 / number(a),
                Op::Neg(a) => -number(a),
                Op::Call(function, arguments) => {
                    let arguments: Vec<f64> = arguments.iter().map(number).collect();
                    (function.row().value)(&arguments)
                }
                Op::Compare(comparison, a, b) => flag(comparison.holds(number(a), number(b))),
                Op::And(a, b) => flag(truth(a) && truth(b)),
                Op::Or(a, b) => flag(truth(a) || truth(b)),
                Op::Not(a) => flag(!truth(a)),
                Op::Select(condition, a, b) => {
                    if truth(condition) {
                        number(a)
                    } else {
                        number(b)
                    }
                }
            };
            results.push(result);
        }
        results
    }
}
