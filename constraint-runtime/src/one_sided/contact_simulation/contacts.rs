//! What a run remembers of its constraints of one side, and how it passes from mode to mode.

use alloc::vec::Vec;

use nalgebra::RealField;

use super::accumulation::{Bounces, CROWD};
use super::event::Event;
use super::history::{Event as Passed, Step};
use super::landing::{Landing, land};
use super::{Transition, TransitionKind};
use crate::error::Error;
use crate::event::Arrival;
use crate::integrator::{Integrator, Interpolant, Motion};
use crate::one_sided::complementarity::{Decision, is_held};
use crate::one_sided::consistent_modes::ConsistentModes;
use crate::one_sided::laws::{Ambiguity, ContactLaws, Jams};
use crate::one_sided::start::deepest;
use crate::one_sided::terms::{rows, sizes_of};
use crate::one_sided::watch::{Departure, Watched};
use crate::one_sided::{Each, InMode, OneSided, RowMode, gaps, slip_of};
use crate::real::{Real, lane_value};
use crate::simulation::Simulation;
use crate::state::{State, check_finite};
use crate::vector::Vector;

/// What a run remembers of its constraints of one side.
pub(super) struct Contacts<T: Real, S: OneSided<T>> {
    pub(super) laws: ContactLaws,
    /// How gaps and slips start since an event.
    departing: Each<T, S, Departure>,
    pub(super) bounces: Each<T, S, Bounces<T>>,
    /// Events since the time last advanced.
    pub(super) at_once: usize,
    /// Events since the last step without one.
    since_step: usize,
    /// The times of the last impacts, in a ring, and their number.
    pub(super) times: [f64; CROWD],
    pub(super) count: usize,
    /// The time of the last impact of each gap.
    pub(super) last: Each<T, S, f64>,
    /// The longest step so far.
    pub(super) longest_step: f64,
    /// The work of forces and impulses on gaps and slips since the start.
    pub(super) work: S::Sides,
    /// The steps and their events, while they are recorded.
    pub(super) history: Option<Vec<Step<T, S>>>,
}

/// An impact without collision, with its change of the kinetic energy.
struct Jolt<T: Real, S: OneSided<T>> {
    impulses: S::Sides,
    energy: T,
}

/// What follows an event, and the impact without collision before it.
type Followed<T, S> = (Decision<T, S>, Option<Jolt<T, S>>);

/// Events at one time after which a run gives up.
const MOST_AT_ONCE: usize = 100;

/// Events in one step after which a run gives up: a storm without a limit that can be passed.
const MOST_IN_A_STEP: usize = 10_000;

/// Units of rounding of a gap or a slip, relative to its terms, within which it counts as zero.
pub(super) const TOUCHING: f64 = 4096.0;

impl<T: Real + RealField, S: OneSided<T>> Contacts<T, S> {
    /// No contacts yet.
    pub(super) fn under(laws: ContactLaws) -> Self {
        let blank = S::Sides::blank();
        Self {
            laws,
            departing: blank.array(Departure::Away),
            bounces: blank.array(Bounces::none()),
            at_once: 0,
            since_step: 0,
            times: [f64::NEG_INFINITY; CROWD],
            count: 0,
            last: blank.array(f64::NEG_INFINITY),
            longest_step: 0.0,
            work: blank,
            history: None,
        }
    }

    /// Closes the gaps that are zero at the start, after the impact there.
    pub(super) fn begin<I: Integrator<Scalar = T>>(
        &mut self,
        simulation: &mut Simulation<InMode<T, S>, I>,
    ) -> Result<(), Error> {
        let state = simulation.state().clone();
        let system = simulation.system().system();
        if let Some((row, depth)) = deepest(system, &state) {
            return Err(Error::Penetration {
                constraint: S::GAPS[row],
                depth,
                time: None,
            });
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
            if self.history.is_some() {
                self.refuse_touch(simulation.system(), &motion)?;
            }
            (self.at_once, self.since_step) = (0, 0);
            self.labour(simulation.system(), &motion, T::one())?;
            self.leave(simulation.system().system(), &step.end);
            let h = match simulation.has_fixed_steps() {
                true => h,
                false => step.end.t - step.start.t,
            };
            self.record_step(simulation.system(), &step.start, h, step.end.t);
            return simulation.keep(step);
        };
        let records = self.history.is_some();
        let Landing { there, ends } = land(
            simulation,
            &step,
            &motion,
            &found,
            records.then_some(&mut |start: &_, h, end| {
                self.record_step(simulation.system(), start, h, end);
            }),
        )?;
        let length = step.end.t - step.start.t;
        self.longest_step = self.longest_step.max(lane_value(length, 0));
        self.labour(
            simulation.system(),
            &motion,
            (there.t - step.start.t) / length,
        )?;
        let passed = lane_value(there.t - step.start.t, 0);
        let is_spurious = !ends && passed > 0.0;
        self.at_once = if passed > 0.0 && !is_spurious {
            0
        } else {
            self.at_once + 1
        };
        self.since_step += 1;
        if self.at_once >= MOST_AT_ONCE || self.since_step >= MOST_IN_A_STEP {
            let (events, time) = (self.at_once.max(self.since_step), None);
            return Err(Error::TooManyEvents { events, time });
        }
        if is_spurious {
            // The dense output came back to zero, but the motion leaves it: the step ends here, and nothing else.
            self.leave(simulation.system().system(), &there);
            simulation.restart(there);
            return Ok(());
        }
        self.transit(simulation, there, Some(found.watched), observe)
    }

    /// Refuses a gap or a slip that touches zero in a recorded step: there the run has no gradient.
    fn refuse_touch(
        &self,
        moving: &InMode<T, S>,
        motion: &Interpolant<S::Q, S::V>,
    ) -> Result<(), Error> {
        let touched = moving.touched(motion, |watched| self.departing(watched))?;
        touched.map_or(Ok(()), |watched| {
            Err(Error::GrazingContact {
                constraint: S::GAPS[watched.gap()],
                time: None,
            })
        })
    }

    fn record_step(&mut self, moving: &InMode<T, S>, start: &State<S::Q, S::V>, h: T, end: T) {
        if let Some(steps) = &mut self.history {
            steps.push(Step {
                start: start.clone(),
                h,
                end,
                modes: moving.modes.clone(),
                event: None,
            });
        }
    }

    fn record_event(
        &mut self,
        event: Event<T, S>,
        watched: Watched,
        [before, after]: [&State<S::Q, S::V>; 2],
        next: Each<T, S, RowMode>,
    ) {
        let step = self.history.as_mut().and_then(|steps| steps.last_mut());
        if let (Some(step), Some(pushes)) = (step, event.pushes) {
            step.event = Some(Passed {
                watched,
                before: before.clone(),
                pushes: pushes.into_inner(),
                coefficients: event.coefficients,
                stops: event.stops,
                after: after.clone(),
                next,
            });
        }
    }

    /// How a function starts.
    fn departing(&self, watched: Watched) -> Departure {
        let side = match watched {
            Watched::Gap(i) => Some(i),
            Watched::Slip(i) => slip_of::<T, S>(i),
            _ => None,
        };
        side.map_or(Departure::Away, |side| self.departing.as_ref()[side])
    }

    /// Gaps and slips that have clearly left zero at the end of a step start from zero no longer.
    fn leave(&mut self, system: &S, end: &State<S::Q, S::V>) {
        if !self.departing.as_ref().contains(&Departure::AtZero) {
            return;
        }
        let State { t, q, v } = end;
        let rows = rows::<T, S>(system, *t, q);
        let (values, rates) = (system.gaps(*t, q), system.one_sided_rates(*t, q, v));
        let sizes = sizes_of(system, &rows, end);
        let unit = TOUCHING * lane_value(T::simd_default_epsilon(), 0);
        for (i, departs) in self.departing.as_mut().iter_mut().enumerate() {
            let value = match i < gaps::<T, S>() {
                true => values[i],
                false => rates[i],
            };
            let is_away = lane_value(value.simd_abs(), 0) > unit * lane_value(sizes[i], 0);
            if *departs == Departure::AtZero && is_away {
                *departs = Departure::Away;
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
        let records = self.history.is_some();
        let mut event = Event::new(simulation, &state, ended, &self.departing, records)?;
        let incoming = records.then(|| state.clone());
        let met = event.met(self.laws, ended);
        let passed = self.without_restitution(&mut event, state.t, (ended, met));
        let impact = self.collide(simulation.system(), &mut event, &mut state)?;
        event.close();
        let (next, jolt) = self.follow(simulation.system(), &mut event, &mut state, ended)?;
        let consistent = impact.as_ref().map(|it| it.2).unwrap_or_default();
        let consistent = consistent.or_ambiguous(next.consistent);
        self.check_unambiguous(consistent)?;
        self.depart(&event, next.modes.as_ref());
        simulation.system_mut().modes = next.modes.clone();
        if let (Some(before), Some(watched)) = (incoming, ended) {
            self.record_event(event, watched, [&before, &state], next.modes.clone());
        }
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
        if let (Some(met), Some((impulses, energy, _))) = (met, &impact) {
            let (impulse, energy) = (impulses[met], *energy);
            report(met, TransitionKind::Impact { impulse, energy });
            let mut report = |kind| report(met, kind);
            passed.into_iter().for_each(&mut report);
        }
        if let Some(Jolt { impulses, energy }) = jolt {
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

    /// The mode of the motion that follows, after an impact without collision if there is none and these are chosen.
    fn follow(
        &mut self,
        moving: &InMode<T, S>,
        event: &mut Event<T, S>,
        state: &mut State<S::Q, S::V>,
        ended: Option<Watched>,
    ) -> Result<Followed<T, S>, Error> {
        let (system, before) = (moving.system(), moving.modes());
        if let Some(next) = event.decide(system, state, before, ended)? {
            return Ok((next, None));
        }
        let jolt = match self.laws.jams {
            Jams::Refuse => None,
            Jams::Impact => self.jolt(moving, event, state),
        };
        let next = match jolt {
            Some(_) => event.decide(system, state, before, None)?,
            None => None,
        };
        Ok((
            next.ok_or_else(|| event.jammed(system, state, before))?,
            jolt,
        ))
    }

    /// Refuses several motions, if that is chosen.
    fn check_unambiguous(&self, consistent: ConsistentModes) -> Result<(), Error> {
        match (self.laws.ambiguity, consistent.undecided()) {
            (Ambiguity::Refuse, Some(row)) => Err(Error::Ambiguous {
                constraint: S::GAPS[row],
                modes: consistent,
                time: None,
            }),
            _ => Ok(()),
        }
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
    ) -> Option<Jolt<T, S>> {
        let impulses = event.jolt(self.laws)?;
        let energy = self.push(moving, event, &impulses, state);
        Some(Jolt { impulses, energy })
    }

    /// The gaps and slips that start from zero after an event.
    fn depart(&mut self, event: &Event<T, S>, modes: &[RowMode]) {
        let departing = self.departing.as_mut();
        for i in 0..gaps::<T, S>() {
            departing[i] = match modes[i] == RowMode::Open && event.touching.as_ref()[i] {
                true => Departure::AtZero,
                false => Departure::Away,
            };
            if let Some(slip) = slip_of::<T, S>(i) {
                let starts = modes[i].sliding().is_some() && event.rates[slip] == T::zero();
                departing[slip] = match starts {
                    false => Departure::Away,
                    true if is_held::<T, S>(&event.geometry.mobility, modes, slip) => {
                        Departure::Held
                    }
                    true => Departure::AtZero,
                };
            }
        }
    }
}
