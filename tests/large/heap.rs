//! Systems whose vectors stand on the heap: a small stack is enough, a step makes nothing new, and memory is in
//! proportion to the state.

use crate::by_hand;
use approx::assert_relative_eq;
use constraint_runtime::make_consistent;
use constraint_runtime::prelude::*;

const N: usize = 1024;

system! {
    /// A chain of 1,024 rigid links.
    pub struct Chain { pub m: Real = 1, pub l: Real = 1, pub g: Real = 9.81 }

    particle bead[1024]: Point2 { mass: m }
    constraint anchor: norm_squared(bead[0]) == l^2;
    for i in 1..1024 { constraint link[i]: norm_squared(bead[i] - bead[i - 1]) == l^2; }
    for i in 0..1024 { potential m*g*bead[i].y; }
}

/// The name of a simulation that stands in a struct.
struct Scene<I: Integrator<Scalar = f64>> {
    run: Simulation<Chain, I>,
}

impl<I: Integrator<Scalar = f64>> Scene<I> {
    /// All beads on a level line.
    fn level(integrator: I, stabilization: Stabilization<f64>) -> Scene<I> {
        let bead = HeapArray::from_fn(|i| Point2::new((i + 1) as f64, 0.0));
        let start = State::new(0.0, ChainCoordinates { bead }, ChainVelocities::default());
        let run = Simulation::new(Chain::default(), start, integrator).unwrap();
        Scene {
            run: run.with_stabilization(stabilization),
        }
    }
}

fn in_thread_of(bytes: usize, test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(bytes);
    thread.spawn(test).unwrap().join().unwrap();
}

fn stabilizations() -> [Stabilization<f64>; 3] {
    let (alpha, beta) = (5.0, 5.0);
    let feedback = Stabilization::Baumgarte { alpha, beta };
    [Stabilization::default(), feedback, Stabilization::None]
}

/// A state has 32 KiB, so that no state is put on this stack in any profile.
#[test]
fn a_stack_of_128_kib_is_enough() {
    fn check<I>(integrator: I)
    where
        I: Integrator<Scalar = f64> + Copy + Send + 'static,
    {
        for stabilization in stabilizations() {
            in_thread_of(128 << 10, move || {
                let Scene { mut run } = Scene::level(integrator, stabilization);
                let energy = run.energy();
                run.run_until(0.01).unwrap();
                // Semi-implicit Euler's is of the first order: a thousandth of what has become motion.
                assert_relative_eq!(run.energy(), energy, epsilon = 5e-3);
                assert!(run.drift() < 1e-6 && run.rate_drift() < 1e-3);
                let checkpoint = run.clone();
                run.run_until(0.02).unwrap();
                let mut again = checkpoint;
                again.run_until(0.02).unwrap();
                assert_eq!(again.state(), run.state());
                assert_eq!(run.coordinates().bead[7].x, run.state().q[14]);
                assert!(make_consistent(run.system(), run.state().clone()).is_ok());
                assert!(run.multipliers().is_ok() && run.interpolant().is_ok());
            });
        }
    }
    check(Rk4::new(1e-3));
    check(DormandPrince::new(1e-9, 1e-9));
    check(Rattle::new(1e-3));
    check(SemiImplicitEuler::new(1e-5));
}

/// The rows of J, and of J over the mass, one link after the other; on a stack that holds none of it.
#[test]
fn impulses_are_swept_through_all_links() {
    in_thread_of(128 << 10, || {
        let chain = Chain {
            m: 2.0,
            ..Chain::default()
        };
        let bead = HeapArray::from_fn(|i| Point2::new((i + 1) as f64, (i as f64).sin()));
        let q = ChainCoordinates { bead }.into();
        let (mut rows, jacobian) = (ImpulseRows::default(), chain.jacobian(0.0, &q));
        chain.impulse_rows(0.0, &q, &mut rows).unwrap();
        assert_eq!((rows.len(), rows.blocks().count()), (N, N));
        for (r, (velocities, entries, weighted)) in rows.blocks().enumerate() {
            assert_eq!(velocities.len(), jacobian.row(r).count());
            for (k, &c) in velocities.iter().enumerate() {
                assert_eq!(
                    (entries[k], weighted[k]),
                    (jacobian[(r, c)], jacobian[(r, c)] / 2.0)
                );
            }
        }
        // Level, it falls as if nothing held it.
        let solver = SequentialImpulses::new(4).stepping(1e-3);
        let Scene { mut run } = Scene::level(solver, Stabilization::None);
        run.step().unwrap();
        let v = run.velocities();
        assert!(v.bead.iter().all(|v| *v == Vector2::new(0.0, 1e-3 * -9.81)));
    });
}

/// The chain by hand, whose vectors stand on the stack, moves alike.
#[test]
fn a_chain_on_the_heap_moves_as_one_on_the_stack() {
    in_thread_of(64 << 20, || {
        for stabilization in stabilizations() {
            let Scene { mut run } = Scene::level(Rk4::new(1e-3), stabilization);
            let (chain, start) = (
                by_hand::Chain::<N, 2048>,
                by_hand::Chain::<N, 2048>::level(),
            );
            let other = Simulation::new(chain, start, Rk4::new(1e-3)).unwrap();
            let mut other = other.with_stabilization(stabilization);
            for _ in 0..20 {
                run.step().unwrap();
                other.step().unwrap();
            }
            let (found, expected) = (run.state(), other.state());
            for i in 0..2 * N {
                assert_relative_eq!(found.q[i], expected.q[i], epsilon = 1e-12);
                assert_relative_eq!(found.v[i], expected.v[i], epsilon = 1e-10);
            }
        }
    });
}

#[test]
fn steps_allocate_nothing() {
    fn check(integrator: impl Integrator<Scalar = f64> + Copy) {
        for stabilization in stabilizations() {
            let Scene { mut run } = Scene::level(integrator, stabilization);
            run.run_until(0.05).unwrap();
            let counted = allocation_counter::measure(|| _ = run.run_until(0.06).unwrap());
            assert_eq!(counted.count_total, 0, "{stabilization:?}");
        }
    }
    check(Rk4::new(1e-3));
    check(DormandPrince::new(1e-9, 1e-9));
}

/// Hanging at rest, rod i carries the beads from i on: M v̇ = 0 = h + Jᵀ λ with J = 2 d gives λ = −(N − i) m g/2.
#[test]
fn accelerations_and_multipliers_are_written_without_allocation() {
    in_thread_of(128 << 10, || {
        let bead = HeapArray::from_fn(|i| Point2::new(0.0, -((i + 1) as f64)));
        let (q, v) = (
            ChainCoordinates { bead }.into(),
            ChainVelocities::default().into(),
        );
        let chain = Chain::<f64>::default();
        let mut room = vec![f64::NAN; <Chain as Dynamics<f64>>::PROPERTIES.room];
        let (mut a, mut lambda) = (HeapArray::repeat(f64::NAN), HeapArray::repeat(f64::NAN));
        let counted = allocation_counter::measure(|| {
            chain
                .write_acceleration_and_multipliers(0.0, &q, &v, &mut room, &mut a, &mut lambda)
                .unwrap();
        });
        assert_eq!(counted.count_total, 0);
        for i in 0..N {
            let carried = (N - i) as f64 * 9.81;
            assert_relative_eq!(lambda[i], -carried / 2.0, max_relative = 1e-10);
            assert!(a[2 * i] == 0.0 && a[2 * i + 1].abs() < 1e-9 * carried.max(1e3));
        }
        let both = chain.acceleration_and_multipliers(0.0, &q, &v).unwrap();
        assert!(both.0[..] == a[..] && both.1[..] == lambda[..]);
    });
}

#[test]
fn memory_is_no_more_than_twelve_states() {
    let state = (4 * N * size_of::<f64>()) as u64;
    let counted = allocation_counter::measure(|| {
        let Scene { mut run } = Scene::level(Rk4::new(1e-3), Stabilization::default());
        run.run_until(0.01).unwrap();
    });
    let states = counted.bytes_max as f64 / state as f64;
    assert!(states <= 12.0, "{states} states");
}

mod filling_in {
    use super::*;

    system! {
        /// A net that hangs by its corners, which is eliminated in blocks of four rows.
        pub struct Net { pub m: Real = 1, pub g: Real = 9.81 }

        const N = 18;
        for i in 0..N { for j in 0..N { particle knot[i][j]: Point2 { mass: m } } }
        for i in 0..N { for j in 0..N - 1 { constraint across[i][j]: norm_squared(knot[i][j + 1] - knot[i][j]) == 1; } }
        for i in 0..N - 1 { for j in 0..N { constraint down[i][j]: norm_squared(knot[i + 1][j] - knot[i][j]) == 1; } }
        gravity [0, -g];
    }

    /// The net falls as one body: y = −g t²/2, whatever the rods, whose matrix is larger than this stack.
    #[test]
    fn a_net_needs_as_little() {
        assert_eq!(Net::<f64>::CONSTRAINTS.len(), 2 * 18 * 17);
        in_thread_of(128 << 10, || {
            let knot = HeapArray::from_fn(|i| {
                core::array::from_fn(|j| Point2::new(j as f64, -(i as f64)))
            });
            let start = State::new(0.0, NetCoordinates { knot }, NetVelocities::default());
            let run = Simulation::new(Net::default(), start, Rk4::new(1e-2));
            let mut run = run.unwrap().with_stabilization(Stabilization::None);
            run.run_until(0.1).unwrap();
            let counted = allocation_counter::measure(|| _ = run.run_until(0.2).unwrap());
            assert_eq!(counted.count_total, 0);
            for (i, row) in run.coordinates().knot.iter().enumerate() {
                for knot in row {
                    assert_relative_eq!(knot.y, -(i as f64) - 4.905 * 0.04, epsilon = 1e-12);
                }
            }
            assert!(run.multipliers().is_ok() && run.drift() < 1e-12);
        });
    }
}

mod given {
    use super::*;

    system! {
        /// Beads of masses of their own on springs to a line, pushed, two of them on rods.
        pub struct Springs { pub m: [Real; 600], pub k: Real = 4 }
        input push[600]: Vector2;
        particle bead[i in 0..600]: Point2 { mass: m[i] }
        for i in 0..600 { potential k/2*bead[i].y^2; }
        for i in 0..600 { force bead[i]: push[i]; }
        constraint first: norm(bead[0]) == 1;
        constraint last: bead[599].y == bead[0].y;
    }

    fn springs() -> Springs {
        let m = HeapArray::from_fn(|i| 1.0 + i as f64);
        Springs { m, k: 4.0 }
    }

    fn level() -> State<HeapArray<f64, 1200>> {
        let bead = HeapArray::from_fn(|i| Point2::new((i + 1) as f64, 0.0));
        State::new(
            0.0,
            SpringsCoordinates { bead },
            SpringsVelocities::default(),
        )
    }

    /// m ẍ = p and m ÿ = p − k y, each bead for itself: after the time t, x = p t²/2m and y = p/k (1 − cos √(k/m) t).
    #[test]
    fn parameters_and_inputs_stand_on_the_heap_too() {
        in_thread_of(2 << 20, || {
            let push = HeapArray::from_fn(|i| Vector2::new(0.5 * i as f64, i as f64));
            let held = springs().with_inputs(SpringsInputs { push });
            let mut run: Simulation<SpringsWithInputs, Rk4> =
                Simulation::new(held, level(), Rk4::new(1e-3)).unwrap();
            run.run_until(0.1).unwrap();
            let counted = allocation_counter::measure(|| _ = run.run_until(0.2).unwrap());
            assert_eq!(counted.count_total, 0);
            let (t, bead) = (0.2, run.coordinates().bead);
            for i in 1..599 {
                let (m, x0, p) = (1.0 + i as f64, (i + 1) as f64, i as f64);
                let y = p / 4.0 * (1.0 - ((4.0 / m).sqrt() * t).cos());
                assert_relative_eq!(bead[i].x, x0 + 0.25 * p * t * t / m, max_relative = 1e-12);
                assert_relative_eq!(bead[i].y, y, max_relative = 1e-9);
            }
            assert!(run.drift() < 1e-12);
        });
    }

    #[test]
    fn a_law_gives_large_inputs() {
        in_thread_of(2 << 20, || {
            let law = |_t: f64, q: &SpringsCoordinates, _v: &SpringsVelocities| SpringsInputs {
                push: HeapArray::from_fn(|i| Vector2::new(0.0, 4.0 * q.bead[i].y)),
            };
            let run = Simulation::new(springs().controlled_by(law), level(), Rk4::new(1e-2));
            let mut run = run.unwrap();
            run.run_until(0.1).unwrap();
            // The law takes back what the springs do: nothing moves.
            assert_eq!(run.state().q, level().q);
        });
    }
}
