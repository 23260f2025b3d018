//! From a system to its equations of motion, and to the programs that compute them.
//!
//! ```text
//! M v̇ = h + Jᵀ λ,   J v̇ = −β        (J M⁻¹ Jᵀ) λ = −β − J M⁻¹ h
//! ```
//! Input: [`model::System`](crate::model::System). Output: [`Derived`], which gives a
//! [`Program`] for every [`Quantity`].

mod carrying;
mod choice;
mod families;
mod rational;
mod redundancy;
pub mod rolled;
pub mod rolling;
mod solved;

pub use crate::dynamics::{Equations, OwnFrames, Row};
pub use rolled::{Rolled, Routine};
pub use solved::{Block, Solved};

use crate::check;
use crate::diagnostic::Diagnostics;
use crate::dynamics;
use crate::expr::{ExprId, SymbolId};
use crate::model::System;
use crate::schedule::{self, Program, Root};
use crate::solve::Computed;

/// What a program of a system can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// v̇
    Acceleration,
    /// q̇ and v̇ with bodies told in their own frames
    OwnSlope,
    /// M⁻¹ h
    Free,
    /// J, then M⁻¹ Jᵀ, of one constraint after the other
    Impulses,
    /// λ
    Multipliers,
    /// v̇, then λ
    AccelerationAndMultipliers,
    /// Jᵀ λ
    Force,
    /// C; zero for rows on velocities
    Constraint,
    /// Ċ; Φ itself for rows on velocities
    Rate,
    /// J, row by row
    Jacobian,
    /// Σᵢ |Jᵢ qᵢ| of each row
    RowSizes,
    /// β = C̈ − J v̇
    Bias,
    /// M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ b
    Correction,
    /// T
    KineticEnergy,
    /// V
    PotentialEnergy,
    /// M, row by row
    MassMatrix,
    /// The part of M that kinetic energies enter, the lower triangle, row by row
    Quadratic,
    /// h
    Applied,
    /// q̇ = N(q) v
    Kinematics,
    /// Every mass
    Masses,
    /// Every moment of inertia, or entry of its matrix
    Inertias,
    /// J M⁻¹ Jᵀ, the lower triangle, row by row
    Delassus,
    /// J M⁻¹ Jᵀ, zeros included, and b of the equations of motion, where they are solved at run time
    NormalEquations,
    /// The same with b in units of force
    ForceEquations,
    /// The same with bodies told in their own frames
    OwnNormalEquations,
    /// The same with b of a correction
    CorrectionEquations,
}

impl Quantity {
    const ALL: [Quantity; 26] = [
        Quantity::Acceleration,
        Quantity::OwnSlope,
        Quantity::Free,
        Quantity::Impulses,
        Quantity::Multipliers,
        Quantity::AccelerationAndMultipliers,
        Quantity::Force,
        Quantity::Constraint,
        Quantity::Rate,
        Quantity::Jacobian,
        Quantity::RowSizes,
        Quantity::Bias,
        Quantity::Correction,
        Quantity::KineticEnergy,
        Quantity::PotentialEnergy,
        Quantity::MassMatrix,
        Quantity::Quadratic,
        Quantity::Applied,
        Quantity::Kinematics,
        Quantity::Masses,
        Quantity::Inertias,
        Quantity::Delassus,
        Quantity::NormalEquations,
        Quantity::ForceEquations,
        Quantity::OwnNormalEquations,
        Quantity::CorrectionEquations,
    ];
}

/// A system with all that follows from it.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Names, shapes and expressions.
    pub system: System,
    /// M, h, C, J, β.
    pub equations: Equations,
    /// v̇, λ.
    pub solution: Solution,
}

/// v̇ and λ, in one of two forms.
#[derive(Clone, Debug)]
pub enum Solution {
    /// Every operation written out.
    Unrolled(Box<Solved>),
    /// Loops over families of rows.
    Rolled(Box<Rolled>),
}

/// Derives and solves the equations of a system.
///
/// # Errors
/// The system, where it has mistakes or no equations, which is reported.
pub fn derive(mut system: System, diagnostics: &mut Diagnostics) -> Result<Derived, Box<System>> {
    let Some((equations, solution)) = derived(&mut system, diagnostics) else {
        return Err(Box::new(system));
    };
    let derived = Derived {
        system,
        equations,
        solution,
    };
    let model = &derived.system.model;
    match check::constants(model, &model.graph, || derived.results(), diagnostics) {
        true => Ok(derived),
        false => Err(Box::new(derived.system)),
    }
}

fn derived(system: &mut System, diagnostics: &mut Diagnostics) -> Option<(Equations, Solution)> {
    if !diagnostics.is_empty() {
        return None;
    }
    let mut derivation = dynamics::begin(system, diagnostics);
    let rolled = choice::rolled(&mut derivation, system, diagnostics);
    let rows = match rolled {
        Some(_) => Vec::new(),
        None => derivation.rows(system, diagnostics),
    };
    derivation.carry(system, &rows, diagnostics);
    let equations = derivation.finish(system, rows);
    if !diagnostics.is_empty() {
        return None;
    }
    let model = &system.model;
    let rows = || equations.rows.iter().flat_map(Row::all).collect();
    if !check::constants(model, &model.graph, rows, diagnostics) {
        return None;
    }
    if !system.options.redundant {
        redundancy::check(system, &equations, rolled.as_ref(), diagnostics)?;
    }
    let solution = match rolled {
        Some(rolled) => Solution::Rolled(Box::new(rolled)),
        None => Solution::Unrolled(Box::new(solved::solve(system, &equations))),
    };
    Some((equations, solution))
}

impl Derived {
    /// M, the number of rows.
    pub fn rows(&self) -> usize {
        self.system.model.rows.len()
    }

    /// All expressions that programs are made of.
    fn results(&self) -> Vec<ExprId> {
        let kernels = Quantity::ALL.iter().filter_map(|&q| self.routine(q));
        let kernels = kernels.flat_map(|routine| &routine.kernels);
        let outputs = Quantity::ALL.iter().flat_map(|&q| self.expressions(q));
        outputs
            .chain(kernels.flat_map(|kernel| kernel.roots.iter().copied()))
            .collect()
    }

    /// The program that computes the quantities, outputs in their order.
    pub fn program(
        &self,
        quantities: &[Quantity],
        symbol_name: &dyn Fn(SymbolId) -> String,
    ) -> Program {
        let roots: Vec<Root> = quantities.iter().flat_map(|&q| self.roots(q)).collect();
        let graph = &self.system.model.graph;
        schedule::schedule(graph, &roots, &self.names(quantities), symbol_name)
    }

    /// The program with leaves named as in the model.
    pub fn plain_program(&self, quantities: &[Quantity]) -> Program {
        let symbols = &self.system.model.symbols;
        self.program(quantities, &|symbol| symbols[symbol.index()].name.clone())
    }

    /// The loops of a quantity of a rolled system; what it computes in straight lines has none.
    pub fn routine(&self, quantity: Quantity) -> Option<&Routine> {
        let Solution::Rolled(rolled) = &self.solution else {
            return None;
        };
        match quantity {
            Quantity::Acceleration => Some(&rolled.acceleration),
            Quantity::Multipliers => Some(&rolled.multipliers),
            Quantity::AccelerationAndMultipliers => Some(&rolled.both),
            Quantity::Force => Some(&rolled.force),
            Quantity::Constraint => Some(&rolled.constraint),
            Quantity::Rate => Some(&rolled.rate),
            Quantity::Jacobian => Some(&rolled.jacobian),
            Quantity::RowSizes => Some(&rolled.row_sizes),
            Quantity::Bias => Some(&rolled.bias),
            Quantity::Correction => Some(&rolled.correction),
            Quantity::KineticEnergy => Some(&rolled.kinetic),
            Quantity::PotentialEnergy => Some(&rolled.potential),
            _ => None,
        }
    }

    /// Where the bodies stand that steps carry in their own frames.
    pub fn own_frames(&self) -> Vec<OwnFrames> {
        dynamics::runs(&self.system, &self.equations.stepped)
    }

    /// The constraints as blocks of rows; none of a rolled system.
    pub fn blocks(&self) -> &[Block] {
        self.solved().map_or(&[], |solved| &solved.blocks)
    }

    /// The straight-line solution, where there is one.
    fn solved(&self) -> Option<&Solved> {
        match &self.solution {
            Solution::Unrolled(solved) => Some(solved),
            Solution::Rolled(_) => None,
        }
    }

    /// A quantity that has to be solved for, in straight lines.
    fn computed(&self, quantity: Quantity) -> Option<&Computed> {
        self.solved()?.form.get(&quantity)
    }

    /// The expressions of a quantity; of a rolled system those of the families' first rows.
    pub fn expressions(&self, quantity: Quantity) -> Vec<ExprId> {
        if let Some(computed) = self.computed(quantity) {
            return computed.outputs.clone();
        }
        let equations = &self.equations;
        let of_rows =
            |get: fn(&Row) -> ExprId| self.shown_rows().map(|(_, row)| get(row)).collect();
        match quantity {
            Quantity::Constraint => of_rows(|row| row.value),
            Quantity::Rate => of_rows(|row| row.rate),
            Quantity::Bias => of_rows(|row| row.bias),
            Quantity::RowSizes => equations.row_sizes.clone(),
            Quantity::Jacobian => self.dense_jacobian(),
            Quantity::KineticEnergy => vec![equations.kinetic],
            Quantity::PotentialEnergy => vec![equations.potential],
            Quantity::MassMatrix => self.dense_mass(),
            Quantity::Quadratic => {
                let places = equations.quadratic.iter().enumerate();
                let rows = places.map(|(k, &i)| (i, &equations.quadratic[..=k]));
                let entry = |i, j| equations.mass.get(i, j).unwrap_or(equations.zero);
                rows.flat_map(|(i, row)| row.iter().map(move |&j| entry(i, j)))
                    .collect()
            }
            Quantity::Applied => equations.applied.clone(),
            Quantity::Kinematics => equations.kinematics.clone(),
            Quantity::Masses => {
                let given = equations.masses.iter().copied();
                given.chain(equations.inertias_of_coordinates()).collect()
            }
            Quantity::Inertias => equations.inertias.concat(),
            _ => Vec::new(),
        }
    }

    /// What has to be solved at run time before a quantity, where rows may follow from each other.
    pub fn normal(&self, quantity: Quantity) -> Option<Quantity> {
        self.computed(Quantity::NormalEquations)?;
        match quantity {
            Quantity::Acceleration | Quantity::AccelerationAndMultipliers => {
                Some(Quantity::NormalEquations)
            }
            Quantity::Multipliers | Quantity::Force => Some(Quantity::ForceEquations),
            Quantity::OwnSlope => Some(Quantity::OwnNormalEquations),
            Quantity::Correction => Some(Quantity::CorrectionEquations),
            _ => None,
        }
    }

    /// All rows; of a rolled system the first of each family.
    pub fn shown_rows(&self) -> Box<dyn Iterator<Item = (usize, &Row)> + '_> {
        match &self.solution {
            Solution::Unrolled(_) => Box::new(self.equations.rows.iter().enumerate()),
            Solution::Rolled(rolled) => Box::new(rolled.rows.iter().map(|(r, row)| (*r, row))),
        }
    }

    fn dense_jacobian(&self) -> Vec<ExprId> {
        let n = self.system.coordinates.len();
        let mut dense = vec![self.equations.zero; n * self.rows()];
        for (i, row) in self.equations.rows.iter().enumerate() {
            for &(k, entry) in &row.jacobian {
                dense[i * n + k] = entry;
            }
        }
        dense
    }

    fn dense_mass(&self) -> Vec<ExprId> {
        let n = self.system.coordinates.len();
        let entry = |k: usize| self.equations.mass.get(k / n, k % n);
        let entries = (0..n * n).map(|k| entry(k).unwrap_or(self.equations.zero));
        entries.collect()
    }

    /// What a quantity takes, in the order of computation.
    fn roots(&self, quantity: Quantity) -> Vec<Root> {
        match self.computed(quantity) {
            Some(computed) => computed.roots().collect(),
            None => {
                let outputs = self.expressions(quantity).into_iter();
                outputs.map(Root::Output).collect()
            }
        }
    }

    /// The user's names, then those of the parts of the solution.
    fn names(&self, quantities: &[Quantity]) -> Vec<(ExprId, String)> {
        let mut names = self.system.model.names.clone();
        let computed = quantities.iter().filter_map(|&q| self.computed(q));
        names.extend(computed.flat_map(|it| it.names.clone()));
        names
    }
}
