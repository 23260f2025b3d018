//! Expressions: a hash-consed graph of scalars, exact numbers, and the table of functions.
//!
//! Invariant: nothing in here knows source positions, syn, or the meaning of a symbol.

mod function;
mod graph;
mod hash;
mod number;
mod sign;

pub use function::{Function, FunctionRow, Jet, Parity};
pub(crate) use graph::rational_content;
pub use graph::{Choice, Comparison, ExprId, Graph, Node, SymbolId};
pub use hash::{Map, Set};
pub use number::Number;
