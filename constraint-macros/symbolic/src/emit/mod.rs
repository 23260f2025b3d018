//! Writing: programs and models as Rust items, formulas as text, LaTeX and MathML.
//!
//! Invariant: nothing is simplified here.

mod bindings;
mod bodies;
#[cfg(feature = "export")]
mod c;
mod constraint;
mod curve;
mod derivation;
mod heap;
mod interface;
mod items;
#[cfg(feature = "export")]
mod javascript;
#[cfg(feature = "export")]
mod language;
mod loops;
mod method;
#[cfg(feature = "export")]
mod python;
mod rust;
mod scope;
mod straight;
mod stub;
mod system;
mod tables;
mod tokens;
mod undefined;
#[cfg(feature = "export")]
mod wgsl;

#[cfg(feature = "export")]
pub use c::{C, Dialect};
#[cfg(feature = "export")]
pub use constraint::constraint_functions;
pub use constraint::{constraint, constraint_derivation, mathml};
#[cfg(feature = "export")]
pub use curve::curve_functions;
pub use curve::{curve, curve_derivation, curve_mathml, curve_stub};
#[cfg(feature = "export")]
pub use javascript::{JavaScript, defaults as javascript_defaults};
#[cfg(feature = "export")]
pub use language::{Exported, Gives, Language, LeftOut, Reason, indented, lacked, routines};
#[cfg(feature = "export")]
pub use python::Python;
#[cfg(feature = "tools")]
pub use rust::HEADING;
pub use stub::stub;
#[cfg(feature = "export")]
pub use system::system_functions;
#[cfg(feature = "tools")]
pub use system::system_motion;
pub use system::{system, system_derivation, system_mathml, system_stub};
#[cfg(feature = "export")]
pub use wgsl::Wgsl;
