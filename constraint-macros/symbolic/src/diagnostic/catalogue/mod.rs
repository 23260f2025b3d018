//! All messages with their help: the finding, then the remedy; lower case, no final stop.

mod constraint;
mod curve;
mod expression;
mod header;
mod name;
mod shape;
mod value;

pub use self::constraint::*;
pub use self::curve::*;
pub use self::expression::*;
pub use self::header::*;
pub use self::name::*;
pub use self::shape::*;
pub use self::value::*;
use super::{Diagnostic, SourceRange};

messages! {
    /// A program that does not compute the user's formulas.
    refuted(function: &str, place: &str):
        "the code of `{function}` differs from the equations: this is a bug in the macro, not in your input" =>
        "please report it with this input at {place}; until it is fixed, implement the trait by hand";
    /// A panic of the engine.
    failed(stage: &str, message: &str, place: &str):
        "the macro failed in its stage `{stage}`: {message}; this is a bug in the macro, not in your input" =>
        "please report it with this input at {place}";
}
