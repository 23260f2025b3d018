//! The functions whose zeros end a mode, along the dense output of a step.

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
    /// The row of one side that it belongs to.
    pub(super) fn gap(self) -> usize {
        match self {
            Self::Gap(i) | Self::Force(i) | Self::Slip(i) | Self::Grip(i, _) => i,
        }
    }
}

/// The least part of a step after which a function that starts at zero is judged.
const FIRST: f64 = 1e-7;

/// A part of a step over which slopes are taken.
const NEARBY: f64 = 1e-6;

/// Units of rounding by which gaps and slips may be below zero.
const SLACK: f64 = 8.0;

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
    pub(super) fn watched(
        &self,
        watched: Watched,
        State { t, q, v }: &State<S::Q, S::V>,
    ) -> Result<T, Error> {
        let system = self.system();
        let slip = slip_of::<T, S>(watched.gap()).unwrap_or_default();
        Ok(match watched {
            Watched::Gap(i) => system.gaps(*t, q)[i],
            Watched::Slip(i) => {
                let sign = T::lit(self.modes()[i].sliding().unwrap_or_default());
                system.one_sided_rates(*t, q, v)[slip] * sign
            }
            Watched::Force(i) => {
                let [lambda, rounding] = self.forces_and_rounding((*t, q, v))?;
                lambda[i] * T::lit(self.modes()[i].pressing()) + rounding[i] * T::lit(4.0)
            }
            Watched::Grip(i, sign) => {
                let [lambda, rounding] = self.forces_and_rounding((*t, q, v))?;
                let friction = system.contact_coefficients(*t, q)[slip];
                friction * lambda[i].simd_abs() - lambda[slip] * T::lit(sign)
                    + rounding[slip] * T::lit(4.0)
            }
        })
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

    /// The first zero of a watched function in a step. `departing` has the order of the zero that a function starts
    /// from, or 0, and `None` of one that stays there.
    ///
    /// # Errors
    /// Those of the functions; [`Error::EventUndefined`] if one is NaN.
    pub(super) fn first_end(
        &self,
        motion: &Interpolant<S::Q, S::V>,
        departing: impl Fn(Watched) -> Option<u8>,
    ) -> Result<Option<Found<T>>, Error> {
        let mut first: Option<Found<T>> = None;
        let slack = self.slack(motion);
        self.each_watched(|watched| {
            let Some(order) = departing(watched) else {
                return Ok(());
            };
            let slack = match watched {
                Watched::Gap(i) => slack[i],
                Watched::Slip(i) => slack[slip_of::<T, S>(i).unwrap_or_default()],
                // Their rounding is part of the function.
                Watched::Force(_) | Watched::Grip(..) => T::zero(),
            };
            let slack = lane_value(slack, 0);
            let failed = core::cell::Cell::new(None);
            let value =
                |theta: f64| match self.watched(watched, &motion.state_within(T::lit(theta))) {
                    Ok(value) => lane_value(value, 0),
                    Err(error) => {
                        failed.set(Some(error));
                        f64::NAN
                    }
                };
            let level = match order {
                0 => T::zero(),
                _ => self.watched(watched, &motion.state_within(T::zero()))?,
            };
            let start = lane_value(level, 0);
            // A function that starts at zero is divided by the power of the time that it starts with.
            let height = |theta: f64| match order {
                0 => value(theta) + slack,
                _ => {
                    let theta = theta.max(FIRST);
                    let grown = value(theta) - start + slack * theta;
                    (0..order).fold(grown, |it, _| it / theta)
                }
            };
            let Some(Change { bracket, kind }) = first_change(height, 0.0, Side::Positive) else {
                return Ok(());
            };
            if let (Kind::Undefined, time) = (kind, None) {
                let event = watched.gap();
                return Err(failed
                    .take()
                    .unwrap_or(Error::EventUndefined { event, time }));
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
