//! Events: found where they are, in order, all of them, whatever the integrator.

use std::cell::{Cell, RefCell};
use std::f64::consts::{PI, TAU};

use crate::by_hand::*;
use approx::assert_relative_eq;
use constraint_runtime::prelude::*;

const G: f64 = 9.81;

/// A ball of mass 1 that moves freely under gravity.
#[derive(Clone, Copy, Debug)]
struct Ball;

type Flight = State<Vector2<f64>>;

impl Dynamics<f64> for Ball {
    type Q = SVector<f64, 2>;
    type V = SVector<f64, 2>;
    type Coordinates = Vector2<f64>;
    type Velocities = Vector2<f64>;
    fn acceleration(
        &self,
        _t: f64,
        _q: &Vector2<f64>,
        _v: &Vector2<f64>,
    ) -> Result<Vector2<f64>, Error> {
        Ok(Vector2::new(0.0, -G))
    }
    fn kinetic_energy(&self, _t: f64, _q: &Vector2<f64>, v: &Vector2<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
    fn potential_energy(&self, _t: f64, q: &Vector2<f64>) -> f64 {
        G * q.y
    }
}

impl Unconstrained for Ball {}

fn thrown(q: [f64; 2], v: [f64; 2]) -> Flight {
    State::new(0.0, q, v)
}

fn level_pendulum() -> (
    impl System<f64, Q = SVector<f64, 2>, V = SVector<f64, 2>>,
    Flight,
) {
    let pendulum = Particle::new(1.0).on(Circle).under_gravity([0.0, -G]);
    (pendulum, thrown([1.0, 0.0], [0.0, 0.0]))
}

/// Quarter period of the pendulum of length 1 let go level: π/(2 ω agm(1, cos 45°)).
fn quarter_period() -> f64 {
    let (mut a, mut b) = (1.0_f64, 0.5_f64.sqrt());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    0.5 * PI / (G.sqrt() * a)
}

#[test]
fn a_crossing_is_met_to_the_accuracy_of_the_steps() {
    fn passage<I: Integrator<Scalar = f64>>(integrator: I) -> (f64, Flight, f64) {
        let (pendulum, start) = level_pendulum();
        let mut run = Simulation::new(pendulum, start, integrator)
            .unwrap()
            .until(Crossing::Falling, |state| state.q.x);
        assert_eq!(run.run_until(10.0).unwrap(), Arrival::Event(0));
        (run.state().t, *run.state(), run.drift())
    }
    let errors = [
        (passage(SemiImplicitEuler::new(1e-4)), 1e-3),
        (passage(Rattle::new(1e-3)), 1e-5),
        (passage(Rk4::new(0.02)), 1e-6),
        (passage(DormandPrince::new(1e-12, 1e-12)), 1e-11),
    ];
    for ((t, state, drift), error) in errors {
        assert_relative_eq!(t, quarter_period(), epsilon = error);
        // The state is one of the method, not of the interpolant: on x = 0 and on the circle.
        assert!((0.0..1e-15).contains(&state.q.x), "{:e}", state.q.x);
        assert!(drift < 1e-15);
        assert_relative_eq!(state.v.norm(), (2.0 * G).sqrt(), epsilon = 10.0 * error);
    }
}

#[test]
fn a_ball_bounces_when_it_must() {
    // Dropped from 1 with restitution ½: each flight takes half the time of the one before.
    fn bounces<I: Integrator<Scalar = f64>>(integrator: I) -> Vec<f64> {
        let times = RefCell::new(Vec::new());
        let mut run = Simulation::new(Ball, thrown([0.0, 1.0], [1.0, 0.0]), integrator)
            .unwrap()
            .on(
                Crossing::Falling,
                |state| state.q.y,
                |state| {
                    times.borrow_mut().push(state.t);
                    state.v.y *= -0.5;
                    Then::Continue
                },
            );
        run.run_until(1.2).unwrap();
        assert_relative_eq!(run.state().q.x, 1.2, epsilon = 1e-13);
        drop(run);
        times.into_inner()
    }
    let fall = (2.0 / G).sqrt();
    let exact: Vec<f64> = (0..20)
        .scan((fall, 2.0 * fall), |(t, flight), _| {
            let now = *t;
            *flight *= 0.5;
            *t += *flight;
            Some(now)
        })
        .take_while(|t| *t < 1.2)
        .collect();
    assert!(exact.len() >= 3);
    for found in [
        bounces(Rk4::new(0.125)),
        bounces(DormandPrince::new(1e-9, 1e-9)),
        bounces(Rattle::new(0.1)),
    ] {
        assert_eq!(found.len(), exact.len(), "{found:?} {exact:?}");
        for (found, exact) in found.iter().zip(&exact) {
            assert_relative_eq!(*found, *exact, epsilon = 1e-13);
        }
    }
}

#[test]
fn events_of_one_step_come_in_the_order_of_time() {
    // A step of one second, in which the ball passes three heights up and down.
    let seen = RefCell::new(Vec::new());
    let at = |name: &'static str| {
        let seen = &seen;
        move |state: &mut Flight| {
            seen.borrow_mut().push((name, state.t));
            Then::Continue
        }
    };
    let start = thrown([0.0, 0.0], [0.0, 5.0]);
    let mut run = Simulation::new(Ball, start, Rk4::new(1.0))
        .unwrap()
        .on(Crossing::Either, |state| state.q.y - 1.0, at("1"))
        .on(Crossing::Either, |state| 0.5 - state.q.y, at("0.5"))
        .on(Crossing::Falling, |state| state.q.y - 1.2, at("1.2"));
    run.step().unwrap();
    let passages = |y: f64| {
        let root = (25.0 - 2.0 * G * y).sqrt();
        [(5.0 - root) / G, (5.0 + root) / G]
    };
    let exact = [
        ("0.5", passages(0.5)[0]),
        ("1", passages(1.0)[0]),
        ("1.2", passages(1.2)[1]),
        ("1", passages(1.0)[1]),
        ("0.5", passages(0.5)[1]),
    ];
    let seen = seen.borrow();
    assert_eq!(seen.len(), exact.len(), "{seen:?}");
    for ((name, t), (exact_name, exact)) in seen.iter().zip(exact) {
        assert_eq!(*name, exact_name);
        assert_relative_eq!(*t, exact, epsilon = 1e-14);
    }
}

#[test]
fn a_pair_of_crossings_in_a_small_part_of_a_step_is_not_missed() {
    // The ball stays above 1.274 for 4 ms of a step of 1 s, between two samples.
    let top = 25.0 / (2.0 * G);
    let height = top - 2e-5;
    let count = Cell::new(0);
    let mut run = Simulation::new(Ball, thrown([0.0, 0.0], [0.0, 5.0]), Rk4::new(1.0))
        .unwrap()
        .on(
            Crossing::Either,
            |state| state.q.y - height,
            |_| {
                count.set(count.get() + 1);
                Then::Continue
            },
        );
    run.step().unwrap();
    assert_eq!(count.get(), 2);
}

#[test]
fn watching_changes_nothing() {
    let end = |watched: bool| {
        let (pendulum, start) = level_pendulum();
        let run = Simulation::new(pendulum, start, DormandPrince::new(1e-8, 1e-8)).unwrap();
        if watched {
            let count = Cell::new(0);
            let mut run = run.on(
                Crossing::Either,
                |state| state.q.x,
                |_| {
                    count.set(count.get() + 1);
                    Then::Continue
                },
            );
            run.run_until(20.0).unwrap();
            assert_eq!(count.get(), (20.0 / quarter_period() / 2.0 + 0.5) as i32);
            *run.state()
        } else {
            let mut run = run;
            run.run_until(20.0).unwrap();
            *run.state()
        }
    };
    assert_eq!(end(true), end(false));
}

#[test]
fn laps_are_counted() {
    let start = thrown([1.0, 0.0], [0.0, 1.0]);
    let laps = Cell::new(0);
    let mut run = Simulation::new(Particle::new(1.0).on(Circle), start, Rk4::new(0.05))
        .unwrap()
        .on(
            Crossing::Rising,
            |state| state.q.y,
            |_| {
                laps.set(laps.get() + 1);
                Then::Continue
            },
        );
    // The start itself, from zero upwards, is no crossing.
    run.run_until(100.5 * TAU).unwrap();
    assert_eq!(laps.get(), 100);
}

#[test]
fn a_run_goes_on_from_where_an_event_has_stopped_it() {
    let (pendulum, start) = level_pendulum();
    let mut run = Simulation::new(pendulum, start, Rk4::new(0.01))
        .unwrap()
        .until(Crossing::Either, |state| state.q.x)
        .until(Crossing::Rising, |state| state.v.x);
    let mut stops = Vec::new();
    while let Arrival::Event(index) = run.run_until(10.0).unwrap() {
        stops.push((index, run.state().t));
    }
    assert_eq!(run.state().t, 10.0);
    // Bottom at 1, 3, 5, … quarter periods, the left turning point at 2, 6, ….
    let quarters = 10.0 / quarter_period();
    let expected: Vec<_> = (1..=quarters as usize)
        .filter(|n| n % 2 == 1 || n % 4 == 2)
        .map(|n| (usize::from(n % 2 == 0), n as f64 * quarter_period()))
        .collect();
    assert_eq!(stops.len(), expected.len(), "{stops:?}");
    for ((index, t), (exact_index, exact)) in stops.into_iter().zip(expected) {
        assert_eq!(index, exact_index);
        assert_relative_eq!(t, exact, epsilon = 1e-6);
    }
}

#[test]
fn two_events_at_one_time_are_both_met() {
    // Into a corner: x and y reach zero together, whichever rounding comes first.
    for x in [1.0, 0.3, 7.0] {
        let fall = (2.0 / G).sqrt();
        let start = thrown([x, 1.0], [-x / fall, 0.0]);
        let mut run = Simulation::new(Ball, start, Rk4::new(0.07))
            .unwrap()
            .on(
                Crossing::Falling,
                |state| state.q.x,
                |state| {
                    state.v.x = -state.v.x;
                    Then::Continue
                },
            )
            .on(
                Crossing::Falling,
                |state| state.q.y,
                |state| {
                    state.v.y = -state.v.y;
                    Then::Continue
                },
            );
        run.run_until(2.0 * fall).unwrap();
        assert_relative_eq!(run.state().q, Vector2::new(x, 1.0), epsilon = 1e-12);
    }
}

#[test]
fn a_handler_that_moves_the_state_away_starts_anew_there() {
    // A ball thrown round a cylinder of circumference 1: past x = 1 it is at x = 0.
    let turns = Cell::new(0);
    let mut run = Simulation::new(Ball, thrown([0.0, 0.0], [3.0, 0.0]), Rk4::new(0.1))
        .unwrap()
        .on(
            Crossing::Falling,
            |state| 1.0 - state.q.x,
            |state| {
                turns.set(turns.get() + 1);
                state.q.x -= 1.0;
                Then::Continue
            },
        );
    run.run_until(1.5).unwrap();
    assert_eq!(turns.get(), 4);
    assert_relative_eq!(run.state().q.x, 0.5, epsilon = 1e-12);
}

#[test]
fn what_a_handler_leaves_is_put_back_onto_the_constraints() {
    let (pendulum, start) = level_pendulum();
    let mut run = Simulation::new(pendulum, start, Rk4::new(0.01))
        .unwrap()
        .on(
            Crossing::Falling,
            |state| state.q.x,
            |state| {
                // A blow from below and from the side: the rod takes the one, the motion the other.
                state.v += Vector2::new(1.0, 5.0);
                Then::Stop
            },
        );
    run.run_until(10.0).unwrap();
    assert!(run.drift() < 1e-15 && run.rate_drift() < 1e-14);
    assert_relative_eq!(run.state().v.x, 1.0 - (2.0 * G).sqrt(), epsilon = 1e-6);
}

#[test]
fn a_pendulum_returns_to_its_height_at_every_turn() {
    let (pendulum, start) = level_pendulum();
    let turns = Cell::new(0);
    let mut run = Simulation::new(pendulum, start, DormandPrince::new(1e-13, 1e-13))
        .unwrap()
        .on(
            Crossing::Either,
            |state| state.q.x * state.v.y - state.q.y * state.v.x,
            |state| {
                turns.set(turns.get() + 1);
                assert!(
                    state.q.y.abs() < 1e-9,
                    "turn {}: {:e}",
                    turns.get(),
                    state.q.y
                );
                Then::Continue
            },
        );
    run.run_until(100.5 * quarter_period()).unwrap();
    assert_eq!(turns.get(), 50);
}

constraint_runtime::curve! {
    /// A straight track of length 1 at 45°.
    struct Ramp;
    |s in 0..=1| [s, -s]
}

#[test]
fn a_track_ends_in_a_stop_or_in_a_buffer() {
    let track = || {
        let bead = Particle::new(1.0).along(Ramp).under_gravity([0.0, -G]);
        Simulation::new(bead, State::new(0.0, [0.0], [0.0]), Rk4::new(0.1)).unwrap()
    };
    let exact = (2.0_f64 / (0.5 * G)).sqrt();
    // Without an event the step past the end is refused.
    let error = track().run_until(3.0).unwrap_err();
    assert!(matches!(error, Error::OutOfRange { .. }), "{error}");
    let mut stop = track().until(Crossing::Falling, |state| 1.0 - state.q[0]);
    assert_eq!(stop.run_until(3.0).unwrap(), Arrival::Event(0));
    assert_relative_eq!(stop.state().t, exact, epsilon = 1e-14);
    assert!(stop.state().q[0] <= 1.0);
    let mut buffer = track().on(
        Crossing::Falling,
        |state| 1.0 - state.q[0],
        |state| {
            state.v[0] = -state.v[0];
            Then::Continue
        },
    );
    buffer.run_until(2.0 * exact - 1e-6).unwrap();
    assert_relative_eq!(buffer.state().q[0], 0.0, epsilon = 1e-10);
}

/// Bounces of a ball dropped from 1 above a floor at the height `floor`, until the run ends or is given up.
fn bounced<I: Integrator<Scalar = f64>>(
    integrator: I,
    floor: f64,
    restitution: f64,
    end: f64,
) -> (Result<Arrival, Error>, Flight, usize) {
    let count = Cell::new(0);
    let start = thrown([0.0, floor + 1.0], [1.0, 0.0]);
    let mut run = Simulation::new(Ball, start, integrator).unwrap().on(
        Crossing::Falling,
        |state| state.q.y - floor,
        |state| {
            count.set(count.get() + 1);
            state.v.y *= -restitution;
            Then::Continue
        },
    );
    let arrival = run.run_until(end);
    let state = *run.state();
    drop(run);
    (arrival, state, count.get())
}

#[test]
fn bounces_that_accumulate_do_not_fall_through_the_floor() {
    let fall = (2.0 / G).sqrt();
    for restitution in [0.0, 0.1, 0.5, 0.9] {
        // Flights of 2 eⁿ √(2/g): all bounces are over at √(2/g) (1 + e)/(1 − e).
        let rest = fall * (1.0 + restitution) / (1.0 - restitution);
        // At 0 the height has all its digits; at −1000, 10⁻¹³ of it is lost, and the ball rests on that for a while.
        for floor in [0.0, -1000.0] {
            let runs = [
                bounced(Rk4::new(0.01), floor, restitution, 10.0),
                bounced(Rk4::new(0.3), floor, restitution, 10.0),
                bounced(Rattle::new(0.01), floor, restitution, 10.0),
                bounced(DormandPrince::new(1e-9, 1e-9), floor, restitution, 10.0),
            ];
            for (i, (arrival, state, count)) in runs.into_iter().enumerate() {
                let case = format!("e = {restitution}, floor {floor}, method {i}: {state:?}");
                assert!((state.q.y - floor).abs() < 1e-12, "{case}");
                let Err(Error::EventUnresolved { .. } | Error::TooManyEvents { .. }) = arrival
                else {
                    panic!("{case}: {arrival:?}");
                };
                assert!((state.t - rest).abs() < 1e-3, "{case}: not at {rest}");
                assert!(count <= 1000 + 500, "{case}: {count} bounces");
            }
        }
    }
}

/// The height of a place above a floor, up to a factor.
type Floor = fn(&Vector2<f64>) -> f64;

#[test]
fn bounces_that_accumulate_while_a_ball_slides_do_not_fall_through_either() {
    // A slope, and a bowl in two forms: beside the speed along them, that of the bounces is lost in its rounding.
    let slope: (Floor, Vector2<f64>) = (|q| q.y - 0.3 * q.x, Vector2::new(-0.3, 1.0));
    let bowl: Floor = |q| 25.0 - q.x * q.x - (q.y - 5.0) * (q.y - 5.0);
    let round: Floor = |q| 5.0 - q.x.hypot(q.y - 5.0);
    for (floor, normal) in [(slope.0, Some(slope.1)), (bowl, None), (round, None)] {
        let normal = |q: &Vector2<f64>| {
            let inwards = normal.unwrap_or_else(|| Vector2::new(0.0, 5.0) - q);
            inwards.normalize()
        };
        for restitution in [0.0, 0.05, 0.5] {
            for h in [0.001, 0.01, 0.3] {
                let start = thrown([0.1, 1.0], [0.0, 0.0]);
                let mut run = Simulation::new(Ball, start, Rk4::new(h)).unwrap().on(
                    Crossing::Falling,
                    |state| floor(&state.q),
                    |state| {
                        let n = normal(&state.q);
                        state.v -= n * (n.dot(&state.v) * (1.0 + restitution));
                        Then::Continue
                    },
                );
                let arrival = run.run_until(6.0);
                let state = run.state();
                let case = format!("e = {restitution}, h = {h}: {arrival:?} {state:?}");
                assert!(floor(&state.q) > -1e-12, "{case}");
                assert!(
                    matches!(
                        arrival,
                        Err(Error::EventUnresolved { event: 0, .. } | Error::TooManyEvents { .. })
                    ),
                    "{case}"
                );
            }
        }
    }
}

#[test]
fn a_ball_that_rests_stops_where_its_handler_says_so() {
    for integrator in [Rk4::new(0.01), Rk4::new(0.3)] {
        let start = thrown([0.0, 1.0], [0.0, 0.0]);
        let mut run = Simulation::new(Ball, start, integrator).unwrap().on(
            Crossing::Falling,
            |state| state.q.y,
            |state| {
                state.v.y *= -0.5;
                if state.v.y < 1e-3 {
                    Then::Stop
                } else {
                    Then::Continue
                }
            },
        );
        assert_eq!(run.run_until(10.0), Ok(Arrival::Event(0)));
        let rest = 3.0 * (2.0 / G).sqrt();
        assert!(run.state().t < rest && run.state().t > rest - 1e-3);
        // Asked to go on, it stops at every further bounce.
        assert_eq!(run.run_until(10.0), Ok(Arrival::Event(0)));
        assert!(run.state().t < rest && run.state().q.y >= 0.0);
    }
}

#[test]
fn a_handler_that_changes_the_speed_only_lets_the_motion_pass() {
    // Through a sheet that slows the ball down to a hundredth: it goes on below.
    for factor in [1.0 - 1e-9, 0.01, 1e-6] {
        let count = Cell::new(0);
        let mut run = Simulation::new(Ball, thrown([0.0, 1.0], [0.0, 0.0]), Rk4::new(0.01))
            .unwrap()
            .on(
                Crossing::Either,
                |state| state.q.y,
                |state| {
                    count.set(count.get() + 1);
                    state.v.y *= factor;
                    Then::Continue
                },
            );
        let fall = (2.0 / G).sqrt();
        run.run_until(fall + 0.2).unwrap();
        assert_eq!(count.get(), 1);
        let exact = -factor * G * fall * 0.2 - 0.5 * G * 0.04;
        assert_relative_eq!(run.state().q.y, exact, max_relative = 1e-12);
    }
}

mod refusals {
    use super::*;

    #[test]
    fn a_function_that_is_no_number_is_refused_by_the_index_of_its_event() {
        // √(y − ½) is no number below ½, and no number is on a side of zero.
        let run = |function: fn(&Flight) -> f64| {
            let start = thrown([0.0, 1.0], [0.0, 0.0]);
            let mut run = Simulation::new(Ball, start, Rk4::new(0.01))
                .unwrap()
                .until(Crossing::Falling, |state| state.q.y)
                .until(Crossing::Either, function);
            (run.run_until(1.0), *run.state())
        };
        let (arrival, state) = run(|state| (state.q.y - 0.5).sqrt() + 1.0);
        let Err(Error::EventUndefined {
            event: 1,
            time: Some(time),
        }) = arrival
        else {
            panic!("{arrival:?}")
        };
        assert_eq!(state.t, time);
        assert_relative_eq!(time, (1.0 / G).sqrt(), epsilon = 0.01);
        assert!(state.q.y >= 0.5);
        assert_eq!(
            arrival.unwrap_err().to_string(),
            format!("the function of event 1 is not a number in the step at t = {time}")
        );
        let (arrival, state) = run(|_| f64::NAN);
        assert!(
            matches!(arrival, Err(Error::EventUndefined { event: 1, .. })),
            "{arrival:?}"
        );
        assert_eq!(state.t, 0.0);
        // What lies beyond an event that ends the step is not asked for.
        let (arrival, _) = run(|state| (state.q.y + 1e-4).sqrt() + 1.0);
        assert_eq!(arrival, Ok(Arrival::Event(0)));
    }

    #[test]
    fn a_pole_is_no_crossing() {
        let run = |function: fn(&Flight) -> f64, integrator: DormandPrince<f64>| {
            let start = thrown([0.0, 1.0], [0.0, 0.0]);
            let mut run = Simulation::new(Ball, start, integrator)
                .unwrap()
                .until(Crossing::Falling, |state| state.q.y + 1.0)
                .until(Crossing::Either, function);
            run.run_until(1.0)
        };
        let poles: [fn(&Flight) -> f64; 4] = [
            |state| 1.0 / state.q.y,
            |state| -1e-200 / state.q.y.powi(3),
            |state| 1.0 / state.q.y.cbrt(),
            // At the right angle 2 (1 − y).
            |state| (2.0 * (1.0 - state.q.y)).tan(),
        ];
        for function in poles {
            for longest in [0.3, 0.01, 1e-3] {
                let method = DormandPrince::new(1e-9, 1e-9).with_longest_step(longest);
                let arrival = run(function, method);
                assert!(
                    matches!(arrival, Err(Error::EventPole { event: 1, .. })),
                    "{arrival:?}"
                );
            }
        }
        // A jump has no pole; of what is flat or steep at its zero neither.
        let crossings: [fn(&Flight) -> f64; 5] = [
            |state| state.q.y.signum() * 3.0,
            |state| state.q.y.powi(3),
            |state| state.q.y.cbrt(),
            |state| 1e200 * state.q.y,
            |state| (1e4 * state.q.y).tanh(),
        ];
        for function in crossings {
            let arrival = run(function, DormandPrince::new(1e-9, 1e-9));
            assert_eq!(arrival, Ok(Arrival::Event(1)));
        }
    }

    #[test]
    fn a_panic_leaves_the_last_good_state_and_its_events() {
        use std::panic::{AssertUnwindSafe, catch_unwind};
        // The ball passes 0.5 and then the floor, both within its second step.
        let (armed, passages, bounces) = (Cell::new(true), Cell::new(0), Cell::new(0));
        let start = thrown([0.0, 1.0], [0.0, 0.0]);
        let mut run = Simulation::new(Ball, start, Rk4::new(0.3))
            .unwrap()
            .on(
                Crossing::Falling,
                |state| state.q.y - 0.5,
                |_| {
                    passages.set(passages.get() + 1);
                    Then::Continue
                },
            )
            .on(
                Crossing::Falling,
                |state| state.q.y,
                |state| {
                    bounces.set(bounces.get() + 1);
                    assert!(!armed.get());
                    state.v.y = -state.v.y;
                    Then::Continue
                },
            );
        let outcome = catch_unwind(AssertUnwindSafe(|| run.run_until(0.7)));
        assert!(outcome.is_err());
        assert_eq!((run.state().t, passages.get(), bounces.get()), (0.3, 1, 1));
        assert_relative_eq!(run.state().q.y, 1.0 - 0.5 * G * 0.09, epsilon = 1e-14);
        // The step is taken once more, with all that happens in it.
        armed.set(false);
        run.run_until(0.7).unwrap();
        assert_eq!((passages.get(), bounces.get()), (2, 2));
        let fall = (2.0 / G).sqrt();
        let t = 0.7 - fall;
        assert_relative_eq!(
            run.state().q.y,
            G * fall * t - 0.5 * G * t * t,
            epsilon = 1e-13
        );
    }

    #[test]
    fn events_without_end_are_given_up() {
        // Each handler throws the ball back at the other.
        let mut run = Simulation::new(Ball, thrown([0.0, 1.0], [0.0, 0.0]), Rk4::new(0.1))
            .unwrap()
            .on(
                Crossing::Falling,
                |state| state.q.y,
                |state| {
                    (state.q.y, state.v.y) = (0.0, 1e30);
                    Then::Continue
                },
            )
            .on(
                Crossing::Rising,
                |state| state.q.y - 1e-300,
                |state| {
                    (state.q.y, state.v.y) = (1e-300, -1e30);
                    Then::Continue
                },
            );
        let error = run.run_until(1.0).unwrap_err();
        let Error::TooManyEvents { events, time } = error else {
            panic!("{error}")
        };
        assert_eq!(events, 100);
        assert_relative_eq!(time.unwrap(), (2.0 / G).sqrt(), epsilon = 1e-10);
    }

    #[test]
    fn a_handler_must_leave_numbers() {
        let start = thrown([0.0, 1.0], [0.0, 0.0]);
        let mut run = Simulation::new(Ball, start, Rk4::new(0.5)).unwrap().on(
            Crossing::Falling,
            |state| state.q.y,
            |state| {
                state.v.y = f64::NAN;
                Then::Continue
            },
        );
        let error = run.run_until(1.0).unwrap_err();
        assert!(
            error.to_string().starts_with("velocity 1 is NaN at t = 0"),
            "{error}"
        );
        assert_eq!(*run.state(), start);
    }
}
