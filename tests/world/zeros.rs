//! Places, turns and velocities that are zero, exactly or nearly, move as the exact ones do.

use super::random::Random;
use super::*;

/// Deviations from zero that are nothing.
const NOTHING: [f64; 7] = [0.0, 1e-17, -1e-17, 1e-30, -1e-30, 1e-300, -1e-300];

/// A swing of two links below a carriage on a rail, perhaps with an end, all of whose coordinates but heights are zero or `nothing`.
fn swing(has_end: bool, mut nothing: impl FnMut() -> f64) -> World3 {
    let mut world = World3::new().with_gravity(DOWN);
    let ground = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let mut add = |world: &mut World3, z: f64, velocity: [f64; 6]| {
        let place = Vector3::new(nothing(), nothing(), z);
        let turn = Vector3::new(nothing(), nothing(), nothing());
        let body = Body3::new(ball_of_mass(1.0), Rigid3::new(place, turn));
        let velocity = velocity.map(|x| if x == 0.0 { nothing() } else { x });
        world.add(body.moving(velocity)).unwrap()
    };
    let carriage = add(&mut world, 0.0, [0.0; 6]);
    let upper = add(&mut world, -0.5, [-0.5, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let lower = add(&mut world, -1.5, [-1.5, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let at = |z: f64| Rigid3::translation(0.0, 0.0, z);
    let (x, y) = (Vector3::x_axis(), Vector3::y_axis());
    let rail = Prismatic::between(&at(0.0), &at(0.0), &Point3::origin(), &x);
    let end = Limits::new(-0.01..=1.0).with_restitution(0.5);
    let held = [ground, carriage];
    if has_end {
        world.connect(rail.with_limits(end), held).unwrap();
    } else {
        world.connect(rail, held).unwrap();
    }
    let pin = Hinge::between(&at(0.0), &at(-0.5), &Point3::origin(), &y);
    world.connect(pin, [carriage, upper]).unwrap();
    let below = Point3::new(0.0, 0.0, -1.0);
    let pin = Hinge::between(&at(-0.5), &at(-1.5), &below, &y);
    world.connect(pin, [upper, lower]).unwrap();
    world
}

#[test]
fn nearly_nothing_moves_as_nothing_does() {
    let methods = [
        |world: World3| world,
        |world: World3| world.with_method(WorldMethod::SemiImplicitEuler),
        |world: World3| world.with_solver(SequentialImpulses::new(40)),
    ];
    let mut random = Random::new(1);
    for with_method in methods {
        let run = |mut world: World3| {
            for _ in 0..60 {
                world.step(1.0 / 120.0).unwrap();
            }
            world.state()
        };
        let exact = run(with_method(swing(true, || 0.0)));
        for case in 0..2 * NOTHING.len() {
            let near = swing(true, || match NOTHING.get(case) {
                Some(&x) => x,
                None => *random.pick(&NOTHING),
            });
            let found = run(with_method(near));
            let off = (found.q - &exact.q).amax().max((found.v - &exact.v).amax());
            assert!(off < 1e-9, "{case}: {off:e}");
        }
    }
}

/// As a system, under a method whose tolerances are parts of each coordinate alone.
#[test]
fn a_world_of_nearly_nothing_starts_as_a_system() {
    for nothing in NOTHING {
        let world = swing(false, || nothing);
        let start = world.state();
        let mut run = Simulation::new(world, start, DormandPrince::new(1e-9, 0.0)).unwrap();
        run.run_until(0.01).unwrap();
    }
}
