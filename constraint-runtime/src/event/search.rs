//! The first change of sign of a function of one variable on [0, 1].
//!
//! Input and output are fractions of a step. Zero itself belongs to the side the function comes from, so that a
//! function which touches zero and turns back does not cross it.

/// Number of samples per step.
const PARTS: usize = 4;

/// Step of differences that only their sign matters for.
const NEARBY: f64 = 1e-6;

/// Bisections in search of an extremum, and digits of its place: a quarter step over 2³⁰.
const BISECTIONS: usize = 30;

/// The side of zero a function is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Negative,
    Positive,
}

impl Side {
    /// The side of a number, none of zero and NaN.
    pub(crate) fn of(value: f64) -> Option<Self> {
        if value > 0.0 {
            Some(Self::Positive)
        } else if value < 0.0 {
            Some(Self::Negative)
        } else {
            None
        }
    }

    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Negative => Self::Positive,
            Self::Positive => Self::Negative,
        }
    }

    /// `value` counted positive on this side.
    pub(crate) fn height(self, value: f64) -> f64 {
        match self {
            Self::Negative => -value,
            Self::Positive => value,
        }
    }
}

/// Two neighbouring fractions of a step: before a change and after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bracket {
    pub(crate) before: f64,
    pub(crate) after: f64,
}

/// How a function leaves its side of zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It is zero, or jumps over zero.
    Crossing,
    /// It goes to infinity and returns from the opposite infinity.
    Pole,
    /// It is NaN.
    Undefined,
}

/// The place where a function leaves its side of zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    pub(crate) bracket: Bracket,
    pub(crate) kind: Kind,
}

impl Change {
    pub(crate) fn undefined(theta: f64) -> Self {
        Self {
            bracket: Bracket {
                before: theta,
                after: theta,
            },
            kind: Kind::Undefined,
        }
    }
}

/// The side `g` moves to from `from`, where it is zero up to rounding.
pub(crate) fn side_ahead(g: impl Fn(f64) -> f64, from: f64) -> Option<Side> {
    Side::of(g(from + NEARBY) - g(from))
}

/// The first place after `from` where `g` leaves `side`.
pub(crate) fn first_change(g: impl Fn(f64) -> f64, from: f64, side: Side) -> Option<Change> {
    let height = |theta| side.height(g(theta));
    let sample = |theta| Sample {
        theta,
        height: height(theta),
    };
    let mut left = sample(from);
    let ahead = (1..=PARTS).map(|part| part as f64 / PARTS as f64);
    for right in ahead.filter(|theta| *theta > from).map(sample) {
        if let Some(bad) = [left, right].iter().find(|it| it.height.is_nan()) {
            return Some(Change::undefined(bad.theta));
        }
        let below = if right.height < 0.0 {
            Some(right)
        } else {
            dip(&height, left, right)
        };
        if let Some(below) = below {
            let bracket = bracket(&height, left, below);
            let kind = kind(&height, bracket);
            return Some(Change { bracket, kind });
        }
        left = right;
    }
    None
}

/// A function at one place.
#[derive(Clone, Copy)]
struct Sample {
    theta: f64,
    height: f64,
}

/// A place between `left` and `right` where `height` falls below zero and comes back.
///
/// Only if it falls at the left and rises at the right, with the lowest place in between.
fn dip(height: &impl Fn(f64) -> f64, left: Sample, right: Sample) -> Option<Sample> {
    let nearby = NEARBY * (right.theta - left.theta);
    let (mut low, mut high) = (left.theta, right.theta - nearby);
    let falls = height(low + nearby) <= left.height;
    if !falls || right.height <= height(high) {
        return None;
    }
    for _ in 0..BISECTIONS {
        let theta = 0.5 * (low + high);
        let middle = Sample {
            theta,
            height: height(theta),
        };
        if middle.height < 0.0 {
            return Some(middle);
        }
        if height(theta + nearby) > middle.height {
            high = theta
        } else {
            low = theta
        }
    }
    None
}

/// A function falls towards its zeros; towards a pole it grows without bound, on either side.
fn kind(height: &impl Fn(f64) -> f64, Bracket { before, after }: Bracket) -> Kind {
    // Far enough away for a difference to exceed rounding if there is no pole.
    let grows = |near: f64, away: f64| height(near).abs() > 10.0 * height(away).abs();
    let pole = |away: &f64| grows(after, after + away) && grows(before, before - away);
    if [0.1, 1e-3].iter().all(pole) {
        Kind::Pole
    } else {
        Kind::Crossing
    }
}

/// The change of sign between `left`, where `height` is not below zero, and `right`, where it is.
///
/// # Source
/// [Oliveira, Takahashi 2021] *An enhancement of the bisection method average performance
/// preserving minmax optimality*, ACM Trans. Math. Softw. 47, with κ₁ = 0.2/(b − a), κ₂ = 2, n₀ = 1.
fn bracket(height: &impl Fn(f64) -> f64, left: Sample, right: Sample) -> Bracket {
    let (mut a, mut b) = (left.theta, right.theta);
    let (mut height_a, mut height_b) = (left.height.max(0.0), right.height);
    let kappa = 0.2 / (b - a);
    let mut reach = f64::EPSILON;
    while reach < 0.5 * (b - a) {
        reach *= 2.0;
    }
    while b - a > 2.0 * f64::EPSILON {
        let middle = 0.5 * (a + b);
        let radius = (reach * 2.0 - 0.5 * (b - a)).max(0.0);
        reach *= 0.5;
        let secant = (height_b * a - height_a * b) / (height_b - height_a);
        let towards = (middle - secant).signum();
        let shift = kappa * (b - a) * (b - a);
        let shifted = if shift <= (middle - secant).abs() {
            secant + towards * shift
        } else {
            middle
        };
        let x = if (shifted - middle).abs() <= radius {
            shifted
        } else {
            middle - towards * radius
        };
        // In the last bits x may equal an end: then bisect.
        let x = if a < x && x < b { x } else { middle };
        if x <= a || b <= x {
            break;
        }
        let height_x = height(x);
        if height_x < 0.0 {
            (b, height_b) = (x, height_x);
        } else {
            (a, height_a) = (x, height_x);
        }
    }
    Bracket {
        before: a,
        after: b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cell::Cell;
    use core::f64::consts::PI;

    fn crossing(g: impl Fn(f64) -> f64, from: f64) -> Option<f64> {
        let side = Side::of(g(from)).unwrap_or(Side::Positive);
        first_change(g, from, side).map(|Change { bracket, kind }| {
            let Bracket { before, after } = bracket;
            assert!(before < after && after - before < 1e-15);
            assert_eq!(kind, Kind::Crossing);
            before
        })
    }

    #[test]
    fn a_change_of_sign_is_found_to_rounding() {
        for root in [1e-9, 0.1, 0.25, 1.0 / 3.0, 0.999_999] {
            for g in [
                &|x: f64| (x - root) * (x + 2.0),
                &|x: f64| (x - root).powi(3),
                &|x: f64| (5.0 * (x - root)).tanh(),
                &|x: f64| -(x - root).exp_m1(),
            ] as [&dyn Fn(f64) -> f64; 4]
            {
                let found = crossing(g, 0.0).unwrap();
                assert!((found - root).abs() < 1e-15, "{root}: {found}");
            }
        }
    }

    #[test]
    fn few_evaluations_suffice_for_a_smooth_function() {
        let evaluations = Cell::new(0);
        let g = |x: f64| {
            evaluations.set(evaluations.get() + 1);
            x.exp() - 2.0
        };
        assert!((crossing(g, 0.0).unwrap() - 2.0_f64.ln()).abs() < 1e-15);
        assert!(evaluations.get() < 35, "{}", evaluations.get());
    }

    /// [Oliveira, Takahashi 2021], theorem 2.1: n₀ more than bisection at most, which halves a quarter of a step
    /// to 2ε. Here n₀ = 1, five samples and the looks for dips come before, and four for a pole after.
    #[test]
    fn no_function_takes_more_than_bisection_and_one() {
        let bisection = (0.25 / (2.0 * f64::EPSILON)).log2().ceil() as usize;
        for root in [0.001, 0.1, 0.2, 0.3, 0.5001, 0.77, 0.999] {
            for g in [
                &|x: f64| (x - root).powi(9),
                &|x: f64| (x - root).cbrt(),
                &|x: f64| (1e3 * (x - root)).exp_m1(),
                &|x: f64| -(1e3 * (root - x)).exp_m1(),
                &|x: f64| if x < root { -1.0 } else { 1e9 },
                &|x: f64| if x < root { -1e-9 } else { 1.0 },
                &|x: f64| (1e9 * (x - root)).atan(),
            ] as [&dyn Fn(f64) -> f64; 7]
            {
                let evaluations = Cell::new(0);
                let counted = |x: f64| {
                    evaluations.set(evaluations.get() + 1);
                    g(x)
                };
                let side = Side::Negative;
                let below = Sample {
                    theta: (root * 4.0).ceil() / 4.0,
                    height: side.height(g((root * 4.0).ceil() / 4.0)),
                };
                let left = Sample {
                    theta: below.theta - 0.25,
                    height: side.height(g(below.theta - 0.25)),
                };
                let found = bracket(&|x| side.height(counted(x)), left, below);
                assert!(
                    found.before <= root && root <= found.after,
                    "{root}: {found:?}"
                );
                assert!(found.after - found.before <= 4.0 * f64::EPSILON, "{root}");
                assert!(
                    evaluations.get() <= bisection + 1,
                    "{root}: {} of {bisection}",
                    evaluations.get()
                );
            }
        }
    }

    #[test]
    fn dips_are_found_in_every_quarter_of_a_step() {
        for part in 0..4 {
            for place in [0.02, 0.3, 0.5, 0.7, 0.98] {
                let middle = 0.25 * (f64::from(part) + place);
                for width in [1e-3, 1e-5] {
                    // Below zero for that width only, above it on a slope on either side.
                    let g = |x: f64| (x - middle) * (x - middle) - 0.25 * width * width;
                    let case = format!("{width} wide at {middle}");
                    let first = first_change(g, 0.0, Side::Positive).expect(&case).bracket;
                    assert!((first.before - middle + 0.5 * width).abs() < 1e-9, "{case}");
                    let mirrored = |x: f64| -g(x);
                    let same = first_change(mirrored, 0.0, Side::Negative).expect(&case);
                    assert_eq!(same.bracket, first, "{case}");
                }
            }
        }
    }

    #[test]
    fn a_pole_is_told_from_a_jump_and_from_a_zero() {
        let kind = |g: &dyn Fn(f64) -> f64| {
            let side = Side::of(g(0.0)).unwrap();
            first_change(g, 0.0, side).unwrap().kind
        };
        assert_eq!(kind(&|x| 1.0 / (x - 0.3)), Kind::Pole);
        assert_eq!(kind(&|x| 1e-300 / (0.3 - x).powi(3)), Kind::Pole);
        assert_eq!(kind(&|x| (PI * (x + 0.2)).tan()), Kind::Pole);
        assert_eq!(kind(&|x| (x - 0.3).signum()), Kind::Crossing);
        assert_eq!(kind(&|x| (x - 0.3).cbrt()), Kind::Crossing);
        assert_eq!(kind(&|x| x - 0.3), Kind::Crossing);
        // It grows to one side only: a jump from −∞.
        let half = |x: f64| if x < 0.3 { 1.0 / (x - 0.3) } else { 1.0 };
        assert_eq!(kind(&half), Kind::Crossing);
    }

    #[test]
    fn what_is_no_number_is_found_where_it_is_sampled_first() {
        let from = |start: f64| move |x: f64| if x < start { 1.0 } else { f64::NAN };
        for (start, sampled) in [
            (0.0, 0.0),
            (0.1, 0.25),
            (0.25, 0.25),
            (0.6, 0.75),
            (1.0, 1.0),
        ] {
            let found = first_change(from(start), 0.0, Side::Positive).unwrap();
            assert_eq!(found, Change::undefined(sampled), "{start}");
        }
        assert_eq!(first_change(from(1.1), 0.0, Side::Positive), None);
        // What comes before is met before.
        let g = |x: f64| if x < 0.9 { 0.3 - x } else { f64::NAN };
        assert_eq!(crossing(g, 0.0).map(|x| (1e9 * x).round()), Some(3e8));
    }

    #[test]
    fn two_crossings_between_two_samples_are_found_one_after_the_other() {
        // Below zero between 0.3 and 0.3001 only.
        let g = |x: f64| (x - 0.3) * (x - 0.3001);
        let first = first_change(g, 0.0, Side::Positive).unwrap().bracket;
        assert!((first.before - 0.3).abs() < 1e-12);
        let second = first_change(g, first.after, Side::Negative)
            .unwrap()
            .bracket;
        assert!((second.before - 0.3001).abs() < 1e-12);
        assert_eq!(first_change(g, second.after, Side::Positive), None);
    }

    #[test]
    fn a_function_that_touches_zero_does_not_cross_it() {
        assert_eq!(crossing(|x| (x - 0.3) * (x - 0.3), 0.0), None);
        assert_eq!(crossing(|x| 1.0 - x, 0.0), None);
    }

    #[test]
    fn from_zero_the_direction_decides() {
        assert_eq!(side_ahead(|x| x, 0.0), Some(Side::Positive));
        assert_eq!(side_ahead(|x| -x, 0.0), Some(Side::Negative));
        assert_eq!(side_ahead(|_| 0.0, 0.0), None);
        // A root leaves a residue of either sign, which is not where the function goes.
        for residue in [-1e-5, 1e-5] {
            for from in [0.0, 0.4] {
                let g = |slope: f64| move |x: f64| slope * (x - from) + residue;
                assert_eq!(side_ahead(g(1.0), from), Some(Side::Positive));
                assert_eq!(side_ahead(g(-1.0), from), Some(Side::Negative));
            }
        }
    }
}
