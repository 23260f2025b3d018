//! Checks of derived expressions, with reports at their source.
//!
//! Input: expressions. Output: a boolean, false after an error, and diagnostics.

mod constants;
mod equations;
mod rank;

pub use constants::constants;
pub use equations::{affine, independent};
pub use rank::{Numbers, dependence, dependence_of, sample};
