//! Functions, comparisons and choices: folded where their operands are constant.

use super::function::{Function, Parity};
use super::graph::{Comparison, ExprId, Graph, Node};
use super::number::Number;

impl Graph {
    /// f(arguments), folded where it can be.
    pub fn call(&mut self, function: Function, arguments: &[ExprId]) -> ExprId {
        let numbers: Option<Vec<Number>> = arguments.iter().map(|&a| self.as_number(a)).collect();
        if let Some(value) = numbers.and_then(|numbers| fold(function, &numbers)) {
            return self.number(value);
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

    /// aᵇ for constant whole and half exponents, by multiplication and square root.
    fn simple_power(&mut self, base: ExprId, exponent: ExprId) -> Option<ExprId> {
        let exponent = self.as_number(exponent)?;
        if let Some(whole) = exponent.as_exponent() {
            return Some(self.powi(base, whole));
        }
        let halves = (exponent * Number::integer(2)).as_exponent()?;
        let root = self.call(Function::Sqrt, &[base]);
        Some(self.powi(root, halves))
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

    /// a < b and its kin.
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

/// The constant value of a function of constants; exact where the function is.
fn fold(function: Function, arguments: &[Number]) -> Option<Number> {
    let exact = match function {
        Function::Abs => Some(arguments[0].abs()),
        Function::Sqrt => arguments[0].exact_sqrt(),
        Function::Min if arguments[1] < arguments[0] => Some(arguments[1]),
        Function::Max if arguments[1] > arguments[0] => Some(arguments[1]),
        Function::Min | Function::Max => Some(arguments[0]),
        Function::Powf => arguments[1].as_exponent().map(|n| arguments[0].powi(n)),
        _ => None,
    };
    exact.or_else(|| {
        if !arguments.iter().all(|argument| argument.fits()) {
            return Some(Number::float(f64::NAN));
        }
        let values: Vec<f64> = arguments.iter().map(|n| n.to_f64()).collect();
        let value = (function.row().value)(&values);
        match function {
            Function::Exp if value == 0.0 => Some(Number::exp(values[0])),
            Function::Powf if value == 0.0 && values[0] > 0.0 => {
                Some(Number::exp(values[1] * values[0].ln()))
            }
            _ => Some(Number::float(value)),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// sin(10⁻⁴⁰⁰) is not 0.
    #[test]
    fn functions_of_numbers_beyond_the_floats_have_no_value() {
        let mut graph = Graph::new();
        for text in ["1e-400", "1e400"] {
            let argument = Number::parse_decimal(text).expect("a decimal");
            let argument = graph.number(argument);
            for function in [Function::Sin, Function::Atan, Function::Cbrt] {
                let value = graph.call(function, &[argument]);
                assert!(graph.as_number(value).is_some_and(|it| !it.fits()));
            }
        }
    }
}
