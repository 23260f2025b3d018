//! Numbers as decimals: read, and printed.

use std::fmt;

use super::Repr::{Float, Ratio};
use super::{Number, Repr};
use crate::expr::beyond::Beyond;

impl Number {
    /// Reads `12`, `0.1`, `1_000`, `2.5e-3`; `None` for anything else.
    pub fn parse_decimal(text: &str) -> Option<Number> {
        let text = text.replace('_', "");
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text.as_str(), 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let scale = i64::from(exponent) - fraction.len() as i64;
        exact_decimal(&digits, scale).or_else(|| {
            let nearest: f64 = text.parse().ok()?;
            if nearest != 0.0 && nearest.is_finite() {
                return Some(Number::float(nearest));
            }
            if digits.bytes().all(|b| b == b'0') {
                return Some(Number::ZERO);
            }
            let digits = Beyond::of_float(digits.parse().ok()?)?;
            let scale = Beyond::of_float(10.0)?.powi(i32::try_from(scale).ok()?)?;
            digits.times(scale).map(Number::of_parts)
        })
    }
}

fn exact_decimal(digits: &str, scale: i64) -> Option<Number> {
    let digits: i128 = digits.parse().ok()?;
    let power = 10i128.checked_pow(u32::try_from(scale.unsigned_abs()).ok()?)?;
    if scale < 0 {
        Some(Number::ratio(digits, power))
    } else {
        digits.checked_mul(power).map(Number::integer)
    }
}

/// Fractions as `7/6`, floats in as few digits as identify them, very large and small ones as `1e300`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Ratio {
                numerator,
                denominator: 1,
            } => write!(f, "{numerator}"),
            Ratio {
                numerator,
                denominator,
            } => write!(f, "{numerator}/{denominator}"),
            Repr::Irrational { .. } => match self.as_exact() {
                Some(exact) => write!(f, "{exact}"),
                None => Ok(()),
            },
            Repr::Surd(surd) => write!(f, "{surd}"),
            Float { value, .. } => write!(f, "{value:?}"),
            Repr::Beyond(it) => {
                let size = it.log10();
                let rounded = |exponent: f64| (10f64.powf(size - exponent) * 1e3).round() / 1e3;
                let exponent = match rounded(size.floor()) {
                    10.0.. => size.floor() + 1.0,
                    _ => size.floor(),
                };
                let leading = rounded(exponent).copysign(it.mantissa);
                write!(f, "{leading}e{exponent}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_fractions() {
        assert_eq!(Number::parse_decimal("0.1"), Some(Number::ratio(1, 10)));
        assert_eq!(Number::parse_decimal("2.5e-3"), Some(Number::ratio(1, 400)));
        assert_eq!(Number::parse_decimal("1_000"), Some(Number::integer(1000)));
        assert_eq!(Number::parse_decimal("1e3"), Some(Number::integer(1000)));
        assert_eq!(Number::parse_decimal("0x10"), None);
    }

    fn number(text: &str) -> Number {
        Number::parse_decimal(text).expect("a decimal")
    }

    #[test]
    fn what_lies_outside_is_ordered_and_printed() {
        let [tiny, small, large, huge] = ["1e-400", "1e-300", "1e300", "2.5e400"].map(number);
        let ascending = [
            -huge,
            -large,
            -tiny,
            Number::ZERO,
            tiny,
            small,
            Number::ONE,
            large,
            huge,
        ];
        for (i, a) in ascending.iter().enumerate() {
            for (j, b) in ascending.iter().enumerate() {
                assert_eq!(a.partial_cmp(b), Some(i.cmp(&j)), "{a}, {b}");
                assert_eq!(a == b, i == j);
            }
            assert_eq!(a.is_negative(), i < 3, "{a}");
        }
        let printed = ascending.map(|number| number.to_string());
        let expected = "-2.5e400 -1e300 -1e-400 0 1e-400 1e-300 1 1e300 2.5e400";
        assert_eq!(printed.join(" "), expected);
        // Digits that round up to ten carry over, however the number was computed.
        let products = [
            ("1e-300", "1e-300"),
            ("1e300", "1e300"),
            ("9.99996e200", "1e200"),
        ];
        let printed = products.map(|(a, b)| (number(a) * number(b)).to_string());
        assert_eq!(printed, ["1e-600", "1e600", "1e401"]);
        assert_eq!(number("1e-400"), tiny);
        assert_eq!(tiny.to_f64(), 0.0);
        assert_eq!((-huge).to_f64(), f64::NEG_INFINITY);
        assert!(
            huge.is_whole() && large.is_whole() && !tiny.is_whole() && !number("2.5").is_whole()
        );
        assert_eq!(number("0.00e-999"), Number::ZERO);
        let nines = "9".repeat(400);
        assert_eq!(Number::parse_decimal(&nines), None);
        assert_eq!(
            Number::parse_decimal(&format!("0.{}{nines}", "0".repeat(400))),
            None
        );
    }
}
