//! Writing: programs and models as Rust items, formulas as text, LaTeX and MathML.
//!
//! Invariant: nothing is simplified here.

mod bindings;
mod bodies;
mod c;
mod constraint;
mod curve;
mod derivation;
mod heap;
mod interface;
mod items;
mod javascript;
mod language;
mod loops;
mod method;
mod rust;
mod scope;
mod stub;
mod system;
mod tables;
mod tokens;
mod wgsl;

pub use c::C;
pub use constraint::{constraint, constraint_derivation, constraint_functions, mathml};
pub use curve::{curve, curve_derivation, curve_functions, curve_mathml, curve_stub};
pub use javascript::JavaScript;
pub use language::{
    Exported, Gives, Kind, Language, LeftOut, Parameter, Reason, Rotations, Stepped, Value,
    indented,
};
pub use stub::stub;
#[cfg(feature = "tools")]
pub use system::system_motion;
pub use system::{system, system_derivation, system_functions, system_mathml, system_stub};
pub use wgsl::Wgsl;
