//! From 10² to 10⁵ nodes: sums of different terms, so that nothing folds away.

use std::fmt::Write;
use std::time::Duration;

use constraint_symbolic::compile;
use proc_macro2::TokenStream;

use super::{least, tokens};

pub fn tabulate() {
    println!("| expression | nodes | derivation | per node | whole expansion | per node |");
    println!("|---|---|---|---|---|---|");
    report("parabola", &tokens("x*x + 100*y"), 5);
    for terms in [10, 100, 1_000, 10_000]
        .into_iter()
        .take(if cfg!(debug_assertions) { 3 } else { 4 })
    {
        // k·x, sin, k·y, product, sum: about ten nodes a term with its powers.
        report("sum of terms", &tokens(&sum_of(terms)), 10 * terms);
    }
}

fn sum_of(terms: usize) -> String {
    let mut source = String::from("x");
    for k in 1..=terms {
        write!(source, " + sin({k}*x)*({k} + y)^2").expect("a string takes all writes");
    }
    source
}

fn report(name: &str, tokens: &TokenStream, nodes: usize) {
    let runs = (20_000 / nodes).clamp(1, 5);
    let derivation = least(runs, || assert!(compile::analyze(tokens.clone()).is_ok()));
    let expansion = least(runs, || {
        assert!(!compile::constraint(tokens.clone()).is_empty());
    });
    let cell = |time: Duration| {
        let seconds = time.as_secs_f64();
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
