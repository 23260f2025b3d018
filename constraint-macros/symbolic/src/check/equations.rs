//! Requirements on equations: J does not depend on v, no row of it vanishes, and the rows are independent.

use super::rank;
use crate::diagnostic::{Diagnostics, catalogue};
use crate::expr::{CollectVec, ExprId, Graph};
use crate::model::Model;

/// A relation between velocities must be affine in them: J may not depend on v. Returns false if one is not.
pub fn affine(model: &Model, jacobian: &[Vec<ExprId>], diagnostics: &mut Diagnostics) -> bool {
    let rows = model.rows.iter().zip(jacobian);
    let bent: Vec<_> = rows
        .filter(|(_, gradient)| model.mentions_velocity(gradient.iter().copied()))
        .collect_vec();
    for (row, _) in &bent {
        diagnostics.push(catalogue::not_affine_in_velocities(row.range));
    }
    bent.is_empty()
}

/// No row of J may vanish identically, and none may be a combination of the others. Returns false if one is.
pub fn independent(model: &Model, jacobian: &[Vec<ExprId>], diagnostics: &mut Diagnostics) -> bool {
    let before = diagnostics.iter().count();
    for (row, gradient) in model.rows.iter().zip(jacobian) {
        if is_zero(&model.graph, gradient) {
            diagnostics.push(catalogue::row_without_gradient(row.range));
        }
    }
    if diagnostics.iter().count() > before {
        return false;
    }
    let dependent = rank::dependent_row(&model.graph, jacobian);
    if let Some((index, row)) = dependent.and_then(|i| Some((i, model.rows.get(i)?))) {
        diagnostics.push(catalogue::dependent_row(row.range, index + 1));
        return false;
    }
    true
}

fn is_zero(graph: &Graph, gradient: &[ExprId]) -> bool {
    gradient.iter().all(|&slope| graph.is_zero(slope))
}
