//! What joints add to derivatives where rows are solved for together, and elements know nothing of their joints.
//!
//! ```text
//! along     u += W J′ᵀ x,  f += δ(W J′ᵀ) x;    δv̇ += W J′ᵀ δx
//! back      u += W J′ᵀ x,  v̇* −= J′ᵀ y
//! columns   u += W J′ᵀ x,  R −= x ∂(J′ᵣ W J′ₛᵀ), J′ᵣ constant, for each pair of rows r, s that are coupled;
//!           by column W J′ᵀ x;   then ∂(W J′ᵀ) x
//! ```

use super::super::super::routine::{Array, Kernel, Routine, Signature, Stage, Write};
use super::super::contribution::{Found, Output};
use super::super::derivation::Elements;
use super::super::panels::Pull;
use super::super::second_pass::SecondSide;
use super::super::structure::Site;
use super::super::substitution::Reported;
use crate::expr::{CollectVec, ExprId, Map, Number, PushEach};
use crate::families::indices_of;

impl Elements<'_> {
    /// δ(W J′ᵀ) x, to what elements have of δ(M⁻¹ h).
    pub(in super::super) fn varied_pulls(&mut self, at: Site) -> Vec<Output> {
        let mut along = self.along_at(at);
        let entries = self.entries_of_pull(at, Pull::on(Array::Load));
        let entries = entries.into_iter();
        let outputs = entries.map(|(k, entry, x)| {
            let graph = &mut self.derivation.graph;
            let change = along.first(graph, entry);
            (graph.mul(change, x), Array::Load, Found::Column(k))
        });
        outputs.collect_vec()
    }

    /// What joints add when the second unknowns are known.
    pub(super) fn second_pulls(
        &mut self,
        at: Site,
        side: SecondSide,
        reported: Option<Reported>,
    ) -> Vec<Output> {
        let pull = match side {
            SecondSide::Adjoint(_) => Pull::on(Array::Load).without_weights().opposite(),
            _ => Pull::on(Array::Output),
        };
        let mut outputs = self.pulled(at, pull.second());
        outputs.push_each(reported.map_or_else(Vec::new, |it| self.reports(at, it)));
        outputs
    }

    /// What joints add to matrices after all columns.
    pub(super) fn last_pulls(&mut self, at: Site, with_multipliers: bool) -> Vec<Output> {
        let moving = self.moving(at);
        let columns = self.directions(at).into_iter().map(|it| self.column(it));
        let columns: Vec<_> = columns.collect_vec();
        let mut outputs = Vec::new();
        for (c, entry, x) in self.entries_of_pull(at, Pull::on(Array::Motion)) {
            let force = self.graph().mul(entry, x);
            for (k, slope) in self.slopes(&moving, force).into_iter().enumerate() {
                let by = columns[k].map(|it| Array::MotionBy(it.0));
                outputs.push_each(by.map(|by| (slope, by, Found::MotionEntry(k, c))));
            }
        }
        let rows = self.rows_at(at).into_iter().enumerate();
        for row in rows.filter(|_| with_multipliers) {
            let Some(multiplier) = self.varying_multiplier(row) else {
                continue;
            };
            for (k, slope) in self.slopes(&moving, multiplier).into_iter().enumerate() {
                let by = columns[k].map(|it| Array::MultipliersBy(it.0));
                outputs.push_each(by.map(|by| (slope, by, Found::MultiplierEntry(k, row.0))));
            }
        }
        outputs
    }

    /// What the unknown of one row adds to the sides of another, column by column.
    pub(super) fn sides_of_pairs(&mut self, routine: &mut Routine) {
        let coupled = self.coupled_rows().into_iter();
        let mut pairs: Vec<(usize, usize)> =
            coupled.flat_map(|(i, j)| [(i, j), (j, i)]).collect_vec();
        pairs.push_each((0..self.rows.of.len()).map(|r| (r, r)));
        routine.stage_in(self.order(), |stage| {
            for pair in pairs {
                self.push_side_of_pair(stage, pair);
            }
        });
    }

    fn push_side_of_pair(&mut self, stage: &mut Stage<'_>, (r, s): (usize, usize)) {
        let at = Site::Joint(s);
        let mut signature = Signature::default();
        signature.member(&self.rows, r);
        self.sign_joint_in(&mut signature, s, false);
        let Signature { mut words, slots } = signature;
        words.push(self.kinds_of_joints.of[s]);
        let mut indices = indices_of(&slots);
        let unknown = indices.len();
        indices.push(self.unknown(s));
        let n = self.system.coordinates.len();
        let directions = self.directions(at).into_iter();
        indices.push_each(directions.map(|it| self.column_of(it) * n + r));
        stage.push(words, indices, || {
            let mut kernel = Kernel {
                reads: self.reads_of(&slots),
                ..Kernel::default()
            };
            let x = self.read(&mut kernel, "x", Array::Solution, unknown);
            for (k, slope) in self.slopes_of_coupling((r, s)).into_iter().enumerate() {
                let column = self.column(self.directions(at)[k]);
                let graph = &mut self.derivation.graph;
                if let Some((by, _)) = column.filter(|_| !graph.is_zero(slope)) {
                    let side = graph.mul(slope, x);
                    let side = graph.neg(side);
                    kernel.push(side, Write::Add(Array::MotionBy(by), unknown + 1 + k));
                }
            }
            kernel
        });
    }

    /// ∂(J′ᵣ W J′ₛᵀ) by the directions of s, J′ᵣ constant.
    fn slopes_of_coupling(&mut self, (r, s): (usize, usize)) -> Vec<ExprId> {
        let [of_r, of_s] = [r, s].map(|row| self.row(row).scaled.jacobian.clone());
        let (mut constants, mut terms) = (Map::default(), Vec::new());
        for (c, entry) in of_s {
            let Some(&(_, other)) = of_r.iter().find(|it| it.0 == c) else {
                continue;
            };
            let constant = self.scratch("constant").1;
            constants.insert(constant, other);
            let weighted = self.weighted_entry(c, entry);
            terms.push((self.graph().mul(constant, weighted), Number::ONE));
        }
        let coupling = self.graph().sum(&terms);
        let moving = self.moving(Site::Joint(s));
        let slopes = self.slopes(&moving, coupling);
        let map = self.graph().substitute(slopes.iter().copied(), constants);
        slopes.iter().map(|slope| map[slope]).collect_vec()
    }
}
