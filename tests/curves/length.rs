//! Arc length against closed forms, and the nearest point against brute force.
//!
//! `CONSTRAINT_CASES=10000 cargo test --release -p constraint-tests --test curves length::` asks every track for 10,000 points, against
//! 10⁶ samples each.

use std::cell::Cell;
use std::f64::consts::PI;

use crate::random::Random;
use crate::tracks::{Visit, parameters, visit_all};
use constraint_runtime::prelude::*;
use constraint_runtime::tracks::*;
use num_dual::Dual2_64;

#[track_caller]
fn length_is<C: Curve<f64, D> + Clone, const D: usize>(curve: C, exact: f64) {
    let length = ArcLength::new(&curve).unwrap().length();
    assert!(
        (length - exact).abs() <= 1e-13 * exact,
        "{length} is not {exact}"
    );
}

/// ½ (s √(1 + s²) + asinh s), the length of s² /2 and of the spiral of Archimedes.
fn parabolic(s: f64) -> f64 {
    0.5 * (s * s.hypot(1.0) + s.asinh())
}

/// The perimeter of an ellipse by the arithmetic–geometric mean.
///
/// Source: [DLMF] section 19.8(i), equations 19.8.1 and 19.8.6: E(k) = K(k) (1 − Σ 2ⁿ⁻¹ cₙ²).
fn ellipse(a: f64, b: f64) -> f64 {
    let (mut x, mut y, mut sum, mut power) = (a, b, 0.5 * (a * a - b * b), 1.0);
    for _ in 0..8 {
        let c = 0.5 * (x - y);
        (x, y) = (0.5 * (x + y), (x * y).sqrt());
        sum += power * c * c;
        power *= 2.0;
    }
    2.0 * PI * (a * a - sum) / x
}

#[test]
fn lengths_are_those_of_the_closed_forms() {
    length_is(Circle { r: 1.5 }, 3.0 * PI);
    length_is(UnitCircle, 2.0 * PI);
    length_is(Ellipse { a: 2.0, b: 0.7 }, ellipse(2.0, 0.7));
    // Twice the lemniscate constant ϖ = 2.62205755429211981… (OEIS A062539).
    length_is(Lemniscate { a: 1.3 }, 1.3 * 2.0 * 2.622_057_554_292_119_8);
    length_is(Oval { r: 0.6, l: 0.9 }, 3.6 + 1.2 * PI);
    length_is(Spiral { a: 0.2 }, 0.2 * parabolic(6.0 * PI));
    length_is(Corner, 6.0 * 2f64.sqrt());
    length_is(Parabola, 100.0 * parabolic(4.0));
    length_is(Cycloid { r: 0.8 }, 8.0 * 0.8);
    length_is(Cardioid { a: 0.4 }, 16.0 * 0.4);
    let helix = Helix {
        r: 0.5,
        pitch: 0.3,
        turns: 2.5,
    };
    length_is(helix, 2.5 * PI.hypot(0.3));
    // A parabola of slopes −4 to 3, a circle but for the angle 2 atan 3 − π, and back.
    let legs = parabolic(4.0) + parabolic(3.0);
    let circle = 10f64.sqrt() / 6.0 * (PI + 2.0 * (1.0 / 3.0_f64).atan());
    length_is(LoopTheLoop, legs + circle);
}

struct ThereAndBack;

impl Visit for ThereAndBack {
    fn visit<C, const D: usize>(
        &mut self,
        name: &str,
        curve: C,
        _: impl Fn(Dual2_64) -> [Dual2_64; D],
    ) where
        C: Curve<f64, D> + Copy,
    {
        let measured = ArcLength::new(&curve).unwrap();
        let (domain, length) = (curve.domain(), measured.length());
        assert_eq!(measured.length_at(*domain.start()), Ok(0.0));
        let whole = measured.length_at(*domain.end()).unwrap();
        assert!(
            (whole - length).abs() <= 1e-14 * length,
            "{name}: {whole} of {length}"
        );
        let mut before = 0.0;
        for s in parameters(&curve, 1000) {
            let p = measured.length_at(s).unwrap();
            assert!(p > before, "{name}: {p} at {s}");
            before = p;
            let back = measured.parameter_at(p).unwrap();
            // Near a cusp p is flat: there s has only the digits that p can tell apart.
            let tellable = length / curve.tangent(s).norm();
            assert!(
                (back - s).abs() <= 1e-14 * (s.abs() + tellable) * 8.0,
                "{name}: {back} for {s}"
            );
            let again = measured.length_at(back).unwrap();
            assert!((again - p).abs() <= 1e-12, "{name}: {again} for {p}");
        }
    }
}

/// To 10⁻¹² and better, both ways.
#[test]
fn length_and_parameter_are_inverse_to_one_another() {
    visit_all(&mut ThereAndBack);
}

#[test]
fn what_lies_beyond_the_ends_or_is_no_number_is_refused() {
    let measured = ArcLength::new(&Hump).unwrap();
    for s in [-2.6, 2.500_001, f64::NAN, f64::INFINITY] {
        let refused = measured.length_at(s).unwrap_err();
        assert!(
            matches!(
                refused,
                Error::OutOfRange {
                    start: -2.5,
                    end: 2.5,
                    ..
                }
            ),
            "{refused}"
        );
    }
    for p in [-1e-3, measured.length() + 1e-3, f64::NAN] {
        assert!(
            matches!(measured.parameter_at(p), Err(Error::OutOfRange { .. })),
            "{p}"
        );
    }
    let nowhere = measured.nearest(&Vector2::new(0.0, f64::NAN)).unwrap_err();
    assert!(
        matches!(nowhere, Error::NonFinite { index: 1, .. }),
        "{nowhere}"
    );
}

#[test]
fn a_speed_that_is_not_finite_is_refused() {
    curve! { struct Pole { c: Real } |s in 0..=1| [s, 1/(s - c)] }
    for c in [0.5, 0.3, 0.0] {
        let refused = ArcLength::new(&Pole { c }).unwrap_err();
        assert!(matches!(refused, Error::NonFinite { .. }), "{refused}");
    }
}

curve! {
    /// A circle that is run round at a rate `k`, for a while.
    struct Rounds { r: Real, k: Real, end: Real }
    |s in 0..=end| [r*cos(k*s), r*sin(k*s)]
}

/// The length of a curve goes with its unit, and that of its parameter does not matter; squares of the one are
/// numbers down to 10⁻¹⁵⁴ only.
#[test]
fn lengths_and_nearest_points_go_with_the_units() {
    for unit in [1e-300, 1e-200, 1e-150, 1e-9, 1.0, 1e9, 1e150, 1e200, 1e300] {
        for rate in [1e-100, 1e-14, 1.0, 1e14, 1e100] {
            // As long as r′ and r″ are numbers themselves.
            if !(1e-300..1e300).contains(&(unit * rate * rate)) {
                continue;
            }
            let curve = Rounds {
                r: unit,
                k: rate,
                end: 6.0 / rate,
            };
            let measured = ArcLength::new(&curve).unwrap();
            let case = format!("unit {unit:e}, rate {rate:e}");
            assert!((measured.length() / unit - 6.0).abs() < 1e-14, "{case}");
            let middle = measured.parameter_at(1.5 * unit).unwrap();
            assert!((middle * rate - 1.5).abs() < 1e-14, "{case}");
            for (x, y, distance) in [(0.0, 0.5, 0.5), (-3.0, 4.0, 4.0), (0.6, -0.8, 0.0)] {
                let point = Vector2::new(x, y) * unit;
                let nearest = measured.nearest(&point).unwrap();
                let found = nearest.distance / unit;
                assert!((found - distance).abs() < 1e-14, "{case}: {nearest:?}");
            }
        }
    }
}

/// Places that lie whole turns apart say nothing of the turns between them.
#[test]
fn turns_are_counted_however_many_there_are() {
    let curve = Rounds {
        r: 1.0,
        k: 1.0,
        end: 400.0 * 2.0 * PI,
    };
    let measured = ArcLength::new(&curve).unwrap();
    let nearest = measured.nearest(&Vector2::new(-0.5, 0.0)).unwrap();
    assert!((nearest.distance - 0.5).abs() < 1e-12, "{nearest:?}");
}

/// A curve that counts how often its functions are called.
#[derive(Clone)]
struct Counted<'a, C> {
    curve: C,
    calls: &'a Cell<usize>,
}

impl<C: Curve<f64, D>, const D: usize> Curve<f64, D> for Counted<'_, C> {
    fn position(&self, s: f64) -> SVector<f64, D> {
        self.calls.set(self.calls.get() + 1);
        self.curve.position(s)
    }
    fn tangent(&self, s: f64) -> SVector<f64, D> {
        self.calls.set(self.calls.get() + 1);
        self.curve.tangent(s)
    }
    fn second_derivative(&self, s: f64) -> SVector<f64, D> {
        self.calls.set(self.calls.get() + 1);
        self.curve.second_derivative(s)
    }
    fn domain(&self) -> std::ops::RangeInclusive<f64> {
        self.curve.domain()
    }
}

#[test]
fn the_cost_goes_with_the_turns() {
    let calls = |end: f64| {
        let calls = Cell::new(0);
        let curve = Counted {
            curve: Rounds {
                r: 1.0,
                k: 1.0,
                end,
            },
            calls: &calls,
        };
        let length = ArcLength::new(&curve).unwrap().length();
        assert!((length / end - 1.0).abs() < 1e-13);
        calls.get() as f64
    };
    // Two to four panels a radian: fifteen times r, r′, r″ and r′ for each, sometimes thirty r′ more.
    for end in [1e3, 1e4, 1e5] {
        let found = calls(end) / end;
        assert!(found < 4.0 * 110.0, "{found} a radian of {end}");
    }
}

#[test]
fn a_curve_without_end_or_length_is_no_endless_loop() {
    // 10¹² radians would take a machine for days.
    let refused = ArcLength::new(&Rounds {
        r: 1.0,
        k: 1e12,
        end: 1.0,
    });
    assert!(
        matches!(refused, Err(Error::TooManyPanels { .. })),
        "{:?}",
        refused.map(|it| it.length())
    );
    let point = ArcLength::new(&Rounds {
        r: 0.0,
        k: 1.0,
        end: 1.0,
    })
    .unwrap();
    assert_eq!(point.length(), 0.0);
    assert_eq!(point.parameter_at(0.0), Ok(0.0));
    let nearest = point.nearest(&Vector2::new(3.0, 4.0)).unwrap();
    assert_eq!(nearest.distance, 5.0);
}

// ---- the nearest point --------------------------------------------------------------------------

/// The least distance to 10⁶ samples, then to the points between the best sample's neighbours.
///
/// Runs of samples whose bounding box is farther than the best yet are passed over, which changes nothing.
struct BruteForce<C, const D: usize> {
    curve: C,
    samples: Vec<(f64, SVector<f64, D>)>,
    boxes: Vec<(SVector<f64, D>, SVector<f64, D>)>,
}

const RUN: usize = 1000;

impl<C: Curve<f64, D>, const D: usize> BruteForce<C, D> {
    fn new(curve: C, count: usize) -> Self {
        let domain = curve.domain();
        let (start, end) = (*domain.start(), *domain.end());
        let sample = |i: usize| {
            let s = start + (end - start) * i as f64 / count as f64;
            (s, curve.position(s))
        };
        let samples: Vec<_> = (0..=count).map(sample).collect();
        let bounds = |run: &[(f64, SVector<f64, D>)]| {
            let first = (run[0].1, run[0].1);
            run.iter()
                .fold(first, |(low, high), (_, r)| (low.inf(r), high.sup(r)))
        };
        Self {
            boxes: samples.chunks(RUN).map(bounds).collect(),
            curve,
            samples,
        }
    }

    fn distance(&self, point: &SVector<f64, D>) -> f64 {
        let mut best = (f64::INFINITY, 0);
        for (run, (low, high)) in self.boxes.iter().enumerate() {
            let inside = point.sup(low).inf(high);
            if (point - inside).norm_squared() > best.0 {
                continue;
            }
            let samples = self.samples.iter().enumerate().skip(run * RUN).take(RUN);
            for (i, (_, r)) in samples {
                let distance = (point - r).norm_squared();
                if distance < best.0 {
                    best = (distance, i);
                }
            }
        }
        self.refined(point, best.1)
    }

    /// By thirds, between the neighbours of sample i.
    fn refined(&self, point: &SVector<f64, D>, i: usize) -> f64 {
        let distance = |s: f64| (point - self.curve.position(s)).norm();
        let last = self.samples.len() - 1;
        let (mut a, mut b) = (
            self.samples[i.saturating_sub(1)].0,
            self.samples[(i + 1).min(last)].0,
        );
        for _ in 0..100 {
            let (left, right) = (a + (b - a) / 3.0, b - (b - a) / 3.0);
            if distance(left) < distance(right) {
                b = right
            } else {
                a = left
            }
        }
        distance(a)
            .min(distance(b))
            .min(distance(self.samples[i].0))
    }
}

struct NearestPoint {
    random: Random,
    points: usize,
    samples: usize,
}

impl Visit for NearestPoint {
    fn visit<C, const D: usize>(
        &mut self,
        name: &str,
        curve: C,
        _: impl Fn(Dual2_64) -> [Dual2_64; D],
    ) where
        C: Curve<f64, D> + Copy,
    {
        let measured = ArcLength::new(&curve).unwrap();
        let brute = BruteForce::new(curve, self.samples);
        let (low, high) = brute.boxes.iter().fold(brute.boxes[0], |(low, high), it| {
            (low.inf(&it.0), high.sup(&it.1))
        });
        let (middle, size) = ((low + high) / 2.0, (high - low).norm());
        for i in 0..self.points {
            let random = &mut self.random;
            let mut point = middle.map(|x| x + random.between(-0.8, 0.8) * size);
            match i % 5 {
                // On the curve, at centres of curvature, and at the middle, where a circle is undecided.
                0 => point = curve.position(*random.pick(&parameters(&curve, 997))),
                1 => point = self.center_of_curvature(&curve),
                2 if i == 2 => point = middle,
                _ => {}
            }
            let found = measured.nearest(&point).unwrap();
            let exact = brute.distance(&point);
            let tolerance = 1e-14 * (size + point.norm()) + 1e-13 * exact;
            assert!(
                (found.distance - exact).abs() <= tolerance,
                "{name}: {point} is {} away at {}, not {exact}",
                found.distance,
                found.parameter
            );
            assert_eq!(found.position, curve.position(found.parameter));
            assert!(((found.position - point).norm() - found.distance).abs() <= tolerance);
        }
    }
}

impl NearestPoint {
    /// There the nearest point is least certain: the distance is flat to third order.
    fn center_of_curvature<C: Curve<f64, D>, const D: usize>(
        &mut self,
        curve: &C,
    ) -> SVector<f64, D> {
        let s = *self.random.pick(&parameters(curve, 997));
        let [r, r1, r2] = curve.jet(s);
        let bend = r2 - r1 * (r1.dot(&r2) / r1.norm_squared());
        let curvature = bend / r1.norm_squared();
        if curvature.norm() > 1e-3 {
            r + curvature / curvature.norm_squared()
        } else {
            r
        }
    }
}

#[test]
fn the_nearest_point_is_that_of_brute_force() {
    let cases = std::env::var("CONSTRAINT_CASES").ok();
    let points = cases.map_or(50, |it| it.parse().expect("a number of points"));
    let samples = if points < 1000 { 20_000 } else { 1_000_000 };
    visit_all(&mut NearestPoint {
        random: Random::new(4),
        points,
        samples,
    });
}

/// The lemniscate crosses itself in the origin, the loop where its parabolas cross, on x = 0.
#[test]
fn at_a_crossing_the_branch_on_the_side_of_the_point_is_taken() {
    let measured = ArcLength::new(&Lemniscate { a: 2.0 }).unwrap();
    // The branches leave the origin along y = ±x.
    for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        let near = measured.nearest(&Vector2::new(x * 1e-3, y * 1e-3)).unwrap();
        let direction = near.position.normalize();
        assert!(
            (direction - Vector2::new(x, y).normalize()).norm() < 1e-3,
            "{near:?}"
        );
    }
    let origin = measured.nearest(&Vector2::zeros()).unwrap();
    assert!(origin.distance < 1e-15, "{origin:?}");
    let crossing = ArcLength::new(&LoopTheLoop)
        .unwrap()
        .nearest(&Vector2::new(0.0, 1.0))
        .unwrap();
    assert!(crossing.distance < 1e-15, "{crossing:?}");
}
