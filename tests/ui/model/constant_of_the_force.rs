use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y, z| [x + y*z, sin(y) + 1e200*z^2]
}

fn main() {}
