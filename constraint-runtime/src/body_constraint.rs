//! The trait that `constraint!` implements for bodies: C and everything derived from it, at one state.

use nalgebra::{SMatrix, SVector};

use crate::body::Rigid;
use crate::error::Singular;
use crate::linalg::ldlt;
use crate::real::Real;

/// `ROWS` equations between `BODIES` bodies of `D` velocities each (3 in the plane, 6 in space).
///
/// A row is C(q, t) = 0, or Φ(q, v, t) = 0 if it contains velocities, affine in them. The velocities of a body are
/// (v, ω) in the world's frame, forces are (force, torque); every argument and every block of J follows the order of
/// the bodies. `constraint!` writes each method in closed form (λ for up to three rows; beyond three, the default
/// methods eliminate numerically). To implement the trait by hand, write four formulas.
///
/// - Units: those of C; λ is energy per unit of C, power per unit of Φ.
/// - Sign: +λ pushes along +∇C.
/// - Cost: no method allocates.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// constraint! {
///     /// A rod between a point `r1` of one body and a point `r2` of another.
///     pub struct Rod { pub r1: Vector3, pub r2: Vector3, pub length: Real }
///     |a: Rigid3, b: Rigid3| norm(at(b, r2) - at(a, r1)) == length
/// }
///
/// let rod = Rod { r1: Vector3::x(), r2: Vector3::zeros(), length: 2.0 };
/// let (a, b) = (Rigid3::identity(), Rigid3::translation(1.0, 2.0, 0.0));
/// assert_eq!(rod.value(0.0, [&a, &b])[0], 0.0);
/// // n = (0, 1, 0): the blocks are (−n, −r₁×n) and (n, r₂×n).
/// let [first, second] = rod.jacobian(0.0, [&a, &b]);
/// assert_eq!(first, [[0.0], [-1.0], [0.0], [0.0], [0.0], [-1.0]].into());
/// assert_eq!(second, [[0.0], [1.0], [0.0], [0.0], [0.0], [0.0]].into());
/// ```
///
/// # Source
/// I. Robson, *Distance Constraint*; its λ of eqs. 12 and 18 read as (J W Jᵀ)⁻¹(−J v), and with the full bias of C̈.
pub trait BodyConstraint<T: Real, const D: usize, const BODIES: usize, const ROWS: usize> {
    /// [`Rigid2`](crate::Rigid2) or [`Rigid3`](crate::Rigid3).
    type Body: Rigid<T, D>;

    /// True for the rows that constrain positions; the others constrain velocities.
    const HOLONOMIC: [bool; ROWS] = [true; ROWS];

    /// C(q, t), zero on the constraint; 0 in rows of velocities.
    fn value(&self, t: T, q: [&Self::Body; BODIES]) -> SVector<T, ROWS>;

    /// J = ∂Ċ/∂v, one block per body.
    fn jacobian(&self, t: T, q: [&Self::Body; BODIES]) -> [SMatrix<T, ROWS, D>; BODIES];

    /// Ċ = Σ J v + ∂C/∂t; Φ in rows of velocities.
    fn rate(&self, t: T, q: [&Self::Body; BODIES], v: [&SVector<T, D>; BODIES])
    -> SVector<T, ROWS>;

    /// β = C̈ − Σ J v̇, or dΦ/dt − Σ J v̇: what C̈ would be without acceleration.
    fn bias(&self, t: T, q: [&Self::Body; BODIES], v: [&SVector<T, D>; BODIES])
    -> SVector<T, ROWS>;

    /// Σ J W Jᵀ, the Delassus matrix.
    #[inline]
    fn delassus(
        &self,
        t: T,
        q: [&Self::Body; BODIES],
        w: [&InverseMass<Self, T, D, BODIES, ROWS>; BODIES],
    ) -> SMatrix<T, ROWS, ROWS> {
        delassus::<T, Self::Body, D, BODIES, ROWS>(&self.jacobian(t, q), w)
    }

    /// C, J, Ċ, β and J W Jᵀ at once; shared subexpressions are computed once.
    #[inline]
    fn rows(
        &self,
        t: T,
        q: [&Self::Body; BODIES],
        v: [&SVector<T, D>; BODIES],
        w: [&InverseMass<Self, T, D, BODIES, ROWS>; BODIES],
    ) -> BodyRows<T, D, BODIES, ROWS> {
        let jacobian = self.jacobian(t, q);
        BodyRows {
            value: self.value(t, q),
            jacobian,
            rate: self.rate(t, q, v),
            bias: self.bias(t, q, v),
            delassus: delassus::<T, Self::Body, D, BODIES, ROWS>(&jacobian, w),
        }
    }

    /// λ with (Σ J W Jᵀ) λ = b.
    ///
    /// # Errors
    /// [`Singular`] when a pivot is not positive beyond rounding: rows vanish at this state, depend on one another or
    /// contradict each other.
    #[inline]
    fn solve(
        &self,
        t: T,
        q: [&Self::Body; BODIES],
        w: [&InverseMass<Self, T, D, BODIES, ROWS>; BODIES],
        b: &SVector<T, ROWS>,
    ) -> Result<SVector<T, ROWS>, Singular> {
        ldlt::solve(self.delassus(t, q, w), *b)
    }

    /// Limits and motors, if it is a joint that has some.
    #[doc(hidden)]
    fn drives(&self) -> Option<&dyn core::any::Any> {
        None
    }

    /// The name of the type in messages.
    #[doc(hidden)]
    #[cfg(feature = "world")]
    fn name(&self) -> &'static str {
        crate::world::short_name::<Self>()
    }

    /// λ with (Σ J W Jᵀ) λ = −Ċ: the impulses that bring the velocities onto this constraint alone.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    #[inline]
    fn impulses(
        &self,
        t: T,
        q: [&Self::Body; BODIES],
        v: [&SVector<T, D>; BODIES],
        w: [&InverseMass<Self, T, D, BODIES, ROWS>; BODIES],
    ) -> Result<SVector<T, ROWS>, Singular> {
        self.solve(t, q, w, &-self.rate(t, q, v))
    }

    /// λ with (Σ J W Jᵀ) λ = −β − Σ J W f, this constraint alone; `f` includes the gyroscopic torques.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    #[inline]
    fn multipliers(
        &self,
        t: T,
        q: [&Self::Body; BODIES],
        v: [&SVector<T, D>; BODIES],
        w: [&InverseMass<Self, T, D, BODIES, ROWS>; BODIES],
        f: [&SVector<T, D>; BODIES],
    ) -> Result<SVector<T, ROWS>, Singular> {
        let jacobian = self.jacobian(t, q);
        let mut right = -self.bias(t, q, v);
        for (block, (w, f)) in jacobian.iter().zip(w.into_iter().zip(f)) {
            right -= block * Self::Body::accelerated(w, f);
        }
        self.solve(t, q, w, &right)
    }
}

/// W of the bodies of a constraint.
pub type InverseMass<C, T, const D: usize, const BODIES: usize, const ROWS: usize> =
    <<C as BodyConstraint<T, D, BODIES, ROWS>>::Body as Rigid<T, D>>::InverseMass;

/// The quantities of a constraint between bodies that a solver needs, at one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyRows<T, const D: usize, const BODIES: usize, const ROWS: usize> {
    /// C
    pub value: SVector<T, ROWS>,
    /// J, one block per body.
    pub jacobian: [SMatrix<T, ROWS, D>; BODIES],
    /// Ċ
    pub rate: SVector<T, ROWS>,
    /// β
    pub bias: SVector<T, ROWS>,
    /// J W Jᵀ
    pub delassus: SMatrix<T, ROWS, ROWS>,
}

/// Σ J W Jᵀ
pub(crate) fn delassus<
    T: Real,
    B: Rigid<T, D>,
    const D: usize,
    const BODIES: usize,
    const ROWS: usize,
>(
    jacobian: &[SMatrix<T, ROWS, D>; BODIES],
    w: [&B::InverseMass; BODIES],
) -> SMatrix<T, ROWS, ROWS> {
    let mut sum = SMatrix::<T, ROWS, ROWS>::zeros();
    for (block, w) in jacobian.iter().zip(w) {
        for i in 0..ROWS {
            let weighted = B::accelerated(w, &block.row(i).transpose());
            sum.set_column(i, &(sum.column(i) + block * weighted));
        }
    }
    sum
}
