//! Keeping C = 0 and Ċ = 0 against the drift of integration.
//!
//! Enforcing C̈ = 0 alone lets rounding and truncation errors of C grow with t². Projection moves
//! the state back after each step, along the directions the constraint forces act in:
//!
//! ```text
//! δq = −W Jᵀ (J W Jᵀ)⁻¹ C    repeated until C = 0      (Newton's method)
//! δv = −W Jᵀ (J W Jᵀ)⁻¹ Ċ    once: Ċ is affine in v
//! ```

use nalgebra::{SVector, SimdBool};

use crate::error::{Error, Quantity, Row};
use crate::real::{Real, first_bad_lane, first_non_finite, is_finite, lane_value, largest};
use crate::state::State;
use crate::system::System;

/// Newton iterations after which a projection counts as diverged.
const MAX_ITERATIONS: usize = 50;

/// Rounding units of ‖Jᵢ‖ ‖q‖ below which a residual is the rounding of C itself.
const RESIDUAL_EPSILONS: f64 = 4.0;

/// What is done against drift.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Stabilization<T> {
    /// After each step, the mass-weighted nearest state with C = 0 and Ċ = 0.
    ///
    /// # Source
    /// [Hairer, Wanner 1996] *Solving Ordinary Differential Equations II*, section VII.2.
    Projection {
        /// Largest |C| that is left alone, in units of C. Zero, the default, asks for all that
        /// rounding permits.
        tolerance: T,
    },
    /// Feedback in the acceleration: C̈ + 2 α Ċ + β² C = 0, critically damped where α = β.
    ///
    /// # Source
    /// [Baumgarte 1972] *Stabilization of constraints and integrals of motion in dynamical
    /// systems*, Comput. Methods Appl. Mech. Eng. 1.
    Baumgarte {
        /// Damping α, in 1/s.
        alpha: T,
        /// Stiffness β, in 1/s.
        beta: T,
    },
    /// Nothing: the drift of the integrator shows.
    None,
}

impl<T: Real> Default for Stabilization<T> {
    fn default() -> Self {
        Self::Projection {
            tolerance: T::zero(),
        }
    }
}

/// The nearest state on the constraints: positions by Newton's method, then velocities.
///
/// Nearest is meant mass-weighted and to first order; the time is kept.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// # mod by_hand { include!("../tests/common/parabola.rs"); } use by_hand::Parabola;
/// let bead = Particle::new(1.0_f64).on(Parabola);
/// let state = make_consistent(&bead, State::new(0.0, [10.0, 0.0], [1.0, 0.0]))?;
/// assert!(Parabola.value(0.0, &state.q)[0].abs() < 1e-12);
/// assert!(Parabola.rate(0.0, &state.q, &state.v)[0].abs() < 1e-12);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::ProjectionDiverged`] when C = 0 is out of reach, [`Error::Singular`] when the rows are
/// dependent on the way, and those of [`System::validate`].
pub fn make_consistent<T, S, const Q: usize, const V: usize, const M: usize>(
    system: &S,
    state: State<T, Q, V>,
) -> Result<State<T, Q, V>, Error>
where
    T: Real,
    S: System<T, Q, V, M>,
{
    system.validate()?;
    let mut consistent = state;
    system.normalize(&mut consistent.q);
    project(system, &mut consistent, T::zero())
        .map_err(|error| error.located(lane_value(state.t, 0), |row| system.row_name(row)))?;
    Ok(consistent)
}

/// Moves `state` onto C = 0 and Ċ = 0.
#[inline]
pub(crate) fn project<T, S, const Q: usize, const V: usize, const M: usize>(
    system: &S,
    state: &mut State<T, Q, V>,
    tolerance: T,
) -> Result<(), Error>
where
    T: Real,
    S: System<T, Q, V, M>,
{
    if M == 0 {
        return Ok(());
    }
    project_position(system, state.t, &mut state.q, tolerance)?;
    project_velocity(system, state)
}

/// Moves the velocities onto Ċ = 0.
pub(crate) fn project_velocity<T, S, const Q: usize, const V: usize, const M: usize>(
    system: &S,
    state: &mut State<T, Q, V>,
) -> Result<(), Error>
where
    T: Real,
    S: System<T, Q, V, M>,
{
    let State { t, q, v } = state;
    *v -= system.correction(*t, q, &system.constraint_rate(*t, q, v))?;
    Ok(())
}

fn project_position<T, S, const Q: usize, const V: usize, const M: usize>(
    system: &S,
    t: T,
    q: &mut SVector<T, Q>,
    tolerance: T,
) -> Result<(), Error>
where
    T: Real,
    S: System<T, Q, V, M>,
{
    // Near the end each iteration of Newton's method gains many digits.
    solve_positions(system, t, q, tolerance, 0.5, |q, c| {
        *q -= system.kinematics(t, q, &system.correction(t, q, c)?);
        system.normalize(q);
        Ok(())
    })
}

/// Newton's method on C(q, t) = 0 to `tolerance` or, where that is larger, to rounding.
///
/// `improve` changes q by what takes away C to first order; while that converges, it leaves less
/// than the part `progress` of the largest |C|.
pub(crate) fn solve_positions<T, S, const Q: usize, const V: usize, const M: usize>(
    system: &S,
    t: T,
    q: &mut SVector<T, Q>,
    tolerance: T,
    progress: f64,
    mut improve: impl FnMut(&mut SVector<T, Q>, &SVector<T, M>) -> Result<(), Error>,
) -> Result<(), Error>
where
    T: Real,
    S: System<T, Q, V, M>,
{
    let allowed = rounding(system, t, q).map(|rounding| rounding.simd_max(tolerance));
    let mut previous = T::lit(f64::INFINITY);
    for iteration in 0..MAX_ITERATIONS {
        let c = system.constraint(t, q);
        if worst_row(&c, &allowed).is_none() {
            return Ok(());
        }
        // Progress ends where rounding exceeds the estimate above.
        let residual = largest(&c);
        if !is_finite(residual).all() {
            // Where q is no number to begin with, that is the fault.
            let fault = first_non_finite(q).filter(|_| iteration == 0);
            return Err(fault.map_or_else(|| diverged(&c, iteration), no_number));
        }
        let stalled = residual.simd_ge(T::lit(progress) * previous).all();
        if stalled && worst_row(&c, &consistent(system, t, q, q)).is_none() {
            return Ok(());
        }
        previous = residual;
        improve(q, &c)?;
    }
    Err(diverged(&system.constraint(t, q), MAX_ITERATIONS))
}

/// Checks that C = 0 and Ċ = 0 hold to √ε ‖Jᵢ‖ (1 + ‖q‖), and with ‖v‖ for Ċ.
///
/// That is half the digits: generous to typed numbers, severe to a forgotten term.
pub(crate) fn check_consistent<T, S, const Q: usize, const V: usize, const M: usize>(
    system: &S,
    state: &State<T, Q, V>,
) -> Result<(), Error>
where
    T: Real,
    S: System<T, Q, V, M>,
{
    let State { t, q, v } = state;
    let violated = worst_row(&system.constraint(*t, q), &consistent(system, *t, q, q));
    if let Some((row, value, tolerance)) = violated {
        return Err(Error::InconsistentPosition {
            row,
            value,
            tolerance,
        });
    }
    let violated = worst_row(
        &system.constraint_rate(*t, q, v),
        &consistent(system, *t, q, v),
    );
    match violated {
        None => Ok(()),
        Some((row, rate, tolerance)) => Err(Error::InconsistentVelocity {
            row,
            rate,
            tolerance,
        }),
    }
}

/// A few ε ‖Jᵢ‖ ‖q‖: the size of C at the coordinates nearest to a solution.
fn rounding<T, S, const Q: usize, const V: usize, const M: usize>(
    system: &S,
    t: T,
    q: &SVector<T, Q>,
) -> SVector<T, M>
where
    T: Real,
    S: System<T, Q, V, M>,
{
    let size = T::lit(RESIDUAL_EPSILONS) * T::simd_default_epsilon() * largest(q);
    system.jacobian_row_norms(t, q) * size
}

/// √ε ‖Jᵢ‖ (1 + ‖x‖): what passes for zero at a start.
fn consistent<T, S, const Q: usize, const V: usize, const M: usize, const X: usize>(
    system: &S,
    t: T,
    q: &SVector<T, Q>,
    x: &SVector<T, X>,
) -> SVector<T, M>
where
    T: Real,
    S: System<T, Q, V, M>,
{
    let size = T::simd_default_epsilon().simd_sqrt() * (T::one() + largest(x));
    system.jacobian_row_norms(t, q) * size
}

/// Among the rows with |xᵢ| > allowedᵢ in some lane, the largest: row, value, allowance.
fn worst_row<T: Real, const M: usize>(
    x: &SVector<T, M>,
    allowed: &SVector<T, M>,
) -> Option<(Row, f64, f64)> {
    let mut worst: Option<(Row, f64, f64)> = None;
    for i in 0..M {
        let good = x[i].simd_abs().simd_le(allowed[i]);
        if let Some(lane) = first_bad_lane::<T>(good) {
            let value = lane_value(x[i], lane);
            if worst.is_none_or(|(_, most, _)| value.is_nan() || value.abs() > most.abs()) {
                worst = Some((i.into(), value, lane_value(allowed[i], lane)));
            }
        }
    }
    worst
}

#[cold]
fn no_number((index, value): (usize, f64)) -> Error {
    Error::NonFinite {
        quantity: Quantity::Coordinate,
        index,
        value,
        time: None,
    }
}

#[cold]
fn diverged<T: Real, const M: usize>(c: &SVector<T, M>, iterations: usize) -> Error {
    let nothing = (0.into(), 0.0, 0.0);
    let (row, residual, _) = worst_row(c, &SVector::zeros()).unwrap_or(nothing);
    Error::ProjectionDiverged {
        row,
        residual,
        iterations,
        time: None,
    }
}
