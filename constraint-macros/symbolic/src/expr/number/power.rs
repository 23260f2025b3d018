//! Powers and roots: exact if the result can be represented exactly.

use super::{Number, Repr};
use crate::expr::beyond::Beyond;
use crate::expr::field::Residue;
use crate::expr::surd::Surd;

impl Number {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_taken_only_where_exact() {
        assert_eq!(Number::ratio(9, 4).sqrt(), Some(Number::ratio(3, 2)));
        assert_eq!(Number::integer(2).rational_sqrt(), None);
        assert_eq!(Number::integer(-4).sqrt(), None);
    }
}
