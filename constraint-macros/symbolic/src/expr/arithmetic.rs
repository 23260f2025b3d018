//! Sums, products and quotients of numbers: exact if the result can be represented exactly.

use std::ops::{Add, Div, Mul, Sub};

use super::beyond::Beyond;
use super::field::Residue;
use super::number::Number;
use super::surd::Surd;

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
