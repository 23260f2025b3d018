use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x, y;
    kinetic velocity(x)^2/2 + velocity(y)^2/2;
    force [x, velocity(y)]: [1, 2];
}

fn main() {}
