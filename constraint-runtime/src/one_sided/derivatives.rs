//! Generated derivatives of gaps and slips, and of the response to forces on them.

use super::OneSided;
use crate::derivatives::Derivatives;
use crate::error::Error;
use crate::real::Real;

/// Gradients of gaps, of slips and of the response to forces on them: write `#[derivatives]` before the struct of a
/// `system!` with constraints of one side.
///
/// ```text
/// w*·g,   w*·ġ,   w*·(G a + …),   w*·(e, μ),   v̇*·W f + λ*·X f
/// ```
/// Variables and units are those of [`Derivatives`]. [`InMode`](super::InMode) combines them into the derivatives of the
/// motion in a mode, [`ContactSimulation::gradient`](super::ContactSimulation::gradient) into those of a run.
///
/// ```
/// use constraint_runtime::prelude::*;
/// use constraint_runtime::OneSidedDerivatives;
///
/// system! {
///     #[derivatives]
///     struct Ball { m: Real = 2, r: Real = 0.5 }
///     particle ball: Point2 { mass: m }
///     constraint floor: ball.y >= r { friction: 0.3, slip: velocity(ball).x };
/// }
/// let ball = Ball::<f64>::default();
/// let q = Vector2::new(7.0, 2.5);
/// let by = ball.gaps_vjp(0.0, &q, &[1.0, 0.0].into());
/// assert_eq!((by.q, by.p.as_slice()), ([0.0, 1.0].into(), [0.0, -1.0].as_slice()));
/// // A force of 3 moves it with 3/m, which changes with m by −3/m².
/// let [force, upwards] = [[3.0, 0.0], [0.0, 1.0]].map(Vector2::from);
/// let by = ball.one_sided_responses_vjp(0.0, &q, &force, &upwards, &SVector::zeros())?;
/// assert_eq!(by.p.as_slice(), [-0.75, 0.0]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "no derivatives of constraints of one side are generated for `{Self}`",
    note = "write `#[derivatives]` before the struct in its `system!`; for any other system, use dual numbers"
)]
pub trait OneSidedDerivatives<T: Real>: OneSided<T> + Derivatives<T> {
    /// The gradient of w*·[gaps](OneSided::gaps) with respect to t, q and p.
    fn gaps_vjp(&self, t: T, q: &Self::Q, sides_bar: &Self::Sides) -> Self::Tangent;

    /// The gradient of w*·[rates](OneSided::one_sided_rates) of gaps and of slips.
    fn one_sided_rates_vjp(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
        sides_bar: &Self::Sides,
    ) -> Self::Tangent;

    /// The gradient of w*·(G a + [bias](OneSided::one_sided_bias)), the derivatives of these rates at the given v̇ = a.
    fn one_sided_accelerations_vjp(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
        a: &Self::V,
        sides_bar: &Self::Sides,
    ) -> Self::Tangent;

    /// The gradient of w*·[(e, μ)](OneSided::contact_coefficients) with respect to t, q and p.
    fn contact_coefficients_vjp(&self, t: T, q: &Self::Q, sides_bar: &Self::Sides)
    -> Self::Tangent;

    /// The gradient of v̇*·v̇ + λ*·λ with respect to t, q and p, for the response to given forces on gaps and slips:
    /// v̇ = [W](OneSided::one_sided_responses) f and λ = [X](OneSided::one_sided_reactions) f.
    ///
    /// # Errors
    /// As [`acceleration`](crate::Dynamics::acceleration).
    fn one_sided_responses_vjp(
        &self,
        t: T,
        q: &Self::Q,
        contact_forces: &Self::Sides,
        v_dot_bar: &Self::V,
        lambda_bar: &Self::Rows,
    ) -> Result<Self::Tangent, Error>;
}
