//! Convergence orders: the error at a fixed time shrinks as hᵖ, under every stabilisation; that of
//! the dense output within one step as hᵖ⁺¹.

use crate::by_hand::{Circle, Hump, Oscillator, TurningWire};
use constraint_runtime::prelude::*;

const G: f64 = 9.81;
const END: f64 = 1.0;

/// Asserts the order of `integrator` on both model problems, the pendulum let go at `angle`.
fn assert_order<I>(integrator: fn(f64) -> I, angle: f64, steps: [u32; 2])
where
    I: Integrator<Scalar = f64> + Copy,
{
    let order = f64::from(integrator(0.1).order());
    let baumgarte = Stabilization::Baumgarte {
        alpha: 1.0,
        beta: 1.0,
    };
    for stabilization in [Stabilization::default(), baumgarte, Stabilization::None] {
        let run = |n: u32| {
            let integrator = || integrator(END / f64::from(n));
            [
                pendulum_error(integrator(), angle, stabilization),
                wire_error(integrator(), stabilization),
            ]
        };
        let [coarse, fine] = steps.map(run);
        for errors in [[coarse[0], fine[0]], [coarse[1], fine[1]]] {
            let ratio = f64::from(steps[1]) / f64::from(steps[0]);
            let observed = (errors[0] / errors[1]).log(ratio);
            assert!(
                (observed - order).abs() < 0.1,
                "{stabilization:?}: order {observed}, errors {errors:?}"
            );
        }
    }
}

#[test]
fn semi_implicit_euler_converges_with_order_one() {
    assert_order(SemiImplicitEuler::new, 2.0, [500, 1000]);
}

#[test]
fn sequential_impulses_converge_with_order_one() {
    // One row: a sweep is exact.
    let swept = |h| SequentialImpulses::new(1).with_projections(4).stepping(h);
    assert_order(swept, 2.0, [500, 1000]);
}

#[test]
fn rattle_converges_with_order_two() {
    assert_order(Rattle::new, 2.0, [200, 400]);
}

#[test]
fn rattle_converges_with_order_two_where_forces_depend_on_velocity() {
    // A hump in x alone: the mass 1 + y′² depends on x, and damping on v.
    let end = |n: u32| {
        let start = State::new(0.0, [-0.3], [0.0]);
        let hump = Hump { damping: 0.3 };
        let mut run = Simulation::new(hump, start, Rattle::new(END / f64::from(n))).unwrap();
        run.run_until(END).unwrap();
        run.state().q.x
    };
    let [coarse, middle, fine] = [200, 400, 800].map(end);
    let observed = ((middle - coarse) / (fine - middle)).log2();
    assert!((observed - 2.0).abs() < 0.1, "{observed}");
}

#[test]
fn rk4_converges_with_order_four() {
    assert_order(Rk4::new, 2.0, [100, 200]);
}

#[test]
fn dormand_prince_converges_with_order_five() {
    // From 2 rad, what is left of the error at this time without projection happens to cancel.
    assert_order(long_steps, 1.0, [100, 200]);
}

/// Dormand and Prince's method with every step of size `h`: its errors stay far below the tolerance.
fn long_steps(h: f64) -> DormandPrince<f64> {
    DormandPrince::new(0.0, 1.0).with_longest_step(h)
}

/// The error at the end of a run.
type ErrorOf<I> = fn(I, Stabilization<f64>) -> f64;

/// Asserts the order of a method that asks for ∂v̇/∂(q, v), under every stabilisation.
fn assert_implicit_order<I, const K: usize>(
    integrator: fn(f64) -> I,
    steps: [u32; 2],
    errors: [ErrorOf<I>; K],
) where
    I: Integrator<Scalar = f64>,
{
    let order = f64::from(integrator(0.1).order());
    let baumgarte = Stabilization::Baumgarte {
        alpha: 1.0,
        beta: 1.0,
    };
    for stabilization in [Stabilization::default(), baumgarte, Stabilization::None] {
        let run = |n: u32| {
            let h = END / f64::from(n);
            errors.map(|error| error(integrator(h), stabilization))
        };
        let [coarse, fine] = steps.map(run);
        let ratio = f64::from(steps[1]) / f64::from(steps[0]);
        for (coarse, fine) in coarse.into_iter().zip(fine) {
            let observed = (coarse / fine).log(ratio);
            assert!(
                (observed - order).abs() < 0.1,
                "{stabilization:?}: order {observed}, errors {coarse:e} {fine:e}"
            );
        }
    }
}

#[test]
fn radau5_converges_with_order_five() {
    let errors = [swing_error, outwards_error, racket_error];
    assert_implicit_order(long_radau_steps, [20, 40], errors);
    assert_implicit_order(long_radau_steps, [40, 80], [top_error, crank_error]);
}

#[test]
fn generalised_alpha_converges_with_order_two() {
    let errors = [
        swing_error,
        outwards_error,
        racket_error,
        top_error,
        crank_error,
    ];
    assert_implicit_order(|h| GeneralizedAlpha::new(h, 0.8), [400, 800], errors);
    assert_implicit_order(|h| GeneralizedAlpha::new(h, 0.0), [400, 800], errors);
}

/// Radau's method with every step of size `h` and stages solved for to rounding.
fn long_radau_steps(h: f64) -> Radau5<f64> {
    Radau5::new(0.0, 1.0)
        .with_first_step(h)
        .with_longest_step(h)
        .with_newton_tolerance(1e-13)
}

system! {
    /// A pendulum, as [`Circle`].
    #[derivatives]
    struct Swing { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    gravity [0, -g];
}

fn swing_error<I: Integrator<Scalar = f64>>(
    integrator: I,
    stabilization: Stabilization<f64>,
) -> f64 {
    let (sin, cos) = 1.0_f64.sin_cos();
    let start = State::new(0.0, [sin, -cos], [0.0, 0.0]);
    let mut run = Simulation::new(Swing::default(), start, integrator)
        .unwrap()
        .with_stabilization(stabilization);
    run.run_until(END).unwrap();
    let (sin, cos) = pendulum_angle(1.0).sin_cos();
    (run.state().q - Vector2::new(sin, -cos)).norm()
}

system! {
    /// A free bead on a turning wire, as [`TurningWire`].
    #[derivatives]
    struct Outwards { m: Real = 1, omega: Real = 3 }
    particle bead: Point2 { mass: m }
    constraint wire: bead.y*cos(omega*t) == bead.x*sin(omega*t);
}

fn outwards_error<I: Integrator<Scalar = f64>>(
    integrator: I,
    stabilization: Stabilization<f64>,
) -> f64 {
    let wire = Outwards::<f64>::default();
    let start = State::new(0.0, [1.0, 0.0], [0.0, wire.omega]);
    let turned = wire.omega * END;
    let mut run = Simulation::new(wire, start, integrator)
        .unwrap()
        .with_stabilization(stabilization);
    run.run_until(END).unwrap();
    let exact = Vector2::new(turned.cos(), turned.sin()) * turned.cosh();
    (run.state().q - exact).norm()
}

system! {
    /// A free body whose moments differ.
    #[derivatives]
    struct Racket { m: Real = 1 }
    body racket: Rigid3 { mass: m, inertia: [1, 2, 3] }
}

/// Against the same by a method of its own, with steps a hundred times as short.
fn racket_error<I: Integrator<Scalar = f64>>(
    integrator: I,
    stabilization: Stabilization<f64>,
) -> f64 {
    fn end<I: Integrator<Scalar = f64>>(
        integrator: I,
        stabilization: Stabilization<f64>,
    ) -> SVector<f64, 13> {
        let spin = SVector::from([0.0, 0.0, 0.0, 0.3, 2.0, 0.1]);
        let start = State::new(0.0, RacketCoordinates::default(), spin);
        let mut run = Simulation::new(Racket::default(), start, integrator)
            .unwrap()
            .with_stabilization(stabilization);
        run.run_until(END).unwrap();
        let State { q, v, .. } = run.state();
        SVector::from_fn(|i, _| if i < 7 { q[i] } else { v[i - 7] })
    }
    (end(integrator, stabilization) - end(Rk4::new(2.5e-4), stabilization)).norm()
}

system! {
    /// A heavy top on its tip.
    #[derivatives]
    struct HeavyTop { m: Real = 1.5, l: Real = 0.5, g: Real = 9.81 }
    body top: Rigid3 { mass: m, inertia: [0.2, 0.2, 0.3] }
    constraint tip: at(top, [0, 0, -l]) == [0, 0, 0];
    gravity [0, 0, -g];
}

system! {
    /// A crank that a falling pin drives a heavy slider with.
    #[derivatives]
    struct SliderCrank { m: Real = 1, slider: Real = 3, r: Real = 1, l: Real = 2.5, g: Real = 9.81, c: Real = 0.5 }
    coordinate angle, x;
    particle pin = [r*cos(angle), r*sin(angle)] { mass: m }
    particle block = [x, 0] { mass: slider }
    constraint rod: norm(block - pin) == l;
    potential m*g*pin.y;
    dissipation c/2 * velocity(x)^2;
}

/// A top that leans and spins, in place and velocity; against Rk4's with steps a hundred times as short.
fn top_error<I: Integrator<Scalar = f64>>(integrator: I, stabilization: Stabilization<f64>) -> f64 {
    fn end<I: Integrator<Scalar = f64>>(
        integrator: I,
        stabilization: Stabilization<f64>,
    ) -> SVector<f64, 13> {
        let top = HeavyTop::<f64>::default();
        let lean = Vector3::new(0.4_f64, 0.0, 0.0);
        let mut place = Rigid3::new(Vector3::zeros(), lean);
        place.translation.vector = place.rotation * Vector3::new(0.0, 0.0, top.l);
        let arm = place.translation.vector;
        let angular = place.rotation * Vector3::new(0.1, 0.2, 5.0);
        let start = State::new(
            0.0,
            HeavyTopCoordinates { top: place },
            HeavyTopVelocities {
                top: Twist3 {
                    linear: angular.cross(&arm),
                    angular,
                },
            },
        );
        let mut run = Simulation::new(top, start, integrator)
            .unwrap()
            .with_stabilization(stabilization);
        run.run_until(END).unwrap();
        let State { q, v, .. } = run.state();
        SVector::from_fn(|i, _| if i < 7 { q[i] } else { v[i - 7] })
    }
    (end(integrator, stabilization) - end(Rk4::new(2.5e-4), stabilization)).norm()
}

/// The crank let go; against Rk4's with steps a hundred times as short.
fn crank_error<I: Integrator<Scalar = f64>>(
    integrator: I,
    stabilization: Stabilization<f64>,
) -> f64 {
    fn end<I: Integrator<Scalar = f64>>(
        integrator: I,
        stabilization: Stabilization<f64>,
    ) -> SVector<f64, 4> {
        let crank = SliderCrank::<f64>::default();
        let (angle, rate) = (0.7_f64, 2.0);
        let (sin, cos) = angle.sin_cos();
        let across = (crank.l * crank.l - sin * sin).sqrt();
        let x_rate = -rate * sin * (1.0 + cos / across);
        let start = State::new(0.0, [angle, cos + across], [rate, x_rate]);
        let mut run = Simulation::new(crank, start, integrator)
            .unwrap()
            .with_stabilization(stabilization);
        run.run_until(END).unwrap();
        let State { q, v, .. } = run.state();
        [q[0], q[1], v[0], v[1]].into()
    }
    (end(integrator, stabilization) - end(Rk4::new(2.5e-4), stabilization)).norm()
}

#[test]
fn methods_keep_their_order_without_constraints() {
    fn observed<I: Integrator<Scalar = f64>>(integrator: fn(f64) -> I, steps: [u32; 2]) -> f64 {
        let error = |n: u32| {
            let start = Oscillator.exact(0.0);
            let mut run =
                Simulation::new(Oscillator, start, integrator(END / f64::from(n))).unwrap();
            run.run_until(END).unwrap();
            let exact = Oscillator.exact(END);
            (run.state().q - exact.q)
                .norm()
                .hypot((run.state().v - exact.v).norm())
        };
        (error(steps[0]) / error(steps[1])).log(f64::from(steps[1]) / f64::from(steps[0]))
    }
    let orders = [
        (1.0, observed(SemiImplicitEuler::new, [2000, 4000])),
        (2.0, observed(Rattle::new, [100, 200])),
        (4.0, observed(Rk4::new, [100, 200])),
        (5.0, observed(long_steps, [50, 100])),
    ];
    for (order, observed) in orders {
        assert!((observed - order).abs() < 0.1, "{order}: {observed}");
    }
}

#[test]
fn an_error_goes_with_its_tolerance() {
    // Per decade of tolerance the error must fall by about a decade: order 5 of the steps.
    let error = |tolerance: f64| {
        pendulum_error(
            DormandPrince::new(tolerance, tolerance),
            2.0,
            Stabilization::default(),
        )
    };
    let errors = [1e-6, 1e-8, 1e-10].map(error);
    for pair in errors.windows(2) {
        let decades = (pair[0] / pair[1]).log10();
        assert!((1.5..2.5).contains(&decades), "{errors:?}");
    }
    assert!(errors[0] < 1e-5, "{errors:?}");
}

#[test]
fn dense_output_has_order_three_or_four() {
    // Error of the first step's interpolant against the exact motion, hᵖ⁺¹. The ends are those
    // of methods of order 4 and 5, whose own error in one step is smaller.
    fn observed<I: Integrator<Scalar = f64>>(integrator: fn(f64) -> I) -> f64 {
        let error = |h: f64| {
            let mut run =
                Simulation::new(Oscillator, Oscillator.exact(0.4), integrator(h)).unwrap();
            run.step().unwrap();
            let motion = run.interpolant().unwrap();
            let inside = [0.2, 0.4, 0.6, 0.8].map(|theta| 0.4 + theta * h);
            let errors = inside.map(|t| (motion.state_at(t).q - Oscillator.exact(t).q).norm());
            errors.into_iter().fold(0.0, f64::max)
        };
        (error(0.02) / error(0.01)).log2()
    }
    for (order, observed) in [(4.0, observed(Rk4::new)), (5.0, observed(long_steps))] {
        assert!((observed - order).abs() < 0.1, "{order}: {observed}");
    }
}

#[test]
fn dense_output_is_as_good_as_the_steps() {
    // Largest error over the whole run, at the middles of the steps.
    fn observed<I: Integrator<Scalar = f64>>(integrator: fn(f64) -> I, steps: [u32; 2]) -> f64 {
        let wire = TurningWire { omega: 3.0 };
        let error = |n: u32| {
            let bead = Particle::new(1.0).on(wire);
            let mut run =
                Simulation::new(bead, wire.start(), integrator(END / f64::from(n))).unwrap();
            (0..n).fold(0.0_f64, |worst, _| {
                run.step().unwrap();
                let motion = run.interpolant().unwrap();
                let middle = motion.state_at(0.5 * (motion.start_time() + motion.end_time()));
                worst.max((middle.q - wire.exact(middle.t)).norm())
            })
        };
        (error(steps[0]) / error(steps[1])).log(f64::from(steps[1]) / f64::from(steps[0]))
    }
    let orders = [
        (4.0, observed(Rk4::new, [200, 400])),
        (5.0, observed(long_steps, [100, 200])),
    ];
    for (order, observed) in orders {
        assert!((observed - order).abs() < 0.1, "{order}: {observed}");
    }
}

/// Scleronomic: a pendulum let go at `angle`, against the angle's own equation.
fn pendulum_error<I: Integrator<Scalar = f64>>(
    integrator: I,
    angle: f64,
    stabilization: Stabilization<f64>,
) -> f64 {
    let (sin, cos) = angle.sin_cos();
    let start = State::new(0.0, [sin, -cos], [0.0, 0.0]);
    let pendulum = Particle::new(1.0).on(Circle).under_gravity([0.0, -G]);
    let mut run = Simulation::new(pendulum, start, integrator)
        .unwrap()
        .with_stabilization(stabilization);
    run.run_until(END).unwrap();
    let (sin, cos) = pendulum_angle(angle).sin_cos();
    (run.coordinates() - Vector2::new(sin, -cos)).norm()
}

/// θ(END) of θ̈ = −g sin θ from rest, by Störmer–Verlet with Richardson extrapolation.
fn pendulum_angle(theta: f64) -> f64 {
    let verlet = |n: u32| {
        let h = END / f64::from(n);
        let (mut theta, mut omega) = (theta, 0.0);
        for _ in 0..n {
            omega -= 0.5 * h * G * theta.sin();
            theta += h * omega;
            omega -= 0.5 * h * G * theta.sin();
        }
        theta
    };
    // The error holds even powers of h only: two eliminations leave h⁶.
    let [coarse, middle, fine] = [1000, 2000, 4000].map(verlet);
    let (a, b) = (
        middle + (middle - coarse) / 3.0,
        fine + (fine - middle) / 3.0,
    );
    b + (b - a) / 15.0
}

/// Rheonomic: a free bead on a turning wire, against the exponential run outwards.
fn wire_error<I: Integrator<Scalar = f64>>(
    integrator: I,
    stabilization: Stabilization<f64>,
) -> f64 {
    let wire = TurningWire { omega: 3.0 };
    let mut run = Simulation::new(Particle::new(1.0).on(wire), wire.start(), integrator)
        .unwrap()
        .with_stabilization(stabilization);
    run.run_until(END).unwrap();
    (run.coordinates() - wire.exact(END)).norm()
}
