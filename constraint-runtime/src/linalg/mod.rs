//! Linear algebra: eliminations of dense, banded and sparse matrices, and the orders that keep them sparse.
//!
//! | file | matrix | for |
//! |---|---|---|
//! | [`ldlt`] | symmetric, positive definite, dense | J W Jᵀ of a constraint or a joint, M |
//! | [`block_ldlt`] | the same, sparse, in blocks | J W Jᵀ of a world |
//! | [`panels`] | the same in blocks of 4 × 4 at positions known at compile time | J W Jᵀ of generated nets |
//! | [`least_squares`](mod@least_squares) | symmetric, positive semidefinite, dense | J W Jᵀ of redundant rows |
//! | [`lu`], [`band`] | any, dense or in a band, real or complex | Newton's method in implicit steps |
//! | [`sparse_matrix`] | none is eliminated | J of large systems |
//!
//! There are two orders of elimination, and neither can replace the other. A [band](cuthill_mckee) stores everything near
//! the diagonal, which leaves room for exchanges of rows, so neighbours must be close together; [minimum degree](minimum_degree)
//! eliminates the ends of a chain one after the other, n − 1 places apart. In turn, the levels of a breadth-first search fill
//! the blocks of a tree.
//!
//! Invariant: nothing here knows mechanics; rows are named by their numbers. Matrices are assembled where their entries
//! come from: `world/exact.rs`, `integrator/sparse.rs`.

pub(crate) mod band;
#[cfg(feature = "world")]
pub(crate) mod block_ldlt;
pub(crate) mod cuthill_mckee;
pub(crate) mod ldlt;
mod least_squares;
pub(crate) mod lu;
#[cfg(feature = "world")]
mod minimum_degree;
mod panels;
mod sparse_matrix;

pub(crate) use least_squares::diagonalize;
pub use least_squares::{least_squares, pseudo_inverse};
pub use panels::Pattern;
pub use sparse_matrix::SparseMatrix;
