//! Powers of e: those of sums of known exponents are products of known powers.

use super::{Point, Question, Stop, exact};
use crate::certify::Gap;
use crate::certify::field::Residue;
use crate::expr::{Function, Map};

/// Multiples of quarters of exponents, used in the search for sums.
const QUARTERS: [i64; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 20, 24];

/// Above this number of multiples, the search for pairs is skipped.
const MANY_EXPONENTS: usize = 256;

impl Point {
    /// eᵘ
    pub(super) fn exponential(&mut self, u: Residue) -> Result<Residue, Stop> {
        self.record_question(|| Question::Value(Function::Exp, vec![u]));
        if let Some(exact) = exact(Function::Exp, &[u]) {
            return Ok(exact);
        }
        if let Some(known) = self.known_exponential(u) {
            return Ok(known);
        }
        if let Some(power) = self.of_other_exponents(u) {
            self.exponentials.insert(u, power);
            return Ok(power);
        }
        if self.is_stepped {
            // The exponent may be a sum of more terms than the search finds.
            return Err(Stop::Uncovered(Gap::Steps));
        }
        Ok(self.new_exponential(u))
    }

    /// A random power; those of half and quarter exponents are known then too.
    fn new_exponential(&mut self, u: Residue) -> Residue {
        let power = self.unknown(Function::Exp, &[u]);
        let half = power * power;
        let whole = half * half;
        self.exponentials.insert(u * Residue::HALF, half);
        self.exponentials.insert(u, whole);
        self.exponents
            .push((u * Residue::HALF * Residue::HALF, power));
        whole
    }

    /// The value of a step; its exponential is fixed before those of exponents that contain it.
    pub(super) fn step(&mut self, u: Residue) -> Residue {
        let step = self.unknown(Function::Floor, &[u]);
        if !self.reads_text && self.known_exponential(step).is_none() {
            self.new_exponential(step);
            self.is_stepped = true;
        }
        step
    }

    /// The known power of an exponent, possibly from the opposite exponent.
    fn known_exponential(&self, u: Residue) -> Option<Residue> {
        let known = self.exponentials.get(&u).copied();
        known.or_else(|| self.exponentials.get(&-u)?.recip())
    }

    /// The power of a sum of multiples of up to four known exponents; of fewer if there are many.
    fn of_other_exponents(&self, u: Residue) -> Option<Residue> {
        let mut singles = vec![(Residue::ZERO, Residue::ONE)];
        for &(quarter, power) in &self.exponents {
            let inverse = power.recip()?;
            for times in QUARTERS {
                let part = quarter * Residue::of(times);
                let times = times.unsigned_abs();
                singles.push((part, power.pow(times)));
                singles.push((-part, inverse.pow(times)));
            }
        }
        let of_one = |u: Residue| {
            let mut singles = singles.iter();
            singles.find_map(|&(a, of_a)| Some(of_a * self.known_exponential(u - a)?))
        };
        if let Some(found) = of_one(u) {
            return Some(found);
        }
        if singles.len() > MANY_EXPONENTS {
            return None;
        }
        let mut pairs: Map<Residue, Residue> = Map::default();
        for &(a, of_a) in &singles {
            for &(b, of_b) in &singles {
                if let Some(&rest) = pairs.get(&(u - a - b)) {
                    return Some(of_a * of_b * rest);
                }
                pairs.insert(a + b, of_a * of_b);
            }
        }
        let mut all = pairs.iter();
        all.find_map(|(&sum, &power)| Some(power * *pairs.get(&(u - sum))?))
    }

    /// True if a number is a known power of e, or the product or quotient of two.
    pub(super) fn is_exponential(&self, power: Residue) -> bool {
        let known = |wanted: Residue| {
            let mut powers = self.exponentials.values();
            powers.any(|&it| it == wanted || it * wanted == Residue::ONE)
        };
        let mut powers = self.exponentials.values();
        known(power) || powers.any(|&it| known(power * it))
    }
}
