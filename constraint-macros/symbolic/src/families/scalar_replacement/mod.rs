//! Scalar replacement: values that one round of a loop computes, writes or reads for the next are kept in a few places of
//! their own, instead of being computed or read twice.
//!
//! Input: a [`Routine`] whose items read other places in every round. Output: the same routine, in which
//! - an expression is kept if it equals one of the next round (`ahead`): what couples a link of a chain to the next
//!   depends on both links' vectors, and the next round uses the same value from the other side;
//! - a value is kept that is written for a later item of the round or for the next round (`handed`).
//!
//! In the terms of compilers: scalar replacement, and predictive commoning of values that are computed.
//!
//! ```text
//! round i          reads x[i], x[i+1]     computes d = x[i+1] − x[i], e = x[i+2] − x[i+1]
//! round i + 1      reads x[i+1], x[i+2]   computes d = x[i+2] − x[i+1], …
//!                                                  ╰── round i called it e
//! kept = x[1] − x[0];                     before the loop
//! for i { d = kept; e = x[i+2] − x[i+1]; …; kept = e; }
//!
//! a[i+1] = …; in round i, and … a[i] … in round i + 1:  kept = …, and … kept …
//! ```
//!
//! Invariant: between the two rounds nothing else is written to the places in question.

mod ahead;
mod handed;
mod invariant;
mod writes;

pub use invariant::hoist;

use super::leaves::NewLeaf;
use super::routine::{Routine, Write};
use crate::expr::{Graph, PushEach};

/// Replaces values in the loops of a routine from this one on.
pub fn replace<W: Write>(
    routine: &mut Routine<W>,
    from: usize,
    graph: &mut Graph,
    new_leaf: &mut NewLeaf<'_>,
) {
    for mut it in routine.loops.split_off(from) {
        if it.rounds == 1 {
            routine.loops.push(it);
            continue;
        }
        let (first, per_column) = (routine.loops.len(), it.per_column);
        for item in 0..it.body.len() {
            let own = routine.kernels[it.body[item].0].clone();
            it.body[item].0 = routine.add(own);
            ahead::keep(routine, graph, new_leaf, &mut it, item);
        }
        let contracted = handed::contract(routine, graph, new_leaf, &mut it);
        let after = handed::keep(routine, graph, new_leaf, &mut it);
        routine.loops.push(it);
        routine.loops.push_each(contracted);
        routine.loops.push_each(after);
        let all = routine.loops[first..].iter_mut();
        all.for_each(|it| it.per_column = per_column);
    }
    routine.drop_unused();
}
