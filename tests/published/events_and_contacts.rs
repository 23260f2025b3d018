//! Events, contacts and inverse kinematics at numbers that are zero to rounding.

use constraint_runtime::prelude::*;

system! {
    /// A ball over a floor, next to a pendulum that gives the system its size.
    pub struct Ball { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    coordinate x;
    particle ball = [0, x] { mass: m }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    constraint floor: x >= 0 { restitution: 0 };
    gravity [0, -g];
}

#[test]
fn a_gap_of_rounding_is_no_penetration() {
    let run = |x: f64| {
        let start = State::new(0.0, [x, 0.6, -0.8], [0.0; 3]);
        ContactSimulation::new(Ball::default(), start, DormandPrince::new(1e-9, 1e-11))?
            .run_until(0.01)
    };
    for x in [0.0, 1e-17, -1e-17, -4.93e-32, -1e-300] {
        run(x).unwrap_or_else(|error| panic!("{x:e}: {error}"));
    }
    for x in [-1e-3, -1e-9, -1e-12] {
        assert!(matches!(run(x), Err(Error::Penetration { .. })), "{x:e}");
    }
}

system! {
    /// A bead on a rail, next to a pendulum.
    pub struct Bead { m: Real = 1, l: Real = 1 }
    coordinate x;
    particle bead = [x, 0] { mass: m }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
}

/// A function that starts from zero, to rounding, is on the side that it moves to: that is no crossing.
#[test]
fn an_event_at_the_start_is_no_crossing() {
    let events = |x: f64, speed: f64| {
        let start = State::new(0.0, [x, 0.6, -0.8], [speed, 0.0, 0.0]);
        let mut times = vec![];
        Simulation::new(Bead::default(), start, Rk4::new(0.01))
            .unwrap()
            .on(
                Crossing::Either,
                |state| state.q.x,
                |state| {
                    times.push(state.t);
                    Then::Continue
                },
            )
            .run_until(0.1)
            .unwrap();
        times
    };
    for x in [0.0, 1e-17, -1e-17, -1e-30, 1e-300] {
        for speed in [1.0, -1.0] {
            assert_eq!(events(x, speed), [0.0; 0], "{x:e} {speed}");
        }
    }
    assert_eq!(events(-1e-3, 1.0).len(), 1);
    assert_eq!(events(1e-9, -1.0).len(), 1);
}
