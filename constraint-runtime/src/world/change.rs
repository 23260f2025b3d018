//! Changes of a world between two steps: removal, new poses, masses and parameters, joints that act or not.
//!
//! Invariant: handles of what stays remain valid, and those of what is removed are errors for ever. Bodies and joints
//! keep their order, so that a world with removals moves to the last bit like one that never had what was removed.

use alloc::vec::Vec;

use super::body::{Body, Massive};
use super::cache::Cache;
use super::family::short_name;
use super::{BodyHandle, JointHandle, JointSlot, World};
use crate::body_constraint::BodyConstraint;
use crate::checks::check_finite;
use crate::error::{Error, Quantity};
use crate::real::Real;
use crate::state::IntoGravity;

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// Removes a body, and the joints that connect it; returns the body as it was.
    ///
    /// - Cost: linear in bodies and joints. The next step determines the order of elimination anew.
    ///
    /// ```
    /// use constraint_runtime::joint::Ball;
    /// use constraint_runtime::prelude::*;
    ///
    /// let mut world = World3::<f64>::new();
    /// let inertia = Inertia3::principal(1.0, [0.1; 3])?;
    /// let mut link = |x: f64| world.add(Body3::new(inertia, Rigid3::translation(x, 0.0, 0.0)));
    /// let [a, b, c] = [link(0.0)?, link(1.0)?, link(2.0)?];
    /// let ball = Ball { r1: Vector3::x() * 0.5, r2: Vector3::x() * -0.5 };
    /// let first = world.connect(ball, [a, b])?;
    /// let second = world.connect(ball, [b, c])?;
    ///
    /// world.remove(a)?;
    /// assert_eq!(world.pose(a), Err(Error::RemovedBody { body: 0 }));
    /// assert_eq!(world.impulse(first), Err(Error::RemovedJoint { joint: 0 }));
    /// // The others have kept their handles, and a new body gets a new one.
    /// assert_eq!(world.pose(c)?.translation.x, 2.0);
    /// assert_eq!(world.joints().collect::<Vec<_>>(), [second]);
    /// assert_eq!(world.add(Body3::fixed(Rigid3::identity()))?.number(), 3);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownBody`], [`Error::RemovedBody`]
    pub fn remove(&mut self, body: BodyHandle) -> Result<Body<T, B, D>, Error> {
        let index = self.index(body)?;
        for joint in (0..self.joints.len()).rev() {
            let JointSlot { family, index: at } = self.joints[joint];
            if self.families[family].bodies(at).contains(&index) {
                self.drop_joint(joint);
            }
        }
        self.renumber_rows();
        for family in &mut self.families {
            family.body_removed(index);
        }
        let bodies = self.drives.iter_mut().flat_map(|drive| &mut drive.bodies);
        bodies.filter(|it| **it > index).for_each(|it| *it -= 1);
        self.body_numbers.remove(index);
        self.bodies.remove(index);
        self.forces.remove(index);
        self.spins.remove(index);
        self.frames.removed(index);
        let inertia = self.inertias.remove(index);
        let (pose, velocity) = self.states.remove(index);
        self.exact = Cache::default();
        Ok(Body {
            inertia,
            pose,
            velocity,
        })
    }

    /// Removes a joint.
    ///
    /// # Errors
    /// [`Error::UnknownJoint`], [`Error::RemovedJoint`]
    pub fn disconnect(&mut self, joint: JointHandle) -> Result<(), Error> {
        let index = self.joint_index(joint)?;
        self.drop_joint(index);
        self.renumber_rows();
        self.exact = Cache::default();
        Ok(())
    }

    /// Removes a joint from its family and from the order of connection.
    fn drop_joint(&mut self, joint: usize) {
        let removed = self.joints.remove(joint);
        self.drop_drives(self.joint_numbers.at(joint));
        self.joint_numbers.remove(joint);
        self.families[removed.family].remove(removed.index);
        for slot in &mut self.joints {
            if slot.family == removed.family && slot.index > removed.index {
                slot.index -= 1;
            }
        }
    }

    /// Numbers the rows of all joints in the order of connection.
    fn renumber_rows(&mut self) {
        self.rows = 0;
        for &JointSlot { family, index } in &self.joints {
            let family = &mut self.families[family];
            family.set_first(index, self.rows);
            self.rows += family.rows();
        }
    }

    /// Connects bodies by a constraint and moves all bodies onto their joints, however far apart these are: see
    /// [`assemble`](Self::assemble).
    ///
    /// ```
    /// use constraint_runtime::joint::Ball;
    /// use constraint_runtime::prelude::*;
    ///
    /// let mut world = World3::<f64>::new();
    /// let hook = world.add(Body3::fixed(Rigid3::identity()))?;
    /// let load = Body3::new(Inertia3::principal(1.0, [0.1; 3])?, Rigid3::translation(0.0, 0.0, -6.0));
    /// let load = world.add(load)?;
    /// // 5 m apart: `connect` would leave it to the next step to say so.
    /// world.connect_and_move(Ball { r1: Vector3::zeros(), r2: Vector3::z() }, [hook, load])?;
    /// assert_eq!(world.pose(load)?.translation.z, -1.0);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`connect`](Self::connect) and of [`assemble`](Self::assemble); nothing is connected or moved then.
    pub fn connect_and_move<C, const N: usize, const M: usize>(
        &mut self,
        constraint: C,
        bodies: [BodyHandle; N],
    ) -> Result<JointHandle, Error>
    where
        T: Send + Sync,
        C: BodyConstraint<T, D, N, M, Body = B> + Send + Sync + 'static,
    {
        let known = (self.checked, self.assembled);
        let joint = self.connect(constraint, bodies)?;
        match self.assemble() {
            Ok(()) => Ok(joint),
            Err(error) => {
                self.disconnect(joint)?;
                (self.checked, self.assembled) = known;
                Err(error)
            }
        }
    }

    /// Places a body. The next step checks that its joints still meet, see [`assemble`](Self::assemble).
    ///
    /// # Errors
    /// [`Error::UnknownBody`], [`Error::RemovedBody`]; [`Error::NonFinite`] and [`Error::InvalidRotation`] for the pose.
    pub fn set_pose(&mut self, body: BodyHandle, pose: B) -> Result<(), Error> {
        let index = self.index(body)?;
        Body::<T, B, D>::fixed(pose).validate()?;
        self.states[index].0 = pose;
        self.bodies[index].pose = pose;
        self.frames.displaced(index, pose);
        self.displaced();
        Ok(())
    }

    /// Replaces the inertia of a body, or fixes the body with `None`; it keeps its velocity.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// let mut world = World2::<f64>::new().with_gravity([0.0, -9.81]);
    /// let tank = world.add(Body2::new(Inertia2::new(5.0, 1.0)?, Rigid2::identity()))?;
    /// world.set_inertia(tank, Inertia2::new(3.0, 0.8)?)?;
    /// assert_eq!(world.inertia(tank)?, Some(&Inertia2::new(3.0, 0.8)?));
    /// world.set_inertia(tank, None)?;
    /// world.step(0.1)?;
    /// assert_eq!(world.pose(tank)?.translation.y, 0.0);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownBody`], [`Error::RemovedBody`]
    pub fn set_inertia(
        &mut self,
        body: BodyHandle,
        inertia: impl Into<Option<B::Inertia>>,
    ) -> Result<(), Error> {
        let (index, inertia) = (self.index(body)?, inertia.into());
        if inertia.is_some() != self.inertias[index].is_some() {
            // Fixed bodies couple no joints.
            self.exact = Cache::default();
        }
        if inertia.is_none() {
            self.bodies[index].inverse_mass = B::pinned();
        }
        self.inertias[index] = inertia;
        self.spins[index] = inertia.as_ref().map(B::free_spin);
        self.refactor();
        Ok(())
    }

    /// The inertia of a body; a fixed one has none.
    ///
    /// # Errors
    /// [`Error::UnknownBody`], [`Error::RemovedBody`]
    pub fn inertia(&self, body: BodyHandle) -> Result<Option<&B::Inertia>, Error> {
        self.index(body).map(|index| self.inertias[index].as_ref())
    }

    /// Sets the gravity g, an acceleration.
    ///
    /// # Errors
    /// [`Error::NonFinite`]
    pub fn set_gravity(&mut self, gravity: impl IntoGravity<B::Vector>) -> Result<(), Error> {
        let gravity = gravity.into_gravity();
        check_finite(Quantity::Gravity, B::first_non_finite_of(&gravity))?;
        self.gravity = gravity;
        Ok(())
    }

    /// The gravity g.
    pub fn gravity(&self) -> &B::Vector {
        &self.gravity
    }

    /// Lets a joint act, or suspends it: its rows do not hold then, and its impulse is 0. The next step checks that a
    /// joint that acts anew meets, see [`assemble`](Self::assemble).
    ///
    /// ```
    /// use constraint_runtime::joint::Ball;
    /// use constraint_runtime::prelude::*;
    ///
    /// let mut world = World3::<f64>::new().with_gravity([0.0, 0.0, -9.81]);
    /// let hook = world.add(Body3::fixed(Rigid3::identity()))?;
    /// let load = Body3::new(Inertia3::principal(1.0, [0.1; 3])?, Rigid3::translation(0.0, 0.0, -1.0));
    /// let load = world.add(load)?;
    /// let clutch = world.connect(Ball { r1: Vector3::zeros(), r2: Vector3::z() }, [hook, load])?;
    /// world.step(1e-2)?;
    /// assert!((world.impulse(clutch)?[2] - 9.81e-2).abs() < 1e-12);
    /// world.set_enabled(clutch, false)?;
    /// world.run_until(0.5, 1e-2)?;
    /// assert!(world.pose(load)?.translation.z < -2.0);
    /// world.set_enabled(clutch, true)?;
    /// assert!(matches!(world.step(1e-2), Err(Error::JointApart { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownJoint`], [`Error::RemovedJoint`]
    pub fn set_enabled(&mut self, joint: JointHandle, enabled: bool) -> Result<(), Error> {
        let JointSlot { family, index } = self.slot(joint)?;
        self.families[family].enable(index, enabled);
        self.enable_drives(joint, enabled);
        self.refactor();
        if enabled {
            self.displaced();
        }
        Ok(())
    }

    /// True if the joint acts.
    ///
    /// # Errors
    /// [`Error::UnknownJoint`], [`Error::RemovedJoint`]
    pub fn is_enabled(&self, joint: JointHandle) -> Result<bool, Error> {
        let JointSlot { family, index } = self.slot(joint)?;
        Ok(self.families[family].is_enabled(index))
    }

    /// The constraint of a joint, of the type with which it was connected.
    ///
    /// # Errors
    /// [`Error::UnknownJoint`], [`Error::RemovedJoint`], and [`Error::OtherJoint`] if its type is another one.
    pub fn joint<C: 'static>(&self, joint: JointHandle) -> Result<&C, Error> {
        let JointSlot { family, index } = self.slot(joint)?;
        let family = &self.families[family];
        let found = family.law(index).downcast_ref();
        found.ok_or_else(|| other::<C>(joint, family.name()))
    }

    /// The constraint of a joint, to change its parameters. The next step checks that the joint still meets, see
    /// [`assemble`](Self::assemble).
    ///
    /// ```
    /// use constraint_runtime::joint::{Ball, Distance};
    /// use constraint_runtime::prelude::*;
    ///
    /// let mut world = World3::<f64>::new();
    /// let hook = world.add(Body3::fixed(Rigid3::identity()))?;
    /// let load = Body3::new(Inertia3::principal(1.0, [0.1; 3])?, Rigid3::translation(0.0, 0.0, -1.0));
    /// let load = world.add(load)?;
    /// let rope = Distance { r1: Vector3::zeros(), r2: Vector3::zeros(), length: 1.0 };
    /// let rope = world.connect(rope, [hook, load])?;
    /// for _ in 0..100 {
    ///     world.joint_mut::<Distance>(rope)?.length -= 0.002;
    ///     world.step(1e-2)?;
    /// }
    /// assert!((world.pose(load)?.translation.z + 0.8).abs() < 1e-12);
    /// let refused = world.joint::<Ball>(rope).unwrap_err();
    /// assert_eq!(refused.to_string(), "joint 0 is of the type Distance, not Ball");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`joint`](Self::joint).
    pub fn joint_mut<C: 'static>(&mut self, joint: JointHandle) -> Result<&mut C, Error> {
        let JointSlot { family, index } = self.slot(joint)?;
        self.displaced();
        let family = &mut self.families[family];
        let name = family.name();
        let found = family.law_mut(index).downcast_mut();
        found.ok_or_else(|| other::<C>(joint, name))
    }

    /// All bodies, in the order in which they were added.
    pub fn bodies(&self) -> impl Iterator<Item = BodyHandle> + '_ {
        self.body_numbers.iter().map(|it| self.body_handle(it))
    }

    /// All joints, in the order of connection.
    pub fn joints(&self) -> impl Iterator<Item = JointHandle> + '_ {
        self.joint_numbers.iter().map(|it| self.joint_handle(it))
    }

    /// The bodies that a joint connects, in the order of its constraint.
    ///
    /// # Errors
    /// [`Error::UnknownJoint`], [`Error::RemovedJoint`]
    pub fn bodies_of(&self, joint: JointHandle) -> Result<Vec<BodyHandle>, Error> {
        let JointSlot { family, index } = self.slot(joint)?;
        let bodies = self.families[family].bodies(index).iter();
        let handle = |&body: &usize| self.body_handle(self.body_numbers.at(body));
        Ok(bodies.map(handle).collect())
    }
}

#[cold]
fn other<C>(joint: JointHandle, found: &'static str) -> Error {
    Error::OtherJoint {
        joint: joint.number(),
        found,
        expected: short_name::<C>(),
    }
}
