//! Runs of systems with constraints of one side: from event to event at the order of the integrator.

use core::fmt;

use nalgebra::{RealField, SimdBool};

use super::complementarity::{Candidates, Decision, Problem};
use super::impact::{Impact, ImpactLaw, Impacts, Impulses, jammed};
use super::terms::{Geometry, Terms, dot, rows, sizes_of};
use super::watch::{Found, Watched};
use super::{Each, InMode, OneSided, RowMode, gaps, slip_of};
use crate::error::Error;
use crate::event::Arrival;
use crate::integrator::{Integrator, Interpolant, Motion};
use crate::real::{Real, is_finite, lane_value};
use crate::simulation::{Simulation, Taken};
use crate::state::{State, check_finite};
use crate::system::Dynamics;
use crate::vector::Vector;

/// A run of a system with constraints of one side.
///
/// Between events the integrator advances the system [in one mode](InMode) at its own order; release, impacts, sticking
/// and slipping are found on the dense output, and the step ends there.
///
/// - Impacts follow [Moreau's law](ImpactLaw::Moreau), all rows that touch together; see
///   [`with_impact_law`](Self::with_impact_law) and [`with_impacts`](Self::with_impacts).
/// - After an event every mode is tried, and a consistent one taken: that of before, if it is among them, then sticking.
///   [`Transition::is_ambiguous`] reports that others are consistent and move the system differently.
/// - Bounces that accumulate are passed if the last flights of a row have the ratio e, no row that it is coupled to
///   changes its mode between them, and those to come take less than a thousandth of the longest: the row is then closed.
/// - A start that closes a gap begins with the impact.
/// - Cost: a step of the integrator, and where modes end about five more. No allocation.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// A ball above a floor.
///     struct Ball { m: Real = 2, e: Real = 0.5, g: Real = 10 }
///     particle ball: Point2 { mass: m }
///     gravity [0, -g];
///     constraint floor: ball.y >= 0 { restitution: e };
/// }
/// // From 5 m it falls for 1 s; the bounces take 1 + 2·0.5/(1 − 0.5) = 3 s altogether.
/// let start = State::new(0.0, [0.0, 5.0], [1.0, 0.0]);
/// let mut run = ContactSimulation::new(Ball::<f64>::default(), start, Rk4::new(0.01))?;
/// run.run_until(1.5)?;
/// assert!((run.state().q.y - 1.25).abs() < 1e-12); // at the top of the first bounce
/// run.run_until(4.0)?;
/// assert!(run.state().q.y.abs() < 1e-15);
/// // It rests: the floor carries its weight.
/// assert!((run.contact_forces()?[0] - 20.0).abs() < 1e-12);
/// # Ok::<(), Error>(())
/// ```
pub struct ContactSimulation<T: Real, S: OneSided<T>, I: Integrator<Scalar = T>> {
    simulation: Simulation<InMode<T, S>, I>,
    contacts: Contacts<T, S>,
}

/// An event of a run with constraints of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition<T> {
    /// The time.
    pub time: T,
    /// The name of the constraint.
    pub constraint: &'static str,
    /// The event.
    pub kind: TransitionKind<T>,
    /// Whether the law allows other motions from here, too.
    pub is_ambiguous: bool,
}

/// The kinds of events of a run with constraints of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TransitionKind<T> {
    /// An impact that began at this constraint, with the change of the kinetic energy.
    Impact {
        /// The impulse at its gap.
        impulse: T,
        /// T after it less T before it.
        energy: T,
    },
    /// Bounces that accumulate were passed; they would end at this time.
    Accumulated {
        /// When the last of them would end.
        until: T,
    },
    /// Impacts of several rows crowded within a ten-thousandth of a step: the last had no restitution, and rows that had
    /// none before were closed, an error of the size of the rates that were left.
    Collapsed,
    /// A constraint has changed its mode.
    Mode {
        /// The mode before.
        from: RowMode,
        /// The mode from here.
        to: RowMode,
    },
}

/// What a run remembers of its constraints of one side.
struct Contacts<T: Real, S: OneSided<T>> {
    law: ImpactLaw,
    impacts: Impacts,
    /// The order of the zero that gaps and slips start from at an event, or 0.
    departing: Each<T, S, u8>,
    bounces: Each<T, S, Bounces<T>>,
    /// Events since the time last advanced.
    at_once: usize,
    /// The times of the last impacts, in a ring, and their number.
    times: [f64; CROWD],
    count: usize,
    /// The time of the last impact of each gap.
    last: Each<T, S, f64>,
    /// The longest step so far.
    longest_step: f64,
    /// The work of forces and impulses on gaps and slips since the start.
    work: S::Sides,
}

/// The bounces of a gap so far.
#[derive(Clone, Debug)]
struct Bounces<T> {
    last: Option<T>,
    flight: T,
    longest: T,
    /// How many of the last flights have the ratio e.
    agreeing: usize,
}

/// Events at one time after which a run gives up.
const MOST_AT_ONCE: usize = 100;

/// Steps to place the end of a step on an event.
const MOST_POLISH: usize = 12;

/// Units of rounding of a gap or a slip, relative to its terms, within which it counts as zero.
const TOUCHING: f64 = 4096.0;

/// The number of successive flights with the ratio e before bounces are passed.
const AGREEING: usize = 3;

/// How far a ratio of flights may differ from e, relative to e.
const RATIO: f64 = 1e-6;

/// The part of the longest flight that all bounces to come may take if they are passed.
const PASSED: f64 = 1e-3;

/// Gauss's points on [0, 1] and their weights, exact up to degree 5.
const GAUSS: [(f64, f64); 3] = [
    (0.112_701_665_379_258_3, 5.0 / 18.0),
    (0.5, 4.0 / 9.0),
    (0.887_298_334_620_741_7, 5.0 / 18.0),
];

/// The number of impacts within the part [`CROWDED`] of a step that ends restitution: impacts of several rows follow no ratio.
const CROWD: usize = 8;

/// The part of a step within which a [`CROWD`] of impacts ends restitution.
const CROWDED: f64 = 1e-4;

/// The part of a step that a flight of one row has to exceed, or restitution ends.
const SHORT: f64 = 1e-6;

impl<T, S, I> ContactSimulation<T, S, I>
where
    T: Real + RealField,
    S: OneSided<T>,
    I: Integrator<Scalar = T>,
{
    /// Prepares `system` at `start` for `integrator`, with projection after each step.
    ///
    /// # Errors
    /// Those of [`Simulation::new`]; [`Error::Penetration`] if a gap is negative, [`Error::InvalidCoefficient`] if a
    /// restitution or a friction is.
    pub fn new(system: S, start: State<S::Q, S::V>, integrator: I) -> Result<Self, Error> {
        let mut simulation = Simulation::new(InMode::open(system), start, integrator)?;
        let blank = S::Sides::blank();
        let mut contacts = Contacts {
            law: ImpactLaw::default(),
            impacts: Impacts::default(),
            departing: blank.array(0),
            bounces: blank.array(Bounces::none()),
            at_once: 0,
            times: [f64::NEG_INFINITY; CROWD],
            count: 0,
            last: blank.array(f64::NEG_INFINITY),
            longest_step: 0.0,
            work: blank,
        };
        let begun = contacts.begin(&mut simulation);
        begun.map_err(|error| simulation.located(error))?;
        Ok(Self {
            simulation,
            contacts,
        })
    }

    /// The same run with another law of impact; Moreau's by default. Impacts of the start itself have passed.
    pub fn with_impact_law(mut self, law: ImpactLaw) -> Self {
        self.contacts.law = law;
        self
    }

    /// The same run with impacts at one time together, as by default, or in sequence.
    pub fn with_impacts(mut self, impacts: Impacts) -> Self {
        self.contacts.impacts = impacts;
        self
    }

    /// Advances to exactly the time `end`.
    ///
    /// # Errors
    /// As [`Simulation::run_until`]; [`Error::Jammed`] if friction allows no motion, [`Error::TooManyEvents`] if events
    /// accumulate without a limit that can be passed. The state is then the last good one.
    pub fn run_until(&mut self, end: T) -> Result<(), Error> {
        self.run_until_with(end, |_| {})
    }

    /// Advances to exactly the time `end` and reports every event.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub fn run_until_with(
        &mut self,
        end: T,
        mut observe: impl FnMut(&Transition<T>),
    ) -> Result<(), Error> {
        let contacts = &mut self.contacts;
        let advanced = self.simulation.run_steps_by(
            |simulation, h, t| contacts.advance(simulation, (h, t), &mut observe),
            end,
            |_, _| {},
        );
        advanced.map(|_| ())
    }

    /// The last good state.
    pub fn state(&self) -> &State<S::Q, S::V> {
        self.simulation.state()
    }

    /// The coordinates, under their names.
    pub fn coordinates(&self) -> S::Coordinates {
        self.simulation.coordinates()
    }

    /// The velocities, under their names.
    pub fn velocities(&self) -> S::Velocities {
        self.simulation.velocities()
    }

    /// The system in its present mode.
    pub fn in_mode(&self) -> &InMode<T, S> {
        self.simulation.system()
    }

    /// The mode of each constraint of one side, in the order of [`OneSided::GAPS`].
    pub fn modes(&self) -> &[RowMode] {
        self.in_mode().modes()
    }

    /// λ of gaps, in the order of [`OneSided::GAPS`], and then of slips.
    ///
    /// # Errors
    /// As [`InMode::contact_forces`].
    pub fn contact_forces(&self) -> Result<S::Sides, Error> {
        let State { t, q, v } = self.state();
        let forces = self.in_mode().contact_forces(*t, q, v);
        forces.map_err(|error| self.simulation.located(error))
    }

    /// The gaps, in the order of [`OneSided::GAPS`]; then zeros for slips.
    pub fn gaps(&self) -> S::Sides {
        let State { t, q, .. } = self.state();
        self.in_mode().system().gaps(*t, q)
    }

    /// Kinetic and potential energy.
    pub fn energy(&self) -> T {
        self.simulation.energy()
    }

    /// The work of gaps and of slips since the start: ∫ λₖ (G v)ₖ dt of each row, and Pₖ (G v⁻ + G v⁺)ₖ/2 at impacts.
    ///
    /// Friction and impacts take energy: their work is negative. If all other forces have a potential and no constraint
    /// depends on time, the energy changes by the sum, to the order of the dense output.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     struct Block { m: Real = 2, mu: Real = 0.5, g: Real = 10 }
    ///     particle block: Point2 { mass: m }
    ///     gravity [0, -g];
    ///     constraint floor: block.y >= 0 { friction: mu, slip: velocity(block).x };
    /// }
    /// let start = State::new(0.0, [0.0, 0.0], [3.0, 0.0]);
    /// let mut run = ContactSimulation::new(Block::<f64>::default(), start, Rk4::new(0.01))?;
    /// run.run_until(1.0)?;
    /// // It has stopped: friction has taken m v²/2.
    /// assert!((run.contact_work()[1] + 9.0).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn contact_work(&self) -> &S::Sides {
        &self.contacts.work
    }
}

impl<T: Real> Bounces<T> {
    fn none() -> Self {
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
    /// Closes the gaps that are zero at the start, after the impact there.
    fn begin<I: Integrator<Scalar = T>>(
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
    fn advance<I: Integrator<Scalar = T>>(
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

    /// Adds the work of forces on gaps and slips over a part of a step.
    fn labour(
        &mut self,
        moving: &InMode<T, S>,
        motion: &Interpolant<S::Q, S::V>,
        part: T,
    ) -> Result<(), Error> {
        let does_none = |&mode: &RowMode| matches!(mode, RowMode::Open | RowMode::Sticking);
        let closed = |&mode: &RowMode| mode != RowMode::Open;
        let moves = || {
            let start = motion.state_within(T::zero());
            let still = start.v.zeros_like();
            let rates = moving.system().one_sided_rates(start.t, &start.q, &still);
            rates.entries().iter().any(|&it| it != T::zero())
        };
        let all = moving.modes();
        if all.iter().all(does_none) && !(all.iter().any(closed) && moves()) {
            return Ok(());
        }
        let step = (motion.end_time() - motion.start_time()) * part;
        for (place, weight) in GAUSS {
            let State { t, q, v } = motion.state_within(part * T::lit(place));
            let lambda = moving.contact_forces(t, &q, &v)?;
            let rows = rows::<T, S>(moving.system(), t, &q);
            self.work.update(|k, work| {
                work + lambda[k] * dot(&rows.as_ref()[k], &v) * step * T::lit(weight)
            });
        }
        Ok(())
    }

    /// The order of the zero that a function starts from.
    fn departing(&self, watched: Watched) -> i32 {
        let side = match watched {
            Watched::Gap(i) => Some(i),
            Watched::Slip(i) => slip_of::<T, S>(i),
            _ => None,
        };
        side.map_or(0, |side| self.departing.as_ref()[side].into())
    }

    /// Gaps and slips that have clearly left zero at the end of a step start from zero no longer.
    fn leave(&mut self, system: &S, end: &State<S::Q, S::V>) {
        if self.departing.as_ref().iter().all(|&order| order == 0) {
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
            if lane_value(value.simd_abs(), 0) > unit * lane_value(sizes[i], 0) {
                *order = 0;
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
        let mut event = Event::new(simulation.system(), &state, ended)?;
        let passed = self.without_restitution(&mut event, state.t, ended);
        let energy = |state: &State<S::Q, S::V>| {
            let system = simulation.system();
            system.kinetic_energy(state.t, &state.q, &state.v)
        };
        let kinetic = energy(&state);
        let impulses = event.collide(self.law, self.impacts)?;
        if let Some((impulses, _)) = &impulses {
            let after = event.geometry.pushed(&state.v, impulses);
            let (rows, half) = (event.geometry.rows.as_ref(), T::lit(0.5));
            self.work.update(|k, work| {
                let rates = dot(&rows[k], &state.v) + dot(&rows[k], &after);
                work + impulses[k] * rates * half
            });
            state.v = after;
        }
        let gained = energy(&state) - kinetic;
        event.close();
        let system = simulation.system().system();
        let next = event.decide(system, &state, before.as_ref(), ended)?;
        self.depart(&event, next.modes.as_ref(), ended);
        simulation.system_mut().modes = next.modes.clone();
        let (_, stabilization) = simulation.method();
        Motion::new(simulation.system(), stabilization).put_back(&mut state)?;
        check_finite(&state)?;
        let time = state.t;
        simulation.restart(state);
        let is_ambiguous = next.is_ambiguous | impulses.as_ref().is_some_and(|it| it.1);
        let mut report = |gap: usize, kind| {
            observe(&Transition {
                time,
                constraint: S::GAPS[gap],
                kind,
                is_ambiguous,
            });
        };
        if let (Some(ended), Some((impulses, _))) = (ended, &impulses) {
            let (impulse, energy) = (impulses[ended.gap()], gained);
            report(ended.gap(), TransitionKind::Impact { impulse, energy });
            passed
                .into_iter()
                .for_each(|kind| report(ended.gap(), kind));
        }
        let pairs = before.as_ref().iter().zip(next.modes.as_ref());
        for (gap, (&from, &to)) in pairs.enumerate().take(gaps::<T, S>()) {
            if from != to {
                report(gap, TransitionKind::Mode { from, to });
            }
        }
        Ok(())
    }

    /// Takes restitution away where bounces accumulate, and says how.
    fn without_restitution(
        &mut self,
        event: &mut Event<T, S>,
        time: T,
        ended: Option<Watched>,
    ) -> Option<TransitionKind<T>> {
        let passed = self.count_bounces(event, time, ended);
        let collapses = self.count_impacts(time, &event.coefficients, ended);
        let recent = lane_value(time, 0) - CROWDED * self.longest_step;
        for i in 0..gaps::<T, S>() {
            let is_passed = passed.is_some() && ended == Some(Watched::Gap(i));
            let is_plastic = event.coefficients[i] == T::zero();
            event.closes.as_mut()[i] = collapses && is_plastic && self.last.as_ref()[i] >= recent;
            if collapses || is_passed {
                event.coefficients[i] = T::zero();
            }
        }
        let accumulated = passed.map(|rest| TransitionKind::Accumulated { until: time + rest });
        accumulated.or(collapses.then_some(TransitionKind::Collapsed))
    }

    /// The zeros that gaps and slips start from after an event.
    fn depart(&mut self, event: &Event<T, S>, modes: &[RowMode], ended: Option<Watched>) {
        let departing = self.departing.as_mut();
        for i in 0..gaps::<T, S>() {
            let opens = modes[i] == RowMode::Open && event.touching.as_ref()[i];
            departing[i] = match event.rates[i] == T::zero() {
                _ if !opens => 0,
                true => 2,
                false => 1,
            };
            if let Some(slip) = slip_of::<T, S>(i) {
                let starts = modes[i].sliding().is_some() && event.rates[slip] == T::zero();
                departing[slip] = match ended {
                    _ if !starts => 0,
                    Some(Watched::Grip(of, _)) if of == i => 2,
                    _ => 1,
                };
            }
        }
    }

    /// Counts an impact of a row whose restitution is less than 1; true if so many lie within a small part of a step.
    fn count_impacts(&mut self, time: T, restitution: &S::Sides, ended: Option<Watched>) -> bool {
        let Some(Watched::Gap(row)) = ended else {
            return false;
        };
        if lane_value(restitution[row], 0) >= 1.0 {
            return false;
        }
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

/// The rows at an event.
struct Event<T: Real, S: OneSided<T>> {
    geometry: Geometry<T, S>,
    coefficients: S::Sides,
    /// The gaps that are zero.
    touching: Each<T, S, bool>,
    /// The gaps without restitution that close since their impacts accumulate.
    closes: Each<T, S, bool>,
    /// The rates of gaps and slips.
    rates: S::Sides,
    /// The sizes of their terms.
    sizes: S::Sides,
}

impl<T: Real + RealField, S: OneSided<T>> Event<T, S> {
    fn new(
        moving: &InMode<T, S>,
        state: &State<S::Q, S::V>,
        ended: Option<Watched>,
    ) -> Result<Self, Error> {
        let (system, State { t, q, v }) = (moving.system(), state);
        let geometry = Geometry::new(system, *t, q)?;
        let (values, mut rates) = (system.gaps(*t, q), system.one_sided_rates(*t, q, v));
        let in_time = system.one_sided_rates(*t, q, &v.zeros_like());
        let sizes = sizes_of(system, &geometry.rows, state);
        let unit = TOUCHING * lane_value(T::simd_default_epsilon(), 0);
        let mut touching = rates.array(false);
        for (i, &mode) in moving.modes().iter().enumerate() {
            let is_zero = lane_value(values[i], 0) <= unit * lane_value(sizes[i], 0);
            let is_closed = mode != RowMode::Open;
            touching.as_mut()[i] = is_closed || is_zero || ended == Some(Watched::Gap(i));
            // Closed rows have no rate, and rows that stick no slip.
            if is_closed {
                rates[i] = T::zero();
            }
            if let Some(slip) = slip_of::<T, S>(i)
                && (mode == RowMode::Sticking || ended == Some(Watched::Slip(i)))
            {
                rates[slip] = T::zero();
            }
        }
        let moved = geometry.sizes(v);
        Ok(Self {
            coefficients: system.contact_coefficients(*t, q),
            sizes: moved.like(|i| moved[i] + in_time[i].simd_abs()),
            geometry,
            closes: rates.array(false),
            touching,
            rates,
        })
    }

    /// The impulses that keep gaps from closing, and whether the law allows others; `None` if no gap closes.
    fn collide(
        &mut self,
        law: ImpactLaw,
        impacts: Impacts,
    ) -> Result<Option<(S::Sides, bool)>, Error> {
        let impact = Impact {
            mobility: &self.geometry.mobility,
            coefficients: &self.coefficients,
            touching: &self.touching,
            law,
            impacts,
        };
        let found: Impulses<T, S> = impact.collide(&self.rates, &self.sizes)?;
        self.rates = found.rates;
        let pushes = found.impulses.entries().iter().any(|&it| it != T::zero());
        Ok(pushes.then_some((found.impulses, found.is_ambiguous)))
    }

    /// Takes the rates of gaps whose impacts accumulate as zero; the projection onto the closed gaps then makes them so.
    fn close(&mut self) {
        for (i, &closes) in self.closes.as_ref().iter().enumerate() {
            if closes {
                self.touching.as_mut()[i] = true;
                self.rates[i] = T::zero();
            }
        }
    }

    /// The mode of the motion that follows.
    fn decide(
        &self,
        system: &S,
        state: &State<S::Q, S::V>,
        before: &[RowMode],
        ended: Option<Watched>,
    ) -> Result<Decision<T, S>, Error> {
        let State { t, q, v } = state;
        let Terms {
            geometry,
            right,
            sizes,
            ..
        } = Terms::<T, S>::new(system, *t, q, v)?;
        let problem: Problem<'_, T, S> = Problem {
            mobility: &geometry.mobility,
            right,
            sizes,
            friction: &self.coefficients,
        };
        let of = |ended: Option<Watched>| {
            let mut candidates = self.rates.array(Candidates::APART);
            for (i, of) in candidates.as_mut()[..gaps::<T, S>()].iter_mut().enumerate() {
                *of = self.candidates(i, before[i], ended);
            }
            candidates
        };
        let mut decision = problem.decide(&of(ended));
        if decision.is_none() {
            decision = problem.decide(&of(None));
        }
        let first = self.touching.as_ref().iter().position(|&it| it);
        decision.ok_or_else(|| jammed::<T, S>(first.unwrap_or_default()))
    }

    /// The modes that a row may have next; not the one whose end the event is.
    fn candidates(&self, i: usize, before: RowMode, ended: Option<Watched>) -> Candidates {
        if !self.touching.as_ref()[i] || lane_value(self.rates[i], 0) > 0.0 {
            return Candidates::APART;
        }
        let slip = slip_of::<T, S>(i).map(|slip| lane_value(self.rates[slip], 0));
        let all = match slip {
            None => Candidates::SMOOTH,
            Some(0.0) => Candidates::AT_REST,
            Some(slip) => Candidates::sliding(slip),
        };
        match ended {
            Some(Watched::Force(of)) if of == i => Candidates::OPEN,
            Some(Watched::Grip(of, _) | Watched::Slip(of)) if of == i => all.without(before),
            _ => all.preferring(before),
        }
    }
}

/// The motion from the start of a step to an event in it: steps of the method itself, each with a length corrected by
/// Newton's method, in the scalar of the run, so that times of events have derivatives as well.
fn land<T, S, I>(
    simulation: &Simulation<InMode<T, S>, I>,
    step: &Taken<InMode<T, S>, I>,
    motion: &Interpolant<S::Q, S::V>,
    found: &Found<T>,
) -> Result<State<S::Q, S::V>, Error>
where
    T: Real + RealField,
    S: OneSided<T>,
    I: Integrator<Scalar = T>,
{
    let whole = step.end.t - step.start.t;
    let mut h = whole * T::lit(found.theta);
    let mut there = moved(simulation, step, h)?;
    let unit = 2.0 * lane_value(T::simd_default_epsilon(), 0);
    let small = unit * lane_value(whole.simd_abs() + step.start.t.simd_abs(), 0);
    for round in 0..MOST_POLISH {
        let system = simulation.system();
        let value = system.watched(found.watched, &there)? - found.level;
        let rate = system.rate_of(found.watched, &there, (motion, found.theta))?;
        let change = value / rate;
        if !is_finite(change).all() {
            break;
        }
        let size = lane_value(change.simd_abs(), 0);
        // Derivatives need one correction more than the number itself.
        if (size <= small && round > 0) || size > 0.5 * lane_value(whole, 0) {
            break;
        }
        h -= change;
        if lane_value(h, 0) < 0.0 {
            h -= T::lit(lane_value(h, 0));
        }
        there = moved(simulation, step, h)?;
    }
    Ok(there)
}

/// The motion from the start of a step over the time `h`.
fn moved<T, S, I>(
    simulation: &Simulation<InMode<T, S>, I>,
    step: &Taken<InMode<T, S>, I>,
    mut h: T,
) -> Result<State<S::Q, S::V>, Error>
where
    T: Real + RealField,
    S: OneSided<T>,
    I: Integrator<Scalar = T>,
{
    let (integrator, stabilization) = simulation.method();
    let motion = Motion::new(simulation.system(), stabilization);
    let mut memory = simulation.memory().clone();
    let (mut start, mut end) = (step.start.clone(), step.start.clone());
    let target = start.t + h;
    // An adaptive method may need several steps.
    while lane_value(h, 0) > 0.0 {
        start.clone_from(&end);
        end.t = target;
        integrator.step(&motion, &mut memory, &start, h, &mut end)?;
        check_finite(&end)?;
        h = target - end.t;
    }
    Ok(end)
}

// The system is left out, as in a `Simulation`.
impl<T, S, I> fmt::Debug for ContactSimulation<T, S, I>
where
    T: Real,
    S: OneSided<T>,
    I: Integrator<Scalar = T> + fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContactSimulation")
            .field("simulation", &self.simulation)
            .field(
                "modes",
                &&self.simulation.system().modes.as_ref()[..S::GAPS.len()],
            )
            .finish_non_exhaustive()
    }
}
