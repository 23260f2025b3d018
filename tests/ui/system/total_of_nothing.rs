//! Nothing has a mass.

use constraint_runtime::prelude::*;

system! {
    struct Spring { m: Real = 1, k: Real = 2 }
    coordinate x;
    kinetic m/2*velocity(x)^2;
    potential k/2*x^2;
    output center_of_mass;
}

fn main() {}
