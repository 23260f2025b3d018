//! Implicit methods: what they damp and what they keep, events and dual numbers through them, and where they refuse.

use approx::assert_relative_eq;
use constraint_runtime::Vector;
use constraint_runtime::prelude::*;
use num_dual::Dual64;

system! {
    /// A pendulum on a rod.
    #[derivatives]
    struct Swing { m: Real = 1, l: Real = 1, g: Real = 10 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    gravity [0, -g];
}

system! {
    /// ẍ = −ω² x
    #[derivatives]
    struct Spring { omega: Real = 1e4 }
    coordinate x;
    kinetic velocity(x)^2/2;
    potential (omega*x)^2/2;
}

system! {
    /// Pushed away ever faster: ẍ = k exp(x²).
    #[derivatives]
    struct Exploding { k: Real = 1 }
    coordinate x;
    kinetic velocity(x)^2/2;
    force x: k*exp(x^2);
}

fn swing(angle: f64) -> State<Vector2<f64>> {
    let (sin, cos) = angle.sin_cos();
    State::new(0.0, [sin, -cos], [0.0, 0.0])
}

/// Hairer and Wanner's stability function vanishes at infinity; Chung and Hulbert's three roots are all −ρ∞ there.
#[test]
fn what_is_infinitely_fast_is_left_as_much_of_as_the_methods_say() -> Result<(), Error> {
    let start = || State::new(0.0, [1.0], [0.0]);
    let mut run = Simulation::new(
        Spring::default(),
        start(),
        Radau5::new(0.0, 1e9).with_first_step(1.0),
    )?;
    run.step()?;
    assert!(run.state().q.norm() < 1e-3);
    for rho in [0.0_f64, 0.3, 0.8] {
        let method = GeneralizedAlpha::new(1.0, rho);
        let mut run = Simulation::new(Spring::default(), start(), method)?;
        let mut x = Vec::new();
        run.run_until_with(30.0, |state| x.push(state.q[0]))?;
        // The third difference by the factor −ρ∞ vanishes, but for (h ω)⁻² and the rounding of fast velocities.
        for x in x[2..].windows(4) {
            let left: f64 = x[3] + 3.0 * rho * x[2] + 3.0 * rho * rho * x[1] + rho.powi(3) * x[0];
            assert!(left.abs() < 1e-5, "{rho}: {left:e} {x:?}");
        }
    }
    Ok(())
}

#[test]
fn constraints_hold_to_rounding_in_the_end() -> Result<(), Error> {
    fn drift(integrator: impl Integrator<Scalar = f64>) -> Result<[f64; 2], Error> {
        let mut run = Simulation::new(Swing::default(), swing(1.0), integrator)?;
        run.run_until(100.0)?;
        Ok([run.drift(), run.rate_drift()])
    }
    for [c, c_dot] in [
        drift(Radau5::new(1e-6, 1e-6))?,
        drift(GeneralizedAlpha::new(0.02, 0.9))?,
    ] {
        assert!(c < 1e-14 && c_dot < 1e-14, "{c:e} {c_dot:e}");
    }
    Ok(())
}

/// A quarter of a period by the arithmetic-geometric mean: T = 2π √(l/g) / agm(1, cos(θ₀/2)).
#[test]
fn events_are_met() -> Result<(), Error> {
    let (mut a, mut b) = (1.0_f64, 0.5_f64.cos());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let quarter = 0.5 * std::f64::consts::PI * 0.1_f64.sqrt() / a;
    let mut run = Simulation::new(Swing::default(), swing(1.0), Radau5::new(1e-12, 1e-12))?
        .until(Crossing::Falling, |state| state.q.x);
    assert_eq!(run.run_until(10.0)?, Arrival::Event(0));
    assert_relative_eq!(run.state().t, quarter, max_relative = 1e-9);
    let fixed = GeneralizedAlpha::new(1e-3, 1.0);
    let mut run = Simulation::new(Swing::default(), swing(1.0), fixed)?
        .until(Crossing::Falling, |state| state.q.x);
    assert_eq!(run.run_until(10.0)?, Arrival::Event(0));
    assert_relative_eq!(run.state().t, quarter, max_relative = 1e-5);
    Ok(())
}

#[test]
fn dual_numbers_carry_derivatives_through() -> Result<(), Error> {
    fn end<I: Integrator<Scalar = f64>>(g: f64, integrator: I) -> Result<f64, Error> {
        let swing_of = Swing {
            g,
            ..Swing::default()
        };
        let mut run = Simulation::new(swing_of, swing(1.0), integrator)?;
        run.run_until(1.0)?;
        Ok(run.state().q.x)
    }
    fn slope<I: Integrator<Scalar = Dual64>>(integrator: I) -> Result<f64, Error> {
        let lit = Dual64::from_re;
        let system = Swing {
            m: lit(1.0),
            l: lit(1.0),
            g: lit(10.0).derivative(),
        };
        let State { q, .. } = swing(1.0);
        let start = State::new(lit(0.0), q.map(lit), [lit(0.0), lit(0.0)]);
        let mut run = Simulation::new(system, start, integrator)?;
        run.run_until(lit(1.0))?;
        Ok(run.state().q.x.eps)
    }
    let by_difference = |end: &dyn Fn(f64) -> Result<f64, Error>| -> Result<f64, Error> {
        Ok((end(10.0 + 1e-4)? - end(10.0 - 1e-4)?) / 2e-4)
    };
    let tight = |g| {
        let method = Radau5::new(1e-12, 1e-12).with_newton_tolerance(1e-6);
        end(g, method)
    };
    let method = Radau5::new(Dual64::from_re(1e-10), Dual64::from_re(1e-10));
    assert_relative_eq!(slope(method)?, by_difference(&tight)?, max_relative = 1e-6);
    let fixed = |g| end(g, GeneralizedAlpha::new(0.01, 0.5));
    let method = GeneralizedAlpha::new(Dual64::from_re(0.01), Dual64::from_re(0.5));
    assert_relative_eq!(slope(method)?, by_difference(&fixed)?, max_relative = 1e-6);
    Ok(())
}

#[test]
fn what_cannot_work_is_refused() {
    fn refusal<S>(
        system: S,
        start: State<S::Q, S::V>,
        integrator: impl Integrator<Scalar = f64>,
    ) -> Error
    where
        S: System<f64>,
    {
        Simulation::new(system, start.clone(), integrator)
            .and_then(|mut run| {
                let outcome = run.run_until(2.0).map(|_| ());
                assert!(run.state().q.entries().iter().all(|x| x.is_finite()));
                outcome
            })
            .unwrap_err()
    }
    let still = || State::new(0.0, [1.0], [0.0]);
    for radius in [-0.1, 1.1, f64::NAN] {
        let refused = refusal(
            Spring::default(),
            still(),
            GeneralizedAlpha::new(0.1, radius),
        );
        let told = matches!(refused, Error::InvalidSpectralRadius { .. });
        assert!(told, "{refused}");
    }
    let refused = refusal(
        Spring::default(),
        still(),
        Radau5::new(1e-6, 1e-6).with_newton_tolerance(0.0),
    );
    assert_eq!(refused, Error::InvalidTolerance { tolerance: 0.0 });
    // x reaches infinity before t = 2.
    let refused = refusal(
        Exploding::default(),
        still(),
        GeneralizedAlpha::new(0.5, 0.5),
    );
    let told = matches!(
        refused,
        Error::NewtonDiverged { .. } | Error::NonFinite { .. }
    );
    assert!(told, "{refused}");
    assert!(refused.to_string().contains(" at t = "), "{refused}");
    let refused = refusal(Exploding::default(), still(), Radau5::new(1e-6, 1e-6));
    let told = matches!(
        refused,
        Error::NewtonDiverged { .. } | Error::NonFinite { .. } | Error::StepSizeUnderflow { .. }
    );
    assert!(told, "{refused}");
}
