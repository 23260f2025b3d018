use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x^340282366920938463463374607431768211455 + y
}

fn main() {}
