//! Reversal of Rattle steps.
//!
//! ```text
//! m = v₀ + h/2 a₀,   v½ = m − G₀ κ,   q₁ = q₀ + h v½,   C(q₁) = 0,   w = v½ + h/2 a₁,   v₁ = w − G₁ Ċ(q₁, w)
//! ```
//! κ and v₁, on which a₁ = a(q₁, v₁) depends, are found by iterations, and so are their gradients:
//!
//! ```text
//! v̄ = v̄₁ + h/2 (∂a₁/∂v)ᵀ w̄,   w̄ = v̄ − P₁ᵀ v̄                      P = G J
//! P₀ᵀ (w̄ + h (q̄₁ − z)) = 0    for a z = J₁ᵀ μ:    z ← z + h⁻¹ P₁ᵀ P₀ᵀ (w̄ + h (q̄₁ − z))
//! ```
//! Both converge where the iterations of the step do: P₁ differs from P₀ by O(h).

use alloc::vec::Vec;

use nalgebra::{SVector, SimdBool};

use super::Reversible;
use crate::derivatives::{Derivatives, Tangent};
use crate::error::{Error, Obstacle};
use crate::integrator::{Integrator, Motion, Rattle};
use crate::real::{Real, is_plain, lane_value, largest};
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// Iterations after which one counts as diverged: those of the step itself.
const MAX_ITERATIONS: usize = 50;

/// Iterations after the last, for the derivatives that dual numbers carry.
const REFINEMENTS: usize = 8;

/// Part of a gradient, and of a displacement, above which it is not rounding.
const NOTICEABLE: f64 = 1e-8;

impl<T: Real> Reversible for Rattle<T> {
    const HOLDS_CONSTRAINTS: bool = true;

    fn record<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        start: &State<S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
        places: &mut Vec<State<S::Q, S::V>>,
    ) -> Result<(), Error> {
        self.step(motion, &mut None, start, h, end)?;
        places.extend([start.clone(), end.clone()]);
        Ok(())
    }

    fn pull_back<S, const N: usize, const U: usize, const P: usize>(
        &self,
        motion: &Motion<'_, T, S>,
        places: &[State<S::Q, S::V>],
        h: T,
        bar: &mut Tangent<T, N, U, P>,
        length: Option<&mut T>,
    ) -> Result<(), Error>
    where
        S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    {
        let [start, end] = places else {
            unreachable!("a step keeps its ends")
        };
        let (motion, half) = (motion.unstabilized(), T::lit(0.5) * h);
        let [first, last] = [start, end].map(|at| motion.acceleration(at.t, &at.q, &at.v));
        let (first, last) = (first?, last?);
        let middle = SVector::from_fn(|i, _| (end.q[i] - start.q[i]) / h);
        let ends = Ends {
            system: motion.system(),
            start,
            end,
        };
        let mut there = Tangent {
            q: bar.q,
            ..Tangent::default()
        };
        let of_kicked = ends.take_kick_back(half, &(middle + last * half), &bar.v, &mut there)?;
        ends.take_constraint_back(h, &of_kicked, &mut there)?;
        let of_middle = of_kicked + there.q * h;
        let mut here = ends.system.vjp(
            start.t,
            &start.q,
            &start.v,
            &(of_middle * half),
            &S::Rows::blank(),
        )?;
        here.q += there.q;
        here.v += of_middle;
        ends.take_force_back(&(start.v + first * half - middle), &of_middle, &mut here)?;
        if let Some(length) = length {
            let kicks = of_kicked.dot(&last) + of_middle.dot(&first);
            *length += there.t + there.q.dot(&middle) + kicks * T::lit(0.5);
        }
        (bar.q, bar.v) = (here.q, here.v);
        bar.t += there.t + here.t;
        bar.u += there.u + here.u;
        bar.p += there.p + here.p;
        Ok(())
    }
}

/// The ends of a step.
struct Ends<'a, S, Q: Vector, V> {
    system: &'a S,
    start: &'a State<Q, V>,
    end: &'a State<Q, V>,
}

impl<T, S, const N: usize, const U: usize, const P: usize> Ends<'_, S, S::Q, SVector<T, N>>
where
    T: Real,
    S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
{
    /// Maps the gradient with respect to v₁ to the one with respect to w = `kicked`; adds the gradients by q₁ and by
    /// the other variables of v₁.
    fn take_kick_back(
        &self,
        half: T,
        kicked: &SVector<T, N>,
        counted: &SVector<T, N>,
        there: &mut Tangent<T, N, U, P>,
    ) -> Result<SVector<T, N>, Error> {
        let (system, State { t, q, v }) = (self.system, self.end);
        let projected = |bar: &SVector<T, N>| match S::Rows::LEN {
            Some(0) => Ok(Tangent::default()),
            _ => system.velocity_correction_vjp(*t, q, kicked, bar),
        };
        let forced = |bar: &SVector<T, N>| system.vjp(*t, q, v, &(bar * half), &S::Rows::blank());
        let all = settled(*counted, |all| {
            Ok(counted + forced(&(all - projected(all)?.v))?.v)
        })?;
        let by = projected(&all)?;
        *there -= &by;
        let of_kicked = all - by.v;
        *there += forced(&of_kicked)?;
        Ok(of_kicked)
    }

    /// Removes from the gradient by q₁ the part z that C = 0 at the end excludes, and adds the matching parts by time
    /// and parameters.
    fn take_constraint_back(
        &self,
        h: T,
        of_kicked: &SVector<T, N>,
        there: &mut Tangent<T, N, U, P>,
    ) -> Result<(), Error> {
        if S::Rows::LEN == Some(0) {
            return Ok(());
        }
        let along = |at: &State<S::Q, S::V>, bar: &SVector<T, N>| {
            self.system.place_correction_vjp(at.t, &at.q, bar)
        };
        let of_place = there.q;
        let held = settled(SVector::zeros(), |held| {
            let left = along(self.start, &(of_kicked + (of_place - held) * h))?;
            Ok(held + along(self.end, &left.q)?.q / h)
        })?;
        *there -= &along(self.end, &held)?;
        Ok(())
    }

    /// Adds the derivative of G₀ κ = `way` by the start, with κ constant.
    fn take_force_back(
        &self,
        way: &SVector<T, N>,
        counted: &SVector<T, N>,
        here: &mut Tangent<T, N, U, P>,
    ) -> Result<(), Error> {
        if S::Rows::LEN == Some(0) {
            return Ok(());
        }
        let State { t, q, .. } = self.start;
        // P₀ way = way, and P₀ᵀ counted = 0.
        let still = SVector::zeros();
        let at_rest = self
            .system
            .velocity_correction_vjp(*t, q, &still, counted)?;
        let moved = self.system.velocity_correction_vjp(*t, q, way, counted)?;
        let part = T::lit(NOTICEABLE);
        let turns = largest(&at_rest.v).simd_gt(part * largest(counted));
        if (turns & largest(way).simd_gt(part * largest(&self.start.v))).any() {
            return Err(Obstacle::RowsOfBothKinds.into());
        }
        here.t += at_rest.t - moved.t;
        here.q += at_rest.q - moved.q;
        here.p += at_rest.p - moved.p;
        Ok(())
    }
}

/// The fixed point of `next`.
fn settled<T: Real, const N: usize>(
    start: SVector<T, N>,
    next: impl Fn(&SVector<T, N>) -> Result<SVector<T, N>, Error>,
) -> Result<SVector<T, N>, Error> {
    let (mut x, mut previous) = (start, T::lit(f64::INFINITY));
    let mut refinements = if is_plain::<T>() { 0 } else { REFINEMENTS };
    for _ in 0..MAX_ITERATIONS {
        let there = next(&x)?;
        let (change, size) = (largest(&(there - x)), largest(&there));
        x = there;
        let epsilon = T::simd_default_epsilon();
        // Where rounding exceeds the estimate, the changes stop falling.
        let stalled = change.simd_ge(previous) & change.simd_le(epsilon.simd_sqrt() * size);
        if (change.simd_le(epsilon * size) | stalled).all() {
            if refinements == 0 {
                return Ok(x);
            }
            // Dual numbers carry derivatives, whose changes are not seen.
            refinements -= 1;
        }
        previous = change;
    }
    Err(Error::KickDiverged {
        change: lane_value(previous, 0),
        iterations: MAX_ITERATIONS,
        time: None,
    })
}
