//! Derivatives of v̇ and λ by all that they depend on: the equations are differentiated, never their solution.
//!
//! ```text
//! F₁ = M v̇ − h − Jᵀ λ = 0        K = ⎡ M  −Jᵀ ⎤
//! F₂ = J v̇ + β       = 0            ⎣ J   0  ⎦
//! forwards    K (δv̇, δλ) = −(δF₁, δF₂)            δF: v̇ and λ stand still
//! backwards   Kᵀ (x, y) = (v̇*, λ*)                ∂(v̇*·v̇ + λ*·λ) = −∂(x·F₁ + y·F₂)
//! ```
//! K is eliminated already: a derivative along a tangent takes one more solution and a sweep over F, and the gradient
//! by everything at once takes one more solution and a sweep.
//!
//! Invariant: v̇ and λ stand in F as leaves until F is differentiated.

mod corners;
mod matrices;
mod motion;
mod outputs;
mod residual;
mod shares;
mod sides;
mod variables;
mod variation;

pub use motion::Solved;
pub use sides::Pressed;
pub use variables::{Given, Variables};

use crate::dynamics::Equations;
use crate::expr::{CollectVec, ExprId};
use crate::model::System;
use crate::solve::{Computed, Form, Quantity, Schur};
use motion::{Sensitivity, shares_and_values};
use outputs::OfMotion;
use residual::Residual;
use variation::Variation;

/// Systems of more coordinates or velocities stand on the heap, where tangents do not yet.
const MOST: usize = 512;

/// Whether derivatives of v̇ and λ are asked for that vectors on the stack can hold.
pub fn are_asked(system: &System) -> bool {
    let numbers = system.velocities().max(system.scalars());
    system.options.derivatives.is_some() && numbers <= MOST
}

/// Derivatives along a tangent, all of them, and gradients; those of outputs and of rows of one side too.
pub fn derivatives(
    system: &mut System,
    equations: &Equations,
    schur: &Schur,
    solved: &Solved<'_>,
    pressed: Option<Pressed<'_>>,
) -> Form {
    let variables = Variables::of(system, &equations.kinematics);
    let given = Given::new(system, &variables);
    let of_sides = pressed.map(|it| sides::gradients(system, equations, &variables, &given, it));
    let residual = Residual::new(system, equations, schur);
    let graph = &mut system.model.graph;
    let others = [
        residual.reduced(graph, schur),
        residual.recursive(graph, equations, schur),
    ];
    let others: Vec<Residual> = others.into_iter().flatten().collect_vec();
    let (shares, known) = shares_and_values(system, &residual, schur, solved);
    let graph = &mut system.model.graph;
    let sensitivity = Sensitivity {
        others: &others,
        shares: shares.as_ref(),
        variation: Variation {
            schur,
            residual: &residual,
            gathers: false,
        },
        residual: &residual,
        variables,
        known,
    };
    let (along, back) = sensitivity.along_and_back(graph, &given, solved);
    let slopes = sensitivity.matrices(graph, solved);
    let mut form = sensitivity.linearizations(graph, solved, &slopes);
    let computed = |outputs: &[ExprId]| Computed::of(outputs.to_vec(), solved.found);
    form.insert(Quantity::Tangent, computed(&along));
    form.insert(Quantity::Gradient, computed(&back));
    let corners = sensitivity.corners(system, solved);
    form.extend(corners.map(|it| (Quantity::Corners, it)));
    if !equations.outputs.is_empty() {
        let of_motion = OfMotion {
            along,
            back,
            slopes,
        };
        let of_outputs = sensitivity.of_outputs(system, equations, &given, solved, of_motion);
        form.extend(of_outputs);
    }
    form.extend(of_sides.into_iter().flatten());
    form
}
