//! A seven-joint arm under torque control: gravity compensation holds it still, and computed torque moves its tool on a circle.
//!
//! The arm is a KUKA LBR iiwa, as `constraint import` writes its file (`examples/robots`). Checks: the places of the tool and
//! the torques against gravity equal those computed by hand from the numbers of the file. Computed torque, Siciliano,
//! Sciavicco, Villani, Oriolo, Robotics, section 8.5.2, makes the error of each joint obey ë + k_d ė + k_p e = 0, so that it
//! falls as (e₀ + (ė₀ + ω e₀) t) e^(−ω t) with k_p = ω², k_d = 2ω. The work of the motors equals the gain of energy.
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians; z counts upwards.

use core::f64::consts::{FRAC_PI_2, TAU};
use std::error::Error;

use constraint_runtime::nalgebra::{Matrix2, Rotation3};
use constraint_runtime::prelude::*;
use robots::iiwa::{Iiwa, IiwaInputs};

#[path = "../../../../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, View, color, evenly};

type Joints = SVector<f64, 7>;

/// Height of the shoulder, lengths of the upper arm and the forearm, and from the wrist to the tool: sums of the file's lengths.
const SHOULDER: f64 = 0.1575 + 0.2025;
const UPPER: f64 = 0.2045 + 0.2155;
const FORE: f64 = 0.1845 + 0.2155;
const HAND: f64 = 0.081 + 0.045;

/// The circle of the tool is in a vertical plane at this distance; its middle at this height, its radius, its period.
const DISTANCE: f64 = 0.55;
const MIDDLE: f64 = 0.6;
const RADIUS: f64 = 0.15;
const PERIOD: f64 = 2.0;

/// The rate at which errors decay.
const OMEGA: f64 = 8.0;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let arm = Iiwa::default();
    let cost = |name| Iiwa::DERIVATION.entry(name).cost;
    println!(
        "inverse dynamics in {}, v̇ in {}",
        cost("inverse_dynamics"),
        cost("acceleration")
    );
    compare_with_hand(&arm)?;
    hold_still(&arm)?;
    let circle = follow_a_circle(&arm)?;
    let path = plot::write_svg("iiwa_torque_control", circle.figure())?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// M a − h without torques of the motors: the torques that cause the acceleration.
fn torques(
    arm: &Iiwa,
    q: &Joints,
    v: &Joints,
    a: &Joints,
) -> Result<Joints, constraint_runtime::Error> {
    let released = arm.with_inputs(IiwaInputs::default());
    released.inverse_dynamics(0.0, q, v, a)
}

/// Elbow, wrist and tool by hand: the joints turn about z, y, z, −y, z, y and z of the link before them.
fn places(q: &Joints) -> [Vector3<f64>; 3] {
    let about = |axis, k: usize| Rotation3::from_axis_angle(&axis, q[k]);
    let (y, z) = (Vector3::y_axis(), Vector3::z_axis());
    let upper = about(z, 0) * about(y, 1);
    let fore = upper * about(z, 2) * about(-y, 3);
    let hand = fore * about(z, 4) * about(y, 5);
    let elbow = z.into_inner() * SHOULDER + upper * z.into_inner() * UPPER;
    let wrist = elbow + fore * z.into_inner() * FORE;
    [elbow, wrist, wrist + hand * z.into_inner() * HAND]
}

/// The torques against gravity with the arm in a plane (joints 3, 5 and 7 at 0), by hand.
fn against_gravity(q: &Joints, g: f64) -> Joints {
    // Angles of upper arm, forearm and hand to the vertical.
    let angles = [q[1], q[1] - q[3], q[1] - q[3] + q[5]];
    let [upper, fore, hand] = angles.map(f64::sin);
    let [elbow, wrist] = [UPPER * upper, UPPER * upper + FORE * fore];
    // Masses of links 2 to 7, their distances from the vertical axis and from the plane.
    let links = [
        (4.0, 0.059 * upper - 0.0003 * angles[0].cos(), 0.042),
        (3.0, (0.2045 + 0.13) * upper, 0.03),
        (2.7, elbow + 0.067 * fore, -0.034),
        (
            1.7,
            elbow + (0.1845 + 0.076) * fore - 0.0001 * angles[1].cos(),
            -0.021,
        ),
        (1.8, wrist + 0.0006 * hand, 0.0004),
        (0.3, wrist + (0.081 + 0.02) * hand, 0.0),
    ];
    let tilts = |first: usize, axis: f64| -> f64 {
        let moments = links[first..]
            .iter()
            .map(|(mass, far, _)| mass * (far - axis));
        g * moments.sum::<f64>()
    };
    let rolls = |first: usize, sine: f64| -> f64 {
        let moments = links[first..].iter().map(|(mass, _, aside)| mass * aside);
        g * sine * moments.sum::<f64>()
    };
    Joints::from([
        0.0,
        -tilts(0, 0.0),
        rolls(1, upper),
        tilts(2, elbow),
        rolls(3, fore),
        -tilts(4, wrist),
        0.0,
    ])
}

/// Places and torques by hand, at 20 positions.
fn compare_with_hand(arm: &Iiwa) -> Result<(), Box<dyn Error>> {
    let still = Joints::zeros();
    let (mut far, mut off) = (0.0_f64, 0.0_f64);
    for i in 0..20 {
        let mut q = Joints::from_fn(|k, _| 1.5 * f64::sin(f64::from(i * i) + 2.0 * k as f64));
        let found = arm.with_inputs(IiwaInputs::default());
        let found = found.outputs(0.0, &q, &still)?.tool_place;
        far = far.max((found - places(&q)[2]).amax());
        (q[2], q[4], q[6]) = (0.0, 0.0, 0.0);
        let torques = torques(arm, &q, &still, &still)?;
        off = off.max((torques - against_gravity(&q, arm.g)).amax());
    }
    println!("by hand: the tool differs by {far:.0e} m, torques against gravity by {off:.0e} N m");
    assert!(far < 1e-14 && off < 1e-12, "{far} {off}");
    Ok(())
}

/// Gravity compensation: the torques are those of the position, with all rates zero.
fn hold_still(arm: &Iiwa) -> Result<(), Box<dyn Error>> {
    let held = arm.controlled_by(|_, q, _| {
        let torques = torques(arm, &(*q).into(), &Joints::zeros(), &Joints::zeros());
        torques.expect("nothing is solved, so nothing fails").into()
    });
    let q = Joints::from([0.3, 0.9, -0.4, -1.2, 0.5, 0.8, 0.1]);
    let mut run = Simulation::new(held, State::new(0.0, q, Joints::zeros()), Rk4::new(1e-2))?;
    run.run_until(2.0)?;
    let moved = (run.state().q - q).amax();
    println!("gravity compensation: it moves by {moved:.0e} rad in 2 s");
    assert!(moved < 1e-12, "{moved}");
    Ok(())
}

/// The tool on its circle, with its velocity and acceleration.
fn circle(t: f64) -> [Vector3<f64>; 3] {
    let rate = TAU / PERIOD;
    let (sin, cos) = (rate * t).sin_cos();
    let place = Vector3::new(DISTANCE, RADIUS * cos, MIDDLE + RADIUS * sin);
    let velocity = Vector3::new(0.0, -sin, cos) * (RADIUS * rate);
    let acceleration = Vector3::new(0.0, -cos, -sin) * (RADIUS * rate * rate);
    [place, velocity, acceleration]
}

/// The joints that put the tool there, pointing away from the vertical axis, with their rates and accelerations: the
/// direction by joint 1, the wrist by 2 and 4 (two sides and the third of a triangle), the hand level by 6.
fn joints(t: f64) -> [Joints; 3] {
    let [p, v, a] = circle(t);
    // Distance from the vertical axis and direction around it.
    let far = p.x.hypot(p.y);
    let far_rate = (p.x * v.x + p.y * v.y) / far;
    let squares = v.x * v.x + v.y * v.y - far_rate * far_rate;
    let far_acceleration = (p.x * a.x + p.y * a.y + squares) / far;
    let turn_rate = (p.x * v.y - p.y * v.x) / (far * far);
    let turn_acceleration =
        (p.x * a.y - p.y * a.x) / (far * far) - 2.0 * far_rate * turn_rate / far;
    // The wrist, seen from the shoulder; angles of upper arm and forearm to the vertical.
    let wrist = Vector2::new(far - HAND, p.z - SHOULDER);
    let reach = wrist.norm();
    let corner = |near: f64, other: f64| {
        ((near * near + reach * reach - other * other) / (2.0 * near * reach)).acos()
    };
    let middle = wrist.x.atan2(wrist.y);
    let [upper, fore] = [middle - corner(UPPER, FORE), middle + corner(FORE, UPPER)];
    let jacobian = Matrix2::new(
        UPPER * upper.cos(),
        FORE * fore.cos(),
        -UPPER * upper.sin(),
        -FORE * fore.sin(),
    );
    let inverse = jacobian
        .try_inverse()
        .expect("the arm is not stretched out");
    let rates = inverse * Vector2::new(far_rate, v.z);
    let inward = Vector2::new(upper.sin(), upper.cos()) * (UPPER * rates.x * rates.x)
        + Vector2::new(fore.sin(), fore.cos()) * (FORE * rates.y * rates.y);
    let accelerations = inverse * (Vector2::new(far_acceleration, a.z) + inward);
    let all = |turn, arm: Vector2<f64>, level| {
        Joints::from([turn, arm.x, 0.0, arm.x - arm.y, 0.0, level - arm.y, 0.0])
    };
    [
        all(p.y.atan2(p.x), Vector2::new(upper, fore), FRAC_PI_2),
        all(turn_rate, rates, 0.0),
        all(turn_acceleration, accelerations, 0.0),
    ]
}

/// Computed torque: the torques of the wanted acceleration, corrected by the error and its rate.
fn law(arm: &Iiwa, t: f64, q: &Joints, v: &Joints) -> Joints {
    let [place, rate, acceleration] = joints(t);
    let a = acceleration + (rate - v) * (2.0 * OMEGA) + (place - q) * (OMEGA * OMEGA);
    torques(arm, q, v, &a).expect("nothing is solved, so nothing fails")
}

/// Two turns, begun off the path.
fn follow_a_circle(arm: &Iiwa) -> Result<Circle, Box<dyn Error>> {
    let driven = arm.controlled_by(|t, q, v| law(arm, t, &(*q).into(), &(*v).into()).into());
    let [place, rate, _] = joints(0.0);
    let error = Joints::from([0.3, -0.2, 0.3, 0.25, -0.3, 0.2, 0.5]);
    let start = State::new(0.0, place + error, rate);
    let step = 1e-3;
    let mut run = Simulation::new(driven, start, Rk4::new(step))?;
    let (energy, mut work) = (run.energy(), 0.0);
    let (mut circle, mut off) = (Circle::default(), 0.0_f64);
    let count = (2.0 * PERIOD / step).round() as usize;
    for i in 0..=count {
        run.run_until(step * i as f64)?;
        let State { t, q, v, .. } = *run.state();
        let torques = law(arm, t, &q, &v);
        // Simpson's rule.
        let weight = [2.0, 4.0][i % 2] - if i == 0 || i == count { 1.0 } else { 0.0 };
        work += weight * step / 3.0 * torques.dot(&v);
        let left = error * ((1.0 + OMEGA * t) * (-OMEGA * t).exp());
        off = off.max((q - joints(t)[0] - left).amax());
        if i % 40 == 0 {
            circle.look(t, &q, run.outputs()?.tool_place, &torques);
        }
    }
    println!(
        "computed torque: errors of up to {:.1} rad fall as their equation says, to {off:.0e} rad",
        error.amax()
    );
    let gained = run.energy() - energy;
    let lost = (gained - work).abs();
    println!("motors work {work:.6} J, the arm gains {gained:.6} J: they differ by {lost:.0e} J");
    assert!(off < 1e-9 && lost < 1e-7, "{off} {lost}");
    let far = (run.outputs()?.tool_place - self::circle(2.0 * PERIOD)[0]).norm();
    println!(
        "after {} s the tool is {far:.0e} m from the circle",
        2.0 * PERIOD
    );
    assert!(far < 1e-8, "{far}");
    Ok(circle)
}

/// What the figure shows: the arm at even times, how far the tool is from its place, and the torques.
#[derive(Default)]
struct Circle {
    arm: Vec<Points>,
    tool: Points,
    error: Points,
    torques: [Points; 3],
}

impl Circle {
    fn look(&mut self, t: f64, q: &Joints, tool: Vector3<f64>, torques: &Joints) {
        let view = View::new(-0.9, 0.3);
        let [elbow, wrist, _] = places(q);
        let shoulder = Vector3::z() * SHOULDER;
        let arm = [Vector3::zeros(), shoulder, elbow, wrist, tool];
        self.arm.push(arm.map(|it| view.flat(it)).to_vec());
        self.tool.push(view.flat(tool));
        let error = (tool - circle(t)[0]).norm();
        // Below, the figure would show rounding errors, which differ from machine to machine.
        if error > 1e-8 {
            self.error.push((t, error));
        }
        for (line, k) in self.torques.iter_mut().zip([0, 1, 3]) {
            line.push((t, torques[k]));
        }
    }

    fn figure(self) -> [(u32, Vec<Panel>); 2] {
        let seconds = 2.0 * PERIOD;
        let arm = Panel::in_space("The tool on its circle", seconds)
            .with(Line::trail(color::VERMILION, 2.0, self.tool))
            .with(Line::bars(
                color::BLACK,
                5.0,
                evenly(&self.arm, 81).cloned(),
            ))
            .with(Line::dots(color::BLUE, 9.0, evenly(&self.arm, 81).cloned()));
        let error = Panel::over_time("Distance from its place", "distance in m", seconds)
            .x(0.0, seconds)
            .log()
            .with(Line::curve("", color::VERMILION, 2.0, self.error));
        let lines = self.torques.into_iter().zip(color::ALL).zip([1, 2, 4]);
        let lines =
            lines.map(|((torque, color), k)| Line::curve(format!("joint {k}"), color, 1.5, torque));
        let torques = Panel::over_time("Torques of three motors", "torque in N m", seconds);
        [
            (320, vec![arm, error]),
            (240, vec![torques.with_all(lines)]),
        ]
    }
}
