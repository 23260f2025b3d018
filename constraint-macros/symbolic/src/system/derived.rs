//! A system with all that follows from it, and the programs that compute it.

use super::loops::Rolled;
use super::loops::limbs::Limbs;
use super::loops::routine::Routine;
use super::solved::Block;
use crate::dynamics::{self, Equations, OwnFrames, Row};
use crate::expr::{CollectVec, ExprId, SymbolId};
use crate::model::{Model, System};
use crate::schedule::{Meaning, Meanings, Program, Root, Rows};
use crate::solve::{self, Computed, Form, Quantity};
use crate::undefined::Undefined;

/// A system with all that follows from it.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Names, shapes and expressions.
    pub system: System,
    /// M, h, C, J, β.
    pub equations: Equations,
    /// All quantities, with bodies in the world's frame unless a quantity says otherwise. A rolled system has those that need
    /// a solution as loops instead.
    pub form: Form,
    /// v̇, λ.
    pub solution: Solution,
    /// What is in loops over equal limbs, although the solution is written out.
    pub limbs: Limbs,
    /// The linearised equations, where derivatives are asked for.
    pub descriptor: Option<Routine>,
    /// Where results may not be finite.
    pub undefined: Undefined,
    /// The meanings of expressions that programs bind.
    pub(super) meanings: Vec<(ExprId, Meaning)>,
}

/// How v̇ and λ are computed.
#[derive(Clone, Debug)]
pub enum Solution {
    /// Every operation written out; J and M⁻¹ Jᵀ, one constraint after the other.
    Unrolled(Vec<Block>),
    /// Loops over families of rows.
    Rolled(Box<Rolled>),
}

impl Derived {
    /// M, the number of rows.
    pub fn rows(&self) -> usize {
        self.system.model.rows.len()
    }

    /// All expressions of programs.
    pub(super) fn results(&self) -> Vec<ExprId> {
        let roots = self.form.values().flat_map(Computed::roots);
        let outputs = roots.flat_map(Root::values);
        let routines: Vec<&Routine> = match &self.solution {
            Solution::Unrolled(_) => self.limbs.routines.values().collect_vec(),
            Solution::Rolled(rolled) => rolled.routines.values().collect_vec(),
        };
        let routines = routines.into_iter().chain(&self.descriptor);
        let kernels = routines.flat_map(|routine| &routine.kernels);
        outputs
            .chain(kernels.flat_map(|kernel| kernel.roots.iter().copied()))
            .collect_vec()
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

    /// The loops of a quantity; what is computed in straight lines has none.
    pub fn routine(&self, quantity: Quantity) -> Option<&Routine> {
        let routines = match &self.solution {
            Solution::Unrolled(_) => &self.limbs.routines,
            Solution::Rolled(rolled) => &rolled.routines,
        };
        routines.get(&quantity)
    }

    /// The places of bodies whose steps stay in their own frames.
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

    /// The equations that are solved at run time before a quantity, if rows may follow from each other.
    pub fn normal(&self, quantity: Quantity) -> Option<Quantity> {
        self.form.get(&Quantity::NormalEquations)?;
        match quantity {
            Quantity::Outputs if !self.solves(quantity) => None,
            Quantity::Acceleration | Quantity::AccelerationAndMultipliers | Quantity::Outputs => {
                Some(Quantity::NormalEquations)
            }
            Quantity::Multipliers | Quantity::Force => Some(Quantity::ForceEquations),
            Quantity::OwnSlope => Some(Quantity::OwnNormalEquations),
            Quantity::Correction => Some(Quantity::CorrectionEquations),
            _ => Some(Quantity::NormalMatrix).filter(|_| self.solves(quantity)),
        }
    }

    /// True if multipliers are solved for on the way to the quantity.
    fn solves(&self, quantity: Quantity) -> bool {
        let computed = self.form.get(&quantity);
        computed.is_some_and(|it| !it.unknowns.is_empty())
    }

    /// All rows; of a rolled system the first of each family.
    pub fn shown_rows(&self) -> Box<dyn Iterator<Item = (usize, &Row)> + '_> {
        match &self.solution {
            Solution::Unrolled(_) => Box::new(self.equations.rows.iter().enumerate()),
            Solution::Rolled(rolled) => Box::new(rolled.rows.iter().map(|(r, row)| (*r, row))),
        }
    }
}
