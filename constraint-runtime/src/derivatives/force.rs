//! How the force of a constraint varies with all that it depends on.

use nalgebra::{SMatrix, SVector};

use crate::constraint::Constraint;
use crate::error::Singular;
use crate::real::Real;

/// A constraint on points whose `constraint!` asks for derivatives: `#[derivatives]` before the struct.
///
/// ```text
/// G = J W (f + f̂) + β = 0      f̂ = Jᵀ λ
/// jvp     (J W Jᵀ) δλ = −δG,       δf̂ = Jᵀ δλ + δJᵀ λ         δG: λ stands still
/// vjp     (J W Jᵀ) y = J f̂* + λ*,  gradient = ∂(f̂*·f̂ + λ*·λ − y·G)
/// ```
/// The equation is differentiated, never its solution, and J W Jᵀ is eliminated once.
///
/// - Variables: t, q, v, the inverse masses w, the external force f and the `P` parameters, in the order of their
///   declaration, vectors component by component.
/// - Of one particle of mass m all w are 1/m: ∂f̂/∂m is −1/m² times the sum of the columns of w.
/// - Derivatives are those of the expressions, in all directions, those off the constraint included.
/// - Units: those of f̂ and λ over those of what they are differentiated by.
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
/// // The same along δv = (1, 0), and against the force upwards.
/// let faster = ForceTangent { v: [1.0, 0.0].into(), ..ForceTangent::default() };
/// let (along, _) = rod.jvp(0.0, &q, &v, &w, &f, &faster)?;
/// let by = rod.vjp(0.0, &q, &v, &w, &f, &[0.0, 1.0].into(), &SVector::zeros())?;
/// assert_eq!((along.y, by.v.x, by.f.y), (8.0, 8.0, -1.0));
/// # Ok::<(), Singular>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "no derivatives are generated for `{Self}`",
    note = "write `#[derivatives]` before the struct in its `constraint!`; of any other constraint, dual numbers give them"
)]
pub trait ForceDerivatives<T: Real, const N: usize, const M: usize, const P: usize>:
    Constraint<T, N, M>
{
    /// ∂f̂/∂q, ∂f̂/∂v, ∂f̂/∂w, ∂f̂/∂f and ∂f̂/∂p.
    ///
    /// - Cost: one program up to 4,096 entries; beyond, a [`jvp`](Self::jvp) for each column.
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
    ) -> Result<ForceLinearization<T, N, P>, Singular> {
        let along = |tangent: &ForceTangent<T, N, P>| {
            let moved = self.jvp(t, q, v, w, f, tangent)?;
            Ok(moved.0)
        };
        Ok(ForceLinearization {
            q: columns(|unit| {
                along(&ForceTangent {
                    q: unit,
                    ..ForceTangent::default()
                })
            })?,
            v: columns(|unit| {
                along(&ForceTangent {
                    v: unit,
                    ..ForceTangent::default()
                })
            })?,
            w: columns(|unit| {
                along(&ForceTangent {
                    w: unit,
                    ..ForceTangent::default()
                })
            })?,
            f: columns(|unit| {
                along(&ForceTangent {
                    f: unit,
                    ..ForceTangent::default()
                })
            })?,
            p: columns(|unit| {
                along(&ForceTangent {
                    p: unit,
                    ..ForceTangent::default()
                })
            })?,
        })
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

    /// The gradient of f̂*·f̂ + λ*·λ by t, q, v, w, f and p at once: vector times Jacobian.
    ///
    /// Of a loss that is made of f̂ and λ, `force_bar` and `lambda_bar` are its slopes by these.
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

/// A matrix of the columns that unit vectors give.
fn columns<T: Real, const N: usize, const K: usize>(
    column: impl Fn(SVector<T, K>) -> Result<SVector<T, N>, Singular>,
) -> Result<SMatrix<T, N, K>, Singular> {
    let mut matrix: SMatrix<T, N, K> = SMatrix::zeros();
    for k in 0..K {
        let mut unit = SVector::zeros();
        unit[k] = T::one();
        matrix.set_column(k, &column(unit)?);
    }
    Ok(matrix)
}

/// A direction in all that the force of a constraint on `N` coordinates with `P` parameters depends on, or a gradient.
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

/// How the force of a constraint varies: δf̂ = Q δq + V δv + W δw + F δf + P δp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceLinearization<T, const N: usize, const P: usize> {
    /// ∂f̂/∂q
    pub q: SMatrix<T, N, N>,
    /// ∂f̂/∂v
    pub v: SMatrix<T, N, N>,
    /// ∂f̂/∂w
    pub w: SMatrix<T, N, N>,
    /// ∂f̂/∂f
    pub f: SMatrix<T, N, N>,
    /// ∂f̂/∂p
    pub p: SMatrix<T, N, P>,
}
