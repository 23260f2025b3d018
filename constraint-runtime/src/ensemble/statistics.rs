//! What is told of numbers that come one by one: their moments, their extremes, their distribution.

use nalgebra::{SMatrix, SVector};

use crate::error::Error;

/// Count, extremes, mean and covariance of vectors of `N` numbers that come one by one.
///
/// - Mean: x̄ₙ = x̄ₙ₋₁ + (xₙ − x̄ₙ₋₁)/n.
/// - Covariance: Σ (xₖ − x̄)(xₖ − x̄)ᵀ/(n − 1), summed as (xₙ − x̄ₙ₋₁)(xₙ − x̄ₙ)ᵀ: nothing cancels.
/// - Cost: N² + 6 N operations a vector, no memory.
///
/// ```
/// use constraint_runtime::ensemble::Statistics;
///
/// let mut heights = Statistics::new();
/// for x in [1.0, 2.0, 4.0, 5.0] {
///     heights.add([x, -x]);
/// }
/// assert_eq!(heights.count(), 4);
/// assert_eq!(heights.mean().as_slice(), [3.0, -3.0]);
/// assert_eq!((heights.minimum()[0], heights.maximum()[0]), (1.0, 5.0));
/// // (4 + 1 + 1 + 4)/3
/// assert!((heights.covariance()[(0, 1)] + 10.0 / 3.0).abs() < 1e-15);
/// ```
///
/// # Source
/// [Welford 1962] B. P. Welford, *Note on a method for calculating corrected sums of squares and products*,
/// Technometrics 4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics<const N: usize> {
    count: usize,
    mean: SVector<f64, N>,
    products: SMatrix<f64, N, N>,
    minimum: SVector<f64, N>,
    maximum: SVector<f64, N>,
}

impl<const N: usize> Default for Statistics<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Statistics<N> {
    /// Of nothing yet.
    pub fn new() -> Self {
        Self {
            count: 0,
            mean: SVector::zeros(),
            products: SMatrix::zeros(),
            minimum: SVector::repeat(f64::INFINITY),
            maximum: SVector::repeat(f64::NEG_INFINITY),
        }
    }

    /// Takes in one vector.
    pub fn add(&mut self, x: impl Into<SVector<f64, N>>) {
        let x = x.into();
        self.count += 1;
        let before = x - self.mean;
        self.mean += before / self.count as f64;
        self.products += before * (x - self.mean).transpose();
        self.minimum = self.minimum.inf(&x);
        self.maximum = self.maximum.sup(&x);
    }

    /// How many vectors.
    pub fn count(&self) -> usize {
        self.count
    }

    /// x̄; zero of none.
    pub fn mean(&self) -> SVector<f64, N> {
        self.mean
    }

    /// The covariance, with n − 1 below; NaN of less than two vectors.
    pub fn covariance(&self) -> SMatrix<f64, N, N> {
        let below = (self.count >= 2).then_some(self.count as f64 - 1.0);
        // Rounding leaves the two halves apart.
        (self.products + self.products.transpose()) * (0.5 / below.unwrap_or(f64::NAN))
    }

    /// The least of each number; infinite of none.
    pub fn minimum(&self) -> SVector<f64, N> {
        self.minimum
    }

    /// The largest of each number; minus infinity of none.
    pub fn maximum(&self) -> SVector<f64, N> {
        self.maximum
    }
}

/// How many numbers fall into each of `N` equal parts of an interval, and how many beside it.
///
/// ```
/// use constraint_runtime::ensemble::Histogram;
///
/// let mut times = Histogram::<4>::new(0.0, 2.0)?;
/// for t in [0.1, 0.4, 0.5, 1.9, 2.0, -1.0, f64::NAN] {
///     times.add(t);
/// }
/// assert_eq!(times.counts(), &[2, 1, 0, 1]);
/// assert_eq!((times.below(), times.above(), times.undefined()), (1, 1, 1));
/// assert_eq!(times.edges(1), (0.5, 1.0));
/// # Ok::<(), constraint_runtime::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Histogram<const N: usize> {
    start: f64,
    end: f64,
    counts: [u64; N],
    below: u64,
    above: u64,
    undefined: u64,
}

impl<const N: usize> Histogram<N> {
    /// Of nothing yet, from `start` to `end`. An edge belongs to the part above it.
    ///
    /// # Errors
    /// [`Error::InvalidDomain`] where `end` does not lie above `start`, or one of them is not finite.
    pub fn new(start: f64, end: f64) -> Result<Self, Error> {
        const { assert!(N > 0, "a histogram has at least one part") };
        if !(start < end && (end - start).is_finite()) {
            return Err(Error::InvalidDomain { start, end });
        }
        Ok(Self {
            start,
            end,
            counts: [0; N],
            below: 0,
            above: 0,
            undefined: 0,
        })
    }

    /// Takes in one number.
    pub fn add(&mut self, x: f64) {
        let count = if x.is_nan() {
            &mut self.undefined
        } else if x < self.start {
            &mut self.below
        } else if x >= self.end {
            &mut self.above
        } else {
            let part = (x - self.start) / (self.end - self.start) * N as f64;
            // Rounding may lead to the end.
            &mut self.counts[(part as usize).min(N - 1)]
        };
        *count += 1;
    }

    /// How many numbers fell into each part.
    pub fn counts(&self) -> &[u64; N] {
        &self.counts
    }

    /// Start and end of a part.
    pub fn edges(&self, part: usize) -> (f64, f64) {
        let edge = |k: usize| self.start + (self.end - self.start) * (k as f64 / N as f64);
        (edge(part), edge(part + 1))
    }

    /// How many numbers lay below the start.
    pub fn below(&self) -> u64 {
        self.below
    }

    /// How many numbers lay at the end or above.
    pub fn above(&self) -> u64 {
        self.above
    }

    /// How many numbers were NaN.
    pub fn undefined(&self) -> u64 {
        self.undefined
    }
}
