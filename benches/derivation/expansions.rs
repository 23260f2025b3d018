//! Expansions of all three macros, beside the most that each may take in an unoptimised build.

use constraint_symbolic::compile;
use proc_macro2::TokenStream;

use super::{least, tokens};

/// A macro's call.
struct Call {
    name: String,
    expand: fn(TokenStream) -> TokenStream,
    tokens: TokenStream,
    is_track: bool,
}

impl Call {
    fn expand(&self) {
        assert!(!(self.expand)(self.tokens.clone()).is_empty());
    }
}

/// Name and milliseconds.
const LIMITS: [(&str, f64); 5] = [
    ("parabola", 2.5),
    ("lemniscate", 150.0),
    ("hump", 80.0),
    ("all tracks", 600.0),
    ("chain of 64", 41.0),
];

pub fn repeat(name: &str, times: u32) {
    let mut calls = calls().into_iter();
    let call = calls.find(|call| call.name == name);
    let call = call.unwrap_or_else(|| panic!("{name} is none of the calls"));
    (0..times).for_each(|_| call.expand());
}

pub fn tabulate() {
    println!("| expansion | time | at most, unoptimised |");
    println!("|---|---|---|");
    let mut tracks = 0.0;
    let row = |name: &str, milliseconds: f64| {
        let limit = LIMITS.iter().find(|(limited, _)| *limited == name);
        let shown = limit.map_or_else(String::new, |(_, most)| format!("{most} ms"));
        println!("| {name} | {milliseconds:.2} ms | {shown} |");
    };
    for call in calls() {
        let milliseconds = 1e3 * least(5, || call.expand()).as_secs_f64();
        tracks += if call.is_track { milliseconds } else { 0.0 };
        row(&call.name, milliseconds);
    }
    row("all tracks", tracks);
}

/// Equations, one without a choice, the others with some.
const EQUATIONS: [(&str, &str); 3] = [
    ("parabola", "x*x + 100*y"),
    ("choice", "if x > 0 { x^2 - y } else { y^3 + x }"),
    (
        "three conditions",
        "if x > y && x*y < 1 || y >= 2*x { x^2 - y } else { y^3 + x }",
    ),
];

/// Equations, the ready tracks of the runtime as they stand in its source, and a chain.
fn calls() -> Vec<Call> {
    let equations = EQUATIONS.map(|(name, source)| Call {
        name: name.into(),
        expand: compile::constraint,
        tokens: tokens(source),
        is_track: false,
    });
    let chain = Call {
        name: "chain of 64".into(),
        expand: compile::system,
        tokens: tokens(CHAIN),
        is_track: false,
    };
    equations
        .into_iter()
        .chain(tracks())
        .chain([chain])
        .collect()
}

pub const CHAIN: &str = "pub struct Chain { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
    particle bead[64]: Point2 { mass: m }
    constraint anchor: norm_squared(bead[0]) == l^2;
    for i in 1..64 { constraint link[i]: norm_squared(bead[i] - bead[i-1]) == l^2; }
    for i in 0..64 { force bead[i]: [0, -m*g]; }";

fn tracks() -> Vec<Call> {
    let source = include_str!("../../constraint-runtime/src/curve/tracks.rs");
    let file = syn::parse_file(source).expect("the runtime's source is Rust");
    let calls = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Macro(item) if item.mac.path.is_ident("curve") => Some(Call {
            name: name_of(&item.mac.tokens),
            expand: compile::curve,
            tokens: item.mac.tokens,
            is_track: true,
        }),
        _ => None,
    });
    calls.collect()
}

/// What stands after `struct`, in small letters; a curve, where an equation or a chain is called so too.
fn name_of(tokens: &TokenStream) -> String {
    let words = tokens.clone().into_iter().map(|token| token.to_string());
    let name = words.skip_while(|word| word != "struct").nth(1);
    let name = name.unwrap_or_default().to_lowercase();
    if name == "parabola" {
        "curve parabola".into()
    } else {
        name
    }
}
