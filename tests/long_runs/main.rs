//! Runs of 10⁵ and 10⁶ steps. A binary of their own, since these alone are built optimised too.

#[path = "../common/models/by_hand.rs"]
mod by_hand;
mod curves;
#[path = "../common/models/generated.rs"]
mod generated;
mod implicit;
mod joints;
mod systems;
// Its expansion takes a minute, which only what is optimised is given.
#[cfg(not(any(debug_assertions, rust_analyzer)))]
mod stackless;
