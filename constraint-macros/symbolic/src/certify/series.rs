//! Power series in time τ and along other directions, with the terms that C̈, J̇ and Lagrange's equations need.
//!
//! Motions that differ by ε w have different places from the start; those that differ by δ τ w have different
//! velocities.

use super::field::Residue;
use super::point::{Jet, Point, Stop};
use crate::expr::{Comparison, Function};

/// a + b ε + c τ + d ε τ + e τ² + (f + g τ + h τ²) δ, with ε² = ε δ = δ² = ε τ² = τ³ = 0. Places have f = 0; quantities
/// with another f have no valid h.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Series {
    /// At the point.
    pub value: Residue,
    /// Along ε.
    pub along: Residue,
    /// The rate.
    pub rate: Residue,
    /// The rate of the part along ε.
    pub along_rate: Residue,
    /// Half of the second rate.
    pub half_second: Residue,
    /// Along δ: at the point, by τ and by τ².
    pub gaining: [Residue; 3],
}

impl Series {
    /// A number.
    pub fn constant(value: Residue) -> Series {
        Series {
            value,
            along: Residue::ZERO,
            rate: Residue::ZERO,
            along_rate: Residue::ZERO,
            half_second: Residue::ZERO,
            gaining: [Residue::ZERO; 3],
        }
    }

    /// True if it is constant.
    pub fn is_constant(&self) -> bool {
        self.rate.is_zero()
            && self.along.is_zero()
            && self.along_rate.is_zero()
            && self.half_second.is_zero()
            && !self.gains()
    }

    /// True if it has a part along δ.
    fn gains(&self) -> bool {
        let [f, g, h] = &self.gaining;
        !(f.is_zero() && g.is_zero() && h.is_zero())
    }

    // Macros run unoptimised, so each coefficient is written out.

    pub fn plus(self, other: Series) -> Series {
        let [f, g, h] = self.gaining;
        let [k, l, m] = other.gaining;
        Series {
            value: self.value + other.value,
            along: self.along + other.along,
            rate: self.rate + other.rate,
            along_rate: self.along_rate + other.along_rate,
            half_second: self.half_second + other.half_second,
            gaining: [f + k, g + l, h + m],
        }
    }

    pub fn minus(self, other: Series) -> Series {
        self.plus(other.negative())
    }

    pub fn negative(self) -> Series {
        let [f, g, h] = self.gaining;
        Series {
            value: -self.value,
            along: -self.along,
            rate: -self.rate,
            along_rate: -self.along_rate,
            half_second: -self.half_second,
            gaining: [-f, -g, -h],
        }
    }

    pub fn scaled(self, by: Residue) -> Series {
        if self.is_constant() {
            return Series::constant(self.value * by);
        }
        let [f, g, h] = self.gaining;
        Series {
            value: self.value * by,
            along: self.along * by,
            rate: self.rate * by,
            along_rate: self.along_rate * by,
            half_second: self.half_second * by,
            gaining: [f * by, g * by, h * by],
        }
    }

    pub fn times(self, other: Series) -> Series {
        let (a, b) = (self, other);
        if a.is_constant() || b.is_constant() {
            return if a.is_constant() {
                b.scaled(a.value)
            } else {
                a.scaled(b.value)
            };
        }
        Series {
            value: a.value * b.value,
            along: a.value * b.along + a.along * b.value,
            rate: a.value * b.rate + a.rate * b.value,
            along_rate: a.value * b.along_rate
                + a.along_rate * b.value
                + a.along * b.rate
                + a.rate * b.along,
            half_second: a.value * b.half_second + a.half_second * b.value + a.rate * b.rate,
            gaining: a.gaining_by(&b),
        }
    }

    /// The part of a product along δ.
    fn gaining_by(&self, other: &Series) -> [Residue; 3] {
        let (a, b) = (self, other);
        let ([f, g, h], [k, l, m]) = (a.gaining, b.gaining);
        let (mut value, mut rate, mut half_second) = (Residue::ZERO, Residue::ZERO, Residue::ZERO);
        if a.gains() {
            value = b.value * f;
            rate = b.value * g + b.rate * f;
            half_second = b.value * h + b.rate * g + b.half_second * f;
        }
        if b.gains() {
            value = value + a.value * k;
            rate = rate + a.value * l + a.rate * k;
            half_second = half_second + a.value * m + a.rate * l + a.half_second * k;
        }
        [value, rate, half_second]
    }

    pub fn inverse(self) -> Result<Series, Stop> {
        let inverse = self.value.recip().ok_or(Stop::Zero)?;
        let square = inverse * inverse;
        let cube = square * inverse;
        Ok(self.composed([inverse, -square, cube + cube]))
    }

    /// f of the series, from f, f′ and f″.
    fn composed(self, [f, slope, bend]: Jet) -> Series {
        Series {
            value: f,
            along: slope * self.along,
            rate: slope * self.rate,
            along_rate: slope * self.along_rate + bend * self.along * self.rate,
            half_second: slope * self.half_second + Residue::HALF * bend * self.rate * self.rate,
            gaining: if self.gains() {
                let [f, g, h] = self.gaining;
                let change = bend * self.rate;
                [slope * f, slope * g + change * f, slope * h + change * g]
            } else {
                self.gaining
            },
        }
    }

    /// Powers with a constant exponent; others by `general_power`.
    pub fn power(self, exponent: Series, point: &mut Point) -> Result<Series, Stop> {
        if !exponent.is_constant() {
            return self.general_power(exponent, point);
        }
        let e = exponent.value;
        if e == Residue::of(2) {
            return Ok(self.times(self));
        }
        let one = Residue::ONE;
        let mut lowered = |by: Residue, factor: Residue| {
            if factor.is_zero() {
                return Ok(factor);
            }
            Ok(factor * point.power(self.value, e - by)?)
        };
        let (f, slope) = (lowered(Residue::ZERO, one)?, lowered(one, e)?);
        let bend = lowered(one + one, e * (e - one))?;
        Ok(self.composed([f, slope, bend]))
    }

    /// e^(exponent · ln base), whose value is the power itself.
    fn general_power(self, exponent: Series, point: &mut Point) -> Result<Series, Stop> {
        let f = point.power(self.value, exponent.value)?;
        let logarithm = self.call(Function::Ln, point)?;
        let mut product = exponent.times(logarithm);
        product.value = Residue::ZERO;
        Ok(product.composed([f, f, f]))
    }

    /// The angle of (x, y), whose derivative is (x dy − y dx)/(x² + y²).
    pub fn atan2(y: Series, x: Series, point: &mut Point) -> Result<Series, Stop> {
        let value = point.value(Function::Atan2, &[y.value, x.value])?;
        let inverse = x.times(x).plus(y.times(y)).inverse()?;
        let slopes = [x.times(inverse), y.times(inverse)];
        let rate = slopes[0].times(y.rates()).minus(slopes[1].times(x.rates()));
        let gain = slopes[0].times(y.gain()).minus(slopes[1].times(x.gain()));
        Ok(Series {
            value,
            gaining: [gain.value, gain.rate, gain.half_second],
            along: slopes[0].value * y.along - slopes[1].value * x.along,
            rate: rate.value,
            along_rate: rate.along,
            half_second: Residue::HALF * rate.rate,
        })
    }

    /// The coefficient of δ, as a series in τ.
    fn gain(self) -> Series {
        let [value, rate, half_second] = self.gaining;
        Series {
            value,
            rate,
            half_second,
            ..Series::default()
        }
    }

    /// The derivative by τ, without its τ² term.
    pub fn rates(self) -> Series {
        Series {
            value: self.rate,
            along: self.along_rate,
            rate: self.half_second + self.half_second,
            gaining: [
                self.gaining[1],
                self.gaining[2] + self.gaining[2],
                Residue::ZERO,
            ],
            ..Series::default()
        }
    }

    /// A function of one argument.
    pub fn call(self, function: Function, point: &mut Point) -> Result<Series, Stop> {
        Ok(self.composed(point.jet(function, self.value)?))
    }

    /// The smaller or larger of two series.
    pub fn chosen(self, comparison: Comparison, other: Series, point: &mut Point) -> Series {
        if point.holds(comparison, self.value, other.value) {
            self
        } else {
            other
        }
    }
}

pub fn dot(a: &[Series], b: &[Series]) -> Series {
    let products = a.iter().zip(b).map(|(a, b)| a.times(*b));
    products.fold(Series::default(), Series::plus)
}
