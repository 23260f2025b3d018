//! Statistics and histograms in their serialized form.

use alloc::vec::Vec;

use nalgebra::SVector;
use serde::{Deserialize, Serialize};

use super::exact::ExactSum;
use super::statistics::{Histogram, Statistics};

/// [`Statistics`] of any number of numbers.
#[derive(Serialize, Deserialize)]
pub(super) struct Written {
    count: usize,
    undefined: usize,
    sums: Vec<ExactSum>,
    products: Vec<ExactSum>,
    /// The least and the largest of each, unless there are no numbers.
    extremes: Option<[Vec<f64>; 2]>,
}

impl<const N: usize> From<Statistics<N>> for Written {
    fn from(statistics: Statistics<N>) -> Self {
        let extremes = [statistics.minimum, statistics.maximum];
        Self {
            count: statistics.count,
            undefined: statistics.undefined,
            sums: statistics.sums,
            products: statistics.products,
            extremes: (statistics.count > 0).then(|| extremes.map(|x| x.as_slice().to_vec())),
        }
    }
}

impl<const N: usize> TryFrom<Written> for Statistics<N> {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        const OTHERS: &str = "statistics of another number of numbers";
        let mut statistics = Self::new();
        if written.sums.len() != N || written.products.len() != statistics.products.len() {
            return Err(OTHERS);
        }
        if let Some(extremes) = written.extremes {
            let [minimum, maximum] = extremes;
            let vector = |x: Vec<f64>| <[f64; N]>::try_from(x).map_err(|_| OTHERS);
            statistics.minimum = SVector::from(vector(minimum)?);
            statistics.maximum = SVector::from(vector(maximum)?);
        } else if written.count > 0 {
            return Err("statistics without extremes");
        }
        statistics.count = written.count;
        statistics.undefined = written.undefined;
        statistics.sums = written.sums;
        statistics.products = written.products;
        Ok(statistics)
    }
}

/// [`Histogram`] of any number of parts.
#[derive(Serialize, Deserialize)]
pub(super) struct Counts {
    start: f64,
    end: f64,
    counts: Vec<u64>,
    below: u64,
    above: u64,
    undefined: u64,
}

impl<const N: usize> From<Histogram<N>> for Counts {
    fn from(histogram: Histogram<N>) -> Self {
        Self {
            start: histogram.start,
            end: histogram.end,
            counts: histogram.counts.to_vec(),
            below: histogram.below,
            above: histogram.above,
            undefined: histogram.undefined,
        }
    }
}

impl<const N: usize> TryFrom<Counts> for Histogram<N> {
    type Error = &'static str;

    fn try_from(written: Counts) -> Result<Self, Self::Error> {
        let histogram = Self::new(written.start, written.end);
        let counts = <[u64; N]>::try_from(written.counts);
        Ok(Self {
            counts: counts.map_err(|_| "a histogram of another number of parts")?,
            below: written.below,
            above: written.above,
            undefined: written.undefined,
            ..histogram.map_err(|_| "a histogram of no interval")?
        })
    }
}
