//! Bodies and joints put together at run time.
//!
//! A [`World`] takes [`Body`]s and constraints between them, of any types that `constraint!` has generated, and
//! steps them as I. Robson's *Distance Constraint* does: integrate the external forces, give the impulses that make the
//! velocities obey, integrate the poses; then, unless told otherwise, project the poses onto C = 0.
//!
//! ```text
//! v* = v + h W f          f: forces set, weight, gyroscopic torque
//! v⁺ = v* + W Jᵀ Λ        (J W Jᵀ) Λ = −Ċ(v*)      by the Solver
//! q⁺ = q moved by h v⁺    exactly on the rotation group
//! q⁺ → C(q⁺) = 0          mass-weighted, by the same Solver
//! ```
//!
//! As a [`System`](crate::System) (`system.rs`) a world moves by any integrator instead; the rows and the exact solver are
//! the same.
//!
//! Invariants: a step that fails leaves the last good state in place; a step allocates only when it is the first
//! after bodies or joints were added.

mod block_ldlt;
mod body;
mod exact;
mod joints;
mod ordering;
mod solver;
mod system;

use core::any::Any;
use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use nalgebra::{SVector, SimdBool};

use crate::body::{Rigid2, Rigid3};
use crate::body_constraint::BodyConstraint;
use crate::error::{Error, Quantity};
use crate::impulse::Softness;
use crate::real::{Real, first_bad, first_non_finite, is_finite, is_plain, lane_value};
use crate::stabilization::Stabilization;

pub use body::{Body, Body2, Body3, Massive};
pub use solver::Solver;

use body::check_finite;
use exact::{Exact, Residual};
use joints::{Asked, Family, Joints, Linearized, Moving, RowQuantity, Step, largest_row};

/// Newton iterations after which a projection counts as diverged.
const MAX_ITERATIONS: usize = 50;

/// The part of a step that a projection may take back.
const MOST_BACK: f64 = 0.5;

/// A residual of this part of a row's size is no sign of a step too long: joints of a taut chain that is loaded at rest
/// take back more than such a step began with.
const SMALL_PART: f64 = 1e-5;

/// What is off by more than this part of a row's size may change that size by much.
const FAR_PART: f64 = 1e-2;

/// Names a body of one world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyHandle {
    world: u32,
    index: u32,
}

/// Names a joint of one world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JointHandle {
    world: u32,
    index: u32,
}

/// Where a joint is kept.
#[derive(Clone, Copy, Debug)]
struct JointSlot {
    family: usize,
    index: usize,
}

/// Bodies of the plane and their joints.
pub type World2<T = f64> = World<T, Rigid2<T>, 3>;

/// Bodies of space and their joints.
pub type World3<T = f64> = World<T, Rigid3<T>, 6>;

/// Bodies and joints put together at run time: [`World2`] or [`World3`].
///
/// - Units: those of the bodies and constraints; velocities are (v, ω) and forces (force, torque), in the world's
///   frame.
/// - Order: a step is semi-implicit Euler, of first order in its size. In a [`Simulation`](crate::Simulation), which
///   begins at [`state`](Self::state), any method moves the world, by accelerations that the exact solver gives; solver
///   and stabilisation are the simulation's then, and steps allocate.
///
/// A pendulum on a hinge, and beside it a ball that falls:
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
/// assert!((world.pose(ball)?.translation.z + 9.81 / 8.0).abs() < 3e-3);
/// assert!(world.drift() < 1e-14);
/// // Λ of the last step: what carries the rod is about h times its force.
/// assert_eq!(world.impulse(pin)?.len(), 5);
/// # Ok::<(), Error>(())
/// ```
pub struct World<T: Real, B: Massive<T, D>, const D: usize> {
    id: u32,
    time: T,
    gravity: B::Vector,
    solver: Solver,
    stabilization: Stabilization<T>,
    inertias: Vec<Option<B::Inertia>>,
    forces: Vec<SVector<T, D>>,
    /// The last good state.
    states: Vec<(B, SVector<T, D>)>,
    /// The same outside of a step, the state reached within one.
    bodies: Vec<Moving<T, B, D>>,
    families: Vec<Box<dyn Family<T, B, D>>>,
    /// In the order in which they were connected.
    joints: Vec<JointSlot>,
    /// Rows of all joints.
    rows: usize,
    /// Made by the first step that needs it.
    exact: Mutex<Option<Exact<T, D>>>,
    /// Whether the bodies stand as the joints want them: not before the first step has put them there.
    assembled: bool,
}

impl<T: Real, B: Massive<T, D>, const D: usize> Default for World<T, B, D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// Nothing, at time 0, without gravity; the solver is [`Solver::Exact`].
    pub fn new() -> Self {
        // Handles carry the number, so that another world knows them for strangers.
        static WORLDS: AtomicU32 = AtomicU32::new(0);
        Self {
            id: WORLDS.fetch_add(1, Ordering::Relaxed),
            time: T::zero(),
            gravity: B::zero(),
            solver: Solver::default(),
            stabilization: Stabilization::default(),
            inertias: Vec::new(),
            forces: Vec::new(),
            states: Vec::new(),
            bodies: Vec::new(),
            families: Vec::new(),
            joints: Vec::new(),
            rows: 0,
            exact: Mutex::default(),
            assembled: false,
        }
    }

    /// The same under the gravity g, an acceleration.
    pub fn with_gravity(mut self, gravity: impl Into<B::Vector>) -> Self {
        self.gravity = gravity.into();
        self
    }

    /// The same with another solver.
    pub fn with_solver(mut self, solver: impl Into<Solver>) -> Self {
        self.solver = solver.into();
        self
    }

    /// The same with another stabilisation, projection being the default.
    ///
    /// `Baumgarte { alpha, beta }` stands here without the acceleration: 2 α Ċ + β² C = 0.
    pub fn with_stabilization(mut self, stabilization: Stabilization<T>) -> Self {
        self.stabilization = stabilization;
        self.assembled = false;
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
    /// [`Error::NonFinite`] for its pose or velocity, [`Error::InvalidRotation`] when its rotation has not the
    /// length one. Masses and inertias have been checked by [`Inertia2::new`](crate::Inertia2::new) and
    /// [`Inertia3::new`](crate::Inertia3::new).
    pub fn add(&mut self, body: Body<T, B, D>) -> Result<BodyHandle, Error> {
        body.validate()?;
        let Body {
            inertia,
            pose,
            velocity,
        } = body;
        self.renew();
        self.inertias.push(inertia);
        self.forces.push(SVector::zeros());
        self.states.push((pose, velocity));
        self.bodies.push(Moving {
            pose,
            velocity,
            inverse_mass: B::pinned(),
        });
        Ok(BodyHandle {
            world: self.id,
            index: (self.states.len() - 1) as u32,
        })
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
    /// [`Error::UnknownBody`], [`Error::SelfJoint`]. Bodies that do not stand as the constraint wants them are no
    /// error: the first step moves them there.
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
                return Err(Error::SelfJoint { body });
            }
            indices[k] = body;
        }
        self.renew();
        let slot = self.insert(constraint, indices);
        self.joints.push(slot);
        self.rows += M;
        Ok(JointHandle {
            world: self.id,
            index: (self.joints.len() - 1) as u32,
        })
    }

    /// Forgets what belongs to the bodies and joints there were.
    fn renew(&mut self) {
        self.exact = Mutex::default();
        self.assembled = false;
    }

    /// Puts a joint into the family of its type, which is made if there is none.
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

    /// Makes a joint soft, or rigid again.
    ///
    /// # Errors
    /// [`Error::UnknownJoint`]
    pub fn set_softness(
        &mut self,
        joint: JointHandle,
        softness: impl Into<Option<Softness<T>>>,
    ) -> Result<(), Error> {
        let JointSlot { family, index } = self.joint(joint)?;
        self.families[family].set_softness(index, softness.into());
        self.assembled = false;
        Ok(())
    }

    /// Sets the force and torque (about the centre of mass, world's frame) that act on a body until set anew.
    ///
    /// # Errors
    /// [`Error::UnknownBody`], and [`Error::NonFinite`] for the force.
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

    /// Adds a force at a point of the world, and its torque there, to what acts on a body.
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
    /// [`Error::UnknownBody`], and [`Error::NonFinite`] for the velocity.
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

    /// Where a body is.
    ///
    /// # Errors
    /// [`Error::UnknownBody`]
    pub fn pose(&self, body: BodyHandle) -> Result<&B, Error> {
        self.index(body).map(|index| &self.states[index].0)
    }

    /// The velocities (v, ω) of a body.
    ///
    /// # Errors
    /// [`Error::UnknownBody`]
    pub fn velocity(&self, body: BodyHandle) -> Result<&SVector<T, D>, Error> {
        self.index(body).map(|index| &self.states[index].1)
    }

    /// Λ of a joint over the last step: h λ, +Λ pushing along +∇C.
    ///
    /// # Errors
    /// [`Error::UnknownJoint`]
    pub fn impulse(&self, joint: JointHandle) -> Result<&[T], Error> {
        let JointSlot { family, index } = self.joint(joint)?;
        Ok(self.families[family].impulse(index))
    }

    /// Largest |C| of all rigid joints.
    pub fn drift(&self) -> T {
        largest_row(&self.families, RowQuantity::Value, self.time, &self.bodies)
    }

    /// Largest |Ċ| of all rigid joints; of order h after a step, which makes Ċ = 0 where it starts.
    pub fn rate_drift(&self) -> T {
        largest_row(&self.families, RowQuantity::Rate, self.time, &self.bodies)
    }

    /// Kinetic energy, and potential energy of gravity; nothing is counted for forces set or soft joints.
    pub fn energy(&self) -> T {
        self.kinetic(&self.bodies) + self.potential(&self.bodies)
    }

    /// Advances to exactly the time `end` in steps of `h`; the last one is shortened.
    ///
    /// # Errors
    /// [`Error::InvalidTime`] when `end` is not finite or lies in the past, otherwise as [`step`](Self::step).
    pub fn run_until(&mut self, end: T, h: T) -> Result<(), Error> {
        if let Some(target) = first_bad(end, is_finite(end) & end.simd_ge(self.time)) {
            let time = lane_value(self.time, 0);
            return Err(Error::InvalidTime { target, time });
        }
        // A remainder this short is rounding and joins the step before it.
        let sliver = h * T::simd_default_epsilon().simd_sqrt();
        while self.time.simd_lt(end).any() {
            let rest = end - self.time;
            let last = rest.simd_le(h + sliver);
            self.step(rest.select(last, h))?;
            self.time = end.select(last, self.time);
        }
        Ok(())
    }

    /// Advances by one step of size `h`.
    ///
    /// # Errors
    /// [`Error::InvalidStepSize`], [`Error::InvalidTolerance`], [`Error::InvalidFeedback`] and
    /// [`Error::NoIterations`] for the settings; [`Error::Singular`] when joints depend on one another or hold only fixed
    /// bodies, rows counted in the order of connection and named by the joint's type;
    /// [`Error::ProjectionDiverged`]; [`Error::NonFinite`]. The state is then that before the step.
    pub fn step(&mut self, h: T) -> Result<(), Error> {
        if let Some(step_size) = first_bad(h, h.simd_gt(T::zero()) & is_finite(h)) {
            return Err(Error::InvalidStepSize { step_size });
        }
        self.solver.validate()?;
        self.stabilization.validate()?;
        if let Err(error) = self.attempt(h) {
            self.restore();
            return Err(error.located(lane_value(self.time, 0), |row| self.joint_of(row)));
        }
        for (state, body) in self.states.iter_mut().zip(&self.bodies) {
            *state = (body.pose, body.velocity);
        }
        self.families.iter_mut().for_each(|family| family.commit());
        self.time += h;
        Ok(())
    }

    /// The step, with its results still in `bodies` and the impulses not committed.
    fn attempt(&mut self, h: T) -> Result<(), Error> {
        self.update_inverse_masses();
        self.integrate_forces(h);
        self.solve_velocities(h)?;
        for body in &mut self.bodies {
            body.pose = body.pose.moved(&body.velocity, h).renormalized();
        }
        self.update_inverse_masses();
        if let Stabilization::Projection { tolerance } = self.stabilization {
            self.project(h, tolerance)?;
        }
        self.check_finite()
    }

    /// Goes back to the last good state.
    #[cold]
    fn restore(&mut self) {
        for (body, &(pose, velocity)) in self.bodies.iter_mut().zip(&self.states) {
            (body.pose, body.velocity) = (pose, velocity);
        }
    }

    /// W where the bodies are.
    fn update_inverse_masses(&mut self) {
        for (body, inertia) in self.bodies.iter_mut().zip(&self.inertias) {
            if let Some(inertia) = inertia {
                body.inverse_mass = body.pose.inverse_mass(inertia);
            }
        }
    }

    /// v += W (h f + h m g + gyroscopic impulse)
    fn integrate_forces(&mut self, h: T) {
        let bodies = self.bodies.iter_mut().zip(&self.inertias);
        for ((body, inertia), force) in bodies.zip(&self.forces) {
            if let Some(inertia) = inertia {
                let impulse = (force + B::weight(inertia, &self.gravity)) * h
                    + body.pose.gyroscopic_impulse(inertia, &body.velocity, h);
                body.velocity += B::accelerated(&body.inverse_mass, &impulse);
            }
        }
    }

    fn solve_velocities(&mut self, h: T) -> Result<(), Error> {
        let step = Step {
            time: self.time,
            size: h,
            feedback: self.stabilization.feedback()?,
        };
        match self.solver {
            Solver::Exact => {
                let exact = unlocked(&mut self.exact).get_or_insert_with(|| {
                    Exact::new(&self.families, &self.joints, &self.inertias)
                });
                exact.linearize(Asked::Impulses(&step), &self.families, &self.bodies);
                exact.solve(&self.bodies)?;
                for joint in exact.joints() {
                    let JointSlot { family, index } = joint.slot;
                    self.families[family].set_impulse(index, joint.multipliers);
                }
                exact.push(|body, push| {
                    let body = &mut self.bodies[body];
                    body.velocity += B::accelerated(&body.inverse_mass, &push);
                });
                Ok(())
            }
            Solver::SequentialImpulses(solver) => {
                for family in &mut self.families {
                    family.linearize(&step, &self.bodies, solver.starts_warm());
                }
                let mut swept = Linearized {
                    families: &mut self.families,
                    bodies: &mut self.bodies,
                };
                Ok(solver.solve_velocities(&mut swept)?)
            }
        }
    }

    /// Moves the poses after a step of size `h` onto C = 0.
    fn project(&mut self, h: T, tolerance: T) -> Result<(), Error> {
        let time = self.time + h;
        match self.solver {
            Solver::Exact => self.project_exactly(h, tolerance),
            Solver::SequentialImpulses(solver) => {
                // Rounding is out of reach of a few sweeps.
                let asked = tolerance.simd_gt(T::zero()).any();
                let mut swept = Linearized {
                    families: &mut self.families,
                    bodies: &mut self.bodies,
                };
                let good = |it: &Linearized<'_, T, B, D>| {
                    let drift = || largest_row(it.families, RowQuantity::Value, time, it.bodies);
                    asked && drift().simd_le(tolerance).all()
                };
                let sweep =
                    |it: &mut Linearized<'_, T, B, D>, backwards| it.project(time, backwards);
                Ok(solver.solve_positions(&mut swept, good, sweep)?)
            }
        }?;
        for body in &mut self.bodies {
            body.pose = body.pose.renormalized();
        }
        Ok(())
    }

    /// Newton's method to `tolerance` or, where that is larger, to rounding.
    fn project_exactly(&mut self, h: T, tolerance: T) -> Result<(), Error> {
        let size = measured(&self.bodies, &self.inertias, |body, _| body.pose.extent());
        let small = size * T::simd_default_epsilon().simd_sqrt();
        let time = self.time + h;
        let first = self.linearize_poses(time, tolerance, true);
        let (mut worst, mut previous) = (first, f64::INFINITY);
        let (mut last, mut back) = (T::lit(f64::INFINITY), T::zero());
        let mut iterations = 0;
        loop {
            // Progress ends where rounding exceeds its estimate.
            let stalled = worst.ratio >= 0.5 * previous && last.simd_le(small).all();
            if worst.ratio <= 1.0 || stalled {
                break;
            }
            if iterations == MAX_ITERATIONS || !worst.value.is_finite() {
                return Err(diverged(worst, iterations));
            }
            if iterations > 0 {
                worst = self.linearize_poses(time, tolerance, worst.part > FAR_PART);
            }
            previous = worst.ratio;
            last = self.improve_poses()?;
            back += last;
            iterations += 1;
            let exact = prepared(&mut self.exact);
            exact.ask_again(time, &self.families, &self.bodies);
            worst = exact.worst(tolerance);
        }
        let ahead = measured(&self.bodies, &self.inertias, |body, _| body.velocity) * h;
        let near = back.simd_le(ahead * T::lit(MOST_BACK) + small).all();
        if self.assembled && !near && first.part > SMALL_PART {
            return Err(diverged(first, iterations));
        }
        self.refine(time, tolerance)?;
        self.assembled = true;
        Ok(())
    }

    /// The derivatives that dual numbers carry beside the values, which are on C = 0.
    fn refine(&mut self, time: T, tolerance: T) -> Result<(), Error> {
        if is_plain::<T>() {
            return Ok(());
        }
        (0..2).try_for_each(|_| {
            self.linearize_poses(time, tolerance, false);
            self.improve_poses().map(|_| ())
        })
    }

    /// Evaluates C where the bodies are and, where it is far from 0, what it is made of.
    fn linearize_poses(&mut self, time: T, tolerance: T, is_far: bool) -> Residual {
        let exact = prepared(&mut self.exact);
        exact.linearize(Asked::Poses(time), &self.families, &self.bodies);
        if is_far {
            exact.measure(&self.bodies);
        }
        exact.worst(tolerance)
    }

    /// Removes C to first order; how far that has moved the bodies.
    fn improve_poses(&mut self) -> Result<T, Error> {
        let exact = prepared(&mut self.exact);
        exact.solve(&self.bodies)?;
        exact.displace(&mut self.bodies);
        let displacements = exact.displacements();
        Ok(measured(&self.bodies, &self.inertias, |_, index| {
            displacements[index]
        }))
    }

    fn check_finite(&self) -> Result<(), Error> {
        for body in &self.bodies {
            check_finite(Quantity::Coordinate, body.pose.first_non_finite())?;
            check_finite(Quantity::Velocity, first_non_finite(&body.velocity))?;
        }
        Ok(())
    }

    fn index(&self, handle: BodyHandle) -> Result<usize, Error> {
        let index = handle.index as usize;
        if handle.world == self.id {
            Ok(index)
        } else {
            Err(Error::UnknownBody { index })
        }
    }

    fn joint(&self, handle: JointHandle) -> Result<JointSlot, Error> {
        let index = handle.index as usize;
        if handle.world == self.id {
            Ok(self.joints[index])
        } else {
            Err(Error::UnknownJoint { index })
        }
    }

    /// The type of the joint that a row belongs to.
    fn joint_of(&self, row: usize) -> Option<&'static str> {
        let mut end = 0;
        let joint = self.joints.iter().find(|it| {
            end += self.families[it.family].rows();
            row < end
        })?;
        Some(self.families[joint.family].name())
    }
}

/// √Σ vᵀ M v over the bodies that can move: kinetic energy measures lengths and turns alike.
fn measured<T: Real, B: Massive<T, D>, const D: usize>(
    bodies: &[Moving<T, B, D>],
    inertias: &[Option<B::Inertia>],
    v: impl Fn(&Moving<T, B, D>, usize) -> SVector<T, D>,
) -> T {
    let bodies = bodies.iter().zip(inertias).enumerate();
    let energy = bodies.fold(T::zero(), |sum, (index, (body, inertia))| match inertia {
        Some(inertia) => sum + body.pose.kinetic_energy(inertia, &v(body, index)),
        None => sum,
    });
    (energy + energy).simd_sqrt()
}

fn unlocked<X>(it: &mut Mutex<X>) -> &mut X {
    it.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// The exact solver, which the velocities of a step have made.
fn prepared<X>(exact: &mut Mutex<Option<X>>) -> &mut X {
    unlocked(exact)
        .as_mut()
        .expect("prepared for the velocities")
}

#[cold]
fn diverged(worst: Residual, iterations: usize) -> Error {
    Error::ProjectionDiverged {
        row: worst.row.into(),
        residual: worst.value,
        iterations,
        time: None,
    }
}
