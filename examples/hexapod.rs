//! Six legs under one trunk: a leg is written once, as a part with joints of the library, and used six times.
//!
//! The same machine is also assembled body by body in a `World`, whose joints are solved at run time. Accelerations
//! and multipliers agree to rounding, and so does the motion, step by step. The feet slide on the ground without
//! friction, so the acceleration of the centre of mass gives the sum of their loads: Σ loads = Σ m (a + g). The energy
//! is constant.
//! Lengths are in metres, times in seconds, masses in kilograms; z counts upwards.

use core::f64::consts::TAU;
use std::error::Error;

use constraint_runtime::joint::{Ball, Hinge, PointOnPlane};
use constraint_runtime::make_consistent;
use constraint_runtime::nalgebra;
use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, View, color};

system! {
    /// A trunk on six legs, each of a thigh in a ball joint and a shank on a hinge, its foot on smooth ground.
    pub struct Hexapod { m: Real = 8, m_leg: Real = 1/2, l: Real = 2/5, radius: Real = 3/10, g: Real = 9.81 }
    const N = 6;

    part Leg { trunk: Rigid3, hip: Vector3, axis: Vector3, m: Real, l: Real } {
        body thigh, shank: Rigid3 { mass: m, inertia: [m*l^2/12, m*l^2/12, m*l^2/100] }
        joint socket: Ball { a: trunk, b: thigh, r1: hip, r2: [0, 0, l/2] }
        joint knee: Hinge { a: thigh, b: shank, r1: [0, 0, -l/2], r2: [0, 0, l/2], axis: axis }
        joint ground: PointOnPlane { b: shank, r1: [0, 0, 0], normal: [0, 0, 1], r2: [0, 0, -l/2] }
        let foot = at(shank, [0, 0, -l/2]);
    }

    body trunk: Rigid3 { mass: m, inertia: [m/20, m/20, m/12] }
    for i in 0..N {
        let turn = i*TAU/N;
        leg[i]: Leg {
            trunk: trunk,
            hip: [radius*cos(turn), radius*sin(turn), 0],
            axis: [-sin(turn), cos(turn), 0],
            m: m_leg,
            l: l,
        }
    }
    gravity [0, 0, -g];

    output height = at(trunk, [0, 0, 0]).z;
    for i in 0..N {
        /// What each foot carries.
        output load[i] = multiplier(leg[i].ground);
        output foot[i] = leg[i].foot;
    }
    /// The upward acceleration of all that moves, times its mass.
    output lift = m*acceleration(at(trunk, [0, 0, 0])).z + sum(i in 0..N:
        m_leg*acceleration(at(leg[i].thigh, [0, 0, 0])).z + m_leg*acceleration(at(leg[i].shank, [0, 0, 0])).z);
}

/// The numbers of scalars of the thirteen bodies, and of their velocities.
const Q: usize = 13 * 7;
const V: usize = 13 * 6;

/// How far thighs and shanks lean out of the vertical, each on its own side.
const LEAN: f64 = 0.6;

/// Prints the comparison and the fall.
pub fn main() -> Result<(), Box<dyn Error>> {
    let hexapod = Hexapod::default();
    let q = standing(&hexapod);
    let v = pushed(&hexapod, &q)?;
    let world = in_a_world(&hexapod, &q, &v)?;

    let cost = Hexapod::DERIVATION.entry("acceleration").cost;
    println!("{} rows, v̇ in {cost}", Hexapod::<f64>::CONSTRAINTS.len());
    compare(&hexapod, &world, &q, &v)?;
    let path = plot::write_svg("hexapod", fall(hexapod, world, &q, &v)?.figure())?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// How bodies are turned: a leg in its direction leans by an angle out of the vertical.
fn leaning(leg: usize, angle: f64) -> Vector3<f64> {
    let turn = leg as f64 * TAU / 6.0;
    Vector3::new(-turn.sin(), turn.cos(), 0.0) * angle
}

/// All feet on the ground, the knees outwards.
fn standing(hexapod: &Hexapod) -> SVector<f64, Q> {
    let half = hexapod.l / 2.0;
    let mut trunk = Rigid3::identity();
    trunk.translation.vector.z = 2.0 * hexapod.l * LEAN.cos();
    let leg = core::array::from_fn(|i| {
        let turn = i as f64 * TAU / 6.0;
        let hip = Point3::new(turn.cos(), turn.sin(), 0.0) * hexapod.radius;
        let mut thigh = Rigid3::rotation(leaning(i, -LEAN));
        let mut shank = Rigid3::rotation(leaning(i, LEAN));
        let down = Point3::new(0.0, 0.0, -half);
        thigh.translation.vector = (trunk * hip) - thigh * Point3::new(0.0, 0.0, half);
        shank.translation.vector = (thigh * down) - shank * Point3::new(0.0, 0.0, half);
        HexapodLegCoordinates { thigh, shank }
    });
    HexapodCoordinates { trunk, leg }.into()
}

/// The trunk is pushed aside and turned; the legs go with it as the joints let them.
fn pushed(hexapod: &Hexapod, q: &SVector<f64, Q>) -> Result<SVector<f64, V>, Box<dyn Error>> {
    let mut v = HexapodVelocities::default();
    v.trunk.linear = Vector3::new(0.3, -0.1, 0.0);
    v.trunk.angular = Vector3::new(0.2, 0.1, 1.0);
    for leg in &mut v.leg {
        leg.thigh.linear = v.trunk.linear;
        leg.shank.linear = v.trunk.linear;
    }
    let start = State::new(0.0, *q, SVector::from(v));
    Ok(make_consistent(hexapod, start)?.v)
}

/// The same bodies and joints, put together at run time.
fn in_a_world(
    hexapod: &Hexapod,
    q: &SVector<f64, Q>,
    v: &SVector<f64, V>,
) -> Result<World3, Box<dyn Error>> {
    let &Hexapod {
        m,
        m_leg,
        l,
        radius,
        g,
    } = hexapod;
    let HexapodCoordinates { trunk, leg } = (*q).into();
    let mut world = World3::new().with_gravity([0.0, 0.0, -g]);
    let velocity = |body: usize| SVector::<f64, 6>::from(v.fixed_rows::<6>(6 * body));
    let plate = Inertia3::principal(m, [m / 20.0, m / 20.0, m / 12.0])?;
    let across = m_leg * l * l / 12.0;
    let rod = Inertia3::principal(m_leg, [across, across, m_leg * l * l / 100.0])?;
    let hull = world.add(Body3::new(plate, trunk).moving(velocity(0)))?;
    let mut add = |pose, body| world.add(Body3::new(rod, pose).moving(velocity(body)));
    let mut thighs = Vec::new();
    for (i, leg) in leg.iter().enumerate() {
        thighs.push(add(leg.thigh, 1 + i)?);
    }
    let mut shanks = Vec::new();
    for (i, leg) in leg.iter().enumerate() {
        shanks.push(add(leg.shank, 7 + i)?);
    }
    let ground = world.add(Body3::fixed(Rigid3::identity()))?;
    let (up, down) = (
        Vector3::new(0.0, 0.0, l / 2.0),
        Vector3::new(0.0, 0.0, -l / 2.0),
    );
    for i in 0..6 {
        let turn = i as f64 * TAU / 6.0;
        let hip = Vector3::new(radius * turn.cos(), radius * turn.sin(), 0.0);
        let axis = nalgebra::UnitVector3::new_normalize(leaning(i, 1.0));
        let socket = Ball { r1: hip, r2: up };
        // The hinge is that of two bodies that are not turned.
        let straight = Rigid3::identity();
        let hinge = Hinge::between(&straight, &straight, &Point3::origin(), &axis);
        let knee = Hinge {
            r1: down,
            r2: up,
            ..hinge
        };
        let foot = PointOnPlane {
            r1: Vector3::zeros(),
            normal: Vector3::z(),
            r2: down,
        };
        world.connect(socket, [hull, thighs[i]])?;
        world.connect(knee, [thighs[i], shanks[i]])?;
        world.connect(foot, [ground, shanks[i]])?;
    }
    Ok(world)
}

/// Accelerations and multipliers at the start.
fn compare(
    hexapod: &Hexapod,
    world: &World3,
    q: &SVector<f64, Q>,
    v: &SVector<f64, V>,
) -> Result<(), Box<dyn Error>> {
    let state = world.state();
    let (slope, lambda) = hexapod.acceleration_and_multipliers(0.0, q, v)?;
    let other = world.acceleration(0.0, &state.q, &state.v)?;
    let far = (0..V)
        .map(|i| (slope[i] - other[i]).abs())
        .fold(0.0, f64::max);
    let rows = world.multipliers(0.0, &state.q, &state.v)?;
    let off = lambda.iter().zip(rows.iter()).map(|(a, b)| (a - b).abs());
    let off = off.fold(0.0, f64::max);
    println!(
        "compared with a World: v̇ differs by {far:.0e} of {:.0}",
        slope.amax()
    );
    println!(
        "                       λ differs by {off:.0e} of {:.0}",
        lambda.amax()
    );
    assert!(far < 1e-10 * slope.amax() && off < 1e-10 * lambda.amax());

    let told = hexapod.outputs(0.0, q, v)?;
    let mass = hexapod.m + 12.0 * hexapod.m_leg;
    let carried: f64 = told.load.iter().sum();
    println!("six feet carry {carried:.3} N of {:.3} N", mass * hexapod.g);
    assert!((carried - told.lift - mass * hexapod.g).abs() < 1e-10 * carried.abs());
    assert!(told.foot.iter().all(|foot| foot.z.abs() < 1e-15));
    let named = HexapodMultipliers::from(lambda);
    assert_eq!(named.leg[2].ground, told.load[2]);
    Ok(())
}

/// How long it falls.
const END: f64 = 0.2;

/// The fall, both ways.
fn fall(
    hexapod: Hexapod,
    world: World3,
    q: &SVector<f64, Q>,
    v: &SVector<f64, V>,
) -> Result<Fall, Box<dyn Error>> {
    let (end, step) = (END, 1e-3);
    let start = State::new(0.0, *q, *v);
    let mut run = Simulation::new(hexapod, start, Rk4::new(step))?;
    let energy = run.energy();
    let mut fall = Fall::default();
    for i in 0..=40 {
        run.run_until(end * f64::from(i) / 40.0)?;
        fall.look(run.state().t, &run.coordinates(), run.outputs()?.load);
    }
    let begin = world.state();
    let mut other = Simulation::new(world, begin, Rk4::new(step))?;
    other.run_until(end)?;
    let apart = (0..Q).map(|i| (run.state().q[i] - other.state().q[i]).abs());
    let apart = apart.fold(0.0, f64::max);
    println!(
        "after {end} s at a height of {:.3} m, {apart:.0e} m from the World",
        run.outputs()?.height
    );
    let lost = (run.energy() - energy).abs();
    println!(
        "energy {energy:.3} J, lost {lost:.0e} J; drift {:.0e}",
        run.drift()
    );
    assert!(apart < 1e-9 && lost < 1e-6 && run.drift() < 1e-12);
    Ok(fall)
}

/// What the figure shows: at even times the rim of the trunk, the legs from hip to foot, and the loads of the feet.
#[derive(Default)]
struct Fall {
    trunk: Vec<Points>,
    legs: Vec<Points>,
    loads: [Points; 6],
}

impl Fall {
    fn look(&mut self, t: f64, q: &HexapodCoordinates, loads: [f64; 6]) {
        let Hexapod { l, radius, .. } = Hexapod::<f64>::default();
        let view = View::new(0.3, 0.35);
        let hip = |i: usize| {
            let turn = i as f64 * TAU / 6.0;
            q.trunk * Point3::new(radius * turn.cos(), radius * turn.sin(), 0.0)
        };
        self.trunk.push((0..6).map(|i| view.flat(hip(i))).collect());
        let down = Point3::new(0.0, 0.0, -l / 2.0);
        let legs = q.leg.iter().enumerate().flat_map(|(i, leg)| {
            let joints = [hip(i), leg.thigh * down, leg.shank * down];
            let joints = joints.map(|it| view.flat(it));
            joints.into_iter().chain([(f64::NAN, 0.0)])
        });
        self.legs.push(legs.collect());
        for (line, load) in self.loads.iter_mut().zip(loads) {
            line.push((t, load));
        }
    }

    fn figure(self) -> [(u32, Vec<Panel>); 1] {
        let seconds = 20.0 * END;
        let fall = Panel::in_space("Falling, 20 times as slow", seconds)
            .with(Line::bars(color::BLACK, 3.0, self.legs.clone()))
            .with(Line::dots(color::VERMILION, 7.0, self.legs))
            .with(Line::area(color::BLUE, self.trunk));
        let lines = self.loads.into_iter().zip(color::ALL).zip(1..);
        let lines = lines.map(|((load, color), i)| Line::curve(i.to_string(), color, 1.5, load));
        let loads = Panel::over_time("What each foot carries", "load in N", seconds);
        [(340, vec![fall, loads.with_all(lines)])]
    }
}
