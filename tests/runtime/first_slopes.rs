//! Projected steps of generated systems have their first v̇ from the end of the step before. They go where the same
//! systems go whose projections and accelerations are asked for one by one.

use crate::apart::Apart;
use crate::generated::{Chain, Rods};
use constraint_runtime::Vector;
use constraint_runtime::make_consistent;
use constraint_runtime::prelude::*;

system! {
    /// A body of three moments on a tip, whose stages are told in its own frame.
    struct Top { m: Real = 1, a: Real = 2, b: Real = 2.5, c: Real = 3, l: Real = 1, g: Real = 9.81 }
    body top: Rigid3 { mass: m, inertia: [a, b, c] }
    constraint tip: at(top, [0, 0, -l]) == [0, 0, 0];
    potential m*g*at(top, [0, 0, 0]).z;
}

/// Runs of both from a state nearby; where the first coordinate falls through `level`, half of the speed is turned back.
#[track_caller]
fn agree<S, I>(system: S, start: State<S::Q, S::V>, integrator: I, level: f64, bound: f64)
where
    S: System<f64> + Copy,
    I: Integrator<Scalar = f64> + Copy,
{
    assert!(S::PROPERTIES.projects_motion);
    let start = make_consistent(&system, start).unwrap();
    let expected = end_of(Apart::<_, true>(system), start.clone(), integrator, level);
    let found = end_of(system, start, integrator, level);
    assert_eq!(found.1, expected.1);
    assert!(expected.1 > 0, "nothing is turned back");
    for (x, y) in [
        (found.0.q.entries(), expected.0.q.entries()),
        (found.0.v.entries(), expected.0.v.entries()),
    ] {
        for (x, y) in x.iter().zip(y) {
            assert!((x - y).abs() < bound, "{x} and {y}");
        }
    }
}

fn end_of<S, I>(
    system: S,
    start: State<S::Q, S::V>,
    integrator: I,
    level: f64,
) -> (State<S::Q, S::V>, usize)
where
    S: System<f64>,
    I: Integrator<Scalar = f64>,
{
    let mut turns = 0;
    let mut run = Simulation::new(system, start, integrator).unwrap().on(
        Crossing::Falling,
        |state| state.q[0] - level,
        |state| {
            turns += 1;
            state.v.update(|_, v| -0.5 * v);
            Then::Continue
        },
    );
    run.run_until(0.7).unwrap();
    let end = run.state().clone();
    drop(run);
    (end, turns)
}

#[test]
fn steps_go_where_projections_and_accelerations_one_by_one_go() {
    let rods = State::new(0.0, [0.6, -0.8, 1.4, -0.8], [0.0; 4]);
    agree(Rods::default(), rods, Rk4::new(0.01), 0.5, 1e-9);
    let adaptive = DormandPrince::new(1e-9, 1e-9);
    agree(Rods::default(), rods, adaptive, 0.5, 1e-9);
    let links = SVector::<f64, 16>::from_fn(|i, _| 0.5 * (1 + i / 2) as f64 * [0.6, -0.8][i % 2]);
    let chain = State::new(0.0, links, SVector::<f64, 16>::zeros());
    agree(Chain::default(), chain, Rk4::new(0.01), 0.25, 1e-9);
    let mut top = TopCoordinates::<f64>::default();
    top.top.translation.z = 1.0;
    let start = State::new(0.0, top, [-1.0, 0.0, 0.0, 0.0, -1.0, 3.0]);
    agree(Top::default(), start, Rk4::new(0.01), -0.1, 1e-9);
    agree(Top::default(), start, adaptive, -0.1, 1e-9);
}
