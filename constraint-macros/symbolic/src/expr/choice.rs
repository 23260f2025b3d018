//! Functions, comparisons and choices, folded if their operands are constant.

use super::function::{Function, Parity};
use super::graph::{Comparison, ExprId, Graph, Node};
use super::number::Number;

impl Graph {
    /// f(arguments), folded if possible.
    pub fn call(&mut self, function: Function, arguments: &[ExprId]) -> ExprId {
        let numbers: Option<Vec<Number>> = arguments.iter().map(|&a| self.as_number(a)).collect();
        if let Some(numbers) = numbers {
            return self.number(function.of_numbers(&numbers));
        }
        if let Some(turned) = self.sine_of_sum(function, arguments[0]) {
            return turned;
        }
        if function == Function::Powf
            && let Some(power) = self.simple_power(arguments[0], arguments[1])
        {
            return power;
        }
        if matches!(function, Function::Min | Function::Max) && arguments[0] == arguments[1] {
            return arguments[0];
        }
        let (factor, rest) = self.split_coefficient(arguments[0]);
        if factor.is_negative() && function.row().parity != Parity::Neither {
            let mut positive = arguments.to_vec();
            positive[0] = self.scale(rest, -factor);
            let value = self.intern(Node::Call(function, positive.into()));
            return if function.row().parity == Parity::Odd {
                self.neg(value)
            } else {
                value
            };
        }
        self.intern(Node::Call(function, arguments.into()))
    }

    /// Sine or cosine of an angle with a constant of whole quarter turns: sine or cosine of the rest, with a sign.
    fn sine_of_sum(&mut self, function: Function, angle: ExprId) -> Option<ExprId> {
        let quarters = match function {
            Function::Sin => 0,
            Function::Cos => 1,
            _ => return None,
        };
        let Node::Sum { constant, .. } = *self.node(angle) else {
            return None;
        };
        if constant.is_zero() || constant.abs() > Number::of_twelfths(Number::MOST_TWELFTHS.into())
        {
            return None;
        }
        let twelfths = constant.twelfths().filter(|it| it % 6 == 0)?;
        let rest = self.offset(angle, -constant);
        // The sine of the rest plus this many quarters.
        let value = match (quarters + twelfths / 6).rem_euclid(4) {
            0 | 2 => self.call(Function::Sin, &[rest]),
            _ => self.call(Function::Cos, &[rest]),
        };
        match (quarters + twelfths / 6).rem_euclid(4) {
            0 | 1 => Some(value),
            _ => Some(self.neg(value)),
        }
    }

    /// aᵇ for constant whole and half exponents, as multiplications and square root; for others the power of |w| if a is w².
    fn simple_power(&mut self, base: ExprId, exponent: ExprId) -> Option<ExprId> {
        let exponent = self.as_number(exponent)?;
        if let Some(whole) = exponent.as_exponent() {
            return Some(self.powi(base, whole));
        }
        let twice = exponent * Number::integer(2);
        if let Some(halves) = twice.as_exponent() {
            let root = self.call(Function::Sqrt, &[base]);
            return Some(self.powi(root, halves));
        }
        let Node::Product(factors) = self.node(base) else {
            return None;
        };
        // (w²)ᵉ = |w|²ᵉ, so that the slope of (w²)^(3/4) is 0 at 0, not 0·∞.
        let &[(w, 2)] = &**factors else { return None };
        let (size, exponent) = (self.call(Function::Abs, &[w]), self.number(twice));
        Some(self.call(Function::Powf, &[size, exponent]))
    }

    /// `if condition { then } else { otherwise }`
    pub fn select(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        if then == otherwise {
            return then;
        }
        match *self.node(condition) {
            Node::Boolean(value) => {
                if value {
                    then
                } else {
                    otherwise
                }
            }
            Node::Not(inner) => self.select(inner, otherwise, then),
            _ => self.intern(Node::Select {
                condition,
                then,
                otherwise,
            }),
        }
    }

    /// A boolean constant.
    pub fn boolean(&mut self, value: bool) -> ExprId {
        self.intern(Node::Boolean(value))
    }

    /// A comparison such as a < b.
    pub fn compare(&mut self, comparison: Comparison, a: ExprId, b: ExprId) -> ExprId {
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b)) {
            let exact = x.partial_cmp(&y).map(|order| match comparison {
                Comparison::Lt => order.is_lt(),
                Comparison::Le => order.is_le(),
                Comparison::Gt => order.is_gt(),
                Comparison::Ge => order.is_ge(),
                Comparison::Eq => order.is_eq(),
            });
            return self.boolean(exact.unwrap_or(false));
        }
        self.intern(Node::Compare(comparison, a, b))
    }

    /// a && b.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.as_boolean(a), self.as_boolean(b)) {
            (Some(false), _) | (_, Some(true)) => a,
            (_, Some(false)) | (Some(true), _) => b,
            _ => self.intern(Node::And(a, b)),
        }
    }

    /// a || b.
    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.as_boolean(a), self.as_boolean(b)) {
            (Some(true), _) | (_, Some(false)) => a,
            (_, Some(true)) | (Some(false), _) => b,
            _ => self.intern(Node::Or(a, b)),
        }
    }

    /// !a.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        match *self.node(a) {
            Node::Boolean(value) => self.boolean(!value),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a)),
        }
    }
}
