//! Writing: programs and models as Rust items, formulas as text, LaTeX and MathML.
//!
//! Invariant: nothing is simplified here.

mod bodies;
mod constraint;
mod curve;
mod derivation;
mod interface;
mod items;
pub mod javascript;
mod loops;
mod method;
mod rust;
mod scope;
mod stub;
mod system;
mod tokens;

pub use constraint::{constraint, mathml};
pub use curve::{curve, curve_mathml, curve_stub};
pub use stub::stub;
pub use system::{system, system_stub};
