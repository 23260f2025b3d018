//! The engine behind `constraint-macros`: an ordinary library that turns an equation into Rust.
#![forbid(unsafe_code)]

pub mod compile;
pub mod diagnostic;
pub mod diff;
pub mod dynamics;
pub mod emit;
pub mod expr;
pub mod model;
pub mod schedule;
pub mod solve;
pub mod syntax;
