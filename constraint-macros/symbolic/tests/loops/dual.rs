//! Numbers with a slope, over which loops run as over any others.

use std::convert::Infallible;
use std::ops::{Add, Mul, Neg, Sub};

use constraint_symbolic::expr::{Comparison, Function, Number};
use constraint_symbolic::schedule::Element;

/// A number and its derivative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dual {
    pub value: f64,
    pub slope: f64,
}

/// A number along a tangent.
pub fn dual(value: f64, slope: f64) -> Dual {
    Dual { value, slope }
}

impl Dual {
    /// f(x), with f and f′ at this value.
    fn chain(self, value: f64, derivative: f64) -> Dual {
        dual(value, derivative * self.slope)
    }
}

impl Add for Dual {
    type Output = Dual;
    fn add(self, b: Dual) -> Dual {
        dual(self.value + b.value, self.slope + b.slope)
    }
}

impl Sub for Dual {
    type Output = Dual;
    fn sub(self, b: Dual) -> Dual {
        dual(self.value - b.value, self.slope - b.slope)
    }
}

impl Mul for Dual {
    type Output = Dual;
    fn mul(self, b: Dual) -> Dual {
        let slope = self.slope * b.value + self.value * b.slope;
        dual(self.value * b.value, slope)
    }
}

impl Neg for Dual {
    type Output = Dual;
    fn neg(self) -> Dual {
        dual(-self.value, -self.slope)
    }
}

impl Element for Dual {
    type Context = ();
    type Stop = Infallible;

    const ZERO: Dual = Dual {
        value: 0.0,
        slope: 0.0,
    };

    fn of_constant(number: Number) -> Result<Dual, Infallible> {
        Ok(dual(number.to_f64(), 0.0))
    }

    fn of_condition(holds: bool) -> Dual {
        dual(f64::from(u8::from(holds)), 0.0)
    }

    fn holds(self) -> bool {
        self.value != 0.0
    }

    fn over(self, divisor: Dual) -> Result<Dual, Infallible> {
        let quotient = self.value / divisor.value;
        let slope = (self.slope - quotient * divisor.slope) / divisor.value;
        Ok(dual(quotient, slope))
    }

    fn inverse(self) -> Result<Dual, Infallible> {
        dual(1.0, 0.0).over(self)
    }

    fn call(function: Function, arguments: &[Dual], (): &mut ()) -> Result<Dual, Infallible> {
        let x = arguments[0];
        Ok(match function {
            Function::Sin => x.chain(x.value.sin(), x.value.cos()),
            Function::Cos => x.chain(x.value.cos(), -x.value.sin()),
            Function::Exp => x.chain(x.value.exp(), x.value.exp()),
            Function::Sqrt => x.chain(x.value.sqrt(), 0.5 / x.value.sqrt()),
            other => panic!("no random system is made of {other:?}"),
        })
    }

    fn compare(self, comparison: Comparison, with: Dual, (): &mut ()) -> bool {
        comparison.holds(self.value, with.value)
    }

    fn is_final(stop: Infallible) -> bool {
        match stop {}
    }
}
