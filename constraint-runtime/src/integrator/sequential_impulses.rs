//! Semi-implicit Euler with sequential impulses for the constraints: the solver of worlds, for a system.

use alloc::vec::Vec;

use super::{Integrator, Motion};
use crate::checks::check_step_size;
use crate::error::{Error, Singular};
use crate::event::Events;
use crate::impulse::{ImpulseRows, SequentialImpulses, Softness, Swept, Target};
use crate::kept::check_numbers;
use crate::real::{Real, largest};
use crate::simulation::Simulation;
use crate::stabilization::Stabilization;
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// [`SequentialImpulses`] as the integrator of a [`System`]. Order 1.
///
/// ```text
/// v* = v₀ + h W f(t₀, q₀, v₀)
/// v₁ = v* + W Jᵀ Λ              (J W Jᵀ + γ) Λ = −Ċ(v*) − feedback C, by sweeps
/// q₁ = q₀ + h N(q₀) v₁          then towards C(q₁) = 0, by sweeps
/// ```
///
/// - Stabilisation: under [`Projection`](Stabilization::Projection), the default, positions are visited as often as
///   [`SequentialImpulses`] says; `Baumgarte { alpha, beta }` means 2 α Ċ + β² C = 0.
/// - Cost: one evaluation of f and of the rows a step, one of the rows for each visit of the positions; an iteration
///   costs a few operations for each nonzero entry of J. Only the first step allocates. Systems written by hand use
///   the defaults of [`impulse_rows`](crate::Constrained::impulse_rows) and
///   [`free_acceleration`](crate::Constrained::free_acceleration), which are expensive: n³/6 operations for n velocities.
/// - Dependent rows are no error, and converge all the same.
///
/// # Errors
/// [`Error::Singular`] if the rows of one constraint depend on one another, or have no gradient.
///
/// # Source
/// As [`SequentialImpulses`].
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// A chain of four beads.
///     pub struct Chain { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
///     particle bead[4]: Point2 { mass: m }
///     constraint anchor: norm(bead[0]) == l;
///     for i in 1..4 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
///     for i in 0..4 { force bead[i]: [0, -m*g]; }
/// }
///
/// let mut q = ChainCoordinates::default();
/// for i in 0..4 {
///     q.bead[i].x = 0.5 * (i as f64 + 1.0);
/// }
/// let start = State::new(0.0, q, ChainVelocities::default());
/// let solver = SequentialImpulses::new(20).stepping(1e-3);
/// let mut run = Simulation::new(Chain::default(), start, solver)?;
/// run.run_until(1.0)?;
/// assert!(run.drift() < 1e-3);
/// // Λ of the last step is about h λ.
/// let tension = run.impulses()[0] / 1e-3;
/// assert!((tension / run.multipliers()?[0] - 1.0).abs() < 0.05);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpulseStepper<T = f64> {
    solver: SequentialImpulses,
    h: T,
    softness: Option<Softness<T>>,
}

/// Λ of the last step, and memory for the rows.
#[derive(Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde-no-std",
    serde(bound(
        serialize = "T: serde::Serialize",
        deserialize = "T: Real + serde::Deserialize<'de>"
    ))
)]
pub struct Impulses<T> {
    impulse: Vec<T>,
    #[cfg_attr(feature = "serde-no-std", serde(skip))]
    rows: ImpulseRows<T>,
}

impl<T: Real> Default for Impulses<T> {
    fn default() -> Self {
        Self {
            impulse: Vec::new(),
            rows: ImpulseRows::default(),
        }
    }
}

/// The rows are left out: every step recomputes them.
impl<T: Real> Clone for Impulses<T> {
    fn clone(&self) -> Self {
        Self {
            impulse: self.impulse.clone(),
            rows: ImpulseRows::default(),
        }
    }
}

impl<T: Real> ImpulseStepper<T> {
    pub(crate) fn new(solver: SequentialImpulses, h: T) -> Self {
        Self {
            solver,
            h,
            softness: None,
        }
    }

    /// Makes all constraints compliant, with a spring and a damper each; none is projected then.
    pub fn with_softness(self, softness: Softness<T>) -> Self {
        Self {
            softness: Some(softness),
            ..self
        }
    }

    /// Corrects the velocities of `end` to satisfy the rows at `start`.
    fn hold<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Impulses<T>,
        start: &State<S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
    ) -> Result<(), Error> {
        let (system, State { t, q, .. }) = (motion.system(), start);
        let Impulses { impulse, rows } = memory;
        let (feedback, softening) = match &self.softness {
            Some(softness) => softness.over(h),
            None => (motion.stabilization().feedback()?, T::zero()),
        };
        let mut drive = system.constraint_rate(*t, q, &end.v);
        let value = system.constraint(*t, q);
        drive.update(|i, rate| rate + value[i] * feedback);
        rows.clear();
        system.impulse_rows(*t, q, rows)?;
        rows.subtract_rates(drive.entries_mut(), end.v.entries());
        if !self.solver.starts_warm() {
            impulse.clear();
        }
        impulse.resize(drive.entries().len(), T::zero());
        let mut swept = Sweeping {
            rows,
            target: Target {
                v: end.v.entries_mut(),
                impulse,
                drive: drive.entries(),
                softening,
            },
        };
        Ok(self.solver.solve_velocities(&mut swept)?)
    }

    /// Moves the coordinates of `end` towards C = 0.
    fn project<S: System<T>>(
        &self,
        system: &S,
        tolerance: T,
        rows: &mut ImpulseRows<T>,
        end: &mut State<S::Q, S::V>,
    ) -> Result<(), Error> {
        // A few sweeps cannot reach rounding.
        let asked = tolerance.simd_gt(T::zero());
        let good = |end: &State<S::Q, S::V>| {
            let drift = largest(&system.constraint(end.t, &end.q));
            nalgebra::SimdBool::all(asked & drift.simd_le(tolerance))
        };
        let mut improve = |end: &mut State<S::Q, S::V>, backwards: bool| {
            let value = system.constraint(end.t, &end.q);
            let (mut moved, mut lambda) = (end.v.zeros_like(), value.zeros_like());
            rows.clear();
            system.impulse_rows(end.t, &end.q, rows)?;
            rows.factor(T::zero())?;
            let mut target = Target {
                v: moved.entries_mut(),
                impulse: lambda.entries_mut(),
                drive: value.entries(),
                softening: T::zero(),
            };
            rows.sweep(&mut target, backwards);
            let way = system.kinematics(end.t, &end.q, &moved);
            end.q.update(|i, q| q + way[i]);
            system.normalize(&mut end.q);
            Ok(())
        };
        self.solver.solve_positions(end, good, &mut improve)
    }
}

impl<T: Real> Integrator for ImpulseStepper<T> {
    type Scalar = T;
    type Memory<Q: Vector<Scalar = T>, V: Vector<Scalar = T>> = Impulses<T>;

    fn order(&self) -> u32 {
        1
    }

    fn longest_step(&self) -> T {
        self.h
    }

    fn validate(&self) -> Result<(), Error> {
        self.solver.validate()?;
        check_step_size(self.h)
    }

    fn check_memory<S: System<T>>(
        &self,
        system: &S,
        memory: &Self::Memory<S::Q, S::V>,
        state: &State<S::Q, S::V>,
    ) -> Result<(), Error> {
        // Before the first step there are none.
        if memory.impulse.is_empty() {
            return Ok(());
        }
        let rows = system.constraint(state.t, &state.q);
        check_numbers(&memory.impulse, rows.entries().len())
    }

    fn step<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Self::Memory<S::Q, S::V>,
        start: &State<S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
    ) -> Result<(), Error> {
        let (system, State { t, q, v }) = (motion.system(), start);
        let free = motion.free_acceleration(*t, q, v)?;
        end.v.update(|i, _| v[i] + free[i] * h);
        let is_constrained = S::Rows::LEN != Some(0);
        if is_constrained {
            self.hold(motion, memory, start, h, end)?;
        }
        let rate = motion.kinematics(*t, q, &end.v);
        end.q.update(|i, _| q[i] + rate[i] * h);
        system.normalize(&mut end.q);
        match motion.stabilization() {
            Stabilization::Projection { tolerance }
                if is_constrained && self.softness.is_none() =>
            {
                self.project(system, tolerance, &mut memory.rows, end)
            }
            _ => Ok(()),
        }
    }
}

impl<T, S, E> Simulation<S, ImpulseStepper<T>, E>
where
    T: Real,
    S: System<T>,
    E: Events<S::Q, S::V>,
{
    /// Λ of the last step, row by row: about h λ, +Λ pushing along +∇C.
    pub fn impulses(&self) -> S::Rows {
        let State { t, q, .. } = self.state();
        let impulse = &self.memory().impulse;
        // Before the first step there are none.
        let impulse = |i: usize| impulse.get(i).map_or_else(T::zero, |&impulse| impulse);
        self.system().constraint(*t, q).like(impulse)
    }
}

/// Rows and the vectors that impulses act on.
struct Sweeping<'a, T> {
    rows: &'a mut ImpulseRows<T>,
    target: Target<'a, T>,
}

impl<T: Real> Swept for Sweeping<'_, T> {
    fn factor(&mut self) -> Result<(), Singular> {
        self.rows.factor(self.target.softening)
    }

    fn warm_start(&mut self) {
        self.rows
            .push_velocities(self.target.impulse, self.target.v);
    }

    fn sweep(&mut self, backwards: bool) {
        self.rows.sweep(&mut self.target, backwards);
    }
}
