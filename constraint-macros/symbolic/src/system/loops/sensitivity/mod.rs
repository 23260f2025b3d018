//! Derivatives of v̇ and λ in loops: variations and adjoints solve the same system, with the L that is there.
//!
//! ```text
//! v̇ = M⁻¹ h + W J′ᵀ μ,   J′ v̇ = −β′,   λ = μ/(w c)         A = J′ W J′ᵀ
//! forwards    f = δ(M⁻¹ h) + δ(W J′ᵀ) μ                     at each velocity, μ stands still
//!             A δμ = −δβ′ − δJ′ v̇ − J′ f                    of each row
//!             δv̇ = f + W J′ᵀ δμ
//! backwards   A y = J′ W v̇* + λ*/(w c),   x = v̇* − J′ᵀ y
//!             gradient of x·(M⁻¹ h + W J′ᵀ μ) − y·(J′ v̇ + β′) + λ*·λ,   where x, y, v̇ and μ stand still
//! ```
//! Forwards the second right-hand side is made of the solution; backwards both are known at once. What is made of a
//! row alone and asked for by several stages is made in the elimination (`shared.rs`).

mod along;
mod back;
mod columns;
mod corrections;
mod item;
mod shared;

pub(super) use item::varied;

use std::collections::BTreeMap;

use super::rolling::{Rolling, Shared};
use super::routine::Routine;
use crate::solve::Quantity;

impl Rolling<'_> {
    /// Derivatives along a tangent, and gradients, those of corrections among them.
    pub(super) fn sensitivities(&mut self) -> BTreeMap<Quantity, Routine> {
        let rows_at = self.rows_at();
        self.shared.leaves = self.shared_leaves();
        let [place, velocity] = self.of_corrections(&rows_at);
        let mut routines = BTreeMap::from([
            (Quantity::Tangent, self.along(&rows_at)),
            (Quantity::Gradient, self.back(&rows_at)),
            place,
            velocity,
        ]);
        routines.extend(self.by_columns(&rows_at));
        self.shared = Shared::default();
        routines
    }
}
