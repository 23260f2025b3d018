//! Rows of one side: gaps and slips, and how the system responds to forces on them.
//!
//! ```text
//! M v̇ = h + Jᵀ λ + Gᵀ λ_G,   J v̇ = −β        v̇ = v̇₀ + W λ_G,   λ = λ₀ + X λ_G
//! M W = Gᵀ + Jᵀ X,   J W = 0                  X = −(J M⁻¹ Jᵀ)⁻¹ J M⁻¹ Gᵀ
//! ```
//! Which rows press is decided at run time: v̇₀ and λ₀ are those of the system without them.

use crate::diagnostic::{Diagnostics, system as messages};
use crate::dynamics::{self, Equations, Frame, Row};
use crate::expr::{CollectVec, ExprId, Graph, Number};
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
    if numbers.into_iter().any(|it| it > MOST) {
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
    let rows = |get: fn(&Row) -> ExprId| Computed::plain(sides.iter().map(get).collect_vec());
    let dense = sides.iter().flat_map(|row| {
        let mut dense = vec![equations.zero; n];
        row.jacobian.iter().for_each(|&(i, it)| dense[i] = it);
        dense
    });
    Form::from([
        (Quantity::Gaps, rows(|row| row.value)),
        (
            Quantity::GapSizes,
            Computed::plain(equations.gap_sizes.clone()),
        ),
        (Quantity::SideRates, rows(|row| row.rate)),
        (Quantity::SideBias, rows(|row| row.bias)),
        (Quantity::SideJacobian, Computed::plain(dense.collect_vec())),
        (
            Quantity::Coefficients,
            Computed::plain(equations.coefficients.clone()),
        ),
    ])
}

/// A − μ B and A + μ B of each row with friction, where A λ_n + B λ_t is the acceleration of its gap, and friction is
/// λ_t = ∓μ λ_n. Where one is not positive, Coulomb's law has several solutions or none while the row slides so.
fn sliding(graph: &mut Graph, equations: &Equations, columns: &[Vec<ExprId>]) -> Vec<ExprId> {
    let mut sliding = Vec::new();
    for &[gap, slip] in &equations.rubbing {
        let mut moved = |by: usize| {
            let row = equations.sides[gap].jacobian.iter();
            let terms = row.map(|&(i, entry)| (graph.mul(entry, columns[by][i]), Number::ONE));
            let terms: Vec<_> = terms.collect_vec();
            graph.sum(&terms)
        };
        let (by_gap, by_slip) = (moved(gap), moved(slip));
        let rubbed = graph.mul(equations.coefficients[slip], by_slip);
        sliding.push(graph.sub(by_gap, rubbed));
        sliding.push(graph.add(by_gap, rubbed));
    }
    sliding
}

/// W and X, row by row, from the rows of two sides, eliminated, and from these together with those of one.
pub(super) fn responses(
    graph: &mut Graph,
    equations: &Equations,
    [schur, all]: [&Schur; 2],
) -> Form {
    let (sides, m) = (&equations.sides, equations.rows.len());
    let (mut columns, mut reactions, mut unknowns) = (Vec::new(), Vec::new(), Vec::new());
    let mut order = schur.guards().to_vec();
    for k in m..m + sides.len() {
        let zero = graph.zero();
        let coupled = (0..m).map(|i| all.matrix.get(k, i).unwrap_or(zero));
        let found = schur.solve(graph, &coupled.collect_vec(), "");
        let free: SparseRow = all.weighted_row(graph, k);
        let mut column = vec![zero; equations.applied.len()];
        free.iter().for_each(|&(i, it)| column[i] = it);
        let held = schur.velocity_changes(graph, &found.unknowns);
        let moved = column.iter().zip(held).map(|(&free, held)| {
            let moved = graph.sub(free, held);
            graph.mul(moved, all.weighted.common)
        });
        let moved: Vec<ExprId> = moved.collect_vec();
        columns.push(dynamics::all_turned(
            graph,
            &equations.frames,
            &moved,
            Frame::world,
        ));
        let opposite = schur.unscaled(graph, &found.unknowns);
        reactions.push(opposite.iter().map(|&it| graph.neg(it)).collect_vec());
        if m > 0 && k == m {
            order.clone_from(&found.order);
            unknowns = found.unknowns;
        }
    }
    // A pseudo-inverse has no formula.
    let sliding = match schur.pseudo_inverse() {
        Some(_) => Vec::new(),
        None => sliding(graph, equations, &columns),
    };
    let computed = |columns: Vec<Vec<ExprId>>| {
        let rows = 0..columns.first().map_or(0, Vec::len);
        let entries = rows.flat_map(|i| columns.iter().map(move |it| it[i]));
        Computed {
            unknowns: unknowns.clone(),
            ..Computed::after(&order, entries.collect_vec())
        }
    };
    let reactions = computed(reactions);
    let responses = computed(columns);
    let responses = [
        (Quantity::SideResponses, responses),
        (Quantity::Sliding, Computed::plain(sliding)),
    ]
    .into_iter();
    let reactions = (m > 0).then_some((Quantity::SideReactions, reactions));
    responses.chain(reactions).collect()
}
