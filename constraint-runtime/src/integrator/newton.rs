//! Common parts of implicit methods: derivatives of v̇, the matrices of Newton's method, and counters of the effort.

use alloc::boxed::Box;

use nalgebra::{ComplexField, RealField};

use super::sparse::{Banded, Entries};
use super::{Integrator, Motion};
use crate::error::Error;
use crate::event::Events;
use crate::kept::{check_count, check_numbers};
use crate::linalg::lu::Lu;
use crate::real::Real;
use crate::simulation::Simulation;
use crate::stabilization::Stabilization;
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// Iterations of Newton's method after the last, for the derivatives that dual numbers carry.
pub(super) const REFINEMENTS: usize = 8;

/// Counters of an implicit method's work since its start, or since an event last changed the state.
///
/// ```
/// use constraint_runtime::prelude::*;
/// use constraint_runtime::Effort;
///
/// system! {
///     /// φ̈ = −(g/l) sin φ
///     #[derivatives]
///     struct Pendulum { m: Real = 1, l: Real = 1, g: Real = 10 }
///     coordinate phi;
///     particle bob = l*[sin(phi), -cos(phi)] { mass: m }
///     gravity [0, -g];
/// }
/// let start = State::new(0.0, [1.0], [0.0]);
/// let mut run = Simulation::new(Pendulum::<f64>::default(), start, Radau5::new(1e-6, 1e-6))?;
/// run.run_until(10.0)?;
/// let Effort { steps, linearizations, iterations, .. } = run.effort();
/// assert!(steps < 200 && linearizations < steps && iterations < 3 * steps);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub struct Effort {
    /// Steps that were taken.
    pub steps: usize,
    /// Steps that were tried and rejected: the error was too large, or Newton's method did not converge.
    pub rejections: usize,
    /// Evaluations of v̇.
    pub evaluations: usize,
    /// Evaluations of ∂v̇/∂(q, v).
    pub linearizations: usize,
    /// Eliminations of the matrices.
    pub eliminations: usize,
    /// Iterations of Newton's method.
    pub iterations: usize,
}

/// A method that solves for its steps by Newton's method and counts its effort.
pub trait Implicit: Integrator {
    /// Its effort, from its memory.
    fn effort<Q, V>(memory: &Self::Memory<Q, V>) -> Effort
    where
        Q: Vector<Scalar = Self::Scalar>,
        V: Vector<Scalar = Self::Scalar>;
}

impl<S, I, E> Simulation<S, I, E>
where
    S: System<I::Scalar>,
    I: Implicit,
    E: Events<S::Q, S::V>,
{
    /// The effort since the start, or since an event last changed the state.
    pub fn effort(&self) -> Effort {
        I::effort(self.memory())
    }
}

/// ∂v̇/∂(q, v), column by column.
#[derive(Clone, Debug)]
pub(crate) struct Variation<V: Vector> {
    pub(crate) by_q: V::Array<V>,
    pub(crate) by_v: V::Array<V>,
}

impl<T: Real + RealField, V: Vector<Scalar = T>> Variation<V> {
    pub fn room(like: &V) -> Self {
        Self {
            by_q: like.array(like.zeros_like()),
            by_v: like.array(like.zeros_like()),
        }
    }

    /// Checks that a memory holds a matrix of so many rows and columns.
    pub fn check(&self, expected: usize) -> Result<(), Error> {
        for columns in [self.by_q.as_ref(), self.by_v.as_ref()] {
            check_count(columns.len(), expected)?;
            let mut columns = columns.iter().map(V::entries);
            columns.try_for_each(|column| check_numbers(column, expected))?;
        }
        Ok(())
    }

    /// Evaluates it at a state, with the terms of feedback: −β² ∂C/∂q and −2 α J, as the system corrects them.
    pub fn take<S: System<T, V = V>>(
        &mut self,
        motion: &Motion<'_, T, S>,
        at: &State<S::Q, V>,
    ) -> Result<(), Error> {
        let State { t, q, v } = at;
        let (system, by_q, by_v) = (motion.system(), self.by_q.as_mut(), self.by_v.as_mut());
        system.write_linearization(*t, q, v, by_q, by_v)?;
        let Stabilization::Baumgarte { alpha, beta } = motion.stabilization() else {
            return Ok(());
        };
        if S::Rows::LEN == Some(0) {
            return Ok(());
        }
        let rate = system.constraint_rate(*t, q, v);
        for k in 0..by_v.len() {
            // Ċ is affine in v: the difference is column k of J.
            let mut faster = v.clone();
            faster[k] += T::one();
            let there = system.constraint_rate(*t, q, &faster);
            let back = system.correction(*t, q, &rate.like(|i| there[i] - rate[i]))?;
            by_q[k].update(|i, x| x - beta * beta * back[i]);
            by_v[k].update(|i, x| x - (alpha + alpha) * back[i]);
        }
        Ok(())
    }

    /// Entry of a 1 − b ∂v̇/∂v − c ∂v̇/∂q, real or complex.
    fn entry<F: ComplexField<RealField = T> + Copy>(
        &self,
        [a, b, c]: [F; 3],
        i: usize,
        k: usize,
    ) -> F {
        let (by_q, by_v) = (self.by_q.as_ref()[k][i], self.by_v.as_ref()[k][i]);
        let own = if i == k { a } else { nalgebra::zero() };
        own - b * F::from_real(by_v) - c * F::from_real(by_q)
    }

    /// a x + b ∂v̇/∂v x + c ∂v̇/∂q x
    pub fn times(&self, [a, b, c]: [T; 3], x: &V) -> V {
        let mut sum = x.like(|i| a * x[i]);
        for (k, (of_q, of_v)) in self
            .by_q
            .as_ref()
            .iter()
            .zip(self.by_v.as_ref())
            .enumerate()
        {
            let (b, c) = (b * x[k], c * x[k]);
            sum.update(|i, y| y + of_v[i] * b + of_q[i] * c);
        }
        sum
    }
}

/// The linearised motion at a state: ∂v̇/∂(q, v), or the entries of a descriptor pair.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde-no-std",
    serde(bound(
        serialize = "V: serde::Serialize, V::Scalar: serde::Serialize",
        deserialize = "V: serde::Deserialize<'de>, V::Scalar: serde::Deserialize<'de>"
    ))
)]
pub(super) enum Linearized<V: Vector> {
    Nowhere,
    Dense(Variation<V>),
    Sparse(Box<Entries<V::Scalar>>),
}

impl<T: Real + RealField, V: Vector<Scalar = T>> Linearized<V> {
    /// Checks that a memory matches so many velocities.
    pub fn check(&self, expected: usize) -> Result<(), Error> {
        match self {
            Self::Nowhere => Ok(()),
            Self::Dense(variation) => variation.check(expected),
            Self::Sparse(entries) => entries.check(expected),
        }
    }

    /// Evaluates it at a state from which a step of length `h` is taken.
    pub fn take<S: System<T, V = V>>(
        &mut self,
        motion: &Motion<'_, T, S>,
        at: &State<S::Q, V>,
        h: T,
    ) -> Result<(), Error> {
        if let Self::Nowhere = self {
            *self = if S::PROPERTIES.sparse {
                Self::Sparse(Box::new(Entries::room(motion, at)?))
            } else {
                Self::Dense(Variation::room(&at.v))
            };
        }
        match self {
            Self::Nowhere => Ok(()),
            Self::Dense(variation) => variation.take(motion, at),
            Self::Sparse(entries) => entries.take(motion, at, h),
        }
    }
}

/// A matrix a 1 − b ∂v̇/∂v − c ∂v̇/∂q, eliminated.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde-no-std",
    serde(bound(
        serialize = "F: ComplexField + Copy + serde::Serialize, V::Scalar: serde::Serialize",
        deserialize = "F: ComplexField + Copy + serde::Deserialize<'de>, V::Scalar: serde::Deserialize<'de>"
    ))
)]
pub(super) enum Elimination<F: ComplexField + Copy, V: Vector> {
    Nothing,
    Dense(Lu<F, V>),
    Banded(Banded<V::Scalar, F>),
}

impl<T, F, V> Elimination<F, V>
where
    T: Real + RealField,
    F: ComplexField<RealField = T> + Copy,
    V: Vector<Scalar = T>,
{
    /// Checks that a memory holds a matrix of this linearised motion.
    pub fn check(&self, linearized: &Linearized<V>, expected: usize) -> Result<(), Error> {
        match (self, linearized) {
            (Self::Nothing, _) => Ok(()),
            (Self::Dense(lu), Linearized::Dense(_)) => lu.check(expected),
            (Self::Banded(banded), Linearized::Sparse(entries)) => banded.check(entries),
            _ => check_count(0, expected),
        }
    }

    /// Eliminates the matrix of these weights.
    pub fn eliminate(&mut self, linearized: &Linearized<V>, weights: [F; 3]) -> Result<(), Error> {
        match (self, linearized) {
            (Self::Dense(lu), Linearized::Dense(variation)) => eliminate(lu, variation, weights),
            (Self::Banded(banded), Linearized::Sparse(entries)) => {
                entries.eliminate(weights, banded)
            }
            (this, Linearized::Dense(variation)) => {
                let Some(column) = variation.by_q.as_ref().first() else {
                    return Ok(());
                };
                *this = Self::Dense(Lu::room(column));
                this.eliminate(linearized, weights)
            }
            (this, Linearized::Sparse(entries)) => {
                *this = Self::Banded(entries.elimination());
                this.eliminate(linearized, weights)
            }
            (_, Linearized::Nowhere) => Ok(()),
        }
    }

    /// Solves for r, in place.
    pub fn solve(&mut self, linearized: &Linearized<V>, r: &mut [F]) {
        match (self, linearized) {
            (Self::Dense(lu), _) => lu.solve(r),
            (Self::Banded(banded), Linearized::Sparse(entries)) => banded.solve(entries, r),
            _ => {}
        }
    }
}

impl<T: Real + RealField, V: Vector<Scalar = T>> Elimination<T, V> {
    /// Solves for r + c ∂v̇/∂q x, in place of r.
    pub fn solve_along(&mut self, linearized: &Linearized<V>, r: &mut V, c: T, x: &V) {
        match (self, linearized) {
            (Self::Dense(lu), Linearized::Dense(variation)) => {
                let along = variation.times([T::zero(), T::zero(), c], x);
                r.update(|i, r| r + along[i]);
                lu.solve(r.entries_mut());
            }
            (Self::Banded(banded), Linearized::Sparse(entries)) => {
                let weights = [T::zero(), c];
                banded.solve_along(entries, r.entries_mut(), weights, x.entries());
            }
            _ => {}
        }
    }

    /// Eliminates the matrix of these weights, if it consists of entries.
    pub fn eliminate_sparse(
        &mut self,
        linearized: &Linearized<V>,
        weights: [T; 3],
    ) -> Result<(), Error> {
        match linearized {
            Linearized::Sparse(_) => self.eliminate(linearized, weights),
            _ => Ok(()),
        }
    }

    /// a x + b ∂v̇/∂v x + c ∂v̇/∂q x; the sparse form needs the elimination for the weights (1, 0, 0) here.
    pub fn times(&mut self, linearized: &Linearized<V>, [a, b, c]: [T; 3], x: &V) -> V {
        match (self, linearized) {
            (_, Linearized::Dense(variation)) => variation.times([a, b, c], x),
            (Self::Banded(banded), Linearized::Sparse(entries)) => {
                let mut sum = x.zeros_like();
                banded.solve_along(entries, sum.entries_mut(), [b, c], x.entries());
                sum.update(|i, along| a * x[i] + along);
                sum
            }
            _ => x.like(|i| a * x[i]),
        }
    }
}

/// Factors a 1 − b ∂v̇/∂v − c ∂v̇/∂q.
pub(super) fn eliminate<T, F, V>(
    lu: &mut Lu<F, V>,
    variation: &Variation<V>,
    weights: [F; 3],
) -> Result<(), Error>
where
    T: Real + RealField,
    F: ComplexField<RealField = T> + Copy,
    V: Vector<Scalar = T>,
{
    lu.factor(|i, k| variation.entry(weights, i, k))
        .map_err(|index| Error::SingularStep {
            index,
            names: None,
            time: None,
        })
}
