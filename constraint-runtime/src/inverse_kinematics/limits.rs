//! Least and greatest values of coordinates.

use alloc::vec::Vec;

use crate::error::{Coordinate, Error, Quantity};
use crate::system::Constrained;
use crate::vector::Vector;

/// Limits of the coordinates for [`reach`](crate::reach).
///
/// Infinite limits mean none; the coordinates of a rotation have none. A robot
/// [from a file](https://docs.rs/constraint-cli) has them as constants, `CoordinateLimits::between(Robot::LOWER, Robot::UPPER)`.
///
/// ```
/// use constraint_runtime::CoordinateLimits;
/// use constraint_runtime::nalgebra::Vector2;
///
/// let limits: CoordinateLimits<Vector2<f64>> = CoordinateLimits::between([-1.0, f64::NEG_INFINITY], [1.5, 0.0]);
/// assert_ne!(limits, CoordinateLimits::none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoordinateLimits<Q> {
    range: Option<[Q; 2]>,
    restarts: usize,
}

impl<Q> CoordinateLimits<Q> {
    /// No limits.
    pub const fn none() -> Self {
        Self {
            range: None,
            restarts: 0,
        }
    }

    /// Least and greatest values, as vectors, arrays or by the names of the coordinates.
    pub fn between(lower: impl Into<Q>, upper: impl Into<Q>) -> Self {
        Self {
            range: Some([lower.into(), upper.into()]),
            restarts: 0,
        }
    }

    /// If a search ends without its target, up to `count` other searches begin at places that are spread over the
    /// limits, the same in every run.
    #[must_use]
    pub fn restarts(self, count: usize) -> Self {
        Self {
            restarts: count,
            ..self
        }
    }
}

/// A coordinate with limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limited {
    pub coordinate: usize,
    /// The velocity that is its rate.
    pub velocity: usize,
    pub lower: f64,
    pub upper: f64,
}

impl Limited {
    /// The nearest value within the limits.
    pub fn nearest(&self, x: f64) -> f64 {
        x.max(self.lower).min(self.upper)
    }

    /// True if the coordinate is at an end of its range.
    pub fn is_at_end<Q: Vector<Scalar = f64>>(&self, q: &Q) -> bool {
        let x = q[self.coordinate];
        x == self.lower || x == self.upper
    }

    /// True if the coordinate exceeds its limits.
    pub fn is_beyond<Q: Vector<Scalar = f64>>(&self, q: &Q) -> bool {
        q[self.coordinate] != self.nearest(q[self.coordinate])
    }

    #[cold]
    pub fn outside<S: Constrained<f64>>(&self, system: &S, q: &S::Q) -> Error {
        let value = q[self.coordinate];
        Error::OutsideCoordinateLimits {
            coordinate: named(system, self.coordinate),
            value,
            limit: self.nearest(value),
        }
    }
}

fn named<S: Constrained<f64>>(system: &S, index: usize) -> Coordinate {
    Coordinate::Numbered {
        index,
        names: system.names(Quantity::Coordinate),
    }
}

impl<Q: Vector<Scalar = f64>> CoordinateLimits<Q> {
    /// The coordinates that have any.
    pub(super) fn limited<S: Constrained<f64, Q = Q>>(
        &self,
        system: &S,
        t: f64,
        q: &Q,
    ) -> Result<Vec<Limited>, Error> {
        let Some([lower, upper]) = &self.range else {
            return Ok(Vec::new());
        };
        let count = S::V::blank().entries().len();
        let rates: Vec<Q> = (0..count)
            .map(|k| system.kinematics(t, q, &S::V::blank().like(|i| f64::from(u8::from(i == k)))))
            .collect();
        let mut found = Vec::new();
        for coordinate in 0..q.entries().len() {
            let [lower, upper] = [lower[coordinate], upper[coordinate]];
            if lower == f64::NEG_INFINITY && upper == f64::INFINITY {
                continue;
            }
            match rate_of(&rates, coordinate).filter(|_| lower <= upper) {
                Some(velocity) => found.push(Limited {
                    coordinate,
                    velocity,
                    lower,
                    upper,
                }),
                None => return Err(no_limits(system, coordinate, [lower, upper])),
            }
        }
        Ok(found)
    }

    /// Other starts: coordinates with two limits are moved, others kept.
    pub(super) fn starts(&self, q: &Q, limited: &[Limited]) -> impl Iterator<Item = Q> {
        let mut random = 0x9E37_79B9_7F4A_7C15_u64;
        (0..self.restarts).map(move |_| {
            let mut start = q.clone();
            for it in limited {
                let part = next(&mut random);
                if it.lower.is_finite() && it.upper.is_finite() {
                    start[it.coordinate] = it.lower + part * (it.upper - it.lower);
                }
            }
            start
        })
    }
}

/// The velocity that is the rate of one coordinate, and of no other.
fn rate_of<Q: Vector<Scalar = f64>>(rates: &[Q], coordinate: usize) -> Option<usize> {
    let is_rate = |of: &Q| {
        let mut entries = of.entries().iter().enumerate();
        entries.all(|(i, &x)| x == f64::from(u8::from(i == coordinate)))
    };
    rates.iter().position(is_rate)
}

#[cold]
fn no_limits<S: Constrained<f64>>(system: &S, index: usize, [lower, upper]: [f64; 2]) -> Error {
    Error::InvalidCoordinateLimits {
        coordinate: named(system, index),
        lower,
        upper,
    }
}

/// A number between 0 and 1 [Marsaglia 2003, xorshift].
fn next(state: &mut u64) -> f64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}
