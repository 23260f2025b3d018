//! `#[derivatives]` with `#[redundant(least_squares)]`: derivatives of λ of dependent rows, including how they share the force.

use approx::assert_relative_eq;
use constraint_runtime::prelude::*;
use num_dual::Dual64;

use crate::random::Random;

system! {
    /// A pendulum in a wind, whose rod is written once,
    #[derivatives]
    struct Single { m: Real, l: Real, wind: Vector2 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l*(1 + t/10);
    force bob: wind*t - velocity(bob)/3;
}

system! {
    /// and twice, in different units.
    #[redundant(least_squares)]
    #[derivatives]
    struct Double { m: Real, l: Real, wind: Vector2 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l*(1 + t/10);
    constraint again: norm_squared(bob)*(2 + t) == l^2*(1 + t/10)^2*(2 + t);
    force bob: wind*t - velocity(bob)/3;
}

type Along = Tangent<f64, 2, 0, 4>;

/// Each row carries half of the rod's force, in its own units: with c the slope of the second row with respect to the first,
/// c = 2 l (2 + t) on the circle, λ = (μ/2, μ/(2 c)), and the product rule gives its rate.
#[test]
fn two_rows_of_one_rod_vary_by_halves() -> Result<(), Error> {
    let (single, double) = (
        Single {
            m: 2.0,
            l: 1.0,
            wind: Vector2::new(3.0, -8.0),
        },
        Double {
            m: 2.0,
            l: 1.0,
            wind: Vector2::new(3.0, -8.0),
        },
    );
    let (t, length) = (0.5, 1.05);
    let (radial, across) = (Vector2::new(0.6, -0.8), Vector2::new(0.8, 0.6));
    let (q, v) = (radial * length, across * 1.3 + radial * 0.1);
    let mut random = Random::new(3);
    for _ in 0..10 {
        let mut number = || random.between(-1.0, 1.0);
        let (dt, dl, turn, faster) = (number(), number(), number(), number());
        // Along the states that satisfy both rows: |q| = l (1 + t/10), and q·v/|q| = l/10.
        let longer = dl * (1.0 + t / 10.0) + dt / 10.0;
        let along = Along {
            t: dt,
            q: radial * longer + across * turn,
            v: radial * (dl / 10.0 - 1.3 * turn / length) + across * faster,
            u: SVector::zeros(),
            p: SVector::from([number(), dl, number(), number()]),
        };
        let (expected, rate) = single.jvp(t, &q, &v, &along)?;
        let (found, rates) = double.jvp(t, &q, &v, &along)?;
        assert_relative_eq!(found, expected, epsilon = 1e-11, max_relative = 1e-11);
        let (rate, rates) = (rate[0], [rates[0], rates[1]]);
        let c = 2.0 * length * (2.0 + t);
        let dc = 2.0 * (longer * (2.0 + t) + length * dt);
        let mu = single.multipliers(t, &q, &v)?[0];
        assert_relative_eq!(rates[0], rate / 2.0, epsilon = 1e-11, max_relative = 1e-11);
        let second = rate / (2.0 * c) - mu * dc / (2.0 * c * c);
        assert_relative_eq!(rates[1], second, epsilon = 1e-11, max_relative = 1e-11);
    }
    Ok(())
}

system! {
    /// Four beads, all six distances between them held: five of these rows are independent.
    #[redundant(least_squares)]
    #[derivatives]
    struct Braced { m: [Real; 4], k: Real, g: Vector2 }
    for i in 0..4 { particle p[i]: Point2 { mass: m[i] } }
    for i in 0..4 { constraint side[i]: norm(p[(i + 1) % 4] - p[i]) == 3 + i % 2; }
    constraint rising: norm(p[2] - p[0]) == 5;
    constraint falling: norm_squared(p[3] - p[1]) == 25;
    for i in 0..4 { force p[i]: m[i]*g*(1 + t*p[i].x) - k*velocity(p[i]); }
    output held = multiplier(falling)*k + multiplier(rising);
}

type Wide = Tangent<f64, 8, 0, 7>;

fn braced<T: Real>(p: &[T]) -> Braced<T> {
    Braced {
        m: [p[0], p[1], p[2], p[3]],
        k: p[4],
        g: Vector2::new(p[5], p[6]),
    }
}

/// A rectangle 3 × 4, turned and moving like a rigid body; a direction; weights.
fn case(seed: u64) -> (Wide, Wide, (SVector<f64, 8>, SVector<f64, 6>)) {
    let mut random = Random::new(seed);
    let mut number = || random.between(-1.0, 1.0);
    let (angle, spin, moved, speed) = (3.0 * number(), number(), number(), number());
    let corners = [[0.0, 0.0], [3.0, 0.0], [3.0, 4.0], [0.0, 4.0]];
    let place = |i: usize| {
        let [x, y] = corners[i];
        let (s, c) = angle.sin_cos();
        Vector2::new(c * x - s * y + moved, s * x + c * y)
    };
    let velocity =
        |i: usize| Vector2::new(-place(i).y, place(i).x) * spin + Vector2::new(speed, moved);
    let at = Wide {
        t: number(),
        q: SVector::from_fn(|i, _| place(i / 2)[i % 2]),
        v: SVector::from_fn(|i, _| velocity(i / 2)[i % 2]),
        u: SVector::zeros(),
        p: SVector::from_fn(|_, _| 1.5 + number()),
    };
    let along = Wide {
        t: number(),
        q: SVector::from_fn(|_, _| number()),
        v: SVector::from_fn(|_, _| number()),
        u: SVector::zeros(),
        p: SVector::from_fn(|_, _| number()),
    };
    let weights = (
        SVector::from_fn(|_, _| number()),
        SVector::from_fn(|_, _| number()),
    );
    (at, along, weights)
}

/// v̇, λ and the output at a distance along a direction.
fn there(at: &Wide, along: &Wide, by: f64) -> Result<SVector<f64, 15>, Error> {
    let p = at.p + along.p * by;
    let system = braced(p.as_slice());
    let (t, q, v) = (
        at.t + along.t * by,
        at.q + along.q * by,
        at.v + along.v * by,
    );
    let (v_dot, lambda) = system.acceleration_and_multipliers(t, &q, &v)?;
    let held = system.outputs(t, &q, &v)?.held;
    let numbers = v_dot.iter().chain(&lambda).copied().chain([held]);
    Ok(SVector::from_iterator(numbers))
}

/// The slope along a direction by differences of sixth order.
fn differences(at: &Wide, along: &Wide) -> Result<SVector<f64, 15>, Error> {
    let h = 2e-3;
    let mut slope = SVector::zeros();
    for (k, weight) in [(1.0, 45.0), (2.0, -9.0), (3.0, 1.0)] {
        slope += (there(at, along, k * h)? - there(at, along, -k * h)?) * (weight / (60.0 * h));
    }
    Ok(slope)
}

#[test]
fn six_distances_of_four_beads_share_as_differences_say() -> Result<(), Error> {
    for seed in 0..20 {
        let (at, along, weights) = case(seed);
        let expected = differences(&at, &along)?;
        let size = expected.amax();
        let system = braced(at.p.as_slice());
        let (v_dot, lambda) = system.jvp(at.t, &at.q, &at.v, &along)?;
        let held = system.outputs_jvp(at.t, &at.q, &at.v, &along)?.held;
        let found = v_dot.iter().chain(&lambda).copied().chain([held]);
        let found = SVector::<f64, 15>::from_iterator(found);
        assert!(
            (found - expected).amax() <= 1e-8 * size,
            "{seed}: {found} {expected}"
        );

        let gradient = system.vjp(at.t, &at.q, &at.v, &weights.0, &weights.1)?;
        let forwards = weights.0.dot(&v_dot) + weights.1.dot(&lambda);
        assert!(
            (forwards - dot(&gradient, &along)).abs() <= 1e-11 * size,
            "{seed}"
        );
        let bar = BracedOutputs { held: 2.0 };
        let gradient = system.outputs_vjp(at.t, &at.q, &at.v, &bar)?;
        assert!(
            (2.0 * held - dot(&gradient, &along)).abs() <= 1e-11 * size,
            "{seed}"
        );

        let still = Wide { t: 0.0, ..along };
        let (v_dot, lambda) = system.jvp(at.t, &at.q, &at.v, &still)?;
        let (motion, multipliers) = system.linearize_with_multipliers(at.t, &at.q, &at.v)?;
        let Linearization { a, b: _, p } = motion;
        let sum = a.columns(0, 8) * still.q + a.columns(8, 8) * still.v + p * still.p;
        assert!((sum - v_dot).amax() <= 1e-11 * size, "{seed}");
        let Linearization { a, b: _, p } = multipliers;
        let sum = a.columns(0, 8) * still.q + a.columns(8, 8) * still.v + p * still.p;
        assert!((sum - lambda).amax() <= 1e-11 * size, "{seed}");
        let alone = system.linearize(at.t, &at.q, &at.v)?;
        assert!(
            (alone.a - motion.a).amax() <= 1e-11 * alone.a.amax(),
            "{seed}"
        );
    }
    Ok(())
}

/// Dual numbers pass through the rotations that find the eigenvectors.
#[test]
fn dual_numbers_through_least_squares_say_the_same() -> Result<(), Error> {
    for seed in 0..20 {
        let (at, along, _) = case(seed);
        let both = |x: f64, dx: f64| Dual64::new(x, dx);
        let p = at.p.zip_map(&along.p, both);
        let system = braced(p.as_slice());
        let (t, q, v) = (
            both(at.t, along.t),
            at.q.zip_map(&along.q, both),
            at.v.zip_map(&along.v, both),
        );
        let (v_dot, lambda) = system.acceleration_and_multipliers(t, &q, &v)?;
        let (expected_v_dot, expected) = braced(at.p.as_slice()).jvp(at.t, &at.q, &at.v, &along)?;
        let size = expected_v_dot.amax() + expected.amax();
        assert!(
            (v_dot.map(|it| it.eps) - expected_v_dot).amax() <= 1e-10 * size,
            "{seed}"
        );
        assert!(
            (lambda.map(|it| it.eps) - expected).amax() <= 1e-10 * size,
            "{seed}"
        );
    }
    Ok(())
}

fn dot(a: &Wide, b: &Wide) -> f64 {
    a.t * b.t + a.q.dot(&b.q) + a.v.dot(&b.v) + a.p.dot(&b.p)
}

system! {
    /// A bar on three parallel cranks, the third of which is redundant.
    #[redundant(least_squares)]
    #[derivatives]
    struct ThreeCranks { m: Real = 1, j: Real = 0.3, g: Real = 10 }
    coordinate x, y, phi;
    kinetic m/2*(velocity(x)^2 + velocity(y)^2) + j/2*velocity(phi)^2;
    potential m*g*y;
    fn pin(s) = [x + s*cos(phi), y + s*sin(phi)];
    for i in 0..3 { constraint crank[i]: norm(pin(i) - [i, 0]) == 1; }
}

/// θ(t) of θ̈ = −g sin θ, by the explicit method of order four with a hundredth of the step.
#[test]
fn implicit_methods_integrate_redundant_rows() -> Result<(), Error> {
    let (theta, rate): (f64, f64) = (0.6, 1.1);
    let q = [theta.sin(), -theta.cos(), 0.0];
    let v = [rate * theta.cos(), rate * theta.sin(), 0.0];
    let mut run = Simulation::new(
        ThreeCranks::default(),
        State::new(0.0, q, v),
        Radau5::new(1e-9, 1e-9),
    )?;
    run.run_until(1.0)?;
    let (mut angle, mut speed, h) = (theta, rate, 1e-4);
    for _ in 0..10_000 {
        let slope = |a: f64, s: f64| (s, -10.0 * a.sin());
        let k1 = slope(angle, speed);
        let k2 = slope(angle + h / 2.0 * k1.0, speed + h / 2.0 * k1.1);
        let k3 = slope(angle + h / 2.0 * k2.0, speed + h / 2.0 * k2.1);
        let k4 = slope(angle + h * k3.0, speed + h * k3.1);
        angle += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        speed += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    let bar = run.coordinates();
    assert_relative_eq!(bar.x, angle.sin(), epsilon = 1e-7);
    assert_relative_eq!(bar.y, -angle.cos(), epsilon = 1e-7);
    assert!(bar.phi.abs() < 1e-7, "{}", bar.phi);
    Ok(())
}
