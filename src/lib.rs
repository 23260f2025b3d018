//! Owner of the examples; holds no code.
