//! All columns of ∂v̇ and ∂λ by (q, v), u and p: one elimination, then two sweeps for each column.

use super::super::super::routine::{Array, By, Varied};
use super::super::contribution::{Contribution, ElementFrame, Found};
use super::super::derivation::{Elements, Pool, Solved};
use super::super::structure::Site;
use super::Moving;
use crate::dynamics::{self, Frame};
use crate::expr::{CollectVec, ExprId, Map, MapEach, PushEach};
use crate::kinematics;
use crate::solve::SparseRow;

impl Elements<'_> {
    /// The matrix and the column of a direction; none of time.
    pub(in super::super) fn column(&self, (of, index): (Varied, usize)) -> Option<(By, usize)> {
        match of {
            Varied::Time => None,
            Varied::Coordinate => Some((By::State, index)),
            Varied::Velocity => Some((By::State, self.system.coordinates.len() + index)),
            Varied::Input => Some((By::Input, index)),
            Varied::Parameter => Some((By::Parameter, index)),
        }
    }

    /// The number of that column.
    pub(in super::super) fn column_of(&self, direction: (Varied, usize)) -> usize {
        self.column(direction).map_or(0, |it| it.1)
    }

    /// The right-hand sides of all columns, to the matrix that ∂v̇ is written to; and what is added to that afterwards.
    ///
    /// ```text
    /// F = W ∂G,   −∂B − J′ F;   by column W J′ᵀ x;   then R F + ∂θ×R u
    /// ```
    pub(in super::super) fn contribute_columns(
        &mut self,
        e: usize,
        local: &ElementFrame,
        with_multipliers: bool,
        made: &mut Contribution,
    ) {
        let moving = self.moving(Site::Element(e));
        let residual = self.residual(e, local, Solved::Motion);
        let columns = self
            .directions(Site::Element(e))
            .into_iter()
            .map(|it| self.column(it));
        let columns: Vec<Option<(By, usize)>> = columns.collect_vec();
        let motion = residual.motion.iter();
        let motion: Vec<_> = motion
            .map(|&(c, it)| (c, self.slopes(&moving, it)))
            .collect_vec();
        let at_joints = self.at_joints();
        let rows = residual.rows.iter().filter(|_| !at_joints);
        let rows: Vec<_> = rows.map(|&it| self.slopes(&moving, it)).collect_vec();
        let solved = self.accelerations_in_frame(e, local, Solved::Motion, made);
        if at_joints {
            self.keep_motion(e, &solved, made);
        }
        self.push_by_column(e, local, made);
        let mut sides = Vec::new();
        let mut slopes = Vec::new();
        for (k, column) in columns.iter().enumerate() {
            let Some((by, _)) = *column else { continue };
            let pushed: SparseRow = motion.iter().map(|(c, of)| (*c, of[k])).collect_vec();
            let own = self.slopes_of_motion(local, &pushed);
            for (a, (row, jacobian)) in rows.iter().zip(&local.jacobian).enumerate() {
                let pushed = self.product(&own, jacobian);
                let graph = &mut self.derivation.graph;
                let sum = graph.add(row[k], pushed);
                sides.push((graph.neg(sum), Array::MotionBy(by), Found::SideEntry(k, a)));
            }
            let world = self.slopes_in_world(e, local, &own, k);
            let element = &self.structure.elements[e];
            let world = world.into_iter().map(|(c, slope)| {
                let at = Found::MotionEntry(k, element.place(c));
                (slope, Array::MotionBy(by), at)
            });
            slopes.push_each(world);
        }
        let mut last = Vec::new();
        if with_multipliers {
            last = self.slopes_of_scales(e, &moving, &columns);
        }
        self.add_later(made, [sides, slopes, last], &solved);
        self.add_uniform(e, &moving, &columns, made);
    }

    /// W J′ᵀ x of one column, zeros included: right-hand sides are overwritten.
    pub(super) fn push_by_column(
        &mut self,
        e: usize,
        local: &ElementFrame,
        made: &mut Contribution,
    ) {
        let frame = local.frame.clone();
        let frame = frame.map(|frame| self.kept_frame(made, frame));
        let pushed = self.push(e, local, Pool::Second, made);
        let moved = self.moved_in_frame((local, frame.as_slice()), &pushed, false, made);
        let world = dynamics::turned(self.graph(), frame.as_slice(), &moved, Frame::world);
        for (k, moved) in self.whole(e, world).into_iter().enumerate() {
            let output = (moved, Array::Output, Found::Column(k));
            made.second.outputs.push(output);
        }
    }

    /// W ∂G
    pub(super) fn slopes_of_motion(
        &mut self,
        local: &ElementFrame,
        pushed: &SparseRow,
    ) -> SparseRow {
        let weighted = self.loads(local, pushed);
        let graph = self.graph();
        let slopes = weighted.into_iter().map(|(c, it)| (c, graph.whole(it)));
        let slopes: SparseRow = slopes.collect_vec();
        let slopes = slopes.into_iter();
        slopes.filter(|it| !graph.is_zero(it.1)).collect_vec()
    }

    /// R F, and ∂θ×R u by a turn of the element itself.
    pub(super) fn slopes_in_world(
        &mut self,
        e: usize,
        local: &ElementFrame,
        own: &SparseRow,
        direction: usize,
    ) -> SparseRow {
        let mut world = self.in_world(local, own);
        let Some(frame) = &local.frame else {
            return world;
        };
        let (of, column) = self.directions(Site::Element(e))[direction];
        let axis = frame.columns.iter().position(|&c| c == column);
        let Some(axis) = axis.filter(|_| of == Varied::Coordinate) else {
            return world;
        };
        let u = self.pooled_of(e, Pool::Motion, frame.columns);
        let graph = &mut self.derivation.graph;
        let turned = frame.world(graph, u).map_each(|it| graph.whole(it));
        let slopes = kinematics::slopes(graph, &turned);
        for (c, slopes) in frame.columns.into_iter().zip(slopes) {
            let turned = slopes.into_iter().filter(|it| it.0 == axis);
            world.push_each(turned.map(|(_, slope)| (c, slope)));
        }
        world
    }

    /// Slopes of λ of rows whose scale varies, by direction and row.
    pub(super) fn slopes_of_scales(
        &mut self,
        e: usize,
        moving: &Moving,
        columns: &[Option<(By, usize)>],
    ) -> Vec<(ExprId, Array, Found)> {
        let mut found = Vec::new();
        for (a, r) in self.rows_of(e).into_iter().enumerate() {
            let Some(multiplier) = self.multiplier_at(e, (a, r)) else {
                continue;
            };
            let slopes = self.slopes(moving, multiplier).into_iter().enumerate();
            for (k, slope) in slopes {
                if let Some((by, _)) = columns[k] {
                    found.push((
                        slope,
                        Array::MultipliersBy(by),
                        Found::MultiplierEntry(k, a),
                    ));
                }
            }
        }
        found
    }

    /// What of a contribution is written before all columns, and added after them.
    pub(super) fn add_later(
        &mut self,
        made: &mut Contribution,
        [sides, slopes, scales]: [Vec<(ExprId, Array, Found)>; 3],
        solved: &Map<ExprId, ExprId>,
    ) {
        let roots = sides.iter().chain(&slopes).map(|it| it.0);
        let roots: Vec<ExprId> = roots.collect_vec();
        let roots = self.with_kept(made, &roots, solved.clone());
        let scaled: Vec<ExprId> = scales.iter().map(|it| it.0).collect_vec();
        let scaled = self.with_kept(made, &scaled, Map::default());
        let (of_sides, of_slopes) = roots.split_at(sides.len());
        if !self.at_joints() {
            made.second.first = Some(made.roots.len());
        }
        let is_zero = |elements: &Self, root| elements.derivation.graph.is_zero(root);
        for (&(_, array, at), &root) in sides.iter().zip(of_sides) {
            if !is_zero(self, root) {
                made.outputs.push((root, array, at));
            }
        }
        for (&(_, array, at), &root) in slopes.iter().zip(of_slopes) {
            if is_zero(self, root) {
                continue;
            }
            let number = made.add(root, Array::Slopes);
            if let Found::MotionEntry(k, c) = at {
                made.slopes.push((k, c, number));
            }
            made.outputs
                .push((root, Array::Slopes, Found::Value(number)));
            made.last
                .push((self.pooled(Pool::Slope, number), array, at));
        }
        for (&(_, array, at), &root) in scales.iter().zip(&scaled) {
            if !is_zero(self, root) {
                made.last.push((root, array, at));
            }
        }
    }

    /// Slopes of M⁻¹ h that velocities do not keep.
    pub(super) fn add_uniform(
        &mut self,
        e: usize,
        moving: &Moving,
        columns: &[Option<(By, usize)>],
        made: &mut Contribution,
    ) {
        for (c, column) in self.structure.elements[e]
            .columns
            .clone()
            .into_iter()
            .enumerate()
        {
            let Some(free) = self.uniform_load(column) else {
                continue;
            };
            let slopes = self.slopes(moving, free).into_iter().enumerate();
            for (k, slope) in slopes {
                let Some((by, _)) = columns[k] else { continue };
                if self.graph().is_zero(slope) {
                    continue;
                }
                let at = Found::MotionEntry(k, c);
                match made.last.iter().position(|it| it.2 == at) {
                    Some(there) => {
                        let sum = self.graph().add(made.last[there].0, slope);
                        made.last[there].0 = sum;
                    }
                    None => made.last.push((slope, Array::MotionBy(by), at)),
                }
            }
        }
    }
}
