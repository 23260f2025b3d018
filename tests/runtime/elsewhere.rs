//! Solvers of other crates move generated systems.

use constraint_runtime::make_consistent;
use constraint_runtime::nalgebra::UnitQuaternion;
use constraint_runtime::prelude::*;
use differential_equations::ode::ODE;
use differential_equations::prelude::{ExplicitRungeKutta, IVP};

system! {
    /// One rod.
    struct Pendulum { l: Real = 1, g: Real = 9.81 }
    particle bob: Point2 { mass: 1 }
    constraint rod: norm(bob) == l;
    gravity [0, -g];
}

/// A system as the crate's equations.
struct Packed<S>(S);

impl<S: System<f64>> ODE<f64, [f64; 4]> for Packed<S> {
    fn diff(&self, t: f64, y: &[f64; 4], dy: &mut [f64; 4]) {
        // The crate's functions cannot fail: what fails is no number, and its step is refused.
        self.0.rhs(t, y, dy).unwrap_or_else(|_| dy.fill(f64::NAN));
    }
}

#[test]
fn a_solver_of_another_crate_finds_the_same_swing() {
    let pendulum = Packed(Pendulum::default());
    // A quarter of the period, K(½)/√9.81, from the level to the lowest point.
    let quarter = 1.854_074_677_301_372 / 9.81_f64.sqrt();
    let method = ExplicitRungeKutta::dop853().rtol(1e-12).atol(1e-12);
    let solution = IVP::ode(&pendulum, 0.0, quarter, [1.0, 0.0, 0.0, 0.0])
        .method(method)
        .solve()
        .expect("it swings");
    let end = solution.y.last().expect("an end");
    // v²/2 = g l there.
    let speed = (2.0 * 9.81_f64).sqrt();
    for (found, expected) in end.iter().zip([0.0, -1.0, -speed, 0.0]) {
        assert!((found - expected).abs() < 1e-9, "{end:?}");
    }
}

#[test]
#[should_panic(expected = "length")]
fn a_state_of_another_length_is_refused() {
    let _ = Pendulum::default().rhs(0.0, &[0.0; 5], &mut [0.0; 4]);
}

system! {
    /// A cart on a rail, a pole on a rod that it carries, and a body on a rod of its own.
    struct Mixed { cart_mass: Real = 1, m: Real = 0.2, l: Real = 0.6, g: Real = 9.81 }
    coordinate x;
    particle pole: Point2 { mass: m }
    body plate: Rigid3 { mass: 2, inertia: [0.1, 0.2, 0.25] }
    particle cart = [x, 0] { mass: cart_mass }
    constraint rod: norm(pole - [x, 0]) == l;
    constraint tip: norm(at(plate, [0.1, 0, 0.2])) == 1;
    force pole: [0, -m*g];
    force x: cos(t) - x;
}

/// Along a motion nothing is left of the equations: λ and v̇ are those of the system.
#[test]
fn a_residual_vanishes_along_the_motion() {
    let system = Mixed::default();
    let mut q = MixedCoordinates::default();
    (q.x, q.pole) = (0.3, Point2::new(0.3, -0.6));
    q.plate = Rigid3::new(Vector3::new(0.2, 0.9, 0.1), Vector3::new(0.3, -0.2, 0.5));
    let velocities = SVector::<f64, 9>::from_fn(|i, _| 0.3 - 0.1 * i as f64);
    let start = State::new(0.4, q, velocities);
    let start = make_consistent(&system, start).expect("it can be put there");
    let State { t, q, v } = start;
    let (a, lambda) = system
        .acceleration_and_multipliers(t, &q, &v)
        .expect("it moves");
    let rate = system.kinematics(t, &q, &v);
    let packed = |parts: [&[f64]; 3]| parts.concat();
    let y = packed([q.as_slice(), v.as_slice(), lambda.as_slice()]);
    let rates = packed([rate.as_slice(), a.as_slice(), &[f64::NAN; 2]]);
    let mut r = [1.0; 21];
    system.residual(t, &y, &rates, &mut r).expect("it moves");
    assert!(r.iter().all(|r| r.abs() < 1e-12), "{r:?}");
}

/// Implicit Euler on the residual, as a solver of differential-algebraic equations does it: order 1, in λ too.
#[test]
fn a_solver_of_differential_algebraic_equations_finds_the_same_swing() {
    let solved = |steps: usize| {
        let end = 1.854_074_677_301_372 / 9.81_f64.sqrt();
        let h = end / steps as f64;
        let mut y = SVector::<f64, 5>::from([1.0, 0.0, 0.0, 0.0, 0.0]);
        for step in 1..=steps {
            let left = |next: &SVector<f64, 5>| {
                let rates = (next - y) / h;
                let mut r = SVector::<f64, 5>::zeros();
                let t = h * step as f64;
                let residual = Pendulum::default().residual(
                    t,
                    next.as_slice(),
                    rates.as_slice(),
                    r.as_mut_slice(),
                );
                residual.expect("it moves");
                r
            };
            let mut next = y;
            for _ in 0..5 {
                let r = left(&next);
                let slope = SMatrix::<f64, 5, 5>::from_fn(|_, _| 0.0);
                let slope = (0..5).fold(slope, |mut slope, k| {
                    let mut beside = next;
                    beside[k] += 1e-7;
                    slope.set_column(k, &((left(&beside) - r) / 1e-7));
                    slope
                });
                next -= slope.lu().solve(&r).expect("index 2 has a solution");
            }
            y = next;
        }
        y
    };
    // At the lowest point v²/2 = g l, and the rod pulls with 3 g.
    let expected = SVector::from([0.0, -1.0, -(2.0 * 9.81_f64).sqrt(), 0.0, -3.0 * 9.81]);
    let off = [100, 200, 400].map(|steps| (solved(steps) - expected).amax());
    assert!(off[2] < 0.2, "{off:?}");
    for (coarse, fine) in off.iter().zip(&off[1..]) {
        assert!((1.8..2.2).contains(&(coarse / fine)), "{off:?}");
    }
}

/// Engines hand over points and quaternions of `mint`, and take them back.
#[test]
fn poses_come_from_engines_and_go_back() {
    system! {
        struct Top { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
        body top: Rigid3 { mass: m, inertia: [0.2, 0.2, 0.1] }
        constraint tip: at(top, [0, 0, -l]) == [0, 0, 0];
        gravity [0, 0, -g];
    }
    let place = mint::Point3 {
        x: 0.0,
        y: 0.0,
        z: 0.5,
    };
    let turn = mint::Quaternion {
        v: mint::Vector3 {
            x: 0.0,
            y: 0.0,
            z: 0.6,
        },
        s: 0.8,
    };
    let rotation = UnitQuaternion::new_unchecked(turn.into());
    let top = Rigid3::from_parts(Point3::from(place).into(), rotation);
    let start = State::new(0.0, TopCoordinates { top }, TopVelocities::default());
    let mut run = Simulation::new(Top::default(), start, Rk4::new(1e-3)).expect("it stands");
    run.run_until(0.01).expect("it stands");
    let Rigid3 {
        rotation,
        translation,
    } = run.coordinates().top;
    let (place, turn): (mint::Vector3<f64>, mint::Quaternion<f64>) =
        (translation.vector.into(), rotation.into_inner().into());
    assert_eq!((place.z, turn.v.z, turn.s), (0.5, 0.6, 0.8));
}
