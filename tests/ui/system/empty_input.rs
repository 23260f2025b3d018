use constraint_runtime::prelude::*;

system! {}

fn main() {}
