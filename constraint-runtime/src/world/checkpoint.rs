//! Saving a world and resuming it.

use alloc::vec::Vec;

use nalgebra::SVector;

use super::body::Massive;
use super::division::Division;
use super::driving::KeptDrive;
use super::touching::KeptContact;
use super::{JointSlot, World};
use crate::checks::check_finite;
use crate::error::{Error, Quantity};
use crate::real::{Real, first_bad, is_finite};

/// The state of a [`World`]: time, poses, velocities, the forces set, and the impulses of joints that a step starts
/// from.
///
/// A world that is built in the same manner and [resumes](World::resume) from it continues exactly like the original,
/// to the last bit. Bodies, joints and settings are not part of it: the program that builds the world has them. With
/// the feature `serde` it can be serialized; use a format that keeps every digit.
///
/// ```
/// use constraint_runtime::joint::Ball;
/// use constraint_runtime::prelude::*;
///
/// let build = || -> Result<_, Error> {
///     let mut world = World3::<f64>::new().with_gravity([0.0, 0.0, -9.81]);
///     let ground = world.add(Body3::fixed(Rigid3::identity()))?;
///     let pose = Rigid3::translation(1.0, 0.0, 0.0);
///     let bob = world.add(Body3::new(Inertia3::principal(1.0, [0.1; 3])?, pose))?;
///     world.connect(Ball { r1: Vector3::zeros(), r2: -Vector3::x() }, [ground, bob])?;
///     Ok((world, bob))
/// };
/// let (mut world, bob) = build()?;
/// world.run_until(0.5, 1e-2)?;
/// let checkpoint = world.checkpoint();
/// world.run_until(1.0, 1e-2)?;
///
/// let (mut resumed, same) = build()?;
/// resumed.resume(&checkpoint)?;
/// resumed.run_until(1.0, 1e-2)?;
/// assert_eq!(resumed.pose(same)?, world.pose(bob)?);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldCheckpoint<T> {
    time: T,
    coordinates: Vec<T>,
    velocities: Vec<T>,
    forces: Vec<T>,
    /// Λ of the last step, joint by joint.
    impulses: Vec<T>,
    /// Λ of limits and motors.
    #[cfg_attr(feature = "serde-no-std", serde(default = "Vec::new"))]
    drives: Vec<KeptDrive<T>>,
    /// Λ of contacts.
    #[cfg_attr(feature = "serde-no-std", serde(default = "Vec::new"))]
    contacts: Vec<KeptContact<T>>,
    #[cfg_attr(feature = "serde-no-std", serde(default))]
    checked: bool,
    assembled: bool,
    #[cfg_attr(feature = "serde-no-std", serde(default))]
    division: Division,
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// The checkpoint of the world: see [`WorldCheckpoint`].
    pub fn checkpoint(&self) -> WorldCheckpoint<T> {
        let entries = |vector: &SVector<T, D>| vector.as_slice().to_vec();
        let poses = self.states.iter().flat_map(|(pose, _)| {
            let coordinates = pose.coordinates();
            coordinates.as_ref().to_vec()
        });
        let joints = self.joints.iter();
        let impulses = joints.flat_map(|it| self.families[it.family].impulse(it.index));
        WorldCheckpoint {
            time: self.time,
            coordinates: poses.collect(),
            velocities: self.states.iter().flat_map(|(_, v)| entries(v)).collect(),
            forces: self.forces.iter().flat_map(entries).collect(),
            impulses: impulses.copied().collect(),
            drives: self.drives.iter().map(|drive| drive.kept).collect(),
            contacts: self.kept_contacts.clone(),
            checked: self.checked,
            assembled: self.assembled,
            division: self.division,
        }
    }

    /// Resumes from the checkpoint of a world that was built in the same manner.
    ///
    /// # Errors
    /// [`Error::AnotherWorld`] if there are not as many bodies or rows, [`Error::NonFinite`],
    /// [`Error::InvalidRotation`]; nothing has changed then.
    pub fn resume(&mut self, checkpoint: &WorldCheckpoint<T>) -> Result<(), Error> {
        self.check(checkpoint)?;
        self.refactor();
        self.time = checkpoint.time;
        self.assembled = checkpoint.assembled;
        self.division = checkpoint.division;
        // Checkpoints of earlier versions have `assembled` only.
        self.checked = checkpoint.checked || checkpoint.assembled;
        let poses = checkpoint.coordinates.chunks_exact(B::COORDINATES);
        let velocities = checkpoint.velocities.chunks_exact(D);
        let bodies = self.states.iter_mut().zip(&mut self.bodies);
        for ((state, body), (pose, velocity)) in bodies.zip(poses.zip(velocities)) {
            *state = (B::read(pose), SVector::from_column_slice(velocity));
            (body.pose, body.velocity) = *state;
        }
        self.update_inverse_masses();
        for (force, saved) in self
            .forces
            .iter_mut()
            .zip(checkpoint.forces.chunks_exact(D))
        {
            force.copy_from_slice(saved);
        }
        let mut rest = &checkpoint.impulses[..];
        for &JointSlot { family, index } in &self.joints {
            let (impulse, others) = rest.split_at(self.families[family].rows());
            self.families[family].set_impulse(index, impulse);
            rest = others;
        }
        self.families.iter_mut().for_each(|family| family.commit());
        for (drive, &kept) in self.drives.iter_mut().zip(&checkpoint.drives) {
            drive.kept = kept;
        }
        self.kept_contacts.clone_from(&checkpoint.contacts);
        self.frames.clear();
        Ok(())
    }

    /// Checks that a checkpoint has as many bodies and rows, and finite numbers.
    fn check(&self, checkpoint: &WorldCheckpoint<T>) -> Result<(), Error> {
        let WorldCheckpoint {
            time,
            coordinates,
            velocities,
            forces,
            impulses,
            drives,
            contacts,
            ..
        } = checkpoint;
        let bodies = self.states.len();
        let alike = coordinates.len() == bodies * B::COORDINATES
            && [velocities, forces].map(Vec::len) == [bodies * D; 2]
            && impulses.len() == self.rows
            && [0, self.drives.len()].contains(&drives.len());
        if !alike {
            return Err(Error::AnotherWorld {
                bodies,
                rows: self.rows,
                found_bodies: coordinates.len() / B::COORDINATES,
                found_rows: impulses.len(),
            });
        }
        let of = |quantity, numbers: &[T]| {
            let mut numbers = numbers.iter().enumerate();
            let bad = numbers.find_map(|(i, &x)| Some((i, first_bad(x, is_finite(x))?)));
            check_finite(quantity, bad)
        };
        of(Quantity::Time, &[*time])?;
        of(Quantity::Coordinate, coordinates)?;
        of(Quantity::Velocity, velocities)?;
        of(Quantity::Force, forces)?;
        of(Quantity::Force, impulses)?;
        let drives: Vec<T> = drives.iter().map(|it| it.impulse).collect();
        of(Quantity::Force, &drives)?;
        let contacts: Vec<T> = contacts.iter().flat_map(|it| it.impulse).collect();
        of(Quantity::Force, &contacts)?;
        let mut poses = coordinates.chunks_exact(B::COORDINATES).map(B::read);
        poses.try_for_each(|pose| B::try_from_coordinates(&pose.coordinates()).map(drop))
    }
}
