//! The gradient of what rows add, joint by joint.

use super::super::super::routine::{Array, Kernel, Routine, Write};
use super::super::contribution::{Found, Output};
use super::super::derivation::{Elements, Pool, Solved};
use super::super::shared::with_divisors;
use super::super::structure::Site;
use super::Moving;
use crate::expr::{CollectVec, ExprId, Map, MapEach, Number};
use crate::schedule::{self, Root};

impl Elements<'_> {
    /// The gradient of what rows add: x J′ g − y (J′ u + β′) + λ*·x/(w c), g = W x.
    pub(super) fn gradients_of_joints(&mut self, routine: &mut Routine, of: Solved) {
        if !self.at_joints() {
            return;
        }
        self.joint_by_joint(routine, |elements, at| elements.gradient_of_joint(at, of));
        self.gradient_of_sums(routine);
    }

    fn gradient_of_joint(&mut self, at: Site, of: Solved) -> Vec<Output> {
        let moving = self.moving(at);
        let mut slopes = vec![Vec::new(); moving.changes.len()];
        for (a, r) in self.rows_at(at).into_iter().enumerate() {
            let found = self.slopes_of_row(at, (a, r), &moving, of);
            for (terms, slope) in slopes.iter_mut().zip(found) {
                terms.push((slope, Number::ONE));
            }
        }
        let slopes: Vec<ExprId> = slopes
            .iter()
            .map(|terms| self.graph().sum(terms))
            .collect_vec();
        let mut known = self.known_at(at);
        let graph = &mut self.derivation.graph;
        with_divisors(graph, &slopes, &mut known);
        let map = graph.substitute(slopes.iter().copied(), known);
        let slopes = slopes.iter().map(|id| map[id]).collect_vec();
        let mut outputs = self.gradient_outputs(at, slopes);
        let rows = self.rows_at(at).into_iter().enumerate();
        for (a, r) in rows.filter(|_| of == Solved::Motion) {
            let scale = self.common_scale(r);
            if let Some(number) = scale.and_then(|scale| self.sum_of(scale)) {
                let [x, counted] =
                    [Pool::Unknown, Pool::CountedMultiplier].map_each(|pool| self.pooled(pool, a));
                let product = self.graph().mul(counted, x);
                outputs.push((product, Array::Sums, Found::Sum(number)));
            }
        }
        outputs
    }

    /// Slopes that are not zero, to the gradient.
    pub(super) fn gradient_outputs(&self, at: Site, slopes: Vec<ExprId>) -> Vec<Output> {
        let pairs = self.directions(at).into_iter().zip(slopes).enumerate();
        let pairs = pairs.filter(|(_, (_, slope))| !self.derivation.graph.is_zero(*slope));
        let outputs =
            pairs.map(|(k, ((of, _), slope))| (slope, Array::Gradient(of), Found::Direction(k)));
        outputs.collect_vec()
    }

    /// β is a square of velocities, mostly: a half of it, counted twice, has slopes without that factor.
    pub(super) fn slopes_of_row(
        &mut self,
        at: Site,
        (a, r): (usize, usize),
        moving: &Moving,
        of: Solved,
    ) -> Vec<ExprId> {
        let [motion, loads] = [Pool::Motion, Pool::Load].map(|pool| self.values_at(at, pool));
        let [x, y] = [Pool::Unknown, Pool::Second].map_each(|pool| self.pooled(pool, a));
        let row = self.row(r).scaled.clone();
        let uniform = match of {
            Solved::Motion => self.uniform_loads(&row.jacobian),
            _ => Map::default(),
        };
        // They are constant in a row, and leaves until it is differentiated unless they cancel.
        let mut leaves: Map<ExprId, ExprId> = Map::default();
        for &free in uniform.values() {
            leaves.entry(free).or_insert_with(|| self.scratch("free").1);
        }
        let constant = self.constant_term(r, of);
        let is_summed = self.common_scale(r).is_some();
        let multiplier = self.varying_multiplier((a, r));
        let multiplier = multiplier.filter(|_| of == Solved::Motion && !is_summed);
        let counted = self.pooled(Pool::CountedMultiplier, a);
        let counted_bias = self.scratch("y").1;
        let graph = &mut self.derivation.graph;
        let (mut pulled, mut pushed) = (Vec::new(), Vec::new());
        for &(c, entry) in &row.jacobian {
            // Where joints pull, loads have no weights.
            let weighted = match (&self.panels, &self.diagonal) {
                (Some(_), Some(diagonal)) => graph.mul(diagonal.ratios[c], entry),
                _ => entry,
            };
            pulled.push((graph.mul(weighted, loads[&c]), Number::ONE));
            pushed.push((graph.mul(entry, motion[&c]), Number::ONE));
            if let Some(free) = uniform.get(&c) {
                pushed.push((graph.mul(entry, leaves[free]), Number::ONE));
            }
        }
        let [pulled, pushed] = [pulled, pushed].map(|terms| graph.sum(&terms));
        let mut terms = vec![
            (graph.mul(x, pulled), Number::ONE),
            (graph.mul(y, pushed), Number::MINUS_ONE),
        ];
        if let Some(multiplier) = multiplier {
            terms.push((graph.mul(counted, multiplier), Number::ONE));
        }
        let biased = graph.mul(counted_bias, constant);
        let ways = [Number::ONE, Number::integer(2)].map(|degree| {
            let part = Number::ZERO - Number::ONE / degree;
            let terms: Vec<_> = terms.iter().copied().chain([(biased, part)]).collect_vec();
            let scalar = self.derivation.graph.sum(&terms);
            let slopes = self.slopes(moving, scalar);
            let graph = &mut self.derivation.graph;
            let counted = graph.scale(y, degree);
            let mut known: Map<ExprId, ExprId> =
                leaves.iter().map(|(&free, &leaf)| (leaf, free)).collect();
            known.insert(counted_bias, graph.whole(counted));
            let map = graph.substitute(slopes.iter().copied(), known);
            slopes.iter().map(|id| map[id]).collect_vec()
        });
        let weight = |slopes: &Vec<ExprId>| {
            let roots: Vec<Root> = slopes.iter().copied().map(Root::Output).collect_vec();
            schedule::count(&self.derivation.graph, &roots).weight()
        };
        ways.into_iter().min_by_key(weight).unwrap_or_default()
    }

    /// The gradient by common factors, from the sums over all sites.
    pub(super) fn gradient_of_sums(&mut self, routine: &mut Routine) {
        let sums = self.shared.sums.clone();
        if sums.is_empty() {
            return;
        }
        let moving = self.shared_moving();
        let mut reads = Vec::new();
        let mut terms = Vec::new();
        for (place, &factor) in sums.iter().enumerate() {
            let (symbol, leaf) = self.scratch("sum");
            reads.push((symbol, Array::Sums, place));
            terms.push((self.graph().mul(leaf, factor), Number::ONE));
        }
        let scalar = self.graph().sum(&terms);
        let slopes = self.slopes(&moving, scalar);
        let mut kernel = Kernel {
            reads,
            ..Kernel::default()
        };
        let mut indices: Vec<usize> = (0..sums.len()).collect_vec();
        let directions = self.shared_leaves().into_iter().map(|it| it.1);
        for ((of, index), slope) in directions.zip(slopes) {
            if !self.graph().is_zero(slope) {
                kernel.push(slope, Write::Add(Array::Gradient(of), indices.len()));
                indices.push(index);
            }
        }
        routine.stage(|last| _ = last.push(Vec::new(), indices, || kernel));
    }

    /// How leaves move that no site has of its own.
    pub(super) fn shared_moving(&mut self) -> Moving {
        let mut moving = Moving {
            changes: Vec::new(),
            rates: Vec::new(),
        };
        for (symbol, direction) in self.shared_leaves() {
            let (leaf, change) = (self.graph().symbol(symbol), self.change(direction));
            moving.changes.push(change);
            moving.rates.push((leaf, change));
        }
        moving
    }
}
