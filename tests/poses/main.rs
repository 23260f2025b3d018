//! Bodies whose poses coordinates tell.

mod bodies;
#[path = "../common/lagrange.rs"]
mod lagrange;
mod regressor;
