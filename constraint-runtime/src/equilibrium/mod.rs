//! Equilibria of a system, and its oscillations about them.

mod modes;
mod newton;
mod slope;
mod still;

use nalgebra::ComplexField;

pub use self::modes::{Mode, Modes, modes};
use self::newton::Search;
use crate::derivatives::{Derivatives, Linearization};
use crate::error::Error;
use crate::stabilization::make_consistent;
use crate::state::{State, check_finite};
use crate::vector::Vector;

/// A state in which a system stays at rest: v = 0, v̇ = 0, C = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equilibrium<Q, R> {
    /// The time at which forces and constraints are evaluated.
    pub t: f64,
    /// The coordinates.
    pub q: Q,
    /// λ: the multipliers of the constraints.
    pub multipliers: R,
}

/// Finds an equilibrium, starting from a state that is first moved onto the constraints; its velocities count as
/// zero.
///
/// ```text
/// Zᵀ h = 0, C = 0        J Z = 0, Zᵀ M Z = 1
/// Newton: (Zᵀ H Z) y = −Zᵀ M v̇,   q ← q + Z y        H = ∂(h + Jᵀ λ)/∂q, λ held
/// ```
/// A step is halved until the next one, with the same matrix, would be shorter: coordinate by coordinate, each
/// measured by itself. The search ends when no step can be shortened any more. The place is an equilibrium if the
/// remaining force is rounding: if it does not follow its own slope, in either direction, however short the step. A
/// stiff spring next to a light weight, a coordinate measured from the equilibrium and a change of units therefore
/// all give the same answer.
///
/// - It need not be stable: check with [`modes`]. A pendulum that starts exactly upright is found in equilibrium
///   there.
/// - Constraints and forces that depend on time are evaluated at the start's time. A row that moves at that time, as
///   `norm(p) == l + r*t` or `velocity(p).x == 1`, leaves nothing at rest.
/// - If places move with time, as `particle p = [x + u*t, 0]` or on a rotating hoop, it is a relative equilibrium at
///   this instant: the coordinates rest, v = 0 and v̇ = 0, but not the places that depend on them.
/// - Cost: for each place tried, M, J and H as dense matrices and one elimination with as many rows as degrees of
///   freedom, with a singular value decomposition if it finds directions without stiffness. A full step tries one
///   place, a step that is halved up to four for each part; one or two hundred accelerations decide at the end.
///
/// ```
/// use constraint_runtime::equilibrium;
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// Two bobs on rods, pushed by a wind.
///     #[derivatives]
///     struct Lamp { m: Real = 1, l: Real = 2, wind: Real = 10, g: Real = 10 }
///     particle bob[2]: Point2 { mass: m }
///     constraint upper: norm(bob[0]) == l;
///     constraint lower: norm(bob[1] - bob[0]) == l;
///     gravity [0, -g];
///     force bob[1]: [wind, 0];
/// }
/// let lamp = Lamp::default();
/// let bob = [Point2::new(0.1, -2.0), Point2::new(0.2, -4.0)];
/// let start = State::new(0.0, LampCoordinates { bob }, LampVelocities::default());
/// let rest = equilibrium(&lamp, start)?;
/// // The lower rod hangs at 45°, the upper one, which carries both, at atan(1/2).
/// let LampCoordinates { bob } = rest.q.into();
/// assert!((bob[1] - bob[0] - Vector2::new(2.0_f64.sqrt(), -(2.0_f64.sqrt()))).norm() < 1e-12);
/// assert!((bob[0] - Point2::new(2.0, -4.0) / 5.0_f64.sqrt()).norm() < 1e-12);
/// assert!((rest.multipliers[1] + 200.0_f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::NoEquilibrium`] if no step leads nearer to one, [`Error::NotIsolated`] if the system can move away from
/// it without a force, [`Error::MovingRow`] if a row allows no rest, [`Error::Corner`] if the search reaches one,
/// [`Error::NonFinite`] if the start or a force is not finite, and those of [`make_consistent`] and
/// [`acceleration`](crate::Dynamics::acceleration).
pub fn equilibrium<S, const N: usize, const D: usize, const U: usize, const P: usize>(
    system: &S,
    start: State<S::Q, S::V>,
) -> Result<Equilibrium<S::Q, S::Rows>, Error>
where
    S: Derivatives<f64, Linearization = Linearization<f64, N, D, U, P>>,
{
    let time = start.t;
    rest_near(system, start).map_err(|error| error.of(system, time))
}

fn rest_near<S, const N: usize, const D: usize, const U: usize, const P: usize>(
    system: &S,
    start: State<S::Q, S::V>,
) -> Result<Equilibrium<S::Q, S::Rows>, Error>
where
    S: Derivatives<f64, Linearization = Linearization<f64, N, D, U, P>>,
{
    let still = start.v.zeros_like();
    let start = State {
        v: still.clone(),
        ..start
    };
    check_finite(&start)?;
    let on_constraints = make_consistent(system, start)?;
    let mut search = Search::from(
        system,
        State {
            v: still,
            ..on_constraints
        },
    )?;
    if !search.run(system)? {
        return Err(search.no_equilibrium(system));
    }
    let State { t, q, v } = search.state();
    still::check(system, search.state())?;
    let directions = search.loose_directions();
    if directions > 0 {
        return Err(Error::NotIsolated { directions });
    }
    let multipliers = system.multipliers(*t, q, v)?;
    Ok(Equilibrium {
        t: *t,
        q: q.clone(),
        multipliers,
    })
}

/// √x, also without a standard library.
fn root(x: f64) -> f64 {
    ComplexField::sqrt(x)
}
