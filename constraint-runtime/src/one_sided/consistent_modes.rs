//! The modes that the laws allow at an event.

use core::fmt;

use super::RowMode;

/// Motions that are listed.
pub(super) const MOST_LISTED: usize = 4;

/// Rows whose modes are listed, at [`BITS`] each.
const MOST_ROWS: usize = 21;

const BITS: usize = 3;

/// The modes in which the laws of contacts allow a system to move on from an event, one for each motion: modes that only
/// share forces differently among redundant rows are one motion.
///
/// At most four motions are listed, the one that a run takes first, and of each the modes of the first 21 constraints.
///
/// ```
/// use constraint_runtime::prelude::*;
/// use constraint_runtime::{Ambiguity, ContactLaws, RowMode};
///
/// system! {
///     /// A uniform rod that slides on its lower end (Painlevé).
///     struct Rod { m: Real = 1, l: Real = 2, mu: Real = 2.5, g: Real = 10 }
///     body rod: Rigid2 { mass: m, inertia: m*l^2/12 }
///     gravity [0, -g];
///     let tip = at(rod, [-l/2, 0]);
///     constraint floor: tip.y >= 0 { friction: mu, slip: velocity(tip).x };
/// }
/// // It turns so fast that it may leave the floor, and friction is so large that it may slide on as well.
/// let (sin, cos) = (0.6, 0.8);
/// let start = State::new(0.0, [cos, sin, cos, sin], [-1.0 - 5.0 * sin, 5.0 * cos, 5.0]);
/// let laws = ContactLaws { ambiguity: Ambiguity::Refuse, ..ContactLaws::default() };
/// let refused = ContactSimulation::with_laws(Rod::default(), start, Rk4::new(0.01), laws).unwrap_err();
/// let Error::Ambiguous { modes, .. } = refused else { panic!("{refused}") };
/// assert_eq!(modes.len(), 2);
/// assert_eq!((modes.mode(0, 0), modes.mode(1, 0)), (Some(RowMode::Open), Some(RowMode::Backward)));
/// // By default it takes the first of them.
/// let run = ContactSimulation::new(Rod::<f64>::default(), start, Rk4::new(0.01))?;
/// assert_eq!(run.modes(), [RowMode::Open]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct ConsistentModes {
    /// One for each motion: of each row the number of its mode in [`RowMode::ALL`], counted from 1.
    listed: [u64; MOST_LISTED],
}

impl ConsistentModes {
    /// Lists another motion, if there is room.
    pub(super) fn list(&mut self, modes: &[RowMode]) {
        let Some(place) = self.listed.iter_mut().find(|it| **it == 0) else {
            return;
        };
        for (row, mode) in modes.iter().enumerate().take(MOST_ROWS) {
            let number = RowMode::ALL.iter().position(|it| it == mode);
            *place |= number.map_or(0, |it| it as u64 + 1) << (BITS * row);
        }
    }

    /// Those of two decisions at one time: of the first if it is ambiguous, otherwise of the second.
    pub(super) fn or_ambiguous(self, other: Self) -> Self {
        if self.are_ambiguous() { self } else { other }
    }

    /// How many are listed.
    pub fn len(&self) -> usize {
        self.listed.iter().filter(|&&it| it != 0).count()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True if the laws allow more than one motion.
    pub fn are_ambiguous(&self) -> bool {
        self.len() > 1
    }

    /// The mode of a constraint in a motion, both counted from 0; `None` if it is not listed.
    pub fn mode(&self, motion: usize, constraint: usize) -> Option<RowMode> {
        let of = self.listed.get(motion)?;
        let number = of.checked_shr((BITS * constraint) as u32)? & ((1 << BITS) - 1);
        RowMode::ALL.get((number as usize).checked_sub(1)?).copied()
    }

    /// The modes of a motion, in the order of [`OneSided::GAPS`](super::OneSided::GAPS).
    pub fn modes(&self, motion: usize) -> impl Iterator<Item = RowMode> + '_ {
        (0..MOST_ROWS).map_while(move |row| self.mode(motion, row))
    }

    /// The first constraint whose mode differs between motions.
    pub(super) fn undecided(&self) -> Option<usize> {
        let differs =
            |row: &usize| (1..self.len()).any(|k| self.mode(k, *row) != self.mode(0, *row));
        (0..MOST_ROWS).find(differs)
    }
}

impl fmt::Debug for ConsistentModes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConsistentModes({self})")
    }
}

impl fmt::Display for ConsistentModes {
    /// As in `open, sticking or open, sliding forward`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for motion in 0..self.len() {
            f.write_str(if motion > 0 { " or " } else { "" })?;
            for (row, mode) in self.modes(motion).enumerate() {
                f.write_str(if row > 0 { ", " } else { "" })?;
                mode.fmt(f)?;
            }
        }
        Ok(())
    }
}
