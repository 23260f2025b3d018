//! Rows that fill in where no two steps are alike: the matrix is assembled in blocks, which are eliminated at run time by
//! tables.
//!
//! ```text
//! every row           its pivot's diagonal, its right-hand side
//! every pair of rows  that meet at a coordinate: their entry
//!                     ───────── the panels are solved ─────────
//! every coordinate    what it does when it is free
//! every row           J′ᵀ x, added to that
//! ```
//! Items wait for no others of their stage, so those of one kernel stand on end: however the rows are coupled, there are
//! as many loops as kinds of rows, of pairs and of coordinates. Elements know nothing of their joints here. A second
//! right-hand side, row by row, is solved for with the same factors.

use super::super::routine::{Array, Kernel, Routine, Signature, Solve, Stage, Write};
use super::contribution::{Contributions, Found, LiveSet, Output};
use super::derivation::{Elements, Motion, Pool, Side};
use super::places::{Part, Places, Plan};
use super::structure::Site;
use super::substitution::Reported;
use crate::expr::{CollectVec, ExprId, MapEach, Number, PushEach};
use crate::families::{Order, indices_of};

/// First words of the items of a stage.
const ROW: usize = 0;
const PAIR: usize = 1;

/// J′ᵀ x, as joints add it to an array of velocities.
#[derive(Clone, Copy)]
pub(super) struct Pull {
    unknowns: Pool,
    /// Whether W is before it.
    is_weighted: bool,
    sign: Number,
    to: Array,
}

impl Pull {
    /// W J′ᵀ x
    pub fn on(to: Array) -> Pull {
        Pull {
            unknowns: Pool::Unknown,
            is_weighted: true,
            sign: Number::ONE,
            to,
        }
    }

    /// That of the second unknowns.
    pub fn second(self) -> Pull {
        Pull {
            unknowns: Pool::Second,
            ..self
        }
    }

    /// J′ᵀ x
    pub fn without_weights(self) -> Pull {
        Pull {
            is_weighted: false,
            ..self
        }
    }

    /// Its negative.
    pub fn opposite(self) -> Pull {
        Pull {
            sign: Number::MINUS_ONE,
            ..self
        }
    }
}

impl Elements<'_> {
    /// J′ W J′ᵀ in blocks and the right-hand side, and the unknowns of all rows.
    pub(super) fn by_panels(&mut self, routine: &mut Routine, side: Side) -> Places {
        let coupled = self.coupled_rows();
        routine.stage_in(Order::Any, |stage| {
            for r in 0..self.rows.of.len() {
                self.assemble_row(stage, r, side);
            }
            for &(i, j) in &coupled {
                self.assemble_pair(stage, i, j);
            }
        });
        routine.step(Solve::First as usize);
        Places::default()
    }

    fn assemble_row(&mut self, stage: &mut Stage<'_>, r: usize, side: Side) {
        let mut signature = Signature::default();
        signature.words.push(ROW);
        self.sign_joint_in(&mut signature, r, side.has_loads());
        let Signature { words, slots } = signature;
        let mut plan = Plan {
            indices: indices_of(&slots),
            words,
        };
        let [unknown, diagonal, row] =
            [self.unknown(r), self.entry_in_blocks(r, r), r].map_each(|it| plan.index(it));
        let sharing = self.plan_sharing(&mut plan, r);
        let Plan { words, indices } = plan;
        stage.push(words, indices, || {
            let mut kernel = Kernel {
                reads: self.reads_of(&slots),
                ..Kernel::default()
            };
            let right = match side {
                Side::Given => self.given_side(&mut kernel, r, row),
                side => self.part(Part::Right(r), side),
            };
            kernel.push(right, Write::Set(Array::Solution, unknown));
            let entry = self.part(Part::Entry(r, r), side);
            kernel.push(entry, Write::Set(Array::Blocks, diagonal));
            self.share_in(&mut kernel, r, sharing);
            kernel
        });
    }

    fn assemble_pair(&mut self, stage: &mut Stage<'_>, i: usize, j: usize) {
        let mut signature = Signature::default();
        signature.words.push(PAIR);
        signature.member(&self.rows, i);
        self.sign_joint_in(&mut signature, j, false);
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        indices.push(self.entry_in_blocks(i, j));
        stage.push(words, indices, || Kernel {
            reads: self.reads_of(&slots),
            roots: vec![self.part(Part::Entry(i, j), Side::Given)],
            writes: vec![Write::Set(Array::Blocks, slots.len())],
        });
    }

    /// What joints add to what elements have set, and the multipliers that they report.
    pub(super) fn pulls(
        &mut self,
        routine: &mut Routine,
        of: impl FnMut(&mut Self, Site) -> Vec<Output>,
    ) {
        if self.panels.is_some() {
            self.joint_by_joint(routine, of);
        }
    }

    /// A stage of joints that do not wait for each other: results of the first of each kind.
    pub(super) fn joint_by_joint(
        &mut self,
        routine: &mut Routine,
        mut of: impl FnMut(&mut Self, Site) -> Vec<Output>,
    ) {
        let first = self.kinds_of_joints.first.clone().into_iter();
        let of_kind = first.map(|j| {
            let at = Site::Joint(j);
            let mut outputs = of(self, at);
            outputs.retain(|it| !self.derivation.graph.is_zero(it.0));
            let roots: Vec<ExprId> = outputs.iter().map(|it| it.0).collect_vec();
            let roots = self.with_known(at, &roots);
            (self.live_set(at, roots), outputs)
        });
        let of_kind: Vec<(LiveSet, Vec<Output>)> = of_kind.collect_vec();
        let none = Contributions::default();
        routine.stage_in(self.order(), |stage| {
            for j in 0..self.structure.joints.len() {
                let (used, outputs) = &of_kind[self.kinds_of_joints.of[j]];
                if !outputs.is_empty() {
                    self.finish(stage, &none, (used, outputs), Site::Joint(j));
                }
            }
        });
    }

    /// How a joint pulls at its velocities.
    pub(super) fn pulled(&mut self, at: Site, pull: Pull) -> Vec<Output> {
        let entries = self.entries_of_pull(at, pull).into_iter();
        let outputs = entries.map(|(k, entry, x)| {
            let graph = self.graph();
            let force = graph.mul(entry, x);
            let force = graph.scale(force, pull.sign);
            (force, pull.to, Found::Column(k))
        });
        outputs.collect_vec()
    }

    /// The entries of J′ᵀ or W J′ᵀ of a joint, by velocity, with their unknowns.
    pub(super) fn entries_of_pull(&mut self, at: Site, pull: Pull) -> Vec<(usize, ExprId, ExprId)> {
        let columns = self.columns_at(at);
        let mut entries = Vec::new();
        for (a, r) in self.rows_at(at).into_iter().enumerate() {
            let x = self.pooled(pull.unknowns, a);
            for (c, entry) in self.row(r).scaled.jacobian.clone() {
                let entry = match pull.is_weighted {
                    true => self.weighted_entry(c, entry),
                    false => entry,
                };
                let place = columns.iter().position(|&it| it == c);
                entries.push_each(place.map(|k| (k, entry, x)));
            }
        }
        entries
    }

    /// An entry of W J′ᵀ.
    pub(super) fn weighted_entry(&mut self, c: usize, entry: ExprId) -> ExprId {
        let ratio = self.diagonal.as_ref().map(|it| it.ratios[c]);
        ratio.map_or(entry, |ratio| self.graph().mul(ratio, entry))
    }

    /// What joints add when the first unknowns are known.
    pub(super) fn first_pulls(
        &mut self,
        at: Site,
        motion: Motion,
        reported: Option<Reported>,
    ) -> Vec<Output> {
        let pull = match motion {
            Motion::None => None,
            Motion::Acceleration | Motion::OwnSlope | Motion::Correction => {
                Some(Pull::on(Array::Output))
            }
            Motion::Force => Some(Pull::on(Array::Output).without_weights()),
            Motion::Projected => Some(Pull::on(Array::Output).opposite()),
            Motion::Variation | Motion::Gradient(_) | Motion::Columns { .. } => {
                Some(Pull::on(Array::Motion))
            }
        };
        let mut outputs = pull.map_or_else(Vec::new, |pull| self.pulled(at, pull));
        if motion == Motion::Variation {
            outputs.push_each(self.varied_pulls(at));
        }
        outputs.push_each(reported.map_or_else(Vec::new, |it| self.reports(at, it)));
        outputs
    }

    /// The place of an entry of two rows that are coupled.
    fn entry_in_blocks(&self, i: usize, j: usize) -> usize {
        let entry = self.panels.as_ref().and_then(|it| it.entry(i, j));
        entry.unwrap_or_default()
    }
}
