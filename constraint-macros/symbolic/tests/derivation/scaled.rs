//! Numbers m 2ᵉ whose exponents are integers of 64 bits, and Taylor series of them: what is derived where floats overflow
//! on the way.

use std::ops::{Add, Div, Mul, Sub};

/// m 2ᵉ, 1 ≤ |m| < 2, or 0.
#[derive(Clone, Copy, Debug)]
pub struct Scaled {
    mantissa: f64,
    exponent: i64,
}

impl Scaled {
    pub fn new(value: f64) -> Scaled {
        Scaled::of(value, 0)
    }

    fn of(value: f64, exponent: i64) -> Scaled {
        if value == 0.0 {
            return Scaled {
                mantissa: 0.0,
                exponent: 0,
            };
        }
        let own = i64::from(value.abs().log2().floor() as i32);
        Scaled {
            mantissa: value / 2_f64.powi(own as i32),
            exponent: exponent + own,
        }
    }

    /// eʷ
    pub fn exp(w: f64) -> Scaled {
        let whole = (w / std::f64::consts::LN_2).round();
        // ln 2, its first 32 bits exactly.
        let (high, low) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);
        Scaled::of((w - whole * high - whole * low).exp(), whole as i64)
    }

    pub fn sqrt(self) -> Scaled {
        let half = self.exponent.div_euclid(2);
        let rest = self.exponent.rem_euclid(2) as i32;
        Scaled::of((self.mantissa * 2_f64.powi(rest)).sqrt(), half)
    }

    pub fn abs(self) -> Scaled {
        Scaled {
            mantissa: self.mantissa.abs(),
            ..self
        }
    }

    /// As a float, where it is one, or too small for one.
    pub fn float(self) -> Option<f64> {
        match self.exponent {
            1000.. => None,
            ..-1000 => Some(0.0),
            exponent => Some(self.mantissa * 2_f64.powi(exponent as i32)),
        }
    }
}

impl Add for Scaled {
    type Output = Scaled;
    fn add(self, other: Scaled) -> Scaled {
        if self.mantissa == 0.0 {
            return other;
        }
        if other.mantissa == 0.0 {
            return self;
        }
        let (large, small) = match self.exponent >= other.exponent {
            true => (self, other),
            false => (other, self),
        };
        let less = (small.exponent - large.exponent).max(-200) as i32;
        Scaled::of(
            large.mantissa + small.mantissa * 2_f64.powi(less),
            large.exponent,
        )
    }
}

impl Sub for Scaled {
    type Output = Scaled;
    fn sub(self, other: Scaled) -> Scaled {
        self + Scaled::new(-1.0) * other
    }
}

impl Mul for Scaled {
    type Output = Scaled;
    fn mul(self, other: Scaled) -> Scaled {
        Scaled::of(
            self.mantissa * other.mantissa,
            self.exponent + other.exponent,
        )
    }
}

impl Div for Scaled {
    type Output = Scaled;
    fn div(self, other: Scaled) -> Scaled {
        Scaled::of(
            self.mantissa / other.mantissa,
            self.exponent - other.exponent,
        )
    }
}

/// f, f′ and f″, and what each is at most if all its terms had one sign, which rounding errors are measured by.
#[derive(Clone, Copy, Debug)]
pub struct Taylor {
    pub of: [Scaled; 3],
    pub at_most: [Scaled; 3],
}

/// By the rule of products and that of quotients, for the values and for their bounds.
fn product(a: [Scaled; 3], b: [Scaled; 3]) -> [Scaled; 3] {
    let two = Scaled::new(2.0);
    [
        a[0] * b[0],
        a[1] * b[0] + a[0] * b[1],
        a[2] * b[0] + two * a[1] * b[1] + a[0] * b[2],
    ]
}

impl Taylor {
    fn new(of: [Scaled; 3]) -> Taylor {
        Taylor {
            of,
            at_most: of.map(Scaled::abs),
        }
    }

    pub fn number(value: f64) -> Taylor {
        Taylor::new([value, 0.0, 0.0].map(Scaled::new))
    }

    pub fn variable(x: f64) -> Taylor {
        Taylor::new([x, 1.0, 0.0].map(Scaled::new))
    }

    /// e^(k x)
    pub fn exp(k: f64, x: f64) -> Taylor {
        let value = Scaled::exp(k * x);
        Taylor::new([1.0, k, k * k].map(|it| value * Scaled::new(it)))
    }

    pub fn plus(self, other: Taylor) -> Taylor {
        let sum = |a: [Scaled; 3], b: [Scaled; 3]| [0, 1, 2].map(|i| a[i] + b[i]);
        Taylor {
            of: sum(self.of, other.of),
            at_most: sum(self.at_most, other.at_most),
        }
    }

    pub fn times(self, other: Taylor) -> Taylor {
        Taylor {
            of: product(self.of, other.of),
            at_most: product(self.at_most, other.at_most),
        }
    }

    /// Of what is positive.
    pub fn inverse(self) -> Taylor {
        let (one, two) = (Scaled::new(1.0), Scaled::new(2.0));
        let inverse = one / self.of[0];
        let square = inverse * inverse;
        self.composed([inverse, square * Scaled::new(-1.0), two * square * inverse])
    }

    /// Of what is positive.
    pub fn sqrt(self) -> Taylor {
        let root = self.of[0].sqrt();
        let slope = Scaled::new(0.5) / root;
        let bend = Scaled::new(-0.5) * slope / self.of[0];
        self.composed([root, slope, bend])
    }

    fn composed(self, [f, slope, bend]: [Scaled; 3]) -> Taylor {
        let by = |u: [Scaled; 3], slope: Scaled, bend: Scaled| {
            [f, slope * u[1], slope * u[2] + bend * u[1] * u[1]]
        };
        Taylor {
            of: by(self.of, slope, bend),
            at_most: by(self.at_most, slope.abs(), bend.abs()),
        }
    }
}
