//! One expansion, many scalars: every lane of a SIMD number and the real part of a dual number is what `f64` gives.

use crate::harness::{self, Engine, Random, State as Sampled};
use constraint_runtime::prelude::*;
use constraint_symbolic::constraint::Quantity;
use num_dual::Dual64;
use simba::simd::{SimdValue, WideF32x8, WideF64x4};

/// The constraint and the text it was made of.
macro_rules! constraint_and_source {
    ($source:ident, $($tokens:tt)*) => {
        constraint! { $($tokens)* }
        const $source: &str = stringify!($($tokens)*);
    };
}

constraint_and_source! { ROD,
    /// Square roots and quotients only: every scalar rounds them correctly.
    #[derive(Clone, Copy)]
    struct Rod { length: Real }
    |a: Point2, b: Point2| norm(b - a) == length
}

constraint_and_source! { HOOP,
    /// Two rows, time, sine and cosine of one angle.
    struct SpinningHoop { r: Real, omega: Real }
    |p: Point3, t: Time| [norm_squared(p) - r^2, p.x*sin(omega*t) - p.y*cos(omega*t)]
}

constraint_and_source! { SMOOTH,
    /// Every function that is smooth near the samples, on both sides of a vector parameter.
    struct Smooth { g: Vector2, k: Real }
    |x, y, z, t: Time| [
        sin(x*y) + cos(y - t)*tan(z/3) + asin(x/4) - acos(y/4) + atan(k*z) + atan2(x + 3, y) + g.x*y,
        sinh(x) + cosh(y)/3 + tanh(z*x) + asinh(k*y) + acosh(x^2 + 2) - atanh(z/4) + g.y*x^3*y^-2 + 5*y,
        exp(x/2) + exp_m1(y) + ln(x + 4) + ln_1p(y^2) + log2(z + 5) + log10(x*x + k^2) + 7*z
            + erf(x/4) + erfc(y/2) + sqrt(x + 3) + cbrt(y + 5) + hypot(x, z) + (y + 3)^(k*z) + (x + 4)^(5/3) + recip(z + 4),
    ]
}

constraint_and_source! { CHOICES,
    /// Every choice: the lanes go different ways.
    struct Choices { k: Real }
    |x, y, z| [
        if x > 0 && !(y > k) || z == 2 { x*y } else if x <= -1 { x^2*y } else { x - y^3 } + 3*x,
        min(x, y*z, k)*z + max(x*x, z) + abs(y)*x + signum(z)*y + 2*y,
        { let r = sqrt(x); if x >= 0 { r*r*r + z } else { z*y } } + 4*z,
    ]
}

constraint_and_source! { CHAIN,
    /// Five rows: sparse elimination.
    struct Chain { l: Real }
    |a: Point2, b: Point2, c: Point2, d: Point2, e: Point2| [
        norm(a) == l, norm(b - a) == l, norm(c - b) == l, norm(d - c) == l, norm(e - d) == l,
    ]
}

// Parameters that single precision holds exactly too.

fn rod<T: Real>() -> Rod<T> {
    Rod {
        length: T::lit(1.5),
    }
}

fn hoop<T: Real>() -> SpinningHoop<T> {
    SpinningHoop {
        r: T::lit(0.75),
        omega: T::lit(2.0),
    }
}

fn smooth<T: Real>() -> Smooth<T> {
    Smooth {
        g: [0.25, -0.75].map(T::lit).into(),
        k: T::lit(0.875),
    }
}

fn choices<T: Real>() -> Choices<T> {
    Choices { k: T::lit(0.375) }
}

fn chain<T: Real>() -> Chain<T> {
    Chain { l: T::lit(1.125) }
}

// ---- one state of any scalar ----------------------------------------------------------------------

#[derive(Clone, Copy)]
struct Inputs<T, const N: usize> {
    t: T,
    q: SVector<T, N>,
    v: SVector<T, N>,
    w: SVector<T, N>,
    f: SVector<T, N>,
    m: T,
}

impl<const N: usize> Inputs<f64, N> {
    fn random(seed: u64) -> Inputs<f64, N> {
        let mut random = Random::new(seed);
        let mut vector = |low, high| SVector::from_fn(|_, _| random.away_from_zero(low, high));
        let (q, v, w, f) = (
            vector(0.3, 2.0),
            vector(0.2, 2.0),
            vector(0.3, 2.0),
            vector(0.1, 5.0),
        );
        Inputs {
            t: 0.7 + q[0] / 4.0,
            q,
            v,
            w: w.abs(),
            f,
            m: 0.4 + w[0].abs(),
        }
    }

    fn convert<T: Real>(&self, convert: impl Fn(f64) -> T) -> Inputs<T, N> {
        let vector = |x: &SVector<f64, N>| x.map(&convert);
        let Inputs { t, q, v, w, f, m } = self;
        Inputs {
            t: convert(*t),
            q: vector(q),
            v: vector(v),
            w: vector(w),
            f: vector(f),
            m: convert(*m),
        }
    }
}

/// Several states in the lanes of one.
fn gather<T: Real + From<[f64; L]>, const N: usize, const L: usize>(
    states: &[Inputs<f64, N>; L],
) -> Inputs<T, N> {
    let lanes = |pick: &dyn Fn(&Inputs<f64, N>) -> f64| T::from(states.each_ref().map(pick));
    Inputs {
        t: lanes(&|s| s.t),
        q: SVector::from_fn(|i, _| lanes(&|s| s.q[i])),
        v: SVector::from_fn(|i, _| lanes(&|s| s.v[i])),
        w: SVector::from_fn(|i, _| lanes(&|s| s.w[i])),
        f: SVector::from_fn(|i, _| lanes(&|s| s.f[i])),
        m: lanes(&|s| s.m),
    }
}

/// C, J, Ċ, J̇, β, λ, f̂ and the particle's f̂, row by row; an error where a row is singular.
fn outputs<T: Real, const N: usize, const M: usize>(
    constraint: &impl Constraint<T, N, M>,
    s: &Inputs<T, N>,
) -> Result<Vec<T>, Singular> {
    let mut all: Vec<T> = constraint.value(s.t, &s.q).as_slice().to_vec();
    all.extend_from_slice(constraint.jacobian(s.t, &s.q).transpose().as_slice());
    all.extend_from_slice(constraint.rate(s.t, &s.q, &s.v).as_slice());
    all.extend_from_slice(
        constraint
            .jacobian_dot(s.t, &s.q, &s.v)
            .transpose()
            .as_slice(),
    );
    all.extend_from_slice(constraint.bias(s.t, &s.q, &s.v).as_slice());
    all.extend_from_slice(
        constraint
            .multipliers(s.t, &s.q, &s.v, &s.w, &s.f)?
            .as_slice(),
    );
    all.extend_from_slice(constraint.force(s.t, &s.q, &s.v, &s.w, &s.f)?.as_slice());
    all.extend_from_slice(
        constraint
            .particle_force(s.t, &s.q, &s.v, s.m, &s.f)?
            .as_slice(),
    );
    Ok(all)
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().fold(1.0f64, |most, x| most.max(x.abs()));
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let near = (found - expected).abs() <= tolerance * size;
        assert!(near, "number {i}: {found:e} instead of {expected:e}");
    }
}

// ---- f64 against the engine's own program -------------------------------------------------------

/// The emitted Rust computes what the engine's interpreted programs compute.
fn assert_emitted<const N: usize, const M: usize>(
    constraint: &impl Constraint<f64, N, M>,
    source: &str,
    coordinates: &[(&str, usize)],
    parameters: &[f64],
) {
    let coordinates: Vec<_> = coordinates
        .iter()
        .map(|(name, len)| ((*name).to_owned(), *len))
        .collect();
    let engine = Engine::new(source, &coordinates).unwrap_or_else(|errors| panic!("{errors}"));
    for seed in 0..40 {
        let s = Inputs::<f64, N>::random(seed);
        let vector = |x: &SVector<f64, N>| x.as_slice().to_vec();
        let state = Sampled {
            q: vector(&s.q),
            v: vector(&s.v),
            t: s.t,
            parameters: parameters.to_vec(),
            inverse_masses: vector(&s.w),
            forces: vector(&s.f),
            mass: s.m,
            right_hand_side: vector(&s.f),
        };
        let expected: Vec<f64> = harness::QUANTITIES[..8]
            .iter()
            .flat_map(|q| engine.quantity(*q, &state))
            .collect();
        assert_near(&outputs(constraint, &s).unwrap(), &expected, 1e-15);
        let b = SVector::from_column_slice(&s.f.as_slice()[..M]);
        let solution = constraint.solve(s.t, &s.q, &s.w, &b).unwrap();
        assert_near(
            solution.as_slice(),
            &engine.quantity(Quantity::Solution, &state),
            1e-15,
        );
    }
}

#[test]
fn emitted_code_computes_what_the_engine_computes() {
    let scalars: [(&str, usize); 3] = [("x", 1), ("y", 1), ("z", 1)];
    assert_emitted(&rod(), ROD, &[("a", 2), ("b", 2)], &[1.5]);
    assert_emitted(&hoop(), HOOP, &[("p", 3)], &[0.75, 2.0]);
    assert_emitted(&smooth(), SMOOTH, &scalars, &[0.25, -0.75, 0.875]);
    assert_emitted(&choices(), CHOICES, &scalars, &[0.375]);
    let points = [("a", 2), ("b", 2), ("c", 2), ("d", 2), ("e", 2)];
    assert_emitted(&chain(), CHAIN, &points, &[1.125]);
}

// ---- lanes ----------------------------------------------------------------------------------------

/// Runs four or eight states in one go; `make` builds the constraint of a scalar from a conversion.
fn assert_lanes<T, A, B, const N: usize, const M: usize, const L: usize>(
    make_wide: A,
    make: B,
    tolerance: f64,
) where
    T: Real + SimdValue + From<[f64; L]>,
    A: Constraint<T, N, M>,
    B: Constraint<f64, N, M>,
    T::Element: Into<f64>,
{
    for seed in 0..10 {
        let states: [Inputs<f64, N>; L] =
            std::array::from_fn(|lane| Inputs::random(seed * L as u64 + lane as u64));
        let together = outputs(&make_wide, &gather::<T, N, L>(&states)).unwrap();
        for (lane, state) in states.iter().enumerate() {
            let found: Vec<f64> = together
                .iter()
                .map(|number| number.extract(lane).into())
                .collect();
            assert_near(&found, &outputs(&make, state).unwrap(), tolerance);
        }
    }
}

/// `WideF32x8` from eight `f64`: rounded like any other `f32`.
fn singles<const N: usize>(states: &[Inputs<f64, N>; 8]) -> Inputs<WideF32x8, N> {
    let lanes = |pick: &dyn Fn(&Inputs<f64, N>) -> f64| {
        WideF32x8::from(states.each_ref().map(|s| pick(s) as f32))
    };
    Inputs {
        t: lanes(&|s| s.t),
        q: SVector::from_fn(|i, _| lanes(&|s| s.q[i])),
        v: SVector::from_fn(|i, _| lanes(&|s| s.v[i])),
        w: SVector::from_fn(|i, _| lanes(&|s| s.w[i])),
        f: SVector::from_fn(|i, _| lanes(&|s| s.f[i])),
        m: lanes(&|s| s.m),
    }
}

fn assert_single_lanes<const N: usize, const M: usize>(
    wide: impl Constraint<WideF32x8, N, M>,
    single: impl Constraint<f32, N, M>,
    tolerance: f64,
) {
    // States that are regular in single precision.
    let alone = |state: &Inputs<f64, N>| outputs(&single, &state.convert(|x| x as f32));
    let mut regular = (0..)
        .map(Inputs::random)
        .filter(|state| alone(state).is_ok());
    for _ in 0..10 {
        let states: [Inputs<f64, N>; 8] = std::array::from_fn(|_| regular.next().unwrap());
        let together = outputs(&wide, &singles(&states)).unwrap();
        for (lane, state) in states.iter().enumerate() {
            let found: Vec<f64> = together
                .iter()
                .map(|number| number.extract(lane).into())
                .collect();
            let expected: Vec<f64> = alone(state)
                .unwrap()
                .iter()
                .map(|&number| number.into())
                .collect();
            assert_near(&found, &expected, tolerance);
        }
    }
}

#[test]
fn four_doubles_in_lanes_give_what_each_gives_alone() {
    assert_lanes::<WideF64x4, _, _, 4, 1, 4>(rod(), rod(), 1e-15);
    assert_lanes::<WideF64x4, _, _, 3, 2, 4>(hoop(), hoop(), 1e-12);
    assert_lanes::<WideF64x4, _, _, 3, 3, 4>(smooth(), smooth(), 1e-11);
    assert_lanes::<WideF64x4, _, _, 3, 3, 4>(choices(), choices(), 1e-12);
    assert_lanes::<WideF64x4, _, _, 10, 5, 4>(chain(), chain(), 1e-13);
}

#[test]
fn eight_singles_in_lanes_give_what_each_gives_alone() {
    assert_single_lanes::<4, 1>(rod(), rod(), 1e-6);
    assert_single_lanes::<3, 2>(hoop(), hoop(), 1e-4);
    assert_single_lanes::<3, 3>(smooth(), smooth(), 1e-3);
    assert_single_lanes::<3, 3>(choices(), choices(), 1e-3);
    assert_single_lanes::<10, 5>(chain(), chain(), 1e-4);
}

/// Parameters too may differ from lane to lane.
#[test]
fn every_lane_has_its_own_parameters() {
    let lengths = [0.5, 1.0, 2.0, 4.0];
    let state = Inputs::<f64, 4>::random(1);
    let together = Rod {
        length: WideF64x4::from(lengths),
    };
    let inputs = gather::<WideF64x4, 4, 4>(&[state; 4]);
    for (lane, length) in lengths.into_iter().enumerate() {
        let alone = Rod { length }.value(state.t, &state.q)[0];
        assert_eq!(together.value(inputs.t, &inputs.q)[0].extract(lane), alone);
    }
}

#[test]
fn one_singular_lane_is_an_error_of_its_row() {
    let mut states: [Inputs<f64, 4>; 4] = std::array::from_fn(|lane| Inputs::random(lane as u64));
    let rod = Rod {
        length: WideF64x4::from([1.0; 4]),
    };
    assert!(outputs(&rod, &gather::<WideF64x4, 4, 4>(&states)).is_ok());
    states[2].q = [0.25, 0.5, 0.25, 0.5].into();
    let error = outputs(&rod, &gather::<WideF64x4, 4, 4>(&states)).unwrap_err();
    assert_eq!(error.row, 0);

    let mut chains: [Inputs<f64, 10>; 4] = std::array::from_fn(|lane| Inputs::random(lane as u64));
    let chain = Chain {
        l: WideF64x4::from([1.0; 4]),
    };
    assert!(outputs(&chain, &gather::<WideF64x4, 10, 4>(&chains)).is_ok());
    chains[3]
        .q
        .fixed_rows_mut::<2>(6)
        .copy_from_slice(&[0.5, 0.75]);
    chains[3]
        .q
        .fixed_rows_mut::<2>(4)
        .copy_from_slice(&[0.5, 0.75]);
    let error = outputs(&chain, &gather::<WideF64x4, 10, 4>(&chains)).unwrap_err();
    assert_eq!(error.row, 3);
}

// ---- single precision and dual numbers ------------------------------------------------------------

fn assert_single<const N: usize, const M: usize>(
    single: impl Constraint<f32, N, M>,
    double: impl Constraint<f64, N, M>,
    tolerance: f64,
) {
    for seed in 0..20 {
        let state = Inputs::<f64, N>::random(seed);
        // The same rounded inputs for both.
        let rounded = state.convert(|x| x as f32);
        let state = state.convert(|x| f64::from(x as f32));
        let found: Vec<f64> = outputs(&single, &rounded)
            .unwrap()
            .iter()
            .map(|&x| x.into())
            .collect();
        assert_near(&found, &outputs(&double, &state).unwrap(), tolerance);
    }
}

#[test]
fn single_precision_gives_the_same_to_its_own_accuracy() {
    assert_single::<4, 1>(rod(), rod(), 1e-5);
    assert_single::<3, 2>(hoop(), hoop(), 1e-3);
    assert_single::<3, 3>(smooth(), smooth(), 1e-2);
    assert_single::<3, 3>(choices(), choices(), 1e-3);
    assert_single::<10, 5>(chain(), chain(), 1e-3);
}

/// Real parts are the plain results; the dual part of C along v is J v, that of J is J̇, that of Ċ is β
/// (time moving along with both).
fn assert_dual<const N: usize, const M: usize>(
    dual: impl Constraint<Dual64, N, M>,
    real: impl Constraint<f64, N, M>,
) {
    for seed in 0..20 {
        let state = Inputs::<f64, N>::random(seed);
        let mut along = state.convert(Dual64::from);
        along.t.eps = 1.0;
        along
            .q
            .iter_mut()
            .zip(&state.v)
            .for_each(|(q, v)| q.eps = *v);
        let parts: Vec<f64> = outputs(&dual, &along)
            .unwrap()
            .iter()
            .map(|x| x.re)
            .collect();
        assert_near(&parts, &outputs(&real, &state).unwrap(), 1e-12);
        let (t, q, v) = (along.t, &along.q, &along.v);
        let slopes = |numbers: &[Dual64]| numbers.iter().map(|x| x.eps).collect::<Vec<f64>>();
        let pairs = [
            (
                slopes(dual.value(t, q).as_slice()),
                real.rate(state.t, &state.q, &state.v).as_slice().to_vec(),
            ),
            (
                slopes(dual.jacobian(t, q).as_slice()),
                real.jacobian_dot(state.t, &state.q, &state.v)
                    .as_slice()
                    .to_vec(),
            ),
            (
                slopes(dual.rate(t, q, v).as_slice()),
                real.bias(state.t, &state.q, &state.v).as_slice().to_vec(),
            ),
        ];
        pairs
            .iter()
            .for_each(|(found, expected)| assert_near(found, expected, 1e-12));
    }
}

#[test]
fn dual_numbers_through_the_expansion_confirm_its_own_derivatives() {
    assert_dual::<4, 1>(rod(), rod());
    assert_dual::<3, 2>(hoop(), hoop());
    assert_dual::<3, 3>(smooth(), smooth());
    assert_dual::<3, 3>(choices(), choices());
    assert_dual::<10, 5>(chain(), chain());
}
