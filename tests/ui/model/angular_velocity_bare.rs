use constraint_runtime::prelude::*;

fn main() {
    let _ = constraint!(x + angular_velocity(a));
}
