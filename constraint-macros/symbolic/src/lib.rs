//! The engine behind `constraint-macros`: an ordinary library that turns an equation into Rust.
//!
//! ```text
//! tokens ─parse→ syntax tree ─lower→ model + graph ─derive→ equations ─solve→ λ, f̂ ─schedule→ programs ─emit→ Rust
//! ```
//!
//! [`compile`] is the table of contents; each stage is one folder with one input and one output type.
//!
//! ```
//! use constraint_symbolic::compile::analyze;
//! use constraint_symbolic::constraint::Quantity;
//!
//! let derived = analyze("x*x + 100*y".parse().unwrap()).unwrap();
//! let force = derived.plain_program(&[Quantity::ParticleForce]);
//! assert_eq!(force.count.total(), 11);
//! ```
//!
//! Its stages are public for the programs around it (the macros, `constraint`, the page) and for its tests, which call each of
//! them; no release promises that they stay. So examples stand where one begins, above, in `export` and in `call`, and not at
//! every item.
//!
//! # Invariants
//!
//! - The graph knows no spans and no time; ascending ids are an order of evaluation.
//! - The same tokens in, the same tokens out: no clock, file, environment or order of a hash map.
//! - User input never makes the engine panic; several mistakes are reported at once.
//! - Common subexpressions are found in [`schedule`] alone; [`emit`] never simplifies.
#![forbid(unsafe_code)]

#[cfg(feature = "tools")]
pub mod call;
pub mod certify;
pub mod check;
pub mod code;
pub mod compile;
pub mod constraint;
pub mod curve;
pub mod diagnostic;
pub mod diff;
pub mod dynamics;
pub mod emit;
#[cfg(feature = "tools")]
pub mod explanation;
#[cfg(feature = "export")]
pub mod export;
pub mod expr;
pub mod families;
pub mod formula;
pub mod function;
#[cfg(feature = "interpreter")]
pub mod interpret;
pub mod kinematics;
#[cfg(feature = "tools")]
pub mod listing;
pub mod macros;
pub mod model;
pub mod panicked;
#[cfg(feature = "planted")]
pub mod planted;
pub mod schedule;
pub mod solve;
pub mod syntax;
pub mod system;
pub mod undefined;

/// The README's code is compiled and run by `cargo test`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
