use constraint_runtime::prelude::*;

curve! {
    #[joined]
    struct Track;
    |s in 0..=2| [s, s^2]
}

curve! {
    #[joined(2)]
    struct Other;
    |s in 0..=2| [s, s^2]
}

curve! {
    #[joined(1e-5, 1e-6)]
    struct Third;
    |s in 0..=2| [s, s^2]
}

fn main() {}
