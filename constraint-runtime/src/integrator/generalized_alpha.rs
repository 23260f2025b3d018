//! The generalised-α method: implicit steps of fixed size that damp only the motion they cannot resolve.

use nalgebra::RealField;

use super::newton::{Effort, Elimination, Implicit, Linearized, REFINEMENTS};
use super::{Integrator, Motion};
use crate::checks::check_step_size;
use crate::error::Error;
use crate::kept::check_numbers;
use crate::real::{Real, first_bad, is_plain, lane_value, largest};
use crate::stabilization::square;
use crate::state::{State, check_finite};
use crate::system::System;
use crate::vector::Vector;

/// Iterations of Newton's method after which it counts as diverged.
const MAX_ITERATIONS: usize = 20;

/// If an iteration leaves more than this part of the change before, the matrix is recomputed.
const SLOW: f64 = 0.1;

/// Rounding units of the velocities within which Newton's method ends.
const GOAL: f64 = 1e3;

/// Implicit steps of fixed size, of order 2; each reduces infinitely fast motion by the factor ρ∞.
///
/// ```text
/// q₁ = q₀ + h v₀ + h² ((½ − β) a₀ + β a₁)        (1 − α_m) a₁ + α_m a₀ = (1 − α_f) v̇₁ + α_f v̇₀
/// v₁ = v₀ + h ((1 − γ) a₀ + γ a₁)                v̇₁ = a(t₁, q₁, v₁)
/// α_m = (2 ρ∞ − 1)/(ρ∞ + 1), α_f = ρ∞/(ρ∞ + 1), γ = ½ + α_f − α_m, β = ¼ (γ + ½)²
/// ```
///
/// ρ∞ = 1 damps nothing, ρ∞ = 0 removes oscillations of more than a few turns per step within a few steps; slow
/// motion keeps its energy to O(h³). The equation solved is v̇ = a(t, q, v), λ eliminated: index 1, and the end of
/// each step is projected onto C = 0 and Ċ = 0 (or fed back, as [`Stabilization`](crate::Stabilization) says):
/// nothing drifts.
///
/// - Bodies rotate from q₀ by N(q₀) times the displacement, renormalised to length one: by Cayley's map of the
///   rotation group, with velocities of the world.
/// - Needs ∂v̇/∂(q, v), as [`Radau5`](crate::Radau5) does: once a step, at the state extrapolated with the last
///   step's v̇, and once more if Newton's method is slow.
/// - Cost, with N velocities: one elimination of an N × N matrix and two or three evaluations a step. No allocation
///   with vectors of fixed size. From 24 velocities on, generated systems eliminate the entries of their
///   [`descriptor`](crate::Descriptor) as a band that also contains λ: (N + M)(3 b + 1) numbers, allocated in the
///   first step, and O((N + M) b²) operations with M rows, where b is the distance of coupled unknowns in the reverse
///   Cuthill–McKee order: for a chain of any length, that of one link. In addition, an evaluation with λ and three
///   descriptors a step. b grows with the width of a net or a tree. Redundant rows, `#[redundant(least_squares)]`,
///   use the dense matrix.
/// - Dense output: cubic.
/// - Scalars are `f64`, `f32` and dual numbers.
///
/// # Errors
/// In addition to those of the system: [`Error::NoDerivatives`], and [`Error::NewtonDiverged`] and
/// [`Error::SingularStep`] if the step is too long. The simulation keeps its last good state.
///
/// # Source
/// [Chung, Hulbert 1993] *A time integration algorithm for structural dynamics with improved numerical dissipation: the
/// generalized-α method*, J. Appl. Mech. 60. [Arnold, Brüls 2007] *Convergence of the generalized-α scheme for constrained
/// mechanical systems*, Multibody Syst. Dyn. 18.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
/// /// Two masses in a row, the second on a spring that no step resolves.
///     #[derivatives]
///     struct Row { m: Real = 1, k: Real = 1, stiff: Real = 1e10 }
///     coordinate x, y;
///     kinetic m/2*velocity(x)^2 + m/2*velocity(y)^2;
///     potential k/2*x^2 + stiff/2*(y - x)^2;
/// }
/// let start = State::new(0.0_f64, [1.0, 1.001], [0.0, 0.0]);
/// let mut run = Simulation::new(Row::default(), start, GeneralizedAlpha::new(0.01, 0.5))?;
/// run.run_until(1.0)?;
/// let State { q, .. } = run.state();
/// assert!((q.y - q.x).abs() < 1e-9 && (q.x - 0.5_f64.sqrt().cos()).abs() < 1e-3);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneralizedAlpha<T = f64> {
    h: T,
    rho: T,
}

impl<T: Real> GeneralizedAlpha<T> {
    /// The method with steps of size `h`; each reduces infinitely fast motion by the factor `rho_infinity`, from 0 to 1.
    pub fn new(h: T, rho_infinity: T) -> Self {
        Self {
            h,
            rho: rho_infinity,
        }
    }

    fn weights(&self) -> Weights<T> {
        let (rho, one) = (self.rho, T::one());
        let mean = (rho + rho - one) / (rho + one);
        let force = rho / (rho + one);
        let gamma = T::lit(0.5) + force - mean;
        let root = T::lit(0.5) * (gamma + T::lit(0.5));
        Weights {
            mean,
            force,
            gamma,
            beta: root * root,
        }
    }
}

/// α_m, α_f, γ and β.
#[derive(Clone, Copy, Debug)]
struct Weights<T> {
    mean: T,
    force: T,
    gamma: T,
    beta: T,
}

/// The memory of [`GeneralizedAlpha`]: v̇, a and the mean jerk of the last step, and memory for matrices.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde-no-std",
    serde(bound(
        serialize = "T: serde::Serialize, V: serde::Serialize, V::Scalar: serde::Serialize",
        deserialize = "T: serde::Deserialize<'de>, V: serde::Deserialize<'de>, V::Scalar: serde::Deserialize<'de>"
    ))
)]
pub struct GeneralizedAlphaMemory<T: RealField + Copy, V: Vector> {
    /// v̇, a and the jerk, if a step has led to the present state.
    last: Option<[V; 3]>,
    linearized: Linearized<V>,
    elimination: Elimination<T, V>,
    effort: Effort,
}

impl<T: Real + RealField, V: Vector<Scalar = T>> GeneralizedAlphaMemory<T, V> {
    fn linearize<S: System<T, V = V>>(
        &mut self,
        motion: &Motion<'_, T, S>,
        at: &State<S::Q, V>,
        weights: [T; 3],
        h: T,
    ) -> Result<(), Error> {
        self.linearized.take(motion, at, h)?;
        self.elimination.eliminate(&self.linearized, weights)?;
        self.effort.linearizations += 1;
        self.effort.eliminations += 1;
        Ok(())
    }
}

impl<T: Real + RealField, V: Vector<Scalar = T>> Default for GeneralizedAlphaMemory<T, V> {
    fn default() -> Self {
        Self {
            last: None,
            linearized: Linearized::Nowhere,
            elimination: Elimination::Nothing,
            effort: Effort::default(),
        }
    }
}

impl<T: Real + RealField> Integrator for GeneralizedAlpha<T> {
    type Scalar = T;
    type Memory<Q: Vector<Scalar = T>, V: Vector<Scalar = T>> = GeneralizedAlphaMemory<T, V>;

    const IS_IMPLICIT: bool = true;

    fn order(&self) -> u32 {
        2
    }

    fn longest_step(&self) -> T {
        self.h
    }

    fn validate(&self) -> Result<(), Error> {
        check_step_size(self.h)?;
        let within = self.rho.simd_ge(T::zero()) & self.rho.simd_le(T::one());
        match first_bad(self.rho, within) {
            None => Ok(()),
            Some(radius) => Err(Error::InvalidSpectralRadius { radius }),
        }
    }

    fn check_memory<S: System<T>>(
        &self,
        _system: &S,
        memory: &Self::Memory<S::Q, S::V>,
        state: &State<S::Q, S::V>,
    ) -> Result<(), Error> {
        let expected = state.v.entries().len();
        let last = memory.last.iter().flatten();
        last.map(Vector::entries)
            .try_for_each(|kept| check_numbers(kept, expected))?;
        memory.linearized.check(expected)?;
        memory.elimination.check(&memory.linearized, expected)
    }

    fn step<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Self::Memory<S::Q, S::V>,
        start: &State<S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
    ) -> Result<(), Error> {
        let [before, mean, jerk] = match memory.last.take() {
            Some(last) => last,
            None => {
                memory.effort.evaluations += 1;
                let acceleration = motion.acceleration(start.t, &start.q, &start.v)?;
                let unknown = acceleration.zeros_like();
                [acceleration.clone(), acceleration, unknown]
            }
        };
        let step = Step {
            weights: self.weights(),
            start,
            before,
            mean,
            jerk,
            h,
        };
        let acceleration = step.solve(motion, memory, end)?;
        check_finite(end)?;
        let mean = step.mean_of(&acceleration);
        let jerk = acceleration.like(|i| (acceleration[i] - step.before[i]) / h);
        memory.last = Some([acceleration, mean, jerk]);
        memory.effort.steps += 1;
        motion.stabilize(start, end)
    }
}

/// The equations of a step.
struct Step<'a, T: Real, Q: Vector<Scalar = T>, V> {
    weights: Weights<T>,
    start: &'a State<Q, V>,
    /// v̇₀ and a₀
    before: V,
    mean: V,
    /// v̈ of the last step.
    jerk: V,
    h: T,
}

impl<T, Q, V> Step<'_, T, Q, V>
where
    T: Real + RealField,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
{
    /// v̇₁ by Newton's method, with the end of the step that it leads to.
    fn solve<S: System<T, Q = Q, V = V>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut GeneralizedAlphaMemory<T, V>,
        end: &mut State<Q, V>,
    ) -> Result<V, Error> {
        let quiet = Motion {
            probe: None,
            ..*motion
        };
        let system = motion.system();
        let [of_v, of_q] = self.slopes();
        let (before, jerk) = (&self.before, &self.jerk);
        let mut acceleration = before.like(|i| before[i] + jerk[i] * self.h);
        self.reach(motion, &acceleration, end);
        let weights = [T::one(), of_v, of_q];
        memory.linearize(&quiet, end, weights, self.h)?;
        // By kinetic energy, which weights lengths and angles alike.
        let measured = |end: &State<Q, V>, v: &V| square(system, end.t, &end.q, v).simd_sqrt();
        let epsilon = T::simd_default_epsilon();
        let (mut previous, mut residual) = (T::lit(f64::INFINITY), T::zero());
        let mut refinements = if is_plain::<T>() { 0 } else { REFINEMENTS };
        for _ in 0..MAX_ITERATIONS + refinements {
            memory.effort.iterations += 1;
            memory.effort.evaluations += 1;
            let found = quiet.acceleration(end.t, &end.q, &end.v)?;
            let mut change = found.like(|i| found[i] - acceleration[i]);
            residual = largest(&change);
            let linearized = &memory.linearized;
            memory.elimination.solve(linearized, change.entries_mut());
            acceleration.update(|i, a| a + change[i]);
            self.reach(motion, &acceleration, end);
            let size = measured(end, &end.v)
                + measured(end, &acceleration.like(|i| acceleration[i] * of_v));
            let changed = measured(end, &change.like(|i| change[i] * of_v));
            // Where rounding exceeds the estimate, the changes stop falling.
            let stalled = changed >= previous && changed <= epsilon.simd_sqrt() * size;
            let goal = T::lit(GOAL) * epsilon * size;
            if stalled || changed <= goal || left(changed, previous) <= goal {
                if refinements == 0 {
                    motion.tell(end.t, &end.q, &end.v);
                    return Ok(acceleration);
                }
                // Dual numbers carry derivatives, whose changes are not seen.
                refinements -= 1;
            } else if changed > T::lit(SLOW) * previous {
                // The extrapolated state may be far from any that the motion reaches, if springs are stiff.
                memory.linearize(&quiet, end, weights, self.h)?;
            }
            previous = changed;
        }
        Err(Error::NewtonDiverged {
            residual: lane_value(residual, 0),
            iterations: MAX_ITERATIONS,
            time: None,
        })
    }

    /// a₁ of v̇₁
    fn mean_of(&self, acceleration: &V) -> V {
        let Weights { mean, force, .. } = self.weights;
        let (now, whole) = (T::one() - force, T::one() - mean);
        acceleration.like(|i| {
            (acceleration[i] * now + self.before[i] * force - self.mean[i] * mean) / whole
        })
    }

    /// ∂v₁/∂v̇₁ and ∂q₁/∂v̇₁, the latter in the coordinates of velocities.
    fn slopes(&self) -> [T; 2] {
        let Weights {
            mean,
            force,
            gamma,
            beta,
        } = self.weights;
        let part = (T::one() - force) / (T::one() - mean) * self.h;
        [part * gamma, part * self.h * beta]
    }

    /// Writes q₁ and v₁ as functions of v̇₁.
    fn reach<S: System<T, Q = Q, V = V>>(
        &self,
        motion: &Motion<'_, T, S>,
        acceleration: &V,
        end: &mut State<Q, V>,
    ) {
        let (State { t, q, v }, h) = (self.start, self.h);
        let Weights { gamma, beta, .. } = self.weights;
        let mean = self.mean_of(acceleration);
        let (half, one) = (T::lit(0.5), T::one());
        let way = v.like(|i| (v[i] + (self.mean[i] * (half - beta) + mean[i] * beta) * h) * h);
        let way = motion.kinematics(*t, q, &way);
        end.q.update(|i, _| q[i] + way[i]);
        motion.system().normalize(&mut end.q);
        end.v
            .update(|i, _| v[i] + (self.mean[i] * (one - gamma) + mean[i] * gamma) * h);
    }
}

/// The sum of the changes of all later iterations, if each leaves as much of a change as the last one has; unknown at
/// the first.
fn left<T: Real + RealField>(changed: T, previous: T) -> T {
    if changed < previous && previous < T::lit(f64::INFINITY) {
        changed * changed / (previous - changed)
    } else {
        T::lit(f64::INFINITY)
    }
}

impl<T: Real + RealField> Implicit for GeneralizedAlpha<T> {
    fn effort<Q, V>(memory: &GeneralizedAlphaMemory<T, V>) -> Effort
    where
        Q: Vector<Scalar = T>,
        V: Vector<Scalar = T>,
    {
        memory.effort
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those of the trapezoidal rule and of the backward difference that Chung and Hulbert name.
    #[test]
    fn the_weights_are_those_of_the_limits() {
        let at = |rho: f64| {
            let Weights {
                mean,
                force,
                gamma,
                beta,
            } = GeneralizedAlpha::new(0.1, rho).weights();
            [mean, force, gamma, beta]
        };
        assert_eq!(at(1.0), [0.5, 0.5, 0.5, 0.25]);
        assert_eq!(at(0.0), [-1.0, 0.0, 1.5, 1.0]);
    }
}
