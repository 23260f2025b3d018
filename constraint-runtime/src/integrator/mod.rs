//! Integrators: one trait, from a state to the next, with an interpolant between the two.
//!
//! They access a system through [`Motion`]: its slope, with Baumgarte's feedback if that is the stabilisation, and
//! [`Motion::stabilize`], which moves the end of a step onto the constraints. Methods stabilise their end themselves,
//! because one that keeps its last slope has to evaluate it there. Explicit Runge–Kutta methods carry ω of bodies in
//! the bodies' own frames from `Motion::in_own_frames` to `Motion::finish`; states outside of a step are those of
//! the world.
//!
//! Invariant: a method reads the start, writes the end and changes nothing else but its own memory.

mod dormand_prince;
mod generalized_alpha;
mod interpolant;
mod newton;
mod radau5;
mod rattle;
mod runge_kutta;
mod semi_implicit_euler;
mod sequential_impulses;
mod sparse;
mod step_control;

pub use dormand_prince::DormandPrince;
pub use generalized_alpha::GeneralizedAlpha;
pub use interpolant::{Interpolant, Slope};
pub(crate) use newton::Variation;
pub use newton::{Effort, Implicit};
pub use radau5::Radau5;
pub use rattle::Rattle;
#[cfg(feature = "serde-no-std")]
pub(crate) use runge_kutta::Slopes;
pub(crate) use runge_kutta::advance;
pub use runge_kutta::{Rk4, Tableau};
pub use semi_implicit_euler::SemiImplicitEuler;
pub use sequential_impulses::{ImpulseStepper, Impulses};

use crate::checks::check_step_size;
use crate::error::Error;
use crate::own_frames::{To, turned, turned_state};
use crate::real::Real;
use crate::stabilization::{PlacesOf, Stabilization, Workspace, project, project_step};
use crate::state::{State, check_finite};
use crate::system::{Dynamics, System};
use crate::vector::Vector;

/// A method that advances a state by one step.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let method = Rk4::new(0.01);
/// assert_eq!((method.order(), method.longest_step()), (4, 0.01));
/// ```
pub trait Integrator {
    /// The scalar type of its computations.
    type Scalar: Real;

    /// The memory that the method keeps from one step to the next, for coordinates and velocities; empty by default.
    type Memory<Q: Vector<Scalar = Self::Scalar>, V: Vector<Scalar = Self::Scalar>>: Clone + Default;

    /// Whether steps call [`Dynamics::write_linearization`]: then a [`Simulation`](crate::Simulation) compiles only for systems
    /// that [implement it](crate::Properties::linearizes).
    const IS_IMPLICIT: bool = false;

    /// Convergence order p: the error at a fixed time shrinks as hᵖ.
    fn order(&self) -> u32;

    /// The size of a fixed step; infinite, by default, for a method that chooses its steps.
    fn longest_step(&self) -> Self::Scalar {
        Real::lit(f64::INFINITY)
    }

    /// Checks the method's own settings, before anything runs: by default, that the size of a fixed step is positive and
    /// finite.
    ///
    /// # Errors
    /// [`Error::InvalidStepSize`], [`Error::InvalidTolerance`].
    fn validate(&self) -> Result<(), Error> {
        check_step_size(self.longest_step())
    }

    /// Checks that a memory, as stored in a [`Checkpoint`](crate::Checkpoint), belongs to runs of `system` that have
    /// reached `state`: the lengths are right and the numbers finite. The default accepts any memory.
    ///
    /// # Errors
    /// [`Error::WrongLength`], [`Error::NonFinite`].
    fn check_memory<S: System<Self::Scalar>>(
        &self,
        _system: &S,
        _memory: &Self::Memory<S::Q, S::V>,
        _state: &State<S::Q, S::V>,
    ) -> Result<(), Error> {
        Ok(())
    }

    /// Writes to `end` the state after a step of length `h`.
    ///
    /// The caller has set `end.t` to the end time, which is `start.t + h` up to rounding. A method that takes a
    /// shorter step writes the time it has reached. `memory` is the memory that this method left at the end of the
    /// step before, if that ended at `start`, otherwise the default. When the step fails, `end` and `memory` hold
    /// nothing useful.
    ///
    /// # Errors
    /// Those of [`Dynamics::acceleration`] and [`Motion::stabilize`].
    fn step<S: System<Self::Scalar>>(
        &self,
        motion: &Motion<'_, Self::Scalar, S>,
        memory: &mut Self::Memory<S::Q, S::V>,
        start: &State<S::Q, S::V>,
        h: Self::Scalar,
        end: &mut State<S::Q, S::V>,
    ) -> Result<(), Error>;

    /// The motion between the ends of the step that left `memory`: cubic by default.
    ///
    /// # Errors
    /// Those of [`Dynamics::acceleration`].
    fn interpolant<S: System<Self::Scalar>>(
        &self,
        motion: &Motion<'_, Self::Scalar, S>,
        _memory: &Self::Memory<S::Q, S::V>,
        start: &State<S::Q, S::V>,
        end: &State<S::Q, S::V>,
    ) -> Result<Interpolant<S::Q, S::V>, Error> {
        motion.cubic(start, end)
    }
}

/// The differential equation an integrator solves: q̇ = N(q) v and v̇, with the stabilisation against drift.
pub struct Motion<'a, T: Real, S: Dynamics<T>> {
    system: &'a S,
    stabilization: Stabilization<T>,
    /// Called with every state whose acceleration is evaluated.
    probe: Option<Probe<'a, T, S>>,
    /// Called with every state that a projection moves on from.
    corrected: Option<Probe<'a, T, S>>,
}

/// Sees the states of a step.
pub(crate) type Probe<'a, T, S> = &'a dyn Fn(T, &<S as Dynamics<T>>::Q, &<S as Dynamics<T>>::V);

impl<T: Real, S: Dynamics<T>> Clone for Motion<'_, T, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Real, S: Dynamics<T>> Copy for Motion<'_, T, S> {}

impl<'a, T: Real, S: System<T>> Motion<'a, T, S> {
    /// The motion of `system` under `stabilization`.
    pub fn new(system: &'a S, stabilization: Stabilization<T>) -> Self {
        Self {
            system,
            stabilization,
            probe: None,
            corrected: None,
        }
    }

    /// The same motion; `probe` is called with every state whose acceleration is evaluated.
    pub(crate) fn probed(self, probe: Probe<'a, T, S>) -> Self {
        Self {
            probe: Some(probe),
            ..self
        }
    }

    /// The same motion; `corrected` is called with every state that a projection moves on from, the last one with C =
    /// 0.
    pub(crate) fn corrections_seen(self, corrected: Probe<'a, T, S>) -> Self {
        Self {
            corrected: Some(corrected),
            ..self
        }
    }

    /// The same motion without stabilisation.
    pub fn unstabilized(&self) -> Self {
        Self {
            stabilization: Stabilization::None,
            ..*self
        }
    }

    /// The system that moves.
    pub fn system(&self) -> &'a S {
        self.system
    }

    /// The stabilisation against drift.
    pub fn stabilization(&self) -> Stabilization<T> {
        self.stabilization
    }

    /// v̇ with J v̇ = −β, or with feedback J v̇ = −β − 2 α Ċ − β_b² C.
    ///
    /// # Errors
    /// Those of [`Dynamics::acceleration`]; [`Error::NonFinite`] if one arises because `q` or `v` is not finite.
    ///
    /// # Source
    /// [Baumgarte 1972] J. Baumgarte, *Stabilization of constraints and integrals of motion in
    /// dynamical systems*, Comput. Methods Appl. Mech. Eng. 1, equation (12).
    #[inline(always)]
    pub fn acceleration(&self, t: T, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        let acceleration = self.told_acceleration(t, q, v);
        acceleration.map_err(|error| cause(error, t, q, v))
    }

    /// The same, before errors are traced to their [cause].
    ///
    /// Steps borrow v̇ where it was returned: taking it out of its `Result` would copy it once more.
    #[inline(always)]
    fn told_acceleration(&self, t: T, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        self.tell(t, q, v);
        match self.stabilization {
            Stabilization::Baumgarte { alpha, beta } => self.with_feedback(alpha, beta, t, q, v),
            _ => self.system.acceleration(t, q, v),
        }
    }

    #[inline(never)]
    fn with_feedback(&self, alpha: T, beta: T, t: T, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        let c = self.system.constraint(t, q);
        let c_dot = self.system.constraint_rate(t, q, v);
        let b = c.like(|i| -(c_dot[i] * (alpha + alpha) + c[i] * (beta * beta)));
        let mut acceleration = self.system.acceleration(t, q, v)?;
        if S::Rows::LEN != Some(0) {
            let feedback = self.system.correction(t, q, &b)?;
            acceleration.update(|i, a| a + feedback[i]);
        }
        Ok(acceleration)
    }

    /// v̇ without the constraints.
    ///
    /// # Errors
    /// As [`acceleration`](Self::acceleration).
    pub fn free_acceleration(&self, t: T, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        self.tell(t, q, v);
        let free = self.system.free_acceleration(t, q, v);
        free.map_err(|error| cause(error, t, q, v))
    }

    #[inline(always)]
    fn tell(&self, t: T, q: &S::Q, v: &S::V) {
        if let Some(probe) = self.probe {
            probe(t, q, v);
        }
    }

    /// q̇ = N(q) v.
    #[inline]
    pub fn kinematics(&self, t: T, q: &S::Q, v: &S::V) -> S::Q {
        self.system.kinematics(t, q, v)
    }

    /// (q̇, v̇) at a state.
    ///
    /// # Errors
    /// Those of [`Dynamics::acceleration`].
    pub fn slope(&self, state: &State<S::Q, S::V>) -> Result<Slope<S::Q, S::V>, Error> {
        let State { t, q, v } = state;
        Ok(Slope {
            q: self.kinematics(*t, q, v),
            v: self.acceleration(*t, q, v)?,
        })
    }

    /// The state with bodies in their own frames, as stages need it; `place` is memory for it.
    #[inline(always)]
    fn in_own_frames<'s>(
        &self,
        state: &'s State<S::Q, S::V>,
        place: &'s mut Option<State<S::Q, S::V>>,
    ) -> &'s State<S::Q, S::V> {
        match S::PROPERTIES.own_frames {
            [] => state,
            frames => place.insert(turned_state(frames, state, To::Own)),
        }
    }

    /// (q̇, v̇) at a state with bodies in their own frames.
    fn own_frame_slope(&self, state: &State<S::Q, S::V>) -> Result<Slope<S::Q, S::V>, Error> {
        let mut slope = Slope::blank();
        let State { t, q, v } = state;
        self.write_slope((*t, q, v), &mut Workspace::default(), &mut slope)?;
        Ok(slope)
    }

    /// Writes q̇ at a state of the world to a slope whose v̇ is known.
    #[inline(always)]
    fn write_known_rate(&self, state: &State<S::Q, S::V>, slope: &mut Slope<S::Q, S::V>) {
        let State { t, q, v } = state;
        self.tell(*t, q, v);
        slope.q.assign(&self.kinematics(*t, q, v));
    }

    /// (q̇, v̇) written in place: a large slope is not built elsewhere and copied.
    #[inline(always)]
    fn write_slope(
        &self,
        at: (T, &S::Q, &S::V),
        workspace: &mut Workspace,
        slope: &mut Slope<S::Q, S::V>,
    ) -> Result<(), Error> {
        if Self::IN_PLACE {
            return self.write_slope_in_place(at, workspace.places::<T, S>(), slope);
        }
        let (t, q, v) = at;
        if !S::PROPERTIES.own_frames.is_empty() {
            *slope = self.own_slope(t, q, v)?;
            return Ok(());
        }
        slope.q.assign(&self.kinematics(t, q, v));
        match &self.told_acceleration(t, q, v) {
            Ok(acceleration) => slope.v.assign(acceleration),
            Err(error) => return Err(cause(*error, t, q, v)),
        }
        Ok(())
    }

    /// True if steps write all large vectors into a [`Workspace`].
    const IN_PLACE: bool = S::V::IN_PLACE && S::PROPERTIES.own_frames.is_empty();

    /// The [slope](Self::write_slope), without temporary vectors.
    fn write_slope_in_place(
        &self,
        at: (T, &S::Q, &S::V),
        places: &mut PlacesOf<T, S>,
        slope: &mut Slope<S::Q, S::V>,
    ) -> Result<(), Error> {
        let (t, q, v) = at;
        self.tell(t, q, v);
        self.system.write_kinematics(t, q, v, &mut slope.q);
        let acceleration = &mut slope.v;
        let written = self
            .system
            .write_acceleration(t, q, v, &mut places.room, acceleration);
        let written = match self.stabilization {
            Stabilization::Baumgarte { alpha, beta } => written
                .and_then(|()| places.add_feedback(self.system, [alpha, beta], at, acceleration)),
            _ => written,
        };
        written.map_err(|error| cause(error, t, q, v))
    }

    /// [`stabilize`](Self::stabilize), without temporary vectors.
    fn stabilize_in_place(
        &self,
        start: &State<S::Q, S::V>,
        end: &mut State<S::Q, S::V>,
        places: &mut PlacesOf<T, S>,
    ) -> Result<(), Error> {
        self.system.normalize(&mut end.q);
        match self.stabilization {
            Stabilization::Projection { tolerance } => {
                places.project_step(self.system, start, end, tolerance)
            }
            _ => Ok(()),
        }
    }

    /// The slope with bodies in their own frames.
    fn own_slope(&self, t: T, q: &S::Q, v: &S::V) -> Result<Slope<S::Q, S::V>, Error> {
        if let Stabilization::Baumgarte { .. } = self.stabilization {
            let v = turned(S::PROPERTIES.own_frames, q, v, To::World);
            let mut slope = self.slope(&State { t, q: q.clone(), v })?;
            slope.v = turned(S::PROPERTIES.own_frames, q, &slope.v, To::Own);
            return Ok(slope);
        }
        if self.probe.is_some() {
            self.tell(t, q, &turned(S::PROPERTIES.own_frames, q, v, To::World));
        }
        match self.system.own_slope(t, q, v) {
            Ok((q, v)) => Ok(Slope { q, v }),
            Err(error) => Err(cause(error, t, q, v)),
        }
    }

    /// The cubic between two states of the world.
    fn cubic(
        &self,
        start: &State<S::Q, S::V>,
        end: &State<S::Q, S::V>,
    ) -> Result<Interpolant<S::Q, S::V>, Error> {
        let (mut first, mut last) = (None, None);
        let (start, end) = (
            self.in_own_frames(start, &mut first),
            self.in_own_frames(end, &mut last),
        );
        let slopes = [self.own_frame_slope(start)?, self.own_frame_slope(end)?];
        Ok(Interpolant::cubic(start, end, &slopes).in_frames(S::PROPERTIES.own_frames))
    }

    /// [Stabilises](Self::stabilize) the end of a step whose ends have bodies in their own frames.
    ///
    /// If the projection also computes v̇ at the end, it is written to `acceleration`, with bodies in their own
    /// frames; returns whether it is.
    #[inline]
    fn finish(
        &self,
        start: &State<S::Q, S::V>,
        end: &mut State<S::Q, S::V>,
        workspace: &mut Workspace,
        acceleration: &mut S::V,
    ) -> Result<bool, Error> {
        if Self::IN_PLACE {
            self.stabilize_in_place(start, end, workspace.places::<T, S>())?;
            return Ok(false);
        }
        if S::PROPERTIES.own_frames.is_empty() {
            return self.stabilize_with(start, end, Some(acceleration));
        }
        *end = turned_state(S::PROPERTIES.own_frames, end, To::World);
        let start = turned_state(S::PROPERTIES.own_frames, start, To::World);
        let given = self.stabilize_with(&start, end, Some(acceleration))?;
        if given {
            *acceleration = turned(S::PROPERTIES.own_frames, &end.q, acceleration, To::Own);
        }
        Ok(given)
    }

    /// Stabilises the end of a step: coordinates are normalised, then, under projection, moved onto C = 0 and Ċ = 0.
    ///
    /// # Errors
    /// [`Error::Singular`]; [`Error::ProjectionDiverged`], also if the constraints are so far from the end of the
    /// step that the state found there would have little to do with the motion.
    #[inline]
    pub fn stabilize(
        &self,
        start: &State<S::Q, S::V>,
        end: &mut State<S::Q, S::V>,
    ) -> Result<(), Error> {
        self.stabilize_with(start, end, None).map(|_| ())
    }

    #[inline]
    fn stabilize_with(
        &self,
        start: &State<S::Q, S::V>,
        end: &mut State<S::Q, S::V>,
        acceleration: Option<&mut S::V>,
    ) -> Result<bool, Error> {
        self.system.normalize(&mut end.q);
        match self.stabilization {
            Stabilization::Projection { tolerance } => {
                let seen = self.corrected;
                project_step(self.system, start, end, tolerance, acceleration, seen)
            }
            _ => Ok(false),
        }
    }

    /// The same for a state that no step has led to, at any distance from the constraints.
    ///
    /// # Errors
    /// [`Error::ProjectionDiverged`] and [`Error::Singular`].
    pub(crate) fn put_back(&self, state: &mut State<S::Q, S::V>) -> Result<(), Error> {
        self.system.normalize(&mut state.q);
        match self.stabilization {
            Stabilization::Projection { tolerance } => project(self.system, state, tolerance),
            _ => Ok(()),
        }
    }
}

/// The cause of an error: a state that is not finite, or otherwise the error itself.
#[cold]
fn cause<T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
    error: Error,
    t: T,
    q: &Q,
    v: &V,
) -> Error {
    let (q, v) = (q.clone(), v.clone());
    let state = State { t, q, v };
    check_finite(&state).err().unwrap_or(error)
}
