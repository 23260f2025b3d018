//! What is told of copies on their way, and of all of them together.

use std::num::NonZero;

use constraint_runtime::ensemble::{Histogram, Shards, Statistics};
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
    // Numbers that are a ulp apart: the mean of their floats lies between two floats.
    let far = 2.0_f64.powi(52);
    let mut two = Statistics::<2>::new();
    for k in 0..1000 {
        two.add([far + f64::from(k % 2), -far - f64::from(k % 2)]);
    }
    let covariance = two.covariance();
    assert!((covariance[(0, 0)] - 250.0 / 999.0).abs() < 1e-15);
    assert!((covariance[(1, 0)] + 250.0 / 999.0).abs() < 1e-15);
    assert_eq!(covariance, covariance.transpose());
    assert!(Statistics::<1>::new().covariance()[(0, 0)].is_nan());
}

#[test]
fn what_is_no_number_is_counted_apart() {
    let mut all = Statistics::<2>::new();
    all.add([1.0, f64::NAN]);
    all.add([3.0, 5.0]);
    all.add([f64::INFINITY, 0.0]);
    assert_eq!((all.count(), all.undefined()), (1, 2));
    assert_eq!(all.mean().as_slice(), [3.0, 5.0]);
}

#[test]
fn shards_in_any_order_give_what_all_give() {
    let shards = Shards::new(300, NonZero::new(77).expect("some")).expect("copies");
    let summary = |copies| {
        let mut told = (
            Statistics::<2>::new(),
            Histogram::<7>::new(-4.0, 0.0).expect("parts"),
        );
        let ensemble = Ensemble::new(300, pendulum).only(copies).expect("copies");
        let taken = ensemble.for_each_end(0.1, Rk4::new(0.01), |_, end| {
            if let Ok(state) = end {
                told.0.add(state.v);
                told.1.add(state.v.y);
            }
        });
        taken.expect("copies");
        told
    };
    let all = summary(0..300);
    let shards: Vec<_> = (0..4)
        .map(|k| summary(shards.copies(k).expect("one")))
        .collect();
    for order in [[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]] {
        let mut merged = shards[order[0]].clone();
        for &k in &order[1..] {
            merged.0.merge(&shards[k].0);
            merged.1.merge(&shards[k].1).expect("the same parts");
        }
        assert_eq!(merged, all);
        assert_eq!(merged.0.covariance(), all.0.covariance());
    }
}

#[test]
fn shards_that_there_are_not_are_refused() {
    let none = Ensemble::new(10, pendulum).only(8..11).map(drop);
    let none = none.unwrap_err();
    assert_eq!(
        none,
        Error::UnknownCopies {
            start: 8,
            end: 11,
            copies: 10
        }
    );
    let message = "copies 8 to 11 do not exist in an ensemble that ends before copy 10";
    assert_eq!(none.to_string(), message);
    let empty = Ensemble::new(10, pendulum).only(10..10).expect("a range");
    let empty = empty.run_until(0.1, Rk4::new(0.01)).map(drop);
    assert_eq!(empty, Err(Error::NoCopies));
    let mut one = Histogram::<4>::new(0.0, 1.0).expect("parts");
    let other = Histogram::<4>::new(0.0, 2.0).expect("parts");
    let refused = one.merge(&other).unwrap_err().to_string();
    assert_eq!(
        refused,
        "a histogram from 0 to 1 and one from 0 to 2 have no parts in common"
    );
}

/// One copy after the other is taken over, so that ten times as many take no more memory.
#[test]
fn reductions_of_any_number_of_copies_take_the_same_memory() {
    let most = |copies| {
        let measured = allocation_counter::measure(|| {
            let mut places = Statistics::<2>::new();
            let mut heights = Histogram::<7>::new(-4.0, 0.0).expect("parts");
            let ensemble = Ensemble::new(copies, |copy| pendulum(copy % 64));
            let ensemble = ensemble.with_threads(NonZero::<usize>::MIN);
            let taken = ensemble.for_each_end(0.05, Rk4::new(0.01), |_, end| {
                if let Ok(state) = end {
                    places.add(state.q);
                    heights.add(state.q.y);
                }
            });
            taken.expect("copies");
        });
        measured.bytes_max
    };
    // A sum of ten times as many may have a digit more.
    let (few, many) = (most(320), most(3200));
    assert!(many <= few + 100, "{few} and {many} bytes");
}

#[test]
fn a_run_of_each_copy_is_as_one_alone() {
    let method = Rk4::new(0.01);
    let swing = |run: Simulation<Pendulum, Rk4>| {
        let mut run = run.on(Crossing::Falling, |it| it.q.x, |_| Then::Continue);
        run.run_until(1.0)?;
        Ok((*run.state(), run.multipliers()?.rod))
    };
    let mut ends = Vec::new();
    let ensemble = Ensemble::new(130, pendulum).with_stabilization(Stabilization::None);
    let ensemble = ensemble.only(3..130).expect("copies");
    let taken = ensemble.for_each_run(
        method,
        |_, run| swing(run),
        |copy, end: Result<_, Error>| ends.push((copy, end)),
    );
    taken.expect("copies");
    assert_eq!(ends.len(), 127);
    for (k, (copy, end)) in ends.into_iter().enumerate() {
        assert_eq!(copy, k + 3);
        let alone = pendulum(copy).and_then(|(system, start)| {
            let run = Simulation::new(system, start, method)?;
            swing(run.with_stabilization(Stabilization::None))
        });
        assert!(end == alone || copy == 6, "copy {copy}");
        assert_eq!(end.is_err(), copy == 6);
    }
    let none = Ensemble::new(0, pendulum).for_each_run(method, |_, _| Ok(()), |_, _| ());
    assert_eq!(none, Err(Error::NoCopies));
}
