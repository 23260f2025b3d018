//! Random numbers as a function of a seed and a copy.

/// Random numbers of one copy of an [`Ensemble`](super::Ensemble): a function of a seed and of the copy's number
/// alone.
///
/// A copy draws the same numbers on any thread, shard or machine, in any order of the copies.
///
/// - Streams: 2⁶⁴ for a seed, of 2⁶⁵ numbers each, independent of one another.
/// - Cost: a few nanoseconds a number, no memory.
///
/// ```
/// use constraint_runtime::ensemble::Random;
///
/// let mut random = Random::new(2026, 7);
/// let (angle, length) = (random.between(-0.1, 0.1), 1.0 + 0.01 * random.normal());
/// let mut again = Random::new(2026, 7);
/// assert_eq!(again.between(-0.1, 0.1), angle);
/// assert!(angle.abs() < 0.1 && (length - 1.0).abs() < 0.1);
/// assert_ne!(Random::new(2026, 8).between(-0.1, 0.1), angle);
/// ```
///
/// # Source
/// [Salmon 2011] J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, *Parallel random numbers: as easy as 1, 2, 3*, SC '11:
/// Philox4x32-10.
#[derive(Clone, Debug)]
pub struct Random {
    seed: u64,
    copy: u64,
    /// Blocks drawn.
    blocks: u64,
    /// The unused half of the last block, if any.
    left: Option<u64>,
}

impl Random {
    /// The numbers of a copy.
    pub fn new(seed: u64, copy: usize) -> Self {
        Self {
            seed,
            copy: copy as u64,
            blocks: 0,
            left: None,
        }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        if let Some(left) = self.left.take() {
            return left;
        }
        let counter = [self.blocks, self.copy].map(halves);
        self.blocks = self.blocks.wrapping_add(1);
        let [a, b, c, d] = philox(
            [counter[0][0], counter[0][1], counter[1][0], counter[1][1]],
            halves(self.seed),
        );
        self.left = Some(u64::from(d) << 32 | u64::from(c));
        u64::from(b) << 32 | u64::from(a)
    }

    /// A number in [0, 1): one of 2⁵³ that are evenly spaced.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number from `start` to `end`.
    pub fn between(&mut self, start: f64, end: f64) -> f64 {
        start + (end - start) * self.uniform()
    }

    /// A number of the normal distribution of mean 0 and variance 1, from two [uniform](Self::uniform) ones, with the
    /// logarithm and the cosine of the operating system's library.
    ///
    /// # Source
    /// [Box 1958] G. E. P. Box, M. E. Muller, *A note on the generation of random normal deviates*, Annals of Mathematical
    /// Statistics 29.
    pub fn normal(&mut self) -> f64 {
        // In (0, 1], as the logarithm needs it.
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (core::f64::consts::TAU * self.uniform()).cos()
    }
}

/// The lower and the upper half.
fn halves(bits: u64) -> [u32; 2] {
    [bits as u32, (bits >> 32) as u32]
}

/// Four numbers of a counter and a key.
fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    const ROUNDS: usize = 10;
    const FACTORS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
    // The golden ratio and √3 − 1.
    const STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
    for _ in 0..ROUNDS {
        let [c0, c1, c2, c3] = counter;
        let [low0, high0] = halves(u64::from(FACTORS[0]) * u64::from(c0));
        let [low1, high1] = halves(u64::from(FACTORS[1]) * u64::from(c2));
        counter = [high1 ^ c1 ^ key[0], low1, high0 ^ c3 ^ key[1], low0];
        key = [key[0].wrapping_add(STEPS[0]), key[1].wrapping_add(STEPS[1])];
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::Statistics;

    /// The known answers that Random123, the authors' library, comes with.
    #[test]
    fn numbers_are_those_of_the_authors() {
        assert_eq!(
            philox([0; 4], [0; 2]),
            [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]
        );
        assert_eq!(
            philox([u32::MAX; 4], [u32::MAX; 2]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        assert_eq!(
            philox(
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0]
            ),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn moments_are_those_of_the_distributions() {
        const COPIES: usize = 100_000;
        let mut both = Statistics::<2>::new();
        for copy in 0..COPIES {
            let mut random = Random::new(1, copy);
            both.add([random.uniform(), random.normal()]);
        }
        // Within five standard deviations: of a mean √(variance/n), of the covariance of two √(product/n).
        let near = |found: f64, expected: f64, deviation: f64| {
            (found - expected).abs() < 5.0 * deviation / (COPIES as f64).sqrt()
        };
        let (mean, covariance) = (both.mean(), both.covariance());
        assert!(near(mean[0], 0.5, 12_f64.sqrt().recip()));
        assert!(near(mean[1], 0.0, 1.0));
        // Fourth central moments: 1/80 and 3.
        let fourth = (1.0 / 80.0 - 1.0 / 144.0_f64).sqrt();
        assert!(near(covariance[(0, 0)], 1.0 / 12.0, fourth));
        assert!(near(covariance[(1, 1)], 1.0, 2_f64.sqrt()));
        assert!(near(covariance[(0, 1)], 0.0, 12_f64.sqrt().recip()));
    }
}
