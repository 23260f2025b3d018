//! Owner of the workspace examples and tests; holds no code.

/// The README's code is compiled and run by `cargo test`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// So is that of the page on the language.
#[cfg(doctest)]
#[doc = include_str!("../docs/language.md")]
pub struct Language;
