//! Runs of 10⁵ and 10⁶ steps, and the examples that compute for long. A package of its own, optimised in every build: see the
//! workspace's profiles.

#![allow(
    clippy::duplicate_mod,
    reason = "examples are programs of their own and share modules by path"
)]

#[path = "../common/models/by_hand.rs"]
mod by_hand;
mod curves;
mod drawn;
#[path = "../common/models/generated.rs"]
mod generated;
mod implicit;
mod joints;
mod stacks;
mod systems;
// Its expansion takes a minute, which IDEs and lints are spared.
#[cfg(not(rust_analyzer))]
mod stackless;
