use constraint_runtime::prelude::*;

curve! {
    struct Cardioid { a: Real }
    |s in -PI..=PI| { let r = 2*a*(1 - cos(s)); [r*cos(s), r*sin(s)] }
}

fn main() {}
