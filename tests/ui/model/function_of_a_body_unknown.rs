use constraint_runtime::prelude::*;

constraint! {
    struct S;
    |a: Rigid3, b: Rigid3| torque(a) == torque(b)
}

fn main() {}
