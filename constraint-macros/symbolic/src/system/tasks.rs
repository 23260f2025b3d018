//! Jacobians of outputs, where `#[task_space]` requests them.

use super::derived::Solution;
use super::loops::routine::Routine;
use crate::diagnostic::{Diagnostics, system as messages};
use crate::dynamics::Equations;
use crate::expr::ExprId;
use crate::model::System;
use crate::solve::{Computed, Form, Quantity};

/// Matrices of more rows or columns would be on the heap.
const MOST: usize = 512;

/// Reports a request that is not served.
pub fn check(system: &System, diagnostics: &mut Diagnostics) {
    let Some(range) = system.options.task_space.filter(|_| diagnostics.is_empty()) else {
        return;
    };
    let numbers = [system.velocities(), system.scalars(), system.tasks.len()];
    if system.tasks.iter().all(Option::is_none) {
        diagnostics.push(messages::nothing_in_task_space(range));
    } else if numbers.into_iter().any(|it| it > MOST) {
        diagnostics.push(messages::task_space_too_large(range, MOST));
    }
}

/// J and the bias, in loops where the solution has loops.
pub fn stated(system: &System, equations: &Equations, solution: &mut Solution) -> Form {
    if system.options.task_space.is_none() {
        return Form::new();
    }
    let (jacobian, bias) = (&equations.output_jacobian, &equations.output_bias);
    if let Solution::Rolled(rolled) = solution {
        let graph = &system.model.graph;
        let n = jacobian.len() / bias.len().max(1);
        // Loops write matrices column by column.
        let columns = (0..n).flat_map(|k| jacobian.iter().skip(k).step_by(n).copied());
        let columns: Vec<ExprId> = columns.collect();
        let each = [
            (Quantity::OutputJacobian, &columns),
            (Quantity::OutputBias, bias),
        ];
        let each = each.map(|(of, entries)| (of, Routine::of_each(graph, system, entries)));
        rolled.routines.extend(each);
    }
    Form::from([
        (Quantity::OutputJacobian, Computed::plain(jacobian.clone())),
        (Quantity::OutputBias, Computed::plain(bias.clone())),
    ])
}
