//! A ragdoll falls down a flight of stairs: balls with cones and twists, hinges with limits and dry friction, and contacts.
//!
//! Nobody can compute that fall by hand; it is held to what any fall has to obey. Without motors the energy never rises, no joint
//! opens, no limit is passed and no limb sinks into a stair, each by more than rounding or a stated part of a step of first order.
//! At the foot of the stairs it comes to rest. Shapes and contacts are parry's, by
//! `constraint-parry`.
//!
//! Lengths are in metres, times in seconds, masses in kilograms; z counts upwards.

use std::error::Error;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use constraint_parry::dim3::parry::math::Vec3;
use constraint_parry::dim3::parry::shape::SharedShape;
use constraint_parry::dim3::{Collider, Colliders, inertia};
use constraint_runtime::joint::{Ball, Hinge};
use constraint_runtime::nalgebra::UnitVector3;
use constraint_runtime::prelude::*;
use constraint_runtime::{Limits, Motor};

#[path = "../../../../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color, evenly};

const GRAVITY: f64 = 9.81;
const STEPS: usize = 6;
/// Height and depth of a stair.
const RISE: f64 = 0.17;
const TREAD: f64 = 0.3;
const TOP: f64 = RISE * STEPS as f64;
const FRICTION: f64 = 0.5;
/// Dry friction of elbows and knees.
const DRY: f64 = 2.0;
/// The angular velocity with which it topples.
const PUSH: f64 = 1.5;
const STEP: f64 = 1.0 / 240.0;
const END: f64 = 5.0;

/// Prints the measures and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut run = Run::new()?;
    run.fall()?;
    run.check()?;
    let path = plot::write_svg("ragdoll", run.figure())?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// A part of the body, as a capsule from one end to the other.
#[derive(Clone, Copy)]
struct Part {
    body: BodyHandle,
    pose: Rigid3,
    /// Half of its length, without the round ends.
    half: f64,
}

/// A world that is being put together.
struct Builder {
    world: World3,
    colliders: Colliders,
    parts: Vec<Part>,
    hinges: Vec<JointHandle>,
}

impl Builder {
    /// A capsule between two points.
    fn limb(
        &mut self,
        from: [f64; 3],
        to: [f64; 3],
        radius: f64,
        mass: f64,
    ) -> Result<Part, Box<dyn Error>> {
        let [from, to] = [from, to].map(Vector3::from);
        let half = 0.5 * (to - from).norm();
        let shape = SharedShape::capsule_z(half, radius);
        let (unit, _) = inertia(&shape, 1.0)?;
        let (moments, _) = inertia(&shape, mass / unit.mass())?;
        let turn = Vector3::z_axis().cross(&(to - from).normalize());
        let turn = turn * (turn.norm().asin() / turn.norm().max(f64::MIN_POSITIVE));
        let pose = Rigid3::new((from + to) / 2.0, turn);
        // It topples about its feet: the higher, the faster.
        let speed = PUSH * (pose.translation.z - TOP);
        let topples = Body3::new(moments, pose).moving([speed, 0.0, 0.0, 0.0, PUSH, 0.0]);
        let body = self.world.add(topples)?;
        let collider = Collider::new(shape).with_friction(FRICTION);
        self.colliders.add(&self.world, body, collider)?;
        let part = Part { body, pose, half };
        self.parts.push(part);
        Ok(part)
    }

    /// A ball joint that tilts by an angle at most, and turns about its limb by half of it.
    fn ball(&mut self, [a, b]: [Part; 2], at: [f64; 3], angle: f64) -> Result<(), Box<dyn Error>> {
        let along = UnitVector3::new_normalize(b.pose.rotation * Vector3::z());
        let joint = Ball::between(&a.pose, &b.pose, &Point3::from(at));
        let joint = joint.with_cone(&along, angle);
        let joint = joint.with_twist(&along, -0.5 * angle..=0.5 * angle);
        self.world.connect(joint, [a.body, b.body])?;
        Ok(())
    }

    /// A hinge about y, with dry friction.
    fn hinge(
        &mut self,
        [a, b]: [Part; 2],
        at: [f64; 3],
        limits: Limits<f64>,
    ) -> Result<(), Box<dyn Error>> {
        let joint = Hinge::between(&a.pose, &b.pose, &Point3::from(at), &Vector3::y_axis());
        let joint = joint.with_limits(limits).with_motor(Motor::friction(DRY));
        self.hinges
            .push(self.world.connect(joint, [a.body, b.body])?);
        Ok(())
    }

    /// Six stairs from the landing down to the floor.
    fn stairs(&mut self) -> Result<(), Box<dyn Error>> {
        let house = self.world.add(Body3::fixed(Rigid3::identity()))?;
        let floor = Collider::new(SharedShape::halfspace(Vec3::Z)).with_friction(FRICTION);
        self.colliders.add(&self.world, house, floor)?;
        for k in 0..STEPS {
            let (height, end) = (TOP - RISE * k as f64, TREAD * k as f64);
            let long = if k == 0 { 2.0 } else { TREAD };
            let stair = SharedShape::cuboid(0.5 * long, 1.0, 0.5 * height);
            let stair = Collider::new(stair).with_friction(FRICTION);
            let place = Rigid3::translation(end - 0.5 * long, 0.0, 0.5 * height);
            self.colliders.add(&self.world, house, stair.at(place))?;
        }
        Ok(())
    }

    /// It stands on the landing, at its edge.
    fn doll(&mut self) -> Result<(), Box<dyn Error>> {
        let (x, z) = (-0.1, TOP);
        let torso = self.limb([x, 0.0, z + 1.0], [x, 0.0, z + 1.35], 0.14, 36.0)?;
        let head = self.limb([x, 0.0, z + 1.66], [x, 0.0, z + 1.7], 0.1, 5.0)?;
        self.ball([torso, head], [x, 0.0, z + 1.52], 0.6)?;
        for side in [-1.0, 1.0] {
            let y = 0.22 * side;
            let upper = self.limb([x, y, z + 1.38], [x, y, z + 1.15], 0.05, 2.2)?;
            let fore = self.limb([x, y, z + 1.05], [x, y, z + 0.83], 0.04, 1.5)?;
            self.ball([torso, upper], [x, y, z + 1.42], 1.6)?;
            self.hinge([upper, fore], [x, y, z + 1.1], Limits::new(-2.4..=0.0))?;
            let y = 0.1 * side;
            let thigh = self.limb([x, y, z + 0.82], [x, y, z + 0.56], 0.07, 8.0)?;
            let shin = self.limb([x, y, z + 0.43], [x, y, z + 0.06], 0.05, 4.0)?;
            self.ball([torso, thigh], [x, y, z + 0.9], 1.1)?;
            self.hinge([thigh, shin], [x, y, z + 0.48], Limits::new(0.0..=2.4))?;
        }
        Ok(())
    }
}

struct Run {
    world: World3,
    parts: Vec<Part>,
    hinges: Vec<JointHandle>,
    /// The deepest overlap that a step began with.
    deepest: Arc<Mutex<f64>>,
    drift: f64,
    /// The largest change of the energy upwards in a step.
    rise: f64,
    /// The furthest that a hinge was beyond its limits.
    beyond: f64,
    energies: Points,
    /// Ends of all limbs at even times.
    frames: Vec<Vec<[Point3<f64>; 2]>>,
}

impl Run {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut builder = Builder {
            world: World3::new().with_gravity([0.0, 0.0, -GRAVITY]),
            colliders: Colliders::new(),
            parts: Vec::new(),
            hinges: Vec::new(),
        };
        builder.stairs()?;
        builder.doll()?;
        let deepest = Arc::new(Mutex::new(0.0_f64));
        let (mut find, deep) = (builder.colliders.contacts(), Arc::clone(&deepest));
        let world = builder.world.with_contacts(move |world, found| {
            find(world, found);
            let overlaps = found.iter().map(|it| -it.gap());
            let mut deep = deep.lock().expect("one world");
            *deep = overlaps.fold(*deep, f64::max);
        });
        Ok(Self {
            world: world.with_contact_sweeps(30),
            parts: builder.parts,
            hinges: builder.hinges,
            deepest,
            drift: 0.0,
            rise: 0.0,
            beyond: 0.0,
            energies: Vec::new(),
            frames: Vec::new(),
        })
    }

    fn fall(&mut self) -> Result<(), Box<dyn Error>> {
        let mut energy = self.world.energy();
        for k in 0..(END / STEP) as usize {
            if k % 10 == 0 {
                self.energies.push((self.world.time(), energy));
                let ends = self.parts.iter().map(|part| {
                    let pose = self.world.pose(part.body)?;
                    Ok([-part.half, part.half].map(|z| pose * Point3::new(0.0, 0.0, z)))
                });
                let ends: Result<Vec<_>, constraint_runtime::Error> = ends.collect();
                self.frames.push(ends?);
            }
            self.world.step(STEP)?;
            self.drift = self.drift.max(self.world.drift());
            self.rise = self.rise.max(self.world.energy() - energy);
            energy = self.world.energy();
            for (k, &hinge) in self.hinges.iter().enumerate() {
                let angle = self.world.axes(hinge)?[0].value;
                let range = if k % 2 == 0 { -2.4..=0.0 } else { 0.0..=2.4 };
                let inside = angle.clamp(*range.start(), *range.end());
                self.beyond = self.beyond.max((angle - inside).abs());
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<(), Box<dyn Error>> {
        let deepest = *self.deepest.lock().expect("one world");
        let speed = self
            .parts
            .iter()
            .map(|it| self.world.velocity(it.body).map(|it| it.norm()));
        let speed = speed
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .fold(0.0, f64::max);
        let start = self.energies[0].1;
        println!("energy at the start      {start:.1} J");
        println!("largest rise in a step   {:.1e} J", self.rise);
        println!("largest gap of a joint   {:.0e} m", self.drift);
        println!("deepest overlap          {deepest:.1e} m");
        println!("furthest beyond a limit  {:.1e}", self.beyond);
        println!("fastest limb at the end  {speed:.0e} m/s");
        let foot = self.world.pose(self.parts[0].body)?.translation;
        println!("the torso ends at x = {:.2} m", foot.x);
        assert!(self.rise < 1e-4 * start, "{} J", self.rise);
        assert!(self.drift < 1e-12, "{} m", self.drift);
        assert!(
            deepest < 2e-3 && self.beyond < 0.02,
            "{deepest} {}",
            self.beyond
        );
        assert!(speed < 1e-2 && foot.x > 1.0, "{speed} {foot}");
        Ok(())
    }

    /// From the side, limbs as thick lines.
    fn figure(&self) -> [(u32, Vec<Panel>); 2] {
        let limbs = |parts: Range<usize>| {
            evenly(&self.frames, 100).map(move |frame| -> Points {
                let ends = frame[parts.clone()].iter();
                let ends = ends.map(|ends| ends.map(|it| (it.x, it.z)));
                ends.flat_map(|[a, b]| [a, b, (f64::NAN, 0.0)]).collect()
            })
        };
        let mut stairs = vec![(-0.8, TOP)];
        for k in 0..STEPS {
            let (x, z) = (TREAD * k as f64, TOP - RISE * k as f64);
            stairs.extend([(x, z), (x, z - RISE)]);
        }
        stairs.push((3.4, 0.0));
        let seconds = 2.0 * END;
        // Widths in units of the figure, of which a metre has 140.
        let drawing = Panel::drawing("Down the stairs, half as fast", seconds)
            .labels("x in m", "z in m")
            .with(Line::curve("", color::BLACK, 1.5, stairs))
            .with(Line::bars(color::BLUE, 14.0, limbs(2..self.parts.len())))
            .with(Line::bars(color::ORANGE, 38.0, limbs(0..1)))
            .with(Line::bars(color::VERMILION, 28.0, limbs(1..2)));
        let energy = Panel::over_time("Kinetic and potential energy", "E in J", seconds)
            .with(Line::curve("", color::BLUE, 1.5, self.energies.clone()));
        [(390, vec![drawing]), (200, vec![energy])]
    }
}
