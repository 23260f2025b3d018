//! A gripper holds a box by friction: two fingers with the force F carry the mass m if m g ≤ 2 μ F.
//!
//! Motors close the fingers with a bounded force and lift the hand. The box is lifted by a fifth more force than it needs and does
//! not slip. With four fifths it slides down with g − 2 μ F/m; then the fingers press half as much again as it needs, which stops
//! it within the time by hand. The joints of the hand stay closed to rounding. Shapes and contacts are parry's, by
//! `constraint-parry`.
//!
//! Lengths are in metres, times in seconds, masses in kilograms; z counts upwards.

use std::error::Error;
use std::f64::consts::TAU;

use constraint_parry::dim3::parry::math::Vec3;
use constraint_parry::dim3::parry::shape::SharedShape;
use constraint_parry::dim3::{Collider, Colliders, inertia};
use constraint_runtime::Motor;
use constraint_runtime::joint::Prismatic;
use constraint_runtime::prelude::*;

#[path = "../../../../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color, evenly};

const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.5;
/// Of the box, 6 cm wide and 10 cm high.
const MASS: f64 = 0.8;
const HALF_BOX: [f64; 3] = [0.03, 0.03, 0.05];
const HALF_FINGER: [f64; 3] = [0.008, 0.015, 0.06];
/// A ball on the inner side of each finger, above the centre of the box: where and how it presses is never in doubt, unlike
/// between two faces.
const TIP: f64 = 0.01;
/// With which the fingers just hold the box.
const NEEDED: f64 = MASS * GRAVITY / (2.0 * FRICTION);
/// How far the hand is lifted, and how long that takes.
const LIFT: f64 = 0.15;
const STEP: f64 = 1e-3;
/// When the lift begins and ends, the box slips, is caught, and the run ends.
const TIMES: [f64; 5] = [0.2, 1.2, 1.3, 1.4, 1.6];

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut run = Run::new()?;
    let [begin, lifted, slips, caught, end] = TIMES;
    run.press(1.2)?;
    run.until(begin)?;
    let grasped = run.offset()?;
    run.until(slips)?;
    let moved = (run.offset()? - grasped).abs();
    println!("a box of {MASS} kg needs {NEEDED:.3} N of both fingers with μ = {FRICTION}");
    println!(
        "lifted by {LIFT} m in {:.1} s, it moves by {moved:.0e} m in them",
        lifted - begin
    );
    assert!(moved < 1e-4, "{moved}");

    run.press(0.8)?;
    run.until(caught)?;
    let (found, expected) = (-run.slip()?, 0.2 * GRAVITY * (caught - slips));
    println!(
        "with 0.8 of that for {:.1} s   {found:.6} m/s",
        caught - slips
    );
    println!("(g − 2 μ F/m) t               {expected:.6} m/s");
    assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");

    run.press(1.5)?;
    let stops = expected / (0.5 * GRAVITY);
    run.until(caught + 0.9 * stops)?;
    let (late, tenth) = (-run.slip()?, 0.1 * expected);
    run.until(end)?;
    let rest = run.slip()?.abs();
    println!("with 1.5 of it, after 0.9 of the time by hand  {late:.4} m/s of {tenth:.4} m/s");
    println!("at the end                    {rest:.0e} m/s");
    println!("largest gap of a joint        {:.0e} m", run.drift);
    assert!(
        (late / tenth - 1.0).abs() < 0.05 && rest < 1e-9,
        "{late} {rest}"
    );
    assert!(run.drift < 1e-12, "{}", run.drift);
    let path = plot::write_svg("gripper", run.figure())?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

struct Run {
    world: World3,
    /// Hand, fingers, box.
    bodies: [BodyHandle; 4],
    lift: JointHandle,
    fingers: [JointHandle; 2],
    drift: f64,
    /// Relative to what is needed.
    force: f64,
    frames: Vec<[Points; 2]>,
    /// Forces and heights over time.
    charts: [Points; 3],
}

impl Run {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut world = World3::new().with_gravity([0.0, 0.0, -GRAVITY]);
        let mut colliders = Colliders::new();
        let floor = world.add(Body3::fixed(Rigid3::identity()))?;
        let ground = Collider::new(SharedShape::halfspace(Vec3::Z)).with_friction(FRICTION);
        colliders.add(&world, floor, ground)?;
        let mut add = |half: [f64; 3], mass: f64, [x, z]: [f64; 2]| -> Result<_, Box<dyn Error>> {
            let shape = SharedShape::cuboid(half[0], half[1], half[2]);
            let (moments, _) = inertia(&shape, mass / (8.0 * half.iter().product::<f64>()))?;
            let place = Rigid3::translation(x, 0.0, z);
            let body = world.add(Body3::new(moments, place))?;
            let collider = Collider::new(shape).with_friction(FRICTION);
            colliders.add(&world, body, collider)?;
            Ok((body, place))
        };
        let hand = add([0.08, 0.02, 0.015], 0.5, [0.0, 0.16])?;
        let aside = HALF_BOX[0] + TIP + HALF_FINGER[0] + 0.01;
        let [left, right] = [-aside, aside].map(|x| add(HALF_FINGER, 0.1, [x, 0.08]));
        let (left, right) = (left?, right?);
        let load = add(HALF_BOX, MASS, [0.0, HALF_BOX[2]])?;
        for (finger, inwards) in [(left.0, 1.0), (right.0, -1.0)] {
            let tip = Collider::new(SharedShape::ball(TIP)).with_friction(FRICTION);
            let place = Rigid3::translation(inwards * HALF_FINGER[0], 0.0, 0.0);
            colliders.add(&world, finger, tip.at(place))?;
        }
        let (wall, origin) = (Rigid3::identity(), Point3::origin());
        let rail = Prismatic::between(&wall, &hand.1, &origin, &Vector3::z_axis());
        let rail = rail.with_motor(Motor::position(0.0, 1e5, 2e3).most(200.0));
        let lift = world.connect(rail, [floor, hand.0])?;
        let mut fingers = Vec::new();
        for (finger, axis) in [(left, Vector3::x_axis()), (right, -Vector3::x_axis())] {
            let rail = Prismatic::between(&hand.1, &finger.1, &origin, &axis);
            let rail = rail.with_motor(Motor::speed(0.2).most(NEEDED));
            fingers.push(world.connect(rail, [hand.0, finger.0])?);
        }
        Ok(Self {
            world: world.with_contacts(colliders.contacts()),
            bodies: [hand.0, left.0, right.0, load.0],
            lift,
            fingers: [fingers[0], fingers[1]],
            drift: 0.0,
            force: 0.0,
            frames: Vec::new(),
            charts: Default::default(),
        })
    }

    /// Sets the force of the fingers, relative to the one that is needed.
    fn press(&mut self, force: f64) -> Result<(), constraint_runtime::Error> {
        self.force = force;
        for finger in self.fingers {
            let motor = Motor::speed(0.2).most(force * NEEDED);
            self.world.set_motor(finger, 0, motor)?;
        }
        Ok(())
    }

    fn until(&mut self, end: f64) -> Result<(), constraint_runtime::Error> {
        while self.world.time() < end - 0.5 * STEP {
            self.look()?;
            let part = (self.world.time() + STEP - TIMES[0]) / (TIMES[1] - TIMES[0]);
            let part = part.clamp(0.0, 1.0);
            // Without jerks: its first and second derivatives are 0 at both ends.
            let height = LIFT * part.powi(3) * (10.0 - 15.0 * part + 6.0 * part * part);
            let motor = Motor::position(height, 1e5, 2e3).most(200.0);
            self.world.set_motor(self.lift, 0, motor)?;
            self.world.step(STEP)?;
            self.drift = self.drift.max(self.world.drift());
        }
        Ok(())
    }

    /// The height of the box above a finger.
    fn offset(&self) -> Result<f64, constraint_runtime::Error> {
        let [finger, load] = [1, 3].map(|k| self.world.pose(self.bodies[k]));
        Ok(load?.translation.z - finger?.translation.z)
    }

    /// Its rate.
    fn slip(&self) -> Result<f64, constraint_runtime::Error> {
        let [finger, load] = [1, 3].map(|k| self.world.velocity(self.bodies[k]));
        Ok(load?[2] - finger?[2])
    }

    fn look(&mut self) -> Result<(), constraint_runtime::Error> {
        let time = self.world.time();
        let outline =
            |k: usize, half: [f64; 3]| -> Result<Vec<(f64, f64)>, constraint_runtime::Error> {
                let pose = self.world.pose(self.bodies[k])?;
                let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
                let corners = corners.map(|(x, z)| {
                    let corner = pose * Point3::new(half[0] * x, 0.0, half[2] * z);
                    (100.0 * corner.x, 100.0 * corner.z)
                });
                Ok([&corners[..], &[(f64::NAN, 0.0)]].concat())
            };
        let tip = |k: usize, inwards: f64| -> Result<Vec<(f64, f64)>, constraint_runtime::Error> {
            let centre =
                self.world.pose(self.bodies[k])? * Point3::new(inwards * HALF_FINGER[0], 0.0, 0.0);
            let around = (0..=12).map(|i| (TAU * f64::from(i) / 12.0).sin_cos());
            let around = around.map(|(sin, cos)| {
                (
                    100.0 * (centre.x + TIP * cos),
                    100.0 * (centre.z + TIP * sin),
                )
            });
            Ok(around.chain([(f64::NAN, 0.0)]).collect())
        };
        let hand = [
            tip(1, 1.0)?,
            tip(2, -1.0)?,
            outline(0, [0.08, 0.02, 0.015])?,
            outline(1, HALF_FINGER)?,
            outline(2, HALF_FINGER)?,
        ];
        self.frames.push([hand.concat(), outline(3, HALF_BOX)?]);
        let height = |k: usize| {
            self.world
                .pose(self.bodies[k])
                .map(|it| 100.0 * it.translation.z)
        };
        let values = [self.force * NEEDED, height(3)?, height(1)?];
        for (line, value) in self.charts.iter_mut().zip(values) {
            line.push((time, value));
        }
        Ok(())
    }

    fn figure(self) -> [(u32, Vec<Panel>); 1] {
        let (end, seconds) = (TIMES[4], 4.0 * TIMES[4]);
        let frames = |k: usize| evenly(&self.frames, 100).map(move |it| it[k].clone());
        let hand = Panel::drawing("Four times as slow", seconds)
            .labels("x in cm", "z in cm")
            .with(Line::curve(
                "",
                color::BLACK,
                1.5,
                [(-12.0, 0.0), (12.0, 0.0)],
            ))
            .with(Line::area(color::GREY, frames(0)))
            .with(Line::area(color::BLUE, frames(1)));
        let [force, load, finger] = self.charts;
        let needed = [(0.0, NEEDED), (end, NEEDED)];
        let force = Panel::over_time("Force of each finger", "F in N", seconds)
            .with(Line::curve("m g/2 μ", color::ORANGE, 1.5, needed))
            .with(Line::curve("F", color::BLUE, 1.5, force));
        let height = Panel::over_time("Heights", "z in cm", seconds)
            .with(Line::curve("finger", color::GREY, 1.5, finger))
            .with(Line::curve("box", color::BLUE, 1.5, load));
        [(300, vec![hand, force, height])]
    }
}
