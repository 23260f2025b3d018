//! What must hold of a model as a whole.

use super::{Model, Role};
use crate::diagnostic::{Diagnostics, catalogue};
use crate::expr::{ExprId, Graph, Node};
use crate::solve;

/// Every row must depend on a coordinate, after folding.
pub(super) fn rows(model: &Model, diagnostics: &mut Diagnostics) {
    let variable = varies(model);
    for row in &model.rows {
        if variable[row.root.index()] {
            continue;
        }
        let constant = model.graph.as_number(row.root);
        let constant = constant.map(|value| value.to_string());
        diagnostics.push(catalogue::row_without_coordinate(row.range, constant));
    }
}

/// For every node that rows are made of: does it contain a coordinate?
fn varies(model: &Model) -> Vec<bool> {
    let graph = &model.graph;
    let mut variable = vec![false; graph.len()];
    // Children come before their parents.
    for id in graph.reachable(model.rows.iter().map(|row| row.root)) {
        let node = graph.node(id);
        let mut found = match node {
            Node::Symbol(symbol) => {
                let symbol = model.symbols.get(symbol.index());
                symbol.is_some_and(|symbol| moves(symbol.role))
            }
            _ => false,
        };
        node.for_each_child(|child| found |= variable[child.index()]);
        variable[id.index()] = found;
    }
    variable
}

/// Whether a leaf of this role changes as the coordinates or velocities do.
fn moves(role: Role) -> bool {
    matches!(
        role,
        Role::Coordinate(_) | Role::Velocity(_) | Role::Arm { .. } | Role::Place
    )
}

/// A relation between velocities must be affine in them: J may not depend on v; false where one is not.
pub fn check_affine(
    model: &Model,
    jacobian: &[Vec<ExprId>],
    diagnostics: &mut Diagnostics,
) -> bool {
    let rows = model.rows.iter().zip(jacobian);
    let bent: Vec<_> = rows
        .filter(|(_, gradient)| model.mentions_velocity(gradient.iter().copied()))
        .collect();
    for (row, _) in &bent {
        diagnostics.push(catalogue::not_affine_in_velocities(row.range));
    }
    bent.is_empty()
}

/// No row of J may vanish identically, and none may follow from the others; false where one does.
pub fn check_equations(
    model: &Model,
    jacobian: &[Vec<ExprId>],
    diagnostics: &mut Diagnostics,
) -> bool {
    let before = diagnostics.iter().count();
    for (row, gradient) in model.rows.iter().zip(jacobian) {
        if is_zero(&model.graph, gradient) {
            diagnostics.push(catalogue::row_without_gradient(row.range));
        }
    }
    if diagnostics.iter().count() > before {
        return false;
    }
    let dependent = solve::dependent_row(&model.graph, jacobian);
    if let Some((index, row)) = dependent.and_then(|i| Some((i, model.rows.get(i)?))) {
        diagnostics.push(catalogue::dependent_row(row.range, index + 1));
        return false;
    }
    true
}

fn is_zero(graph: &Graph, gradient: &[ExprId]) -> bool {
    gradient.iter().all(|&slope| graph.is_zero(slope))
}
