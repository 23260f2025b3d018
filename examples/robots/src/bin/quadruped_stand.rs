//! A quadruped on four feet returns to its place after a push.
//!
//! HyQ, from its file: a trunk that moves freely, twelve joints with motors, and three rows for each foot, which a ball joint holds
//! on the ground. The acceleration of the trunk is chosen, that of the joints follows from the rows. Twelve motors and six
//! equations leave the loads of the feet open: of all that carry the trunk, the law takes those with the least sum of squares.
//! Checks: at rest the loads and the torques of the knees are those of statics, by hand from the numbers of the file; after a push
//! the trunk returns as ë + 2ω ė + ω² e = 0 says, and the impulse of the feet is the change of momentum (Featherstone, Rigid
//! Body Dynamics Algorithms, section 2.7).
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians; x forwards, y to the left, z upwards.

use core::f64::consts::{FRAC_PI_2, PI};
use std::error::Error;

use constraint_runtime::nalgebra::{Translation3, UnitQuaternion, Vector6};
use constraint_runtime::prelude::*;
use robots::hyq::{Hyq, HyqCoordinates, HyqInputs, HyqVelocities};

#[path = "../../../../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, View, color};

type Coordinates = SVector<f64, 19>;
type Velocities = SVector<f64, 18>;
/// Of twelve joints, or of four feet: left and right in front, left and right behind.
type Twelve = SVector<f64, 12>;
type Result<T> = core::result::Result<T, Box<dyn Error>>;

/// The places of the hips in the trunk, and of the feet on the ground.
const FEET: [[f64; 2]; 4] = [[FAR, WIDE], [FAR, -WIDE], [-FAR, WIDE], [-FAR, -WIDE]];
const FAR: f64 = 0.3735;
const WIDE: f64 = 0.207;

/// From the first to the second axis of a leg, and the lengths of its links.
const HIP: f64 = 0.08;
const UPPER: f64 = 0.35;
const LOWER: f64 = 0.346;

/// The centre of mass of the trunk; the masses of the trunk and of the links of a leg.
const CENTRE: [f64; 3] = [0.056, 0.0215, 0.00358];
const TRUNK_MASS: f64 = 60.96;
const LEG_MASSES: [f64; 3] = [2.93, 2.638, 0.881];

fn mass() -> f64 {
    TRUNK_MASS + 4.0 * LEG_MASSES.iter().sum::<f64>()
}

/// The height of the hips.
const HEIGHT: f64 = 0.62;

/// The rate at which the trunk returns.
const OMEGA: f64 = 3.0;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<()> {
    let robot = Hyq::default();
    let cost = Hyq::DERIVATION.entry("acceleration").cost;
    println!("18 velocities, 12 rows, v̇ in {cost}");
    compare_with_statics(&robot)?;
    let push = return_from_a_push(&robot)?;
    let path = plot::write_svg("quadruped_stand", push.figure())?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// The angles of upper and lower links to the vertical: with the height they form a triangle. Knees point to the middle.
fn angles(leg: usize) -> [f64; 2] {
    let depth = HEIGHT - HIP;
    let corner = |near: f64, other: f64| {
        ((near * near + depth * depth - other * other) / (2.0 * near * depth)).acos()
    };
    let side = FEET[leg][0].signum();
    [side * corner(UPPER, LOWER), -side * corner(LOWER, UPPER)]
}

/// The trunk where it belongs.
fn home() -> Rigid3<f64> {
    Rigid3::translation(CENTRE[0], CENTRE[1], HEIGHT + CENTRE[2])
}

/// Joint by joint, at rest.
fn at_home() -> Coordinates {
    let mut q = Coordinates::from(HyqCoordinates {
        trunk_inertial: home(),
        ..HyqCoordinates::default()
    });
    for leg in 0..4 {
        let [upper, lower] = angles(leg);
        (q[3 * leg + 1], q[3 * leg + 2]) = (upper, lower - upper);
    }
    q
}

/// J of the joints and of the trunk.
fn jacobians(robot: &Hyq, q: &Coordinates) -> (SMatrix<f64, 12, 12>, SMatrix<f64, 12, 6>) {
    let jacobian = robot.with_inputs(HyqInputs::default()).jacobian(0.0, q);
    let (joints, trunk) = (
        jacobian.fixed_columns::<12>(0),
        jacobian.fixed_columns::<6>(12),
    );
    (joints.into_owned(), trunk.into_owned())
}

/// The torques that give the trunk this acceleration, and the loads of the feet.
fn torques(
    robot: &Hyq,
    q: &Coordinates,
    v: &Velocities,
    wanted: &Vector6<f64>,
) -> Result<(Twelve, Twelve)> {
    let released = robot.with_inputs(HyqInputs::default());
    let (joints, trunk) = jacobians(robot, q);
    // J a + β = 0 gives the accelerations of the joints.
    let follow = -(released.bias(0.0, q, v) + trunk * wanted);
    let follow = joints.lu().solve(&follow).ok_or("a leg is stretched out")?;
    let mut a = Velocities::zeros();
    a.fixed_rows_mut::<12>(0).copy_from(&follow);
    a.fixed_rows_mut::<6>(12).copy_from(wanted);
    // M a − h = Jᵀ λ + τ, where the trunk has no τ: of all λ the shortest.
    let force = released.inverse_dynamics(0.0, q, v, &a)?;
    let gram = (trunk.transpose() * trunk)
        .cholesky()
        .ok_or("the feet are in a line")?;
    let loads = trunk * gram.solve(&force.fixed_rows::<6>(12));
    Ok((
        force.fixed_rows::<12>(0) - joints.transpose() * loads,
        loads,
    ))
}

/// At rest the loads are vertical and change along x and y in proportion; the lower links are balanced about the knees.
fn compare_with_statics(robot: &Hyq) -> Result<()> {
    let (q, still) = (at_home(), Velocities::zeros());
    let (torques, loads) = torques(robot, &q, &still, &Vector6::zeros())?;
    let mass = mass();
    // The legs in front and behind, left and right are balanced, so that the trunk alone moves the centre of mass.
    let [x, y] = [CENTRE[0], CENTRE[1]].map(|it| it * TRUNK_MASS / mass);
    let (mut far, mut off) = (0.0_f64, 0.0_f64);
    for (leg, place) in FEET.iter().enumerate() {
        let part = 1.0 + x * place[0] / (FAR * FAR) + y * place[1] / (WIDE * WIDE);
        let load = mass * robot.g / 4.0 * part;
        far = far.max((loads.fixed_rows::<3>(3 * leg) - Vector3::z() * load).amax());
        let (sin, cos) = angles(leg)[1].sin_cos();
        let centre = 0.1254 * sin + place[0].signum() * 4e-5 * cos;
        let knee = LEG_MASSES[2] * robot.g * centre - load * LOWER * sin;
        off = off.max((torques[3 * leg + 2] - knee).abs());
    }
    let open = robot
        .with_inputs(HyqInputs::default())
        .constraint(0.0, &q)
        .amax();
    println!(
        "by hand: feet are on the ground to {open:.0e} m, loads differ by {far:.0e} N, torques of the knees by {off:.0e} N m"
    );
    assert!(
        open < 1e-15 && far < 1e-10 && off < 1e-10,
        "{open} {far} {off}"
    );
    Ok(())
}

/// How far the trunk is from its place, and turned.
fn error(q: &Coordinates) -> Vector6<f64> {
    let trunk = HyqCoordinates::from(*q).trunk_inertial;
    let moved = trunk.translation.vector - home().translation.vector;
    let turned = trunk.rotation.scaled_axis();
    Vector6::from_iterator(moved.iter().chain(&turned).copied())
}

/// The acceleration of the trunk that returns it.
fn law(robot: &Hyq, q: &Coordinates, v: &Velocities) -> Result<(Twelve, Twelve)> {
    let rate = v.fixed_rows::<6>(12);
    let wanted = error(q) * (-OMEGA * OMEGA) - rate * (2.0 * OMEGA);
    torques(robot, q, v, &wanted)
}

/// What a push changes: linear and angular velocity of the trunk.
fn push() -> Vector6<f64> {
    Vector6::new(0.3, 0.1, 0.1, 0.1, 0.2, 0.4)
}

/// All velocities just after the push: the feet are still.
fn pushed(robot: &Hyq) -> Result<Velocities> {
    let (joints, trunk) = jacobians(robot, &at_home());
    let follow = joints.lu().solve(&(trunk * -push()));
    let follow = follow.ok_or("a leg is stretched out")?;
    let mut v = Velocities::zeros();
    v.fixed_rows_mut::<12>(0).copy_from(&follow);
    v.fixed_rows_mut::<6>(12).copy_from(&push());
    Ok(v)
}

/// Σ m v: everything moves with the trunk, so that it is the trunk's part of M v.
fn momentum(robot: &Hyq, q: &Coordinates, v: &Velocities) -> Vector3<f64> {
    let released = robot.with_inputs(HyqInputs::default());
    let momenta = released.mass_times(0.0, q, v);
    momenta.fixed_rows::<3>(12).into_owned()
}

/// Two and a half seconds after a push.
fn return_from_a_push(robot: &Hyq) -> Result<Push> {
    let held = robot.controlled_by(|_, q: &HyqCoordinates, v: &HyqVelocities| {
        let torques = law(robot, &(*q).into(), &(*v).into());
        torques.expect("no leg is stretched out").0.into()
    });
    let (step, count) = (1e-2, 250);
    let start = State::new(0.0, at_home(), pushed(robot)?);
    let before = momentum(robot, &start.q, &start.v);
    let mut run = Simulation::new(held, start, Rk4::new(step))?;
    let mut seen = Push::default();
    let (mut impulse, mut off) = (Vector3::zeros(), 0.0_f64);
    let (mut least, mut steepest) = (f64::MAX, 0.0_f64);
    for i in 0..=count {
        run.run_until(step * i as f64)?;
        let loads = *run.multipliers()?;
        let loads = [
            loads.lf_stand,
            loads.rf_stand,
            loads.lh_stand,
            loads.rh_stand,
        ];
        for load in &loads {
            least = least.min(load.z);
            steepest = steepest.max(load.xy().norm() / load.z);
        }
        // Simpson's rule.
        let weight = [2.0, 4.0][i % 2] - if i == 0 || i == count { 1.0 } else { 0.0 };
        let falling = Vector3::z() * (mass() * robot.g);
        impulse += (loads.iter().sum::<Vector3<f64>>() - falling) * (weight * step / 3.0);
        let State { t, q, .. } = *run.state();
        off = off.max((error(&q) - push() * (t * (-OMEGA * t).exp())).amax());
        if i % 2 == 0 {
            seen.look(t, &q, loads.map(|it| it.z));
        }
    }
    let lost = before + impulse - momentum(robot, &run.state().q, &run.state().v);
    println!(
        "after a push of {:.1} N s the trunk returns as its equation says, to {off:.0e} m and rad",
        before.norm()
    );
    println!(
        "the impulse of the feet differs from the change of momentum by {:.0e} N s",
        lost.amax()
    );
    println!(
        "loads are at least {least:.0} N and need a friction of {steepest:.2}; drift {:.0e} m",
        run.drift()
    );
    assert!(
        off < 1e-6 && lost.amax() < 1e-4 && run.drift() < 1e-9,
        "{off} {lost}"
    );
    assert!(least > 0.0 && steepest < 0.8, "{least} {steepest}");
    Ok(seen)
}

/// The joints of a leg from hip to foot: the frames of the file, one after the other.
fn leg(trunk: &Rigid3<f64>, leg: usize, q: &Coordinates) -> [Vector3<f64>; 4] {
    let [far, wide] = FEET[leg];
    let joint = |place: [f64; 3], [roll, pitch, yaw]: [f64; 3], angle: f64| {
        let turn = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
        let about = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
        Rigid3::from_parts(Translation3::from(place), turn * about)
    };
    let (yaw, roll) = if wide > 0.0 {
        (-PI, FRAC_PI_2)
    } else {
        (0.0, -FRAC_PI_2)
    };
    let frame = trunk * Translation3::from(CENTRE.map(|it| -it));
    let hip = frame * joint([far, wide, 0.0], [0.0, FRAC_PI_2, yaw], q[3 * leg]);
    let upper = hip * joint([HIP, 0.0, 0.0], [roll, 0.0, 0.0], q[3 * leg + 1]);
    let lower = upper * joint([UPPER, 0.0, 0.0], [0.0; 3], q[3 * leg + 2]);
    let foot = lower * Translation3::new(LOWER, 0.0, 0.0);
    [hip, upper, lower, foot].map(|it| it.translation.vector)
}

/// What the figure shows: trunk and legs at even times, and the loads of the feet.
#[derive(Default)]
struct Push {
    trunk: Vec<Points>,
    legs: Vec<Points>,
    loads: [Points; 4],
}

impl Push {
    fn look(&mut self, t: f64, q: &Coordinates, loads: [f64; 4]) {
        let view = View::new(0.5, 0.25);
        let trunk = HyqCoordinates::from(*q).trunk_inertial;
        let legs = [0, 1, 3, 2].map(|it| leg(&trunk, it, q).map(|it| view.flat(it)));
        self.trunk.push(legs.map(|it| it[0]).to_vec());
        let legs = legs
            .iter()
            .flat_map(|it| it.iter().copied().chain([(f64::NAN, 0.0)]));
        self.legs.push(legs.collect());
        for (line, load) in self.loads.iter_mut().zip(loads) {
            line.push((t, load));
        }
    }

    fn figure(self) -> [(u32, Vec<Panel>); 1] {
        let seconds = 5.0;
        let robot = Panel::in_space("After the push, half as fast", seconds)
            .with(Line::bars(color::BLACK, 5.0, self.legs.clone()))
            .with(Line::dots(color::VERMILION, 9.0, self.legs))
            .with(Line::area(color::BLUE, self.trunk));
        let names = ["lf", "rf", "lh", "rh"];
        let lines = self.loads.into_iter().zip(color::ALL).zip(names);
        let lines = lines.map(|((load, color), name)| Line::curve(name, color, 1.5, load));
        let loads = Panel::over_time("Loads of the feet", "load in N", seconds);
        [(360, vec![robot, loads.with_all(lines)])]
    }
}
