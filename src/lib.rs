//! Owner of the workspace examples and tests; holds no code.
