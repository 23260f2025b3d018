//! Explicit Runge–Kutta methods: each a tableau with its citation, one routine for all.

use nalgebra::SVector;

use super::{Integrator, Motion};
use crate::error::Error;
use crate::real::Real;
use crate::state::State;
use crate::system::System;

/// Butcher tableau of an explicit method of `S` stages; `a` is strictly lower triangular.
///
/// kᵢ = f(t + cᵢ h, y + h Σⱼ aᵢⱼ kⱼ), y₁ = y₀ + h Σᵢ bᵢ kᵢ.
///
/// # Source
/// [Hairer, Nørsett, Wanner 1993] *Solving Ordinary Differential Equations I*, definition II.1.1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tableau<const S: usize> {
    /// Weights of earlier stages in stage i.
    pub a: [[f64; S]; S],
    /// Weights of the stages in the step.
    pub b: [f64; S],
    /// Times of the stages, in steps.
    pub c: [f64; S],
}

/// The classic method of order 4, four evaluations a step.
///
/// # Source
/// [Kutta 1901] W. Kutta, *Beitrag zur näherungsweisen Integration totaler
/// Differentialgleichungen*, Z. Math. Phys. 46, 435–453.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// # mod by_hand { include!("../../tests/common/parabola.rs"); } use by_hand::Parabola;
/// let bead = Particle::new(1.0_f64).on(Parabola).under_gravity([0.0, -10.0]);
/// let start = State::new(0.0, [100.0, -100.0], [0.0, 0.0]);
/// let mut run = Simulation::new(bead, start, Rk4::new(0.01))?;
/// let energy = run.energy();
/// run.run_until(2.0)?;
/// assert!((run.energy() - energy).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rk4<T> {
    h: T,
}

impl<T: Real> Rk4<T> {
    /// The method's coefficients.
    pub const TABLEAU: Tableau<4> = Tableau {
        a: [
            [0.0, 0.0, 0.0, 0.0],
            [0.5, 0.0, 0.0, 0.0],
            [0.0, 0.5, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ],
        b: [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
        c: [0.0, 0.5, 0.5, 1.0],
    };

    /// The method with steps of size `h`.
    pub fn new(h: T) -> Self {
        Self { h }
    }
}

impl<T: Real> Integrator<T> for Rk4<T> {
    fn order(&self) -> u32 {
        4
    }

    fn step_size(&self) -> T {
        self.h
    }

    #[inline]
    fn step<S, const Q: usize, const V: usize, const M: usize>(
        &mut self,
        motion: &Motion<'_, T, S, M>,
        start: &State<T, Q, V>,
        h: T,
    ) -> Result<State<T, Q, V>, Error>
    where
        S: System<T, Q, V, M>,
    {
        step(&Self::TABLEAU, motion, start, h)
    }
}

/// One step of the method of `tableau`.
#[inline(always)]
fn step<T, S, const STAGES: usize, const Q: usize, const V: usize, const M: usize>(
    tableau: &Tableau<STAGES>,
    motion: &Motion<'_, T, S, M>,
    start: &State<T, Q, V>,
    h: T,
) -> Result<State<T, Q, V>, Error>
where
    T: Real,
    S: System<T, Q, V, M>,
{
    let mut q_dot = [SVector::<T, Q>::zeros(); STAGES];
    let mut v_dot = [SVector::<T, V>::zeros(); STAGES];
    for i in 0..STAGES {
        let t = start.t + T::lit(tableau.c[i]) * h;
        let q = combine(&start.q, &tableau.a[i], &q_dot, h);
        let v = combine(&start.v, &tableau.a[i], &v_dot, h);
        q_dot[i] = motion.kinematics(t, &q, &v);
        v_dot[i] = motion.acceleration(t, &q, &v)?;
    }
    Ok(State {
        t: start.t + h,
        q: combine(&start.q, &tableau.b, &q_dot, h),
        v: combine(&start.v, &tableau.b, &v_dot, h),
    })
}

/// y + h Σⱼ wⱼ kⱼ over the weights that are not zero.
#[inline(always)]
fn combine<T: Real, const STAGES: usize, const N: usize>(
    y: &SVector<T, N>,
    weights: &[f64; STAGES],
    slopes: &[SVector<T, N>; STAGES],
    h: T,
) -> SVector<T, N> {
    let mut sum = *y;
    for (&weight, slope) in weights.iter().zip(slopes) {
        if weight != 0.0 {
            sum += slope * (T::lit(weight) * h);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stage_times_are_row_sums_and_weights_sum_to_one() {
        let Tableau { a, b, c } = Rk4::<f64>::TABLEAU;
        for (row, c) in a.iter().zip(c) {
            assert_eq!(row.iter().sum::<f64>(), c);
        }
        assert!((b.iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }
}
