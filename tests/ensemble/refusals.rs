//! What an ensemble refuses, and what of it fails alone.

use constraint_runtime::prelude::*;

system! {
    /// One rod.
    pub struct Pendulum { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    gravity [0, -g];
}

fn pendulum(l: f64) -> Result<(Pendulum, State<Vector2<f64>>), Error> {
    let system = Pendulum {
        l,
        ..Default::default()
    };
    Ok((system, State::new(0.0, [1.0, 0.0], [0.0; 2])))
}

#[test]
fn one_copy_that_fails_is_its_own_error() {
    let good = Ensemble::new(6, |_| pendulum(1.0)).run_until(0.1, Rk4::new(0.01));
    let good = good.expect("copies").into_vec();
    let ensemble = Ensemble::new(6, |i| match i {
        1 => pendulum(2.0),
        2 => pendulum(f64::NAN),
        4 => Err(Error::NoEigenvalues),
        _ => pendulum(1.0),
    });
    let ends = ensemble.run_until(0.1, Rk4::new(0.01)).expect("copies");
    let failures: Vec<usize> = ends.failures().map(|(copy, _)| copy).collect();
    assert_eq!(failures, [1, 2, 4]);
    let ends = ends.into_vec();
    assert!(matches!(ends[1], Err(Error::InconsistentPosition { .. })));
    assert!(matches!(ends[2], Err(Error::InvalidParameter { .. })));
    assert_eq!(ends[4], Err(Error::NoEigenvalues));
    for copy in [0, 3, 5] {
        assert_eq!(ends[copy], good[copy]);
    }
}

#[test]
fn a_copy_that_fails_on_its_way_leaves_its_neighbours() {
    // The force of the third is no number from t = 0.05 on.
    system! {
        struct Pushed { limit: Real = 1 }
        coordinate x;
        particle p = [x, 0] { mass: 1 }
        force x: sqrt(limit - t);
    }
    let ensemble = Ensemble::new(4, |i| {
        let limit = if i == 2 { 0.05 } else { 1.0 };
        Ok((Pushed { limit }, State::new(0.0, [0.0], [0.0])))
    });
    let ends = ensemble
        .run_until(0.1, Rk4::new(0.01))
        .expect("copies")
        .into_vec();
    assert!(
        matches!(ends[2], Err(Error::Corner { place, time: Some(t) })
            if place.contains("limit − t") && (t - 0.05_f64).abs() < 0.011),
        "{:?}",
        ends[2]
    );
    assert!(ends[0].is_ok() && ends[0] == ends[1] && ends[0] == ends[3]);
}

#[test]
fn copies_may_start_at_different_times() {
    let start = |i: usize| 0.01 * i as f64;
    let ensemble = Ensemble::new(4, |i| {
        let (system, mut state) = pendulum(1.0)?;
        state.t = start(i);
        Ok((system, state))
    });
    let ends = ensemble
        .run_until(0.1, Rk4::new(0.004))
        .expect("copies")
        .into_vec();
    for (i, end) in ends.iter().enumerate() {
        let (system, mut state) = pendulum(1.0).expect("one");
        state.t = start(i);
        let mut run = Simulation::new(system, state, Rk4::new(0.004)).expect("a start");
        run.run_until(0.1).expect("a run");
        assert_eq!(end.as_ref(), Ok(run.state()));
    }
}

#[test]
fn what_cannot_run_at_all_is_refused_at_once() {
    let none = Ensemble::new(0, |_| pendulum(1.0)).run_until(1.0, Rk4::new(0.01));
    let message = none.map(drop).unwrap_err().to_string();
    assert_eq!(message, "an ensemble needs at least one copy");
    let some = || Ensemble::new(3, |_| pendulum(1.0));
    let refused = some().run_until(1.0, Rk4::new(-0.01)).map(drop);
    assert!(matches!(refused, Err(Error::InvalidStepSize { .. })));
    let refused = some().run_until(f64::NAN, Rk4::new(0.01)).map(drop);
    assert!(matches!(refused, Err(Error::InvalidTime { .. })));
    let minus = Stabilization::Projection { tolerance: -1.0 };
    let refused = some()
        .with_stabilization(minus)
        .run_until(1.0, Rk4::new(0.01));
    assert!(matches!(
        refused.map(drop),
        Err(Error::InvalidTolerance { .. })
    ));
}
