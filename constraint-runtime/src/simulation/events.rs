//! The events of a simulation: adding them, finding them within a step, handling them, and shortening the step.

use core::cell::Cell;

use nalgebra::{RealField, SimdBool};

use super::Simulation;
use crate::allowance::rounding_of;
use crate::error::{Error, Quantity};
use crate::event::{Arrival, Crossing, Events, Found, Kind, On, Then};
use crate::integrator::{Integrator, Interpolant, Motion};
use crate::real::{Real, is_finite, lane_value};
use crate::state::{State, check_finite};
use crate::system::System;
use crate::vector::Vector;

/// Events at one time after which a run gives up,
const MAX_AT_ONCE: usize = 100;

/// and events within the time of one step.
const MAX_IN_STEP: usize = 1000;

/// Counts events that follow each other closely.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Simultaneous {
    /// Events since the time last advanced.
    at_once: usize,
    /// Events since the time below.
    in_step: usize,
    since: f64,
}

impl Simultaneous {
    /// Checks that the numbers in a checkpoint are finite.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.since.is_finite() {
            return Ok(());
        }
        Err(Error::NonFinite {
            quantity: Quantity::Time,
            index: 0,
            names: None,
            value: self.since,
            time: None,
        })
    }

    /// Counts an event at the time `t` of the step from `start`, whose intended length was `h`.
    fn count(&mut self, start: f64, t: f64, h: f64) -> Result<(), Error> {
        self.at_once = if t > start { 0 } else { self.at_once + 1 };
        if self.in_step == 0 || t - self.since > h {
            (self.in_step, self.since) = (0, t);
        }
        self.in_step += 1;
        let events = match self.at_once {
            MAX_AT_ONCE.. => self.at_once,
            _ => self.in_step,
        };
        if self.at_once < MAX_AT_ONCE && self.in_step < MAX_IN_STEP {
            return Ok(());
        }
        Err(Error::TooManyEvents { events, time: None })
    }
}

/// Shorter steps taken to place the end of one on an event.
const MAX_POLISH: usize = 12;

/// Steps in which an event is reached. The overshoot of stages beyond an end is at least of third order in the step:
/// 10⁻³, 10⁻⁹ and 10⁻²⁷ of a step.
const MAX_PARTS: usize = 4;

/// An event that a step ended at.
#[derive(Clone, Debug)]
pub(crate) struct Passage<Q: Vector, V> {
    /// Its index.
    pub(crate) event: usize,
    /// The state passed to its handler.
    pub(crate) before: State<Q, V>,
    /// The state that it left, before projection; `None` if it changed nothing.
    pub(crate) handled: Option<State<Q, V>>,
}

/// A completed step: its ends, and the method's memory. If several lead to an event, the last.
pub(crate) struct Taken<S: System<I::Scalar>, I: Integrator> {
    pub(crate) start: State<S::Q, S::V>,
    pub(crate) end: State<S::Q, S::V>,
    pub(crate) memory: I::Memory<S::Q, S::V>,
}

impl<T, S, I, E> Simulation<S, I, E>
where
    T: Real,
    S: System<T>,
    I: Integrator<Scalar = T>,
    E: Events<S::Q, S::V>,
{
    /// Calls `handler` where `function` crosses zero.
    ///
    /// The handler receives the state of a step that ends at the crossing: the function is zero to rounding, on the
    /// side that it comes from. It may change the state, as a bounce does; the run then restarts from there,
    /// projected onto the constraints if that is the stabilisation. Handlers that change nothing leave the run as it
    /// would be without them.
    ///
    /// - Several crossings within one step are all found, in the order of time; so is a pair that lies between two of
    ///   the five samples of a function in a step. Two crossings closer together than about 10⁻⁶ steps may be taken
    ///   for a touch, and a touch is not a crossing.
    /// - A function that starts from zero, to the rounding of the state, counts as on the side it moves to. If its own handler leaves it at zero, it
    ///   has crossed if it clearly moves on; otherwise it is still on the side it came from.
    /// - Bounces that follow each other ever faster end in an error when they are lost in the rounding of the
    ///   function or of the time, and so does a body that its handler brings to rest: nothing falls through. Let the
    ///   handler stop the run when the motion has become slow.
    /// - A function may not jump across zero: watch the sine of an angle, not the angle.
    /// - An event may change the forces by a jump: no stage of the steps up to it lies past it (an adaptive method
    ///   shortens its steps to its tolerance). So fixed steps keep their order.
    /// - A step is atomic: an error in it, or a handler that panics, leaves the state at its start.
    /// - Cost: ten values of each function and of the interpolant a step; ten to twenty steps an event, and a value
    ///   of the function for every coordinate and velocity. No allocation.
    ///
    /// A run fails with [`Error::EventUndefined`] if a function is NaN, with [`Error::EventPole`] if it changes its
    /// sign at a pole, with [`Error::EventUnresolved`] or [`Error::TooManyEvents`] if events accumulate.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
    /// let bead = Particle::new(1.0_f64).on(Parabola).under_gravity([0.0, 9.81]);
    /// let start = State::new(0.0, [-100.0, -100.0], [0.0, 0.0]);
    /// let mut passages = Vec::new();
    /// Simulation::new(bead, start, DormandPrince::new(1e-9, 1e-9))?
    ///     .on(Crossing::Either, |state| state.q.x, |state| {
    ///         passages.push(state.t);
    ///         Then::Continue
    ///     })
    ///     .run_until(60.0)?;
    /// let swing = passages[1] - passages[0];
    /// assert!((passages[2] - passages[1] - swing).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Source
    /// [Shampine, Thompson 2000] *Event location for ordinary differential equations*, Comput. Math.
    /// Appl. 39.
    pub fn on<G, H>(
        self,
        crossing: Crossing,
        function: G,
        handler: H,
    ) -> Simulation<S, I, On<E, G, H>>
    where
        T: RealField,
        G: Fn(&State<S::Q, S::V>) -> T,
        H: FnMut(&mut State<S::Q, S::V>) -> Then,
    {
        let start = self.ends()[1].clone();
        let zero = rounding_of(&self.system, &start, |state| lane_value(function(state), 0));
        let events = On::new(self.events, crossing, function, handler, (&start, zero));
        Simulation {
            system: self.system,
            integrator: self.integrator,
            memory: self.memory,
            stabilization: self.stabilization,
            states: self.states,
            current: self.current,
            events,
            simultaneous: self.simultaneous,
            passage: self.passage,
        }
    }

    /// Stops where `function` crosses zero; call the run method once more to continue from there.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
    /// let bead = Particle::new(1.0_f64).on(Parabola).under_gravity([0.0, 9.81]);
    /// let start = State::new(0.0, [-100.0, -100.0], [0.0, 0.0]);
    /// let mut run = Simulation::new(bead, start, Rk4::new(0.01))?
    ///     .until(Crossing::Rising, |state| state.q.x);
    /// assert_eq!(run.run_until(60.0)?, Arrival::Event(0));
    /// assert!(run.state().q.x.abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    #[expect(
        clippy::type_complexity,
        reason = "the handler is a function that cannot be named shorter"
    )]
    pub fn until<G>(
        self,
        crossing: Crossing,
        function: G,
    ) -> Simulation<S, I, On<E, G, fn(&mut State<S::Q, S::V>) -> Then>>
    where
        T: RealField,
        G: Fn(&State<S::Q, S::V>) -> T,
    {
        self.on(crossing, function, |_| Then::Stop)
    }

    /// Handles the events of a step from the present state, and makes its end, or the event that ends it, the present
    /// state. Nothing is stored before: an error or a handler that panics leaves the start.
    pub(super) fn meet_events(&mut self, step: Taken<S, I>) -> Result<Arrival, Error> {
        self.events.begin();
        let motion = Motion::new(&self.system, self.stabilization);
        let motion = self
            .integrator
            .interpolant(&motion, &step.memory, &step.start, &step.end)?;
        let mut from = None;
        while let Some(found) = self.events.first(&motion, from.unwrap_or(0.0)) {
            check_continuous(&found)?;
            from = Some(found.bracket.after);
            if found.wanted {
                let there = self.step_to_event(&step, &motion, &found)?;
                self.check_resolved(&motion, &found, &there.end)?;
                if let Some(arrival) = self.handle(&step, &motion, &found, there)? {
                    return Ok(arrival);
                }
            }
            self.events.pass(found.index);
        }
        if from.is_none() {
            self.simultaneous = Simultaneous::default();
        }
        self.keep(step)?;
        Ok(Arrival::Time)
    }

    /// Calls the handler of an event; if that ends the step, makes its state the present one.
    fn handle(
        &mut self,
        step: &Taken<S, I>,
        motion: &Interpolant<S::Q, S::V>,
        found: &Found,
        there: Taken<S, I>,
    ) -> Result<Option<Arrival>, Error> {
        let [start, t, end] =
            [step.start.t, there.end.t, step.end.t].map(|time| lane_value(time, 0));
        self.simultaneous.count(start, t, end - start)?;
        let mut state = there.end.clone();
        let then = self.events.handle(found.index, &mut state);
        state.t = there.end.t;
        // A function at rest must not count as crossed merely because nothing changed.
        let changed = state != there.end || found.rests;
        if changed {
            check_finite(&state)?;
            self.passage = Some(Passage {
                event: found.index,
                before: there.end.clone(),
                handled: Some(state.clone()),
            });
            Motion::new(&self.system, self.stabilization).put_back(&mut state)?;
            self.events.restart(found.index, motion, &there.end, &state);
            self.keep(Taken {
                start: state.clone(),
                end: state,
                memory: Default::default(),
            })?;
        } else if then == Then::Stop {
            self.events.pass(found.index);
            self.passage = Some(Passage {
                event: found.index,
                before: there.end.clone(),
                handled: None,
            });
            self.keep(there)?;
        }
        Ok(match then {
            Then::Stop => Some(Arrival::Event(found.index)),
            Then::Continue => changed.then_some(Arrival::Time),
        })
    }

    /// Makes the end of a step the present state.
    pub(crate) fn keep(&mut self, step: Taken<S, I>) -> Result<(), Error> {
        self.system.admits(step.end.t, &step.end.q)?;
        self.states = [step.start, step.end];
        self.current = true;
        self.memory = step.memory;
        self.events.keep();
        Ok(())
    }

    /// The motion up to an event, on the side that its function comes from.
    ///
    /// One step of the method, unless its stages reach farther than its end: then a second, far shorter step covers
    /// the rest.
    fn step_to_event(
        &self,
        step: &Taken<S, I>,
        motion: &Interpolant<S::Q, S::V>,
        found: &Found,
    ) -> Result<Taken<S, I>, Error> {
        let nearby = |theta: f64| self.height(found, &motion.state_within(T::lit(theta)));
        let mut ahead = found.bracket.before;
        let descent = (nearby(ahead - 1e-6) - nearby(ahead + 1e-6)) / 2e-6;
        let h = step.end.t - step.start.t;
        let mut there = Taken {
            start: step.start.clone(),
            end: step.start.clone(),
            memory: self.memory.clone(),
        };
        for part in 0..MAX_PARTS {
            let (closer, height) = self.step_towards(&there, found, h, ahead, descent)?;
            if height < 0.0 && part > 0 {
                break;
            }
            there = closer;
            ahead = self.height(found, &there.end) / descent;
            if !(4.0 * f64::EPSILON..1.0).contains(&ahead) {
                break;
            }
        }
        Ok(there)
    }

    /// Checks that a function falls towards its zero: if it rises there, rounding has caused the zero, and a handler
    /// would reverse a motion in the wrong direction.
    fn check_resolved(
        &self,
        motion: &Interpolant<S::Q, S::V>,
        found: &Found,
        there: &State<S::Q, S::V>,
    ) -> Result<(), Error> {
        let slope = Motion::new(&self.system, self.stabilization).slope(there)?;
        if self.events.turns_back(found, motion, there, &slope) {
            Err(Error::EventUnresolved {
                event: found.index,
                time: None,
            })
        } else {
            Ok(())
        }
    }

    /// The step from the end of `from` that comes closest to an event, a fraction of about `theta` of the length `h`
    /// of the whole step, and the height that remains.
    ///
    /// The interpolant gives the first guess; steps of the method itself, each at a secant's estimate from those
    /// before, remove its error.
    fn step_towards(
        &self,
        from: &Taken<S, I>,
        found: &Found,
        h: T,
        mut theta: f64,
        mut descent: f64,
    ) -> Result<(Taken<S, I>, f64), Error> {
        let (mut best, mut left) = self.shortened(from, found, T::lit(theta) * h)?;
        let (mut last_left, mut back) = (left, 0.5 * f64::EPSILON);
        for _ in 0..MAX_POLISH {
            let mut next = theta + last_left / descent;
            if last_left < 0.0 {
                // From past the event, a little further back than the secant says, more each time.
                back *= 4.0;
                next -= back;
            }
            if left == 0.0 || next == theta || !(0.0..=1.0).contains(&next) {
                break;
            }
            let (closer, now_left) = self.shortened(from, found, T::lit(next) * h)?;
            if left >= 0.0 && now_left.abs() >= left {
                break;
            }
            descent = renewed(descent, (last_left - now_left) / (next - theta));
            (theta, last_left) = (next, now_left);
            if now_left >= 0.0 || now_left > left {
                (best, left) = (closer, now_left);
            }
        }
        Ok((best, left))
    }

    /// The motion from the end of `from` over the time `h`, and how far above zero it stays.
    ///
    /// An event may change the forces: a seam of a track, the start of a contact. A step that ends before it may
    /// still evaluate stages beyond it, although its end does not: such a step errs by the whole jump of the
    /// acceleration, for a method of any order. So the lowest of its stages counts too.
    fn shortened(
        &self,
        from: &Taken<S, I>,
        found: &Found,
        mut h: T,
    ) -> Result<(Taken<S, I>, f64), Error> {
        let lowest = Cell::new(f64::INFINITY);
        let probe = |t: T, q: &S::Q, v: &S::V| {
            let (q, v) = (q.clone(), v.clone());
            let height = self.height(found, &State { t, q, v });
            lowest.set(lowest.get().min(height));
        };
        let motion = Motion::new(&self.system, self.stabilization).probed(&probe);
        let target = from.end.t + h;
        let mut there = Taken {
            start: from.start.clone(),
            end: from.end.clone(),
            memory: from.memory.clone(),
        };
        // An adaptive method may need several steps; one so short that it ends at the time it starts counts.
        while h.simd_gt(T::zero()).any() {
            there.start.clone_from(&there.end);
            there.end.t = target;
            let Taken { start, end, memory } = &mut there;
            self.integrator.step(&motion, memory, start, h, end)?;
            check_finite(end)?;
            h = target - end.t;
        }
        let height = self.height(found, &there.end);
        let lowest = lowest.get();
        let watches = self.has_fixed_steps() && lowest < self.height(found, &from.end);
        Ok((
            there,
            match watches {
                false => height,
                // At zero itself the forces may be those of either side.
                true if lowest == 0.0 => -f64::MIN_POSITIVE,
                true => height.min(lowest),
            },
        ))
    }

    /// An adaptive method sees a jump of the acceleration as an error, and rejects the step by itself.
    pub(crate) fn has_fixed_steps(&self) -> bool {
        is_finite(self.integrator.longest_step()).all()
    }

    /// The function of an event, counted positive on the side it comes from.
    fn height(&self, found: &Found, state: &State<S::Q, S::V>) -> f64 {
        found.side.height(self.events.value(found.index, state))
    }
}

/// Only a zero crossing, or a jump over zero, is an event.
fn check_continuous(found: &Found) -> Result<(), Error> {
    let (event, time) = (found.index, None);
    match found.kind {
        Kind::Crossing => Ok(()),
        Kind::Pole => Err(Error::EventPole { event, time }),
        Kind::Undefined => Err(Error::EventUndefined { event, time }),
    }
}

/// The descent of a height by its last secant, which is trusted only within limits: where heights are down to their
/// rounding, secants carry no information.
fn renewed(descent: f64, secant: f64) -> f64 {
    if descent > 0.0 && secant > 0.0 {
        secant.clamp(0.1 * descent, 10.0 * descent)
    } else if descent > 0.0 {
        descent
    } else {
        secant
    }
}
