//! Models as someone writes them who has read docs/language.md, each against mechanics by hand or a second formulation.
//!
//! Their texts stay as they were first written: what did not compile at once was mended in the language, not here.

mod chains;
mod crowds;
mod figures;
mod identified;
mod machines;
mod small;
mod taught;
mod vehicles;

#[path = "../common/lagrange.rs"]
mod lagrange;
