//! Random scenes: boxes that fall into a trough, some of them chained by hinges with limits and dry friction.
//!
//! `CONSTRAINT_CASES=10000` runs so many scenes instead of 2; `CONSTRAINT_SEED=17` runs that one.

use constraint_runtime::joint::plane::Revolute;
use constraint_runtime::prelude::*;
use constraint_runtime::{Contact2, Limits, Motor};

use super::G;
use super::random::Random;

const H: f64 = 4e-3;

struct Scene {
    world: World2,
    swept: bool,
    boxes: Vec<(BodyHandle, [f64; 2])>,
    walls: Vec<(Vector2<f64>, f64)>,
}

/// The depths of the corners of a box below the walls.
fn corners(
    pose: &Rigid2,
    [x, y]: [f64; 2],
    wall: &(Vector2<f64>, f64),
) -> [(Vector2<f64>, f64); 4] {
    [[-x, -y], [x, -y], [x, y], [-x, y]].map(|corner| {
        let corner = (pose * Point2::from(corner)).coords;
        (corner, wall.0.dot(&corner) - wall.1)
    })
}

fn scene(seed: u64) -> Scene {
    let random = &mut Random::new(seed);
    let swept = random.once_in(3);
    let solver = if swept {
        SequentialImpulses::new(60).into()
    } else {
        Solver::Exact
    };
    let mut world = World2::new().with_gravity([0.0, -G]).with_solver(solver);
    let ground = world.add(Body2::fixed(Rigid2::identity())).unwrap();
    let lean = random.between(0.5, 1.4);
    let walls = vec![
        (Vector2::y(), 0.0),
        (Vector2::new(lean.sin(), lean.cos()), -3.0),
        (Vector2::new(-lean.sin(), lean.cos()), -3.0),
    ];
    let mut boxes: Vec<(BodyHandle, [f64; 2])> = Vec::new();
    for k in 0..2 + random.below(5) {
        let size = [random.between(0.2, 0.4), random.between(0.05, 0.3)];
        let mass = 10.0_f64.powf(random.between(-1.0, 1.0));
        let moment = mass * (size[0] * size[0] + size[1] * size[1]) / 3.0;
        let chained = k > 0 && !random.once_in(3);
        let (pose, velocity) = match boxes.last().filter(|_| chained) {
            Some(&(last, [x, _])) => {
                let last = *world.pose(last).unwrap();
                let at = last * Point2::new(x + size[0], 0.0);
                (Rigid2::new(at.coords, last.rotation.angle()), [0.0; 3])
            }
            None => {
                let place = Vector2::new(random.between(-1.0, 1.0), 1.5 + 0.8 * k as f64);
                let velocity = [0, 1, 2].map(|_| random.between(-3.0, 3.0));
                (Rigid2::new(place, random.between(-3.0, 3.0)), velocity)
            }
        };
        let body = Body2::new(Inertia2::new(mass, moment).unwrap(), pose).moving(velocity);
        let body = world.add(body).unwrap();
        if chained {
            let (last, [x, _]) = boxes[k - 1];
            let first = *world.pose(last).unwrap();
            let joint = Revolute::between(&first, &pose, &(first * Point2::new(x, 0.0)));
            let range = random.between(0.05, 1.0);
            let limits = Limits::new(-range..=range).with_restitution(random.between(0.0, 0.5));
            let joint = joint
                .with_limits(limits)
                .with_motor(Motor::friction(random.between(0.1, 5.0)));
            world.connect(joint, [last, body]).unwrap();
        }
        boxes.push((body, size));
    }
    let (friction, restitution) = (random.between(0.1, 1.0), random.between(0.0, 0.5));
    let (mine, sides) = (boxes.clone(), walls.clone());
    let world = world.with_contacts(move |world, found| {
        for &(body, size) in &mine {
            let pose = world.pose(body).unwrap();
            for (side, wall) in sides.iter().enumerate() {
                for (k, (point, gap)) in corners(pose, size, wall).into_iter().enumerate() {
                    let contact = Contact2::new([ground, body], point, wall.0, gap);
                    let contact = contact
                        .with_friction(friction)
                        .with_restitution(restitution);
                    found.push(contact.with_feature((4 * side + k) as u64));
                }
            }
        }
    });
    Scene {
        world,
        swept,
        boxes,
        walls,
    }
}

/// How deep boxes lie in walls and joints beyond their limits, at most, as lengths.
fn overlap(world: &World2, boxes: &[(BodyHandle, [f64; 2])], walls: &[(Vector2<f64>, f64)]) -> f64 {
    let depths = boxes.iter().flat_map(|&(body, size)| {
        let pose = *world.pose(body).unwrap();
        let corners = walls
            .iter()
            .flat_map(move |wall| corners(&pose, size, wall));
        corners.map(|(_, gap)| -gap)
    });
    depths.fold(0.0, f64::max)
}

#[test]
fn random_scenes_settle_without_energy_from_nowhere() {
    let cases = std::env::var("CONSTRAINT_CASES").map_or(2, |text| text.parse().unwrap());
    let seeds = match std::env::var("CONSTRAINT_SEED") {
        Ok(seed) => vec![seed.parse().unwrap()],
        Err(_) => (1..=cases).collect(),
    };
    for seed in seeds {
        let Scene {
            mut world,
            swept,
            boxes,
            walls,
        } = scene(seed);
        let inertias = boxes.iter().map(|&(body, _)| world.inertia(body).unwrap());
        let weight: f64 = inertias.flatten().map(|it| it.mass() * G).sum();
        // Chained boxes may begin inside of a wall, from which they are lifted.
        let settles = |world: &mut World2, steps: usize| {
            for _ in 0..steps {
                if let Err(error) = world.step(H) {
                    panic!("scene {seed}: {error}");
                }
            }
        };
        settles(&mut world, 100);
        // Energy rises by the height to which overlaps are lifted, and by nothing else.
        let mut last = world.energy();
        for _ in 0..200 {
            let lifted = overlap(&world, &boxes, &walls);
            settles(&mut world, 1);
            let energy = world.energy();
            // Joints and limits are closed by displacements too, by less than a body falls in a step.
            let most = last + weight * (lifted + 0.1 * G * H * H);
            // Sweeps may end before joints and contacts agree, and say so.
            let is_settled = !swept || world.contact_residual() < 1e-6;
            assert!(
                energy <= most || !is_settled,
                "scene {seed}: {energy} {last} {lifted}"
            );
            last = energy;
        }
        settles(&mut world, 300);
        for &(body, size) in &boxes {
            let pose = world.pose(body).unwrap();
            for wall in &walls {
                for (_, gap) in corners(pose, size, wall) {
                    assert!(gap > -5e-3, "scene {seed}: {gap}");
                }
            }
        }
    }
}
