//! Owner of the workspace examples and tests; holds no code.

/// The README's code is compiled and run by `cargo test`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
