//! The texts of errors.

use core::fmt;

use super::names::{Named, Subject};
use super::{Coordinate, Error, Obstacle, Quantity, Row};
use crate::one_sided::ConsistentModes;

/// A number in readable form: very large and very small ones with an exponent.
pub(crate) struct Figure(pub f64);

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

impl fmt::LowerExp for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:e}", self.0)
    }
}

/// " at t = 1.5", or nothing if the number is not known.
struct At(&'static str, Option<f64>);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(number) => write!(f, " at {}{}", self.0, Figure(number)),
            None => Ok(()),
        }
    }
}

/// A fact as messages show it.
trait Shown {
    type As: fmt::Display;

    fn shown(&self) -> Self::As;
}

impl Shown for f64 {
    type As = Figure;

    fn shown(&self) -> Figure {
        Figure(*self)
    }
}

impl Shown for Option<f64> {
    type As = At;

    fn shown(&self) -> At {
        At("t = ", *self)
    }
}

macro_rules! as_they_are {
    ($($fact:ty),*) => {$(
        impl Shown for $fact {
            type As = $fact;

            fn shown(&self) -> $fact {
                *self
            }
        }
    )*};
}

as_they_are!(
    usize,
    &'static str,
    Coordinate,
    ConsistentModes,
    Quantity,
    Obstacle
);

impl Shown for Row {
    type As = Subject;

    fn shown(&self) -> Subject {
        Subject(*self)
    }
}

/// The cause of a singular row, and the remedy.
const HELP_SINGULAR: &str = "it has no gradient there or follows from other rows; to accept redundant rows, write \
     `#[redundant(least_squares)]` before the struct of a `system!`, or use `SequentialImpulses`";

/// The same in a `World`, which accepts redundant rows.
const HELP_SINGULAR_JOINT: &str = "it moves nothing: all of its bodies are fixed, the row has no gradient there, as a distance of \
     zero, or masses differ by more than rounding allows";

/// The usual cause of an infinite state.
const HELP_NON_FINITE: &str = "; if the start was finite, forces grow without bound or the steps are too long: take shorter \
     steps, or use `DormandPrince`, which chooses its steps";

/// The usual cause of an infinite force.
const HELP_FORCE: &str =
    "; it was computed from a state out of its domain, or from a parameter that is not finite";

/// The cause of a memory with NaN or infinite numbers.
const HELP_MEMORY: &str = ": the checkpoint is damaged";

/// The usual cause of a NaN in C at the start.
const HELP_NAN: &str = "a parameter is NaN, or a function is out of its domain there";

/// The causes of a projection that fails.
const HELP_DIVERGED: &str = "take shorter steps, or start nearer; if shorter steps fail at the same time, rods are stretched \
     taut or a loop is singular there, which springs in place of rods pass";

/// The usual cause of a Newton iteration that does not converge.
const HELP_NEWTON: &str = "take shorter steps, or use `Radau5`, which chooses its steps; a force that jumps, or an \
     input law, which `linearize` treats as constant, also prevents convergence";

/// One row per error: its facts, and its text. The texts of some depend on the values of their facts.
///
/// `Debug` is the text as well, since `main` and `unwrap` show errors by it; `{:#?}` shows the facts.
macro_rules! messages {
    ($($error:ident { $($fact:ident),* }: $text:literal;)*) => {
        impl fmt::Display for Error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Self::NonFinite { quantity, index, names, value, time } => {
                        let (name, time) = (Named(*names, *index), time.shown());
                        write!(f, "{quantity} {name} is {value}{time}{}", help(*quantity))
                    }
                    Self::SingularStep { index, names, time } => {
                        let (name, time) = (Named(*names, *index), time.shown());
                        write!(f, "the matrix of an implicit step is singular at velocity {name}{time}; {HELP_NEWTON}")
                    }
                    Self::Singular { row, pivot, time } if row.joint.is_some() => {
                        let (row, pivot, time) = (row.shown(), pivot.shown(), time.shown());
                        write!(f, "{row} is singular{time}: pivot {pivot} of J W Jᵀ; {HELP_SINGULAR_JOINT}")
                    }
                    Self::Cusp { parameter, metric, time } if !metric.is_finite() => {
                        let (place, time) = (At("", *parameter), time.shown());
                        write!(f, "the curve has no finite tangent or curvature{place}{time}")
                    }
                    Self::Cusp { parameter, metric, time } => {
                        let (place, metric, time) = (At("", *parameter), metric.shown(), time.shown());
                        write!(f, "the tangent of the curve vanishes{place}{time}: r′·r′ = {metric}")
                    }
                    Self::InvalidMotor { most } if *most == f64::INFINITY => {
                        write!(f, "a motor has no finite bound: set its largest torque or force by `Motor::most`")
                    }
                    Self::InconsistentPosition { row, value, .. } if value.is_nan() => {
                        let row = row.shown();
                        write!(f, "{row} is NaN at the start: {HELP_NAN}")
                    }
                    Self::ProjectionDiverged { row, residual, iterations, time } if residual.is_nan() => {
                        let (row, time) = (row.shown(), time.shown());
                        write!(f, "{row} is NaN{time} after {iterations} iterations of projection: {HELP_NAN}; take shorter steps, or start nearer")
                    }
                    Self::InvalidTolerance { tolerance } => {
                        let (tolerance, reason) = (tolerance.shown(), wrong_tolerance(*tolerance));
                        write!(f, "tolerance {tolerance} {reason}")
                    }
                    Self::InvalidTime { target, time } => {
                        let (target, time) = (target.shown(), time.shown());
                        match target.0.is_finite() {
                            true => write!(f, "time {target} is before {time}, the present time"),
                            false => write!(f, "time {target} is not finite"),
                        }
                    }
                    Self::InvalidCoefficient { quantity, constraint, value } => {
                        let most = if *quantity == Quantity::Restitution { "between 0 and 1" } else { "zero or positive" };
                        write!(f, "the {quantity} of `{constraint}` is {}: it must be {most}", value.shown())
                    }
                    Self::NoRoom { constraint, other, time } => {
                        let time = time.shown();
                        match other {
                            Some(other) => write!(f, "`{constraint}` and `{other}` leave no room{time}: no motion keeps both, with friction or without"),
                            None => write!(f, "`{constraint}` leaves no room{time}: no motion keeps it together with the other constraints, with friction or without"),
                        }
                    }
                    $(Self::$error { $($fact),* } => {
                        $(let $fact = $fact.shown();)*
                        write!(f, $text)
                    })*
                }
            }
        }

        impl Error {
            /// The name of the error and its facts.
            fn facts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                facts!(self, f, NonFinite { quantity, index, names, value, time });
                facts!(self, f, SingularStep { index, names, time });
                facts!(self, f, Cusp { parameter, metric, time });
                facts!(self, f, InvalidTolerance { tolerance });
                facts!(self, f, InvalidTime { target, time });
                facts!(self, f, InvalidCoefficient { quantity, constraint, value });
                facts!(self, f, NoRoom { constraint, other, time });
                $(facts!(self, f, $error { $($fact),* });)*
                Ok(())
            }
        }
    };
}

/// Shows the facts of an error if it is this one.
macro_rules! facts {
    ($error:ident, $f:ident, $name:ident { $($fact:ident),* }) => {
        if let Self::$name { $($fact),* } = $error {
            return $f.debug_struct(stringify!($name))$(.field(stringify!($fact), $fact))*.finish();
        }
    };
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            self.facts(f)
        } else {
            fmt::Display::fmt(self, f)
        }
    }
}

/// The fault of a tolerance, or of a pair of tolerances whose sum it is.
fn wrong_tolerance(tolerance: f64) -> &'static str {
    if tolerance.is_finite() && tolerance < 0.0 {
        "is negative"
    } else if tolerance == 0.0 {
        "leaves no error to allow: a relative or an absolute tolerance must be positive"
    } else {
        "is not finite"
    }
}

/// The usual cause of an infinite or NaN number.
fn help(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Coordinate | Quantity::Velocity => HELP_NON_FINITE,
        Quantity::Force | Quantity::Result => HELP_FORCE,
        Quantity::Memory => HELP_MEMORY,
        _ => "",
    }
}

messages! {
    Singular { row, pivot, time }:
        "{row} is singular{time}: pivot {pivot} of J W Jᵀ; {HELP_SINGULAR}";
    SingularMass { coordinate, pivot, time }:
        "the mass matrix is singular at {coordinate}{time}: pivot {pivot}";
    InvalidParameter { parameter, value }:
        "parameter `{parameter}` is {value}, not a finite number";
    InconsistentPosition { row, value, tolerance }:
        "the start violates {row} by {value} (allowed: {tolerance:e}); `make_consistent` moves it onto the constraint";
    InconsistentVelocity { row, rate, tolerance }:
        "the start violates the rate of {row} by {rate} (allowed: {tolerance:e}); `make_consistent` corrects the velocities";
    UnitsOutOfRange { row, size }:
        "{row} has terms of the size {size}, whose products leave the range of floats: choose other units";
    UndefinedSlope { row, value }:
        "{row} has no gradient at the start, where its value is {value}: a distance of zero has no direction; start elsewhere";
    UnreachableRow { row, value }:
        "the start violates {row} by {value}, and no state near it satisfies the constraints: a parameter may exclude every state, as a negative length does, or they contradict each other";
    InvalidMass { mass }: "mass {mass} is not positive and finite";
    InvalidInertia { pivot }: "the inertia is not positive definite: pivot {pivot}";
    ImpossibleInertia { excess }:
        "no body has this inertia: a principal moment exceeds the sum of the others by {excess}";
    AsymmetricInertia { difference }:
        "the inertia is not symmetric: two entries differ by {difference}";
    InvalidRotation { norm }: "a rotation of length {norm} is not normalised";
    UnknownBody { index }: "the handle of body {index} belongs to another world";
    UnknownJoint { index }: "the handle of joint {index} belongs to another world";
    RemovedBody { body }: "body {body} has been removed from its world";
    RemovedJoint { joint }:
        "joint {joint} has been removed from its world, alone or with one of its bodies";
    OtherJoint { joint, found, expected }: "joint {joint} is of the type {found}, not {expected}";
    AnotherWorld { bodies, rows, found_bodies, found_rows }:
        "a checkpoint of {found_bodies} bodies and {found_rows} rows does not fit this world of {bodies} bodies and {rows} rows";
    WrongLength { quantity, found, expected }:
        "{quantity}: found {found} entries, expected {expected}";
    JointApart { row, value, tolerance }:
        "{row} is apart: C of a row is {value}, a step closes at most {tolerance}; `assemble` moves the bodies onto their joints";
    InvalidLimits { low, high }:
        "limits from {low} to {high} must be two different numbers in this order, for angles at most a turn apart";
    InvalidBounds { least, most }:
        "bounds of λ from {least} to {most} must be two different numbers in this order";
    NoRow { joint, row, rows }:
        "joint {joint} has no row {row}: there are {rows}, counted from 0";
    InvalidRestitution { restitution }: "restitution {restitution} is not between 0 and 1";
    InvalidMotor { most }:
        "the bound {most} of a motor is not positive and finite: set it by `Motor::most`";
    OutsideLimits { joint, value, low, high }:
        "joint {joint} is at {value}, outside of its limits from {low} to {high}: values count from the pose in which its bodies were connected";
    NoAxis { joint, axis }:
        "joint {joint} has no coordinate {axis} with limits or a motor: give it one before it is connected";
    InvalidFriction { friction }: "friction {friction} is negative or not finite";
    InvalidNormal { length }: "the normal of a contact has the length {length}: it must lead from the first body to the second";
    SelfContact { body }: "a contact connects body {body} with itself";
    OwnStepsOnly {}:
        "limits, motors, bounds and contacts act in the steps of a `World` alone: call `World::step` or `World::run_until`";
    SelfJoint { body }: "a joint connects body {body} with itself";
    InvalidSoftness { stiffness, damping }:
        "stiffness {stiffness} and damping {damping} must be finite, not negative, and not both zero; limits need a stiffness";
    InvalidDamping { damping }:
        "damping {damping} must be finite and not negative; add a driving force with `under`";
    InvalidFeedback { alpha, beta }:
        "Baumgarte's α = {alpha} and β = {beta} must be finite and not negative, and α not zero with sequential impulses";
    NoIterations {}:
        "sequential impulses need at least one iteration: see `SequentialImpulses::new`";
    NoCopies {}: "an ensemble needs at least one copy";
    UnknownCopies { start, end, copies }:
        "copies {start} to {end} do not exist in an ensemble that ends before copy {copies}";
    UnknownShard { shard, shards }: "shard {shard} does not exist: there are {shards}, counted from 0";
    InvalidStepSize { step_size }: "step size {step_size} is not positive and finite";
    StepTooShort { step_size, target }:
        "steps of {step_size:e} are too short for times up to {target}, whose rounding is larger";
    InvalidSpectralRadius { radius }: "ρ∞ = {radius} is not between 0 and 1";
    StepSizeUnderflow { step_size, time }:
        "the tolerance needs steps of {step_size:e}, too short for the time{time}";
    TooManyRejections { rejections, step_size, time }:
        "a step failed {rejections} times, the last of size {step_size:e}{time}";
    TooManySteps { steps, step_size, target, time }:
        "{steps} steps did not reach t = {target}, the next has size {step_size:e}{time}";
    KickDiverged { change, iterations, time }:
        "a kick still changed the velocity by {change} after {iterations} iterations{time}";
    TooManyEvents { events, time }:
        "{events} events within one step or at one time{time}: if bounces accumulate, let the handler stop the run";
    Penetration { constraint, depth, time }:
        "the start is on the wrong side of `{constraint}` by {depth}{time}: `make_consistent_with_contacts` moves it out";
    Ambiguous { constraint, modes, time }:
        "the laws of contact allow several motions at `{constraint}`{time}, with the constraints {modes}: choose `Ambiguity::Continue` to take the first";
    Jammed { constraint, time }:
        "no motion is consistent with the friction at `{constraint}`{time}: it can neither stick, slide nor leave; `Jams::Impact` lets it jump";
    EventUndefined { event, time }:
        "the function of event {event} is not a number in the step{time}";
    EventPole { event, time }:
        "the function of event {event} has a pole in the step{time}: its sign changes there without a zero; watch its reciprocal";
    EventUnresolved { event, time }:
        "the bounces of event {event} come to rest{time}: its function stays zero to rounding; let the handler stop the run earlier";
    GrazingEvent { event, time }:
        "the run has no gradient: event {event} grazes zero{time}, or its derivatives do not match its function";
    GrazingContact { constraint, time }:
        "the run has no gradient: the contact at `{constraint}` begins, ends, sticks or slips without speed{time}";
    InvalidDomain { start, end }:
        "the domain from {start} to {end} is empty, reversed or not finite";
    DomainsDiffer { start, end, other_start, other_end }:
        "a histogram from {start} to {end} and one from {other_start} to {other_end} have no parts in common";
    Jump { parameter, gap }: "the pieces of the curve are {gap} apart at s = {parameter}";
    TooManyPanels { panels }:
        "{panels} panels are too few to measure the curve: it turns too often, or its speed is not smooth";
    Corner { place, time }: "no derivative exists here{time}: {place}";
    NoDerivatives {}:
        "implicit methods need ∂v̇/∂(q, v): write `#[derivatives]` before the struct in its `system!`, or override `Dynamics::write_linearization`";
    NewtonDiverged { residual, iterations, time }:
        "Newton's method left v̇ of a stage off by {residual} after {iterations} iterations{time}; {HELP_NEWTON}";
    NoJacobian { component }:
        "component {component} of the chosen outputs has no Jacobian here: it contains accelerations, multipliers, inputs or a nonlinear function of velocities, or it is not smooth at this place";
    SingularTask { component, pivot }:
        "component {component} of the chosen outputs cannot be moved independently of those before it: pivot {pivot} of J M⁻¹ Jᵀ";
    NotReached { component, residual, at_limits, steps }:
        "component {component} of the chosen outputs stays {residual} from its target, with {at_limits} coordinates at limits, after {steps} steps; start elsewhere, or try several starts with `CoordinateLimits::restarts`";
    InvalidCoordinateLimits { coordinate, lower, upper }:
        "coordinate {coordinate} cannot have the limits {lower} and {upper}: they are reversed or not numbers, or the coordinate belongs to a rotation";
    OutsideCoordinateLimits { coordinate, value, limit }:
        "no place within the limits was found on the constraints: coordinate {coordinate} stays at {value}, beyond {limit}; start elsewhere";
    NoEquilibrium { acceleration, steps }:
        "no equilibrium was found: after {steps} steps v̇ is {acceleration}, and no step reduces it; start elsewhere, or, if the system loses energy, simulate until it rests";
    NotIsolated { directions }:
        "the equilibrium is not isolated: the system can move away in {directions} directions without a force; constrain these directions";
    MovingRow { row, rate, acceleration }:
        "nothing can rest on {row}: at zero velocity Ċ is {rate} and C̈ is {acceleration}";
    NoGradient { obstacle }: "the run has no gradient: {obstacle}";
    NoEigenvalues {}: "the eigenvalues of the linearised system were not found";
    OutOfRange { quantity, value, start, end, time }:
        "{quantity} {value} lies outside the curve, which runs from {start} to {end}{time}";
    UnevenMasses { row, ratio, time }:
        "a step has led too far from {row}{time}: masses that joints connect there differ by the factor {ratio:e}, so that the light bodies swing faster than the steps follow; take shorter steps, or make the masses more alike";
    ProjectionDiverged { row, residual, iterations, time }:
        "{row} stays violated by {residual}{time}, too far to be repaired by {iterations} iterations of projection: {HELP_DIVERGED}";
}

#[cfg(test)]
mod tests {
    use super::super::Singular;
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
                .located(1.5, |index| Row {
                    name: Some("link[2]"),
                    ..index.into()
                })
                .to_string()
                .starts_with("constraint `link[2]` is singular at t = 1.5: pivot 0 of J W Jᵀ; ")
        );
        assert!(HELP_SINGULAR.contains("#[redundant(least_squares)]"));
    }

    /// What `fn main() -> Result<(), Error>` prints, as all programs of the book do.
    #[test]
    fn main_prints_the_text() {
        let error = Error::from(Singular { row: 2, pivot: 0.0 });
        assert_eq!(format!("{error:?}"), error.to_string());
        assert_eq!(format!("{:?}", Some(error)), format!("Some({error})"));
        let facts = format!("{error:#?}");
        assert!(facts.starts_with("Singular {\n    row: Row {"), "{facts}");
        let facts = format!("{:#?}", Error::NoIterations {});
        assert_eq!(facts, "NoIterations");
        let facts = format!("{:#?}", Error::InvalidTolerance { tolerance: -1.0 });
        assert_eq!(facts, "InvalidTolerance {\n    tolerance: -1.0,\n}");
    }

    #[test]
    fn one_reason_is_named() {
        let tolerance = |tolerance| Error::InvalidTolerance { tolerance }.to_string();
        assert_eq!(tolerance(-1.0), "tolerance -1 is negative");
        assert_eq!(tolerance(f64::NAN), "tolerance NaN is not finite");
        assert!(tolerance(0.0).starts_with("tolerance 0 leaves no error to allow"));
        let time = |target| Error::InvalidTime { target, time: 1.0 }.to_string();
        assert_eq!(time(0.5), "time 0.5 is before 1, the present time");
        assert_eq!(time(f64::INFINITY), "time inf is not finite");
        let motor = |most| Error::InvalidMotor { most }.to_string();
        assert!(motor(-1.0).starts_with("the bound -1 of a motor is not positive"));
        let expected =
            "a motor has no finite bound: set its largest torque or force by `Motor::most`";
        assert_eq!(motor(f64::INFINITY), expected);
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
        let cusp = crate::curve::Cusp { metric: 1e-310 };
        assert!(cusp.to_string().ends_with("r′·r′ = 1e-310"), "{cusp}");
    }
}
