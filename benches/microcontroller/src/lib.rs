//! What the programs have in common: a run in `f32` by RK4 with projection.

#![no_std]

use core::hint::black_box;

use constraint_runtime::prelude::*;
use emballoc::Allocator;
use panic_halt as _;

/// Nothing allocates on the way: it is there to be linked.
#[global_allocator]
static HEAP: Allocator<1024> = Allocator::new();

/// Steps without end.
#[inline(always)]
pub fn run<S: System<f32>>(system: S, start: State<S::Q, S::V>) -> ! {
    let Ok(mut run) = Simulation::new(system, start, Rk4::new(black_box(1e-3))) else {
        refused()
    };
    loop {
        if run.step().is_err() {
            refused();
        }
        black_box(run.state());
    }
}

#[inline(never)]
fn refused() -> ! {
    loop {
        black_box(());
    }
}
