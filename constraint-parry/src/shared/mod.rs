//! The items of both dimensions, in terms of their types and conversions (`dim2.rs`, `dim3.rs`).

mod collider;
mod colliders;
mod query;

pub use collider::{Collider, inertia};
pub use colliders::Colliders;
pub use query::{Query, RayHit};

use super::{
    Contact, Inertia, Rigid, Vector, World, from_parry, into_parry, moments, parry, pose, speeds,
};
