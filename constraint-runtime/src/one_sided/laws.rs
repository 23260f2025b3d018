//! The laws that a run with contacts follows.

use super::impact::{ImpactLaw, Impacts};

/// The laws that a run with constraints of one side follows.
///
/// ```
/// use constraint_runtime::prelude::*;
/// use constraint_runtime::{ContactLaws, Impacts};
///
/// system! {
///     /// Three balls in a row.
///     struct Cradle { m: Real = 1 }
///     coordinate x[3];
///     kinetic sum(i in 0..3: m/2*velocity(x[i])^2);
///     constraint gap[i in 0..2]: x[i + 1] - x[i] >= 0 { restitution: 1 };
/// }
/// // The first meets two that touch, at the start itself: the last leaves alone.
/// let start = State::new(0.0, [0.0; 3], [1.0, 0.0, 0.0]);
/// let laws = ContactLaws { impacts: Impacts::InSequence, ..ContactLaws::default() };
/// let run = ContactSimulation::with_laws(Cradle::<f64>::default(), start, Rk4::new(0.1), laws)?;
/// assert_eq!(run.state().v.as_slice(), [0.0, 0.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactLaws {
    /// The law of impacts.
    pub impact: ImpactLaw,
    /// Impacts at one time: together or in sequence.
    pub impacts: Impacts,
    /// What happens where the laws allow several motions.
    pub ambiguity: Ambiguity,
    /// What happens where they allow none.
    pub jams: Jams,
}

/// What a run does where the laws of contacts allow several motions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ambiguity {
    /// It takes one, by a rule: in the mode of before, if that is among them, then sticking.
    /// [`Transition::consistent`](super::Transition::consistent) lists all.
    #[default]
    Continue,
    /// It ends with [`Error::Ambiguous`](crate::Error::Ambiguous).
    Refuse,
}

/// What a run does where friction allows no motion (Painlevé).
///
/// # Source
/// [Génot, Brogliato 1999] *New results on Painlevé paradoxes*, European Journal of Mechanics A 18;
/// [Champneys, Várkonyi 2016] *The Painlevé paradox in contact mechanics*, IMA Journal of Applied Mathematics 81.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Jams {
    /// It ends with [`Error::Jammed`](crate::Error::Jammed).
    #[default]
    Refuse,
    /// An impact without collision: impulses at gaps that do not close, which stop the slip. They follow the law of impacts
    /// without restitution, and take energy.
    Impact,
}
