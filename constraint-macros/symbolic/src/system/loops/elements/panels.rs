//! Rows that fill in where no two steps are alike: the matrix is assembled in blocks, which the runtime eliminates by
//! tables, and what is made of the unknowns is added up row by row.
//!
//! ```text
//! every row           its pivot's diagonal, its right-hand side      ╮
//! every pair of rows  that meet at a coordinate: their entry         ├─ assembly, in any order
//!                     ───────── the panels are solved ─────────      ╯
//! every coordinate    what it does when it is free
//! every row           J′ᵀ x, added to that
//! ```
//! Items wait for no others of their stage, so those of one kernel stand on end: however the rows are coupled, there are
//! as many loops as kinds of rows and of pairs.

use std::collections::BTreeMap;

use super::super::routine::{Array, Kernel, Read, Routine, Signature, Slot, Stage, Write};
use super::contribution::{Contributions, LiveSet};
use super::derivation::{Elements, Side};
use super::places::Part;
use super::structure::Site;
use crate::expr::{ExprId, Number};
use crate::families::indices_of;
use crate::solve::{Panels, Quantity};

/// First words of the items of a stage.
const ROW: usize = 0;
const PAIR: usize = 1;

/// A result that depends on the unknowns.
#[derive(Clone, Copy)]
enum Made {
    /// M⁻¹ h + W J′ᵀ x, and λ beside it, where its unit is given.
    Acceleration(Option<ExprId>),
    /// W J′ᵀ x
    Correction,
    /// J′ᵀ x
    Force,
    /// x of the rows as written.
    Multipliers,
}

impl Elements<'_> {
    /// The quantities that need a solution.
    pub(super) fn by_panels(&mut self, panels: &Panels) -> BTreeMap<Quantity, Routine> {
        let common = self.common();
        let one = self.graph().number(Number::ONE);
        let mass = self.graph().recip(common);
        let accelerating = self.assembled(panels, Side::Acceleration);
        // Where w = 1, the units are the same.
        let forcing = if common == one {
            accelerating.clone()
        } else {
            self.assembled(panels, Side::Force)
        };
        let given = self.assembled(panels, Side::Given);
        let table = [
            (
                Quantity::Acceleration,
                &accelerating,
                Made::Acceleration(None),
            ),
            (
                Quantity::AccelerationAndMultipliers,
                &accelerating,
                Made::Acceleration(Some(mass)),
            ),
            (Quantity::Force, &forcing, Made::Force),
            (Quantity::Multipliers, &forcing, Made::Multipliers),
            (Quantity::Correction, &given, Made::Correction),
        ];
        let solved =
            table.map(|(quantity, assembled, made)| (quantity, self.made(panels, assembled, made)));
        solved.into()
    }

    /// J′ W J′ᵀ in blocks, and the right-hand side.
    fn assembled(&mut self, panels: &Panels, side: Side) -> Routine {
        let coupled = self.coupled_rows();
        let mut routine = Routine::default();
        routine.unordered(|stage| {
            for r in 0..self.rows.of.len() {
                self.assemble_row(stage, panels, r, side);
            }
            for &(i, j) in &coupled {
                self.assemble_pair(stage, panels, i, j);
            }
        });
        routine.assembly = std::mem::take(&mut routine.loops);
        routine
    }

    fn assemble_row(&mut self, stage: &mut Stage<'_>, panels: &Panels, r: usize, side: Side) {
        let mut signature = Signature::default();
        signature.words.push(ROW);
        self.sign_joint_in(&mut signature, r, side.has_loads());
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        let Some(place) = panels.entry(r, r) else {
            return;
        };
        indices.extend([panels.unknown(r), place, r]);
        stage.push(words, indices, || {
            let mut reads = self.reads_of(&slots);
            let diagonal = self.part(Part::Entry(r, r), side);
            let right = match side {
                Side::Given => {
                    let (symbol, b) = self.scratch("b");
                    reads.push((symbol, Array::RightHandSide, slots.len() + 2));
                    let content = self.row(r).scaled.content;
                    self.graph().div(b, content)
                }
                side => self.part(Part::Right(r), side),
            };
            Kernel {
                reads,
                roots: vec![right, diagonal],
                writes: vec![
                    Write::Set(Array::Solution, slots.len()),
                    Write::Set(Array::Blocks, slots.len() + 1),
                ],
            }
        });
    }

    fn assemble_pair(&mut self, stage: &mut Stage<'_>, panels: &Panels, i: usize, j: usize) {
        let mut signature = Signature::default();
        signature.words.push(PAIR);
        signature.member(&self.rows, i);
        self.sign_joint_in(&mut signature, j, false);
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        indices.extend(panels.entry(i, j));
        stage.push(words, indices, || Kernel {
            reads: self.reads_of(&slots),
            roots: vec![self.part(Part::Entry(i, j), Side::Given)],
            writes: vec![Write::Set(Array::Blocks, slots.len())],
        });
    }

    fn made(&mut self, panels: &Panels, assembled: &Routine, made: Made) -> Routine {
        let mut routine = assembled.clone();
        if let Made::Acceleration(_) = made {
            let first = self.kinds.first.clone().into_iter();
            let used = first.map(|e| {
                let (_, roots) = self.free(e);
                self.live_set(Site::Element(e), roots)
            });
            let used: Vec<LiveSet> = used.collect();
            let none = Contributions::default();
            routine.unordered(|stage| {
                for e in 0..self.structure.elements.len() {
                    self.moves_freely(stage, &used[self.kinds.of[e]], &none, e);
                }
            });
        }
        routine.unordered(|stage| {
            for r in 0..self.rows.of.len() {
                self.pull(stage, panels, r, made);
            }
        });
        routine
    }

    fn moves_freely(&self, stage: &mut Stage<'_>, used: &LiveSet, none: &Contributions, e: usize) {
        let mut indices = self.indices(used, none, Site::Element(e));
        let outputs = indices.len();
        indices.extend(&self.structure.elements[e].columns);
        stage.push(vec![used.shape], indices, || Kernel {
            reads: used.reads.clone(),
            roots: used.roots.clone(),
            writes: (outputs..)
                .take(used.roots.len())
                .map(|place| Write::Set(Array::Output, place))
                .collect(),
        });
    }

    /// The effect of one row's unknown on its coordinates.
    fn pull(&mut self, stage: &mut Stage<'_>, panels: &Panels, r: usize, made: Made) {
        let Signature { words, slots } = self.sign_joint(r, false);
        let mut indices = indices_of(&slots);
        indices.extend([panels.unknown(r), r]);
        stage.push(words, indices, || self.pulling(&slots, r, made));
    }

    fn pulling(&mut self, slots: &[Slot], r: usize, made: Made) -> Kernel {
        let mut reads: Vec<Read> = self.reads_of(slots);
        let (unknown, row) = (slots.len(), slots.len() + 1);
        let (symbol, x) = self.scratch("x");
        reads.push((symbol, Array::Solution, unknown));
        let (mut roots, mut writes) = (Vec::new(), Vec::new());
        let beside = match made {
            Made::Multipliers => {
                let one = self.derivation.graph.number(Number::ONE);
                Some((one, Array::Output))
            }
            Made::Acceleration(unit) => unit.map(|unit| (unit, Array::Multipliers)),
            Made::Correction | Made::Force => None,
        };
        if let Some((unit, to)) = beside {
            let scaled = self.row(r).scaled.clone();
            roots.push(scaled.unscaled(&mut self.derivation.graph, x, unit));
            writes.push(Write::Set(to, row));
        }
        for (place, slot) in slots.iter().enumerate() {
            let entry = slot.record().and_then(|c| {
                let mut row = self.row(r).scaled.jacobian.iter();
                row.find(|it| it.0 == c).copied()
            });
            let (Some((c, entry)), false) = (entry, matches!(made, Made::Multipliers)) else {
                continue;
            };
            let pull = self.graph().mul(entry, x);
            let ratio = self.diagonal.as_ref().map(|it| it.ratios[c]);
            roots.push(match (made, ratio) {
                (Made::Force, _) | (_, None) => pull,
                (_, Some(ratio)) => self.graph().mul(ratio, pull),
            });
            writes.push(Write::Add(Array::Output, place));
        }
        Kernel {
            reads,
            roots,
            writes,
        }
    }
}
