use constraint_runtime::prelude::*;

system! {
    struct Cart { m: Real = 1 }
    coordinate x;
    particle cart = [x, 0] { mass: m }
    input u = 3;
    force x: u;
}

fn main() {}
