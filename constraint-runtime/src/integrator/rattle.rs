//! Rattle: the symplectic method for constrained motion, with steps of fixed size.
//!
//! Positions and velocities satisfy C = 0 and Ċ = 0 at the end of every step by construction, so that no
//! stabilisation is added under any setting.

use super::{Integrator, Motion, cause};
use crate::error::Error;
use crate::kept::check_numbers;
use crate::real::{Real, is_plain, lane_value};
use crate::stabilization::{Newton, Resting, blank_rows, project_velocity, square};
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// Iterations of the second kick after which it counts as diverged.
const MAX_ITERATIONS: usize = 50;

/// Iterations after the last, for the derivatives that dual numbers carry: each gains two digits or more at usual
/// step sizes.
const REFINEMENTS: usize = 8;

/// Half a kick, a drift onto C = 0, half a kick onto Ċ = 0. Order 2.
///
/// ```text
/// v½ = v₀ + h/2 W (f(q₀) + J(q₀)ᵀ λ)     with λ such that C(q₁, t₁) = 0
/// q₁ = q₀ + h N(q₀) v½
/// v₁ = v½ + h/2 W (f(q₁) + J(q₁)ᵀ μ)     with μ such that Ċ(q₁, v₁, t₁) = 0
/// ```
///
/// λ is computed by Newton's method to rounding, with the matrix J(q₀) W J(q₀)ᵀ throughout.
///
/// - If W is constant and f depends on q alone, the method is symplectic: the energy error stays of order h² over
///   times exponentially long in 1/h.
/// - Forces that depend on v, including those of a mass matrix that depends on q, enter the second kick with v₁,
///   found by iteration. The method then is symmetric: it keeps order 2 and runs backwards as it runs forwards, which
///   bounds the energy error of regular motion too, but it is no longer symplectic. Damping removes energy as it
///   should. The iteration needs h/2 times the damping rate to be below one.
/// - Rigid bodies rotate by q₀ + h N(q₀) v½ renormalised to length one, Cayley's map of h ω/2: the reversed step is
///   the same step with −h, so that the method stays symmetric. Their gyroscopic torques depend on v: it is not
///   symplectic there.
/// - Cost: one evaluation of the acceleration a step if f is known [not to depend on
///   v](crate::Properties::forces_ignore_velocity), otherwise one for each iteration of the second kick, two or more. Inputs
///   that are [functions of t and q](crate::InputSystem::driven_by) are computed once a step in any case. A correction for
///   each iteration on λ and μ, about six in all at usual step sizes. No allocation.
///
/// # Errors
/// [`Error::ProjectionDiverged`] when no λ reaches C = 0 and [`Error::KickDiverged`] when the
/// second kick does not settle: the step is too long. Those of the system.
///
/// # Source
/// [Andersen 1983] H. C. Andersen, *Rattle: a "velocity" version of the Shake algorithm*,
/// J. Comput. Phys. 52. [Hairer, Lubich, Wanner 2006] *Geometric Numerical Integration*, section
/// VII.1.4, equation (1.26).
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
/// let bead = Particle::new(1.0_f64).on(Parabola).under_gravity([0.0, -10.0]);
/// let start = State::new(0.0, [100.0, -100.0], [0.0, 0.0]);
/// let mut run = Simulation::new(bead, start, Rattle::new(0.1))?;
/// let energy = run.energy();
/// run.run_until(10.0)?;
/// assert!((run.energy() / energy - 1.0).abs() < 1e-4 && run.drift() < 1e-10);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rattle<T = f64> {
    h: T,
}

impl<T: Real> Rattle<T> {
    /// The method with steps of size `h`.
    pub fn new(h: T) -> Self {
        Self { h }
    }
}

impl<T: Real> Integrator for Rattle<T> {
    type Scalar = T;

    /// The acceleration at the end of the last step.
    type Memory<Q: Vector<Scalar = T>, V: Vector<Scalar = T>> = Option<V>;

    fn order(&self) -> u32 {
        2
    }

    fn longest_step(&self) -> T {
        self.h
    }

    fn check_memory<S: System<T>>(
        &self,
        _system: &S,
        memory: &Self::Memory<S::Q, S::V>,
        state: &State<S::Q, S::V>,
    ) -> Result<(), Error> {
        let expected = state.v.entries().len();
        let kept = memory.as_ref();
        kept.map_or(Ok(()), |kept| check_numbers(kept.entries(), expected))
    }

    #[inline]
    fn step<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Self::Memory<S::Q, S::V>,
        start: &State<S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
    ) -> Result<(), Error> {
        let motion = motion.unstabilized();
        let half = T::lit(0.5) * h;
        let first = match memory.take() {
            Some(acceleration) => acceleration,
            None => motion.acceleration(start.t, &start.q, &start.v)?,
        };
        let mut middle = first.like(|i| start.v[i] + first[i] * half);
        drift(motion.system(), start, h, &mut middle, end)?;
        end.v.update(|i, _| middle[i] + first[i] * half);
        *memory = Some(kick(&motion, half, &middle, end)?);
        Ok(())
    }
}

/// q₁ of `end`, on C = 0, with the velocity `middle` changed along W J(q₀)ᵀ until it leads there.
fn drift<T: Real, S: System<T>>(
    system: &S,
    start: &State<S::Q, S::V>,
    h: T,
    middle: &mut S::V,
    end: &mut State<S::Q, S::V>,
) -> Result<(), Error> {
    let go = |q: &mut S::Q, v: &S::V| {
        let rate = system.kinematics(start.t, &start.q, v);
        q.update(|i, _| start.q[i] + h * rate[i]);
        system.normalize(q);
    };
    go(&mut end.q, middle);
    if S::Rows::LEN == Some(0) {
        return Ok(());
    }
    // A lane that has come to its end takes no step.
    let per_step = (T::one() / h).select(h.simd_gt(T::zero()), T::zero());
    // Newton's method with a constant matrix converges linearly: any progress counts.
    let newton = Newton {
        progress: 1.0,
        patience: 20,
        refinements: REFINEMENTS,
    };
    let rows = &mut blank_rows();
    newton.solve(system, end.t, &mut end.q, T::zero(), rows, |q, c| {
        let rate = c.like(|i| c[i] * per_step);
        let change = system.correction(start.t, &start.q, &rate)?;
        middle.update(|i, v| v - change[i]);
        go(q, middle);
        Ok(())
    })?;
    Ok(())
}

/// v₁ of `end`, on Ċ = 0, from a guess at it; returns the acceleration there.
fn kick<T: Real, S: System<T>>(
    motion: &Motion<'_, T, S>,
    half: T,
    middle: &S::V,
    end: &mut State<S::Q, S::V>,
) -> Result<S::V, Error> {
    let system = motion.system();
    let mut acceleration = motion.acceleration(end.t, &end.q, &end.v)?;
    if S::PROPERTIES.forces_ignore_velocity {
        let guess = (S::Rows::LEN != Some(0)).then(|| end.v.clone());
        // v enters v̇ through the constraint force alone, which the projection replaces.
        second_half(system, half, middle, &acceleration, end)?;
        if let Some(guess) = guess {
            hold(system, &guess, end, &mut acceleration)?;
        }
        return Ok(acceleration);
    }
    // By kinetic energy, which weights lengths and angles alike.
    let measured = |end: &State<S::Q, S::V>, v: &S::V| square(system, end.t, &end.q, v).simd_sqrt();
    let size =
        measured(end, middle) + measured(end, &acceleration.like(|i| acceleration[i] * half));
    let rounding = T::lit(4.0) * T::simd_default_epsilon() * size;
    let small = T::simd_default_epsilon().simd_sqrt() * size;
    let mut previous = T::lit(f64::INFINITY);
    let mut refinements = REFINEMENTS;
    let mut resting = Resting::none();
    for _ in 0..MAX_ITERATIONS {
        let guess = end.v.clone();
        second_half(system, half, middle, &acceleration, end)?;
        resting.keep(&guess, &mut end.v);
        let change = measured(end, &guess.like(|i| end.v[i] - guess[i]));
        // Where rounding exceeds the estimate above, the changes stop falling.
        let stalled = change.simd_ge(previous) & change.simd_le(small);
        if resting.all_with(change.simd_le(rounding) | stalled) {
            if refinements == 0 || is_plain::<T>() {
                return Ok(acceleration);
            }
            // Dual numbers carry derivatives, whose changes are not seen.
            refinements -= 1;
        }
        previous = change;
        let known = acceleration;
        acceleration = motion.acceleration(end.t, &end.q, &end.v)?;
        resting.keep(&known, &mut acceleration);
    }
    let diverged = Error::KickDiverged {
        change: lane_value(previous, 0),
        iterations: MAX_ITERATIONS,
        time: None,
    };
    Err(cause(diverged, end.t, &end.q, &end.v))
}

/// v½ + h/2 v̇, moved onto Ċ = 0.
fn second_half<T: Real, S: System<T>>(
    system: &S,
    half: T,
    middle: &S::V,
    acceleration: &S::V,
    end: &mut State<S::Q, S::V>,
) -> Result<(), Error> {
    end.v.update(|i, _| middle[i] + acceleration[i] * half);
    match S::Rows::LEN {
        Some(0) => Ok(()),
        _ => project_velocity(system, end),
    }
}

/// v̇ at `end` from v̇ at another velocity there: J v̇ = −β.
fn hold<T: Real, S: System<T>>(
    system: &S,
    other: &S::V,
    end: &State<S::Q, S::V>,
    acceleration: &mut S::V,
) -> Result<(), Error> {
    let State { t, q, v } = end;
    let [before, after] = [other, v].map(|v| system.bias(*t, q, v));
    let change = system.correction(*t, q, &before.like(|i| before[i] - after[i]))?;
    acceleration.update(|i, a| a + change[i]);
    Ok(())
}
