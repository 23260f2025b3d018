//! Whole runs: dual numbers through the same run, along a direction in all that it depends on.

use constraint_runtime::make_consistent;
use constraint_runtime::nalgebra::DVector;
use constraint_runtime::prelude::*;
use num_dual::Dual64;

use super::models::{cart, chain, closed, rolled, skate};
use super::random::Random;

/// The chain hangs about like this.
const HANGING: [f64; 6] = [0.4, -1.2, 0.9, -2.3, 0.2, -3.2];

const TIMES: [f64; 4] = [0.3, 0.3, 0.55, 0.7];

fn lit<T: Real>(x: f64) -> T {
    T::lit(x)
}

fn random<const N: usize>(random: &mut Random) -> SVector<f64, N> {
    SVector::from_fn(|_, _| random.between(-1.0, 1.0))
}

fn both<const N: usize>(x: SVector<f64, N>, dx: SVector<f64, N>) -> SVector<Dual64, N> {
    x.zip_map(&dx, Dual64::new)
}

/// Some of everything, another at each time; λ-free.
fn loss<T: Real, const N: usize>(k: usize, q: &SVector<T, N>, v: &SVector<T, N>) -> T {
    let weight = |i: usize| lit::<T>((1.0 + i as f64 + 3.0 * k as f64).sin());
    (0..N).fold(T::zero(), |sum, i| {
        sum + weight(i) * (q[i] + q[i] * v[N - 1 - i] * lit(0.5))
    })
}

fn slopes<const N: usize, const U: usize, const P: usize>(
    k: usize,
    q: &SVector<f64, N>,
    v: &SVector<f64, N>,
    slopes: &mut Tangent<f64, N, U, P>,
) {
    let weight = |i: usize| (1.0 + i as f64 + 3.0 * k as f64).sin();
    for i in 0..N {
        slopes.q[i] += weight(i) * (1.0 + 0.5 * v[N - 1 - i]);
        slopes.v[N - 1 - i] += weight(i) * 0.5 * q[i];
    }
}

/// A run and its gradient against the same run of dual numbers.
macro_rules! compare {
    ($build:ident, $n:literal, $u:literal, $p:literal, $place:expr, $seed:expr, $method:expr, $stabilization:expr) => {{
        let numbers = &mut Random::new($seed);
        let place: fn(SVector<f64, $n>) -> SVector<f64, $n> = $place;
        let p = random::<$p>(numbers).map(|p| 0.3 * p + 1.5);
        let u = random::<$u>(numbers);
        let along = Tangent::<f64, $n, $u, $p> {
            t: if $seed % 2 == 0 { 0.0 } else { 0.7 },
            q: random(numbers),
            v: random(numbers),
            u: random(numbers),
            p: random(numbers),
        };
        let (q, v) = (place(random::<$n>(numbers)), random::<$n>(numbers));
        let system = $build::<f64>(p, u);
        let start = make_consistent(&system, State { t: 0.1, q, v })?;
        let mut run = Simulation::new(system, start, $method(lit::<f64>))?
            .with_stabilization($stabilization(lit::<f64>));
        let found = run.gradient(&TIMES, |k, state, by| {
            slopes(k, &state.q, &state.v, by);
            loss(k, &state.q, &state.v)
        })?;
        let along_all = DVector::from_iterator(
            1 + 2 * $n + $u + $p,
            [along.t]
                .iter()
                .chain(&along.q)
                .chain(&along.v)
                .chain(&along.u)
                .chain(&along.p)
                .copied(),
        );
        let by = found.by;
        let by_all = DVector::from_iterator(
            1 + 2 * $n + $u + $p,
            [by.t]
                .iter()
                .chain(&by.q)
                .chain(&by.v)
                .chain(&by.u)
                .chain(&by.p)
                .copied(),
        );
        let system = $build::<Dual64>(both(p, along.p), both(u, along.u));
        let start = State {
            t: Dual64::new(start.t, along.t),
            q: both(start.q, along.q),
            v: both(start.v, along.v),
        };
        let mut run = Simulation::new(system, start, $method(lit::<Dual64>))?
            .with_stabilization($stabilization(lit::<Dual64>));
        let mut expected = Dual64::from(0.0);
        for (k, time) in TIMES.into_iter().enumerate() {
            run.run_until(time.into())?;
            let State { q, v, .. } = run.state();
            expected += loss(k, q, v);
        }
        let forwards = by_all.dot(&along_all);
        let size = expected.eps.abs() + by_all.norm();
        assert!(
            (found.loss - expected.re).abs() <= 1e-12 * (1.0 + expected.re.abs()),
            "{}",
            $seed
        );
        assert!(
            (forwards - expected.eps).abs() <= 1e-10 * size,
            "{} {}: {forwards} {}",
            stringify!($build),
            $seed,
            expected.eps
        );
    }};
}

/// Of all systems, by each of the methods.
macro_rules! runs {
    ($($test:ident: $seeds:expr, $method:expr, $stabilization:expr;)*) => {$(
        #[test]
        fn $test() -> Result<(), Error> {
            for seed in $seeds {
                compare!(cart, 2, 1, 5, |q| q, seed, $method, $stabilization);
                compare!(chain, 6, 0, 7, |q| SVector::from_fn(|i, _| {
                    if i % 2 == 0 { 0.5 * q[i] } else { 0.1 * q[i] - (i / 2 + 1) as f64 }
                }), seed, $method, $stabilization);
                compare!(rolled, 10, 0, 12, |q| SVector::from_fn(|i, _| {
                    if i % 2 == 0 { 0.5 * q[i] } else { 0.1 * q[i] - 1.5 * (i / 2 + 1) as f64 }
                }), seed, $method, $stabilization);
                compare!(closed, 3, 0, 8, |q| q * 0.3 + Vector3::new(1.2, 1.9, 0.7), seed, $method, $stabilization);
                compare!(skate, 3, 0, 3, |q| q, seed, $method, $stabilization);
            }
            Ok(())
        }
    )*};
}

runs! {
    rk4: 0..4, |lit: fn(f64) -> _| Rk4::new(lit(0.04)), |_| Stabilization::default();
    rk4_under_feedback: 0..4, |lit: fn(f64) -> _| Rk4::new(lit(0.04)),
        |lit: fn(f64) -> _| Stabilization::Baumgarte { alpha: lit(3.0), beta: lit(4.0) };
    rk4_that_drifts: 0..4, |lit: fn(f64) -> _| Rk4::new(lit(0.04)), |_| Stabilization::None;
    semi_implicit_euler: 0..4, |lit: fn(f64) -> _| SemiImplicitEuler::new(lit(0.01)), |_| Stabilization::default();
    rattle: 0..4, |lit: fn(f64) -> _| Rattle::new(lit(0.04)), |_| Stabilization::default();
    radau: [0, 2], |lit: fn(f64) -> _| {
        Radau5::new(lit(1.0), lit(1.0))
            .with_first_step(lit(0.05))
            .with_longest_step(lit(0.05))
            .with_newton_tolerance(lit(1e-12))
    }, |_| Stabilization::default();
    // Lengths of steps count as constants: those of dual numbers are, where the longest is always taken, unless half of
    // what is left begins at a time that varies.
    dormand_prince: [0, 2], |lit: fn(f64) -> _| {
        DormandPrince::new(lit(1.0), lit(1.0)).with_first_step(lit(0.05)).with_longest_step(lit(0.05))
    }, |_| Stabilization::default();
}

/// Steps whose lengths are chosen, where the motion is smooth enough that the choice does not matter.
#[test]
fn chosen_steps_against_differences() -> Result<(), Error> {
    let p = SVector::from([1.2, 0.8, 1.5, 1.3, 9.81, 0.3, -0.2]);
    let hanging = State::new(0.1, HANGING, [0.0; 6]);
    let start = make_consistent(&chain(p, SVector::zeros()), hanging)?;
    let run = |p: SVector<f64, 7>| {
        let system = chain(p, SVector::zeros());
        let start = make_consistent(&system, start)?;
        let run = Simulation::new(system, start, DormandPrince::new(1e-12, 1e-12));
        run?.gradient(&TIMES, |k, state, by| {
            slopes(k, &state.q, &state.v, by);
            loss(k, &state.q, &state.v)
        })
    };
    let Gradient { by, .. } = run(p)?;
    for i in 0..7 {
        let moved = |by: f64| {
            let mut p = p;
            p[i] += by;
            run(p).map(|found| found.loss)
        };
        let d = 5e-4;
        let [far, near] = [2.0 * d, d].map(|d| Ok::<f64, Error>(moved(d)? - moved(-d)?));
        let slope = (8.0 * near? - far?) / (12.0 * d);
        assert!(
            (by.p[i] - slope).abs() < 1e-8 * (1.0 + by.p.amax()),
            "{i}: {} {slope}",
            by.p[i]
        );
    }
    Ok(())
}

/// More steps than are kept at a time, and more states than at first.
#[test]
fn a_run_of_thousands_of_steps() -> Result<(), Error> {
    let p = [1.0, 0.2, 0.5, 9.81, 0.3].into();
    let start = State::new(0.0, [0.0, 3.0], [0.0, 0.4]);
    for steps in [31, 64, 1023, 1024, 1025, 2048, 2049, 5000] {
        let end = 0.004 * f64::from(steps);
        let mut run = Simulation::new(cart(p, [0.7].into()), start, Rk4::new(0.004))?;
        let found = run.gradient(&[end], |_, state, by| {
            slopes(0, &state.q, &state.v, by);
            loss(0, &state.q, &state.v)
        })?;
        assert_eq!(run.state().t, end);
        let along = SVector::from([0.3, -0.2, 0.7, 0.1, 0.5]);
        let system = cart(both(p, along), both([0.7].into(), [0.4].into()));
        let start = State {
            t: 0.0.into(),
            q: start.q.map(Dual64::from),
            v: both(start.v, [0.6, -0.1].into()),
        };
        let mut run = Simulation::new(system, start, Rk4::new(0.004.into()))?;
        run.run_until(end.into())?;
        let expected = loss(0, &run.state().q, &run.state().v);
        let by = found.by;
        let forwards = by.p.dot(&along) + by.u[0] * 0.4 + by.v.dot(&Vector2::new(0.6, -0.1));
        let size = by.p.norm() + by.v.norm();
        assert!(
            (forwards - expected.eps).abs() < 1e-10 * size,
            "{steps}: {forwards} {}",
            expected.eps
        );
    }
    Ok(())
}

/// What a run keeps grows in doubling steps: nothing is allocated from one step to the next.
#[test]
fn steps_allocate_nothing() -> Result<(), Error> {
    let allocated = |steps: u32| {
        let system = chain(
            [1.2, 0.8, 1.5, 1.3, 9.81, 0.3, -0.2].into(),
            SVector::zeros(),
        );
        let start = make_consistent(&system, State::new(0.0, HANGING, [0.0; 6]))?;
        let mut run = Simulation::new(system, start, Rk4::new(1e-3))?;
        let mut found = Ok(());
        let counted = allocation_counter::measure(|| {
            let end = f64::from(steps) * 1e-3;
            found = run.gradient(&[end], |_, _, _| 0.0).map(|_| ());
        });
        found.map(|()| counted)
    };
    let [few, many] = [allocated(1500)?, allocated(6000)?];
    assert!(many.count_total < few.count_total + 20, "{few:?} {many:?}");
    // Two numbers a step and states now and then, of places no more.
    assert!(
        many.bytes_max < few.bytes_max + 2 * 16 * 8192,
        "{few:?} {many:?}"
    );
    Ok(())
}
