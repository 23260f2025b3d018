//! The modes that a row may have.

use crate::one_sided::RowMode;

/// The modes that a row may have.
#[derive(Clone, Copy, Debug)]
pub(in crate::one_sided) struct Candidates {
    pub(super) modes: [RowMode; 4],
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
    pub(in crate::one_sided) const OPEN: Self = Self::listed([RowMode::Open; 4], 1, false);

    /// A closed row without friction.
    pub(in crate::one_sided) const SMOOTH: Self = Self::listed(
        [RowMode::Closed, RowMode::Open, RowMode::Open, RowMode::Open],
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
        ],
        4,
        true,
    );

    const fn listed(modes: [RowMode; 4], count: usize, starts: bool) -> Self {
        Self {
            modes,
            count,
            starts,
            is_apart: false,
        }
    }

    /// A closed row that slides.
    pub(in crate::one_sided) fn sliding(slip: f64) -> Self {
        let mode = if slip > 0.0 {
            RowMode::Forward
        } else {
            RowMode::Backward
        };
        Self::listed([mode, RowMode::Open, mode, mode], 2, false)
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
