//! Rattle: on the constraint by construction, symmetric, with its energy error bounded.

use crate::by_hand::*;
use approx::assert_relative_eq;
use constraint_runtime::prelude::*;

const G: [f64; 2] = [0.0, -9.81];

#[test]
fn every_state_is_on_the_constraint_whatever_the_stabilisation() {
    for stabilization in [Stabilization::default(), Stabilization::None] {
        let pendulum = Particle::new(2.0).on(Circle).under_gravity(G);
        let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
        let mut run = Simulation::new(pendulum, start, Rattle::new(0.01))
            .unwrap()
            .with_stabilization(stabilization);
        run.run_until_with(20.0, |state| {
            assert!((0.5 * (state.q.norm_squared() - 1.0)).abs() < 1e-15);
            assert!(state.q.dot(&state.v).abs() < 1e-14);
        })
        .unwrap();
    }
}

#[test]
fn a_run_goes_back_the_way_it_came() {
    // Symmetric: with the velocity turned round, the same steps lead back to the start.
    let there_and_back = |start: State<SVector<f64, 4>>| {
        let run_from = |start| {
            let pendulum = Particle::new(1.0).on(DoublePendulum);
            let pendulum = pendulum.under(|_, _, _| [0.0, -9.81, 0.0, -9.81].into());
            let mut run = Simulation::new(pendulum, start, Rattle::new(0.02)).unwrap();
            run.run_until(start.t + 1.0).unwrap();
            *run.state()
        };
        let there = run_from(start);
        run_from(State::new(0.0, there.q, -there.v)).q
    };
    let start = State::new(0.0, [1.0, 0.0, 1.0, 1.0], [0.0; 4]);
    assert_relative_eq!(there_and_back(start), start.q, epsilon = 1e-11);
}

#[test]
fn a_mass_that_depends_on_the_coordinate_leaves_the_method_symmetric() {
    let run_from = |start| {
        let mut run = Simulation::new(Hump { damping: 0.0 }, start, Rattle::new(0.02)).unwrap();
        run.run_until(start.t + 2.0).unwrap();
        *run.state()
    };
    let start = State::new(0.0, [0.2], [0.0]);
    let there = run_from(start);
    assert_relative_eq!(
        run_from(State::new(0.0, there.q, -there.v)).q,
        start.q,
        epsilon = 1e-11
    );
}

#[test]
fn damping_takes_energy_out_at_its_rate() {
    // A damped free bead on the circle: ω = ω₀ exp(−ct/m).
    let bead = Particle::new(2.0).on(Circle).under(|_, _, v| -0.5 * v);
    let start = State::new(0.0, [1.0, 0.0], [0.0, 3.0]);
    let mut run = Simulation::new(bead, start, Rattle::new(1e-3)).unwrap();
    run.run_until(4.0).unwrap();
    assert_relative_eq!(
        run.state().v.norm(),
        3.0 * (-1.0_f64).exp(),
        max_relative = 1e-6
    );
}

#[test]
fn a_step_too_long_is_an_error_and_the_last_state_survives() {
    // With h/2 times the damping rate above one, the second kick cannot be found by iteration.
    let bead = Particle::new(1.0).on(Circle).under(|_, _, v| -50.0 * v);
    let start = State::new(0.0, [1.0, 0.0], [0.0, 1.0]);
    let mut run = Simulation::new(bead, start, Rattle::new(0.1)).unwrap();
    let error = run.step().unwrap_err();
    assert!(
        matches!(
            error,
            Error::KickDiverged {
                time: Some(0.0),
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(*run.state(), start);
    // No λ leads back onto a circle that has been left this far.
    let bead = Particle::new(1.0).on(Circle);
    let mut run = Simulation::new(bead, start, Rattle::new(10.0)).unwrap();
    let error = run.step().unwrap_err();
    assert!(matches!(error, Error::ProjectionDiverged { .. }), "{error}");
}

/// A straight guide that turns by two radians in a step: the directions of the start lead away from where it is.
#[test]
fn a_guide_that_turns_too_far_in_a_step_is_refused() {
    constraint! { struct Guide { omega: Real } |x, y, t: Time| x*sin(omega*t) == y*cos(omega*t) }
    for (omega, h) in [(2.0, 1.0), (2e3, 1e-3), (3.0, 1.0)] {
        let bead = Particle::new(1.0).on(Guide { omega });
        let start = State::new(0.0, [1.0, 0.0], [0.0, omega]);
        let mut run = Simulation::new(bead, start, Rattle::new(h)).unwrap();
        let error = run.step().unwrap_err();
        assert!(matches!(error, Error::ProjectionDiverged { .. }), "{error}");
        assert_eq!(*run.state(), start);
    }
}

system! {
    /// A bead on a wire that moves up and down, with drag.
    struct Moving { c: Real = 0.3, w: Real = 0.2 }
    coordinate s;
    particle bead = [s, s^2/3 + w*sin(t)] { mass: 1 }
    force s: -c*velocity(s);
    gravity [0, -9.81];
}

/// Part of T is the wire's, whatever the bead does: changes of its velocity are not looked for in differences of T.
#[test]
fn a_place_that_moves_with_time_is_as_good_as_any() -> Result<(), Error> {
    for (c, w) in [(0.0, 0.2), (0.3, 0.2), (2.0, 0.2), (0.3, 5.0)] {
        for i in 0..50 {
            let start = State::new(0.0, [0.04 * f64::from(i) - 1.0], [0.3]);
            let end = |h| {
                let mut run = Simulation::new(Moving { c, w }, start, Rattle::new(h))?;
                run.run_until(2.0)?;
                Ok::<f64, Error>(run.coordinates().s)
            };
            let mut exact =
                Simulation::new(Moving { c, w }, start, DormandPrince::new(1e-8, 1e-8))?;
            exact.run_until(2.0)?;
            let exact = exact.coordinates().s;
            // Order 2.
            let off = (end(0.01)? - exact).abs();
            assert!(off <= 2e-2, "{c} {w} {i}: {off}");
        }
    }
    Ok(())
}
