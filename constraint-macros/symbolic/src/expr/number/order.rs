//! Order of two numbers: by their floats if these differ clearly, otherwise exactly.

use crate::expr::CollectVec;
use std::cmp::Ordering;

use super::Number;
use crate::expr::exact::Exact;

/// By value: 0.5 as a float equals 1/2, and π is greater than the nearest float.
impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        if let (Some(a), Some(b)) = (self.as_integer(), other.as_integer()) {
            return Some(a.cmp(&b));
        }
        let (a, b) = (self.to_f64(), other.to_f64());
        if !self.is_finite() || !other.is_finite() {
            return a.partial_cmp(&b);
        }
        if !self.fits() || !other.fits() {
            let difference = *self - *other;
            return Some(match difference.is_negative() {
                true => Ordering::Less,
                false if difference.is_zero() => Ordering::Equal,
                false => Ordering::Greater,
            });
        }
        // Floats of exact numbers have one rounding for each π in them.
        if (a - b).abs() > 1e-13 * (a.abs() + b.abs()) {
            return a.partial_cmp(&b);
        }
        if self.as_sum_of_roots().is_some() || other.as_sum_of_roots().is_some() {
            let difference = *self - *other;
            return difference.to_f64().partial_cmp(&0.0);
        }
        let order = Size::of(*self)?.compare(&Size::of(*other)?);
        Some(if a < 0.0 { order.reverse() } else { order })
    }
}

/// |r| √n πᵏ, with numerator and denominator of r in arbitrary length.
struct Size {
    numerator: Long,
    denominator: Long,
    radicand: u32,
    pis: i32,
}

impl Size {
    fn of(number: Number) -> Option<Size> {
        let Some(exact) = number.as_exact() else {
            return Size::of_float(number.to_f64());
        };
        let Exact {
            numerator,
            denominator,
            radicand,
            pis,
        } = exact;
        Some(Size {
            numerator: Long::of(numerator.unsigned_abs()),
            denominator: Long::of(denominator.unsigned_abs()),
            radicand,
            pis: pis.into(),
        })
    }

    /// A float is a whole number times a power of two.
    fn of_float(value: f64) -> Option<Size> {
        let bits = value.to_bits();
        let fraction = u128::from(bits & ((1 << 52) - 1));
        let (whole, exponent) = match (bits >> 52) & 0x7ff {
            0x7ff => return None,
            0 => (fraction, -1074),
            exponent => (fraction | 1 << 52, exponent as i32 - 1075),
        };
        let power = Long::power_of_two(exponent.unsigned_abs());
        let one = Long::of(1);
        let (above, below) = if exponent < 0 {
            (one, power)
        } else {
            (power, one)
        };
        Some(Size {
            numerator: Long::of(whole).times(&above),
            denominator: below,
            radicand: 1,
            pis: 0,
        })
    }

    /// Compares the squares, with π to 256 binary digits, because 128 may not suffice.
    fn compare(&self, other: &Size) -> Ordering {
        let (left, right) = (self.scaled_square(other), other.scaled_square(self));
        let pis = 2 * self.pis.abs_diff(other.pis);
        let (pi, unit) = (Long(PI.to_vec()), Long::power_of_two(256));
        let (pi, unit) = (pi.power(pis), unit.power(pis));
        if self.pis > other.pis {
            left.times(&pi).compare(&right.times(&unit))
        } else {
            left.times(&unit).compare(&right.times(&pi))
        }
    }

    /// Its square times that of the other's denominator, without powers of π.
    fn scaled_square(&self, other: &Size) -> Long {
        let side = self.numerator.times(&other.denominator);
        side.times(&side).times(&Long::of(self.radicand.into()))
    }
}

/// The digits of π in base 2⁶⁴, the last first; all but one are after the point.
const PI: [u64; 5] = [
    0x082e_fa98_ec4e_6c89,
    0xa409_3822_299f_31d0,
    0x1319_8a2e_0370_7344,
    0x243f_6a88_85a3_08d3,
    3,
];

/// A natural number of any length: digits in base 2⁶⁴, the last first, without leading zeros.
struct Long(Vec<u64>);

impl Long {
    fn of(value: u128) -> Long {
        Long(vec![value as u64, (value >> 64) as u64]).trimmed()
    }

    fn power_of_two(exponent: u32) -> Long {
        let mut digits = vec![0; (exponent / 64) as usize];
        digits.push(1 << (exponent % 64));
        Long(digits)
    }

    fn trimmed(mut self) -> Long {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    fn times(&self, other: &Long) -> Long {
        let mut digits = vec![0_u64; self.0.len() + other.0.len()];
        for (i, &a) in self.0.iter().enumerate() {
            let mut carried = 0;
            for (digit, &b) in digits[i..].iter_mut().zip(&other.0) {
                let sum = u128::from(a) * u128::from(b) + u128::from(*digit) + carried;
                (*digit, carried) = (sum as u64, sum >> 64);
            }
            digits[i + other.0.len()] = carried as u64;
        }
        Long(digits).trimmed()
    }

    fn power(&self, exponent: u32) -> Long {
        (0..exponent).fold(Long::of(1), |power, _| power.times(self))
    }

    fn compare(&self, other: &Long) -> Ordering {
        let digits = |it: &Long| it.0.iter().rev().copied().collect_vec();
        let lengths = self.0.len().cmp(&other.0.len());
        lengths.then_with(|| digits(self).cmp(&digits(other)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Number {
        Number::parse_decimal(text).expect("a decimal")
    }

    /// π = 3.14159265358979323846264338327950288…, √2 = 1.41421356237309504880168872420969807…,
    /// √2 π = 4.44288293815836624701588099006066…
    #[test]
    fn numbers_whose_floats_are_equal_have_the_order_of_their_digits() {
        let root = Number::integer(2).sqrt().expect("exact");
        for (number, below, above) in [
            (Number::PI, "3.141592653589793", "3.141592653589794"),
            (
                Number::PI,
                "3.14159265358979323846264338327950288",
                "3.14159265358979323846264338327950289",
            ),
            (
                root,
                "1.41421356237309504880168872420969807",
                "1.41421356237309504880168872420969808",
            ),
            (
                root * Number::PI,
                "4.442882938158366247",
                "4.442882938158366248",
            ),
        ] {
            for (a, b) in [(decimal(below), number), (number, decimal(above))] {
                for (a, b) in [(a, b), (-b, -a), (b.recip(), a.recip())] {
                    assert_eq!(a.partial_cmp(&b), Some(Ordering::Less), "{a} < {b}");
                    assert_eq!(b.partial_cmp(&a), Some(Ordering::Greater), "{b} > {a}");
                }
            }
            assert_eq!(number.partial_cmp(&number), Some(Ordering::Equal));
        }
    }

    #[test]
    fn floats_are_compared_by_what_they_are() {
        let float = Number::float(std::f64::consts::PI);
        assert_eq!(Number::PI.partial_cmp(&float), Some(Ordering::Greater));
        let half = Number::float(0.5);
        assert_eq!(half.partial_cmp(&Number::HALF), Some(Ordering::Equal));
        let tenth = Number::float(0.1);
        assert_eq!(
            tenth.partial_cmp(&Number::ratio(1, 10)),
            Some(Ordering::Greater)
        );
        let least = Number::float(f64::MIN_POSITIVE / 4.0);
        assert_eq!(least.partial_cmp(&least), Some(Ordering::Equal));
        assert_eq!((-least).partial_cmp(&Number::ZERO), Some(Ordering::Less));
        let undefined = Number::ZERO / Number::ZERO;
        assert_eq!(undefined.partial_cmp(&Number::ONE), None);
    }

    /// 355/113 is π to 3 10⁻⁷, and larger; convergents of √2 alternate.
    #[test]
    fn convergents_lie_on_both_sides() {
        assert!(Number::ratio(355, 113) > Number::PI);
        let root = Number::integer(2).sqrt().expect("exact");
        let (mut p, mut q) = (1_i128, 1_i128);
        for k in 0..90 {
            let below = k % 2 == 0;
            assert_eq!(Number::ratio(p, q) < root, below, "{p}/{q}");
            (p, q) = (p + 2 * q, p + q);
        }
    }
}
