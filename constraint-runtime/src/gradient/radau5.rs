//! Reversal of Radau5 steps.
//!
//! ```text
//! sᵢ = bᵢ ȳ₁ + h Σⱼ aⱼᵢ (∂f/∂y)ⱼᵀ sⱼ,   ȳ₀ = ȳ₁ + h Σ (∂f/∂y)ᵢᵀ sᵢ,   p̄ = h Σ (∂f/∂p)ᵢᵀ sᵢ
//! ```
//! As for an explicit method, but each s depends on all: with s = (r, x) and f = (v, a) the equations
//!
//! ```text
//! rᵢ = bᵢ q̄₁ + h Σⱼ aⱼᵢ (∂a/∂q)ⱼᵀ xⱼ,   xᵢ = bᵢ v̄₁ + h Σⱼ aⱼᵢ (rⱼ + (∂a/∂v)ⱼᵀ xⱼ)
//! ```
//! have three times as many unknowns as there are velocities.

use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector, RealField, SVector};

use super::Reversible;
use super::reversible::add_slope_vjp;
use crate::derivatives::{Derivatives, Tangent};
use crate::error::Error;
use crate::integrator::{Motion, Radau5, Slope, Variation};
use crate::real::Real;
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

impl<T: Real + RealField> Reversible for Radau5<T> {
    fn record<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        start: &State<S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
        places: &mut Vec<State<S::Q, S::V>>,
    ) -> Result<(), Error> {
        self.add_stages(motion, start, h, places)?;
        if let Some(last) = places.last() {
            end.q.assign(&last.q);
            end.v.assign(&last.v);
        }
        Ok(())
    }

    fn pull_back<S, const N: usize, const U: usize, const P: usize>(
        &self,
        motion: &Motion<'_, T, S>,
        places: &[State<S::Q, S::V>],
        h: T,
        bar: &mut Tangent<T, N, U, P>,
        mut length: Option<&mut T>,
    ) -> Result<(), Error>
    where
        S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    {
        let counted = counted::<T, S, N>(motion, places, h, [&bar.q, &bar.v])?;
        for ((mut counted, at), c) in counted.into_iter().zip(places).zip(Self::NODES) {
            let mut by_length = T::zero();
            if length.is_some() {
                let along = motion.acceleration(at.t, &at.q, &at.v)?;
                by_length = counted.q.dot(&at.v) + counted.v.dot(&along);
            }
            let before = bar.t;
            add_slope_vjp(motion, at, &mut counted, h, bar, &mut Slope::blank())?;
            if let Some(total) = length.as_deref_mut() {
                *total += by_length + (bar.t - before) * T::lit(c);
            }
        }
        Ok(())
    }
}

/// The gradient of a loss by the slopes of the stages, divided by h.
fn counted<T, S, const N: usize>(
    motion: &Motion<'_, T, S>,
    places: &[State<S::Q, S::V>],
    h: T,
    [of_place, of_velocity]: [&SVector<T, N>; 2],
) -> Result<[Slope<SVector<T, N>>; 3], Error>
where
    T: Real + RealField,
    S: System<T, V = SVector<T, N>>,
{
    let (a, weights) = (Radau5::<T>::WEIGHTS, Radau5::<T>::WEIGHTS[2]);
    let mut matrix = DMatrix::identity(3 * N, 3 * N);
    let mut varied = Vec::with_capacity(places.len());
    for (k, at) in places.iter().enumerate() {
        let mut variation = Variation::room(&at.v);
        variation.take(motion, at)?;
        for i in 0..3 {
            let once = T::lit(a[k][i]) * h;
            let twice = (0..3).fold(0.0, |sum, j| sum + a[j][i] * a[k][j]);
            let twice = T::lit(twice) * h * h;
            for (l, (by_q, by_v)) in variation.by_q.iter().zip(&variation.by_v).enumerate() {
                for r in 0..N {
                    matrix[(i * N + l, k * N + r)] -= by_v[r] * once + by_q[r] * twice;
                }
            }
        }
        varied.push(variation);
    }
    let mut found = DVector::from_fn(3 * N, |row, _| {
        let (i, l) = (row / N, row % N);
        let moved = (0..3).fold(0.0, |sum, j| sum + a[j][i] * weights[j]);
        of_velocity[l] * T::lit(weights[i]) + of_place[l] * (T::lit(moved) * h)
    });
    if !matrix.lu().solve_mut(&mut found) {
        return Err(Error::SingularStep {
            index: 0,
            names: None,
            time: None,
        });
    }
    let velocity = |k: usize| SVector::from_fn(|r, _| found[k * N + r]);
    Ok(core::array::from_fn(|i| {
        let mut q = of_place * T::lit(weights[i]);
        for (k, variation) in varied.iter().enumerate() {
            let (there, weight) = (velocity(k), T::lit(a[k][i]) * h);
            for (l, by_q) in variation.by_q.iter().enumerate() {
                q[l] += by_q.dot(&there) * weight;
            }
        }
        let v = velocity(i);
        Slope { q, v }
    }))
}
