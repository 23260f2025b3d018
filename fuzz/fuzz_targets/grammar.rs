//! Inputs of the tests' own grammar, by their numbers: most of them make sense.
#![no_main]

#[path = "../../constraint-macros/symbolic/tests/fuzz/grammar/mod.rs"]
#[allow(dead_code)]
mod grammar;

use constraint_symbolic::compile;
use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;

fuzz_target!(|case: u64| {
    let (name, text) = grammar::input(case);
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return;
    };
    match name {
        "constraint" => compile::constraint(tokens),
        "curve" => compile::curve(tokens),
        _ => compile::system(tokens),
    };
});
