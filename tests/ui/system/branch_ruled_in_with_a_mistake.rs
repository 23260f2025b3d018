use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p[3]: Point2 { mass: 1 }
    constraint rod[i in 0..3]: norm(p[i] - if i < 1 { [0, 0] } else { p[i - 2] }) == 1;
}

fn main() {}
