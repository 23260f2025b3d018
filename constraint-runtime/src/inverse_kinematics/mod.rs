//! Inverse kinematics: coordinates at which outputs have given values.

mod bounded;
mod limits;
mod search;

use nalgebra::{ComplexField, DMatrix, DVector, SMatrix, SVector};

pub use self::limits::CoordinateLimits;
use self::search::{Found, Task};
use crate::checks::check_finite;
use crate::error::{Error, Quantity};
use crate::real::first_non_finite;
use crate::system::Dynamics;
use crate::task_space::{InTaskSpace, TaskSpace, check_jacobian};
use crate::vector::Vector;

/// Moves `q` to a place where chosen outputs have the values `target`, within limits and on the constraints.
///
/// ```text
/// min |y* − y(q)|²    C(q, t) = 0, lower ≤ q ≤ upper
/// step δ = Z x:       min |y* − y − J Z x|² + μ |x|²    with the limits as bounds of q + δ
/// ```
/// These are damped Newton steps along the constraints; where they are slow, towards a target out of reach, the second
/// derivatives of the outputs are included. The columns of Z, of kinetic energy ½, are the free directions,
/// see [`Tangents`](crate::Tangents): of all short steps that lead to the target, the one with the least kinetic energy
/// is taken. The search ends when y is the target to rounding, or when no step leads nearer.
///
/// - Outputs must be functions of the coordinates: places, directions, angles. Two directions determine the
///   orientation of a body. `chosen` must be linear, as in [`jacobian_of`](InTaskSpace::jacobian_of).
/// - Where a target is out of reach, the nearest place is meant in the units of the chosen outputs: to weigh an angle
///   against a length, multiply it by one.
/// - On an error, `q` is the nearest place found, which satisfies limits and constraints.
/// - The place found is near the start, so that a path is followed by calls with the same `q`. With
///   [`CoordinateLimits::restarts`], the search continues from other places.
/// - Cost: a step evaluates outputs, J and M, and eliminates as many columns as there are degrees of freedom; from
///   nearby, five to ten steps.
///
/// ```
/// use constraint_runtime::prelude::*;
/// use constraint_runtime::{CoordinateLimits, reach};
///
/// system! {
///     /// Two links in a plane; the second angle is relative to the first link.
///     #[task_space]
///     pub struct Arm { l: Real = 1 }
///     coordinate shoulder, elbow;
///     body upper: Rigid2 = pose([0, 0], shoulder) * pose([l/2, 0]) { mass: 1, inertia: 1 }
///     body fore: Rigid2 = upper * pose([l/2, 0], elbow) * pose([l/2, 0]) { mass: 1, inertia: 1 }
///     output tip = at(fore, [l/2, 0]);
/// }
/// let arm = Arm::<f64>::default();
/// let limits = CoordinateLimits::between([-1.0, 0.0], [2.0, 2.5]);
/// let mut q = Vector2::new(0.0, 0.3);
/// reach(&arm, 0.0, &mut q, &limits, |y| y.tip, Vector2::new(0.0, 1.0))?;
/// // An equilateral triangle.
/// let third = core::f64::consts::FRAC_PI_3;
/// assert!((q - Vector2::new(third / 2.0, 2.0 * third)).norm() < 1e-14);
///
/// // Three metres are too far: the arm points there.
/// let far = reach(&arm, 0.0, &mut q, &limits, |y| y.tip, Vector2::new(3.0, 0.0)).unwrap_err();
/// let Error::NotReached { component: 0, residual, .. } = far else { panic!("{far}") };
/// assert!((residual - 1.0).abs() < 1e-14 && q.norm() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::NotReached`] if no step leads nearer to the target, [`Error::InvalidCoordinateLimits`], [`Error::NoJacobian`] if a
/// component of the chosen outputs has none, [`Error::OutsideCoordinateLimits`] if the constraints lead the start out of the limits,
/// [`Error::NonFinite`] if the start or the target is not finite, and those of
/// [`make_consistent`](crate::make_consistent) and [`outputs`](crate::Outputs::outputs).
///
/// # Source
/// [Buss & Kim 2005] *Selectively damped least squares for inverse kinematics*, J. Graphics Tools 10, section 2, for the
/// damping; here with constraints, limits and the metric of kinetic energy.
pub fn reach<S, const K: usize, const N: usize, const Y: usize>(
    system: &S,
    t: f64,
    q: &mut S::Q,
    limits: &CoordinateLimits<S::Q>,
    chosen: impl Fn(&S::Outputs) -> SVector<f64, K>,
    target: SVector<f64, K>,
) -> Result<(), Error>
where
    S: Dynamics<f64, V = SVector<f64, N>>
        + TaskSpace<f64, OutputJacobian = SMatrix<f64, Y, N>, Outputs: From<SVector<f64, Y>>>,
{
    let outputs = |q: &S::Q| -> Result<DVector<f64>, Error> {
        let all = system.outputs(t, q, &SVector::zeros())?;
        Ok(DVector::from_column_slice(chosen(&all).as_slice()))
    };
    let jacobian = |q: &S::Q| -> Result<DMatrix<f64>, Error> {
        let jacobian = system.jacobian_of(t, q, &chosen);
        check_jacobian(&jacobian)?;
        Ok(DMatrix::from_fn(K, N, |i, k| jacobian[(i, k)]))
    };
    let second = |q: &S::Q, v: &S::V| -> Result<DVector<f64>, Error> {
        let mut second = system.bias_of(t, q, v, &chosen);
        if S::Rows::LEN != Some(0) {
            let turned = system.correction(t, q, &system.bias(t, q, v))?;
            second -= system.jacobian_of(t, q, &chosen) * turned;
        }
        Ok(DVector::from_column_slice(second.as_slice()))
    };
    let run = || {
        system.validate()?;
        check_finite(Quantity::Coordinate, first_non_finite(q))?;
        check_finite(Quantity::Target, first_non_finite(&target))?;
        let task = Task {
            system,
            t,
            outputs: &outputs,
            jacobian: &jacobian,
            second: &second,
            target: DVector::from_column_slice(target.as_slice()),
            limited: limits.limited(system, t, q)?,
        };
        task.search(q, limits)
    };
    let found: Found<S::Q> = run().map_err(|error: Error| error.of(system, t))?;
    *q = found.q;
    found.result
}

/// √x, also without a standard library.
fn root(x: f64) -> f64 {
    ComplexField::sqrt(x)
}
