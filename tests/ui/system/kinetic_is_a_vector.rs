use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    kinetic [velocity(x)^2, 0];
}

fn main() {}
