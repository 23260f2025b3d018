//! Radau IIA of three stages: implicit steps of order 5 that stiffness does not shorten.
//!
//! The unknowns are the velocities of the stages alone, zᵢ = vᵢ − v₀: the positions of the stages follow from them by
//! the same quadrature, qᵢ = q₀ + h Σⱼ aᵢⱼ N(qⱼ) vⱼ. Newton's method on a(tᵢ, qᵢ, vᵢ) = h⁻¹ Σⱼ (A⁻¹)ᵢⱼ zⱼ, with a
//! constant matrix and A⁻¹ diagonalised, splits into one real and one complex system of as many equations as
//! velocities,
//!
//! ```text
//! (s − ∂v̇/∂v − s⁻¹ ∂v̇/∂q) δw = r        s = γ/h, (α + i β)/h        γ, α ± i β the eigenvalues of A⁻¹
//! ```
//!
//! half the size of those of (q, v), whose upper half q̇ = v is thus eliminated by hand.
//!
//! One matrix E₀ for all stages converges slowly if the stiff direction rotates, as does the effective mass of a
//! swinging rod at its bushing: residuals are then multiplied by E₀ Eᵢ⁻¹, with the real matrix Eᵢ of each stage,
//! which is exact for the stiff part and leaves the rest unchanged. This begins after Newton's method has failed
//! once.

mod coefficients;
mod control;
mod memory;
mod newton;

pub use self::memory::Radau5Memory;

use nalgebra::RealField;

use self::coefficients::{A, C, ERROR_OF_TURNS, basis, combined};
use self::control::shrinkage;
use self::memory::{Stages, Turned, Varied};
use super::newton::{Effort, Implicit};
use super::step_control::{Attempt, Settings, until_accepted};
use super::{Integrator, Interpolant, Motion, Slope};
use crate::error::Error;
use crate::real::{Real, lane_value};
use crate::state::{State, check_finite};
use crate::system::System;
use crate::vector::Vector;

/// The factor for a step that Newton's method did not solve, or that reached a state the system rejects.
const RETREAT: f64 = 0.5;
/// Part of tol^(2/3) that the estimate of order 3 may be for an error of tol, as in RADAU5.
const RELAXED: f64 = 0.1;
/// An absolute tolerance so many times larger than rtol |y| decides alone.
const WELL_ABOVE: f64 = 64.0;
/// The largest ratio of an oscillation's amplitude to its motion in one step that is taken into account.
const SWINGS: f64 = 1000.0;

/// The implicit adaptive method of order 5 for stiff motion, Radau IIA of three stages as in the code RADAU5.
///
/// It solves q̇ = N(q) v, v̇ = a(t, q, v), λ eliminated: index 1. The end of each step is projected onto C = 0 and Ċ
/// = 0 as with any other method (or fed back, as [`Stabilization`](crate::Stabilization) says): nothing drifts.
/// Forces may be stiff, such as springs of 10⁸ N/m: the method is L-stable and damps motion that is too fast for its
/// steps.
///
/// - Tolerances: as for [`DormandPrince`](crate::DormandPrince), but the error estimate is of order 3 and so is
///   compared with rtol′ = 0.1 rtol^(2/3) and atol′ = atol rtol′/rtol, as in RADAU5. If atol is more than 64 times
///   the tolerance that rtol allows for the amplitude of the motion, the factor of atol follows in the same manner
///   from the ratio of atol to that amplitude, but is at least 1. So the error of a step stays within the tolerances
///   as written, in every combination of both, and a coordinate at rest far from the origin loosens nothing. One that
///   travels far and fast does, through the mean; scale it, or tighten atol.
/// - Needs ∂v̇/∂(q, v), which is exact for systems with `#[derivatives]` ([`Derivatives`](crate::Derivatives)).
///   Inputs from a law count as constant there: a stiff law stops Newton's method, a stiff force does not.
/// - Bodies rotate by the components of their quaternions, with the velocities of the world; N(q) is iterated
///   together with Newton's method, which takes steps of well below a radian.
/// - Cost, with N velocities: three evaluations per iteration, with two to four iterations in a typical step, and one
///   at the start of a step; elimination of a real and a complex N × N matrix, 5 N³/3 multiplications, when the
///   length of a step has changed, and ∂v̇/∂(q, v) when Newton's method has become slow.
///   [`effort`](crate::Simulation::effort) reports the counts. No allocation with vectors of fixed size. From 24
///   velocities on, generated systems are eliminated entry by entry, as with
///   [`GeneralizedAlpha`](crate::GeneralizedAlpha): in proportion to the length of a chain.
/// - If Newton's method with one matrix has failed once, because the stiff direction rotates with the motion,
///   ∂v̇/∂(q, v) and a real matrix of each stage are evaluated and eliminated as well, until the run restarts.
/// - Dense output: the collocation polynomial, of degree 3.
/// - Scalars are `f64`, `f32` and dual numbers; SIMD lanes have no common pivots and are not supported.
///
/// # Errors
/// In addition to those of the system: [`Error::NoDerivatives`]; [`Error::NewtonDiverged`] and
/// [`Error::SingularStep`] if no step is short enough for Newton's method, [`Error::StepSizeUnderflow`] for the
/// tolerance; [`Error::TooManyRejections`], [`Error::TooManySteps`]. The simulation keeps its last good state.
///
/// # Source
/// [Hairer, Wanner 1996] *Solving Ordinary Differential Equations II*: section IV.8 (Newton's method, step control, dense
/// output) and the code RADAU5; VII.2 (projection).
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// A pendulum on a bushing.
///     #[derivatives]
///     struct Hung { m: Real = 1, k: Real = 1e8, c: Real = 1e3, l: Real = 1, g: Real = 9.81 }
///     particle pin: Point2 { mass: m }
///     particle bob: Point2 { mass: m }
///     constraint rod: norm(bob - pin) == l;
///     potential k/2*dot(pin, pin);
///     dissipation c/2*dot(velocity(pin), velocity(pin));
///     gravity [0, -g];
/// }
/// let pin = Point2::origin();
/// let start = HungCoordinates { pin, bob: Point2::new(0.6, -0.8) };
/// let start = State::new(0.0, start, HungVelocities::default());
/// let mut run = Simulation::new(Hung::default(), start, Radau5::new(1e-6, 1e-6))?;
/// run.run_until(10.0)?;
/// assert!(run.effort().steps < 300 && run.drift() < 1e-12);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Radau5<T = f64> {
    settings: Settings<T>,
    newton: Option<T>,
}

impl<T: Real> Radau5<T> {
    /// Weights of the slopes in the stages, the last of which is the end of the step,
    pub(crate) const WEIGHTS: [[f64; 3]; 3] = A;
    /// and the times of the stages, in steps.
    pub(crate) const NODES: [f64; 3] = C;

    /// The method with the relative tolerance `rtol` and the absolute one `atol`, per step.
    pub fn new(rtol: T, atol: T) -> Self {
        Self {
            settings: Settings::new(rtol, atol),
            newton: None,
        }
    }

    /// As [`DormandPrince::with_first_step`](crate::DormandPrince::with_first_step).
    pub fn with_first_step(mut self, h: T) -> Self {
        self.settings.first = Some(h);
        self
    }

    /// The same method with no step longer than `h`.
    pub fn with_longest_step(mut self, h: T) -> Self {
        self.settings.longest = h;
        self
    }

    /// The same method with at most `most_steps` steps in a run to a given time; a million by default.
    pub fn with_most_steps(mut self, most_steps: usize) -> Self {
        self.settings.most_steps = most_steps;
        self
    }

    /// The same method with another tolerance of Newton's method: it ends when a change would be below this part of
    /// the step's tolerances; by default min(0.03, √rtol′). Rounding is the least in any case.
    pub fn with_newton_tolerance(self, part: T) -> Self {
        Self {
            newton: Some(part),
            ..self
        }
    }

    /// The tolerances for the error estimate in a step of length `h` from a state.
    ///
    /// With allowed = f atol, an estimate of order 3 allows a step whose error is about A (f atol/A)^(3/2), where A
    /// is the amplitude of the motion. With f = 0.1 rtol^(−1/3) that is within atol if atol/A is not much larger than
    /// rtol; otherwise f follows from atol/A in the same manner. A is the root mean square of all entries, each
    /// limited to a thousand times its motion in the step: a coordinate at rest far from the origin does not count.
    fn held<Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        &self,
        at: &State<Q, V>,
        slope: &Slope<Q, V>,
        h: T,
    ) -> Settings<T> {
        let Settings { rtol, atol, .. } = self.settings;
        let relaxed = T::lit(RELAXED) * rtol.simd_powf(T::lit(2.0 / 3.0));
        let some = rtol.simd_gt(T::zero());
        let absolute = Settings::new(T::zero(), atol);
        let most = h * T::lit(SWINGS);
        let swing = |y: T, rate: T| y.simd_abs().simd_min((rate * most).simd_abs());
        let size = absolute.norm(
            |i| swing(at.q[i], slope.q[i]),
            |i| swing(at.v[i], slope.v[i]),
            at,
            at,
        );
        let by_size = T::lit(RELAXED) * (size.simd_sqrt() * T::lit(WELL_ABOVE)).simd_cbrt();
        let by_size = by_size.simd_max(T::one());
        let factor = (relaxed / rtol).simd_min(by_size).select(some, by_size);
        Settings {
            rtol: relaxed.select(some, rtol),
            atol: (atol * factor).select(atol.simd_gt(T::zero()), atol),
            ..self.settings
        }
    }
}

/// Where a step starts, and its rounding if tolerances lie below it.
type Start<'a, Q, V> = (&'a State<Q, V>, Option<&'a Slope<Q, V>>);

/// A step that was tried: its error relative to the tolerance, and its effort.
struct Tried<T> {
    error: T,
    iterations: usize,
}

/// The reason why a step cannot be judged by its error, and the factor for its length.
struct Refused<T> {
    error: Error,
    part: T,
}

impl<T: Real> From<Error> for Refused<T> {
    fn from(error: Error) -> Self {
        let part = T::lit(RETREAT);
        Self { error, part }
    }
}

impl<T: Real + RealField> Integrator for Radau5<T> {
    type Scalar = T;
    type Memory<Q: Vector<Scalar = T>, V: Vector<Scalar = T>> = Radau5Memory<T, Q, V>;

    const IS_IMPLICIT: bool = true;

    fn order(&self) -> u32 {
        5
    }

    fn validate(&self) -> Result<(), Error> {
        self.settings.validate()?;
        match self.newton {
            Some(part) if !(part > T::zero() && part.is_finite()) => Err(Error::InvalidTolerance {
                tolerance: lane_value(part, 0),
            }),
            _ => Ok(()),
        }
    }

    fn check_memory<S: System<T>>(
        &self,
        _system: &S,
        memory: &Self::Memory<S::Q, S::V>,
        state: &State<S::Q, S::V>,
    ) -> Result<(), Error> {
        memory.check(state)
    }

    fn step<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Self::Memory<S::Q, S::V>,
        start: &State<S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
    ) -> Result<(), Error> {
        let (most, target) = (h, end.t);
        // What is rounding is asked after a step that failed, not before.
        let mut rounding = None;
        self.prepare(motion, memory, start, most)?;
        let next = memory.next;
        let most_steps = self.settings.most_steps;
        memory.budget.spend(target, most_steps, next)?;
        until_accepted(start.t, [next, most, target], |h, reached, again| {
            end.t = reached;
            let rejected =
                match self.attempt(motion, memory, (start, rounding.as_ref()), h, end, again) {
                    Ok(tried) if tried.error < T::one() => {
                        self.accept(memory, h, most, &tried, again);
                        return Ok(Attempt::Accepted);
                    }
                    Ok(tried) if memory.last_h == T::zero() => {
                        Attempt::Rejected(shrinkage(&tried).simd_min(T::lit(0.1)), None)
                    }
                    Ok(tried) => Attempt::Rejected(shrinkage(&tried), None),
                    Err(Refused {
                        error: error @ Error::NoDerivatives,
                        ..
                    }) => return Err(error),
                    Err(Refused { error, part }) => {
                        if let Error::NewtonDiverged { .. } = error
                            && memory.turned.is_none()
                        {
                            memory.turned = Some(Turned::room());
                        }
                        Attempt::Rejected(part, Some(error))
                    }
                };
            memory.effort.rejections += 1;
            if !again {
                rounding = self.settings.rounding(motion, start);
            }
            if memory.varied == Varied::Before {
                memory.varied = Varied::Nowhere;
            }
            Ok(rejected)
        })
    }

    fn interpolant<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &Self::Memory<S::Q, S::V>,
        start: &State<S::Q, S::V>,
        end: &State<S::Q, S::V>,
    ) -> Result<Interpolant<S::Q, S::V>, Error> {
        if !memory.reached {
            return motion.cubic(start, end);
        }
        // The collocation polynomial has the stages' slopes: at the end the last one, at the start theirs continued.
        let weights = [0, 1, 2].map(|j| T::lit(basis(j).value(0.0)));
        let (q, v) = (&memory.stages.rates, &memory.last);
        let slopes = [
            Slope {
                q: combined(weights, q),
                v: combined(weights, v),
            },
            Slope {
                q: q[2].clone(),
                v: v[2].clone(),
            },
        ];
        Ok(Interpolant::cubic(start, end, &slopes))
    }
}

impl<T: Real + RealField> Radau5<T> {
    /// Provides the slope at the start and the length of the step that starts there.
    fn prepare<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Radau5Memory<T, S::Q, S::V>,
        start: &State<S::Q, S::V>,
        most: T,
    ) -> Result<(), Error> {
        if memory.first.v.entries().len() != start.v.entries().len() {
            // Only the first step determines the number of entries.
            *memory = Radau5Memory::room(&start.q, &start.v);
        }
        memory.first = motion.slope(start)?;
        memory.effort.evaluations += 1;
        if memory.reached {
            memory.reached = false;
            return Ok(());
        }
        memory.next = match self.settings.told_first_step() {
            Some(first) => first,
            None => {
                memory.effort.evaluations += 1;
                let slope_at = |state: &_| motion.slope(state);
                let held = self.held(start, &memory.first, most);
                held.first_step(start, &memory.first, most, ERROR_OF_TURNS, slope_at)
            }
        };
        Ok(())
    }

    /// Tries a step of length `h`; `again` marks a retry after a failed step.
    fn attempt<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Radau5Memory<T, S::Q, S::V>,
        (start, rounding): Start<'_, S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
        again: bool,
    ) -> Result<Tried<T>, Refused<T>> {
        if memory.varied == Varied::Nowhere {
            memory.linearized.take(motion, start, h)?;
            memory.effort.linearizations += 1;
            (memory.varied, memory.eliminated) = (Varied::AtStart, T::zero());
        }
        if memory.eliminated != h {
            memory.eliminate(h)?;
        }
        let held = self.held(start, &memory.first, h);
        memory.predict(h);
        let mut tried = self.solve(motion, memory, (start, rounding), h, &held)?;
        let Stages { z, q, .. } = &memory.stages;
        end.q.assign(&q[2]);
        end.v.update(|i, _| start.v[i] + z[2][i]);
        check_finite(end)?;
        let first = memory.first.clone();
        let mut error = memory.error(motion, start, h, &first);
        tried.error = size(&held, (&error, rounding), [start, end]);
        if tried.error >= T::one() && (again || memory.last_h == T::zero()) {
            // For the stiff part, the slope at the start is of little use; the slope at the corrected state is
            // better.
            let Slope { q, v } = &mut error;
            q.update(|i, x| start.q[i] + x);
            v.update(|i, x| start.v[i] + x);
            let first = Slope {
                q: motion.kinematics(start.t, q, v),
                v: motion.acceleration(start.t, q, v)?,
            };
            memory.effort.evaluations += 1;
            let error = memory.error(motion, start, h, &first);
            tried.error = size(&held, (&error, rounding), [start, end]);
        }
        if tried.error < T::one() {
            motion.stabilize(start, end)?;
        }
        Ok(tried)
    }
}

impl<T: Real + RealField> Implicit for Radau5<T> {
    fn effort<Q, V>(memory: &Radau5Memory<T, Q, V>) -> Effort
    where
        Q: Vector<Scalar = T>,
        V: Vector<Scalar = T>,
    {
        memory.effort
    }
}

/// The size of an error relative to the tolerance between two states; NaN counts as huge.
fn size<T: Real + RealField, Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
    held: &Settings<T>,
    (error, rounding): (&Slope<Q, V>, Option<&Slope<Q, V>>),
    [start, end]: [&State<Q, V>; 2],
) -> T {
    let square = held.norm_beyond(rounding, |i| error.q[i], |i| error.v[i], start, end);
    if square.is_finite() {
        square.simd_sqrt()
    } else {
        T::lit(1e15)
    }
}
