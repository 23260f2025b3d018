use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1, l: Real = 2 }

    coordinate phi;
    particle cart: Point2 { mass: m }
    particle bob = cart + l*[sin(phi), -cos(phi)] { mass: m }
    input push, pull[2];
    constraint rail: cart.y == 0;
    force cart: [push + pull[0], pusch];
}

fn main() {
    let q = SCoordinates { phi: 0.0, cart: Point2::new(0.0, 0.0) };
    let v = SVelocities::default();
    let system = S::default().controlled_by(|_, q: &SCoordinates, v: &SVelocities| SInputs {
        push: -q.phi - v.cart.x,
        pull: [0.0; 2],
    });
    let start = State::new(0.0, q, v);
    let mut run = Simulation::new(system, start, Rk4::new(1e-3)).unwrap();
    run.step().unwrap();
    println!("{} {:?}", S::<f64>::DERIVATION, S::<f64>::CONSTRAINTS);
}
