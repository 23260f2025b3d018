//! Rows of one side: gaps and slips, and how the system responds to forces on them.
//!
//! ```text
//! M v̇ = h + Jᵀ λ + Gᵀ λ_G,   J v̇ = −β        v̇ = v̇₀ + W λ_G,   λ = λ₀ + X λ_G
//! M W = Gᵀ + Jᵀ X,   J W = 0                  X = −(J M⁻¹ Jᵀ)⁻¹ J M⁻¹ Gᵀ
//! ```
//! Which rows press is decided at run time: v̇₀ and λ₀ are those of the system without them.

use crate::diagnostic::{Diagnostics, system as messages};
use crate::dynamics::{self, Equations, Frame, Row};
use crate::expr::{ExprId, Graph};
use crate::model::System;
use crate::solve::{Computed, Form, Quantity, Schur, SparseRow};

/// Systems of more coordinates would be on the heap.
const MOST: usize = 512;

/// Reports rows of one side that are not served.
pub(super) fn check(system: &System, diagnostics: &mut Diagnostics) {
    let Some(range) = system.options.one_sided.filter(|_| diagnostics.is_empty()) else {
        return;
    };
    let numbers = [system.velocities(), system.scalars(), system.rows.len()];
    if system.options.redundant {
        diagnostics.push(messages::one_sided_least_squares(range));
    } else if numbers.into_iter().any(|it| it > MOST) {
        diagnostics.push(messages::one_sided_too_large(range, MOST));
    }
}

/// Gaps and slips, their derivatives, and the coefficients of impacts and friction.
pub(super) fn stated(equations: &Equations) -> Form {
    let sides = &equations.sides;
    if sides.is_empty() {
        return Form::new();
    }
    let n = equations.applied.len();
    let rows = |get: fn(&Row) -> ExprId| Computed::plain(sides.iter().map(get).collect());
    let dense = sides.iter().flat_map(|row| {
        let mut dense = vec![equations.zero; n];
        row.jacobian.iter().for_each(|&(i, it)| dense[i] = it);
        dense
    });
    Form::from([
        (Quantity::Gaps, rows(|row| row.value)),
        (Quantity::SideRates, rows(|row| row.rate)),
        (Quantity::SideBias, rows(|row| row.bias)),
        (Quantity::SideJacobian, Computed::plain(dense.collect())),
        (
            Quantity::Coefficients,
            Computed::plain(equations.coefficients.clone()),
        ),
    ])
}

/// W and X, row by row, from the rows of two sides, eliminated, and from these together with those of one.
pub(super) fn responses(
    graph: &mut Graph,
    equations: &Equations,
    [schur, all]: [&Schur; 2],
) -> Form {
    let (sides, m) = (&equations.sides, equations.rows.len());
    let (mut columns, mut reactions) = (Vec::new(), Vec::new());
    let mut order = schur.guards().to_vec();
    for k in m..m + sides.len() {
        let zero = graph.zero();
        let coupled = (0..m).map(|i| all.matrix.get(k, i).unwrap_or(zero));
        let found = schur.solve(graph, &coupled.collect::<Vec<_>>(), "");
        let free: SparseRow = all.weighted_row(graph, k);
        let mut column = vec![zero; equations.applied.len()];
        free.iter().for_each(|&(i, it)| column[i] = it);
        let held = schur.velocity_changes(graph, &found.unknowns);
        let moved = column.iter().zip(held).map(|(&free, held)| {
            let moved = graph.sub(free, held);
            graph.mul(moved, all.weighted.common)
        });
        let moved: Vec<ExprId> = moved.collect();
        columns.push(dynamics::all_turned(
            graph,
            &equations.frames,
            &moved,
            Frame::world,
        ));
        let opposite = schur.unscaled(graph, &found.unknowns);
        reactions.push(opposite.iter().map(|&it| graph.neg(it)).collect());
        if m > 0 && k == m {
            order.clone_from(&found.order);
        }
    }
    let computed = |columns: Vec<Vec<ExprId>>| {
        let rows = 0..columns.first().map_or(0, Vec::len);
        let entries = rows.flat_map(|i| columns.iter().map(move |it| it[i]));
        Computed::after(&order, entries.collect())
    };
    let reactions = computed(reactions);
    let responses = computed(columns);
    let responses = [(Quantity::SideResponses, responses)].into_iter();
    let reactions = (m > 0).then_some((Quantity::SideReactions, reactions));
    responses.chain(reactions).collect()
}
