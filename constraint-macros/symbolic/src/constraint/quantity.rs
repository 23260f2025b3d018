//! What a constraint can be asked for, and how that is computed.

use std::collections::BTreeMap;

use crate::expr::{ExprId, Graph};
use crate::schedule::Root;
use crate::solve::{Multipliers, Schur};

/// What a program can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// C; 0 in the rows of velocities.
    Value,
    /// J, row by row
    Jacobian,
    /// Ċ, or Φ in the rows of velocities
    Rate,
    /// J̇, row by row
    JacobianDot,
    /// β = C̈ − J v̇
    Bias,
    /// J W Jᵀ, row by row
    Delassus,
    /// λ of (J W Jᵀ) λ = −β − J W f
    Multipliers,
    /// f̂ = Jᵀ λ
    Force,
    /// λ for one particle of mass m
    ParticleMultipliers,
    /// f̂ for one particle of mass m
    ParticleForce,
    /// λ of (J W Jᵀ) λ = b
    Solution,
    /// λ of (J W Jᵀ) λ = −Ċ: the impulses that stop the rows
    Impulses,
    /// λ of (J W Jᵀ) λ = −β
    FreeMultipliers,
}

/// How a quantity is computed.
#[derive(Clone, Debug, Default)]
pub struct Computed {
    /// Its entries.
    pub outputs: Vec<ExprId>,
    /// What must hold before they are computed.
    pub guards: Vec<Root>,
    /// Names of the parts.
    pub names: Vec<(ExprId, String)>,
    /// The multipliers of the rows as solved, where there are any.
    pub unknowns: Vec<ExprId>,
}

/// All quantities, in one of the forms that may be cheapest.
pub type Form = BTreeMap<Quantity, Computed>;

impl Computed {
    /// Expressions that nothing has to be solved for.
    pub fn plain(outputs: Vec<ExprId>) -> Computed {
        Computed {
            outputs,
            ..Computed::default()
        }
    }

    /// λ of the rows as written.
    pub fn multipliers(graph: &mut Graph, schur: &Schur, found: &Multipliers) -> Computed {
        let outputs = schur.unscaled(graph, &found.unknowns);
        Computed::of(outputs, found)
    }

    /// Jᵀ λ
    pub fn force(graph: &mut Graph, schur: &Schur, found: &Multipliers) -> Computed {
        let outputs = schur.force(graph, &found.unknowns);
        Computed::of(outputs, found)
    }

    fn of(outputs: Vec<ExprId>, found: &Multipliers) -> Computed {
        let guards = found.order.iter().copied();
        Computed {
            outputs,
            guards: guards
                .filter(|root| matches!(root, Root::Guard(_)))
                .collect(),
            names: found.names.clone(),
            unknowns: found.unknowns.clone(),
        }
    }

    /// Guards first, so that nothing is computed with a vanished pivot; then the outputs.
    pub fn roots(&self) -> impl Iterator<Item = Root> + '_ {
        let outputs = self.outputs.iter().copied().map(Root::Output);
        self.guards.iter().copied().chain(outputs)
    }

    /// The same over other expressions.
    pub fn mapped(&self, map: impl Fn(ExprId) -> ExprId) -> Computed {
        let all = |ids: &[ExprId]| ids.iter().map(|&id| map(id)).collect();
        Computed {
            outputs: all(&self.outputs),
            guards: self.guards.iter().map(|root| root.mapped(&map)).collect(),
            names: self
                .names
                .iter()
                .map(|(id, name)| (map(*id), name.clone()))
                .collect(),
            unknowns: all(&self.unknowns),
        }
    }
}
