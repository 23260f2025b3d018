//! Programs run directly, for tests and for checks at expansion.

use super::{Op, Program};
use crate::expr::SymbolId;

impl Program {
    /// The outputs for given inputs; guards are not judged.
    pub fn evaluate(&self, input: impl Fn(SymbolId) -> f64) -> Vec<f64> {
        let mut results: Vec<f64> = Vec::with_capacity(self.values.len());
        for op in &self.values {
            let number = |id: &super::ValueId| results[id.index()];
            let truth = |id: &super::ValueId| results[id.index()] != 0.0;
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
        self.outputs
            .iter()
            .map(|output| results[output.index()])
            .collect()
    }
}
