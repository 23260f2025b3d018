//! How the motion varies with the state, the inputs and the parameters; the same for constraint forces and for motion
//! along curves.

mod by_method;
mod curve;
mod descriptor;
mod force;
mod matrices;

pub use by_method::DerivativesByMethod;
pub use curve::{CurveDerivatives, CurveLinearization};
pub use descriptor::{Descriptor, DescriptorMatrix};
pub use force::{ForceDerivatives, ForceLinearization, ForceTangent};
pub use matrices::{
    linearized_by_gradients, linearized_with_multipliers_by_gradients,
    linearized_with_outputs_by_tangents, linearized_without_rows, write_linearized,
};

use core::ops::{AddAssign, MulAssign, SubAssign};

use nalgebra::{SMatrix, SVector};

use crate::error::{Error, Obstacle};
use crate::outputs::Outputs;
use crate::real::Real;
use crate::system::Constrained;

/// A system with generated derivatives: write `#[derivatives]` before the struct in its `system!`.
///
/// ```text
/// F₁ = M v̇ − h − Jᵀ λ = 0        K = ⎡ M  −Jᵀ ⎤
/// F₂ = J v̇ + β       = 0            ⎣ J   0  ⎦
/// jvp         K (δv̇, δλ) = −(δF₁, δF₂)
/// vjp         Kᵀ (x, y) = (v̇*, λ*),   gradient = −∂(x·F₁ + y·F₂)
/// ```
/// The equations are differentiated, never their solution; the factors of K that v̇ needs are reused.
///
/// - Variables: t, q, v, the inputs u and the parameters p. Inputs computed by a law count as constant.
/// - δq has as many entries as v and is related to q as v is, q̇ = N(q) v: a body rotates by δθ in the world's frame.
/// - Derivatives are those of the expressions, in all directions (q, v), including directions off the constraints,
///   where v̇ is still the solution of the equations. A motion stays on the constraints along tangents with J δq = 0:
///   [`Minimal`](crate::Minimal) has A and B of these alone, over as many coordinates as there are degrees of
///   freedom.
/// - Units: those of v̇ and λ over those of the variable.
/// - Order: inputs and parameters as they are declared, vectors and arrays component by component.
/// - Cost: the methods' documentation counts it; nothing allocates.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// A pendulum: l φ̈ = −g sin φ + u/(m l).
///     #[derivatives]
///     struct Pendulum { m: Real = 2, l: Real = 0.5, g: Real = 10 }
///     input u;
///     coordinate phi;
///     particle bob = l*[sin(phi), -cos(phi)] { mass: m }
///     gravity [0, -g];
///     force phi: u;
/// }
/// let pendulum = Pendulum::default().with_inputs(PendulumInputs { u: 0.0 });
/// let (q, v) = ([0.0].into(), [0.0].into());
/// let Linearization { a, b, p } = pendulum.linearize(0.0, &q, &v)?;
/// assert_eq!(a.as_slice(), [-20.0, 0.0]); // −g/l
/// assert_eq!(b.as_slice(), [2.0]); // 1/(m l²)
/// assert_eq!(p.amax(), 0.0);
///
/// // The same by columns and by rows: along δu = 1, and the gradient of φ̈.
/// let push = Tangent { u: [1.0].into(), ..Tangent::default() };
/// let (along, _) = pendulum.jvp(0.0, &q, &v, &push)?;
/// let by = pendulum.vjp(0.0, &q, &v, &[1.0].into(), &SVector::zeros())?;
/// assert_eq!([along[0], by.u[0], by.q[0]], [2.0, 2.0, -20.0]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "no derivatives are generated for `{Self}`",
    note = "write `#[derivatives]` before the struct in its `system!`; for any other system, use dual numbers",
    note = "derivatives are not generated for more than 512 coordinates (only `descriptor` is generated)"
)]
pub trait Derivatives<T: Real>: Constrained<T> {
    /// (δt, δq, δv, δu, δp), or a gradient with respect to these.
    type Tangent;

    /// ∂v̇/∂(q, v), ∂v̇/∂u and ∂v̇/∂p.
    type Linearization;

    /// ∂λ/∂(q, v), ∂λ/∂u and ∂λ/∂p.
    type MultiplierLinearization;

    /// True if its inputs are constant: those of a law vary with the state, which no derivative here accounts for.
    const HOLDS_INPUTS: bool = true;

    /// A = ∂v̇/∂(q, v), B = ∂v̇/∂u, and ∂v̇/∂p.
    ///
    /// - Cost: one program up to 4,096 entries, which its documentation counts; beyond that, a [`vjp`](Self::vjp) for
    ///   each row. A system solved in loops is eliminated once at any size, and each column takes two sweeps through the
    ///   factors. [`descriptor`](Descriptor::descriptor) takes time proportional to the number of nonzero entries.
    ///
    /// # Errors
    /// As [`acceleration`](crate::Dynamics::acceleration), and as [`check_smooth`](Self::check_smooth).
    fn linearize(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::Linearization, Error>;

    /// [`linearize`](Self::linearize), but also at corners, with the slopes of the branch taken: implicit methods
    /// step over corners, since their Newton matrices need not be exact.
    #[doc(hidden)]
    fn slopes_of_branch(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
    ) -> Result<Self::Linearization, Error> {
        self.linearize(t, q, v)
    }

    /// A, B and ∂v̇/∂p, together with the same rows of λ: ∂λ/∂(q, v), ∂λ/∂u and ∂λ/∂p.
    ///
    /// - Shapes: λ's matrices have a row for each row of the constraints, in their order, and the columns of v̇'s
    ///   matrices.
    /// - Units: the rows of λ have the units of λ, as [`multipliers`](Constrained::multipliers) returns it, over those of
    ///   the column.
    /// - Cost: one program, in which both share the elimination, up to 4,096 entries together; beyond that, a
    ///   [`vjp`](Self::vjp) for each row. A system solved in loops is eliminated once, and each column takes two sweeps.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     #[derivatives]
    ///     struct Rod { m: Real = 2, l: Real = 0.5, g: Real = 10 }
    ///     particle bob: Point2 { mass: m }
    ///     constraint rod: norm(bob) == l;
    ///     gravity [0, -g];
    /// }
    /// // At rest, λ = −m g: it grows with m by g, and with g by m.
    /// let (q, v) = ([0.0, -0.5].into(), [0.0, 0.0].into());
    /// let (motion, multipliers) = Rod::default().linearize_with_multipliers(0.0, &q, &v)?;
    /// assert_eq!(motion.a[(0, 0)], -20.0); // −g/l
    /// assert_eq!(multipliers.p.as_slice(), [-10.0, 0.0, -2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`acceleration`](crate::Dynamics::acceleration).
    fn linearize_with_multipliers(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
    ) -> Result<(Self::Linearization, Self::MultiplierLinearization), Error>;

    /// δv̇ and δλ along a tangent: Jacobian times vector.
    ///
    /// # Errors
    /// As [`acceleration`](crate::Dynamics::acceleration).
    fn jvp(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
        tangent: &Self::Tangent,
    ) -> Result<(Self::V, Self::Rows), Error>;

    /// The gradient of v̇*·v̇ + λ*·λ with respect to t, q, v, u and p at once: vector times Jacobian.
    ///
    /// For a loss that is a function of v̇ and λ, `v_dot_bar` and `lambda_bar` are its derivatives with respect to
    /// them.
    ///
    /// # Errors
    /// As [`acceleration`](crate::Dynamics::acceleration).
    fn vjp(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
        v_dot_bar: &Self::V,
        lambda_bar: &Self::Rows,
    ) -> Result<Self::Tangent, Error>;

    /// Checks that derivatives exist at a state. All of these methods call it first if the equations may have
    /// corners.
    ///
    /// |x| has a corner, and signs jump; expressions that contain them have derivatives there only if the corner has no weight, as in x |x|. Where an `if`, a minimum or a maximum switches from one branch to the other, derivatives are those of the branch taken.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    /// /// It drags in the air, and on the ground.
    ///     #[derivatives]
    ///     struct Sledge { m: Real = 2, air: Real = 0.5, dry: Real = 1 }
    ///     coordinate x;
    ///     particle sledge = [x, 0] { mass: m }
    ///     force x: -air*velocity(x)*abs(velocity(x)) - dry*signum(velocity(x));
    /// }
    /// let (x, rest) = ([0.0].into(), [0.0].into());
    /// let dry = Sledge::default();
    /// assert_eq!(dry.linearize(0.0, &x, &[2.0].into())?.a[1], -1.0); // −2 air v/m
    /// let refused = dry.linearize(0.0, &x, &rest).unwrap_err().to_string();
    /// assert_eq!(refused, "no derivative exists here: v_x = 0 is a corner of the forces");
    /// let wet = Sledge { dry: 0.0, ..dry };
    /// assert_eq!(wet.linearize(0.0, &x, &rest)?.a[1], 0.0);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Corner`], which reports what is zero and where it is written; otherwise as
    /// [`acceleration`](crate::Dynamics::acceleration).
    fn check_smooth(&self, _t: T, _q: &Self::Q, _v: &Self::V) -> Result<(), Error> {
        Ok(())
    }

    /// The gradient of w*·w with respect to t, q and p, where w = G C is the [`correction`](Constrained::correction) of C,
    /// which each iteration of a projection subtracts from q: G = M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹.
    ///
    /// On the constraints it is the part of a gradient that no motion on them can reach: w* minus its gradient with
    /// respect to q is tangent to them, and the one with respect to p follows the constraints as parameters move them.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     #[derivatives]
    ///     struct Rod { m: Real = 2, l: Real = 5 }
    ///     particle bob: Point2 { mass: m }
    ///     constraint rod: norm(bob) == l;
    /// }
    /// // w = (norm(q) − l) q/norm(q): along (3, 4)/5, and in the opposite direction as l grows.
    /// let by = Rod::default().place_correction_vjp(0.0, &[3.0, 4.0].into(), &[1.0, 0.0].into())?;
    /// assert_eq!((by.q[0], by.q[1], by.p[1]), (9.0 / 25.0, 12.0 / 25.0, -3.0 / 5.0));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`correction`](Constrained::correction); [`Error::NoGradient`] if it is not generated.
    fn place_correction_vjp(
        &self,
        _t: T,
        _q: &Self::Q,
        _w_bar: &Self::V,
    ) -> Result<Self::Tangent, Error> {
        Err(Obstacle::Projections.into())
    }

    /// The gradient of w*·w with respect to t, q, v and p, where w = G Ċ is the [`correction`](Constrained::correction) of Ċ,
    /// which a projection subtracts from v.
    ///
    /// # Errors
    /// As [`place_correction_vjp`](Self::place_correction_vjp).
    fn velocity_correction_vjp(
        &self,
        _t: T,
        _q: &Self::Q,
        _v: &Self::V,
        _w_bar: &Self::V,
    ) -> Result<Self::Tangent, Error> {
        Err(Obstacle::Projections.into())
    }
}

/// How the outputs of a system vary: write `#[derivatives]` before the struct, and `output name = value;` in its
/// `system!`.
///
/// ```text
/// δy = ∂g δ(t, q, v, u, p) + ∂g/∂v̇ δv̇ + ∂g/∂λ δλ        y = g(t, q, v, u, p, v̇, λ)
/// ```
/// Names are those of the outputs' fields, forwards and backwards; matrices have a row for each component, in the
/// order of the declarations, element by element.
///
/// - The power of an input is an output like any other: `output power = push*velocity(x);`.
/// - Units: those of the outputs over those of the variable.
/// - Cost: one program each; nothing is solved if no output uses λ or an acceleration.
/// - A system solved in loops makes matrices of one `outputs_jvp` for each column.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
/// /// A pendulum, the pull of its rod, and the power of its wind.
///     #[derivatives]
///     struct Pendulum { m: Real = 2, l: Real = 0.5, g: Real = 10 }
///     input wind;
///     particle bob: Point2 { mass: m }
///     constraint rod: norm(bob) == l;
///     gravity [0, -g];
///     force bob: [wind, 0];
///     output tension = -multiplier(rod);
///     output power = wind*velocity(bob).x;
/// }
/// let pendulum = Pendulum::default().with_inputs(PendulumInputs { wind: 3.0 });
/// // Through the lowest point with speed 1: m (g + v²/l) = 24, and 3 W.
/// let (q, v) = ([0.0, -0.5].into(), [1.0, 0.0].into());
///
/// let faster = Tangent { v: [1.0, 0.0].into(), ..Tangent::default() };
/// let along = pendulum.outputs_jvp(0.0, &q, &v, &faster)?;
/// assert_eq!((along.tension, along.power), (8.0, 3.0)); // 2 m v/l, wind
///
/// let of_power = PendulumOutputs { power: 1.0, ..PendulumOutputs::default() };
/// let by = pendulum.outputs_vjp(0.0, &q, &v, &of_power)?;
/// assert_eq!((by.v[0], by.u[0]), (3.0, 1.0)); // wind, v
///
/// // ẋ = A x + B u, y = C x + D u
/// let (_, Linearization { a: c, b: d, .. }) = pendulum.linearize_with_outputs(0.0, &q, &v)?;
/// assert_eq!((c[(0, 2)], d.as_slice()), (8.0, [0.0, 1.0].as_slice()));
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "no derivatives of outputs are generated for `{Self}`",
    note = "write `#[derivatives]` before the struct in its `system!`, and `output name = value;` in it; systems solved in \
            loops have none"
)]
pub trait OutputDerivatives<T: Real>: Derivatives<T> + Outputs<T> {
    /// ∂y/∂(q, v), ∂y/∂u and ∂y/∂p.
    type OutputLinearization;

    /// A, B and ∂v̇/∂p, together with the same rows of the outputs: C, D and ∂y/∂p.
    ///
    /// - Cost: one program up to 4,096 entries; beyond that, a [`jvp`](Derivatives::jvp) and an
    ///   [`outputs_jvp`](Self::outputs_jvp) for each column.
    ///
    /// # Errors
    /// As [`acceleration`](crate::Dynamics::acceleration).
    fn linearize_with_outputs(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
    ) -> Result<(Self::Linearization, Self::OutputLinearization), Error>;

    /// How the outputs vary along a tangent, by name: Jacobian times vector.
    ///
    /// # Errors
    /// As [`outputs`](Outputs::outputs).
    fn outputs_jvp(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
        tangent: &Self::Tangent,
    ) -> Result<Self::Outputs, Error>;

    /// The gradient of y*·y with respect to t, q, v, u and p at once, where `outputs_bar` is y* by name: vector times
    /// Jacobian.
    ///
    /// # Errors
    /// As [`outputs`](Outputs::outputs).
    fn outputs_vjp(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
        outputs_bar: &Self::Outputs,
    ) -> Result<Self::Tangent, Error>;
}

/// A direction in all variables that the motion of `N` velocities, `U` inputs and `P` parameters depends on, or a
/// gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent<T, const N: usize, const U: usize, const P: usize> {
    /// Time.
    pub t: T,
    /// Coordinates, as velocities would move them: for a body, (δr, δθ) in the world's frame.
    pub q: SVector<T, N>,
    /// Velocities.
    pub v: SVector<T, N>,
    /// Inputs.
    pub u: SVector<T, U>,
    /// Parameters.
    pub p: SVector<T, P>,
}

impl<T: Real, const N: usize, const U: usize, const P: usize> Default for Tangent<T, N, U, P> {
    /// Zero.
    fn default() -> Self {
        Self {
            t: T::zero(),
            q: SVector::zeros(),
            v: SVector::zeros(),
            u: SVector::zeros(),
            p: SVector::zeros(),
        }
    }
}

impl<T: Real, const N: usize, const U: usize, const P: usize> Tangent<T, N, U, P> {
    /// The sum of the products of all entries: of a gradient with a direction, the change along it.
    ///
    /// ```
    /// use constraint_runtime::Tangent;
    ///
    /// let by = Tangent::<f64, 1, 0, 1> { q: [3.0].into(), p: [5.0].into(), ..Tangent::default() };
    /// let along = Tangent { q: [2.0].into(), t: 1.0, ..Tangent::default() };
    /// assert_eq!(by.dot(&along), 6.0);
    /// ```
    pub fn dot(&self, other: &Self) -> T {
        let dots = [
            self.q.dot(&other.q),
            self.v.dot(&other.v),
            self.u.dot(&other.u),
            self.p.dot(&other.p),
        ];
        dots.into_iter().fold(self.t * other.t, |sum, it| sum + it)
    }
}

impl<T: Real, const N: usize, const U: usize, const P: usize> AddAssign for Tangent<T, N, U, P> {
    fn add_assign(&mut self, other: Self) {
        self.t += other.t;
        self.q += other.q;
        self.v += other.v;
        self.u += other.u;
        self.p += other.p;
    }
}

impl<T: Real, const N: usize, const U: usize, const P: usize> SubAssign<&Self>
    for Tangent<T, N, U, P>
{
    fn sub_assign(&mut self, other: &Self) {
        self.t -= other.t;
        self.q -= &other.q;
        self.v -= &other.v;
        self.u -= &other.u;
        self.p -= &other.p;
    }
}

impl<T: Real, const N: usize, const U: usize, const P: usize> MulAssign<T> for Tangent<T, N, U, P> {
    fn mul_assign(&mut self, by: T) {
        self.t *= by;
        self.q *= by;
        self.v *= by;
        self.u *= by;
        self.p *= by;
    }
}

/// How `N` numbers vary with the state, the inputs and the parameters: δv̇ = A (δq, δv) + B δu + P δp for v̇, and
/// likewise for λ and for outputs. `S` is twice the number of velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linearization<T, const N: usize, const S: usize, const U: usize, const P: usize> {
    /// A: the columns of q, then those of v.
    pub a: SMatrix<T, N, S>,
    /// B: the columns of the inputs.
    pub b: SMatrix<T, N, U>,
    /// The columns of the parameters.
    pub p: SMatrix<T, N, P>,
}

impl<T: Real, const N: usize, const S: usize, const U: usize, const P: usize>
    Linearization<T, N, S, U, P>
{
    /// All entries zero.
    #[must_use]
    pub fn zeros() -> Self {
        Self {
            a: SMatrix::zeros(),
            b: SMatrix::zeros(),
            p: SMatrix::zeros(),
        }
    }

    fn set_row<const V: usize>(&mut self, row: usize, to: &Tangent<T, V, U, P>) {
        for (k, &slope) in to.q.iter().chain(&to.v).enumerate() {
            self.a[(row, k)] = slope;
        }
        self.b.set_row(row, &to.u.transpose());
        self.p.set_row(row, &to.p.transpose());
    }

    /// From the columns of the coordinates and of the velocities, the inputs and the parameters.
    fn of<const V: usize>(
        [by_q, by_v]: [SMatrix<T, N, V>; 2],
        b: SMatrix<T, N, U>,
        p: SMatrix<T, N, P>,
    ) -> Self {
        let a = SMatrix::from_fn(|i, k| {
            if k < V {
                by_q[(i, k)]
            } else {
                by_v[(i, k - V)]
            }
        });
        Self { a, b, p }
    }
}
