//! Gradients of rows of one side, and of the response to forces on them.
//!
//! ```text
//! w*·g,   w*·(G v + ∂g/∂t),   w*·(G a + …),   w*·(e, μ)
//! v̇*·W f + λ*·X f        M w = Gᵀ f + Jᵀ x,   J w = 0:   w = W f, x = X f
//! ```
//! The last line has v̇ and λ of the system with Gᵀ f in place of h and with β = 0.

use super::motion::{Sensitivity, Solved, shares_and_values};
use super::residual::Residual;
use super::variables::{Given, Variables};
use super::variation::Variation;
use crate::dynamics::{Equations, Row, accelerations};
use crate::expr::{CollectVec, ExprId, Graph, Number};
use crate::model::{Model, Role, System};
use crate::solve::{Computed, Form, Quantity, Schur};

/// The system under forces on rows of one side alone, and its solution.
pub struct Pressed<'a> {
    pub equations: &'a Equations,
    pub schur: &'a Schur,
    pub solved: Solved<'a>,
}

/// All of these gradients.
pub(super) fn gradients(
    system: &mut System,
    equations: &Equations,
    variables: &Variables,
    given: &Given,
    pressed: Pressed<'_>,
) -> Form {
    let count = equations.sides.len();
    let weights = system
        .model
        .add_leaves(count, Role::SideAdjoint, "sides_bar");
    let n = system.coordinates.len();
    let Model { graph, symbols, .. } = &mut system.model;
    let given_accelerations = accelerations(graph, symbols, n);
    let accelerated = |graph: &mut Graph, row: &Row| {
        let entries = row.jacobian.iter();
        let mut terms: Vec<_> = entries
            .map(|&(i, entry)| (graph.mul(entry, given_accelerations[i]), Number::ONE))
            .collect_vec();
        terms.push((row.bias, Number::ONE));
        graph.sum(&terms)
    };
    let sides = || equations.sides.iter();
    let values: [(Quantity, Vec<ExprId>); 4] = [
        (
            Quantity::GapsGradient,
            sides().map(|row| row.value).collect_vec(),
        ),
        (
            Quantity::SideRatesGradient,
            sides().map(|row| row.rate).collect_vec(),
        ),
        (
            Quantity::SideAccelerationsGradient,
            sides().map(|row| accelerated(graph, row)).collect_vec(),
        ),
        (
            Quantity::CoefficientsGradient,
            equations.coefficients.clone(),
        ),
    ];
    let mut form = Form::new();
    for (quantity, values) in values {
        let scalar = graph.dot(&weights, &values);
        let by = variables.gradient(graph, scalar);
        form.insert(quantity, Computed::plain(by));
    }
    let by = of_responses(system, variables, given, &pressed);
    let computed = Computed::of(by, pressed.solved.found);
    form.insert(Quantity::SideResponsesGradient, computed);
    form
}

fn of_responses(
    system: &mut System,
    variables: &Variables,
    given: &Given,
    Pressed {
        equations,
        schur,
        solved,
    }: &Pressed<'_>,
) -> Vec<ExprId> {
    let residual = Residual::new(system, equations, schur);
    let (shares, known) = shares_and_values(system, &residual, schur, solved);
    let graph = &mut system.model.graph;
    let sensitivity = Sensitivity {
        others: &[],
        shares: shares.as_ref(),
        variation: Variation {
            schur,
            residual: &residual,
            gathers: false,
        },
        residual: &residual,
        variables: variables.clone(),
        known,
    };
    sensitivity.back(graph, given, Number::ONE)
}
