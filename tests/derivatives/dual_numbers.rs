//! Dual numbers through the generated functions, and what these allocate: nothing.

use constraint_runtime::prelude::*;
use num_dual::Dual64;

use crate::random::Random;

system! {
    /// Links that differ, in a wind that grows.
    #[derivatives]
    struct Chain { m: [Real; 4], l: Real, g: Real, wind: Vector2 }
    for i in 0..4 { particle bead[i]: Point2 { mass: m[i] } }
    constraint anchor: norm(bead[0]) == l;
    for i in 1..4 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 0..4 { force bead[i]: wind*t - velocity(bead[i])/5; }
    gravity [0, -g];
    output pull[i in 1..4] = multiplier(link[i]);
    output felt = acceleration(bead[3]) + [0, g];
    output power = dot(wind*t, velocity(bead[2]));
}

const VELOCITIES: usize = 8;
const ROWS: usize = 4;
const PARAMETERS: usize = 8;
type Along = Tangent<f64, VELOCITIES, 0, PARAMETERS>;

fn chain<T: Real>(p: &[T]) -> Chain<T> {
    Chain {
        m: [p[0], p[1], p[2], p[3]],
        l: p[4],
        g: p[5],
        wind: Vector2::new(p[6], p[7]),
    }
}

/// A direction, or a state.
fn random(random: &mut Random) -> Along {
    let mut number = || random.between(-1.0, 1.0);
    Along {
        t: number(),
        q: SVector::from_fn(|_, _| number()),
        v: SVector::from_fn(|_, _| number()),
        u: SVector::zeros(),
        p: SVector::from_fn(|_, _| number()),
    }
}

struct Case {
    at: Along,
    along: Along,
    back: (SVector<f64, VELOCITIES>, SVector<f64, ROWS>),
}

impl Case {
    /// Links hang about straight down, so that pivots are far from zero.
    fn new(seed: u64) -> Case {
        let mut numbers = Random::new(seed);
        let mut at = random(&mut numbers);
        for i in 0..4 {
            at.q[2 * i] *= 0.5;
            at.q[2 * i + 1] = 0.2 * at.q[2 * i + 1] - (i + 1) as f64;
        }
        at.p = at.p.map(|p| p + 1.5);
        let along = random(&mut numbers);
        let back = random(&mut numbers);
        Case {
            at,
            along,
            back: (back.v, back.q.fixed_rows::<ROWS>(0).into_owned()),
        }
    }

    /// The system on dual numbers, and its state.
    fn moved(
        &self,
        along: &Along,
    ) -> (
        Chain<Dual64>,
        Dual64,
        SVector<Dual64, VELOCITIES>,
        SVector<Dual64, VELOCITIES>,
    ) {
        let both = |x: f64, dx: f64| Dual64::new(x, dx);
        let p = self.at.p.zip_map(&along.p, both);
        (
            chain(p.as_slice()),
            both(self.at.t, along.t),
            self.at.q.zip_map(&along.q, both),
            self.at.v.zip_map(&along.v, both),
        )
    }

    /// v̇ and λ on dual numbers.
    fn dual(&self, along: &Along) -> (SVector<f64, VELOCITIES>, SVector<f64, ROWS>) {
        let (chain, t, q, v) = self.moved(along);
        let found = chain.acceleration_and_multipliers(t, &q, &v);
        let (v_dot, lambda) = found.expect("pivots are positive");
        (v_dot.map(|x| x.eps), lambda.map(|x| x.eps))
    }
}

fn dot(a: &Along, b: &Along) -> f64 {
    a.t * b.t + a.q.dot(&b.q) + a.v.dot(&b.v) + a.p.dot(&b.p)
}

#[test]
fn along_a_tangent_and_back() -> Result<(), Error> {
    for seed in 0..50 {
        let case = Case::new(seed);
        let (chain, at) = (chain(case.at.p.as_slice()), &case.at);
        let (dv_dot, dlambda) = chain.jvp(at.t, &at.q, &at.v, &case.along)?;
        let (expected_v_dot, expected_lambda) = case.dual(&case.along);
        let size = expected_v_dot.amax() + expected_lambda.amax();
        assert!((dv_dot - expected_v_dot).amax() <= 1e-12 * size, "{seed}");
        assert!((dlambda - expected_lambda).amax() <= 1e-12 * size, "{seed}");
        let gradient = chain.vjp(at.t, &at.q, &at.v, &case.back.0, &case.back.1)?;
        let forwards = case.back.0.dot(&dv_dot) + case.back.1.dot(&dlambda);
        let backwards = dot(&gradient, &case.along);
        assert!((forwards - backwards).abs() <= 1e-12 * size, "{seed}");
    }
    Ok(())
}

#[test]
fn all_at_once() -> Result<(), Error> {
    let case = Case::new(3);
    let (chain, at) = (chain(case.at.p.as_slice()), &case.at);
    let Linearization { a, b: _, p } = chain.linearize(at.t, &at.q, &at.v)?;
    let along = Along {
        t: 0.0,
        ..case.along
    };
    let mut state = SVector::<f64, { 2 * VELOCITIES }>::zeros();
    state.fixed_rows_mut::<VELOCITIES>(0).copy_from(&along.q);
    state
        .fixed_rows_mut::<VELOCITIES>(VELOCITIES)
        .copy_from(&along.v);
    let found = a * state + p * along.p;
    let (expected, _) = case.dual(&along);
    assert!((found - expected).amax() <= 1e-12 * expected.amax());
    Ok(())
}

system! {
    /// Too many entries to be written out: 24 velocities, 48 + 124 columns.
    #[derivatives]
    #[solver(unrolled)]
    struct Many { m: [Real; 12], k: [Real; 112] }
    for i in 0..12 { particle bead[i]: Point2 { mass: m[i] } }
    for i in 0..12 { constraint arm[i]: bead[i].x + bead[i].y^2 == k[i]; }
    for i in 0..12 { potential k[9*i + 1]*bead[i].y^3 + k[9*i]*bead[(i + 1) % 12].x^2; }
}

#[test]
fn large_matrices_are_made_column_by_column() -> Result<(), Error> {
    let system = Many {
        m: std::array::from_fn(|i| 1.0 + 0.1 * i as f64),
        k: std::array::from_fn(|i| (i as f64).cos()),
    };
    let wavy = |from: f64| SVector::<f64, 24>::from_fn(|i, _| (from + i as f64).sin());
    let along = Tangent {
        q: wavy(0.1),
        v: wavy(0.2),
        p: SVector::<f64, 124>::from_fn(|i, _| (i as f64).sin()),
        ..Tangent::default()
    };
    let (q, v) = (wavy(0.7), wavy(0.9));
    let Linearization { a, b: _, p } = system.linearize(0.0, &q, &v)?;
    let sum = a.columns(0, 24) * along.q + a.columns(24, 24) * along.v + p * along.p;
    let (found, found_multipliers) = system.jvp(0.0, &q, &v, &along)?;
    assert!((sum - found).amax() <= 1e-12 * found.amax());
    let (_, Linearization { a, b: _, p }) = system.linearize_with_multipliers(0.0, &q, &v)?;
    let sum = a.columns(0, 24) * along.q + a.columns(24, 24) * along.v + p * along.p;
    assert!((sum - found_multipliers).amax() <= 1e-12 * found_multipliers.amax());
    Ok(())
}

#[test]
fn outputs_along_a_tangent_and_back() -> Result<(), Error> {
    for seed in 0..50 {
        let case = Case::new(seed);
        let (chain, at) = (chain(case.at.p.as_slice()), &case.at);
        let (moved, t, q, v) = case.moved(&case.along);
        let expected: SVector<Dual64, 6> = moved.outputs(t, &q, &v)?.into();
        let expected = expected.map(|it| it.eps);
        let along = chain.outputs_jvp(at.t, &at.q, &at.v, &case.along)?;
        assert_eq!(along.pull.iter().count(), 3);
        let along: SVector<f64, 6> = along.into();
        let size = expected.amax();
        assert!((along - expected).amax() <= 1e-12 * size, "{seed}");

        // Names lead to places and back.
        let mut bar = ChainOutputs::default();
        (bar.pull[1], bar.pull[3], bar.felt.y, bar.power) = (2.0, 0.5, -1.0, 3.0);
        let flat = SVector::from([2.0, 0.0, 0.5, 0.0, -1.0, 3.0]);
        assert_eq!(SVector::from(bar), flat);
        let gradient = chain.outputs_vjp(at.t, &at.q, &at.v, &bar)?;
        let (forwards, backwards) = (flat.dot(&along), dot(&gradient, &case.along));
        assert!((forwards - backwards).abs() <= 1e-12 * size, "{seed}");

        let still = Along {
            t: 0.0,
            ..case.along
        };
        let along: SVector<f64, 6> = chain.outputs_jvp(at.t, &at.q, &at.v, &still)?.into();
        let (motion, Linearization { a, b: _, p }) =
            chain.linearize_with_outputs(at.t, &at.q, &at.v)?;
        let sum = a.columns(0, 8) * still.q + a.columns(8, 8) * still.v + p * still.p;
        assert!((sum - along).amax() <= 1e-12 * size, "{seed}");
        let alone = chain.linearize(at.t, &at.q, &at.v)?;
        assert!((motion.a - alone.a).amax() <= 1e-12 * alone.a.amax());
    }
    Ok(())
}

#[test]
fn multipliers_beside_the_motion() -> Result<(), Error> {
    for seed in 0..20 {
        let case = Case::new(seed);
        let (chain, at) = (chain(case.at.p.as_slice()), &case.at);
        let along = Along {
            t: 0.0,
            ..case.along
        };
        let (motion, multipliers) = chain.linearize_with_multipliers(at.t, &at.q, &at.v)?;
        let expected = chain.jvp(at.t, &at.q, &at.v, &along)?;
        let Linearization { a, b: _, p } = motion;
        let sum = a.columns(0, 8) * along.q + a.columns(8, 8) * along.v + p * along.p;
        assert!((sum - expected.0).amax() <= 1e-12 * expected.0.amax());
        let Linearization { a, b: _, p } = multipliers;
        let sum = a.columns(0, 8) * along.q + a.columns(8, 8) * along.v + p * along.p;
        assert!((sum - expected.1).amax() <= 1e-12 * expected.1.amax());
    }
    Ok(())
}

#[test]
fn nothing_is_allocated() {
    let case = Case::new(5);
    let (chain, at) = (chain(case.at.p.as_slice()), &case.at);
    let allocated = allocation_counter::measure(|| {
        let all = chain.linearize(at.t, &at.q, &at.v);
        let both = chain.linearize_with_multipliers(at.t, &at.q, &at.v);
        let told = chain.linearize_with_outputs(at.t, &at.q, &at.v);
        let back_from = chain.outputs_vjp(at.t, &at.q, &at.v, &ChainOutputs::default());
        assert!(both.is_ok() && told.is_ok() && back_from.is_ok());
        let along = chain.jvp(at.t, &at.q, &at.v, &case.along);
        let back = chain.vjp(at.t, &at.q, &at.v, &case.back.0, &case.back.1);
        assert!(all.is_ok() && along.is_ok() && back.is_ok());
    });
    assert_eq!(allocated.count_total, 0);
}
