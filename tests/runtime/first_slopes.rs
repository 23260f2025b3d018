//! Projected steps of generated systems have their first v̇ from the end of the step before. They go where the same
//! systems go whose projections and accelerations are asked for one by one.

use crate::generated::{Chain, Rods};
use constraint_runtime::prelude::*;
use constraint_runtime::{OwnFrames, Vector};

/// A system by its methods alone, of which steps ask nothing together.
#[derive(Clone, Copy)]
struct Apart<S>(S);

impl<S: System<f64>> Dynamics<f64> for Apart<S> {
    type Q = S::Q;
    type V = S::V;
    type Coordinates = S::Coordinates;
    type Velocities = S::Velocities;

    const OWN_FRAMES: &'static [OwnFrames] = S::OWN_FRAMES;

    fn acceleration(&self, t: f64, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        self.0.acceleration(t, q, v)
    }
    fn kinetic_energy(&self, t: f64, q: &S::Q, v: &S::V) -> f64 {
        self.0.kinetic_energy(t, q, v)
    }
    fn potential_energy(&self, t: f64, q: &S::Q) -> f64 {
        self.0.potential_energy(t, q)
    }
    fn kinematics(&self, t: f64, q: &S::Q, v: &S::V) -> S::Q {
        self.0.kinematics(t, q, v)
    }
    fn normalize(&self, q: &mut S::Q) {
        self.0.normalize(q);
    }
}

impl<S: System<f64>> System<f64> for Apart<S> {
    type Rows = S::Rows;
    type Jacobian = S::Jacobian;
    type Multipliers = S::Multipliers;

    fn multipliers(&self, t: f64, q: &S::Q, v: &S::V) -> Result<S::Rows, Error> {
        self.0.multipliers(t, q, v)
    }
    fn constraint_force(&self, t: f64, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        self.0.constraint_force(t, q, v)
    }
    fn constraint(&self, t: f64, q: &S::Q) -> S::Rows {
        self.0.constraint(t, q)
    }
    fn constraint_rate(&self, t: f64, q: &S::Q, v: &S::V) -> S::Rows {
        self.0.constraint_rate(t, q, v)
    }
    fn jacobian(&self, t: f64, q: &S::Q) -> S::Jacobian {
        self.0.jacobian(t, q)
    }
    fn bias(&self, t: f64, q: &S::Q, v: &S::V) -> S::Rows {
        self.0.bias(t, q, v)
    }
    fn correction(&self, t: f64, q: &S::Q, b: &S::Rows) -> Result<S::V, Error> {
        self.0.correction(t, q, b)
    }
    fn row_sizes(&self, t: f64, q: &S::Q) -> S::Rows {
        self.0.row_sizes(t, q)
    }
}

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
    assert!(S::PROJECTS_MOTION);
    let start = make_consistent(&system, start).unwrap();
    let expected = end_of(Apart(system), start.clone(), integrator, level);
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
