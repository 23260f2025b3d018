//! Forces as a linear function of inertial parameters, for identification.

use crate::real::Real;
use crate::system::Constrained;

/// A system whose forces are generated as a linear function of the inertial parameters of its links: write `#[regressor]` before
/// the struct in its `system!`.
///
/// ```text
/// M a − h = Y(q, v, a) θ + what does not depend on θ        Y θ = Y_base β, β = K θ
/// ```
/// θ has ten numbers for each link that moves in space, whose names begin with that of the first body on it: m (`link.m`), the first
/// moments m c (`link.mx`, `link.my`, `link.mz`) and the entries of the matrix of inertia (`link.ixx`, `link.ixy`, `link.ixz`,
/// `link.iyy`, `link.iyz`, `link.izz`), I = Σ m (|r|² 1 − r rᵀ). Moments are about the origin of the link's frame, in its axes:
/// the frame after its joint, the last factor of its pose that depends on coordinates; a product in parentheses is one factor. All
/// bodies on a link, fixed to each other, are one. A link in the plane has four numbers: `link.m`, `link.mx`, `link.my`, `link.izz`.
///
/// Not all of θ shows in forces: a robot on a table never shows the mass of its first link. The columns of Y with the indices
/// `BASE_PARAMETERS` are independent, and as many as any states can show (Gautier and Khalil 1990); their factors β = K θ are
/// the base parameters. The type's documentation lists β as combinations by name. Their number is exact: the rank of Y is
/// determined with numbers modulo 2⁶¹ − 1, without rounding. It is that of independent q, v and a: constraints may hide more.
///
/// - What does not depend on θ: inputs, damping, springs and all other forces, particles, and bodies with coordinates of their
///   own, such as a floating base: `inverse_dynamics(…) − Y θ`.
/// - Units: a column has the units of the forces over those of its parameter.
/// - Cost: one program without solutions; moments pass every joint between the link and the world.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// Two links on crossed axes.
///     #[regressor]
///     pub struct Arm { m: Real = 3, l: Real = 0.5, c: Real = 0.2, g: Real = 9.81 }
///     coordinate q[2];
///     body shoulder: Rigid3 = pose([0, 0, 0], [0, 0, 1], q[0]) * pose([0, 0, l/2]) { mass: m, inertia: [0.1, 0.1, 0.1] }
///     body arm: Rigid3 = pose([0, 0, 0], [0, 0, 1], q[0]) * pose([0, 0, l], [0, 1, 0], q[1]) * pose([c, 0, 0]) {
///         mass: m,
///         inertia: [0.01, 0.02, 0.03],
///     }
///     gravity [0, 0, -g];
/// }
/// let arm = Arm::<f64>::default();
/// let theta = arm.inertial_parameters();
/// assert_eq!((Arm::INERTIAL_PARAMETERS[11], theta[11]), ("arm.mx", 3.0 * 0.2));
///
/// // A force that needs no weight, no mass, no inertia: M a − h is all of Y θ.
/// let (q, v, a) = (Vector2::new(0.3, 0.8), Vector2::new(1.0, -2.0), Vector2::new(0.5, 4.0));
/// let y = arm.regressor(0.0, &q, &v, &a);
/// let needed = arm.inverse_dynamics(0.0, &q, &v, &a)?;
/// assert!((y * theta - needed).norm() < 1e-14);
///
/// // Of 20 parameters eight show.
/// assert_eq!(Arm::BASE_PARAMETERS.len(), 8);
/// let base = y.select_columns(&Arm::BASE_PARAMETERS);
/// assert!((base * (arm.base_matrix() * theta) - needed).norm() < 1e-14);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "no regressor is generated for `{Self}`",
    note = "write `#[regressor]` before the struct in its `system!`"
)]
pub trait Regressor<T: Real>: Constrained<T> {
    /// Y: a row for each velocity, a column for each inertial parameter.
    type Regressor;

    /// θ
    type InertialParameters;

    /// K: a row for each base parameter, a column for each inertial parameter.
    type BaseMatrix;

    /// The names of the inertial parameters.
    const INERTIAL_PARAMETERS: &'static [&'static str];

    /// The parameters whose columns of Y are independent, one for each base parameter.
    const BASE_PARAMETERS: &'static [usize];

    /// Y of M a − h = Y θ + what does not depend on θ.
    fn regressor(&self, t: T, q: &Self::Q, v: &Self::V, a: &Self::V) -> Self::Regressor;

    /// θ of the masses and inertias in the text, at the present parameters.
    fn inertial_parameters(&self) -> Self::InertialParameters;

    /// K of Y θ = Y_base K θ. It depends on the lengths of the links alone.
    fn base_matrix(&self) -> Self::BaseMatrix;
}
