//! Outputs as tasks: their Jacobians, their accelerations, and the inertia that a hand feels at them.

use nalgebra::{SMatrix, SVector, SimdBool};

use crate::error::Error;
use crate::linalg::ldlt::Ldlt;
use crate::outputs::Outputs;
use crate::real::{Real, is_finite};
use crate::system::{Constrained, Dynamics, MassMatrix};
use crate::vector::Vector;

/// A system whose outputs have generated Jacobians: write `#[task_space]` before the struct in its `system!`.
///
/// ```text
/// ẏ = J v + ∂y/∂t        ÿ = J v̇ + bias        bias = J̇ v, and the derivatives of ∂y/∂t
/// ```
/// For an output that is itself a velocity, such as `angular_velocity(hand)` or the momentum, J and the bias are those of
/// y = J v + …, ẏ = J v̇ + bias.
///
/// - An output has a Jacobian if it contains no accelerations, multipliers or inputs, and velocities at most linearly. The
///   rows of others are zero, and [`jacobian_of`](InTaskSpace::jacobian_of) returns NaN there.
/// - Units: those of the output over those of the coordinate.
/// - Cost: one program each, without a solution.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// Two links in a vertical plane; the second angle is relative to the first link.
///     #[task_space]
///     pub struct Arm { m: Real = 3, l: Real = 0.8, i: Real = 0.16, g: Real = 9.81 }
///     coordinate q[2];
///     body upper: Rigid2 = pose([0, 0], q[0]) * pose([l/2, 0]) { mass: m, inertia: i }
///     body fore: Rigid2 = upper * pose([l/2, 0], q[1]) * pose([l/2, 0]) { mass: m, inertia: i }
///     gravity [0, -g];
///     output tip = at(fore, [l/2, 0]);
///     output turn = angular_velocity(fore);
/// }
/// let arm = Arm::<f64>::default();
/// let (q, v) = (Vector2::new(0.0, core::f64::consts::FRAC_PI_2), Vector2::new(1.0, 0.0));
/// // A right angle: the first joint moves the tip by (−l, l), the second by (−l, 0).
/// let j = arm.jacobian_of(0.0, &q, |y| y.tip);
/// assert!((j - SMatrix::from([[-0.8, 0.8], [-0.8, 0.0]])).norm() < 1e-15);
/// // Turning with 1 rad/s, the tip accelerates towards the shoulder by l along both links.
/// assert!((arm.bias_of(0.0, &q, &v, |y| y.tip) + Vector2::new(0.8, 0.8)).norm() < 1e-15);
/// // Any choice of outputs, in any order.
/// let both = arm.jacobian_of(0.0, &q, |y| Vector2::new(y.turn, y.tip.y));
/// assert!((both - SMatrix::from([[1.0, 0.8], [1.0, 0.0]])).norm() < 1e-15);
/// ```
#[diagnostic::on_unimplemented(
    message = "no Jacobians of outputs are generated for `{Self}`",
    note = "write `#[task_space]` before the struct in its `system!`, and `output name = value;` in it"
)]
pub trait TaskSpace<T: Real>: Outputs<T> {
    /// J: a row for each component of the outputs, in the order of the declarations, and a column for each velocity.
    type OutputJacobian;

    /// M: a matrix of as many rows and columns as there are velocities.
    type JointSpaceInertia;

    /// The components of outputs that have no Jacobian.
    const WITHOUT_JACOBIAN: &'static [usize] = &[];

    /// J of all outputs.
    fn output_jacobian(&self, t: T, q: &Self::Q) -> Self::OutputJacobian;

    /// ÿ at v̇ = 0 of all outputs, by name.
    fn output_bias(&self, t: T, q: &Self::Q, v: &Self::V) -> Self::Outputs;

    /// M with all its zeros, without memory from the heap.
    ///
    /// Of systems that are written out, its entries are generated: of an arm by composite bodies, which takes fewer operations
    /// than the products of [`mass_matrix`](Dynamics::mass_matrix), one for each column.
    fn joint_space_inertia(&self, t: T, q: &Self::Q) -> Self::JointSpaceInertia;
}

/// M by its products with unit vectors.
pub fn inertia_by_products<T: Real, S, const N: usize>(
    system: &S,
    t: T,
    q: &S::Q,
) -> SMatrix<T, N, N>
where
    S: Dynamics<T, V = SVector<T, N>>,
{
    let mut inertia: SMatrix<T, N, N> = SMatrix::zeros();
    for k in 0..N {
        let mut unit = SVector::zeros();
        unit[k] = T::one();
        inertia.set_column(k, &system.mass_times(t, q, &unit));
    }
    inertia
}

/// Jacobians of chosen outputs, and what follows from them, on every system with [`TaskSpace`].
///
/// Outputs are chosen by a function of the struct of outputs, `|y| y.tip`, which returns a vector. It must be linear: it is
/// called for every column.
pub trait InTaskSpace<T: Real>: Constrained<T> {
    /// The Jacobian of chosen outputs: a row for each component, a column for each velocity.
    ///
    /// NaN in rows of outputs that have none: see [`TaskSpace`].
    fn jacobian_of<const K: usize, const N: usize, const Y: usize>(
        &self,
        t: T,
        q: &Self::Q,
        chosen: impl Fn(&Self::Outputs) -> SVector<T, K>,
    ) -> SMatrix<T, K, N>
    where
        Self: TaskSpace<T, OutputJacobian = SMatrix<T, Y, N>, Outputs: From<SVector<T, Y>>>,
    {
        let mut all = self.output_jacobian(t, q);
        for &row in Self::WITHOUT_JACOBIAN {
            all.row_mut(row).fill(T::lit(f64::NAN));
        }
        let mut jacobian: SMatrix<T, K, N> = SMatrix::zeros();
        for k in 0..N {
            let column = all.column(k).into_owned().into();
            jacobian.set_column(k, &chosen(&column));
        }
        jacobian
    }

    /// J̇ v of chosen outputs: their second derivatives at v̇ = 0, so that ÿ = J v̇ + J̇ v.
    fn bias_of<const K: usize>(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
        chosen: impl Fn(&Self::Outputs) -> SVector<T, K>,
    ) -> SVector<T, K>
    where
        Self: TaskSpace<T>,
    {
        chosen(&self.output_bias(t, q, v))
    }

    /// The inertia Λ = (J M⁻¹ Jᵀ)⁻¹ that a push on chosen outputs meets, with constraints that of the allowed motions:
    /// f = Λ ÿ for a system at rest without other forces (Khatib 1987).
    ///
    /// - Units: those of a force over those of ÿ.
    /// - Cost: M as a dense matrix and its factors, and [`correction`](Constrained::correction) for each component if there are
    ///   constraints.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     /// A slider on a rail, and a bob on a rod below it.
    ///     #[task_space]
    ///     struct Crane { cart: Real = 3, m: Real = 2, l: Real = 1.5, g: Real = 9.81 }
    ///     coordinate x, swing;
    ///     particle slider = [x, 0] { mass: cart }
    ///     particle bob = slider + l*[sin(swing), -cos(swing)] { mass: m }
    ///     gravity [0, -g];
    ///     output at = bob;
    ///     output height = bob.y;
    /// }
    /// // Sideways, the bob that hangs feels like itself alone: the rod pulls only downwards.
    /// let crane = Crane::<f64>::default();
    /// let felt = crane.operational_inertia(0.0, &[0.0, 0.0].into(), |y| [y.at.x].into())?;
    /// assert!((felt[(0, 0)] - 2.0).abs() < 1e-14);
    /// // It cannot move up.
    /// let stuck = crane.operational_inertia(0.0, &[0.0, 0.0].into(), |y| y.at);
    /// assert_eq!(
    ///     stuck.unwrap_err().to_string(),
    ///     "component 1 of the chosen outputs cannot be moved independently of those before it: pivot 0 of J M⁻¹ Jᵀ"
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoJacobian`] if a component of the chosen outputs has none, [`Error::SingularTask`] if it does not move
    /// independently of those before it, and those of [`acceleration`](Dynamics::acceleration).
    fn operational_inertia<const K: usize, const N: usize, const Y: usize>(
        &self,
        t: T,
        q: &Self::Q,
        chosen: impl Fn(&Self::Outputs) -> SVector<T, K>,
    ) -> Result<SMatrix<T, K, K>, Error>
    where
        Self: Dynamics<T, V = SVector<T, N>>
            + TaskSpace<
                T,
                OutputJacobian = SMatrix<T, Y, N>,
                JointSpaceInertia = SMatrix<T, N, N>,
                Outputs: From<SVector<T, Y>>,
            >,
    {
        let jacobian = self.jacobian_of(t, q, chosen);
        check_jacobian(&jacobian)?;
        let inertia = self.joint_space_inertia(t, q);
        let rows = Self::Rows::LEN.unwrap_or(0);
        let mass = MassMatrix::factored(inertia.as_slice().to_vec(), N, rows)?;
        let still = SVector::zeros();
        let rate_at_rest = self.constraint_rate(t, q, &still);
        let mut mobility: SMatrix<T, K, K> = SMatrix::zeros();
        for k in 0..K {
            let mut moved: SVector<T, N> = jacobian.row(k).transpose();
            mass.solve(moved.as_mut_slice());
            if !rate_at_rest.entries().is_empty() {
                let mut rate = self.constraint_rate(t, q, &moved);
                rate.update(|i, it| it - rate_at_rest[i]);
                moved -= self.correction(t, q, &rate)?;
            }
            mobility.set_column(k, &(jacobian * moved));
        }
        let factors = Ldlt::new(mobility).map_err(|it| Error::SingularTask {
            component: it.row,
            pivot: it.pivot,
        })?;
        let mut inertia: SMatrix<T, K, K> = SMatrix::zeros();
        for k in 0..K {
            let mut unit = SVector::zeros();
            unit[k] = T::one();
            inertia.set_column(k, &factors.solve(unit));
        }
        Ok(inertia)
    }
}

impl<T: Real, S: Constrained<T>> InTaskSpace<T> for S {}

/// # Errors
/// [`Error::NoJacobian`] for the first row that is not finite.
pub(crate) fn check_jacobian<T: Real, const K: usize, const N: usize>(
    jacobian: &SMatrix<T, K, N>,
) -> Result<(), Error> {
    for component in 0..K {
        let row = jacobian.row(component);
        let is_finite = row.iter().all(|&x| is_finite(x).all());
        if !is_finite {
            return Err(Error::NoJacobian { component });
        }
    }
    Ok(())
}
