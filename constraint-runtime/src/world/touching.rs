//! Contacts in a step: three rows each, with impulses in Coulomb's cone.
//!
//! ```text
//! s = G v⁺             the rates of the gap and of the slip after the step, Λ their impulses
//! Λₙ ≥ 0               s ≥ low, and Λₙ = 0 where it is larger
//! |Λₜ| ≤ μ Λₙ          sₜ = 0, or Λₜ = −μ Λₙ sₜ/|sₜ|
//! low = −gap/h
//! ```
//!
//! These are the equations of Moreau and Jean, of first order in h. Contacts with restitution let the bodies pass if they close within
//! the step; what they do then is an impact of its own (`rebound.rs`). Joints and drives are satisfied exactly by the factors
//! of their matrix, contacts one after the other; in turn until neither changes, or, if there are few contacts, with the joints
//! eliminated (`coupled.rs`).
//!
//! # Source
//! M. Jean, *The non-smooth contact dynamics method*, Comput. Methods Appl. Mech. Engrg. 177, 1999.

use alloc::{boxed::Box, vec::Vec};

use nalgebra::{SVector, SimdBool};

use super::body::Massive;
use super::contact::Contact;
use super::family::{Asked, Moving};
use super::flight::Meeting;
use super::laws::ContactResiduals;
use super::row::Row;
use super::settling::{Change, Settling, in_turn};
use super::step::prepared;
use super::{BodyHandle, World};
use crate::checks::{check_finite, check_parameter, check_restitution};
use crate::error::{Error, Quantity};
use crate::real::{Real, first_bad, is_finite, lane_value};

/// The part of an overlap that a step removes.
const PUSHED_OUT: f64 = 0.2;

/// Sweeps over the contacts after which they stay.
pub(super) const MOST_SWEEPS: usize = 100;

/// Finds the contacts of a world.
pub(super) type Finder<T, B, const D: usize> = Box<
    dyn FnMut(&World<T, B, D>, &mut Vec<Contact<T, <B as Massive<T, D>>::Vector>>) + Send + Sync,
>;

/// Hears of contacts that begin and end.
pub(super) type Listener<T> = Box<dyn FnMut(ContactEvent<T>) + Send + Sync>;

/// A contact during a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touching<T, const D: usize> {
    key: Key,
    pub(super) bodies: [usize; 2],
    /// Its island, and its place among all contacts as they were found.
    pub(super) place: (usize, usize),
    /// G of the gap and of both slips, for both bodies; the second slip is none in the plane.
    slopes: [[SVector<T, D>; 2]; 3],
    /// G W Gᵀ of the gap, and the largest of the slips.
    pub(super) mobility: [T; 2],
    gap: T,
    /// How far the bodies fall towards each other in a step.
    fall: T,
    pub(super) friction: T,
    restitution: T,
    /// 1 where it lets the bodies pass for the moment, since they may meet with restitution, otherwise 0.
    open: T,
    /// The least rate of the gap; the same by Newton's law, and without restitution.
    pub(super) low: T,
    rebound: T,
    resting: T,
    /// Λ of this step.
    pub(super) impulse: [T; 3],
}

/// The numbers of the bodies and of the feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
struct Key([u64; 2], u64);

/// Λ of a contact in the last good step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct KeptContact<T> {
    key: Key,
    pub(super) impulse: [T; 3],
}

/// A contact of the last step: see [`World::contacts`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactState<T = f64> {
    /// The bodies, in the order in which they were given.
    pub bodies: [BodyHandle; 2],
    /// The number of the contact among those of its bodies.
    pub feature: u64,
    /// The impulse along the normal, on the second body.
    pub impulse: T,
    /// The length of the impulse by friction.
    pub friction: T,
}

/// The beginning or the end of the contact of two bodies: see [`World::with_contact_events`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactEvent<T = f64> {
    /// They push against each other, as they did not in the step before.
    Began {
        /// The bodies, in the order in which they were given.
        bodies: [BodyHandle; 2],
        /// The sum of their impulses along the normals.
        impulse: T,
    },
    /// They do not any more.
    Ended {
        /// The bodies.
        bodies: [BodyHandle; 2],
    },
}

impl<T: Real, const D: usize> Touching<T, D> {
    pub(super) fn gap(&self) -> T {
        self.gap
    }

    pub(super) fn restitution(&self) -> T {
        self.restitution
    }

    /// Lanes in which it lets the bodies pass, to be met with restitution.
    pub(super) fn is_open(&self) -> T::SimdBool {
        self.open.simd_gt(T::zero())
    }

    /// Meets the bodies without restitution in these lanes.
    pub(super) fn close(&mut self, lanes: T::SimdBool) {
        self.open = T::zero().select(lanes, self.open);
        self.low = self.resting.select(lanes, self.low);
    }

    /// Lets the bodies pass.
    pub(super) fn release(&mut self) {
        self.low = T::lit(-f64::INFINITY);
        self.impulse = [T::zero(); 3];
    }

    /// Goes back to the rates of the smooth part of the step.
    pub(super) fn hold(&mut self) {
        let passes = T::lit(-f64::INFINITY);
        self.low = passes.select(self.is_open(), self.resting);
    }

    /// Lets the bodies pass where they may meet with restitution and fly on until the end of the step; joints and other contacts
    /// may pull as strongly as the forces do.
    fn open_up(&mut self, rate: T, pull: T, size: T, h: T) {
        let (zero, one) = (T::zero(), T::one());
        let meeting = Meeting::new(self.gap, rate, pull);
        let meets = meeting.time.simd_lt(h);
        let lasts = meeting.outlasts(self.restitution, -size, h);
        let nears = rate.simd_lt(zero) & (self.gap + (rate - size * h) * h).simd_lt(zero);
        let opens = self.restitution.simd_gt(zero) & ((meets & lasts) | (!meets & nears));
        self.open = one.select(opens, zero);
        self.hold();
    }

    /// Sets the least rates of the gap, with restitution and without.
    pub(super) fn aim_impact(&mut self, [rebound, resting]: [T; 2]) {
        (self.low, self.rebound, self.resting) = (rebound, rebound, resting);
    }

    /// Leaves this part of the restitution.
    pub(super) fn lessen(&mut self, part: T) {
        let less = self.resting + (self.rebound - self.resting) * part;
        self.low = less.select(self.rebound.simd_gt(self.resting), self.resting);
    }

    pub(super) fn impulses_mut(&mut self) -> &mut [T; 3] {
        &mut self.impulse
    }

    /// The gap, or one of both slips.
    #[inline]
    pub(super) fn row(&self, row: usize) -> Row<'_, T, D> {
        Row {
            bodies: &self.bodies,
            slopes: &self.slopes[row],
        }
    }

    /// Changes the impulses.
    pub(super) fn push<B: Massive<T, D>>(&mut self, by: [T; 3], bodies: &mut [Moving<T, B, D>]) {
        for (row, by) in by.into_iter().enumerate() {
            self.row(row).push(by, bodies);
            self.impulse[row] += by;
        }
    }

    /// Meets the laws of this contact alone.
    fn obey<B: Massive<T, D>>(&mut self, bodies: &mut [Moving<T, B, D>]) -> Change<T> {
        let [normal, slip] = self.mobility;
        let rate = self.row(0).rate(bodies);
        let gap = (self.impulse[0] + (self.low - rate) / normal).simd_max(T::zero());
        let mut change = normal * (gap - self.impulse[0]).simd_abs();
        self.row(0).push(gap - self.impulse[0], bodies);
        self.impulse[0] = gap;
        if self.friction.simd_gt(T::zero()).any() {
            // The nearest point of the disk: its fixed point is Coulomb's law.
            let rates = [1, 2].map(|row| self.row(row).rate(bodies));
            let aims = [0, 1].map(|k| self.impulse[k + 1] - rates[k] / slip);
            let aims = in_disk(aims, self.friction * gap);
            for (k, aim) in aims.into_iter().enumerate() {
                let by = aim - self.impulse[k + 1];
                self.row(k + 1).push(by, bodies);
                self.impulse[k + 1] = aim;
                change = change.simd_max(slip * by.simd_abs());
            }
        }
        Change {
            rate: change,
            size: rate.simd_abs() + normal * gap,
        }
    }
}

/// The nearest point of the disk of this radius.
pub(super) fn in_disk<T: Real>([x, y]: [T; 2], radius: T) -> [T; 2] {
    let length = (x * x + y * y).simd_sqrt();
    let part = (radius / length).select(length.simd_gt(radius), T::one());
    [x * part, y * part]
}

/// The larger eigenvalue of a symmetric matrix of two rows.
pub(super) fn steepest<T: Real>(first: T, second: T, mixed: T) -> T {
    let half = T::lit(0.5);
    let (mean, apart) = ((first + second) * half, (first - second) * half);
    mean + (apart * apart + mixed * mixed).simd_sqrt()
}

/// Meets all contacts once.
pub(super) fn sweep<T: Real, B: Massive<T, D>, const D: usize>(
    contacts: &mut [Touching<T, D>],
    bodies: &mut [Moving<T, B, D>],
    backwards: bool,
) -> Change<T> {
    let visits = in_turn(contacts.len(), backwards).map(|index| contacts[index].obey(bodies));
    visits.fold(Change::none(), Change::larger)
}

/// Applies the impulses from which contacts start.
pub(super) fn warm_start<T: Real, B: Massive<T, D>, const D: usize>(
    contacts: &[Touching<T, D>],
    bodies: &mut [Moving<T, B, D>],
) {
    for contact in contacts {
        for (row, &impulse) in contact.impulse.iter().enumerate() {
            contact.row(row).push(impulse, bodies);
        }
    }
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// Sets the geometry: `find` writes the contacts at the poses of the world, before each step.
    ///
    /// Contacts that cannot close within the step do nothing, so `find` may list all there are. A step with contacts is one of
    /// Moreau and Jean, of first order: impacts with restitution, Coulomb's friction, joints exactly as before. Steps without
    /// contacts are those of [`method`](Self::with_method).
    ///
    /// A block slides down an incline of 30° with g (sin 30° − μ cos 30°):
    ///
    /// ```
    /// use constraint_runtime::Contact2;
    /// use constraint_runtime::prelude::*;
    ///
    /// let (g, half, mu) = (9.81, 0.5_f64, 0.2_f64);
    /// let slope = 30.0_f64.to_radians();
    /// let mut world = World2::new().with_gravity([g * slope.sin(), -g * slope.cos()]);
    /// let ground = world.add(Body2::fixed(Rigid2::identity()))?;
    /// let block = world.add(Body2::new(Inertia2::new(2.0, 0.3)?, Rigid2::translation(0.0, half)))?;
    /// let mut world = world.with_contacts(move |world, found| {
    ///     let Ok(pose) = world.pose(block) else { return };
    ///     for (feature, x) in [(0, -half), (1, half)] {
    ///         let corner = pose * Point2::new(x, -half);
    ///         let contact = Contact2::new([ground, block], corner.coords, [0.0, 1.0], corner.y);
    ///         found.push(contact.with_friction(mu).with_feature(feature));
    ///     }
    /// });
    /// world.run_until(1.0, 1e-3)?;
    /// let speed = world.velocity(block)?[0];
    /// assert!((speed - g * (slope.sin() - mu * slope.cos())).abs() < 1e-9);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// The next step returns [`Error::InvalidFriction`], [`Error::InvalidRestitution`], [`Error::InvalidNormal`],
    /// [`Error::SelfContact`], [`Error::NonFinite`], [`Error::UnknownBody`] or [`Error::RemovedBody`] for such contacts, and
    /// the state stays that before it.
    pub fn with_contacts(
        mut self,
        find: impl FnMut(&Self, &mut Vec<Contact<T, B::Vector>>) + Send + Sync + 'static,
    ) -> Self {
        self.finder = Some(Box::new(find));
        self
    }

    /// Sets a function that is called after each step for all bodies whose contact has begun or ended in it, in the order of the
    /// numbers of the bodies.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// use constraint_runtime::prelude::*;
    /// use constraint_runtime::{Contact2, ContactEvent};
    ///
    /// static HITS: AtomicUsize = AtomicUsize::new(0);
    ///
    /// let mut world = World2::new().with_gravity([0.0, -9.81]);
    /// let floor = world.add(Body2::fixed(Rigid2::identity()))?;
    /// let ball = world.add(Body2::new(Inertia2::new(1.0, 0.1)?, Rigid2::translation(0.0, 1.5)))?;
    /// let mut world = world
    ///     .with_contacts(move |world, found| {
    ///         let Ok(pose) = world.pose(ball) else { return };
    ///         let gap = pose.translation.y - 0.5;
    ///         found.push(Contact2::new([floor, ball], [0.0, 0.0], [0.0, 1.0], gap).with_restitution(0.5));
    ///     })
    ///     .with_contact_events(|event| {
    ///         if let ContactEvent::Began { impulse, .. } = event {
    ///             assert!(impulse > 0.0);
    ///             HITS.fetch_add(1, Ordering::Relaxed);
    ///         }
    ///     });
    /// // It falls for 0.45 s, and then flies for 0.45 s, half as long, and half as long again.
    /// world.run_until(0.4, 1e-3)?;
    /// assert_eq!(HITS.load(Ordering::Relaxed), 0);
    /// world.run_until(1.0, 1e-3)?;
    /// assert_eq!(HITS.load(Ordering::Relaxed), 2);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with_contact_events(
        mut self,
        listen: impl FnMut(ContactEvent<T>) + Send + Sync + 'static,
    ) -> Self {
        self.listener = Some(Box::new(listen));
        self
    }

    /// Sets how often a step visits the contacts at most, 100 times by default; it ends earlier if they are settled.
    pub fn with_contact_sweeps(mut self, sweeps: usize) -> Self {
        self.sweeps = sweeps;
        self
    }

    /// The contacts that pushed in the last step.
    pub fn contacts(&self) -> impl Iterator<Item = ContactState<T>> + '_ {
        self.kept_contacts.iter().map(move |it| {
            let [impulse, x, y] = it.impulse;
            ContactState {
                bodies: it.key.0.map(|number| self.body_handle(number)),
                feature: it.key.1,
                impulse,
                friction: (x * x + y * y).simd_sqrt(),
            }
        })
    }

    /// By how much the last visit of the contacts changed a rate in the last step: 0 if there were none.
    pub fn contact_residual(&self) -> T {
        self.settling.rate
    }

    /// The number of contacts whose impulses the last step left unsettled: those of all groups of bodies in which the last visit still
    /// changed a rate by more than 10⁻¹¹ of the rates and impulses there. 0: the impulses obey the laws of contact to rounding.
    ///
    /// Otherwise take more visits ([`with_contact_sweeps`](Self::with_contact_sweeps)) or shorter steps, or make the masses more
    /// alike: a light body between heavy ones is what settles slowly.
    ///
    /// ```
    /// use constraint_runtime::Contact2;
    /// use constraint_runtime::prelude::*;
    ///
    /// // A block of 1,000 kg on one of 1 kg, both on a floor.
    /// let left = |visits: usize| -> Result<usize, Error> {
    ///     let mut world = World2::new().with_gravity([0.0, -9.81]);
    ///     let floor = world.add(Body2::fixed(Rigid2::translation(0.0, -0.5)))?;
    ///     let light = world.add(Body2::new(Inertia2::new(1.0, 0.2)?, Rigid2::translation(0.0, 0.5)))?;
    ///     let heavy = world.add(Body2::new(Inertia2::new(1e3, 2e2)?, Rigid2::translation(0.0, 1.5)))?;
    ///     let world = world.with_contacts(move |world, found| {
    ///         for [lower, upper] in [[floor, light], [light, heavy]] {
    ///             let (Ok(below), Ok(above)) = (world.pose(lower), world.pose(upper)) else { return };
    ///             for (feature, x) in [(0, -0.5), (1, 0.5)] {
    ///                 let corner = above * Point2::new(x, -0.5);
    ///                 let gap = corner.y - below.translation.y - 0.5;
    ///                 let contact = Contact2::new([lower, upper], corner.coords, [0.0, 1.0], gap);
    ///                 found.push(contact.with_friction(0.5).with_feature(feature));
    ///             }
    ///         }
    ///     });
    ///     let mut world = world.with_contact_sweeps(visits);
    ///     world.step(1e-3)?;
    ///     Ok(world.unsettled_contacts())
    /// };
    /// assert_eq!(left(10)?, 4);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn unsettled_contacts(&self) -> usize {
        self.settling.unsettled
    }

    /// Finds the contacts at the last good state that may close within the time h.
    pub(super) fn find_contacts(&mut self, h: T) -> Result<(), Error> {
        self.contacts.clear();
        self.step_size = h;
        self.settling = Settling::none();
        self.laws = ContactResiduals::none();
        if self.finder.is_some() && self.sweeps == 0 {
            return Err(Error::NoIterations);
        }
        let Some(mut finder) = self.finder.take() else {
            return Ok(());
        };
        let mut found = core::mem::take(&mut self.found);
        found.clear();
        finder(self, &mut found);
        self.finder = Some(finder);
        self.update_inverse_masses();
        let all = found.iter().try_for_each(|it| self.touch(it, h));
        self.found = found;
        all
    }

    /// Prepares the rows of one contact.
    fn touch(&mut self, contact: &Contact<T, B::Vector>, h: T) -> Result<(), Error> {
        let [a, b] = contact.bodies;
        let bodies = [self.index(a)?, self.index(b)?];
        if bodies[0] == bodies[1] {
            let body = a.number();
            return Err(Error::SelfContact { body });
        }
        let frame = contact.frame::<B, D>()?;
        let slopes = frame.map(|direction| {
            let [a, b] = bodies.map(|it| self.bodies[it].pose.wrench(&direction, &contact.point));
            [-a, b]
        });
        let row = |k: usize| Row {
            bodies: &bodies,
            slopes: &slopes[k],
        };
        let entry = |i: usize, k: usize| row(i).coupling(row(k), &self.bodies);
        let (normal, first, second) = (entry(0, 0), entry(1, 1), entry(2, 2));
        if normal.simd_le(T::zero()).all() {
            return Ok(()); // Neither of them moves.
        }
        let slip = steepest(first, second, entry(1, 2));
        let resting = -contact.gap.simd_max(T::zero()) / h;
        let mut touching = Touching {
            key: Key([a.number, b.number], contact.feature),
            bodies,
            place: (0, 0),
            slopes,
            mobility: [normal, slip],
            gap: contact.gap,
            fall: T::zero(),
            friction: contact.friction,
            restitution: contact.restitution,
            open: T::zero(),
            low: resting,
            rebound: resting,
            resting,
            impulse: [T::zero(); 3],
        };
        let before = touching.row(0).rate(&self.bodies);
        let [pull, size] = self.pull(&touching);
        touching.fall = pull.simd_abs() * h * h;
        let reach = (before.simd_abs() + pull.simd_abs() * h) * h * T::lit(2.0);
        if contact.gap.simd_gt(reach).all() {
            return Ok(());
        }
        touching.open_up(before, pull, size, h);
        let kept = &self.kept_contacts;
        if let Ok(place) = kept.binary_search_by_key(&touching.key, |it| it.key) {
            touching.impulse = kept[place].impulse;
        }
        self.contacts.push(touching);
        Ok(())
    }

    /// The acceleration of a gap by forces, and the sum of what both bodies add to it.
    fn pull(&self, contact: &Touching<T, D>) -> [T; 2] {
        let both = contact.slopes[0].iter().zip(contact.bodies);
        both.fold([T::zero(); 2], |[sum, size], (slope, body)| {
            let Some(inertia) = &self.inertias[body] else {
                return [sum, size];
            };
            let force = self.forces[body] + B::weight(inertia, &self.gravity);
            let own = slope.dot(&B::accelerated(&self.bodies[body].inverse_mass, &force));
            [sum + own, size + own.simd_abs()]
        })
    }

    /// Moves bodies that overlap a little apart, without a change of their velocities.
    pub(super) fn push_out(&mut self, h: T) {
        let is_deep = |contact: &Touching<T, D>| (-contact.gap).simd_gt(contact.fall).any();
        // Joints would undo most of what moves a body without its neighbours.
        let any = self.contacts.iter().any(is_deep);
        let hold = any && !self.joints.is_empty() && self.hold_joints(self.time + h).is_ok();
        let moved = &self.rebound.flight.moved;
        for contact in &self.contacts {
            let gap = contact.gap + contact.row(0).rate_of(moved);
            let by = -gap.simd_min(T::zero()) * T::lit(PUSHED_OUT);
            let (row, mobility) = (contact.row(0), contact.mobility[0]);
            if by.simd_le(T::zero()).all() {
                continue;
            }
            if hold && is_deep(contact) {
                prepared(&mut self.exact).displace_along(row, mobility, by, &mut self.bodies);
            } else {
                row.displace(by / mobility, &mut self.bodies);
            }
        }
    }

    /// Factors the rows of the joints, and of what is at its stops, at the poses of the bodies.
    fn hold_joints(&mut self, time: T) -> Result<(), Error> {
        self.prepare_exact();
        let exact = prepared(&mut self.exact);
        exact.linearize(Asked::Poses(time), &self.families, &self.bodies);
        for part in 0..exact.parts() {
            exact.write_drives(part, |index| {
                let drive = Some(&self.drives[index]).filter(|it| it.is_at_stop())?;
                Some((&drive.slopes, drive.mobility, T::zero()))
            });
        }
        Ok(exact.factor(&self.bodies)?)
    }

    /// Accepts Λ of this step.
    pub(super) fn commit_contacts(&mut self) {
        core::mem::swap(&mut self.kept_contacts, &mut self.former_contacts);
        self.kept_contacts.clear();
        let pushing = self.contacts.iter().map(|it| KeptContact {
            key: it.key,
            impulse: it.impulse,
        });
        let pushing = pushing.filter(|it| it.impulse[0].simd_gt(T::zero()).any());
        self.kept_contacts.extend(pushing);
        self.kept_contacts.sort_unstable_by_key(|it| it.key);
        if let Some(listen) = &mut self.listener {
            let world = self.id;
            report(world, &self.kept_contacts, &self.former_contacts, listen);
        }
    }
}

/// Reports the pairs of bodies that are in one of these lists alone.
fn report<T: Real>(
    world: u32,
    now: &[KeptContact<T>],
    before: &[KeptContact<T>],
    listen: &mut Listener<T>,
) {
    let pair = |it: &KeptContact<T>| it.key.0;
    let lacks = |list: &[KeptContact<T>], wanted| list.binary_search_by_key(&wanted, pair).is_err();
    let handles = |numbers: [u64; 2]| numbers.map(|number| BodyHandle { world, number });
    for contacts in before.chunk_by(|a, b| pair(a) == pair(b)) {
        if lacks(now, pair(&contacts[0])) {
            let bodies = handles(pair(&contacts[0]));
            listen(ContactEvent::Ended { bodies });
        }
    }
    for contacts in now.chunk_by(|a, b| pair(a) == pair(b)) {
        if lacks(before, pair(&contacts[0])) {
            let sum = |sum, it: &KeptContact<T>| sum + it.impulse[0];
            listen(ContactEvent::Began {
                bodies: handles(pair(&contacts[0])),
                impulse: contacts.iter().fold(T::zero(), sum),
            });
        }
    }
}

impl<T: Real, V: Copy> Contact<T, V> {
    /// The normal and two directions across it, of length one.
    fn frame<B: Massive<T, D, Vector = V>, const D: usize>(&self) -> Result<[V; 3], Error> {
        let friction = self.friction;
        if let Some(friction) =
            first_bad(friction, is_finite(friction) & friction.simd_ge(T::zero()))
        {
            return Err(Error::InvalidFriction { friction });
        }
        check_restitution(self.restitution)?;
        check_finite(Quantity::Point, B::first_non_finite_of(&self.point))?;
        check_parameter("gap", &[self.gap])?;
        let (length, frame) = B::frame(&self.normal);
        if is_finite(length).all() && length.simd_gt(T::zero()).all() {
            Ok(frame)
        } else {
            let length = lane_value(length, 0);
            Err(Error::InvalidNormal { length })
        }
    }
}
