use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, t: Time, u: Time| x - t - u
}

fn main() {}
