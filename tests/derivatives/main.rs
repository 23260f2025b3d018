//! `#[derivatives]`: what is generated, against closed forms and against dual numbers through the same system.

// Before those that use its macros.
#[macro_use]
#[path = "../common/within.rs"]
mod within;

mod bodies;
mod closed_forms;
mod corners;
mod descriptor;
mod dual_numbers;
mod equilibria;
mod forces;
mod loops;
mod loops_of_bodies;
mod modes;
mod newton;
mod reach;
mod reduced;
mod rests;
mod shares;
mod task_space;

#[path = "../common/random.rs"]
mod random;
