//! `#[derivatives]`: what is generated, against closed forms and against dual numbers through the same system.

mod bodies;
mod closed_forms;
mod dual_numbers;
mod equilibria;
mod loops;
mod reduced;
