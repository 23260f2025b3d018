//! Exact numbers (`exact.rs`) that fall back to the nearest `f64` if 128 bits do not suffice, and to a mantissa with a
//! separate exponent outside the range of `f64`. A rounded number keeps its exact value modulo a prime, for certificates.

mod angle;
mod arithmetic;
mod order;
mod power;
mod text;

use crate::expr::CollectVec;
use std::hash::{Hash, Hasher};

use super::beyond::Beyond;
use super::exact::{Exact, gcd};
use super::field::Residue;
use super::surd::{Reduced, Surd};

/// A constant of the source text: exact if it is a fraction that fits, possibly times a root or powers of π, or a sum of
/// fractions of 1, √2, √3 and √6; otherwise a float.
///
/// A program cannot represent a number beyond the range of `f64` ([`Number::fits`]), but a factor may bring it
/// back: (10⁻²⁰⁰ x)² 10³⁰⁰ is 10⁻¹⁰⁰ x².
///
/// Invariant: a fraction is in lowest terms with a positive denominator; a float is zero only by rounding.
#[derive(Clone, Copy, Debug)]
pub struct Number(Repr);

#[derive(Clone, Copy, Debug)]
enum Repr {
    Ratio {
        numerator: i128,
        denominator: i128,
    },
    /// An exact number that is not a fraction.
    Irrational {
        numerator: i128,
        denominator: i128,
        radicand: u32,
        pis: i8,
    },
    Surd(Surd),
    /// The nearest float, and the exact value modulo a prime if it is known.
    Float {
        value: f64,
        exact: Option<Residue>,
    },
    Beyond(Beyond),
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

    /// π.
    pub const PI: Number = Number::of_irrational(Exact::PI);

    const fn of_irrational(exact: Exact) -> Number {
        Number(Repr::Irrational {
            numerator: exact.numerator,
            denominator: exact.denominator,
            radicand: exact.radicand,
            pis: exact.pis,
        })
    }

    pub(super) fn of_exact(exact: Exact) -> Number {
        match exact.is_rational() {
            true => Number(Ratio {
                numerator: exact.numerator,
                denominator: exact.denominator,
            }),
            false => Number::of_irrational(exact),
        }
    }

    pub(super) fn as_exact(self) -> Option<Exact> {
        match self.0 {
            Ratio {
                numerator,
                denominator,
            } => Some(Exact::rational(numerator, denominator)),
            Repr::Irrational {
                numerator,
                denominator,
                radicand,
                pis,
            } => Some(Exact {
                numerator,
                denominator,
                radicand,
                pis,
            }),
            _ => None,
        }
    }

    fn of_reduced(reduced: Reduced) -> Number {
        match reduced {
            Reduced::Exact(exact) => Number::of_exact(exact),
            Reduced::Surd(surd) => Number(Repr::Surd(surd)),
        }
    }

    fn as_surd(self) -> Option<Surd> {
        match self.0 {
            Repr::Surd(surd) => Some(surd),
            _ => Surd::of_exact(self.as_exact()?),
        }
    }

    /// The exact result of an operation on sums of roots.
    fn of_surds(
        self,
        other: Number,
        operation: fn(Surd, Surd) -> Option<Reduced>,
    ) -> Option<Number> {
        operation(self.as_surd()?, other.as_surd()?).map(Number::of_reduced)
    }

    fn of_parts(parts: Beyond) -> Number {
        match parts.as_float() {
            Some(value) => Number::float(value),
            None => Number(Repr::Beyond(parts)),
        }
    }

    /// A whole number.
    pub const fn integer(value: i128) -> Number {
        Number(Ratio {
            numerator: value,
            denominator: 1,
        })
    }

    /// The nearest representation of a float. Whole floats of modest size become exact; larger ones may be whole only
    /// because of rounding.
    pub fn float(value: f64) -> Number {
        if value.fract() == 0.0 && value.abs() <= 1_048_576.0 {
            return Number::integer(value as i128);
        }
        Number(Float { value, exact: None })
    }

    /// The nearest float to a number whose exact value modulo a prime may be known.
    fn rounded(value: f64, exact: Option<Residue>) -> Number {
        let number = Number::float(value);
        match exact {
            Some(_) if value.is_finite() && Residue::of_number(number) != exact => {
                Number(Float { value, exact })
            }
            _ => number,
        }
    }

    /// The exact value of a rounded number modulo a prime.
    pub(super) fn residue_of_rounded(self) -> Option<Residue> {
        match self.0 {
            Float { exact, .. } => exact,
            _ => None,
        }
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
            _ => Number(Float {
                value: numerator as f64 / denominator as f64,
                exact: None,
            }),
        }
    }

    /// The nearest `f64`.
    pub fn to_f64(self) -> f64 {
        match self.0 {
            Ratio {
                numerator,
                denominator,
            } => numerator as f64 / denominator as f64,
            Repr::Irrational { .. } => self.as_exact().map_or(f64::NAN, Exact::to_f64),
            Repr::Surd(surd) => surd.to_f64(),
            Float { value, .. } => value,
            Repr::Beyond(it) if it.exponent > 0 => it.mantissa * f64::INFINITY,
            Repr::Beyond(it) => it.mantissa * 0.0,
        }
    }

    /// Mantissa and exponent; `None` for 0, infinities and NaN.
    fn parts(self) -> Option<Beyond> {
        match self.0 {
            Repr::Beyond(it) => Some(it),
            _ => Beyond::of_float(self.to_f64()),
        }
    }

    /// Numerator and denominator of an exact fraction.
    pub fn as_ratio(self) -> Option<(i128, i128)> {
        match self.0 {
            Ratio {
                numerator,
                denominator,
            } => Some((numerator, denominator)),
            _ => None,
        }
    }

    /// q, n and k of an exact number q √n πᵏ with a fraction q and a whole n without squares.
    pub fn as_irrational(self) -> Option<(Number, u32, i8)> {
        let exact = self.as_exact()?;
        let rational = Number::ratio(exact.numerator, exact.denominator);
        Some((rational, exact.radicand, exact.pis))
    }

    /// The terms of an exact number, each q √n πᵏ, as [`Number::as_irrational`]; a single one but for sums of roots.
    pub fn as_terms(self) -> Option<Vec<Number>> {
        if let Repr::Surd(surd) = self.0 {
            return Some(surd.terms().map(Number::of_exact).collect_vec());
        }
        self.as_exact().map(|_| vec![self])
    }

    /// The terms p √n of a sum of roots, over a common denominator.
    pub fn as_sum_of_roots(self) -> Option<(Vec<(i64, u32)>, i64)> {
        let Repr::Surd(surd) = self.0 else {
            return None;
        };
        let (terms, denominator) = surd.fraction();
        Some((terms.collect_vec(), denominator))
    }

    /// The whole number, if it is one and exact.
    pub fn as_integer(self) -> Option<i128> {
        self.as_ratio().filter(|&(_, d)| d == 1).map(|(n, _)| n)
    }

    /// Whether a product of a few such numbers may leave the range of `f64`; false for 0.
    pub fn is_extreme(self) -> bool {
        !self.is_zero() && !(1e-64..1e64).contains(&self.to_f64().abs())
    }

    /// Whether a product has approached the limits of `f64` in small steps, as 2⁻ⁿ for a chain of n halves. A later factor may
    /// bring it back, so it must not be multiplied out.
    pub fn leaves_ordinary_range(self, other: Number) -> bool {
        let is_ordinary =
            |it: Number| it.is_small_ratio() || (1e-16..1e16).contains(&it.to_f64().abs());
        match (is_ordinary(self), is_ordinary(other)) {
            (true, true) | (false, false) => false,
            _ => !self.is_extreme() && !other.is_extreme() && (self * other).is_extreme(),
        }
    }

    /// Quick check without a division: a ratio of two numbers below 2⁴⁹ lies between 10⁻¹⁵ and 10¹⁵.
    fn is_small_ratio(self) -> bool {
        match self.0 {
            Ratio {
                numerator,
                denominator,
            } => {
                numerator != 0 && (numerator.unsigned_abs() | denominator.unsigned_abs()) >> 49 == 0
            }
            _ => false,
        }
    }

    /// Whether it is whole, exact or not.
    pub fn is_whole(self) -> bool {
        match self.0 {
            Ratio { denominator, .. } => denominator == 1,
            Repr::Irrational { .. } | Repr::Surd(_) => false,
            Float { value, .. } => value.fract() == 0.0,
            Repr::Beyond(it) => it.exponent > 0,
        }
    }

    /// A whole number as an exponent.
    pub fn as_exponent(self) -> Option<i32> {
        self.as_integer().and_then(|n| i32::try_from(n).ok())
    }

    /// False for infinities and NaN.
    pub fn is_finite(self) -> bool {
        match self.0 {
            Float { value, .. } => value.is_finite(),
            _ => true,
        }
    }

    /// Whether an `f64` is near it; false for numbers that are too large, too small, infinite or undefined.
    pub fn fits(self) -> bool {
        match self.0 {
            Ratio { .. } | Repr::Irrational { .. } | Repr::Surd(_) => true,
            Float { value, .. } => value.is_finite(),
            Repr::Beyond(_) => false,
        }
    }

    /// Exactly zero.
    pub fn is_zero(self) -> bool {
        match self.0 {
            Ratio { numerator, .. } => numerator == 0,
            Float { value, exact } => value == 0.0 && exact.is_none(),
            Repr::Irrational { .. } | Repr::Surd(_) | Repr::Beyond(_) => false,
        }
    }

    /// Exactly one.
    pub fn is_one(self) -> bool {
        matches!(
            self.0,
            Ratio {
                numerator: 1,
                denominator: 1
            }
        )
    }

    /// Below zero.
    pub fn is_negative(self) -> bool {
        match self.0 {
            Ratio { numerator, .. } | Repr::Irrational { numerator, .. } => numerator < 0,
            Repr::Surd(surd) => surd.to_f64() < 0.0,
            Float { value, .. } => value < 0.0,
            Repr::Beyond(it) => it.mantissa < 0.0,
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
}

/// Bit-wise for floats, so that equal numbers hash alike and NaN can be stored.
impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        match (self.0, other.0) {
            (
                Float { value: a, exact },
                Float {
                    value: b,
                    exact: other,
                },
            ) => a.to_bits() == b.to_bits() && exact == other,
            (Repr::Beyond(a), Repr::Beyond(b)) => {
                (a.mantissa.to_bits(), a.exponent) == (b.mantissa.to_bits(), b.exponent)
            }
            (Repr::Surd(a), Repr::Surd(b)) => a == b,
            _ => match (self.as_exact(), other.as_exact()) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            },
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
            Repr::Irrational {
                numerator,
                denominator,
                radicand,
                pis,
            } => (numerator, denominator, radicand, pis).hash(state),
            Repr::Surd(surd) => surd.hash(state),
            Float { value, exact } => (value.to_bits(), exact).hash(state),
            Repr::Beyond(it) => (it.mantissa.to_bits(), it.exponent).hash(state),
        }
    }
}
