//! A system in motion: integrator, stabilisation, last good state, meters and events.

mod checkpoint;
mod events;
mod sampling;

pub use self::checkpoint::Checkpoint;
pub use self::sampling::{Sample, Samples};

use core::{fmt, mem};

use nalgebra::SimdBool;

use self::events::Simultaneous;
pub(crate) use self::events::{Passage, Taken};
use crate::error::Error;
use crate::event::{Arrival, Events, NoEvents};
use crate::integrator::{Integrator, Interpolant, Motion, Probe};
use crate::outputs::{Multipliers, Outputs};
use crate::real::{Real, first_bad, is_finite, lane_value, largest};
use crate::stabilization::{Stabilization, check_consistent, refine};
use crate::state::{State, check_finite, check_lengths};
use crate::system::{Dynamics, System};
use crate::vector::Vector;

/// A system advanced step by step, projected onto its constraints by default.
///
/// A step that fails leaves the last good state in place.
///
/// `Q` and `V` are always those of the system. The struct has no bounds on `S`, so that a type that is no [`System`]
/// is one error, at the call of [`new`](Self::new). Its name in a struct is short, `run: Simulation<Chain, Rk4>`:
/// without events there is no third parameter.
///
/// - Cost: a step of fixed size does not allocate; for vectors on the heap see [`system!`](crate::system!#sizes).
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
/// let bead = Particle::new(1.0).on(Parabola).under_gravity([0.0, -9.81]);
/// let start = State::new(0.0, [-100.0, -100.0], [0.0, 0.0]);
/// let mut run = Simulation::new(bead, start, Rk4::new(1e-2))?;
/// run.run_until(0.25)?;
/// assert_eq!(run.state().t, 0.25);
/// println!("{} drift {:e} energy {}", run.coordinates(), run.drift(), run.energy());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Simulation<S, I, E = NoEvents, Q = CoordinatesOf<S, I>, V = VelocitiesOf<S, I>>
where
    I: Integrator,
    Q: Vector<Scalar = I::Scalar>,
    V: Vector<Scalar = I::Scalar>,
{
    system: S,
    integrator: I,
    memory: I::Memory<Q, V>,
    stabilization: Stabilization<I::Scalar>,
    /// The ends of the last step; the next one overwrites its start.
    states: [State<Q, V>; 2],
    /// Which of the two is the present state.
    current: bool,
    events: E,
    simultaneous: Simultaneous,
    /// The event that ended the last step.
    passage: Option<Passage<Q, V>>,
}

/// Flat vectors of coordinates of a system, in the scalars of an integrator.
type CoordinatesOf<S, I> = <S as Dynamics<<I as Integrator>::Scalar>>::Q;

/// Flat vectors of velocities of a system, in the scalars of an integrator.
type VelocitiesOf<S, I> = <S as Dynamics<<I as Integrator>::Scalar>>::V;

impl<T, S, I, Q, V> Simulation<S, I, NoEvents, Q, V>
where
    T: Real,
    I: Integrator<Scalar = T>,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
{
    /// Prepares `system` at `start` for `integrator`, with projection after each step.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
    /// let start = State::new(0.0, [10.0, 0.0], [0.0, 0.0]);
    /// let refused = Simulation::new(Particle::new(1.0).on(Parabola), start, Rk4::new(0.1));
    /// let message = refused.unwrap_err().to_string();
    /// assert!(message.starts_with("the start violates constraint row 0 by 100 (allowed: "));
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidStepSize`], [`Error::InvalidMass`], [`Error::WrongLength`] and [`Error::NonFinite`] for the
    /// start, [`Error::InconsistentPosition`] or [`Error::InconsistentVelocity`] when the start is not on the
    /// constraints ([`make_consistent`](crate::make_consistent) moves it there).
    pub fn new(system: S, start: State<Q, V>, integrator: I) -> Result<Self, Error>
    where
        S: System<T, Q = Q, V = V>,
    {
        const {
            assert!(
                !I::IS_IMPLICIT || S::PROPERTIES.linearizes || S::PROPERTIES.sparse,
                "implicit methods need ∂v̇/∂(q, v): write `#[derivatives]` before the struct of the `system!`, or \
                 implement `Dynamics::write_linearization` and set `Properties::linearizes`"
            );
        };
        integrator.validate()?;
        system.validate()?;
        check_lengths(&system, &start)?;
        let mut start = start;
        system.normalize(&mut start.q);
        check_finite(&start)
            .and_then(|()| system.admits(start.t, &start.q))
            .and_then(|()| check_consistent(&system, &start))
            .and_then(|()| refine(&system, &mut start))
            .map_err(|error| error.of(&system, first_lane(start.t)))?;
        Ok(Self {
            system,
            integrator,
            memory: Default::default(),
            stabilization: Stabilization::default(),
            states: [start.clone(), start],
            current: false,
            events: NoEvents,
            simultaneous: Simultaneous::default(),
            passage: None,
        })
    }
}

impl<T, S, I, E> Simulation<S, I, E>
where
    T: Real,
    S: System<T>,
    I: Integrator<Scalar = T>,
    E: Events<S::Q, S::V>,
{
    /// The same simulation with another stabilisation.
    pub fn with_stabilization(mut self, stabilization: Stabilization<T>) -> Self {
        self.stabilization = stabilization;
        // The memory belongs to the motion under the old one.
        self.memory = Default::default();
        self
    }

    /// Advances by one step, of the size that the integrator is set to or chooses, or to the first event in it that
    /// stops the run or changes the state.
    ///
    /// # Errors
    /// [`Error::Singular`], [`Error::NonFinite`], [`Error::ProjectionDiverged`], [`Error::StepTooShort`] where t + h is t,
    /// and those of the integrator, [`Error::InvalidTolerance`] and [`Error::InvalidFeedback`] for the stabilisation; the
    /// state is then that before the step.
    pub fn step(&mut self) -> Result<Arrival, Error> {
        self.stabilization.validate()?;
        let (h, t) = (self.integrator.longest_step(), self.state().t);
        check_steps(h, t + h, (t + h).simd_gt(t))?;
        self.advance(h, t + h)
    }

    /// Advances to exactly the time `end`, or to an event that stops the run; the last step is
    /// shortened.
    ///
    /// # Errors
    /// [`Error::InvalidTime`] if `end` is not finite or lies in the past, [`Error::StepTooShort`] if the number of
    /// steps is too large to count exactly, or at the first time that a step does not change, otherwise as
    /// [`step`](Self::step); the state is then the last good one.
    pub fn run_until(&mut self, end: T) -> Result<Arrival, Error> {
        self.run_until_with(end, |_| {})
    }

    /// Advances to exactly the time `end` and calls `observe` with the state after each step.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
    /// let bead = Particle::new(1.0).on(Parabola).under_gravity([0.0, -9.81]);
    /// let start = State::new(0.0, [-100.0, -100.0], [0.0, 0.0]);
    /// let mut run = Simulation::new(bead, start, Rk4::new(0.1))?;
    /// let mut times = Vec::new();
    /// run.run_until_with(0.25, |state| times.push(state.t))?;
    /// assert_eq!(times, [0.1, 0.2, 0.25]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub fn run_until_with(
        &mut self,
        end: T,
        mut observe: impl FnMut(&State<S::Q, S::V>),
    ) -> Result<Arrival, Error> {
        self.run_steps(end, |run, _| observe(run.state()))
    }

    /// Advances to exactly the time `end` and reports the intended length of each step.
    pub(crate) fn run_steps(
        &mut self,
        end: T,
        made: impl FnMut(&Self, T),
    ) -> Result<Arrival, Error> {
        self.run_steps_by(Self::advance, end, made)
    }

    /// The same with another function to advance.
    pub(crate) fn run_steps_by(
        &mut self,
        mut advance: impl FnMut(&mut Self, T, T) -> Result<Arrival, Error>,
        end: T,
        mut made: impl FnMut(&Self, T),
    ) -> Result<Arrival, Error> {
        self.stabilization.validate()?;
        self.check_end(end)?;
        let h = self.integrator.longest_step();
        let t = self.state().t;
        let counted = (T::one() + T::one()) / T::simd_default_epsilon();
        check_steps(h, end, (end - t).simd_lt(h * counted) | end.simd_le(t))?;
        // A remainder this short is rounding and joins the step before it.
        let sliver = h * T::simd_default_epsilon().simd_sqrt();
        let (mut origin, mut steps) = (self.state().t, T::zero());
        while self.state().t.simd_lt(end).any() {
            // Times are multiples of h from the origin, so that rounding does not add up.
            steps += T::one();
            let next = origin + steps * h;
            let last = (next + sliver).simd_ge(end);
            check_steps(h, next, next.simd_gt(self.state().t) | last)?;
            let target = end.select(last, next);
            let length = (end - self.state().t).select(last, h);
            let arrival = advance(self, length, target)?;
            made(self, length);
            if arrival != Arrival::Time {
                return Ok(arrival);
            }
            let reached = self.state().t;
            if !reached.simd_eq(target).all() {
                (origin, steps) = (reached, T::zero());
            }
        }
        Ok(Arrival::Time)
    }

    /// The last good state.
    #[inline]
    pub fn state(&self) -> &State<S::Q, S::V> {
        self.ends()[1]
    }

    /// The motion over the last step, for states in between.
    ///
    /// - Cost: methods that keep no slopes evaluate two.
    ///
    /// # Errors
    /// Those of [`Dynamics::acceleration`](crate::Dynamics::acceleration).
    pub fn interpolant(&self) -> Result<Interpolant<S::Q, S::V>, Error> {
        let motion = Motion::new(&self.system, self.stabilization);
        let [start, end] = self.ends();
        self.integrator
            .interpolant(&motion, &self.memory, start, end)
            .map_err(|error| self.located(error))
    }

    /// The system that moves.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// The coordinates, under their names if the system has any.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     struct Crane { m: Real = 1 }
    ///     coordinate angle;
    ///     particle load[2]: Point2 { mass: m }
    ///     body hull: Rigid2 { mass: m, inertia: m }
    ///     kinetic velocity(angle)^2/2;
    /// }
    /// let q = CraneCoordinates { angle: 0.5, ..Default::default() };
    /// let start = State::new(0.0, q, CraneVelocities::default());
    /// let run = Simulation::new(Crane::default(), start, Rk4::new(0.1))?;
    /// assert_eq!(run.coordinates().angle, 0.5);
    /// let all = "angle = 0.5, load[0] = (0, 0), load[1] = (0, 0), hull = (x: 0, y: 0, re: 1, im: 0)";
    /// assert_eq!(run.coordinates().to_string(), all);
    /// let rates = format!("{:.1}", run.velocities());
    /// assert!(rates.ends_with("load[1] = (0.0, 0.0), hull = (linear.x: 0.0, linear.y: 0.0, angular: 0.0)"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn coordinates(&self) -> S::Coordinates {
        self.state().q.clone().into()
    }

    /// The velocities, under their names if the system has any.
    pub fn velocities(&self) -> S::Velocities {
        self.state().v.clone().into()
    }

    /// Largest |C| over the rows; infinite if C is NaN.
    pub fn drift(&self) -> T {
        largest(&self.system.constraint(self.state().t, &self.state().q))
    }

    /// Largest |Ċ| over the rows; infinite if Ċ is NaN.
    pub fn rate_drift(&self) -> T {
        let State { t, q, v } = self.state();
        largest(&self.system.constraint_rate(*t, q, v))
    }

    /// Kinetic and potential energy.
    pub fn energy(&self) -> T {
        let State { t, q, v } = self.state();
        self.system.kinetic_energy(*t, q, v) + self.system.potential_energy(*t, q)
    }

    /// λ at the present state, without stabilising feedback: by the names of the rows, `lambda.link[3]`, and flat,
    /// `lambda[4]` and `lambda.flat`.
    ///
    /// # Errors
    /// Those of [`multipliers`](crate::Constrained::multipliers).
    pub fn multipliers(&self) -> Result<Multipliers<S::Rows, S::Multipliers>, Error> {
        let State { t, q, v } = self.state();
        let flat = self.system.multipliers(*t, q, v);
        flat.map(Multipliers::from)
            .map_err(|error| self.located(error))
    }

    /// The outputs of the system at the present state, by name.
    ///
    /// # Errors
    /// Those of [`Outputs::outputs`].
    pub fn outputs(&self) -> Result<S::Outputs, Error>
    where
        S: Outputs<T>,
    {
        let State { t, q, v } = self.state();
        self.system
            .outputs(*t, q, v)
            .map_err(|error| self.located(error))
    }

    /// One step of at most the length `h`, which ends at the time `t` if not before, and the events in it; atomic.
    #[inline]
    pub(crate) fn advance(&mut self, h: T, t: T) -> Result<Arrival, Error> {
        if E::COUNT == 0 {
            return self.advance_seen(h, t, None);
        }
        let before = self.memory.clone();
        self.passage = None;
        self.step_to(h, t, None)?;
        let step = self.take_back(before);
        self.meet_events(step)
            .map_err(|error| self.refuse(self.ends()[1].clone(), error))
    }

    /// The same without events; both probes see the states that [`Motion`] passes to them.
    #[inline]
    pub(crate) fn advance_seen(
        &mut self,
        h: T,
        t: T,
        seen: Option<[Probe<'_, T, S>; 2]>,
    ) -> Result<Arrival, Error> {
        self.passage = None;
        self.step_to(h, t, seen)?;
        match self.check_admitted() {
            Ok(()) => Ok(Arrival::Time),
            Err(error) => Err(self.refuse(self.ends()[0].clone(), error)),
        }
    }

    /// Restores the start of the last step and the memory `before` it.
    pub(crate) fn take_back(&mut self, before: I::Memory<S::Q, S::V>) -> Taken<S, I> {
        let [start, end] = self.ends();
        let (start, end) = (start.clone(), end.clone());
        self.current = !self.current;
        Taken {
            start,
            end,
            memory: mem::replace(&mut self.memory, before),
        }
    }

    fn check_admitted(&self) -> Result<(), Error> {
        let State { t, q, .. } = self.state();
        self.system.admits(*t, q)
    }

    /// Restores `start` and adds the time and names to the error.
    #[cold]
    fn refuse(&mut self, start: State<S::Q, S::V>, error: Error) -> Error {
        self.states = [start.clone(), start];
        self.memory = Default::default();
        self.located(error)
    }

    #[inline]
    pub(crate) fn step_to(
        &mut self,
        h: T,
        t: T,
        seen: Option<[Probe<'_, T, S>; 2]>,
    ) -> Result<(), Error> {
        let motion = Motion::new(&self.system, self.stabilization);
        let motion = match seen {
            Some([slopes, corrections]) => motion.probed(slopes).corrections_seen(corrections),
            None => motion,
        };
        let [a, b] = &mut self.states;
        let (start, end) = if self.current { (b, a) } else { (a, b) };
        end.t = t;
        let stepped = self
            .integrator
            .step(&motion, &mut self.memory, start, h, end)
            .and_then(|()| check_finite(end));
        if let Err(error) = stepped {
            let start = self.ends()[1].clone();
            return Err(self.refuse(start, error));
        }
        self.current = !self.current;
        Ok(())
    }

    fn check_end(&self, end: T) -> Result<(), Error> {
        let ahead = end.simd_ge(self.state().t) & is_finite(end);
        match first_bad(end, ahead) {
            None => Ok(()),
            Some(target) => Err(Error::InvalidTime {
                target,
                time: first_lane(self.state().t),
            }),
        }
    }

    /// The system that moves, whose motion from here may change with it.
    pub(crate) fn system_mut(&mut self) -> &mut S {
        &mut self.system
    }

    /// Continues from another state.
    pub(crate) fn restart(&mut self, state: State<S::Q, S::V>) {
        self.states = [state.clone(), state];
        self.memory = Default::default();
    }

    pub(crate) fn located(&self, error: Error) -> Error {
        error.of(&self.system, first_lane(self.state().t))
    }
}

impl<S: System<I::Scalar>, I: Integrator, E> Simulation<S, I, E> {
    /// Start and end of the last step.
    #[inline]
    pub(crate) fn ends(&self) -> [&State<S::Q, S::V>; 2] {
        let [a, b] = &self.states;
        if self.current { [a, b] } else { [b, a] }
    }

    /// The integrator and the stabilisation.
    pub(crate) fn method(&self) -> (&I, Stabilization<I::Scalar>) {
        (&self.integrator, self.stabilization)
    }

    /// The event that ended the last step.
    pub(crate) fn passage(&self) -> Option<&Passage<S::Q, S::V>> {
        self.passage.as_ref()
    }

    /// The events.
    pub(crate) fn events(&self) -> &E {
        &self.events
    }

    /// The integrator's memory of the last step.
    pub(crate) fn memory(&self) -> &I::Memory<S::Q, S::V> {
        &self.memory
    }
}

// The system is left out: it may hold closures, and `unwrap_err` must still work.
impl<S, I, E> fmt::Debug for Simulation<S, I, E>
where
    S: System<I::Scalar>,
    I: Integrator + fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation")
            .field("state", &self.states[usize::from(self.current)])
            .field("integrator", &self.integrator)
            .field("stabilization", &self.stabilization)
            .finish_non_exhaustive()
    }
}

fn first_lane<T: Real>(t: T) -> f64 {
    lane_value(t, 0)
}

/// Checks that steps of a size lead to a time in every lane of the mask.
fn check_steps<T: Real>(h: T, end: T, lead: T::SimdBool) -> Result<(), Error> {
    match first_bad(h, lead) {
        None => Ok(()),
        Some(step_size) => Err(Error::StepTooShort {
            step_size,
            target: first_lane(end),
        }),
    }
}
