//! The trait that `constraint!` implements: C and everything derived from it, at one state.

use nalgebra::{SMatrix, SVector};

use crate::error::{Error, Names, Singular};
use crate::linalg::ldlt;
use crate::real::Real;

/// `M` equations C(q, t) = 0 on `N` coordinates, with their derivatives and constraint force.
///
/// `constraint!` writes every method in closed form. To implement the trait by hand, write the five formulas without
/// a default; the default methods solve densely.
///
/// - Units: those of C; λ is energy per unit of C (newtons if C is a length).
/// - Sign: +λ pushes along +∇C. Some texts use the opposite.
/// - Cost: no method allocates.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// /// A bead on the circle x² + y² = r².
/// struct Circle {
///     r: f64,
/// }
///
/// impl Constraint<f64, 2, 1> for Circle {
///     fn value(&self, _t: f64, q: &Vector2<f64>) -> SVector<f64, 1> {
///         [q.norm_squared() - self.r * self.r].into()
///     }
///     fn jacobian(&self, _t: f64, q: &Vector2<f64>) -> SMatrix<f64, 1, 2> {
///         2.0 * q.transpose()
///     }
///     fn rate(&self, _t: f64, q: &Vector2<f64>, v: &Vector2<f64>) -> SVector<f64, 1> {
///         [2.0 * q.dot(v)].into()
///     }
///     fn jacobian_dot(&self, _t: f64, _q: &Vector2<f64>, v: &Vector2<f64>) -> SMatrix<f64, 1, 2> {
///         2.0 * v.transpose()
///     }
///     fn bias(&self, _t: f64, _q: &Vector2<f64>, v: &Vector2<f64>) -> SVector<f64, 1> {
///         [2.0 * v.norm_squared()].into()
///     }
/// }
///
/// // Centripetal force of one kilogram at 3 m/s on a radius of 2 m: m v²/r inwards.
/// let (q, v) = (Vector2::new(2.0, 0.0), Vector2::new(0.0, 3.0));
/// let force = Circle { r: 2.0 }.particle_force(0.0, &q, &v, 1.0, &Vector2::zeros())?;
/// assert_eq!(force, Vector2::new(-4.5, 0.0));
/// # Ok::<(), Singular>(())
/// ```
///
/// # Source
/// [Witkin 1997] A. Witkin, *Physically Based Modeling: Constrained Dynamics*, SIGGRAPH course
/// notes, section 2; the explicit-time terms are added here.
#[diagnostic::on_unimplemented(
    message = "no particle can be held on `{Self}`",
    label = "this is not a `constraint!` of equations on points or coordinates",
    note = "a joint, or a `constraint!` between bodies, connects bodies: use `World::connect`, or `joint` in a `system!`",
    note = "for a constraint of one side, such as `y >= 0`, use `Particle::new(mass).bounded_by(constraint)`"
)]
pub trait Constraint<T: Real, const N: usize, const M: usize> {
    /// The names of the coordinates, for messages; empty by default.
    const NAMES: &'static [&'static str] = &[];

    /// C(q, t), zero on the constraint.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
    /// assert_eq!(Parabola.value(0.0, &Vector2::new(10.0, -1.0))[0], 0.0);
    /// ```
    fn value(&self, t: T, q: &SVector<T, N>) -> SVector<T, M>;

    /// J = ∂C/∂q, one row per equation.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
    /// assert_eq!(Parabola.jacobian(0.0, &Vector2::new(10.0, -1.0)), [[20.0], [100.0]].into());
    /// ```
    fn jacobian(&self, t: T, q: &SVector<T, N>) -> SMatrix<T, M, N>;

    /// Ċ = J v + ∂C/∂t.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
    /// let (q, v) = (Vector2::new(10.0, -1.0), Vector2::new(5.0, -1.0));
    /// assert_eq!(Parabola.rate(0.0, &q, &v)[0], 0.0);
    /// ```
    fn rate(&self, t: T, q: &SVector<T, N>, v: &SVector<T, N>) -> SVector<T, M>;

    /// J̇ = dJ/dt along the motion: J̇ᵢⱼ = Σₖ ∂²Cᵢ/∂qⱼ∂qₖ vₖ + ∂²Cᵢ/∂qⱼ∂t.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
    /// let (q, v) = (Vector2::new(10.0, -1.0), Vector2::new(5.0, -1.0));
    /// assert_eq!(Parabola.jacobian_dot(0.0, &q, &v), [[10.0], [0.0]].into());
    /// ```
    fn jacobian_dot(&self, t: T, q: &SVector<T, N>, v: &SVector<T, N>) -> SMatrix<T, M, N>;

    /// β = C̈ − J v̇ = J̇ v + ∂Ċ/∂t: what C̈ would be without acceleration.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
    /// let (q, v) = (Vector2::new(10.0, -1.0), Vector2::new(5.0, -1.0));
    /// assert_eq!(Parabola.bias(0.0, &q, &v)[0], 50.0);
    /// ```
    fn bias(&self, t: T, q: &SVector<T, N>, v: &SVector<T, N>) -> SVector<T, M>;

    /// Why λ or f̂ is not finite at a state: the expression that is 0 or out of the domain of its function.
    #[doc(hidden)]
    fn check_defined(&self, _t: T, _q: &SVector<T, N>, _v: &SVector<T, N>) -> Result<(), Error> {
        Ok(())
    }

    /// x with (J W Jᵀ) x = b, for inverse masses `w`: the solve behind λ, projection and feedback.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
    /// let (q, w) = (Vector2::new(0.0, 0.0), Vector2::new(0.5, 0.5));
    /// assert_eq!(Parabola.solve(0.0, &q, &w, &[5000.0].into())?[0], 1.0);
    /// # Ok::<(), Singular>(())
    /// ```
    ///
    /// # Errors
    /// [`Singular`] when a pivot is not positive beyond rounding: rows vanish at this state, depend on one another or
    /// contradict each other; with a pivot that is not finite where a row has no finite derivatives.
    fn solve(
        &self,
        t: T,
        q: &SVector<T, N>,
        w: &SVector<T, N>,
        b: &SVector<T, M>,
    ) -> Result<SVector<T, M>, Singular> {
        ldlt::solve(delassus(&self.jacobian(t, q), w), *b)
    }

    /// λ with (J W Jᵀ) λ = −β − J W f, for inverse masses `w` (one per coordinate, zero pins it)
    /// and external force `f`.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
    /// // At rest in the apex the curve carries the weight: 100 λ = 9.81.
    /// let (q, v) = (Vector2::zeros(), Vector2::zeros());
    /// let (w, f) = (Vector2::new(1.0, 1.0), Vector2::new(0.0, -9.81));
    /// let lambda = Parabola.multipliers(0.0, &q, &v, &w, &f)?;
    /// assert!((lambda[0] - 0.0981_f64).abs() < 1e-15);
    /// # Ok::<(), Singular>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    fn multipliers(
        &self,
        t: T,
        q: &SVector<T, N>,
        v: &SVector<T, N>,
        w: &SVector<T, N>,
        f: &SVector<T, N>,
    ) -> Result<SVector<T, M>, Singular> {
        let unforced = self.jacobian(t, q) * w.component_mul(f);
        self.solve(t, q, w, &-(self.bias(t, q, v) + unforced))
    }

    /// f̂ = Jᵀ λ, the force that keeps C̈ = 0.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
    /// // Infinite inertia along x (w = 0) leaves y alone to follow the curve.
    /// let (q, v) = (Vector2::new(10.0, -1.0), Vector2::new(5.0, -1.0));
    /// let (w, f) = (Vector2::new(0.0, 1.0), Vector2::zeros());
    /// let force = Parabola.force(0.0, &q, &v, &w, &f)?;
    /// assert!((force.y - -0.5_f64).abs() < 1e-15);
    /// # Ok::<(), Singular>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    fn force(
        &self,
        t: T,
        q: &SVector<T, N>,
        v: &SVector<T, N>,
        w: &SVector<T, N>,
        f: &SVector<T, N>,
    ) -> Result<SVector<T, N>, Singular> {
        Ok(self
            .jacobian(t, q)
            .tr_mul(&self.multipliers(t, q, v, w, f)?))
    }

    /// f̂ if every coordinate has the mass `m`: the closed form of the textbooks.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
    /// // The force does no work: f̂ · v = 0 under any external force.
    /// let (q, v) = (Vector2::new(10.0, -1.0), Vector2::new(5.0, -1.0));
    /// let force = Parabola.particle_force(0.0, &q, &v, 2.0_f64, &Vector2::new(3.0, -20.0))?;
    /// assert!(force.dot(&v).abs() < 1e-12);
    /// # Ok::<(), Singular>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    fn particle_force(
        &self,
        t: T,
        q: &SVector<T, N>,
        v: &SVector<T, N>,
        m: T,
        f: &SVector<T, N>,
    ) -> Result<SVector<T, N>, Singular> {
        self.force(t, q, v, &SVector::repeat(T::one() / m), f)
    }
}

/// Names of numbers that are declared one by one.
pub(crate) const fn names<const N: usize>(names: &[&'static str]) -> [Names; N] {
    let mut all = [Names::of("", &[""]); N];
    let mut i = 0;
    while i < N && i < names.len() {
        all[i].base = names[i];
        i += 1;
    }
    all
}

/// J W Jᵀ, the Delassus matrix.
fn delassus<T: Real, const N: usize, const M: usize>(
    jacobian: &SMatrix<T, M, N>,
    w: &SVector<T, N>,
) -> SMatrix<T, M, M> {
    let mut weighted = *jacobian;
    for (mut column, &w) in weighted.column_iter_mut().zip(w) {
        column *= w;
    }
    weighted * jacobian.transpose()
}
