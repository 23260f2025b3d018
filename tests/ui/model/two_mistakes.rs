use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| [sine(x), y + z, norm(x)]
}

fn main() {}
