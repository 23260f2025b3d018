use constraint_runtime::prelude::*;

system! {
    struct S;

    body wheel: Rigid2 { mass: 1, inertia: 1 }
    constraint pin: at(wheel, [0, 1]) == [0, 0];
    constraint again: norm_squared(at(wheel, [0, 1])) == 1;
}

fn main() {}
