//! Steps tell bodies in their own frames, users are told the world's: what that gains, and that nobody sees it.
//!
//! `cargo test --release -p constraint-tests --test systems frames:: -- --nocapture` prints the figures of BENCHMARKS.md.

use std::cell::Cell;
use std::f64::consts::{FRAC_PI_2, PI};
use std::time::Instant;

use crate::apart::Apart;
use constraint_runtime::make_consistent;
use constraint_runtime::nalgebra::UnitQuaternion;
use constraint_runtime::prelude::*;

// ---- the same system, stepped in the world's frame ----------------------------------------------

/// A system whose bodies are told in the world's frame.
fn told_in_world<S>(system: S) -> Apart<S, false> {
    Apart(system)
}

// ---- systems ------------------------------------------------------------------------------------

system! {
    /// A body that nothing pushes.
    pub struct Thrown { a: Real = 0.0014, b: Real = 0.0164, c: Real = 0.0175 }
    body it: Rigid3 { mass: 0.3, inertia: [a, b, c] }
}

system! {
    /// A heavy top on its tip.
    pub struct Top { m: Real = 0.5, a: Real = 0.0006, c: Real = 0.0004, l: Real = 0.04, g: Real = 9.81 }
    body top: Rigid3 { mass: m, inertia: [a, a, c] }
    constraint tip: at(top, [0, 0, -l]) == [0, 0, 0];
    potential m*g*at(top, [0, 0, 0]).z;
}

system! {
    /// Three bodies that hang on each other by balls.
    pub struct Balls { a: Real = 0.1, b: Real = 0.2, c: Real = 0.25, g: Real = 9.81 }
    body p[3]: Rigid3 { mass: 1, inertia: [a, b, c] }
    constraint pin: at(p[0], [0, 0, 1/2]) == [0, 0, 0];
    for i in 1..3 { constraint ball[i]: at(p[i], [0, 0.1, 1/2]) == at(p[i-1], [0.1, 0, -1/2]); }
    for i in 0..3 { potential g*at(p[i], [0, 0, 0]).z; }
}

system! {
    /// Three bodies on springs.
    pub struct Springs { a: Real = 0.1, b: Real = 0.2, c: Real = 0.25, k: Real = 40 }
    body p[3]: Rigid3 { mass: 1, inertia: [a, b, c] }
    for i in 1..3 {
        let gap = at(p[i], [0, 0.1, 1/2]) - at(p[i-1], [0.1, 0, -1/2]);
        potential k/2*dot(gap, gap);
    }
    potential k/2*dot(at(p[0], [0, 0.1, 1/2]), at(p[0], [0, 0.1, 1/2]));
}

system! {
    /// A rotor on an axle that is no principal axis.
    pub struct Rotor { a: Real = 0.1, b: Real = 0.2, c: Real = 0.25 }
    body p: Rigid3 { mass: 1, inertia: [a, b, c] }
    let axle = dir(p, [0.6, 0.48, 0.64]);
    constraint pin: [at(p, [0, 0, 0]) == [0, 0, 0], axle.x, axle.y];
}

system! {
    /// A disk that rolls on the ground.
    pub struct Disk { m: Real = 0.2, r: Real = 0.5, g: Real = 9.81 }
    body disk: Rigid3 { mass: m, inertia: [m*r^2/4, m*r^2/4, m*r^2/2] }
    let center = at(disk, [0, 0, 0]);
    let axis = dir(disk, [0, 0, 1]);
    let to_ground = -r*normalize([0, 0, 1] - axis.z*axis);
    let slip = velocity(center) + cross(angular_velocity(disk), to_ground);
    constraint contact: center.z + to_ground.z == 0;
    constraint rolling: [slip.x, slip.y];
    potential m*g*center.z;
}

system! {
    /// A body with a rotor about its third axis, told by its kinetic energy.
    pub struct Gyrostat { a: Real = 0.7, b: Real = 1.1, c: Real = 1.4, rotor: Real = 0.3 }
    body it: Rigid3 { mass: 2, inertia: [a, b, c] }
    coordinate angle;
    kinetic rotor/2 * (velocity(angle) + dot(angular_velocity(it), dir(it, [0, 0, 1])))^2;
}

/// Where a study starts and when it ends.
struct Problem<S, const Q: usize, const V: usize> {
    name: &'static str,
    system: S,
    q: SVector<f64, Q>,
    v: SVector<f64, V>,
    end: f64,
}

fn thrown(
    name: &'static str,
    [a, b, c]: [f64; 3],
    spin: [f64; 3],
    end: f64,
) -> Problem<Thrown, 7, 6> {
    let mut q = ThrownCoordinates::default();
    q.it.rotation = UnitQuaternion::from_scaled_axis(Vector3::new(0.2, 0.5, -0.3));
    let mut v = ThrownVelocities::default();
    v.it.angular = q.it.rotation * Vector3::from(spin);
    Problem {
        name,
        system: Thrown { a, b, c },
        q: q.into(),
        v: v.into(),
        end,
    }
}

/// Let go with its axis at rest.
fn top(name: &'static str, a: f64, c: f64, spin: f64, end: f64) -> Problem<Top, 7, 6> {
    let system = Top {
        a,
        c,
        ..Top::default()
    };
    let mut q = TopCoordinates {
        top: Rigid3::rotation(Vector3::x() * 0.5),
    };
    let axis = q.top.rotation * Vector3::z();
    q.top.translation.vector = axis * system.l;
    let mut v = TopVelocities::default();
    v.top.angular = axis * spin;
    Problem {
        name,
        system,
        q: q.into(),
        v: v.into(),
        end,
    }
}

fn places() -> [Rigid3; 3] {
    [0.0, 1.0, 2.0].map(|k| {
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(1.2, 0.3 * k, 0.2));
        Rigid3::from_parts(Vector3::new(0.0, 0.4 + 0.9 * k, -0.2).into(), turn)
    })
}

/// About their own third axes, and slowly about others.
fn spins(fast: f64) -> [Twist3; 3] {
    [0, 1, 2].map(|k| Twist3 {
        linear: Vector3::zeros(),
        angular: Vector3::new(0.5, 1.0, 3.0 - f64::from(k))
            + places()[k as usize].rotation * Vector3::z() * fast,
    })
}

fn balls(name: &'static str, fast: f64, end: f64) -> Problem<Balls, 21, 18> {
    Problem {
        name,
        system: Balls::default(),
        q: BallsCoordinates { p: places() }.into(),
        v: BallsVelocities { p: spins(fast) }.into(),
        end,
    }
}

fn springs() -> Problem<Springs, 21, 18> {
    Problem {
        name: "three bodies on springs",
        system: Springs::default(),
        q: SpringsCoordinates { p: places() }.into(),
        v: SpringsVelocities { p: spins(0.0) }.into(),
        end: 3.0,
    }
}

fn rotor() -> Problem<Rotor, 7, 6> {
    let (axle, up) = (Vector3::new(0.6, 0.48, 0.64), Vector3::z());
    let turn = UnitQuaternion::rotation_between(&axle, &up).expect("not opposite");
    let mut q = RotorCoordinates::default();
    q.p.rotation = turn;
    let mut v = RotorVelocities::default();
    v.p.angular = up * 20.0;
    Problem {
        name: "unbalanced rotor",
        system: Rotor::default(),
        q: q.into(),
        v: v.into(),
        end: 3.0,
    }
}

/// Tilted about x, spinning about its axis and turning about the vertical.
fn disk(name: &'static str, [tilt, spin, turn]: [f64; 3], end: f64) -> Problem<Disk, 7, 6> {
    let system = Disk::<f64>::default();
    let mut q = DiskCoordinates {
        disk: Rigid3::rotation(Vector3::x() * tilt),
    };
    let axis = q.disk.rotation * Vector3::z();
    let down = (Vector3::z() - axis * axis.z).normalize() * -system.r;
    q.disk.translation.vector = -down;
    let angular = axis * spin + Vector3::z() * turn;
    let linear = -angular.cross(&down);
    let disk = Twist3 { linear, angular };
    Problem {
        name,
        system,
        q: q.into(),
        v: DiskVelocities { disk }.into(),
        end,
    }
}

fn gyrostat() -> Problem<Gyrostat, 8, 7> {
    let mut v = GyrostatVelocities::default();
    v.it.angular = Vector3::new(0.8, -0.5, 1.7);
    v.angle = 9.0;
    Problem {
        name: "gyrostat",
        system: Gyrostat::default(),
        q: GyrostatCoordinates::default().into(),
        v: v.into(),
        end: 5.0,
    }
}

// ---- the closed form of a body that nothing pushes ----------------------------------------------

/// sn, cn and dn of u for the parameter k², by the descending arithmetic-geometric mean.
///
/// # Source
/// M. Abramowitz, I. A. Stegun, *Handbook of Mathematical Functions*, § 16.4.
fn jacobi(u: f64, parameter: f64) -> [f64; 3] {
    let (mut a, mut b) = (1.0, (1.0 - parameter).sqrt());
    let mut ratios = vec![];
    for _ in 0..8 {
        let c = 0.5 * (a - b);
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
        ratios.push(c / a);
    }
    let mut angle = 256.0 * a * u;
    for ratio in ratios.iter().rev() {
        angle = 0.5 * (angle + (ratio * angle.sin()).asin());
    }
    let (sn, cn) = angle.sin_cos();
    [sn, cn, (1.0 - parameter * sn * sn).sqrt()]
}

/// ω in the body's frame, started at ω₂ = 0.
///
/// # Source
/// L. D. Landau, E. M. Lifshitz, *Mechanics*, 3rd ed. (1976), § 37, for I₁ < I₂ < I₃ and L² > 2 E I₂.
fn free_spin([a, b, c]: [f64; 3], [first, third]: [f64; 2], t: f64) -> Vector3<f64> {
    // 2 E I₃ − L² and L² − 2 E I₁
    let slow = a * (c - a) * first * first;
    let fast = c * (c - a) * third * third;
    let rate = ((c - b) * fast / (a * b * c)).sqrt();
    let [sn, cn, dn] = jacobi(rate * t, (b - a) * slow / ((c - b) * fast));
    let second = (slow / (b * (c - b))).sqrt();
    Vector3::new(first * cn, second * sn, third * dn)
}

/// Jacobi's functions at u = K/2 and K, where they are algebraic.
#[test]
fn jacobis_functions_are_those_of_the_tables() {
    let parameter: f64 = 0.7;
    let k1 = (1.0 - parameter).sqrt();
    let (mut a, mut b) = (1.0, k1);
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let quarter = FRAC_PI_2 / a;
    let [sn, cn, dn] = jacobi(0.5 * quarter, parameter);
    // sn²(K/2) = 1/(1 + k′), cn² = k′/(1 + k′), dn² = k′
    for (found, expected) in [(sn, 1.0 / (1.0 + k1)), (cn, k1 / (1.0 + k1)), (dn, k1)] {
        assert!((found * found - expected).abs() < 1e-15);
    }
    let [sn, cn, dn] = jacobi(quarter, parameter);
    assert!((sn - 1.0).abs() < 1e-15 && cn.abs() < 1e-15 && (dn - k1).abs() < 1e-15);
}

/// The flips of a racket: fewer steps, and a hundredth of the error.
#[test]
fn a_free_body_is_told_in_its_own_frame() -> Result<(), Error> {
    let moments = [0.0014, 0.0164, 0.0175];
    let spin = [8.0, 12.0];
    let start = thrown("", moments, [spin[0], 0.0, spin[1]], 4.0);
    let exact = free_spin(moments, spin, start.end);
    // The momentum keeps its direction, and in the body its length from there is that of I ω.
    let turn = ThrownCoordinates::from(start.q).it.rotation;
    let momentum =
        turn * Vector3::new(spin[0], 0.0, spin[1]).component_mul(&Vector3::from(moments));
    let errors = |q: ThrownCoordinates, v: ThrownVelocities| {
        let found = q.it.rotation.inverse() * v.it.angular;
        let carried = q.it.rotation * found.component_mul(&Vector3::from(moments));
        let spin = (found - exact).norm() / exact.norm();
        spin.max((carried - momentum).norm() / momentum.norm())
    };
    println!("\nA racket that flips, to t = {}\n", start.end);
    for tolerance in [1e-6, 1e-8, 1e-10, 1e-11] {
        let method = DormandPrince::new(tolerance, tolerance);
        let (in_world, q, v) = run(&told_in_world(start.system), &start, method)?;
        let world = errors(q.into(), v.into());
        let (in_own, q, v) = run(&start.system, &start, method)?;
        let own = errors(q.into(), v.into());
        println!("{tolerance:e}: {in_world} steps, {world:.1e}; {in_own} steps, {own:.1e}");
        assert!(
            1.5 * (in_own as f64) < in_world as f64,
            "{in_own} {in_world}"
        );
        assert!(5.0 * own < world, "{own:e} {world:e}");
    }
    let method = Rk4::new(4.0 / 4000.0);
    let (_, q, v) = run(&told_in_world(start.system), &start, method)?;
    let world = errors(q.into(), v.into());
    let (_, q, v) = run(&start.system, &start, method)?;
    let own = errors(q.into(), v.into());
    println!("Rk4, 4000 steps: {world:.1e}; {own:.1e}");
    assert!(own < world, "{own:e} {world:e}");
    let method = DormandPrince::new(1e-11, 1e-11);
    let in_world =
        nanoseconds_a_step(|| run(&told_in_world(start.system), &start, method).map(|it| it.0));
    let in_own = nanoseconds_a_step(|| run(&start.system, &start, method).map(|it| it.0));
    println!("A step of DormandPrince: {in_world:.0} ns; {in_own:.0} ns");
    Ok(())
}

/// The least of some runs.
fn nanoseconds_a_step(run: impl Fn() -> Result<usize, Error>) -> f64 {
    let timed = |_| {
        let begun = Instant::now();
        let steps = run().unwrap_or(0);
        begun.elapsed().as_nanos() as f64 / steps as f64
    };
    (0..20).map(timed).fold(f64::INFINITY, f64::min)
}

/// The state at the end, in the world's frame, and how many steps led there.
fn run<S, P, I, const Q: usize, const V: usize>(
    system: &S,
    problem: &Problem<P, Q, V>,
    method: I,
) -> Result<(usize, SVector<f64, Q>, SVector<f64, V>), Error>
where
    S: System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>> + Copy,
    I: Integrator<Scalar = f64>,
{
    let start = make_consistent(system, State::new(0.0, problem.q, problem.v))?;
    let mut run = Simulation::new(*system, start, method)?;
    let mut steps = 0;
    run.run_until_with(problem.end, |_| steps += 1)?;
    Ok((steps, run.state().q, run.state().v))
}

// ---- all kinds of bodies ------------------------------------------------------------------------

/// Steps and errors in both frames, and the steps that either would take to the same error: the method is of order 5.
fn study<S, const Q: usize, const V: usize>(problem: &Problem<S, Q, V>) -> Result<f64, Error>
where
    S: System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>> + Copy,
{
    let Problem { name, system, .. } = problem;
    let (_, q, v) = run(system, problem, DormandPrince::new(1e-13, 1e-13))?;
    let error = |(steps, found, moving): (usize, SVector<f64, Q>, SVector<f64, V>)| {
        let error = (found - q).norm() + (moving - v).norm() / v.norm();
        (steps as f64, error)
    };
    let (mut ratios, mut steps) = (1.0, 0.0);
    for tolerance in [1e-6, 1e-9] {
        let method = DormandPrince::new(tolerance, tolerance);
        let (in_world, world) = error(run(&told_in_world(*system), problem, method)?);
        let (in_own, own) = error(run(system, problem, method)?);
        let ratio = in_own / in_world * (own / world).powf(0.2);
        println!(
            "| {name} | {tolerance:e} | {in_world} | {world:.1e} | {in_own} | {own:.1e} | {ratio:.2} |"
        );
        ratios *= ratio;
        steps = in_own;
    }
    let method = Rk4::new(problem.end / steps);
    let (_, world) = error(run(&told_in_world(*system), problem, method)?);
    let (_, own) = error(run(system, problem, method)?);
    let ratio = (own / world).powf(0.25);
    println!("| | `Rk4` | {steps} | {world:.1e} | {steps} | {own:.1e} | {ratio:.2} |");
    Ok(ratios.sqrt())
}

/// Where the body's frame is the worse one, it is by little.
#[test]
fn the_bodies_frames_cost_less_error() -> Result<(), Error> {
    println!(
        "\n| body | tolerance | steps, world | error | steps, own | error | ratio at the same error |"
    );
    println!("|---|---|---|---|---|---|---|");
    let ratios = [
        study(&thrown(
            "racket, flipping",
            [0.0014, 0.0164, 0.0175],
            [0.0, 12.0, 0.4],
            4.0,
        ))?,
        study(&thrown(
            "1 : 2 : 3, tumbling",
            [1.0, 2.0, 3.0],
            [0.3, 2.0, 0.5],
            20.0,
        ))?,
        study(&thrown(
            "1 : 2 : 3, about the largest",
            [1.0, 2.0, 3.0],
            [0.1, 0.2, 5.0],
            10.0,
        ))?,
        study(&thrown(
            "1 : 2 : 3, about the least",
            [1.0, 2.0, 3.0],
            [5.0, 0.2, 0.2],
            10.0,
        ))?,
        study(&thrown(
            "1 : 1.01 : 1.02",
            [1.0, 1.01, 1.02],
            [1.0, 3.0, 20.0],
            3.0,
        ))?,
        study(&thrown(
            "rod, about its axis",
            [1.0, 1.1, 0.1],
            [0.2, 0.0, 20.0],
            3.0,
        ))?,
        study(&thrown(
            "rod, tumbling",
            [1.0, 1.1, 0.1],
            [5.0, 0.0, 2.0],
            5.0,
        ))?,
        study(&thrown(
            "disk, about its axis",
            [0.5, 0.52, 1.0],
            [1.0, 0.0, 20.0],
            3.0,
        ))?,
        study(&top("top, released", 0.0006, 0.0004, 150.0, 0.3))?,
        study(&top("top, ten times as fast", 0.0006, 0.0004, 1500.0, 0.03))?,
        study(&top("flat top", 0.0004, 0.0008, 150.0, 0.3))?,
        study(&top("thin top", 0.0006, 0.00005, 1500.0, 0.03))?,
        study(&balls("three bodies on balls", 0.0, 3.0))?,
        study(&balls("the same, spinning", 30.0, 1.0))?,
        study(&springs())?,
        study(&rotor())?,
        study(&disk("disk, rolling", [1.4, 8.0, 0.5], 4.0))?,
        study(&disk("disk, settling", [0.3, 2.0, 6.0], 1.0))?,
        study(&disk("disk, spinning on edge", [1.5, 1.0, 20.0], 3.0))?,
        study(&gyrostat())?,
    ];
    let mean = ratios
        .iter()
        .product::<f64>()
        .powf(1.0 / ratios.len() as f64);
    println!("\ngeometric mean {mean:.2}");
    assert!(mean < 0.9, "{mean}");
    assert!(ratios.iter().all(|ratio| *ratio < 1.25), "{ratios:?}");
    Ok(())
}

// ---- nobody sees it -----------------------------------------------------------------------------

system! {
    /// A ball, which has no frame of its own, between two bodies that have; a particle and a coordinate before them.
    pub struct Mixed { a: Real = 0.1, b: Real = 0.2, c: Real = 0.25, g: Real = 9.81, k: Real = 3 }
    input push: Vector3;
    coordinate angle;
    particle bead: Point3 { mass: 0.2 }
    body first: Rigid3 { mass: 1, inertia: [a, b, c] }
    body ball: Rigid3 { mass: 1, inertia: [a, a, a] }
    body last: Rigid3 { mass: 2, inertia: [[a, 0.01, 0], [0.01, b, 0], [0, 0, c]] }
    particle slider = [angle, 0, 0] { mass: 0.3 }
    constraint pin: at(first, [0, 0, 1/2]) == [0, 0, 0];
    constraint chain: at(ball, [0, 0, 1/2]) == at(first, [0.1, 0, -1/2]);
    constraint rod: norm(at(last, [0, 0.2, 1/2]) - at(ball, [0, 0, -1/2])) == 0.4;
    torque last: push - 0.1*angular_velocity(last);
    force angle: dot(angular_velocity(first), [0, 0, 1]);
    potential g*(at(first, [0, 0, 0]).z + at(last, [0, 0, 0]).z + bead.z) + k/2*dot(bead, bead);
}

system! {
    /// The same rows twice.
    #[redundant(least_squares)]
    pub struct Twice { a: Real = 0.1, b: Real = 0.2, c: Real = 0.25 }
    body p: Rigid3 { mass: 1, inertia: [a, b, c] }
    constraint pin: at(p, [0, 0, 1/2]) == [0, 0, 0];
    constraint again: at(p, [0, 0, 1/2]) == [0, 0, 0];
    potential 9.81*at(p, [0, 0, 0]).z;
}

/// A state of no special kind: rotations have length one, and that is all.
fn anywhere<S, const Q: usize, const V: usize>(system: &S) -> (SVector<f64, Q>, SVector<f64, V>)
where
    S: System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>>,
{
    let mut q = SVector::from_fn(|i, _| (1.0 + 1.7 * i as f64).sin());
    system.normalize(&mut q);
    (q, SVector::from_fn(|i, _| (0.3 + 2.3 * i as f64).cos()))
}

/// q̇ and v̇ told in frames are those of the world, turned.
fn check_own_slope<S, const Q: usize, const V: usize>(system: &S, bodies: usize)
where
    S: System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>>,
{
    let frames = S::PROPERTIES.own_frames.iter();
    let frames =
        frames.flat_map(|run| (0..run.count).map(|k| (run.turn + 7 * k, run.spin + 6 * k)));
    let frames: Vec<(usize, usize)> = frames.collect();
    assert_eq!(frames.len(), bodies);
    let (q, world) = anywhere(system);
    let own = |v: &SVector<f64, V>| {
        let mut own = *v;
        for &(turn, spin) in &frames {
            let turn = q.fixed_rows::<4>(turn).into_owned();
            let turn = UnitQuaternion::new_unchecked(turn.into());
            let turned = turn.inverse() * v.fixed_rows::<3>(spin);
            own.fixed_rows_mut::<3>(spin).copy_from(&turned);
        }
        own
    };
    let (rates, accelerations) = system.own_slope(0.4, &q, &own(&world)).unwrap();
    let expected = system.kinematics(0.4, &q, &world);
    assert!((rates - expected).norm() < 1e-13 * expected.norm());
    let expected = own(&system.acceleration(0.4, &q, &world).unwrap());
    let off = (accelerations - expected).norm() / expected.norm();
    assert!(off < 1e-11, "{off:e}");
}

#[test]
fn slopes_in_the_bodies_frames_are_those_of_the_world_turned() {
    check_own_slope(&Thrown::default(), 1);
    check_own_slope(&Top::default(), 1);
    check_own_slope(&Balls::default(), 3);
    check_own_slope(&Springs::default(), 3);
    check_own_slope(&Rotor::default(), 1);
    check_own_slope(&Twice::default(), 1);
    check_own_slope(&Disk::default(), 1);
    check_own_slope(&Gyrostat::default(), 1);
    let push = Vector3::new(0.3, -0.4, 1.2);
    check_own_slope(&Mixed::default().with_inputs(MixedInputs { push }), 2);
    let law = |_t, _q: &MixedCoordinates, v: &MixedVelocities| MixedInputs {
        push: v.last.angular * 2.0,
    };
    check_own_slope(&Mixed::default().controlled_by(law), 2);
}

system! {
    /// A body that is slowed: as the system says itself, and as a law says.
    pub struct Slowed { a: Real = 1, b: Real = 2, c: Real = 3 }
    body it: Rigid3 { mass: 1, inertia: [a, b, c] }
    torque it: [-0.3, -0.2, -0.1] * angular_velocity(it).z;
}

system! {
    /// The same body, its torque given from outside.
    pub struct Driven { a: Real = 1, b: Real = 2, c: Real = 3 }
    input push: Vector3;
    body it: Rigid3 { mass: 1, inertia: [a, b, c] }
    torque it: push;
}

/// A law of inputs, an event's function and what lies between two states all see ω of the world.
#[test]
fn laws_events_and_states_in_between_see_the_world() -> Result<(), Error> {
    let mut start = SlowedVelocities::default();
    start.it.angular = Vector3::new(0.3, 2.0, 0.5);
    let method = DormandPrince::new(1e-11, 1e-11);
    let state = State::new(0.0, SlowedCoordinates::default(), start);
    let mut slowed = Simulation::new(Slowed::default(), state, method)?;
    let law = |_t, _q: &DrivenCoordinates, v: &DrivenVelocities| DrivenInputs {
        push: Vector3::new(-0.3, -0.2, -0.1) * v.it.angular.z,
    };
    let state = State::new(0.0, state.q, state.v);
    let seen = Cell::new(0.0);
    let mut driven = Simulation::new(Driven::default().controlled_by(law), state, method)?.on(
        Crossing::Either,
        |state| state.v[5],
        |state| {
            seen.set(state.t);
            Then::Stop
        },
    );
    assert_eq!(driven.run_until(10.0)?, Arrival::Event(0));
    slowed.run_until(seen.get())?;
    let (found, expected) = (driven.state(), slowed.state());
    assert!(expected.v[5].abs() < 1e-8, "{}", expected.v[5]);
    assert!((found.v - expected.v).norm() < 1e-8 && (found.q - expected.q).norm() < 1e-8);
    // Half-way through the last step, beside a run that ends there.
    let motion = slowed.interpolant()?;
    let middle = motion.state_at(0.5 * (motion.start_time() + motion.end_time()));
    let mut fine = Simulation::new(Slowed::default(), state, method)?;
    fine.run_until(middle.t)?;
    assert!((fine.state().v - middle.v).norm() < 1e-7);
    let mut steps = Simulation::new(Slowed::default(), state, Rk4::new(1e-2))?;
    steps.run_until(1.0)?;
    let motion = steps.interpolant()?;
    let ends = [motion.start_time(), motion.end_time()].map(|t| motion.state_at(t));
    assert!((ends[1].v - steps.state().v).norm() < 1e-14);
    let middle = motion.state_at(0.5 * (ends[0].t + ends[1].t));
    let mut fine = Simulation::new(Slowed::default(), state, method)?;
    fine.run_until(middle.t)?;
    assert!((fine.state().v - middle.v).norm() < 1e-6);
    Ok(())
}

/// Where a function of ω starts from zero, it goes where ω of the world does: here the body's first axis is turned
/// against that of the world, and I₁ ω̇₁ = (I₂ − I₃) ω₂ ω₃ < 0 of the world is positive in the body's frame.
#[test]
fn a_spin_that_starts_from_zero_goes_where_it_does_in_the_world() -> Result<(), Error> {
    let system = Thrown {
        a: 1.0,
        b: 2.0,
        c: 2.5,
    };
    let mut q = ThrownCoordinates::default();
    q.it.rotation = UnitQuaternion::from_scaled_axis(Vector3::z() * PI);
    let mut v = ThrownVelocities::default();
    v.it.angular = Vector3::new(0.0, 1.0, 1.0);
    let start = State::new(0.0, q, v);
    let mut run = Simulation::new(system, start, DormandPrince::new(1e-9, 1e-9))?
        .until(Crossing::Either, |state| state.v[3]);
    assert_eq!(run.run_until(0.1)?, Arrival::Time);
    assert!(run.state().v[3] < -0.01);
    Ok(())
}

system! {
    /// A torque as it is given, and one given in the body's frame.
    pub struct Torqued { tau: Vector3 }
    body world: Rigid3 { mass: 1, inertia: [1, 2, 3] }
    body own: Rigid3 { mass: 1, inertia: [1, 2, 3] }
    torque world: tau;
    torque own: tau.x*dir(own, [1, 0, 0]) + tau.y*dir(own, [0, 1, 0]) + tau.z*dir(own, [0, 0, 1]);
}

/// At rest R I Rᵀ ω̇ = τ, or I Rᵀ ω̇ = τ.
#[test]
fn a_torque_is_given_in_the_worlds_frame() -> Result<(), Error> {
    let tau = Vector3::new(0.6, -1.0, 1.5);
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.7, -0.4, 1.2));
    let mut q = TorquedCoordinates::default();
    (q.world.rotation, q.own.rotation) = (turn, turn);
    let still = TorquedVelocities::default();
    let found = Torqued { tau }.acceleration(0.0, &q.into(), &still.into())?;
    let TorquedVelocities { world, own } = found.into();
    let moments = Vector3::new(1.0, 2.0, 3.0);
    let inertia = |angular: Vector3<f64>| (turn.inverse() * angular).component_mul(&moments);
    assert!((turn * inertia(world.angular) - tau).norm() < 1e-14);
    assert!((inertia(own.angular) - tau).norm() < 1e-14);
    Ok(())
}

/// Feedback instead of projection leads to the same place.
#[test]
fn feedback_works_in_the_bodies_frames() -> Result<(), Error> {
    let problem = top("", 0.0006, 0.0004, 150.0, 0.1);
    let state = State::new(0.0, problem.q, problem.v);
    let run = |stabilization| -> Result<_, Error> {
        let method = DormandPrince::new(1e-11, 1e-11);
        let run = Simulation::new(problem.system, state, method)?;
        let mut run = run.with_stabilization(stabilization);
        run.run_until(problem.end)?;
        Ok(*run.state())
    };
    let projected = run(Stabilization::default())?;
    let fed_back = run(Stabilization::Baumgarte {
        alpha: 20.0,
        beta: 20.0,
    })?;
    assert!((projected.q - fed_back.q).norm() < 1e-8);
    assert!((projected.v - fed_back.v).norm() < 1e-8 * projected.v.norm());
    Ok(())
}
