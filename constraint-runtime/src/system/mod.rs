//! The traits of everything that moves, as integrators, stabilisation and meters use them.
//!
//! [`Dynamics`] describes the motion, [`Constrained`] the constraint rows, including those that impulses act through;
//! [`System`] marks those that a `Simulation` runs; [`Properties`] is what a system knows of itself.

mod dynamics;
mod mass_matrix;
mod properties;
mod unconstrained;

pub use dynamics::Dynamics;
pub(crate) use mass_matrix::{MassMatrix, unit};
pub use properties::Properties;
pub use unconstrained::{Unconstrained, WithoutRows};

use alloc::vec::Vec;
use core::ops::Index;

use crate::allowance::reach;
use crate::checks::{defined, undefined};
use crate::derivatives::DescriptorMatrix;
use crate::error::{Error, Row};
use crate::impulse::ImpulseRows;
use crate::real::Real;
use crate::vector::Vector;

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
    message = "`{Self}` has no constraint rows by itself",
    label = "this is no system",
    note = "for a system with inputs, use `.with_inputs(…)` for constant inputs, or `.controlled_by(|t, q, v| …)`",
    note = "for a constraint, use `Particle::new(mass).on(constraint)`; for a curve, `.along(curve)`",
    note = "for `Dynamics` written by hand, add `impl Unconstrained`, or `impl Constrained` if there are constraints"
)]
pub trait Constrained<T: Real>: Dynamics<T> {
    /// One number for each constraint row.
    type Rows: Vector<Scalar = T>;

    /// J: one row for each constraint row, one column for each velocity.
    type Jacobian: Index<(usize, usize), Output = T>;

    /// λ by the names of the rows; the flat vector if there are no names.
    type Multipliers: From<Self::Rows>;

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
    /// [`room`](Properties::room) numbers.
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
    /// use it if [`sparse`](Properties::sparse) is set.
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

    /// [`correction`](Self::correction), written to `out`; `room` holds [`room`](Properties::room) numbers.
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
        let checked = defined(&*r, undefined(self, t, &q, &v));
        checked.map(|_| ())
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
        let (jacobian, rest) = (self.jacobian(t, q), Self::V::blank());
        let reach = reach(self, t, q, &rest);
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

/// A system that a [`Simulation`](crate::Simulation) runs: its v̇ contains all that moves it.
///
/// Systems with constraints of one side, friction on equations or motors are [`Constrained`] and no `System`, because
/// v̇ does not contain impacts and contact forces: a [`ContactSimulation`](crate::ContactSimulation) runs them.
/// A system by hand implements [`Constrained`], and this trait without a body.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `System` by itself",
    label = "this cannot run as it is",
    note = "for a system with constraints of one side, friction on equations or motors, use `ContactSimulation::new`",
    note = "for a system with inputs, use `.with_inputs(…)` for constant inputs, or `.controlled_by(|t, q, v| …)`",
    note = "for a constraint, use `Particle::new(mass).on(constraint)`; for a curve, `.along(curve)`",
    note = "for `Dynamics` written by hand, add `impl Unconstrained`, or `impl Constrained` and `impl System` if there are constraints"
)]
pub trait System<T: Real>: Constrained<T> {}
