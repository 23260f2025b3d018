//! A car with springs, steering and a motor at each rear wheel: it settles, accelerates, drives over a bump and through a bend.
//!
//! Each number is compared with one by hand: the springs carry the weight above them; the car gains speed by the torque
//! of its motors, M v̇ + Σ I ω̇/r = 2 τ/r; it keeps the speed that the motors aim for; with Ackermann's angles it turns about the
//! centre that its axles point to, at the rate v/R. A ray measures its height. Shapes, contacts and rays are parry's, by
//! `constraint-parry`.
//!
//! Lengths are in metres, times in seconds, masses in kilograms; x counts forwards, y to the left, z upwards.

use std::error::Error;

use constraint_parry::dim3::parry::math::Vec3;
use constraint_parry::dim3::parry::shape::SharedShape;
use constraint_parry::dim3::{Collider, Colliders, inertia};
use constraint_runtime::Motor;
use constraint_runtime::joint::{Hinge, Prismatic};
use constraint_runtime::prelude::*;

#[path = "../../../../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color, evenly};

const GRAVITY: f64 = 9.81;
/// Masses of the chassis, of a wheel, and of each part that carries a wheel.
const CHASSIS: f64 = 240.0;
const WHEEL: f64 = 12.0;
const CARRIER: f64 = 4.0;
const ALL: f64 = CHASSIS + 4.0 * WHEEL + 6.0 * CARRIER;
const HALF_CHASSIS: [f64; 3] = [1.1, 0.4, 0.15];
const RADIUS: f64 = 0.3;
/// Distance of the axles, and of the wheels of an axle.
const BASE: f64 = 1.8;
const TRACK: f64 = 1.2;
/// Of each spring and its damper.
const STIFFNESS: f64 = 2.5e4;
const DAMPING: f64 = 2.0e3;
/// Of each motor, and the speed that it aims for.
const TORQUE: f64 = 120.0;
const SPEED: f64 = 4.0;
/// Of the bend.
const TURN: f64 = 8.0;
/// Where the bump lies, and how high it is.
const BUMP: f64 = 6.0;
const BUMP_HEIGHT: f64 = 0.05;
const STEP: f64 = 1.0 / 240.0;
/// When it starts, when its speed is measured, when it turns, and the end.
const TIMES: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut car = Car::new()?;
    let [start, measured, turns, end] = TIMES;
    car.until(start)?;
    let expected = CHASSIS * GRAVITY / (4.0 * STIFFNESS);
    let sags = car.springs()?;
    println!(
        "springs give way by      {:.6} m, by hand {expected:.6} m",
        sags[0]
    );
    for sag in sags {
        assert!((sag / expected - 1.0).abs() < 1e-4, "{sag} {expected}");
    }
    let (height, by_ray) = car.height()?;
    println!("a ray finds the ground   {by_ray:.6} m below the chassis of {height:.6} m");
    assert!((by_ray - height).abs() < 1e-9);

    car.until(measured)?;
    let spin = 4.0 * car.wheel_moment / (RADIUS * RADIUS);
    let expected = (measured - start) * 2.0 * TORQUE / RADIUS / (ALL + spin);
    let found = car.speed()?;
    println!(
        "after {} s of full torque {found:.4} m/s, by hand {expected:.4} m/s",
        measured - start
    );
    assert!((found / expected - 1.0).abs() < 0.01, "{found} {expected}");

    car.until(turns)?;
    let found = car.speed()?;
    println!("after the bump           {found:.4} m/s, by hand {SPEED:.4} m/s");
    assert!((found / SPEED - 1.0).abs() < 1e-3, "{found}");
    let sags = car.springs()?;
    assert!(
        sags.iter().all(|it| (it / sags[0] - 1.0).abs() < 0.1),
        "{sags:?}"
    );

    car.until(end - 1.0)?;
    let before = car.heading;
    car.until(end)?;
    let (found, expected) = (car.heading - before, SPEED / TURN);
    println!("in the bend it turns by  {found:.4} rad/s, by hand {expected:.4} rad/s");
    assert!((found / expected - 1.0).abs() < 2e-3, "{found} {expected}");
    println!("largest gap of a joint   {:.0e} m", car.drift);
    assert!(car.drift < 1e-12);
    let path = plot::write_svg("vehicle", car.figure())?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// A wheel with the joints that hold it.
struct Wheel {
    body: BodyHandle,
    spring: JointHandle,
    /// Of the front wheels.
    steering: Option<JointHandle>,
    axle: JointHandle,
    /// Whether it is on the left, 1, or on the right, −1.
    side: f64,
}

struct Car {
    world: World3,
    colliders: Colliders,
    chassis: BodyHandle,
    wheels: Vec<Wheel>,
    wheel_moment: f64,
    drift: f64,
    /// Angle about z since the start.
    heading: f64,
    /// Outlines of chassis and wheels from above at even times.
    frames: Vec<[Points; 2]>,
    path: Points,
    speeds: Points,
    springs: Points,
}

impl Car {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut world = World3::new().with_gravity([0.0, 0.0, -GRAVITY]);
        let mut colliders = Colliders::new();
        let ground = world.add(Body3::fixed(Rigid3::identity()))?;
        let surface = |shape| Collider::new(shape).with_friction(1.0);
        colliders.add(&world, ground, surface(SharedShape::halfspace(Vec3::Z)))?;
        let radius = 0.4;
        let bump = Rigid3::translation(BUMP, 0.0, BUMP_HEIGHT - radius);
        let bump = surface(SharedShape::capsule_y(2.0, radius)).at(bump);
        colliders.add(&world, ground, bump)?;

        let [x, y, z] = HALF_CHASSIS;
        let shape = SharedShape::cuboid(x, y, z);
        let (moments, _) = inertia(&shape, CHASSIS / (8.0 * x * y * z))?;
        let middle = Rigid3::translation(0.0, 0.0, RADIUS + 0.1);
        let chassis = world.add(Body3::new(moments, middle))?;
        // It reaches between its wheels: another group.
        colliders.add(&world, chassis, surface(shape).with_groups(2, 1))?;
        let wheel_moment = 0.5 * WHEEL * RADIUS * RADIUS;
        let mut car = Self {
            world,
            colliders,
            chassis,
            wheels: Vec::new(),
            wheel_moment,
            drift: 0.0,
            heading: 0.0,
            frames: Vec::new(),
            path: Vec::new(),
            speeds: Vec::new(),
            springs: Vec::new(),
        };
        for end in [1.0, -1.0] {
            for side in [1.0, -1.0] {
                car.add_wheel(&middle, end, side)?;
            }
        }
        car.world = car
            .world
            .with_contacts(car.colliders.contacts())
            .with_contact_sweeps(40);
        Ok(car)
    }

    /// Chassis – spring – carrier – steering, in front – carrier – axle – wheel.
    fn add_wheel(&mut self, chassis: &Rigid3, end: f64, side: f64) -> Result<(), Box<dyn Error>> {
        let world = &mut self.world;
        let centre = Point3::new(0.5 * BASE * end, 0.5 * TRACK * side, RADIUS);
        let place = Rigid3::translation(centre.x, centre.y, centre.z);
        let carrier = Body3::new(Inertia3::principal(CARRIER, [0.05; 3])?, place);
        let moving = world.add(carrier)?;
        let spring = Prismatic::between(chassis, &place, &centre, &Vector3::z_axis());
        let spring = spring.with_motor(Motor::position(0.0, STIFFNESS, DAMPING).most(1e5));
        let spring = world.connect(spring, [self.chassis, moving])?;
        let (mut holds, mut steering) = (moving, None);
        if end > 0.0 {
            holds = world.add(carrier)?;
            let pivot = Hinge::between(&place, &place, &centre, &Vector3::z_axis());
            let pivot = pivot.with_motor(Motor::position(0.0, 1e5, 1e3).most(1e4));
            steering = Some(world.connect(pivot, [moving, holds])?);
        }
        let [round, across] = [self.wheel_moment, 0.6 * self.wheel_moment];
        let wheel = Inertia3::principal(WHEEL, [across, round, across])?;
        let body = world.add(Body3::new(wheel, place))?;
        let axle = Hinge::between(&place, &place, &centre, &Vector3::y_axis());
        let motor = if end > 0.0 {
            Motor::friction(1e-9)
        } else {
            Motor::speed(0.0).most(TORQUE)
        };
        let axle = world.connect(axle.with_motor(motor), [holds, body])?;
        // It touches the ground at a point, as a ball does.
        let tyre = Collider::new(SharedShape::ball(RADIUS)).with_friction(1.0);
        self.colliders.add(world, body, tyre.with_groups(1, 1))?;
        self.wheels.push(Wheel {
            body,
            spring,
            steering,
            axle,
            side,
        });
        Ok(())
    }

    fn until(&mut self, end: f64) -> Result<(), constraint_runtime::Error> {
        while self.world.time() < end - 0.5 * STEP {
            self.look()?;
            self.drive()?;
            self.world.step(STEP)?;
            self.drift = self.drift.max(self.world.drift());
            self.heading += self.world.velocity(self.chassis)?[5] * STEP;
        }
        Ok(())
    }

    /// Full torque until the speed is reached; then a bend, into which it is steered within a second.
    fn drive(&mut self) -> Result<(), constraint_runtime::Error> {
        let time = self.world.time();
        let bend = (time - TIMES[2]).clamp(0.0, 1.0) / TURN;
        for wheel in &self.wheels {
            // How much further the centre of the bend is from this wheel, relative to its radius.
            let outside = 1.0 - 0.5 * bend * TRACK * wheel.side;
            if let Some(steering) = wheel.steering {
                let angle = (bend * BASE / outside).atan();
                let motor = Motor::position(angle, 1e5, 1e3).most(1e4);
                self.world.set_motor(steering, 0, motor)?;
            } else {
                let speed = if time < TIMES[0] {
                    0.0
                } else {
                    SPEED * outside / RADIUS
                };
                let motor = Motor::speed(speed).most(TORQUE);
                self.world.set_motor(wheel.axle, 0, motor)?;
            }
        }
        Ok(())
    }

    /// How far each spring has given way.
    fn springs(&self) -> Result<Vec<f64>, constraint_runtime::Error> {
        let travel = |it: &Wheel| Ok(self.world.axes(it.spring)?[0].value);
        self.wheels.iter().map(travel).collect()
    }

    /// The height of the lower side of the chassis, and what a ray from there finds that does not see the car itself.
    fn height(&mut self) -> Result<(f64, f64), Box<dyn Error>> {
        let under = self.world.pose(self.chassis)? * Point3::new(0.0, 0.0, -HALF_CHASSIS[2]);
        let query = self.colliders.query(&self.world);
        let is_ground = |body: BodyHandle| body.number() == 0;
        let hit = query.cast_ray(under.coords, [0.0, 0.0, -1.0], 2.0, is_ground)?;
        Ok((under.z, hit.ok_or("no ground")?.distance))
    }

    /// Along its own axis, above the rear axle.
    fn speed(&self) -> Result<f64, constraint_runtime::Error> {
        let v = self.world.velocity(self.chassis)?;
        let forwards = self.world.pose(self.chassis)?.rotation * Vector3::x();
        Ok(forwards.dot(&v.fixed_rows::<3>(0)))
    }

    fn look(&mut self) -> Result<(), constraint_runtime::Error> {
        let outline =
            |body: BodyHandle, half: [f64; 2]| -> Result<Points, constraint_runtime::Error> {
                let pose = self.world.pose(body)?;
                // A wheel rolls, its outline does not.
                let across = pose.rotation * Vector3::y();
                let along = across.cross(&Vector3::z()).normalize();
                let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
                let corners = corners.map(|(a, b)| {
                    let corner =
                        pose.translation.vector + along * (a * half[0]) + across * (b * half[1]);
                    (corner.x, corner.y)
                });
                Ok(corners.into_iter().chain([(f64::NAN, 0.0)]).collect())
            };
        let wheels = self.wheels.iter().map(|it| outline(it.body, [RADIUS, 0.1]));
        let wheels: Result<Vec<Points>, _> = wheels.collect();
        self.frames.push([
            outline(self.chassis, [HALF_CHASSIS[0], HALF_CHASSIS[1]])?,
            wheels?.concat(),
        ]);
        let (time, place) = (
            self.world.time(),
            self.world.pose(self.chassis)?.translation,
        );
        self.path.push((place.x, place.y));
        self.speeds.push((time, self.speed()?));
        self.springs.push((time, 1e3 * self.springs()?[0]));
        Ok(())
    }

    fn figure(self) -> [(u32, Vec<Panel>); 2] {
        let end = TIMES[3];
        let frames = |k: usize| evenly(&self.frames, 100).map(move |it| it[k].clone());
        let bump = [(BUMP, -2.0), (BUMP, 2.0)];
        let above = Panel::drawing("From above, in real time", end)
            .with(Line::curve("bump", color::GREY, 4.0, bump))
            .with(Line::curve(
                "",
                color::GREY,
                1.0,
                evenly(&self.path, 200).copied(),
            ))
            .with(Line::area(color::BLACK, frames(1)))
            .with(Line::area(color::BLUE, frames(0)));
        let by_hand = [(0.0, SPEED), (end, SPEED)];
        let speed = Panel::over_time("Speed", "v in m/s", end)
            .with(Line::curve("of the motors", color::ORANGE, 1.5, by_hand))
            .with(Line::curve("of the car", color::BLUE, 1.5, self.speeds));
        let springs = Panel::over_time("Spring, left in front", "travel in mm", end)
            .with(Line::curve("", color::BLUE, 1.5, self.springs));
        [(360, vec![above]), (230, vec![speed, springs])]
    }
}
