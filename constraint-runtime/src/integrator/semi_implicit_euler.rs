//! Semi-implicit (symplectic) Euler: velocities first, then coordinates with the new velocities.

use super::{Integrator, Motion};
use crate::error::Error;
use crate::real::Real;
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// v₁ = v₀ + h v̇(t₀, q₀, v₀), then q₁ = q₀ + h N(q₀) v₁. Order 1, one evaluation a step.
///
/// # Source
/// [Hairer, Lubich, Wanner 2006] *Geometric Numerical Integration*, chapter I, equation (1.9).
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
/// let bead = Particle::new(1.0_f64).on(Parabola).under_gravity([0.0, -10.0]);
/// let start = State::new(0.0, [100.0, -100.0], [0.0, 0.0]);
/// let mut run = Simulation::new(bead, start, SemiImplicitEuler::new(0.1))?;
/// run.step()?;
/// assert!((run.velocities().x - 0.4).abs() < 1e-3);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SemiImplicitEuler<T = f64> {
    h: T,
}

impl<T: Real> SemiImplicitEuler<T> {
    /// The method with steps of size `h`.
    pub fn new(h: T) -> Self {
        Self { h }
    }
}

impl<T: Real> Integrator for SemiImplicitEuler<T> {
    type Scalar = T;
    type Memory<Q: Vector<Scalar = T>, V: Vector<Scalar = T>> = ();

    fn order(&self) -> u32 {
        1
    }

    fn longest_step(&self) -> T {
        self.h
    }

    #[inline]
    fn step<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        (): &mut (),
        start: &State<S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
    ) -> Result<(), Error> {
        let State { t, q, v } = start;
        let acceleration = motion.acceleration(*t, q, v)?;
        end.v.update(|i, _| v[i] + acceleration[i] * h);
        let rate = motion.kinematics(*t, q, &end.v);
        end.q.update(|i, _| q[i] + rate[i] * h);
        motion.stabilize(start, end)
    }
}
