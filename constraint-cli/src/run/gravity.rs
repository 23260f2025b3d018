//! The direction of gravity in a system.

use constraint_runtime::nalgebra::DVector;
use constraint_symbolic::model::Shape;
use constraint_symbolic::system::{Derived, Quantity};

use super::interpreted::Interpreted;
use super::mechanism::spread;

/// Number of nearby states that test whether the applied force is uniform, and the tolerance.
const STATES: usize = 4;
const UNIFORM: f64 = 1e-9;

/// The field of a system at a state, along the axes of its points: the one that `gravity` declares, otherwise the
/// total force on all points and bodies, if it is the same in nearby states; empty if it is not, or there is none.
///
/// Forces between points cancel in the total. Inputs count as zero, since a controller does not define a direction.
pub fn of_system(derived: &Derived, moving: &Interpreted<'_>, q: &DVector<f64>) -> Vec<f64> {
    let symbols = &derived.system.model.symbols;
    let name = |symbol: constraint_symbolic::expr::SymbolId| symbols[symbol.index()].name.clone();
    let stated = moving.run(&derived.gravity(&name), 0.0, q);
    if stated.len() > 1 {
        return stated;
    }
    let applied = derived.plain_program(&[Quantity::Applied]);
    let total = |q: &DVector<f64>| total(derived, &moving.run_undriven(&applied, 0.0, q));
    let here = total(q);
    let size = here.iter().fold(0.0_f64, |most, f| most.max(f.abs()));
    let is_uniform = (0..STATES).all(|round| {
        let nearby = |k: usize, _| q[k] + 0.1 * (1.0 + q[k].abs()) * spread(31 * round + k);
        let there = total(&DVector::from_fn(q.len(), nearby));
        let mut pairs = here.iter().zip(&there);
        pairs.all(|(a, b)| (a - b).abs() <= UNIFORM * size)
    });
    if is_uniform { here } else { Vec::new() }
}

/// The sum of all forces on points and bodies, axis by axis.
fn total(derived: &Derived, forces: &[f64]) -> Vec<f64> {
    let (mut sum, mut first) = (Vec::new(), 0);
    for declared in &derived.system.declared {
        let elements = declared.elements();
        let size = declared.velocities().checked_div(elements).unwrap_or(0);
        for element in (0..elements).filter(|_| declared.shape != Shape::Scalar) {
            for axis in 0..declared.shape.len() {
                sum.resize(sum.len().max(axis + 1), 0.0);
                let force = forces.get(first + element * size + axis);
                sum[axis] += force.copied().unwrap_or(0.0);
            }
        }
        first += declared.velocities();
    }
    sum
}
