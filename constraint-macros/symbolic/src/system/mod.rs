//! From a system to its equations of motion, and to the programs that compute them.
//!
//! ```text
//! M v̇ = h + Jᵀ λ,   J v̇ = −β        (J M⁻¹ Jᵀ) λ = −β − J M⁻¹ h
//! ```
//! Input: [`model::System`](crate::model::System). Output: [`Derived`], which gives a
//! [`Program`] for every [`Quantity`].

mod choice;
mod corrections;

pub mod loops;
pub mod outputs;
#[cfg(feature = "tools")]
mod places;
mod projected;
mod rational;
mod redundancy;
mod sensitivity;
mod size;
mod solved;

pub use crate::dynamics::{Equations, OwnFrames, Row};
pub use crate::solve::Quantity;
pub use loops::Rolled;
pub use loops::routine::Routine;
pub use solved::Block;

use crate::check;
use crate::diagnostic::Diagnostics;
use crate::dynamics::{self, Derivation, Frame};
use crate::expr::{ExprId, Graph, Number, SymbolId};
use crate::model::{Model, Role, Solver, Symbol, System};
use crate::schedule::{Meaning, Meanings, Program, Root, Rows};
use crate::solve::{self, Computed, Form};

/// A system with all that follows from it.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Names, shapes and expressions.
    pub system: System,
    /// M, h, C, J, β.
    pub equations: Equations,
    /// What can be asked for, with bodies in the world's frame where no quantity says otherwise. What a rolled system
    /// solves for it has as loops instead.
    pub form: Form,
    /// v̇, λ.
    pub solution: Solution,
    /// The linearised equations, where derivatives are asked for.
    pub descriptor: Option<Routine>,
    /// What expressions are called where programs bind them.
    meanings: Vec<(ExprId, Meaning)>,
}

/// The parts of [`Derived`] beside its system.
struct Parts {
    equations: Equations,
    form: Form,
    solution: Solution,
    descriptor: Option<Routine>,
    meanings: Vec<(ExprId, Meaning)>,
}

/// How v̇ and λ are computed.
#[derive(Clone, Debug)]
pub enum Solution {
    /// Every operation written out; J and M⁻¹ Jᵀ, one constraint after the other.
    Unrolled(Vec<Block>),
    /// Loops over families of rows.
    Rolled(Box<Rolled>),
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
        descriptor,
        meanings,
    } = parts;
    let derived = Derived {
        system,
        equations,
        form,
        solution,
        descriptor,
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
    sensitivity::check(system, diagnostics);
    if rolled.is_none() && diagnostics.is_empty() {
        size::check(&derivation, system, diagnostics)?;
    }
    let rows = match rolled {
        Some(_) => Vec::new(),
        None => derivation.rows(system, diagnostics),
    };
    derivation.carry(system, &rows, diagnostics);
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
    let rows = || equations.rows.iter().flat_map(Row::all).collect();
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
                Computed::plain(equations.outputs.clone())
            }
        };
        form.insert(Quantity::Outputs, outputs);
    }
    Some(Parts {
        descriptor: linear.map(|rows| Routine::descriptor(system, rows)),
        equations,
        form,
        solution,
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

/// What the equations say before anything is solved; of a rolled system the families' first rows.
fn stated(equations: &Equations, solution: &Solution) -> Form {
    let rows = |get: fn(&Row) -> ExprId| match solution {
        Solution::Unrolled(_) => equations.rows.iter().map(get).collect(),
        Solution::Rolled(rolled) => rolled.rows.iter().map(|(_, row)| get(row)).collect(),
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
        (Quantity::Masses, masses.collect()),
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

/// What is made of accelerations that are given, entry by entry. Bodies, whose M stands still in their own frames, are
/// turned there and back.
fn accelerated(system: &mut System, equations: &Equations) -> Form {
    let n = system.coordinates.len();
    let Model { graph, symbols, .. } = &mut system.model;
    let given = accelerations(graph, symbols, n);
    let (frames, (mass, applied)) = (&equations.frames, equations.of_motion());
    let own = dynamics::all_turned(graph, frames, &given, Frame::own);
    let mut terms = mass.products(graph, &own);
    let resisting: Vec<ExprId> = terms.iter().map(|terms| graph.sum(terms)).collect();
    let pairs = terms.iter_mut().zip(applied);
    pairs.for_each(|(terms, &h)| terms.push((h, Number::MINUS_ONE)));
    let missing: Vec<ExprId> = terms.iter().map(|terms| graph.sum(terms)).collect();
    let [resisting, missing] = [resisting, missing]
        .map(|x| Computed::plain(dynamics::all_turned(graph, frames, &x, Frame::world)));
    Form::from([
        (Quantity::MassTimes, resisting),
        (Quantity::UnconstrainedInverseDynamics, missing.clone()),
        (Quantity::InverseDynamics, missing),
    ])
}

/// The leaves of v̇, those that outputs speak of among them.
fn accelerations(graph: &mut Graph, symbols: &mut Vec<Symbol>, count: usize) -> Vec<ExprId> {
    let mut leaves = vec![None; count];
    for (index, symbol) in symbols.iter().enumerate() {
        if let Role::Acceleration(i) = symbol.role {
            leaves[i] = Some(SymbolId::new(index));
        }
    }
    let leaf = |(i, known): (usize, Option<SymbolId>)| {
        let symbol =
            known.unwrap_or_else(|| Symbol::add(symbols, Role::Acceleration(i), format!("a_{i}")));
        graph.symbol(symbol)
    };
    leaves.into_iter().enumerate().map(leaf).collect()
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
    entries.collect()
}

/// The part of M that kinetic energies enter, the lower triangle.
fn quadratic(equations: &Equations) -> Vec<ExprId> {
    let places = equations.quadratic.iter().enumerate();
    let rows = places.map(|(k, &i)| (i, &equations.quadratic[..=k]));
    let entry = |i, j| equations.mass.get(i, j).unwrap_or(equations.zero);
    let entries = rows.flat_map(|(i, row)| row.iter().map(move |&j| entry(i, j)));
    entries.collect()
}

impl Derived {
    /// M, the number of rows.
    pub fn rows(&self) -> usize {
        self.system.model.rows.len()
    }

    /// All expressions that programs are made of.
    fn results(&self) -> Vec<ExprId> {
        let roots = self.form.values().flat_map(Computed::roots);
        let outputs = roots.flat_map(Root::values);
        let routines: Vec<&Routine> = match &self.solution {
            Solution::Unrolled(_) => Vec::new(),
            Solution::Rolled(rolled) => rolled.routines.values().collect(),
        };
        let routines = routines.into_iter().chain(&self.descriptor);
        let kernels = routines.flat_map(|routine| &routine.kernels);
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
        let Model { graph, names, .. } = &self.system.model;
        let form = std::slice::from_ref(&self.form);
        let meanings = Meanings {
            of: &self.meanings,
            rows: Rows::Named(&self.system.rows),
        };
        solve::program(graph, form, names, meanings, quantities, symbol_name)
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
        rolled.routines.get(&quantity)
    }

    /// Where the bodies stand that steps carry in their own frames.
    pub fn own_frames(&self) -> Vec<OwnFrames> {
        dynamics::runs(&self.system, &self.equations.stepped)
    }

    /// The constraints as blocks of rows; none of a rolled system.
    pub fn blocks(&self) -> &[Block] {
        match &self.solution {
            Solution::Unrolled(blocks) => blocks,
            Solution::Rolled(_) => &[],
        }
    }

    /// The expressions of a quantity; of a rolled system those of the families' first rows.
    pub fn expressions(&self, quantity: Quantity) -> Vec<ExprId> {
        let computed = self.form.get(&quantity);
        computed.map_or_else(Vec::new, |it| it.outputs.clone())
    }

    /// What has to be solved at run time before a quantity, where rows may follow from each other.
    pub fn normal(&self, quantity: Quantity) -> Option<Quantity> {
        self.form.get(&Quantity::NormalEquations)?;
        match quantity {
            Quantity::Outputs if self.form[&quantity].unknowns.is_empty() => None,
            Quantity::Acceleration | Quantity::AccelerationAndMultipliers | Quantity::Outputs => {
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
}
