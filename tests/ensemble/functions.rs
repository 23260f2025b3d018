//! How far the functions of lanes are from the standard library's.

use constraint_runtime::ensemble::{F32x8, F64x4};
use constraint_runtime::nalgebra::{SimdComplexField, SimdRealField, SimdValue};

/// The largest distance of a function in lanes from the same alone, over arguments between −`most` and `most`.
fn apart(most: f64, lanes: impl Fn(F64x4) -> F64x4, alone: impl Fn(f64) -> f64) -> f64 {
    let argument = |k: usize| most * (2.0 * (k as f64 * 0.618_033_988_749_895).fract() - 1.0);
    let difference = |k| {
        let x = argument(k);
        (lanes(F64x4::splat(x)).extract(2) - alone(x)).abs()
    };
    (0..100_000).map(difference).fold(0.0, f64::max)
}

#[test]
fn sines_and_cosines_of_lanes_are_right_to_rounding() {
    // Two units in the last place of numbers near one.
    for most in [1.0, 10.0, 1e4] {
        assert!(apart(most, SimdComplexField::simd_sin, f64::sin) <= 4.0 * f64::EPSILON);
        assert!(apart(most, SimdComplexField::simd_cos, f64::cos) <= 4.0 * f64::EPSILON);
    }
    for k in 0..100_000 {
        let x = 100.0 * (2.0 * (k as f32 * 0.618_034).fract() - 1.0);
        let sine = F32x8::splat(x).simd_sin().extract(5);
        assert!((sine - x.sin()).abs() <= 4.0 * f32::EPSILON);
    }
}

#[test]
fn all_other_functions_of_lanes_are_those_of_each() {
    let positive = |x: f64| x.abs() + 1e-3;
    let positive_lanes = |x: F64x4| x.simd_abs() + F64x4::splat(1e-3);
    let inside = |x: f64| x / 11.0;
    let inside_lanes = |x: F64x4| x / F64x4::splat(11.0);
    let all = [
        apart(10.0, |x| x.simd_exp(), f64::exp),
        apart(10.0, |x| positive_lanes(x).simd_ln(), |x| positive(x).ln()),
        apart(
            10.0,
            |x| positive_lanes(x).simd_sqrt(),
            |x| positive(x).sqrt(),
        ),
        apart(10.0, |x| x.simd_tan(), f64::tan),
        apart(10.0, |x| inside_lanes(x).simd_asin(), |x| inside(x).asin()),
        apart(10.0, |x| inside_lanes(x).simd_acos(), |x| inside(x).acos()),
        apart(10.0, |x| x.simd_atan(), f64::atan),
        apart(10.0, |x| x.simd_atan2(F64x4::splat(0.3)), |x| x.atan2(0.3)),
        apart(10.0, |x| x.simd_sinh(), f64::sinh),
        apart(10.0, |x| x.simd_cosh(), f64::cosh),
        apart(10.0, |x| x.simd_tanh(), f64::tanh),
        apart(10.0, |x| x.simd_powi(3), |x| x.powi(3)),
        apart(
            10.0,
            |x| positive_lanes(x).simd_powf(F64x4::splat(0.3)),
            |x| positive(x).powf(0.3),
        ),
    ];
    assert_eq!(all, [0.0; 13]);
}
