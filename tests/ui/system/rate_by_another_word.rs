use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    coordinate x, y;
    kinetic m/2 * (rate(x)^2 + der(y)^2);
    constraint line: x == derivative(y);
    output pull = multiplier(line);
}

fn main() {}
