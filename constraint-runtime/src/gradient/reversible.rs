//! Methods whose steps can be taken back.

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
use crate::system::{Dynamics, System};
use crate::vector::Vector;

/// A method of which [`Simulation::gradient`](crate::Simulation::gradient) takes back the steps: [`Rk4`],
/// [`DormandPrince`], [`SemiImplicitEuler`].
///
/// Its functions speak of a step before its end is put in order, by normalisation and projection.
#[diagnostic::on_unimplemented(
    message = "there is no gradient of runs by `{Self}`",
    note = "there is of runs by `Rk4`, `DormandPrince` and `SemiImplicitEuler`"
)]
pub trait Reversible: Integrator {
    /// Makes a step of the length `h` again, writes q and v of its `end`, and adds the places that
    /// [`pull_back`](Self::pull_back) asks for.
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

    /// Takes a step back: from what a loss counts of its end to what it counts of its start.
    ///
    /// What the loss counts of the time at the start, of inputs and parameters in this step is added, and to `length`
    /// what it counts of the step's length.
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
        S: Dynamics<Self::Scalar, V = SVector<Self::Scalar, N>>
            + Derivatives<Self::Scalar, Tangent = Tangent<Self::Scalar, N, U, P>>;
}

/// By the tableau of a method.
macro_rules! by_tableau {
    ($($method:ident),*) => {$(
        impl<T: Real> Reversible for $method<T> {
            fn record<S: System<T>>(
                &self,
                motion: &Motion<'_, T, S>,
                start: &State<S::Q, S::V>,
                h: T,
                end: &mut State<S::Q, S::V>,
                places: &mut Vec<State<S::Q, S::V>>,
            ) -> Result<(), Error> {
                Self::TABLEAU.record(motion, start, h, end, places)
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
                S: Dynamics<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
            {
                Self::TABLEAU.pull_back(motion, places, h, bar, length)
            }
        }
    )*};
}

by_tableau!(Rk4, DormandPrince);

impl<const STAGES: usize> Tableau<STAGES> {
    /// How many stages a step is made of; [`DormandPrince`]'s last serves the next step.
    fn counted(&self) -> usize {
        let counted = self.b.iter().rposition(|&weight| weight != 0.0);
        counted.map_or(0, |last| last + 1)
    }

    /// Keeps the places of the stages.
    fn record<T: Real, S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        start: &State<S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
        places: &mut Vec<State<S::Q, S::V>>,
    ) -> Result<(), Error> {
        let mut k: [Slope<S::Q, S::V>; STAGES] = core::array::from_fn(|_| Slope::blank());
        let reached = end.t;
        for i in 0..self.counted() {
            end.q.assign(&start.q);
            end.v.assign(&start.v);
            end.t = start.t + T::lit(self.c[i]) * h;
            advance(&self.a[i], &k, start, h, end);
            k[i] = motion.slope(end)?;
            places.push(end.clone());
        }
        end.t = reached;
        advance(&self.b, &k, start, h, end);
        Ok(())
    }

    /// ```text
    /// sᵢ = bᵢ ȳ₁ + Σⱼ aⱼᵢ Ȳⱼ,   Ȳᵢ = h (∂f/∂y)ᵀ sᵢ,   ȳ₀ = ȳ₁ + Σ Ȳᵢ,   p̄ = h Σ (∂f/∂p)ᵀ sᵢ,   h̄ = Σ sᵢ·kᵢ + cᵢ t̄ᵢ
    /// ```
    fn pull_back<T, S, const N: usize, const U: usize, const P: usize>(
        &self,
        motion: &Motion<'_, T, S>,
        places: &[State<S::Q, S::V>],
        h: T,
        bar: &mut Tangent<T, N, U, P>,
        mut length: Option<&mut T>,
    ) -> Result<(), Error>
    where
        T: Real,
        S: Dynamics<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    {
        let end = *bar;
        let mut stages = [Tangent::<T, N, U, P>::default(); STAGES];
        for (i, place) in places.iter().enumerate().rev() {
            let weight = |later: f64| T::lit(later);
            let mut counted = Slope {
                q: end.q * weight(self.b[i]),
                v: end.v * weight(self.b[i]),
            };
            for (j, later) in stages.iter().enumerate().skip(i + 1) {
                if self.a[j][i] != 0.0 {
                    counted.q += later.q * weight(self.a[j][i]);
                    counted.v += later.v * weight(self.a[j][i]);
                }
            }
            let by = slope_vjp(motion, place, &counted, h)?;
            if let Some(length) = length.as_deref_mut() {
                let along = motion.acceleration(place.t, &place.q, &place.v)?;
                *length += counted.q.dot(&place.v) + counted.v.dot(&along);
                *length += by.t * T::lit(self.c[i]);
            }
            *bar += by;
            stages[i] = by;
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
        S: Dynamics<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
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
        let counted = Slope {
            q: SVector::zeros(),
            v: bar.v,
        };
        *bar += slope_vjp(motion, start, &counted, h)?;
        Ok(())
    }
}

/// The gradient of h s·(v, v̇).
fn slope_vjp<T, S, const N: usize, const U: usize, const P: usize>(
    motion: &Motion<'_, T, S>,
    State { t, q, v }: &State<S::Q, S::V>,
    counted: &Slope<SVector<T, N>>,
    h: T,
) -> Result<Tangent<T, N, U, P>, Error>
where
    T: Real,
    S: Dynamics<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
{
    let (system, v_bar) = (motion.system(), counted.v * h);
    let mut by = system.vjp(*t, q, v, &v_bar, &S::Rows::blank())?;
    if let Stabilization::Baumgarte { alpha, beta } = motion.stabilization()
        && S::Rows::LEN != Some(0)
    {
        // v̇ − G (2 α Ċ + β² C)
        let (of_place, of_rate) = (v_bar * (beta * beta), v_bar * (alpha + alpha));
        by -= system.place_correction_vjp(*t, q, &of_place)?;
        by -= system.velocity_correction_vjp(*t, q, v, &of_rate)?;
    }
    by.v += counted.q * h;
    Ok(by)
}
