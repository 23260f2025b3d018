//! The way back over a course, segment by segment.

use alloc::vec::Vec;

use nalgebra::SVector;

use super::course::{Course, Made};
use super::{Gradient, Reversible, projection};
use crate::derivatives::{Derivatives, Tangent};
use crate::error::{Error, Quantity};
use crate::integrator::Motion;
use crate::real::{Real, first_bad, first_non_finite, is_finite, lane_value};
use crate::state::State;
use crate::system::{Dynamics, System};
use crate::vector::Vector;

/// What is taken back, and the places of the segment that is at hand.
pub(super) struct Backwards<'a, T: Real, S: Dynamics<T>, I> {
    motion: &'a Motion<'a, T, S>,
    method: &'a I,
    course: &'a Course<S::Q, S::V>,
    /// Of each step those of its stages, then those of its projection, then its end.
    places: Vec<State<S::Q, S::V>>,
    marks: Vec<Mark>,
}

/// Where the places of a step stand: those of its stages, and behind those of its projection its end.
#[derive(Clone, Copy, Debug)]
struct Mark {
    stages: usize,
    projection: usize,
    end: usize,
}

impl<'a, T, S, I, const N: usize> Backwards<'a, T, S, I>
where
    T: Real,
    S: System<T, V = SVector<T, N>>,
    I: Reversible<Scalar = T>,
{
    pub(super) fn new(
        motion: &'a Motion<'a, T, S>,
        method: &'a I,
        course: &'a Course<S::Q, S::V>,
    ) -> Self {
        Self {
            motion,
            method,
            course,
            places: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// The loss and its gradient.
    pub(super) fn gradient<const U: usize, const P: usize>(
        mut self,
        loss: impl FnMut(usize, &State<S::Q, S::V>, &mut Tangent<T, N, U, P>) -> T,
    ) -> Result<Gradient<T, N, U, P>, Error>
    where
        S: Derivatives<T, Tangent = Tangent<T, N, U, P>>,
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
            self.record(state, steps)
                .map_err(|error| self.located(error, state.t))?;
            for (number, made) in steps.iter().enumerate().rev() {
                let mark = self.marks[number];
                let end = &self.places[mark.end];
                asked.at(first + number + 1, end)?;
                self.pull_back(mark, first + number, made.h, &mut asked.bar)
                    .map_err(|error| self.located(error, end.t))?;
            }
        }
        asked.at(0, start)?;
        let Asked { sum, mut bar, .. } = asked;
        projection::take_off(self.motion.system(), start, &mut bar)
            .map_err(|error| self.located(error, start.t))?;
        check(&bar)?;
        Ok(Gradient { loss: sum, by: bar })
    }

    /// Makes the steps of a segment again, and keeps their places.
    fn record(&mut self, start: &State<S::Q, S::V>, steps: &[Made<T>]) -> Result<(), Error> {
        self.places.clear();
        self.marks.clear();
        let mut from = start.clone();
        let mut to = start.clone();
        for made in steps {
            to.t = made.end;
            let stages = self.places.len();
            self.method
                .record(self.motion, &from, made.h, &mut to, &mut self.places)?;
            let projection = self.places.len();
            projection::record(self.motion, &mut to, &mut self.places)?;
            let end = self.places.len();
            self.places.push(to.clone());
            self.marks.push(Mark {
                stages,
                projection,
                end,
            });
            core::mem::swap(&mut from, &mut to);
        }
        Ok(())
    }

    /// From what is counted of the end of a step to what is counted of its start.
    fn pull_back<const U: usize, const P: usize>(
        &self,
        mark: Mark,
        number: usize,
        h: T,
        bar: &mut Tangent<T, N, U, P>,
    ) -> Result<(), Error>
    where
        S: Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    {
        let observed = self.course.observed.iter().find(|&&steps| steps > number);
        // A step that lands on a time of the loss ends there whenever it starts.
        let lands = observed == Some(&(number + 1));
        if lands {
            bar.t = T::zero();
        }
        let [projected, stages] = [mark.projection..mark.end, mark.stages..mark.projection]
            .map(|range| &self.places[range]);
        projection::pull_back(self.motion, projected, bar)?;
        let is_first = self
            .course
            .observed
            .iter()
            .all(|&steps| steps == 0 || steps > number);
        let mut length = (lands && is_first).then_some(bar.t);
        self.method
            .pull_back(self.motion, stages, h, bar, length.as_mut())?;
        if let Some(length) = length {
            bar.t -= length;
        }
        Ok(())
    }

    fn located(&self, error: Error, t: T) -> Error {
        error.of(self.motion.system(), lane_value(t, 0))
    }
}

/// The loss, asked from the last time to the first, and what it counts so far.
struct Asked<'a, T, L, const N: usize, const U: usize, const P: usize> {
    loss: L,
    /// The numbers of steps until the times that are left.
    left: &'a [usize],
    sum: T,
    bar: Tangent<T, N, U, P>,
}

impl<T: Real, L, const N: usize, const U: usize, const P: usize> Asked<'_, T, L, N, U, P> {
    /// Asks for the loss at all times that are reached by so many steps.
    fn at<Q: Vector<Scalar = T>>(
        &mut self,
        steps: usize,
        state: &State<Q, SVector<T, N>>,
    ) -> Result<(), Error>
    where
        L: FnMut(usize, &State<Q, SVector<T, N>>, &mut Tangent<T, N, U, P>) -> T,
    {
        while let Some((&last, left)) = self.left.split_last()
            && last == steps
        {
            let index = left.len();
            let mut slopes = Tangent::default();
            let loss = (self.loss)(index, state, &mut slopes);
            // A slope that is no number shows in the gradient.
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
        }
        Ok(())
    }
}

/// That a gradient is made of numbers; entries are counted in the order t, q, v, u, p.
fn check<T: Real, const N: usize, const U: usize, const P: usize>(
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
