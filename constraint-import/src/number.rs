//! Numbers of a file as numbers of the language.

use std::f64::consts::PI;

/// An angle as the file gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angle {
    /// In radians, as read.
    pub radians: f64,
    /// A multiple of π that the digits of the file stand for, as numerator and denominator.
    pub of_pi: Option<(i64, i64)>,
    /// The number of degrees, if the file counts in degrees.
    pub degrees: Option<f64>,
}

/// The digits after the point from which a number is taken for a rounded multiple of π: 1.5708, not 1.571.
const FEWEST_DECIMALS: usize = 4;

/// An angle that differs by less from a multiple of π, but by more than its last digit, has probably lost digits.
const ALMOST: f64 = 1e-9;

impl Angle {
    /// Exactly this many radians.
    pub fn radians(radians: f64) -> Angle {
        Angle {
            radians,
            of_pi: None,
            degrees: None,
        }
    }

    /// Radians as written, perhaps a multiple of π/6 or π/4, rounded or cut off.
    pub fn written(text: &str, radians: f64) -> Angle {
        let decimals = decimals(text);
        let of_pi = (decimals >= FEWEST_DECIMALS)
            .then(|| near_multiple(radians, 10_f64.powi(-(decimals.min(15) as i32))))
            .flatten();
        Angle {
            of_pi,
            ..Angle::radians(radians)
        }
    }

    /// Radians computed from other numbers of the file, which are good to `error`.
    pub fn computed(radians: f64, error: f64) -> Angle {
        Angle {
            of_pi: near_multiple(radians, error.max(1e-15)),
            ..Angle::radians(radians)
        }
    }

    /// Degrees: a whole number of them is an exact fraction of π.
    pub fn degrees(degrees: f64) -> Angle {
        let twelfths = degrees / 15.0;
        let of_pi =
            (twelfths.fract() == 0.0 && twelfths.abs() < 1e6).then(|| reduced(twelfths as i64));
        Angle {
            radians: degrees.to_radians(),
            of_pi,
            degrees: Some(degrees),
        }
    }

    /// The angle in text and computation: the multiple of π if `exact`.
    pub fn value(&self, exact: bool) -> f64 {
        match self.of_pi {
            Some((k, n)) if exact || self.degrees.is_some() => k as f64 * PI / n as f64,
            _ => self.radians,
        }
    }

    /// Sine and cosine; those of quarter turns have no rounding error.
    pub fn sin_cos(&self, exact: bool) -> [f64; 2] {
        match self.of_pi {
            Some((k, n)) if (exact || self.degrees.is_some()) && n <= 2 => {
                match (2 * k / n).rem_euclid(4) {
                    0 => [0.0, 1.0],
                    1 => [1.0, 0.0],
                    2 => [0.0, -1.0],
                    _ => [-1.0, 0.0],
                }
            }
            _ => {
                let (sin, cos) = self.value(exact).sin_cos();
                [sin, cos]
            }
        }
    }

    /// The expression of the language.
    pub fn text(&self, exact: bool) -> String {
        match (self.of_pi, self.degrees) {
            (Some(of_pi), degrees) if exact || degrees.is_some() => multiple_of_pi(of_pi),
            (_, Some(degrees)) => format!("{}*PI/180", number(degrees)),
            _ => number(self.radians),
        }
    }

    /// The multiple of π that an angle with many digits is not quite, and how far it is off.
    pub fn almost_of_pi(&self) -> Option<(String, f64)> {
        if self.of_pi.is_some() || self.degrees.is_some() {
            return None;
        }
        let (k, n) = near_multiple(self.radians, ALMOST)?;
        let off = (self.radians - k as f64 * PI / n as f64).abs();
        (off > 0.0).then(|| (multiple_of_pi((k, n)), off))
    }

    /// True if `text` writes another number than the file.
    pub fn is_recognised(&self) -> bool {
        self.degrees.is_none() && self.of_pi.is_some_and(|(k, _)| k != 0)
    }
}

/// `PI/2`, `-3*PI/4`
fn multiple_of_pi((k, n): (i64, i64)) -> String {
    let over = if n == 1 {
        String::new()
    } else {
        format!("/{n}")
    };
    match k {
        0 => "0".to_owned(),
        1 => format!("PI{over}"),
        -1 => format!("-PI{over}"),
        _ => format!("{k}*PI{over}"),
    }
}

/// k/12 in lowest terms.
fn reduced(twelfths: i64) -> (i64, i64) {
    let shared = [12, 6, 4, 3, 2]
        .into_iter()
        .find(|d| twelfths % d == 0)
        .unwrap_or(1);
    (twelfths / shared, 12 / shared)
}

/// The multiple of π/6 or π/4 that differs from an angle by less than `error`.
fn near_multiple(angle: f64, error: f64) -> Option<(i64, i64)> {
    let twelfths = (angle * 12.0 / PI).round();
    if twelfths.abs() > 1e6 || (angle - twelfths * PI / 12.0).abs() >= error {
        return None;
    }
    let (k, n) = reduced(twelfths as i64);
    (n != 12 && k != 0).then_some((k, n))
}

/// The digits after the point of a number as written.
pub fn decimals(text: &str) -> usize {
    let mantissa = text.split(['e', 'E']).next().unwrap_or(text);
    let exponent = text
        .split(['e', 'E'])
        .nth(1)
        .and_then(|it| it.parse::<i64>().ok());
    let after = mantissa.split_once('.').map_or(0, |(_, after)| after.len());
    (after as i64 - exponent.unwrap_or(0)).max(0) as usize
}

/// A number in the shortest form that reads back as the same `f64`.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_owned()
    } else if (1e-4..1e9).contains(&size) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}

/// A computed number without the noise of its last digit.
pub fn rounded(x: f64) -> f64 {
    format!("{x:.13e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(written: &str) -> String {
        Angle::written(written, written.parse().unwrap()).text(true)
    }

    #[test]
    fn rounded_multiples_of_pi_are_recognised_by_their_digits() {
        let known = [
            ("1.5708", "PI/2"),
            ("1.5707", "PI/2"),
            ("1.57079632679", "PI/2"),
            ("-1.5707963267948966", "-PI/2"),
            ("3.14159", "PI"),
            ("3.1415926535897931", "PI"),
            ("0.7854", "PI/4"),
            ("2.35619449", "3*PI/4"),
            ("-1.0472", "-PI/3"),
            ("0.523598776", "PI/6"),
            ("15708e-4", "PI/2"),
        ];
        for (written, expected) in known {
            assert_eq!(text(written), expected, "{written}");
        }
    }

    #[test]
    fn other_numbers_stay() {
        for written in [
            "1.57",
            "1.571",
            "1.5710",
            "0.2618",
            "0.5",
            "0",
            "3.14",
            "1.5700000",
        ] {
            let expected = number(written.parse().unwrap());
            assert_eq!(text(written), expected, "{written}");
        }
        let rounded = "1.5708";
        let angle = Angle::written(rounded, rounded.parse().unwrap());
        assert_eq!(angle.text(false), rounded);
    }

    #[test]
    fn degrees_are_exact() {
        assert_eq!(Angle::degrees(90.0).text(false), "PI/2");
        assert_eq!(Angle::degrees(-135.0).text(true), "-3*PI/4");
        assert_eq!(Angle::degrees(15.0).text(true), "PI/12");
        assert_eq!(Angle::degrees(37.5).text(true), "37.5*PI/180");
        assert_eq!(Angle::degrees(-270.0).sin_cos(false), [1.0, 0.0]);
    }

    #[test]
    fn numbers_are_short_and_exact() {
        assert_eq!(number(-0.0), "0");
        assert_eq!(number(1e-7), "1e-7");
        assert_eq!(number(0.001), "0.001");
        assert_eq!(rounded(0.1 + 0.2), 0.3);
    }
}
