use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x + angular_velocity(y)
}

fn main() {}
