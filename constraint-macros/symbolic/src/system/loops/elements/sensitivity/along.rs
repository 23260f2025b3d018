//! Forwards: δv̇ and δλ along a tangent.

use super::super::super::routine::{Array, Varied};
use super::super::contribution::{Contribution, ElementFrame, Found};
use super::super::derivation::{Elements, Pool, Solved};
use super::super::structure::Site;
use crate::diff::Taylor;
use crate::dynamics::{self, Frame};
use crate::expr::{CollectVec, ExprId, Map, MapEach, Number};
use crate::kinematics;
use crate::solve::SparseRow;

impl Elements<'_> {
    pub(in super::super) fn contribute_variation(
        &mut self,
        e: usize,
        local: &ElementFrame,
        made: &mut Contribution,
    ) {
        let moving = self.moving(Site::Element(e));
        let mut along = Taylor::new(self.seeds(&moving.rates));
        let residual = self.residual(e, local, Solved::Motion);
        let graph = &mut self.derivation.graph;
        let mut rates = |it: &(usize, ExprId)| (it.0, along.first(graph, it.1));
        let pushed: SparseRow = residual.motion.iter().map(&mut rates).collect_vec();
        let loads = self.loads(local, &pushed);
        let loads: SparseRow = loads
            .into_iter()
            .map(|(c, load)| (c, self.graph().whole(load)))
            .collect_vec();
        let mut right = Vec::new();
        let at_joints = self.at_joints();
        let rows = residual.rows.iter().zip(&local.jacobian);
        for (row, jacobian) in rows.filter(|_| !at_joints) {
            let pushed = self.product(&loads, jacobian);
            let graph = &mut self.derivation.graph;
            let change = along.first(graph, *row);
            let sum = graph.add(change, pushed);
            right.push(graph.neg(sum));
        }
        let mut scales = Vec::new();
        let own_rows = self.rows_of(e).into_iter().enumerate();
        for (a, r) in own_rows.filter(|_| !at_joints) {
            if let Some(multiplier) = self.multiplier_at(e, (a, r)) {
                scales.push((a, along.first(&mut self.derivation.graph, multiplier)));
            }
        }
        let solved = self.accelerations_in_frame(e, local, Solved::Motion, made);
        self.vary_motion(e, local, &mut along, made);
        let loads_of = loads.iter().map(|it| it.1);
        let roots = loads_of.chain(right).chain(scales.iter().map(|it| it.1));
        let roots: Vec<ExprId> = roots.collect_vec();
        let roots = self.with_kept(made, &roots, solved.clone());
        let (loads_there, rest) = roots.split_at(loads.len());
        let (right, scaled) = rest.split_at(rest.len() - scales.len());
        self.keep_motion(e, &solved, made);
        for (&(c, _), &load) in loads.iter().zip(loads_there) {
            let output = (load, Array::Load, self.column_at(e, c));
            made.outputs.push(output);
        }
        for (&(a, _), &scaled) in scales.iter().zip(scaled) {
            let output = (scaled, Array::Multipliers, Found::Row(a));
            made.outputs.push(output);
        }
        if !at_joints {
            self.second_right(made, right);
        }
    }

    /// u as the motion that the second pass reads.
    pub(super) fn keep_motion(
        &mut self,
        e: usize,
        solved: &Map<ExprId, ExprId>,
        made: &mut Contribution,
    ) {
        for k in 0..self.structure.elements[e].columns.len() {
            let u = solved[&self.pooled(Pool::Motion, k)];
            if !self.graph().is_zero(u) {
                made.outputs.push((u, Array::Motion, Found::Column(k)));
            }
        }
    }

    /// Right-hand sides that are computed with the first motion.
    pub(super) fn second_right(&mut self, made: &mut Contribution, right: &[ExprId]) {
        made.second.first = Some(made.roots.len());
        for (a, &right) in right.iter().enumerate() {
            if !self.graph().is_zero(right) {
                let number = made.add(right, Array::Prepared);
                made.second.right.insert(a, number);
                made.outputs
                    .push((right, Array::Prepared, Found::Value(number)));
            }
        }
    }

    /// δv̇ = R (f + W J′ᵀ δx) + δθ×R u
    pub(super) fn vary_motion(
        &mut self,
        e: usize,
        local: &ElementFrame,
        along: &mut Taylor,
        made: &mut Contribution,
    ) {
        let frame = local.frame.clone();
        let frame = frame.map(|frame| self.kept_frame(made, frame));
        let pushed = self.push(e, local, Pool::Second, made);
        let moved = self.moved_in_frame((local, frame.as_slice()), &pushed, false, made);
        let moved: Map<usize, ExprId> = moved.into_iter().collect();
        let columns = self.structure.elements[e].columns.clone();
        let mut own = SparseRow::new();
        for c in columns {
            let [load] = self.pooled_of(e, Pool::Load, [c]);
            let moved = moved.get(&c).copied();
            let uniform = self.uniform_load(c);
            let graph = &mut self.derivation.graph;
            let uniform = uniform.map(|free| along.first(graph, free));
            let terms = [Some(load), moved, uniform].into_iter().flatten();
            let terms: Vec<_> = terms.map(|it| (it, Number::ONE)).collect_vec();
            own.push((c, graph.sum(&terms)));
        }
        let mut world = dynamics::turned(self.graph(), frame.as_slice(), &own, Frame::world);
        if let Some(frame) = &frame {
            let u = self.pooled_of(e, Pool::Motion, frame.columns);
            let turn = frame
                .columns
                .map_each(|c| self.change((Varied::Coordinate, c)));
            let graph = &mut self.derivation.graph;
            let turned = frame.world(graph, u).map_each(|it| graph.whole(it));
            let change = kinematics::turning(graph, &turn, &turned);
            for (c, entry) in &mut world {
                if let Some(k) = frame.columns.iter().position(|it| it == c) {
                    *entry = graph.add(*entry, change[k]);
                }
            }
        }
        for (c, value) in world {
            let output = (value, Array::Output, self.column_at(e, c));
            made.second.outputs.push(output);
        }
    }
}
