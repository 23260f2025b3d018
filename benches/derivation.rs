//! How long an expansion takes, from 10² to 10⁵ nodes.
//!
//! - `cargo bench --bench derivation`, or with `--profile dev`: times.
//! - under callgrind with the argument `parabola`: the instructions of 100 expansions of it.
//!
//! The expressions are sums of different terms, so that nothing folds away.

use std::fmt::Write;
use std::time::Instant;

use constraint_symbolic::compile;
use proc_macro2::TokenStream;

const PARABOLA: &str = "x*x + 100*y";

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("parabola") => (0..100).for_each(|_| expand(&tokens(PARABOLA))),
        _ => tabulate(),
    }
}

fn expand(tokens: &TokenStream) {
    assert!(!compile::constraint(tokens.clone()).is_empty());
}

fn tabulate() {
    println!("| expression | nodes | derivation | per node | whole expansion | per node |");
    println!("|---|---|---|---|---|---|");
    report("parabola", &tokens(PARABOLA), 5);
    for terms in [10, 100, 1_000, 10_000]
        .into_iter()
        .take(if cfg!(debug_assertions) { 3 } else { 4 })
    {
        // k·x, sin, k·y, product, sum: about ten nodes a term with its powers.
        report("sum of terms", &tokens(&sum_of(terms)), 10 * terms);
    }
}

fn tokens(source: &str) -> TokenStream {
    source.parse().expect("the sources above are valid tokens")
}

fn sum_of(terms: usize) -> String {
    let mut source = String::from("x");
    for k in 1..=terms {
        write!(source, " + sin({k}*x)*({k} + y)^2").expect("a string takes all writes");
    }
    source
}

/// The least of several runs: what else the machine does only adds.
fn report(name: &str, tokens: &TokenStream, nodes: usize) {
    let runs = (20_000 / nodes).clamp(1, 20);
    let least = |once: &dyn Fn()| {
        let time = |_| {
            let start = Instant::now();
            once();
            start.elapsed().as_secs_f64()
        };
        (0..runs).map(time).fold(f64::INFINITY, f64::min)
    };
    let derivation = least(&|| assert!(compile::analyze(tokens.clone()).is_ok()));
    let expansion = least(&|| expand(tokens));
    let cell = |seconds: f64| {
        format!(
            "{:.3} ms | {:.2} µs",
            seconds * 1e3,
            seconds * 1e6 / nodes as f64
        )
    };
    println!(
        "| {name} | {nodes} | {} | {} |",
        cell(derivation),
        cell(expansion)
    );
}
