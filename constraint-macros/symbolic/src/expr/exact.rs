//! Exact numbers r √n πᵏ: rational numbers, their roots, and fractions of a turn.
//!
//! Products, quotients and powers stay exact, and so do sums of two that differ only in r. Those of roots that turns
//! contain are in `surd.rs`; all others are rounded.

use std::fmt;

/// numerator/denominator · √radicand · π^pis, with a fraction in lowest terms, a positive denominator and a radicand
/// that is square-free; 0 has neither root nor π.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Exact {
    pub numerator: i128,
    pub denominator: i128,
    pub radicand: u32,
    pub pis: i8,
}

/// Larger radicands are not searched for square factors.
const MAX_RADICAND: u128 = 1_000_000;

impl Exact {
    pub const PI: Exact = Exact {
        pis: 1,
        ..Exact::rational(1, 1)
    };

    /// A fraction in lowest terms.
    pub const fn rational(numerator: i128, denominator: i128) -> Exact {
        Exact {
            numerator,
            denominator,
            radicand: 1,
            pis: 0,
        }
    }

    pub fn is_rational(self) -> bool {
        (self.radicand, self.pis) == (1, 0)
    }

    /// Reduces any fraction with a nonzero denominator.
    fn reduced(numerator: i128, denominator: i128, radicand: u32, pis: i8) -> Option<Exact> {
        if numerator == 0 {
            return Some(Exact::rational(0, 1));
        }
        let divisor = match denominator {
            1 => 1,
            _ => gcd(numerator.unsigned_abs(), denominator.unsigned_abs()),
        };
        if divisor == 1 && denominator > 0 {
            return Some(Exact {
                numerator,
                denominator,
                radicand,
                pis,
            });
        }
        let divisor = i128::try_from(divisor).ok().filter(|&it| it != 0)?;
        let divisor = if denominator < 0 { -divisor } else { divisor };
        Some(Exact {
            numerator: numerator.checked_div(divisor)?,
            denominator: denominator.checked_div(divisor)?,
            radicand,
            pis,
        })
    }

    pub fn negative(self) -> Option<Exact> {
        Some(Exact {
            numerator: self.numerator.checked_neg()?,
            ..self
        })
    }

    pub fn times(self, other: Exact) -> Option<Exact> {
        let mut numerator = self.numerator.checked_mul(other.numerator)?;
        let radicand = match (self.radicand, other.radicand) {
            (1, n) | (n, 1) => n,
            // √n √m is g √(n/g · m/g) with their greatest common divisor g.
            (n, m) => {
                let common = u32::try_from(gcd(n.into(), m.into())).ok()?;
                numerator = numerator.checked_mul(common.into())?;
                let radicand = (n / common).checked_mul(m / common)?;
                Some(radicand).filter(|&it| u128::from(it) <= MAX_RADICAND)?
            }
        };
        let denominator = self.denominator.checked_mul(other.denominator)?;
        let pis = self.pis.checked_add(other.pis)?;
        Exact::reduced(numerator, denominator, radicand, pis)
    }

    /// 1/(r √n πᵏ) = √n π⁻ᵏ/(r n); `None` for 0.
    pub fn recip(self) -> Option<Exact> {
        if self.numerator == 0 {
            return None;
        }
        let pis = self.pis.checked_neg()?;
        if self.radicand == 1 && self.numerator > 0 {
            return Some(Exact {
                pis,
                ..Exact::rational(self.denominator, self.numerator)
            });
        }
        let numerator = self.numerator.checked_mul(self.radicand.into())?;
        Exact::reduced(self.denominator, numerator, self.radicand, pis)
    }

    pub fn plus(self, other: Exact) -> Option<Exact> {
        if self.numerator == 0 {
            return Some(other);
        }
        if other.numerator == 0 {
            return Some(self);
        }
        let (a, b) = (self.numerator, self.denominator);
        let (c, d) = (other.numerator, other.denominator);
        let numerator = a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?;
        let sum = Exact::reduced(numerator, b.checked_mul(d)?, self.radicand, self.pis);
        sum.filter(|_| (self.radicand, self.pis) == (other.radicand, other.pis))
    }

    /// Repeated squaring.
    pub fn powi(self, exponent: i32) -> Option<Exact> {
        let mut base = if exponent < 0 { self.recip()? } else { self };
        let (mut left, mut power) = (exponent.unsigned_abs(), Exact::rational(1, 1));
        while left > 0 {
            if left % 2 == 1 {
                power = power.times(base)?;
            }
            left /= 2;
            if left > 0 {
                base = base.times(base)?;
            }
        }
        Some(power)
    }

    /// The root of a fraction ≥ 0: √(n/d) = √(n d)/d.
    pub fn sqrt(self) -> Option<Exact> {
        let numerator = u128::try_from(self.numerator).ok()?;
        let denominator = u128::try_from(self.denominator).ok()?;
        if !self.is_rational() || numerator == 0 {
            return self
                .is_rational()
                .then_some(self)
                .filter(|_| numerator == 0);
        }
        let (above, inside) = without_squares(numerator)?;
        let (below, under) = without_squares(denominator)?;
        let radicand = inside.checked_mul(under).filter(|&it| it <= MAX_RADICAND)?;
        Exact::reduced(
            i128::try_from(above).ok()?,
            i128::try_from(below.checked_mul(under)?).ok()?,
            u32::try_from(radicand).ok()?,
            0,
        )
    }

    pub fn to_f64(self) -> f64 {
        let (n, d) = (self.numerator, self.denominator);
        // The root of a single fraction has one rounding less than a product with a root.
        let square = || {
            let n = n.checked_mul(n)?.checked_mul(self.radicand.into())?;
            Some((n as f64, d.checked_mul(d)? as f64))
        };
        let (numerator, denominator) = match square() {
            _ if self.radicand == 1 => (n as f64, d as f64),
            Some((n2, d2)) if self.pis == 0 => return (n2 / d2).sqrt().copysign(n as f64),
            _ => (n as f64 * f64::from(self.radicand).sqrt(), d as f64),
        };
        let turns = std::f64::consts::PI.powi(i32::from(self.pis).abs());
        if self.pis < 0 {
            numerator / (denominator * turns)
        } else {
            numerator * turns / denominator
        }
    }
}

/// The spelling of the language: `2*PI/3`, `sqrt(2)/2`.
impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let power = |pis: i8| match pis {
            1 => "PI".to_owned(),
            _ => format!("PI^{pis}"),
        };
        let mut factors = Vec::new();
        match self.numerator {
            -1 => write!(f, "-")?,
            1 => {}
            n => factors.push(n.to_string()),
        }
        if self.radicand != 1 {
            factors.push(format!("sqrt({})", self.radicand));
        }
        if self.pis > 0 {
            factors.push(power(self.pis));
        }
        if factors.is_empty() {
            factors.push("1".to_owned());
        }
        write!(f, "{}", factors.join("*"))?;
        if self.denominator != 1 {
            write!(f, "/{}", self.denominator)?;
        }
        if self.pis < 0 {
            write!(f, "/{}", power(self.pis.saturating_neg()))?;
        }
        Ok(())
    }
}

/// a and b with n = a² b, b square-free; `None` if the search would take long.
fn without_squares(mut n: u128) -> Option<(u128, u128)> {
    let root = n.isqrt();
    if root * root == n {
        return Some((root, 1));
    }
    let (mut outside, mut inside, mut prime) = (1, 1, 2);
    while prime * prime * prime <= n {
        if prime > 1000 {
            return None;
        }
        while n.is_multiple_of(prime * prime) {
            n /= prime * prime;
            outside *= prime;
        }
        if n.is_multiple_of(prime) {
            n /= prime;
            inside *= prime;
        }
        prime += 1;
    }
    // The rest is 1, a prime, or a product of two primes.
    let root = n.isqrt();
    if root * root == n {
        return Some((outside * root, inside));
    }
    Some((outside, inside * n))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_leave_roots() {
        for n in 1..2000_u128 {
            let (outside, inside) = without_squares(n).expect("small");
            assert_eq!(outside * outside * inside, n);
            assert!((2..50).all(|p| inside % (p * p) != 0), "{n}: {inside}");
        }
        let (p, q) = (999_983, 1_000_003);
        assert_eq!(without_squares(p * p), Some((p, 1)));
        assert_eq!(without_squares(12 * p), Some((2, 3 * p)));
        assert_eq!(without_squares(p * p * 4), Some((2 * p, 1)));
        assert_eq!(without_squares(p * q * q), None);
    }

    /// Against two roundings of the same in floats.
    #[test]
    fn floats_of_exact_numbers_are_near() {
        let number = |numerator, denominator, radicand, pis| Exact {
            radicand,
            pis,
            ..Exact::rational(numerator, denominator)
        };
        let pi = std::f64::consts::PI;
        for (exact, expected) in [
            (number(1, 2, 2, 0), std::f64::consts::FRAC_1_SQRT_2),
            (number(-1, 3, 3, 0), -(1.0f64 / 3.0).sqrt()),
            (number(5, 6, 1, 1), 5.0 * pi / 6.0),
            (number(-3, 2, 1, -2), -1.5 / (pi * pi)),
            (number(1, 6, 3, 1), 3f64.sqrt() * pi / 6.0),
            (number(10i128.pow(30), 1, 2, 0), 1e30 * 2f64.sqrt()),
        ] {
            let error = exact.to_f64() / expected - 1.0;
            assert!(error.abs() < 5e-16, "{exact}: {error:e}");
        }
    }

    #[test]
    fn numbers_are_written_as_in_the_language() {
        let root = Exact::rational(2, 9).sqrt().expect("exact");
        let written = [
            root,
            Exact::PI,
            Exact::PI.recip().expect("not 0"),
            root.times(Exact::PI).expect("small"),
            Exact::rational(-7, 1),
            Exact::rational(-2, 3)
                .times(Exact::PI)
                .and_then(|it| it.powi(2))
                .expect("small"),
        ];
        let written = written.map(|it| it.to_string()).join(" ");
        assert_eq!(written, "sqrt(2)/3 PI 1/PI sqrt(2)*PI/3 -7 4*PI^2/9");
    }
}
