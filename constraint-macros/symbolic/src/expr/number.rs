//! Exact numbers (`exact.rs`) that fall back to the nearest `f64` if 128 bits do not suffice, and to a mantissa with a
//! separate exponent outside the range of `f64`. A rounded number keeps its exact value modulo a prime, for certificates.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::beyond::Beyond;
use super::exact::Exact;
use super::field::Residue;
use super::surd::{Reduced, Surd, sine_of_twelfths};

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
    /// Limit on the twelfths of π that are removed from angles: beyond it, floats do not distinguish quarters of a turn,
    /// and the certificate does not distinguish multiples of π from leaves.
    pub const MOST_TWELFTHS: i64 = 1 << 39;
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

    pub(super) fn of_reduced(reduced: Reduced) -> Number {
        match reduced {
            Reduced::Exact(exact) => Number::of_exact(exact),
            Reduced::Surd(surd) => Number(Repr::Surd(surd)),
        }
    }

    pub(super) fn as_surd(self) -> Option<Surd> {
        match self.0 {
            Repr::Surd(surd) => Some(surd),
            _ => Surd::of_exact(self.as_exact()?),
        }
    }

    /// The exact result of an operation on sums of roots.
    pub(super) fn of_surds(
        self,
        other: Number,
        operation: fn(Surd, Surd) -> Option<Reduced>,
    ) -> Option<Number> {
        operation(self.as_surd()?, other.as_surd()?).map(Number::of_reduced)
    }

    pub(super) fn of_parts(parts: Beyond) -> Number {
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
    pub(super) fn rounded(value: f64, exact: Option<Residue>) -> Number {
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

    /// The result in floats if it is in their normal range; otherwise the result from mantissas and exponents.
    pub(super) fn inexact(
        self,
        other: Number,
        floats: fn(f64, f64) -> f64,
        parts: fn(Beyond, Beyond) -> Option<Beyond>,
        residues: fn(Residue, Residue) -> Option<Residue>,
    ) -> Number {
        let direct = floats(self.to_f64(), other.to_f64());
        if direct.is_normal() {
            return Number::rounded(direct, self.with_residues(other, residues));
        }
        match (self.parts(), other.parts()) {
            (Some(a), Some(b)) => parts(a, b).map_or(Number::ZERO, Number::of_parts),
            // With 0 or an infinity, only the sign of the other number matters.
            _ => {
                let any = |it: Number| match it.0 {
                    Repr::Beyond(it) => it.mantissa,
                    _ => it.to_f64(),
                };
                Number::float(floats(any(self), any(other)))
            }
        }
    }

    /// The result modulo a prime.
    pub(super) fn with_residues(
        self,
        other: Number,
        residues: fn(Residue, Residue) -> Option<Residue>,
    ) -> Option<Residue> {
        residues(Residue::of_number(self)?, Residue::of_number(other)?)
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
            return Some(surd.terms().map(Number::of_exact).collect());
        }
        self.as_exact().map(|_| vec![self])
    }

    /// The terms p √n of a sum of roots, over a common denominator.
    pub fn as_sum_of_roots(self) -> Option<(Vec<(i64, u32)>, i64)> {
        let Repr::Surd(surd) = self.0 else {
            return None;
        };
        let (terms, denominator) = surd.fraction();
        Some((terms.collect(), denominator))
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

    /// selfⁿ, with 0⁰ = 1.
    pub fn powi(self, exponent: i32) -> Number {
        if exponent == 1 || self.is_one() {
            return self;
        }
        if let Some(power) = self.as_exact().and_then(|it| it.powi(exponent)) {
            return Number::of_exact(power);
        }
        if let Some(power) = self.power_of_surd(exponent) {
            return power;
        }
        let float = |value: f64| Some(value.powi(exponent)).filter(|power| power.is_normal());
        match (self.0, self.parts()) {
            (Repr::Beyond(it), _) => it.powi(exponent).map_or(self, Number::of_parts),
            (_, Some(parts)) => match float(self.to_f64()) {
                Some(value) => Number::rounded(value, self.residue_of_power(exponent)),
                None => parts.powi(exponent).map_or(self, Number::of_parts),
            },
            (_, None) => Number::float(self.to_f64().powi(exponent)),
        }
    }

    fn residue_of_power(self, exponent: i32) -> Option<Residue> {
        let base = Residue::of_number(self)?;
        let base = if exponent < 0 { base.recip()? } else { base };
        Some(base.pow(exponent.unsigned_abs().into()))
    }

    /// Repeated squaring, as long as it is exact.
    fn power_of_surd(self, exponent: i32) -> Option<Number> {
        let Repr::Surd(_) = self.0 else {
            return None;
        };
        let mut base = if exponent < 0 { self.recip() } else { self };
        let (mut left, mut power) = (exponent.unsigned_abs(), Number::ONE);
        while left > 0 {
            if left % 2 == 1 {
                power = power.of_surds(base, Surd::times)?;
            }
            left /= 2;
            if left > 0 {
                base = base.of_surds(base, Surd::times)?;
            }
        }
        Some(power)
    }

    /// e^exponent, also if that is too small for a float; then to twelve digits.
    pub fn exp(exponent: f64) -> Number {
        let twos = exponent / std::f64::consts::LN_2;
        let parts = Beyond::new((twos - twos.floor()).exp2(), twos.floor() as i64);
        parts.map_or(Number::float(exponent.exp()), Number::of_parts)
    }

    /// √self if that is exact.
    pub fn sqrt(self) -> Option<Number> {
        self.as_exact()?.sqrt().map(Number::of_exact)
    }

    /// √self if that is a fraction.
    pub fn rational_sqrt(self) -> Option<Number> {
        self.sqrt().filter(|root| root.as_ratio().is_some())
    }

    /// The sine of a multiple of π, if it is exact.
    pub fn sin(self) -> Option<Number> {
        Some(Number::of_reduced(sine_of_twelfths(self.twelfths()?)))
    }

    /// The cosine of a multiple of π, if it is exact.
    pub fn cos(self) -> Option<Number> {
        let quarter_ahead = self.twelfths()?.checked_add(6)?;
        Some(Number::of_reduced(sine_of_twelfths(quarter_ahead)))
    }

    /// m of an angle m π/12 with whole m; full turns are removed.
    pub fn twelfths(self) -> Option<i128> {
        let exact = self.as_exact()?;
        let angle = match (exact.numerator, exact.radicand, exact.pis) {
            (0, ..) | (_, 1, 1) => exact
                .numerator
                .rem_euclid(exact.denominator.checked_mul(2)?),
            _ => return None,
        };
        let twelfths = angle.checked_mul(12)?;
        (twelfths % exact.denominator == 0).then_some(twelfths / exact.denominator)
    }

    /// m π/12
    pub fn of_twelfths(m: i128) -> Number {
        Number::ratio(m, 12) * Number::PI
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

pub(super) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        // Most numbers are small, and a 128-bit division is a function call.
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return small_gcd(a, b).into();
        }
        (a, b) = (b, a % b);
    }
    a
}

fn small_gcd(mut a: u64, mut b: u64) -> u64 {
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
                None => Number::float(-self.to_f64()),
            },
            Repr::Irrational {
                numerator,
                denominator,
                radicand,
                pis,
            } => match numerator.checked_neg() {
                Some(numerator) => Number(Repr::Irrational {
                    numerator,
                    denominator,
                    radicand,
                    pis,
                }),
                None => Number::float(-self.to_f64()),
            },
            Repr::Surd(surd) => Number(Repr::Surd(surd.negative())),
            Float { value, exact } => Number(Float {
                value: -value,
                exact: exact.map(|it| -it),
            }),
            Repr::Beyond(it) => Number(Repr::Beyond(Beyond {
                mantissa: -it.mantissa,
                ..it
            })),
        }
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

    #[test]
    fn overflow_falls_back_to_the_nearest_float() {
        let huge = Number::integer(i128::MAX);
        assert_eq!(
            (huge * huge).to_f64(),
            (i128::MAX as f64) * (i128::MAX as f64)
        );
        assert_eq!(Number::integer(i128::MIN).abs().to_f64(), 2f64.powi(127));
        assert!(!Number::parse_decimal("1e999").is_some_and(Number::fits));
        assert!(!(Number::ONE / Number::ZERO).is_finite());
    }

    fn number(text: &str) -> Number {
        Number::parse_decimal(text).expect("a decimal")
    }

    /// Within a few roundings, in the range of floats.
    #[track_caller]
    fn close(value: Number, expected: f64) {
        assert!(value.fits(), "{value}");
        let error = value.to_f64() / expected - 1.0;
        assert!(error.abs() < 1e-14, "{value}, not {expected:e}");
    }

    #[test]
    fn what_leaves_the_range_of_floats_comes_back() {
        let (large, small) = (number("3e200"), number("7e-250"));
        let (huge, tiny) = (large * large, small * small);
        assert!(!huge.fits() && !tiny.fits() && huge.is_finite() && !tiny.is_zero());
        close(huge / large, 3e200);
        close(tiny / small, 7e-250);
        close(huge * tiny, 9.0 * 49.0 * 1e-100);
        close(
            tiny.recip() / huge * number("1e10"),
            1e-90_f64 / 441.0 * 1e200,
        );
        close(-huge / -large, 3e200);
        close(small.powi(3) * large.powi(4), 343.0 * 81.0 * 1e50);
        close(large.powi(-5) / small.powi(4), 1.0 / (243.0 * 2401.0));
        close((huge * huge).powi(-2) * huge.powi(4), 1.0);
        // Sums of two numbers outside, and of one outside with one inside.
        close((huge + huge) / huge, 2.0);
        close((huge - large) / huge, 1.0);
        let eighth = huge * Number::ratio(1, 8);
        close((huge + eighth) / huge, 1.125);
        close((eighth - huge) / huge, -0.875);
        close((tiny + small) - tiny, 7e-250);
        assert!((huge - huge).is_zero() && (huge * Number::ZERO).is_zero());
        assert!((Number::ZERO / huge).is_zero() && (Number::ZERO / tiny).is_zero());
        let most = Number::float(f64::MAX);
        close((most + most) / Number::integer(4), f64::MAX / 2.0);
        // A subnormal product has lost digits.
        assert!(!(number("1e-160") * number("1e-160")).fits());
        close(
            number("1.2345678901234567e-160").powi(2) * number("1e300"),
            1.5241578753238836e-20,
        );
        let ratio = Number::exp(-1000.0) / Number::exp(-999.0);
        assert!((ratio.to_f64() - (-1.0f64).exp()).abs() < 1e-12, "{ratio}");
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

    #[test]
    fn infinities_and_what_is_no_number_stay_what_they_are() {
        let infinite = Number::ONE / Number::ZERO;
        let undefined = Number::ZERO / Number::ZERO;
        let huge = number("1e400");
        for number in [
            infinite * huge,
            infinite + huge,
            infinite / huge,
            infinite.powi(2),
        ] {
            assert_eq!(number.to_f64(), f64::INFINITY);
            assert!(!number.is_finite() && !number.fits());
        }
        for number in [
            undefined * huge,
            undefined + huge,
            infinite * Number::ZERO,
            infinite - infinite,
        ] {
            assert!(number.to_f64().is_nan(), "{number}");
        }
    }

    /// Decimals of twenty digits, whose products need more than 128 bits.
    #[test]
    fn rounded_numbers_know_their_exact_values() {
        let residue = |it: Number| Residue::of_number(it).expect("a residue");
        let [a, b, c] = [
            "0.12345678901234567891",
            "3.9876543210987654321",
            "7.1111111111111111117",
        ]
        .map(number);
        let [of_a, of_b, of_c] = [a, b, c].map(residue);
        let product = a * b * c;
        assert!(product.as_ratio().is_none());
        assert_eq!(residue(product), of_a * of_b * of_c);
        assert_eq!(
            residue(product / b - product),
            residue(product / b) + -residue(product)
        );
        assert_eq!(
            residue((a * b).powi(-3)) * residue(a * b).pow(3),
            Residue::ONE
        );
        assert_eq!(residue(-product), -residue(product));
        // (a + b) c - a c - b c is 0, however its parts are rounded.
        let none = (a + b) * c * c - a * c * c - b * c * c;
        assert!(none.is_zero() && none == Number::ZERO, "{none}");
        // What rounding alone removes is not 0.
        let (large, small) = (product * product, number("1e-35"));
        let lost = (large + small * product) - large;
        assert!(!lost.is_zero() && lost.to_f64() == 0.0);
        assert_eq!(residue(lost), residue(small) * residue(product));
        // Floats of unknown origin have none.
        assert_eq!(Residue::of_number(Number::float(0.1) * product), None);
    }

    #[test]
    fn roots_are_taken_only_where_exact() {
        assert_eq!(Number::ratio(9, 4).sqrt(), Some(Number::ratio(3, 2)));
        assert_eq!(Number::integer(2).rational_sqrt(), None);
        assert_eq!(Number::integer(-4).sqrt(), None);
    }
}
