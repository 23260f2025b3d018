//! Methods whose steps can be reversed.

use alloc::vec::Vec;

use nalgebra::SVector;

use crate::derivatives::{Derivatives, Tangent};
use crate::error::Error;
use crate::integrator::{
    DormandPrince, Integrator, Motion, Rk4, SemiImplicitEuler, Slope, Tableau, advance,
};
use crate::real::Real;
use crate::stabilization::Stabilization;
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// A method whose steps [`Simulation::gradient`](crate::Simulation::gradient) can reverse: [`Rk4`],
/// [`DormandPrince`], [`SemiImplicitEuler`], [`Rattle`](crate::Rattle), [`Radau5`](crate::Radau5).
///
/// Its functions refer to a step before its end is normalised and projected.
#[diagnostic::on_unimplemented(
    message = "gradients of runs with `{Self}` are not available",
    note = "use `Rk4`, `DormandPrince`, `SemiImplicitEuler`, `Rattle` or `Radau5`"
)]
pub trait Reversible: Integrator {
    /// True if its steps end on the constraints by themselves: no projection follows, under any stabilisation.
    const HOLDS_CONSTRAINTS: bool = false;

    /// Repeats a step of the length `h`, writes q and v of its `end`, and records the states that
    /// [`pull_back`](Self::pull_back) needs.
    ///
    /// # Errors
    /// Those of [`Integrator::step`].
    fn record<S: System<Self::Scalar>>(
        &self,
        motion: &Motion<'_, Self::Scalar, S>,
        start: &State<S::Q, S::V>,
        h: Self::Scalar,
        end: &mut State<S::Q, S::V>,
        places: &mut Vec<State<S::Q, S::V>>,
    ) -> Result<(), Error>;

    /// Reverses a step: maps the gradient of a loss with respect to its end to the one with respect to its start.
    ///
    /// Adds the derivatives by the time at the start, by inputs and by parameters in this step, and to `length` the
    /// derivative by the step's length.
    ///
    /// # Errors
    /// Those of [`Derivatives`].
    fn pull_back<S, const N: usize, const U: usize, const P: usize>(
        &self,
        motion: &Motion<'_, Self::Scalar, S>,
        places: &[State<S::Q, S::V>],
        h: Self::Scalar,
        bar: &mut Tangent<Self::Scalar, N, U, P>,
        length: Option<&mut Self::Scalar>,
    ) -> Result<(), Error>
    where
        S: System<Self::Scalar, V = SVector<Self::Scalar, N>>
            + Derivatives<Self::Scalar, Tangent = Tangent<Self::Scalar, N, U, P>>;
}

/// Reverses the stages of a tableau: the coefficients are constants, so that zeros cost nothing.
macro_rules! by_tableau {
    ($($method:ident: $($stage:literal)*;)*) => {$(
        impl<T: Real> Reversible for $method<T> {
            fn record<S: System<T>>(
                &self,
                motion: &Motion<'_, T, S>,
                start: &State<S::Q, S::V>,
                h: T,
                end: &mut State<S::Q, S::V>,
                places: &mut Vec<State<S::Q, S::V>>,
            ) -> Result<(), Error> {
                let mut k = core::array::from_fn(|_| Slope::blank());
                let reached = end.t;
                $(record_stage::<$stage, _, _, _>(&Self::TABLEAU, motion, &mut k, start, h, end, places)?;)*
                end.t = reached;
                advance(&Self::TABLEAU.b, &k, start, h, end);
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
                let mut back = Back {
                    end: Slope { q: bar.q, v: bar.v },
                    stages: core::array::from_fn(|_| Slope::blank()),
                    h,
                    bar,
                    length,
                };
                const LAST: usize = [$($stage),*].len() - 1;
                $(back.stage::<{ LAST - $stage }, _>(&Self::TABLEAU, motion, places)?;)*
                Ok(())
            }
        }
    )*};
}

// The last stage also serves the next step.
by_tableau! {
    Rk4: 0 1 2 3;
    DormandPrince: 0 1 2 3 4 5;
}

/// Records the state of the stage `I`, counted from 0, and its slope.
#[inline(always)]
fn record_stage<const I: usize, T: Real, S: System<T>, const STAGES: usize>(
    tableau: &Tableau<STAGES>,
    motion: &Motion<'_, T, S>,
    k: &mut [Slope<S::Q, S::V>; STAGES],
    start: &State<S::Q, S::V>,
    h: T,
    end: &mut State<S::Q, S::V>,
    places: &mut Vec<State<S::Q, S::V>>,
) -> Result<(), Error> {
    if I == 0 {
        end.q.assign(&start.q);
        end.v.assign(&start.v);
    } else {
        advance(&tableau.a[I], k, start, h, end);
    }
    end.t = start.t + T::lit(tableau.c[I]) * h;
    places.push(end.clone());
    let State { t, q, v } = end;
    k[I].q.assign(&motion.kinematics(*t, q, v));
    match &motion.acceleration(*t, q, v) {
        Ok(acceleration) => k[I].v.assign(acceleration),
        Err(error) => return Err(*error),
    }
    Ok(())
}

/// The reversal of a step.
///
/// ```text
/// sᵢ = bᵢ ȳ₁ + Σⱼ aⱼᵢ Ȳⱼ,   Ȳᵢ = h (∂f/∂y)ᵀ sᵢ,   ȳ₀ = ȳ₁ + Σ Ȳᵢ,   p̄ = h Σ (∂f/∂p)ᵀ sᵢ,   h̄ = Σ sᵢ·kᵢ + cᵢ t̄ᵢ
/// ```
struct Back<'a, T, const N: usize, const U: usize, const P: usize, const STAGES: usize> {
    /// ȳ₁
    end: Slope<SVector<T, N>>,
    /// Ȳ
    stages: [Slope<SVector<T, N>>; STAGES],
    h: T,
    bar: &'a mut Tangent<T, N, U, P>,
    length: Option<&'a mut T>,
}

impl<T: Real, const N: usize, const U: usize, const P: usize, const STAGES: usize>
    Back<'_, T, N, U, P, STAGES>
{
    /// Reverses the stage `I`; those after it are done.
    #[inline(always)]
    fn stage<const I: usize, S>(
        &mut self,
        tableau: &Tableau<STAGES>,
        motion: &Motion<'_, T, S>,
        places: &[State<S::Q, S::V>],
    ) -> Result<(), Error>
    where
        S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    {
        let (end, stages) = (&self.end, &self.stages);
        let weight = T::lit(tableau.b[I]);
        let mut counted = Slope {
            q: end.q * weight,
            v: end.v * weight,
        };
        for (j, later) in stages.iter().enumerate().skip(I + 1) {
            if tableau.a[j][I] != 0.0 {
                let weight = T::lit(tableau.a[j][I]);
                counted.q.update(|i, x| x + later.q[i] * weight);
                counted.v.update(|i, x| x + later.v[i] * weight);
            }
        }
        let mut length = T::zero();
        if self.length.is_some() {
            let State { t, q, v } = &places[I];
            let along = motion.acceleration(*t, q, v)?;
            length = counted.q.dot(v) + counted.v.dot(&along);
        }
        let before = self.bar.t;
        add_slope_vjp(
            motion,
            &places[I],
            &mut counted,
            self.h,
            self.bar,
            &mut self.stages[I],
        )?;
        if let Some(total) = self.length.as_deref_mut() {
            *total += length + (self.bar.t - before) * T::lit(tableau.c[I]);
        }
        Ok(())
    }
}

impl<T: Real> Reversible for SemiImplicitEuler<T> {
    fn record<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        start: &State<S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
        places: &mut Vec<State<S::Q, S::V>>,
    ) -> Result<(), Error> {
        let State { t, q, v } = start;
        places.push(start.clone());
        let acceleration = motion.acceleration(*t, q, v)?;
        end.v.update(|i, _| v[i] + acceleration[i] * h);
        let rate = motion.kinematics(*t, q, &end.v);
        end.q.update(|i, _| q[i] + rate[i] * h);
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
        let [start] = places else {
            unreachable!("a step keeps its start")
        };
        let State { t, q, v } = start;
        bar.v += bar.q * h;
        if let Some(length) = length {
            let along = motion.acceleration(*t, q, v)?;
            *length += bar.q.dot(&(v + along * h)) + bar.v.dot(&along);
        }
        let mut counted = Slope {
            q: SVector::zeros(),
            v: bar.v,
        };
        add_slope_vjp(motion, start, &mut counted, h, bar, &mut Slope::blank())
    }
}

/// Adds the gradient of h s·(v, v̇) for `counted` = s, which is consumed, and writes its part by q and v to `own`.
#[inline(always)]
pub(super) fn add_slope_vjp<T, S, const N: usize, const U: usize, const P: usize>(
    motion: &Motion<'_, T, S>,
    State { t, q, v }: &State<S::Q, S::V>,
    counted: &mut Slope<SVector<T, N>>,
    h: T,
    bar: &mut Tangent<T, N, U, P>,
    own: &mut Slope<SVector<T, N>>,
) -> Result<(), Error>
where
    T: Real,
    S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
{
    let system = motion.system();
    counted.v *= h;
    // Borrowed where it was returned, to avoid a copy.
    match &system.vjp(*t, q, v, &counted.v, &S::Rows::blank()) {
        Ok(by) => {
            bar.t += by.t;
            bar.u += &by.u;
            bar.p += &by.p;
            own.q.update(|i, _| by.q[i]);
            own.v.update(|i, _| by.v[i] + counted.q[i] * h);
        }
        Err(error) => return Err(*error),
    }
    if let Stabilization::Baumgarte { alpha, beta } = motion.stabilization()
        && S::Rows::LEN != Some(0)
    {
        // v̇ − G (2 α Ċ + β² C)
        let (of_place, of_rate) = (counted.v * (beta * beta), counted.v * (alpha + alpha));
        let mut by = system.place_correction_vjp(*t, q, &of_place)?;
        by += system.velocity_correction_vjp(*t, q, v, &of_rate)?;
        own.q -= by.q;
        own.v -= by.v;
        bar.t -= by.t;
        bar.p -= by.p;
    }
    bar.q += own.q;
    bar.v += own.v;
    Ok(())
}
