//! The traits of everything that moves, as integrators, stabilisation and meters use them.
//!
//! [`Dynamics`] describes the motion, [`System`] the constraint rows, including those that impulses act through.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Index;

use nalgebra::{DMatrix, SMatrix, SVector};

use crate::derivatives::DescriptorMatrix;
use crate::error::{Error, Names, Quantity, Row};
use crate::impulse::ImpulseRows;
use crate::linalg::ldlt::{factor_dense, scale, substitute, substitute_transposed};
use crate::own_frames::{OwnFrames, To, turned};
use crate::real::{Real, largest};
use crate::vector::Vector;

/// Equations of motion: q̇ = N(q) v and v̇ as a function of t, q, v.
///
/// Implement [`System`] as well if there are constraints, [`Unconstrained`] if there are none. Generated systems do
/// this themselves, and so do particles [on constraints](crate::Particle::on) and [along
/// curves](crate::Particle::along). To implement the trait by hand, write three formulas.
///
/// - Units: those of the system's own quantities.
/// - Sizes: [`SVector`]s, which need no heap, or any other type that is a [`Vector`].
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

    /// Bodies whose ω the stages of a step express in the bodies' own frames: those with different principal moments.
    ///
    /// Every method except [`own_slope`](Self::own_slope) takes and returns velocities in the world's frame.
    const OWN_FRAMES: &'static [OwnFrames] = &[];

    /// How many numbers of scratch memory (off the stack) the functions need that write to a place, such as
    /// [`write_acceleration`](Self::write_acceleration).
    const ROOM: usize = 0;

    /// True if implicit methods eliminate the entries of [`System::write_descriptor`] instead of the dense
    /// [`write_linearization`](Self::write_linearization): in time linear in the length of a chain.
    ///
    /// `system!` with `#[derivatives]` sets it from 24 velocities on, unless rows are redundant.
    const SPARSE: bool = false;

    /// True if every force derives from the potential V: then −∂V/∂q is everything that acts at rest.
    ///
    /// `system!` sets it if there is no `force`, `torque`, `dissipation` or input; [`verify!`](crate::verify)
    /// compares V with the forces.
    const CONSERVATIVE_FORCES: bool = false;

    /// True if h, and with it v̇ without the constraints, is a function of t and q alone: then
    /// [`Rattle`](crate::Rattle) computes it once a step.
    ///
    /// `system!` sets it where no expression of h reads a velocity, and inputs are constant or [functions of t and
    /// q](crate::InputSystem::driven_by). A mass matrix that depends on q, and torques of bodies with different
    /// principal moments, read velocities. [`verify!`](crate::verify) compares h at rest and in motion.
    const FORCES_IGNORE_VELOCITY: bool = false;

    /// True if there are constraints of one side, `a >= b`, which v̇ does not enforce: a
    /// [`ContactSimulation`](crate::ContactSimulation) does, and [`Simulation`](crate::Simulation) does not compile.
    const IS_ONE_SIDED: bool = false;

    /// v̇, with the constraints enforced, if there are any.
    ///
    /// # Errors
    /// [`Error::Singular`] when constraint rows are dependent at this state,
    /// [`Error::NonFinite`] when the external force is not finite.
    fn acceleration(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::V, Error>;

    /// [`acceleration`](Self::acceleration), written to `out`. Steps call it if vectors are large, such as those of
    /// [`HeapArray`](crate::HeapArray), and temporary vectors are to be avoided.
    ///
    /// `room` holds [`ROOM`](Self::ROOM) numbers with arbitrary values. The default calls `acceleration`; generated
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
    /// let mut room = vec![0.0; <Chain as Dynamics<f64>>::ROOM];
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

    /// [`System::inverse_dynamics`] of an [`Unconstrained`] system, which forwards to this; by default M (a − v̇).
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

    /// [`System::write_descriptor`] of an [`Unconstrained`] system, which forwards to this.
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

    /// q̇ and v̇ with Rᵀω in place of ω and Rᵀω̇ in place of ω̇ for [`OWN_FRAMES`](Self::OWN_FRAMES).
    ///
    /// The default calls [`kinematics`](Self::kinematics) and [`acceleration`](Self::acceleration).
    ///
    /// # Errors
    /// As [`acceleration`](Self::acceleration).
    #[inline(always)]
    fn own_slope(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<(Self::Q, Self::V), Error> {
        let v = turned(Self::OWN_FRAMES, q, v, To::World);
        let acceleration = self.acceleration(t, q, &v)?;
        let own = turned(Self::OWN_FRAMES, q, &acceleration, To::Own);
        Ok((self.kinematics(t, q, &v), own))
    }

    /// ẏ = (q̇, v̇) of y = (q, v), packed one after the other: the right-hand side for solvers of other crates.
    ///
    /// v̇ keeps C̈ = 0 and nothing else: under another crate's method C drifts with the square of the time, unless
    /// [`make_consistent`](crate::make_consistent) corrects the state now and then.
    ///
    /// - Shape: Q + V numbers each; another number of them panics.
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

/// [`Dynamics`] without constraints: nothing else is needed to be a [`System`].
///
/// There are no rows to violate, so stabilisation does nothing.
pub trait Unconstrained {}

/// [`Dynamics`] under constraint rows: M v̇ = h + Jᵀ λ with C(q, t) = 0.
///
/// - Units: λ is energy per unit of C.
/// - Sign: +λ pushes along +∇C.
/// - Cost: with vectors of fixed size no method allocates, except the defaults of
///   [`free_acceleration`](Self::free_acceleration) and [`impulse_rows`](Self::impulse_rows).
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
/// let bead = Particle::new(2.0_f64).on(Parabola).under_gravity([0.0, -10.0]);
/// let (q, v) = (Vector2::new(100.0, -100.0), Vector2::zeros());
/// let acceleration = bead.acceleration(0.0, &q, &v)?;
/// // The slope there is −2: the bead slides with g sin θ cos θ along x.
/// assert!((acceleration.x - 4.0).abs() < 1e-12);
/// assert_eq!(bead.potential_energy(0.0, &q), -2000.0);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `System` by itself",
    label = "this cannot run as it is",
    note = "for a system with inputs, use `.with_inputs(…)` for constant inputs, or `.controlled_by(|t, q, v| …)`",
    note = "for a constraint, use `Particle::new(mass).on(constraint)`; for a curve, `.along(curve)`",
    note = "for `Dynamics` written by hand, add `impl Unconstrained`, or `impl System` if there are constraints"
)]
pub trait System<T: Real>: Dynamics<T> {
    /// One number for each constraint row.
    type Rows: Vector<Scalar = T>;

    /// J: one row for each constraint row, one column for each velocity.
    type Jacobian: Index<(usize, usize), Output = T>;

    /// λ by the names of the rows; the flat vector if there are no names.
    type Multipliers: From<Self::Rows>;

    /// True if [`projected_motion`](Self::projected_motion) costs less than its parts and depends only on t, q and v:
    /// then the end of a projected step calls it, and the next step already has its first v̇.
    const PROJECTS_MOTION: bool = false;

    /// λ with (J W Jᵀ) λ = −β − J W f.
    ///
    /// # Errors
    /// As [`acceleration`](Dynamics::acceleration).
    fn multipliers(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::Rows, Error>;

    /// v̇ and λ, which are solved for together: M v̇ = h + Jᵀ λ, J v̇ = −β.
    ///
    /// The results of [`acceleration`](Dynamics::acceleration) and [`multipliers`](Self::multipliers) for the price
    /// of one: once v̇ is known, λ costs a multiplication per row in generated systems, and nothing if M is that of a
    /// unit mass. The default makes the two calls.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     struct Pendulum { m: Real = 2, l: Real = 1, g: Real = 10 }
    ///     particle bob: Point2 { mass: m }
    ///     constraint rod: norm(bob) == l;
    ///     potential m*g*bob.y;
    /// }
    /// // Through the lowest point with speed 3: v²/l up, and the rod pulls with m (g + v²/l).
    /// let (q, v) = (Vector2::new(0.0, -1.0), Vector2::new(3.0, 0.0));
    /// let (a, lambda) = Pendulum::default().acceleration_and_multipliers(0.0, &q, &v)?;
    /// assert_eq!(a, Vector2::new(0.0, 9.0));
    /// assert_eq!(lambda[0], -38.0);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`acceleration`](Dynamics::acceleration).
    fn acceleration_and_multipliers(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
    ) -> Result<(Self::V, Self::Rows), Error> {
        Ok((self.acceleration(t, q, v)?, self.multipliers(t, q, v)?))
    }

    /// [`acceleration_and_multipliers`](Self::acceleration_and_multipliers), written to `acceleration` and
    /// `multipliers`, as [`write_acceleration`](Dynamics::write_acceleration) does; `room` holds
    /// [`ROOM`](Dynamics::ROOM) numbers.
    ///
    /// Systems in loops compute both in the places given, without zeros and copies: a chain of 64 beads takes an eighth
    /// less time. They allocate nothing, however large.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     struct Pendulum { m: Real = 2, l: Real = 1, g: Real = 10 }
    ///     particle bob: Point2 { mass: m }
    ///     constraint rod: norm(bob) == l;
    ///     potential m*g*bob.y;
    /// }
    /// // Through the lowest point with speed 3: v²/l up, and the rod pulls with m (g + v²/l).
    /// let (q, v) = (Vector2::new(0.0, -1.0), Vector2::new(3.0, 0.0));
    /// let (mut a, mut lambda) = (Vector2::zeros(), SVector::<f64, 1>::zeros());
    /// Pendulum::default().write_acceleration_and_multipliers(0.0, &q, &v, &mut [], &mut a, &mut lambda)?;
    /// assert_eq!(a, Vector2::new(0.0, 9.0));
    /// assert_eq!(lambda[0], -38.0);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`acceleration`](Dynamics::acceleration); both places then hold nothing useful.
    fn write_acceleration_and_multipliers(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
        _room: &mut [T],
        acceleration: &mut Self::V,
        multipliers: &mut Self::Rows,
    ) -> Result<(), Error> {
        let (a, lambda) = self.acceleration_and_multipliers(t, q, v)?;
        acceleration.assign(&a);
        multipliers.assign(&lambda);
        Ok(())
    }

    /// Jᵀ λ.
    ///
    /// # Errors
    /// As [`acceleration`](Dynamics::acceleration).
    fn constraint_force(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::V, Error>;

    /// C(q, t).
    fn constraint(&self, t: T, q: &Self::Q) -> Self::Rows;

    /// Ċ = J v + ∂C/∂t.
    fn constraint_rate(&self, t: T, q: &Self::Q, v: &Self::V) -> Self::Rows;

    /// J = ∂Ċ/∂v.
    fn jacobian(&self, t: T, q: &Self::Q) -> Self::Jacobian;

    /// β = C̈ − J v̇.
    fn bias(&self, t: T, q: &Self::Q, v: &Self::V) -> Self::Rows;

    /// W Jᵀ (J W Jᵀ)⁻¹ b: the smallest change of velocity, weighted by mass, that changes Ċ by `b`.
    ///
    /// Projection applies it to −C and −Ċ, Baumgarte feedback to its correction of C̈.
    ///
    /// # Errors
    /// [`Error::Singular`] when the constraint rows are dependent at this state.
    fn correction(&self, t: T, q: &Self::Q, b: &Self::Rows) -> Result<Self::V, Error>;

    /// The velocities nearest to `v` with Ċ = 0, and v̇ there: v′ = v − W Jᵀ (J W Jᵀ)⁻¹ Ċ.
    ///
    /// Equivalent to subtracting the [`correction`](Self::correction) of [Ċ](Self::constraint_rate) from `v` and
    /// computing [`acceleration`](Dynamics::acceleration) at v′. Both need J W Jᵀ: generated systems factor it once,
    /// except those with inputs, which may depend on v′. The default makes the three calls.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     struct Pendulum { m: Real = 2, l: Real = 1, g: Real = 10 }
    ///     particle bob: Point2 { mass: m }
    ///     constraint rod: norm(bob) == l;
    ///     potential m*g*bob.y;
    /// }
    /// // The rod stops the speed along it; v²/l up remains.
    /// let (q, v) = (Vector2::new(0.0, -1.0), Vector2::new(3.0, 0.5));
    /// let (v, a) = Pendulum::default().projected_motion(0.0, &q, &v)?;
    /// assert_eq!(v, Vector2::new(3.0, 0.0));
    /// assert_eq!(a, Vector2::new(0.0, 9.0));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`acceleration`](Dynamics::acceleration).
    fn projected_motion(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
    ) -> Result<(Self::V, Self::V), Error> {
        let change = self.correction(t, q, &self.constraint_rate(t, q, v))?;
        let projected = v.like(|i| v[i] - change[i]);
        let acceleration = self.acceleration(t, q, &projected)?;
        Ok((projected, acceleration))
    }

    /// Calls `entry` with the matrix, row, column and value of each entry of the linearised equations, as
    /// [`Descriptor::descriptor`](crate::Descriptor::descriptor) does, which generated systems call. Implicit methods
    /// use it if [`SPARSE`](Dynamics::SPARSE) is set.
    ///
    /// The default reports no entries.
    #[allow(clippy::too_many_arguments)] // A state, what it moves with, and who takes the entries.
    fn write_descriptor(
        &self,
        _t: T,
        _q: &Self::Q,
        _v: &Self::V,
        _a: &Self::V,
        _lambda: &Self::Rows,
        _entry: &mut impl FnMut(DescriptorMatrix, usize, usize, T),
    ) {
    }

    /// [`constraint`](Self::constraint), written to `out`, as
    /// [`write_acceleration`](Dynamics::write_acceleration) does.
    fn write_constraint(&self, t: T, q: &Self::Q, out: &mut Self::Rows) {
        out.assign(&self.constraint(t, q));
    }

    /// [`constraint_rate`](Self::constraint_rate), written to `out`.
    fn write_constraint_rate(&self, t: T, q: &Self::Q, v: &Self::V, out: &mut Self::Rows) {
        out.assign(&self.constraint_rate(t, q, v));
    }

    /// [`row_sizes`](Self::row_sizes), written to `out`.
    fn write_row_sizes(&self, t: T, q: &Self::Q, out: &mut Self::Rows) {
        out.assign(&self.row_sizes(t, q));
    }

    /// [`correction`](Self::correction), written to `out`; `room` holds [`ROOM`](Dynamics::ROOM) numbers.
    ///
    /// # Errors
    /// As [`correction`](Self::correction).
    fn write_correction(
        &self,
        t: T,
        q: &Self::Q,
        b: &Self::Rows,
        _room: &mut [T],
        out: &mut Self::V,
    ) -> Result<(), Error> {
        out.assign(&self.correction(t, q, b)?);
        Ok(())
    }

    /// W f: v̇ without the constraints.
    ///
    /// The default derives M from [`kinetic_energy`](Dynamics::kinetic_energy); generated systems override it if they
    /// have constraints.
    ///
    /// # Errors
    /// As [`acceleration`](Dynamics::acceleration).
    fn free_acceleration(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::V, Error> {
        let mut free = self.acceleration(t, q, v)?;
        let mut held = self.constraint_force(t, q, v)?;
        MassMatrix::of(self, t, q, v)?.solve(held.entries_mut());
        free.update(|i, a| a - held[i]);
        Ok(free)
    }

    /// M a − h: the force that must be applied in addition, leaving the constraints out, for the acceleration `a`.
    ///
    /// Since M v̇ = h + Jᵀ λ, it is Jᵀ λ at a = v̇, which is zero without constraints; at another a, it is the force
    /// that motors must supply if the motion is free. h contains the applied forces: forces, −∂V/∂q, dissipation and
    /// inputs, and the inertial terms of the motion itself, such as −ω×(I ω) of bodies.
    ///
    /// - Units and sign: those of h, one entry for each velocity; power is its product with v.
    /// - Cost: in generated systems that of M and h, without solving any equations; proportional to the length of a
    ///   chain. The default computes M (a − v̇) + Jᵀ λ.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     struct Arm { m: Real = 2, l: Real = 0.5, g: Real = 10 }
    ///     coordinate angle;
    ///     particle hand = [l*cos(angle), l*sin(angle)] { mass: m }
    ///     potential m*g*hand.y;
    /// }
    /// let (arm, q, v) = (Arm::<f64>::default(), [0.0].into(), [3.0].into());
    /// // The torque that holds the arm level, and the one that swings it up with 4 rad/s²: m l² 4 more.
    /// assert_eq!(arm.inverse_dynamics(0.0, &q, &v, &[0.0].into())?[0], 10.0);
    /// assert_eq!(arm.inverse_dynamics(0.0, &q, &v, &[4.0].into())?[0], 12.0);
    /// // The weight alone turns it by h = −m g l.
    /// assert_eq!(arm.applied(0.0, &q, &v)?[0], -10.0);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`acceleration`](Dynamics::acceleration); none in generated systems.
    fn inverse_dynamics(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
        a: &Self::V,
    ) -> Result<Self::V, Error> {
        let mut missing = self.unconstrained_inverse_dynamics(t, q, v, a)?;
        let held = self.constraint_force(t, q, v)?;
        missing.update(|i, x| x + held[i]);
        Ok(missing)
    }

    /// g of M a − h = M a + c + g: the force that holds the system still, leaving the constraints out, ∂V/∂q with gravity and
    /// springs. Equal to [`inverse_dynamics`](Self::inverse_dynamics) at v = 0 and a = 0.
    ///
    /// Inputs and other forces count with the opposite sign: set the inputs to 0 for gravity alone.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     struct Arm { m: Real = 2, l: Real = 0.5, g: Real = 10 }
    ///     coordinate angle;
    ///     particle hand = [l*cos(angle), l*sin(angle)] { mass: m }
    ///     gravity [0, -g];
    /// }
    /// assert_eq!(Arm::<f64>::default().gravity(0.0, &[0.0].into())?[0], 10.0); // m g l
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`inverse_dynamics`](Self::inverse_dynamics).
    fn gravity(&self, t: T, q: &Self::Q) -> Result<Self::V, Error> {
        let still = Self::V::blank();
        self.inverse_dynamics(t, q, &still, &still)
    }

    /// c of M a − h = M a + c + g: the Coriolis and centrifugal forces with the opposite sign, of second degree in v.
    ///
    /// It is the part of [`inverse_dynamics`](Self::inverse_dynamics) at a = 0 that is even in v and vanishes at v = 0:
    /// friction and damping, which change their sign with v, are left out.
    ///
    /// - Cost: three evaluations of the inverse dynamics.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     /// A bead slides outwards on a spoke with friction.
    ///     struct Wheel { m: Real = 2, c: Real = 7 }
    ///     coordinate turn, r;
    ///     particle bead = r*[cos(turn), sin(turn)] { mass: m }
    ///     dissipation c/2*velocity(r)^2;
    /// }
    /// // 2 m r ṙ φ̇ about the axis, −m r φ̇² outwards.
    /// let c = Wheel::<f64>::default().coriolis(0.0, &Vector2::new(0.3, 0.5), &Vector2::new(3.0, -1.0))?;
    /// assert!((c - Vector2::new(-6.0, -9.0)).norm() < 1e-14);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`inverse_dynamics`](Self::inverse_dynamics).
    fn coriolis(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::V, Error> {
        let still = v.zeros_like();
        let mut opposite = v.clone();
        opposite.update(|_, x| -x);
        let back = self.inverse_dynamics(t, q, &opposite, &still)?;
        let rest = self.inverse_dynamics(t, q, &still, &still)?;
        let mut even = self.inverse_dynamics(t, q, v, &still)?;
        even.update(|i, x| (x + back[i]) * T::lit(0.5) - rest[i]);
        Ok(even)
    }

    /// h of M v̇ = h + Jᵀ λ: the applied forces, including the inertial terms of the motion itself. Equal to minus
    /// [`inverse_dynamics`](Self::inverse_dynamics) at a = 0.
    ///
    /// # Errors
    /// As [`inverse_dynamics`](Self::inverse_dynamics).
    fn applied(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::V, Error> {
        let mut applied = self.inverse_dynamics(t, q, v, &v.zeros_like())?;
        applied.update(|_, x| -x);
        Ok(applied)
    }

    /// The residual of the equations of motion for y = (q, v, λ) and ẏ, packed one after the other: zero along a
    /// motion. Solvers of differential-algebraic equations need it.
    ///
    /// ```text
    /// r = (q̇ − N(q) v,  M v̇ − h − Jᵀ λ,  Ċ)
    /// ```
    ///
    /// - Index: 2. The third part is Ċ and not C, which is of index 3 and loses half of the digits of λ in most
    ///   solvers; C then drifts with the solver's error, and a start must have C = 0 and Ċ = 0, as
    ///   [`make_consistent`](crate::make_consistent) ensures.
    /// - λ̇ is not read: λ has no error of its own to control.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     struct Pendulum { m: Real = 2, l: Real = 1, g: Real = 10 }
    ///     particle bob: Point2 { mass: m }
    ///     constraint rod: norm(bob) == l;
    ///     gravity [0, -g];
    /// }
    /// // Through the lowest point with speed 3: v²/l up, and the rod pulls with m (g + v²/l).
    /// let y = [0.0, -1.0, 3.0, 0.0, -38.0];
    /// let mut r = [1.0; 5];
    /// Pendulum::default().residual(0.0, &y, &[3.0, 0.0, 0.0, 9.0, 0.0], &mut r)?;
    /// assert_eq!(r, [0.0; 5]);
    /// // Without λ it would fall: M v̇ − h = m (v̇ + g).
    /// Pendulum::default().residual(0.0, &[0.0, -1.0, 3.0, 0.0, 0.0], &[3.0, 0.0, 0.0, 9.0, 0.0], &mut r)?;
    /// assert_eq!(r, [0.0, 0.0, 0.0, 38.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`inverse_dynamics`](Self::inverse_dynamics).
    fn residual(&self, t: T, y: &[T], rates: &[T], r: &mut [T]) -> Result<(), Error> {
        let (places, velocities) = const { (size::<Self::Q>(), size::<Self::V>()) };
        let (mut q, mut v) = (Self::Q::blank(), Self::V::blank());
        let mut acceleration = Self::V::blank();
        let (place, rest) = y.split_at(places);
        let (velocity, multipliers) = rest.split_at(velocities);
        q.entries_mut().copy_from_slice(place);
        v.entries_mut().copy_from_slice(velocity);
        let (moving, rates) = rates.split_at(places);
        acceleration
            .entries_mut()
            .copy_from_slice(&rates[..velocities]);

        let (kinematic, rest) = r.split_at_mut(places);
        let (dynamic, held) = rest.split_at_mut(velocities);
        let expected = self.kinematics(t, &q, &v);
        for (i, r) in kinematic.iter_mut().enumerate() {
            *r = moving[i] - expected[i];
        }
        // M v̇ − h
        let missing = self.inverse_dynamics(t, &q, &v, &acceleration)?;
        let jacobian = self.jacobian(t, &q);
        for (k, r) in dynamic.iter_mut().enumerate() {
            let rows = multipliers.iter().enumerate();
            let force = rows.fold(T::zero(), |sum, (i, &lambda)| {
                sum + jacobian[(i, k)] * lambda
            });
            *r = missing[k] - force;
        }
        held.copy_from_slice(self.constraint_rate(t, &q, &v).entries());
        Ok(())
    }

    /// Adds J and W Jᵀ of all rows to `rows`, for [`SequentialImpulses`](crate::SequentialImpulses).
    ///
    /// The default uses [`jacobian`](Self::jacobian) and [`kinetic_energy`](Dynamics::kinetic_energy), each row a
    /// block of its own; generated systems override it. Systems whose types do not fix their sizes must override it.
    ///
    /// # Errors
    /// [`Error::Singular`] when M is not positive definite at this state.
    fn impulse_rows(&self, t: T, q: &Self::Q, rows: &mut ImpulseRows<T>) -> Result<(), Error> {
        let velocities = const { size::<Self::V>() };
        let mass = MassMatrix::of(self, t, q, &Self::V::blank())?;
        let all: Vec<usize> = (0..velocities).collect();
        let jacobian = self.jacobian(t, q);
        for i in 0..const { size::<Self::Rows>() } {
            let row: Vec<T> = all.iter().map(|&k| jacobian[(i, k)]).collect();
            let mut weighted = row.clone();
            mass.solve(&mut weighted);
            rows.push(&all, &row, &weighted);
        }
        Ok(())
    }

    /// Σᵢ |Jᵢ qᵢ| of each row: the size of the terms of C, so that the rounding of C is about ε times that.
    ///
    /// Angles that q does not contain, such as the rotation of a body, count as one radian. Each row is measured in
    /// its own unit, independent of the coordinates' units.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// constraint! { struct Level; |p: Point2| 3*p.y == 12 }
    /// let bead = Particle::new(1.0_f64).on(Level);
    /// assert_eq!(bead.row_sizes(0.0, &Vector2::new(5.0, 4.0))[0], 12.0);
    /// ```
    ///
    /// The default uses [`jacobian`](Self::jacobian) and [`kinematics`](Dynamics::kinematics). A large system should
    /// override it: M × V numbers, most of them zero, do not belong on the stack. A system whose types do not fix its
    /// sizes must override it. An estimate within a small factor is good enough.
    fn row_sizes(&self, t: T, q: &Self::Q) -> Self::Rows {
        let (jacobian, reach) = (self.jacobian(t, q), reach(self, t, q));
        Self::Rows::blank().like(|i| {
            let parts = (0..const { size::<Self::V>() }).map(|k| jacobian[(i, k)] * reach[k]);
            parts.fold(T::zero(), |sum, x| sum + x.simd_abs())
        })
    }

    /// Name of a constraint row, for messages.
    fn row_name(&self, _row: usize) -> Option<&'static str> {
        None
    }

    /// A constraint row as messages show it: with its [name](Self::row_name), and in a `World` with its joint.
    fn describe_row(&self, row: usize) -> Row {
        Row {
            name: self.row_name(row),
            ..row.into()
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Real, S: Dynamics<T> + Unconstrained> System<T> for S {
    type Rows = SVector<T, 0>;
    type Jacobian = SMatrix<T, 0, 0>;
    type Multipliers = Self::Rows;

    fn multipliers(&self, _t: T, _q: &S::Q, _v: &S::V) -> Result<Self::Rows, Error> {
        Ok(SVector::zeros())
    }

    fn constraint_force(&self, _t: T, _q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        Ok(v.zeros_like())
    }

    fn constraint(&self, _t: T, _q: &S::Q) -> Self::Rows {
        SVector::zeros()
    }

    fn constraint_rate(&self, _t: T, _q: &S::Q, _v: &S::V) -> Self::Rows {
        SVector::zeros()
    }

    fn jacobian(&self, _t: T, _q: &S::Q) -> Self::Jacobian {
        SMatrix::zeros()
    }

    fn bias(&self, _t: T, _q: &S::Q, _v: &S::V) -> Self::Rows {
        SVector::zeros()
    }

    /// No change, of a length that only the velocities have: nothing calls it.
    fn correction(&self, _t: T, _q: &S::Q, _b: &Self::Rows) -> Result<S::V, Error> {
        Ok(S::V::blank())
    }

    fn projected_motion(&self, t: T, q: &S::Q, v: &S::V) -> Result<(S::V, S::V), Error> {
        Ok((v.clone(), self.acceleration(t, q, v)?))
    }

    fn free_acceleration(&self, t: T, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        self.acceleration(t, q, v)
    }

    fn write_descriptor(
        &self,
        t: T,
        q: &S::Q,
        v: &S::V,
        a: &S::V,
        _lambda: &Self::Rows,
        entry: &mut impl FnMut(DescriptorMatrix, usize, usize, T),
    ) {
        self.write_unconstrained_descriptor(t, q, v, a, entry);
    }

    fn inverse_dynamics(&self, t: T, q: &S::Q, v: &S::V, a: &S::V) -> Result<S::V, Error> {
        self.unconstrained_inverse_dynamics(t, q, v, a)
    }

    fn impulse_rows(&self, _t: T, _q: &S::Q, _rows: &mut ImpulseRows<T>) -> Result<(), Error> {
        Ok(())
    }

    fn row_sizes(&self, _t: T, _q: &S::Q) -> Self::Rows {
        SVector::zeros()
    }
}

/// The number of entries of vectors whose type fixes it.
const fn size<X: Vector>() -> usize {
    match X::LEN {
        Some(size) => size,
        None => panic!("what is given by default needs sizes that types say: override it"),
    }
}

/// True if vectors of both types may have the same number of entries.
const fn are_as_many<X: Vector, Y: Vector>() -> bool {
    match (X::LEN, Y::LEN) {
        (Some(x), Some(y)) => x == y,
        _ => true,
    }
}

/// The coordinates as velocities see them: q if there are equally many, otherwise the largest coordinate that each
/// velocity moves, divided by its speed.
pub(crate) fn reach<T: Real, S: System<T> + ?Sized>(system: &S, t: T, q: &S::Q) -> S::V {
    let rest = S::V::blank();
    if const { size::<S::V>() } == q.entries().len() {
        return rest.like(|i| q[i]);
    }
    rest.like(|i| {
        let moved = system.kinematics(t, q, &unit(&rest, i));
        let moved = moved.like(|k| moved[k].simd_abs());
        let zero = T::zero();
        let touched = q.like(|k| q[k].simd_abs().select(moved[k].simd_gt(zero), zero));
        let (most, fastest) = (largest(&touched), largest(&moved));
        (most / fastest).select(fastest.simd_gt(zero), zero)
    })
}

/// One in the entry `i`, zero in the others.
fn unit<X: Vector>(like: &X, i: usize) -> X {
    let mut unit = like.zeros_like();
    unit[i] = Real::lit(1.0);
    unit
}

/// M, factored.
pub(crate) struct MassMatrix<T> {
    factors: Vec<T>,
    d_inv: Vec<T>,
}

impl<T: Real> MassMatrix<T> {
    /// M = ∂²T/∂v²: T is of second degree in v.
    fn of<S: System<T> + ?Sized>(system: &S, t: T, q: &S::Q, v: &S::V) -> Result<Self, Error> {
        let n = v.entries().len();
        let energy = |v: &S::V| system.kinetic_energy(t, q, v);
        let rest = energy(&v.zeros_like());
        let alone: Vec<T> = (0..n).map(|i| energy(&unit(v, i)) - rest).collect();
        let mut factors = vec![T::zero(); n * n];
        for i in 0..n {
            for k in 0..=i {
                let mut both = unit(v, i);
                both[k] += T::one();
                factors[i * n + k] = energy(&both) - rest - alone[i] - alone[k];
            }
        }
        Self::factored(factors, n, S::Rows::LEN.unwrap_or(0))
    }

    /// Factors M, whose rows are counted after those of the constraints.
    pub(crate) fn factored(mut factors: Vec<T>, n: usize, rows: usize) -> Result<Self, Error> {
        let diagonal: Vec<T> = (0..n).map(|i| factors[i * n + i]).collect();
        let mut d_inv = diagonal.clone();
        factor_dense(&mut factors, &mut d_inv, &diagonal, rows)?;
        Ok(Self { factors, d_inv })
    }

    /// Replaces b by M⁻¹ b.
    pub(crate) fn solve(&self, b: &mut [T]) {
        substitute(&self.factors, b);
        scale(b, &self.d_inv);
        substitute_transposed(&self.factors, b);
    }
}
