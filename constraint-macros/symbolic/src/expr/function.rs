//! The table of elementary functions: every fact about a function is one field of its only row.

use super::error_function;
use super::graph::{Comparison, ExprId, Graph};
use super::number::Number;

/// An elementary function of one or two real arguments, named as on Rust's `f64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // The variants are the functions of `f64` of the same names.
pub enum Function {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Exp,
    ExpM1,
    Ln,
    Ln1p,
    Log2,
    Log10,
    Sqrt,
    Cbrt,
    Powf,
    Abs,
    Signum,
    Hypot,
    Min,
    Max,
    Erf,
    Erfc,
    Floor,
}

/// Effect of a sign change of the (first) argument on the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// f(−x) = f(x)
    Even,
    /// f(−x) = −f(x)
    Odd,
    /// Neither.
    Neither,
}

/// The value and time derivatives of a one-argument node u and its value s = f(u).
#[derive(Clone, Copy, Debug)]
pub struct Jet {
    /// s itself.
    pub value: ExprId,
    /// ṡ.
    pub rate: ExprId,
    /// u.
    pub argument: ExprId,
    /// ü.
    pub argument_second: ExprId,
}

/// All facts about one function.
#[derive(Debug)]
pub struct FunctionRow {
    /// The function this row describes.
    pub function: Function,
    /// The name in the language and on `f64`.
    pub name: &'static str,
    /// Description shown by IDEs.
    pub meaning: &'static str,
    /// Number of arguments.
    pub arity: usize,
    /// The LaTeX command.
    pub latex: &'static str,
    /// Reference value.
    pub value: fn(&[f64]) -> f64,
    /// ∂s/∂uᵢ from the value s, the arguments u and i.
    pub slope: fn(&mut Graph, ExprId, &[ExprId], usize) -> ExprId,
    /// s̈ if a closed form is cheaper than ṡlope·u̇ + slope·ü or has a larger range; returns `None` for arguments for which
    /// it is neither.
    pub second: Option<fn(&mut Graph, Jet) -> Option<ExprId>>,
    /// Symmetry in the first argument.
    pub parity: Parity,
    /// For each argument an interval on which the function is smooth; samples are drawn from it.
    pub domain: &'static [(f64, f64)],
}

use Parity::{Even, Neither, Odd};

/// Number of functions in the language. The rows after them are building blocks of other functions: a step on its own
/// would make a constraint jump.
const CALLABLE: usize = 29;

/// One row per function, in the order of [`Function`].
static TABLE: [FunctionRow; CALLABLE + 1] = [
    FunctionRow {
        function: Function::Sin,
        name: "sin",
        meaning: "Sine of an angle in radians.",
        arity: 1,
        latex: r"\sin",
        value: |u| u[0].sin(),
        slope: |g, _, u, _| g.call(Function::Cos, u),
        second: None,
        parity: Odd,
        domain: &[(-3.0, 3.0)],
    },
    FunctionRow {
        function: Function::Cos,
        name: "cos",
        meaning: "Cosine of an angle in radians.",
        arity: 1,
        latex: r"\cos",
        value: |u| u[0].cos(),
        slope: |g, _, u, _| {
            let sine = g.call(Function::Sin, u);
            g.neg(sine)
        },
        second: None,
        parity: Even,
        domain: &[(-3.0, 3.0)],
    },
    FunctionRow {
        function: Function::Tan,
        name: "tan",
        meaning: "Tangent of an angle in radians.",
        arity: 1,
        latex: r"\tan",
        value: |u| u[0].tan(),
        // 1 + tan²
        slope: |g, s, _, _| {
            let square = g.powi(s, 2);
            g.offset(square, Number::ONE)
        },
        second: None,
        parity: Odd,
        domain: &[(-1.3, 1.3)],
    },
    FunctionRow {
        function: Function::Asin,
        name: "asin",
        meaning: "Angle in [−π/2, π/2] of this sine.",
        arity: 1,
        latex: r"\arcsin",
        value: |u| u[0].asin(),
        slope: |g, _, u, _| inverse_root(g, Number::ONE, Number::MINUS_ONE, u[0]),
        second: None,
        parity: Odd,
        domain: &[(-0.9, 0.9)],
    },
    FunctionRow {
        function: Function::Acos,
        name: "acos",
        meaning: "Angle in [0, π] of this cosine.",
        arity: 1,
        latex: r"\arccos",
        value: |u| u[0].acos(),
        slope: |g, _, u, _| {
            let slope = inverse_root(g, Number::ONE, Number::MINUS_ONE, u[0]);
            g.neg(slope)
        },
        second: None,
        parity: Neither,
        domain: &[(-0.9, 0.9)],
    },
    FunctionRow {
        function: Function::Atan,
        name: "atan",
        meaning: "Angle in (−π/2, π/2) of this tangent.",
        arity: 1,
        latex: r"\arctan",
        value: |u| u[0].atan(),
        // 1/(1 + u²)
        slope: |g, _, u, _| {
            let square = g.powi(u[0], 2);
            let denominator = g.offset(square, Number::ONE);
            g.recip(denominator)
        },
        second: None,
        parity: Odd,
        domain: &[(-3.0, 3.0)],
    },
    FunctionRow {
        function: Function::Atan2,
        name: "atan2",
        meaning: "Angle of the point (x, y), called as `atan2(y, x)`.",
        arity: 2,
        latex: r"\operatorname{atan2}",
        value: |u| u[0].atan2(u[1]),
        // (x, −y)/(x² + y²) for atan2(y, x)
        slope: |g, _, u, i| {
            let squares = [g.powi(u[0], 2), g.powi(u[1], 2)];
            let denominator = g.add(squares[0], squares[1]);
            let numerator = if i == 0 { u[1] } else { g.neg(u[0]) };
            g.div(numerator, denominator)
        },
        second: None,
        parity: Odd,
        domain: &[(0.2, 3.0), (-3.0, 3.0)],
    },
    FunctionRow {
        function: Function::Sinh,
        name: "sinh",
        meaning: "Hyperbolic sine.",
        arity: 1,
        latex: r"\sinh",
        value: |u| u[0].sinh(),
        slope: |g, _, u, _| g.call(Function::Cosh, u),
        second: None,
        parity: Odd,
        domain: &[(-3.0, 3.0)],
    },
    FunctionRow {
        function: Function::Cosh,
        name: "cosh",
        meaning: "Hyperbolic cosine.",
        arity: 1,
        latex: r"\cosh",
        value: |u| u[0].cosh(),
        slope: |g, _, u, _| g.call(Function::Sinh, u),
        second: None,
        parity: Even,
        domain: &[(-3.0, 3.0)],
    },
    FunctionRow {
        function: Function::Tanh,
        name: "tanh",
        meaning: "Hyperbolic tangent.",
        arity: 1,
        latex: r"\tanh",
        value: |u| u[0].tanh(),
        // 1 − tanh²
        slope: |g, s, _, _| {
            let square = g.powi(s, 2);
            let negative = g.neg(square);
            g.offset(negative, Number::ONE)
        },
        second: None,
        parity: Odd,
        domain: &[(-2.0, 2.0)],
    },
    FunctionRow {
        function: Function::Asinh,
        name: "asinh",
        meaning: "Inverse hyperbolic sine.",
        arity: 1,
        latex: r"\operatorname{arsinh}",
        value: |u| u[0].asinh(),
        slope: |g, _, u, _| inverse_root(g, Number::ONE, Number::ONE, u[0]),
        second: None,
        parity: Odd,
        domain: &[(-3.0, 3.0)],
    },
    FunctionRow {
        function: Function::Acosh,
        name: "acosh",
        meaning: "Inverse hyperbolic cosine.",
        arity: 1,
        latex: r"\operatorname{arcosh}",
        value: |u| u[0].acosh(),
        slope: |g, _, u, _| inverse_root(g, Number::MINUS_ONE, Number::ONE, u[0]),
        second: None,
        parity: Neither,
        domain: &[(1.2, 4.0)],
    },
    FunctionRow {
        function: Function::Atanh,
        name: "atanh",
        meaning: "Inverse hyperbolic tangent.",
        arity: 1,
        latex: r"\operatorname{artanh}",
        value: |u| u[0].atanh(),
        // 1/(1 − u²)
        slope: |g, _, u, _| {
            let square = g.powi(u[0], 2);
            let negative = g.neg(square);
            let denominator = g.offset(negative, Number::ONE);
            g.recip(denominator)
        },
        second: None,
        parity: Odd,
        domain: &[(-0.9, 0.9)],
    },
    FunctionRow {
        function: Function::Exp,
        name: "exp",
        meaning: "eˣ.",
        arity: 1,
        latex: r"\exp",
        value: |u| u[0].exp(),
        slope: |_, s, _, _| s,
        second: None,
        parity: Neither,
        domain: &[(-2.0, 2.0)],
    },
    FunctionRow {
        function: Function::ExpM1,
        name: "exp_m1",
        meaning: "eˣ − 1, exact near zero.",
        arity: 1,
        latex: r"\operatorname{expm1}",
        value: |u| u[0].exp_m1(),
        slope: |g, s, _, _| g.offset(s, Number::ONE),
        second: None,
        parity: Neither,
        domain: &[(-2.0, 2.0)],
    },
    FunctionRow {
        function: Function::Ln,
        name: "ln",
        meaning: "Natural logarithm.",
        arity: 1,
        latex: r"\ln",
        value: |u| u[0].ln(),
        slope: |g, _, u, _| g.recip(u[0]),
        // ü/u − ṡ² for sums of exponentials, because u² would overflow first.
        second: Some(|g, jet| {
            if !g.is_sum_of_exponentials(jet.argument) {
                return None;
            }
            let bend = g.div(jet.argument_second, jet.argument);
            let square = g.powi(jet.rate, 2);
            Some(g.sub(bend, square))
        }),
        parity: Neither,
        domain: &[(0.2, 4.0)],
    },
    FunctionRow {
        function: Function::Ln1p,
        name: "ln_1p",
        meaning: "ln(1 + x), exact near zero.",
        arity: 1,
        latex: r"\operatorname{log1p}",
        value: |u| u[0].ln_1p(),
        slope: |g, _, u, _| {
            let denominator = g.offset(u[0], Number::ONE);
            g.recip(denominator)
        },
        second: None,
        parity: Neither,
        domain: &[(-0.7, 3.0)],
    },
    FunctionRow {
        function: Function::Log2,
        name: "log2",
        meaning: "Logarithm to base 2.",
        arity: 1,
        latex: r"\log_2",
        value: |u| u[0].log2(),
        slope: |g, _, u, _| scaled_recip(g, u[0], std::f64::consts::LOG2_E),
        second: None,
        parity: Neither,
        domain: &[(0.2, 4.0)],
    },
    FunctionRow {
        function: Function::Log10,
        name: "log10",
        meaning: "Logarithm to base 10.",
        arity: 1,
        latex: r"\log_{10}",
        value: |u| u[0].log10(),
        slope: |g, _, u, _| scaled_recip(g, u[0], std::f64::consts::LOG10_E),
        second: None,
        parity: Neither,
        domain: &[(0.2, 4.0)],
    },
    FunctionRow {
        function: Function::Sqrt,
        name: "sqrt",
        meaning: "Square root.",
        arity: 1,
        latex: r"\sqrt",
        value: |u| u[0].sqrt(),
        // 1/(2s)
        slope: |g, s, _, _| {
            let inverse = g.recip(s);
            g.scale(inverse, Number::HALF)
        },
        // (ü/2 − ṡ²)/s
        second: Some(|g, jet| {
            let half = g.scale(jet.argument_second, Number::HALF);
            let square = g.powi(jet.rate, 2);
            let numerator = g.sub(half, square);
            Some(g.div(numerator, jet.value))
        }),
        parity: Neither,
        domain: &[(0.2, 4.0)],
    },
    FunctionRow {
        function: Function::Cbrt,
        name: "cbrt",
        meaning: "Cube root, of negative numbers too.",
        arity: 1,
        latex: r"\sqrt[3]",
        value: |u| u[0].cbrt(),
        // 1/(3s²)
        slope: |g, s, _, _| {
            let inverse = g.powi(s, -2);
            g.scale(inverse, Number::ratio(1, 3))
        },
        // From s³ = u: (ü/(3s) − 2ṡ²)/s
        second: Some(|g, jet| {
            let quotient = g.div(jet.argument_second, jet.value);
            let square = g.powi(jet.rate, 2);
            let numerator = g.sum(&[
                (quotient, Number::ratio(1, 3)),
                (square, Number::integer(-2)),
            ]);
            Some(g.div(numerator, jet.value))
        }),
        parity: Odd,
        domain: &[(0.2, 4.0)],
    },
    FunctionRow {
        function: Function::Powf,
        name: "powf",
        meaning: "Any exponent, of a positive base.",
        arity: 2,
        latex: r"\operatorname{pow}",
        value: |u| u[0].powf(u[1]),
        // b·aᵇ⁻¹ and aᵇ·ln a; not b·s/a, which is 0/0 at a = 0.
        slope: |g, s, u, i| {
            if i == 0 {
                let exponent = g.offset(u[1], Number::MINUS_ONE);
                let power = g.call(Function::Powf, &[u[0], exponent]);
                g.mul(u[1], power)
            } else {
                let logarithm = g.call(Function::Ln, &u[..1]);
                g.mul(s, logarithm)
            }
        },
        second: None,
        parity: Neither,
        domain: &[(0.2, 3.0), (-2.0, 2.0)],
    },
    FunctionRow {
        function: Function::Abs,
        name: "abs",
        meaning: "Absolute value.",
        arity: 1,
        // `simd_abs` exists in two traits of simba; the modulus of a real number is the same.
        latex: r"\operatorname{abs}",
        value: |u| u[0].abs(),
        slope: |g, _, u, _| g.call(Function::Signum, u),
        second: None,
        parity: Even,
        domain: &[(0.2, 3.0)],
    },
    FunctionRow {
        function: Function::Signum,
        name: "signum",
        meaning: "Sign: ±1.",
        arity: 1,
        // Written 1.copysign(u), in C copysign(1, u).
        latex: r"\operatorname{sgn}",
        value: |u| u[0].signum(),
        slope: |g, _, _, _| g.number(Number::ZERO),
        second: None,
        parity: Neither,
        domain: &[(0.2, 3.0)],
    },
    FunctionRow {
        function: Function::Hypot,
        name: "hypot",
        meaning: "√(x² + y²).",
        arity: 2,
        latex: r"\operatorname{hypot}",
        value: |u| u[0].hypot(u[1]),
        slope: |g, s, u, i| g.div(u[i], s),
        second: None,
        parity: Even,
        domain: &[(-3.0, 3.0), (0.2, 3.0)],
    },
    FunctionRow {
        function: Function::Min,
        name: "min",
        meaning: "The least.",
        arity: 2,
        latex: r"\min",
        value: |u| u[0].min(u[1]),
        slope: |g, _, u, i| branch_slope(g, Comparison::Le, u, i),
        second: None,
        parity: Neither,
        domain: &[(-3.0, -0.1), (0.1, 3.0)],
    },
    FunctionRow {
        function: Function::Max,
        name: "max",
        meaning: "The greatest.",
        arity: 2,
        latex: r"\max",
        value: |u| u[0].max(u[1]),
        slope: |g, _, u, i| branch_slope(g, Comparison::Ge, u, i),
        second: None,
        parity: Neither,
        domain: &[(-3.0, -0.1), (0.1, 3.0)],
    },
    FunctionRow {
        function: Function::Erf,
        name: "erf",
        meaning: "Error function, 2/√π ∫ exp(−s²) ds from 0 to x.",
        arity: 1,
        latex: r"\operatorname{erf}",
        value: |u| error_function::erf(u[0]),
        slope: |g, _, u, _| error_function::slope(g, u[0], 1.0),
        second: None,
        parity: Odd,
        domain: &[(-2.0, 2.0)],
    },
    FunctionRow {
        function: Function::Erfc,
        name: "erfc",
        meaning: "1 − erf(x), exact where it is small.",
        arity: 1,
        latex: r"\operatorname{erfc}",
        value: |u| error_function::erfc(u[0]),
        slope: |g, _, u, _| error_function::slope(g, u[0], -1.0),
        second: None,
        parity: Neither,
        domain: &[(-2.0, 2.0)],
    },
    FunctionRow {
        function: Function::Floor,
        name: "floor",
        meaning: "The greatest whole number that is not greater.",
        arity: 1,
        latex: r"\operatorname{floor}",
        value: |u| u[0].floor(),
        slope: |g, _, _, _| g.number(Number::ZERO),
        second: None,
        parity: Neither,
        domain: &[(0.1, 0.9)],
    },
];

impl Function {
    /// The function's facts.
    pub fn row(self) -> &'static FunctionRow {
        &TABLE[self as usize]
    }

    /// All functions of the language, in the order of the table.
    pub fn all() -> impl Iterator<Item = Function> {
        TABLE[..CALLABLE].iter().map(|row| row.function)
    }

    /// The function with this name in the language.
    pub fn from_name(name: &str) -> Option<Function> {
        Function::all().find(|function| function.row().name == name)
    }
}

/// (constant + coefficient·u²)^(−1/2)
fn inverse_root(g: &mut Graph, constant: Number, coefficient: Number, u: ExprId) -> ExprId {
    let square = g.powi(u, 2);
    let scaled = g.scale(square, coefficient);
    let radicand = g.offset(scaled, constant);
    let root = g.call(Function::Sqrt, &[radicand]);
    g.recip(root)
}

fn scaled_recip(g: &mut Graph, u: ExprId, factor: f64) -> ExprId {
    let inverse = g.recip(u);
    g.scale(inverse, Number::float(factor))
}

/// The slope of `min`/`max` in argument `i`: 1 if that is selected.
fn branch_slope(g: &mut Graph, comparison: Comparison, u: &[ExprId], i: usize) -> ExprId {
    let first = g.compare(comparison, u[0], u[1]);
    let (one, zero) = (g.number(Number::ONE), g.number(Number::ZERO));
    if i == 0 {
        g.select(first, one, zero)
    } else {
        g.select(first, zero, one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_functions() {
        assert_eq!(Function::Floor.row().function, Function::Floor);
        for (index, function) in Function::all().enumerate() {
            assert_eq!(function as usize, index);
            let row = function.row();
            assert_eq!(row.domain.len(), row.arity, "{}", row.name);
            assert_eq!(Function::from_name(row.name), Some(function));
        }
    }
}
