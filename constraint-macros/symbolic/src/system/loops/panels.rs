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

use super::rolling::{Rolling, Side};
use super::routine::{Array, Kernel, Routine, Signature, Slot, Stage, Write};
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

impl Rolling<'_> {
    /// The quantities that need a solution.
    pub(super) fn by_panels(&mut self, panels: &Panels) -> BTreeMap<Quantity, Routine> {
        let one = self.derivation.graph.number(Number::ONE);
        let mass = self.derivation.graph.recip(self.common);
        let accelerating = self.assembled(panels, Side::Acceleration);
        // Where w = 1, the units are the same.
        let forcing = if self.common == one {
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
        let coupled = self.coupled.clone();
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
        self.sign_row(&mut signature, r);
        for c in self.rows.records(r) {
            self.sign_load(&mut signature, c, side);
            self.sign_ratio(&mut signature, c);
        }
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        let Some(place) = panels.entry(r, r) else {
            return;
        };
        indices.extend([panels.unknown(r), place, r]);
        stage.push(words, indices, || {
            let mut reads = self.reads_of(&slots);
            let diagonal = self.delassus(r, r);
            let right = self.right_hand_side(r, side, &mut reads, slots.len() + 2);
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
        self.sign_row(&mut signature, i);
        self.sign_row(&mut signature, j);
        for c in self.rows.records(j) {
            self.sign_ratio(&mut signature, c);
        }
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        indices.extend(panels.entry(i, j));
        stage.push(words, indices, || Kernel {
            reads: self.reads_of(&slots),
            roots: vec![self.delassus(i, j)],
            writes: vec![Write::Set(Array::Blocks, slots.len())],
        });
    }

    fn made(&mut self, panels: &Panels, assembled: &Routine, made: Made) -> Routine {
        let mut routine = assembled.clone();
        if let Made::Acceleration(_) = made {
            routine.unordered(|stage| {
                for c in 0..self.system.coordinates.len() {
                    self.moves_freely(stage, c);
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

    fn moves_freely(&mut self, stage: &mut Stage<'_>, c: usize) {
        let mut signature = Signature::default();
        self.sign_load(&mut signature, c, Side::Acceleration);
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        indices.push(c);
        stage.push(words, indices, || Kernel {
            reads: self.reads_of(&slots),
            roots: vec![self.free.values[c]],
            writes: vec![Write::Set(Array::Output, slots.len())],
        });
    }

    /// The effect of one row's unknown on its coordinates.
    fn pull(&mut self, stage: &mut Stage<'_>, panels: &Panels, r: usize, made: Made) {
        let mut signature = Signature::default();
        self.sign_row(&mut signature, r);
        for c in self.rows.records(r) {
            self.sign_ratio(&mut signature, c);
        }
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        indices.extend([panels.unknown(r), r]);
        stage.push(words, indices, || self.pulling(&slots, r, made));
    }

    fn pulling(&mut self, slots: &[Slot], r: usize, made: Made) -> Kernel {
        let mut reads = self.reads_of(slots);
        let (unknown, row) = (slots.len(), slots.len() + 1);
        let x = self.read(&mut reads, "x", Array::Solution, unknown);
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
            let coordinate = slot.record();
            let entry = coordinate.and_then(|c| Some((c, self.entry(r, c)?)));
            let (Some((c, entry)), false) = (entry, matches!(made, Made::Multipliers)) else {
                continue;
            };
            let graph = &mut self.derivation.graph;
            let pull = graph.mul(entry, x);
            roots.push(match made {
                Made::Force => pull,
                _ => graph.mul(self.ratios[c], pull),
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
