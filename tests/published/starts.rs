//! Starts at coordinates that are zero, exactly or nearly: every result of `make_consistent` starts a run, driven cranks
//! start at t = 0, and real violations are found next to them in any units.

use constraint_runtime::prelude::*;
use constraint_runtime::{CoordinateLimits, equilibrium, make_consistent, reach};

use crate::generated::*;
use crate::random::Random;

system! {
    /// A four-bar linkage whose crank is driven.
    #[derivatives]
    pub struct Driven {
        a: Real = 1, b: Real = 3, c: Real = 2.5, d: Real = 3, omega: Real = 2, m: Real = 1, g: Real = 9.81,
    }
    coordinate crank, coupler, rocker;
    particle pin = a*[cos(crank), sin(crank)] { mass: m }
    particle far = pin + b*[cos(coupler), sin(coupler)] { mass: m }
    constraint closed: far == [d, 0] + c*[cos(rocker), sin(rocker)];
    constraint drive: crank == omega*t;
    gravity [0, -g];
}

system! {
    /// A crank alone.
    #[derivatives]
    pub struct Crank { inertia: Real = 0.1, omega: Real = 2 }
    coordinate crank;
    kinetic inertia/2*velocity(crank)^2;
    constraint drive: crank == omega*t;
}

system! {
    /// A driven crank, a slot, and a slider in it: a Scotch yoke.
    #[derivatives]
    pub struct Yoke { r: Real = 0.3, m: Real = 2, omega: Real = 5 }
    coordinate crank, y;
    particle pin = r*[cos(crank), sin(crank)] { mass: m }
    particle slot = [0, y] { mass: m }
    constraint level: pin.y == y;
    constraint drive: crank == omega*t;
}

system! {
    /// Two gears and a rack, one of them driven.
    #[derivatives]
    pub struct Gears { r: Real = 0.1, m: Real = 1, omega: Real = 3 }
    coordinate a, b, x;
    kinetic m*r^2/4*(velocity(a)^2 + 4*velocity(b)^2) + m/2*velocity(x)^2;
    constraint mesh: a + 2*b == 0;
    constraint rack: x == 2*r*b;
    constraint drive: a == omega*t;
}

system! {
    /// A large pendulum and a small one.
    pub struct Sizes { m: Real = 1, l: Real = 1, small: Real = 1e-9, g: Real = 9.81 }
    particle p: Point2 { mass: m }
    particle q: Point2 { mass: m }
    constraint large_rod: norm(p) == l;
    constraint small_rod: norm(q) == small;
    gravity [0, -g];
}

system! {
    /// Two points on rods, one below the other.
    #[derivatives]
    pub struct Pair { m: Real = 1, l: Real = 1, r: Real = 0.8, g: Real = 9.81 }
    particle p, q: Point2 { mass: m }
    constraint upper: norm(p) == l;
    constraint lower: norm(q - p) == r;
    gravity [0, -g];
}

system! {
    /// A double pendulum by its angles, which hangs at rest.
    #[derivatives]
    pub struct Pendulum { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    coordinate a, b;
    particle p = l*[sin(a), -cos(a)] { mass: m }
    particle q = p + l*[sin(a + b), -cos(a + b)] { mass: m }
    gravity [0, -g];
}

/// Deviations from zero that are nothing.
const NOTHING: [f64; 7] = [0.0, 1e-17, -1e-17, 1e-30, -1e-30, 1e-300, -1e-300];

/// `start` with its zeros replaced by nearly nothing, one after the other and mixed.
fn nearly<const Q: usize, const V: usize>(
    q: [f64; Q],
    v: [f64; V],
) -> impl Iterator<Item = State<SVector<f64, Q>, SVector<f64, V>>> {
    let mut random = Random::new(7);
    (0..4 * NOTHING.len()).map(move |case| {
        let mut nothing = |x: f64| match x {
            0.0 if case < NOTHING.len() => NOTHING[case],
            0.0 => NOTHING[random.below(NOTHING.len())],
            x => x,
        };
        State::new(0.0, q.map(&mut nothing), v.map(&mut nothing))
    })
}

/// Starts `system` there, and steps from there.
#[track_caller]
fn steps<S, I>(system: &S, start: &State<S::Q, S::V>, method: I)
where
    S: System<f64> + Clone,
    I: Integrator<Scalar = f64> + std::fmt::Debug + Clone,
{
    let run = Simulation::new(system.clone(), start.clone(), method.clone());
    if let Err(error) = run.and_then(|mut run| run.run_until(0.003)) {
        panic!("{method:?} from {start:?}: {error}");
    }
}

/// Starts `system` with its zeros replaced by nearly nothing under all methods without derivatives. Tolerances of nothing
/// but parts of each entry leave those that are rounding alone.
#[track_caller]
fn starts<S, const Q: usize, const V: usize>(system: S, q: [f64; Q], v: [f64; V])
where
    S: System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>> + Clone,
{
    for start in nearly(q, v) {
        steps(&system, &start, Rk4::new(1e-3));
        steps(&system, &start, Rattle::new(1e-3));
        steps(&system, &start, DormandPrince::new(1e-10, 1e-12));
        steps(&system, &start, DormandPrince::new(1e-10, 0.0));
        steps(&system, &start, DormandPrince::new(1e-4, 1e-300));
    }
}

/// The same under implicit methods.
#[track_caller]
fn starts_implicitly<S, const Q: usize, const V: usize>(system: S, q: [f64; Q], v: [f64; V])
where
    S: Derivatives<f64> + System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>> + Clone,
{
    for start in nearly(q, v) {
        steps(&system, &start, GeneralizedAlpha::new(1e-3, 0.8));
        steps(&system, &start, Radau5::new(1e-8, 1e-10));
        steps(&system, &start, Radau5::new(1e-8, 0.0));
        steps(&system, &start, Radau5::new(1e-4, 1e-300));
    }
}

#[test]
fn implicit_methods_start_at_nearly_zero() {
    starts_implicitly(Crank::default(), [0.0], [2.0]);
    starts_implicitly(Yoke::default(), [0.0, 0.0], [5.0, 1.5]);
    starts_implicitly(Gears::default(), [0.0, 0.0, 0.0], [3.0, -1.5, -0.3]);
    starts_implicitly(Pair::default(), [0.0, -1.0, 0.0, -1.8], [0.0; 4]);
    starts_implicitly(Pair::default(), [1.0, 0.0, 1.0, -0.8], [0.0, 0.0, 1.0, 0.0]);
    starts_implicitly(Pendulum::default(), [0.0; 2], [0.0; 2]);
}

#[test]
fn coordinates_of_nearly_zero_start() {
    starts(Crank::default(), [0.0], [2.0]);
    starts(Yoke::default(), [0.0, 0.0], [5.0, 1.5]);
    starts(Gears::default(), [0.0, 0.0, 0.0], [3.0, -1.5, -0.3]);
    starts(Rods::default(), [0.0, -1.0, 0.0, -1.8], [0.0; 4]);
    starts(Rods::default(), [1.0, 0.0, 1.8, 0.0], [0.0; 4]);
    starts(Rods::default(), [1.0, 0.0, 1.0, -0.8], [0.0, 0.0, 1.0, 0.0]);
    starts(Angles::default(), [0.0, 0.0], [0.0, 0.0]);
    starts(SliderCrank::default(), [0.0, 3.5], [0.0, 0.0]);
    starts(SliderCrank::default(), [0.0, 3.5], [1.0, 0.0]);
    starts(Sleigh::default(), [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    starts(TurningWire::default(), [0.5, 0.0], [0.0, 1.5]);
    starts(
        Scissors::default(),
        [0.0, 2.0 * (1.0_f64 / 3.0).asin()],
        [0.0, 0.0],
    );
    let hanging: [f64; 16] = std::array::from_fn(|i| [0.0, -0.5 * (i / 2 + 1) as f64][i % 2]);
    starts(Chain::default(), hanging, [0.0; 16]);
    starts(RolledChain::default(), hanging, [0.0; 16]);
    let level: [f64; 16] = std::array::from_fn(|i| [0.5 * (i / 2 + 1) as f64, 0.0][i % 2]);
    starts(Chain::default(), level, [0.0; 16]);
    starts(RolledChain::default(), level, [0.0; 16]);
}

/// Every result of `make_consistent` for random guesses, many of them with zeros, starts a run.
#[track_caller]
fn consistent_starts<S, const Q: usize, const V: usize>(
    near: Option<[f64; Q]>,
    system: impl Fn(&mut Random) -> S,
) where
    S: System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>>,
{
    let mut random = Random::new(1);
    let mut found = 0;
    for case in 0..400 {
        let system = system(&mut random);
        let mut guess = |size: f64| match random.below(4) {
            0 => 0.0,
            1 => NOTHING[random.below(NOTHING.len())],
            _ => random.between(-size, size),
        };
        let (size, t) = (10.0_f64.powi(case % 7 - 3), 0.0);
        let (q, v) = ([(); Q].map(|()| guess(1.5)), [(); V].map(|()| guess(size)));
        let q = near.map_or(q, |near| std::array::from_fn(|i| near[i] + 0.01 * q[i]));
        let guess = State::new(t, q, v);
        // Some guesses are singular, or lead nowhere.
        let Ok(start) = make_consistent(&system, guess) else {
            continue;
        };
        found += 1;
        if let Err(error) = Simulation::new(system, start, Rk4::new(1e-3)) {
            panic!("case {case}, from {guess:?} to {start:?}: {error}");
        }
    }
    assert!(found > 100, "only {found} starts");
}

#[test]
fn whatever_make_consistent_returns_starts() {
    consistent_starts(None, |_| Crank::default());
    consistent_starts(None, |_| Yoke::default());
    consistent_starts(None, |_| Gears::default());
    consistent_starts(None, |_| Rods::default());
    consistent_starts(None, |_| Chain::default());
    consistent_starts(None, |_| RolledChain::default());
    consistent_starts(None, |_| SliderCrank::default());
    consistent_starts(None, |_| Sleigh::default());
    consistent_starts(None, |_| TurningWire::default());
    consistent_starts(None, |_| CrankAndRocker::default());
    consistent_starts(None, |_| Sizes::default());
    consistent_starts(Some(crate::bricard::natural().q.into()), |_| {
        crate::bricard::Natural::default()
    });
    consistent_starts(None, |random| Driven {
        a: random.between(0.5, 1.0),
        b: random.between(2.5, 3.5),
        c: random.between(2.0, 3.0),
        d: random.between(2.5, 3.5),
        ..Driven::default()
    });
}

#[test]
fn driven_cranks_start_and_run_with_any_lengths() {
    let mut random = Random::new(3);
    for case in 0..200 {
        let system = Driven {
            a: random.between(0.5, 1.0),
            b: random.between(2.5, 3.5),
            c: random.between(2.0, 3.0),
            d: random.between(2.5, 3.5),
            ..Driven::default()
        };
        let guess = State::new(0.0, [random.between(-0.1, 0.1), 0.6, 1.6], [1.0, 0.0, 0.0]);
        let start = make_consistent(&system, guess).unwrap();
        let run = Simulation::new(system, start, Rk4::new(1e-3));
        if let Err(error) = run.and_then(|mut run| run.run_until(0.01)) {
            panic!("{case}: {error}");
        }
    }
}

#[test]
fn violations_of_small_rows_are_found() {
    let refused = |q: [f64; 4], v: [f64; 4]| {
        let start = State::new(0.0, q, v);
        Simulation::new(Sizes::default(), start, Rk4::new(1e-3)).err()
    };
    assert_eq!(refused([0.0, -1.0, 0.0, -1e-9], [0.0; 4]), None);
    let error = refused([0.0, -1.0, 0.0, -1.01e-9], [0.0; 4]);
    assert!(
        matches!(error, Some(Error::InconsistentPosition { .. })),
        "{error:?}"
    );
    let error = refused([0.0, -1.0, 0.0, -1e-9], [0.0, 0.0, 0.0, 1e-10]);
    assert!(
        matches!(error, Some(Error::InconsistentVelocity { .. })),
        "{error:?}"
    );
    let driven = Simulation::new(
        Crank::default(),
        State::new(0.0, [0.3], [2.0]),
        Rk4::new(1e-3),
    );
    assert!(matches!(
        driven.err(),
        Some(Error::InconsistentPosition { .. })
    ));
}

/// A driven four-bar gives the same decisions in other units of length and mass; angles keep theirs.
#[test]
fn decisions_do_not_depend_on_units() {
    for metre in [1e-9, 1e-3, 1.0, 1e9] {
        for kilogram in [1e-12, 1.0, 1e12] {
            for second in [1e-6, 1.0, 1e6] {
                let system = Driven {
                    a: metre,
                    b: 3.0 * metre,
                    c: 2.5 * metre,
                    d: 3.0 * metre,
                    omega: 2.0 / second,
                    m: kilogram,
                    g: 9.81 * metre / second / second,
                };
                let guess = State::new(0.0, [0.1, 0.6, 1.6], [0.0; 3]);
                let start = make_consistent(&system, guess).unwrap();
                let crank = |angle: f64| {
                    let mut start = start;
                    start.q[0] = angle;
                    Simulation::new(system, start, Rk4::new(1e-3 * second)).is_ok()
                };
                let units = (metre, kilogram, second);
                assert!(
                    [0.0, 4.93e-32, -1e-17, 1e-15].into_iter().all(crank),
                    "{units:?}"
                );
                assert!(
                    ![1e-3, 1e-6, 1e-9, -1e-11].into_iter().any(crank),
                    "{units:?}"
                );
            }
        }
    }
}

/// Inverse kinematics and equilibria from coordinates of nearly zero, where the search begins next to a fold.
#[test]
fn searches_begin_at_nearly_zero() -> Result<(), Error> {
    for start in nearly([0.0; 2], [0.0; 2]) {
        // Stretched downwards, the arm can reach a place next to it.
        let mut q = start.q;
        let limits = CoordinateLimits::between([-3.0; 2], [3.0; 2]);
        let target = SVector::from([0.3, -1.9]);
        let arm = Arm::<f64>::default();
        reach(&arm, 0.0, &mut q, &limits, |y| [y.x, y.y].into(), target)?;
        let found = arm.outputs(0.0, &q, &SVector::zeros())?;
        let off = (found.x - 0.3).abs().max((found.y + 1.9).abs());
        assert!(off < 1e-9, "{start:?}: {off:e}");
        let rest = equilibrium(&Pendulum::default(), start)?;
        assert!(rest.q.amax() < 1e-12, "{start:?}: {:?}", rest.q);
    }
    for start in nearly([0.0, -1.0, 0.0, -1.8], [0.0; 4]) {
        let rest = equilibrium(&Pair::default(), start)?;
        let off = (rest.q - SVector::from([0.0, -1.0, 0.0, -1.8])).amax();
        assert!(off < 1e-12, "{start:?}: {off:e}");
    }
    Ok(())
}

system! {
    /// Two links whose end is to be placed.
    #[derivatives]
    #[task_space]
    pub struct Arm { l: Real = 1, m: Real = 1 }
    coordinate a, b;
    particle elbow = l*[sin(a), -cos(a)] { mass: m }
    particle hand = elbow + l*[sin(a + b), -cos(a + b)] { mass: m }
    output x = hand.x;
    output y = hand.y;
}
