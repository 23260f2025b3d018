use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    input u;
    kinetic u*velocity(x)^2;
}

fn main() {}
