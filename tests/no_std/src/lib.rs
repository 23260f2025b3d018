//! A generated constraint, a generated system with inputs and a simulation where there is no standard library.

#![no_std]

use core::panic::PanicInfo;

use constraint_runtime::prelude::*;
use libc_alloc::LibcAlloc;

#[global_allocator]
static ALLOCATOR: LibcAlloc = LibcAlloc;

#[panic_handler]
fn stop(_: &PanicInfo<'_>) -> ! {
    loop {}
}

constraint! {
    /// A bead on a parabola.
    pub struct Wire;
    |x, y| x*x + 100*y
}

system! {
    /// A cart on a rail, and a pole on a rod that it carries.
    #[derivatives]
    pub struct CartPole { cart_mass: Real = 1, m: Real = 0.2, l: Real = 0.6, g: Real = 9.81 }
    coordinate x;
    particle pole: Point2 { mass: m }
    input push;
    particle cart = [x, 0] { mass: cart_mass }
    constraint rod: norm(pole - [x, 0]) == l;
    gravity [0, -g];
    force x: push;
    output tension = multiplier(rod);
}

/// x of a bead on the wire after a second, in `f32`.
pub fn bead() -> Result<f32, Error> {
    let bead = Particle::new(1.0_f32).on(Wire).under_gravity([0.0, -9.81]);
    let start = State::new(0.0, [-100.0, -100.0], [0.0, 0.0]);
    let mut run = Simulation::new(bead, start, Rk4::new(1e-2))?;
    run.run_until(1.0)?;
    Ok(run.state().q.x)
}

/// Where the cart is after a second under a feedback law, in `f64`, and the pull of the rod.
pub fn cart_pole() -> Result<[f64; 2], Error> {
    let law = |_: f64, q: &CartPoleCoordinates, v: &CartPoleVelocities| CartPoleInputs {
        push: -8.0 * q.x - 4.0 * v.x,
    };
    let start = State::new(0.0, [1.0, 1.6, 0.0], [0.0; 3]);
    let system = CartPole::default().controlled_by(law);
    let mut run = Simulation::new(system, start, DormandPrince::new(1e-6, 1e-6))?;
    run.run_until(1.0)?;
    Ok([run.coordinates().x, run.outputs()?.tension])
}
