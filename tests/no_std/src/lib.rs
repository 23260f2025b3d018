//! A generated constraint, a generated system with inputs, a simulation, a world and a curve where there is no standard library.

#![no_std]

use core::panic::PanicInfo;

use constraint_runtime::joint::Hinge;
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

/// How far a door has turned after a second, and how far its hinge has drifted.
pub fn door() -> Result<[f32; 2], Error> {
    let mut world = World3::<f32>::new().with_gravity([0.0, 9.81, 0.0]);
    let (frame, door) = (Rigid3::identity(), Rigid3::translation(0.5, 0.0, 0.0));
    let wall = world.add(Body3::fixed(frame))?;
    let panel = world.add(Body3::new(Inertia3::principal(20.0, [1.7, 8.4, 6.7])?, door))?;
    let hinge = Hinge::between(&frame, &door, &Point3::origin(), &Vector3::z_axis());
    world.connect(hinge, [wall, panel])?;
    world.run_until(1.0, 1e-2)?;
    Ok([world.pose(panel)?.rotation.angle(), world.drift()])
}

curve! {
    /// y = x², from 0 to 1.
    pub struct Hump;
    |s in 0..=1| [s, s^2]
}

/// The length of the curve, and the parameter nearest to a point.
pub fn hump() -> Result<[f64; 2], Error> {
    let length = ArcLength::new(&Hump)?;
    let nearest = length.nearest(&[0.0, 1.0].into())?;
    Ok([length.length(), nearest.parameter])
}
