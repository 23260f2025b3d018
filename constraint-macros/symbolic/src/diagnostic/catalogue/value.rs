//! Constants that are no real numbers, or beyond those of `f64`.

use crate::diagnostic::wording::{helped, plain};
use crate::diagnostic::{Diagnostic, SourceRange};
use crate::expr::Number;

messages! {
    /// `1/0`
    division_by_zero: "this divides by zero";
    /// `(-2)^x`
    power_of_negative: "a negative number has real powers only for integer exponents" =>
        "write a positive number, or a constant integer exponent";
    /// A literal beyond the range of `f64`.
    number_too_large: "this number is out of range";
    /// `x^9999999999`
    exponent_too_large(limit: i32): "a constant exponent must lie between -{limit} and {limit}";
    /// `powi(x, y)`, `powi(x, 0.5)`
    powi_exponent: "`powi` takes an integer exponent" => "write `x^y` or `powf(x, y)`";
}

/// The reason why a constant is not a real number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// (−8)^(1/3)
    FractionalPower,
    /// Any other: ln(−1), 10^1000.
    Other,
}

/// A constant without a value in `f64`.
pub fn not_finite(range: SourceRange, value: Number, cause: Cause) -> Diagnostic {
    let nearest = value.to_f64();
    match cause {
        Cause::FractionalPower if nearest.is_nan() => helped(
            range,
            "a negative number has no real fractional power",
            "write `cbrt(x)` for a cube root",
        ),
        _ if nearest.is_nan() => plain(range, "this constant is not a real number"),
        _ if nearest.is_infinite() => plain(range, "this constant is not finite"),
        _ => plain(
            range,
            format!("this constant is {value}, which is too small for an `f64`"),
        ),
    }
}

/// `x^1000*1e308`, whose slope has a constant of 1e311; `what` names the derived quantity.
pub fn constant_beyond(range: SourceRange, what: &str, value: Number) -> Diagnostic {
    let found = match value.to_f64() {
        nearest if nearest.is_nan() => "which is not a real number".to_owned(),
        _ if !value.is_finite() => "which is not finite".to_owned(),
        nearest => {
            let size = if nearest == 0.0 { "small" } else { "large" };
            format!("{value}, which is too {size} for an `f64`")
        }
    };
    helped(
        range,
        format!("{what} has a constant {found}"),
        "choose other units, or make the number a parameter",
    )
}
