use constraint_runtime::prelude::*;

system! {
    #[derivatives]
    #[solver(rolled)]
    struct Chain { m: Real = 1 }
    body link[20]: Rigid2 { mass: m, inertia: 1 }
    for i in 1..20 { constraint pin[i]: at(link[i], [0, 1]) == at(link[i - 1], [0, -1]); }
}

fn linearized(_: &impl Derivatives<f64>) {}

fn main() {
    linearized(&Chain::default());
}
