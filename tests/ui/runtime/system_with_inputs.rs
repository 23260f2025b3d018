use constraint_runtime::prelude::*;

system! {
    /// A cart that is pushed.
    struct Cart { m: Real = 1 }

    coordinate x;
    particle cart = [x, 0] { mass: m }
    input u;
    force x: u;
}

fn main() {
    let cart = Cart::<f64>::default();
    let start = State::new(0.0, CartCoordinates { x: 0.0 }, CartVelocities { x: 0.0 });
    let run = Simulation::new(cart, start, Rk4::new(1e-3));
}
