//! Backwards: gradients of v̇*·v̇ + λ*·λ, and of corrections, element by element.

use super::super::super::routine::{Array, Varied};
use super::super::contribution::{Contribution, ElementFrame, Found};
use super::super::derivation::{Elements, Pool, Solved};
use super::super::structure::Site;
use crate::dynamics::{self, Frame};
use crate::expr::{ExprId, Map, MapEach, Number, PushEach, SortedMap};
use crate::solve::SparseRow;

impl Elements<'_> {
    pub(in super::super) fn contribute_gradient(
        &mut self,
        e: usize,
        local: &ElementFrame,
        of: Solved,
        made: &mut Contribution,
    ) {
        let counted = self.pooled_at(e, of.counted());
        let plain = local.frame.clone();
        let own = dynamics::turned(self.graph(), plain.as_slice(), &counted, Frame::own);
        let weighted = self.weighted(local, &own);
        let at_joints = self.at_joints();
        let rows = local.jacobian.iter().enumerate();
        for (a, row) in rows.filter(|_| !at_joints) {
            let right = self.product(&weighted, row);
            if !self.graph().is_zero(right) {
                let number = made.add(right, Array::Prepared);
                made.second.right.insert(a, number);
            }
        }
        let solved = self.accelerations_in_frame(e, local, of, made);
        self.keep_motion(e, &solved, made);
        if self.panels.is_some() {
            return self.contribute_gradient_of_free(e, (of, &counted), made);
        }
        if at_joints {
            return self.contribute_gradient_of_masses(e, local, (of, &counted), made);
        }
        let weights = self.weights_of_equations(e, local, &counted, made);
        let scalar = self.counted_equations(e, local, of);
        let moving = self.moving(Site::Element(e));
        let mut slopes = self.slopes(&moving, scalar);
        self.add_turned(e, local, of, &mut slopes);
        let slopes = self.with_kept(made, &slopes, weights);
        made.second
            .outputs
            .push_each(self.gradient_outputs(Site::Element(e), slopes));
    }

    /// Where M is diagonal: g = W (v̇* − J′ᵀ y) for the joints, and what M⁻¹ h and W add to the gradient.
    pub(super) fn contribute_gradient_of_masses(
        &mut self,
        e: usize,
        local: &ElementFrame,
        (of, counted): (Solved, &SparseRow),
        made: &mut Contribution,
    ) {
        let rest = self.rest(e, local, counted, made);
        let pushed = self.push(e, local, Pool::Unknown, made);
        let mut values: Map<ExprId, ExprId> = Map::default();
        let mut terms = Vec::new();
        for (k, c) in self.structure.elements[e]
            .columns
            .clone()
            .into_iter()
            .enumerate()
        {
            let Some(diagonal) = &self.diagonal else {
                return;
            };
            let (ratio, free) = (diagonal.ratios[c], diagonal.free[c]);
            let kept = self.keep(made, ratio);
            let graph = &mut self.derivation.graph;
            let load = graph.mul(kept, rest[&c]);
            made.second
                .outputs
                .push((load, Array::Load, Found::Column(k)));
            let weight = self.pooled(Pool::Load, k);
            let graph = &mut self.derivation.graph;
            values.insert(weight, graph.whole(rest[&c]));
            if let Some(&pushed) = pushed.get(&c) {
                let along = self.pooled(Pool::Motion, k);
                let mut factors = vec![(weight, 1), (ratio, 1), (along, 1)];
                if of != Solved::Motion || self.uniform_load(c).is_some() {
                    // W J′ᵀ x is what the velocity keeps already.
                    let unit = self.scratch("ratio").1;
                    factors.push((unit, -1));
                    values.insert(unit, ratio);
                } else {
                    let number = made.add(pushed, Array::Slopes);
                    let output = (pushed, Array::Slopes, Found::Value(number));
                    made.outputs.push(output);
                    values.insert(along, self.pooled(Pool::Slope, number));
                }
                terms.push((self.graph().product(&factors), Number::ONE));
            }
            if let Some(number) = self.sum_of(free) {
                made.second
                    .outputs
                    .push((rest[&c], Array::Sums, Found::Sum(number)));
            } else if of == Solved::Motion {
                terms.push((self.graph().mul(weight, free), Number::ONE));
            }
        }
        let scalar = self.graph().sum(&terms);
        let moving = self.moving(Site::Element(e));
        let slopes = self.slopes(&moving, scalar);
        let slopes = self.with_kept(made, &slopes, values);
        made.second
            .outputs
            .push_each(self.gradient_outputs(Site::Element(e), slopes));
    }

    /// Where joints pull: v̇*, from which they take J′ᵀ y, and what M⁻¹ h adds to the gradient by what is left then.
    fn contribute_gradient_of_free(
        &mut self,
        e: usize,
        (of, counted): (Solved, &SparseRow),
        made: &mut Contribution,
    ) {
        let mut terms = Vec::new();
        for (k, &(c, counted)) in counted.iter().enumerate() {
            let output = (counted, Array::Load, Found::Column(k));
            made.second.outputs.push(output);
            let Some(free) = self.diagonal.as_ref().map(|it| it.free[c]) else {
                return;
            };
            let rest = self.pooled(Pool::Load, k);
            if of != Solved::Motion {
                continue;
            }
            match self.sum_of(free) {
                Some(number) => made.last.push((rest, Array::Sums, Found::Sum(number))),
                None => terms.push((self.graph().mul(rest, free), Number::ONE)),
            }
        }
        let scalar = self.graph().sum(&terms);
        let moving = self.moving(Site::Element(e));
        let slopes = self.slopes(&moving, scalar);
        made.last
            .push_each(self.gradient_outputs(Site::Element(e), slopes));
    }

    /// x − Jᵀ y
    pub(super) fn rest(
        &mut self,
        e: usize,
        local: &ElementFrame,
        counted: &SparseRow,
        made: &mut Contribution,
    ) -> SortedMap<usize, ExprId> {
        let pushed = self.push(e, local, Pool::Second, made);
        let rest = counted.iter().map(|&(c, counted)| {
            let pushed = pushed.get(&c).copied();
            let rest = pushed.map(|pushed| self.graph().sub(counted, pushed));
            (c, rest.unwrap_or(counted))
        });
        rest.collect()
    }

    /// g = W (Rᵀ v̇* − J′ᵀ y), for its leaves.
    pub(super) fn weights_of_equations(
        &mut self,
        e: usize,
        local: &ElementFrame,
        counted: &SparseRow,
        made: &mut Contribution,
    ) -> Map<ExprId, ExprId> {
        let frame = local.frame.clone();
        let frame = frame.map(|frame| self.kept_frame(made, frame));
        let rest = self.rest(e, local, counted, made);
        let weights = self.moved_in_frame((local, frame.as_slice()), &rest, false, made);
        let weights = weights.into_iter().map(|(c, weight)| {
            let weight = self.graph().whole(weight);
            let [leaf] = self.pooled_of(e, Pool::Load, [c]);
            (leaf, weight)
        });
        weights.collect()
    }

    /// g·G − y·B + λ*·x/c
    pub(super) fn counted_equations(
        &mut self,
        e: usize,
        local: &ElementFrame,
        of: Solved,
    ) -> ExprId {
        let residual = self.residual(e, local, of);
        let mut terms = Vec::new();
        for (c, equation) in residual.motion {
            let [weight] = self.pooled_of(e, Pool::Load, [c]);
            terms.push((self.graph().mul(weight, equation), Number::ONE));
        }
        for (a, row) in residual.rows.into_iter().enumerate() {
            let y = self.pooled(Pool::Second, a);
            terms.push((self.graph().mul(y, row), Number::MINUS_ONE));
        }
        let rows = self.rows_of(e).into_iter().enumerate();
        for (a, r) in rows.filter(|_| of == Solved::Motion) {
            if let Some(multiplier) = self.multiplier_at(e, (a, r)) {
                let counted = self.pooled(Pool::CountedMultiplier, a);
                terms.push((self.graph().mul(counted, multiplier), Number::ONE));
            }
        }
        self.graph().sum(&terms)
    }

    /// The gradient of v̇*·R u by the turn δθ, R u×v̇*.
    pub(super) fn add_turned(
        &mut self,
        e: usize,
        local: &ElementFrame,
        of: Solved,
        slopes: &mut [ExprId],
    ) {
        let Some(frame) = &local.frame else { return };
        let [u, counted] =
            [Pool::Motion, of.counted()].map_each(|pool| self.pooled_of(e, pool, frame.columns));
        let graph = &mut self.derivation.graph;
        let turned = frame.world(graph, u).map_each(|it| graph.whole(it));
        let by_turn = graph.cross(turned, counted);
        let directions = self.directions(Site::Element(e));
        for (c, by_turn) in frame.columns.into_iter().zip(by_turn) {
            let place = directions
                .iter()
                .position(|it| *it == (Varied::Coordinate, c));
            if let Some(place) = place {
                slopes[place] = self.graph().add(slopes[place], by_turn);
            }
        }
    }
}
