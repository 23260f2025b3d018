//! The trait of everything that moves: what integrators, stabilisation and meters ask of a system.

use nalgebra::{SMatrix, SVector};

use crate::error::{Error, Names, Quantity, Singular};
use crate::impulse::ImpulseRows;
use crate::ldlt::Ldlt;
use crate::own_frames::{OwnFrames, To, turned};
use crate::real::{Real, largest};

/// Equations of motion of `Q` coordinates and `V` velocities under `M` constraint rows.
///
/// M v̇ = f + Jᵀ λ with C(q, t) = 0, and q̇ = N(q) v. Implemented by
/// [`Particle::on`](crate::Particle::on) and by generated systems; an implementation by hand
/// serves for anything else.
///
/// - Units: those of the system's own quantities; λ is energy per unit of C.
/// - Sign: +λ pushes along +∇C.
/// - Cost: no method allocates.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// # mod by_hand { include!("../tests/common/parabola.rs"); } use by_hand::Parabola;
/// let bead = Particle::new(2.0_f64).on(Parabola).under_gravity([0.0, -10.0]);
/// let (q, v) = (Vector2::new(100.0, -100.0), Vector2::zeros());
/// let acceleration = bead.acceleration(0.0, &q, &v)?;
/// // The slope there is −2: the bead slides with g sin θ cos θ along x.
/// assert!((acceleration.x - 4.0).abs() < 1e-12);
/// assert_eq!(bead.potential_energy(0.0, &q), -2000.0);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `System` by itself",
    label = "this cannot run as it is",
    note = "a system with inputs becomes one by `.with_inputs(…)`, which holds them, or by `.controlled_by(|t, q, v| …)`",
    note = "a constraint becomes one as `Particle::new(mass).on(constraint)`, a curve as `.along(curve)`"
)]
pub trait System<T: Real, const Q: usize, const V: usize, const M: usize> {
    /// Coordinates by name; the flat vector where there are no names.
    type Coordinates: From<SVector<T, Q>>;

    /// Velocities by name; the flat vector where there are no names.
    type Velocities: From<SVector<T, V>>;

    /// The bodies whose ω the stages of a step carry in the bodies' own frames: those whose moments differ.
    ///
    /// Every method but [`own_slope`](Self::own_slope) takes and gives velocities of the world.
    const OWN_FRAMES: &'static [OwnFrames] = &[];

    /// v̇ with the constraints enforced.
    ///
    /// # Errors
    /// [`Error::Singular`] when the constraint rows are dependent at this state,
    /// [`Error::NonFinite`] when the external force is not finite.
    fn acceleration(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, V>, Error>;

    /// λ with (J W Jᵀ) λ = −β − J W f.
    ///
    /// # Errors
    /// As [`acceleration`](Self::acceleration).
    fn multipliers(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, M>, Error>;

    /// Jᵀ λ.
    ///
    /// # Errors
    /// As [`acceleration`](Self::acceleration).
    fn constraint_force(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, V>, Error>;

    /// C(q, t).
    fn constraint(&self, t: T, q: &SVector<T, Q>) -> SVector<T, M>;

    /// Ċ = J v + ∂C/∂t.
    fn constraint_rate(&self, t: T, q: &SVector<T, Q>, v: &SVector<T, V>) -> SVector<T, M>;

    /// J = ∂Ċ/∂v.
    fn jacobian(&self, t: T, q: &SVector<T, Q>) -> SMatrix<T, M, V>;

    /// β = C̈ − J v̇.
    fn bias(&self, t: T, q: &SVector<T, Q>, v: &SVector<T, V>) -> SVector<T, M>;

    /// W Jᵀ (J W Jᵀ)⁻¹ b: the mass-weighted least change of velocity that changes Ċ by `b`.
    ///
    /// Projection applies it to −C and −Ċ, Baumgarte feedback to its correction of C̈.
    ///
    /// # Errors
    /// [`Error::Singular`] when the constraint rows are dependent at this state.
    fn correction(
        &self,
        t: T,
        q: &SVector<T, Q>,
        b: &SVector<T, M>,
    ) -> Result<SVector<T, V>, Error>;

    /// W f: v̇ if no constraint held.
    ///
    /// Through [`kinetic_energy`](Self::kinetic_energy), which tells M, unless overridden; generated systems
    /// override it where they have constraints.
    ///
    /// # Errors
    /// As [`acceleration`](Self::acceleration).
    fn free_acceleration(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, V>, Error> {
        let acceleration = self.acceleration(t, q, v)?;
        if M == 0 {
            return Ok(acceleration);
        }
        let held = mass_matrix(self, t, q)?.solve(self.constraint_force(t, q, v)?);
        Ok(acceleration - held)
    }

    /// Adds J and W Jᵀ of all rows to `rows`, for [`SequentialImpulses`](crate::SequentialImpulses).
    ///
    /// Through [`jacobian`](Self::jacobian) and [`kinetic_energy`](Self::kinetic_energy), each row a block of its
    /// own, unless overridden; generated systems override it, unless they are solved in loops.
    ///
    /// # Errors
    /// [`Error::Singular`] when M is not positive definite at this state.
    fn impulse_rows(
        &self,
        t: T,
        q: &SVector<T, Q>,
        rows: &mut ImpulseRows<T>,
    ) -> Result<(), Error> {
        let mass = mass_matrix(self, t, q)?;
        let all: [usize; V] = core::array::from_fn(|i| i);
        for row in self.jacobian(t, q).row_iter() {
            let row = row.transpose();
            rows.push(&all, row.as_slice(), mass.solve(row).as_slice());
        }
        Ok(())
    }

    /// Kinetic energy.
    fn kinetic_energy(&self, t: T, q: &SVector<T, Q>, v: &SVector<T, V>) -> T;

    /// Potential energy of the forces that have one; zero for the others.
    fn potential_energy(&self, t: T, q: &SVector<T, Q>) -> T;

    /// q̇ = N(q) v, linear in `v`; v itself unless overridden, which needs Q = V.
    #[inline]
    fn kinematics(&self, _t: T, _q: &SVector<T, Q>, v: &SVector<T, V>) -> SVector<T, Q> {
        const { assert!(Q == V, "q̇ = v needs as many coordinates as velocities") };
        SVector::from_fn(|i, _| v[i])
    }

    /// q̇ and v̇ where, of [`OWN_FRAMES`](Self::OWN_FRAMES), Rᵀω stands for ω and Rᵀω̇ for ω̇.
    ///
    /// By [`kinematics`](Self::kinematics) and [`acceleration`](Self::acceleration) unless overridden.
    ///
    /// # Errors
    /// As [`acceleration`](Self::acceleration).
    #[inline(always)]
    fn own_slope(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<(SVector<T, Q>, SVector<T, V>), Error> {
        let v = turned(Self::OWN_FRAMES, q, v, To::World);
        let acceleration = self.acceleration(t, q, &v)?;
        let own = turned(Self::OWN_FRAMES, q, &acceleration, To::Own);
        Ok((self.kinematics(t, q, &v), own))
    }

    /// Σᵢ |Jᵢ qᵢ| of each row: what C is made of, so that its rounding is of the size of ε times that.
    ///
    /// Angles that q does not hold, as the turns of a body, count as one radian. Each row is measured in its own
    /// unit, whatever those of the coordinates are.
    ///
    /// Through [`jacobian`](Self::jacobian) and [`kinematics`](Self::kinematics) unless overridden. A large system
    /// should override it: M × V numbers of which most are zero do not belong on the stack. An estimate that is
    /// right to a small factor serves.
    fn row_sizes(&self, t: T, q: &SVector<T, Q>) -> SVector<T, M> {
        let (jacobian, reach) = (self.jacobian(t, q), reach(self, t, q));
        SVector::from_fn(|i, _| {
            let parts = jacobian.row(i).transpose().component_mul(&reach);
            parts.iter().fold(T::zero(), |sum, x| sum + x.simd_abs())
        })
    }

    /// Restores what coordinates are among themselves, such as the length of a unit quaternion.
    ///
    /// [`Simulation`](crate::Simulation) calls it at the end of each step and during projection.
    /// Nothing is done unless overridden.
    #[inline]
    fn normalize(&self, _q: &mut SVector<T, Q>) {}

    /// Name of a constraint row, for messages.
    fn row_name(&self, _row: usize) -> Option<&'static str> {
        None
    }

    /// The names of the coordinates or of the velocities, for messages.
    fn names(&self, _quantity: Quantity) -> Option<&'static [Names]> {
        None
    }

    /// Whether the system exists at these coordinates; asked of the start and after every step.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] where it does not, as beyond the end of a curve.
    #[inline]
    fn admits(&self, _t: T, _q: &SVector<T, Q>) -> Result<(), Error> {
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

/// The coordinates as velocities see them: q where Q = V, else the largest of those that each velocity moves, over
/// how fast it does.
fn reach<T, S, const Q: usize, const V: usize, const M: usize>(
    system: &S,
    t: T,
    q: &SVector<T, Q>,
) -> SVector<T, V>
where
    T: Real,
    S: System<T, Q, V, M> + ?Sized,
{
    if Q == V {
        return SVector::from_fn(|i, _| q[i]);
    }
    SVector::from_fn(|i, _| {
        let unit = SVector::from_fn(|k, _| if k == i { T::one() } else { T::zero() });
        let moved = system.kinematics(t, q, &unit).map(|x| x.simd_abs());
        let zero = T::zero();
        let touched = q.zip_map(&moved, |q, moved| {
            q.simd_abs().select(moved.simd_gt(zero), zero)
        });
        let (most, fastest) = (largest(&touched), largest(&moved));
        (most / fastest).select(fastest.simd_gt(zero), zero)
    })
}

/// M = ∂²T/∂v², factored: T is of second degree in v. Its rows are counted after the constraints.
fn mass_matrix<T, S, const Q: usize, const V: usize, const M: usize>(
    system: &S,
    t: T,
    q: &SVector<T, Q>,
) -> Result<Ldlt<T, V>, Error>
where
    T: Real,
    S: System<T, Q, V, M> + ?Sized,
{
    let energy = |v: SVector<T, V>| system.kinetic_energy(t, q, &v);
    let unit = |i: usize| SVector::from_fn(|k, _| if k == i { T::one() } else { T::zero() });
    let rest = energy(SVector::zeros());
    let alone: [T; V] = core::array::from_fn(|i| energy(unit(i)) - rest);
    let mass = SMatrix::from_fn(|i, k| energy(unit(i) + unit(k)) - rest - alone[i] - alone[k]);
    let factored = Ldlt::new(mass);
    Ok(factored.map_err(|Singular { row, pivot }| Singular {
        row: M + row,
        pivot,
    })?)
}
