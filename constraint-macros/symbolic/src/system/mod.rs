//! From a system to its equations of motion, and to the programs that compute them.
//!
//! ```text
//! M v̇ = h + Jᵀ λ,   J v̇ = −β        (J M⁻¹ Jᵀ) λ = −β − J M⁻¹ h
//! ```
//! Input: [`model::System`](crate::model::System). Output: [`Derived`], which gives a
//! [`Program`](crate::schedule::Program) for every [`Quantity`].

mod choice;
mod corrections;
mod derived;
mod limbs;
pub mod loops;
mod observed;
pub mod outputs;
#[cfg(feature = "tools")]
mod places;
mod projected;
mod rational;
mod redundancy;
mod regressor;
mod sensitivity;
mod sides;
mod size;
mod solved;
mod stated;
mod tasks;

pub use crate::dynamics::{Equations, OwnFrames, Row};
pub use crate::solve::Quantity;
use crate::undefined::Undefined;
pub use derived::{Derived, Solution};
pub use loops::Rolled;
pub use loops::limbs::Limbs;
pub use loops::routine::Routine;
pub use solved::Block;

use crate::check;
use crate::diagnostic::Diagnostics;
use crate::dynamics::{self, Derivation};
use crate::expr::{CollectVec, ExprId};
use crate::model::{Solver, System};
use crate::schedule::Meaning;
use crate::solve::{Computed, Form};
use stated::{accelerated, stated};

/// The parts of [`Derived`] beside its system.
struct Parts {
    equations: Equations,
    form: Form,
    solution: Solution,
    limbs: Limbs,
    descriptor: Option<Routine>,
    undefined: Undefined,
    meanings: Vec<(ExprId, Meaning)>,
}

/// Derives and solves the equations of a system.
///
/// # Errors
/// The system, where it has mistakes or no equations, which is reported.
pub fn derive(mut system: System, diagnostics: &mut Diagnostics) -> Result<Derived, Box<System>> {
    let Some(parts) = derived(&mut system, diagnostics) else {
        return Err(Box::new(system));
    };
    let Parts {
        equations,
        form,
        solution,
        limbs,
        descriptor,
        undefined,
        meanings,
    } = parts;
    let derived = Derived {
        system,
        equations,
        form,
        solution,
        limbs,
        descriptor,
        undefined,
        meanings,
    };
    let model = &derived.system.model;
    if check::constants(model, &model.graph, || derived.results(), diagnostics) {
        Ok(derived)
    } else {
        Err(Box::new(derived.system))
    }
}

fn derived(system: &mut System, diagnostics: &mut Diagnostics) -> Option<Parts> {
    if !diagnostics.is_empty() {
        return None;
    }
    let (mut derivation, rolled) = begin(system, diagnostics);
    tasks::check(system, diagnostics);
    sides::check(system, diagnostics);
    regressor::check(system, diagnostics);
    if rolled.is_none() && diagnostics.is_empty() {
        size::check(&derivation, system, diagnostics)?;
    }
    let rows = match rolled {
        Some(_) => Vec::new(),
        None => derivation.rows(system, diagnostics),
    };
    derivation.augment_mass(system, &rows, diagnostics);
    let asked = system
        .options
        .derivatives
        .filter(|_| diagnostics.is_empty());
    let linear = asked.map(|_| derivation.descriptor(system, &rows));
    let equations = derivation.finish(system, rows, rolled.is_some());
    if !diagnostics.is_empty() {
        return None;
    }
    let model = &system.model;
    let rows = || equations.rows.iter().flat_map(Row::all).collect_vec();
    if !check::constants(model, &model.graph, rows, diagnostics) {
        return None;
    }
    if !system.options.redundant {
        redundancy::check(system, &equations, rolled.as_ref(), diagnostics)?;
    }
    let (mut form, mut solution, meanings) = match rolled {
        Some(rolled) => (Form::new(), Solution::Rolled(Box::new(rolled)), Vec::new()),
        None => {
            let (form, blocks, meanings) = solved::solve(system, &equations);
            (form, Solution::Unrolled(blocks), meanings)
        }
    };
    form.extend(stated(&equations, &solution));
    if let Solution::Unrolled(_) = solution {
        form.extend(accelerated(system, &equations));
    }
    if !system.outputs.is_empty() {
        let outputs = match &mut solution {
            Solution::Unrolled(_) => outputs::computed(system, &equations, &form),
            Solution::Rolled(rolled) => {
                let each = Routine::of_each(&system.model.graph, system, &equations.outputs);
                rolled.routines.insert(Quantity::Outputs, each);
                if sensitivity::are_asked(system) {
                    observed::derivatives(system, &equations.outputs, rolled);
                }
                Computed::plain(equations.outputs.clone())
            }
        };
        form.insert(Quantity::Outputs, outputs);
    }
    let limbs = match solution {
        Solution::Unrolled(_) => limbs::limbs(system, &equations, &form),
        Solution::Rolled(_) => Limbs::default(),
    };
    form.extend(tasks::stated(system, &equations, &mut solution));
    form.extend(sides::stated(&equations));
    form.extend(regressor::stated(system, &equations, diagnostics));
    if !diagnostics.is_empty() {
        return None;
    }
    let rows: Vec<(usize, &Row)> = match &solution {
        Solution::Unrolled(_) => equations.rows.iter().enumerate().collect_vec(),
        Solution::Rolled(rolled) => rolled.rows.iter().map(|(r, row)| (*r, row)).collect_vec(),
    };
    let solved = form.get(&Quantity::Acceleration);
    let pivots = solved.map_or_else(Vec::new, Computed::pivots);
    let redundant = system.options.redundant;
    let written = matches!(solution, Solution::Unrolled(_)).then_some(&pivots[..]);
    let undefined = Undefined::of(&mut system.model, &equations, &rows, written, redundant);
    if !undefined.0.is_empty() {
        let at = undefined.0.iter().map(|it| it.place.at());
        form.insert(Quantity::Undefined, Computed::plain(at.collect_vec()));
    }
    Some(Parts {
        undefined,
        descriptor: linear.map(|rows| Routine::descriptor(system, rows)),
        equations,
        form,
        solution,
        limbs,
        meanings,
    })
}

/// Masses and forces, and all of it in loops where that is asked for or pays, if need be with numbers that rows differ
/// by as elements of an array.
fn begin(system: &mut System, diagnostics: &mut Diagnostics) -> (Derivation, Option<Rolled>) {
    let lifted = choice::lifted(system);
    let asked = system.options.solver == Some(Solver::Rolled);
    if let (true, Some(lifted)) = (asked, &lifted) {
        *system = lifted.clone();
    }
    let mut derivation = dynamics::begin(system, diagnostics);
    let mut rolled = choice::rolled(&mut derivation, system, diagnostics);
    if let (None, Some(mut other)) = (&rolled, lifted)
        && diagnostics.is_empty()
    {
        let mut in_loops = dynamics::begin(&mut other, diagnostics);
        rolled = choice::rolled(&mut in_loops, &mut other, diagnostics);
        if rolled.is_some() {
            (*system, derivation) = (other, in_loops);
        }
    }
    (derivation, rolled)
}
