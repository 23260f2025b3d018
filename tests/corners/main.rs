//! States at which a force, a row or an output has no value or no derivative: every function returns an error that names
//! the expression, or numbers, never NaN.

#[path = "../common/random.rs"]
mod random;

mod answers;
mod constraints;
mod contacts;
mod curves;
mod runs;
mod systems;
mod table;
