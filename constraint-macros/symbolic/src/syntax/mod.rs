//! Tokens to syntax tree: Rust tokenises, we parse, because `^` must mean power.
//!
//! Input: the tokens of the macro call. Output: [`ast::Constraint`], every node with its source range.
//! Invariants: a mistake is reported once and leaves an error node, so that later stages can go on; no
//! tree is higher than [`ast::MAX_HEIGHT`], so that recursion over it is safe.

pub mod ast;
mod block;
mod cursor;
mod curve;
mod expression;
mod header;
mod literal;
mod parse;
pub mod statement;
mod system;

pub use curve::parse_curve;
pub(crate) use expression::is_keyword;
pub(crate) use header::bare_name;
pub use parse::parse;
pub(crate) use system::STATEMENTS;
pub use system::parse_system;
