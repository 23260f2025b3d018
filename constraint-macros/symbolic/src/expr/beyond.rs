//! Numbers outside the normal range of floats: a mantissa with a separate exponent.

/// mantissa · 2^exponent, not zero, with 1 ≤ |mantissa| < 2: representation of a [`Number`] outside the normal range of `f64`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beyond {
    pub mantissa: f64,
    pub exponent: i64,
}

impl Beyond {
    /// Mantissa and exponent of a float; `None` for 0, infinities and NaN.
    pub fn of_float(value: f64) -> Option<Beyond> {
        if value == 0.0 || !value.is_finite() {
            return None;
        }
        const SUBNORMAL: i64 = 64;
        let (value, offset) = if value.is_normal() {
            (value, 0)
        } else {
            (value * power_of_two(SUBNORMAL), -SUBNORMAL)
        };
        const EXPONENT: u64 = 0x7ff << 52;
        let exponent = ((value.to_bits() & EXPONENT) >> 52) as i64 - 1023;
        Some(Beyond {
            mantissa: f64::from_bits(value.to_bits() & !EXPONENT | 1023 << 52),
            exponent: exponent + offset,
        })
    }

    /// `mantissa · 2^exponent` for any mantissa.
    pub fn new(mantissa: f64, exponent: i64) -> Option<Beyond> {
        let parts = Beyond::of_float(mantissa)?;
        Some(Beyond {
            // Only a million nested powers would leave this range of exponents.
            exponent: parts
                .exponent
                .saturating_add(exponent)
                .clamp(-(1 << 60), 1 << 60),
            ..parts
        })
    }

    pub fn times(self, other: Beyond) -> Option<Beyond> {
        Beyond::new(
            self.mantissa * other.mantissa,
            self.exponent + other.exponent,
        )
    }

    pub fn recip(self) -> Option<Beyond> {
        Beyond::new(1.0 / self.mantissa, -self.exponent)
    }

    /// Repeated squaring.
    pub fn powi(self, exponent: i32) -> Option<Beyond> {
        let mut base = if exponent < 0 { self.recip()? } else { self };
        let (mut left, mut power) = (exponent.unsigned_abs(), Beyond::of_float(1.0)?);
        while left > 0 {
            if left % 2 == 1 {
                power = power.times(base)?;
            }
            base = base.times(base)?;
            left /= 2;
        }
        Some(power)
    }

    pub fn plus(self, other: Beyond) -> Option<Beyond> {
        let exponent = self.exponent.max(other.exponent);
        let aligned = |it: Beyond| match it.exponent - exponent {
            // Smaller than the last digit of the larger summand.
            ..-200 => 0.0,
            lower => it.mantissa * power_of_two(lower),
        };
        Beyond::new(aligned(self) + aligned(other), exponent)
    }

    /// log₁₀ of the absolute value.
    pub fn log10(self) -> f64 {
        self.mantissa.abs().log10() + self.exponent as f64 * std::f64::consts::LOG10_2
    }

    /// The float, if it is in the normal range.
    pub fn as_float(self) -> Option<f64> {
        let fits = (-1022..=1023).contains(&self.exponent);
        fits.then(|| self.mantissa * power_of_two(self.exponent))
    }
}

/// 2^exponent, which must be a normal float.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
