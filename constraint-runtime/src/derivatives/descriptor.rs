//! The linearised equations of motion as a sparse descriptor pair.

use crate::real::Real;
use crate::system::Constrained;

/// A system whose linearised equations are available entry by entry: write `#[derivatives]` before the struct in its
/// `system!`. It works for systems of any size, however they are solved.
///
/// ```text
/// E ẋ = A x + B δu,  x = (δq, δv, δλ)
/// δq̇ = δv                                        δθ̇ = δω + ω×δθ for rotating bodies
/// M δv̇ = −∂F/∂q δq − ∂F/∂v δv + Jᵀ δλ − ∂F/∂u δu     F = M v̇ − h − Jᵀ λ, v̇ and λ constant
/// 0 = ∂C/∂q δq                                   for a relation Φ of velocities ∂Φ/∂q δq + ∂Φ/∂v δv
/// ```
/// It is of index 3, as the equations are, and nothing is solved for. It suits systems with thousands of coordinates,
/// whose A = ∂v̇/∂q is dense although everything here is sparse. Roots, eigenvalues and Newton matrices follow from a
/// sparse factorisation of s E − A.
///
/// - Shapes: with N velocities and M rows, E and A are (2 N + M) × (2 N + M), B has a column for each input. δq has
///   as many entries as v and is related to q as v is, q̇ = N(q) v: a body rotates by δθ in the world's frame.
/// - Units: row by row those of q̇, of forces, and of C or Φ.
/// - Cost: the method's documentation counts it; it grows with the number of entries, and nothing allocates.
///
/// ```
/// use constraint_runtime::prelude::*;
/// use constraint_runtime::{Descriptor, DescriptorMatrix};
///
/// system! {
///     #[derivatives]
///     struct Rod { m: Real = 2, l: Real = 0.5, g: Real = 10 }
///     particle bob: Point2 { mass: m }
///     constraint rod: norm(bob) == l;
///     gravity [0, -g];
/// }
/// // At rest: v̇ = 0, λ = −m g.
/// let (q, still, lambda) = ([0.0, -0.5].into(), SVector::zeros(), [-20.0].into());
/// let (mut e, mut a) = (SMatrix::<f64, 5, 5>::zeros(), SMatrix::<f64, 5, 5>::zeros());
/// Rod::default().descriptor(0.0, &q, &still, &still, &lambda, &mut |matrix, row, column, entry| match matrix {
///     DescriptorMatrix::E => e[(row, column)] = entry,
///     DescriptorMatrix::A => a[(row, column)] = entry,
///     DescriptorMatrix::B => {}
/// });
/// // m δẍ = −(m g/l) δx sideways; along the rod, C fixes δy.
/// assert_eq!((e[(2, 2)], a[(2, 0)], a[(0, 2)]), (2.0, -40.0, 1.0));
/// assert_eq!((a[(4, 1)], a[(3, 4)]), (-1.0, -1.0)); // J and Jᵀ
/// ```
#[diagnostic::on_unimplemented(
    message = "no descriptor pair is generated for `{Self}`",
    note = "write `#[derivatives]` before the struct in its `system!`"
)]
pub trait Descriptor<T: Real>: Constrained<T> {
    /// Calls `entry` with the matrix, row, column and value of each entry of E, A and B that may differ from zero,
    /// each once, at the accelerations `a` and the multipliers `lambda`;
    /// [`acceleration_and_multipliers`](Constrained::acceleration_and_multipliers) computes those of the motion.
    ///
    /// - The set of entries and their order are the same at every state.
    #[allow(clippy::too_many_arguments)] // A state, what it moves with, and who takes the entries.
    fn descriptor(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
        a: &Self::V,
        lambda: &Self::Rows,
        entry: &mut impl FnMut(DescriptorMatrix, usize, usize, T),
    );
}

/// One of the matrices of [`Descriptor`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DescriptorMatrix {
    /// The coefficient of ẋ.
    E,
    /// The coefficient of x.
    A,
    /// The coefficient of δu.
    B,
}
