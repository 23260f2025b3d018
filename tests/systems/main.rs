//! `system!`: equations of motion against derivations by hand, closed forms and the laws of mechanics.

mod benches;
mod bodies;
mod bodies_dense;
mod bodies_mixed;
mod bodies_plane;
mod by_hand;
mod derivations;
mod frames;
mod generalized;
mod gravity;
mod impulses;
mod inertia;
#[path = "../common/models/generated.rs"]
mod models;
mod nets;
mod outputs;
mod physics;
#[path = "../common/random.rs"]
mod random;
mod redundancy;
mod rolled;
mod rolled_bodies;
