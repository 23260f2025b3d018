//! A cart on a rail and a pole on a rod that it carries, pushed.

#![no_std]
#![no_main]

use constraint_runtime::prelude::*;
use cortex_m_rt::entry;
use microcontroller::run;

system! {
    struct CartPole { cart_mass: Real = 1, m: Real = 0.2, l: Real = 0.6, g: Real = 9.81 }
    coordinate x;
    particle pole: Point2 { mass: m }
    input push;
    particle cart = [x, 0] { mass: cart_mass }
    constraint rod: norm(pole - [x, 0]) == l;
    gravity [0, -g];
    force x: push;
}

#[entry]
fn main() -> ! {
    let law = |_: f32, q: &CartPoleCoordinates<f32>, v: &CartPoleVelocities<f32>| CartPoleInputs {
        push: -8.0 * q.x - 4.0 * v.x,
    };
    let start = State::new(0.0, [1.0, 1.6, 0.0], [0.0; 3]);
    run(
        core::hint::black_box(CartPole::default()).controlled_by(law),
        start,
    )
}
