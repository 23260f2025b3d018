//! What is exported as WGSL: naga reads and validates it, and run by its IR it computes what the engine's interpreter does.

#[path = "../../../../constraint-macros/symbolic/tests/printing/compiler.rs"]
mod compiler;
#[path = "../../../common/exported.rs"]
mod exported;
#[path = "../../../common/random.rs"]
mod random;
#[path = "../../../common/texts.rs"]
mod texts;

mod everywhere;
mod interpreter;
mod numbers;
mod valid;
