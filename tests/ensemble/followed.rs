//! What is told of copies on their way, and of all of them together.

use std::num::NonZero;

use constraint_runtime::ensemble::Statistics;
use constraint_runtime::prelude::*;

system! {
    /// One rod.
    pub struct Pendulum { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    gravity [0, -g];
}

type Start = State<Vector2<f64>>;

fn pendulum(i: usize) -> Result<(Pendulum, Start), Error> {
    let l = if i == 6 {
        f64::NAN
    } else {
        1.0 + 0.01 * i as f64
    };
    let system = Pendulum {
        l,
        ..Default::default()
    };
    Ok((
        system,
        State::new(0.0, [1.0 + 0.01 * i as f64, 0.0], [0.0; 2]),
    ))
}

#[test]
fn ends_are_taken_in_order_on_any_number_of_threads() {
    let summary = |threads: usize| {
        let mut next = 0;
        let mut speeds = Statistics::<2>::new();
        let ensemble = Ensemble::new(300, pendulum);
        let ensemble = ensemble.with_threads(NonZero::new(threads).expect("some"));
        let taken = ensemble.for_each_end(0.1, Rk4::new(0.01), |copy, end| {
            assert_eq!(copy, next);
            next += 1;
            match end {
                Ok(state) => speeds.add(state.v),
                Err(_) => assert_eq!(copy, 6),
            }
        });
        taken.expect("copies");
        assert_eq!((next, speeds.count()), (300, 299));
        speeds
    };
    assert_eq!(summary(1), summary(4));
}

#[test]
fn each_step_of_each_copy_is_seen_once_and_its_own() {
    let ensemble = Ensemble::new(10, pendulum);
    let begin = |copy: usize, start: &Start| (copy, vec![*start]);
    let see = |(_, states): &mut (usize, Vec<Start>), state: &Start| states.push(*state);
    let mut ends = Vec::new();
    let taken = ensemble.for_each_followed(0.1, Rk4::new(0.01), begin, see, |copy, end| {
        ends.push((copy, end));
    });
    taken.expect("copies");
    for (copy, end) in ends {
        let (system, start) = pendulum(copy).expect("made");
        let Ok(((number, states), last)) = end else {
            assert_eq!(copy, 6);
            continue;
        };
        assert_eq!(number, copy);
        let mut run = Simulation::new(system, start, Rk4::new(0.01)).expect("a good start");
        let mut expected = vec![start];
        run.run_until_with(0.1, |state| expected.push(*state))
            .expect("it swings");
        assert_eq!(states, expected);
        assert_eq!(last, expected[10]);
    }
}

#[test]
fn covariances_do_not_cancel() {
    let mut far = Statistics::<1>::new();
    for k in 0..1000 {
        far.add([1e9 + f64::from(k % 2)]);
    }
    assert!((far.covariance()[(0, 0)] - 250.0 / 999.0).abs() < 1e-9);
    assert!(Statistics::<1>::new().covariance()[(0, 0)].is_nan());
}
