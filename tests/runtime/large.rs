//! Systems whose Jacobian nobody can afford, and systems with coordinates of their own kind.

use crate::by_hand::*;
use approx::assert_relative_eq;
use constraint_runtime::make_consistent;
use constraint_runtime::prelude::*;

/// A chain of 1,024 beads: 2,048 coordinates under 1,024 rows.
fn long_chain<I: Integrator<Scalar = f64>>(integrator: I, steps: usize) {
    let start = Chain::<1024, 2048>::level();
    let mut run = Simulation::new(Chain::<1024, 2048>, start, integrator).unwrap();
    let energy = run.energy();
    for _ in 0..steps {
        run.step().unwrap();
    }
    assert!(run.state().q[1] < 0.0 && run.state().q[2047] < 0.0);
    // Rounding of coordinates of size 1,000.
    assert!(
        run.drift() < 2e-12 && run.rate_drift() < 1e-12,
        "{:e}",
        run.drift()
    );
    assert_relative_eq!(run.energy(), energy, epsilon = 1e-4);
}

/// States of 32 KB add up in a program that is not optimised: more than a test's stack.
fn with_room(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    thread.spawn(test).unwrap().join().unwrap();
}

#[test]
fn a_chain_of_1024_beads_runs_without_its_jacobian() {
    // `Chain::jacobian` panics.
    with_room(|| long_chain(Rk4::new(1e-3), 10));
    with_room(|| long_chain(Rattle::new(1e-3), 10));
    with_room(|| long_chain(DormandPrince::new(1e-9, 1e-9), 10));
}

mod turning {
    use super::*;

    const OMEGA: [f64; 3] = [1.0, -2.0, 2.0];

    fn turn<I: Integrator<Scalar = f64>>(
        ball: TurningBall,
        integrator: I,
    ) -> State<SVector<f64, 4>, SVector<f64, 3>> {
        let start = State::new(0.0, [1.0, 0.0, 0.0, 0.0], OMEGA);
        let mut run = Simulation::new(ball, start, integrator).unwrap();
        run.run_until(50.0).unwrap();
        *run.state()
    }

    /// After the time t: a turn by |ω| t = 3 t about ω.
    fn exact(t: f64) -> SVector<f64, 4> {
        let (sin, cos) = (1.5 * t).sin_cos();
        SVector::<f64, 4>::new(cos, sin / 3.0, -2.0 * sin / 3.0, 2.0 * sin / 3.0)
    }

    #[test]
    fn a_unit_quaternion_stays_one() {
        let ball = TurningBall { normalizes: true };
        let fixed = turn(ball, Rk4::new(0.01));
        let adaptive = turn(ball, DormandPrince::new(1e-9, 1e-9));
        for (state, error) in [(fixed, 1e-7), (adaptive, 1e-6)] {
            assert!((state.q.norm() - 1.0).abs() < 1e-15);
            assert_relative_eq!(state.q, exact(50.0), epsilon = error);
        }
    }

    #[test]
    fn without_its_system_it_does_not() {
        let state = turn(TurningBall { normalizes: false }, Rk4::new(0.05));
        assert!((state.q.norm() - 1.0).abs() > 1e-7);
    }

    #[test]
    fn a_start_is_normalised_too() {
        let ball = TurningBall { normalizes: true };
        let start = State::new(0.0, [3.0, 0.0, 4.0, 0.0], OMEGA);
        let run = Simulation::new(ball, start, Rk4::new(0.1)).unwrap();
        assert_relative_eq!(run.state().q[2], 0.8, max_relative = 1e-15);
        assert_relative_eq!(
            make_consistent(&ball, start).unwrap().q[0],
            0.6,
            max_relative = 1e-15
        );
    }
}
