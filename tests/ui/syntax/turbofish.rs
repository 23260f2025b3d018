use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x.powf::<f64>(y)
}

fn main() {}
