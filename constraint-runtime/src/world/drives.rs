//! Limits and motors of a world: one bounded row for each coordinate that has one.
//!
//! The exact solver finds, for each row, the piece of its [`Graph`] on which rate and impulse lie: a vertical piece is a
//! row of J W Jᵀ like any other, a horizontal one a constant impulse. Pieces that do not fit are exchanged for their
//! neighbours until all fit, the principal pivoting of a linear complementarity problem; as a rule the pieces of the last
//! step fit at once. The sweeps meet each graph alone.

use alloc::{boxed::Box, vec::Vec};
use core::any::Any;
use core::ops::Range;

use nalgebra::{SVector, SimdBool};

use super::body::Massive;
use super::exact::Exact;
use super::graph::{Graph, Piece, Rounding};
use super::joints::{Asked, Family, Moving};
use super::row::Row;
use super::step::prepared;
use super::touching::{alternate, warm_start};
use super::{JointHandle, JointSlot, World};
use crate::error::Error;
use crate::joint::{Aim, Drive, Limits, Motor};
use crate::real::{Real, lane_value};

/// Exchanges of all pieces that do not fit; afterwards only the first one is exchanged, which cannot go in circles.
const MOST_AT_ONCE: usize = 8;

/// Exchanges per row after which the pieces stay.
const MOST_EXCHANGES: usize = 50;

/// The part of what lies beyond a limit that a step takes back.
const PUSHED_BACK: f64 = 0.2;

/// The part of the range of limits that a step of second order takes back by a velocity, which adds energy; beyond it a
/// step displaces the bodies.
const NEAR_LIMIT: f64 = 1e-4;

/// Rounding units of a rate and of an impulse.
const ROUNDING_EPSILONS: f64 = 64.0;

/// The part of the range of limits by which a joint may violate them when it is connected or placed.
const MOST_OUTSIDE: f64 = 0.02;

/// A coordinate of a joint of a world: see [`World::axes`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisState<T = f64> {
    /// The angle or the travel.
    pub value: T,
    /// Its rate.
    pub rate: T,
    /// The impulse along it in the last step: about h times the torque or force.
    pub impulse: T,
}

/// One coordinate with limits, a motor or both.
#[derive(Clone, Copy)]
pub(super) struct Driving<T: Real, B: Massive<T, D>, const D: usize> {
    /// The number of its joint.
    pub(super) joint: u64,
    pub(super) bodies: [usize; 2],
    axis: B::Axis,
    limits: Option<Limits<T>>,
    motor: Option<Motor<T>>,
    enabled: bool,
    /// Measured at the poses of a stage.
    value: T,
    /// G
    slopes: [SVector<T, D>; 2],
    /// G W Gᵀ
    mobility: T,
    graph: Graph<T>,
    piece: Piece,
    /// The piece to which it changes.
    next: Piece,
    /// The rate at the start of the step.
    before: T,
    /// Λ of this step.
    impulse: T,
    kept: KeptDrive<T>,
}

/// Λ of a drive in the last good step, and the piece on which it ended.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct KeptDrive<T> {
    pub(super) impulse: T,
    piece: Piece,
}

/// The impulses of a stage of a step.
#[derive(Clone, Copy)]
pub(super) struct Stage<T> {
    /// The time for which forces act.
    pub(super) forces: T,
    /// The time until the poses at which limits must hold.
    pub(super) ahead: T,
    pub(super) kind: StageKind,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum StageKind {
    /// The only stage of a step.
    Whole,
    /// The first of two: it leads to the limits.
    First,
    /// The second of two: it decides how what has arrived there leaves them.
    Second,
}

impl<T: Real> KeptDrive<T> {
    fn none() -> Self {
        Self {
            impulse: T::zero(),
            piece: Piece::default(),
        }
    }
}

impl<T: Real, B: Massive<T, D>, const D: usize> Driving<T, B, D> {
    fn row(&self) -> Row<'_, T, D> {
        Row {
            bodies: &self.bodies,
            slopes: &self.slopes,
        }
    }

    fn measure(&self, bodies: &[Moving<T, B, D>]) -> (T, [SVector<T, D>; 2]) {
        let (mut value, slopes) = B::measure(&self.axis, self.bodies.map(|it| &bodies[it].pose));
        if B::is_angle(&self.axis) {
            let middle = match (&self.limits, &self.motor) {
                (Some(Limits { low, high, .. }), _) => (*low + *high) * T::lit(0.5),
                (
                    None,
                    Some(Motor {
                        aim: Aim::Position { at, .. },
                        ..
                    }),
                ) => *at,
                _ => T::zero(),
            };
            let turn = T::lit(core::f64::consts::TAU);
            value -= turn * ((value - middle) / turn).simd_round();
        }
        (value, slopes)
    }

    /// Measures the coordinate at the bodies' poses.
    fn look(&mut self, bodies: &[Moving<T, B, D>]) {
        (self.value, self.slopes) = self.measure(bodies);
        self.mobility = self.row().mobility(bodies);
    }

    /// Prepares the graph of a stage where the coordinate has been measured.
    fn aim(&mut self, stage: Stage<T>) {
        self.graph = Graph::free();
        if self.enabled {
            self.aim_motor(stage);
            self.aim_limits(stage);
        }
        // Limits may have been removed since the last step.
        if !self.graph.has(self.piece) {
            self.piece = Piece::default();
        }
    }

    fn aim_motor(&mut self, stage: Stage<T>) {
        if let Some(motor) = &self.motor {
            self.graph.bound = motor.most.unwrap_or_else(T::zero) * stage.forces;
            (self.graph.aim, self.graph.slope) = match motor.aim {
                Aim::Speed(speed) => (speed, T::zero()),
                Aim::Position {
                    at,
                    stiffness,
                    damping,
                } => {
                    let sum = stiffness * stage.ahead + damping;
                    (
                        stiffness * (at - self.value) / sum,
                        T::one() / (sum * stage.forces),
                    )
                }
            };
        }
    }

    fn aim_limits(&mut self, stage: Stage<T>) {
        if let Some(limits) = &self.limits {
            let rebound = -limits.restitution * self.before;
            let (below, above) = (limits.low - self.value, limits.high - self.value);
            let back = T::lit(PUSHED_BACK);
            let back = if stage.kind == StageKind::First {
                back
            } else {
                T::zero()
            };
            let (low, high) = (below.simd_min(below * back), above.simd_max(above * back));
            let meets = |beyond: bool| beyond && limits.restitution.simd_gt(T::zero()).all();
            let travel = self.before * stage.ahead;
            let [meets_low, meets_high] =
                [travel.simd_lt(below).all(), travel.simd_gt(above).all()].map(meets);
            let (free_low, free_high) = (self.graph.low, self.graph.high);
            (self.graph.low, self.graph.high) = match stage.kind {
                StageKind::Second => (
                    if self.piece == Piece::Low {
                        rebound.simd_max(T::zero())
                    } else {
                        free_low
                    },
                    if self.piece == Piece::High {
                        rebound.simd_min(T::zero())
                    } else {
                        free_high
                    },
                ),
                StageKind::Whole if meets_low => {
                    (rebound.simd_max(low / stage.ahead), high / stage.ahead)
                }
                StageKind::Whole if meets_high => {
                    (low / stage.ahead, rebound.simd_min(high / stage.ahead))
                }
                _ => (low / stage.ahead, high / stage.ahead),
            };
        }
    }

    /// How far the coordinate lies below its limits, or, negative, above them.
    fn beyond(&self, bodies: &[Moving<T, B, D>]) -> T {
        let Some(Limits { low, high, .. }) = self.limits.filter(|_| self.enabled) else {
            return T::zero();
        };
        let (value, _) = self.measure(bodies);
        (low - value).simd_max(T::zero()) + (high - value).simd_min(T::zero())
    }

    fn is_far_beyond(&self, bodies: &[Moving<T, B, D>]) -> bool {
        self.limits.is_some_and(|limits| {
            let most = (limits.high - limits.low) * T::lit(NEAR_LIMIT);
            self.beyond(bodies).simd_abs().simd_gt(most).any()
        })
    }

    /// Moves the bodies a part of the way to the limits; false if they are inside.
    fn push_back(&self, bodies: &mut [Moving<T, B, D>]) -> bool {
        let beyond = self.beyond(bodies);
        if beyond.simd_eq(T::zero()).all() {
            return false;
        }
        let by = beyond * T::lit(PUSHED_BACK) / self.mobility;
        self.row().displace(by, bodies);
        true
    }

    /// Rounding of the rate and of Λ.
    fn rounding(&self, bodies: &[Moving<T, B, D>]) -> Rounding<T> {
        let rate = self.row().size(bodies) * T::simd_default_epsilon() * T::lit(ROUNDING_EPSILONS);
        Rounding {
            rate,
            impulse: rate / self.mobility,
        }
    }

    /// Meets the graph alone.
    pub(super) fn obey(&mut self, bodies: &mut [Moving<T, B, D>]) {
        let free = self.row().rate(bodies) - self.mobility * self.impulse;
        let impulse = self.graph.solve(free, self.mobility);
        self.row().push(impulse - self.impulse, bodies);
        self.impulse = impulse;
    }

    /// Starts from Λ of the last step.
    pub(super) fn warm_start(&mut self, bodies: &mut [Moving<T, B, D>], warm: bool) {
        self.impulse = if warm { self.kept.impulse } else { T::zero() };
        self.row().push(self.impulse, bodies);
    }

    pub(super) fn commit(&mut self) {
        self.kept = KeptDrive {
            impulse: self.impulse,
            piece: self.piece,
        };
    }

    pub(super) fn kept(&self) -> KeptDrive<T> {
        self.kept
    }

    pub(super) fn set_kept(&mut self, kept: KeptDrive<T>) {
        self.kept = kept;
    }

    fn validate(&self) -> Result<(), Error> {
        if let Some(limits) = &self.limits {
            limits.validate(B::is_angle(&self.axis).then_some(core::f64::consts::TAU))?;
        }
        self.motor.as_ref().map_or(Ok(()), Motor::validate)
    }
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// The drives of a new joint, if it has any.
    pub(super) fn read_drives(
        &self,
        drives: Option<&dyn Any>,
        bodies: &[usize],
    ) -> Result<Vec<Driving<T, B, D>>, Error> {
        let drives = drives.and_then(|it| it.downcast_ref::<Vec<Drive<T, B::Axis>>>());
        let &[a, b, ..] = bodies else {
            return Ok(Vec::new());
        };
        let drives = drives.into_iter().flatten().map(|drive| {
            let poses = [a, b].map(|it| &self.states[it].0);
            let driving = Driving {
                joint: 0,
                bodies: [a, b],
                axis: B::counted_from(drive.axis, poses),
                limits: drive.limits,
                motor: drive.motor,
                enabled: true,
                value: T::zero(),
                slopes: [SVector::zeros(); 2],
                mobility: T::zero(),
                graph: Graph::free(),
                piece: Piece::default(),
                next: Piece::default(),
                before: T::zero(),
                impulse: T::zero(),
                kept: KeptDrive::none(),
            };
            driving.validate().map(|()| driving)
        });
        drives.collect()
    }

    /// The drives of a joint: they follow each other, in the order of connection.
    fn drives_of(&self, joint: JointHandle) -> Result<Range<usize>, Error> {
        self.joint_index(joint)?;
        let before = |number: u64| self.drives.partition_point(|it| it.joint < number);
        Ok(before(joint.number)..before(joint.number + 1))
    }

    fn drive(&self, joint: JointHandle, axis: usize) -> Result<usize, Error> {
        let mut own = self.drives_of(joint)?;
        own.nth(axis).ok_or(Error::NoAxis {
            joint: joint.number(),
            axis,
        })
    }

    /// The coordinates of a joint that were given limits or motors, in the order in which they were named.
    ///
    /// # Errors
    /// [`Error::UnknownJoint`], [`Error::RemovedJoint`]
    pub fn axes(&self, joint: JointHandle) -> Result<Vec<AxisState<T>>, Error> {
        let own = self.drives[self.drives_of(joint)?].iter();
        let state = |&(mut drive): &Driving<T, B, D>| {
            drive.look(&self.bodies);
            AxisState {
                value: drive.value,
                rate: drive.row().rate(&self.bodies),
                impulse: drive.kept.impulse,
            }
        };
        Ok(own.map(state).collect())
    }

    /// Sets the motor of a coordinate of a joint, counted as in [`axes`](Self::axes), or removes it with `None`.
    ///
    /// ```
    /// use constraint_runtime::joint::plane::Revolute;
    /// use constraint_runtime::{Motor, prelude::*};
    ///
    /// // A wheel with I = 0.5 reaches the speed 3 under the torque 2 after I ω/τ = 0.75 s.
    /// let mut world = World2::<f64>::new();
    /// let pose = Rigid2::identity();
    /// let stand = world.add(Body2::fixed(pose))?;
    /// let wheel = world.add(Body2::new(Inertia2::new(4.0, 0.5)?, pose))?;
    /// let axle = Revolute::between(&pose, &pose, &Point2::origin()).with_motor(Motor::friction(0.1));
    /// let axle = world.connect(axle, [stand, wheel])?;
    /// world.set_motor(axle, 0, Motor::speed(3.0).most(2.0))?;
    /// world.run_until(0.7, 0.01)?;
    /// assert!((world.axes(axle)?[0].rate - 2.8).abs() < 1e-12);
    /// world.run_until(0.8, 0.01)?;
    /// assert!((world.axes(axle)?[0].rate - 3.0).abs() < 1e-12);
    /// assert!(world.set_motor(axle, 0, Motor::speed(3.0)).is_err()); // without a bound
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoAxis`] if there is no such coordinate, [`Error::InvalidMotor`], [`Error::InvalidSoftness`],
    /// [`Error::InvalidParameter`]; [`Error::UnknownJoint`], [`Error::RemovedJoint`]. The motor stays the same then.
    pub fn set_motor(
        &mut self,
        joint: JointHandle,
        axis: usize,
        motor: impl Into<Option<Motor<T>>>,
    ) -> Result<(), Error> {
        let (index, motor) = (self.drive(joint, axis)?, motor.into());
        motor.as_ref().map_or(Ok(()), Motor::validate)?;
        self.drives[index].motor = motor;
        Ok(())
    }

    /// Sets the limits of a coordinate of a joint, counted as in [`axes`](Self::axes), or removes them with `None`. A
    /// coordinate outside is pushed back.
    ///
    /// # Errors
    /// [`Error::NoAxis`] if there is no such coordinate, [`Error::InvalidLimits`], [`Error::InvalidRestitution`];
    /// [`Error::UnknownJoint`], [`Error::RemovedJoint`]. The limits stay the same then.
    pub fn set_limits(
        &mut self,
        joint: JointHandle,
        axis: usize,
        limits: impl Into<Option<Limits<T>>>,
    ) -> Result<(), Error> {
        let (index, limits) = (self.drive(joint, axis)?, limits.into());
        let mut changed = self.drives[index];
        changed.limits = limits;
        changed.validate()?;
        self.drives[index] = changed;
        Ok(())
    }

    /// Suspends the drives of a joint, or lets them act.
    pub(super) fn enable_drives(&mut self, joint: JointHandle, enabled: bool) {
        let own = self.drives.iter_mut();
        for drive in own.filter(|it| it.joint == joint.number) {
            drive.enabled = enabled;
            drive.kept = KeptDrive::none();
        }
    }

    /// Checks that no coordinate lies far outside of its limits.
    pub(super) fn check_limits(&self) -> Result<(), Error> {
        for drive in self.drives.iter().filter(|it| it.enabled) {
            let Some(Limits { low, high, .. }) = drive.limits else {
                continue;
            };
            let [low, high, value] =
                [low, high, drive.measure(&self.bodies).0].map(|it| lane_value(it, 0));
            let most = MOST_OUTSIDE * (high - low);
            if value < low - most || value > high + most {
                return Err(Error::OutsideLimits {
                    joint: drive.joint as usize,
                    value,
                    low,
                    high,
                });
            }
        }
        Ok(())
    }

    /// Starts a step of the drives.
    pub(super) fn begin_drives(&mut self) {
        for drive in &mut self.drives {
            drive.look(&self.bodies);
            (drive.before, drive.impulse) = (drive.row().rate(&self.bodies), T::zero());
            drive.piece = drive.kept.piece;
        }
    }

    /// True if a coordinate lies so far beyond its limits that bodies must be displaced.
    pub(super) fn are_far_beyond(&self) -> bool {
        self.drives.iter().any(|it| it.is_far_beyond(&self.bodies))
    }

    /// Moves bodies beyond limits a part of the way back, without a change of their velocities; false if there are none.
    pub(super) fn push_back(&mut self) -> bool {
        let bodies = &mut self.bodies;
        let pushed = self.drives.iter().map(|it| it.push_back(bodies));
        pushed.fold(false, |any, it| any | it)
    }

    /// Prepares the graphs of a stage at the bodies' poses; those of the first stage have been measured.
    pub(super) fn aim_drives(&mut self, stage: Stage<T>) {
        for drive in &mut self.drives {
            if stage.kind == StageKind::Second {
                drive.look(&self.bodies);
            }
            drive.aim(stage);
        }
    }

    /// Changes the velocities such that the joints hold what is asked of them and the drives lie on their graphs; the
    /// impulses of the joints are added to those of the step.
    pub(super) fn settle(&mut self, asked: Asked<'_, T, D>) -> Result<(), Error> {
        let exact = prepared(&mut self.exact);
        let (families, bodies, drives) = (&self.families, &mut self.bodies, &mut self.drives);
        let contacts = &mut self.contacts[..];
        warm_start(contacts, bodies);
        for drive in drives.iter() {
            drive.row().push(drive.graph.constant(drive.piece), bodies);
        }
        let most = MOST_EXCHANGES * (drives.len() + 1);
        for exchange in 0..most {
            solve(exact, families, bodies, drives, asked, !contacts.is_empty())?;
            self.residual = alternate(exact, bodies, contacts, self.sweeps);
            let one = exchange >= MOST_AT_ONCE;
            if !exchange_pieces(exact, bodies, drives, one) {
                break;
            }
        }
        let displacements = exact.displacements();
        for (body, change) in bodies.iter_mut().zip(displacements) {
            body.velocity += change;
        }
        for (index, drive) in drives.iter_mut().enumerate() {
            drive.impulse += drive.graph.constant(drive.piece) + exact.drive_multiplier(index);
        }
        exact.sum_up();
        Ok(())
    }
}

/// Λ of all joints and of the drives on vertical pieces, and the changes of velocities that they cause.
fn solve<T: Real, B: Massive<T, D>, const D: usize>(
    exact: &mut Exact<T, D>,
    families: &[Box<dyn Family<T, B, D>>],
    bodies: &[Moving<T, B, D>],
    drives: &[Driving<T, B, D>],
    asked: Asked<'_, T, D>,
    is_remembered: bool,
) -> Result<(), Error> {
    exact.linearize(asked, families, bodies);
    for (index, drive) in drives.iter().enumerate() {
        if let Some((aim, slope)) = drive.graph.held(drive.piece) {
            let target = aim - drive.row().rate(bodies);
            exact.write_drive(index, &drive.slopes, drive.mobility + slope, target);
        }
    }
    if is_remembered {
        exact.remember(bodies);
    }
    exact.solve(bodies)?;
    exact.find_displacements(bodies);
    Ok(())
}

/// Exchanges pieces that do not fit, all of them or the first one; false if all fit.
fn exchange_pieces<T: Real, B: Massive<T, D>, const D: usize>(
    exact: &Exact<T, D>,
    bodies: &mut [Moving<T, B, D>],
    drives: &mut [Driving<T, B, D>],
    one: bool,
) -> bool {
    let displacements = exact.displacements();
    for (index, drive) in drives.iter_mut().enumerate() {
        let rate = drive.row().rate(bodies) + drive.row().rate_of(displacements);
        let impulse = exact.drive_multiplier(index);
        let rounding = drive.rounding(bodies);
        drive.next = drive.graph.next(drive.piece, rate, impulse, rounding);
    }
    let mut exchanged = false;
    for drive in drives.iter_mut().filter(|it| it.next != it.piece) {
        let (old, new) = [drive.piece, drive.next]
            .map(|it| drive.graph.constant(it))
            .into();
        drive.row().push(new - old, bodies);
        drive.piece = drive.next;
        exchanged = true;
        if one {
            break;
        }
    }
    exchanged
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// Removes the drives of a joint.
    pub(super) fn drop_drives(&mut self, joint: u64) {
        self.drives.retain(|it| it.joint != joint);
    }

    /// Sets Λ of the joints from those of the step.
    pub(super) fn take_impulses(&mut self) {
        let exact = prepared(&mut self.exact);
        for (JointSlot { family, index }, impulse) in exact.impulses() {
            self.families[family].set_impulse(index, impulse);
        }
    }
}
