use constraint_runtime::prelude::*;

constraint! {
    /// Two points of bodies at a distance.
    struct Rod { length: Real }
    |a: Rigid3, b: Rigid3| norm(at(a, [1, 0, 0]) - at(b, [0, 0, 0])) == length
}

constraint! {
    struct Floor;
    |x, y| y >= 0
}

fn main() {
    let rod = Particle::new(1.0).on(Rod { length: 1.0 });
    let floor = Particle::new(1.0).on(Floor);
}
