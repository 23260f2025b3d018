//! Angles that are multiples of π/12, whose sines and cosines are exact.

use super::Number;
use crate::expr::surd::sine_of_twelfths;

impl Number {
    /// Limit on the twelfths of π that are removed from angles: beyond it, floats do not distinguish quarters of a turn,
    /// and the certificate does not distinguish multiples of π from leaves.
    pub const MOST_TWELFTHS: i64 = 1 << 39;

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
