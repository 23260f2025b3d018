//! The library of families: random routines mean the same before and after each of its transformations, exactly.
//!
//! `CONSTRAINT_CASES=100000 cargo test --release -p constraint-symbolic --test families` for many.

mod draw;
mod expressions;
mod interpreter;
mod kept;
#[path = "../common/random.rs"]
mod random;
mod routines;

/// So many cases as `CONSTRAINT_CASES` says, or a few by default.
fn cases(few: u64) -> u64 {
    let cases = std::env::var("CONSTRAINT_CASES").ok();
    cases.and_then(|n| n.parse().ok()).unwrap_or(few)
}
