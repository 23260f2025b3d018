//! The equations of an element, u and x as leaves.

use super::super::contribution::{Contribution, ElementFrame};
use super::super::derivation::{Elements, Pool, Solved};
use super::Residual;
use crate::expr::{CollectVec, ExprId, Map, MapEach, Number};
use crate::solve::{SparseRow, divide_terms};

impl Elements<'_> {
    /// G and B, u and x as leaves. Of a correction, h = 0 and −C/c or −Ċ/c is in the place of β′.
    pub(super) fn residual(&mut self, e: usize, local: &ElementFrame, of: Solved) -> Residual {
        let columns = self.structure.elements[e].columns.clone();
        let accelerations = self.pooled_at(e, Pool::Motion);
        let mut equations = SparseRow::new();
        if self.at_joints() {
            equations = self.plain_motion(e, local, of);
        }
        let at_joints = self.at_joints();
        for c in columns.into_iter().filter(|_| !at_joints) {
            let mut terms = Vec::new();
            if of == Solved::Motion {
                terms.push((self.applied[c], Number::ONE));
            }
            for (a, row) in local.jacobian.iter().enumerate() {
                if let Some(&(_, entry)) = row.iter().find(|it| it.0 == c) {
                    let x = self.pooled(Pool::Unknown, a);
                    terms.push((self.graph().mul(entry, x), Number::ONE));
                }
            }
            for &(k, u) in &accelerations {
                if let Some(mass) = self.mass.get(c, k) {
                    terms.push((self.graph().mul(mass, u), Number::MINUS_ONE));
                }
            }
            equations.push((c, self.graph().sum(&terms)));
        }
        let mut rows = Vec::new();
        for (a, r) in self.rows_of(e).into_iter().enumerate() {
            let bias = self.constant_term(r, of);
            let bias = self.own_terms(r, e, bias);
            let pushed = self.product(&accelerations, &local.jacobian[a]);
            rows.push(self.graph().add(bias, pushed));
        }
        Residual {
            motion: equations,
            rows,
        }
    }

    /// The leaves of a pool, velocity by velocity.
    pub(in super::super) fn pooled_at(&mut self, e: usize, pool: Pool) -> SparseRow {
        let columns = self.structure.elements[e].columns.clone().into_iter();
        let leaves = columns.enumerate();
        leaves.map(|(k, c)| (c, self.pooled(pool, k))).collect_vec()
    }

    /// Its leaves at some of these velocities.
    pub(super) fn pooled_of<const N: usize>(
        &mut self,
        e: usize,
        pool: Pool,
        columns: [usize; N],
    ) -> [ExprId; N] {
        columns.map_each(|c| {
            let place = self.structure.elements[e].place(c);
            self.pooled(pool, place)
        })
    }

    /// u = M⁻¹ h + W J′ᵀ x; of a correction W J′ᵀ x.
    pub(super) fn plain_motion(&mut self, e: usize, local: &ElementFrame, of: Solved) -> SparseRow {
        let mut nothing = Contribution::default();
        let pushed = self.push(e, local, Pool::Unknown, &mut nothing);
        let is_free = of == Solved::Motion;
        self.moved_in_frame((local, &[]), &pushed, is_free, &mut nothing)
    }

    /// What changes of G give to accelerations.
    pub(super) fn loads(&mut self, local: &ElementFrame, pushed: &SparseRow) -> SparseRow {
        if self.at_joints() {
            let changes = pushed
                .iter()
                .filter(|it| !self.derivation.graph.is_zero(it.1));
            return changes.copied().collect_vec();
        }
        self.weighted(local, pushed)
    }

    /// What a row adds to J′ u.
    pub(super) fn constant_term(&mut self, r: usize, of: Solved) -> ExprId {
        let row = self.row(r).clone();
        let graph = self.graph();
        let value = match of {
            Solved::Motion => return row.scaled.bias,
            Solved::PlaceCorrection => row.value,
            Solved::VelocityCorrection => row.rate,
        };
        let value = divide_terms(graph, value, row.scaled.content);
        graph.neg(value)
    }

    /// u, of x that are read, in the place of its leaves.
    pub(super) fn accelerations_in_frame(
        &mut self,
        e: usize,
        local: &ElementFrame,
        of: Solved,
        made: &mut Contribution,
    ) -> Map<ExprId, ExprId> {
        let frame = local.frame.clone();
        let frame = frame.map(|frame| self.kept_frame(made, frame));
        let pushed = self.push(e, local, Pool::Unknown, made);
        let is_free = of == Solved::Motion;
        let moved = self.moved_in_frame((local, frame.as_slice()), &pushed, is_free, made);
        let columns = self.structure.elements[e].columns.clone();
        let zero = self.graph().zero();
        let all = columns.into_iter().enumerate().map(|(k, c)| {
            let found = moved.iter().find(|it| it.0 == c);
            let value = found.map_or(zero, |it| self.graph().whole(it.1));
            (self.pooled(Pool::Motion, k), value)
        });
        all.collect()
    }

    /// The multiplier of a row of a site as it is written, where its scale varies.
    pub(super) fn varying_multiplier(&mut self, (a, r): (usize, usize)) -> Option<ExprId> {
        if !self.has_varying_scale(r) {
            return None;
        }
        let row = self.row(r).scaled.clone();
        let x = self.pooled(Pool::Unknown, a);
        let common = self.common();
        let graph = self.graph();
        let unit = graph.recip(common);
        Some(row.unscaled(graph, x, unit))
    }

    /// The same at the last element of its joint.
    pub(super) fn multiplier_at(&mut self, e: usize, (a, r): (usize, usize)) -> Option<ExprId> {
        let joint = self.structure.joint_of(r);
        let is_last = self.structure.joints[joint].elements.last() == Some(&e);
        is_last.then(|| self.varying_multiplier((a, r)))?
    }

    /// Whether w c of a row is no number.
    pub(in super::super) fn has_varying_scale(&mut self, r: usize) -> bool {
        let (content, common) = (self.row(r).scaled.content, self.common());
        let graph = self.graph();
        graph.as_number(content).is_none() || graph.as_number(common).is_none()
    }

    /// Expressions with arms read where they were kept, and leaves replaced by these.
    pub(super) fn with_kept(
        &mut self,
        made: &mut Contribution,
        roots: &[ExprId],
        mut map: Map<ExprId, ExprId>,
    ) -> Vec<ExprId> {
        map.extend(self.kept_arms(made, roots));
        let there = self.graph().substitute(roots.iter().copied(), map);
        roots.iter().map(|id| there[id]).collect_vec()
    }
}
