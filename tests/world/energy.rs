//! Impacts do not raise the energy, whatever is linked to what.

use constraint_runtime::joint::plane::Revolute;
use constraint_runtime::prelude::*;
use constraint_runtime::{Contact2, Limits};

use super::random::Random;

const H: f64 = 1e-6;

fn solvers() -> [Solver; 2] {
    [
        Solver::Exact,
        SequentialImpulses::new(100).with_projections(5).into(),
    ]
}

/// Kane's double pendulum, whose tip strikes a floor: angles from the horizontal, and their rates.
struct Pendulum {
    angles: [f64; 2],
    rates: [f64; 2],
    friction: f64,
    restitution: f64,
}

impl Pendulum {
    fn random(random: &mut Random) -> Self {
        Self {
            angles: [0, 1].map(|_| -random.between(0.1, 3.0)),
            rates: [0, 1].map(|_| random.between(-3.0, 3.0)),
            friction: random.between(0.1, 1.5),
            restitution: random.between(0.3, 1.0),
        }
    }

    /// Rods of length 1 and mass 1 on a hook, and a floor a little below the tip.
    fn world(&self, solver: Solver) -> (World2, BodyHandle) {
        let mut world = World2::new().with_solver(solver);
        let directions = self.angles.map(|it| Vector2::new(it.cos(), it.sin()));
        let turns = [0, 1].map(|k| Vector2::new(-directions[k].y, directions[k].x) * self.rates[k]);
        let hook = world.add(Body2::fixed(Rigid2::identity())).unwrap();
        let (mut last, mut pose) = (hook, Rigid2::identity());
        let (mut pin, mut speed) = (Vector2::zeros(), Vector2::zeros());
        for k in 0..2 {
            let next = Rigid2::new(pin + directions[k] * 0.5, self.angles[k]);
            let v = speed + turns[k] * 0.5;
            let rod = Body2::new(Inertia2::new(1.0, 1.0 / 12.0).unwrap(), next);
            let rod = world.add(rod.moving([v.x, v.y, self.rates[k]])).unwrap();
            let joint = Revolute::between(&pose, &next, &Point2::from(pin));
            world.connect(joint, [last, rod]).unwrap();
            (last, pose) = (rod, next);
            (pin, speed) = (pin + directions[k], speed + turns[k]);
        }
        let floor = pin.y - 1e-9;
        let (friction, restitution) = (self.friction, self.restitution);
        let world = world.with_contacts(move |world, found| {
            let tip = (world.pose(last).unwrap() * Point2::new(0.5, 0.0)).coords;
            let contact = Contact2::new([hook, last], tip, [0.0, 1.0], tip.y - floor);
            let contact = contact.with_friction(friction);
            found.push(contact.with_restitution(restitution));
        });
        (world, last)
    }
}

fn tip_speed(world: &World2, rod: BodyHandle) -> f64 {
    let (pose, v) = (world.pose(rod).unwrap(), world.velocity(rod).unwrap());
    v[1] + v[2] * (pose.rotation * Vector2::new(0.5, 0.0)).x
}

/// Newton's law alone gains energy in some of these impacts: there the tip leaves more slowly than e times its arrival, and
/// everywhere else exactly with it.
#[test]
fn the_double_pendulum_that_strikes_the_floor_gains_no_energy() {
    let random = &mut Random::new(17);
    let (mut struck, mut lessened) = (0, 0);
    for _ in 0..400 {
        let pendulum = Pendulum::random(random);
        for solver in solvers() {
            let (mut world, rod) = pendulum.world(solver);
            let (before, arrival) = (world.energy(), tip_speed(&world, rod));
            if arrival > -1e-2 {
                continue;
            }
            world.step(H).unwrap();
            if world.contact_residual() > 1e-9 {
                assert!(solver != Solver::Exact, "{}", world.contact_residual());
                continue; // Sweeps end before joints and contact agree.
            }
            let after = world.energy();
            assert!(after <= before * (1.0 + 1e-12), "{after} {before}");
            let part = tip_speed(&world, rod) / (-arrival * pendulum.restitution);
            assert!(part < 1.0 + 1e-3, "{part}");
            struck += 1;
            // Where less is returned, all of the energy is kept.
            if part < 0.999 {
                lessened += 1;
                assert!(after > before * (1.0 - 1e-4), "{part} {after} {before}");
            }
        }
    }
    assert!(
        struck > 200 && (4..struck / 2).contains(&lessened),
        "{struck} {lessened}"
    );
}

/// A chain whose limits rebound, several at once, with different restitutions.
#[test]
fn limits_that_rebound_at_once_gain_no_energy() {
    let random = &mut Random::new(5);
    for case in 0..30 {
        for solver in solvers() {
            let mut world = World2::new().with_solver(solver);
            let mut last = world.add(Body2::fixed(Rigid2::identity())).unwrap();
            let mut pose = Rigid2::identity();
            let mut at = Vector2::zeros();
            for _ in 0..4 {
                let next = Rigid2::translation(at.x + 0.5, 0.0);
                let mass = random.between(0.2, 3.0);
                let rod = Body2::new(Inertia2::new(mass, mass / 12.0).unwrap(), next);
                let rod = world.add(rod).unwrap();
                let limits = Limits::new(-0.02..=0.02).with_restitution(random.between(0.0, 1.0));
                let joint = Revolute::between(&pose, &next, &Point2::from(at)).with_limits(limits);
                world.connect(joint, [last, rod]).unwrap();
                world
                    .set_force(rod, [0.0, 40.0 * random.between(-1.0, 1.0), 0.0])
                    .unwrap();
                (last, pose) = (rod, next);
                at.x += 1.0;
            }
            world.step(5e-2).unwrap();
            for body in world.bodies().collect::<Vec<_>>() {
                world.set_force(body, [0.0; 3]).unwrap();
            }
            let mut before = world.energy();
            for _ in 0..60 {
                world.step(1e-3).unwrap();
                let after = world.energy();
                assert!(after <= before * (1.0 + 1e-5), "{case}: {after} {before}");
                before = after;
            }
        }
    }
}
