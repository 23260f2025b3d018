//! Limits, motors and bounds of a world: one bounded row for each coordinate or row that has them.
//!
//! The exact solver finds, for each row, the piece of its [`Graph`](super::graph::Graph) on which rate and impulse lie: a held
//! piece is a row of J W Jᵀ like any other, a horizontal one a constant impulse. Pieces that do not fit are exchanged for their
//! neighbours until all fit, the principal pivoting of a linear complementarity problem; as a rule the pieces of the last
//! step fit at once. The sweeps meet each graph alone.

use alloc::{boxed::Box, vec::Vec};
use core::any::Any;
use core::ops::Range;

use super::body::Massive;
use super::bounds::Bounds;
use super::coupled::{Coupled, MOST_COUPLED};
use super::driving::{Coordinate, Driving, KeptDrive, Stage, StageKind};
use super::exact::Exact;
use super::family::{Asked, Family, Moving};
use super::row::Row;
use super::settling::{Settling, alternate, is_coupled, take_turns};
use super::sharing::share;
use super::step::prepared;
use super::touching::{Touching, warm_start};
use super::{JointHandle, JointSlot, World};
use crate::error::Error;
use crate::joint::{Drive, Limits, Motor};
use crate::real::{Real, lane_value};

/// Exchanges of all pieces that do not fit; afterwards only the first one is exchanged, which cannot go in circles.
const MOST_AT_ONCE: usize = 8;

/// Exchanges per row, and the same next to contacts, after which the rows are met in turn; of contacts with friction those that fit
/// are found in fewer, or go in circles.
const MOST_EXCHANGES: [usize; 2] = [50, 8];

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
            let axis = B::counted_from(drive.axis, poses);
            let is_angle = B::is_angle(&axis);
            let mut driving = Driving::new(Coordinate::Axis(axis), &[a, b]);
            (driving.limits, driving.motor) = (drive.limits, drive.motor);
            validate(is_angle, &driving.limits, &driving.motor).map(|()| driving)
        });
        drives.collect()
    }

    /// The drives of a joint: they follow each other, in the order of connection.
    fn drives_of(&self, joint: JointHandle) -> Result<Range<usize>, Error> {
        self.joint_index(joint)?;
        let before = |number: u64| self.drives.partition_point(|it| it.joint < number);
        Ok(before(joint.number)..before(joint.number + 1))
    }

    /// The coordinates of a joint that have limits or motors, each with its axis.
    fn axes_of(
        &self,
        joint: JointHandle,
    ) -> Result<impl Iterator<Item = (usize, B::Axis)> + '_, Error> {
        let own = self.drives_of(joint)?;
        let axis = |index: usize| match self.drives[index].coordinate {
            Coordinate::Axis(axis) => Some((index, axis)),
            Coordinate::Row(_) => None,
        };
        Ok(own.filter_map(axis))
    }

    fn drive(&self, joint: JointHandle, axis: usize) -> Result<(usize, B::Axis), Error> {
        let mut own = self.axes_of(joint)?;
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
        let own = self.axes_of(joint)?;
        let state = |(index, axis): (usize, B::Axis)| {
            let drive = &self.drives[index];
            let (value, slopes) = drive.measure(&axis, &self.bodies);
            let row = Row {
                bodies: &drive.bodies,
                slopes: &slopes,
            };
            AxisState {
                value,
                rate: row.rate(&self.bodies),
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
        let ((index, axis), motor) = (self.drive(joint, axis)?, motor.into());
        validate(B::is_angle(&axis), &None, &motor)?;
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
        let ((index, axis), limits) = (self.drive(joint, axis)?, limits.into());
        validate(B::is_angle(&axis), &limits, &None)?;
        self.drives[index].limits = limits;
        Ok(())
    }

    /// Bounds λ of a row of a joint, or holds C = 0 without bounds by `None`; rows count from 0 in the order of the constraint.
    /// The constraint may be one of your own.
    ///
    /// - λ ≥ 0 alone makes the row one-sided: C ≥ 0, by a force that pushes and never pulls; λ ≤ 0 is C ≤ 0.
    /// - Finite bounds make it give in: for a row of velocities a motor, a brake, dry friction; for C = 0 a force that pulls back
    ///   with the bound, and swings unless it has softness.
    /// - [`Bounds::with_softness`] puts a spring and a damper in the place of C = 0, within the bounds.
    ///
    /// Bounded rows are no part of [`drift`](Self::drift). A C on the wrong side is taken back by a fifth a step, without a velocity.
    /// Steps are those of [`WorldMethod::SemiImplicitEuler`](crate::WorldMethod) then. With [`Solver::Exact`](crate::Solver), rows
    /// that push at the same time may depend on one another: they share their force within their bounds.
    ///
    /// A stone on a rope of 1 m falls freely until the rope is taut, and rests there:
    ///
    /// ```
    /// use constraint_runtime::Bounds;
    /// use constraint_runtime::joint::Distance;
    /// use constraint_runtime::prelude::*;
    ///
    /// let mut world = World3::<f64>::new().with_gravity([0.0, 0.0, -9.81]);
    /// let hook = world.add(Body3::fixed(Rigid3::identity()))?;
    /// let stone = Body3::new(Inertia3::principal(2.0, [0.1; 3])?, Rigid3::translation(0.0, 0.0, -0.5));
    /// let stone = world.add(stone)?;
    /// let rope = Distance { r1: Vector3::zeros(), r2: Vector3::zeros(), length: 1.0 };
    /// let rope = world.connect(rope, [hook, stone])?;
    /// world.set_bounds(rope, 0, Bounds::at_most(0.0))?;
    /// world.run_until(0.3, 1e-3)?;
    /// assert!((world.velocity(stone)?[2] + 9.81 * 0.3).abs() < 1e-12);
    /// world.run_until(0.5, 1e-3)?;
    /// assert!((world.pose(stone)?.translation.z + 1.0).abs() < 1e-12);
    /// assert!((world.impulse(rope)?[0] + 2.0 * 9.81 * 1e-3).abs() < 1e-12);
    /// assert!(world.set_bounds(rope, 0, Bounds::new(1.0..=-1.0)).is_err()); // reversed
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoRow`] if the constraint has fewer rows, [`Error::InvalidBounds`], [`Error::InvalidSoftness`];
    /// [`Error::UnknownJoint`], [`Error::RemovedJoint`]. The bounds stay the same then.
    pub fn set_bounds(
        &mut self,
        joint: JointHandle,
        row: usize,
        bounds: impl Into<Option<Bounds<T>>>,
    ) -> Result<(), Error> {
        let (JointSlot { family, index }, bounds) = (self.slot(joint)?, bounds.into());
        let rows = self.families[family].rows();
        if row >= rows {
            let joint = joint.number();
            return Err(Error::NoRow { joint, row, rows });
        }
        bounds.as_ref().map_or(Ok(()), Bounds::validate)?;
        let own = self.drives_of(joint)?;
        // Those of the joint's coordinates come first.
        let order = |it: &Driving<T, B, D>| match it.coordinate {
            Coordinate::Axis(_) => 0,
            Coordinate::Row(row) => row + 1,
        };
        let place = own.start + self.drives[own.clone()].partition_point(|it| order(it) <= row);
        let is_there = self.drives[place..own.end]
            .first()
            .is_some_and(|it| order(it) == row + 1);
        match (&bounds, is_there) {
            (Some(_), false) => {
                let family = &self.families[family];
                let mut drive = Driving::new(Coordinate::Row(row), family.bodies(index));
                (drive.joint, drive.enabled) = (joint.number, family.is_enabled(index));
                self.drives.insert(place, drive);
            }
            (None, true) => drop(self.drives.remove(place)),
            _ => {}
        }
        if bounds.is_some() != is_there {
            self.families[family].set_bounded(index, row, bounds.is_some());
            self.renew();
        }
        if bounds.is_some() {
            self.drives[place].bounds = bounds;
        }
        Ok(())
    }

    /// Suspends the drives of a joint, or lets them act.
    pub(super) fn enable_drives(&mut self, joint: JointHandle, enabled: bool) {
        let own = self.drives_of(joint).unwrap_or_default();
        for drive in &mut self.drives[own] {
            drive.enabled = enabled;
            drive.kept = KeptDrive::none();
        }
    }

    /// Checks that no coordinate lies far outside of its limits.
    pub(super) fn check_limits(&mut self) -> Result<(), Error> {
        self.measure_drives(self.time);
        let far = self.drives.iter().find_map(|drive| {
            let (outside, limits) = drive.outside()?;
            (lane_value(outside, 0) > MOST_OUTSIDE).then_some((drive, limits))
        });
        far.map_or(Ok(()), |(drive, limits)| {
            Err(Error::OutsideLimits {
                joint: drive.joint as usize,
                value: lane_value(drive.value, 0),
                low: lane_value(limits.low, 0),
                high: lane_value(limits.high, 0),
            })
        })
    }

    /// Measures all coordinates and bounded rows at the bodies' poses.
    pub(super) fn measure_drives(&mut self, time: T) {
        let bodies = &self.bodies;
        for drive in &mut self.drives {
            match drive.coordinate {
                Coordinate::Axis(axis) => {
                    let (value, slopes) = drive.measure(&axis, bodies);
                    drive.value = value;
                    drive.slopes.copy_from_slice(&slopes);
                }
                Coordinate::Row(row) => {
                    let place = self.joint_numbers.index(drive.joint);
                    let place = place.expect("drives leave with their joints");
                    let JointSlot { family, index } = self.joints[place];
                    let family = &self.families[family];
                    (drive.value, drive.drift) =
                        family.measure_row(index, row, time, bodies, &mut drive.slopes);
                }
            }
            drive.mobility = drive.row().mobility(bodies);
        }
    }

    /// Starts a step of the drives.
    pub(super) fn begin_drives(&mut self) {
        self.measure_drives(self.time);
        for drive in &mut self.drives {
            drive.begin(&self.bodies);
        }
    }

    /// True if limits or bounds need a step of first order: they are soft, or bodies must be displaced.
    pub(super) fn need_first_order(&mut self) -> bool {
        self.measure_drives(self.time);
        let mut drives = self.drives.iter();
        drives.any(|it| it.is_of_first_order() || it.is_far_beyond())
    }

    /// Moves bodies beyond limits a part of the distance back, without a change of their velocities; false if there are none.
    pub(super) fn push_back(&mut self, time: T) -> bool {
        self.measure_drives(time);
        let bodies = &mut self.bodies;
        let pushed = self.drives.iter().map(|it| it.push_back(bodies));
        pushed.fold(false, |any, it| any | it)
    }

    /// Prepares the graphs of a stage at the bodies' poses; those of the first stage have been measured.
    pub(super) fn aim_drives(&mut self, stage: Stage<T>) {
        if stage.kind == StageKind::Second {
            self.measure_drives(self.time + stage.ahead);
        }
        self.drives.iter_mut().for_each(|drive| drive.aim(stage));
    }

    /// Finds what can be solved for by itself in this step, and prepares the exact solver.
    pub(super) fn find_islands(&mut self) {
        self.prepare_exact();
        if self.meets_bounds() {
            let exact = prepared(&mut self.exact);
            self.islands.find(exact, &mut self.contacts);
        } else {
            self.islands.join_all(prepared(&mut self.exact).parts());
        }
    }

    /// Changes the velocities such that the joints hold what is asked of them and the drives lie on their graphs; the
    /// impulses of the joints are added to those of the step.
    pub(super) fn settle(&mut self, asked: Asked<'_, T, D>) -> Result<(), Error> {
        let islands = &self.islands;
        let mut held = Held {
            exact: prepared(&mut self.exact),
            families: &self.families,
            bodies: &mut self.bodies,
            drives: &mut self.drives,
            contacts: &mut self.contacts,
            coupled: &mut self.coupled,
            sweeps: self.sweeps,
        };
        held.exact.save_velocities(held.bodies);
        warm_start(held.contacts, held.bodies);
        for drive in held.drives.iter() {
            drive
                .row()
                .push(drive.graph.constant(drive.piece), held.bodies);
        }
        self.settling = islands
            .iter()
            .try_fold(Settling::none(), |all, (parts, contacts)| {
                Ok::<_, Error>(all.and(held.settle(asked, parts, contacts)?))
            })?;
        let Held {
            exact,
            bodies,
            drives,
            ..
        } = held;
        let displacements = exact.displacements();
        for (body, change) in bodies.iter_mut().zip(displacements) {
            body.velocity += change;
        }
        for (index, drive) in drives.iter_mut().enumerate() {
            drive.add(exact.drive_multiplier(index));
        }
        exact.sum_up();
        Ok(())
    }
}

/// What the exact solver changes in a world.
struct Held<'a, T: Real, B: Massive<T, D>, const D: usize> {
    exact: &'a mut Exact<T, D>,
    families: &'a [Box<dyn Family<T, B, D>>],
    bodies: &'a mut [Moving<T, B, D>],
    drives: &'a mut [Driving<T, B, D>],
    contacts: &'a mut [Touching<T, D>],
    coupled: &'a mut Coupled<T>,
    sweeps: usize,
}

impl<T: Real, B: Massive<T, D>, const D: usize> Held<'_, T, B, D> {
    /// Settles an island.
    fn settle(
        &mut self,
        asked: Asked<'_, T, D>,
        parts: &[usize],
        contacts: Range<usize>,
    ) -> Result<Settling<T>, Error> {
        let drives = parts.iter().map(|&part| self.exact.drives(part).count());
        let most = MOST_EXCHANGES[usize::from(!contacts.is_empty())] * (drives.sum::<usize>() + 1);
        for exchange in 0..most {
            for &part in parts {
                self.solve(asked, part, !contacts.is_empty())?;
            }
            let settling = alternate(
                self.exact,
                parts,
                self.bodies,
                &mut self.contacts[contacts.clone()],
                self.coupled,
                self.sweeps,
            );
            let one = exchange >= MOST_AT_ONCE;
            let settled = !self.exchange_pieces(parts, one);
            // Motors may carry another load then.
            if settled && !(self.share(parts, contacts.clone()) && self.exchange_pieces(parts, one))
            {
                return Ok(settling);
            }
        }
        self.meet_in_turn(asked, parts, contacts)
    }

    /// Meets drives and contacts of an island one after the other, from no impulses, and joints in turn with them: next to friction
    /// pieces go in circles, on which impulses grow.
    #[cold]
    fn meet_in_turn(
        &mut self,
        asked: Asked<'_, T, D>,
        parts: &[usize],
        contacts: Range<usize>,
    ) -> Result<Settling<T>, Error> {
        for contact in &mut self.contacts[contacts.clone()] {
            contact.impulse = [T::zero(); 3];
        }
        for &part in parts {
            self.exact.go_to_saved(part, self.bodies);
            for drive in self.exact.drives(part) {
                self.drives[drive].take_turns();
            }
            self.solve(asked, part, true)?;
        }
        Ok(take_turns(
            self.exact,
            parts,
            self.bodies,
            self.drives,
            &mut self.contacts[contacts],
            self.sweeps,
        ))
    }

    /// Shares the load of contacts that are statically indeterminate; true if it has changed.
    fn share(&mut self, parts: &[usize], contacts: Range<usize>) -> bool {
        let contacts = &mut self.contacts[contacts];
        if !(2..=MOST_COUPLED).contains(&contacts.len()) {
            return false;
        }
        let is_assembled = is_coupled(self.exact, parts, contacts);
        if !is_assembled {
            self.coupled
                .assemble(self.exact, parts, self.bodies, contacts);
        }
        let changed = share(self.coupled, self.bodies, contacts);
        if changed || !is_assembled {
            for &part in parts {
                self.exact.solve_again(part, self.bodies);
            }
        }
        changed
    }

    /// Λ of the joints of a part and of its drives on vertical pieces, and the changes of velocities that they cause.
    fn solve(
        &mut self,
        asked: Asked<'_, T, D>,
        part: usize,
        is_remembered: bool,
    ) -> Result<(), Error> {
        let (exact, bodies) = (&mut *self.exact, &*self.bodies);
        exact.linearize_part(part, asked, self.families, bodies);
        if let Asked::Impact(_) = asked {
            exact.ask_for_saved_rates(part, bodies);
        }
        exact.write_drives(part, |index| {
            let drive = &self.drives[index];
            let line = drive.held()?;
            let target = line.rate - drive.row().rate(bodies);
            Some((&drive.slopes, drive.mobility + line.slope, target))
        });
        if is_remembered {
            exact.remember(part, bodies);
        }
        exact.factor_part(part, bodies)?;
        exact.substitute_part(part);
        exact.find_displacements_of(part, bodies);
        Ok(())
    }

    /// Exchanges pieces that do not fit, all of them or the first one; false if all fit.
    fn exchange_pieces(&mut self, parts: &[usize], one: bool) -> bool {
        let (exact, bodies) = (&*self.exact, &mut *self.bodies);
        let displacements = exact.displacements();
        let own = || parts.iter().flat_map(|&part| exact.drives(part));
        for index in own() {
            let drive = &mut self.drives[index];
            let rate = drive.row().rate(bodies) + drive.row().rate_of(displacements);
            let impulse = exact.drive_multiplier(index);
            let rounding = drive.rounding(bodies);
            drive.next = drive.graph.next(drive.piece, rate, impulse, rounding);
        }
        let mut exchanged = false;
        for index in own() {
            let drive = &mut self.drives[index];
            if drive.next == drive.piece {
                continue;
            }
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
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// Removes the drives of a joint.
    pub(super) fn drop_drives(&mut self, joint: u64) {
        self.drives.retain(|it| it.joint != joint);
    }

    /// Accepts Λ of the step, those of bounded rows in the impulses of their joints.
    pub(super) fn commit_drives(&mut self) {
        for drive in &mut self.drives {
            drive.commit();
            if let (Coordinate::Row(row), Some(place)) =
                (drive.coordinate, self.joint_numbers.index(drive.joint))
            {
                let JointSlot { family, index } = self.joints[place];
                self.families[family].set_row_impulse(index, row, drive.impulse);
            }
        }
    }

    /// Sets Λ of the joints from those of the step.
    pub(super) fn take_impulses(&mut self) {
        let exact = prepared(&mut self.exact);
        for (JointSlot { family, index }, impulse) in exact.impulses() {
            self.families[family].set_impulse(index, impulse);
        }
    }
}

/// Checks limits and a motor of an angle or of a travel.
fn validate<T: Real>(
    is_angle: bool,
    limits: &Option<Limits<T>>,
    motor: &Option<Motor<T>>,
) -> Result<(), Error> {
    if let Some(limits) = limits {
        limits.validate(is_angle.then_some(core::f64::consts::TAU))?;
    }
    motor.as_ref().map_or(Ok(()), Motor::validate)
}
