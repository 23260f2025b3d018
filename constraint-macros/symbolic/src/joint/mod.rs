//! Constraints between bodies: C, J, Ċ, β, J W Jᵀ and λ, and the programs that compute them.
//!
//! Input: a [`Model`] with bodies. Output: a [`Joint`]. Everything is derived with the arms r = R u as leaves;
//! the rotations are put in last, in whichever of two forms is cheaper for each body.

mod equations;
pub mod rotation;
mod solved;

pub use equations::{Equations, Leaves};
pub use solved::{CLOSED_ROWS, Condition, Solved};

use self::rotation::Turned;
use crate::dynamics;
use crate::expr::{ExprId, Graph, SymbolId};
use crate::model::Model;
use crate::schedule::{self, Guard, Program, Root};
use crate::solve::Solution;

/// What a program can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// C; 0 in the rows of velocities.
    Value,
    /// J, row by row.
    Jacobian,
    /// Ċ, or Φ in the rows of velocities.
    Rate,
    /// β = C̈ − J v̇
    Bias,
    /// J W Jᵀ, row by row.
    Delassus,
    /// λ of (J W Jᵀ) λ = b.
    Solution,
    /// λ of (J W Jᵀ) λ = −Ċ: the impulses that stop the rows.
    Impulses,
    /// λ of (J W Jᵀ) λ = −β − J W f.
    Multipliers,
    /// The same for f = 0.
    FreeMultipliers,
}

const ALL: [Quantity; 9] = [
    Quantity::Value,
    Quantity::Jacobian,
    Quantity::Rate,
    Quantity::Bias,
    Quantity::Delassus,
    Quantity::Solution,
    Quantity::Impulses,
    Quantity::Multipliers,
    Quantity::FreeMultipliers,
];

impl Quantity {
    /// Whether J W Jᵀ enters, which has several forms.
    fn needs_delassus(self) -> bool {
        !matches!(
            self,
            Quantity::Value | Quantity::Jacobian | Quantity::Rate | Quantity::Bias
        )
    }
}

/// What stands for the arms in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arms {
    /// Themselves: inputs in the world's frame.
    Given,
    /// R u, from the rotations and the body-fixed vectors.
    Turned,
}

/// A constraint between bodies with all that follows from it.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Names, shapes and expressions.
    pub model: Model,
    /// C, J, Ċ, β, J W Jᵀ and λ.
    pub equations: Equations,
    turned: Turned,
}

impl Joint {
    /// Derives everything from a model with bodies.
    pub fn new(mut model: Model) -> Joint {
        let equations = equations::derive(&mut model);
        let turned = Turned::new(&model, all_roots(&model.graph, &equations));
        Joint {
            model,
            equations,
            turned,
        }
    }

    /// The model's graph, and in it all that programs are made of, arms put in.
    pub fn turned_graph(&self) -> &Graph {
        &self.turned.graph
    }

    /// All expressions that programs are made of, in the turned graph.
    pub fn results(&self) -> Vec<ExprId> {
        let roots = all_roots(&self.model.graph, &self.equations);
        let turned = roots
            .into_iter()
            .map(|id| self.turned.get(id).unwrap_or(id));
        turned.collect()
    }

    /// Whether λ is solved for in closed form; beyond three rows a numeric elimination is as fast and short.
    pub fn is_closed(&self) -> bool {
        self.model.rows.len() <= CLOSED_ROWS
    }

    /// The cheapest program we know that computes the quantities, outputs in their order.
    pub fn program(
        &self,
        quantities: &[Quantity],
        arms: Arms,
        symbol_name: &dyn Fn(SymbolId) -> String,
    ) -> Program {
        let solves = quantities.iter().any(|quantity| quantity.needs_delassus());
        let count = if solves { usize::MAX } else { 1 };
        let forms = self.equations.forms.iter().take(count);
        schedule::cheapest(forms.map(|form| {
            let wanted = quantities.iter();
            let roots: Vec<Root> = wanted
                .flat_map(|&quantity| roots(&self.model.graph, quantity, &self.equations, form))
                .collect();
            let names = self.names(quantities, form);
            match arms {
                Arms::Given => schedule::schedule(&self.model.graph, &roots, &names, symbol_name),
                Arms::Turned => self.turned_program(&roots, names, symbol_name),
            }
        }))
    }

    fn turned_program(
        &self,
        roots: &[Root],
        names: Vec<(ExprId, String)>,
        symbol_name: &dyn Fn(SymbolId) -> String,
    ) -> Program {
        let turned = &self.turned;
        let roots = roots.iter();
        let roots: Vec<Root> = roots
            .map(|root| root.mapped(|id| turned.get(id).unwrap_or(id)))
            .collect();
        let names = names.into_iter();
        let names = names.filter_map(|(id, name)| Some((turned.get(id)?, name)));
        let names: Vec<_> = names.chain(turned.names.iter().cloned()).collect();
        schedule::schedule(&turned.graph, &roots, &names, symbol_name)
    }

    /// The program with leaves named as in the model.
    pub fn plain_program(&self, quantities: &[Quantity], arms: Arms) -> Program {
        self.program(quantities, arms, &|symbol| {
            self.model.symbols[symbol.index()].name.clone()
        })
    }

    /// The user's names, then those of the parts of the solution.
    fn names(&self, quantities: &[Quantity], form: &Solved) -> Vec<(ExprId, String)> {
        let mut names = self.model.names.clone();
        let count = self.model.rows.len();
        let solutions = quantities
            .iter()
            .filter_map(|&quantity| form.solution(quantity));
        for solution in solutions {
            for pivot in &solution.pivots {
                names.push((pivot.pivot, pivot.name(count)));
            }
            let unknowns = solution.unknowns.iter().enumerate();
            names.extend(unknowns.map(|(i, &it)| (it, dynamics::indexed("lambda", i, count))));
        }
        names
    }
}

impl Solved {
    /// The solution that a quantity is, if it is one that has to be solved for.
    fn solution(&self, quantity: Quantity) -> Option<&Solution> {
        match quantity {
            Quantity::Solution => Some(&self.solution),
            Quantity::Impulses => Some(&self.impulses),
            Quantity::Multipliers => Some(&self.multipliers),
            Quantity::FreeMultipliers => Some(&self.free_multipliers),
            _ => None,
        }
    }
}

/// The expressions of a quantity.
pub fn expressions(quantity: Quantity, equations: &Equations, form: &Solved) -> Vec<ExprId> {
    match quantity {
        Quantity::Value => equations.value.clone(),
        Quantity::Jacobian => equations.jacobian.concat(),
        Quantity::Rate => equations.rate.clone(),
        Quantity::Bias => equations.bias.clone(),
        Quantity::Delassus => form.full_delassus(),
        _ => form
            .solution(quantity)
            .map_or_else(Vec::new, |solution| solution.unknowns.clone()),
    }
}

/// The expressions of all quantities in all forms.
fn all_roots(graph: &Graph, equations: &Equations) -> Vec<ExprId> {
    let roots = equations.forms.iter().flat_map(|form| {
        let all = ALL.iter();
        all.flat_map(move |&quantity| roots(graph, quantity, equations, form))
    });
    roots.flat_map(Root::expressions).collect()
}

/// Guards first, so that nothing is computed with a vanished pivot; then the outputs.
fn roots(graph: &Graph, quantity: Quantity, equations: &Equations, form: &Solved) -> Vec<Root> {
    let outputs = expressions(quantity, equations, form);
    let outputs = outputs.into_iter().map(Root::Output);
    let Some(solution) = form.solution(quantity) else {
        return outputs.collect();
    };
    let conditions = form.conditions.iter().map(|it| {
        Root::Guard(Guard {
            row: it.row,
            pivot: it.positive,
            diagonal: it.positive,
            partner: None,
        })
    });
    let pivots = solution.pivots.iter();
    let pivots = pivots.map(|pivot| Root::Guard(Guard::of(graph, pivot)));
    conditions.chain(pivots).chain(outputs).collect()
}
