//! Common parts of adaptive methods: tolerances and the norm of errors, the first step, the last, the budget.

use core::ops::Deref;

use nalgebra::SimdBool;

use super::{Motion, Slope};
use crate::allowance::{OWN_EPSILONS, rounding_of_state};
use crate::checks::check_step_size;
use crate::error::Error;
use crate::kept::non_finite;
use crate::real::{Real, first_bad, is_finite, lane_value, largest};
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// Attempts at one step before the method gives up.
const MAX_REJECTIONS: usize = 100;

/// Default limit of steps towards one time: a minute's work or less, where a run needs thousands.
const MOST_STEPS: usize = 1_000_000;

/// The settings of an adaptive method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settings<T> {
    pub rtol: T,
    pub atol: T,
    /// Length of the first step, unless the method chooses it.
    pub first: Option<T>,
    pub longest: T,
    pub most_steps: usize,
}

impl<T: Real> Settings<T> {
    pub fn new(rtol: T, atol: T) -> Self {
        Self {
            rtol,
            atol,
            first: None,
            longest: T::lit(f64::INFINITY),
            most_steps: MOST_STEPS,
        }
    }

    pub fn validate(&self) -> Result<(), Error> {
        for tolerance in [self.rtol, self.atol, self.rtol + self.atol] {
            let some = tolerance.simd_gt(T::zero()) | (tolerance.simd_eq(T::zero()));
            if let Some(tolerance) = first_bad(tolerance, some & is_finite(tolerance)) {
                return Err(Error::InvalidTolerance { tolerance });
            }
        }
        let sum = self.rtol + self.atol;
        if let Some(tolerance) = first_bad(sum, sum.simd_gt(T::zero())) {
            return Err(Error::InvalidTolerance { tolerance });
        }
        self.first.map_or(Ok(()), check_step_size)?;
        match first_bad(self.longest, self.longest.simd_gt(T::zero())) {
            None => Ok(()),
            Some(step_size) => Err(Error::InvalidStepSize { step_size }),
        }
    }

    /// The length of the first step, if it is set.
    pub fn told_first_step(&self) -> Option<T> {
        self.first.map(|first| first.simd_min(self.longest))
    }

    /// Root mean square of `x`, each entry relative to its tolerance at a state; entries with a tolerance of zero, as
    /// with atol = 0 for the velocity at rest, do not count.
    pub fn size_at<Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        &self,
        x: &Slope<Q, V>,
        at: &State<Q, V>,
    ) -> T {
        let counted = |x: T, size: T| {
            let allowed = self.allowed(size.simd_abs());
            x.select(allowed.simd_gt(T::zero()), T::zero())
        };
        let (q, v) = (|i| counted(x.q[i], at.q[i]), |i| counted(x.v[i], at.v[i]));
        self.norm(q, v, at, at).simd_sqrt()
    }

    /// The rounding of a state if the tolerances of entries that are zero to rounding lie below theirs, so that no step is
    /// short enough for them; to compute it costs some kinetic energies for each velocity.
    pub fn rounding<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        at: &State<S::Q, S::V>,
    ) -> Option<Slope<S::Q, S::V>> {
        let most = largest(&at.q).simd_max(largest(&at.v));
        let rounding = most * T::lit(OWN_EPSILONS) * T::simd_default_epsilon();
        let is_below = self.atol.simd_lt(rounding).any() || self.atol.simd_eq(T::zero()).any();
        is_below.then(|| rounding_of_state(motion.system(), at))
    }

    /// The tolerance for an entry of this size.
    #[inline(always)]
    fn allowed(&self, size: T) -> T {
        self.atol + self.rtol * size
    }

    /// Mean square of the values of `q` and `v` at each index, relative to the tolerance of that entry between two
    /// states.
    #[inline(always)]
    pub fn norm<Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        &self,
        q: impl Fn(usize) -> T,
        v: impl Fn(usize) -> T,
        start: &State<Q, V>,
        end: &State<Q, V>,
    ) -> T {
        let sum = self.squares(q, &start.q, &end.q) + self.squares(v, &start.v, &end.v);
        sum / T::lit((end.q.entries().len() + end.v.entries().len()).max(1) as f64)
    }

    /// The same of what is more than `rounding`.
    #[inline(always)]
    pub fn norm_beyond<Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        &self,
        rounding: Option<&Slope<Q, V>>,
        q: impl Fn(usize) -> T,
        v: impl Fn(usize) -> T,
        start: &State<Q, V>,
        end: &State<Q, V>,
    ) -> T {
        let Some(rounding) = rounding else {
            return self.norm(q, v, start, end);
        };
        let beyond = |x: T, rounding: T| {
            let more = x.simd_abs() - rounding;
            T::zero().select(more.simd_le(T::zero()), more)
        };
        let (q, v) = (
            |i| beyond(q(i), rounding.q[i]),
            |i| beyond(v(i), rounding.v[i]),
        );
        self.norm(q, v, start, end)
    }

    #[inline(always)]
    fn squares<X: Vector<Scalar = T>>(&self, x: impl Fn(usize) -> T, start: &X, end: &X) -> T {
        (0..end.entries().len()).fold(T::zero(), |sum, i| {
            let (x, size) = (x(i), start[i].simd_abs().simd_max(end[i].simd_abs()));
            let ratio = x / self.allowed(size);
            // With atol = 0, an entry that stays zero is exact.
            let ratio = ratio.select(x.simd_ne(T::zero()), T::zero());
            sum + ratio * ratio
        })
    }

    /// A first length, from the sizes of y, ẏ and ÿ relative to the tolerance: a motion with these sizes oscillates
    /// with ω = max(ẏ/y, √(ÿ/y)).
    pub fn first_step<Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        &self,
        start: &State<Q, V>,
        slope: &Slope<Q, V>,
        most: T,
        turns: ErrorOfTurns,
        slope_at: impl Fn(&State<Q, V>) -> Result<Slope<Q, V>, Error>,
    ) -> T {
        let State { t, q, v } = start.clone();
        let most = most.simd_min(self.longest);
        let idle = idle_step(t, most);
        let resolved = t.simd_abs() * T::simd_default_epsilon() * T::lit(64.0);
        let size = self.size_at(&Slope { q, v }, start);
        let speed = self.size_at(slope, start);
        // If y is below the tolerance, y may change by the tolerance.
        let least = size.simd_max(T::one());
        let euler = length_or(least * T::lit(0.01) / speed, idle);
        let euler = euler.simd_min(most).simd_max(resolved);
        let bend = self.turn(start, slope, euler, slope_at) / euler;
        let rate = (speed / least).simd_max((bend / least).simd_sqrt());
        let guess = turns.allowed(least) / rate;
        let rising = length_or(turns.rising(speed, bend), T::zero()).simd_max(resolved);
        let guess = guess.select(size.simd_ge(T::one()), guess.simd_max(rising));
        length_or(guess, idle).simd_min(self.longest)
    }

    /// The change of the slope in a step of Euler's method; zero if that fails.
    fn turn<Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        &self,
        start: &State<Q, V>,
        slope: &Slope<Q, V>,
        h: T,
        slope_at: impl Fn(&State<Q, V>) -> Result<Slope<Q, V>, Error>,
    ) -> T {
        let ahead = State {
            t: start.t + h,
            q: slope.q.like(|i| start.q[i] + slope.q[i] * h),
            v: slope.v.like(|i| start.v[i] + slope.v[i] * h),
        };
        let Ok(there) = slope_at(&ahead) else {
            return T::zero();
        };
        let change = Slope {
            q: slope.q.like(|i| there.q[i] - slope.q[i]),
            v: slope.v.like(|i| there.v[i] - slope.v[i]),
        };
        self.size_at(&change, start)
    }
}

/// The rounding of the state at which a step starts, computed if an error asks for it.
pub(super) type Rounding<'a, Q, V> = dyn Deref<Target = Option<Slope<Q, V>>> + 'a;

/// The error estimate of an oscillation: for y′ = i ω y it is `factor` y (ω h)^`power` to lowest order.
#[derive(Clone, Copy, Debug)]
pub(super) struct ErrorOfTurns {
    pub factor: f64,
    pub power: u32,
}

impl ErrorOfTurns {
    /// ω h of a step in which an oscillation of the size `amplitude`, relative to the tolerance, has a hundredth of
    /// the error allowed.
    fn allowed<T: Real>(self, amplitude: T) -> T {
        let root = T::lit(f64::from(self.power).recip());
        (T::lit(0.01 / self.factor) / amplitude).simd_powf(root)
    }

    /// The length of a step from y = 0, where only ẏ and ÿ determine how fast the slope changes and how large y gets.
    fn rising<T: Real>(self, speed: T, bend: T) -> T {
        let time = speed / bend;
        time * self.allowed(speed * time).simd_min(T::one())
    }
}

/// The steps taken towards a time.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde-no-std",
    serde(bound(
        serialize = "T: Real + serde::Serialize",
        deserialize = "T: Real + serde::Deserialize<'de>"
    ))
)]
pub(super) struct Budget<T> {
    /// Infinite before the first.
    #[cfg_attr(
        feature = "serde-no-std",
        serde(with = "crate::saved::perhaps_infinite")
    )]
    target: T,
    steps: usize,
}

impl<T: Real> Default for Budget<T> {
    fn default() -> Self {
        Self {
            target: T::lit(f64::INFINITY),
            steps: 0,
        }
    }
}

impl<T: Real> Budget<T> {
    /// Checks that a stored time is valid or absent.
    pub fn check(&self) -> Result<(), Error> {
        match first_bad(self.target, self.target.simd_eq(self.target)) {
            None => Ok(()),
            Some(value) => Err(non_finite(0, value)),
        }
    }

    /// Checks that the steps towards a time are not too many, including the one of the length `next`; single steps,
    /// which have no end time, are not counted.
    pub fn spend(&mut self, target: T, most: usize, next: T) -> Result<(), Error> {
        if !target.simd_eq(self.target).all() || !is_finite(target).all() {
            (self.target, self.steps) = (target, 0);
        }
        if self.steps < most {
            self.steps += 1;
            return Ok(());
        }
        Err(Error::TooManySteps {
            steps: self.steps,
            step_size: lane_value(next, 0),
            target: lane_value(target, 0),
            time: None,
        })
    }
}

/// The length of a step if nothing moves: a small part of the remaining time or, without an end, of the time itself.
fn idle_step<T: Real>(t: T, most: T) -> T {
    // At the time zero there is no scale: any length is as good.
    let time = length_or(t.simd_abs(), T::one());
    length_or(most, time) * T::lit(1e-6)
}

/// `h` if that is the length of a step, otherwise `other`.
fn length_or<T: Real>(h: T, other: T) -> T {
    h.select(h.simd_gt(T::zero()) & is_finite(h), other)
}

/// An attempt at a step: accepted, or the factor for the next length, with the error if that is the reason.
pub(super) enum Attempt<T> {
    Accepted,
    Rejected(T, Option<Error>),
}

/// Attempts steps from the time `start`, of a length that should be `next` and must not pass `most`, which ends at
/// `target`; shorter ones until one is accepted.
///
/// `attempt` takes the length of a step, its end and whether another has been rejected. Errors that it returns end the
/// search.
///
/// # Errors
/// The last one that a step was rejected for, if there is one, when steps become too short or too many.
#[inline(always)]
pub(super) fn until_accepted<T: Real>(
    start: T,
    [next, most, target]: [T; 3],
    mut attempt: impl FnMut(T, T, bool) -> Result<Attempt<T>, Error>,
) -> Result<(), Error> {
    let mut h = landing(next, most);
    let mut refusal = None;
    for rejections in 0..MAX_REJECTIONS {
        check_resolved(start, h, most).map_err(|error| refusal.unwrap_or(error))?;
        let end = target.select(h.simd_eq(most), start + h);
        match attempt(h, end, rejections > 0)? {
            Attempt::Accepted => return Ok(()),
            Attempt::Rejected(part, error) => {
                h *= part;
                refusal = error.or(refusal);
            }
        }
    }
    Err(refusal.unwrap_or_else(|| too_many_rejections(h)))
}

/// The length of a step that should be `next` and must not pass `most`: a remainder that is a little longer than a
/// step joins it, one that is shorter than two is halved.
fn landing<T: Real>(next: T, most: T) -> T {
    let joined = (next * T::lit(1.01)).simd_ge(most);
    let halved = (next + next).simd_gt(most);
    most.select(joined, (most * T::lit(0.5)).select(halved, next))
}

/// The error for a step that was shortened to `h` in vain, without another cause.
fn too_many_rejections<T: Real>(h: T) -> Error {
    Error::TooManyRejections {
        rejections: MAX_REJECTIONS,
        step_size: lane_value(h, 0),
        time: None,
    }
}

/// Checks that a step of length `h` changes the time by some units of its rounding, or ends the run.
fn check_resolved<T: Real>(t: T, h: T, most: T) -> Result<(), Error> {
    let resolved = h.simd_gt(t.simd_abs() * T::simd_default_epsilon() * T::lit(4.0));
    match first_bad(h, resolved | h.simd_eq(most)) {
        None => Ok(()),
        Some(step_size) => Err(Error::StepSizeUnderflow {
            step_size,
            time: None,
        }),
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::SVector;

    use super::*;

    #[test]
    fn a_remainder_is_joined_halved_or_left() {
        assert_eq!(landing(1.0, 1.005), 1.005);
        assert_eq!(landing(1.0, 1.5), 0.75);
        assert_eq!(landing(1.0, 2.5), 1.0);
        assert_eq!(landing(1.0, 0.3), 0.3);
        assert_eq!(landing(1.0, f64::INFINITY), 1.0);
    }

    #[test]
    fn the_norm_is_the_mean_of_the_squares_of_what_is_allowed() {
        // With as many velocities as coordinates, or not, of one and of three.
        let one = norm(
            &Settings::new(0.0, 0.5),
            &slope([3.0], [4.0]),
            &State::new(0.0, [7.0], [7.0]),
            &State::new(0.0, [7.0], [7.0]),
        );
        assert_eq!(one, (36.0 + 64.0) / 2.0);
        let three = norm(
            &Settings::new(0.0, 1.0),
            &slope([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]),
            &State::new(0.0, [7.0; 3], [7.0; 3]),
            &State::new(0.0, [7.0; 3], [7.0; 3]),
        );
        assert_eq!(three, (1.0 + 4.0 + 9.0 + 16.0 + 25.0 + 36.0) / 6.0);
        // The larger end counts, whatever its sign, and both tolerances.
        let relative = norm(
            &Settings::new(0.5, 1.0),
            &slope([6.0, 0.0, 0.0], [0.0]),
            &State::new(0.0, [-4.0, 0.0, 0.0], [0.0]),
            &State::new(0.0, [2.0, 0.0, 0.0], [0.0]),
        );
        assert_eq!(relative, 4.0 / 4.0);
    }

    fn norm<const Q: usize, const V: usize>(
        settings: &Settings<f64>,
        x: &Slope<SVector<f64, Q>, SVector<f64, V>>,
        start: &State<SVector<f64, Q>, SVector<f64, V>>,
        end: &State<SVector<f64, Q>, SVector<f64, V>>,
    ) -> f64 {
        settings.norm(|i| x.q[i], |i| x.v[i], start, end)
    }

    fn slope<const Q: usize, const V: usize>(
        q: [f64; Q],
        v: [f64; V],
    ) -> Slope<SVector<f64, Q>, SVector<f64, V>> {
        Slope {
            q: q.into(),
            v: v.into(),
        }
    }
}
