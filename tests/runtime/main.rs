//! The runtime: motion, integrators, events, stabilisation, units and refusals.

#[path = "../common/models/by_hand.rs"]
mod by_hand;

mod adaptive;
mod allocation;
// Before those that use its macros.
#[macro_use]
#[path = "../common/within.rs"]
mod within;

#[path = "../common/apart.rs"]
mod apart;
mod convergence;
mod damaged;
mod elsewhere;
mod events;
mod far;
mod first_slopes;
#[path = "../common/models/generated.rs"]
mod generated;
mod gradients;
mod growable;
mod implicit;
mod large;
mod motion;
mod rattle;
mod sampling;
mod saved;
mod settings;
mod units;
