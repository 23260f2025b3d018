use constraint_runtime::prelude::*;

curve! {
    #[joined(1e-6)]
    struct Track;
    |s in 0..=2| if s < 1 { [s, 0.7071*s] } else { [s, sqrt(1/2)*s^2] }
}

fn main() {}
