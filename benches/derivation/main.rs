//! How long an expansion takes.
//!
//! - `cargo bench -p constraint-benches --bench derivation -- sums`: sums of 10² to 10⁵ nodes.
//! - `… -- expansions`: curves, tracks and chains; with `--profile dev` beside what is aimed at in users'
//!   unoptimised builds.
//! - `… -- check`: the time of `cargo check` for one more parabola, and for one more chain of 64.
//! - without a word, all three; under callgrind with the words `repeat parabola 100`, or another name of the second
//!   table, the instructions of expanding that so many times.
//!
//! All are processor times where the system tells them, since the machine may have other work.

mod check;
mod expansions;
mod sums;

use std::time::{Duration, Instant};

use proc_macro2::TokenStream;

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    if let [repeat, name, times] = &words[..]
        && repeat == "repeat"
    {
        return expansions::repeat(name, times.parse().expect("the third word is a number"));
    }
    let tables: [(&str, fn()); 3] = [
        ("sums", sums::tabulate),
        ("expansions", expansions::tabulate),
        ("check", check::report),
    ];
    for (name, table) in tables {
        if words.is_empty() || words.iter().any(|word| word == name) {
            table();
        }
    }
}

fn tokens(source: &str) -> TokenStream {
    source.parse().expect("the sources are valid tokens")
}

/// Processor time is told in steps of some milliseconds, so what is timed takes this long or longer.
const SAMPLE: Duration = Duration::from_millis(200);

/// The least time of `runs` runs, each the mean of as many as fill a sample: what else the machine does only adds.
fn least(runs: usize, once: impl Fn()) -> Duration {
    let start = Instant::now();
    once();
    let times = SAMPLE
        .div_duration_f64(start.elapsed())
        .ceil()
        .clamp(1.0, 1e4) as u32;
    let time = |_| {
        let start = Instant::now();
        let before = processor_time(start);
        (0..times).for_each(|_| once());
        processor_time(start).saturating_sub(before) / times
    };
    (0..runs).map(time).min().unwrap_or_default()
}

/// Processor time of this thread, or else the time since `started`.
fn processor_time(started: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| started.elapsed(), Duration::from_nanos)
}
