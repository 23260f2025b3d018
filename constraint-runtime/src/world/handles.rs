//! Handles of bodies and joints, the numbers that messages show, and where to find what they identify.

use super::body::Massive;
use super::{JointSlot, World};
use crate::error::{Error, Row, RowJoint};
use crate::real::Real;

/// Identifies a body of one world. Its number is never used for another one, not even after the body has been removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyHandle {
    pub(super) world: u32,
    pub(super) number: u64,
}

impl BodyHandle {
    /// Its number in the order in which the world has got its bodies, from 0: the one in messages.
    pub fn number(&self) -> usize {
        self.number as usize
    }
}

/// Identifies a joint of one world. Its number is never used for another one, not even after the joint has been removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JointHandle {
    pub(super) world: u32,
    pub(super) number: u64,
}

impl JointHandle {
    /// Its number in the order in which the world has got its joints, from 0: the one in messages.
    pub fn number(&self) -> usize {
        self.number as usize
    }
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    pub(super) fn body_handle(&self, number: u64) -> BodyHandle {
        BodyHandle {
            world: self.id,
            number,
        }
    }

    pub(super) fn joint_handle(&self, number: u64) -> JointHandle {
        JointHandle {
            world: self.id,
            number,
        }
    }

    pub(super) fn index(&self, handle: BodyHandle) -> Result<usize, Error> {
        let number = handle.number();
        if handle.world != self.id {
            return Err(Error::UnknownBody { index: number });
        }
        let index = self.body_numbers.index(handle.number);
        index.ok_or(Error::RemovedBody { body: number })
    }

    /// The place of a joint in the order of connection.
    pub(super) fn joint_index(&self, handle: JointHandle) -> Result<usize, Error> {
        let number = handle.number();
        if handle.world != self.id {
            return Err(Error::UnknownJoint { index: number });
        }
        let index = self.joint_numbers.index(handle.number);
        index.ok_or(Error::RemovedJoint { joint: number })
    }

    pub(super) fn slot(&self, handle: JointHandle) -> Result<JointSlot, Error> {
        self.joint_index(handle).map(|index| self.joints[index])
    }

    /// A row with its joint: type, number and bodies. Rows of limits, motors and bounds follow those of all joints.
    pub(super) fn describe(&self, row: usize) -> Row {
        let mut end = 0;
        let mut joint = self.joints.iter().position(|it| {
            end += self.families[it.family].rows();
            row < end
        });
        if let Some(drive) = row.checked_sub(self.rows) {
            let drive = self.drives.get(drive);
            joint = drive.and_then(|it| self.joint_numbers.index(it.joint));
        }
        let joint = joint.map(|joint| {
            let JointSlot { family, index } = self.joints[joint];
            let family = &self.families[family];
            let bodies = family.bodies(index).iter();
            let bodies = bodies.map(|&body| {
                let number = self.body_numbers.at(body) as usize;
                (number, self.inertias[body].is_none())
            });
            let number = self.joint_numbers.at(joint) as usize;
            (family.name(), RowJoint::new(number, bodies))
        });
        Row {
            name: joint.map(|(name, _)| name),
            joint: joint.map(|(_, joint)| joint),
            ..row.into()
        }
    }
}
