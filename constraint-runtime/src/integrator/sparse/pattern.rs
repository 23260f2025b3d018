//! What the entries of a descriptor pair mean, and which of them are multiplied for rotating bodies.

use alloc::vec::Vec;

use crate::derivatives::DescriptorMatrix;

/// The meaning of an entry of a descriptor pair, with the indices of its velocity and of its velocity or row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Kind {
    /// M
    Mass,
    /// −∂F/∂q
    ByPlace,
    /// −∂F/∂v
    ByVelocity,
    /// Jᵀ
    Push,
    /// ∂C/∂q
    Held,
    /// ∂Φ/∂v
    Related,
    /// ∂Φ/∂q
    Carried,
    /// ω× of δθ̇ = δω + ω×δθ
    Turn,
    /// Entries that are the same in all systems, and those of inputs.
    Other,
}

/// W ω× or W ω×ω× of a row, W being ∂C/∂q or ∂Φ/∂q: the entries that are multiplied, and the index in the band.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Turned {
    pub(super) held: usize,
    pub(super) turn: usize,
    pub(super) again: Option<usize>,
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) place: usize,
}

/// An entry as the system reports it, its row and column among velocities followed by rows.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) kind: Kind,
    pub(super) row: usize,
    pub(super) column: usize,
}

impl Found {
    /// For `n` velocities; `related` marks rows that are relations between velocities.
    pub(super) fn of(
        (matrix, row, column): (DescriptorMatrix, usize, usize),
        n: usize,
        related: &[bool],
    ) -> Self {
        use DescriptorMatrix::{A, B, E};
        let kind = match (matrix, row / n, column / n) {
            (E, 1, 1) => Kind::Mass,
            (A, 0, 0) => Kind::Turn,
            (A, 1, 0) => Kind::ByPlace,
            (A, 1, 1) => Kind::ByVelocity,
            (A, 1, _) => Kind::Push,
            (A, 2.., 0) if related[row - 2 * n] => Kind::Carried,
            (A, 2.., 0) => Kind::Held,
            (A, 2.., 1) => Kind::Related,
            (E | A | B, ..) => Kind::Other,
        };
        let among = |index: usize| if index < n { index } else { index - n };
        Self {
            kind,
            row: among(row),
            column: if column < 2 * n {
                column % n
            } else {
                column - n
            },
        }
    }
}

impl Kind {
    /// True if it occurs in the matrix.
    pub(super) fn is_kept(self) -> bool {
        !matches!(self, Kind::Turn | Kind::Other)
    }

    /// True if it is of M or J.
    pub(super) fn is_weight(self) -> bool {
        matches!(self, Kind::Mass | Kind::Held | Kind::Related)
    }

    /// True if its rates along the motion count.
    pub(super) fn is_differentiated(self) -> bool {
        matches!(
            self,
            Kind::Held | Kind::Related | Kind::Carried | Kind::Turn
        )
    }
}

/// The products of ∂C/∂q or ∂Φ/∂q with ω×, and of ∂C/∂q with ω×ω×.
pub(super) fn products(entries: &[Found]) -> Vec<Turned> {
    let mut turns = alloc::collections::BTreeMap::<usize, Vec<usize>>::new();
    for (k, entry) in entries.iter().enumerate() {
        if entry.kind == Kind::Turn {
            turns.entry(entry.row).or_default().push(k);
        }
    }
    let by = |column: usize| turns.get(&column).into_iter().flatten().copied();
    let mut products = Vec::new();
    let of_places = |kind: Kind| matches!(kind, Kind::Held | Kind::Carried);
    let all = entries.iter().enumerate();
    for (held, entry) in all.filter(|(_, entry)| of_places(entry.kind)) {
        for turn in by(entry.column) {
            let middle = entries[turn].column;
            let product = |again: Option<usize>| Turned {
                held,
                turn,
                again,
                row: entry.row,
                column: again.map_or(middle, |again| entries[again].column),
                place: 0,
            };
            products.push(product(None));
            if entry.kind == Kind::Held {
                products.extend(by(middle).map(|again| product(Some(again))));
            }
        }
    }
    products
}
