//! How the force of a constraint varies with everything it depends on.

use nalgebra::{SMatrix, SVector};

use super::matrices::columns;
use crate::constraint::Constraint;
use crate::error::Singular;
use crate::real::Real;

/// A constraint on points with generated derivatives: write `#[derivatives]` before the struct in its `constraint!`.
///
/// ```text
/// G = J W (f + f̂) + β = 0      f̂ = Jᵀ λ
/// jvp     (J W Jᵀ) δλ = −δG,       δf̂ = Jᵀ δλ + δJᵀ λ         δG: λ constant
/// vjp     (J W Jᵀ) y = J f̂* + λ*,  gradient = ∂(f̂*·f̂ + λ*·λ − y·G)
/// ```
/// The equation is differentiated, never its solution, and J W Jᵀ is eliminated once.
///
/// - Variables: t, q, v, the inverse masses w, the external force f and the `P` parameters, in the order of their
///   declaration, vectors component by component.
/// - If one particle has mass m, all w are 1/m: ∂f̂/∂m is −1/m² times the sum of the columns of w.
/// - Derivatives are those of the expressions, in all directions, including directions off the constraint.
/// - Units: those of f̂ and λ over those of the variable.
/// - Cost: the methods' documentation counts it; nothing allocates.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// constraint! {
///     /// The rod of a pendulum.
///     #[derivatives]
///     struct Rod { l: Real }
///     |bob: Point2| norm(bob) == l
/// }
/// // 2 kg through the lowest point with 1 m/s: m (g + v²/l) = 24 N.
/// let rod = Rod { l: 0.5 };
/// let (q, v) = ([0.0, -0.5].into(), [1.0, 0.0].into());
/// let (w, f) = ([0.5, 0.5].into(), [0.0, -20.0].into());
/// let slopes = rod.linearize(0.0, &q, &v, &w, &f)?;
/// assert_eq!(slopes.v[(1, 0)], 8.0); // 2 m v/l
/// assert_eq!(slopes.q[(0, 0)], -48.0); // aside, the force turns: −24/l
/// assert_eq!(slopes.f[(1, 1)], -1.0); // what pulls along the rod is held
///
/// // The same along δv = (1, 0), and the gradient of the force upwards.
/// let faster = ForceTangent { v: [1.0, 0.0].into(), ..ForceTangent::default() };
/// let (along, _) = rod.jvp(0.0, &q, &v, &w, &f, &faster)?;
/// let by = rod.vjp(0.0, &q, &v, &w, &f, &[0.0, 1.0].into(), &SVector::zeros())?;
/// assert_eq!((along.y, by.v.x, by.f.y), (8.0, 8.0, -1.0));
/// # Ok::<(), Singular>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "no derivatives are generated for `{Self}`",
    note = "write `#[derivatives]` before the struct in its `constraint!`; for any other constraint, use dual numbers"
)]
pub trait ForceDerivatives<T: Real, const N: usize, const M: usize, const P: usize>:
    Constraint<T, N, M>
{
    /// ∂f̂/∂q, ∂f̂/∂v, ∂f̂/∂w, ∂f̂/∂f and ∂f̂/∂p.
    ///
    /// - Cost: one program up to 4,096 entries; beyond that, a [`jvp`](Self::jvp) for each column.
    ///
    /// # Errors
    /// As [`force`](Constraint::force).
    fn linearize(
        &self,
        t: T,
        q: &SVector<T, N>,
        v: &SVector<T, N>,
        w: &SVector<T, N>,
        f: &SVector<T, N>,
    ) -> Result<ForceLinearization<T, N, N, P>, Singular> {
        let both = self.linearize_with_multipliers(t, q, v, w, f)?;
        Ok(both.0)
    }

    /// The same for f̂, together with λ: ∂λ/∂q, ∂λ/∂v, ∂λ/∂w, ∂λ/∂f and ∂λ/∂p.
    ///
    /// - Shapes: λ's matrices have a row for each row of the constraint, in their order, and the columns of f̂'s
    ///   matrices.
    /// - Units: the rows of λ have the units of λ, as [`multipliers`](Constraint::multipliers) returns it, over those
    ///   of the column.
    /// - Cost: one program, in which both share the elimination, up to 4,096 entries together; beyond that, a
    ///   [`jvp`](Self::jvp) for each column.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// constraint! {
    ///     #[derivatives]
    ///     struct Rod { l: Real }
    ///     |bob: Point2| norm(bob) == l
    /// }
    /// // 2 kg at rest below the pivot: λ = −m g for any length; a downward pull adds to it.
    /// let (rod, q, v) = (Rod { l: 0.5 }, [0.0, -0.5].into(), [0.0, 0.0].into());
    /// let (w, f) = ([0.5, 0.5].into(), [0.0, -20.0].into());
    /// let (_, lambda) = rod.linearize_with_multipliers(0.0, &q, &v, &w, &f)?;
    /// assert_eq!(lambda.f.as_slice(), [0.0, 1.0]);
    /// assert_eq!(lambda.p.as_slice(), [0.0]);
    /// # Ok::<(), Singular>(())
    /// ```
    ///
    /// # Errors
    /// As [`force`](Constraint::force).
    fn linearize_with_multipliers(
        &self,
        t: T,
        q: &SVector<T, N>,
        v: &SVector<T, N>,
        w: &SVector<T, N>,
        f: &SVector<T, N>,
    ) -> Result<WithMultipliers<T, N, M, P>, Singular> {
        let along = |tangent: &ForceTangent<T, N, P>| self.jvp(t, q, v, w, f, tangent);
        let (by_q, of_q) = columns(along, |tangent, unit| tangent.q = unit)?;
        let (by_v, of_v) = columns(along, |tangent, unit| tangent.v = unit)?;
        let (by_w, of_w) = columns(along, |tangent, unit| tangent.w = unit)?;
        let (by_f, of_f) = columns(along, |tangent, unit| tangent.f = unit)?;
        let (by_p, of_p) = columns(along, |tangent, unit| tangent.p = unit)?;
        let force = ForceLinearization {
            q: by_q,
            v: by_v,
            w: by_w,
            f: by_f,
            p: by_p,
        };
        let multipliers = ForceLinearization {
            q: of_q,
            v: of_v,
            w: of_w,
            f: of_f,
            p: of_p,
        };
        Ok((force, multipliers))
    }

    /// δf̂ and δλ along a tangent: Jacobian times vector.
    ///
    /// # Errors
    /// As [`force`](Constraint::force).
    #[allow(clippy::too_many_arguments)] // Those of `force`, and the direction.
    fn jvp(
        &self,
        t: T,
        q: &SVector<T, N>,
        v: &SVector<T, N>,
        w: &SVector<T, N>,
        f: &SVector<T, N>,
        tangent: &ForceTangent<T, N, P>,
    ) -> Result<(SVector<T, N>, SVector<T, M>), Singular>;

    /// The gradient of f̂*·f̂ + λ*·λ with respect to t, q, v, w, f and p at once: vector times Jacobian.
    ///
    /// For a loss that is a function of f̂ and λ, `force_bar` and `lambda_bar` are its derivatives with respect to
    /// them.
    ///
    /// # Errors
    /// As [`force`](Constraint::force).
    #[allow(clippy::too_many_arguments)] // Those of `force`, and what counts.
    fn vjp(
        &self,
        t: T,
        q: &SVector<T, N>,
        v: &SVector<T, N>,
        w: &SVector<T, N>,
        f: &SVector<T, N>,
        force_bar: &SVector<T, N>,
        lambda_bar: &SVector<T, M>,
    ) -> Result<ForceTangent<T, N, P>, Singular>;
}

/// The linearisations of f̂ and of λ.
type WithMultipliers<T, const N: usize, const M: usize, const P: usize> = (
    ForceLinearization<T, N, N, P>,
    ForceLinearization<T, M, N, P>,
);

/// A direction in all variables that the force of a constraint on `N` coordinates with `P` parameters depends on, or
/// a gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceTangent<T, const N: usize, const P: usize> {
    /// Time.
    pub t: T,
    /// Coordinates.
    pub q: SVector<T, N>,
    /// Velocities.
    pub v: SVector<T, N>,
    /// Inverse masses.
    pub w: SVector<T, N>,
    /// The external force.
    pub f: SVector<T, N>,
    /// Parameters.
    pub p: SVector<T, P>,
}

impl<T: Real, const N: usize, const P: usize> Default for ForceTangent<T, N, P> {
    /// Zero.
    fn default() -> Self {
        Self {
            t: T::zero(),
            q: SVector::zeros(),
            v: SVector::zeros(),
            w: SVector::zeros(),
            f: SVector::zeros(),
            p: SVector::zeros(),
        }
    }
}

/// How `R` results of a constraint on `N` coordinates with `P` parameters vary: δf̂ = Q δq + V δv + W δw + F δf + P
/// δp for f̂, and likewise for λ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceLinearization<T, const R: usize, const N: usize, const P: usize> {
    /// The columns of the coordinates: ∂f̂/∂q.
    pub q: SMatrix<T, R, N>,
    /// Those of the velocities: ∂f̂/∂v.
    pub v: SMatrix<T, R, N>,
    /// Those of the inverse masses: ∂f̂/∂w.
    pub w: SMatrix<T, R, N>,
    /// Those of the external force: ∂f̂/∂f.
    pub f: SMatrix<T, R, N>,
    /// Those of the parameters: ∂f̂/∂p.
    pub p: SMatrix<T, R, P>,
}
