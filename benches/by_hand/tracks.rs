//! s̈ of a bead on each track by hand: with one division, and of such forms the shortest found.
//!
//! Everywhere m E s̈ = r′·f − m r′·r″ ṡ² − b E ṡ, with what cancels cancelled on paper. A second division would
//! save an instruction here and there, and cost more time than it saves.

use std::f64::consts::PI;

use constraint_runtime::prelude::*;
use constraint_runtime::tracks::*;

/// What is the same on every track: ṡ, m, b and the force.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    pub v: f64,
    pub m: f64,
    pub b: f64,
    pub f: Vector2<f64>,
}

/// That r′·r′, or a positive multiple of it, is positive.
#[inline(always)]
fn regular(metric: f64) {
    assert!(metric > 0.0, "no cusp");
}

/// Along a graph y(x) with x = s, the slopes y′ and y″: r′ = (1, y′), r″ = (0, y″).
#[inline(always)]
fn graph(y1: f64, y2: f64, &Given { v, m, b, f }: &Given) -> f64 {
    let metric = 1.0 + y1 * y1;
    (f.x + y1 * (f.y - m * y2 * v * v) - b * v * metric) / (m * metric)
}

#[inline(always)]
pub fn hump(_: &Hump, s: f64, given: &Given) -> f64 {
    let s2 = s * s;
    graph(
        s * (2.0 / 3.0 * s2 - 7.0 / 3.0),
        2.0 * s2 - 7.0 / 3.0,
        given,
    )
}

#[inline(always)]
pub fn loop_the_loop(_: &LoopTheLoop, s: f64, given: &Given) -> f64 {
    const ENTRY: f64 = 0.321_750_554_396_642_2;
    const TURN: f64 = (PI + 2.0 * ENTRY) / 6.0;
    let Given { v, m, b, f } = *given;
    if s < 0.5 {
        graph(2.0 * s + 2.0, 2.0, given)
    } else if s < 0.5 + TURN {
        const SPEED: f64 = 3.162_277_660_168_379_5;
        let (sin, cos) = (6.0 * s - (3.0 + ENTRY)).sin_cos();
        (f.y * cos - f.x * sin - b * v * SPEED) / (m * SPEED)
    } else {
        graph(2.0 * s - (4.0 + 2.0 * TURN), 2.0, given)
    }
}

/// r′ = −r (cos, sin)
#[inline(always)]
pub fn circle(&Circle { r }: &Circle, s: f64, &Given { v, m, b, f }: &Given) -> f64 {
    regular(r * r);
    let (sin, cos) = s.sin_cos();
    -(f.x * cos + f.y * sin + r * v * b) / (m * r)
}

#[inline(always)]
pub fn ellipse(&Ellipse { a, b }: &Ellipse, s: f64, given: &Given) -> f64 {
    let Given {
        v,
        m,
        f,
        b: damping,
    } = *given;
    let (sin, cos) = s.sin_cos();
    let (x1, y1) = (a * sin, b * cos);
    let metric = x1 * x1 + y1 * y1;
    regular(metric);
    let bend = (a * a - b * b) * sin * cos;
    (f.y * y1 - f.x * x1 - v * (m * bend * v + damping * metric)) / (m * metric)
}

/// With d = 1 + sin²: r′ = a (sin (sin² − 3), 1 − 3 sin²)/d², E = a²/d, r′·r″ = −a² sin cos/d².
#[inline(always)]
pub fn lemniscate(&Lemniscate { a }: &Lemniscate, s: f64, given: &Given) -> f64 {
    let Given { v, m, b, f } = *given;
    regular(a * a);
    let (sin, cos) = s.sin_cos();
    let square = sin * sin;
    let d = 1.0 + square;
    let push = f.x * sin * (square - 3.0) + f.y * (1.0 - 3.0 * square);
    (push + a * v * (m * sin * cos * v - b * d)) / (m * a * d)
}

#[inline(always)]
pub fn oval(&Oval { r, l }: &Oval, s: f64, &Given { v, m, b, f }: &Given) -> f64 {
    let (start, half) = (2.0 * l, PI * r);
    let push = if s < start {
        f.y
    } else if s < start + half {
        let (sin, cos) = ((s - start) / r).sin_cos();
        f.y * cos - f.x * sin
    } else if s < 4.0 * l + half {
        -f.y
    } else {
        let (sin, cos) = ((s - 4.0 * l) / r - PI).sin_cos();
        f.x * sin - f.y * cos
    };
    (push - b * v) / m
}

/// r′ = a (cos − s sin, sin + s cos), E = a² (1 + s²), r′·r″ = a² s
#[inline(always)]
pub fn spiral(&Spiral { a }: &Spiral, s: f64, &Given { v, m, b, f }: &Given) -> f64 {
    regular(a * a);
    let (sin, cos) = s.sin_cos();
    let push = f.x * (cos - s * sin) + f.y * (sin + s * cos);
    let d = 1.0 + s * s;
    (push - a * v * (m * s * v + b * d)) / (m * a * d)
}

#[inline(always)]
pub fn unit_circle(_: &UnitCircle, s: f64, &Given { v, m, b, f }: &Given) -> f64 {
    let (sin, cos) = s.sin_cos();
    (f.y * cos - f.x * sin - b * v) / m
}

#[inline(always)]
pub fn waves(_: &Waves, s: f64, given: &Given) -> f64 {
    let (sin, cos) = (3.0 * s).sin_cos();
    graph(cos - 3.0 * s * sin, -(6.0 * sin + 9.0 * s * cos), given)
}

/// r′ = (1, ±1), E = 2
#[inline(always)]
pub fn corner(_: &Corner, s: f64, &Given { v, m, b, f }: &Given) -> f64 {
    let push = if s > 0.0 { f.x + f.y } else { f.x - f.y };
    (0.5 * push - b * v) / m
}

/// r′ = (1, −s/50), r″ = (0, −1/50), all times 50
#[inline(always)]
pub fn parabola(_: &Parabola, s: f64, &Given { v, m, b, f }: &Given) -> f64 {
    let d = 2500.0 + s * s;
    (2500.0 * f.x - s * (50.0 * f.y + m * v * v) - b * v * d) / (m * d)
}

/// With d = 1 + cos: r′ = r (d, sin), E = 2 r² d, r′·r″ = −r² sin
#[inline(always)]
pub fn cycloid(&Cycloid { r }: &Cycloid, s: f64, &Given { v, m, b, f }: &Given) -> f64 {
    let (sin, cos) = s.sin_cos();
    let d = 1.0 + cos;
    regular(r * r * d);
    let twice = r + r;
    (f.x * d + f.y * sin + v * (m * r * v * sin - twice * d * b)) / (m * twice * d)
}

/// With d = 1 − cos: r′ = 2 a (sin (2 cos − 1), d (2 cos + 1)), E = 8 a² d, r′·r″ = 4 a² sin
#[inline(always)]
pub fn cardioid(&Cardioid { a }: &Cardioid, s: f64, &Given { v, m, b, f }: &Given) -> f64 {
    let (sin, cos) = s.sin_cos();
    let d = 1.0 - cos;
    regular(a * a * d);
    let twice = cos + cos;
    let push = f.x * sin * (twice - 1.0) + f.y * d * (twice + 1.0);
    let four = 4.0 * a * d;
    (push - v * (2.0 * a * m * sin * v + b * four)) / (m * four)
}
