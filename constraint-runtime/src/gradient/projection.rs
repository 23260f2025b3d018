//! Projections at the end of a step, and their reversal.
//!
//! ```text
//! q ← q − G(q) C(q)  until C = 0,   v ← v − G(q) Ċ(q, v)        G = M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹
//! ```
//! Each iteration is reversed, including the derivative of G. At the end C = 0 up to rounding; one more iteration
//! there does not change q, and makes the derivatives those of the limit.

use alloc::vec::Vec;

use nalgebra::SVector;

use crate::derivatives::{Derivatives, Tangent};
use crate::error::Error;
use crate::integrator::Motion;
use crate::real::Real;
use crate::stabilization::{Stabilization, project_position, project_velocity};
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// Stabilises the end of a step and records the states before each iteration: the last has C = 0.
pub(crate) fn record<T: Real, S: System<T>>(
    motion: &Motion<'_, T, S>,
    end: &mut State<S::Q, S::V>,
    places: &mut Vec<State<S::Q, S::V>>,
) -> Result<(), Error> {
    let system = motion.system();
    system.normalize(&mut end.q);
    let Stabilization::Projection { tolerance } = motion.stabilization() else {
        return Ok(());
    };
    if S::Rows::LEN == Some(0) {
        return Ok(());
    }
    let State { t, q, v } = end;
    project_position(system, *t, q, tolerance, |from, _| {
        let (q, v) = (from.clone(), v.clone());
        places.push(State { t: *t, q, v });
    })?;
    places.push(end.clone());
    project_velocity(system, end)
}

/// Maps the gradient with respect to the end of a step to the one before its projection.
pub(crate) fn pull_back<T, S, const N: usize, const U: usize, const P: usize>(
    motion: &Motion<'_, T, S>,
    places: &[State<S::Q, S::V>],
    bar: &mut Tangent<T, N, U, P>,
) -> Result<(), Error>
where
    T: Real,
    S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
{
    let Some((last, iterations)) = places.split_last() else {
        return Ok(());
    };
    take_off(motion.system(), last, bar)?;
    for State { t, q, .. } in iterations.iter().rev() {
        take_off_place(motion.system(), *t, q, bar)?;
    }
    Ok(())
}

/// Maps the gradient with respect to the nearest state with C = 0 and Ċ = 0 to the one with respect to a state with C
/// = 0.
pub(crate) fn take_off<T, S, const N: usize, const U: usize, const P: usize>(
    system: &S,
    State { t, q, v }: &State<S::Q, S::V>,
    bar: &mut Tangent<T, N, U, P>,
) -> Result<(), Error>
where
    T: Real,
    S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
{
    if S::Rows::LEN != Some(0) {
        // Borrowed where it was returned, to avoid a copy.
        match &system.velocity_correction_vjp(*t, q, v, &bar.v) {
            Ok(by) => *bar -= by,
            Err(error) => return Err(*error),
        }
        take_off_place(system, *t, q, bar)?;
    }
    Ok(())
}

fn take_off_place<T, S, const N: usize, const U: usize, const P: usize>(
    system: &S,
    t: T,
    q: &S::Q,
    bar: &mut Tangent<T, N, U, P>,
) -> Result<(), Error>
where
    T: Real,
    S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
{
    match &system.place_correction_vjp(t, q, &bar.q) {
        Ok(by) => *bar -= by,
        Err(error) => return Err(*error),
    }
    Ok(())
}
