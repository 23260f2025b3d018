use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x, y;
    fn wire(s) = [s, sine(s)];
    particle a = wire(x) { mass: 1 }
    particle b = wire(y) { mass: 1 }
}

fn main() {}
