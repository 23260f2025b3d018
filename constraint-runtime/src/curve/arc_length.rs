//! Arc length of a curve: p of s, s of p, and the nearest point.

use alloc::{vec, vec::Vec};
use core::ops::RangeInclusive;

use super::nearest::{Ball, Nearest};
use super::quadrature::{integral, integrals};
use super::seam::for_each_seam;
use super::{Curve, nearest};
use crate::error::{Error, Quantity};
use nalgebra::{SVector, SimdComplexField};

/// Panels are divided until the curve turns by no more than this within one,
const TURN: f64 = 0.5;
/// and until halving changes their length by less than this part of the whole,
const TOLERANCE: f64 = 1e-15;
/// but no further than this,
const DEPTH: u32 = 48;
/// and into no more than this: two million radians, or a speed that no number of panels resolves.
const PANELS: usize = 1 << 22;
/// Where the curve turns more often, panels are divided by eight at a time.
const OFTEN: f64 = 16.0 * TURN;

/// A curve parametrised by its length p, which is 0 at the start of the domain; gaps between pieces that are only
/// [`joined`](Curve::joined) within a stated tolerance do not count.
///
/// The domain is cut into panels, short enough that fifteen values of |r′| give the length of any part of one to
/// rounding. A query finds its panel by bisection, in O(log n), and does not allocate.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// curve! { struct Circle { r: Real } |s in 0..=TAU| [r*cos(s), r*sin(s)] }
///
/// let measured = ArcLength::new(&Circle { r: 2.0 })?;
/// assert!((measured.length() - 4.0 * std::f64::consts::PI).abs() < 1e-13);
/// assert!((measured.length_at(1.5)? - 3.0).abs() < 1e-13);
/// assert!((measured.parameter_at(3.0)? - 1.5).abs() < 1e-13);
/// let nearest = measured.nearest(&Vector2::new(0.0, 5.0))?;
/// assert!((nearest.distance - 3.0).abs() < 1e-13);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ArcLength<C, const D: usize> {
    curve: C,
    domain: RangeInclusive<f64>,
    /// The ends of the panels: the parameters,
    parameters: Vec<f64>,
    /// and the lengths up to there.
    lengths: Vec<f64>,
    /// Balls around runs of panels, in preorder: the first holds the whole curve.
    balls: Vec<Ball<D>>,
    /// The sum of all gaps between pieces.
    gaps: f64,
}

impl<C, const D: usize> ArcLength<C, D>
where
    C: Curve<f64, D> + Clone,
{
    /// Measures a curve.
    ///
    /// # Errors
    /// [`Error::InvalidDomain`], [`Error::Jump`] if two pieces do not meet, [`Error::NonFinite`] if the speed |r′| is
    /// not finite, and [`Error::TooManyPanels`] if the curve turns by millions of radians or its speed is not smooth
    /// enough to be integrated.
    ///
    /// - Cost: about a microsecond and a hundred bytes a panel, with two to four panels a radian.
    pub fn new(curve: &C) -> Result<Self, Error> {
        let domain = curve.domain();
        let mut borders = vec![*domain.start()];
        let mut gaps = 0.0;
        for_each_seam(curve, 0, |seam| {
            let [before, after] = [seam.parameter.next_down(), seam.parameter.next_up()];
            gaps += (curve.position(after) - curve.position(before)).norm();
            borders.push(seam.parameter);
        })?;
        borders.push(*domain.end());
        let mut measured = Self {
            curve: curve.clone(),
            domain,
            parameters: vec![borders[0]],
            lengths: vec![0.0],
            balls: Vec::new(),
            gaps,
        };
        let pieces = borders.windows(2).map(|ends| [ends[0], ends[1]]);
        let rough = pieces.clone().map(|[a, b]| measured.measure(a, b)).sum();
        if !f64::is_finite(rough) {
            return Err(endless(rough));
        }
        for [a, b] in pieces {
            measured.divide(a, b, rough, DEPTH)?;
        }
        measured.balls = nearest::balls(&measured, measured.parameters.len() - 1);
        Ok(measured)
    }

    /// Appends the panels of a piece from a to b of a curve of about the length `total`, first by its turn.
    fn divide(&mut self, a: f64, b: f64, total: f64, depth: u32) -> Result<(), Error> {
        // Ends are left out: there may be corners.
        let course = |s: f64| SVector::from([self.turning(s), norm(&self.curve.tangent(s))]);
        let [fine, coarse] = integrals(course, a, b);
        let (turn, length) = (fine[0], fine[1]);
        if turn.is_nan() {
            return Err(endless(turn));
        }
        if turn > TURN * PANELS as f64 {
            return Err(Error::TooManyPanels { panels: PANELS });
        }
        if turn <= TURN || depth == 0 {
            return if (length - coarse[1]).abs() <= TOLERANCE * total {
                self.push(b, length)
            } else {
                self.resolve(a, b, length, total, depth)
            };
        }
        let (parts, halvings) = if turn > OFTEN { (8, 3) } else { (2, 1) };
        let border = |i: u32| {
            if i == parts {
                b
            } else {
                a + (b - a) * (f64::from(i) / f64::from(parts))
            }
        };
        let depth = depth.saturating_sub(halvings);
        (0..parts).try_for_each(|i| self.divide(border(i), border(i + 1), total, depth))
    }

    /// Then by its length.
    fn resolve(
        &mut self,
        a: f64,
        b: f64,
        length: f64,
        total: f64,
        depth: u32,
    ) -> Result<(), Error> {
        let middle = 0.5 * (a + b);
        let (left, right) = (self.measure(a, middle), self.measure(middle, b));
        // False for NaN.
        if (length - (left + right)).abs() <= TOLERANCE * total {
            return self.push(b, left + right);
        }
        if depth == 0 {
            return Err(endless(total));
        }
        self.resolve(a, middle, left, total, depth - 1)?;
        self.resolve(middle, b, right, total, depth - 1)
    }

    /// Appends the panel that ends at b.
    fn push(&mut self, b: f64, length: f64) -> Result<(), Error> {
        if self.parameters.len() > PANELS {
            return Err(Error::TooManyPanels { panels: PANELS });
        }
        self.parameters.push(b);
        self.lengths.push(self.length() + length);
        Ok(())
    }

    /// The angle by which the curve turns per unit of s, |r″ − (r′·r″/r′·r′) r′|/|r′|; zero if r′ vanishes.
    fn turning(&self, s: f64) -> f64 {
        let [_, r1, r2] = self.curve.jet(s);
        let size = r1.amax();
        if size == 0.0 {
            return 0.0;
        }
        let (r1, r2) = (r1 / size, r2 / size);
        let metric = r1.norm_squared();
        (r2 - r1 * (r1.dot(&r2) / metric)).norm() / metric.simd_sqrt()
    }

    fn measure(&self, a: f64, b: f64) -> f64 {
        integral(|s| norm(&self.curve.tangent(s)), a, b)
    }

    /// The curve that is measured.
    pub fn curve(&self) -> &C {
        &self.curve
    }

    /// The length of the whole curve.
    pub fn length(&self) -> f64 {
        self.lengths.last().copied().unwrap_or_default()
    }

    /// p(s): the length from the start of the domain to `s`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `s` lies beyond the domain or is NaN.
    pub fn length_at(&self, s: f64) -> Result<f64, Error> {
        check_range(Quantity::Parameter, s, &self.domain)?;
        let panel = panel(&self.parameters, s);
        Ok(self.lengths[panel] + self.measure(self.parameters[panel], s))
    }

    /// s(p): the parameter at the length `p` from the start, by Newton's method within one panel.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `p` is negative, greater than [`length`](Self::length), or NaN.
    pub fn parameter_at(&self, p: f64) -> Result<f64, Error> {
        check_range(Quantity::ArcLength, p, &(0.0..=self.length()))?;
        let panel = panel(&self.lengths, p);
        let (start, end) = (self.parameters[panel], self.parameters[panel + 1]);
        let (wanted, whole) = (
            p - self.lengths[panel],
            self.lengths[panel + 1] - self.lengths[panel],
        );
        if whole == 0.0 {
            return Ok(start);
        }
        let excess = |s: f64| {
            (
                self.measure(start, s) - wanted,
                norm(&self.curve.tangent(s)),
            )
        };
        let guess = start + (end - start) * (wanted / whole).clamp(0.0, 1.0);
        Ok(root(excess, [start, end], guess))
    }

    /// The point of the whole curve nearest to `point`: branches of the curve are skipped only if a ball around them
    /// shows that they are farther.
    ///
    /// # Errors
    /// [`Error::NonFinite`] if `point` is not finite.
    pub fn nearest(&self, point: &SVector<f64, D>) -> Result<Nearest<D>, Error> {
        match point.iter().position(|entry| !entry.is_finite()) {
            None => Ok(nearest::search(self, &self.balls, point)),
            Some(index) => Err(Error::NonFinite {
                quantity: Quantity::Point,
                index,
                names: None,
                value: point[index],
                time: None,
            }),
        }
    }

    /// The ends of panel `index`.
    pub(super) fn panel(&self, index: usize) -> [f64; 2] {
        [self.parameters[index], self.parameters[index + 1]]
    }

    /// The length of the domain.
    pub(super) fn domain_length(&self) -> f64 {
        self.domain.end() - self.domain.start()
    }

    /// How much farther a point may be than the length to it: the gaps that the length leaves out.
    pub(super) fn gaps(&self) -> f64 {
        self.gaps
    }

    /// The lengths up to the ends of the panels from `first` to before `last`.
    pub(super) fn lengths_of(&self, first: usize, last: usize) -> [f64; 2] {
        [self.lengths[first], self.lengths[last]]
    }
}

/// |x|, also if the squares of its entries overflow or underflow.
pub(super) fn norm<const D: usize>(x: &SVector<f64, D>) -> f64 {
    let squares = x.norm_squared();
    if (1e-280..1e280).contains(&squares) {
        return squares.simd_sqrt();
    }
    let size = x.amax();
    if size > 0.0 && size.is_finite() {
        (x / size).norm() * size
    } else {
        x.sum().abs()
    }
}

/// The speed has a pole, or is NaN.
#[cold]
fn endless(total: f64) -> Error {
    Error::NonFinite {
        quantity: Quantity::ArcLength,
        index: 0,
        names: None,
        value: if total.is_nan() { total } else { f64::INFINITY },
        time: None,
    }
}

fn check_range(quantity: Quantity, value: f64, range: &RangeInclusive<f64>) -> Result<(), Error> {
    if range.contains(&value) {
        Ok(())
    } else {
        Err(Error::OutOfRange {
            quantity,
            value,
            start: *range.start(),
            end: *range.end(),
            time: None,
        })
    }
}

/// The index of the panel that contains `x`, among those that end at `borders`.
fn panel(borders: &[f64], x: f64) -> usize {
    let after = borders.partition_point(|&border| border <= x);
    after.clamp(1, borders.len() - 1) - 1
}

/// The root of an increasing function, given with its slope, between two ends: Newton's method, or bisection if that
/// leaves the bracket or shrinks it slowly.
pub(super) fn root(
    f: impl Fn(f64) -> (f64, f64),
    [mut low, mut high]: [f64; 2],
    guess: f64,
) -> f64 {
    let mut x = guess;
    let mut before = high - low;
    loop {
        let (value, slope) = f(x);
        if value <= 0.0 {
            low = x
        } else {
            high = x
        }
        let step = value / slope;
        let newton = x - step;
        // Each of Newton's steps must be less than half the one before.
        let inside = newton > low && newton < high && step.abs() < 0.5 * before;
        let next = if inside { newton } else { 0.5 * (low + high) };
        before = if inside {
            step.abs()
        } else {
            0.5 * (high - low)
        };
        let settled = (next - x).abs() <= f64::EPSILON * x.abs();
        if value == 0.0 || settled || next <= low || next >= high {
            return if value == 0.0 {
                x
            } else {
                next.clamp(low, high)
            };
        }
        x = next;
    }
}
