//! Derivatives of v̇ and λ along a tangent, and gradients of both.

use super::residual::{Residual, substituted};
use super::shares::Shares;
use super::variables::{Given, Variables};
use super::variation::Variation;
use crate::diff::Taylor;
use crate::expr::{CollectVec, ExprId, Graph, Map, Number, PushEach};
use crate::model::System;
use crate::schedule::Root;
use crate::solve::{self, Multipliers, Schur, SparseRow};

/// v̇ and λ as they are computed.
pub struct Solved<'a> {
    /// v̇, of bodies in the frames that they are solved in.
    pub acceleration: &'a [ExprId],
    /// v̇ and λ as the functions return them.
    pub reported: &'a [ExprId],
    /// λ of the rows as solved, in units of acceleration.
    pub found: &'a Multipliers,
}

/// The shares of rows that may depend on each other, and the values of the leaves that represent unknowns.
pub(super) fn shares_and_values(
    system: &mut System,
    residual: &Residual,
    schur: &Schur,
    solved: &Solved<'_>,
) -> (Option<Shares>, Map<ExprId, ExprId>) {
    let unknowns = &residual.unknowns.multipliers;
    let shares = Shares::new(system, schur, unknowns);
    let graph = &mut system.model.graph;
    let mut known = residual.values(graph, solved.acceleration, &solved.found.unknowns);
    if let Some(shares) = &shares {
        shares.add_values(graph, unknowns, &mut known);
    }
    (shares, known)
}

/// The derivation at work.
#[derive(Clone)]
pub(super) struct Sensitivity<'a> {
    pub(super) variables: Variables,
    pub(super) residual: &'a Residual,
    /// F in other forms.
    pub(super) others: &'a [Residual],
    pub(super) variation: Variation<'a>,
    /// How rows that follow from each other share λ.
    pub(super) shares: Option<&'a Shares>,
    /// The values of v̇ and λ.
    pub(super) known: Map<ExprId, ExprId>,
}

impl Sensitivity<'_> {
    /// The ways to solve for variations: two for one row if M is diagonal; and each with F in its other forms.
    pub(super) fn ways(&self) -> Vec<Self> {
        let mut ways = vec![self.clone()];
        for residual in self.others {
            let mut other = self.clone();
            (other.residual, other.variation.residual) = (residual, residual);
            ways.push(other);
        }
        if self.residual.rows.len() == 1 && self.variation.schur.mass_factors().is_none() {
            let gathering = ways.iter().cloned().map(|mut way| {
                way.variation.gathers = true;
                way
            });
            let gathering: Vec<Self> = gathering.collect_vec();
            ways.push_each(gathering);
        }
        ways
    }

    /// Derivatives along the tangent that is given, and the gradient of what is given, each in its cheapest way.
    pub(super) fn along_and_back(
        &self,
        graph: &mut Graph,
        given: &Given,
        solved: &Solved<'_>,
    ) -> (Vec<ExprId>, Vec<ExprId>) {
        let ways = self.ways();
        let along = ways.iter().map(|way| way.along(graph, &given.tangent));
        let mut along: Vec<Vec<ExprId>> = along.collect_vec();
        // β is a square of velocities, mostly.
        let degrees = [Number::ONE, Number::integer(2)];
        let mut back = Vec::new();
        for way in &ways {
            back.push_each(degrees.map(|degree| way.back(graph, given, degree)));
        }
        if let Some(slopes) = self.of_quotient(graph, solved) {
            let rows = slopes.iter();
            along.push(rows.map(|row| graph.dot(row, &given.tangent)).collect_vec());
            let column = |k: usize| slopes.iter().map(|row| row[k]).collect_vec();
            let columns = (0..given.tangent.len()).map(column);
            back.push(
                columns
                    .map(|it| graph.dot(&it, &given.acceleration))
                    .collect_vec(),
            );
        }
        let [along, back] = [along, back].map(|ways| cheapest(graph, solved, ways));
        (along, back)
    }

    /// δv̇ and δλ along a tangent.
    pub(super) fn along(&self, graph: &mut Graph, tangent: &[ExprId]) -> Vec<ExprId> {
        let zero = graph.zero();
        let direction = self.variables.tangent(graph, tangent);
        let seeds = self.variables.seeds(graph, &direction);
        let mut motion = Taylor::new(seeds.clone());
        let mut minus = |id: &ExprId| {
            let rate = motion.first(graph, *id);
            graph.neg(rate)
        };
        let first: Vec<ExprId> = self.residual.motion.iter().map(&mut minus).collect_vec();
        let second: Vec<ExprId> = self.residual.rows.iter().map(minus).collect_vec();
        let found = self.variation.forwards(graph, &first, &second);
        let shared = self.shares.map(|it| it.along(graph, &mut motion));
        // v̇ and λ as returned depend on the unknowns of the equations.
        let mut motion = Taylor::new(seeds);
        let pairs = self.residual.unknowns.all().zip(found.all());
        pairs.for_each(|(leaf, moved)| motion.seed(leaf, moved, zero));
        let reported = self.residual.accelerations.iter();
        let mut moved: Vec<ExprId> = reported.map(|&id| motion.first(graph, id)).collect_vec();
        let multipliers = with_shares(graph, found.multipliers, shared);
        let multipliers = self.residual.reported_multipliers(graph, &multipliers);
        let pairs = self.residual.scales(graph).into_iter().zip(multipliers);
        for ((leaf, scale), change) in pairs {
            // Rows have their scale in common, and so its rate.
            let rate = motion.first(graph, scale);
            let rate = graph.whole(rate);
            let scaled = graph.mul(leaf, rate);
            moved.push(graph.add(change, scaled));
        }
        self.substituted(graph, &moved)
    }

    /// The slopes of v̇ in all directions where it may be one quotient of polynomials, which may be shorter than those of
    /// the equation that it solves.
    pub(super) fn of_quotient(
        &self,
        graph: &mut Graph,
        solved: &Solved<'_>,
    ) -> Option<Vec<Vec<ExprId>>> {
        let accelerations = solved.acceleration.iter().copied();
        let may = self.residual.is_quotient();
        may.then(|| self.slopes(graph, &self.variables.directions, accelerations))
    }

    /// Each along each of the directions, one by one: what varies with several is seen to be the same.
    pub(super) fn slopes(
        &self,
        graph: &mut Graph,
        directions: &[SparseRow],
        of: impl Iterator<Item = ExprId>,
    ) -> Vec<Vec<ExprId>> {
        let of: Vec<ExprId> = of.collect_vec();
        let mut slopes = vec![Vec::new(); of.len()];
        for direction in directions {
            let mut motion = Taylor::new(self.variables.seeds(graph, direction));
            for (slopes, &id) in slopes.iter_mut().zip(&of) {
                slopes.push(motion.first(graph, id));
            }
        }
        slopes
    }

    /// The gradient of v̇*·v̇ + λ*·λ. An n-th of what is of degree n, counted n times, has slopes without that factor.
    pub(super) fn back(&self, graph: &mut Graph, given: &Given, degree: Number) -> Vec<ExprId> {
        let (acceleration, multipliers) = (&given.acceleration, &given.multipliers);
        let residual = self.residual;
        let weights = acceleration.iter().chain(multipliers);
        let reported = residual.reported().zip(weights);
        let reported =
            reported.map(|(reported, &weight)| (graph.mul(weight, reported), Number::ONE));
        let mut terms: Vec<_> = reported.collect_vec();
        let first = residual.counted_accelerations(graph, acceleration);
        let second = residual.reported_multipliers(graph, multipliers);
        let found = self.variation.backwards(graph, &first, &second);
        let equations = residual.motion.iter().chain(&residual.pushed);
        let pairs = residual.adjoints.all().zip(equations);
        terms.push_each(pairs.map(|(x, &f)| (graph.mul(x, f), Number::MINUS_ONE)));
        let part = Number::ONE / degree;
        let biases = residual.adjoint_biases.iter().zip(residual.biases());
        terms.push_each(biases.map(|(&y, bias)| (graph.mul(y, bias), Number::ZERO - part)));
        let mut known = self.known.clone();
        if let Some(shares) = self.shares {
            let weighed = shares.weighed(graph, &second, &mut known);
            terms.push((weighed, Number::ONE));
        }
        let scalar = graph.sum(&terms);
        let gradient = self.variables.gradient(graph, scalar);
        residual.adjoints.stand_for(graph, found.all(), &mut known);
        for (&leaf, &y) in residual.adjoint_biases.iter().zip(&found.multipliers) {
            let counted = graph.scale(y, degree);
            known.insert(leaf, graph.whole(counted));
        }
        substituted(graph, &gradient, known)
    }

    pub(super) fn substituted(&self, graph: &mut Graph, outputs: &[ExprId]) -> Vec<ExprId> {
        substituted(graph, outputs, self.known.clone())
    }
}

/// δμ with the change of the shares.
pub(super) fn with_shares(
    graph: &mut Graph,
    moved: Vec<ExprId>,
    shared: Option<Vec<ExprId>>,
) -> Vec<ExprId> {
    let Some(shared) = shared else {
        return moved;
    };
    let pairs = moved.into_iter().zip(shared);
    pairs
        .map(|(moved, shared)| graph.add(moved, shared))
        .collect_vec()
}

/// The way of computing the same that takes the fewest operations after v̇.
pub(super) fn cheapest(
    graph: &Graph,
    solved: &Solved<'_>,
    ways: impl IntoIterator<Item = Vec<ExprId>>,
) -> Vec<ExprId> {
    let found = solved.acceleration.iter().copied().map(Root::Output);
    let order = solved.found.order.iter().copied();
    let before: Vec<Root> = order.chain(found).collect_vec();
    solve::cheapest_after(graph, &before, ways)
}
