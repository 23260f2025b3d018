//! All colliders of a world, and the contacts between them.
//!
//! ```text
//! poses of bodies → boxes about the shapes → pairs of boxes that meet (a tree of parry) → manifolds (parry) → contacts
//! ```
//!
//! Invariant: contacts depend on poses, velocities and the step alone. Manifolds are not carried from step to step, and pairs are
//! sorted, since the tree of boxes remembers its past.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use constraint_runtime::{BodyHandle, Error, JointHandle};

use super::parry::bounding_volume::BoundingVolume;
use super::parry::math::Pose;
use super::parry::partitioning::{Bvh, BvhWorkspace};
use super::parry::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use super::query::Query;
use super::{Collider, Contact, World, from_parry, pose, speeds};
use crate::handle::{ColliderHandle, next_set};
use crate::{ColliderError, feature};

/// How far ahead contacts are sought at least, as a part of the size of the smaller shape: bodies at rest keep their contacts.
const SLACK: f64 = 0.01;

/// How far ahead they are sought, in ways that the step may lead: a [`World`] considers twice the way.
const WAYS: f64 = 2.0;

/// The colliders of the bodies of a world.
///
/// [`contacts`](Self::contacts) is the function for `World::with_contacts`. Colliders may be added and removed between steps; those of
/// a body that is removed are removed with it.
///
/// - Cost: a step takes time proportional to the colliders, and to the pairs that are near each other.
pub struct Colliders {
    shared: Arc<Mutex<Everything>>,
}

/// What `Colliders` share with the closure that finds contacts.
pub(super) struct Everything {
    set: u32,
    next: u32,
    /// By their numbers.
    pub(super) placed: Vec<Placed>,
    /// Boxes about them, by the same numbers.
    pub(super) tree: Bvh,
    memory: BvhWorkspace,
    pairs: Vec<(u32, u32)>,
    manifolds: Vec<ContactManifold<(), ()>>,
    joints: Vec<JointHandle>,
    /// Pairs of bodies that a joint connects, sorted.
    joined: Vec<[BodyHandle; 2]>,
}

/// A collider in the world.
pub(super) struct Placed {
    pub(super) number: u32,
    pub(super) body: BodyHandle,
    pub(super) collider: Collider,
    pub(super) pose: Pose,
    size: f64,
    reach: f64,
    /// How far it may move towards others.
    ahead: f64,
    is_fixed: bool,
    /// False if the body belongs to another world.
    pub(super) is_here: bool,
}

impl Default for Colliders {
    fn default() -> Self {
        Self::new()
    }
}

impl Colliders {
    /// No colliders.
    pub fn new() -> Self {
        Self {
            shared: Arc::new(Mutex::new(Everything {
                set: next_set(),
                next: 0,
                placed: Vec::new(),
                tree: Bvh::new(),
                memory: BvhWorkspace::default(),
                pairs: Vec::new(),
                manifolds: Vec::new(),
                joints: Vec::new(),
                joined: Vec::new(),
            })),
        }
    }

    /// Adds a collider to a body. A body may have several; they do not touch each other.
    ///
    /// # Errors
    /// [`ColliderError::World`] with [`Error::UnknownBody`], [`Error::RemovedBody`], [`Error::InvalidFriction`],
    /// [`Error::InvalidRestitution`] or [`Error::NonFinite`]; [`ColliderError::NoExtent`] for a point and for a shape whose size is not
    /// a number.
    pub fn add(
        &mut self,
        world: &World,
        body: BodyHandle,
        collider: Collider,
    ) -> Result<ColliderHandle, ColliderError> {
        world.pose(body)?;
        collider.validate()?;
        let all = &mut *locked(&self.shared);
        let number = all.next;
        all.next += 1;
        all.placed.push(Placed::new(number, body, collider));
        let set = all.set;
        Ok(ColliderHandle { set, number })
    }

    /// Removes a collider and returns it.
    ///
    /// # Errors
    /// [`ColliderError::UnknownCollider`], [`ColliderError::RemovedCollider`]
    pub fn remove(&mut self, collider: ColliderHandle) -> Result<Collider, ColliderError> {
        let all = &mut *locked(&self.shared);
        let index = all.index(collider)?;
        all.tree.remove(collider.number);
        Ok(all.placed.remove(index).collider)
    }

    /// Exchanges a collider, for one with another friction for example; returns the former one.
    ///
    /// # Errors
    /// Those of [`add`](Self::add) for the collider, and of [`remove`](Self::remove) for the handle.
    pub fn replace(
        &mut self,
        handle: ColliderHandle,
        collider: Collider,
    ) -> Result<Collider, ColliderError> {
        collider.validate()?;
        let all = &mut *locked(&self.shared);
        let index = all.index(handle)?;
        let body = all.placed[index].body;
        let new = Placed::new(handle.number, body, collider);
        Ok(std::mem::replace(&mut all.placed[index], new).collider)
    }

    /// The body of a collider.
    ///
    /// # Errors
    /// [`ColliderError::UnknownCollider`], [`ColliderError::RemovedCollider`]
    pub fn body(&self, collider: ColliderHandle) -> Result<BodyHandle, ColliderError> {
        let all = &*locked(&self.shared);
        Ok(all.placed[all.index(collider)?].body)
    }

    /// Finds the contacts of these colliders, those that are added later as well: pass it to `World::with_contacts`.
    ///
    /// Pairs of shapes for which parry has no contacts, as two half-spaces, do not touch.
    pub fn contacts(&self) -> impl FnMut(&World, &mut Vec<Contact>) + Send + Sync + use<> {
        let shared = Arc::clone(&self.shared);
        move |world, found| locked(&shared).find(world, found)
    }

    /// Looks at the colliders where the bodies of the world are now: by rays, and by shapes that overlap them.
    pub fn query<'a>(&'a mut self, world: &'a World) -> Query<'a> {
        locked(&self.shared).follow(world, 0.0);
        Query::new(&self.shared, world)
    }
}

/// A panic breaks no invariant of the locked data, since each step computes all of it anew.
pub(super) fn locked(shared: &Mutex<Everything>) -> MutexGuard<'_, Everything> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Placed {
    fn new(number: u32, body: BodyHandle, collider: Collider) -> Self {
        Self {
            number,
            body,
            pose: collider.place,
            size: collider.size(),
            reach: collider.reach(),
            ahead: 0.0,
            is_fixed: false,
            is_here: false,
            collider,
        }
    }

    /// The part of the slack that both shapes of a pair are sure to have.
    fn slack(&self) -> f64 {
        if self.collider.is_unbounded() {
            0.0
        } else {
            SLACK * self.size
        }
    }

    /// Takes the pose of its body, and how far the body may come in a step of `h`; an error if there is no such body.
    fn follow(&mut self, world: &World, h: f64, gravity: f64) -> Result<(), Error> {
        let place = pose(world.pose(self.body)?);
        let (speed, spin) = speeds(world.velocity(self.body)?);
        self.is_fixed = world.inertia(self.body)?.is_none();
        let falls = if self.is_fixed { 0.0 } else { gravity * h };
        self.pose = place * self.collider.place;
        self.ahead = WAYS * h * (speed + spin * self.reach + falls);
        Ok(())
    }
}

impl Everything {
    pub(super) fn handle(&self, number: u32) -> ColliderHandle {
        let set = self.set;
        ColliderHandle { set, number }
    }

    fn index(&self, handle: ColliderHandle) -> Result<usize, ColliderError> {
        let collider = handle.number();
        if handle.set != self.set {
            return Err(ColliderError::UnknownCollider { collider });
        }
        let found = self.at(handle.number);
        found.ok_or(ColliderError::RemovedCollider { collider })
    }

    /// Where the collider with this number is in the list.
    pub(super) fn at(&self, number: u32) -> Option<usize> {
        self.placed
            .binary_search_by_key(&number, |it| it.number)
            .ok()
    }

    fn find(&mut self, world: &World, found: &mut Vec<Contact>) {
        self.follow(world, world.step_size());
        self.find_joined(world);
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.clear();
        self.tree
            .traverse_bvtt_single_tree::<false>(&mut self.memory, &mut |a, b| {
                pairs.push((a.min(b), a.max(b)));
            });
        pairs.sort_unstable();
        for &(a, b) in &pairs {
            if let (Some(a), Some(b)) = (self.at(a), self.at(b)) {
                self.touch([a, b], found);
            }
        }
        self.pairs = pairs;
    }

    /// Moves all colliders to their bodies, and boxes that contain them on all ways that a step of `h` may lead.
    pub(super) fn follow(&mut self, world: &World, h: f64) {
        let gravity = world.gravity().norm();
        let tree = &mut self.tree;
        self.placed.retain_mut(|it| {
            let followed = it.follow(world, h, gravity);
            it.is_here = followed.is_ok();
            if it.is_here {
                let bounds = it.collider.shape.compute_aabb(&it.pose);
                let bounds = bounds.loosened(it.ahead + it.slack());
                tree.insert_or_update_partially(bounds, it.number, 0.0);
            } else {
                tree.remove(it.number);
            }
            !matches!(followed, Err(Error::RemovedBody { .. }))
        });
        tree.refit(&mut self.memory);
        tree.optimize_incremental(&mut self.memory);
    }

    /// Bodies of a joint never change, so that the pairs change with the list of joints alone.
    fn find_joined(&mut self, world: &World) {
        if self.joints.iter().copied().eq(world.joints()) {
            return;
        }
        self.joints.clear();
        self.joints.extend(world.joints());
        self.joined.clear();
        for &joint in &self.joints {
            let bodies = world.bodies_of(joint).unwrap_or_default();
            for (k, &a) in bodies.iter().enumerate() {
                let others = bodies[..k].iter();
                self.joined.extend(others.map(|&b| [a.min(b), a.max(b)]));
            }
        }
        self.joined.sort_unstable();
    }

    fn may_touch(&self, a: &Placed, b: &Placed) -> bool {
        let [[member, touches], [other, touched]] = [a.collider.groups, b.collider.groups];
        let bodies = [a.body.min(b.body), a.body.max(b.body)];
        a.is_here
            && b.is_here
            && !(a.is_fixed && b.is_fixed)
            && a.body != b.body
            && member & touched != 0
            && other & touches != 0
            && self.joined.binary_search(&bodies).is_err()
    }

    /// Writes the contacts of two colliders.
    fn touch(&mut self, pair: [usize; 2], found: &mut Vec<Contact>) {
        let [a, b] = pair.map(|index| &self.placed[index]);
        if !self.may_touch(a, b) {
            return;
        }
        let ahead = a.ahead + b.ahead + SLACK * a.size.min(b.size);
        let [shape, other] = [a, b].map(|it| &*it.collider.shape.0);
        self.manifolds.clear();
        let supported = DefaultQueryDispatcher.contact_manifolds(
            &a.pose.inv_mul(&b.pose),
            shape,
            other,
            ahead,
            &mut self.manifolds,
            &mut None,
        );
        if supported.is_err() {
            return;
        }
        let friction = (a.collider.friction * b.collider.friction).sqrt();
        let restitution = a.collider.restitution.max(b.collider.restitution);
        for manifold in &self.manifolds {
            let first = manifold.subshape_pos1().map_or(a.pose, |it| a.pose * *it);
            let second = manifold.subshape_pos2().map_or(b.pose, |it| b.pose * *it);
            let normal = from_parry(first.rotation * manifold.local_n1);
            let parts = [a.number, b.number, manifold.subshape1, manifold.subshape2];
            for contact in &manifold.points {
                let point = first * contact.local_p1 + second * contact.local_p2;
                let [p, q, r, s] = parts;
                let feature = feature::number([p, q, r, s, contact.fid1.0, contact.fid2.0]);
                let point = from_parry(point) * 0.5;
                let touching = Contact::new([a.body, b.body], point, normal, contact.dist)
                    .with_friction(friction)
                    .with_restitution(restitution)
                    .with_feature(feature);
                found.push(touching);
            }
        }
    }
}
