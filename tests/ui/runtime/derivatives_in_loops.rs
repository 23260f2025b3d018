use constraint_runtime::prelude::*;

system! {
    #[derivatives]
    #[solver(rolled)]
    struct Net { m: Real = 1 }
    particle knot[8][8]: Point3 { mass: m }
    for i in 0..8 { for j in 1..8 { constraint x[i][j]: norm(knot[i][j] - knot[i][j-1]) == 1; } }
    for i in 1..8 { for j in 0..8 { constraint y[i][j]: norm(knot[i][j] - knot[i-1][j]) == 1; } }
}

fn linearized(_: &impl Derivatives<f64>) {}

fn main() {
    linearized(&Net::default());
}
