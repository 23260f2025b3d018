//! Sums, products and quotients of numbers: exact if the result can be represented exactly.

use std::ops::{Add, Div, Mul, Sub};

use super::beyond::Beyond;
use super::number::Number;

impl Add for Number {
    type Output = Number;
    fn add(self, other: Number) -> Number {
        let exact = || {
            if let (Some(a), Some(b)) = (self.as_integer(), other.as_integer()) {
                return a.checked_add(b).map(Number::integer);
            }
            let sum = self.as_exact()?.plus(other.as_exact()?)?;
            Some(Number::of_exact(sum))
        };
        exact().unwrap_or_else(|| match (self.is_zero(), other.is_zero()) {
            (true, _) => other,
            (_, true) => self,
            _ => self.inexact(other, |a, b| a + b, Beyond::plus),
        })
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
            let product = self.as_exact()?.times(other.as_exact()?)?;
            Some(Number::of_exact(product))
        };
        exact().unwrap_or_else(|| match self.is_zero() || other.is_zero() {
            true if self.is_finite() && other.is_finite() => Number::ZERO,
            _ => self.inexact(other, |a, b| a * b, Beyond::times),
        })
    }
}

impl Div for Number {
    type Output = Number;
    fn div(self, other: Number) -> Number {
        let exact = || {
            let quotient = self.as_exact()?.times(other.as_exact()?.recip()?)?;
            Some(Number::of_exact(quotient))
        };
        exact().unwrap_or_else(|| match self.is_zero() && !other.is_zero() {
            true if other.is_finite() => Number::ZERO,
            _ => self.inexact(other, |a, b| a / b, |a, b| a.times(b.recip()?)),
        })
    }
}
