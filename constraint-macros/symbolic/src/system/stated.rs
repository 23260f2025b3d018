//! Quantities that need no solution: what the equations state, and accelerations that are given.

use super::derived::Solution;
use crate::dynamics::{self, Equations, Frame, Row, accelerations};
use crate::expr::{CollectVec, ExprId, Graph, Number};
use crate::model::{Model, System};
use crate::schedule::{self, Root};
use crate::solve::{Computed, Form, Quantity};

/// Quantities that the equations state; of a rolled system those of the families' first rows.
pub(super) fn stated(equations: &Equations, solution: &Solution) -> Form {
    let rows = |get: fn(&Row) -> ExprId| match solution {
        Solution::Unrolled(_) => equations.rows.iter().map(get).collect_vec(),
        Solution::Rolled(rolled) => rolled.rows.iter().map(|(_, row)| get(row)).collect_vec(),
    };
    let masses = equations.masses.iter().copied();
    let masses = masses.chain(equations.inertias_of_coordinates());
    let mut stated = vec![
        (Quantity::Value, rows(|row| row.value)),
        (Quantity::Rate, rows(|row| row.rate)),
        (Quantity::Bias, rows(|row| row.bias)),
        (Quantity::RowSizes, equations.row_sizes.clone()),
        (Quantity::KineticEnergy, vec![equations.kinetic]),
        (Quantity::PotentialEnergy, vec![equations.potential]),
        (Quantity::Applied, equations.applied.clone()),
        (Quantity::Kinematics, equations.kinematics.clone()),
        (Quantity::Masses, masses.collect_vec()),
        (Quantity::Inertias, equations.inertias.concat()),
    ];
    let is_rolled = match solution {
        Solution::Unrolled(_) => false,
        Solution::Rolled(rolled) => rolled.routines.contains_key(&Quantity::Quadratic),
    };
    if !is_rolled {
        stated.push((Quantity::Quadratic, quadratic(equations)));
    }
    if let Solution::Unrolled(_) = solution {
        stated.push((Quantity::Jacobian, jacobian(equations)));
        stated.push((Quantity::MassMatrix, mass_matrix(equations)));
    }
    let stated = stated.into_iter();
    stated
        .map(|(quantity, outputs)| (quantity, Computed::plain(outputs)))
        .collect()
}

/// Quantities of given accelerations, entry by entry. Bodies are turned into their own frames, where M is constant, and
/// back.
pub(super) fn accelerated(system: &mut System, equations: &Equations) -> Form {
    let n = system.coordinates.len();
    let Model { graph, symbols, .. } = &mut system.model;
    let given = accelerations(graph, symbols, n);
    let (frames, (mass, applied)) = (&equations.frames, equations.of_motion());
    let own = dynamics::all_turned(graph, frames, &given, Frame::own);
    let mut terms = mass.products(graph, &own);
    let resisting = terms.iter().map(|terms| graph.sum(terms)).collect_vec();
    let pairs = terms.iter_mut().zip(applied);
    pairs.for_each(|(terms, &h)| terms.push((h, Number::MINUS_ONE)));
    let missing = terms.iter().map(|terms| graph.sum(terms)).collect_vec();
    let mut stated: [Vec<ExprId>; 2] = [resisting, missing];
    if let Some(required) = &equations.required {
        for (stated, forces) in stated
            .iter_mut()
            .zip([&required.resisting, &required.forces])
        {
            let forces = required.of(graph, forces, &own);
            if cost(graph, &forces) < cost(graph, stated) {
                *stated = forces;
            }
        }
    }
    let [resisting, missing] =
        stated.map(|x| Computed::plain(dynamics::all_turned(graph, frames, &x, Frame::world)));
    Form::from([
        (Quantity::MassTimes, resisting),
        (Quantity::UnconstrainedInverseDynamics, missing.clone()),
        (Quantity::InverseDynamics, missing),
    ])
}

/// J, zeros included.
fn jacobian(equations: &Equations) -> Vec<ExprId> {
    let n = equations.applied.len();
    let mut dense = vec![equations.zero; n * equations.rows.len()];
    for (i, row) in equations.rows.iter().enumerate() {
        for &(k, entry) in &row.jacobian {
            dense[i * n + k] = entry;
        }
    }
    dense
}

/// M, zeros included.
fn mass_matrix(equations: &Equations) -> Vec<ExprId> {
    let n = equations.applied.len();
    let entry = |k: usize| equations.mass.get(k / n, k % n);
    let entries = (0..n * n).map(|k| entry(k).unwrap_or(equations.zero));
    entries.collect_vec()
}

/// The part of M that kinetic energies enter, the lower triangle.
fn quadratic(equations: &Equations) -> Vec<ExprId> {
    let places = equations.quadratic.iter().enumerate();
    let rows = places.map(|(k, &i)| (i, &equations.quadratic[..=k]));
    let entry = |i, j| equations.mass.get(i, j).unwrap_or(equations.zero);
    let entries = rows.flat_map(|(i, row)| row.iter().map(move |&j| entry(i, j)));
    entries.collect_vec()
}

/// Estimated time of computing expressions.
fn cost(graph: &Graph, all: &[ExprId]) -> u32 {
    let roots: Vec<Root> = all.iter().copied().map(Root::Output).collect_vec();
    schedule::count(graph, &roots).weight()
}
