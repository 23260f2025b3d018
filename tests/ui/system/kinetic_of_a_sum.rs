use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    coordinate x, y;
    kinetic m/2*velocity(x + y)^2;
    potential x^2;
}

system! {
    struct Placed { m: Real = 1 }

    coordinate a, b;
    particle p = [cos(a + b), sin(a + b)] { mass: m }
}

fn main() {}
