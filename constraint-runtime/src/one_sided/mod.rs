//! Constraints of one side: gaps that must not become negative, impacts, and Coulomb's friction.
//!
//! ```text
//! M v̇ = h + Jᵀ λ + Gᵀ λ_G        0 ≤ λ_n ⊥ gap ≥ 0,   λ_t ∈ −μ λ_n Sgn(slip)
//! ```
//! Between events every row is in one [mode](RowMode), and closed rows are equalities: [`InMode`] is an ordinary
//! [`System`], which integrators advance at their own order. Release, closing, sticking and slipping are zeros of
//! functions along the dense output of a step (`watch.rs`). `complementarity/` decides which modes are consistent,
//! by trying all of them; `impact.rs` has the laws of impacts, `contact_simulation/` the run.

mod causes;
mod complementarity;
mod consistent_modes;
mod contact_simulation;
mod derivatives;
mod impact;
mod in_mode;
mod in_mode_derivatives;
mod laws;
mod particle;
mod start;
mod terms;
mod watch;

pub use consistent_modes::ConsistentModes;
pub use contact_simulation::{ContactSimulation, Transition, TransitionKind};
pub use derivatives::OneSidedDerivatives;
pub use impact::{ImpactLaw, Impacts};
pub use in_mode::InMode;
pub use laws::{Ambiguity, ContactLaws, Jams};
pub use particle::{BoundedParticle, OneSidedConstraint};
pub use start::make_consistent_with_contacts;

use core::fmt;
use core::ops::Index;

use crate::error::Error;
use crate::real::Real;
use crate::system::Constrained;
use crate::vector::Vector;

/// A system with constraints of one side, `constraint floor: ball.y >= r;` in its `system!`.
///
/// Its v̇ is that of a motion in which they do not touch; [`ContactSimulation`] runs it with them. The rows of one side
/// are its gaps, in the order of their declarations, followed by the slips of those with friction.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// A ball above a floor.
///     struct Ball { m: Real = 2, r: Real = 0.5, g: Real = 10 }
///     particle ball: Point2 { mass: m }
///     gravity [0, -g];
///     constraint floor: ball.y >= r { friction: 0.3, slip: velocity(ball).x };
/// }
/// let ball = Ball::<f64>::default();
/// let (q, v) = (Vector2::new(7.0, 2.5), Vector2::new(3.0, -1.0));
/// assert_eq!(ball.gaps(0.0, &q)[0], 2.0);
/// assert_eq!(ball.one_sided_rates(0.0, &q, &v).as_slice(), [-1.0, 3.0]);
/// // A force of 1 upwards accelerates it by 1/m.
/// assert_eq!(ball.one_sided_responses(0.0, &q)?[(1, 0)], 0.5);
/// assert_eq!(ball.contact_coefficients(0.0, &q).as_slice(), [0.0, 0.3]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no constraints of one side",
    note = "write `constraint name: a >= b;` in its `system!`, or run it in a `Simulation`"
)]
pub trait OneSided<T: Real>: Constrained<T> {
    /// A number for each gap, then for each slip.
    type Sides: Vector<Scalar = T>;

    /// A number for each row of two sides, then for each of one.
    type AllRows: Vector<Scalar = T>;

    /// G: a row for each gap and slip, a column for each velocity.
    type SideJacobian: Index<(usize, usize), Output = T>;

    /// M⁻¹ Gᵀ: a row for each velocity, a column for each gap and slip.
    type Responses: Index<(usize, usize), Output = T>;

    /// A row for each row of two sides, a column for each gap and slip.
    type Reactions: Index<(usize, usize), Output = T>;

    /// The names of the constraints, one for each gap.
    const GAPS: &'static [&'static str];

    /// The gap that each slip belongs to.
    const SLIPS: &'static [usize];

    /// The kind of each constraint, in the order of [`GAPS`](Self::GAPS); all are of one side if it is empty.
    const KINDS: &'static [RowKind] = &[];

    /// The gaps, and zeros for slips.
    fn gaps(&self, t: T, q: &Self::Q) -> Self::Sides;

    /// The size of what each gap is a sum of, the absolute values of its terms: a gap this many times 10⁻¹⁶ is zero to rounding.
    /// Zeros for slips. By default that of the gap.
    fn gap_sizes(&self, t: T, q: &Self::Q) -> Self::Sides {
        let gaps = self.gaps(t, q);
        gaps.like(|k| gaps[k].simd_abs())
    }

    /// The rates of gaps, and the slips: G v, and the derivatives by the time.
    fn one_sided_rates(&self, t: T, q: &Self::Q, v: &Self::V) -> Self::Sides;

    /// G.
    fn one_sided_jacobian(&self, t: T, q: &Self::Q) -> Self::SideJacobian;

    /// The derivatives of [`one_sided_rates`](Self::one_sided_rates) at v̇ = 0.
    fn one_sided_bias(&self, t: T, q: &Self::Q, v: &Self::V) -> Self::Sides;

    /// The restitution of each gap, or the bound of a motor; then the friction of each slip, 1 for a motor.
    fn contact_coefficients(&self, t: T, q: &Self::Q) -> Self::Sides;

    /// ∂v̇/∂λ of gaps and slips, with the constraints of two sides enforced.
    ///
    /// # Errors
    /// As [`acceleration`](crate::Dynamics::acceleration).
    fn one_sided_responses(&self, t: T, q: &Self::Q) -> Result<Self::Responses, Error>;

    /// ∂λ/∂λ: the multipliers of the constraints of two sides to a force of 1 on each gap and slip.
    ///
    /// # Errors
    /// As [`acceleration`](crate::Dynamics::acceleration).
    fn one_sided_reactions(&self, t: T, q: &Self::Q) -> Result<Self::Reactions, Error>;
}

/// The kinds of constraints that are decided at run time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowKind {
    /// `a >= b`: 0 ≤ λ ⊥ gap ≥ 0.
    #[default]
    OneSided,
    /// `a == b { friction: mu, slip: rate }`: the gap stays zero, and λ has either sign; |λ_t| ≤ μ |λ|.
    TwoSided,
    /// `motor name: rate == speed { most: bound }`: the slip is the rate less the speed, and |λ_t| ≤ bound. Its gap is
    /// always zero, with λ = bound.
    Motor,
}

/// The mode of a constraint of one side between two events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowMode {
    /// It exerts no force.
    #[default]
    Open,
    /// The gap is zero; there is no friction.
    Closed,
    /// The gap and the slip are zero.
    Sticking,
    /// The gap is zero, and the slip positive, or held at zero by rows that stick while friction is −μ λ.
    Forward,
    /// The gap is zero, and the slip negative, or held at zero by rows that stick while friction is μ λ.
    Backward,
    /// As `Forward`, of a row of two sides with λ < 0.
    ForwardPulled,
    /// As `Backward`, of a row of two sides with λ < 0.
    BackwardPulled,
}

impl RowMode {
    /// All modes.
    const ALL: [Self; 7] = [
        Self::Open,
        Self::Closed,
        Self::Sticking,
        Self::Forward,
        Self::Backward,
        Self::ForwardPulled,
        Self::BackwardPulled,
    ];

    /// The sign of the slip while it slides.
    fn sliding(self) -> Option<f64> {
        match self {
            Self::Forward | Self::ForwardPulled => Some(1.0),
            Self::Backward | Self::BackwardPulled => Some(-1.0),
            _ => None,
        }
    }

    /// The sign of λ at the gap while it slides.
    fn pressing(self) -> f64 {
        match self {
            Self::ForwardPulled | Self::BackwardPulled => -1.0,
            _ => 1.0,
        }
    }

    /// The mode that slides in a direction, with the sign of λ at the gap.
    fn slide(forward: bool, presses: bool) -> Self {
        match (forward, presses) {
            (true, true) => Self::Forward,
            (false, true) => Self::Backward,
            (true, false) => Self::ForwardPulled,
            (false, false) => Self::BackwardPulled,
        }
    }
}

impl fmt::Display for RowMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Sticking => "sticking",
            Self::Forward => "sliding forward",
            Self::Backward => "sliding backward",
            Self::ForwardPulled => "sliding forward with λ < 0",
            Self::BackwardPulled => "sliding backward with λ < 0",
        })
    }
}

/// As many `X` as a system has gaps and slips.
type Each<T, S, X> = <<S as OneSided<T>>::Sides as Vector>::Array<X>;

/// The kind of a constraint.
fn kind_of<T: Real, S: OneSided<T>>(gap: usize) -> RowKind {
    S::KINDS.get(gap).copied().unwrap_or_default()
}

/// The number of gaps.
const fn gaps<T: Real, S: OneSided<T>>() -> usize {
    S::GAPS.len()
}

/// The number of gaps and slips.
const fn sides<T: Real, S: OneSided<T>>() -> usize {
    S::GAPS.len() + S::SLIPS.len()
}

/// The row of the slip of a gap.
fn slip_of<T: Real, S: OneSided<T>>(gap: usize) -> Option<usize> {
    let slip = S::SLIPS.iter().position(|&of| of == gap)?;
    Some(S::GAPS.len() + slip)
}
