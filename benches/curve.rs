//! s̈ of a damped bead under gravity on every track: generated code beside code by hand, in one run.
//!
//! - `cargo bench --bench curve`: times and their ratio, in turns.
//! - under callgrind, with the name of a track and `generated` or `by_hand`: the instructions of 10⁶ calls.
//!
//! By hand means the simplest form found on paper, with the same check for r′ = 0 where the generated code
//! needs one.

use std::f64::consts::PI;
use std::hint::black_box;
use std::time::Instant;

use constraint_runtime::prelude::*;
use constraint_runtime::tracks::*;

/// s, ṡ, m, b, g → s̈
type Acceleration = fn(f64, f64, f64, f64, f64) -> f64;

#[inline(always)]
fn generated<C: Curve<f64, 2>>(curve: C, s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
    let gravity = |_: &Vector2<f64>, _: &Vector2<f64>| Vector2::new(0.0, -m * g);
    curve
        .acceleration_under(s, v, m, b, gravity)
        .expect("no cusp")
}

#[inline(always)]
fn regular(metric: f64) -> f64 {
    assert!(metric > 0.0, "no cusp");
    metric
}

#[inline(always)]
fn hump(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
    let s2 = s * s;
    let y1 = s * (2.0 / 3.0 * s2 - 7.0 / 3.0);
    let y2 = 2.0 * s2 - 7.0 / 3.0;
    -y1 * (g + y2 * v * v) / (1.0 + y1 * y1) - b / m * v
}

#[inline(always)]
fn circle(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
    const R: f64 = 1.5;
    regular(black_box(R) * black_box(R));
    s.sin() * g / R - b / m * v
}

#[inline(always)]
fn lemniscate(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
    const A: f64 = 1.3;
    let (sin, cos) = s.sin_cos();
    let d = 1.0 + sin * sin;
    regular(A * A / d);
    (sin * cos * v * v - g / A * (1.0 - 3.0 * sin * sin)) / d - b / m * v
}

#[inline(always)]
fn ellipse(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
    const A: f64 = 2.0;
    const B: f64 = 0.7;
    let (sin, cos) = s.sin_cos();
    let metric = regular(A * A * sin * sin + B * B * cos * cos);
    -cos * (g * B + (A * A - B * B) * sin * v * v) / metric - b / m * v
}

#[inline(always)]
fn spiral(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
    const A: f64 = 0.2;
    let (sin, cos) = s.sin_cos();
    regular(A * A * (1.0 + s * s));
    -(s * v * v + g / A * (sin + s * cos)) / (1.0 + s * s) - b / m * v
}

#[inline(always)]
fn waves(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
    let (sin, cos) = (3.0 * s).sin_cos();
    let y1 = cos - 3.0 * s * sin;
    let y2 = -6.0 * sin - 9.0 * s * cos;
    -y1 * (g + y2 * v * v) / (1.0 + y1 * y1) - b / m * v
}

#[inline(always)]
fn corner(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
    let y1 = if s > 0.0 { 1.0 } else { -1.0 };
    -0.5 * g * y1 - b / m * v
}

#[inline(always)]
fn parabola(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
    s * (50.0 * g - v * v) / (2500.0 + s * s) - b / m * v
}

#[inline(always)]
fn cycloid(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
    const R: f64 = 0.8;
    let (sin, cos) = s.sin_cos();
    let d = 1.0 + cos;
    regular(2.0 * R * R * d);
    0.5 * sin * (v * v - g / R) / d - b / m * v
}

#[inline(always)]
fn cardioid(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
    const A: f64 = 0.4;
    let (sin, cos) = s.sin_cos();
    let d = 1.0 - cos;
    regular(8.0 * A * A * d);
    let slope = 2.0 * sin * sin - d;
    -(0.5 * sin * v * v + g / (4.0 * A) * slope) / d - b / m * v
}

#[inline(always)]
fn unit_circle(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
    -s.cos() * g - b / m * v
}

#[inline(always)]
fn loop_the_loop(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
    let entry = -(1.0_f64 / 3.0).atan();
    let turn = (PI - 2.0 * entry) / 6.0;
    let parabola = |slope: f64| -slope * (g + 2.0 * v * v) / (1.0 + slope * slope);
    let free = if s < 0.5 {
        parabola(2.0 * (s + 1.0))
    } else if s < 0.5 + turn {
        -g * (6.0 * (s - 0.5) + entry).cos() / 10f64.sqrt()
    } else {
        parabola(2.0 * (s - 2.0 - turn))
    };
    free - b / m * v
}

#[inline(always)]
fn oval(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
    const R: f64 = 0.6;
    const L: f64 = 0.9;
    let rise = if s < 2.0 * L {
        1.0
    } else if s < 2.0 * L + PI * R {
        ((s - 2.0 * L) / R).cos()
    } else if s < 4.0 * L + PI * R {
        -1.0
    } else {
        -((s - 4.0 * L) / R - PI).cos()
    };
    -g * rise - b / m * v
}

/// Track, where it begins and ends, generated, by hand.
struct Pair(&'static str, f64, f64, Acceleration, Acceleration);

macro_rules! pair {
    ($name:literal, $start:expr, $end:expr, $curve:expr, $by_hand:expr) => {{
        #[inline(never)]
        fn ours(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
            generated($curve, s, v, m, b, g)
        }
        #[inline(never)]
        fn theirs(s: f64, v: f64, m: f64, b: f64, g: f64) -> f64 {
            $by_hand(s, v, m, b, g)
        }
        Pair($name, $start, $end, ours, theirs)
    }};
}

fn pairs() -> [Pair; 13] {
    [
        pair!("hump", -2.5, 2.5, Hump, hump),
        pair!("loop", -3.0, 4.6, LoopTheLoop, loop_the_loop),
        pair!("circle", -3.0, 3.0, Circle { r: 1.5 }, circle),
        pair!("ellipse", 0.0, 6.0, Ellipse { a: 2.0, b: 0.7 }, ellipse),
        pair!("lemniscate", 0.0, 6.0, Lemniscate { a: 1.3 }, lemniscate),
        pair!("oval", 0.0, 7.3, Oval { r: 0.6, l: 0.9 }, oval),
        pair!("spiral", 0.0, 18.0, Spiral { a: 0.2 }, spiral),
        pair!("unit circle", 1.6, 7.8, UnitCircle, unit_circle),
        pair!("waves", -8.0, 8.0, Waves, waves),
        pair!("corner", -3.0, 3.0, Corner, corner),
        pair!("parabola", -200.0, 200.0, Parabola, parabola),
        pair!("cycloid", -3.0, 3.0, Cycloid { r: 0.8 }, cycloid),
        pair!("cardioid", 0.1, 6.1, Cardioid { a: 0.4 }, cardioid),
    ]
}

const CALLS: u32 = 1_000_000;

fn run(f: Acceleration, start: f64, end: f64) -> f64 {
    let step = (end - start) / f64::from(CALLS);
    let call = |i: u32| f(start + (f64::from(i) + 0.5) * step, 1.9, 1.7, 0.3, 9.81);
    (0..CALLS).map(|i| black_box(call(i))).sum()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let chosen = pairs()
        .into_iter()
        .find(|pair| arguments.first().is_some_and(|name| name == pair.0));
    match (chosen, arguments.get(1).map(String::as_str)) {
        (Some(Pair(_, start, end, ours, _)), Some("generated")) => {
            println!("{}", run(ours, start, end))
        }
        (Some(Pair(_, start, end, _, theirs)), Some("by_hand")) => {
            println!("{}", run(theirs, start, end))
        }
        _ => pairs().iter().for_each(compare),
    }
}

fn compare(Pair(name, start, end, ours, theirs): &Pair) {
    for i in 0..1000 {
        let s = start + (end - start) * (f64::from(i) + 0.5) / 1000.0;
        let (a, b) = (ours(s, 1.9, 1.7, 0.3, 9.81), theirs(s, 1.9, 1.7, 0.3, 9.81));
        assert!(
            (a - b).abs() < 1e-9 * (1.0 + b.abs()),
            "{name} at {s}: {a}, by hand {b}"
        );
    }
    let time = |f: Acceleration| {
        let before = Instant::now();
        black_box(run(f, *start, *end));
        before.elapsed().as_secs_f64()
    };
    let (mut least, rounds) = ([f64::INFINITY; 2], 15);
    for _ in 0..rounds {
        least = [least[0].min(time(*ours)), least[1].min(time(*theirs))];
    }
    let [a, b] = least.map(|seconds| seconds * 1e9 / f64::from(CALLS));
    println!(
        "{name:12} generated {a:6.2} ns, by hand {b:6.2} ns, ratio {:.2}",
        a / b
    );
}
