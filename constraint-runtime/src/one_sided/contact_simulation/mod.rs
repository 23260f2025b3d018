//! Runs of systems with constraints of one side: from event to event at the order of the integrator.

mod accumulation;
mod contacts;
mod event;
mod gradient;
mod history;
mod landing;
mod ledger;

use core::fmt;

use nalgebra::RealField;

use self::contacts::Contacts;
use super::impact::{ImpactLaw, Impacts};
use super::laws::ContactLaws;
#[cfg(doc)]
use super::laws::Jams;
use super::{ConsistentModes, InMode, OneSided, RowMode};
use crate::error::Error;
use crate::integrator::Integrator;
use crate::real::Real;
use crate::simulation::Simulation;
use crate::state::State;

/// A run of a system with constraints of one side.
///
/// Between events the integrator advances the system [in one mode](InMode) at its own order; release, impacts, sticking
/// and slipping are found on the dense output, and the step ends there.
///
/// - Impacts follow [Moreau's law](ImpactLaw::Moreau), all rows that touch together; see
///   [`with_impact_law`](Self::with_impact_law) and [`with_impacts`](Self::with_impacts).
/// - After an event every mode is tried, and a consistent one taken: that of before, if it is among them, then sticking.
///   [`Transition::consistent`] lists those that move the system differently; [`ContactLaws`] chooses errors instead, and
///   what follows if no mode is consistent.
/// - Bounces that accumulate are passed if the last flights of a row have the ratio e, no row that it is coupled to
///   changes its mode between them, and those to come take less than a thousandth of the longest: the row is then closed.
/// - A start that closes a gap begins with the impact.
/// - Cost: a step of the integrator, and where modes end about five more. No allocation.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// A ball above a floor.
///     struct Ball { m: Real = 2, e: Real = 0.5, g: Real = 10 }
///     particle ball: Point2 { mass: m }
///     gravity [0, -g];
///     constraint floor: ball.y >= 0 { restitution: e };
/// }
/// // From 5 m it falls for 1 s; the bounces take 1 + 2·0.5/(1 − 0.5) = 3 s altogether.
/// let start = State::new(0.0, [0.0, 5.0], [1.0, 0.0]);
/// let mut run = ContactSimulation::new(Ball::<f64>::default(), start, Rk4::new(0.01))?;
/// run.run_until(1.5)?;
/// assert!((run.state().q.y - 1.25).abs() < 1e-12); // at the top of the first bounce
/// run.run_until(4.0)?;
/// assert!(run.state().q.y.abs() < 1e-15);
/// // It rests: the floor carries its weight.
/// assert!((run.contact_forces()?[0] - 20.0).abs() < 1e-12);
/// # Ok::<(), Error>(())
/// ```
pub struct ContactSimulation<T: Real, S: OneSided<T>, I: Integrator<Scalar = T>> {
    simulation: Simulation<InMode<T, S>, I>,
    contacts: Contacts<T, S>,
}

/// An event of a run with constraints of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition<T> {
    /// The time.
    pub time: T,
    /// The name of the constraint.
    pub constraint: &'static str,
    /// The event.
    pub kind: TransitionKind<T>,
    /// The modes that the laws allow here, the one taken first.
    pub consistent: ConsistentModes,
}

/// The kinds of events of a run with constraints of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TransitionKind<T> {
    /// An impact that began at this constraint, with the change of the kinetic energy.
    Impact {
        /// The impulse at its gap.
        impulse: T,
        /// T after it less T before it.
        energy: T,
    },
    /// Friction allowed no motion, and an [impact without collision](Jams::Impact) stopped the slip.
    Jam {
        /// The impulse at the gap.
        impulse: T,
        /// T after it less T before it.
        energy: T,
    },
    /// Bounces that accumulate were passed; they would end at this time.
    Accumulated {
        /// When the last of them would end.
        until: T,
    },
    /// Impacts of several rows crowded within a ten-thousandth of a step: the last had no restitution, and rows that had
    /// none before were closed, an error of the size of the rates that were left.
    Collapsed,
    /// A constraint has changed its mode.
    Mode {
        /// The mode before.
        from: RowMode,
        /// The mode from here.
        to: RowMode,
    },
}

impl<T, S, I> ContactSimulation<T, S, I>
where
    T: Real + RealField,
    S: OneSided<T>,
    I: Integrator<Scalar = T>,
{
    /// Prepares `system` at `start` for `integrator`, with projection after each step.
    ///
    /// # Errors
    /// Those of [`Simulation::new`]; [`Error::Penetration`] if a gap is negative; [`Error::InvalidCoefficient`] if a
    /// restitution is not between 0 and 1, or a friction or the bound of a motor is negative; [`Error::Jammed`],
    /// [`Error::NoRoom`] and [`Error::Ambiguous`] as a run.
    pub fn new(system: S, start: State<S::Q, S::V>, integrator: I) -> Result<Self, Error> {
        Self::with_laws(system, start, integrator, ContactLaws::default())
    }

    /// The same under other laws than the default ones.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_laws(
        system: S,
        start: State<S::Q, S::V>,
        integrator: I,
        laws: ContactLaws,
    ) -> Result<Self, Error> {
        let mut simulation = Simulation::new(InMode::open(system), start, integrator)?;
        let mut contacts = Contacts::under(laws);
        let begun = contacts.begin(&mut simulation);
        begun.map_err(|error| simulation.located(error))?;
        Ok(Self {
            simulation,
            contacts,
        })
    }

    /// The same run with another law of impact; Moreau's by default. Impacts of the start itself have passed: they follow
    /// the laws of [`with_laws`](Self::with_laws).
    pub fn with_impact_law(mut self, law: ImpactLaw) -> Self {
        self.contacts.laws.impact = law;
        self
    }

    /// The same run with impacts at one time together, as by default, or in sequence.
    pub fn with_impacts(mut self, impacts: Impacts) -> Self {
        self.contacts.laws.impacts = impacts;
        self
    }

    /// Advances to exactly the time `end`.
    ///
    /// # Errors
    /// As [`Simulation::run_until`]; [`Error::Jammed`] if friction allows no motion, [`Error::NoRoom`] if constraints of
    /// one side allow none, [`Error::TooManyEvents`] if events accumulate without a limit that can be passed. The state is
    /// then the last good one.
    pub fn run_until(&mut self, end: T) -> Result<(), Error> {
        self.run_until_with(end, |_| {})
    }

    /// Advances to exactly the time `end` and reports every event.
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub fn run_until_with(
        &mut self,
        end: T,
        mut observe: impl FnMut(&Transition<T>),
    ) -> Result<(), Error> {
        let contacts = &mut self.contacts;
        let advanced = self.simulation.run_steps_by(
            |simulation, h, t| contacts.advance(simulation, (h, t), &mut observe),
            end,
            |_, _| {},
        );
        advanced.map(|_| ())
    }

    /// The last good state.
    pub fn state(&self) -> &State<S::Q, S::V> {
        self.simulation.state()
    }

    /// The coordinates, under their names.
    pub fn coordinates(&self) -> S::Coordinates {
        self.simulation.coordinates()
    }

    /// The velocities, under their names.
    pub fn velocities(&self) -> S::Velocities {
        self.simulation.velocities()
    }

    /// The system in its present mode.
    pub fn in_mode(&self) -> &InMode<T, S> {
        self.simulation.system()
    }

    /// The mode of each constraint of one side, in the order of [`OneSided::GAPS`].
    pub fn modes(&self) -> &[RowMode] {
        self.in_mode().modes()
    }

    /// λ of gaps, in the order of [`OneSided::GAPS`], and then of slips.
    ///
    /// # Errors
    /// As [`InMode::contact_forces`].
    pub fn contact_forces(&self) -> Result<S::Sides, Error> {
        let State { t, q, v } = self.state();
        let forces = self.in_mode().contact_forces(*t, q, v);
        forces.map_err(|error| self.simulation.located(error))
    }

    /// The gaps, in the order of [`OneSided::GAPS`]; then zeros for slips.
    pub fn gaps(&self) -> S::Sides {
        let State { t, q, .. } = self.state();
        self.in_mode().system().gaps(*t, q)
    }

    /// Kinetic and potential energy.
    pub fn energy(&self) -> T {
        self.simulation.energy()
    }

    /// The work of gaps and of slips since the start: ∫ λₖ (G v)ₖ dt of each row, and Pₖ (G v⁻ + G v⁺)ₖ/2 at impacts.
    ///
    /// Friction and impacts take energy: their work is negative. If all other forces have a potential and no constraint
    /// depends on time, the energy changes by the sum, to the order of the dense output.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     struct Block { m: Real = 2, mu: Real = 0.5, g: Real = 10 }
    ///     particle block: Point2 { mass: m }
    ///     gravity [0, -g];
    ///     constraint floor: block.y >= 0 { friction: mu, slip: velocity(block).x };
    /// }
    /// let start = State::new(0.0, [0.0, 0.0], [3.0, 0.0]);
    /// let mut run = ContactSimulation::new(Block::<f64>::default(), start, Rk4::new(0.01))?;
    /// run.run_until(1.0)?;
    /// // It has stopped: friction has taken m v²/2.
    /// assert!((run.contact_work()[1] + 9.0).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn contact_work(&self) -> &S::Sides {
        &self.contacts.work
    }
}

// The system is left out, as in a `Simulation`.
impl<T, S, I> fmt::Debug for ContactSimulation<T, S, I>
where
    T: Real,
    S: OneSided<T>,
    I: Integrator<Scalar = T> + fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContactSimulation")
            .field("simulation", &self.simulation)
            .field(
                "modes",
                &&self.simulation.system().modes.as_ref()[..S::GAPS.len()],
            )
            .finish_non_exhaustive()
    }
}
