//! Facts about what has been derived, reported where it was written.
//!
//! Input: expressions. Output: whether they are sound, and diagnostics.

mod constants;
mod equations;
mod rank;

pub use constants::constants;
pub use equations::{affine, independent};
pub use rank::{Numbers, dependence, dependence_of, sample};
