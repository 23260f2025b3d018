use constraint_runtime::prelude::*;

system! {
    #[derivatives(q, v)]
    struct Bead { m: Real = 1 }
    particle bead: Point2 { mass: m }
}

constraint! {
    #[derivatives = "all"]
    struct Rod { l: Real }
    |bob: Point2| norm(bob) == l
}

curve! {
    #[derivatives()]
    struct Bowl;
    |s in -1..=1| [s, s^2]
}

fn main() {}
