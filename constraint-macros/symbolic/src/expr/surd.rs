//! Sums of the roots that turns by parts of π contain: (a + b √2 + c √3 + d √6)/n. Such numbers form a field, so that
//! entries of products of turns, and points that are turned, stay exact.

use crate::expr::MapEach;
use std::fmt;
use std::iter::zip;

use super::exact::{Exact, gcd};

/// (a + b √2 + c √3 + d √6)/n
///
/// Invariant: in lowest terms with n > 0, at least two of a, b, c, d are not 0, and its value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Surd {
    parts: [i64; 4],
    denominator: i64,
}

/// The roots of a, b, c, d.
const RADICANDS: [u32; 4] = [1, 2, 3, 6];

/// A result with a single root is a simpler number.
pub(super) enum Reduced {
    Exact(Exact),
    Surd(Surd),
}

/// a + b √2
type Pair = [i128; 2];

fn times(a: Pair, b: Pair) -> Option<Pair> {
    let roots = a[1].checked_mul(b[1])?.checked_mul(2)?;
    Some([
        a[0].checked_mul(b[0])?.checked_add(roots)?,
        a[0].checked_mul(b[1])?
            .checked_add(a[1].checked_mul(b[0])?)?,
    ])
}

/// a² − n b², the product of a + b √n and a − b √n
fn norm(a: Pair, b: Pair, n: i128) -> Option<Pair> {
    let (a, b) = (times(a, a)?, times(b, b)?);
    let entry = |i: usize| a[i].checked_sub(b[i].checked_mul(n)?);
    Some([entry(0)?, entry(1)?])
}

/// a + b √2 without cancellation: terms of two signs are (a² − 2 b²)/(a − b √2).
fn value([a, b]: Pair) -> Option<f64> {
    let (x, y) = (a as f64, b as f64 * std::f64::consts::SQRT_2);
    if a.signum() * b.signum() >= 0 {
        return Some(x + y);
    }
    Some(norm([a, 0], [b, 0], 2)?[0] as f64 / (x - y))
}

impl Surd {
    /// Reduces any parts over a nonzero denominator; `None` if it cannot be represented.
    fn reduced(parts: [i128; 4], denominator: i128) -> Option<Reduced> {
        let all = parts.iter().map(|it| it.unsigned_abs());
        let divisor = all.fold(denominator.unsigned_abs(), gcd);
        let divisor = i128::try_from(divisor).ok().filter(|&it| it != 0)?;
        let divisor = divisor * denominator.signum();
        let [a, b, c, d] = parts.map_each(|it| it.checked_div(divisor));
        let parts = [a?, b?, c?, d?];
        let denominator = denominator.checked_div(divisor)?;
        let mut others = zip(parts, RADICANDS).filter(|it| it.0 != 0);
        match (others.next(), others.next()) {
            (None, _) => Some(Reduced::Exact(Exact::rational(0, 1))),
            (Some((numerator, radicand)), None) => Some(Reduced::Exact(Exact {
                radicand,
                ..Exact::rational(numerator, denominator)
            })),
            _ => {
                let mut surd = Surd {
                    parts: [0; 4],
                    denominator: i64::try_from(denominator).ok()?,
                };
                for (to, from) in zip(&mut surd.parts, parts) {
                    *to = i64::try_from(from).ok().filter(|it| *it != i64::MIN)?;
                }
                surd.value()?;
                Some(Reduced::Surd(surd))
            }
        }
    }

    /// A number with one of the roots, as a sum of one term.
    pub fn of_exact(exact: Exact) -> Option<Surd> {
        let place = RADICANDS.iter().position(|&it| it == exact.radicand)?;
        let mut surd = Surd {
            parts: [0; 4],
            denominator: i64::try_from(exact.denominator).ok()?,
        };
        surd.parts[place] = i64::try_from(exact.numerator).ok()?;
        (exact.pis == 0).then_some(surd)
    }

    fn wide(self) -> [Pair; 2] {
        let [a, b, c, d] = self.parts.map_each(i128::from);
        [[a, b], [c, d]]
    }

    pub fn plus(self, other: Surd) -> Option<Reduced> {
        let (n, m) = (i128::from(self.denominator), i128::from(other.denominator));
        let mut parts = [0; 4];
        for (to, (a, b)) in zip(&mut parts, zip(self.parts, other.parts)) {
            *to = (i128::from(a) * m).checked_add(i128::from(b) * n)?;
        }
        Surd::reduced(parts, n * m)
    }

    pub fn times(self, other: Surd) -> Option<Reduced> {
        let ([a, b], [c, d]) = (self.wide(), other.wide());
        let (ac, bd) = (times(a, c)?, times(b, d)?);
        let (ad, bc) = (times(a, d)?, times(b, c)?);
        let without = |i: usize| ac[i].checked_add(bd[i].checked_mul(3)?);
        let with = |i: usize| ad[i].checked_add(bc[i]);
        let parts = [without(0)?, without(1)?, with(0)?, with(1)?];
        let denominator = i128::from(self.denominator) * i128::from(other.denominator);
        Surd::reduced(parts, denominator)
    }

    /// Twice multiplied by a conjugate, the denominator has no root: 1/(p + q √3) = (p − q √3)/(p² − 3 q²).
    pub fn recip(self) -> Option<Reduced> {
        let [p, q] = self.wide();
        let rest = norm(p, q, 3)?;
        let denominator = norm([rest[0], 0], [rest[1], 0], 2)?[0];
        let conjugate = [rest[0], rest[1].checked_neg()?];
        let ([a, b], [c, d]) = (times(p, conjugate)?, times(q, conjugate)?);
        let n = i128::from(self.denominator);
        let [a, b, c, d] = [a, b, c, d].map_each(|it| it.checked_mul(n));
        let parts = [a?, b?, c?.checked_neg()?, d?.checked_neg()?];
        (denominator != 0).then(|| Surd::reduced(parts, denominator))?
    }

    /// Its float, a few units of the last place from the value, with the sign of the value; `None` if the parts are too large.
    fn value(self) -> Option<f64> {
        let [p, q] = self.wide();
        let (x, y) = (value(p)?, value(q)? * 3f64.sqrt());
        let exactly = || value(norm(p, q, 3)?);
        let whole = match exactly() {
            Some(norm) if x * y < 0.0 => norm / (x - y),
            // Few digits cancel.
            None if (x + y).abs() < x.abs() / 16.0 => return None,
            _ => x + y,
        };
        Some(whole / self.denominator as f64)
    }

    pub fn to_f64(self) -> f64 {
        self.value().unwrap_or(f64::NAN)
    }

    pub fn negative(self) -> Surd {
        Surd {
            parts: self.parts.map_each(|it| -it),
            ..self
        }
    }

    /// Its terms.
    pub fn terms(self) -> impl Iterator<Item = Exact> {
        let terms = zip(self.parts, RADICANDS).filter(|it| it.0 != 0);
        let denominator = i128::from(self.denominator);
        terms.filter_map(move |(numerator, radicand)| {
            let root = Exact {
                radicand,
                ..Exact::rational(1, 1)
            };
            root.times(Exact::rational(numerator.into(), 1))?
                .times(Exact::rational(denominator, 1).recip()?)
        })
    }

    /// Its terms without the denominator, and the denominator.
    pub fn fraction(self) -> (impl Iterator<Item = (i64, u32)>, i64) {
        let terms = zip(self.parts, RADICANDS).filter(|it| it.0 != 0);
        (terms, self.denominator)
    }
}

/// The sine of m π/12.
pub(super) fn sine_of_twelfths(m: i128) -> Reduced {
    let m = m.rem_euclid(24);
    let (sign, m) = if m < 12 { (1, m) } else { (-1, m - 12) };
    let half_of_root = |radicand| Exact {
        radicand,
        ..Exact::rational(sign.into(), 2)
    };
    Reduced::Exact(match m.min(12 - m) {
        0 => Exact::rational(0, 1),
        2 => half_of_root(1),
        3 => half_of_root(2),
        4 => half_of_root(3),
        6 => Exact::rational(sign.into(), 1),
        // (√6 ∓ √2)/4
        m => {
            return Reduced::Surd(Surd {
                parts: [0, if m == 1 { -sign } else { sign }, 0, sign],
                denominator: 4,
            });
        }
    })
}

/// The spelling of the language: `(1 + sqrt(2))/4`.
impl fmt::Display for Surd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (terms, denominator) = self.fraction();
        write!(f, "(")?;
        for (index, (numerator, radicand)) in terms.enumerate() {
            let size = Exact {
                radicand,
                ..Exact::rational(numerator.unsigned_abs().into(), 1)
            };
            match (index, numerator < 0) {
                (0, false) => write!(f, "{size}")?,
                (0, true) => write!(f, "-{size}")?,
                (_, false) => write!(f, " + {size}")?,
                (_, true) => write!(f, " - {size}")?,
            }
        }
        match denominator {
            1 => write!(f, ")"),
            n => write!(f, ")/{n}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::number::Number;

    /// (a + b √2 + c √3 + d √6)/n, and the same in floats.
    fn surd([a, b, c, d]: [i64; 4], n: i64) -> (Number, f64) {
        let term = |part: i64, radicand: i128| {
            let root = Number::integer(radicand).sqrt().expect("exact");
            Number::ratio(part.into(), n.into()) * root
        };
        let exact = term(a, 1) + term(b, 2) + term(c, 3) + term(d, 6);
        let float = [(a, 1.0), (b, 2.0), (c, 3.0), (d, 6.0)]
            .map(|(part, radicand)| part as f64 * f64::sqrt(radicand));
        (exact, float.iter().sum::<f64>() / n as f64)
    }

    fn cases() -> Vec<(Number, f64)> {
        let mut state = 7_i64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) % 20
        };
        let surd = |_| surd([0; 4].map(|_| random()), random().abs() + 1);
        (0..60).map(surd).filter(|it| !it.0.is_zero()).collect()
    }

    #[track_caller]
    fn close(number: Number, expected: f64) {
        assert!(number.as_terms().is_some(), "{number} is rounded");
        let error = number.to_f64() - expected;
        assert!(
            error.abs() < 1e-12 * (1.0 + expected.abs()),
            "{number}, not {expected}"
        );
    }

    /// Against floats; and what is added, subtracted, multiplied and divided comes back.
    #[test]
    fn they_form_a_field() {
        for (a, x) in cases() {
            for (b, y) in cases() {
                close(a + b, x + y);
                close(a * b, x * y);
                close(a / b, x / y);
                assert_eq!(a + b - b, a);
                assert_eq!(a * b / b, a);
            }
            assert_eq!(a.recip() * a, Number::ONE);
            assert_eq!(a.powi(2) * a.powi(-2), Number::ONE);
            assert!((a - a).is_zero());
        }
    }

    /// (√2 − 1)ⁿ is a + b √2 with large a and b of two signs.
    #[test]
    fn values_and_signs_survive_cancellation() {
        let (step, float) = surd([-1, 1, 0, 0], 1);
        for n in 1..22 {
            let (power, expected) = (step.powi(n), float.powi(n));
            assert!((power.to_f64() / expected - 1.0).abs() < 1e-14, "{power}");
            assert!(!power.is_negative() && (-power).is_negative(), "{power}");
        }
        // 1 + √6 − √2 − √3 = (√2 − 1)(√3 − 1), and its powers.
        let (step, _) = surd([1, -1, -1, 1], 1);
        let expected = (2f64.sqrt() - 1.0) * (3f64.sqrt() - 1.0);
        for n in 1..8 {
            let power = step.powi(n);
            assert!(
                (power.to_f64() / expected.powi(n) - 1.0).abs() < 1e-14,
                "{power}"
            );
        }
    }

    #[test]
    fn sines_of_twelfths_are_those_of_floats() {
        for m in -50..50_i32 {
            let sine = (f64::from(m) * std::f64::consts::PI / 12.0).sin();
            let exact = Number::of_twelfths(m.into()).sin().expect("exact");
            close(exact, sine);
        }
    }

    /// Beyond 64 bits they are rounded.
    #[test]
    fn what_is_too_large_is_rounded() {
        let (large, float) = surd([3, 1, 1, 0], 1);
        let power = large.powi(60);
        assert!(power.as_terms().is_none());
        assert!((power.to_f64() / float.powi(60) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn they_are_written_as_in_the_language() {
        let written = [([1, 1, 0, 0], 4), ([0, -1, 0, 1], 4), ([-2, 0, 3, 0], 1)];
        let written = written.map(|(parts, n)| surd(parts, n).0.to_string());
        let expected = [
            "(1 + sqrt(2))/4",
            "(-sqrt(2) + sqrt(6))/4",
            "(-2 + 3*sqrt(3))",
        ];
        assert_eq!(written, expected);
    }
}
