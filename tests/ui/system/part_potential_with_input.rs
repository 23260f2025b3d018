use constraint_runtime::prelude::*;

system! {
    struct S;

    part Spring { rest: Real } {
        particle load: Point2 { mass: 1 }
        potential (norm(load) - rest)^2;
    }
    input u[2];
    for i in 0..2 { spring[i]: Spring { rest: u[i] } }
}

fn main() {}
