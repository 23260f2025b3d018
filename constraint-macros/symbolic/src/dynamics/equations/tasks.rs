//! How outputs move: y with the rate ẏ = J v + ∂y/∂t, and ÿ = J v̇ + bias.

use super::Derivation;
use crate::expr::{ExprId, PushEach};
use crate::model::System;

impl Derivation {
    /// J, row by row, and the bias; zeros for outputs that have no Jacobian, nothing if none is requested.
    pub(super) fn tasks(&mut self, system: &System) -> (Vec<ExprId>, Vec<ExprId>) {
        let (zero, n) = (self.graph.zero(), self.velocities.len());
        let (mut jacobian, mut bias) = (Vec::new(), Vec::new());
        for task in &system.tasks {
            let mut row = vec![zero; n];
            if let Some(task) = task {
                for (i, slope) in self.slopes(task.rate, |d| &d.velocities) {
                    row[i] = slope;
                }
            }
            jacobian.push_each(row);
            bias.push(task.map_or(zero, |it| it.bias));
        }
        (jacobian, bias)
    }
}
