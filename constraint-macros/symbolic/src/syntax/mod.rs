//! Tokens to syntax tree: syn reads Rust's own syntax (attributes, visibility, types, literals, invisible groups); the
//! expressions and statements are parsed here, on syn's streams, because `^` must mean power.
//!
//! Input: the tokens of the macro call. Output: [`ast::Constraint`], every node with its source range.
//! Invariants: a mistake is reported once and leaves an error node, so that later stages can continue; no
//! tree is higher than [`ast::MAX_HEIGHT`], so that recursion over it is safe.

pub mod ast;
mod block;
mod bound;
mod curve;
mod expression;
mod header;
mod identifier;
mod input;
mod keyword;
mod laws;
mod library;
mod literal;
mod misplaced;
mod moving;
mod operand;
mod parse;
mod parser;
mod part;
mod sides;
pub mod statement;
mod statements;
pub mod symbol;
mod system;

pub use curve::parse_curve;
pub(crate) use header::bare_name;
pub(crate) use identifier::snake;
pub(crate) use keyword::is_keyword;
pub use laws::library_parts;
pub use library::{library_joint, library_joints, library_parameters, library_text};
pub use parse::parse;
pub use sides::{Sided, has_sides, parse_sided};
pub use statements::keywords;
pub(crate) use statements::{Form, KEYWORDS, keys_of, keyword};
pub use system::parse_system;
pub(crate) use system::{MAX_INDICES, REGRESSOR, TASK_SPACE};
