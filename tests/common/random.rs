//! A small seeded generator, so that every failure is one number to repeat.

#![allow(dead_code, reason = "each room of tests draws what it needs")]

use std::ops::Range;

/// The seeds of a test's random inputs: `count` of them from 0, unless the environment chooses others.
pub fn seeds(count: u64) -> Range<u64> {
    let first = number("CONSTRAINT_FIRST_CASE").unwrap_or(0);
    chosen_seeds().unwrap_or(first..first + count)
}

/// The seeds that the environment chooses: the one of `CONSTRAINT_SEED`, or `CONSTRAINT_CASES` from `CONSTRAINT_FIRST_CASE`.
pub fn chosen_seeds() -> Option<Range<u64>> {
    if let Some(seed) = number("CONSTRAINT_SEED") {
        return Some(seed..seed + 1);
    }
    let first = number("CONSTRAINT_FIRST_CASE").unwrap_or(0);
    number("CONSTRAINT_CASES").map(|count| first..first + count)
}

/// The number in a variable of the environment.
fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{variable}={text} is no number")))
}

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in 0..count.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Uniform among −high..−low and low..high.
    pub fn away_from_zero(&mut self, low: f64, high: f64) -> f64 {
        let size = self.between(low, high);
        if self.once_in(2) { size } else { -size }
    }
}
