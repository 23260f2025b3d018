//! What a run remembers of its constraints of one side, and how it passes from mode to mode.

use nalgebra::RealField;

use super::accumulation::{Bounces, CROWD};
use super::event::Event;
use super::landing::land;
use super::{Transition, TransitionKind};
use crate::error::Error;
use crate::event::Arrival;
use crate::integrator::{Integrator, Motion};
use crate::one_sided::complementarity::is_held;
use crate::one_sided::consistent_modes::ConsistentModes;
use crate::one_sided::laws::{Ambiguity, ContactLaws, Jams};
use crate::one_sided::terms::{Geometry, rows, sizes_of};
use crate::one_sided::watch::Watched;
use crate::one_sided::{Each, InMode, OneSided, RowKind, RowMode, gaps, kind_of, slip_of};
use crate::real::{Real, lane_value};
use crate::simulation::Simulation;
use crate::state::{State, check_finite};
use crate::vector::Vector;

/// What a run remembers of its constraints of one side.
pub(super) struct Contacts<T: Real, S: OneSided<T>> {
    pub(super) laws: ContactLaws,
    /// The order of the zero that gaps and slips start from at an event, or 0; `None` of slips that other rows hold at zero.
    departing: Each<T, S, Option<u8>>,
    pub(super) bounces: Each<T, S, Bounces<T>>,
    /// Events since the time last advanced.
    pub(super) at_once: usize,
    /// The times of the last impacts, in a ring, and their number.
    pub(super) times: [f64; CROWD],
    pub(super) count: usize,
    /// The time of the last impact of each gap.
    pub(super) last: Each<T, S, f64>,
    /// The longest step so far.
    pub(super) longest_step: f64,
    /// The work of forces and impulses on gaps and slips since the start.
    pub(super) work: S::Sides,
}

/// Events at one time after which a run gives up.
const MOST_AT_ONCE: usize = 100;

/// Units of rounding of a gap or a slip, relative to its terms, within which it counts as zero.
pub(super) const TOUCHING: f64 = 4096.0;

impl<T: Real + RealField, S: OneSided<T>> Contacts<T, S> {
    /// No contacts yet.
    pub(super) fn under(laws: ContactLaws) -> Self {
        let blank = S::Sides::blank();
        Self {
            laws,
            departing: blank.array(Some(0)),
            bounces: blank.array(Bounces::none()),
            at_once: 0,
            times: [f64::NEG_INFINITY; CROWD],
            count: 0,
            last: blank.array(f64::NEG_INFINITY),
            longest_step: 0.0,
            work: blank,
        }
    }

    /// Closes the gaps that are zero at the start, after the impact there.
    pub(super) fn begin<I: Integrator<Scalar = T>>(
        &mut self,
        simulation: &mut Simulation<InMode<T, S>, I>,
    ) -> Result<(), Error> {
        let state = simulation.state().clone();
        let system = simulation.system().system();
        let coefficients = system.contact_coefficients(state.t, &state.q);
        for (i, &value) in coefficients.entries().iter().enumerate() {
            let value = lane_value(value, 0);
            if !(0.0..f64::INFINITY).contains(&value) {
                let slip = i.checked_sub(gaps::<T, S>());
                let gap = slip.map_or(i, |slip| S::SLIPS[slip]);
                let constraint = S::GAPS[gap];
                return Err(Error::InvalidCoefficient { constraint, value });
            }
        }
        let geometry = Geometry::<T, S>::new(system, state.t, &state.q)?;
        let values = system.gaps(state.t, &state.q);
        let sizes = sizes_of(system, &geometry.rows, &state);
        let half = lane_value(T::simd_default_epsilon().simd_sqrt(), 0);
        for (i, constraint) in S::GAPS.iter().enumerate() {
            if kind_of::<T, S>(i) != RowKind::OneSided {
                continue;
            }
            let [depth, size] = [-values[i], sizes[i]].map(|it| lane_value(it, 0));
            if depth.is_nan() || depth > half * size {
                return Err(Error::Penetration {
                    constraint,
                    depth,
                    time: None,
                });
            }
        }
        self.transit(simulation, state, None, &mut |_| {})
    }

    /// One step of at most the length `h`, to the time `t` or to the first event in it.
    pub(super) fn advance<I: Integrator<Scalar = T>>(
        &mut self,
        simulation: &mut Simulation<InMode<T, S>, I>,
        (h, t): (T, T),
        observe: &mut impl FnMut(&Transition<T>),
    ) -> Result<Arrival, Error> {
        let start = simulation.state().clone();
        let memory = simulation.memory().clone();
        let modes = simulation.system().modes.clone();
        let advanced = self.advanced(simulation, (h, t), &memory, observe);
        if advanced.is_err() {
            // An error leaves the start of the step.
            simulation.system_mut().modes = modes;
            simulation.restart(start);
        }
        let advanced = advanced.map_err(|error| simulation.located(error));
        advanced.map(|()| Arrival::Time)
    }

    fn advanced<I: Integrator<Scalar = T>>(
        &mut self,
        simulation: &mut Simulation<InMode<T, S>, I>,
        (h, t): (T, T),
        memory: &I::Memory<S::Q, S::V>,
        observe: &mut impl FnMut(&Transition<T>),
    ) -> Result<(), Error> {
        simulation.step_to(h, t, None)?;
        let step = simulation.take_back(memory.clone());
        let motion = {
            let (integrator, stabilization) = simulation.method();
            let motion = Motion::new(simulation.system(), stabilization);
            integrator.interpolant(&motion, &step.memory, &step.start, &step.end)?
        };
        let found = simulation
            .system()
            .first_end(&motion, |watched| self.departing(watched))?;
        let Some(found) = found else {
            self.at_once = 0;
            self.labour(simulation.system(), &motion, T::one())?;
            self.leave(simulation.system().system(), &step.end);
            return simulation.keep(step);
        };
        let there = land(simulation, &step, &motion, &found)?;
        let length = step.end.t - step.start.t;
        self.longest_step = self.longest_step.max(lane_value(length, 0));
        self.labour(
            simulation.system(),
            &motion,
            (there.t - step.start.t) / length,
        )?;
        self.at_once = match lane_value(there.t - step.start.t, 0) {
            after if after > 0.0 => 0,
            _ => self.at_once + 1,
        };
        if self.at_once >= MOST_AT_ONCE {
            let (events, time) = (self.at_once, None);
            return Err(Error::TooManyEvents { events, time });
        }
        self.transit(simulation, there, Some(found.watched), observe)
    }

    /// The order of the zero that a function starts from; `None` if it stays there.
    fn departing(&self, watched: Watched) -> Option<u8> {
        let side = match watched {
            Watched::Gap(i) => Some(i),
            Watched::Slip(i) => slip_of::<T, S>(i),
            _ => None,
        };
        side.map_or(Some(0), |side| self.departing.as_ref()[side])
    }

    /// Gaps and slips that have clearly left zero at the end of a step start from zero no longer.
    fn leave(&mut self, system: &S, end: &State<S::Q, S::V>) {
        let departs = |&order: &Option<u8>| order.is_some_and(|it| it > 0);
        if !self.departing.as_ref().iter().any(departs) {
            return;
        }
        let State { t, q, v } = end;
        let rows = rows::<T, S>(system, *t, q);
        let (values, rates) = (system.gaps(*t, q), system.one_sided_rates(*t, q, v));
        let sizes = sizes_of(system, &rows, end);
        let unit = TOUCHING * lane_value(T::simd_default_epsilon(), 0);
        for (i, order) in self.departing.as_mut().iter_mut().enumerate() {
            let value = match i < gaps::<T, S>() {
                true => values[i],
                false => rates[i],
            };
            if departs(order) && lane_value(value.simd_abs(), 0) > unit * lane_value(sizes[i], 0) {
                *order = Some(0);
            }
        }
    }

    /// Passes an event at a state: the impact, if gaps close, and the mode that follows.
    fn transit<I: Integrator<Scalar = T>>(
        &mut self,
        simulation: &mut Simulation<InMode<T, S>, I>,
        mut state: State<S::Q, S::V>,
        ended: Option<Watched>,
        observe: &mut impl FnMut(&Transition<T>),
    ) -> Result<(), Error> {
        let before = simulation.system().modes.clone();
        let mut event = Event::new(simulation, &state, ended, &self.departing)?;
        let passed = self.without_restitution(&mut event, state.t, ended);
        let impact = self.collide(simulation.system(), &mut event, &mut state)?;
        event.close();
        let system = simulation.system().system();
        let mut next = event.decide(system, &state, before.as_ref(), ended)?;
        let mut jolt = None;
        if next.is_none() && self.laws.jams == Jams::Impact {
            jolt = self.jolt(simulation.system(), &mut event, &mut state);
            next = event.decide(system, &state, before.as_ref(), None)?;
        }
        let next = next.ok_or_else(|| event.jammed())?;
        let consistent = impact.as_ref().map(|it| it.2).unwrap_or_default();
        let consistent = consistent.or_ambiguous(next.consistent);
        if let (Ambiguity::Refuse, Some(row)) = (self.laws.ambiguity, consistent.undecided()) {
            return Err(Error::Ambiguous {
                constraint: S::GAPS[row],
                modes: consistent,
                time: None,
            });
        }
        self.depart(&event, next.modes.as_ref(), ended);
        simulation.system_mut().modes = next.modes.clone();
        let (_, stabilization) = simulation.method();
        Motion::new(simulation.system(), stabilization).put_back(&mut state)?;
        check_finite(&state)?;
        let time = state.t;
        simulation.restart(state);
        let mut report = |gap: usize, kind| {
            observe(&Transition {
                time,
                constraint: S::GAPS[gap],
                kind,
                consistent,
            });
        };
        if let (Some(ended), Some((impulses, energy, _))) = (ended, &impact) {
            let (impulse, energy) = (impulses[ended.gap()], *energy);
            report(ended.gap(), TransitionKind::Impact { impulse, energy });
            passed
                .into_iter()
                .for_each(|kind| report(ended.gap(), kind));
        }
        if let Some((impulses, energy)) = jolt {
            let pushed = |&gap: &usize| impulses[gap] != T::zero();
            let gap = (0..gaps::<T, S>()).find(pushed).unwrap_or_default();
            let impulse = impulses[gap];
            report(gap, TransitionKind::Jam { impulse, energy });
        }
        let pairs = before.as_ref().iter().zip(next.modes.as_ref());
        for (gap, (&from, &to)) in pairs.enumerate().take(gaps::<T, S>()) {
            if from != to {
                report(gap, TransitionKind::Mode { from, to });
            }
        }
        Ok(())
    }

    /// The impact of gaps that close: its impulses, its change of the kinetic energy, and the modes that its law allows.
    fn collide(
        &mut self,
        moving: &InMode<T, S>,
        event: &mut Event<T, S>,
        state: &mut State<S::Q, S::V>,
    ) -> Result<Option<(S::Sides, T, ConsistentModes)>, Error> {
        let Some((impulses, consistent)) = event.collide(self.laws)? else {
            return Ok(None);
        };
        let energy = self.push(moving, event, &impulses, state);
        Ok(Some((impulses, energy, consistent)))
    }

    /// An impact without collision.
    fn jolt(
        &mut self,
        moving: &InMode<T, S>,
        event: &mut Event<T, S>,
        state: &mut State<S::Q, S::V>,
    ) -> Option<(S::Sides, T)> {
        let impulses = event.jolt(self.laws)?;
        let energy = self.push(moving, event, &impulses, state);
        Some((impulses, energy))
    }

    /// The zeros that gaps and slips start from after an event.
    fn depart(&mut self, event: &Event<T, S>, modes: &[RowMode], ended: Option<Watched>) {
        let departing = self.departing.as_mut();
        for i in 0..gaps::<T, S>() {
            let opens = modes[i] == RowMode::Open && event.touching.as_ref()[i];
            departing[i] = match event.rates[i] == T::zero() {
                _ if !opens => Some(0),
                true => Some(2),
                false => Some(1),
            };
            if let Some(slip) = slip_of::<T, S>(i) {
                let starts = modes[i].sliding().is_some() && event.rates[slip] == T::zero();
                departing[slip] = match ended {
                    _ if !starts => Some(0),
                    _ if is_held::<T, S>(&event.geometry.mobility, modes, slip) => None,
                    Some(Watched::Grip(of, _)) if of == i => Some(2),
                    _ => Some(1),
                };
            }
        }
    }
}
