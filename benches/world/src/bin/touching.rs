//! Bodies that touch, by a `World` and by rapier, with the same shapes of parry: `cargo run --release --bin touching` in this folder.
//!
//! A hundred ragdolls with limits fall onto a floor, and ten boxes stay on one another for a minute. Both engines take the same steps;
//! rapier divides each by its number of solver iterations, four by default. Limits of ball joints are a cone and a twist in a `World`,
//! three angles in rapier.

use std::time::Instant;

use constraint_parry::dim3::{Collider as Shape, Colliders, inertia};
use constraint_runtime::BodyHandle;
use constraint_runtime::joint::{Ball, Hinge};
use constraint_runtime::prelude::{Body3, Inertia3, Point3, Rigid3, Vector3, World3};
use rapier3d_f64::prelude::*;

const G: f64 = 9.81;
const STEP: f64 = 1.0 / 60.0;
const FRICTION: f64 = 0.5;
const DOLLS: usize = 100;
/// For which the dolls are watched.
const SECONDS: f64 = 4.0;

/// Height of the centre and distance to the side, half of the length without ends, radius, mass; of upright capsules.
type Limb = ([f64; 2], f64, f64, f64);

/// Torso, head, and upper arm, forearm, thigh, shin of either side.
const LIMBS: [Limb; 10] = [
    ([1.18, 0.0], 0.17, 0.14, 36.0),
    ([1.68, 0.0], 0.02, 0.1, 5.0),
    ([1.27, 0.22], 0.11, 0.05, 2.2),
    ([0.94, 0.22], 0.11, 0.04, 1.5),
    ([0.69, 0.1], 0.13, 0.07, 8.0),
    ([0.25, 0.1], 0.18, 0.05, 4.0),
    ([1.27, -0.22], 0.11, 0.05, 2.2),
    ([0.94, -0.22], 0.11, 0.04, 1.5),
    ([0.69, -0.1], 0.13, 0.07, 8.0),
    ([0.25, -0.1], 0.18, 0.05, 4.0),
];

/// Two limbs and the place of their joint: a ball that tilts by this angle at most, or a hinge about y with this range.
enum Joint {
    Ball([usize; 2], [f64; 2], f64),
    Hinge([usize; 2], [f64; 2], [f64; 2]),
}

fn joints() -> Vec<Joint> {
    let mut all = vec![Joint::Ball([0, 1], [1.5, 0.0], 0.6)];
    for (first, side) in [(2, 1.0), (6, -1.0)] {
        let [arm, leg] = [0.22, 0.1].map(|it| it * side);
        all.push(Joint::Ball([0, first], [1.42, arm], 1.6));
        all.push(Joint::Hinge([first, first + 1], [1.1, arm], [-2.4, 0.0]));
        all.push(Joint::Ball([0, first + 2], [0.9, leg], 1.1));
        all.push(Joint::Hinge(
            [first + 2, first + 3],
            [0.48, leg],
            [0.0, 2.4],
        ));
    }
    all
}

/// Where the feet of a doll are, and its velocity.
fn start(doll: usize) -> ([f64; 3], [f64; 3]) {
    let [row, column] = [doll / 10, doll % 10].map(|it| it as f64);
    let swing = doll as f64;
    (
        [3.0 * row, 3.0 * column, 0.5],
        [swing.sin(), swing.cos(), 0.0],
    )
}

/// An engine that is given a scene.
trait Engine: Sized {
    /// A solid of this mass, upright.
    fn add(&mut self, shape: SharedShape, mass: f64, place: [f64; 3], velocity: [f64; 3]);

    /// Connects the limbs of a doll whose feet are there; its first limb has this number.
    fn join(&mut self, joint: &Joint, first: usize, feet: [f64; 3]);

    fn dolls(mut self) -> Self {
        for doll in 0..DOLLS {
            let (feet, velocity) = start(doll);
            for (place, half, radius, mass) in LIMBS {
                let shape = SharedShape::capsule_z(half, radius);
                self.add(shape, mass, at(feet, place), velocity);
            }
            for joint in joints() {
                self.join(&joint, LIMBS.len() * doll, feet);
            }
        }
        self
    }

    fn stack(mut self) -> Self {
        for k in 0..10 {
            let place = [0.01 * f64::from(k % 3), 0.0, 0.5 + f64::from(k)];
            self.add(SharedShape::cuboid(0.5, 0.5, 0.5), 1.0, place, [0.0; 3]);
        }
        self
    }
}

/// A place of a doll, by its height and its distance to the side.
fn at(feet: [f64; 3], [z, y]: [f64; 2]) -> [f64; 3] {
    [feet[0], feet[1] + y, feet[2] + z]
}

/// A scene that runs.
trait Scene {
    fn step(&mut self);
    /// The largest distance between the two bodies of a joint, at its place.
    fn drift(&self) -> f64;
    /// The height of the body that was added last.
    fn height(&self) -> f64;
    fn fastest(&self) -> f64;
}

struct Ours {
    world: World3,
    colliders: Colliders,
    bodies: Vec<BodyHandle>,
}

impl Ours {
    fn new() -> Self {
        let mut ours = Self {
            world: World3::new().with_gravity([0.0, 0.0, -G]),
            colliders: Colliders::new(),
            bodies: Vec::new(),
        };
        let floor = ours
            .world
            .add(Body3::fixed(Rigid3::identity()))
            .expect("a floor");
        let shape = Shape::new(SharedShape::halfspace(Vector::Z)).with_friction(FRICTION);
        ours.colliders
            .add(&ours.world, floor, shape)
            .expect("a floor");
        ours
    }

    fn ready(mut self, sweeps: usize) -> Self {
        let find = self.colliders.contacts();
        self.world = self.world.with_contacts(find).with_contact_sweeps(sweeps);
        self
    }
}

impl Engine for Ours {
    fn add(&mut self, shape: SharedShape, mass: f64, place: [f64; 3], velocity: [f64; 3]) {
        let (unit, _) = inertia(&shape, 1.0).expect("a solid");
        let moments = unit.tensor() * (mass / unit.mass());
        let moments = Inertia3::new(mass, moments).expect("a solid");
        let pose = Rigid3::translation(place[0], place[1], place[2]);
        let [x, y, z] = velocity;
        let body = Body3::new(moments, pose).moving([x, y, z, 0.0, 0.0, 0.0]);
        let body = self.world.add(body).expect("a body");
        let shape = Shape::new(shape).with_friction(FRICTION);
        self.colliders
            .add(&self.world, body, shape)
            .expect("a collider");
        self.bodies.push(body);
    }

    fn join(&mut self, joint: &Joint, first: usize, feet: [f64; 3]) {
        let (Joint::Ball(of, place, _) | Joint::Hinge(of, place, _)) = *joint;
        let pair = of.map(|limb| self.bodies[first + limb]);
        let [a, b] = pair.map(|it| *self.world.pose(it).expect("its own body"));
        let centre = Point3::from(at(feet, place));
        let joined = match *joint {
            Joint::Ball(_, _, angle) => {
                let ball = Ball::between(&a, &b, &centre).with_cone(&Vector3::z_axis(), angle);
                let ball = ball.with_twist(&Vector3::z_axis(), -angle..=angle);
                self.world.connect(ball, pair)
            }
            Joint::Hinge(_, _, [low, high]) => {
                let hinge = Hinge::between(&a, &b, &centre, &Vector3::y_axis());
                self.world.connect(hinge.with_limits(low..=high), pair)
            }
        };
        joined.expect("known bodies");
    }
}

impl Scene for Ours {
    fn step(&mut self) {
        self.world.step(STEP).expect("a good step");
    }

    fn drift(&self) -> f64 {
        self.world.drift()
    }

    fn height(&self) -> f64 {
        let last = *self.bodies.last().expect("a body");
        self.world.pose(last).expect("its own body").translation.z
    }

    fn fastest(&self) -> f64 {
        let speeds = self
            .bodies
            .iter()
            .map(|&it| self.world.velocity(it).expect("its own body"));
        speeds.fold(0.0, |most, it| it.fixed_rows::<3>(0).norm().max(most))
    }
}

struct Rapier {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
    /// Bodies of joints, and their places on them.
    joints: Vec<([RigidBodyHandle; 2], [Vector; 2])>,
}

impl Rapier {
    fn new(iterations: usize) -> Self {
        let mut world = PhysicsWorld::default();
        world.gravity = Vector::new(0.0, 0.0, -G);
        world.integration_parameters.dt = STEP;
        world.integration_parameters.num_solver_iterations = iterations;
        let floor = ColliderBuilder::new(SharedShape::halfspace(Vector::Z)).friction(FRICTION);
        world.colliders.insert(floor);
        Self {
            world,
            bodies: Vec::new(),
            joints: Vec::new(),
        }
    }
}

impl Engine for Rapier {
    fn add(&mut self, shape: SharedShape, mass: f64, place: [f64; 3], velocity: [f64; 3]) {
        let body = RigidBodyBuilder::dynamic()
            .translation(Vector::from(place))
            .linvel(Vector::from(velocity))
            .can_sleep(false);
        let body = self.world.bodies.insert(body);
        let shape = ColliderBuilder::new(shape).mass(mass).friction(FRICTION);
        let PhysicsWorld {
            colliders, bodies, ..
        } = &mut self.world;
        colliders.insert_with_parent(shape, body, bodies);
        self.bodies.push(body);
    }

    fn join(&mut self, joint: &Joint, first: usize, feet: [f64; 3]) {
        let (Joint::Ball(of, place, _) | Joint::Hinge(of, place, _)) = *joint;
        let pair = of.map(|limb| self.bodies[first + limb]);
        let centre = Vector::from(at(feet, place));
        let anchors = pair.map(|it| centre - self.world.bodies[it].translation());
        let joint: GenericJoint = match *joint {
            Joint::Ball(_, _, angle) => SphericalJointBuilder::new()
                .local_anchor1(anchors[0])
                .local_anchor2(anchors[1])
                .contacts_enabled(false)
                .limits(JointAxis::AngX, [-angle, angle])
                .limits(JointAxis::AngY, [-angle, angle])
                .limits(JointAxis::AngZ, [-angle, angle])
                .into(),
            Joint::Hinge(_, _, range) => RevoluteJointBuilder::new(Vector::Y)
                .local_anchor1(anchors[0])
                .local_anchor2(anchors[1])
                .contacts_enabled(false)
                .limits(range)
                .into(),
        };
        let [a, b] = pair;
        self.world.impulse_joints.insert(a, b, joint, true);
        self.joints.push((pair, anchors));
    }
}

impl Scene for Rapier {
    fn step(&mut self) {
        self.world.step();
    }

    fn drift(&self) -> f64 {
        self.joints
            .iter()
            .fold(0.0, |most: f64, (bodies, anchors)| {
                let place = |k: usize| {
                    let pose = self.world.bodies[bodies[k]].position();
                    pose.rotation * anchors[k] + pose.translation
                };
                most.max((place(1) - place(0)).abs().max_element())
            })
    }

    fn height(&self) -> f64 {
        let last = *self.bodies.last().expect("a body");
        self.world.bodies[last].translation().z
    }

    fn fastest(&self) -> f64 {
        let speeds = self
            .bodies
            .iter()
            .map(|&it| self.world.bodies[it].linvel().length());
        speeds.fold(0.0, f64::max)
    }
}

/// Milliseconds a step, the largest drift; the scenes are stepped in turns, so that what else the machine does meets both alike.
fn run(scenes: &mut [(&str, Box<dyn Scene>)], seconds: f64) -> Vec<(f64, f64)> {
    let mut found = vec![(0.0, 0.0_f64); scenes.len()];
    let steps = (seconds / STEP).round() as usize;
    for _ in 0..steps {
        for ((_, scene), (time, drift)) in scenes.iter_mut().zip(&mut found) {
            let start = Instant::now();
            scene.step();
            *time += start.elapsed().as_secs_f64() * 1e3 / steps as f64;
            *drift = drift.max(scene.drift());
        }
    }
    found
}

fn main() {
    println!("{DOLLS} ragdolls fall onto a floor, {SECONDS} s in steps of 1/60 s\n");
    println!("| | a step | largest drift | fastest limb at the end |\n|---|---|---|---|");
    let mut scenes: [(&str, Box<dyn Scene>); 4] = [
        (
            "`World`, 30 visits of the contacts",
            Box::new(Ours::new().dolls().ready(30)),
        ),
        ("`World`, 100", Box::new(Ours::new().dolls().ready(100))),
        ("rapier, 4 iterations", Box::new(Rapier::new(4).dolls())),
        ("rapier, 16 iterations", Box::new(Rapier::new(16).dolls())),
    ];
    let found = run(&mut scenes, SECONDS);
    for ((name, scene), (time, drift)) in scenes.iter().zip(found) {
        println!(
            "| {name} | {time:.2} ms | {drift:.0e} m | {:.1e} m/s |",
            scene.fastest()
        );
    }
    println!("\nTen boxes, one on the other, 60 s in steps of 1/60 s\n");
    println!("| | a step | height of the last box | fastest box at the end |\n|---|---|---|---|");
    let mut scenes: [(&str, Box<dyn Scene>); 3] = [
        (
            "`World`, 50 visits of the contacts",
            Box::new(Ours::new().stack().ready(50)),
        ),
        ("`World`, 100", Box::new(Ours::new().stack().ready(100))),
        ("rapier, 4 iterations", Box::new(Rapier::new(4).stack())),
    ];
    let found = run(&mut scenes, 60.0);
    for ((name, scene), (time, _)) in scenes.iter().zip(found) {
        let (height, fastest) = (scene.height(), scene.fastest());
        println!("| {name} | {time:.3} ms | {height:.4} m | {fastest:.1e} m/s |");
    }
}
