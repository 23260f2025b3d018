//! What the oracle tests share: expressions of the test's own, printed for the engine and evaluated without it.
//!
//! ```text
//! generate ─► surface tree ─print─► source text ─► engine ─► numbers ┐
//!                  └──────evaluate with num-dual──► oracle ─► numbers ┴─ compared
//! ```
mod bodies;
mod engine;
mod frames;
mod generate;
mod kinds;
mod oracle;
#[path = "../../common/random.rs"]
mod random;
mod splines;
mod surface;
pub mod system;

pub use engine::{Engine, QUANTITIES};
pub use generate::{Case, case};
pub use kinds::KINDS;
pub use oracle::{
    Answers, Comparison, LIMIT, State, TOLERANCE, agreement_with_differences,
    agreement_with_dual_numbers, compare, exact, scaled,
};
pub use random::{Random, seeds};
pub use surface::{
    Body, Condition, Environment, Exponent, Expr, Jittered, Operator, PowerSpelling, Printer, Row,
    binary, call, coordinate, number, parameter, power,
};
