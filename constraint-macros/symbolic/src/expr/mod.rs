//! Expressions: a hash-consed graph of scalars, exact numbers, and the table of functions.
//!
//! Invariant: nothing in here knows source positions or the meaning of a symbol.

mod beyond;
mod choice;
mod common_sums;
mod constants;
mod eager;
pub(crate) mod error_function;
mod exact;
mod factors;
pub(crate) mod field;
mod function;
mod graph;
mod growth;
mod hash;
mod map;
mod number;
mod part;
mod places;
mod product;
mod rational;
mod sign;
mod slope;
mod sorted;
mod sum;
mod surd;
mod terms;
mod trigonometric;
mod unit;
mod vector;

pub use eager::{CollectVec, MapEach, PushEach, sort, sort_by, sort_by_key};
pub use function::{Function, FunctionRow, Jet, Parity};
pub use graph::{Choice, Comparison, ExprId, Graph, Node, SymbolId};
pub use hash::{Mixer, hash_of};
pub use map::{Map, Set};
pub use number::Number;
pub use part::Part;
pub use places::Places;
pub use slope::Slope;
pub use sorted::{SortedMap, SortedSet};
pub(crate) use sum::rational_content;
pub use trigonometric::Together;
