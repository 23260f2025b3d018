//! Jacobians of outputs, where `#[task_space]` requests them.

use super::derived::Solution;
use super::loops::routine::Routine;
use crate::diagnostic::{Diagnostics, system as messages};
use crate::dynamics::{Equations, Frame, all_turned};
use crate::expr::{CollectVec, ExprId, Number};
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

/// J and the bias, in loops where the solution has loops, and M where it has none.
pub fn stated(system: &mut System, equations: &Equations, solution: &mut Solution) -> Form {
    if system.options.task_space.is_none() {
        return Form::new();
    }
    let (jacobian, bias) = (&equations.output_jacobian, &equations.output_bias);
    if let Solution::Rolled(rolled) = solution {
        let graph = &system.model.graph;
        let n = jacobian.len() / bias.len().max(1);
        // Loops write matrices column by column.
        let columns = (0..n).flat_map(|k| jacobian.iter().skip(k).step_by(n).copied());
        let columns: Vec<ExprId> = columns.collect_vec();
        let each = [
            (Quantity::OutputJacobian, &columns),
            (Quantity::OutputBias, bias),
        ];
        let each = each.map(|(of, entries)| (of, Routine::of_each(graph, system, entries)));
        rolled.routines.extend(each);
    }
    let mut form = Form::from([
        (Quantity::OutputJacobian, Computed::plain(jacobian.clone())),
        (Quantity::OutputBias, Computed::plain(bias.clone())),
    ]);
    if let Solution::Unrolled(_) = solution {
        let inertia = Computed::plain(inertia(system, equations));
        form.insert(Quantity::JointSpaceInertia, inertia);
    }
    form
}

/// M, zeros included, as it acts on velocities of the world: column by column below the diagonal, the same above it.
fn inertia(system: &mut System, equations: &Equations) -> Vec<ExprId> {
    let graph = &mut system.model.graph;
    let (frames, (mass, _)) = (&equations.frames, equations.of_motion());
    let (n, zero, one) = (mass.n, graph.zero(), graph.number(Number::ONE));
    let mut dense = vec![zero; n * n];
    for k in 0..n {
        let mut unit = vec![zero; n];
        unit[k] = one;
        let own = all_turned(graph, frames, &unit, Frame::own);
        let terms = mass.products(graph, &own);
        let column: Vec<ExprId> = terms.iter().map(|terms| graph.sum(terms)).collect_vec();
        let column = all_turned(graph, frames, &column, Frame::world);
        for i in k..n {
            dense[i * n + k] = column[i];
            dense[k * n + i] = column[i];
        }
    }
    dense
}
