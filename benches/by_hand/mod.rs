//! What the generated systems are measured against: the same accelerations written by an expert, by a
//! library and by automatic differentiation.
//!
//! - by hand: [`Chain`], [`Square`], [`FourBar`], [`Net`], [`SpringBeads`], each as fast as its author could
//!   make it and without any check of pivots;
//! - [`Dense`]: J, W and β assembled into nalgebra's static matrices, Cholesky for J W Jᵀ;
//! - [`Differentiated`]: J and β by num-dual from C alone, then the same solve.
//!
//! All give v̇ for (q, v). Rows are ½(|b − a|² − l²): scaled like this a rod needs no square root, and where
//! Ċ = 0 the accelerations are those of |b − a| = l. `tests/systems/benches.rs` holds them against each other.
// Each benchmark and test takes what it needs.
#![allow(dead_code)]

mod chain;
mod dense;
mod differentiated;
mod distance;
mod links;
mod net;
mod rk4;
mod rods;
mod spring_beads;
mod square;
pub mod states;

pub use chain::Chain;
pub use dense::Dense;
pub use differentiated::Differentiated;
#[allow(unused_imports)]
pub use distance::{Distance, Solved};
#[allow(unused_imports)]
pub use links::Links;
pub use net::Net;
pub use rk4::rk4_step;
#[allow(unused_imports)]
pub use rods::{Bead, Rods};
pub use spring_beads::{DenseSpringBeads, DifferentiatedSpringBeads, SpringBeads};
pub use square::{FourBar, Square};
