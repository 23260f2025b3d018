//! Equations of motion.

use nalgebra::DMatrix;

use super::mass_matrix::unit;
use super::properties::Properties;
use super::{are_as_many, size};
use crate::derivatives::DescriptorMatrix;
use crate::error::{Error, Names, Quantity};
use crate::own_frames::{To, turned};
use crate::real::{Real, largest};
use crate::vector::Vector;

/// Equations of motion: q̇ = N(q) v and v̇ as a function of t, q, v.
///
/// Implement [`Constrained`](crate::Constrained) and [`System`](crate::System) as well if there are constraints,
/// [`Unconstrained`](crate::Unconstrained) if there are none. Generated systems do this themselves, and so do particles
/// [on constraints](crate::Particle::on) and [along curves](crate::Particle::along). To implement the trait by hand,
/// write three formulas.
///
/// - Units: those of the system's own quantities.
/// - Sizes: [`SVector`](nalgebra::SVector)s, which need no heap, or any other type that is a [`Vector`].
/// - Cost: with vectors of fixed size no method allocates.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// /// q̈ = −ω² q
/// struct Oscillator {
///     omega: f64,
/// }
///
/// impl Dynamics<f64> for Oscillator {
///     type Q = SVector<f64, 1>;
///     type V = SVector<f64, 1>;
///     type Coordinates = Self::Q;
///     type Velocities = Self::V;
///
///     fn acceleration(&self, _t: f64, q: &Self::Q, _v: &Self::V) -> Result<Self::V, Error> {
///         Ok(-q * (self.omega * self.omega))
///     }
///     fn kinetic_energy(&self, _t: f64, _q: &Self::Q, v: &Self::V) -> f64 {
///         0.5 * v.norm_squared()
///     }
///     fn potential_energy(&self, _t: f64, q: &Self::Q) -> f64 {
///         0.5 * (self.omega * self.omega) * q.norm_squared()
///     }
/// }
///
/// impl Unconstrained for Oscillator {}
///
/// let mut run = Simulation::new(Oscillator { omega: 2.0 }, State::new(0.0, [1.0], [0.0]), Rk4::new(1e-3))?;
/// run.run_until(1.0)?;
/// assert!((run.coordinates().x - 2.0_f64.cos()).abs() < 1e-12);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not move by itself",
    label = "this cannot run as it is",
    note = "for a system with inputs, use `.with_inputs(…)` for constant inputs, or `.controlled_by(|t, q, v| …)`",
    note = "for a constraint, use `Particle::new(mass).on(constraint)`; for a curve, `.along(curve)`"
)]
pub trait Dynamics<T: Real> {
    /// The coordinates as a flat vector.
    type Q: Vector<Scalar = T>;

    /// The velocities as a flat vector.
    type V: Vector<Scalar = T>;

    /// Coordinates by name; the flat vector if there are no names.
    type Coordinates: From<Self::Q>;

    /// Velocities by name; the flat vector if there are no names.
    type Velocities: From<Self::V>;

    /// Facts about the system beyond its equations.
    const PROPERTIES: Properties = Properties::NONE;

    /// v̇, with the constraints enforced, if there are any.
    ///
    /// # Errors
    /// [`Error::Singular`] when constraint rows are dependent at this state,
    /// [`Error::NonFinite`] when the external force is not finite.
    fn acceleration(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::V, Error>;

    /// Why v̇, λ or outputs are not finite at a state: the expression that is 0 or out of the domain of its function.
    #[doc(hidden)]
    fn check_defined(&self, _t: T, _q: &Self::Q, _v: &Self::V) -> Result<(), Error> {
        Ok(())
    }

    /// [`acceleration`](Self::acceleration), written to `out`. Steps call it for large vectors, such as those of
    /// [`HeapArray`](crate::HeapArray), to avoid temporary ones.
    ///
    /// `room` holds [`room`](crate::Properties::room) numbers with arbitrary values. The default calls `acceleration`; generated
    /// systems with large vectors override all functions of this kind.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     struct Chain { m: Real = 1, l: Real = 1, g: Real = 10 }
    ///     particle bead[1000]: Point2 { mass: m }
    ///     constraint link[0]: norm(bead[0]) == l;
    ///     for i in 1..1000 { constraint link[i]: norm(bead[i] - bead[i - 1]) == l; }
    ///     for i in 0..1000 { potential m*g*bead[i].y; }
    /// }
    /// let chain = Chain::<f64>::default();
    /// let hanging = ChainCoordinates { bead: HeapArray::from_fn(|i| Point2::new(0.0, -1.0 - i as f64)) };
    /// let (q, v) = (hanging.into(), ChainVelocities::default().into());
    /// let mut room = vec![0.0; <Chain as Dynamics<f64>>::PROPERTIES.room];
    /// let mut a = HeapArray::repeat(1.0);
    /// chain.write_acceleration(0.0, &q, &v, &mut room, &mut a)?;
    /// // At rest, up to the rounding of 1,000 tensions.
    /// assert!(a.iter().all(|a| a.abs() < 1e-9));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`acceleration`](Self::acceleration); `out` then holds nothing useful.
    fn write_acceleration(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
        _room: &mut [T],
        out: &mut Self::V,
    ) -> Result<(), Error> {
        out.assign(&self.acceleration(t, q, v)?);
        Ok(())
    }

    /// ∂v̇/∂(q, v), column by column, for implicit methods such as [`Radau5`](crate::Radau5).
    ///
    /// Column k of `by_q` is the derivative of v̇ as the coordinates change in the direction of velocity k, column k
    /// of `by_v` the derivative by velocity k itself; both have as many columns as there are velocities. `system!`
    /// with `#[derivatives]` writes the result of [`linearize`](crate::Derivatives::linearize). The callers iterate: an
    /// approximate matrix costs iterations, not accuracy.
    ///
    /// # Errors
    /// [`Error::NoDerivatives`] by default; those of [`acceleration`](Self::acceleration).
    fn write_linearization(
        &self,
        _t: T,
        _q: &Self::Q,
        _v: &Self::V,
        _by_q: &mut [Self::V],
        _by_v: &mut [Self::V],
    ) -> Result<(), Error> {
        Err(Error::NoDerivatives)
    }

    /// [`kinematics`](Self::kinematics), written to `out`.
    fn write_kinematics(&self, t: T, q: &Self::Q, v: &Self::V, out: &mut Self::Q) {
        out.assign(&self.kinematics(t, q, v));
    }

    /// Kinetic energy.
    fn kinetic_energy(&self, t: T, q: &Self::Q, v: &Self::V) -> T;

    /// Potential energy of the forces that have one; zero for the others.
    fn potential_energy(&self, t: T, q: &Self::Q) -> T;

    /// M a: the generalized force needed for an acceleration; applied to velocities, the momenta.
    ///
    /// M is the mass matrix of M v̇ = h + Jᵀ λ, symmetric, for velocities in the world's frame; the unit of an entry
    /// is energy over the units of the two velocities.
    ///
    /// - Cost: in generated systems proportional to the nonzero entries of M, which are as many as the coordinates in
    ///   a chain of particles. The default takes four kinetic energies for each velocity.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     struct Cart { cart: Real = 2, bob: Real = 1, l: Real = 0.5 }
    ///     coordinate x, angle;
    ///     particle a = [x, 0] { mass: cart }
    ///     particle b = [x + l*sin(angle), -l*cos(angle)] { mass: bob }
    /// }
    /// let cart = Cart::<f64>::default();
    /// let q = Vector2::new(0.3, 0.0);
    /// assert_eq!(cart.mass_times(0.0, &q, &Vector2::new(1.0, 0.0)), Vector2::new(3.0, 0.5));
    /// // M = (cart + bob, bob l cos; bob l cos, bob l²)
    /// assert_eq!(cart.mass_matrix(0.0, &q).as_slice(), [3.0, 0.5, 0.5, 0.25]);
    /// ```
    fn mass_times(&self, t: T, q: &Self::Q, a: &Self::V) -> Self::V {
        // T is of second degree in v: its differences are exact up to rounding, at any v.
        let energy = |v: &Self::V| self.kinetic_energy(t, q, v);
        let largest = largest(a);
        let size = largest.select(largest.simd_gt(T::zero()), T::one());
        a.like(|i| {
            let moved = |x: &Self::V, by: T| {
                let mut x = x.clone();
                x[i] += by;
                energy(&x)
            };
            let still = a.zeros_like();
            let beside = moved(&still, size) - moved(&still, -size);
            let along = moved(a, size) - moved(a, -size);
            (along - beside) / (size + size)
        })
    }

    /// M with all its zeros, column by column: as many entries as the square of the number of velocities. For long
    /// chains, [`mass_times`](Self::mass_times) computes the product alone.
    ///
    /// Systems whose types do not fix their sizes must override it.
    fn mass_matrix(&self, t: T, q: &Self::Q) -> DMatrix<T> {
        let (n, rest) = (const { size::<Self::V>() }, Self::V::blank());
        let columns = (0..n).flat_map(|k| {
            let column = self.mass_times(t, q, &unit(&rest, k));
            (0..n).map(move |i| column[i])
        });
        DMatrix::from_iterator(n, n, columns)
    }

    /// [`Constrained::inverse_dynamics`](crate::Constrained::inverse_dynamics) of an [`Unconstrained`](crate::Unconstrained) system, which forwards to this; by default M (a − v̇).
    ///
    /// # Errors
    /// As [`acceleration`](Self::acceleration).
    fn unconstrained_inverse_dynamics(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
        a: &Self::V,
    ) -> Result<Self::V, Error> {
        let acceleration = self.acceleration(t, q, v)?;
        Ok(self.mass_times(t, q, &a.like(|i| a[i] - acceleration[i])))
    }

    /// [`Constrained::write_descriptor`](crate::Constrained::write_descriptor) of an [`Unconstrained`](crate::Unconstrained) system, which forwards to this.
    fn write_unconstrained_descriptor(
        &self,
        _t: T,
        _q: &Self::Q,
        _v: &Self::V,
        _a: &Self::V,
        _entry: &mut impl FnMut(DescriptorMatrix, usize, usize, T),
    ) {
    }

    /// q̇ = N(q) v, linear in `v`; by default v itself, which needs as many velocities as coordinates.
    #[inline]
    fn kinematics(&self, _t: T, q: &Self::Q, v: &Self::V) -> Self::Q {
        const {
            assert!(
                are_as_many::<Self::Q, Self::V>(),
                "q̇ = v needs as many coordinates as velocities"
            );
        };
        q.like(|i| v[i])
    }

    /// q̇ and v̇ with Rᵀω in place of ω and Rᵀω̇ in place of ω̇ for [`own_frames`](crate::Properties::own_frames).
    ///
    /// The default calls [`kinematics`](Self::kinematics) and [`acceleration`](Self::acceleration).
    ///
    /// # Errors
    /// As [`acceleration`](Self::acceleration).
    #[inline(always)]
    fn own_slope(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<(Self::Q, Self::V), Error> {
        let v = turned(Self::PROPERTIES.own_frames, q, v, To::World);
        let acceleration = self.acceleration(t, q, &v)?;
        let own = turned(Self::PROPERTIES.own_frames, q, &acceleration, To::Own);
        Ok((self.kinematics(t, q, &v), own))
    }

    /// ẏ = (q̇, v̇) of y = (q, v), packed one after the other: the right-hand side for solvers of other crates.
    ///
    /// v̇ satisfies C̈ = 0 only: with another crate's method C drifts with the square of the time, unless you correct the
    /// state with [`make_consistent`](crate::make_consistent) from time to time.
    ///
    /// - Shape: Q + V numbers each; panics if there are more or fewer.
    /// - Cost: that of [`acceleration`](Self::acceleration) and [`kinematics`](Self::kinematics), and two copies.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     struct Pendulum { l: Real = 1, g: Real = 10 }
    ///     particle bob: Point2 { mass: 1 }
    ///     constraint rod: norm(bob) == l;
    ///     gravity [0, -g];
    /// }
    /// // Through the lowest point with speed 3: v²/l up.
    /// let mut dy = [0.0; 4];
    /// Pendulum::default().rhs(0.0, &[0.0, -1.0, 3.0, 0.0], &mut dy)?;
    /// assert_eq!(dy, [3.0, 0.0, 0.0, 9.0]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// With the crate `differential-equations`, whose states are arrays:
    ///
    /// ```text
    /// impl ODE<f64, [f64; 4]> for Packed {
    ///     fn diff(&self, t: f64, y: &[f64; 4], dy: &mut [f64; 4]) {
    /// // The crate's functions cannot fail: NaN reports an error, and the step is rejected.
    ///         self.0.rhs(t, y, dy).unwrap_or_else(|_| dy.fill(f64::NAN));
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`acceleration`](Self::acceleration); `dy` then holds nothing useful.
    fn rhs(&self, t: T, y: &[T], dy: &mut [T]) -> Result<(), Error> {
        const {
            assert!(
                Self::Q::LEN.is_some() && Self::V::LEN.is_some(),
                "what is packed needs vectors whose types tell their sizes"
            );
        };
        let (mut q, mut v) = (Self::Q::blank(), Self::V::blank());
        let (place, rate) = y.split_at(q.entries().len());
        q.entries_mut().copy_from_slice(place);
        v.entries_mut().copy_from_slice(rate);
        let (moving, pushed) = dy.split_at_mut(place.len());
        moving.copy_from_slice(self.kinematics(t, &q, &v).entries());
        pushed.copy_from_slice(self.acceleration(t, &q, &v)?.entries());
        Ok(())
    }

    /// Restores invariants of the coordinates, such as the length of a unit quaternion.
    ///
    /// [`Simulation`](crate::Simulation) calls it at the end of each step and during projection. The default does
    /// nothing.
    #[inline]
    fn normalize(&self, _q: &mut Self::Q) {}

    /// The numbers of coordinates and of velocities, if they are known without a state: by default, the sizes in
    /// their types.
    #[inline]
    fn lengths(&self) -> [Option<usize>; 2] {
        [Self::Q::LEN, Self::V::LEN]
    }

    /// The names of the coordinates or of the velocities, for messages.
    fn names(&self, _quantity: Quantity) -> Option<&'static [Names]> {
        None
    }

    /// Checks that the system exists at these coordinates; called at the start and after every step.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if it does not, for example beyond the end of a curve.
    #[inline]
    fn admits(&self, _t: T, _q: &Self::Q) -> Result<(), Error> {
        Ok(())
    }

    /// Checks the system's own parameters, before anything runs.
    ///
    /// # Errors
    /// [`Error::InvalidMass`] when a mass is not positive and finite, [`Error::InvalidParameter`] when another
    /// parameter is not finite.
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }
}
