//! The runtime on constraints derived by hand: motion, drift, energy, and every refusal.

use std::f64::consts::TAU;

use crate::by_hand::*;
use approx::assert_relative_eq;
use constraint_runtime::Quantity;
use constraint_runtime::error::Row;
use constraint_runtime::make_consistent;
use constraint_runtime::prelude::*;
use num_dual::Dual64;
use simba::simd::{SimdValue, WideF32x8, WideF64x4};

const G: [f64; 2] = [0.0, -9.81];

fn apex_start() -> State<SVector<f64, 2>> {
    State::new(0.0, [-100.0, -100.0], [0.0, 0.0])
}

/// C̈ at a state under an external force and some constraint force.
fn second_rate(q: &Vector2<f64>, v: &Vector2<f64>, m: f64, force: Vector2<f64>) -> f64 {
    (Parabola.jacobian(0.0, q) * (force / m) + Parabola.bias(0.0, q, v))[0]
}

mod closed_form {
    use super::*;

    const X: f64 = 40.0;
    const M: f64 = 3.0;

    fn state() -> (Vector2<f64>, Vector2<f64>) {
        (Vector2::new(X, -16.0), Vector2::new(5.0, -4.0))
    }

    /// The hand-derived listing with the coefficient of x Fx as given.
    fn listing(coefficient: f64, f: Vector2<f64>) -> Vector2<f64> {
        let (_, v) = state();
        let y = (-50.0 * M * v.x * v.x - coefficient * X * f.x - 2500.0 * f.y) / (X * X + 2500.0);
        Vector2::new(X * y / 50.0, y)
    }

    #[test]
    fn the_defaults_agree_with_the_corrected_listing() {
        let ((q, v), f) = (state(), Vector2::new(7.0, -30.0));
        let force = Parabola.particle_force(0.0, &q, &v, M, &f).unwrap();
        assert_relative_eq!(force, listing(50.0, f), max_relative = 1e-14);
    }

    #[test]
    fn the_listing_as_printed_breaks_under_a_horizontal_force() {
        let ((q, v), f) = (state(), Vector2::new(7.0, -30.0));
        assert!(second_rate(&q, &v, M, f + listing(50.0, f)).abs() < 1e-12);
        assert!(second_rate(&q, &v, M, f + listing(100.0, f)).abs() > 1.0);
        // Gravity alone does not show it.
        let weight = Vector2::new(0.0, -30.0);
        assert!(second_rate(&q, &v, M, weight + listing(100.0, weight)).abs() < 1e-12);
    }

    #[test]
    fn two_rows_are_solved_together() {
        let (wire, q, v) = (
            TurningWire { omega: 2.0 },
            [3.0, 0.0, 0.0].into(),
            Vector3::new(1.0, 6.0, 0.0),
        );
        let force = wire
            .particle_force(0.0, &q, &v, 0.5, &Vector3::new(0.0, 0.0, -7.0))
            .unwrap();
        // Coriolis force 2 m ω ṙ sideways, the weight upwards, nothing along the wire.
        assert_relative_eq!(force, Vector3::new(0.0, 2.0, 7.0), epsilon = 1e-14);
    }
}

mod system {
    use super::*;

    #[test]
    fn acceleration_multipliers_and_force_belong_together() {
        let bead = Particle::new(2.0)
            .on(Parabola)
            .under(|_, q, v| Vector2::new(3.0 - v.x, q.x));
        let (q, v) = (Vector2::new(10.0, -1.0), Vector2::new(5.0, -1.0));
        let lambda = bead.multipliers(0.0, &q, &v).unwrap();
        let force = bead.constraint_force(0.0, &q, &v).unwrap();
        let acceleration = bead.acceleration(0.0, &q, &v).unwrap();
        assert_relative_eq!(
            force,
            bead.jacobian(0.0, &q).tr_mul(&lambda),
            max_relative = 1e-14
        );
        assert_relative_eq!(
            acceleration * 2.0,
            force + Vector2::new(-2.0, 10.0),
            max_relative = 1e-14
        );
        assert_relative_eq!(
            bead.jacobian(0.0, &q) * acceleration,
            -bead.bias(0.0, &q, &v),
            epsilon = 1e-12
        );
        let (together, beside) = bead.acceleration_and_multipliers(0.0, &q, &v).unwrap();
        assert_relative_eq!(together, acceleration, max_relative = 1e-14);
        assert_eq!(beside, lambda);
        // M a − h with M = 2 and h the force of the load, by hand.
        let a = Vector2::new(0.5, -3.0);
        assert_relative_eq!(
            bead.inverse_dynamics(0.0, &q, &v, &a).unwrap(),
            a * 2.0 - Vector2::new(-2.0, 10.0),
            max_relative = 1e-13
        );
    }

    #[test]
    fn a_correction_changes_the_rate_by_what_was_asked() {
        let bead = Particle::new(7.0).on(Parabola);
        let q = Vector2::new(10.0, -1.0);
        let change = bead.correction(0.0, &q, &[3.0].into()).unwrap();
        assert_relative_eq!(
            (bead.jacobian(0.0, &q) * change)[0],
            3.0,
            max_relative = 1e-14
        );
    }

    #[test]
    fn loads_and_potentials_add_up() {
        let bead = Particle::new(2.0)
            .on(Circle)
            .under_gravity(G)
            .under(|_, q, _| -5.0 * q)
            .with_potential(|q| 2.5 * q.norm_squared());
        let (q, rest) = (Vector2::new(0.0, -1.0), Vector2::zeros());
        assert_eq!(bead.potential_energy(0.0, &q), -2.0 * 9.81 + 2.5);
        // At the bottom the circle carries the weight, less what the spring lifts.
        let force = bead.constraint_force(0.0, &q, &rest).unwrap();
        assert_relative_eq!(force, Vector2::new(0.0, 2.0 * 9.81 - 5.0), epsilon = 1e-14);
    }

    #[test]
    fn coordinates_have_names_and_may_outnumber_velocities() {
        let start = State::new(0.0, WheelCoordinates { cos: 1.0, sin: 0.0 }, [1.0]);
        let mut run = Simulation::new(DrivenWheel, start, Rk4::new(0.01)).unwrap();
        run.run_until(1.0).unwrap();
        assert_relative_eq!(run.coordinates().sin, 1.0_f64.sin(), max_relative = 1e-15);
        assert_relative_eq!(run.coordinates().cos, 1.0_f64.cos(), max_relative = 1e-9);
        let error = run.run_until(2.0).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("constraint `drive` is singular at t = 1.5"),
            "{error}"
        );
    }
}

mod runs {
    use super::*;

    #[test]
    fn a_bead_on_a_turning_wire_runs_outwards_exponentially() {
        let wire = TurningWire { omega: 1.5 };
        let mut run =
            Simulation::new(Particle::new(0.3).on(wire), wire.start(), Rk4::new(1e-3)).unwrap();
        run.run_until(2.0).unwrap();
        assert_relative_eq!(run.coordinates(), wire.exact(2.0), max_relative = 1e-10);
        assert!(run.drift() < 2e-14 && run.rate_drift() < 2e-13);
    }

    #[test]
    fn a_pendulum_keeps_its_energy() {
        let pendulum = Particle::new(2.0).on(Circle).under_gravity(G);
        let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
        let mut run = Simulation::new(pendulum, start, Rk4::new(1e-3)).unwrap();
        assert_eq!(run.energy(), 0.0);
        run.run_until(10.0).unwrap();
        assert!(run.energy().abs() < 1e-8, "{}", run.energy());
    }

    #[test]
    fn a_free_bead_on_the_circle_needs_one_turn_per_period() {
        let start = State::new(0.0, [1.0, 0.0], [0.0, 1.0]);
        let mut run =
            Simulation::new(Particle::new(1.0).on(Circle), start, Rk4::new(1e-3)).unwrap();
        run.run_until(TAU).unwrap();
        assert_relative_eq!(run.coordinates(), Vector2::new(1.0, 0.0), epsilon = 1e-11);
        assert_relative_eq!(run.multipliers().unwrap()[0], -1.0, max_relative = 1e-14);
    }

    #[test]
    fn a_time_is_reached_exactly_and_every_step_is_shown() {
        let bead = Particle::new(1.0).on(Parabola).under_gravity(G);
        let mut run = Simulation::new(bead, apex_start(), Rk4::new(0.1)).unwrap();
        let mut times = Vec::new();
        run.run_until_with(1.0, |state| times.push(state.t))
            .unwrap();
        assert_eq!((times.len(), times[9]), (10, 1.0));
        run.run_until(1.0).unwrap();
        run.run_until(1.05).unwrap();
        assert_eq!(run.state().t, 1.05);
    }

    #[test]
    fn rounding_of_time_adds_no_step() {
        let steps = |h, end| {
            let start = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
            let bead = Particle::new(1.0).on(Parabola);
            let mut run = Simulation::new(bead, start, SemiImplicitEuler::new(h)).unwrap();
            let mut steps = 0;
            run.run_until_with(end, |_| steps += 1).unwrap();
            steps
        };
        // Three times 0.7 is 2.0999999999999996: no fourth step of 4e-16 follows.
        assert_eq!(steps(0.7, 2.1), 3);
        // Fifty thousand hundredths added one by one miss five hundred by 3e-10.
        assert_eq!(steps(0.01, 500.0), 50_000);
    }

    #[test]
    fn a_step_is_the_same_alone_and_in_a_run() {
        let start = || {
            let bead = Particle::new(1.0).on(Parabola).under_gravity(G);
            Simulation::new(bead, apex_start(), SemiImplicitEuler::new(0.125)).unwrap()
        };
        let (mut alone, mut together) = (start(), start());
        for _ in 0..8 {
            alone.step().unwrap();
        }
        together.run_until(1.0).unwrap();
        assert_eq!(alone.state(), together.state());
    }
}

mod drift {
    use super::*;

    fn drift_after<I: Integrator<Scalar = f64>>(
        integrator: I,
        stabilization: Stabilization<f64>,
    ) -> (f64, f64) {
        let pendulum = Particle::new(2.0).on(Circle).under_gravity(G);
        let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
        let mut run = Simulation::new(pendulum, start, integrator)
            .unwrap()
            .with_stabilization(stabilization);
        run.run_until(5.0).unwrap();
        (run.drift(), run.rate_drift())
    }

    const BAUMGARTE: Stabilization<f64> = Stabilization::Baumgarte {
        alpha: 20.0,
        beta: 20.0,
    };

    #[test]
    fn projection_leaves_rounding_only() {
        for (c, c_dot) in [
            drift_after(SemiImplicitEuler::new(0.01), Stabilization::default()),
            drift_after(Rk4::new(0.01), Stabilization::default()),
        ] {
            assert!(c < 1e-15 && c_dot < 1e-14, "{c:e} {c_dot:e}");
        }
    }

    #[test]
    fn a_tolerance_is_an_upper_bound_that_is_used() {
        let stabilization = Stabilization::Projection { tolerance: 1e-6 };
        let (c, c_dot) = drift_after(Rk4::new(0.01), stabilization);
        assert!(1e-12 < c && c <= 1e-6, "{c:e}");
        assert!(c_dot < 1e-14, "{c_dot:e}");
    }

    #[test]
    fn feedback_bounds_what_is_otherwise_free_to_grow() {
        let (free, _) = drift_after(SemiImplicitEuler::new(0.01), Stabilization::None);
        let (bound, _) = drift_after(SemiImplicitEuler::new(0.01), BAUMGARTE);
        assert!(free > 0.1 && bound < 0.02, "{free:e} {bound:e}");
        let (free, _) = drift_after(Rk4::new(0.01), Stabilization::None);
        let (bound, _) = drift_after(Rk4::new(0.01), BAUMGARTE);
        assert!(free > 10.0 * bound && bound < 1e-6, "{free:e} {bound:e}");
    }

    #[test]
    fn feedback_decays_as_a_critically_damped_oscillator() {
        // C̈ + 2αĊ + α²C = 0 from C₀ at rest: C = C₀ (1 + αt) exp(−αt).
        let (alpha, offset) = (3.0_f64, 1e-8);
        let start = State::new(0.0, [1.0 + offset, 0.0], [0.0, 0.0]);
        let mut run = Simulation::new(Particle::new(1.0).on(Circle), start, Rk4::new(1e-2))
            .unwrap()
            .with_stabilization(Stabilization::Baumgarte { alpha, beta: alpha });
        run.run_until(1.0).unwrap();
        let expected = offset * (1.0 + alpha) * (-alpha).exp();
        assert_relative_eq!(run.drift(), expected, max_relative = 1e-6);
    }

    #[test]
    fn make_consistent_moves_a_start_onto_the_constraint() {
        let bead = Particle::new(1.0).on(Parabola);
        let off = State::new(1.5, [-100.0, -90.0], [1.0, 5.0]);
        assert!(Simulation::new(bead, off, Rk4::new(0.1)).is_err());
        let on = make_consistent(&Particle::new(1.0).on(Parabola), off).unwrap();
        assert_eq!(on.t, 1.5);
        let run = Simulation::new(Particle::new(1.0).on(Parabola), on, Rk4::new(0.1)).unwrap();
        assert!(run.drift() < 1e-11 && run.rate_drift() < 1e-12);
        // What was on the constraint already stays where it is.
        let bead = Particle::new(1.0).on(Parabola);
        assert_eq!(make_consistent(&bead, apex_start()).unwrap(), apex_start());
    }
}

mod refusals {
    use super::*;

    fn parabola_from(start: State<SVector<f64, 2>>) -> Result<(), Error> {
        Simulation::new(Particle::new(1.0).on(Parabola), start, Rk4::new(0.1)).map(drop)
    }

    #[test]
    fn the_last_good_state_survives_a_singular_crossing() {
        // The bead slides along x = y into the crossing, where J = 0.
        let start = State::new(0.0, [-1.0, -1.0], [1.0, 1.0]);
        let bead = Particle::new(1.0).on(CrossingLines);
        let mut run = Simulation::new(bead, start, SemiImplicitEuler::new(0.25)).unwrap();
        let error = run.run_until(2.0).unwrap_err();
        let row = Row::from(0);
        assert_eq!(
            error,
            Error::Singular {
                row,
                pivot: 0.0,
                time: Some(0.75)
            }
        );
        assert_eq!(*run.state(), State::new(0.75, [-0.25, -0.25], [1.0, 1.0]));
        assert_eq!(run.step().unwrap_err(), error);
        assert_eq!(run.state().t, 0.75);
    }

    #[test]
    fn a_mass_must_be_positive_and_finite() {
        for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let bead = Particle::new(mass).on(Parabola);
            let error = Simulation::new(bead, apex_start(), Rk4::new(0.1)).unwrap_err();
            let Error::InvalidMass { mass: found } = error else {
                panic!("{error}")
            };
            assert_eq!(found.to_bits(), mass.to_bits());
        }
        let bead = Particle::new(-2.0).on(Parabola);
        let error = make_consistent(&bead, apex_start()).unwrap_err();
        assert_eq!(error.to_string(), "mass -2 is not positive and finite");
    }

    #[test]
    fn a_force_must_be_finite() {
        let bead = Particle::new(1.0)
            .on(Parabola)
            .under(|t, _, _| Vector2::new(0.0, if t < 0.95 { -1.0 } else { f64::NEG_INFINITY }));
        let mut run = Simulation::new(bead, apex_start(), Rk4::new(0.25)).unwrap();
        let error = run.run_until(2.0).unwrap_err();
        let (quantity, value) = (Quantity::Force, f64::NEG_INFINITY);
        assert_eq!(
            error,
            Error::NonFinite {
                quantity,
                index: 1,
                names: None,
                value,
                time: Some(0.75)
            }
        );
        assert!(
            error
                .to_string()
                .starts_with("force 1 is -inf at t = 0.75; "),
            "{error}"
        );
        assert!(run.state().t == 0.75 && run.state().q.x.is_finite());
    }

    #[test]
    fn a_start_must_be_finite() {
        let error = parabola_from(State::new(0.0, [0.0, f64::NAN], [0.0, 0.0])).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("coordinate 1 is NaN at t = 0; "),
            "{error}"
        );
        let error = parabola_from(State::new(0.0, [0.0, 0.0], [f64::INFINITY, 0.0])).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("velocity 0 is inf at t = 0; "),
            "{error}"
        );
        let error = parabola_from(State::new(f64::NAN, [0.0, 0.0], [0.0, 0.0])).unwrap_err();
        assert!(error.to_string().starts_with("time 0 is NaN"));
    }

    #[test]
    fn a_start_must_lie_on_the_constraint() {
        let error = parabola_from(State::new(0.0, [10.0, -0.9], [0.0, 0.0])).unwrap_err();
        let Error::InconsistentPosition {
            row,
            value,
            tolerance,
        } = error
        else {
            panic!("{error}")
        };
        assert_eq!((row.index, tolerance < 1e-4), (0, true));
        assert_relative_eq!(value, 10.0, max_relative = 1e-14);
        parabola_from(State::new(0.0, [10.0, -1.0 + 1e-12], [0.0, 0.0])).unwrap();
    }

    constraint! {
        struct Rod { pub l: Real }
        |p: Point2| norm(p) == l
    }

    /// What cannot be judged, and what no place fulfils, is said as such, without a NaN.
    #[test]
    fn a_start_without_a_gradient_or_out_of_reach_is_refused_as_such() {
        let refused = |l: f64, p: [f64; 2]| {
            let bead = Particle::new(1.0).on(Rod { l });
            let run = Simulation::new(bead, State::new(0.0, p, [0.0; 2]), Rk4::new(0.1));
            let error = run.map(|_| ()).unwrap_err();
            assert!(!error.to_string().contains("NaN"), "{error}");
            error
        };
        for (l, value) in [(0.0, 0.0), (1.0, -1.0)] {
            let centre = refused(l, [0.0, 0.0]);
            assert!(
                matches!(centre, Error::UndefinedSlope { value: v, .. } if v == value),
                "{centre}"
            );
        }
        let negative = refused(-1.0, [1.0, 0.0]);
        assert!(
            matches!(negative, Error::UnreachableRow { value: 2.0, .. }),
            "{negative}"
        );
        assert!(
            negative.to_string().contains("negative length"),
            "{negative}"
        );
        let off = refused(1.0, [2.0, 0.0]);
        assert!(
            matches!(off, Error::InconsistentPosition { value: 1.0, .. }),
            "{off}"
        );
    }

    #[test]
    fn a_start_must_move_along_the_constraint() {
        let error = parabola_from(State::new(0.0, [10.0, -1.0], [1.0, 0.0])).unwrap_err();
        let Error::InconsistentVelocity { rate, .. } = error else {
            panic!("{error}")
        };
        assert_eq!(rate, 20.0);
    }

    #[test]
    fn the_worst_row_is_named() {
        let wire = TurningWire { omega: 1.0 };
        let start = State::new(0.0, [1.0, 0.1, -0.2], [0.0, 1.0, 0.0]);
        let error = Simulation::new(Particle::new(1.0).on(wire), start, Rk4::new(0.1)).unwrap_err();
        let Error::InconsistentPosition { row, value, .. } = error else {
            panic!("{error}")
        };
        assert_eq!((row.to_string(), value), ("row 1".into(), -0.2));
    }

    #[test]
    fn a_step_size_must_be_positive_and_finite() {
        for h in [0.0, -0.1, f64::NAN, f64::INFINITY] {
            let error = Simulation::new(Particle::new(1.0).on(Parabola), apex_start(), Rk4::new(h));
            let error = error.unwrap_err();
            assert!(matches!(error, Error::InvalidStepSize { .. }), "{error}");
        }
    }

    /// Steps of which a time on the way has not the digits, or which are too many to count, are an error before the first.
    #[test]
    fn steps_too_short_for_the_time_are_refused() {
        let bead = |t: f64, h: f64| {
            let start = State::new(t, [0.0, 0.0], [1.0, 0.0]);
            Simulation::new(Particle::new(1.0).on(Parabola), start, Rk4::new(h)).unwrap()
        };
        let refused = |error: Error, h: f64, t: f64| {
            let is_it = matches!(error, Error::StepTooShort { step_size, target } if (step_size, target) == (h, t));
            assert!(is_it, "{error}");
        };
        for (start, h) in [(0.0, 1e-300), (0.0, 1e-17), (1.0, 1e-17), (1e6, 1e-12)] {
            let end = 2.0 * start + 1.0;
            refused(bead(start, h).run_until(end).unwrap_err(), h, end);
        }
        // Few enough to count, but the first does not change the time, or a later one does not.
        refused(
            bead(1e6, 1e-12).run_until(1e6 + 1e-4).unwrap_err(),
            1e-12,
            1e6,
        );
        let digit = f64::EPSILON;
        let mut run = bead(1.0, 0.6 * digit);
        refused(
            run.run_until(1.0 + 8.0 * digit).unwrap_err(),
            0.6 * digit,
            1.0 + digit,
        );
        assert_eq!(run.state().t, 1.0 + digit);
        // A step by itself leaves t = 0 whatever its length, and t = 1 only if that has so many digits.
        bead(0.0, 1e-300).step().unwrap();
        refused(bead(1.0, 1e-17).step().unwrap_err(), 1e-17, 1.0);
        bead(1.0, 1e-15).step().unwrap();
        // What ends where it stands takes no step.
        bead(1.0, 1e-17).run_until(1.0).unwrap();
    }

    #[test]
    fn a_time_to_run_to_must_lie_ahead() {
        let start = State::new(1.0, [0.0, 0.0], [0.0, 0.0]);
        let mut run =
            Simulation::new(Particle::new(1.0).on(Parabola), start, Rk4::new(0.1)).unwrap();
        for target in [0.9, f64::NAN, f64::INFINITY] {
            let error = run.run_until(target).unwrap_err();
            assert!(
                matches!(error, Error::InvalidTime { time: 1.0, .. }),
                "{error}"
            );
        }
        assert_eq!(*run.state(), start);
    }

    #[test]
    fn a_constraint_out_of_reach_is_reported() {
        let bead = Particle::new(1.0).on(Nowhere);
        let error = make_consistent(&bead, State::new(0.5, [1.0, 0.3], [0.0, 0.0])).unwrap_err();
        let Error::ProjectionDiverged {
            row,
            residual,
            iterations,
            time,
        } = error
        else {
            panic!("{error}")
        };
        assert_eq!((row.index, time), (0, Some(0.5)));
        assert!(residual >= 1.0 && iterations > 10);
    }

    #[test]
    fn a_step_into_infinity_is_refused_without_stabilisation_too() {
        let push = |_, _: &_, _: &_| Vector2::new(1e300, 0.0);
        let bead = Particle::new(1.0).on(Parabola).under(push);
        let start = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
        let mut run = Simulation::new(bead, start, SemiImplicitEuler::new(1e5))
            .unwrap()
            .with_stabilization(Stabilization::None);
        let error = run.run_until(1e6).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("coordinate 0 is inf at t = 0; "),
            "{error}"
        );
        assert_eq!(*run.state(), start);
    }

    #[test]
    fn a_run_that_blows_up_keeps_its_last_finite_state() {
        let bead = Particle::new(1.0)
            .on(Circle)
            .under(|_, _, v| 1e200 * v * v.norm_squared());
        let start = State::new(0.0, [1.0, 0.0], [0.0, 1e50]);
        let mut run = Simulation::new(bead, start, SemiImplicitEuler::new(1.0)).unwrap();
        assert!(run.run_until(100.0).is_err());
        assert_eq!(*run.state(), start);
    }
}

mod scalars {
    use super::*;

    fn end<T: Real>(x: T, h: f64) -> Result<State<SVector<T, 2>>, Error> {
        let g = [T::zero(), T::lit(-9.81)];
        let bead = Particle::new(T::lit(2.0)).on(Parabola).under_gravity(g);
        let start = State::new(
            T::zero(),
            [x, -x * x / T::lit(100.0)],
            [T::zero(), T::zero()],
        );
        let mut run = Simulation::new(bead, start, Rk4::new(T::lit(h)))?;
        run.run_until(T::lit(1.03))?;
        Ok(*run.state())
    }

    #[test]
    fn single_precision_runs_to_its_own_accuracy() {
        let (single, double) = (end(30.0_f32, 0.01).unwrap(), end(30.0_f64, 0.01).unwrap());
        assert_relative_eq!(single.q.cast(), double.q, max_relative = 1e-5);
    }

    #[test]
    fn lanes_run_as_scalars_do() {
        let starts = [10.0, -20.0, 30.0, 70.0];
        let wide = end(WideF64x4::from(starts), 0.01).unwrap();
        for (lane, start) in starts.into_iter().enumerate() {
            let alone = end(start, 0.01).unwrap();
            assert_relative_eq!(wide.q.x.extract(lane), alone.q.x, max_relative = 1e-13);
            assert_relative_eq!(wide.v.y.extract(lane), alone.v.y, max_relative = 1e-13);
        }
        end(WideF32x8::splat(30.0), 0.01).unwrap();
    }

    /// A straight wire has no bias that says what speeds are large: the velocities themselves do, lane by lane.
    #[test]
    fn a_lane_at_rest_may_start_beside_one_that_moves() {
        constraint! { struct Line { a: Real, b: Real } |x, y| a*x + b*y == 0 }
        let refused = |x: [f64; 4], y: [f64; 4]| {
            let [zero, a, b] = [0.0, 0.1, 0.3].map(WideF64x4::splat);
            let line = Particle::new(WideF64x4::splat(2.0)).on(Line { a, b });
            let start = State::new(zero, [zero, zero], [x.into(), y.into()]);
            Simulation::new(line, start, Rk4::new(a)).err()
        };
        // Rounded, so that the rate is not zero in any lane that moves.
        assert_ne!(0.1 * 0.9 - 0.3 * 0.3, 0.0);
        assert_eq!(refused([0.9; 4], [-0.3; 4]), None);
        assert_eq!(refused([0.0, 0.9, 0.0, 0.9], [0.0, -0.3, 0.0, -0.3]), None);
        // Of another lane's speed nothing is a part.
        let error = refused([0.9, 1e-9, 0.0, 0.0], [-0.3, 0.0, 0.0, 0.0]).unwrap();
        assert!(
            matches!(error, Error::InconsistentVelocity { .. }),
            "{error}"
        );
    }

    #[test]
    fn one_bad_lane_is_an_error_with_its_number() {
        let error = end(WideF64x4::from([10.0, 20.0, f64::INFINITY, 30.0]), 0.01).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("coordinate 0 is inf at t = 0; "),
            "{error}"
        );
        let masses = WideF64x4::from([1.0, 2.0, 3.0, -4.0]);
        let bead = Particle::new(masses).on(Parabola);
        let zero = WideF64x4::splat(0.0);
        let start = State::new(zero, [zero, zero], [zero, zero]);
        let error = Simulation::new(bead, start, Rk4::new(WideF64x4::splat(0.1))).unwrap_err();
        assert_eq!(error, Error::InvalidMass { mass: -4.0 });
    }

    #[test]
    fn one_singular_lane_is_an_error() {
        let solve = |x: [f64; 4]| {
            let (q, w) = (
                SVector::<_, 2>::repeat(x.into()),
                SVector::<_, 2>::repeat(WideF64x4::splat(1.0)),
            );
            Circle.solve(
                WideF64x4::splat(0.0),
                &q,
                &w,
                &SVector::<_, 1>::repeat(WideF64x4::splat(1.0)),
            )
        };
        assert!(solve([1.0, 2.0, 3.0, 4.0]).is_ok());
        assert_eq!(
            solve([1.0, 2.0, 0.0, 4.0]),
            Err(Singular { row: 0, pivot: 0.0 })
        );
        assert!(solve([1.0, f64::NAN, 1.0, 4.0]).unwrap_err().pivot.is_nan());
    }

    #[test]
    fn dual_numbers_carry_the_sensitivity_of_a_run() {
        let dual = end(Dual64::from(30.0).derivative(), 0.01).unwrap();
        let (d, at) = (1e-4, |x| end(x, 0.01).unwrap().q.x);
        let difference: f64 = (at(30.0 + d) - at(30.0 - d)) / (2.0 * d);
        assert_relative_eq!(dual.q.x.eps, difference, max_relative = 1e-7);
    }
}
