//! Numbers x + i y modulo the prime 2⁶¹ − 1. Since −1 is no square modulo it, every number without i has a root here.

use crate::expr::MapEach;
use std::ops::{Add, Mul, Neg, Sub};

use super::number::Number;

/// A Mersenne prime, so that products are reduced by shifts.
const PRIME: u64 = (1 << 61) - 1;

/// An element of the field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Residue {
    /// x; most elements have no other part.
    real: u64,
    /// y
    imaginary: u64,
}

impl Residue {
    pub const ZERO: Residue = Residue::real(0);
    pub const ONE: Residue = Residue::real(1);
    /// (p + 1)/2
    pub const HALF: Residue = Residue::real(PRIME.div_ceil(2));

    /// 12/π. Any element serves, because π is no root of a polynomial with rational coefficients; these are digits of
    /// π.
    const TWELVE_BY_PI: Residue = Residue::real(0x1921_fb54_4442_d184 % PRIME);

    const fn real(real: u64) -> Residue {
        Residue { real, imaginary: 0 }
    }

    /// The residue of an integer.
    pub fn of(value: i64) -> Residue {
        Residue::real(value.rem_euclid(PRIME as i64) as u64)
    }

    /// The residue of an exact number, or of the exact value of a rounded one; `None` if that is not known.
    pub fn of_number(number: Number) -> Option<Residue> {
        if let Some(exact) = number.residue_of_rounded() {
            return Some(exact);
        }
        if number.as_irrational().is_none() {
            let terms = number.as_terms()?.into_iter().map(Residue::of_number);
            return terms.reduce(|sum, term| Some(sum? + term?))?;
        }
        let (fraction, radicand, pis) = number.as_irrational()?;
        let (numerator, denominator) = fraction.as_ratio()?;
        if (radicand, pis) != (1, 0) {
            let inverse = Residue::TWELVE_BY_PI * Residue::of(12).recip()?;
            let powers = inverse.pow(pis.unsigned_abs().into());
            let powers = if pis < 0 { powers } else { powers.recip()? };
            return Some(Residue::of_number(fraction)? * Residue::root_of(radicand)? * powers);
        }
        let whole = |value: i128| match i64::try_from(value) {
            Ok(value) => Residue::of(value),
            Err(_) => Residue::real(value.rem_euclid(PRIME.into()) as u64),
        };
        if denominator == 1 {
            return Some(whole(numerator));
        }
        Some(whole(numerator) * whole(denominator).recip()?)
    }

    /// √n, the product of the roots of its prime factors.
    fn root_of(mut n: u32) -> Option<Residue> {
        let (mut root, mut prime) = (Residue::ONE, 2);
        while n > 1 {
            if prime * prime > n {
                prime = n;
            }
            if n.is_multiple_of(prime) {
                let of_prime = Residue::of(prime.into()).sqrt()?;
                let lower = if of_prime.is_in_upper_half() {
                    -of_prime
                } else {
                    of_prime
                };
                root = root * lower;
                n /= prime;
            } else {
                prime += 1;
            }
        }
        Some(root)
    }

    /// The angle, if it is a multiple of π/12, by which the angles of program and text may differ.
    pub fn as_part_of_turn(self) -> Option<Number> {
        let twelfths = (self * Residue::TWELVE_BY_PI).as_whole(2 * Number::MOST_TWELFTHS)?;
        Some(Number::of_twelfths(twelfths.into()))
    }

    /// Exact numbers with this residue: a small multiple of π/12, a small fraction, or one times √2, which is 2³¹ here,
    /// or √3.
    pub fn as_numbers(self) -> impl Iterator<Item = Number> {
        let by_root = move |n: i128| {
            let root = Number::integer(n).sqrt()?;
            let times = self * Residue::of_number(root)?.recip()?;
            Some(times.as_fraction()? * root)
        };
        let fractions = [1, 2, 3].into_iter().filter_map(by_root);
        self.as_part_of_turn().into_iter().chain(fractions)
    }

    /// A small fraction with this residue.
    pub fn as_fraction(self) -> Option<Number> {
        let (n, d) = self.as_small_fraction()?;
        Some(Number::ratio(n.into(), d.into()))
    }

    /// An element without i, from some bits.
    pub fn of_bits(bits: u64) -> Residue {
        Residue::real(bits % PRIME)
    }

    /// Bits for hashing.
    pub fn bits(self) -> u64 {
        self.real ^ self.imaginary.rotate_left(32)
    }

    /// True for elements without i.
    pub fn is_real(self) -> bool {
        self.imaginary == 0
    }

    #[inline(always)]
    pub fn is_zero(self) -> bool {
        self.real | self.imaginary == 0
    }

    /// True for exactly one of x and −x.
    pub fn is_in_upper_half(self) -> bool {
        let first = match self.imaginary {
            0 => self.real,
            imaginary => imaginary,
        };
        first > PRIME / 2
    }

    /// The integer, if it is small.
    pub fn as_small(self) -> Option<i64> {
        self.as_whole(SMALL)
    }

    /// The integer, if its size is at most `most`.
    fn as_whole(self, most: i64) -> Option<i64> {
        let signed = if self.is_in_upper_half() {
            self.real as i64 - PRIME as i64
        } else {
            self.real as i64
        };
        (self.imaginary == 0 && signed.abs() <= most).then_some(signed)
    }

    /// True for such small fractions that only one random element in 2⁴¹ passes for one.
    pub fn is_tiny_fraction(self) -> bool {
        let fraction = self.as_small_fraction();
        fraction.is_some_and(|(n, d)| n.abs() * d <= TINY_PRODUCT)
    }

    /// Numerator and positive denominator, if their product is small; one random element in 2¹⁵ passes for such a
    /// fraction.
    pub fn as_small_fraction(self) -> Option<(i64, i64)> {
        if self.imaginary != 0 {
            return None;
        }
        // Euclid's algorithm: each remainder is the element times a cofactor, whose signs alternate.
        let (mut rest, mut next) = (PRIME as i64, self.real as i64);
        let (mut factor, mut following) = (0_i64, 1_i64);
        loop {
            let size = next.checked_mul(following.abs());
            if size.is_some_and(|size| size <= SMALL_PRODUCT) {
                return Some((next * following.signum(), following.abs()));
            }
            if next <= 1 {
                return None;
            }
            let quotient = rest / next;
            (rest, next) = (next, rest - quotient * next);
            (factor, following) = (following, factor - quotient * following);
        }
    }

    /// x − i y
    fn conjugate(self) -> Residue {
        Residue {
            imaginary: negative(self.imaginary),
            ..self
        }
    }

    /// The inverse, by Euclid's algorithm; `None` for 0.
    pub fn recip(self) -> Option<Residue> {
        if self.imaginary != 0 {
            let inverse = (self * self.conjugate()).recip()?;
            return Some(self.conjugate() * inverse);
        }
        if self.real == 0 {
            return None;
        }
        let (mut rest, mut next) = (PRIME as i64, self.real as i64);
        let (mut factor, mut following) = (0_i64, 1_i64);
        while next > 1 {
            let quotient = rest / next;
            (rest, next) = (next, rest - quotient * next);
            (factor, following) = (following, factor - quotient * following);
        }
        Some(Residue::of(following))
    }

    pub fn pow(self, mut exponent: u64) -> Residue {
        let (mut base, mut power) = (self, Residue::ONE);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = power * base;
            }
            exponent >>= 1;
            if exponent > 0 {
                base = base * base;
            }
        }
        power
    }

    /// One of the two square roots, if there are any: numbers without i have them, and half of the others.
    pub fn sqrt(self) -> Option<Residue> {
        if self.imaginary == 0 {
            let root = power_of_root(self.real);
            // Else −x is a square.
            let is_square = product(root, root) == self.real;
            return Some(if is_square {
                Residue::real(root)
            } else {
                Residue {
                    real: 0,
                    imaginary: power_of_root(negative(self.real)),
                }
            });
        }
        // (a + i b)² = x + i y, so that a² = (x ± √(x² + y²))/2 and b = y/(2 a).
        let square = (self * self.conjugate()).real;
        let size = power_of_root(square);
        let half = PRIME.div_ceil(2);
        let candidates =
            [size, negative(size)].map_each(|size| product(sum(self.real, size), half));
        candidates.into_iter().find_map(|it| {
            let a = Residue::real(power_of_root(it));
            let b = Residue::real(self.imaginary) * (a + a).recip()?;
            let root = Residue {
                real: a.real,
                imaginary: b.real,
            };
            (root * root == self).then_some(root)
        })
    }
}

/// s^((p + 1)/4): a root of s if s has one.
fn power_of_root(s: u64) -> u64 {
    (0..59).fold(s, |root, _| product(root, root))
}

// Macros run unoptimised, where a call costs more than these operations; hence `inline(always)`.

#[inline(always)]
fn sum(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

#[inline(always)]
fn negative(a: u64) -> u64 {
    if a == 0 { 0 } else { PRIME - a }
}

#[inline(always)]
fn product(a: u64, b: u64) -> u64 {
    let product = (a as u128).wrapping_mul(b as u128);
    // 2⁶¹ is 1.
    sum(product as u64 & PRIME, (product >> 61) as u64)
}

/// Limit of small integers.
const SMALL: i64 = 1 << 20;
/// Limit of numerator times denominator.
const SMALL_PRODUCT: i64 = 1 << 40;
/// This limit for fractions that must not be confused with random elements.
const TINY_PRODUCT: i64 = 1 << 19;

impl Add for Residue {
    type Output = Residue;
    #[inline(always)]
    fn add(self, other: Residue) -> Residue {
        let real = sum(self.real, other.real);
        if self.imaginary | other.imaginary == 0 {
            return Residue { real, imaginary: 0 };
        }
        Residue {
            real,
            imaginary: sum(self.imaginary, other.imaginary),
        }
    }
}

impl Sub for Residue {
    type Output = Residue;
    #[inline(always)]
    fn sub(self, other: Residue) -> Residue {
        self + -other
    }
}

impl Neg for Residue {
    type Output = Residue;
    #[inline(always)]
    fn neg(self) -> Residue {
        Residue {
            real: negative(self.real),
            imaginary: negative(self.imaginary),
        }
    }
}

impl Mul for Residue {
    type Output = Residue;
    #[inline(always)]
    fn mul(self, other: Residue) -> Residue {
        if self.imaginary | other.imaginary == 0 {
            let real = product(self.real, other.real);
            return Residue { real, imaginary: 0 };
        }
        self.complex_product(other)
    }
}

impl Residue {
    fn complex_product(self, other: Residue) -> Residue {
        let (a, b) = (self, other);
        let real = product(a.real, b.real);
        let both = product(a.imaginary, b.imaginary);
        let crossed = sum(product(a.real, b.imaginary), product(a.imaginary, b.real));
        Residue {
            real: sum(real, negative(both)),
            imaginary: crossed,
        }
    }
}
