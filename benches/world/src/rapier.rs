//! The chain in rapier, in double precision: impulse joints, no colliders.

use rapier3d_f64::prelude::*;

use crate::chain::{Chain, G, LENGTH, MOMENTS, STEP};

pub struct Rapier {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

impl Rapier {
    pub fn new(links: usize, iterations: usize) -> Self {
        let mut world = PhysicsWorld::default();
        world.gravity = Vector::new(0.0, 0.0, -G);
        world.integration_parameters.dt = STEP;
        world.integration_parameters.num_solver_iterations = iterations;
        world.integration_parameters.warmstart_joints = true;
        let half = Vector::new(LENGTH / 2.0, 0.0, 0.0);
        let mut bodies = vec![world.bodies.insert(RigidBodyBuilder::fixed())];
        for i in 0..links {
            let mass = MassProperties::new(Vector::ZERO, 1.0, Vector::from(MOMENTS));
            let link = RigidBodyBuilder::dynamic()
                .translation(Vector::new((i as f64 + 0.5) * LENGTH, 0.0, 0.0))
                .additional_mass_properties(mass)
                .can_sleep(false);
            let link = world.bodies.insert(link);
            let end = if i == 0 { Vector::ZERO } else { half };
            let joint = SphericalJointBuilder::new()
                .local_anchor1(end)
                .local_anchor2(-half);
            world.impulse_joints.insert(bodies[i], link, joint, true);
            bodies.push(link);
        }
        Self { world, bodies }
    }
}

impl Chain for Rapier {
    fn step(&mut self) {
        self.world.step();
    }

    fn drift(&self) -> f64 {
        let half = Vector::new(LENGTH / 2.0, 0.0, 0.0);
        let pairs = self.bodies.windows(2).enumerate();
        pairs.fold(0.0, |most: f64, (i, pair)| {
            let [a, b] = [pair[0], pair[1]].map(|it| *self.world.bodies[it].position());
            let end = if i == 0 { Vector::ZERO } else { half };
            let apart = b.rotation * -half + b.translation - (a.rotation * end + a.translation);
            most.max(apart.abs().max_element())
        })
    }

    fn end(&self) -> [f64; 3] {
        let last = self.bodies.last().expect("a link");
        self.world.bodies[*last].translation().into()
    }
}
