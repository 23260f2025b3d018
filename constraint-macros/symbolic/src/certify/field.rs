//! Numbers modulo the prime 2⁶¹ − 1.

use std::ops::{Add, Mul, Neg, Sub};

use crate::expr::Number;

/// A prime of which products are reduced by shifts; −1 is no square modulo it.
const PRIME: u64 = (1 << 61) - 1;

/// An element of the field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Residue(u64);

impl Residue {
    pub const ZERO: Residue = Residue(0);
    pub const ONE: Residue = Residue(1);

    /// What a whole number becomes.
    pub fn of(value: i64) -> Residue {
        Residue(value.rem_euclid(PRIME as i64) as u64)
    }

    /// What an exact number becomes; none for what has been rounded.
    pub fn of_number(number: Number) -> Option<Residue> {
        let (numerator, denominator) = number.as_ratio()?;
        let whole = |value: i128| match i64::try_from(value) {
            Ok(value) => Residue::of(value),
            Err(_) => Residue(value.rem_euclid(PRIME.into()) as u64),
        };
        if denominator == 1 {
            return Some(whole(numerator));
        }
        Some(whole(numerator) * whole(denominator).recip()?)
    }

    /// Some element for some bits.
    pub fn of_bits(bits: u64) -> Residue {
        Residue(bits % PRIME)
    }

    /// The bits that tell it from others.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// What a float becomes, if it is whole.
    pub fn of_whole(value: f64) -> Option<Residue> {
        Residue::of_number(Number::float(value))
    }

    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// One of x and −x is.
    pub fn is_in_upper_half(self) -> bool {
        self.0 > PRIME / 2
    }

    /// The whole number, where it is a small one.
    pub fn as_small(self) -> Option<i64> {
        let signed = if self.is_in_upper_half() {
            self.0 as i64 - PRIME as i64
        } else {
            self.0 as i64
        };
        (signed.abs() <= SMALL).then_some(signed)
    }

    /// Numerator and positive denominator, where their product is small; of random elements one in 2¹⁵ passes for such a
    /// fraction.
    pub fn as_small_fraction(self) -> Option<(i64, i64)> {
        // Euclid's algorithm: each remainder is the element times a cofactor, whose signs alternate.
        let (mut rest, mut next) = (PRIME as i64, self.0 as i64);
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

    /// The inverse, by Euclid's algorithm; none of 0.
    pub fn recip(self) -> Option<Residue> {
        if self.0 == 0 {
            return None;
        }
        let (mut rest, mut next) = (PRIME as i64, self.0 as i64);
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

    /// One of the two square roots, where there are some: s^((p + 1)/4).
    pub fn sqrt(self) -> Option<Residue> {
        let mut root = self;
        for _ in 0..59 {
            root = root * root;
        }
        (root * root == self).then_some(root)
    }
}

/// What counts as a small number,
const SMALL: i64 = 1 << 20;
/// and as one of numerator times denominator.
const SMALL_PRODUCT: i64 = 1 << 40;

impl Add for Residue {
    type Output = Residue;
    fn add(self, other: Residue) -> Residue {
        let sum = self.0 + other.0;
        Residue(if sum >= PRIME { sum - PRIME } else { sum })
    }
}

impl Sub for Residue {
    type Output = Residue;
    fn sub(self, other: Residue) -> Residue {
        self + -other
    }
}

impl Neg for Residue {
    type Output = Residue;
    fn neg(self) -> Residue {
        Residue(if self.0 == 0 { 0 } else { PRIME - self.0 })
    }
}

impl Mul for Residue {
    type Output = Residue;
    fn mul(self, other: Residue) -> Residue {
        let product = u128::from(self.0).wrapping_mul(u128::from(other.0));
        // 2⁶¹ is 1.
        let sum = (product as u64 & PRIME) + (product >> 61) as u64;
        Residue(if sum >= PRIME { sum - PRIME } else { sum })
    }
}
