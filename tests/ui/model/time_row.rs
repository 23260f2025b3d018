use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, t: Time| [x, t]
}

fn main() {}
