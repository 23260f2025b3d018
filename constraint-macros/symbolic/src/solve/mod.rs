//! The linear system of the multipliers, eliminated symbolically.
//!
//! (J W Jᵀ) λ = b is symmetric, and positive definite if the rows are independent. One row is a division; more rows are
//! eliminated by a sparse LDLᵀ whose zeros are known at expansion, with the last two rows at once.

mod computed;
mod dissection;
mod ordering;
mod panels;
mod quantity;
mod row;
mod scaling;
mod schur;
mod sparse;
mod step;
mod units;
mod weighted;

pub use computed::{Computed, Form, cheapest_after, program};
pub use ordering::{
    columns, fewest_products, least_degree_order, neighbours, order_from_both_ends,
    order_from_one_end,
};
pub use panels::{Panels, WIDTH};
pub use quantity::Quantity;
pub use row::{ScaledRow, SparseRow, divide_terms, indexed};
pub use schur::{Given, Multipliers, Schur};
pub use sparse::{Factors, Pivot, Sparse, Substituted, factor};
pub use step::{Entries, Inverse, Step};
pub use weighted::{Collected, Mass, MassFactors, common_mass, divided, entries, guard};
