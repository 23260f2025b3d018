use constraint_runtime::prelude::*;

system! {
    struct S;

    part Chain { n: Real } { particle bead[n]: Point2 { mass: 1 } }
    a: Chain { n: 3 }
    b: Chain { n: 4 }
}

fn main() {}
