//! Rows of joints that follow from the rows of others.

use alloc::vec::Vec;

use super::body::Massive;
use super::family::Asked;
use super::{JointHandle, World};
use crate::error::{Error, Row};
use crate::real::{Real, lane_value};

/// A row that follows from others: see [`World::redundancies`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Redundancy {
    /// The row that the elimination has set aside, with its joint.
    pub row: Row,
    /// The joints on which it depends, its own among them, in the order of connection. Their reactions are determined but for a
    /// common part.
    pub joints: Vec<JointHandle>,
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// The rows that follow from others at the present poses: one for each degree of redundancy.
    ///
    /// The exact solver needs no independent rows. Where the motion determines only a sum of reactions, joints share it such that
    /// Σ (J W Jᵀ)ᵢᵢ λᵢ² is the least.
    ///
    /// A shelf on two hinges, each of which would be enough: five of ten rows are redundant, and each hinge carries one half.
    ///
    /// ```
    /// use constraint_runtime::joint::Hinge;
    /// use constraint_runtime::prelude::*;
    ///
    /// let mut world = World3::<f64>::new().with_gravity([0.0, 0.0, -9.81]);
    /// let (wall, pose) = (Rigid3::identity(), Rigid3::translation(1.0, 0.0, 0.0));
    /// let ground = world.add(Body3::fixed(wall))?;
    /// let shelf = world.add(Body3::new(Inertia3::principal(2.0, [0.1; 3])?, pose))?;
    /// let at = |y| Hinge::between(&wall, &pose, &Point3::new(0.0, y, 0.0), &Vector3::y_axis());
    /// let left = world.connect(at(-1.0), [ground, shelf])?;
    /// let right = world.connect(at(1.0), [ground, shelf])?;
    ///
    /// let redundant = world.redundancies()?;
    /// assert_eq!(redundant.len(), 5);
    /// assert!(redundant.iter().all(|it| it.joints == [left, right]));
    /// world.run_until(0.5, 1e-3)?;
    /// assert!(world.drift() < 1e-14);
    /// let [a, b] = [left, right].map(|it| world.impulse(it).unwrap()[2]);
    /// assert!((a - b).abs() < 1e-12 * a.abs());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Singular`] for a row that moves nothing: its joint connects only fixed bodies.
    pub fn redundancies(&self) -> Result<Vec<Redundancy>, Error> {
        let bodies = self.resting(&self.state().q);
        let found = self.linearized(Asked::Given(self.time), &bodies, |exact| {
            exact.factor(&bodies)?;
            let rows = (0..exact.parts()).flat_map(|part| exact.redundant(part));
            Ok(rows.collect::<Vec<_>>())
        });
        let found = found.map_err(|singular: crate::error::Singular| {
            let time = lane_value(self.time, 0);
            Error::from(singular).located(time, |row| self.describe(row))
        })?;
        let all = found.into_iter().map(|(row, joints)| {
            let joints = joints.into_iter();
            Redundancy {
                row: self.describe(row),
                joints: joints
                    .map(|it| self.joint_handle(self.joint_numbers.at(it)))
                    .collect(),
            }
        });
        Ok(all.collect())
    }
}
