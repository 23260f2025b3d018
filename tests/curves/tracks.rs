//! All ready tracks, each beside its points as written by hand.

use constraint_runtime::prelude::*;
use constraint_runtime::tracks::*;
use num_dual::{Dual2_64, DualNum as _};

/// A question to every track.
pub trait Visit {
    /// `points` is written by hand and evaluated with dual numbers, which know r′ and r″.
    fn visit<C, const D: usize>(
        &mut self,
        name: &str,
        curve: C,
        points: impl Fn(Dual2_64) -> [Dual2_64; D],
    ) where
        C: Curve<f64, D> + Copy;
}

/// Shows `question` every track.
pub fn visit_all(question: &mut impl Visit) {
    let turn = 2.0 * std::f64::consts::PI;
    question.visit("hump", Hump, |s| {
        [s, s.powi(4) / 6.0 - s * s * (7.0 / 6.0) + 3.0]
    });
    question.visit("loop", LoopTheLoop, loop_the_loop);
    question.visit("circle", Circle { r: 1.5 }, |s| {
        [-s.sin() * 1.5, s.cos() * 1.5]
    });
    question.visit("ellipse", Ellipse { a: 2.0, b: 0.7 }, |s| {
        [s.cos() * 2.0, s.sin() * 0.7]
    });
    question.visit("lemniscate", Lemniscate { a: 1.3 }, |s| {
        let d = s.sin().powi(2) + 1.0;
        [s.cos() * 1.3 / d, s.sin() * s.cos() * 1.3 / d]
    });
    question.visit("oval", Oval { r: 0.6, l: 0.9 }, oval);
    question.visit("spiral", Spiral { a: 0.2 }, |s| {
        [s * s.cos() * 0.2, s * s.sin() * 0.2]
    });
    question.visit("unit circle", UnitCircle, |s| [s.cos(), s.sin()]);
    question.visit("waves", Waves, |s| [s, s * (s * 3.0).cos()]);
    question.visit("corner", Corner, |s| [s, if s.re > 0.0 { s } else { -s }]);
    question.visit("parabola", Parabola, |s| [s, -s * s / 100.0]);
    question.visit("cycloid", Cycloid { r: 0.8 }, |s| {
        [(s + s.sin()) * 0.8, (-s.cos() + 1.0) * 0.8]
    });
    question.visit("cardioid", Cardioid { a: 0.4 }, |s| {
        let radius = (-s.cos() + 1.0) * 0.8;
        [radius * s.cos(), radius * s.sin()]
    });
    let helix = Helix {
        r: 0.5,
        pitch: 0.3,
        turns: 2.5,
    };
    question.visit("helix", helix, |s| {
        [s.cos() * 0.5, s * (0.3 / turn), -s.sin() * 0.5]
    });
}

/// Parabola, circle, parabola: the circle is entered where the slope of (x + 1)² is 3.
fn loop_the_loop(s: Dual2_64) -> [Dual2_64; 2] {
    let radius = 10f64.sqrt() / 6.0;
    let entry = -(1.0 / 3.0_f64).atan();
    let length = (std::f64::consts::PI - 2.0 * entry) / 6.0;
    if s.re < 0.5 {
        [s, (s + 1.0).powi(2)]
    } else if s.re < 0.5 + length {
        let angle = (s - 0.5) * 6.0 + entry;
        [angle.cos() * radius, angle.sin() * radius + 29.0 / 12.0]
    } else {
        let x = s - (1.0 + length);
        [x, (x - 1.0).powi(2)]
    }
}

/// Up the right side, over, down the left side, under.
fn oval(s: Dual2_64) -> [Dual2_64; 2] {
    let (r, l) = (0.6, 0.9);
    let half_turn = std::f64::consts::PI * r;
    if s.re < 2.0 * l {
        [Dual2_64::from(r), s - l]
    } else if s.re < 2.0 * l + half_turn {
        let angle = (s - 2.0 * l) / r;
        [angle.cos() * r, angle.sin() * r + l]
    } else if s.re < 4.0 * l + half_turn {
        [Dual2_64::from(-r), -(s - (2.0 * l + half_turn)) + l]
    } else {
        let angle = (s - (4.0 * l + half_turn)) / r;
        [-angle.cos() * r, -angle.sin() * r - l]
    }
}

/// `count` parameters inside the domain, at no round places.
pub fn parameters<C: Curve<f64, D>, const D: usize>(curve: &C, count: usize) -> Vec<f64> {
    let domain = curve.domain();
    let (start, end) = (*domain.start(), *domain.end());
    let part = |i: usize| (i as f64 + 0.437) / count as f64;
    (0..count)
        .map(|i| start + (end - start) * part(i))
        .collect()
}
