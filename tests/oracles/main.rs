//! Everything the engine derives, against oracles that never saw the engine: dual numbers, differences, dense equations.

mod constraints;
mod derivatives;
mod forces;
mod functions;
mod harness;
mod scalars;
mod systems;
