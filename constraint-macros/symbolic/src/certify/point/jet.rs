//! The table of derivatives.

use super::{Point, Stop};
use crate::certify::Gap;
use crate::certify::field::Residue;
use crate::certify::number::Element;
use crate::expr::Function;

/// f, f′ and f″
pub type Jet<R = Residue> = [R; 3];

impl Point {
    /// f, f′ and f″ of a function of one argument, from a table of derivatives.
    pub fn jet<R: Element>(&mut self, function: Function, u: R) -> Result<Jet<R>, Stop> {
        use Function as F;
        let one = R::constant(Residue::ONE);
        let two = one + one;
        let inverse = |value: R| value.recip().ok_or(Stop::Zero);
        let f = R::call(function, &[u], self)?;
        let square = u * u;
        Ok(match function {
            F::Sin | F::Sinh => {
                let other = if function == F::Sin { F::Cos } else { F::Cosh };
                let slope = R::call(other, &[u], self)?;
                [f, slope, if function == F::Sin { -f } else { f }]
            }
            F::Cos => [f, -R::call(F::Sin, &[u], self)?, -f],
            F::Cosh => [f, R::call(F::Sinh, &[u], self)?, f],
            F::Tan => [f, one + f * f, two * f * (one + f * f)],
            F::Tanh => [f, one - f * f, -(two * f * (one - f * f))],
            F::Exp => [f, f, f],
            F::ExpM1 => [f, f + one, f + one],
            F::Ln | F::Ln1p => {
                let of = if function == F::Ln { u } else { u + one };
                let slope = inverse(of)?;
                [f, slope, -(slope * slope)]
            }
            F::Asin | F::Acos => {
                let slope = inverse(R::call(F::Sqrt, &[one - square], self)?)?;
                let bend = u * slope * slope * slope;
                if function == F::Asin {
                    [f, slope, bend]
                } else {
                    [f, -slope, -bend]
                }
            }
            F::Asinh | F::Acosh => {
                let other = if function == F::Asinh { one } else { -one };
                let slope = inverse(R::call(F::Sqrt, &[square + other], self)?)?;
                [f, slope, -(u * slope * slope * slope)]
            }
            F::Atan | F::Atanh => {
                let sign = if function == F::Atan { one } else { -one };
                let slope = inverse(one + sign * square)?;
                [f, slope, -(sign * two * u * slope * slope)]
            }
            F::Sqrt => {
                let slope = inverse(two * f)?;
                [f, slope, -(two * slope * slope * slope)]
            }
            F::Cbrt => {
                let inverse_value = inverse(f)?;
                let slope = inverse_value * inverse_value * inverse(two + one)?;
                [f, slope, -(two * slope * slope * inverse_value)]
            }
            F::Abs => [f, R::constant(self.sign(u.value())), R::ZERO],
            F::Signum | F::Floor => [f, R::ZERO, R::ZERO],
            // Their derivatives contain rounded constants, or they have two arguments.
            F::Log2
            | F::Log10
            | F::Erf
            | F::Erfc
            | F::Atan2
            | F::Powf
            | F::Hypot
            | F::Min
            | F::Max => {
                return Err(Stop::Uncovered(Gap::Rounded));
            }
        })
    }
}
