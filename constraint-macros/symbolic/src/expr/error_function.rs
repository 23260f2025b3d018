//! The error function and its complement, which neither Rust nor most languages have.
//!
//! Rational approximations of W. J. Cody (Rational Chebyshev approximations for the error function, Mathematics of
//! Computation 23, 1969), with y = |x|, s = y², z = 1/y²:
//!
//! ```text
//! y ≤ 15/32        erf x  = x A(s)/B(s)
//! 15/32 < y ≤ 4    erfc y = exp(−y²) C(y)/D(y)
//! 4 < y            erfc y = exp(−y²)/y (1/√π − z P(z)/Q(z))
//! ```
//! exp(−y²) is exp(−w²) exp(−(y − w)(y + w)) with w, y truncated to four binary digits, since w² is exact.

use super::function::Function;
use super::graph::{ExprId, Graph};
use super::number::Number;
use crate::expr::MapEach;

/// The largest y of the first form
pub(crate) const SMALL: f64 = 0.46875;
/// The largest y of the second form
pub(crate) const MEDIUM: f64 = 4.0;
/// From here erfc is 0 in `f64`.
pub(crate) const VANISHING: f64 = 28.0;
/// 1/√π
pub(crate) const INVERSE_ROOT: f64 = std::f64::consts::FRAC_2_SQRT_PI / 2.0;

/// A quotient of polynomials: coefficients in descending order of powers.
pub(crate) struct Fraction {
    pub numerator: &'static [f64],
    pub denominator: &'static [f64],
}

/// A/B
pub(crate) const NEAR: Fraction = Fraction {
    numerator: &[
        0.185_777_706_184_603_15,
        3.161_123_743_870_565_5,
        113.864_154_151_050_16,
        377.485_237_685_302,
        3_209.377_589_138_469_4,
    ],
    denominator: &[
        1.0,
        23.601_290_952_344_122,
        244.024_637_934_444_17,
        1_282.616_526_077_372_3,
        2_844.236_833_439_171,
    ],
};
/// C/D
pub(crate) const MIDDLE: Fraction = Fraction {
    numerator: &[
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
    denominator: &[
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
};
/// P/Q
pub(crate) const FAR: Fraction = Fraction {
    numerator: &[
        0.016_315_387_137_302_097,
        0.305_326_634_961_232_36,
        0.360_344_899_949_804_45,
        0.125_781_726_111_229_26,
        0.016_083_785_148_742_275,
        0.000_658_749_161_529_837_8,
    ],
    denominator: &[
        1.0,
        2.568_520_192_289_822,
        1.872_952_849_923_467_3,
        0.527_905_102_951_428_5,
        0.060_518_341_312_441_32,
        0.002_335_204_976_268_691_8,
    ],
};

/// erf x
pub(super) fn erf(x: f64) -> f64 {
    if x.abs() <= SMALL {
        near_zero(x)
    } else {
        (1.0 - tail(x.abs())).copysign(x)
    }
}

/// 1 − erf x, with full relative precision where it is small.
pub(super) fn erfc(x: f64) -> f64 {
    if x.abs() <= SMALL {
        1.0 - near_zero(x)
    } else if x < 0.0 {
        2.0 - tail(-x)
    } else {
        tail(x)
    }
}

fn near_zero(x: f64) -> f64 {
    let s = x * x;
    x * NEAR.at(s)
}

/// erfc y for y > 15/32; NaN for NaN.
fn tail(y: f64) -> f64 {
    if y >= VANISHING {
        return 0.0;
    }
    let w = (16.0 * y).floor() / 16.0;
    let decay = (-w * w).exp() * (-(y - w) * (y + w)).exp();
    if y <= MEDIUM {
        return decay * MIDDLE.at(y);
    }
    let z = 1.0 / (y * y);
    decay * (INVERSE_ROOT - z * FAR.at(z)) / y
}

impl Fraction {
    fn at(&self, x: f64) -> f64 {
        let [numerator, denominator] = [self.numerator, self.denominator]
            .map_each(|coefficients| coefficients.iter().fold(0.0, |sum, c| sum * x + c));
        numerator / denominator
    }
}

/// d/du erf u = 2/√π exp(−u²)
pub(super) fn slope(g: &mut Graph, u: ExprId, factor: f64) -> ExprId {
    let square = g.powi(u, 2);
    let minus = g.neg(square);
    let bell = g.call(Function::Exp, &[minus]);
    g.scale(
        bell,
        Number::float(factor * std::f64::consts::FRAC_2_SQRT_PI),
    )
}
