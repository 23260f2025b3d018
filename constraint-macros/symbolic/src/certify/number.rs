//! The numbers that programs are run over: elements of the field, and dual numbers x + ε x′ with ε² = 0.
//!
//! A program that agrees with the equations at a random point is the function that they define, so its change along a
//! direction is the derivative of that function. This needs only the rules for sums, products and quotients,
//! and the derivatives of functions at the point.

use crate::certify::Gap;
use std::ops::{Add, Mul, Neg, Sub};

use super::field::Residue;
use super::point::{Point, Stop};
use crate::expr::{Comparison, Function, Number};
use crate::schedule;

/// A number of the field, or a dual number over it.
pub trait Element: schedule::Element<Context = Point, Stop = Stop> {
    /// A number that does not change.
    fn constant(value: Residue) -> Self;

    /// The number without its change.
    fn value(self) -> Residue;

    /// The inverse; `None` for 0.
    fn recip(self) -> Option<Self>;
}

impl schedule::Element for Residue {
    type Context = Point;
    type Stop = Stop;

    const ZERO: Residue = Residue::ZERO;

    fn of_constant(number: Number) -> Result<Residue, Stop> {
        Residue::of_number(number).ok_or(Stop::Uncovered(Gap::Rounded))
    }

    fn of_condition(holds: bool) -> Residue {
        Residue::of(holds.into())
    }

    fn holds(self) -> bool {
        !self.is_zero()
    }

    fn over(self, divisor: Residue) -> Result<Residue, Stop> {
        Ok(self * divisor.inverse()?)
    }

    fn inverse(self) -> Result<Residue, Stop> {
        Residue::recip(self).ok_or(Stop::Zero)
    }

    #[inline(always)]
    fn call(function: Function, arguments: &[Residue], point: &mut Point) -> Result<Residue, Stop> {
        if arguments.len() > 2 {
            return Err(Stop::UNREAD);
        }
        point.value(function, arguments)
    }

    fn compare(self, comparison: Comparison, with: Residue, point: &mut Point) -> bool {
        point.compares(comparison, self, with)
    }

    fn is_final(stop: Stop) -> bool {
        stop.is_final()
    }
}

impl Element for Residue {
    #[inline(always)]
    fn constant(value: Residue) -> Residue {
        value
    }

    #[inline(always)]
    fn value(self) -> Residue {
        self
    }

    #[inline(always)]
    fn recip(self) -> Option<Residue> {
        Residue::recip(self)
    }
}

/// A dual number; its components may be dual numbers for another direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<R> {
    /// x
    pub value: R,
    /// x′
    pub change: R,
}

impl<R: Element> Dual<R> {
    fn of_two(
        function: Function,
        [a, b]: [Dual<R>; 2],
        point: &mut Point,
    ) -> Result<Dual<R>, Stop> {
        let value = |point: &mut Point| R::call(function, &[a.value, b.value], point);
        Ok(match function {
            Function::Min | Function::Max => {
                let least = function == Function::Min;
                let comparison = if least {
                    Comparison::Le
                } else {
                    Comparison::Ge
                };
                if point.holds(comparison, a.value.value(), b.value.value()) {
                    a
                } else {
                    b
                }
            }
            // √(a² + b²)
            Function::Hypot => {
                let value = value(point)?;
                let inverse = value.recip().ok_or(Stop::Zero)?;
                let change = (a.value * a.change + b.value * b.change) * inverse;
                Dual { value, change }
            }
            // The angle of (b, a).
            Function::Atan2 => {
                let square = a.value * a.value + b.value * b.value;
                let inverse = square.recip().ok_or(Stop::Zero)?;
                Dual {
                    value: value(point)?,
                    change: (b.value * a.change - a.value * b.change) * inverse,
                }
            }
            Function::Powf => a.power(b, point)?,
            _ => return Err(Stop::UNREAD),
        })
    }

    /// e b^(e − 1) b′ + bᵉ ln b e′
    fn power(self, exponent: Dual<R>, point: &mut Point) -> Result<Dual<R>, Stop> {
        let (base, zero) = (self, R::ZERO);
        let power = |of: R, point: &mut Point| R::call(Function::Powf, &[base.value, of], point);
        let value = power(exponent.value, point)?;
        let mut change = zero;
        if base.change != zero && exponent.value != zero {
            let lower = exponent.value - R::constant(Residue::ONE);
            change = exponent.value * power(lower, point)? * base.change;
        }
        if exponent.change != zero {
            let logarithm = R::call(Function::Ln, &[base.value], point)?;
            change = change + value * logarithm * exponent.change;
        }
        Ok(Dual { value, change })
    }
}

impl<R: Element> Element for Dual<R> {
    #[inline(always)]
    fn constant(value: Residue) -> Dual<R> {
        Dual {
            value: R::constant(value),
            change: R::ZERO,
        }
    }

    #[inline(always)]
    fn value(self) -> Residue {
        self.value.value()
    }

    fn recip(self) -> Option<Dual<R>> {
        let value = self.value.recip()?;
        Some(Dual {
            value,
            change: -(self.change * value * value),
        })
    }
}

impl<R: Element> schedule::Element for Dual<R> {
    type Context = Point;
    type Stop = Stop;

    const ZERO: Dual<R> = Dual {
        value: R::ZERO,
        change: R::ZERO,
    };

    fn of_constant(number: Number) -> Result<Dual<R>, Stop> {
        Ok(Dual::constant(Residue::of_constant(number)?))
    }

    fn of_condition(holds: bool) -> Dual<R> {
        Dual::constant(Residue::of_condition(holds))
    }

    fn holds(self) -> bool {
        !self.value().is_zero()
    }

    fn over(self, divisor: Dual<R>) -> Result<Dual<R>, Stop> {
        Ok(self * divisor.inverse()?)
    }

    fn inverse(self) -> Result<Dual<R>, Stop> {
        self.recip().ok_or(Stop::Zero)
    }

    fn compare(self, comparison: Comparison, with: Dual<R>, point: &mut Point) -> bool {
        point.compares(comparison, self.value(), with.value())
    }

    fn is_final(stop: Stop) -> bool {
        stop.is_final()
    }

    fn call(function: Function, arguments: &[Dual<R>], point: &mut Point) -> Result<Dual<R>, Stop> {
        let stays = arguments.iter().all(|it| it.change == R::ZERO);
        match *arguments {
            [a] if stays => Ok(Dual {
                value: R::call(function, &[a.value], point)?,
                change: R::ZERO,
            }),
            [a] => {
                let [value, slope, _] = point.jet(function, a.value)?;
                let change = slope * a.change;
                Ok(Dual { value, change })
            }
            [a, b] => Dual::of_two(function, [a, b], point),
            _ => Err(Stop::UNREAD),
        }
    }
}

impl<R: Element> Add for Dual<R> {
    type Output = Dual<R>;
    #[inline(always)]
    fn add(self, other: Dual<R>) -> Dual<R> {
        Dual {
            value: self.value + other.value,
            change: self.change + other.change,
        }
    }
}

impl<R: Element> Sub for Dual<R> {
    type Output = Dual<R>;
    #[inline(always)]
    fn sub(self, other: Dual<R>) -> Dual<R> {
        Dual {
            value: self.value - other.value,
            change: self.change - other.change,
        }
    }
}

impl<R: Element> Neg for Dual<R> {
    type Output = Dual<R>;
    #[inline(always)]
    fn neg(self) -> Dual<R> {
        Dual {
            value: -self.value,
            change: -self.change,
        }
    }
}

impl<R: Element> Mul for Dual<R> {
    type Output = Dual<R>;
    #[inline(always)]
    fn mul(self, other: Dual<R>) -> Dual<R> {
        Dual {
            value: self.value * other.value,
            change: self.value * other.change + self.change * other.value,
        }
    }
}
