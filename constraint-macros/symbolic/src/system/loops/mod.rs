//! Large systems in loops: every family of rows is derived once, every kind of elimination step is written once.
//!
//! ```text
//! rows ─ families ─ elements and joints ─ steps of an elimination ─ routine: kernels at places ─ rerolling: loops
//!                                                                                     ─ scalar replacement
//! ```
//! Systems with rows go through `elements`, those without through `block_diagonal`. In a system that is written out `limbs` has
//! some quantities in loops.

pub(super) mod block_diagonal;
mod coordinates;
pub(super) mod definitions;
pub(super) mod elements;
mod eliminated_mass;
mod elimination;
pub(super) mod leaves;
pub(super) mod limbs;
pub(super) mod numbers;
pub mod routine;
mod unsolved;

pub(super) use elimination::elimination_cost;

use crate::expr::SortedMap;

use crate::dynamics::Row;
use crate::solve::{Panels, Quantity};
use routine::{Families, Routine};

/// Everything that a rolled system computes.
#[derive(Clone, Debug)]
pub struct Rolled {
    /// The loops of every quantity.
    pub routines: SortedMap<Quantity, Routine>,
    /// The families of rows of one shape, and the places of their members.
    pub families: Families,
    /// The families' first rows, with their equations.
    pub rows: Vec<(usize, Row)>,
    /// By row the columns of J, in the order of those of its family's first row.
    pub columns: Vec<Vec<usize>>,
    /// The number of entries of L.
    pub lower: usize,
    /// The blocks in which rows are eliminated by tables, where not one by one.
    pub panels: Option<Panels>,
}
