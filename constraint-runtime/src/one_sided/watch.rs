//! The functions whose zeros end a mode, along the dense output of a step.

use core::cell::{Cell, RefCell};

use super::terms::{rows, sizes_of};
use super::{InMode, OneSided, RowKind, RowMode, gaps, kind_of, slip_of};
use crate::error::Error;
use crate::event::{Change, Kind, Side, first_change};
use crate::integrator::Interpolant;
use crate::real::{Real, lane_value};
use crate::state::State;
use crate::system::Dynamics;
use crate::vector::Vector;

/// A function that is positive in a mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Watched {
    /// The gap of an open row.
    Gap(usize),
    /// The force on a closed row, in the direction in which it presses.
    Force(usize),
    /// The slip of a sliding row, in its direction.
    Slip(usize),
    /// μ λ_n − λ_t, or with the other sign of λ_t, of a row that sticks.
    Grip(usize, f64),
}

impl Watched {
    /// The place of its gap or slip among all.
    fn side<T: Real, S: OneSided<T>>(self) -> usize {
        match self {
            Self::Gap(i) | Self::Force(i) => i,
            Self::Slip(i) | Self::Grip(i, _) => slip_of::<T, S>(i).unwrap_or_default(),
        }
    }

    /// The row of one side that it belongs to.
    pub(super) fn gap(self) -> usize {
        match self {
            Self::Gap(i) | Self::Force(i) | Self::Slip(i) | Self::Grip(i, _) => i,
        }
    }
}

/// A part of a step over which slopes are taken.
const NEARBY: f64 = 1e-6;

/// Units of rounding by which gaps and slips may be below zero.
const SLACK: f64 = 8.0;

/// How many times that a gap or a slip may come near zero and count as touching it: the rounding of many steps.
const TOUCHED: f64 = 64.0;

/// How a gap or a slip starts in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Departure {
    /// Away from zero.
    Away,
    /// At zero, which it leaves.
    AtZero,
    /// At zero, where other rows hold it.
    Held,
}

/// The place within a step where a mode ends.
pub(super) struct Found<T> {
    pub(super) watched: Watched,
    /// The fraction of the step.
    pub(super) theta: f64,
    /// The value of the function there: the rounding of zero from which it started, otherwise 0.
    pub(super) level: T,
}

impl<T: Real, S: OneSided<T>> InMode<T, S> {
    /// Calls `visit` with the functions of all rows.
    fn each_watched(
        &self,
        mut visit: impl FnMut(Watched) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for i in 0..gaps::<T, S>() {
            match self.modes()[i] {
                RowMode::Open => visit(Watched::Gap(i))?,
                mode => {
                    let ends_with_force = match kind_of::<T, S>(i) {
                        RowKind::OneSided => true,
                        RowKind::TwoSided => mode.sliding().is_some(),
                        RowKind::Motor => false,
                    };
                    if ends_with_force {
                        visit(Watched::Force(i))?;
                    }
                    if mode == RowMode::Sticking {
                        visit(Watched::Grip(i, 1.0))?;
                        visit(Watched::Grip(i, -1.0))?;
                    }
                    if mode.sliding().is_some() {
                        visit(Watched::Slip(i))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The function at a state.
    pub(super) fn watched(&self, watched: Watched, state: &State<S::Q, S::V>) -> Result<T, Error> {
        let State { t, q, v } = state;
        let system = self.system();
        Ok(match watched {
            Watched::Gap(i) => system.gaps(*t, q)[i],
            Watched::Slip(i) => {
                let sign = T::lit(self.modes()[i].sliding().unwrap_or_default());
                let slip = slip_of::<T, S>(i).unwrap_or_default();
                system.one_sided_rates(*t, q, v)[slip] * sign
            }
            Watched::Force(_) | Watched::Grip(..) => {
                let [lambda, _] = self.forces_and_rounding((*t, q, v))?;
                self.pushing(watched, state, &lambda)
            }
        })
    }

    /// The function of a force, from the forces at a state.
    fn pushing(
        &self,
        watched: Watched,
        State { t, q, .. }: &State<S::Q, S::V>,
        lambda: &S::Sides,
    ) -> T {
        let Watched::Grip(i, sign) = watched else {
            let i = watched.gap();
            return lambda[i] * T::lit(self.modes()[i].pressing());
        };
        let slip = slip_of::<T, S>(i).unwrap_or_default();
        let friction = self.system().contact_coefficients(*t, q)[slip];
        friction * lambda[i].simd_abs() - lambda[slip] * T::lit(sign)
    }

    /// The derivative of the function along the motion; of forces by differences along the step.
    pub(super) fn rate_of(
        &self,
        watched: Watched,
        state: &State<S::Q, S::V>,
        (motion, theta): (&Interpolant<S::Q, S::V>, f64),
    ) -> Result<T, Error> {
        let (system, State { t, q, v }) = (self.system(), state);
        match watched {
            Watched::Gap(i) => Ok(system.one_sided_rates(*t, q, v)[i]),
            Watched::Slip(i) => {
                let slip = slip_of::<T, S>(i).unwrap_or_default();
                let sign = T::lit(self.modes()[i].sliding().unwrap_or_default());
                let jacobian = system.one_sided_jacobian(*t, q);
                let moved = self.acceleration(*t, q, v)?;
                let bias = system.one_sided_bias(*t, q, v)[slip];
                let terms = moved.entries().iter().enumerate();
                let rate = terms.fold(bias, |sum, (k, &a)| sum + jacobian[(slip, k)] * a);
                Ok(rate * sign)
            }
            Watched::Force(_) | Watched::Grip(..) => {
                let at = |theta: f64| self.watched(watched, &motion.state_within(T::lit(theta)));
                let change = at(theta + NEARBY)? - at(theta - NEARBY)?;
                let step = motion.end_time() - motion.start_time();
                let rate = change / (step * T::lit(2.0 * NEARBY));
                Ok(T::lit(lane_value(rate, 0)))
            }
        }
    }

    /// How far gaps and slips may be below zero in a step: rows that follow from others stay at zero to rounding.
    fn slack(&self, motion: &Interpolant<S::Q, S::V>) -> S::Sides {
        let system = self.system();
        let [start, end] = [T::zero(), T::one()].map(|theta| {
            let state = motion.state_within(theta);
            let rows = rows::<T, S>(system, state.t, &state.q);
            sizes_of(system, &rows, &state)
        });
        let unit = T::lit(SLACK) * T::simd_default_epsilon();
        start.like(|i| (start[i] + end[i]) * unit)
    }

    /// The first zero of a watched function in a step; those that start at zero end where they come back to their start.
    ///
    /// # Errors
    /// Those of the functions; [`Error::EventUndefined`] if one is NaN.
    pub(super) fn first_end(
        &self,
        motion: &Interpolant<S::Q, S::V>,
        departing: impl Fn(Watched) -> Departure,
    ) -> Result<Option<Found<T>>, Error> {
        self.first_below(motion, departing, 1.0)
    }

    /// A gap or a slip that touches zero within a step, to the rounding of a run, and leaves it on the same side.
    ///
    /// # Errors
    /// As [`first_end`](Self::first_end).
    pub(super) fn touched(
        &self,
        motion: &Interpolant<S::Q, S::V>,
        departing: impl Fn(Watched) -> Departure,
    ) -> Result<Option<Watched>, Error> {
        let Some(Found { watched, .. }) = self.first_below(motion, departing, -TOUCHED)? else {
            return Ok(None);
        };
        let slack = self.slack(motion)[watched.side::<T, S>()];
        let margin = TOUCHED * lane_value(slack, 0);
        let mut passes = true;
        for theta in [0.0, 1.0] {
            let there = self.watched(watched, &motion.state_within(T::lit(theta)))?;
            passes &= lane_value(there, 0) > margin;
        }
        Ok(passes.then_some(watched))
    }

    /// The first place of a step where a watched function is below zero by so many times its slack.
    fn first_below(
        &self,
        motion: &Interpolant<S::Q, S::V>,
        departing: impl Fn(Watched) -> Departure,
        times: f64,
    ) -> Result<Option<Found<T>>, Error> {
        let mut first: Option<Found<T>> = None;
        let along = Along {
            moving: self,
            motion,
            slack: self.slack(motion),
            failed: Cell::new(None),
            forces: RefCell::default(),
        };
        self.each_watched(|watched| {
            let starts = departing(watched);
            let level = match starts {
                Departure::Held => return Ok(()),
                Departure::Away => T::zero(),
                Departure::AtZero => self.watched(watched, &motion.state_within(T::zero()))?,
            };
            let is_force = matches!(watched, Watched::Force(_) | Watched::Grip(..));
            if times < 0.0 && (is_force || starts != Departure::Away) {
                return Ok(());
            }
            let (start, slack) = (lane_value(level, 0), times * along.slack(watched));
            let height = |theta: f64| along.value(watched, theta) - start + slack;
            let Some(Change { bracket, kind }) = first_change(height, 0.0, Side::Positive) else {
                return Ok(());
            };
            if let (Kind::Undefined, time) = (kind, None) {
                let event = watched.gap();
                let failed = along.failed.take();
                return Err(failed.unwrap_or(Error::EventUndefined { event, time }));
            }
            if first.as_ref().is_none_or(|it| bracket.before < it.theta) {
                let theta = bracket.before;
                first = Some(Found {
                    watched,
                    theta,
                    level,
                });
            }
            Ok(())
        })?;
        Ok(first)
    }
}

/// Places of a step whose forces are kept: those where every function is sampled.
const KEPT: usize = 16;

/// Forces, and what of them counts as zero.
type Forces<T, S> = [<S as OneSided<T>>::Sides; 2];

/// The functions along a step.
struct Along<'a, T: Real, S: OneSided<T>> {
    moving: &'a InMode<T, S>,
    motion: &'a Interpolant<S::Q, S::V>,
    /// How far gaps and slips may be below zero.
    slack: S::Sides,
    failed: Cell<Option<Error>>,
    /// The forces at the last places: all functions of forces need the same M⁻¹ Gᵀ there.
    forces: RefCell<Kept<Forces<T, S>>>,
}

/// The last values of a function, by place, in a ring.
struct Kept<X> {
    values: [Option<(f64, X)>; KEPT],
    next: usize,
}

impl<X> Default for Kept<X> {
    fn default() -> Self {
        Self {
            values: core::array::from_fn(|_| None),
            next: 0,
        }
    }
}

impl<X: Clone> Kept<X> {
    fn at(&mut self, place: f64, compute: impl FnOnce() -> Result<X, Error>) -> Result<X, Error> {
        let mut known = self.values.iter().flatten();
        if let Some((_, value)) = known.find(|it| it.0 == place) {
            return Ok(value.clone());
        }
        let value = compute()?;
        self.values[self.next] = Some((place, value.clone()));
        self.next = (self.next + 1) % KEPT;
        Ok(value)
    }
}

impl<T: Real, S: OneSided<T>> Along<'_, T, S> {
    /// The function at a fraction of the step, forces with their rounding; NaN if it failed.
    fn value(&self, watched: Watched, theta: f64) -> f64 {
        let value = self.evaluated(watched, theta);
        value.map_or_else(
            |error| {
                self.failed.set(Some(error));
                f64::NAN
            },
            |value| lane_value(value, 0),
        )
    }

    fn evaluated(&self, watched: Watched, theta: f64) -> Result<T, Error> {
        let state = self.motion.state_within(T::lit(theta));
        if let Watched::Gap(_) | Watched::Slip(_) = watched {
            return self.moving.watched(watched, &state);
        }
        let at = (state.t, &state.q, &state.v);
        let forces = || self.moving.forces_and_rounding(at);
        let [lambda, rounding] = self.forces.borrow_mut().at(theta, forces)?;
        let value = self.moving.pushing(watched, &state, &lambda);
        Ok(value + rounding[watched.side::<T, S>()] * T::lit(4.0))
    }

    /// How far a function may be below zero.
    fn slack(&self, watched: Watched) -> f64 {
        let slack = match watched {
            Watched::Gap(_) | Watched::Slip(_) => self.slack[watched.side::<T, S>()],
            // Their rounding is part of the function.
            Watched::Force(_) | Watched::Grip(..) => T::zero(),
        };
        lane_value(slack, 0)
    }
}
