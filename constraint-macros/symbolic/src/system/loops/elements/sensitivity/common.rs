//! What rows have in common with later stages, and factors that many sites have in common.

use super::super::derivation::{Elements, Motion, Shared, Solved};
use super::super::shared::{common as common_parts, divides_alone};
use super::super::structure::Site;
use crate::diff::Taylor;
use crate::expr::{CollectVec, ExprId, Number, PushEach};

impl Elements<'_> {
    /// What rows share with the later stages of a routine.
    pub(in super::super) fn share_for(&mut self, motion: Motion) {
        self.shared = Shared::default();
        if !self.at_joints() {
            return;
        }
        match motion {
            Motion::Variation => {
                self.share(Elements::shared_along);
                self.shared.is_along = true;
            }
            Motion::Gradient(Solved::Motion) => {
                self.share(Elements::shared_back);
                self.shared.sums = self.common_factors();
            }
            Motion::Gradient(_) => self.share(Elements::jacobian_of),
            Motion::Columns { .. } => self.share(|elements, r| {
                let unit = elements.unit_multiplier(r);
                elements
                    .jacobian_of(r)
                    .into_iter()
                    .chain([unit])
                    .collect_vec()
            }),
            _ => {}
        }
    }

    /// M⁻¹ h where it is the same all over its family, and 1/(w c) of numbers c.
    pub(super) fn common_factors(&mut self) -> Vec<ExprId> {
        let velocities = 0..self.system.coordinates.len();
        let mut all: Vec<ExprId> = velocities
            .filter_map(|c| self.uniform_load(c))
            .collect_vec();
        for r in self.rows.first.clone() {
            all.push_each(self.common_scale(r));
        }
        let mut factors = Vec::new();
        for it in all {
            if self.graph().as_number(it).is_none() && !factors.contains(&it) {
                factors.push(it);
            }
        }
        factors
    }

    /// 1/(w c) of a row whose c is a number.
    pub(super) fn common_scale(&mut self, r: usize) -> Option<ExprId> {
        let content = self.row(r).scaled.content;
        self.graph().as_number(content)?;
        let common = self.common();
        let graph = self.graph();
        let unit = graph.recip(common);
        Some(graph.div(unit, content))
    }

    /// The number of the sum that belongs to a common factor.
    pub(super) fn sum_of(&self, factor: ExprId) -> Option<usize> {
        self.shared.sums.iter().position(|&it| it == factor)
    }

    /// J′ of a row.
    pub(super) fn jacobian_of(&mut self, r: usize) -> Vec<ExprId> {
        let entries = self.row(r).scaled.jacobian.iter();
        entries.map(|it| it.1).collect_vec()
    }

    /// 1/(w c)
    pub(super) fn unit_multiplier(&mut self, r: usize) -> ExprId {
        let (row, common) = (self.row(r).scaled.clone(), self.common());
        let graph = self.graph();
        let (one, unit) = (graph.number(Number::ONE), graph.recip(common));
        row.unscaled(graph, one, unit)
    }

    /// J′, δJ′ and δβ′ of a row, and the factors of its λ.
    pub(super) fn shared_along(&mut self, r: usize) -> Vec<ExprId> {
        let joint = self.structure.joint_of(r);
        let moving = self.moving(Site::Joint(joint));
        let mut along = Taylor::new(self.seeds(&moving.rates));
        let row = self.row(r).scaled.clone();
        let mut shared = self.jacobian_of(r);
        let mut varied = shared.clone();
        varied.push(row.bias);
        let graph = &mut self.derivation.graph;
        if graph.as_number(row.content).is_none() {
            shared.push(row.content);
            varied.push(row.content);
        }
        shared.push_each(varied.iter().map(|&id| along.first(graph, id)));
        shared
    }

    /// J′ of a row, and what of it and of β′ its gradient asks for.
    pub(super) fn shared_back(&mut self, r: usize) -> Vec<ExprId> {
        let at = Site::Joint(self.structure.joint_of(r));
        let moving = self.moving(at);
        let slopes = self.slopes_of_row(at, (0, r), &moving, Solved::Motion);
        let mut shared = self.jacobian_of(r);
        let mut computed = shared.clone();
        let counted = self.scratch("counted").1;
        let (row, common) = (self.row(r).scaled.clone(), self.common());
        let graph = &mut self.derivation.graph;
        let unit = graph.recip(common);
        computed.push_each([row.bias, row.unscaled(graph, counted, unit)]);
        let found = common_parts(graph, &slopes, &computed);
        shared.push_each(found.iter().map(|&id| {
            if divides_alone(graph, &slopes, &found, id) {
                graph.recip(id)
            } else {
                id
            }
        }));
        shared
    }
}
