//! The events of a simulation: added, met within a step, handled, and the step cut where that is due.

use nalgebra::{RealField, SimdBool};

use super::Simulation;
use crate::error::Error;
use crate::event::{Arrival, Crossing, Events, Found, On, Then};
use crate::integrator::{Integrator, Interpolant, Motion};
use crate::real::Real;
use crate::state::{State, check_finite};
use crate::system::System;

/// Events at one time after which a run is given up.
const MAX_CROWD: usize = 100;

/// Shorter steps taken to place the end of one on an event.
const MAX_POLISH: usize = 12;

/// A step that ends at an event: its ends, and what the method keeps of it.
struct Shortened<T: Real, I: Integrator<T>, const Q: usize, const V: usize, const M: usize> {
    start: State<T, Q, V>,
    end: State<T, Q, V>,
    memory: I::Memory<Q, V, M>,
}

impl<T, S, I, const Q: usize, const V: usize, const M: usize, E> Simulation<T, S, I, Q, V, M, E>
where
    T: Real,
    S: System<T, Q, V, M>,
    I: Integrator<T>,
    E: Events<T, Q, V>,
{
    /// Calls `handler` where `function` crosses zero.
    ///
    /// The handler is given the state there, as a step that ends there reaches it: the function is
    /// zero to rounding, on the side that it comes from. It may change the state, as a bounce does;
    /// the run then starts anew from that, put back onto the constraints where that is the
    /// stabilisation. Handlers that change nothing leave the run as it would be without them.
    ///
    /// - Several crossings within one step are all met, in the order of time; so is a pair that lies
    ///   between two of the five samples of a function in a step. Two crossings closer together than
    ///   about 10⁻⁶ steps may be taken for a touch, and a touch is no crossing.
    /// - A function that starts from zero, or is put there by its own handler, is taken to be on the
    ///   side it goes to. A bounce so weak that it turns back within 10⁻⁶ steps is not seen: let the
    ///   handler of an inelastic bounce stop the run when it has become slow.
    /// - Cost: ten values of each function and of the interpolant a step; about ten steps an event.
    ///   No allocation.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// # mod by_hand { include!("../../tests/common/parabola.rs"); } use by_hand::Parabola;
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
    ) -> Simulation<T, S, I, Q, V, M, On<E, G, H>>
    where
        T: RealField,
        G: Fn(&State<T, Q, V>) -> T,
        H: FnMut(&mut State<T, Q, V>) -> Then,
    {
        let start = *self.state();
        let events = On::new(self.events, crossing, function, handler, &start);
        Simulation {
            system: self.system,
            integrator: self.integrator,
            memory: self.memory,
            stabilization: self.stabilization,
            states: self.states,
            current: self.current,
            events,
            crowd: self.crowd,
        }
    }

    /// Stops where `function` crosses zero; a run that is asked to goes on from there.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// # mod by_hand { include!("../../tests/common/parabola.rs"); } use by_hand::Parabola;
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
    ) -> Simulation<T, S, I, Q, V, M, On<E, G, fn(&mut State<T, Q, V>) -> Then>>
    where
        T: RealField,
        G: Fn(&State<T, Q, V>) -> T,
    {
        self.on(crossing, function, |_| Then::Stop)
    }

    /// Meets the events of the last step, `before` being the memory from before it.
    pub(super) fn meet_events(&mut self, before: &I::Memory<Q, V, M>) -> Result<Arrival, Error> {
        let motion = self.interpolant()?;
        let mut from = 0.0;
        while let Some(found) = self.events.first(&motion, from) {
            from = found.bracket.after;
            if found.wanted {
                let there = self.step_to_event(before, &motion, &found)?;
                if let Some(arrival) = self.handle(&motion, &found, there)? {
                    return Ok(arrival);
                }
            }
            self.events.pass(found.index);
        }
        if from == 0.0 {
            self.crowd = 0;
        }
        Ok(Arrival::Time)
    }

    /// Calls the handler of an event; where that ends the step, makes its state the present one.
    fn handle(
        &mut self,
        motion: &Interpolant<T, Q, V>,
        found: &Found,
        there: Shortened<T, I, Q, V, M>,
    ) -> Result<Option<Arrival>, Error> {
        self.count_event(there.end.t)?;
        let mut state = there.end;
        let then = self.events.handle(found.index, &mut state);
        state.t = there.end.t;
        let changed = state != there.end;
        if changed {
            check_finite(&state)?;
            Motion::new(&self.system, self.stabilization).settle(&mut state)?;
            self.events.restart(found.index, motion, &there.end, &state);
            self.states = [state; 2];
            self.memory = Default::default();
        } else if then == Then::Stop {
            self.events.pass(found.index);
            self.states = [there.start, there.end];
            self.current = true;
            self.memory = there.memory;
        }
        Ok(match then {
            Then::Stop => Some(Arrival::Event(found.index)),
            Then::Continue => changed.then_some(Arrival::Time),
        })
    }

    /// The step up to an event, on the side that its function comes from.
    ///
    /// The interpolant says where; steps of the method itself, each a secant's guess from those
    /// before, remove what the interpolant is off.
    fn step_to_event(
        &self,
        before: &I::Memory<Q, V, M>,
        motion: &Interpolant<T, Q, V>,
        found: &Found,
    ) -> Result<Shortened<T, I, Q, V, M>, Error> {
        let height = |state: &_| found.side.height(self.events.value(found.index, state));
        let nearby = |theta: f64| height(&motion.state_within(T::lit(theta)));
        let mut theta = found.bracket.before;
        let mut descent = (nearby(theta - 1e-6) - nearby(theta + 1e-6)) / 2e-6;
        let mut best = self.shortened(before, theta)?;
        let mut left = height(&best.end);
        let (mut last_left, mut back) = (left, 0.5 * f64::EPSILON);
        for _ in 0..MAX_POLISH {
            let mut next = theta + last_left / descent;
            if last_left < 0.0 {
                // From past the event a little further back than the secant says, more each time.
                back *= 2.0;
                next -= back;
            }
            if left == 0.0 || next == theta || !(0.0..=1.0).contains(&next) {
                break;
            }
            let closer = self.shortened(before, next)?;
            let now_left = height(&closer.end);
            if left >= 0.0 && now_left.abs() >= left {
                break;
            }
            descent = (last_left - now_left) / (next - theta);
            (theta, last_left) = (next, now_left);
            if now_left >= 0.0 || left < 0.0 {
                (best, left) = (closer, now_left);
            }
        }
        Ok(best)
    }

    /// The last step again, up to a fraction of it.
    fn shortened(
        &self,
        before: &I::Memory<Q, V, M>,
        theta: f64,
    ) -> Result<Shortened<T, I, Q, V, M>, Error> {
        let (start, end) = self.ends();
        let motion = Motion::new(&self.system, self.stabilization);
        let mut h = T::lit(theta) * (end.t - start.t);
        let target = start.t + h;
        let mut there = Shortened {
            start: *start,
            end: *start,
            memory: before.clone(),
        };
        // A method that chooses its steps may need several.
        while there.end.t.simd_lt(target).any() {
            there.start = there.end;
            there.end.t = target;
            let Shortened { start, end, memory } = &mut there;
            self.integrator.step(&motion, memory, start, h, end)?;
            check_finite(end)?;
            h = target - end.t;
        }
        Ok(there)
    }

    /// Gives up where events follow each other without time passing.
    fn count_event(&mut self, t: T) -> Result<(), Error> {
        let moved = t.simd_gt(self.ends().0.t).any();
        self.crowd = if moved { 0 } else { self.crowd + 1 };
        if self.crowd < MAX_CROWD {
            return Ok(());
        }
        Err(Error::TooManyEvents {
            events: self.crowd,
            time: None,
        })
    }
}
