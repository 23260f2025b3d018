//! Checks of a model as a whole.

use super::{Model, Role};
use crate::diagnostic::{Diagnostic, Diagnostics, SourceRange, catalogue};
use crate::expr::{ExprId, Graph, Node};

/// Equations with more coordinates, terms, factors and arguments than this are not derived: rustc takes up to 20 s for
/// this many in a debug build.
const MAX_OPERANDS: usize = 10_000;
/// A factor counts as several: a product of n factors has n slopes, and even with shared parts they take n log n operations.
const FACTOR: usize = 10;

/// Reports rows whose derived code could not be compiled in reasonable time, and suggests to write `instead`.
/// do `instead`.
pub(super) fn size(model: &Model, instead: &str, diagnostics: &mut Diagnostics) {
    let ends = (model.rows.first(), model.rows.last());
    let found = operands(&model.graph, model.rows.iter().map(|row| row.root));
    // Each coordinate has a column, and a name in every function.
    let found = found + model.coordinate_count();
    if let (Some(first), Some(last)) = ends
        && found > MAX_OPERANDS
    {
        let range = first.range.to(last.range);
        diagnostics.push(too_large(range, found, instead));
    }
}

/// Checks each of the roots alone; reports the first that is too large.
pub(super) fn sizes(graph: &Graph, roots: &[(ExprId, SourceRange)], diagnostics: &mut Diagnostics) {
    if operands(graph, roots.iter().map(|root| root.0)) <= MAX_OPERANDS {
        return;
    }
    let sizes = roots
        .iter()
        .map(|&(id, range)| (operands(graph, [id]), range));
    let instead = "split it into several statements, or implement `System` by hand";
    if let Some((found, range)) = sizes.into_iter().find(|it| it.0 > MAX_OPERANDS) {
        diagnostics.push(too_large(range, found, instead));
    }
}

fn too_large(range: SourceRange, found: usize, instead: &str) -> Diagnostic {
    catalogue::too_large_to_derive(range, found, MAX_OPERANDS, FACTOR, instead)
}

/// Terms, factors and arguments below the roots.
fn operands(graph: &Graph, roots: impl IntoIterator<Item = ExprId>) -> usize {
    let of_node = |id| match graph.node(id) {
        Node::Product(factors) if factors.len() > FACTOR => FACTOR * factors.len(),
        node => {
            let mut count = 0;
            node.for_each_child(|_| count += 1);
            count
        }
    };
    graph.reachable(roots).into_iter().map(of_node).sum()
}

/// After folding, every row must depend on a coordinate, and neither side alone may be 0.
pub(super) fn rows(model: &Model, diagnostics: &mut Diagnostics) {
    let variable = varies(model);
    for row in &model.rows {
        if variable[row.root.index()] {
            if model.graph.vanishes_on_one_side(row.root) {
                diagnostics.push(catalogue::row_of_one_side(row.range));
            } else if row.is_relation
                && model
                    .graph
                    .vanishes_at_its_extreme(row.root, |id| variable[id.index()])
            {
                diagnostics.push(catalogue::row_at_an_extreme(row.range));
            }
            continue;
        }
        let constant = model.graph.as_number(row.root);
        let constant = constant.map(|value| value.to_string());
        diagnostics.push(catalogue::row_without_coordinate(row.range, constant));
    }
}

/// Whether each node of the rows contains a coordinate.
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

/// Whether a leaf of this role changes with the coordinates or velocities.
fn moves(role: Role) -> bool {
    matches!(
        role,
        Role::Coordinate(_) | Role::Velocity(_) | Role::Arm { .. } | Role::Place
    )
}
