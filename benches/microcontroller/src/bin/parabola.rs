//! A bead on a parabola.

#![no_std]
#![no_main]

use constraint_runtime::prelude::*;
use cortex_m_rt::entry;
use microcontroller::run;

system! {
    struct Parabola { m: Real = 1, g: Real = 9.81 }
    particle bead: Point2 { mass: m }
    constraint wire: bead.x^2 + 100*bead.y == 0;
    gravity [0, -g];
}

#[entry]
fn main() -> ! {
    let start = State::new(0.0, [-100.0, -100.0], [0.0; 2]);
    run(core::hint::black_box(Parabola::default()), start)
}
