//! Derivatives of expressions, as expressions of the same graph.
//!
//! - [`gradient`]: ∂root/∂x for many x by one reverse sweep.
//! - [`Taylor`]: first and second derivative along a motion, by one forward walk.
//!
//! Neither lets a branch that is not taken leak: the derivative of a choice is the choice of the
//! derivatives, taken *after* each branch was differentiated on its own. (Masking the adjoint instead
//! would multiply 0 by the infinite slope of the other branch.)

mod gradient;
mod taylor;

pub use gradient::gradient;
pub use taylor::Taylor;
