//! How the motion varies with the state, with what is given and with the parameters.

use core::ops::{AddAssign, MulAssign, SubAssign};

use nalgebra::{SMatrix, SVector};

use crate::error::{Error, Obstacle};
use crate::real::Real;
use crate::system::{Dynamics, System};

/// A system whose `system!` asks for derivatives: `#[derivatives]` before the struct.
///
/// ```text
/// F₁ = M v̇ − h − Jᵀ λ = 0        K = ⎡ M  −Jᵀ ⎤
/// F₂ = J v̇ + β       = 0            ⎣ J   0  ⎦
/// jvp         K (δv̇, δλ) = −(δF₁, δF₂)
/// vjp         Kᵀ (x, y) = (v̇*, λ*),   gradient = −∂(x·F₁ + y·F₂)
/// ```
/// The equations are differentiated, never their solution; K is eliminated already.
///
/// - Variables: t, q, v, the inputs u and the parameters p. Inputs that a law gives count as held.
/// - δq has as many entries as v, those that v has with q̇ = N(q) v: a body turns by δθ in the frame of the world.
/// - Derivatives are those of the expressions, in all directions (q, v), those off the constraints included: there v̇
///   still is what the equations give. What moves stays on the constraints along tangents with J δq = 0.
/// - Units: those of v̇ and λ over those of what they are differentiated by.
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
/// // The same by columns and by rows: along δu = 1, and against φ̈.
/// let push = Tangent { u: [1.0].into(), ..Tangent::default() };
/// let (along, _) = pendulum.jvp(0.0, &q, &v, &push)?;
/// let by = pendulum.vjp(0.0, &q, &v, &[1.0].into(), &SVector::zeros())?;
/// assert_eq!([along[0], by.u[0], by.q[0]], [2.0, 2.0, -20.0]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "no derivatives are generated for `{Self}`",
    note = "write `#[derivatives]` before the struct in its `system!`; of any other system, dual numbers give them"
)]
pub trait Derivatives<T: Real>: System<T> {
    /// (δt, δq, δv, δu, δp), or a gradient by these.
    type Tangent;

    /// ∂v̇/∂(q, v), ∂v̇/∂u and ∂v̇/∂p.
    type Linearization;

    /// Whether its inputs are held: those of a law vary with the state, which no derivative here counts.
    const HOLDS_INPUTS: bool = true;

    /// A = ∂v̇/∂(q, v), B = ∂v̇/∂u, and ∂v̇/∂p.
    ///
    /// - Cost: one program up to 4,096 entries, which its documentation counts; beyond, and of what is solved in loops, a
    ///   [`jvp`](Self::jvp) for each column.
    ///
    /// # Errors
    /// As [`acceleration`](crate::Dynamics::acceleration).
    fn linearize(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::Linearization, Error>;

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

    /// The gradient of v̇*·v̇ + λ*·λ by t, q, v, u and p at once: vector times Jacobian.
    ///
    /// Of a loss that is made of v̇ and λ, `v_dot_bar` and `lambda_bar` are its slopes by these.
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

    /// The gradient of w*·w by t, q and p, where w = G C is the [`correction`](System::correction) of C, which each
    /// iteration of a projection takes off q: G = M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹.
    ///
    /// On the constraints it is what a gradient has of no motion on them: w* less it along q is tangent to them, and along
    /// p it is what moves with them.
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
    /// // w = (norm(q) − l) q/norm(q): along (3, 4)/5, and as much back as the rod is long.
    /// let by = Rod::default().place_correction_vjp(0.0, &[3.0, 4.0].into(), &[1.0, 0.0].into())?;
    /// assert_eq!((by.q[0], by.q[1], by.p[1]), (9.0 / 25.0, 12.0 / 25.0, -3.0 / 5.0));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`correction`](System::correction); [`Error::NoGradient`] where it is not generated.
    fn place_correction_vjp(
        &self,
        _t: T,
        _q: &Self::Q,
        _w_bar: &Self::V,
    ) -> Result<Self::Tangent, Error> {
        Err(Obstacle::Projections.into())
    }

    /// The gradient of w*·w by t, q, v and p, where w = G Ċ is the [`correction`](System::correction) of Ċ, which a
    /// projection takes off v.
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

/// [`Dynamics::write_linearization`] of what [`linearize`](Derivatives::linearize) gives.
pub fn write_linearized<
    T: Real,
    S: Dynamics<T, V = SVector<T, N>>
        + Derivatives<T, Linearization = Linearization<T, N, STATES, U, P>>,
    const N: usize,
    const STATES: usize,
    const U: usize,
    const P: usize,
>(
    system: &S,
    (t, q, v): (T, &S::Q, &S::V),
    by_q: &mut [S::V],
    by_v: &mut [S::V],
) -> Result<(), Error> {
    let Linearization { a, .. } = &system.linearize(t, q, v)?;
    let columns = by_q.iter_mut().chain(by_v);
    for (column, written) in columns.zip(a.column_iter()) {
        column.copy_from(&written);
    }
    Ok(())
}

/// [`Derivatives::linearize`] of many velocities: column by column along unit tangents.
pub fn linearized_by_tangents<
    T: Real,
    S: Dynamics<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    const N: usize,
    const STATES: usize,
    const U: usize,
    const P: usize,
>(
    system: &S,
    t: T,
    q: &S::Q,
    v: &S::V,
) -> Result<Linearization<T, N, STATES, U, P>, Error> {
    let column = |write: &dyn Fn(&mut Tangent<T, N, U, P>)| {
        let mut unit = Tangent::default();
        write(&mut unit);
        let (along, _) = system.jvp(t, q, v, &unit)?;
        Ok::<_, Error>(along)
    };
    let mut all = Linearization {
        a: SMatrix::<T, N, STATES>::zeros(),
        b: SMatrix::<T, N, U>::zeros(),
        p: SMatrix::<T, N, P>::zeros(),
    };
    for k in 0..N {
        all.a.set_column(k, &column(&|unit| unit.q[k] = T::one())?);
        all.a
            .set_column(N + k, &column(&|unit| unit.v[k] = T::one())?);
    }
    for k in 0..U {
        all.b.set_column(k, &column(&|unit| unit.u[k] = T::one())?);
    }
    for k in 0..P {
        all.p.set_column(k, &column(&|unit| unit.p[k] = T::one())?);
    }
    Ok(all)
}

/// A direction in all that the motion of `N` velocities, `U` inputs and `P` parameters depends on, or a gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent<T, const N: usize, const U: usize, const P: usize> {
    /// Time.
    pub t: T,
    /// Coordinates, as velocities would move them: of a body (δr, δθ) in the frame of the world.
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

/// How v̇ of `N` velocities varies: δv̇ = A (δq, δv) + B δu + P δp. `S` is 2 `N`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linearization<T, const N: usize, const S: usize, const U: usize, const P: usize> {
    /// A: the columns of q, then those of v.
    pub a: SMatrix<T, N, S>,
    /// B: the columns of the inputs.
    pub b: SMatrix<T, N, U>,
    /// The columns of the parameters.
    pub p: SMatrix<T, N, P>,
}
