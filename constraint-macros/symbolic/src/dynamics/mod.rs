//! From models to equations: M, h, and the rows C, J, Ċ, J̇, β.
//!
//! Input: a [`System`](crate::model::System). Output: [`Equations`], or for a constraint outside a system its
//! [`Row`]s.

mod accelerations;
mod equations;
mod frame;
mod inertia;
mod recursion;
mod rotation;

pub use accelerations::accelerations;
pub use equations::{
    Combination, Derivation, Entry, Equations, Matrix, Recursion, Regressor, Row, add_multiple,
    begin, definitions, is_of_declared, size,
};
pub use frame::{Frame, OwnFrames, all_turned, kinematics, of_own_spins, runs, turn_rate, turned};
pub use recursion::{Back, Given, Inertia, Motion, Pair, Tree, Unconstrained, make_alike};
#[cfg(feature = "tools")]
pub use rotation::arms;
pub use rotation::{Turned, rotated, written_out};
