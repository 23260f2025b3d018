//! What an equation was compiled to runs on any numbers, infinite ones and NaN among them.
#![no_main]

use constraint_symbolic::compile::analyze;
use constraint_symbolic::function::constraint::{functions, names};
use constraint_symbolic::interpret::{Given, Interpreter};
use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;

fuzz_target!(|input: (&str, [f64; 8])| {
    let (text, numbers) = input;
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return;
    };
    let Ok(derived) = analyze(tokens) else {
        return;
    };
    let many: Vec<f64> = numbers.iter().copied().cycle().take(4096).collect();
    let given = Given {
        t: numbers[0],
        q: &many,
        v: &many[1..],
        w: &many[2..],
        f: &many[3..],
        b: &many[4..],
        mass: numbers[1],
        parameters: &many[5..],
        ..Given::default()
    };
    let interpreter = Interpreter::new(&derived.model);
    for function in functions(&derived, &names(&derived.model)) {
        interpreter.evaluate(&function, &given);
    }
});
