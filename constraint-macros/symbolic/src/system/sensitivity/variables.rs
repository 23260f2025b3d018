//! The variables that v̇ and λ depend on, and the tangents and weights that functions take.

use crate::diff::gradient;
use crate::expr::{CollectVec, ExprId, Graph, Map, Number, PushEach, SymbolId};
use crate::model::{Role, System};
use crate::solve::{Collected, SparseRow};

/// The variables that v̇ and λ depend on.
#[derive(Clone)]
pub struct Variables {
    /// The leaves of t, q, v, u and p.
    pub(super) leaves: Vec<ExprId>,
    /// How leaves move along each entry of a tangent: their numbers and rates. A turn δθ moves four.
    pub(super) directions: Vec<SparseRow>,
    /// The number of velocities.
    pub(super) n: usize,
    /// The number of inputs.
    pub(super) inputs: usize,
}

impl Variables {
    /// Those of a system.
    pub fn of(system: &mut System, kinematics: &[ExprId]) -> Variables {
        let symbols = system.model.symbols.iter().enumerate();
        let symbols = symbols.map(|(i, symbol)| (symbol.role, SymbolId::new(i)));
        let symbols: Map<Role, SymbolId> = symbols.collect();
        let (n, scalars, inputs) = (system.velocities(), system.scalars(), system.given());
        let velocities: Vec<ExprId> = system
            .coordinates
            .iter()
            .map(|it| it.velocity)
            .collect_vec();
        let mut roles = vec![Role::Time];
        roles.push_each((0..scalars).map(Role::Coordinate));
        roles.push_each((0..n).map(Role::Velocity));
        roles.push_each((0..inputs).map(Role::Input));
        for (parameter, it) in system.model.parameters.iter().enumerate() {
            roles.push_each((0..it.scalars()).map(|component| Role::Parameter {
                parameter,
                component,
            }));
        }
        let graph = &mut system.model.graph;
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        let leaf = |role: &Role| {
            let symbol = symbols.get(role);
            symbol.map_or(zero, |&symbol| graph.symbol(symbol))
        };
        let leaves: Vec<ExprId> = roles.iter().map(leaf).collect_vec();
        let alone = |k: usize| vec![(k, one)];
        let mut directions = vec![alone(0)];
        match kinematics {
            [] => directions.push_each((1..=n).map(alone)),
            rates => directions.push_each(turns(graph, rates, &velocities)),
        }
        directions.push_each((1 + scalars..leaves.len()).map(alone));
        Variables {
            leaves,
            directions,
            n,
            inputs,
        }
    }

    /// The slopes of a scalar in all directions.
    pub fn gradient(&self, graph: &mut Graph, scalar: ExprId) -> Vec<ExprId> {
        let slopes = gradient(graph, scalar, &self.leaves);
        let directions = self.directions.iter();
        let along = directions.map(|direction| {
            let terms = direction.iter();
            let terms = terms.map(|&(k, rate)| (graph.mul(rate, slopes[k]), Number::ONE));
            let terms: Vec<_> = terms.collect_vec();
            graph.sum(&terms)
        });
        along.collect_vec()
    }

    /// The directions that a linearisation speaks of: all but time.
    pub(super) fn columns(&self) -> &[SparseRow] {
        &self.directions[1..]
    }

    /// The leaves that move along a direction, and how.
    pub fn seeds(&self, graph: &mut Graph, direction: &SparseRow) -> Vec<(ExprId, ExprId, ExprId)> {
        let zero = graph.zero();
        let seeds = direction
            .iter()
            .map(|&(k, rate)| (self.leaves[k], rate, zero));
        seeds.filter(|&(leaf, ..)| leaf != zero).collect_vec()
    }

    /// A direction that is a sum of all.
    pub fn tangent(&self, graph: &mut Graph, tangent: &[ExprId]) -> SparseRow {
        let mut sum = Collected::default();
        for (direction, &by) in self.directions.iter().zip(tangent) {
            for &(k, rate) in direction {
                sum.add(k, graph.mul(rate, by));
            }
        }
        sum.summed(graph)
    }
}

/// How coordinates move with each velocity.
fn turns(graph: &mut Graph, rates: &[ExprId], velocities: &[ExprId]) -> Vec<SparseRow> {
    let mut directions = vec![SparseRow::new(); velocities.len()];
    for (k, &rate) in rates.iter().enumerate() {
        let slopes = gradient(graph, rate, velocities);
        for (direction, slope) in directions.iter_mut().zip(slopes) {
            if !graph.is_zero(slope) {
                direction.push((1 + k, slope));
            }
        }
    }
    directions
}

/// Arguments of functions, as leaves.
pub struct Given {
    /// δt, δq, δv, δu, δp
    pub tangent: Vec<ExprId>,
    /// v̇*
    pub acceleration: Vec<ExprId>,
    /// λ*
    pub multipliers: Vec<ExprId>,
}

impl Given {
    pub fn new(system: &mut System, variables: &Variables) -> Given {
        let (model, count) = (&mut system.model, variables.directions.len());
        Given {
            tangent: model.add_leaves(count, Role::Tangent, "tangent"),
            acceleration: model.add_leaves(variables.n, Role::AccelerationAdjoint, "v_dot_bar"),
            multipliers: model.add_leaves(model.rows.len(), Role::MultiplierAdjoint, "lambda_bar"),
        }
    }
}
