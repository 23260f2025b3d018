//! The backward pass over a run, segment by segment.

use nalgebra::SVector;

use super::course::{Course, Made};
use super::recording::{Mark, Recording};
use super::{Gradient, Reversible, projection};
use crate::derivatives::{Derivatives, Tangent};
use crate::error::{Error, Quantity};
use crate::integrator::Motion;
use crate::real::{Real, first_bad, first_non_finite, is_finite, lane_value};
use crate::simulation::Passage;
use crate::state::State;
use crate::system::{Dynamics, System};
use crate::vector::Vector;

/// The run to differentiate, and the recorded states of the current segment.
pub(super) struct Backwards<'a, T: Real, S: Dynamics<T>, I> {
    pub(super) motion: Motion<'a, T, S>,
    pub(super) method: &'a I,
    pub(super) course: &'a Course<S::Q, S::V>,
    /// The recorded states of the current segment, or of the whole run.
    recording: Recording<S::Q, S::V>,
    is_whole: bool,
}

/// The derivatives of events.
pub(super) trait Passages<Q: Vector, V, B> {
    /// The slope of an event's function over the length of a step, by values.
    fn descent(&self, event: usize, ends: [&State<Q, V>; 2], h: Q::Scalar) -> f64;

    /// Adds the gradient of an event's function.
    fn function(&mut self, event: usize, state: &State<Q, V>, slopes: &mut B);

    /// Maps the gradient with respect to the state after a handler to the one before it.
    fn handler(&mut self, event: usize, before: &State<Q, V>, bar: &mut B);
}

/// Part of its mean slope over a step below which the function of an event grazes zero instead of crossing it:
/// rounding in the time of the event would leave few digits of a gradient.
const GRAZING: f64 = 1e-5;

impl<'a, T, S, I, const N: usize> Backwards<'a, T, S, I>
where
    T: Real,
    S: System<T, V = SVector<T, N>>,
    I: Reversible<Scalar = T>,
{
    pub(super) fn new(
        motion: Motion<'a, T, S>,
        method: &'a I,
        course: &'a Course<S::Q, S::V>,
        kept: Option<Recording<S::Q, S::V>>,
    ) -> Self {
        Self {
            motion,
            method,
            course,
            is_whole: kept.is_some(),
            recording: kept.unwrap_or_else(Recording::empty),
        }
    }

    /// The loss and its gradient.
    pub(super) fn gradient<const U: usize, const P: usize>(
        mut self,
        loss: impl FnMut(usize, &State<S::Q, S::V>, &mut Tangent<T, N, U, P>) -> T,
        mut events: impl Passages<S::Q, S::V, Tangent<T, N, U, P>>,
    ) -> Result<Gradient<T, N, U, P>, Error>
    where
        S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    {
        let (course, start) = (self.course, &self.course.states[0]);
        let mut asked = Asked {
            loss,
            left: &course.observed,
            sum: T::zero(),
            bar: Tangent::default(),
        };
        for (segment, state) in course.states.iter().enumerate().rev() {
            let first = segment * course.stride;
            let steps = &course.steps[first..course.steps.len().min(first + course.stride)];
            if !self.is_whole {
                let recorded = self.record(state, first, steps);
                recorded.map_err(|error| self.located(error, state.t))?;
            }
            for (i, made) in steps.iter().enumerate().rev() {
                let (number, mark) = (first + i, self.recording.marks[i]);
                let end = &self.recording.places[mark.last];
                let lands = asked.at(number + 1, end)?;
                let taken = match course.passage(number) {
                    Some(passage) => {
                        self.pass_back(mark, passage, made.h, &mut events, &mut asked.bar)
                    }
                    None => self.pull_back(mark, made.h, lands, &mut asked),
                };
                taken.map_err(|error| self.located(error, end.t))?;
            }
        }
        asked.at(0, start)?;
        let Asked { sum, mut bar, .. } = asked;
        projection::take_off(self.motion.system(), start, &mut bar)
            .map_err(|error| self.located(error, start.t))?;
        check(&bar)?;
        Ok(Gradient {
            loss: sum,
            by: bar,
            arrival: course.arrival,
        })
    }

    /// Repeats the steps of a segment and records their states.
    fn record(
        &mut self,
        start: &State<S::Q, S::V>,
        first: usize,
        steps: &[Made<T>],
    ) -> Result<(), Error> {
        let Self {
            motion,
            method,
            course,
            recording,
            ..
        } = self;
        recording.clear();
        let mut from = start.clone();
        let mut to = start.clone();
        for (number, made) in (first..).zip(steps) {
            to.t = made.end;
            let passage = course.passage(number);
            recording.repeat((motion, *method), &from, made.h, passage, &mut to)?;
            core::mem::swap(&mut from, &mut to);
        }
        Ok(())
    }

    /// Maps the gradient with respect to the end of a step to the one with respect to its start.
    fn pull_back<L, const U: usize, const P: usize>(
        &self,
        mark: Mark,
        h: T,
        lands: bool,
        asked: &mut Asked<'_, T, L, N, U, P>,
    ) -> Result<(), Error>
    where
        S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    {
        if !lands {
            return self.step_back(mark, h, &mut asked.bar, false).map(|_| ());
        }
        // A step that lands on a time of the loss ends there regardless of its start.
        asked.bar.t = T::zero();
        let varies = self.course.has_passages() || asked.is_first();
        let length = self.step_back(mark, h, &mut asked.bar, varies)?;
        asked.bar.t -= length;
        Ok(())
    }

    /// The same for a step that ends at an event: a change of its start also changes its length.
    ///
    /// ```text
    /// g(y(h)) = 0 at y(h) = Φ(y₀, h)        ȳ₀ = (∂Φ/∂y₀)ᵀ (ȳ − (ȳ·Φ_h/ġ) ∂g/∂y),   ġ = ∂g/∂y·Φ_h
    /// ```
    fn pass_back<const U: usize, const P: usize>(
        &self,
        mark: Mark,
        passage: &Passage<S::Q, S::V>,
        h: T,
        events: &mut impl Passages<S::Q, S::V, Tangent<T, N, U, P>>,
        bar: &mut Tangent<T, N, U, P>,
    ) -> Result<(), Error>
    where
        S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    {
        let (event, before) = (passage.event, &passage.before);
        if passage.handled.is_some() {
            let projected = &self.recording.places[mark.end + 1..mark.last];
            projection::pull_back(&self.motion, projected, bar)?;
            events.handler(event, before, bar);
        }
        let mut slopes = Tangent::default();
        events.function(event, before, &mut slopes);
        let rate = self.step_back(mark, h, &mut slopes, true)?;
        let ends = [&self.recording.places[mark.stages], before];
        let mean = events.descent(event, ends, h);
        if grazes(rate, mean) {
            return Err(Error::GrazingEvent { event, time: None });
        }
        let later = self.step_back(mark, h, bar, true)?;
        slopes *= later / rate;
        *bar -= &slopes;
        Ok(())
    }

    /// Reverses a step of constant length, and returns the derivative by that length, if requested.
    fn step_back<const U: usize, const P: usize>(
        &self,
        mark: Mark,
        h: T,
        bar: &mut Tangent<T, N, U, P>,
        varies: bool,
    ) -> Result<T, Error>
    where
        S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    {
        let step = (&self.recording, mark, h);
        step_back((&self.motion, self.method), step, bar, varies)
    }

    fn located(&self, error: Error, t: T) -> Error {
        error.of(self.motion.system(), lane_value(t, 0))
    }
}

/// Reverses a step of constant length, and returns the derivative by that length, if requested.
pub(crate) fn step_back<T, S, I, const N: usize, const U: usize, const P: usize>(
    (motion, method): (&Motion<'_, T, S>, &I),
    (recording, mark, h): (&Recording<S::Q, S::V>, Mark, T),
    bar: &mut Tangent<T, N, U, P>,
    varies: bool,
) -> Result<T, Error>
where
    T: Real,
    S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    I: Reversible<Scalar = T>,
{
    let [projected, stages] = [mark.projection..mark.end, mark.stages..mark.projection]
        .map(|range| &recording.places[range]);
    projection::pull_back(motion, projected, bar)?;
    let mut length = bar.t;
    let asked = varies.then_some(&mut length);
    method.pull_back(motion, stages, h, bar, asked)?;
    Ok(length)
}

/// Whether a function with this slope at its zero, and this mean slope over the step, grazes zero.
pub(crate) fn grazes<T: Real>(rate: T, mean: f64) -> bool {
    first_bad(rate, rate.simd_abs().simd_gt(T::lit(GRAZING * mean))).is_some()
}

/// The loss, evaluated from the last time to the first, and its gradient so far.
pub(crate) struct Asked<'a, T, L, const N: usize, const U: usize, const P: usize> {
    pub(crate) loss: L,
    /// The step counts at the remaining times.
    pub(crate) left: &'a [usize],
    pub(crate) sum: T,
    pub(crate) bar: Tangent<T, N, U, P>,
}

impl<T: Real, L, const N: usize, const U: usize, const P: usize> Asked<'_, T, L, N, U, P> {
    /// Evaluates the loss at all times that are reached after so many steps; returns whether there are any.
    pub(crate) fn at<Q: Vector<Scalar = T>>(
        &mut self,
        steps: usize,
        state: &State<Q, SVector<T, N>>,
    ) -> Result<bool, Error>
    where
        L: FnMut(usize, &State<Q, SVector<T, N>>, &mut Tangent<T, N, U, P>) -> T,
    {
        let mut any = false;
        while let Some((&last, left)) = self.left.split_last()
            && last == steps
        {
            let index = left.len();
            let mut slopes = Tangent::default();
            let loss = (self.loss)(index, state, &mut slopes);
            // A NaN slope shows in the gradient.
            if let Some(value) = first_bad(loss, is_finite(loss)) {
                return Err(Error::NonFinite {
                    quantity: Quantity::Loss,
                    index,
                    names: None,
                    value,
                    time: Some(lane_value(state.t, 0)),
                });
            }
            self.sum += loss;
            self.bar += slopes;
            self.left = left;
            any = true;
        }
        Ok(any)
    }

    /// True if no time is left after the start.
    fn is_first(&self) -> bool {
        self.left.last().is_none_or(|&steps| steps == 0)
    }
}

/// Checks that a gradient is finite; entries are counted in the order t, q, v, u, p.
pub(crate) fn check<T: Real, const N: usize, const U: usize, const P: usize>(
    by: &Tangent<T, N, U, P>,
) -> Result<(), Error> {
    let time = first_bad(by.t, is_finite(by.t)).map(|value| (0, value));
    let after = |count: usize| move |(i, value)| (count + i, value);
    let bad = time
        .or_else(|| first_non_finite(&by.q).map(after(1)))
        .or_else(|| first_non_finite(&by.v).map(after(1 + N)))
        .or_else(|| first_non_finite(&by.u).map(after(1 + 2 * N)))
        .or_else(|| first_non_finite(&by.p).map(after(1 + 2 * N + U)));
    match bad {
        None => Ok(()),
        Some((index, value)) => Err(Error::NonFinite {
            quantity: Quantity::Gradient,
            index,
            names: None,
            value,
            time: None,
        }),
    }
}
