//! Rows that fill in where no two steps are alike: the matrix is assembled in blocks, which are eliminated at run time by
//! tables.
//!
//! ```text
//! every row           its pivot's diagonal, its right-hand side
//! every pair of rows  that meet at a coordinate: their entry
//!                     ───────── the panels are solved ─────────
//! every coordinate    its motion by the unknowns of its rows
//! ```
//! Items wait for no others of their stage, so those of one kernel stand on end: however the rows are coupled, there are
//! as many loops as kinds of rows, of pairs and of coordinates. A second right-hand side, row by row, is solved for with
//! the same factors.

use super::super::routine::{Array, Kernel, Routine, Signature, Solve, Stage, Write};
use super::derivation::{Elements, Side};
use super::places::{Part, Places, Plan};
use crate::families::{Order, indices_of};

/// First words of the items of a stage.
const ROW: usize = 0;
const PAIR: usize = 1;

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
            [self.unknown(r), self.entry_in_blocks(r, r), r].map(|it| plan.index(it));
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

    /// The place of an entry of two rows that are coupled.
    fn entry_in_blocks(&self, i: usize, j: usize) -> usize {
        let entry = self.panels.as_ref().and_then(|it| it.entry(i, j));
        entry.unwrap_or_default()
    }
}
