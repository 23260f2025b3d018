//! Any text as the input of each macro: it is answered, by Rust or by messages.
#![no_main]

use constraint_symbolic::compile;
use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;

fuzz_target!(|text: &str| {
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return;
    };
    for expand in [compile::constraint, compile::curve, compile::system] {
        expand(tokens.clone());
    }
});
