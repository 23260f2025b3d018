use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    coordinate x, theta;
    kinetic m/2*x_dot^2 + m/2*velocity(theta)^2;
    dissipation dtheta^2 + v_x^2;
}

fn main() {}
