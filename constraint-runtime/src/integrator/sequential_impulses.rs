//! Semi-implicit Euler whose constraint impulses are swept row by row: the solver of worlds on a system.

use nalgebra::SVector;

use super::{Integrator, Motion, Moves, cause, check_step_size};
use crate::error::{Error, Singular};
use crate::impulse::{ImpulseRows, SequentialImpulses, Softness, Swept, Target};
use crate::real::{Real, largest};
use crate::simulation::Simulation;
use crate::stabilization::Stabilization;
use crate::state::State;
use crate::system::System;

/// [`SequentialImpulses`] as the integrator of a [`System`]. Order 1.
///
/// ```text
/// v* = v₀ + h W f(t₀, q₀, v₀)
/// v₁ = v* + W Jᵀ Λ              (J W Jᵀ + γ) Λ = −Ċ(v*) − feedback C, by sweeps
/// q₁ = q₀ + h N(q₀) v₁          then towards C(q₁) = 0, by sweeps
/// ```
///
/// - Stabilisation: under [`Projection`](Stabilization::Projection), the default, places are visited as often as
///   [`SequentialImpulses`] says; `Baumgarte { alpha, beta }` stands for 2 α Ċ + β² C = 0.
/// - Cost: one evaluation of f and of the rows a step, one of the rows for each visit of the places; an iteration costs
///   a few operations for each entry of J that is not zero. Only the first step allocates. Systems by hand and those
///   solved in loops, as long chains of particles are, go through [`System::impulse_rows`] as it stands, which is dear:
///   `#[solver(unrolled)]` before the struct avoids it.
/// - Dependent rows are no error, and converge all the same.
///
/// # Errors
/// [`Error::Singular`] where the rows of one constraint depend on one another, or have no gradient.
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
pub struct ImpulseStepper<T> {
    solver: SequentialImpulses,
    h: T,
    softness: Option<Softness<T>>,
}

/// Λ of the last step, and room for the rows.
#[derive(Debug)]
pub struct Impulses<T, const M: usize> {
    impulse: SVector<T, M>,
    rows: ImpulseRows<T>,
}

impl<T: Real, const M: usize> Default for Impulses<T, M> {
    fn default() -> Self {
        Self {
            impulse: SVector::zeros(),
            rows: ImpulseRows::default(),
        }
    }
}

/// The rows are left out: every step makes them anew.
impl<T: Real, const M: usize> Clone for Impulses<T, M> {
    fn clone(&self) -> Self {
        Self {
            impulse: self.impulse,
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

    /// All constraints give, by a spring and a damper each; none is projected then.
    pub fn with_softness(self, softness: Softness<T>) -> Self {
        Self {
            softness: Some(softness),
            ..self
        }
    }

    /// Makes the velocities of `end` obey the rows at `start`.
    fn hold<S, const Q: usize, const V: usize, const M: usize>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Impulses<T, M>,
        start: &State<T, Q, V>,
        h: T,
        end: &mut State<T, Q, V>,
    ) -> Result<(), Error>
    where
        S: System<T, Q, V, M>,
    {
        let (system, State { t, q, .. }) = (motion.system(), start);
        let Impulses { impulse, rows } = memory;
        let (feedback, softening) = match &self.softness {
            Some(softness) => softness.over(h),
            None => (motion.stabilization().feedback()?, T::zero()),
        };
        let mut drive = system.constraint_rate(*t, q, &end.v);
        drive += system.constraint(*t, q) * feedback;
        rows.clear();
        system.impulse_rows(*t, q, rows)?;
        rows.subtract_rates(drive.as_mut_slice(), end.v.as_slice());
        if !self.solver.starts_warm() {
            impulse.fill(T::zero());
        }
        let mut swept = Sweeping {
            rows,
            target: Target {
                v: end.v.as_mut_slice(),
                impulse: impulse.as_mut_slice(),
                drive: drive.as_slice(),
                softening,
            },
        };
        Ok(self.solver.solve_velocities(&mut swept)?)
    }

    /// Moves the coordinates of `end` towards C = 0.
    fn project<S, const Q: usize, const V: usize, const M: usize>(
        &self,
        system: &S,
        tolerance: T,
        rows: &mut ImpulseRows<T>,
        end: &mut State<T, Q, V>,
    ) -> Result<(), Error>
    where
        S: System<T, Q, V, M>,
    {
        // Rounding is out of reach of a few sweeps.
        let asked = tolerance.simd_gt(T::zero());
        let good = |end: &State<T, Q, V>| {
            let drift = largest(&system.constraint(end.t, &end.q));
            nalgebra::SimdBool::all(asked & drift.simd_le(tolerance))
        };
        let mut improve = |end: &mut State<T, Q, V>, backwards: bool| {
            let (mut moved, mut lambda) = (SVector::<T, V>::zeros(), SVector::<T, M>::zeros());
            rows.clear();
            system.impulse_rows(end.t, &end.q, rows)?;
            rows.factor(T::zero())?;
            let value = system.constraint(end.t, &end.q);
            let mut target = Target {
                v: moved.as_mut_slice(),
                impulse: lambda.as_mut_slice(),
                drive: value.as_slice(),
                softening: T::zero(),
            };
            rows.sweep(&mut target, backwards);
            end.q += system.kinematics(end.t, &end.q, &moved);
            system.normalize(&mut end.q);
            Ok(())
        };
        self.solver.solve_positions(end, good, &mut improve)
    }
}

impl<T: Real, const Q: usize, const V: usize> Moves<T, Q, V> for ImpulseStepper<T> {}

impl<T: Real> Integrator<T> for ImpulseStepper<T> {
    type Memory<const Q: usize, const V: usize, const M: usize> = Impulses<T, M>;

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

    fn step<S, const Q: usize, const V: usize, const M: usize>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Self::Memory<Q, V, M>,
        start: &State<T, Q, V>,
        h: T,
        end: &mut State<T, Q, V>,
    ) -> Result<(), Error>
    where
        S: System<T, Q, V, M>,
    {
        let (system, State { t, q, v }) = (motion.system(), start);
        let free = system.free_acceleration(*t, q, v);
        end.v = v + free.map_err(|error| cause(error, *t, q, v))? * h;
        if M > 0 {
            self.hold(motion, memory, start, h, end)?;
        }
        end.q = q + motion.kinematics(*t, q, &end.v) * h;
        system.normalize(&mut end.q);
        match motion.stabilization() {
            Stabilization::Projection { tolerance } if M > 0 && self.softness.is_none() => {
                self.project(system, tolerance, &mut memory.rows, end)
            }
            _ => Ok(()),
        }
    }
}

impl<T, S, const Q: usize, const V: usize, const M: usize, E>
    Simulation<T, S, ImpulseStepper<T>, Q, V, M, E>
where
    T: Real,
{
    /// Λ of the last step, row by row: about h λ, +Λ pushing along +∇C.
    pub fn impulses(&self) -> &SVector<T, M> {
        &self.memory().impulse
    }
}

/// Rows and what they are swept through.
struct Sweeping<'a, T> {
    rows: &'a mut ImpulseRows<T>,
    target: Target<'a, T>,
}

impl<T: Real> Swept for Sweeping<'_, T> {
    type Singular = Singular;

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
