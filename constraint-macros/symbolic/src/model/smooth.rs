//! Smooth transitions, composed of functions of the table such that nothing overflows.

use super::lower::Lowering;
use super::value::Value;
use crate::diagnostic::SourceRange;
use crate::diagnostic::catalogue::Cause;
use crate::expr::{Comparison, ExprId, Function, Number};

/// Functions of scalars that are compositions of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Smooth {
    /// x limited to [`low`, `high`]
    Clamp,
    /// 0 below `low`, 1 above `high`, with slope 0 at both
    Smoothstep,
    /// ln(1 + eˣ)
    Softplus,
    /// 1/(1 + e⁻ˣ)
    Logistic,
}

impl Lowering<'_> {
    pub fn smooth(
        &mut self,
        smooth: Smooth,
        u: &[ExprId],
        ranges: &[SourceRange],
        range: SourceRange,
    ) -> Value {
        let value = match (smooth, u) {
            (Smooth::Clamp, &[x, low, high]) => self.clamped(x, low, high),
            (Smooth::Smoothstep, &[low, high, x]) => {
                let width = self.graph().sub(high, low);
                if !self.is_divisor(width, ranges[1]) {
                    return Value::Poison;
                }
                self.smoothstep(low, width, x)
            }
            (Smooth::Softplus, &[x]) => self.softplus(x),
            (Smooth::Logistic, &[x]) => self.logistic(x),
            _ => return Value::Poison,
        };
        self.finite_scalar(value, range, Cause::Other)
    }

    fn clamped(&mut self, x: ExprId, low: ExprId, high: ExprId) -> ExprId {
        let graph = self.graph();
        let above = graph.call(Function::Max, &[x, low]);
        graph.call(Function::Min, &[above, high])
    }

    /// s² (3 − 2 s), with s = (x − low)/width limited to [0, 1].
    fn smoothstep(&mut self, low: ExprId, width: ExprId, x: ExprId) -> ExprId {
        let graph = self.graph();
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        let distance = graph.sub(x, low);
        let part = graph.div(distance, width);
        let part = self.clamped(part, zero, one);
        let graph = self.graph();
        let square = graph.powi(part, 2);
        let twice = graph.scale(part, Number::ratio(-2, 1));
        let rest = graph.offset(twice, Number::ratio(3, 1));
        graph.mul(square, rest)
    }

    /// max(x, 0) + ln(1 + e⁻|ˣ|)
    fn softplus(&mut self, x: ExprId) -> ExprId {
        let less = self.decaying(x);
        let graph = self.graph();
        let zero = graph.zero();
        let (ramp, rest) = (
            graph.call(Function::Max, &[x, zero]),
            graph.call(Function::Ln1p, &[less]),
        );
        graph.add(ramp, rest)
    }

    /// 1/(1 + e⁻ˣ) if x ≥ 0, otherwise eˣ/(1 + eˣ)
    fn logistic(&mut self, x: ExprId) -> ExprId {
        let less = self.decaying(x);
        let graph = self.graph();
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        let right = graph.compare(Comparison::Ge, x, zero);
        let part = graph.select(right, one, less);
        let whole = graph.offset(less, Number::ONE);
        graph.div(part, whole)
    }

    /// e⁻|ˣ|, whose slope at 0 is that from the right.
    fn decaying(&mut self, x: ExprId) -> ExprId {
        let graph = self.graph();
        let opposite = graph.neg(x);
        let exponent = graph.call(Function::Min, &[opposite, x]);
        graph.call(Function::Exp, &[exponent])
    }
}
