//! What can go wrong, as facts: rows, numbers, times.

use core::fmt;

use crate::real::Real;
use crate::system::System;

/// The matrix J W Jᵀ has no usable pivot: redundant, conflicting or vanishing constraint rows.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let singular = Singular { row: 1, pivot: 0.0 };
/// assert_eq!(singular.to_string(), "constraint row 1 is singular: pivot 0 of J W Jᵀ");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Singular {
    /// Row whose pivot failed: its Jacobian vanishes or depends on the rows before it.
    pub row: usize,
    /// The pivot found (of the first bad lane, for SIMD scalars).
    pub pivot: f64,
}

impl Singular {
    /// The same row among others of which `rows` stand before it.
    #[cfg(feature = "world")]
    pub(crate) fn after(self, rows: usize) -> Self {
        Self {
            row: rows + self.row,
            ..self
        }
    }
}

impl fmt::Display for Singular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, pivot) = (self.row, Figure(self.pivot));
        write!(
            f,
            "constraint row {row} is singular: pivot {pivot} of J W Jᵀ"
        )
    }
}

impl core::error::Error for Singular {}

/// A row of a system's constraints: its index and, where the system names its rows, its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Index in C, λ and J, from 0.
    pub index: usize,
    /// Name as declared.
    pub name: Option<&'static str>,
}

impl From<usize> for Row {
    fn from(index: usize) -> Self {
        Self { index, name: None }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            Some(name) => write!(f, "`{name}`"),
            None => write!(f, "row {}", self.index),
        }
    }
}

/// Names of coordinates or of velocities: those of one declaration.
///
/// ```
/// use constraint_runtime::{Names, Quantity, prelude::*};
///
/// system! {
///     struct Drops { m: Real = 1 }
///     particle drop[3]: Point2 { mass: m }
/// }
/// let names = Drops::<f64>::default().names(Quantity::Coordinate).unwrap();
/// assert_eq!(names, [Names::of_array("drop", 3, &[".x", ".y"])]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    /// As declared.
    pub base: &'static str,
    /// The length, where an array has been declared; of an array of arrays that of the outermost.
    pub count: Option<usize>,
    /// The lengths of the arrays within, the outermost first.
    pub inner: &'static [usize],
    /// What stands after the name, as `.x`; of a number nothing.
    pub components: &'static [&'static str],
}

impl Names {
    /// Of what is declared alone.
    pub const fn of(base: &'static str, components: &'static [&'static str]) -> Self {
        Self {
            base,
            count: None,
            inner: &[],
            components,
        }
    }

    /// Of an array.
    pub const fn of_array(
        base: &'static str,
        count: usize,
        components: &'static [&'static str],
    ) -> Self {
        Self {
            base,
            count: Some(count),
            inner: &[],
            components,
        }
    }

    /// The same of an array whose elements are arrays of these lengths, the outermost first.
    pub const fn of_arrays(self, inner: &'static [usize]) -> Self {
        Self { inner, ..self }
    }
}

/// The name of the number at an index, or the index.
struct Named<'a>(Option<&'a [Names]>, usize);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Named(names, index) = self;
        let mut rest = index;
        for names in names.unwrap_or_default() {
            let Names {
                base,
                count,
                inner,
                components,
            } = names;
            let size = components.len();
            let mut within = inner.iter().product::<usize>() * size;
            let scalars = count.unwrap_or(1) * within;
            if rest >= scalars {
                rest -= scalars;
                continue;
            }
            write!(f, "`{base}")?;
            if count.is_some() {
                write!(f, "[{}]", rest / within)?;
            }
            for length in *inner {
                rest %= within;
                within /= length;
                write!(f, "[{}]", rest / within)?;
            }
            return write!(f, "{}`", components[rest % size]);
        }
        write!(f, "{index}")
    }
}

/// A number as people write it: very large and very small ones with an exponent.
struct Figure(f64);

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || !size.is_finite() || (1e-4..1e16).contains(&size) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

/// A vector that must stay finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// The time t.
    Time,
    /// Coordinates q.
    Coordinate,
    /// Velocities v.
    Velocity,
    /// External force f.
    Force,
    /// A point in the plane or in space.
    Point,
    /// The parameter s of a curve.
    Parameter,
    /// The length p along a curve.
    ArcLength,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "time",
            Self::Coordinate => "coordinate",
            Self::Velocity => "velocity",
            Self::Force => "force",
            Self::Point => "point",
            Self::Parameter => "parameter",
            Self::ArcLength => "arc length",
        })
    }
}

/// Everything a simulation refuses, each with its facts.
///
/// Values are those of the first bad lane for SIMD scalars. Times are `None` where the failing
/// function was called outside a [`Simulation`](crate::Simulation).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// J W Jᵀ has no usable pivot: see [`Singular`].
    Singular {
        /// Row whose pivot failed.
        row: Row,
        /// The pivot found.
        pivot: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// The mass matrix has no usable pivot: a coordinate that, there, moves no mass of its own.
    SingularMass {
        /// The coordinate whose pivot failed, as declared.
        coordinate: &'static str,
        /// The pivot found.
        pivot: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// A number of the state or of the external force is infinite or NaN.
    NonFinite {
        /// The vector it stands in.
        quantity: Quantity,
        /// Its index in that vector.
        index: usize,
        /// The names of the vector's numbers, where the system has any.
        names: Option<&'static [Names]>,
        /// Its value.
        value: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// A parameter of a generated system is infinite or NaN.
    InvalidParameter {
        /// The parameter, as declared.
        parameter: &'static str,
        /// Its value, or that of its first bad component.
        value: f64,
    },
    /// The start lies off the constraint: C ≠ 0.
    InconsistentPosition {
        /// The row violated most.
        row: Row,
        /// C of that row.
        value: f64,
        /// Largest |C| that passes for zero there.
        tolerance: f64,
    },
    /// The start moves off the constraint: Ċ ≠ 0.
    InconsistentVelocity {
        /// The row violated most.
        row: Row,
        /// Ċ of that row.
        rate: f64,
        /// Largest |Ċ| that passes for zero there.
        tolerance: f64,
    },
    /// A mass is not a positive finite number.
    InvalidMass {
        /// The mass.
        mass: f64,
    },
    /// An inertia is not positive definite.
    InvalidInertia {
        /// The pivot of its elimination that is not positive and finite.
        pivot: f64,
    },
    /// A principal moment of inertia exceeds the sum of the others, as that of no body does.
    ImpossibleInertia {
        /// By how much.
        excess: f64,
    },
    /// An inertia tensor differs from its transpose.
    AsymmetricInertia {
        /// The difference of two entries that must be equal.
        difference: f64,
    },
    /// A rotation's complex number or quaternion has not the length one.
    InvalidRotation {
        /// Its length.
        norm: f64,
    },
    /// A handle names no body of this world.
    UnknownBody {
        /// The handle's index.
        index: usize,
    },
    /// A handle names no joint of this world.
    UnknownJoint {
        /// The handle's index.
        index: usize,
    },
    /// A joint connects a body with itself.
    SelfJoint {
        /// The index of the body's handle.
        body: usize,
    },
    /// A spring or damper is negative or not finite, or both are zero.
    InvalidSoftness {
        /// Its stiffness.
        stiffness: f64,
        /// Its damping.
        damping: f64,
    },
    /// A damping is negative or not finite.
    InvalidDamping {
        /// The damping.
        damping: f64,
    },
    /// Baumgarte's feedback is negative or not finite, or impulses are to feed back by β²/(2 α) with α = 0.
    InvalidFeedback {
        /// Its damping α.
        alpha: f64,
        /// Its stiffness β.
        beta: f64,
    },
    /// Impulses that no iteration would find.
    NoIterations,
    /// A step size is not a positive finite number.
    InvalidStepSize {
        /// The step size.
        step_size: f64,
    },
    /// A tolerance is negative or not finite, or all of them are zero.
    InvalidTolerance {
        /// The tolerance, or the sum of them.
        tolerance: f64,
    },
    /// A time to run to is not finite or lies in the past.
    InvalidTime {
        /// The time asked for.
        target: f64,
        /// Time of the state.
        time: f64,
    },
    /// The domain of a curve is empty, reversed or not finite.
    InvalidDomain {
        /// Its start.
        start: f64,
        /// Its end.
        end: f64,
    },
    /// Two pieces of a curve do not meet.
    Jump {
        /// The parameter s.
        parameter: f64,
        /// How far they are apart.
        gap: f64,
    },
    /// A curve turns too often to be measured, or its speed is not smooth enough.
    TooManyPanels {
        /// Panels that it has been cut into.
        panels: usize,
    },
    /// A place on a curve lies beyond its ends.
    OutOfRange {
        /// What was asked for: a parameter or a length.
        quantity: Quantity,
        /// Its value.
        value: f64,
        /// The least there is.
        start: f64,
        /// The most there is.
        end: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// The tangent of a curve vanishes: see [`Cusp`](crate::Cusp).
    Cusp {
        /// The parameter s.
        parameter: f64,
        /// r′·r′ there.
        metric: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// No step that the time can resolve keeps the tolerance: the motion has a singularity there.
    StepSizeUnderflow {
        /// The step size that would be needed.
        step_size: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// A step was shortened again and again and never kept the tolerance.
    TooManyRejections {
        /// Attempts made.
        rejections: usize,
        /// The step size in the end.
        step_size: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// A run of an adaptive method took as many steps as it may: the motion grows without bound, as under
    /// a damping of the wrong sign, or the forces are stiff.
    TooManySteps {
        /// Steps taken towards `target`.
        steps: usize,
        /// Length that the next one would have.
        step_size: f64,
        /// The time that was to be reached.
        target: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// The velocity after an implicit kick did not settle: the step is too long.
    KickDiverged {
        /// How much the velocity still changed in the end.
        change: f64,
        /// Iterations done.
        iterations: usize,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// Events followed each other without end: a hundred without time passing, or a thousand within one step.
    TooManyEvents {
        /// Events met.
        events: usize,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// The function of an event is NaN.
    EventUndefined {
        /// The event's index, in the order in which events were added.
        event: usize,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// The function of an event has a pole: it changes its sign, and is not zero there.
    EventPole {
        /// The event's index, in the order in which events were added.
        event: usize,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// The function of an event leaves zero and comes back by less than its rounding, as after many bounces.
    EventUnresolved {
        /// The event's index, in the order in which events were added.
        event: usize,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// Newton's method did not reach C = 0, or only by taking back most of a step.
    ProjectionDiverged {
        /// The row violated most in the end, or where a refused step had led.
        row: Row,
        /// C of that row there.
        residual: f64,
        /// Iterations done.
        iterations: usize,
        /// Time of the last good state.
        time: Option<f64>,
    },
}

impl Error {
    /// The same error with the facts that only the caller knows: the time and the row's name.
    #[cold]
    pub(crate) fn located(mut self, at: f64, name: impl Fn(usize) -> Option<&'static str>) -> Self {
        if let Self::Singular { time, .. }
        | Self::SingularMass { time, .. }
        | Self::NonFinite { time, .. }
        | Self::OutOfRange { time, .. }
        | Self::Cusp { time, .. }
        | Self::StepSizeUnderflow { time, .. }
        | Self::TooManyRejections { time, .. }
        | Self::TooManySteps { time, .. }
        | Self::KickDiverged { time, .. }
        | Self::TooManyEvents { time, .. }
        | Self::EventUndefined { time, .. }
        | Self::EventPole { time, .. }
        | Self::EventUnresolved { time, .. }
        | Self::ProjectionDiverged { time, .. } = &mut self
        {
            time.get_or_insert(at);
        }
        if let Self::Singular { row, .. }
        | Self::InconsistentPosition { row, .. }
        | Self::InconsistentVelocity { row, .. }
        | Self::ProjectionDiverged { row, .. } = &mut self
        {
            row.name = row.name.or_else(|| name(row.index));
        }
        self
    }
}

impl Error {
    /// The same error with what only the system knows: names; and with the time.
    #[cold]
    pub(crate) fn of<T: Real, S: System<T>>(self, system: &S, at: f64) -> Self {
        let mut error = self.located(at, |row| system.row_name(row));
        if let Self::NonFinite {
            quantity, names, ..
        } = &mut error
        {
            *names = names.or(system.names(*quantity));
        }
        error
    }
}

impl From<Singular> for Error {
    #[cold]
    fn from(Singular { row, pivot }: Singular) -> Self {
        Self::Singular {
            row: row.into(),
            pivot,
            time: None,
        }
    }
}

/// What causes a singular row, and what helps.
const HELP_SINGULAR: &str = "it has no gradient there or follows from other rows, which `#[redundant(least_squares)]` \
     before the struct of a `system!` accepts, and `SequentialImpulses`";

/// What usually makes a state infinite.
const HELP_NON_FINITE: &str = "if the start was finite, forces grow without bound or the steps are too long for them: \
     take shorter ones, or `DormandPrince`, which finds their length";

/// What usually makes a force infinite.
const HELP_FORCE: &str =
    "what computes it was given a state out of its domain, or a parameter that is no number";

/// What usually leaves a projection without a result.
const HELP_DIVERGED: &str = "a step has led too far from it: take shorter ones, or start nearer";

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Singular { row, pivot, time } => write!(
                f,
                "constraint {row} is singular{}: pivot {} of J W Jᵀ; {HELP_SINGULAR}",
                At(time),
                Figure(*pivot)
            ),
            Self::SingularMass {
                coordinate,
                pivot,
                time,
            } => write!(
                f,
                "the mass matrix is singular at `{coordinate}`{}: pivot {}",
                At(time),
                Figure(*pivot)
            ),
            Self::NonFinite {
                quantity,
                index,
                names,
                value,
                time,
            } => {
                let name = Named(*names, *index);
                write!(f, "{quantity} {name} is {value}{}", At(time))?;
                match quantity {
                    Quantity::Coordinate | Quantity::Velocity => write!(f, "; {HELP_NON_FINITE}"),
                    Quantity::Force => write!(f, "; {HELP_FORCE}"),
                    _ => Ok(()),
                }
            }
            Self::InvalidParameter { parameter, value } => {
                write!(f, "parameter `{parameter}` is {value}, not a finite number")
            }
            Self::InconsistentPosition { row, value, .. } if value.is_nan() => write!(
                f,
                "constraint {row} is NaN at the start: a parameter is, or a function is out of its domain there"
            ),
            Self::InconsistentPosition {
                row,
                value,
                tolerance,
            } => write!(
                f,
                "the start violates constraint {row} by {}, allowed is {tolerance:e}; `make_consistent` moves it there",
                Figure(*value)
            ),
            Self::InconsistentVelocity {
                row,
                rate,
                tolerance,
            } => write!(
                f,
                "the start leaves constraint {row} at the rate {}, allowed is {tolerance:e}; `make_consistent` puts that right",
                Figure(*rate)
            ),
            Self::InvalidMass { mass } => {
                write!(f, "mass {} is not positive and finite", Figure(*mass))
            }
            Self::InvalidInertia { pivot } => {
                let pivot = Figure(*pivot);
                write!(f, "the inertia is not positive definite: pivot {pivot}")
            }
            Self::ImpossibleInertia { excess } => write!(
                f,
                "the inertia is that of no body: a principal moment exceeds the sum of the others by {}",
                Figure(*excess)
            ),
            Self::AsymmetricInertia { difference } => write!(
                f,
                "the inertia is not symmetric: two entries differ by {}",
                Figure(*difference)
            ),
            Self::InvalidRotation { norm } => {
                write!(
                    f,
                    "a rotation of length {} is not normalised",
                    Figure(*norm)
                )
            }
            Self::UnknownBody { index } => {
                write!(f, "no body of this world has the handle {index}")
            }
            Self::UnknownJoint { index } => {
                write!(f, "no joint of this world has the handle {index}")
            }
            Self::SelfJoint { body } => write!(f, "a joint connects body {body} with itself"),
            Self::InvalidSoftness { stiffness, damping } => write!(
                f,
                "stiffness {} and damping {} must be finite, not negative, and not both zero",
                Figure(*stiffness),
                Figure(*damping)
            ),
            Self::InvalidDamping { damping } => {
                let damping = Figure(*damping);
                write!(
                    f,
                    "damping {damping} must be finite and not negative; a force that drives is one of `under`"
                )
            }
            Self::InvalidFeedback { alpha, beta } => write!(
                f,
                "Baumgarte's α = {} and β = {} must be finite and not negative, and α not zero where impulses are fed back",
                Figure(*alpha),
                Figure(*beta)
            ),
            Self::NoIterations => {
                write!(
                    f,
                    "impulses in 0 iterations hold nothing: `SequentialImpulses::new` takes one at least"
                )
            }
            Self::InvalidStepSize { step_size } => {
                let step_size = Figure(*step_size);
                write!(f, "step size {step_size} is not positive and finite")
            }
            Self::InvalidTolerance { tolerance } => {
                let tolerance = Figure(*tolerance);
                write!(
                    f,
                    "tolerance {tolerance} is negative, not finite, or zero where none is positive"
                )
            }
            Self::StepSizeUnderflow { step_size, time } => write!(
                f,
                "the tolerance needs steps of {step_size:e}, too short for the time{}",
                At(time)
            ),
            Self::TooManyRejections {
                rejections,
                step_size,
                time,
            } => write!(
                f,
                "a step failed {rejections} times, the last of size {step_size:e}{}",
                At(time)
            ),
            Self::TooManySteps {
                steps,
                step_size,
                target,
                time,
            } => write!(
                f,
                "{steps} steps did not reach t = {}, the next has size {step_size:e}{}",
                Figure(*target),
                At(time)
            ),
            Self::KickDiverged {
                change,
                iterations,
                time,
            } => write!(
                f,
                "a kick still changed the velocity by {} after {iterations} iterations{}",
                Figure(*change),
                At(time)
            ),
            Self::TooManyEvents { events, time } => {
                write!(
                    f,
                    "{events} events within one step or at one time{}: where bounces follow each other without end, let \
                     the handler stop the run",
                    At(time)
                )
            }
            Self::EventUndefined { event, time } => write!(
                f,
                "the function of event {event} is not a number in the step{}",
                At(time)
            ),
            Self::EventPole { event, time } => write!(
                f,
                "the function of event {event} has a pole in the step{}: it changes its sign there, and does not \
                 cross zero; watch its reciprocal",
                At(time)
            ),
            Self::EventUnresolved { event, time } => write!(
                f,
                "what bounces at event {event} comes to rest{}: its function stays zero to rounding; let the handler \
                 stop the run before",
                At(time)
            ),
            Self::InvalidTime { target, time } => {
                let (target, time) = (Figure(*target), Figure(*time));
                write!(f, "time {target} is not finite or lies before {time}")
            }
            Self::InvalidDomain { start, end } => write!(
                f,
                "the domain from {} to {} is empty, reversed or not finite",
                Figure(*start),
                Figure(*end)
            ),
            Self::Jump { parameter, gap } => {
                let (gap, parameter) = (Figure(*gap), Figure(*parameter));
                write!(f, "the pieces of the curve are {gap} apart at {parameter}")
            }
            Self::TooManyPanels { panels } => write!(
                f,
                "{panels} panels are too few to measure the curve: it turns too often, or its speed is not smooth"
            ),
            Self::OutOfRange {
                quantity,
                value,
                start,
                end,
                time,
            } => write!(
                f,
                "{quantity} {} lies beyond the curve, which runs from {} to {}{}",
                Figure(*value),
                Figure(*start),
                Figure(*end),
                At(time)
            ),
            Self::Cusp {
                parameter,
                metric,
                time,
            } => write!(
                f,
                "the tangent of the curve vanishes at {}{}: r′·r′ = {}",
                Figure(*parameter),
                At(time),
                Figure(*metric)
            ),
            Self::ProjectionDiverged {
                row,
                residual,
                iterations,
                time,
            } => write!(
                f,
                "projection left constraint {row} at {} after {iterations} iterations{}; {HELP_DIVERGED}",
                Figure(*residual),
                At(time)
            ),
        }
    }
}

impl core::error::Error for Error {}

/// " at t = 1.5", or nothing when no time is known.
struct At<'a>(&'a Option<f64>);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(time) => write!(f, " at t = {}", Figure(*time)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_carry_row_number_and_time() {
        let error = Error::from(Singular { row: 2, pivot: 0.0 });
        assert_eq!(
            error.to_string(),
            format!("constraint row 2 is singular: pivot 0 of J W Jᵀ; {HELP_SINGULAR}")
        );
        assert!(
            error
                .located(1.5, |_| Some("link[2]"))
                .to_string()
                .starts_with("constraint `link[2]` is singular at t = 1.5: pivot 0 of J W Jᵀ; ")
        );
        assert!(HELP_SINGULAR.contains("#[redundant(least_squares)]"));
    }

    #[test]
    fn figures_are_short() {
        let shown = |x: f64| Figure(x).to_string();
        assert_eq!([0.0, -2.5, 1234.0].map(shown), ["0", "-2.5", "1234"]);
        assert_eq!(
            [4.53e-300, -1e300, 1e-5].map(shown),
            ["4.53e-300", "-1e300", "1e-5"]
        );
        assert_eq!([f64::NAN, f64::NEG_INFINITY].map(shown), ["NaN", "-inf"]);
        let singular = Singular {
            row: 0,
            pivot: 1e-310,
        };
        assert!(singular.to_string().len() < 70, "{singular}");
    }

    #[test]
    fn numbers_are_told_by_their_names() {
        const NAMES: &[Names] = &[
            Names::of("x", &[""]),
            Names::of_array("bead", 2, &[".x", ".y"]),
        ];
        let named = |index| Named(Some(NAMES), index).to_string();
        assert_eq!([0, 1, 4].map(named), ["`x`", "`bead[0].x`", "`bead[1].y`"]);
        assert_eq!(named(5), "5");
        assert_eq!(Named(None, 3).to_string(), "3");
    }

    #[test]
    fn a_time_once_known_is_kept() {
        let error = Error::from(Singular { row: 0, pivot: 0.0 }).located(1.0, |_| None);
        assert_eq!(error.located(2.0, |_| None), error);
    }

    #[test]
    fn an_error_stays_small() {
        assert!(size_of::<Error>() <= 72, "{}", size_of::<Error>());
        assert_eq!(size_of::<Singular>(), 16);
    }
}
