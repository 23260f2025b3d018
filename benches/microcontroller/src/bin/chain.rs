//! A chain of eight links that hangs from one end.

#![no_std]
#![no_main]

use constraint_runtime::prelude::*;
use cortex_m_rt::entry;
use microcontroller::run;

system! {
    struct Chain { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    particle bead[8]: Point2 { mass: m }
    constraint link[0]: norm(bead[0]) == l;
    for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i - 1]) == l; }
    gravity [0, -g];
}

#[entry]
fn main() -> ! {
    let q = core::array::from_fn::<f32, 16, _>(|i| {
        if i % 2 == 0 {
            1.0 + (i / 2) as f32
        } else {
            0.0
        }
    });
    run(
        core::hint::black_box(Chain::default()),
        State::new(0.0, q, [0.0; 16]),
    )
}
