use constraint_runtime::prelude::*;

system! {
    #[derivatives]
    struct Beads { m: Real = 1 }
    particle bead[300]: Point2 { mass: m }
}

fn linearized(_: &impl Derivatives<f64>) {}

fn main() {
    linearized(&Beads::default());
}
