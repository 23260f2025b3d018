//! Sums without rounding.

use alloc::vec::Vec;

/// Bits of a digit.
const BITS: i32 = 32;

/// Sums of less than 2³³ that a digit may accumulate before it carries.
const MOST_PENDING: u32 = 1 << 28;

/// A sum of floats and of products of two floats, without rounding: independent of the order of the terms.
///
/// Value: Σ dₖ 2³²⁽ᶠ⁺ᵏ⁾, of digits dₖ from the place f on. Digits carry late, so that one term changes a few of them.
///
/// # Source
/// [Kulisch 2013] U. Kulisch, *Computer Arithmetic and Validity*, 2nd edition, chapter 8: a fixed point that holds every
/// product of two floats; kept here only as far as there are digits.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde-no-std", serde(try_from = "Digits", into = "Digits"))]
pub(super) struct ExactSum {
    first: i32,
    digits: Vec<i64>,
    /// Terms since digits last carried.
    pending: u32,
}

impl ExactSum {
    /// Adds a finite number.
    pub(super) fn add(&mut self, x: f64) {
        let (negative, mantissa, exponent) = decoded(x);
        self.add_scaled(negative, mantissa.into(), exponent);
    }

    /// Adds the product of two finite numbers.
    pub(super) fn add_product(&mut self, x: f64, y: f64) {
        let (negative, mantissa, exponent) = decoded(x);
        let (other_negative, other_mantissa, other_exponent) = decoded(y);
        let product = u128::from(mantissa) * u128::from(other_mantissa);
        self.add_scaled(
            negative != other_negative,
            product,
            exponent + other_exponent,
        );
    }

    /// Adds another sum.
    pub(super) fn merge(&mut self, other: &Self) {
        self.add_times(other, 1.0);
    }

    /// Adds a sum times a finite number.
    pub(super) fn add_times(&mut self, other: &Self, factor: f64) {
        let (negative, mantissa, exponent) = decoded(factor);
        let other = other.clone().canonical();
        for (place, &digit) in (other.first..).zip(&other.digits) {
            let product = u128::from(mantissa) * u128::from(digit.unsigned_abs());
            self.add_scaled(negative != (digit < 0), product, exponent + BITS * place);
        }
    }

    /// The sum, rounded to the nearest float.
    pub(super) fn value(&self) -> f64 {
        let mut sum = self.clone().canonical();
        let negative = sum.digits.last().is_some_and(|&digit| digit < 0);
        if negative {
            sum.digits.iter_mut().for_each(|digit| *digit = -*digit);
            sum = sum.canonical();
        }
        let (rest, leading) = sum.digits.split_at(sum.digits.len().saturating_sub(4));
        let leading = leading.iter().rev();
        let mut mantissa = leading.fold(0_u128, |value, &digit| value << BITS | digit as u128);
        // Only whether the rest is zero matters: at least 97 bits lie above it.
        mantissa |= u128::from(rest.iter().any(|&digit| digit != 0));
        let size = times_power_of_two(mantissa as f64, BITS * (sum.first + rest.len() as i32));
        if negative { -size } else { size }
    }

    /// Adds ± m 2ᵉ.
    fn add_scaled(&mut self, negative: bool, mut mantissa: u128, exponent: i32) {
        if mantissa == 0 {
            return;
        }
        if self.pending == MOST_PENDING {
            self.carry();
        }
        self.pending += 1;
        let (place, shift) = (exponent.div_euclid(BITS), exponent.rem_euclid(BITS));
        let sign = if negative { -1 } else { 1 };
        let digits = (u128::BITS - mantissa.leading_zeros()).div_ceil(BITS as u32) as usize + 1;
        let start = self.reach(place, digits);
        let mut at = start;
        while mantissa != 0 {
            let part = u64::from(mantissa as u32) << shift;
            self.digits[at] += sign * i64::from(part as u32);
            self.digits[at + 1] += sign * (part >> BITS) as i64;
            mantissa >>= BITS;
            at += 1;
        }
    }

    /// Provides so many digits from a place on; returns the index of the first.
    fn reach(&mut self, place: i32, digits: usize) -> usize {
        if self.digits.is_empty() {
            self.first = place;
        }
        if place < self.first {
            let missing = (self.first - place) as usize;
            self.digits.splice(..0, core::iter::repeat_n(0, missing));
            self.first = place;
        }
        let start = (place - self.first) as usize;
        if self.digits.len() < start + digits {
            self.digits.resize(start + digits, 0);
        }
        start
    }

    /// Carries digits to 0 ≤ dₖ < 2³², except a last one of −1 if the sum is negative.
    fn carry(&mut self) {
        let mut carried = 0;
        for digit in &mut self.digits {
            let sum = *digit + carried;
            *digit = sum & 0xffff_ffff;
            carried = sum >> BITS;
        }
        while carried != 0 {
            if carried == -1 {
                self.digits.push(-1);
                break;
            }
            self.digits.push(carried & 0xffff_ffff);
            carried >>= BITS;
        }
        self.pending = 0;
    }

    /// The same sum in its canonical form: carried, without zeros at either end.
    fn canonical(mut self) -> Self {
        self.carry();
        while let [.., before, -1] = self.digits[..]
            && before == 0xffff_ffff
        {
            self.digits.pop();
            self.digits.pop();
            self.digits.push(-1);
        }
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        let zeros = self.digits.iter().take_while(|&&digit| digit == 0).count();
        self.digits.drain(..zeros);
        self.first = if self.digits.is_empty() {
            0
        } else {
            self.first + zeros as i32
        };
        self
    }
}

impl PartialEq for ExactSum {
    fn eq(&self, other: &Self) -> bool {
        let [one, other] = [self, other].map(|sum| sum.clone().canonical());
        one.first == other.first && one.digits == other.digits
    }
}

/// Sign, mantissa and exponent of a finite number ± m 2ᵉ.
fn decoded(x: f64) -> (bool, u64, i32) {
    let bits = x.to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i32);
    if exponent == 0 {
        (x.is_sign_negative(), fraction, -1074)
    } else {
        (x.is_sign_negative(), fraction | 1 << 52, exponent - 1075)
    }
}

/// x 2ᵉ, for an e that may itself lie beyond the floats.
fn times_power_of_two(mut x: f64, mut exponent: i32) -> f64 {
    const MOST: i32 = 1000;
    let power = |exponent: i32| f64::from_bits(((exponent + 1023) as u64) << 52);
    while exponent > MOST {
        x *= power(MOST);
        exponent -= MOST;
    }
    while exponent < -MOST {
        x *= power(-MOST);
        exponent += MOST;
    }
    x * power(exponent)
}

/// The serialized form of a sum.
#[cfg(feature = "serde-no-std")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Digits {
    first: i32,
    digits: Vec<i64>,
}

#[cfg(feature = "serde-no-std")]
impl From<ExactSum> for Digits {
    fn from(sum: ExactSum) -> Self {
        let ExactSum { first, digits, .. } = sum.canonical();
        Self { first, digits }
    }
}

#[cfg(feature = "serde-no-std")]
impl TryFrom<Digits> for ExactSum {
    type Error = &'static str;

    fn try_from(Digits { first, digits }: Digits) -> Result<Self, Self::Error> {
        // Products of two floats lie between 2⁻²¹⁴⁸ and 2²⁰⁴⁸, and so many of them fit into 64 bits.
        let places = -68..=68;
        let last =
            i32::try_from(digits.len()).map_or(i32::MAX, |digits| first.saturating_add(digits));
        if !places.contains(&first) || !places.contains(&last) {
            return Err("a sum with digits where no product of floats has any");
        }
        let below = digits.split_last().map_or(&[][..], |(_, below)| below);
        let is_digit = |digit: &i64| (0..1 << BITS).contains(digit);
        if !below.iter().all(is_digit)
            || !digits.iter().all(|digit| *digit == -1 || is_digit(digit))
        {
            return Err("a digit of a sum that is none");
        }
        Ok(Self {
            first,
            digits,
            pending: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum_of(terms: &[f64]) -> ExactSum {
        let mut sum = ExactSum::default();
        terms.iter().for_each(|&x| sum.add(x));
        sum
    }

    #[test]
    fn nothing_is_rounded_on_the_way() {
        assert_eq!(sum_of(&[1e300, 1.0, -1e300]).value(), 1.0);
        assert_eq!(sum_of(&[1e-300, -1e300, 5e-324, 1e300]).value(), 1e-300);
        assert_eq!(sum_of(&[0.1, -0.1]), ExactSum::default());
        // 2⁵³ + 1 is no float, and the half goes to even: what is above half goes up.
        let large = 9_007_199_254_740_992.0;
        assert_eq!(sum_of(&[large, 1.0]).value(), large);
        assert_eq!(sum_of(&[large, 1.0, 1e-200]).value(), large + 2.0);
        assert_eq!(sum_of(&[-large, -1.0, -1e-200]).value(), -large - 2.0);
        assert_eq!(sum_of(&[f64::MAX, f64::MAX, -f64::MAX]).value(), f64::MAX);
        assert_eq!(sum_of(&[f64::MAX, f64::MAX]).value(), f64::INFINITY);
    }

    #[test]
    fn products_are_those_of_whole_numbers() {
        let mut sum = ExactSum::default();
        let mut expected = 0_i128;
        for k in 0..1000_i64 {
            let (x, y) = (k * 7_919 - 3_000_000, 1 - k * 104_729);
            sum.add_product(x as f64 / 1024.0, y as f64 * 8.0);
            expected += i128::from(x) * i128::from(y);
        }
        assert_eq!(sum.value(), expected as f64 / 128.0);
        sum.add_times(&sum.clone(), -1.0);
        assert_eq!(sum, ExactSum::default());
    }

    #[test]
    fn any_order_and_any_cut_is_the_same() {
        let terms: Vec<f64> = (0..60)
            .map(|k| (f64::from(k) * 0.7).sin() * 10_f64.powi(7 * (k % 9) - 28))
            .collect();
        let all = sum_of(&terms);
        let backwards: Vec<f64> = terms.iter().rev().copied().collect();
        assert_eq!(sum_of(&backwards), all);
        for cut in 0..60 {
            let (first, second) = terms.split_at(cut);
            let mut sum = sum_of(second);
            sum.merge(&sum_of(first));
            assert_eq!(sum, all);
            assert_eq!(sum.value(), all.value());
        }
    }

    #[test]
    fn digits_that_carry_on_the_way_change_nothing() {
        let mut often = ExactSum::default();
        for x in [-3.5, 1e20, -1e20, 1e-9, 7.0] {
            often.add(x);
            often.pending = MOST_PENDING;
        }
        assert_eq!(often, sum_of(&[-3.5, 1e20, -1e20, 1e-9, 7.0]));
    }
}
