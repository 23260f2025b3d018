//! The modes that a row may have.

use crate::one_sided::{RowKind, RowMode};

/// The modes that a row may have.
#[derive(Clone, Copy, Debug)]
pub(in crate::one_sided) struct Candidates {
    pub(super) modes: [RowMode; 5],
    pub(super) count: usize,
    /// Whether the slip is zero, so that its change must have its direction.
    pub(super) starts: bool,
    /// Whether the gap may close: it is not zero, or it opens.
    pub(super) is_apart: bool,
}

impl Candidates {
    /// A row that takes no part.
    pub(in crate::one_sided) const APART: Self = Self {
        is_apart: true,
        ..Self::OPEN
    };

    /// A row that must open by itself.
    pub(in crate::one_sided) const OPEN: Self = Self::listed([RowMode::Open; 5], 1, false);

    /// A closed row without friction.
    pub(in crate::one_sided) const SMOOTH: Self = Self::listed(
        [
            RowMode::Closed,
            RowMode::Open,
            RowMode::Open,
            RowMode::Open,
            RowMode::Open,
        ],
        2,
        false,
    );

    /// A closed row whose slip is zero.
    pub(in crate::one_sided) const AT_REST: Self = Self::listed(
        [
            RowMode::Sticking,
            RowMode::Forward,
            RowMode::Backward,
            RowMode::Open,
            RowMode::Open,
        ],
        4,
        true,
    );

    /// A row of two sides whose slip is zero.
    const HELD: Self = Self::listed(
        [
            RowMode::Sticking,
            RowMode::Forward,
            RowMode::Backward,
            RowMode::ForwardPulled,
            RowMode::BackwardPulled,
        ],
        5,
        true,
    );

    /// A row of two sides without friction.
    const JOINED: Self = Self::listed([RowMode::Closed; 5], 1, false);

    /// A motor that runs at its speed.
    const RUNNING: Self = Self {
        count: 3,
        ..Self::HELD
    };

    /// The modes of a closed row with a slip, if it has one.
    pub(in crate::one_sided) fn closed(kind: RowKind, slip: Option<f64>) -> Self {
        match (kind, slip) {
            (RowKind::OneSided, None) => Self::SMOOTH,
            (RowKind::OneSided, Some(0.0)) => Self::AT_REST,
            (RowKind::TwoSided, Some(0.0)) => Self::HELD,
            (RowKind::Motor, Some(0.0)) => Self::RUNNING,
            (_, Some(slip)) => Self::sliding(kind, slip),
            (_, None) => Self::JOINED,
        }
    }

    /// Whether the row takes no part.
    pub(in crate::one_sided) fn is_apart(&self) -> bool {
        self.is_apart
    }

    const fn listed(modes: [RowMode; 5], count: usize, starts: bool) -> Self {
        Self {
            modes,
            count,
            starts,
            is_apart: false,
        }
    }

    /// A closed row that slides.
    fn sliding(kind: RowKind, slip: f64) -> Self {
        let [mode, pulled] = [true, false].map(|presses| RowMode::slide(slip > 0.0, presses));
        let (other, count) = match kind {
            RowKind::OneSided => (RowMode::Open, 2),
            RowKind::TwoSided => (pulled, 2),
            RowKind::Motor => (mode, 1),
        };
        Self::listed([mode, other, mode, mode, mode], count, false)
    }

    /// The same, with one mode tried first.
    pub(in crate::one_sided) fn preferring(mut self, mode: RowMode) -> Self {
        let listed = &mut self.modes[..self.count];
        if let Some(at) = listed.iter().position(|&it| it == mode) {
            listed[..=at].rotate_right(1);
        }
        self
    }

    /// The same without a mode; unchanged if it is the only one.
    pub(in crate::one_sided) fn without(mut self, mode: RowMode) -> Self {
        let listed = &mut self.modes[..self.count];
        if let Some(at) = listed.iter().position(|&it| it == mode)
            && self.count > 1
        {
            listed[at..].rotate_left(1);
            self.count -= 1;
        }
        self
    }
}
