//! s̈ of a damped bead under a force on every track: generated code beside code by hand, in one run.
//!
//! - `cargo bench -p constraint-benches --bench curve`: times and their ratio, in turns.
//! - `cargo bench -p constraint-benches --bench curve -- instructions`: instructions of a call, counted by callgrind, as a table.
//!
//! Both sides are given the same at run time: the sizes of the track, s, ṡ, m, b and the force vector. By hand
//! means the shortest form found on paper, with the same check for r′ = 0 where there is one; a piece of a track is
//! a branch. That both agree is asserted first.

mod by_hand {
    pub mod tracks;
}

use std::env;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use by_hand::tracks::{self, Given};
use constraint_runtime::prelude::*;
use constraint_runtime::tracks::*;

/// A bead's acceleration on a curve: s, ṡ, m, b, f_x, f_y → s̈, all in registers.
type Acceleration<C> = fn(&C, f64, f64, f64, f64, f64, f64) -> f64;

/// Which of the contenders; the last does nothing, and is what calling costs.
#[derive(Clone, Copy)]
enum Side {
    Generated,
    ByHand,
    Nothing,
}

/// A track with what is needed to compare and to run both sides.
struct Pair {
    name: &'static str,
    range: [f64; 2],
    at: fn(f64) -> [f64; 2],
    run: fn(Side, u32) -> f64,
}

macro_rules! pair {
    ($name:literal, $start:expr, $end:expr, $track:ty, $curve:expr, $by_hand:path) => {{
        #[inline(never)]
        fn generated(curve: &$track, s: f64, v: f64, m: f64, b: f64, x: f64, y: f64) -> f64 {
            let force = |_: &Vector2<f64>, _: &Vector2<f64>| Vector2::new(x, y);
            curve
                .acceleration_under(s, v, m, b, force)
                .expect("no cusp")
        }
        #[inline(never)]
        fn by_hand(curve: &$track, s: f64, v: f64, m: f64, b: f64, x: f64, y: f64) -> f64 {
            let f = Vector2::new(x, y);
            $by_hand(curve, s, &Given { v, m, b, f })
        }
        fn run(side: Side, calls: u32) -> f64 {
            let f: Acceleration<$track> = match side {
                Side::Generated => generated,
                Side::ByHand => by_hand,
                Side::Nothing => |_, s, _, _, _, _, _| s,
            };
            drive($start, $end, &$curve, f, calls)
        }
        Pair {
            name: $name,
            range: [$start, $end],
            at: |s| {
                let at = |f: Acceleration<$track>| f(&$curve, s, V, M, B, F[0], F[1]);
                [at(generated), at(by_hand)]
            },
            run,
        }
    }};
}

/// ṡ, m, b and f.
const V: f64 = 1.9;
const M: f64 = 1.7;
const B: f64 = 0.3;
const F: [f64; 2] = [2.3, -16.677];

fn pairs() -> [Pair; 13] {
    [
        pair!("hump", -2.5, 2.5, Hump, Hump, tracks::hump),
        pair!(
            "loop",
            -3.0,
            4.6,
            LoopTheLoop,
            LoopTheLoop,
            tracks::loop_the_loop
        ),
        pair!(
            "circle",
            -3.0,
            3.0,
            Circle,
            Circle { r: 1.5 },
            tracks::circle
        ),
        pair!(
            "ellipse",
            0.0,
            6.0,
            Ellipse,
            Ellipse { a: 2.0, b: 0.7 },
            tracks::ellipse
        ),
        pair!(
            "lemniscate",
            0.0,
            6.0,
            Lemniscate,
            Lemniscate { a: 1.3 },
            tracks::lemniscate
        ),
        pair!(
            "oval",
            0.0,
            7.3,
            Oval,
            Oval { r: 0.6, l: 0.9 },
            tracks::oval
        ),
        pair!(
            "spiral",
            0.0,
            18.0,
            Spiral,
            Spiral { a: 0.2 },
            tracks::spiral
        ),
        pair!(
            "unit circle",
            1.6,
            7.8,
            UnitCircle,
            UnitCircle,
            tracks::unit_circle
        ),
        pair!("waves", -8.0, 8.0, Waves, Waves, tracks::waves),
        pair!("corner", -3.0, 3.0, Corner, Corner, tracks::corner),
        pair!(
            "parabola",
            -200.0,
            200.0,
            Parabola,
            Parabola,
            tracks::parabola
        ),
        pair!(
            "cycloid",
            -3.0,
            3.0,
            Cycloid,
            Cycloid { r: 0.8 },
            tracks::cycloid
        ),
        pair!(
            "cardioid",
            0.1,
            6.1,
            Cardioid,
            Cardioid { a: 0.4 },
            tracks::cardioid
        ),
    ]
}

fn drive<C>(start: f64, end: f64, curve: &C, f: Acceleration<C>, calls: u32) -> f64 {
    let (curve, f) = (black_box(curve), black_box(f));
    let (v, m, b, [x, y]) = black_box((V, M, B, F));
    let step = (end - start) / f64::from(calls);
    let call = |i: u32| f(curve, start + (f64::from(i) + 0.5) * step, v, m, b, x, y);
    (0..calls).map(|i| black_box(call(i))).sum()
}

// Calls that are timed, and calls that are counted.
const TIMED: u32 = 1_000_000;
const COUNTED: u32 = 20_000;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["instructions", ..] => instructions(),
        ["calls", track, side] => calls(track, side),
        _ => pairs().iter().for_each(times),
    }
}

/// Both sides agree to rounding.
fn check(
    Pair {
        name, range, at, ..
    }: &Pair,
) {
    for i in 0..1000 {
        let s = range[0] + (range[1] - range[0]) * (f64::from(i) + 0.5) / 1000.0;
        let [ours, theirs] = at(s);
        let close = (ours - theirs).abs() < 1e-12 * (1.0 + theirs.abs());
        assert!(close, "{name} at {s}: {ours}, by hand {theirs}");
    }
}

fn times(pair: &Pair) {
    check(pair);
    let time = |side: Side| {
        let before = Instant::now();
        black_box((pair.run)(side, TIMED));
        before.elapsed().as_secs_f64()
    };
    let (mut least, rounds) = ([f64::INFINITY; 2], 15);
    for _ in 0..rounds {
        least = [
            least[0].min(time(Side::Generated)),
            least[1].min(time(Side::ByHand)),
        ];
    }
    let [a, b] = least.map(|seconds| seconds * 1e9 / f64::from(TIMED));
    let (name, ratio) = (pair.name, a / b);
    println!("{name:12} generated {a:6.2} ns, by hand {b:6.2} ns, ratio {ratio:.2}");
}

/// What callgrind is shown.
fn calls(track: &str, side: &str) {
    let side = match side {
        "generated" => Side::Generated,
        "by_hand" => Side::ByHand,
        _ => Side::Nothing,
    };
    let pairs = pairs();
    let pair = pairs.iter().find(|pair| pair.name == track);
    println!("{}", (pair.expect("a track").run)(side, COUNTED));
}

fn instructions() {
    println!("| track | generated | by hand | ratio |\n|---|---|---|---|");
    for pair in &pairs() {
        check(pair);
        let count = |side| collected(pair.name, side);
        let nothing = count("nothing");
        let [ours, theirs] =
            ["generated", "by_hand"].map(|side| (count(side) - nothing) / f64::from(COUNTED));
        let (name, ratio) = (pair.name, ours / theirs);
        println!("| {name} | {ours:.1} | {theirs:.1} | {ratio:.2} |");
    }
}

/// Instructions of this program, run by callgrind.
fn collected(track: &str, side: &str) -> f64 {
    let program = env::current_exe().expect("a program");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["calls", track, side])
        .output()
        .expect("valgrind is installed");
    let report = String::from_utf8_lossy(&output.stderr);
    let count = report.split("Collected :").nth(1).map(str::trim);
    let count = count.and_then(|rest| rest.split_whitespace().next());
    count.and_then(|it| it.parse().ok()).expect("a count")
}
