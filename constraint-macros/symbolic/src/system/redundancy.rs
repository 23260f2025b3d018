//! Rows that follow from others, found by evaluating J at scattered points.

use super::equations::Equations;
use crate::diagnostic::{Diagnostics, system as messages};
use crate::model::System;
use crate::solve;

/// Reports a row whose gradient is a combination of those of others; `None` where there is one.
pub fn check(system: &System, equations: &Equations, diagnostics: &mut Diagnostics) -> Option<()> {
    let rows: Vec<_> = equations
        .rows
        .iter()
        .map(|row| row.jacobian.clone())
        .collect();
    let Some((row, others)) = solve::dependence(&system.model.graph, &rows) else {
        return Some(());
    };
    let name = |row: usize| {
        system
            .rows
            .get(row)
            .map(ToString::to_string)
            .unwrap_or_default()
    };
    let others: Vec<String> = others.into_iter().map(name).collect();
    let range = system.model.rows[row].range;
    diagnostics.push(messages::dependent_rows(range, &name(row), &others));
    None
}
