//! Derivatives of outputs y = g(t, q, v, u, p, v̇, λ).
//!
//! ```text
//! forwards    δy = ∂g δ(t, q, v, u, p) + ∂g/∂v̇ δv̇ + ∂g/∂λ δλ
//! backwards   y*·∂g/∂(t, q, v, u, p), and what v̇ and λ vary by: the gradient of v̇*·v̇ + λ*·λ
//!             with (v̇*, λ*) = y*·∂g/∂(v̇, λ)
//! ```

use super::matrices::Matrix;
use super::motion::{Sensitivity, Solved, cheapest};
use super::residual::substituted;
use super::variables::Given;
use crate::diff::{Taylor, gradient};
use crate::dynamics::Equations;
use crate::expr::{CollectVec, ExprId, Graph, Map, PushEach};
use crate::model::{Role, System};
use crate::solve::{Computed, Form, Quantity};
use crate::system::outputs::{Solved as Asked, asked};

/// Derivatives of v̇ and λ.
pub(super) struct OfMotion {
    /// δv̇ and δλ along the given tangent.
    pub(super) along: Vec<ExprId>,
    /// The gradient of v̇*·v̇ + λ*·λ, of what is given.
    pub(super) back: Vec<ExprId>,
    /// Slopes by all variables, row by row, in each way of computing them.
    pub(super) slopes: Vec<Matrix>,
}

/// Outputs, and the unknowns that they depend on.
struct Observed<'a> {
    /// g
    outputs: &'a [ExprId],
    /// The leaves of v̇ and λ, with their places among all of these.
    asked: Vec<(ExprId, usize)>,
    /// The values of these leaves.
    known: Map<ExprId, ExprId>,
}

impl<'a> Observed<'a> {
    fn new(system: &mut System, outputs: &'a [ExprId], solved: &Solved<'_>) -> Observed<'a> {
        let n = solved.acceleration.len();
        let place = |(leaf, of)| match of {
            Asked::Acceleration(i) => (leaf, i),
            Asked::Multiplier(row) => (leaf, n + row),
        };
        let asked: Vec<(ExprId, usize)> =
            asked(system, outputs).into_iter().map(place).collect_vec();
        let graph = &mut system.model.graph;
        let known = asked.iter();
        let known = known.map(|&(leaf, place)| (leaf, graph.whole(solved.reported[place])));
        Observed {
            outputs,
            known: known.collect(),
            asked,
        }
    }

    /// The changes of outputs with v̇ and λ, whose rates are given by place, and with the other seeds of the motion.
    fn along(
        &self,
        graph: &mut Graph,
        mut motion: Taylor,
        rate: impl Fn(usize) -> ExprId,
    ) -> Vec<ExprId> {
        let zero = graph.zero();
        for &(leaf, place) in &self.asked {
            let rate = graph.whole(rate(place));
            motion.seed(leaf, rate, zero);
        }
        let outputs = self.outputs.iter();
        let along: Vec<ExprId> = outputs.map(|&it| motion.first(graph, it)).collect_vec();
        substituted(graph, &along, self.known.clone())
    }

    /// The weights of v̇ and λ that follow from those of outputs.
    fn counted(&self, graph: &mut Graph, scalar: ExprId, given: &Given) -> Map<ExprId, ExprId> {
        let leaves: Vec<ExprId> = self.asked.iter().map(|&(leaf, _)| leaf).collect_vec();
        let slopes = gradient(graph, scalar, &leaves);
        let slopes = substituted(graph, &slopes, self.known.clone());
        let zero = graph.zero();
        let bars = given.acceleration.iter().chain(&given.multipliers);
        let bars: Vec<ExprId> = bars.copied().collect_vec();
        let mut counted: Map<ExprId, ExprId> = bars.iter().map(|&bar| (bar, zero)).collect();
        for (&(_, place), slope) in self.asked.iter().zip(slopes) {
            counted.insert(bars[place], graph.whole(slope));
        }
        counted
    }
}

impl Sensitivity<'_> {
    /// Derivatives of outputs along a tangent, all of them beside those of v̇, and gradients.
    pub fn of_outputs(
        &self,
        system: &mut System,
        equations: &Equations,
        given: &Given,
        solved: &Solved<'_>,
        of_motion: OfMotion,
    ) -> Form {
        let outputs = &equations.outputs;
        let bars = system
            .model
            .add_leaves(outputs.len(), Role::OutputAdjoint, "outputs_bar");
        let observed = Observed::new(system, outputs, solved);
        let graph = &mut system.model.graph;
        let direction = self.variables.tangent(graph, &given.tangent);
        let motion = Taylor::new(self.variables.seeds(graph, &direction));
        let along = observed.along(graph, motion, |place| of_motion.along[place]);
        let back = self.back_from(graph, &observed, given, (&bars, &of_motion.back));
        // Where nothing is solved for, nothing stands before.
        let solves = !observed.asked.is_empty();
        let computed = |outputs| {
            if solves {
                Computed::of(outputs, solved.found)
            } else {
                Computed::plain(outputs)
            }
        };
        let mut form = Form::from([
            (Quantity::OutputTangent, computed(along)),
            (Quantity::OutputGradient, computed(back)),
        ]);
        let (n, few) = (
            self.variables.n,
            self.variables.are_few(self.variables.n + outputs.len()),
        );
        let asks = observed.asked.iter().map(|it| it.1 + 1).max().unwrap_or(n);
        let ways = of_motion.slopes.iter();
        let ways = ways.filter(|slopes| few && slopes.len() >= asks.max(n));
        let ways = ways.map(|slopes| {
            let rows = self.output_slopes(graph, &observed, slopes);
            let mut all = self.variables.blocks(&slopes[..n]);
            all.push_each(self.variables.blocks(&rows));
            all
        });
        let ways: Vec<Vec<ExprId>> = ways.collect_vec();
        if !ways.is_empty() {
            let found = cheapest(graph, solved, ways);
            let computed = Computed::of(found, solved.found);
            form.insert(Quantity::LinearizationAndOutputs, computed);
        }
        form
    }

    /// The slopes of outputs, of those of v̇ and λ.
    fn output_slopes(
        &self,
        graph: &mut Graph,
        observed: &Observed<'_>,
        slopes: &[Vec<ExprId>],
    ) -> Vec<Vec<ExprId>> {
        let mut rows = vec![Vec::new(); observed.outputs.len()];
        for (k, direction) in self.variables.columns().iter().enumerate() {
            let motion = Taylor::new(self.variables.seeds(graph, direction));
            let column = observed.along(graph, motion, |place| slopes[place][k]);
            rows.iter_mut()
                .zip(column)
                .for_each(|(row, it)| row.push(it));
        }
        rows
    }

    /// The gradient of y*·y, of that of v̇*·v̇ + λ*·λ.
    fn back_from(
        &self,
        graph: &mut Graph,
        observed: &Observed<'_>,
        given: &Given,
        (bars, back): (&[ExprId], &[ExprId]),
    ) -> Vec<ExprId> {
        let scalar = graph.dot(bars, observed.outputs);
        let own = self.variables.gradient(graph, scalar);
        let own = substituted(graph, &own, observed.known.clone());
        let counted = observed.counted(graph, scalar, given);
        let through = substituted(graph, back, counted);
        let pairs = own.into_iter().zip(through);
        pairs
            .map(|(own, through)| graph.add(own, through))
            .collect_vec()
    }
}
