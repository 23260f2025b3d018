//! The errors of the runtime, as facts: rows, numbers, times.

mod causes;
mod located;
mod message;
mod names;

pub use self::causes::{Obstacle, Quantity, Singular};
pub(crate) use self::names::write_named;
pub use self::names::{Coordinate, Names, Row, RowJoint};

pub(crate) use self::message::Figure;
use crate::one_sided::ConsistentModes;

/// The errors of the runtime, each with the numbers and names of its cause.
///
/// `Debug` shows the same text as `Display`, so that `fn main() -> Result<(), Error>` and `unwrap` print it; `{:#?}` shows
/// the numbers and names alone.
///
/// Values are those of the first bad lane for SIMD scalars. Times are `None` where the failing
/// function was called outside a [`Simulation`](crate::Simulation).
#[derive(Clone, Copy, PartialEq)]
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
    /// The mass matrix has no usable pivot: at this state, a coordinate moves no mass of its own.
    SingularMass {
        /// The coordinate whose pivot failed.
        coordinate: Coordinate,
        /// The pivot found.
        pivot: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// A number of the state or of the external force is infinite or NaN.
    NonFinite {
        /// The vector that contains it.
        quantity: Quantity,
        /// Its index in that vector.
        index: usize,
        /// The names of the vector's numbers, if the system has any.
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
        /// Largest |C| that counts as zero there.
        tolerance: f64,
    },
    /// Products of the terms of a row leave the range of floats.
    UnitsOutOfRange {
        /// The row whose size is the most extreme.
        row: Row,
        /// Its size: the sum of the magnitudes of the terms of C.
        size: f64,
    },
    /// A row has no gradient at the start, as for the distance between two coincident points: it cannot be decided
    /// whether the start satisfies the row.
    UndefinedSlope {
        /// The row.
        row: Row,
        /// C of it there.
        value: f64,
    },
    /// The start violates a row, and Newton's method finds no place near it that satisfies the row.
    UnreachableRow {
        /// The row violated most.
        row: Row,
        /// C of it at the start.
        value: f64,
    },
    /// The start moves off the constraint: Ċ ≠ 0.
    InconsistentVelocity {
        /// The row violated most.
        row: Row,
        /// Ċ of that row.
        rate: f64,
        /// Largest |Ċ| that counts as zero there.
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
    /// A principal moment of inertia exceeds the sum of the others, which no body can have.
    ImpossibleInertia {
        /// The excess.
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
    /// A handle does not belong to a body of this world.
    UnknownBody {
        /// The handle's number.
        index: usize,
    },
    /// A handle does not belong to a joint of this world.
    UnknownJoint {
        /// The handle's number.
        index: usize,
    },
    /// A body has been removed from its `World`.
    RemovedBody {
        /// Its number.
        body: usize,
    },
    /// A joint has been removed from its `World`, alone or with one of its bodies.
    RemovedJoint {
        /// Its number.
        joint: usize,
    },
    /// A joint of a `World` is of another type than the one named.
    OtherJoint {
        /// Its number.
        joint: usize,
        /// Its type.
        found: &'static str,
        /// The type named.
        expected: &'static str,
    },
    /// A checkpoint is from a world that was built differently.
    AnotherWorld {
        /// Bodies of the world that is to resume from it.
        bodies: usize,
        /// Rows of its joints.
        rows: usize,
        /// Bodies in the checkpoint.
        found_bodies: usize,
        /// Rows in the checkpoint.
        found_rows: usize,
    },
    /// A vector has another length than the system needs: in a state, or in a checkpoint.
    WrongLength {
        /// The kind of vector.
        quantity: Quantity,
        /// Its length.
        found: usize,
        /// The length that is needed.
        expected: usize,
    },
    /// Closing a joint in a step of a `World` would move a body by more than 2 % of its reach; `World::assemble` does so.
    JointApart {
        /// The row violated most.
        row: Row,
        /// C of that row.
        value: f64,
        /// Largest |C| of that row that the step would close.
        tolerance: f64,
    },
    /// Limits of a joint are reversed, equal, not numbers, or further apart than a turn.
    InvalidLimits {
        /// The lower one.
        low: f64,
        /// The upper one.
        high: f64,
    },
    /// Bounds of λ are reversed, equal, or not numbers.
    InvalidBounds {
        /// The least λ.
        least: f64,
        /// The largest one.
        most: f64,
    },
    /// A joint of a `World` has no such row.
    NoRow {
        /// The number of the joint.
        joint: usize,
        /// The number of the row.
        row: usize,
        /// Its number of rows.
        rows: usize,
    },
    /// A restitution is not between 0 and 1.
    InvalidRestitution {
        /// The restitution.
        restitution: f64,
    },
    /// The torque or force of a motor is not bounded, or its bound is not positive.
    InvalidMotor {
        /// The bound; infinite if there is none.
        most: f64,
    },
    /// A joint of a `World` lies outside of its limits by more than 2 % of their range.
    OutsideLimits {
        /// Its number.
        joint: usize,
        /// The coordinate.
        value: f64,
        /// The lower limit.
        low: f64,
        /// The upper limit.
        high: f64,
    },
    /// A joint of a `World` has no such coordinate with limits or a motor.
    NoAxis {
        /// The number of the joint.
        joint: usize,
        /// The number of the coordinate.
        axis: usize,
    },
    /// The friction of a contact is negative or not finite.
    InvalidFriction {
        /// The friction.
        friction: f64,
    },
    /// The normal of a contact has no direction.
    InvalidNormal {
        /// Its length.
        length: f64,
    },
    /// A contact connects a body with itself.
    SelfContact {
        /// The number of the body's handle.
        body: usize,
    },
    /// A `World` has limits, motors, bounds or contacts, which act in its own steps alone, and not under an integrator.
    OwnStepsOnly,
    /// A joint connects a body with itself.
    SelfJoint {
        /// The number of the body's handle.
        body: usize,
    },
    /// A spring or damper is negative or not finite, both are zero, or limits have no spring.
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
    /// Baumgarte's feedback is negative or not finite, or impulses need the feedback β²/(2 α) with α = 0.
    InvalidFeedback {
        /// Its damping α.
        alpha: f64,
        /// Its stiffness β.
        beta: f64,
    },
    /// Sequential impulses with no iteration.
    NoIterations,
    /// An ensemble without copies.
    NoCopies,
    /// Copies that an ensemble does not have.
    UnknownCopies {
        /// The first copy requested.
        start: usize,
        /// The end of the requested range, exclusive.
        end: usize,
        /// The end of the existing range, exclusive.
        copies: usize,
    },
    /// A shard that does not exist.
    UnknownShard {
        /// Its number, from 0.
        shard: usize,
        /// The number of shards.
        shards: usize,
    },
    /// A step size is not a positive finite number.
    InvalidStepSize {
        /// The step size.
        step_size: f64,
    },
    /// Steps so short that adding one does not change the time, or that their number is too large to count exactly.
    StepTooShort {
        /// The step size.
        step_size: f64,
        /// The time to run to.
        target: f64,
    },
    /// A tolerance is negative or not finite, or all of them are zero.
    InvalidTolerance {
        /// The tolerance, or the sum of them.
        tolerance: f64,
    },
    /// The spectral radius at infinity, the factor by which a step reduces infinitely fast motion, is not between 0 and
    /// 1.
    InvalidSpectralRadius {
        /// ρ∞
        radius: f64,
    },
    /// The end time of a run is not finite or lies in the past.
    InvalidTime {
        /// The end time requested.
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
    /// Histograms over different intervals, which cannot be merged.
    DomainsDiffer {
        /// The start of one.
        start: f64,
        /// Its end.
        end: f64,
        /// The start of the other.
        other_start: f64,
        /// Its end.
        other_end: f64,
    },
    /// Two pieces of a curve do not meet.
    Jump {
        /// The parameter s.
        parameter: f64,
        /// The distance between them.
        gap: f64,
    },
    /// A curve turns too often, or its speed is not smooth enough, to be measured.
    TooManyPanels {
        /// The number of panels used.
        panels: usize,
    },
    /// At this state a force, a row or an output has no value, or a derivative that is requested does not exist: a distance
    /// of zero has no direction, |x| a corner, a square root no slope at 0.
    Corner {
        /// The expression that is zero there, and where it is written.
        place: &'static str,
        /// Time of the evaluation, in a run.
        time: Option<f64>,
    },
    /// An implicit method needs ∂v̇/∂(q, v), and the system does not provide it.
    NoDerivatives,
    /// Newton's method did not solve the equations of an implicit step.
    NewtonDiverged {
        /// The largest difference between v̇ of a stage and a(t, q, v) there.
        residual: f64,
        /// Iterations done.
        iterations: usize,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// The matrix of Newton's method in an implicit step has no usable pivot.
    SingularStep {
        /// The index of the velocity whose pivot failed.
        index: usize,
        /// The names of the velocities, if the system has any.
        names: Option<&'static [Names]>,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// A chosen output has no Jacobian.
    NoJacobian {
        /// The component, in the order of the chosen ones.
        component: usize,
    },
    /// Components of chosen outputs do not move independently of each other.
    SingularTask {
        /// The component, in the order of the chosen ones.
        component: usize,
        /// The pivot of J M⁻¹ Jᵀ found.
        pivot: f64,
    },
    /// Chosen outputs do not reach their targets from a start.
    NotReached {
        /// The component that is farthest from its target, in the order of the chosen ones.
        component: usize,
        /// The target of this component minus its value at the nearest place found.
        residual: f64,
        /// The number of coordinates that are at a limit there.
        at_limits: usize,
        /// Steps taken.
        steps: usize,
    },
    /// Limits that a coordinate cannot have.
    InvalidCoordinateLimits {
        /// The coordinate.
        coordinate: Coordinate,
        /// The least value.
        lower: f64,
        /// The greatest value.
        upper: f64,
    },
    /// No place within limits was found on the constraints.
    OutsideCoordinateLimits {
        /// A coordinate that exceeds its limits.
        coordinate: Coordinate,
        /// Its value on the constraints.
        value: f64,
        /// The limit that is exceeded.
        limit: f64,
    },
    /// No equilibrium was found from a start.
    NoEquilibrium {
        /// The largest entry of v̇ at the last place.
        acceleration: f64,
        /// Newton steps taken.
        steps: usize,
    },
    /// An equilibrium is not isolated: the system can move away from it without a force.
    NotIsolated {
        /// The number of such directions.
        directions: usize,
    },
    /// A row moves although the velocities are zero, so that nothing can rest on it.
    MovingRow {
        /// The row.
        row: Row,
        /// Ċ of it at v = 0.
        rate: f64,
        /// C̈ of it at v = 0 and v̇ = 0.
        acceleration: f64,
    },
    /// The eigenvalues of a linearised system were not found.
    NoEigenvalues,
    /// A run has no gradient.
    NoGradient {
        /// Why.
        obstacle: Obstacle,
    },
    /// A position on a curve lies beyond its ends.
    OutOfRange {
        /// The quantity requested: a parameter or a length.
        quantity: Quantity,
        /// Its value.
        value: f64,
        /// The smallest value allowed.
        start: f64,
        /// The largest value allowed.
        end: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// The tangent of a curve vanishes: see [`Cusp`](crate::curve::Cusp).
    Cusp {
        /// The parameter s, if it is known.
        parameter: Option<f64>,
        /// r′·r′ there.
        metric: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// The tolerance needs a step too short for the time to resolve: the motion has a singularity there.
    StepSizeUnderflow {
        /// The step size that would be needed.
        step_size: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// A step was shortened many times and never met the tolerance.
    TooManyRejections {
        /// The number of attempts.
        rejections: usize,
        /// The last step size.
        step_size: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// A run of an adaptive method took as many steps as it may: the motion grows without bound, for example with
    /// damping of the wrong sign, or the forces are stiff.
    TooManySteps {
        /// Steps taken towards `target`.
        steps: usize,
        /// The size of the next step.
        step_size: f64,
        /// The end time requested.
        target: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// The velocity after an implicit kick did not settle: the step is too long.
    KickDiverged {
        /// The last change of the velocity.
        change: f64,
        /// Iterations done.
        iterations: usize,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// Events followed each other without end: a hundred without time passing, or a thousand within one step, ten thousand
    /// of contacts.
    TooManyEvents {
        /// The number of events.
        events: usize,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// A start is on the wrong side of a constraint of one side.
    Penetration {
        /// The name of the constraint.
        constraint: &'static str,
        /// How far it is on the wrong side.
        depth: f64,
        /// Time of the start.
        time: Option<f64>,
    },
    /// A restitution is not between 0 and 1, or a friction or the bound of a motor is negative or not finite.
    InvalidCoefficient {
        /// Restitution, friction or bound.
        quantity: Quantity,
        /// The name of the constraint or motor.
        constraint: &'static str,
        /// Its value.
        value: f64,
    },
    /// The laws of contacts allow several motions, and [`Ambiguity::Refuse`](crate::Ambiguity::Refuse) was chosen.
    Ambiguous {
        /// The name of the first constraint of one side whose modes differ.
        constraint: &'static str,
        /// The modes of each motion.
        modes: ConsistentModes,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// Coulomb's law allows no motion: neither sticking nor sliding nor leaving (Painlevé).
    Jammed {
        /// The name of the first constraint with friction that takes part.
        constraint: &'static str,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// Constraints of one side leave no room: without friction, too, no motion satisfies all that touch.
    NoRoom {
        /// The name of the first that could be left out.
        constraint: &'static str,
        /// The name of the next, if there is one.
        other: Option<&'static str>,
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
    /// The function of an event has a pole: it changes its sign without being zero there.
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
    /// The function of an event touches zero where it crosses it: the time of the event does not vary smoothly.
    GrazingEvent {
        /// The event's index, in the order in which events were added.
        event: usize,
        /// Its time.
        time: Option<f64>,
    },
    /// A run with contacts has no gradient: a gap, a force or a slip touches zero where it crosses it.
    GrazingContact {
        /// The name of the constraint of one side.
        constraint: &'static str,
        /// The time of the event.
        time: Option<f64>,
    },
    /// A step of a `World` did not reach C = 0, and the masses that joints connect there differ by many orders.
    UnevenMasses {
        /// The row violated most.
        row: Row,
        /// The greatest of the masses divided by the least.
        ratio: f64,
        /// Time of the last good state.
        time: Option<f64>,
    },
    /// Newton's method did not reach C = 0, or only by undoing most of a step.
    ProjectionDiverged {
        /// The row violated most at the end, or at the end of a rejected step.
        row: Row,
        /// C of that row there.
        residual: f64,
        /// Iterations done.
        iterations: usize,
        /// Time of the last good state.
        time: Option<f64>,
    },
}

impl core::error::Error for Error {}
