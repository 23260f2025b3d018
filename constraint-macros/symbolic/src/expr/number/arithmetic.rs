//! Sums, products and quotients of numbers: exact if the result can be represented exactly.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Number, Repr};
use crate::expr::beyond::Beyond;
use crate::expr::exact::Exact;
use crate::expr::field::Residue;
use crate::expr::surd::Surd;

impl Add for Number {
    type Output = Number;
    fn add(self, other: Number) -> Number {
        let exact = || {
            if let (Some(a), Some(b)) = (self.as_integer(), other.as_integer()) {
                return a.checked_add(b).map(Number::integer);
            }
            if let (Some(a), Some(b)) = (self.as_exact(), other.as_exact())
                && let Some(sum) = a.plus(b)
            {
                return Some(Number::of_exact(sum));
            }
            self.of_surds(other, Surd::plus)
        };
        exact().unwrap_or_else(|| match (self.is_zero(), other.is_zero()) {
            (true, _) => other,
            (_, true) => self,
            _ => self.rounded_sum(other),
        })
    }
}

impl Number {
    /// The result in floats if it is in their normal range; otherwise the result from mantissas and exponents.
    fn inexact(
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
    fn with_residues(
        self,
        other: Number,
        residues: fn(Residue, Residue) -> Option<Residue>,
    ) -> Option<Residue> {
        residues(Residue::of_number(self)?, Residue::of_number(other)?)
    }

    /// A sum that cannot be represented exactly. It is 0 if and only if the exact numbers cancel, as far as these are known.
    fn rounded_sum(self, other: Number) -> Number {
        let add = |a: Residue, b: Residue| Some(a + b);
        let sum = self.inexact(other, |a, b| a + b, Beyond::plus, add);
        let Some(exact) = self.with_residues(other, add) else {
            return sum;
        };
        match exact.is_zero() {
            true if sum.to_f64().abs() < 1e-12 * self.to_f64().abs() => Number::ZERO,
            false if sum.is_zero() => Number::rounded(0.0, Some(exact)),
            _ => sum,
        }
    }
}

impl Sub for Number {
    type Output = Number;
    fn sub(self, other: Number) -> Number {
        self + -other
    }
}

impl Mul for Number {
    type Output = Number;
    fn mul(self, other: Number) -> Number {
        // Nearly all coefficients of terms and factors are 1.
        if self.is_one() {
            return other;
        }
        if other.is_one() {
            return self;
        }
        let exact = || {
            if let (Some(a), Some(b)) = (self.as_integer(), other.as_integer()) {
                return a.checked_mul(b).map(Number::integer);
            }
            match (self.as_exact(), other.as_exact()) {
                (Some(a), Some(b)) => a.times(b).map(Number::of_exact),
                _ => self.of_surds(other, Surd::times),
            }
        };
        exact().unwrap_or_else(|| match self.is_zero() || other.is_zero() {
            true if self.is_finite() && other.is_finite() => Number::ZERO,
            _ => self.inexact(other, |a, b| a * b, Beyond::times, |a, b| Some(a * b)),
        })
    }
}

impl Div for Number {
    type Output = Number;
    fn div(self, other: Number) -> Number {
        let exact = || match (self.as_exact(), other.as_exact()) {
            (Some(a), Some(b)) => a.times(b.recip()?).map(Number::of_exact),
            (_, Some(b)) => self.of_surds(Number::of_exact(b.recip()?), Surd::times),
            _ => {
                let inverse = Number::of_reduced(other.as_surd()?.recip()?);
                self.of_surds(inverse, Surd::times)
            }
        };
        exact().unwrap_or_else(|| match self.is_zero() && !other.is_zero() {
            true if other.is_finite() => Number::ZERO,
            _ => {
                let parts = |a: Beyond, b: Beyond| a.times(b.recip()?);
                self.inexact(other, |a, b| a / b, parts, |a, b| Some(a * b.recip()?))
            }
        })
    }
}

impl Neg for Number {
    type Output = Number;
    fn neg(self) -> Number {
        match self.0 {
            Repr::Ratio { .. } | Repr::Irrational { .. } => {
                let exact = self.as_exact().and_then(Exact::negative);
                exact.map_or_else(|| Number::float(-self.to_f64()), Number::of_exact)
            }
            Repr::Surd(surd) => Number(Repr::Surd(surd.negative())),
            Repr::Float { value, exact } => Number(Repr::Float {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
