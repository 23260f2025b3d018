//! The error function and its complement for every scalar, which generated code calls.
//!
//! Rational approximations of W. J. Cody (Rational Chebyshev approximations for the error function, Mathematics of
//! Computation 23, 1969), with y = |x|, s = y², z = 1/y²:
//!
//! ```text
//! y ≤ 15/32        erf x  = x A(s)/B(s)
//! 15/32 < y ≤ 4    erfc y = exp(−y²) C(y)/D(y)
//! 4 < y            erfc y = exp(−y²)/y (1/√π − z P(z)/Q(z))
//! ```
//! exp(−y²) is exp(−w²) exp(−(y − w)(y + w)) with w, y rounded to four binary digits, since w² is exact.
//! Dual numbers are differentiated through the form that holds at their value.

use nalgebra::SimdBool;

use crate::real::Real;

/// Coefficients by falling powers: A and B, C and D, P and Q.
const NEAR: [&[f64]; 2] = [
    &[
        0.185_777_706_184_603_15,
        3.161_123_743_870_565_5,
        113.864_154_151_050_16,
        377.485_237_685_302,
        3_209.377_589_138_469_4,
    ],
    &[
        1.0,
        23.601_290_952_344_122,
        244.024_637_934_444_17,
        1_282.616_526_077_372_3,
        2_844.236_833_439_171,
    ],
];
const MIDDLE: [&[f64]; 2] = [
    &[
        2.153_115_354_744_038_3e-8,
        0.564_188_496_988_670_1,
        8.883_149_794_388_377,
        66.119_190_637_141_63,
        298.635_138_197_400_1,
        881.952_221_241_769,
        1_712.047_612_634_070_7,
        2_051.078_377_826_071_6,
        1_230.339_354_797_997_2,
    ],
    &[
        1.0,
        15.744_926_110_709_835,
        117.693_950_891_312_5,
        537.181_101_862_009_9,
        1_621.389_574_566_690_3,
        3_290.799_235_733_459_7,
        4_362.619_090_143_247,
        3_439.367_674_143_721_6,
        1_230.339_354_803_749_5,
    ],
];
const FAR: [&[f64]; 2] = [
    &[
        0.016_315_387_137_302_097,
        0.305_326_634_961_232_36,
        0.360_344_899_949_804_45,
        0.125_781_726_111_229_26,
        0.016_083_785_148_742_275,
        0.000_658_749_161_529_837_8,
    ],
    &[
        1.0,
        2.568_520_192_289_822,
        1.872_952_849_923_467_3,
        0.527_905_102_951_428_5,
        0.060_518_341_312_441_32,
        0.002_335_204_976_268_691_8,
    ],
];

/// erf x = 2/√π ∫ exp(−s²) ds from 0 to x; relative error below 5e-16 in `f64`.
pub fn erf<T: Real>(x: T) -> T {
    let y = x.simd_abs();
    y.simd_le(T::lit(0.46875)).if_else(
        || near_zero(x),
        || {
            let rest = tail(y);
            let one = T::one();
            x.simd_lt(T::zero()).if_else(|| rest - one, || one - rest)
        },
    )
}

/// erfc x = 1 − erf x; relative error below 1e-15 in `f64` where it is a normal number.
pub fn erfc<T: Real>(x: T) -> T {
    let y = x.simd_abs();
    y.simd_le(T::lit(0.46875)).if_else(
        || T::one() - near_zero(x),
        || {
            let rest = tail(y);
            x.simd_lt(T::zero()).if_else(|| T::lit(2.0) - rest, || rest)
        },
    )
}

fn near_zero<T: Real>(x: T) -> T {
    x * fraction(NEAR, x * x)
}

/// erfc y for y > 15/32; NaN of NaN.
fn tail<T: Real>(y: T) -> T {
    let decay = || {
        // Rounding to 1/16 by a number whose last digit that is: dual numbers cannot be cut off, nor need be.
        let large = T::lit(1.5 / 16.0) / T::simd_default_epsilon();
        let w = (y + large) - large;
        (-w * w).simd_exp() * ((w - y) * (w + y)).simd_exp()
    };
    y.simd_ge(T::lit(28.0)).if_else(T::zero, || {
        y.simd_le(T::lit(4.0)).if_else(
            || decay() * fraction(MIDDLE, y),
            || {
                let z = T::one() / (y * y);
                let limit = T::lit(core::f64::consts::FRAC_2_SQRT_PI / 2.0);
                decay() * (limit - z * fraction(FAR, z)) / y
            },
        )
    })
}

fn fraction<T: Real>(coefficients: [&[f64]; 2], x: T) -> T {
    let [numerator, denominator] = coefficients.map(|coefficients| {
        let sum = |sum: T, &c: &f64| sum * x + T::lit(c);
        coefficients.iter().fold(T::zero(), sum)
    });
    numerator / denominator
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: f64, expected: f64) {
        let apart = (found / expected - 1.0).abs();
        assert!(apart <= 1e-15, "{found:e}, not {expected:e}");
    }

    /// Abramowitz and Stegun, tables 7.1 to 7.3, and NIST Handbook, 7.23, with all digits of `f64`: all three forms.
    #[test]
    fn published_values() {
        assert_near(erf(0.25), 0.276_326_390_168_236_9);
        assert_near(erf(-1.0), -0.842_700_792_949_714_9);
        assert_near(erfc(0.25), 0.723_673_609_831_763);
        assert_near(erfc(2.0), 0.004_677_734_981_047_266);
        assert_near(erfc(-2.0), 1.995_322_265_018_952_7);
        assert_near(erfc(5.0), 1.537_459_794_428_035e-12);
        assert_near(erfc(10.0), 2.088_487_583_762_545e-45);
        assert_eq!((erfc(30.0), erfc(-30.0)), (0.0, 2.0));
    }

    #[test]
    fn infinite_arguments_have_limits_and_nan_stays() {
        assert_eq!((erf(f64::INFINITY), erf(f64::NEG_INFINITY)), (1.0, -1.0));
        assert_eq!((erfc(f64::INFINITY), erfc(f64::NEG_INFINITY)), (0.0, 2.0));
        assert!(erf(f64::NAN).is_nan() && erfc(f64::NAN).is_nan());
    }
}
