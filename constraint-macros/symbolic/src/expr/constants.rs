//! Functions of numbers: exact if possible, otherwise the nearest floats.

use super::function::Function;
use super::number::Number;
use crate::expr::CollectVec;

impl Function {
    /// The value at constants; exact if the function has an exact value there.
    pub(crate) fn of_numbers(self, arguments: &[Number]) -> Number {
        if let Some(exact) = self.exact(arguments) {
            return exact;
        }
        if !arguments.iter().all(|argument| argument.fits()) {
            return Number::float(f64::NAN);
        }
        let values: Vec<f64> = arguments.iter().map(|n| n.to_f64()).collect_vec();
        let value = (self.row().value)(&values);
        match self {
            Function::Exp if value == 0.0 => Number::exp(values[0]),
            Function::Powf if value == 0.0 && values[0] > 0.0 => {
                Number::exp(values[1] * values[0].ln())
            }
            _ => Number::float(value),
        }
    }

    /// Exact values: sines of fractions of a turn and their inverses, roots, and functions that select a number.
    fn exact(self, arguments: &[Number]) -> Option<Number> {
        let angle = |range: std::ops::RangeInclusive<i128>, of: fn(Number) -> Option<Number>| {
            let mut angles = range.map(Number::of_twelfths);
            angles.find(|&angle| of(angle) == Some(arguments[0]))
        };
        match (self, arguments) {
            (Function::Sin, [u]) => u.sin(),
            (Function::Cos, [u]) => u.cos(),
            (Function::Tan, [u]) => tan(*u),
            (Function::Asin, _) => angle(-6..=6, Number::sin),
            (Function::Acos, _) => angle(0..=12, Number::cos),
            (Function::Atan, _) => angle(-5..=5, tan),
            (Function::Atan2, [y, x]) => angle_of_point(*y, *x),
            (Function::Abs, [u]) => Some(u.abs()),
            (Function::Sqrt, [u]) => u.sqrt(),
            (Function::Hypot, [a, b]) => (*a * *a + *b * *b).sqrt(),
            (Function::Powf, [base, exponent]) => power(*base, *exponent),
            (Function::Min, [a, b]) => Some(if b < a { *b } else { *a }),
            (Function::Max, [a, b]) => Some(if b > a { *b } else { *a }),
            _ => None,
        }
    }
}

fn tan(angle: Number) -> Option<Number> {
    Some(angle.sin()? / angle.cos()?)
}

/// Whole and half powers.
fn power(base: Number, exponent: Number) -> Option<Number> {
    if let Some(whole) = exponent.as_exponent() {
        return Some(base.powi(whole));
    }
    let halves = (exponent + exponent).as_exponent()?;
    Some(base.sqrt()?.powi(halves))
}

/// The angle of a point on an axis or halfway between two axes.
fn angle_of_point(y: Number, x: Number) -> Option<Number> {
    let sign = |number: Number| Some(number.as_ratio()?.0.signum());
    let is_between = y.abs() == x.abs();
    let twelfths = match (sign(x)?, sign(y)?) {
        (0, 0) => return None,
        (1, 0) => 0,
        (0, y) => 6 * y,
        (-1, 0) => 12,
        (1, y) if is_between => 3 * y,
        (-1, y) if is_between => 9 * y,
        _ => return None,
    };
    Some(Number::of_twelfths(twelfths))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Graph;

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
