//! The regressor of the inertial parameters and its base parameters, where `#[regressor]` requests them.
//!
//! ```text
//! M a − h = Y θ + what does not depend on θ        Y θ = Y_base K θ, Y_base: independent columns of Y
//! ```

mod base;
mod exact;

use crate::diagnostic::{Diagnostics, system as messages};
use crate::dynamics::{self, Equations, Frame};
use crate::expr::{CollectVec, ExprId};
use crate::model::{Inertial, Model, Solver, System};
use crate::solve::{Computed, Form, Quantity};

/// Matrices of more columns do not belong on the stack.
const MOST: usize = 512;

/// Reports a request that is not served.
pub fn check(system: &System, diagnostics: &mut Diagnostics) {
    let Some(range) = system.options.regressor.filter(|_| diagnostics.is_empty()) else {
        return;
    };
    let mut sizes = system.posed.iter().map(|body| body.place.len());
    let first = sizes.next();
    if sizes.any(|it| Some(it) != first) {
        diagnostics.push(messages::regressor_of_plane_and_space(range));
    } else if system.options.solver == Some(Solver::Rolled) {
        diagnostics.push(messages::regressor_in_loops(range));
    } else if system.velocities().max(system.scalars()) > MOST {
        diagnostics.push(messages::regressor_too_large(range, MOST));
    }
}

/// Y, θ and K; their names and sizes become known to the system.
pub fn stated(system: &mut System, equations: &Equations, diagnostics: &mut Diagnostics) -> Form {
    let Some(range) = system.options.regressor else {
        return Form::new();
    };
    let Some(regressor) = &equations.regressor else {
        diagnostics.push(messages::regressor_without_links(range));
        return Form::new();
    };
    let parameters = regressor.names.len();
    if parameters > MOST {
        diagnostics.push(messages::regressor_too_large(range, MOST));
        return Form::new();
    }
    let Model { graph, symbols, .. } = &mut system.model;
    let base = match base::base(graph, symbols, regressor) {
        Ok(base) => base,
        Err(column) => {
            let name = &regressor.names[column];
            diagnostics.push(messages::unknown_combination(range, name));
            return Form::new();
        }
    };
    let n = system.coordinates.len();
    // Accelerations of bodies in their own frames, and forces on them there.
    let given = &regressor.accelerations;
    let own = dynamics::all_turned(graph, &equations.frames, given, Frame::own);
    let map = regressor.accelerations.iter().copied().zip(own).collect();
    let map = graph.substitute(regressor.columns.iter().flatten().copied(), map);
    let columns = regressor.columns.iter().map(|column| {
        let column: Vec<ExprId> = column.iter().map(|it| map[it]).collect_vec();
        dynamics::all_turned(graph, &equations.frames, &column, Frame::world)
    });
    let columns: Vec<Vec<ExprId>> = columns.collect_vec();
    let rows = (0..n).flat_map(|i| columns.iter().map(move |column| column[i]));
    let zero = equations.zero;
    let entry = |pivot: usize| {
        let columns = base.combinations.iter();
        columns.map(move |it| it.get(&pivot).copied().unwrap_or(zero))
    };
    let matrix = base.pivots.iter().flat_map(|&pivot| entry(pivot));
    let form = [
        (Quantity::Regressor, rows.collect_vec()),
        (Quantity::InertialParameters, regressor.parameters.clone()),
        (Quantity::BaseMatrix, matrix.collect_vec()),
    ];
    let form = form.map(|(of, entries)| (of, Computed::plain(entries)));
    system.inertial = Inertial {
        names: regressor.names.clone(),
        base: base.pivots,
    };
    Form::from(form)
}
