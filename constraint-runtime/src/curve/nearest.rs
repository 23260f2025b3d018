//! The nearest point of a whole curve.
//!
//! No point of a part of length ℓ is farther than ℓ/2 from the middle between its ends, since its distances from the
//! two add up to at most ℓ. So balls around the middles of runs of panels, halved repeatedly, bound the distance of
//! everything within them, and the search visits only parts that may be nearer than the best so far.

use alloc::vec::Vec;

use nalgebra::SVector;

use super::Curve;
use super::arc_length::{ArcLength, norm, root};

/// Intervals shorter than this part of their parameter's size, or of the domain, are not divided.
const SHORTEST: f64 = 1e-13;
/// Nor are they divided if (r − p)·r′ is less than this part of its size: every point is as near as another.
const FLAT: f64 = 1e-14;

/// The point of a curve nearest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest<const D: usize> {
    /// Its parameter s.
    pub parameter: f64,
    /// r(s).
    pub position: SVector<f64, D>,
    /// The distance between both.
    pub distance: f64,
}

/// Holds every point of a run of panels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball<const D: usize> {
    center: SVector<f64, D>,
    radius: f64,
}

/// The balls of all runs, in preorder: that of `n` panels is followed by those of its first half.
pub(super) fn balls<C, const D: usize>(measured: &ArcLength<C, D>, panels: usize) -> Vec<Ball<D>>
where
    C: Curve<f64, D> + Clone,
{
    let position = |s: f64| measured.curve().position(s);
    let borders = core::iter::once(measured.panel(0)[0])
        .chain((0..panels).map(|panel| measured.panel(panel)[1]))
        .map(position)
        .collect::<Vec<_>>();
    let mut balls = Vec::with_capacity(2 * panels);
    push_balls(measured, &borders, 0, panels, &mut balls);
    balls
}

fn push_balls<C, const D: usize>(
    measured: &ArcLength<C, D>,
    borders: &[SVector<f64, D>],
    first: usize,
    last: usize,
    balls: &mut Vec<Ball<D>>,
) where
    C: Curve<f64, D> + Clone,
{
    let [from, to] = measured.lengths_of(first, last);
    balls.push(Ball {
        center: (borders[first] + borders[last]) * 0.5,
        // A little larger, for the rounding of the middle and of the length, and for gaps between pieces.
        radius: 0.5 * (to - from) + 1e-12 * measured.length() + measured.gaps(),
    });
    if last - first > 1 {
        let half = first + (last - first) / 2;
        push_balls(measured, borders, first, half, balls);
        push_balls(measured, borders, half, last, balls);
    }
}

/// Finds the nearest point.
pub(super) fn search<C, const D: usize>(
    measured: &ArcLength<C, D>,
    balls: &[Ball<D>],
    point: &SVector<f64, D>,
) -> Nearest<D>
where
    C: Curve<f64, D> + Clone,
{
    let start = measured.panel(0)[0];
    let position = measured.curve().position(start);
    let mut search = Search {
        measured,
        balls,
        point,
        scale: scale(measured.length()),
        best: Nearest {
            parameter: start,
            position,
            distance: norm(&(position - point)),
        },
    };
    search.run(0, 0, balls.len().div_ceil(2));
    // The jet of r, r′ and r″ may round r differently.
    let position = measured.curve().position(search.best.parameter);
    Nearest {
        position,
        distance: norm(&(position - point)),
        ..search.best
    }
}

struct Search<'a, C, const D: usize> {
    measured: &'a ArcLength<C, D>,
    balls: &'a [Ball<D>],
    point: &'a SVector<f64, D>,
    /// The scale of lengths before they are squared.
    scale: f64,
    best: Nearest<D>,
}

/// One, unless squares of a length would overflow or underflow.
fn scale(length: f64) -> f64 {
    if length > 0.0 && !(1e-100..1e100).contains(&length) {
        length.recip().min(f64::MAX)
    } else {
        1.0
    }
}

/// The slope and the bend of half the squared distance at one parameter.
#[derive(Clone, Copy)]
struct Slope {
    s: f64,
    /// (r − p)·r′
    slope: f64,
    /// r′·r′ + (r − p)·r″
    bend: f64,
    flat: bool,
}

impl<C, const D: usize> Search<'_, C, D>
where
    C: Curve<f64, D> + Clone,
{
    /// Searches the panels from `first` to before `last`, whose ball is number `ball`; the nearer half first.
    fn run(&mut self, ball: usize, first: usize, last: usize) {
        if last - first == 1 {
            let [a, b] = self.measured.panel(first);
            // Just inside, since an end may be a seam whose slope is that of the piece beyond.
            let (a, b) = (self.look(a.next_up()), self.look(b.next_down()));
            return self.within(a, b);
        }
        let half = first + (last - first) / 2;
        let (left, right) = (ball + 1, ball + 2 * (half - first));
        let mut halves = [
            (self.bound(left), left, first, half),
            (self.bound(right), right, half, last),
        ];
        if halves[1].0 < halves[0].0 {
            halves.swap(0, 1);
        }
        for (bound, ball, first, last) in halves {
            if bound < self.best.distance {
                self.run(ball, first, last);
            }
        }
    }

    /// No point in the ball is nearer than this.
    fn bound(&self, ball: usize) -> f64 {
        let Ball { center, radius } = &self.balls[ball];
        norm(&(self.point - center)) - radius
    }

    /// The slope at s; the point there may be the nearest.
    fn look(&mut self, s: f64) -> Slope {
        let [r, r1, r2] = self.measured.curve().jet(s);
        let away = r - self.point;
        let distance = norm(&away);
        if distance < self.best.distance {
            self.best = Nearest {
                parameter: s,
                position: r,
                distance,
            };
        }
        let (slope, bend) = self.derivatives([away, r1, r2]);
        let size = norm(&r1) * self.scale * (norm(&r) + norm(self.point)) * self.scale;
        Slope {
            s,
            slope,
            bend,
            flat: slope.abs() <= FLAT * size,
        }
    }

    /// (r − p)·r′ and r′·r′ + (r − p)·r″.
    fn derivatives(&self, jet: [SVector<f64, D>; 3]) -> (f64, f64) {
        let [away, r1, r2] = jet.map(|x| x * self.scale);
        (away.dot(&r1), r1.norm_squared() + away.dot(&r2))
    }

    /// Searches for minima between two places. Where the bend keeps its sign there is at most one, found by its
    /// slope; elsewhere, near the evolute, the interval is halved.
    fn within(&mut self, a: Slope, b: Slope) {
        let middle = 0.5 * (a.s + b.s);
        if b.s - a.s <= SHORTEST * middle.abs().max(self.measured.domain_length()) {
            return;
        }
        let m = self.look(middle);
        let bends = [a.bend, m.bend, b.bend];
        let (least, most) = (
            bends.into_iter().fold(f64::INFINITY, f64::min),
            bends.into_iter().fold(f64::NEG_INFINITY, f64::max),
        );
        let spread = most - least;
        if a.flat && m.flat && b.flat || most < -spread {
            return;
        }
        if least > spread {
            if a.slope < 0.0 && b.slope > 0.0 {
                self.minimum(a.s, b.s, middle);
            }
            return;
        }
        self.within(a, m);
        self.within(m, b);
    }

    fn minimum(&mut self, a: f64, b: f64, guess: f64) {
        let curve = self.measured.curve();
        let slope = |s: f64| {
            let [r, r1, r2] = curve.jet(s);
            self.derivatives([r - self.point, r1, r2])
        };
        let s = root(slope, [a, b], guess);
        self.look(s);
    }
}
