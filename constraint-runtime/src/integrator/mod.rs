//! Integrators: one trait, from a state to the next, with an interpolant between the two.
//!
//! They see a system through [`Motion`]: its slope with Baumgarte's feedback where that is asked
//! for, and [`Motion::settle`], which moves the end of a step back onto the constraints. Methods
//! settle their end themselves, because one that keeps its last slope has to evaluate it there.
//! Explicit Runge–Kutta methods carry ω of bodies in the bodies' own frames from [`Motion::told`]
//! to [`Motion::finish`]; states outside of a step are those of the world.
//!
//! Invariant: a method reads the start, writes the end and changes nothing else but its own memory.

mod dormand_prince;
mod interpolant;
mod rattle;
mod runge_kutta;
mod semi_implicit_euler;
mod sequential_impulses;

pub use dormand_prince::DormandPrince;
pub use interpolant::{Interpolant, Slope};
pub use rattle::Rattle;
pub use runge_kutta::{Rk4, Tableau};
pub use semi_implicit_euler::SemiImplicitEuler;
pub use sequential_impulses::{ImpulseStepper, Impulses};

use nalgebra::SVector;

use crate::error::Error;
use crate::own_frames::{To, turned, turned_state};
use crate::real::{Real, first_bad, is_finite};
use crate::stabilization::{Stabilization, project, project_step};
use crate::state::{State, check_finite};
use crate::system::System;

/// A method that advances a state by one step.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let method = Rk4::new(0.01);
/// assert_eq!((Integrator::<f64>::order(&method), method.longest_step()), (4, 0.01));
/// ```
pub trait Integrator<T: Real> {
    /// What the method keeps from one step to the next; the default is to know nothing.
    type Memory<const Q: usize, const V: usize, const M: usize>: Clone + Default;

    /// Convergence order p: the error at a fixed time shrinks as hᵖ.
    fn order(&self) -> u32;

    /// The size of a fixed step; infinite for a method that chooses its steps.
    fn longest_step(&self) -> T;

    /// Checks the method's own settings, before anything runs.
    ///
    /// # Errors
    /// [`Error::InvalidStepSize`], [`Error::InvalidTolerance`].
    fn validate(&self) -> Result<(), Error>;

    /// Writes to `end` the state after a step of length `h`.
    ///
    /// The caller has put into `end.t` the time to reach, which is `start.t + h` but for rounding.
    /// A method that takes a shorter step writes the time it has reached. `memory` is what this
    /// method left there at the end of the step before, if that ended at `start`, else the default.
    /// When the step fails, `end` and `memory` hold nothing of use.
    ///
    /// # Errors
    /// Those of [`System::acceleration`] and [`Motion::settle`].
    fn step<S, const Q: usize, const V: usize, const M: usize>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Self::Memory<Q, V, M>,
        start: &State<T, Q, V>,
        h: T,
        end: &mut State<T, Q, V>,
    ) -> Result<(), Error>
    where
        S: System<T, Q, V, M>;

    /// The motion between the ends of the step that left `memory`: cubic unless overridden.
    ///
    /// # Errors
    /// Those of [`System::acceleration`].
    fn interpolant<S, const Q: usize, const V: usize, const M: usize>(
        &self,
        motion: &Motion<'_, T, S>,
        _memory: &Self::Memory<Q, V, M>,
        start: &State<T, Q, V>,
        end: &State<T, Q, V>,
    ) -> Result<Interpolant<T, Q, V>, Error>
    where
        S: System<T, Q, V, M>,
    {
        motion.cubic(start, end)
    }
}

/// An integrator that moves systems of `Q` coordinates and `V` velocities, as a [`Simulation`](crate::Simulation) needs it.
///
/// Most methods do so for every `Q` and `V`, one that needs q̇ = v for equal numbers alone: the rotation of a rigid
/// body has one coordinate more than velocities.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// # mod by_hand { include!("../../tests/common/parabola.rs"); } use by_hand::Parabola;
/// fn fall<I: Moves<f64, 2, 2>>(method: I) -> Result<f64, Error> {
///     let bead = Particle::new(1.0).on(Parabola).under_gravity([0.0, -10.0]);
///     let mut run = Simulation::new(bead, State::new(0.0, [100.0, -100.0], [0.0, 0.0]), method)?;
///     run.run_until(1.0)?;
///     Ok(run.coordinates().y)
/// }
/// assert!((fall(Rattle::new(1e-3))? - fall(Rk4::new(1e-2))?).abs() < 1e-5);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not move systems of {Q} coordinates and {V} velocities",
    label = "this method does not move this system",
    note = "rigid bodies have more coordinates than velocities: `Rattle` does not move them, `Rk4`, `DormandPrince`, `SemiImplicitEuler` and `SequentialImpulses::stepping` do"
)]
pub trait Moves<T: Real, const Q: usize, const V: usize>: Integrator<T> {}

/// The differential equation an integrator solves: q̇ = N(q) v and v̇, with what is done against drift.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a, T, S> {
    system: &'a S,
    stabilization: Stabilization<T>,
}

impl<'a, T: Real, S> Motion<'a, T, S> {
    /// The motion of `system` under `stabilization`.
    pub fn new(system: &'a S, stabilization: Stabilization<T>) -> Self {
        Self {
            system,
            stabilization,
        }
    }

    /// The system that moves.
    pub fn system(&self) -> &'a S {
        self.system
    }

    /// What is done against drift.
    pub fn stabilization(&self) -> Stabilization<T> {
        self.stabilization
    }

    /// v̇ with J v̇ = −β, or with feedback J v̇ = −β − 2 α Ċ − β_b² C.
    ///
    /// # Errors
    /// Those of [`System::acceleration`]; [`Error::NonFinite`] where one arises because `q` or `v` is
    /// no number.
    ///
    /// # Source
    /// [Baumgarte 1972] J. Baumgarte, *Stabilization of constraints and integrals of motion in
    /// dynamical systems*, Comput. Methods Appl. Mech. Eng. 1, equation (12).
    #[inline(always)]
    pub fn acceleration<const Q: usize, const V: usize, const M: usize>(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, V>, Error>
    where
        S: System<T, Q, V, M>,
    {
        let mut acceleration = match self.stabilization {
            Stabilization::Baumgarte { alpha, beta } => self.with_feedback(alpha, beta, t, q, v),
            _ => self.system.acceleration(t, q, v),
        };
        if let Err(error) = &mut acceleration {
            *error = cause(*error, t, q, v);
        }
        acceleration
    }

    #[inline(never)]
    fn with_feedback<const Q: usize, const V: usize, const M: usize>(
        &self,
        alpha: T,
        beta: T,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, V>, Error>
    where
        S: System<T, Q, V, M>,
    {
        let c = self.system.constraint(t, q);
        let c_dot = self.system.constraint_rate(t, q, v);
        let b = -(c_dot * (alpha + alpha) + c * (beta * beta));
        Ok(self.system.acceleration(t, q, v)? + self.system.correction(t, q, &b)?)
    }

    /// q̇ = N(q) v.
    #[inline]
    pub fn kinematics<const Q: usize, const V: usize, const M: usize>(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> SVector<T, Q>
    where
        S: System<T, Q, V, M>,
    {
        self.system.kinematics(t, q, v)
    }

    /// (q̇, v̇) at a state.
    ///
    /// # Errors
    /// Those of [`System::acceleration`].
    pub fn slope<const Q: usize, const V: usize, const M: usize>(
        &self,
        state: &State<T, Q, V>,
    ) -> Result<Slope<T, Q, V>, Error>
    where
        S: System<T, Q, V, M>,
    {
        let State { t, q, v } = state;
        Ok(Slope {
            q: self.kinematics(*t, q, v),
            v: self.acceleration(*t, q, v)?,
        })
    }

    /// The state with bodies told in their own frames, as stages need it; `place` is room for it.
    #[inline(always)]
    fn told<'s, const Q: usize, const V: usize, const M: usize>(
        &self,
        state: &'s State<T, Q, V>,
        place: &'s mut Option<State<T, Q, V>>,
    ) -> &'s State<T, Q, V>
    where
        S: System<T, Q, V, M>,
    {
        match S::OWN_FRAMES {
            [] => state,
            frames => place.insert(turned_state(frames, state, To::Own)),
        }
    }

    /// (q̇, v̇) at a state that is told.
    fn told_slope<const Q: usize, const V: usize, const M: usize>(
        &self,
        told: &State<T, Q, V>,
    ) -> Result<Slope<T, Q, V>, Error>
    where
        S: System<T, Q, V, M>,
    {
        let mut slope = Slope::zero();
        self.write_slope(told.t, &told.q, &told.v, &mut slope)?;
        Ok(slope)
    }

    /// The same into its place: a large slope is not built elsewhere and copied.
    #[inline(always)]
    fn write_slope<const Q: usize, const V: usize, const M: usize>(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
        slope: &mut Slope<T, Q, V>,
    ) -> Result<(), Error>
    where
        S: System<T, Q, V, M>,
    {
        if !S::OWN_FRAMES.is_empty() {
            *slope = self.own_slope(t, q, v)?;
            return Ok(());
        }
        slope.q = self.kinematics(t, q, v);
        // Looked at where it was returned: taken out of its `Result`, it is copied once more on the way.
        match &self.acceleration(t, q, v) {
            Ok(acceleration) => slope.v.copy_from(acceleration),
            Err(error) => return Err(*error),
        }
        Ok(())
    }

    /// That of bodies told in their own frames.
    fn own_slope<const Q: usize, const V: usize, const M: usize>(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<Slope<T, Q, V>, Error>
    where
        S: System<T, Q, V, M>,
    {
        if let Stabilization::Baumgarte { .. } = self.stabilization {
            let v = turned(S::OWN_FRAMES, q, v, To::World);
            let mut slope = self.slope(&State { t, q: *q, v })?;
            slope.v = turned(S::OWN_FRAMES, q, &slope.v, To::Own);
            return Ok(slope);
        }
        match self.system.own_slope(t, q, v) {
            Ok((q, v)) => Ok(Slope { q, v }),
            Err(error) => Err(cause(error, t, q, v)),
        }
    }

    /// The cubic between two states of the world.
    fn cubic<const Q: usize, const V: usize, const M: usize>(
        &self,
        start: &State<T, Q, V>,
        end: &State<T, Q, V>,
    ) -> Result<Interpolant<T, Q, V>, Error>
    where
        S: System<T, Q, V, M>,
    {
        let mut places = [None; 2];
        let [first, last] = &mut places;
        let (start, end) = (self.told(start, first), self.told(end, last));
        let slopes = [self.told_slope(start)?, self.told_slope(end)?];
        Ok(Interpolant::cubic(start, end, &slopes).in_frames(S::OWN_FRAMES))
    }

    /// [Settles](Self::settle) the end of a step whose start and end are told.
    #[inline]
    fn finish<const Q: usize, const V: usize, const M: usize>(
        &self,
        start: &State<T, Q, V>,
        end: &mut State<T, Q, V>,
    ) -> Result<(), Error>
    where
        S: System<T, Q, V, M>,
    {
        if S::OWN_FRAMES.is_empty() {
            return self.settle(start, end);
        }
        *end = turned_state(S::OWN_FRAMES, end, To::World);
        self.settle(&turned_state(S::OWN_FRAMES, start, To::World), end)
    }

    /// Puts the end of a step in order: coordinates normalised, then, where that is the
    /// stabilisation, projected onto C = 0 and Ċ = 0.
    ///
    /// # Errors
    /// [`Error::Singular`]; [`Error::ProjectionDiverged`], also where the constraints are so far from
    /// the end of the step that the state found there would have little to do with the motion.
    #[inline]
    pub fn settle<const Q: usize, const V: usize, const M: usize>(
        &self,
        start: &State<T, Q, V>,
        end: &mut State<T, Q, V>,
    ) -> Result<(), Error>
    where
        S: System<T, Q, V, M>,
    {
        self.system.normalize(&mut end.q);
        match self.stabilization {
            Stabilization::Projection { tolerance } => {
                project_step(self.system, start, end, tolerance)
            }
            _ => Ok(()),
        }
    }

    /// The same for a state that no step has led to, as far from the constraints as it may be.
    ///
    /// # Errors
    /// [`Error::ProjectionDiverged`] and [`Error::Singular`].
    pub(crate) fn put_back<const Q: usize, const V: usize, const M: usize>(
        &self,
        state: &mut State<T, Q, V>,
    ) -> Result<(), Error>
    where
        S: System<T, Q, V, M>,
    {
        self.system.normalize(&mut state.q);
        match self.stabilization {
            Stabilization::Projection { tolerance } => project(self.system, state, tolerance),
            _ => Ok(()),
        }
    }
}

/// What an error arises from: a state that is no number, or else what the error says itself.
#[cold]
fn cause<T: Real, const Q: usize, const V: usize>(
    error: Error,
    t: T,
    q: &SVector<T, Q>,
    v: &SVector<T, V>,
) -> Error {
    let state = State { t, q: *q, v: *v };
    check_finite(&state).err().unwrap_or(error)
}

/// That a step size is positive and finite.
fn check_step_size<T: Real>(h: T) -> Result<(), Error> {
    match first_bad(h, h.simd_gt(T::zero()) & is_finite(h)) {
        None => Ok(()),
        Some(step_size) => Err(Error::InvalidStepSize { step_size }),
    }
}
