//! A delta robot carries its platform around a loop in space: three motors, six rods, and ball joints that close loops.
//!
//! URDF describes trees, so that the joints between rods and platform are in a second file. Computed torque works with loops,
//! too: the accelerations of the motors are chosen, those of rods and platform follow from the loops, and since rods and
//! platform have no motors, their equations give the forces in the joints. Checks: the torques against gravity are those of
//! virtual work by hand; the error of each motor falls as ë + 2ω ė + ω² e = 0 says (Siciliano, Sciavicco, Villani, Oriolo,
//! Robotics, section 8.5.2); the platform stays level; the work of the motors equals the gain of energy.
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians; z counts upwards.

use core::f64::consts::TAU;
use std::error::Error;

use constraint_runtime::nalgebra::{Matrix3, SMatrix, Vector3};
use constraint_runtime::prelude::*;
use robots::delta::{Delta, DeltaCoordinates, DeltaInputs, DeltaVelocities};

#[path = "../../../../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, View, color, evenly};

type Coordinates = SVector<f64, 22>;
type Velocities = SVector<f64, 21>;
type Result<T> = core::result::Result<T, Box<dyn Error>>;

/// The motors among the velocities; each is followed by two angles of each of its rods, and all by the platform.
const MOTORS: [usize; 3] = [0, 5, 10];

/// From the file: lengths of arms and rods, radii of the base and the platform, half the distance of two rods.
const ARM: f64 = 0.3;
const ROD: f64 = 0.6;
const BASE: f64 = 0.2;
const PLATFORM: f64 = 0.08;
const HALF: f64 = 0.06;

/// The period of the path, and the rate at which errors decay.
const PERIOD: f64 = 1.0;
const OMEGA: f64 = 10.0;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<()> {
    let robot = Delta::default();
    let cost = Delta::DERIVATION.entry("acceleration").cost;
    println!("22 coordinates, 18 rows, v̇ in {cost}");
    compare_with_virtual_work(&robot)?;
    let run = follow_the_path(&robot)?;
    let path = plot::write_svg("delta_robot", run.figure())?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// The directions of an arm: outwards, to the left, up.
fn frame(arm: usize) -> [Vector3<f64>; 3] {
    let (sin, cos) = (TAU * arm as f64 / 3.0).sin_cos();
    let [out, left] = [[cos, sin, 0.0], [-sin, cos, 0.0]].map(Vector3::from);
    [out, left, Vector3::z()]
}

/// The path of the platform, with its velocity and acceleration: one turn to the side, two up and down.
fn path(t: f64) -> [Vector3<f64>; 3] {
    let rate = TAU / PERIOD;
    let (sin, cos) = (rate * t).sin_cos();
    let (sin2, cos2) = (2.0 * rate * t).sin_cos();
    [
        Vector3::new(0.12 * cos, 0.12 * sin, 0.04 * sin2 - 0.5),
        Vector3::new(-0.12 * sin, 0.12 * cos, 0.08 * cos2) * rate,
        Vector3::new(-0.12 * cos, -0.12 * sin, -0.16 * sin2) * (rate * rate),
    ]
}

/// The angle of an arm, with the vector of its rods, for a place of the platform.
fn arm(k: usize, place: Vector3<f64>) -> (f64, Vector3<f64>) {
    let [out, _, up] = frame(k);
    let from = place + out * (PLATFORM - BASE); // the axis of the motor
    let (x, z) = (from.dot(&out), from.z);
    // |from − arm|² = ROD², and from · arm = ARM (x cos θ − z sin θ).
    let part = (from.norm_squared() + ARM * ARM - ROD * ROD) / (2.0 * ARM * x.hypot(z));
    let angle = -z.atan2(x) - part.acos();
    (angle, from - (out * angle.cos() - up * angle.sin()) * ARM)
}

/// The angles of the motors on the path, with their rates and accelerations: derivatives of |rod|² = ROD².
fn motors(t: f64) -> [Vector3<f64>; 3] {
    let [place, velocity, acceleration] = path(t);
    let arms = [0, 1, 2].map(|k| {
        let [out, _, up] = frame(k);
        let (angle, rod) = arm(k, place);
        let (sin, cos) = angle.sin_cos();
        let elbow = [out * -sin - up * cos, out * -cos + up * sin].map(|it| it * ARM); // by θ, twice
        let rate = rod.dot(&velocity) / rod.dot(&elbow[0]);
        let square = (velocity - elbow[0] * rate).norm_squared();
        let along = rod.dot(&(acceleration - elbow[1] * rate * rate));
        [angle, rate, (square + along) / rod.dot(&elbow[0])]
    });
    [0, 1, 2].map(|i| Vector3::from(arms.map(|arm| arm[i])))
}

/// All coordinates with the platform at a place: its rods are parallel, so that it is level.
fn closed(place: Vector3<f64>) -> Coordinates {
    let joints = [0, 1, 2].map(|k| {
        let [out, left, _] = frame(k);
        let (angle, rod) = arm(k, place);
        let swing = (-rod.dot(&out)).atan2(-rod.z) - angle;
        (angle, swing, (rod.dot(&left) / ROD).asin())
    });
    let [first, second, third] = joints;
    let mut platform = Rigid3::identity();
    platform.translation.vector = place;
    let coordinates = DeltaCoordinates {
        motor0: first.0,
        swing0l: first.1,
        swing0r: first.1,
        sway0l: first.2,
        sway0r: first.2,
        motor1: second.0,
        swing1l: second.1,
        swing1r: second.1,
        sway1l: second.2,
        sway1r: second.2,
        motor2: third.0,
        swing2l: third.1,
        swing2r: third.1,
        sway2l: third.2,
        sway2r: third.2,
        platform,
    };
    coordinates.into()
}

/// The torques that give the motors these accelerations.
fn torques(
    robot: &Delta,
    q: &Coordinates,
    v: &Velocities,
    wanted: Vector3<f64>,
) -> Result<Vector3<f64>> {
    let released = robot.with_inputs(DeltaInputs::default());
    let jacobian = released.jacobian(0.0, q);
    let driven = jacobian.select_columns(&MOTORS);
    let others: Vec<usize> = (0..21).filter(|it| !MOTORS.contains(it)).collect();
    let carried = SMatrix::<f64, 18, 18>::from_fn(|i, j| jacobian[(i, others[j])]);
    // J a + β = 0 gives the other accelerations …
    let singular = "the rods do not hold the platform";
    let follow = carried
        .lu()
        .solve(&-(released.bias(0.0, q, v) + &driven * wanted));
    let follow = follow.ok_or(singular)?;
    let mut a = Velocities::zeros();
    MOTORS.iter().zip(&wanted).for_each(|(&i, it)| a[i] = *it);
    others.iter().zip(&follow).for_each(|(&i, it)| a[i] = *it);
    // … and M a − h = Jᵀ λ + τ the multipliers, in the rows without motors, and then the torques.
    let force = released.inverse_dynamics(0.0, q, v, &a)?;
    let of_others = SVector::<f64, 18>::from_fn(|i, _| force[others[i]]);
    let multipliers = carried.transpose().lu().solve(&of_others).ok_or(singular)?;
    Ok(Vector3::from(MOTORS.map(|i| force[i])) - driven.transpose() * multipliers)
}

/// Torques that hold the platform, at 20 places: the gain of potential energy as each motor turns.
fn compare_with_virtual_work(robot: &Delta) -> Result<()> {
    let (mut off, mut open) = (0.0_f64, 0.0_f64);
    for i in 0..20 {
        let place = path(f64::from(i) / 20.0)[0] * (0.8 + 0.02 * f64::from(i));
        let arms = [0, 1, 2].map(|k| arm(k, place));
        // rod · (velocity of the platform − velocity of the elbow) = 0, for all three.
        let rods = Matrix3::from_fn(|k, i| arms[k].1[i]);
        let elbows = Vector3::from_fn(|k, _| {
            let [out, _, up] = frame(k);
            let (sin, cos) = arms[k].0.sin_cos();
            arms[k].1.dot(&(out * -sin - up * cos)) * ARM
        });
        let rises = rods.transpose().lu().solve(&Vector3::z());
        let rises = rises
            .ok_or("the rods are in one plane")?
            .component_mul(&elbows);
        // Of each rod, half rises with the platform, half with the elbow.
        let by_hand = Vector3::from_fn(|k, _| {
            let arm = (0.5 * ARM / 2.0 + 2.0 * 0.05 * ARM) * arms[k].0.cos();
            robot.g * ((0.4 + 6.0 * 0.05) * rises[k] - arm)
        });
        let q = closed(place);
        let found = torques(robot, &q, &Velocities::zeros(), Vector3::zeros())?;
        off = off.max((found - by_hand).amax());
        let released = robot.with_inputs(DeltaInputs::default());
        open = open.max(released.constraint(0.0, &q).amax());
    }
    println!(
        "by hand: loops are closed to {open:.0e} m, torques against gravity differ by {off:.0e} N m"
    );
    assert!(open < 1e-14 && off < 1e-12, "{open} {off}");
    Ok(())
}

/// Computed torque: the acceleration of the path, corrected by the error and its rate.
fn law(robot: &Delta, t: f64, q: &Coordinates, v: &Velocities) -> Result<Vector3<f64>> {
    let [angles, rates, accelerations] = motors(t);
    let [found, turning] = [MOTORS.map(|i| q[i]), MOTORS.map(|i| v[i])].map(Vector3::from);
    let error = (angles - found) * (OMEGA * OMEGA) + (rates - turning) * (2.0 * OMEGA);
    torques(robot, q, v, accelerations + error)
}

/// Two turns, from rest at a place off the path.
fn follow_the_path(robot: &Delta) -> Result<Run> {
    let driven = robot.controlled_by(|t, q: &DeltaCoordinates, v: &DeltaVelocities| {
        let torques = law(robot, t, &(*q).into(), &(*v).into());
        torques.expect("the rods hold the platform").into()
    });
    let start = Vector3::new(0.0, 0.0, -0.6);
    let error = Vector3::from([0, 1, 2].map(|k| arm(k, start).0)) - motors(0.0)[0];
    let rate = -motors(0.0)[1];
    // Two turns.
    let (step, count) = (2.5e-3, 800);
    let start = State::new(0.0, closed(start), Velocities::zeros());
    let mut run = Simulation::new(driven, start, Rk4::new(step))?;
    let (energy, mut work, mut off) = (run.energy(), 0.0, 0.0_f64);
    let mut seen = Run::default();
    for i in 0..=count {
        run.run_until(step * i as f64)?;
        let State { t, q, v, .. } = *run.state();
        let torques = law(robot, t, &q, &v)?;
        // Simpson's rule.
        let weight = [2.0, 4.0][i % 2] - if i == 0 || i == count { 1.0 } else { 0.0 };
        let power: f64 = (0..3).map(|k| torques[k] * v[MOTORS[k]]).sum();
        work += weight * step / 3.0 * power;
        let left = (error + (rate + error * OMEGA) * t) * (-OMEGA * t).exp();
        let found = Vector3::from(MOTORS.map(|i| q[i]));
        off = off.max((found - motors(t)[0] - left).amax());
        if i % 8 == 0 {
            seen.look(t, &run.coordinates(), &torques);
        }
    }
    let platform = run.coordinates().platform;
    let far = (platform.translation.vector - path(2.0 * PERIOD)[0]).norm();
    let turned = platform.rotation.angle();
    let gained = run.energy() - energy;
    println!(
        "computed torque: errors of up to {:.1} rad fall as their equation says, to {off:.0e} rad",
        error.amax()
    );
    println!(
        "after two turns the platform is {far:.0e} m from its path, turned by {turned:.0e} rad"
    );
    let lost = (gained - work).abs();
    println!(
        "motors work {work:.6} J, the robot gains as much, to {lost:.0e} J; drift {:.0e} m",
        run.drift()
    );
    assert!(
        off < 1e-7 && far < 1e-7 && turned < 1e-12,
        "{off} {far} {turned}"
    );
    assert!(lost < 1e-5 && run.drift() < 1e-12, "{lost}");
    Ok(seen)
}

/// What the figure shows: arms, rods and platform at even times, and the torques.
#[derive(Default)]
struct Run {
    arms: Vec<Points>,
    rods: Vec<Points>,
    platform: Vec<Points>,
    middle: Points,
    torques: [Points; 3],
}

impl Run {
    fn look(&mut self, t: f64, q: &DeltaCoordinates, torques: &Vector3<f64>) {
        let view = View::new(0.3, 0.25);
        let flat = |it: Vector3<f64>| view.flat(it);
        let place = q.platform.translation.vector;
        let mut shapes: [Points; 3] = Default::default();
        for (k, angle) in [q.motor0, q.motor1, q.motor2].into_iter().enumerate() {
            let [out, left, up] = frame(k);
            let elbow = out * (BASE + ARM * angle.cos()) - up * (ARM * angle.sin());
            let lift = (f64::NAN, 0.0);
            shapes[0].extend([flat(Vector3::zeros()), flat(out * BASE), flat(elbow), lift]);
            for side in [-HALF, HALF].map(|it| left * it) {
                let foot = q.platform * Point3::from(out * PLATFORM + side);
                shapes[1].extend([flat(elbow + side), flat(foot.coords), lift]);
                shapes[2].push(flat(foot.coords));
            }
            self.torques[k].push((t, torques[k]));
        }
        let [arms, rods, platform] = shapes;
        self.arms.push(arms);
        self.rods.push(rods);
        self.platform.push(platform);
        self.middle.push(flat(place));
    }

    fn figure(self) -> [(u32, Vec<Panel>); 1] {
        let seconds = 4.0 * PERIOD;
        let robot = Panel::in_space("The platform on its path, half as fast", seconds)
            .with(Line::trail(color::VERMILION, 2.0, self.middle))
            .with(Line::bars(
                color::BLACK,
                6.0,
                evenly(&self.arms, 101).cloned(),
            ))
            .with(Line::bars(
                color::GREY,
                3.0,
                evenly(&self.rods, 101).cloned(),
            ))
            .with(Line::area(
                color::BLUE,
                evenly(&self.platform, 101).cloned(),
            ));
        let lines = self.torques.into_iter().zip(color::ALL).zip(1..);
        let lines =
            lines.map(|((torque, color), k)| Line::curve(format!("motor {k}"), color, 1.5, torque));
        let torques = Panel::over_time("Torques of the motors", "torque in N m", seconds);
        [(360, vec![robot, torques.with_all(lines)])]
    }
}
