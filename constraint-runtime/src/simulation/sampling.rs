//! States of a run at evenly spaced times.

use core::fmt;
use core::ops::RangeInclusive;

use nalgebra::RealField;

use super::Simulation;
use crate::checks::check_step_size;
use crate::error::Error;
use crate::event::{Arrival, Events};
use crate::integrator::{Integrator, Interpolant, Motion};
use crate::real::{Real, lane_value};
use crate::state::State;
use crate::system::{Dynamics, System};

/// A time with the coordinates and velocities there, under their names if the system has any: the item of
/// [`Simulation::sample`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<T, Coordinates, Velocities> {
    /// Time t.
    pub t: T,
    /// Coordinates q.
    pub coordinates: Coordinates,
    /// Velocities v.
    pub velocities: Velocities,
}

/// The states of a run at evenly spaced times: see [`Simulation::sample`].
#[must_use = "a run is sampled as its samples are asked for"]
pub struct Samples<'a, S, I, E>
where
    S: System<I::Scalar>,
    I: Integrator,
{
    run: &'a mut Simulation<S, I, E>,
    start: I::Scalar,
    end: I::Scalar,
    interval: I::Scalar,
    /// The number of the next sample.
    next: usize,
    is_over: bool,
    /// The motion over the last step, if a sample has been taken from it.
    motion: Option<Interpolant<S::Q, S::V>>,
}

impl<T, S, I, E> Simulation<S, I, E>
where
    T: Real + RealField,
    S: System<T>,
    I: Integrator<Scalar = T>,
    E: Events<S::Q, S::V>,
{
    /// Runs through `times` and returns the states at its start, every `interval` from there, and no later than its
    /// end.
    ///
    /// - Methods with fixed steps end a step at each sample. Adaptive methods take the steps that they would take to
    ///   the end of `times`, and samples come from the [`Interpolant`], projected onto the constraints if that is the
    ///   stabilisation; with events they also end a step at each sample.
    /// - Times are multiples of `interval` from the start, so that rounding does not add up; one that misses the end
    ///   by rounding is the end.
    /// - After the last sample the run has reached the end of `times`, or the last sample before it. A handler that
    ///   stops the run ends the samples; [`state`](Self::state) is that of the event then.
    /// - Errors are those of [`run_until`](Self::run_until), [`Error::InvalidStepSize`] for the interval and
    ///   [`Error::InvalidTime`] for `times`: each is the last item.
    /// - Cost: about 8 (Q + V) operations and a projection for an interpolated sample. No allocation.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     struct Pendulum { l: Real = 1, g: Real = 9.81 }
    ///     particle bob: Point2 { mass: 1 }
    ///     constraint rod: norm(bob) == l;
    ///     gravity [0, -g];
    /// }
    /// let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
    /// let mut run = Simulation::new(Pendulum::default(), start, DormandPrince::new(1e-9, 1e-9))?;
    /// let mut lowest = 0.0_f64;
    /// for sample in run.sample(0.0..=10.0, 0.01) {
    ///     let sample = sample?;
    ///     lowest = lowest.min(sample.coordinates.bob.y);
    /// }
    /// assert!(lowest < -0.999);
    /// assert_eq!(run.sample(10.0..=11.0, 0.25).count(), 5);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn sample(&mut self, times: RangeInclusive<T>, interval: T) -> Samples<'_, S, I, E> {
        let (start, end) = times.into_inner();
        Samples {
            run: self,
            start,
            end,
            interval,
            next: 0,
            is_over: false,
            motion: None,
        }
    }
}

type StateOf<T, S> = State<<S as Dynamics<T>>::Q, <S as Dynamics<T>>::V>;

/// The sample type for a run of the system `S`.
type SampleOf<T, S> = Sample<T, <S as Dynamics<T>>::Coordinates, <S as Dynamics<T>>::Velocities>;

impl<T, S, I, E> Iterator for Samples<'_, S, I, E>
where
    T: Real + RealField,
    S: System<T>,
    I: Integrator<Scalar = T>,
    E: Events<S::Q, S::V>,
{
    type Item = Result<SampleOf<T, S>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let sample = self.take();
        self.next += 1;
        self.is_over = !matches!(sample, Ok(Some(_)));
        let named = |State { t, q, v }: State<S::Q, S::V>| Sample {
            t,
            coordinates: q.into(),
            velocities: v.into(),
        };
        Some(sample.transpose()?.map(named))
    }
}

impl<T, S, I, E> Samples<'_, S, I, E>
where
    T: Real + RealField,
    S: System<T>,
    I: Integrator<Scalar = T>,
    E: Events<S::Q, S::V>,
{
    /// The next state; `None` if there are no more.
    fn take(&mut self) -> Result<Option<StateOf<T, S>>, Error> {
        if self.next == 0 {
            self.check()?;
        }
        let Some(t) = self.time() else {
            return Ok(None);
        };
        let chooses = !lane_value(self.run.integrator.longest_step(), 0).is_finite();
        if chooses && E::COUNT == 0 {
            return self.interpolated(t).map(Some);
        }
        Ok(match self.run.run_until(t)? {
            Arrival::Time => Some(self.run.state().clone()),
            Arrival::Event(_) => None,
        })
    }

    /// The time of the next sample.
    fn time(&self) -> Option<T> {
        let t = self.start + T::lit(self.next as f64) * self.interval;
        let sliver = self.interval * T::simd_default_epsilon().simd_sqrt();
        if self.next > 0 && t > self.end + sliver {
            None
        } else if t > self.end - sliver {
            Some(self.end)
        } else {
            Some(t)
        }
    }

    /// The state at a time that the run reaches or passes.
    fn interpolated(&mut self, t: T) -> Result<StateOf<T, S>, Error> {
        let Self { run, motion, .. } = self;
        run.stabilization.validate()?;
        while run.state().t < t {
            let rest = self.end - run.state().t;
            run.advance(rest, self.end)?;
            *motion = None;
        }
        if run.state().t == t {
            return Ok(run.state().clone());
        }
        let motion = match motion {
            Some(motion) => motion,
            None => motion.insert(run.interpolant()?),
        };
        let mut state = motion.state_at(t);
        let put_back = Motion::new(&run.system, run.stabilization).put_back(&mut state);
        put_back.map_err(|error| run.located(error))?;
        Ok(state)
    }

    /// Checks that times lie ahead, and that the interval is positive and finite.
    fn check(&self) -> Result<(), Error> {
        check_step_size(self.interval)?;
        self.run.check_end(self.start)?;
        self.run.check_end(self.end)?;
        if self.end < self.start {
            let [time, target] = [self.start, self.end].map(|time| lane_value(time, 0));
            return Err(Error::InvalidTime { target, time });
        }
        Ok(())
    }
}

// The system is left out, as in that of the simulation.
impl<S, I, E> fmt::Debug for Samples<'_, S, I, E>
where
    S: System<I::Scalar>,
    I: Integrator + fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Samples")
            .field("run", &self.run)
            .field("start", &self.start)
            .field("end", &self.end)
            .field("interval", &self.interval)
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}
