//! Impacts that accumulate: bounces of one row that are passed, and crowds of impacts of several rows.

use nalgebra::RealField;

use super::TransitionKind;
use super::contacts::Contacts;
use super::event::Event;
use crate::one_sided::watch::Watched;
use crate::one_sided::{OneSided, RowKind, gaps, kind_of};
use crate::real::{Real, lane_value};

/// The bounces of a gap so far.
#[derive(Clone, Debug)]
pub(super) struct Bounces<T> {
    last: Option<T>,
    flight: T,
    longest: T,
    /// How many of the last flights have the ratio e.
    agreeing: usize,
}

/// The number of successive flights with the ratio e before bounces are passed.
const AGREEING: usize = 3;

/// How far a ratio of flights may differ from e, relative to e.
const RATIO: f64 = 1e-6;

/// The part of the longest flight that all bounces to come may take if they are passed.
const PASSED: f64 = 1e-3;

/// The number of impacts within the part [`CROWDED`] of a step that ends restitution: impacts of several rows follow no ratio.
pub(super) const CROWD: usize = 8;

/// The part of a step within which a [`CROWD`] of impacts ends restitution.
const CROWDED: f64 = 1e-4;

/// The part of a step that a flight of one row has to exceed, or restitution ends.
const SHORT: f64 = 1e-6;

impl<T: Real> Bounces<T> {
    pub(super) fn none() -> Self {
        Self {
            last: None,
            flight: T::zero(),
            longest: T::zero(),
            agreeing: 0,
        }
    }

    /// Counts a bounce with restitution e; the time that all to come take, if they can be passed.
    fn count(&mut self, time: T, restitution: T) -> Option<T> {
        let value = |x: T| lane_value(x, 0);
        let last = self.last.replace(time)?;
        let flight = time - last;
        let expected = restitution * self.flight;
        let agrees = value(flight - expected).abs() <= RATIO * value(expected);
        self.agreeing = if agrees { self.agreeing + 1 } else { 0 };
        if value(flight) > value(self.longest) {
            self.longest = flight;
        }
        self.flight = flight;
        let ends = value(restitution) < 1.0 && self.agreeing >= AGREEING;
        let rest = flight * restitution / (T::one() - restitution);
        (ends && value(rest) <= PASSED * value(self.longest)).then_some(rest)
    }
}

impl<T: Real + RealField, S: OneSided<T>> Contacts<T, S> {
    /// Takes restitution away where bounces accumulate, and says how; `met` is the gap of the impact at the event.
    pub(super) fn without_restitution(
        &mut self,
        event: &mut Event<T, S>,
        time: T,
        (ended, met): (Option<Watched>, Option<usize>),
    ) -> Option<TransitionKind<T>> {
        let passed = self.count_bounces(event, time, ended);
        let collapses = self.count_impacts(time, &event.coefficients, met);
        let recent = lane_value(time, 0) - CROWDED * self.longest_step;
        for i in 0..gaps::<T, S>() {
            if kind_of::<T, S>(i) != RowKind::OneSided {
                continue;
            }
            let is_passed = passed.is_some() && ended == Some(Watched::Gap(i));
            let is_plastic = event.coefficients[i] == T::zero();
            // A flight so short that the gap comes back within its rounding: no time passed, and it still opens.
            let opens = lane_value(event.rates[i], 0) > 0.0;
            let is_lost = self.at_once > 0 && ended == Some(Watched::Gap(i)) && opens;
            let is_recent = self.last.as_ref()[i] >= recent;
            event.closes.as_mut()[i] = collapses && is_recent && (is_plastic || is_lost);
            if collapses || is_passed {
                event.coefficients[i] = T::zero();
                event.stops.as_mut()[i] = true;
            }
        }
        let accumulated = passed.map(|rest| TransitionKind::Accumulated { until: time + rest });
        accumulated.or(collapses.then_some(TransitionKind::Collapsed))
    }

    /// Counts an impact of a row whose restitution is less than 1; true if so many lie within a small part of a step.
    fn count_impacts(&mut self, time: T, restitution: &S::Sides, met: Option<usize>) -> bool {
        let damps = |&row: &usize| lane_value(restitution[row], 0) < 1.0;
        let Some(row) = met.filter(damps) else {
            return false;
        };
        let (time, place) = (lane_value(time, 0), self.count % CROWD);
        let row_before = core::mem::replace(&mut self.last.as_mut()[row], time);
        let earlier = core::mem::replace(&mut self.times[place], time);
        self.count += 1;
        let is_crowded = time - earlier <= CROWDED * self.longest_step
            || time - row_before <= SHORT * self.longest_step
            || self.at_once >= CROWD;
        if is_crowded {
            self.times = [f64::NEG_INFINITY; CROWD];
        }
        is_crowded
    }

    /// Counts a bounce of the row that an event is about; the bounces of rows that are coupled to it begin anew.
    fn count_bounces(&mut self, event: &Event<T, S>, time: T, ended: Option<Watched>) -> Option<T> {
        let row = ended?.gap();
        let mobility = event.geometry.mobility.as_ref();
        let bounces = self.bounces.as_mut();
        for (i, of) in bounces.iter_mut().enumerate().take(gaps::<T, S>()) {
            if i != row && mobility[i][row] != T::zero() {
                *of = Bounces::none();
            }
        }
        match ended {
            Some(Watched::Gap(_)) => bounces[row].count(time, event.coefficients[row]),
            _ => {
                bounces[row] = Bounces::none();
                None
            }
        }
    }
}
