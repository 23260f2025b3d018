//! How the acceleration of a bead varies with everything it depends on.

use nalgebra::SVector;

use crate::curve::{Curve, Cusp};
use crate::real::Real;

/// A curve with generated derivatives: write `#[derivatives]` before the struct in its `curve!`.
///
/// ```text
/// m (E s̈ + r′·r″ ṡ²) = r′·f        E = r′·r′
/// ∂s̈/∂x = ∂(r′·f − m (E s̈ + r′·r″ ṡ²))/∂x/(m E)        s̈ constant
/// ```
/// The equation of motion is differentiated, never its solution. The derivative of one number is a gradient: δs̈
/// along a tangent is the product of both.
///
/// - Variables: s, ṡ, the force f, the mass m and the `P` parameters, in the order of their declaration, vectors
///   component by component.
/// - A force that depends on r and v adds its own derivatives: ∂s̈/∂s + ∂s̈/∂f·(∂f/∂r r′ + ∂f/∂v r″ ṡ) with
///   respect to s, and ∂s̈/∂ṡ + ∂s̈/∂f·∂f/∂v r′ with respect to ṡ.
/// - Units: those of s̈ over those of the variable.
/// - Cost: the method's documentation counts it; nothing allocates.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// curve! {
///     /// A bowl.
///     #[derivatives]
///     pub struct Bowl { pub a: Real }
///     |s in -1..=1| [s, a*s^2]
/// }
/// // At rest at the lowest point, where the slope is 2 a s: s̈ = −2 a g s.
/// let bowl = Bowl { a: 3.0 };
/// let by = bowl.linearize(0.0, 0.0, &Vector2::new(0.0, -20.0), 2.0)?;
/// assert_eq!((by.s, by.s_dot, by.f.x, by.m), (-60.0, 0.0, 0.5, 0.0));
/// # Ok::<(), Cusp>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "no derivatives are generated for `{Self}`",
    note = "write `#[derivatives]` before the struct in its `curve!`; for any other curve, use dual numbers"
)]
pub trait CurveDerivatives<T: Real, const D: usize, const P: usize>: Curve<T, D> {
    /// ∂s̈/∂s, ∂s̈/∂ṡ, ∂s̈/∂f, ∂s̈/∂m and ∂s̈/∂p of [`acceleration`](Curve::acceleration).
    ///
    /// # Errors
    /// [`Cusp`] where r′ vanishes, or where a derivative is not finite.
    fn linearize(
        &self,
        s: T,
        s_dot: T,
        f: &SVector<T, D>,
        m: T,
    ) -> Result<CurveLinearization<T, D, P>, Cusp>;
}

/// How the acceleration s̈ of a bead on a curve in `D` dimensions with `P` parameters varies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveLinearization<T, const D: usize, const P: usize> {
    /// ∂s̈/∂s
    pub s: T,
    /// ∂s̈/∂ṡ
    pub s_dot: T,
    /// ∂s̈/∂f
    pub f: SVector<T, D>,
    /// ∂s̈/∂m
    pub m: T,
    /// ∂s̈/∂p
    pub p: SVector<T, P>,
}
