//! Exact rational numbers that fall back to the nearest `f64` when 128 bits do not suffice.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A constant of the source text: an exact fraction where it fits, else a float.
///
/// Invariant: a fraction is in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug)]
pub struct Number(Repr);

#[derive(Clone, Copy, Debug)]
enum Repr {
    Ratio { numerator: i128, denominator: i128 },
    Float(f64),
}

use Repr::{Float, Ratio};

impl Number {
    /// 0.
    pub const ZERO: Number = Number::integer(0);
    /// 1.
    pub const ONE: Number = Number::integer(1);
    /// −1.
    pub const MINUS_ONE: Number = Number::integer(-1);
    /// ½.
    pub const HALF: Number = Number(Ratio {
        numerator: 1,
        denominator: 2,
    });

    /// A whole number.
    pub const fn integer(value: i128) -> Number {
        Number(Ratio {
            numerator: value,
            denominator: 1,
        })
    }

    /// The nearest representation of a float; whole floats of modest size become exact.
    pub fn float(value: f64) -> Number {
        if value.fract() == 0.0 && value.abs() < 9.0e15 {
            return Number::integer(value as i128);
        }
        Number(Float(value))
    }

    /// `numerator / denominator` in lowest terms; a zero denominator gives the float quotient.
    pub fn ratio(numerator: i128, denominator: i128) -> Number {
        if denominator == 1 {
            return Number::integer(numerator);
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let reduced = || {
            let divisor = i128::try_from(divisor).ok().filter(|&d| d != 0)?;
            let sign = if denominator < 0 { -1 } else { 1 };
            Some(Number(Ratio {
                numerator: (numerator / divisor).checked_mul(sign)?,
                denominator: (denominator / divisor).checked_mul(sign)?,
            }))
        };
        match reduced() {
            Some(number) if denominator != 0 => number,
            _ => Number(Float(numerator as f64 / denominator as f64)),
        }
    }

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
        exact_decimal(&digits, scale).or_else(|| text.parse().ok().map(Number::float))
    }

    /// The nearest `f64`.
    pub fn to_f64(self) -> f64 {
        match self.0 {
            Ratio {
                numerator,
                denominator,
            } => numerator as f64 / denominator as f64,
            Float(value) => value,
        }
    }

    /// Numerator and denominator, where the number is exact.
    pub fn as_ratio(self) -> Option<(i128, i128)> {
        match self.0 {
            Ratio {
                numerator,
                denominator,
            } => Some((numerator, denominator)),
            Float(_) => None,
        }
    }

    /// The whole number, where it is one and exact.
    pub fn as_integer(self) -> Option<i128> {
        self.as_ratio().filter(|&(_, d)| d == 1).map(|(n, _)| n)
    }

    /// The whole number as an exponent.
    pub fn as_exponent(self) -> Option<i32> {
        self.as_integer().and_then(|n| i32::try_from(n).ok())
    }

    /// False for infinities and NaN.
    pub fn is_finite(self) -> bool {
        match self.0 {
            Ratio { .. } => true,
            Float(value) => value.is_finite(),
        }
    }

    /// Exactly zero.
    pub fn is_zero(self) -> bool {
        match self.0 {
            Ratio { numerator, .. } => numerator == 0,
            Float(value) => value == 0.0,
        }
    }

    /// Exactly one.
    pub fn is_one(self) -> bool {
        self == Number::ONE
    }

    /// Below zero.
    pub fn is_negative(self) -> bool {
        match self.0 {
            Ratio { numerator, .. } => numerator < 0,
            Float(value) => value < 0.0,
        }
    }

    /// |self|.
    pub fn abs(self) -> Number {
        if self.is_negative() { -self } else { self }
    }

    /// 1 / self; infinite for zero.
    pub fn recip(self) -> Number {
        Number::ONE / self
    }

    /// selfⁿ, with 0⁰ = 1.
    pub fn powi(self, exponent: i32) -> Number {
        let power = |base: i128| base.checked_pow(exponent.unsigned_abs());
        if let Ratio {
            numerator,
            denominator,
        } = self.0
            && let (Some(n), Some(d)) = (power(numerator), power(denominator))
        {
            return if exponent < 0 {
                Number::ratio(d, n)
            } else {
                Number::ratio(n, d)
            };
        }
        Number::float(self.to_f64().powi(exponent))
    }

    /// √self where that is exact.
    pub fn exact_sqrt(self) -> Option<Number> {
        let (n, d) = self.as_ratio()?;
        Some(Number::ratio(exact_root(n)?, exact_root(d)?))
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

fn exact_root(square: i128) -> Option<i128> {
    let root = u128::try_from(square).ok()?.isqrt();
    let root = i128::try_from(root).ok()?;
    (root.checked_mul(root)? == square).then_some(root)
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl std::ops::Neg for Number {
    type Output = Number;
    fn neg(self) -> Number {
        match self.0 {
            Ratio {
                numerator,
                denominator,
            } => match numerator.checked_neg() {
                Some(numerator) => Number(Ratio {
                    numerator,
                    denominator,
                }),
                None => Number(Float(-self.to_f64())),
            },
            Float(value) => Number(Float(-value)),
        }
    }
}

impl std::ops::Add for Number {
    type Output = Number;
    fn add(self, other: Number) -> Number {
        let exact = || {
            let ((a, b), (c, d)) = (self.as_ratio()?, other.as_ratio()?);
            let numerator = a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?;
            Some(Number::ratio(numerator, b.checked_mul(d)?))
        };
        exact().unwrap_or_else(|| Number::float(self.to_f64() + other.to_f64()))
    }
}

impl std::ops::Sub for Number {
    type Output = Number;
    fn sub(self, other: Number) -> Number {
        self + -other
    }
}

impl std::ops::Mul for Number {
    type Output = Number;
    fn mul(self, other: Number) -> Number {
        let exact = || {
            let ((a, b), (c, d)) = (self.as_ratio()?, other.as_ratio()?);
            Some(Number::ratio(a.checked_mul(c)?, b.checked_mul(d)?))
        };
        exact().unwrap_or_else(|| Number::float(self.to_f64() * other.to_f64()))
    }
}

impl std::ops::Div for Number {
    type Output = Number;
    fn div(self, other: Number) -> Number {
        let exact = || {
            let ((a, b), (c, d)) = (self.as_ratio()?, other.as_ratio()?);
            Some(Number::ratio(a.checked_mul(d)?, b.checked_mul(c)?))
        };
        exact().unwrap_or_else(|| Number::float(self.to_f64() / other.to_f64()))
    }
}

/// Bit-wise for floats, so that equal numbers hash alike and NaN can be stored.
impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        match (self.0, other.0) {
            (Float(a), Float(b)) => a.to_bits() == b.to_bits(),
            _ => self.as_ratio() == other.as_ratio() && self.as_ratio().is_some(),
        }
    }
}

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0 {
            Ratio {
                numerator,
                denominator,
            } => (numerator, denominator).hash(state),
            Float(value) => value.to_bits().hash(state),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        let exact = || {
            let ((a, b), (c, d)) = (self.as_ratio()?, other.as_ratio()?);
            Some(a.checked_mul(d)?.cmp(&c.checked_mul(b)?))
        };
        exact().or_else(|| self.to_f64().partial_cmp(&other.to_f64()))
    }
}

/// Fractions as `7/6`, floats as Rust prints them.
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
            Float(value) => write!(f, "{value}"),
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

    #[test]
    fn overflow_falls_back_to_the_nearest_float() {
        let huge = Number::integer(i128::MAX);
        assert_eq!(
            (huge * huge).to_f64(),
            (i128::MAX as f64) * (i128::MAX as f64)
        );
        assert_eq!(Number::integer(i128::MIN).abs().to_f64(), 2f64.powi(127));
        assert!(!Number::parse_decimal("1e999").is_some_and(Number::is_finite));
        assert!(!(Number::ONE / Number::ZERO).is_finite());
    }

    #[test]
    fn roots_are_taken_only_where_exact() {
        assert_eq!(Number::ratio(9, 4).exact_sqrt(), Some(Number::ratio(3, 2)));
        assert_eq!(Number::integer(2).exact_sqrt(), None);
        assert_eq!(Number::integer(-4).exact_sqrt(), None);
    }
}
