//! The chain as a `World`.

use constraint_runtime::joint::Ball;
use constraint_runtime::prelude::*;

use crate::chain::{Chain, G, LENGTH, MOMENTS, STEP};

pub struct Ours {
    world: World3,
    last: BodyHandle,
}

impl Ours {
    pub fn new(links: usize, solver: impl Into<Solver>) -> Self {
        let mut world = World3::new()
            .with_gravity([0.0, 0.0, -G])
            .with_solver(solver);
        let inertia = Inertia3::principal(1.0, MOMENTS).expect("a good inertia");
        let mut last = world
            .add(Body3::fixed(Rigid3::identity()))
            .expect("a good place");
        let mut above = Rigid3::identity();
        for i in 0..links {
            let place = Rigid3::translation((i as f64 + 0.5) * LENGTH, 0.0, 0.0);
            let link = world.add(Body3::new(inertia, place)).expect("a good place");
            let pin = Ball::between(&above, &place, &Point3::new(i as f64 * LENGTH, 0.0, 0.0));
            world.connect(pin, [last, link]).expect("known bodies");
            (last, above) = (link, place);
        }
        Self { world, last }
    }
}

impl Chain for Ours {
    fn step(&mut self) {
        self.world.step(STEP).expect("a good step");
    }

    fn drift(&self) -> f64 {
        self.world.drift()
    }

    fn end(&self) -> [f64; 3] {
        self.world
            .pose(self.last)
            .expect("its own body")
            .translation
            .vector
            .into()
    }
}
