//! Derivatives of expressions, as expressions of the same graph.
//!
//! - [`gradient`]: ∂root/∂x for many x by one reverse sweep.
//! - [`Taylor`]: first and second derivative along a motion, by one forward walk.
//!
//! Neither evaluates derivatives of a branch that is not taken: the derivative of a choice is the choice of the
//! derivatives, taken *after* each branch is differentiated on its own. (A factor 0 on the adjoint instead
//! would multiply 0 by the infinite slope of the other branch.)

mod gradient;
mod taylor;

pub use gradient::gradient;
pub use taylor::Taylor;
