//! Functions of one argument that are made of many nodes, whose slopes are known.

use super::graph::{ExprId, Graph};

/// How a function rises: f(u), u and f′(u).
#[derive(Clone, Debug)]
pub struct Slope {
    /// u
    pub argument: ExprId,
    /// f′(u)
    pub slope: ExprId,
    /// The leaves of what else f is made of.
    pub others: Vec<ExprId>,
}

impl Graph {
    /// Tells of a node what its slope is, so that derivatives are made of that: f(u)′ = f′(u) u′.
    pub fn set_slope(&mut self, value: ExprId, slope: Slope) {
        // A spline may be its argument, or a number.
        if value > slope.argument && self.as_number(value).is_none() {
            self.slopes.insert(value, slope);
        }
    }

    /// The slope of a node, where that is known, and `stands` says of all leaves of what else it is made of
    /// that they do not move.
    pub fn slope(
        &self,
        value: ExprId,
        mut stands: impl FnMut(ExprId) -> bool,
    ) -> Option<(ExprId, ExprId)> {
        let known = self.slopes.get(&value)?;
        let alone = known.others.iter().all(|&leaf| stands(leaf));
        alone.then_some((known.argument, known.slope))
    }
}
