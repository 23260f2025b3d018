//! Statistics of streams of numbers: moments, extremes, distribution.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{SMatrix, SVector};

use super::exact::ExactSum;
#[cfg(feature = "serde-no-std")]
use super::written::{Counts, Written};
use crate::error::Error;

/// Count, extremes, mean and covariance of a stream of vectors of `N` numbers.
///
/// - Mean x̄ = Σ x/n, covariance Σ (x − x̄)(x − x̄)ᵀ/(n − 1): sums are stored as digits without rounding, so that
///   they do not depend on the order of the vectors or on how they are split and [merged](Self::merge), and nothing
///   cancels.
/// - Cost: N (N + 3)/2 sums, each in a few digits; some tens of nanoseconds for N = 2.
/// - Memory: as many digits as lie between the smallest and the largest product: 10 for numbers of one size, 140 at
///   most.
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
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde-no-std",
    serde(try_from = "Written", into = "Written")
)]
pub struct Statistics<const N: usize> {
    pub(super) count: usize,
    pub(super) undefined: usize,
    /// Σ xᵢ
    pub(super) sums: Vec<ExactSum>,
    /// Σ xᵢ xⱼ of j ≤ i, row by row.
    pub(super) products: Vec<ExactSum>,
    pub(super) minimum: SVector<f64, N>,
    pub(super) maximum: SVector<f64, N>,
}

impl<const N: usize> Default for Statistics<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Statistics<N> {
    /// Empty statistics.
    pub fn new() -> Self {
        Self {
            count: 0,
            undefined: 0,
            sums: vec![ExactSum::default(); N],
            products: vec![ExactSum::default(); triangle(N)],
            minimum: SVector::repeat(f64::INFINITY),
            maximum: SVector::repeat(f64::NEG_INFINITY),
        }
    }

    /// Adds one vector.
    pub fn add(&mut self, x: impl Into<SVector<f64, N>>) {
        let x = x.into();
        if !x.iter().all(|x| x.is_finite()) {
            self.undefined += 1;
            return;
        }
        self.count += 1;
        for i in 0..N {
            self.sums[i].add(x[i]);
            for j in 0..=i {
                self.products[triangle(i) + j].add_product(x[i], x[j]);
            }
        }
        self.minimum = self.minimum.inf(&x);
        self.maximum = self.maximum.sup(&x);
    }

    /// Adds everything that another has accumulated, for example from another shard: identical to the last bit to a
    /// single pass.
    ///
    /// ```
    /// use constraint_runtime::ensemble::Statistics;
    ///
    /// let of = |numbers: &[f64]| {
    ///     let mut statistics = Statistics::<1>::new();
    ///     numbers.iter().for_each(|&x| statistics.add([x]));
    ///     statistics
    /// };
    /// let mut both = of(&[0.3, 1e17]);
    /// both.merge(&of(&[0.1, -1e17, 0.2]));
    /// assert_eq!(both, of(&[0.1, 0.2, 0.3, 1e17, -1e17]));
    /// ```
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.undefined += other.undefined;
        let own = self.sums.iter_mut().chain(&mut self.products);
        for (sum, other) in own.zip(other.sums.iter().chain(&other.products)) {
            sum.merge(other);
        }
        self.minimum = self.minimum.inf(&other.minimum);
        self.maximum = self.maximum.sup(&other.maximum);
    }

    /// How many vectors, without those that are [undefined](Self::undefined).
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of vectors with an infinite or NaN entry; nothing else counts them.
    pub fn undefined(&self) -> usize {
        self.undefined
    }

    /// x̄; zero if there are none.
    pub fn mean(&self) -> SVector<f64, N> {
        let count = self.count.max(1) as f64;
        SVector::from_fn(|i, _| self.sums[i].value() / count)
    }

    /// The covariance, with n − 1 in the denominator; NaN for less than two vectors.
    pub fn covariance(&self) -> SMatrix<f64, N, N> {
        if self.count < 2 {
            return SMatrix::repeat(f64::NAN);
        }
        let (mean, count) = (self.mean(), self.count as f64);
        // Σ (xᵢ − mᵢ), not zero since the mean m is rounded.
        let beside = |i: usize| {
            let mut sum = self.sums[i].clone();
            sum.add_product(-count, mean[i]);
            sum
        };
        SMatrix::from_fn(|row, column| {
            let (i, j) = (row.max(column), row.min(column));
            // Σ (xᵢ − mᵢ)(xⱼ − mⱼ)
            let mut sum = self.products[triangle(i) + j].clone();
            sum.add_times(&self.sums[i], -mean[j]);
            sum.add_times(&beside(j), -mean[i]);
            (sum.value() - beside(i).value() * beside(j).value() / count) / (count - 1.0)
        })
    }

    /// The least of each number; infinite if there are none.
    pub fn minimum(&self) -> SVector<f64, N> {
        self.minimum
    }

    /// The largest of each number; minus infinity if there are none.
    pub fn maximum(&self) -> SVector<f64, N> {
        self.maximum
    }
}

/// Entries on and below the diagonal of the first `rows` rows.
const fn triangle(rows: usize) -> usize {
    rows * (rows + 1) / 2
}

/// Counts of numbers in each of `N` equal parts of an interval, and of those outside it.
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
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde-no-std", serde(try_from = "Counts", into = "Counts"))]
pub struct Histogram<const N: usize> {
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) counts: [u64; N],
    pub(super) below: u64,
    pub(super) above: u64,
    pub(super) undefined: u64,
}

impl<const N: usize> Histogram<N> {
    /// An empty histogram from `start` to `end`. An edge belongs to the part above it.
    ///
    /// # Errors
    /// [`Error::InvalidDomain`] if `end` does not lie above `start`, or one of them is not finite.
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

    /// Adds one number.
    pub fn add(&mut self, x: f64) {
        let count = if x.is_nan() {
            &mut self.undefined
        } else if x < self.start {
            &mut self.below
        } else if x >= self.end {
            &mut self.above
        } else {
            let part = (x - self.start) / (self.end - self.start) * N as f64;
            // Rounding may give the end.
            &mut self.counts[(part as usize).min(N - 1)]
        };
        *count += 1;
    }

    /// Adds the counts of another histogram with the same parts, for example from another shard.
    ///
    /// # Errors
    /// [`Error::DomainsDiffer`] if it has another interval.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        if (self.start, self.end) != (other.start, other.end) {
            return Err(Error::DomainsDiffer {
                start: self.start,
                end: self.end,
                other_start: other.start,
                other_end: other.end,
            });
        }
        for (count, other) in self.counts.iter_mut().zip(&other.counts) {
            *count += other;
        }
        self.below += other.below;
        self.above += other.above;
        self.undefined += other.undefined;
        Ok(())
    }

    /// The counts of the parts.
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
