//! The memory that the method keeps from step to step, and the stages of a step.

use nalgebra::{Complex, RealField};

use super::super::newton::{Effort, Elimination, Linearized};
use super::super::step_control::{Budget, Settings};
use super::super::{Motion, Slope};
use super::Start;
use super::coefficients::{
    A, C, ERROR, FROM_DIAGONAL, GAMMA, INVERSE, PAIR, TO_DIAGONAL, basis, combined, weighted,
};
use super::control::{MIN_ERROR, STILL_GOOD};
use crate::error::Error;
use crate::kept::{check_numbers, check_pivoted, lengths_of};
use crate::real::Real;
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// The memory of [`Radau5`]: matrices and their elimination, the last step, and the length of the next.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde-no-std",
    serde(bound(
        serialize = "T: Real + serde::Serialize, Q: serde::Serialize, \
                     V: serde::Serialize, V::Scalar: serde::Serialize",
        deserialize = "T: Real + serde::Deserialize<'de>, Q: serde::Deserialize<'de>, \
                       V: serde::Deserialize<'de>, V::Scalar: serde::Deserialize<'de>"
    ))
)]
pub struct Radau5Memory<T: RealField + Copy, Q, V: Vector> {
    pub(super) linearized: Linearized<V>,
    pub(super) varied: Varied,
    pub(super) real: Elimination<T, V>,
    pub(super) complex: Elimination<Complex<T>, V>,
    /// Memory for the unknowns of the second.
    #[cfg_attr(feature = "serde-no-std", serde(with = "crate::saved::array"))]
    pub(super) pair: V::Array<Complex<T>>,
    /// The step length of the current eliminations; zero before the first.
    pub(super) eliminated: T,
    /// The real matrix of each stage, if one matrix has failed before.
    pub(super) turned: Option<Turned<T, V>>,
    /// The convergence rate of the last Newton iteration, and the length of that step.
    pub(super) rate: T,
    pub(super) rate_h: T,
    pub(super) stages: Stages<Q, V>,
    /// q̇ and v̇ at the start of the step.
    pub(super) first: Slope<Q, V>,
    /// v̇ of the stages of the last step, and its length.
    pub(super) last: [V; 3],
    pub(super) last_h: T,
    pub(super) last_error: T,
    /// True if the last step ended where the next one starts.
    pub(super) reached: bool,
    /// Length of the next step; zero before the first.
    pub(super) next: T,
    pub(super) budget: Budget<T>,
    pub(super) effort: Effort,
}

/// The matrices of the stages.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde-no-std",
    serde(bound(
        serialize = "T: Real + serde::Serialize, V: serde::Serialize, V::Scalar: serde::Serialize",
        deserialize = "T: Real + serde::Deserialize<'de>, V: serde::Deserialize<'de>, \
                       V::Scalar: serde::Deserialize<'de>"
    ))
)]
pub(super) struct Turned<T: RealField + Copy, V: Vector> {
    /// The linearised motion at the last stage visited.
    there: Linearized<V>,
    /// The elimination for the weights (1, 0, 0) at the start.
    still: Elimination<T, V>,
    stages: [Elimination<T, V>; 3],
}

impl<T: RealField + Copy, V: Vector> Turned<T, V> {
    pub(super) fn room() -> Self {
        Self {
            there: Linearized::Nowhere,
            still: Elimination::Nothing,
            stages: [(); 3].map(|()| Elimination::Nothing),
        }
    }
}

/// The unknowns of a step.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Stages<Q, V> {
    /// vᵢ − v₀
    pub(super) z: [V; 3],
    pub(super) q: [Q; 3],
    /// N(qᵢ) vᵢ
    pub(super) rates: [Q; 3],
}

/// The place at which ∂v̇/∂(q, v) was evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Varied {
    Nowhere,
    Before,
    AtStart,
}

impl<T, Q, V> Radau5Memory<T, Q, V>
where
    T: Real + RealField,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
{
    pub(super) fn room(q: &Q, v: &V) -> Self {
        let (places, velocities) = (|| q.zeros_like(), || v.zeros_like());
        Self {
            linearized: Linearized::Nowhere,
            varied: Varied::Nowhere,
            real: Elimination::Nothing,
            complex: Elimination::Nothing,
            pair: v.array(nalgebra::zero()),
            eliminated: T::zero(),
            turned: None,
            rate: T::lit(STILL_GOOD),
            rate_h: T::zero(),
            stages: Stages {
                z: [(); 3].map(|()| velocities()),
                q: [(); 3].map(|()| places()),
                rates: [(); 3].map(|()| places()),
            },
            first: Slope {
                q: places(),
                v: velocities(),
            },
            last: [(); 3].map(|()| velocities()),
            last_h: T::zero(),
            last_error: T::lit(MIN_ERROR),
            reached: false,
            next: T::zero(),
            budget: Budget::default(),
            effort: Effort::default(),
        }
    }
}

impl<T, Q, V> Default for Radau5Memory<T, Q, V>
where
    T: Real + RealField,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
{
    fn default() -> Self {
        Self::room(&Q::blank(), &V::blank())
    }
}

impl<T, Q, V> Radau5Memory<T, Q, V>
where
    T: Real + RealField,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
{
    /// Checks that it belongs to a system at a state; blank if no step has led there.
    pub(super) fn check(&self, state: &State<Q, V>) -> Result<(), Error> {
        let blank = !self.reached && self.first.v.entries().is_empty();
        let [places, velocities] = lengths_of(state, blank);
        let Stages { z, q, rates } = &self.stages;
        for kept in q.iter().chain(rates).chain([&self.first.q]) {
            check_numbers(kept.entries(), places)?;
        }
        for kept in z.iter().chain(&self.last).chain([&self.first.v]) {
            check_numbers(kept.entries(), velocities)?;
        }
        self.linearized.check(velocities)?;
        self.real.check(&self.linearized, velocities)?;
        self.complex.check(&self.linearized, velocities)?;
        check_pivoted(self.pair.as_ref(), velocities)?;
        if let Some(turned) = &self.turned {
            turned.there.check(velocities)?;
            turned.still.check(&self.linearized, velocities)?;
            let mut stages = turned.stages.iter();
            stages.try_for_each(|stage| stage.check(&turned.there, velocities))?;
        }
        let lasting = [self.eliminated, self.rate, self.rate_h];
        let next = [self.last_h, self.last_error, self.next];
        check_numbers(&lasting, 3)?;
        check_numbers(&next, 3)?;
        self.budget.check()
    }

    /// The convergence rate that Newton's method is expected to have in a step of length `h`.
    pub(super) fn expected_rate(&self, h: T) -> T {
        if self.rate_h == T::zero() {
            return T::lit(0.5);
        }
        // A rate measured long ago counts for less: as in RADAU5.
        let rate = self.rate.simd_max(T::simd_default_epsilon());
        rate.simd_powf(T::lit(0.8)) * (h / self.rate_h)
    }

    /// A guess at the stages of a step of length `h`: extrapolates the last step's polynomial; without one, no
    /// motion.
    pub(super) fn predict(&mut self, h: T) {
        let Self { stages, last, .. } = self;
        for (z, c) in stages.z.iter_mut().zip(C) {
            if self.last_h == T::zero() {
                z.update(|_, _| T::zero());
                continue;
            }
            let end = T::one() + T::lit(c) * h / self.last_h;
            let weights = [0, 1, 2].map(|j| basis(j).integral(end) * self.last_h);
            z.update(|i, _| weighted(weights, |j| last[j][i]));
        }
    }

    /// Eliminates the matrices of Newton's method, for steps of length `h`.
    pub(super) fn eliminate(&mut self, h: T) -> Result<(), Error> {
        let [re, im] = PAIR.map(|x| T::lit(x) / h);
        let (s, pair) = (T::lit(GAMMA) / h, Complex::new(re, im));
        let one: Complex<T> = nalgebra::one();
        let linearized = &self.linearized;
        self.real
            .eliminate(linearized, [s, T::one(), T::one() / s])?;
        self.complex
            .eliminate(linearized, [pair, one, one / pair])?;
        self.effort.eliminations += 1;
        self.eliminated = h;
        Ok(())
    }

    /// The differences between v̇ of each stage and a(t, q, v).
    pub(super) fn residual<S: System<T, Q = Q, V = V>>(
        &mut self,
        motion: &Motion<'_, T, S>,
        start: &State<Q, V>,
        times: [T; 3],
        h: T,
    ) -> Result<[V; 3], Error> {
        let mut residual = self.stages.accelerations(h);
        for (i, off) in residual.iter_mut().enumerate() {
            let v = self.stages.velocity(start, i);
            let acceleration = motion.acceleration(times[i], &self.stages.q[i], &v)?;
            off.update(|k, x| acceleration[k] - x);
        }
        self.effort.evaluations += 3;
        Ok(residual)
    }

    /// Eliminates the real matrix of each stage, with ∂v̇/∂(q, v) extrapolated to it.
    pub(super) fn eliminate_stages<S: System<T, Q = Q, V = V>>(
        &mut self,
        motion: &Motion<'_, T, S>,
        start: &State<Q, V>,
        times: [T; 3],
        h: T,
    ) -> Result<(), Error> {
        let Some(turned) = &mut self.turned else {
            return Ok(());
        };
        let (s, one) = (T::lit(GAMMA) / h, T::one());
        let still = [one, T::zero(), T::zero()];
        turned.still.eliminate_sparse(&self.linearized, still)?;
        for (i, elimination) in turned.stages.iter_mut().enumerate() {
            let state = State {
                t: times[i],
                q: self.stages.q[i].clone(),
                v: self.stages.velocity(start, i),
            };
            turned.there.take(motion, &state, h)?;
            elimination.eliminate(&turned.there, [s, one, one / s])?;
        }
        self.effort.linearizations += 3;
        self.effort.eliminations += 1;
        Ok(())
    }

    /// Multiplies the residuals of the stages by E₀ Eᵢ⁻¹, as their matrices are rotated relative to that at the
    /// start, which makes Newton's method with one matrix exact for the stiff part.
    pub(super) fn turn(&mut self, residual: &mut [V; 3], h: T) {
        let Some(turned) = &mut self.turned else {
            return;
        };
        let s = T::lit(GAMMA) / h;
        let weights = [s, -T::one(), -T::one() / s];
        for (off, elimination) in residual.iter_mut().zip(&mut turned.stages) {
            elimination.solve(&turned.there, off.entries_mut());
            *off = turned.still.times(&self.linearized, weights, off);
        }
    }

    /// Takes a step of Newton's method; returns the changes of the stages' velocities.
    pub(super) fn improve(&mut self, residual: &[V; 3]) -> [V; 3] {
        let row = |i: usize, k: usize| weighted(TO_DIAGONAL[i].map(T::lit), |j| residual[j][k]);
        let mut real = residual[0].like(|k| row(0, k));
        self.real.solve(&self.linearized, real.entries_mut());
        let pair = self.pair.as_mut();
        for (k, pair) in pair.iter_mut().enumerate() {
            *pair = Complex::new(row(1, k), row(2, k));
        }
        self.complex.solve(&self.linearized, pair);
        let change = FROM_DIAGONAL.map(|weights| {
            real.like(|k| {
                let diagonal = [real[k], pair[k].re, pair[k].im];
                weighted(weights.map(T::lit), |j| diagonal[j])
            })
        });
        for (z, change) in self.stages.z.iter_mut().zip(&change) {
            z.update(|k, x| x + change[k]);
        }
        change
    }

    /// Updates the positions from the velocities; returns the size of both changes relative to the tolerance.
    pub(super) fn change<S: System<T, Q = Q, V = V>>(
        &mut self,
        motion: &Motion<'_, T, S>,
        (start, rounding): Start<'_, Q, V>,
        times: [T; 3],
        h: T,
        change: &[V; 3],
        held: &Settings<T>,
    ) -> T {
        let before = self.stages.q.clone();
        self.stages.place(motion, start, times, h);
        let there = State {
            t: times[2],
            q: self.stages.q[2].clone(),
            v: self.stages.velocity(start, 2),
        };
        let squares = (0..3).map(|i| {
            let moved = |k: usize| self.stages.q[i][k] - before[i][k];
            held.norm_beyond(rounding, moved, |k| change[i][k], start, &there)
        });
        let sum = squares.fold(T::zero(), |sum, x| sum + x);
        (sum / T::lit(3.0)).simd_sqrt()
    }

    /// The difference to a result of order 3, with `first` for the slope at the start.
    pub(super) fn error<S: System<T, Q = Q, V = V>>(
        &mut self,
        motion: &Motion<'_, T, S>,
        start: &State<Q, V>,
        h: T,
        first: &Slope<Q, V>,
    ) -> Slope<Q, V> {
        let (weights, length) = (ERROR.map(T::lit), h / T::lit(GAMMA));
        let Stages { z, rates, .. } = &self.stages;
        let accelerations = self.stages.accelerations(h);
        let mut v = first
            .v
            .like(|i| first.v[i] + weighted(weights, |j| accelerations[j][i]));
        let along = combined(weights, z);
        self.real
            .solve_along(&self.linearized, &mut v, length, &along);
        let rate = motion.kinematics(start.t, &start.q, &v);
        let q = rate.like(|i| (first.q[i] + weighted(weights, |j| rates[j][i]) + rate[i]) * length);
        Slope { q, v }
    }
}

impl<T, Q, V> Stages<Q, V>
where
    T: Real + RealField,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
{
    /// Evaluations of q̇ at places that depend on it. If it equals v, one is exact.
    pub(super) const PASSES: usize = match (Q::LEN, V::LEN) {
        (Some(q), Some(v)) if q != v => 3,
        _ => 1,
    };

    pub(super) fn velocity(&self, start: &State<Q, V>, i: usize) -> V {
        start.v.like(|k| start.v[k] + self.z[i][k])
    }

    /// h⁻¹ A⁻¹ z: v̇ of the polynomial through the stages.
    pub(super) fn accelerations(&self, h: T) -> [V; 3] {
        INVERSE.map(|row| combined(row.map(|x| T::lit(x) / h), &self.z))
    }

    /// q₀ + h Σⱼ aᵢⱼ N(qⱼ) vⱼ
    pub(super) fn place<S: System<T, Q = Q, V = V>>(
        &mut self,
        motion: &Motion<'_, T, S>,
        start: &State<Q, V>,
        times: [T; 3],
        h: T,
    ) {
        for _ in 0..Self::PASSES {
            for (i, t) in times.into_iter().enumerate() {
                let rate = motion.kinematics(t, &self.q[i], &self.velocity(start, i));
                self.rates[i].assign(&rate);
            }
            for (q, row) in self.q.iter_mut().zip(A) {
                let weights = row.map(|a| T::lit(a) * h);
                q.update(|k, _| start.q[k] + weighted(weights, |j| self.rates[j][k]));
            }
        }
    }

    /// Calls the probe with the stages.
    pub(super) fn tell<S: System<T, Q = Q, V = V>>(
        &self,
        motion: &Motion<'_, T, S>,
        start: &State<Q, V>,
        times: [T; 3],
    ) {
        if motion.probe.is_some() {
            for (i, t) in times.into_iter().enumerate() {
                motion.tell(t, &self.q[i], &self.velocity(start, i));
            }
        }
    }
}
