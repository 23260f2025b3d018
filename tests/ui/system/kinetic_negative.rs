use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x, y;
    particle p = [x, y] { mass: 1 }
    kinetic velocity(x)^2/2;
    kinetic -2*velocity(x)^2;
}

system! {
    struct Everywhere;

    coordinate x;
    kinetic -(1 + x^2)*velocity(x)^2;
}

fn main() {}
