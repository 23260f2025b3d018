//! Gradients of whole runs, against dual numbers sent through the same runs, differences, and closed forms.

#[path = "../common/random.rs"]
mod random;

mod contacts;
mod corrections;
mod events;
mod models;
mod refusals;
mod runs;
