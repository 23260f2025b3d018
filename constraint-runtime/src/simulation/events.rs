//! The events of a simulation: added, met within a step, handled, and the step cut where that is due.

use nalgebra::{RealField, SimdBool};

use super::Simulation;
use super::watched::Watched;
use crate::error::Error;
use crate::event::{Arrival, Crossing, Events, Found, On, Then};
use crate::integrator::{Integrator, Interpolant, Motion};
use crate::real::{Real, is_finite};
use crate::state::{State, check_finite};
use crate::system::System;

/// Events at one time after which a run is given up.
const MAX_CROWD: usize = 100;

/// Shorter steps taken to place the end of one on an event.
const MAX_POLISH: usize = 12;

/// Steps that an event is reached in. What stages reach farther than an end is of third order in the step at least:
/// 10⁻³, 10⁻⁹ and 10⁻²⁷ of a step.
const MAX_PARTS: usize = 4;

/// The last step of those that end at an event: its ends, and what the method keeps of it.
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
    /// - What happens at an event may change the forces by a jump: no stage of the steps up to it lies past it
    ///   (a method that chooses its steps makes them as short as its tolerance wants). So fixed steps keep
    ///   their order.
    /// - Cost: ten values of each function and of the interpolant a step; ten to twenty steps an event.
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
            Motion::new(&self.system, self.stabilization).put_back(&mut state)?;
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

    /// The way up to an event, on the side that its function comes from.
    ///
    /// One step of the method, unless its stages reach farther than its end: then what they leave is gone in a
    /// next, by far shorter one.
    fn step_to_event(
        &self,
        before: &I::Memory<Q, V, M>,
        motion: &Interpolant<T, Q, V>,
        found: &Found,
    ) -> Result<Shortened<T, I, Q, V, M>, Error> {
        let nearby = |theta: f64| self.height(found, &motion.state_within(T::lit(theta)));
        let mut ahead = found.bracket.before;
        let descent = (nearby(ahead - 1e-6) - nearby(ahead + 1e-6)) / 2e-6;
        let start = *self.ends().0;
        let mut there = Shortened {
            start,
            end: start,
            memory: before.clone(),
        };
        for part in 0..MAX_PARTS {
            let (closer, height) = self.step_towards(&there, found, ahead, descent)?;
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

    /// The step from the end of `from` that comes closest to an event, a fraction of about `theta` of the whole
    /// step, and the height that it leaves.
    ///
    /// The interpolant says where; steps of the method itself, each a secant's guess from those
    /// before, remove what the interpolant is off.
    fn step_towards(
        &self,
        from: &Shortened<T, I, Q, V, M>,
        found: &Found,
        mut theta: f64,
        mut descent: f64,
    ) -> Result<(Shortened<T, I, Q, V, M>, f64), Error> {
        let (mut best, mut left) = self.shortened(from, found, theta)?;
        let (mut last_left, mut back) = (left, 0.5 * f64::EPSILON);
        for _ in 0..MAX_POLISH {
            let mut next = theta + last_left / descent;
            if last_left < 0.0 {
                // From past the event a little further back than the secant says, more each time.
                back *= 4.0;
                next -= back;
            }
            if left == 0.0 || next == theta || !(0.0..=1.0).contains(&next) {
                break;
            }
            let (closer, now_left) = self.shortened(from, found, next)?;
            if left >= 0.0 && now_left.abs() >= left {
                break;
            }
            descent = renewed(descent, (last_left - now_left) / (next - theta));
            (theta, last_left) = (next, now_left);
            if now_left >= 0.0 || left < 0.0 {
                (best, left) = (closer, now_left);
            }
        }
        Ok((best, left))
    }

    /// The motion from the end of `from` over a fraction of the last step, and how far above zero it stays.
    fn shortened(
        &self,
        from: &Shortened<T, I, Q, V, M>,
        found: &Found,
        theta: f64,
    ) -> Result<(Shortened<T, I, Q, V, M>, f64), Error> {
        let (start, end) = self.ends();
        let watched = Watched::new(&self.system, |state: &_| self.height(found, state));
        let motion = Motion::new(&watched, self.stabilization);
        let mut h = T::lit(theta) * (end.t - start.t);
        let target = from.end.t + h;
        let mut there = Shortened {
            start: from.start,
            end: from.end,
            memory: from.memory.clone(),
        };
        // A method that chooses its steps may need several; one so short that it ends at the time it starts counts.
        while h.simd_gt(T::zero()).any() {
            there.start = there.end;
            there.end.t = target;
            let Shortened { start, end, memory } = &mut there;
            self.integrator.step(&motion, memory, start, h, end)?;
            check_finite(end)?;
            h = target - end.t;
        }
        let height = self.height(found, &there.end);
        let lowest = watched.lowest();
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

    /// A method that chooses its steps sees a jump of the acceleration as an error, and refuses it by itself.
    fn has_fixed_steps(&self) -> bool {
        is_finite(self.integrator.longest_step()).all()
    }

    /// The function of an event, counted positive on the side it comes from.
    fn height(&self, found: &Found, state: &State<T, Q, V>) -> f64 {
        found.side.height(self.events.value(found.index, state))
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

/// The descent of a height by its last secant, of which not much is believed at a time: where heights are down to
/// their rounding, secants say nothing.
fn renewed(descent: f64, secant: f64) -> f64 {
    if descent > 0.0 && secant > 0.0 {
        secant.clamp(0.1 * descent, 10.0 * descent)
    } else if descent > 0.0 {
        descent
    } else {
        secant
    }
}
