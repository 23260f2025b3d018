//! Derivatives of the motion in a mode, from those of the system and of its gaps and slips.
//!
//! ```text
//! v̇ = v̇₀ + W f,   λ = λ₀ + X f        K f = −b: G v̇ + … = 0 of closed rows, f_t ± μ f_n = 0 of those that slide
//! backwards   Kᵀ z = f* + Wᵀ v̇* + Xᵀ λ*,   gradient = ∂(x·(v̇₀ + W f) + λ*·(λ₀ + X f) − z·(G v̇ + …)) ∓ z_t f_n ∂μ
//!             with x = v̇* − Gᵀ z: f and v̇ are constant
//! ```

use nalgebra::SVector;

use super::complementarity::Problem;
use super::derivatives::OneSidedDerivatives;
use super::in_mode::{is_constrained, rows};
use super::terms::{Geometry, Terms, dot};
use super::{Each, InMode, OneSided, RowKind, RowMode, gaps, kind_of, sides, slip_of};
use crate::derivatives::{
    Derivatives, Linearization, Tangent, linearized_by_gradients,
    linearized_with_multipliers_by_gradients,
};
use crate::error::Error;
use crate::real::Real;
use crate::system::Constrained;
use crate::vector::Vector;

/// z of closed rows, zero elsewhere.
pub(super) fn of_closed<T: Real, S: OneSided<T>>(modes: &[RowMode], z: &S::Sides) -> S::Sides {
    z.like(|i| match is_constrained::<T, S>(modes, i) {
        true => z[i],
        false => T::zero(),
    })
}

/// What the friction of rows that slide counts, ∓ z_t f_n, and the bound of a motor: z_n of f_n = bound.
pub(super) fn of_friction<T: Real, S: OneSided<T>>(
    modes: &[RowMode],
    z: &S::Sides,
    forces: &S::Sides,
) -> S::Sides {
    let mut by = z.zeros_like();
    for (i, mode) in modes.iter().enumerate().take(gaps::<T, S>()) {
        if let (Some(slip), Some(sign)) = (slip_of::<T, S>(i), mode.sliding()) {
            by[slip] = -z[slip] * forces[i] * T::lit(sign * mode.pressing());
        }
        if *mode != RowMode::Open && kind_of::<T, S>(i) == RowKind::Motor {
            by[i] = z[i];
        }
    }
    by
}

/// x − Gᵀ z
pub(super) fn less<T: Real, S: OneSided<T>>(
    geometry: &Geometry<T, S>,
    x: &S::V,
    z: &S::Sides,
) -> S::V {
    let mut less = x.clone();
    for (k, row) in geometry.rows.as_ref().iter().enumerate() {
        less.update(|i, x| x - row[i] * z[k]);
    }
    less
}

impl<T: Real, S: OneSided<T>> InMode<T, S> {
    /// z of Kᵀ z = λ*.
    pub(super) fn adjoint(
        &self,
        mobility: &Each<T, S, S::Sides>,
        friction: &S::Sides,
        lambda_bar: &S::Sides,
    ) -> Result<S::Sides, Error> {
        let problem: Problem<'_, T, S> = Problem {
            mobility,
            right: lambda_bar.zeros_like(),
            sizes: lambda_bar.zeros_like(),
            friction,
        };
        problem
            .solve_adjoint(self.modes.as_ref(), lambda_bar)
            .ok_or_else(|| self.undetermined())
    }

    /// Rows of two sides, and then those of one.
    fn split(&self, all: &S::AllRows) -> (S::Rows, S::Sides) {
        let m = rows::<T, S>();
        let two = S::Rows::blank().like(|i| all[i]);
        (two, S::Sides::blank().like(|k| all[m + k]))
    }
}

#[diagnostic::do_not_recommend]
impl<
    T: Real,
    S,
    const N: usize,
    const ALL: usize,
    const STATES: usize,
    const U: usize,
    const P: usize,
> Derivatives<T> for InMode<T, S>
where
    S: OneSidedDerivatives<T>
        + OneSided<T, AllRows = SVector<T, ALL>>
        + Constrained<T, V = SVector<T, N>>
        + Derivatives<
            T,
            Tangent = Tangent<T, N, U, P>,
            Linearization = Linearization<T, N, STATES, U, P>,
        >,
{
    type Tangent = Tangent<T, N, U, P>;
    type Linearization = Linearization<T, N, STATES, U, P>;
    type MultiplierLinearization = Linearization<T, ALL, STATES, U, P>;

    const HOLDS_INPUTS: bool = S::HOLDS_INPUTS;

    fn linearize(&self, t: T, q: &S::Q, v: &S::V) -> Result<Self::Linearization, Error> {
        linearized_by_gradients(self, t, q, v)
    }

    fn linearize_with_multipliers(
        &self,
        t: T,
        q: &S::Q,
        v: &S::V,
    ) -> Result<(Self::Linearization, Self::MultiplierLinearization), Error> {
        linearized_with_multipliers_by_gradients(self, t, q, v)
    }

    fn jvp(
        &self,
        t: T,
        q: &S::Q,
        v: &S::V,
        tangent: &Self::Tangent,
    ) -> Result<(S::V, S::AllRows), Error> {
        let (mut motion, mut multipliers) = (S::V::zeros(), S::AllRows::zeros());
        for i in 0..N {
            let mut unit = S::V::zeros();
            unit[i] = T::one();
            let by = self.vjp(t, q, v, &unit, &S::AllRows::zeros())?;
            motion[i] = by.dot(tangent);
        }
        for i in 0..ALL {
            let mut unit = S::AllRows::zeros();
            unit[i] = T::one();
            let by = self.vjp(t, q, v, &S::V::zeros(), &unit)?;
            multipliers[i] = by.dot(tangent);
        }
        Ok((motion, multipliers))
    }

    fn vjp(
        &self,
        t: T,
        q: &S::Q,
        v: &S::V,
        v_dot_bar: &S::V,
        lambda_bar: &S::AllRows,
    ) -> Result<Self::Tangent, Error> {
        let (system, m) = (self.system(), rows::<T, S>());
        let (two, one) = self.split(lambda_bar);
        if self.are_open() {
            return system.vjp(t, q, v, v_dot_bar, &two);
        }
        let terms = Terms::new(system, t, q, v)?;
        let forces = self.forces(&terms, t, q)?;
        let geometry = &terms.geometry;
        let mut counted = geometry.counted(v_dot_bar);
        counted.update(|k, it| it + one[k]);
        if m > 0 {
            let reactions = system.one_sided_reactions(t, q)?;
            counted.update(|k, it| (0..m).fold(it, |sum, i| sum + reactions[(i, k)] * two[i]));
        }
        let friction = system.contact_coefficients(t, q);
        let z = self.adjoint(&geometry.mobility, &friction, &counted)?;
        let closed = of_closed::<T, S>(self.modes(), &z);
        let x = less(geometry, v_dot_bar, &closed);
        let motion = geometry.pushed(&terms.free, &forces);
        let mut by = system.vjp(t, q, v, &x, &two)?;
        by += system.one_sided_responses_vjp(t, q, &forces, &x, &two)?;
        by -= &system.one_sided_accelerations_vjp(t, q, v, &motion, &closed);
        let slides = of_friction::<T, S>(self.modes(), &z, &forces);
        by += system.contact_coefficients_vjp(t, q, &slides);
        Ok(by)
    }

    fn check_smooth(&self, t: T, q: &S::Q, v: &S::V) -> Result<(), Error> {
        self.system().check_smooth(t, q, v)
    }

    fn place_correction_vjp(&self, t: T, q: &S::Q, w_bar: &S::V) -> Result<Self::Tangent, Error> {
        let system = self.system();
        let right = |z: &S::Sides| system.gaps_vjp(t, q, z);
        let correct = |x: &S::V| match rows::<T, S>() {
            0 => Ok(Tangent::default()),
            _ => system.place_correction_vjp(t, q, x),
        };
        self.correction_vjp((t, q), &self.constraint(t, q), w_bar, correct, right)
    }

    fn velocity_correction_vjp(
        &self,
        t: T,
        q: &S::Q,
        v: &S::V,
        w_bar: &S::V,
    ) -> Result<Self::Tangent, Error> {
        let system = self.system();
        let right = |z: &S::Sides| system.one_sided_rates_vjp(t, q, v, z);
        let correct = |x: &S::V| match rows::<T, S>() {
            0 => Ok(Tangent::default()),
            _ => system.velocity_correction_vjp(t, q, v, x),
        };
        self.correction_vjp(
            (t, q),
            &self.constraint_rate(t, q, v),
            w_bar,
            correct,
            right,
        )
    }
}

impl<T: Real, S, const N: usize, const U: usize, const P: usize> InMode<T, S>
where
    S: OneSidedDerivatives<T>
        + Constrained<T, V = SVector<T, N>>
        + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
{
    /// The gradient of w*·w, with w = w₂ + W f: w₂ the correction of rows of two sides, f of G w = r.
    fn correction_vjp(
        &self,
        (t, q): (T, &S::Q),
        b: &S::AllRows,
        w_bar: &S::V,
        correct: impl Fn(&S::V) -> Result<Tangent<T, N, U, P>, Error>,
        right: impl Fn(&S::Sides) -> Tangent<T, N, U, P>,
    ) -> Result<Tangent<T, N, U, P>, Error> {
        if self.are_open() {
            return correct(w_bar);
        }
        let (system, (two, one)) = (self.system(), self.split(b));
        let geometry: Geometry<T, S> = Geometry::new(system, t, q)?;
        let mut change = S::V::zeros();
        if rows::<T, S>() > 0 {
            change = system.correction(t, q, &two)?;
        }
        let missing = one.like(|k| dot(&geometry.rows.as_ref()[k], &change) - one[k]);
        let smooth = S::Sides::blank();
        let forces = self.solved(&geometry, missing, &smooth)?;
        let w = geometry.pushed(&change, &forces);
        let z = self.adjoint(&geometry.mobility, &smooth, &geometry.counted(w_bar))?;
        let z = of_closed::<T, S>(self.modes(), &z);
        let x = less(&geometry, w_bar, &z);
        let mut by = correct(&x)?;
        by += system.one_sided_responses_vjp(t, q, &forces, &x, &S::Rows::blank())?;
        by += right(&z);
        by -= &of_rows(system, (t, q), &w, &z);
        Ok(by)
    }
}

/// The gradient of z·G w of constant w.
pub(super) fn of_rows<T: Real, S, const N: usize, const U: usize, const P: usize>(
    system: &S,
    (t, q): (T, &S::Q),
    w: &S::V,
    z: &S::Sides,
) -> Tangent<T, N, U, P>
where
    S: OneSidedDerivatives<T>
        + Constrained<T, V = SVector<T, N>>
        + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
{
    let mut by = system.one_sided_rates_vjp(t, q, w, z);
    by -= &system.one_sided_rates_vjp(t, q, &w.zeros_like(), z);
    by.v = SVector::zeros();
    by
}

/// The number of all rows, two-sided ones first, that a row of one side has.
pub(super) fn row_of<T: Real, S: OneSided<T>>(side: usize) -> usize {
    debug_assert!(side < sides::<T, S>(), "no row");
    rows::<T, S>() + side
}
