//! `system!`: equations of motion against derivations by hand, closed forms and the laws of mechanics.

// Before those that use its macros.
#[macro_use]
#[path = "../common/within.rs"]
mod within;

#[path = "../common/apart.rs"]
mod apart;
mod benches;
mod bodies;
mod bodies_dense;
mod bodies_mixed;
mod bodies_plane;
mod by_hand;
mod contact_laws;
mod derivations;
mod frames;
mod friction_and_motors;
// Written through macros of their own, whose names the shims for IDEs keep apart by hygiene.
mod coupled;
#[cfg(not(rust_analyzer))]
mod generalized;
#[cfg(not(rust_analyzer))]
mod gravity;
mod impacts_in_sequence;
mod impulses;
mod inertia;
#[path = "../common/lagrange.rs"]
mod lagrange;
#[path = "../common/models/generated.rs"]
mod models;
mod nets;
mod one_sided;
mod one_sided_points;
#[cfg(not(rust_analyzer))]
mod outputs;
mod physics;
#[path = "../common/random.rs"]
mod random;
mod redundancy;
mod rolled;
mod rolled_bodies;
