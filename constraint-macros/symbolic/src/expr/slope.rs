//! Known slopes of one-argument functions that consist of many nodes.

use super::graph::{ExprId, Graph};

/// Slope of a node f(u).
#[derive(Clone, Debug)]
pub struct Slope {
    /// u
    pub argument: ExprId,
    /// f′(u)
    pub slope: ExprId,
    /// All other leaves in f.
    pub others: Vec<ExprId>,
}

impl Graph {
    /// Records the slope of a node, so that its derivatives follow from it: f(u)′ = f′(u) u′.
    pub fn set_slope(&mut self, value: ExprId, slope: Slope) {
        // A spline may simplify to its argument or to a number.
        if value > slope.argument && self.as_number(value).is_none() {
            self.slopes.insert(value, slope);
        }
    }

    /// The argument and slope of a node, if they are known and `is_fixed` holds for all other leaves in it.
    /// that they do not move.
    pub fn slope(
        &self,
        value: ExprId,
        mut is_fixed: impl FnMut(ExprId) -> bool,
    ) -> Option<(ExprId, ExprId)> {
        let known = self.slopes.get(&value)?;
        let alone = known.others.iter().all(|&leaf| is_fixed(leaf));
        alone.then_some((known.argument, known.slope))
    }
}
