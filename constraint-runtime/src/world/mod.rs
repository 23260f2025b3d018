//! Bodies and joints assembled at run time.
//!
//! A [`World`] contains [`Body`]s and constraints between them, of any types that `constraint!` has generated. A step
//! is RATTLE (`rattle.rs`) or, where that does not apply, the one of I. Robson's *Distance Constraint* (`step.rs`):
//! integrate the external forces, apply the impulses that satisfy the velocity constraints, integrate the poses; then,
//! by default, project the poses onto C = 0.
//!
//! ```text
//! v* = v + h W f          f: forces set, weight, gyroscopic torque
//! v⁺ = v* + W Jᵀ Λ        (J W Jᵀ) Λ = −Ċ(v*)      by the Solver
//! q⁺ = q moved by h v⁺    exactly on the rotation group
//! q⁺ → C(q⁺) = 0          mass-weighted, by the same Solver
//! ```
//!
//! As a [`System`](crate::System) (`system.rs`), a world can be moved by any integrator instead; the rows and the
//! exact solver are the same.
//!
//! Invariants: a step that fails leaves the last good state in place; a step allocates only when it is the first
//! after bodies or joints were added or removed, when rows begin to depend on others, or when it is divided.

mod apart;
mod assemble;
mod axis;
mod body;
mod bounds;
mod cache;
mod change;
mod checkpoint;
mod contact;
mod coupled;
mod division;
mod drives;
mod driving;
mod exact;
mod family;
mod flight;
mod frame;
mod graph;
mod handles;
mod islands;
mod joints;
mod laws;
mod method;
mod numbers;
mod rattle;
mod rebound;
mod redundancy;
mod row;
mod settling;
mod sharing;
mod solver;
mod spin;
mod step;
mod system;
mod touching;

use alloc::{boxed::Box, vec::Vec};
use core::any::Any;
use core::sync::atomic::{AtomicU32, Ordering};

use nalgebra::SVector;

use crate::body::{Rigid2, Rigid3};
use crate::body_constraint::BodyConstraint;
use crate::checks::check_finite;
use crate::error::{Error, Quantity};
use crate::impulse::Softness;
use crate::real::{Real, first_non_finite};
use crate::stabilization::Stabilization;
use crate::state::IntoGravity;

pub use axis::{Axis2, Axis3};
pub use body::{Body, Body2, Body3, Massive};
pub use bounds::Bounds;
pub use checkpoint::WorldCheckpoint;
pub use contact::{Contact, Contact2, Contact3};
pub use drives::AxisState;
pub(crate) use family::short_name;
pub use handles::{BodyHandle, JointHandle};
pub use laws::ContactResiduals;
pub use method::WorldMethod;
pub use redundancy::Redundancy;
pub use solver::Solver;
pub use touching::{ContactEvent, ContactState};

use cache::Cache;
use coupled::Coupled;
use division::Division;
use driving::Driving;
use exact::Exact;
use family::{Family, Moving, RowQuantity, largest_row};
use frame::Frames;
use islands::Islands;
use joints::Joints;
use numbers::Numbers;
use rebound::Rebound;
use settling::Settling;
use touching::{Finder, KeptContact, Listener, MOST_SWEEPS, Touching};

/// The position of a joint in its family.
#[derive(Clone, Copy, Debug)]
struct JointSlot {
    family: usize,
    index: usize,
}

/// Bodies in the plane and their joints.
pub type World2<T = f64> = World<T, Rigid2<T>, 3>;

/// Bodies in space and their joints.
pub type World3<T = f64> = World<T, Rigid3<T>, 6>;

/// Bodies and joints assembled at run time: [`World2`] or [`World3`].
///
/// - Units: those of the bodies and constraints; velocities are (v, ω) and forces (force, torque), in the world's
///   frame.
/// - Order: a step is RATTLE, of second order, whose energy errs without a trend; soft joints and
///   [`SequentialImpulses`](crate::SequentialImpulses) need semi-implicit Euler, which loses energy: see [`WorldMethod`].
///   So do steps in which bodies touch: see [`with_contacts`](Self::with_contacts).
///   In a [`Simulation`](crate::Simulation), which begins at [`state`](Self::state), any method moves the world, with
///   accelerations from the exact solver; solver and stabilisation are then those of the simulation, and steps allocate.
///
/// A pendulum on a hinge, and a falling ball:
///
/// ```
/// use constraint_runtime::joint::Hinge;
/// use constraint_runtime::prelude::*;
///
/// let mut world = World3::<f64>::new().with_gravity([0.0, 0.0, -9.81]);
/// let (wall, pose) = (Rigid3::identity(), Rigid3::translation(0.5, 0.0, 0.0));
/// let ground = world.add(Body3::fixed(wall))?;
/// let rod = world.add(Body3::new(Inertia3::principal(2.0, [0.01, 0.2, 0.2])?, pose))?;
/// let ball = world.add(Body3::new(Inertia3::principal(1.0, [0.1; 3])?, pose))?;
/// let pin = Hinge::between(&wall, &pose, &Point3::origin(), &Vector3::y_axis());
/// let pin = world.connect(pin, [ground, rod])?;
///
/// world.run_until(0.5, 1e-3)?;
/// assert!((world.pose(rod)?.translation.vector.norm() - 0.5).abs() < 1e-14);
/// assert!((world.pose(ball)?.translation.z + 9.81 / 8.0).abs() < 1e-12);
/// assert!(world.drift() < 1e-14);
/// // Λ of the last step: about h times the force that carries the rod.
/// assert_eq!(world.impulse(pin)?.len(), 5);
/// # Ok::<(), Error>(())
/// ```
pub struct World<T: Real, B: Massive<T, D>, const D: usize> {
    id: u32,
    time: T,
    /// Of the step that has been begun last.
    step_size: T,
    gravity: B::Vector,
    method: WorldMethod,
    solver: Solver,
    stabilization: Stabilization<T>,
    body_numbers: Numbers,
    inertias: Vec<Option<B::Inertia>>,
    /// Of the bodies that have an inertia.
    spins: Vec<Option<B::FreeSpin>>,
    forces: Vec<SVector<T, D>>,
    /// The last good state.
    states: Vec<(B, SVector<T, D>)>,
    /// Equal to the states outside of a step; the intermediate state during one.
    bodies: Vec<Moving<T, B, D>>,
    /// The poses at the start of a step.
    starts: Vec<B>,
    families: Vec<Box<dyn Family<T, B, D>>>,
    joint_numbers: Numbers,
    /// In the order in which they were connected.
    joints: Vec<JointSlot>,
    /// Limits and motors, in the order of connection.
    drives: Vec<Driving<T, B, D>>,
    finder: Option<Finder<T, B, D>>,
    /// Those that it has found last.
    found: Vec<Contact<T, B::Vector>>,
    /// Contacts of the step.
    contacts: Vec<Touching<T, D>>,
    /// Those that pushed in the last good step, by their keys.
    kept_contacts: Vec<KeptContact<T>>,
    /// The same of the step before.
    former_contacts: Vec<KeptContact<T>>,
    listener: Option<Listener<T>>,
    /// Most sweeps over the contacts.
    sweeps: usize,
    /// What the last of them have left.
    settling: Settling<T>,
    /// How far the last step is from the laws of contact.
    laws: ContactResiduals<T>,
    frames: Frames<T, B>,
    rebound: Rebound<T, D>,
    coupled: Coupled<T>,
    islands: Islands,
    division: Division,
    /// Rows of all joints.
    rows: usize,
    /// Created by the first step that needs it.
    exact: Cache<Exact<T, D>>,
    /// True if no joint is far apart; false between a change and the next projection.
    checked: bool,
    /// True if a check, a projection or `assemble` has found the bodies on their joints.
    assembled: bool,
}

impl<T: Real, B: Massive<T, D>, const D: usize> Default for World<T, B, D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// An empty world at time 0, without gravity; the solver is [`Solver::Exact`].
    pub fn new() -> Self {
        // Handles carry the number, so that another world rejects them.
        static WORLDS: AtomicU32 = AtomicU32::new(0);
        Self {
            id: WORLDS.fetch_add(1, Ordering::Relaxed),
            time: T::zero(),
            step_size: T::zero(),
            gravity: B::zero(),
            method: WorldMethod::default(),
            solver: Solver::default(),
            stabilization: Stabilization::default(),
            body_numbers: Numbers::default(),
            inertias: Vec::new(),
            spins: Vec::new(),
            forces: Vec::new(),
            states: Vec::new(),
            bodies: Vec::new(),
            starts: Vec::new(),
            families: Vec::new(),
            joint_numbers: Numbers::default(),
            joints: Vec::new(),
            drives: Vec::new(),
            finder: None,
            found: Vec::new(),
            contacts: Vec::new(),
            kept_contacts: Vec::new(),
            former_contacts: Vec::new(),
            listener: None,
            sweeps: MOST_SWEEPS,
            settling: Settling::none(),
            laws: ContactResiduals::none(),
            frames: Frames::new(),
            rebound: Rebound::new(),
            coupled: Coupled::new(),
            islands: Islands::default(),
            division: Division::default(),
            rows: 0,
            exact: Cache::default(),
            checked: false,
            assembled: false,
        }
    }

    /// Sets the gravity g, an acceleration.
    pub fn with_gravity(mut self, gravity: impl IntoGravity<B::Vector>) -> Self {
        self.gravity = gravity.into_gravity();
        self
    }

    /// Sets the method by which it steps: see [`WorldMethod`].
    pub fn with_method(mut self, method: WorldMethod) -> Self {
        self.method = method;
        self
    }

    /// Sets another solver.
    pub fn with_solver(mut self, solver: impl Into<Solver>) -> Self {
        self.solver = solver.into();
        self
    }

    /// Sets another stabilisation; projection is the default.
    ///
    /// `Baumgarte { alpha, beta }` means 2 α Ċ + β² C = 0 here, without the acceleration. The first step that
    /// projects checks that no joint is far apart, see [`assemble`](Self::assemble).
    pub fn with_stabilization(mut self, stabilization: Stabilization<T>) -> Self {
        self.stabilization = stabilization;
        self.displaced();
        self
    }

    /// Adds a body.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// let mut world = World2::new();
    /// let disk = world.add(Body2::new(Inertia2::new(2.0, 0.25)?, Rigid2::translation(0.0, 1.0)))?;
    /// assert_eq!(world.pose(disk)?.translation.y, 1.0);
    /// let nowhere = world.add(Body2::fixed(Rigid2::translation(f64::NAN, 0.0)));
    /// assert!(matches!(nowhere, Err(Error::NonFinite { index: 0, .. })));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NonFinite`] for its pose or velocity, [`Error::InvalidRotation`] if its rotation does not have length
    /// one. [`Inertia2::new`](crate::Inertia2::new) and [`Inertia3::new`](crate::Inertia3::new) have already checked
    /// masses and inertias.
    pub fn add(&mut self, body: Body<T, B, D>) -> Result<BodyHandle, Error> {
        body.validate()?;
        let Body {
            inertia,
            pose,
            velocity,
        } = body;
        self.renew();
        self.inertias.push(inertia);
        self.spins.push(inertia.as_ref().map(B::free_spin));
        self.forces.push(SVector::zeros());
        self.states.push((pose, velocity));
        self.bodies.push(Moving {
            pose,
            velocity,
            inverse_mass: B::pinned(),
        });
        let number = self.body_numbers.next();
        Ok(self.body_handle(number))
    }

    /// Connects bodies by a constraint, in the order of its arguments.
    ///
    /// ```
    /// use constraint_runtime::joint::Ball;
    /// use constraint_runtime::prelude::*;
    ///
    /// let mut world = World3::<f64>::new();
    /// let ground = world.add(Body3::fixed(Rigid3::identity()))?;
    /// let ball = Ball { r1: Vector3::zeros(), r2: Vector3::x() };
    /// assert_eq!(world.connect(ball, [ground, ground]), Err(Error::SelfJoint { body: 0 }));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownBody`], [`Error::RemovedBody`], [`Error::SelfJoint`]. Bodies that violate the constraint are no error here. The first step
    /// closes a gap of up to 2 % of what they reach and returns [`Error::JointApart`] for a wider one;
    /// [`assemble`](Self::assemble) and [`connect_and_move`](Self::connect_and_move) close any.
    pub fn connect<C, const N: usize, const M: usize>(
        &mut self,
        constraint: C,
        bodies: [BodyHandle; N],
    ) -> Result<JointHandle, Error>
    where
        T: Send + Sync,
        C: BodyConstraint<T, D, N, M, Body = B> + Send + Sync + 'static,
    {
        let mut indices = [0; N];
        for (k, handle) in bodies.into_iter().enumerate() {
            let body = self.index(handle)?;
            if indices[..k].contains(&body) {
                let body = handle.number();
                return Err(Error::SelfJoint { body });
            }
            indices[k] = body;
        }
        let drives = self.read_drives(constraint.drives(), &indices)?;
        self.renew();
        let slot = self.insert(constraint, indices);
        self.joints.push(slot);
        self.rows += M;
        let number = self.joint_numbers.next();
        let drives = drives.into_iter().map(|mut drive| {
            drive.joint = number;
            drive
        });
        self.drives.extend(drives);
        Ok(self.joint_handle(number))
    }

    /// Discards everything that belongs to the previous bodies and joints.
    fn renew(&mut self) {
        self.exact = Cache::default();
        self.displaced();
    }

    /// Discards factors of the last good state, which has changed.
    fn refactor(&mut self) {
        if let Some(exact) = self.exact.get_mut() {
            exact.keep(false);
        }
    }

    /// Records that joints may be apart.
    pub(super) fn displaced(&mut self) {
        self.refactor();
        self.checked = false;
        self.assembled = false;
    }

    /// Adds a joint to the family of its type, and creates the family if needed.
    fn insert<C, const N: usize, const M: usize>(
        &mut self,
        constraint: C,
        bodies: [usize; N],
    ) -> JointSlot
    where
        T: Send + Sync,
        C: BodyConstraint<T, D, N, M, Body = B> + Send + Sync + 'static,
    {
        for (family, joints) in self.families.iter_mut().enumerate() {
            let joints: &mut dyn Any = &mut **joints;
            if let Some(joints) = joints.downcast_mut::<Joints<C, T, D, N, M>>() {
                let index = joints.push(constraint, bodies, self.rows);
                return JointSlot { family, index };
            }
        }
        let mut joints = Joints::new();
        let index = joints.push(constraint, bodies, self.rows);
        self.families.push(Box::new(joints));
        let family = self.families.len() - 1;
        JointSlot { family, index }
    }

    /// Makes a joint soft, or rigid once more. The next step that projects closes a joint that has become rigid,
    /// however far it is open.
    ///
    /// # Errors
    /// [`Error::UnknownJoint`], [`Error::RemovedJoint`]
    pub fn set_softness(
        &mut self,
        joint: JointHandle,
        softness: impl Into<Option<Softness<T>>>,
    ) -> Result<(), Error> {
        let JointSlot { family, index } = self.slot(joint)?;
        self.refactor();
        self.families[family].set_softness(index, softness.into());
        self.assembled = false;
        Ok(())
    }

    /// Sets the force and torque (about the centre of mass, world's frame) on a body, until the next call.
    ///
    /// # Errors
    /// [`Error::UnknownBody`], [`Error::RemovedBody`], and [`Error::NonFinite`] for the force.
    pub fn set_force(
        &mut self,
        body: BodyHandle,
        force: impl Into<SVector<T, D>>,
    ) -> Result<(), Error> {
        let (index, force) = (self.index(body)?, force.into());
        check_finite(Quantity::Force, first_non_finite(&force))?;
        self.forces[index] = force;
        Ok(())
    }

    /// Adds a force at a point of the world, and its torque there, to those on a body.
    ///
    /// # Errors
    /// As [`set_force`](Self::set_force).
    pub fn add_force_at(
        &mut self,
        body: BodyHandle,
        force: impl Into<B::Vector>,
        point: impl Into<B::Vector>,
    ) -> Result<(), Error> {
        let index = self.index(body)?;
        let pose = &self.states[index].0;
        let sum = self.forces[index] + pose.wrench(&force.into(), &point.into());
        self.set_force(body, sum)
    }

    /// Sets the velocities (v, ω) of a body.
    ///
    /// # Errors
    /// [`Error::UnknownBody`], [`Error::RemovedBody`], and [`Error::NonFinite`] for the velocity.
    pub fn set_velocity(
        &mut self,
        body: BodyHandle,
        velocity: impl Into<SVector<T, D>>,
    ) -> Result<(), Error> {
        let (index, velocity) = (self.index(body)?, velocity.into());
        check_finite(Quantity::Velocity, first_non_finite(&velocity))?;
        self.states[index].1 = velocity;
        self.bodies[index].velocity = velocity;
        Ok(())
    }

    /// The time.
    pub fn time(&self) -> T {
        self.time
    }

    /// The size of the step for which contacts are sought, see [`with_contacts`](Self::with_contacts), or of the last step; 0
    /// before the first one.
    pub fn step_size(&self) -> T {
        self.step_size
    }

    /// The pose of a body.
    ///
    /// # Errors
    /// [`Error::UnknownBody`], [`Error::RemovedBody`]
    pub fn pose(&self, body: BodyHandle) -> Result<&B, Error> {
        self.index(body).map(|index| &self.states[index].0)
    }

    /// The velocities (v, ω) of a body.
    ///
    /// # Errors
    /// [`Error::UnknownBody`], [`Error::RemovedBody`]
    pub fn velocity(&self, body: BodyHandle) -> Result<&SVector<T, D>, Error> {
        self.index(body).map(|index| &self.states[index].1)
    }

    /// Λ of a joint over the last step: h λ, +Λ pushing along +∇C.
    ///
    /// # Errors
    /// [`Error::UnknownJoint`], [`Error::RemovedJoint`]
    pub fn impulse(&self, joint: JointHandle) -> Result<&[T], Error> {
        let JointSlot { family, index } = self.slot(joint)?;
        Ok(self.families[family].impulse(index))
    }

    /// Largest |C| of all rigid joints.
    pub fn drift(&self) -> T {
        largest_row(&self.families, RowQuantity::Value, self.time, &self.bodies)
    }

    /// Largest |Ċ| of all rigid joints; after a step by semi-implicit Euler of order h, since that satisfies Ċ = 0 at its
    /// start.
    pub fn rate_drift(&self) -> T {
        largest_row(&self.families, RowQuantity::Rate, self.time, &self.bodies)
    }

    /// Kinetic energy, and potential energy of gravity; forces set and soft joints are not included.
    pub fn energy(&self) -> T {
        self.kinetic(&self.bodies) + self.potential(&self.bodies)
    }
}
