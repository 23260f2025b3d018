//! Integrators: one trait, from a state and a step size to the next state.
//!
//! They see a system through [`Motion`], which adds Baumgarte feedback where it is asked for, and
//! know nothing of projection: [`Simulation`](crate::Simulation) projects after each step.

mod runge_kutta;
mod semi_implicit_euler;

pub use runge_kutta::{Rk4, Tableau};
pub use semi_implicit_euler::SemiImplicitEuler;

use nalgebra::SVector;

use crate::error::Error;
use crate::real::Real;
use crate::stabilization::Stabilization;
use crate::state::State;
use crate::system::System;

/// A method that advances a state by one step.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let method = Rk4::new(0.01);
/// assert_eq!((Integrator::<f64>::order(&method), method.step_size()), (4, 0.01));
/// ```
pub trait Integrator<T: Real> {
    /// Convergence order p: the error at a fixed time shrinks as hᵖ.
    fn order(&self) -> u32;

    /// Step size h.
    fn step_size(&self) -> T;

    /// The state one step `h` later; `start` stays untouched.
    ///
    /// # Errors
    /// Those of [`System::acceleration`].
    fn step<S, const Q: usize, const V: usize, const M: usize>(
        &mut self,
        motion: &Motion<'_, T, S, M>,
        start: &State<T, Q, V>,
        h: T,
    ) -> Result<State<T, Q, V>, Error>
    where
        S: System<T, Q, V, M>;
}

/// The differential equation an integrator solves: q̇ = N(q) v and v̇, with feedback.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a, T, S, const M: usize> {
    system: &'a S,
    feedback: Option<(T, T)>,
}

impl<'a, T: Real, S, const M: usize> Motion<'a, T, S, M> {
    /// The motion of `system`, with Baumgarte's feedback if that is the stabilisation.
    pub fn new(system: &'a S, stabilization: Stabilization<T>) -> Self {
        let feedback = match stabilization {
            Stabilization::Baumgarte { alpha, beta } => Some((alpha, beta)),
            _ => None,
        };
        Self { system, feedback }
    }

    /// The system that moves.
    pub fn system(&self) -> &'a S {
        self.system
    }

    /// v̇ with J v̇ = −β, or with feedback J v̇ = −β − 2 α Ċ − β_b² C.
    ///
    /// # Errors
    /// Those of [`System::acceleration`].
    ///
    /// # Source
    /// [Baumgarte 1972] J. Baumgarte, *Stabilization of constraints and integrals of motion in
    /// dynamical systems*, Comput. Methods Appl. Mech. Eng. 1, equation (12).
    #[inline]
    pub fn acceleration<const Q: usize, const V: usize>(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, V>, Error>
    where
        S: System<T, Q, V, M>,
    {
        let acceleration = self.system.acceleration(t, q, v)?;
        let Some((alpha, beta)) = self.feedback else {
            return Ok(acceleration);
        };
        let c = self.system.constraint(t, q);
        let c_dot = self.system.constraint_rate(t, q, v);
        let b = -(c_dot * (alpha + alpha) + c * (beta * beta));
        Ok(acceleration + self.system.correction(t, q, &b)?)
    }

    /// q̇ = N(q) v.
    #[inline]
    pub fn kinematics<const Q: usize, const V: usize>(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> SVector<T, Q>
    where
        S: System<T, Q, V, M>,
    {
        self.system.kinematics(t, q, v)
    }
}
