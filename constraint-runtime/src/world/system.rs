//! A world as a [`System`]: all integrators move it, events and stabilisation apply to it.
//!
//! q holds the coordinates of all bodies and v their velocities, in the order in which they were added; a fixed body
//! keeps its velocity. Rows are those of all joints in the order of connection; the rows of a soft joint are C = 0
//! and J = 0, and its pull is a force.

use alloc::{vec, vec::Vec};
use core::ops::Range;

use nalgebra::{DMatrix, DVector, SVector};

use super::body::Massive;
use super::exact::Exact;
use super::family::{Asked, Moving, RowQuantity};
use super::{BodyHandle, JointSlot, World};
use crate::checks::check_finite;
use crate::error::{Error, Quantity, Row};
use crate::impulse::ImpulseRows;
use crate::real::{Real, first_non_finite};
use crate::state::{State, check_lengths};
use crate::system::{Constrained, Dynamics, System};

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// Time, poses and velocities: the start of a [`Simulation`](crate::Simulation) of the world.
    ///
    /// ```
    /// use constraint_runtime::joint::Hinge;
    /// use constraint_runtime::prelude::*;
    ///
    /// let mut world = World3::<f64>::new().with_gravity([0.0, 0.0, -9.81]);
    /// let (wall, pose) = (Rigid3::identity(), Rigid3::translation(0.5, 0.0, 0.0));
    /// let ground = world.add(Body3::fixed(wall))?;
    /// let rod = world.add(Body3::new(Inertia3::principal(2.0, [0.01, 0.2, 0.2])?, pose))?;
    /// let pin = Hinge::between(&wall, &pose, &Point3::origin(), &Vector3::y_axis());
    /// world.connect(pin, [ground, rod])?;
    ///
    /// let start = world.state();
    /// let x = world.coordinates_of(rod)?.start;
    /// let mut run = Simulation::new(world, start, DormandPrince::new(1e-10, 1e-10))?
    ///     .on(Crossing::Falling, move |state| state.q[x], |_| Then::Stop);
    /// run.run_until(10.0)?;
    /// // It hangs straight down, and swings on.
    /// let pose = run.system().pose_in(&run.state().q, rod)?;
    /// assert!((pose.translation.vector + Vector3::z() * 0.5).norm() < 1e-8);
    /// assert!(run.energy().abs() < 1e-8 && run.drift() < 1e-14);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn state(&self) -> State<DVector<T>> {
        let mut q = Vec::with_capacity(self.states.len() * B::COORDINATES);
        for (pose, _) in &self.states {
            q.extend_from_slice(pose.coordinates().as_ref());
        }
        let velocities = self.states.iter().map(|(_, velocity)| *velocity);
        State::new(self.time, q, flat(velocities))
    }

    /// Moves the bodies to a state, such as one that a [`Simulation`](crate::Simulation) has reached.
    ///
    /// The next step checks that no joint is far apart, see [`assemble`](Self::assemble).
    ///
    /// # Errors
    /// [`Error::WrongLength`], [`Error::NonFinite`]; nothing has changed then.
    pub fn set_state(&mut self, state: &State<DVector<T>>) -> Result<(), Error> {
        check_lengths(self, state)?;
        check_finite(Quantity::Coordinate, first_non_finite(&state.q))?;
        check_finite(Quantity::Velocity, first_non_finite(&state.v))?;
        let bodies = self.moving(&state.q, &state.v);
        for (last, body) in self.states.iter_mut().zip(&bodies) {
            *last = (body.pose, body.velocity);
        }
        self.bodies = bodies;
        self.time = state.t;
        self.frames.clear();
        self.displaced();
        Ok(())
    }

    /// The range of a body's coordinates in q.
    ///
    /// # Errors
    /// [`Error::UnknownBody`], [`Error::RemovedBody`]
    pub fn coordinates_of(&self, body: BodyHandle) -> Result<Range<usize>, Error> {
        let first = self.index(body)? * B::COORDINATES;
        Ok(first..first + B::COORDINATES)
    }

    /// The range of a body's velocities (v, ω) in v.
    ///
    /// # Errors
    /// [`Error::UnknownBody`], [`Error::RemovedBody`]
    pub fn velocities_of(&self, body: BodyHandle) -> Result<Range<usize>, Error> {
        let first = self.index(body)? * D;
        Ok(first..first + D)
    }

    /// The pose of a body if the world's coordinates are `q`.
    ///
    /// # Errors
    /// [`Error::UnknownBody`], [`Error::RemovedBody`]
    pub fn pose_in(&self, q: &DVector<T>, body: BodyHandle) -> Result<B, Error> {
        let coordinates = self.coordinates_of(body)?;
        Ok(B::read(&q.as_slice()[coordinates]))
    }

    /// The bodies at a state, with W; rotations are normalised to length one, which stages do not keep.
    fn moving(&self, q: &DVector<T>, v: &DVector<T>) -> Vec<Moving<T, B, D>> {
        let poses = q.as_slice().chunks_exact(B::COORDINATES);
        let velocities = v.as_slice().chunks_exact(D);
        let states = poses.zip(velocities).zip(&self.inertias);
        let bodies = states.map(|((pose, velocity), inertia)| {
            let pose = B::read(pose).renormalized();
            let inverse_mass = inertia.as_ref().map(|it| pose.inverse_mass(it));
            Moving {
                pose,
                velocity: SVector::from_column_slice(velocity),
                inverse_mass: inverse_mass.unwrap_or_else(B::pinned),
            }
        });
        bodies.collect()
    }

    pub(super) fn resting(&self, q: &DVector<T>) -> Vec<Moving<T, B, D>> {
        self.moving(q, &DVector::zeros(self.states.len() * D))
    }

    /// Refuses what acts in the world's own steps alone.
    fn check_own_steps(&self) -> Result<(), Error> {
        if self.drives.is_empty() && self.finder.is_none() {
            Ok(())
        } else {
            Err(Error::OwnStepsOnly)
        }
    }

    /// W f of each body: external forces, weight, soft joints and gyroscopic torques.
    fn free(&self, t: T, bodies: &[Moving<T, B, D>]) -> Vec<SVector<T, D>> {
        let mut forces = self.forces.clone();
        for family in &self.families {
            family.add_soft_forces(t, bodies, &mut forces);
        }
        for ((force, body), inertia) in forces.iter_mut().zip(bodies).zip(&self.inertias) {
            if let Some(inertia) = inertia {
                *force += B::weight(inertia, &self.gravity);
                *force += body.pose.gyroscopic_torque(inertia, &body.velocity);
            }
            *force = B::accelerated(&body.inverse_mass, force);
        }
        forces
    }

    /// Calls a function with the rows of all joints at a state.
    pub(super) fn linearized<R>(
        &self,
        asked: Asked<'_, T, D>,
        bodies: &[Moving<T, B, D>],
        show: impl FnOnce(&mut Exact<T, D>) -> R,
    ) -> R {
        self.exact.with(
            || self.new_exact(),
            |exact| {
                exact.linearize(asked, &self.families, bodies);
                show(exact)
            },
        )
    }

    /// λ that enforces the joints, from the solver.
    fn held<R>(
        &self,
        t: T,
        bodies: &[Moving<T, B, D>],
        free: &[SVector<T, D>],
        show: impl FnOnce(&Exact<T, D>) -> R,
    ) -> Result<R, Error> {
        self.check_own_steps()?;
        self.linearized(Asked::Forces(t, free), bodies, |exact| {
            exact.solve(bodies)?;
            Ok(show(exact))
        })
    }

    /// v̇, and the result of a function of the solver.
    fn accelerated<R>(
        &self,
        t: T,
        bodies: &[Moving<T, B, D>],
        show: impl FnOnce(&Exact<T, D>) -> R,
    ) -> Result<(DVector<T>, R), Error> {
        let free = self.free(t, bodies);
        let mut acceleration = free.clone();
        let shown = self.held(t, bodies, &free, |exact| {
            exact.push(|body, push| {
                acceleration[body] += B::accelerated(&bodies[body].inverse_mass, &push);
            });
            show(exact)
        })?;
        Ok((flat(acceleration).into(), shown))
    }

    fn row_values(&self, quantity: RowQuantity, t: T, bodies: &[Moving<T, B, D>]) -> DVector<T> {
        let mut rows = DVector::zeros(self.rows);
        for family in &self.families {
            family.evaluate(quantity, t, bodies, &mut |first, values| {
                rows.as_mut_slice()[first..first + values.len()].copy_from_slice(values);
            });
        }
        rows
    }

    /// ½ vᵀ M v of all bodies.
    pub(super) fn kinetic(&self, bodies: &[Moving<T, B, D>]) -> T {
        self.sum(bodies, |body, inertia| {
            body.pose.kinetic_energy(inertia, &body.velocity)
        })
    }

    /// −m g·x of all bodies.
    pub(super) fn potential(&self, bodies: &[Moving<T, B, D>]) -> T {
        self.sum(bodies, |body, inertia| {
            body.pose.potential_energy(inertia, &self.gravity)
        })
    }

    fn sum(
        &self,
        bodies: &[Moving<T, B, D>],
        of: impl Fn(&Moving<T, B, D>, &B::Inertia) -> T,
    ) -> T {
        let bodies = bodies.iter().zip(&self.inertias);
        bodies.fold(T::zero(), |sum, (body, inertia)| match inertia {
            Some(inertia) => sum + of(body, inertia),
            None => sum,
        })
    }
}

/// Vectors of the bodies, one after the other.
fn flat<T: Real, const D: usize>(bodies: impl IntoIterator<Item = SVector<T, D>>) -> Vec<T> {
    let entries = bodies.into_iter().flat_map(<[T; D]>::from);
    entries.collect()
}

#[diagnostic::do_not_recommend]
impl<T: Real, B: Massive<T, D>, const D: usize> Dynamics<T> for World<T, B, D> {
    type Q = DVector<T>;
    type V = DVector<T>;
    type Coordinates = DVector<T>;
    type Velocities = DVector<T>;

    fn acceleration(&self, t: T, q: &DVector<T>, v: &DVector<T>) -> Result<DVector<T>, Error> {
        let (acceleration, ()) = self.accelerated(t, &self.moving(q, v), |_| ())?;
        Ok(acceleration)
    }

    fn lengths(&self) -> [Option<usize>; 2] {
        let bodies = self.states.len();
        [Some(bodies * B::COORDINATES), Some(bodies * D)]
    }

    fn kinetic_energy(&self, _t: T, q: &DVector<T>, v: &DVector<T>) -> T {
        self.kinetic(&self.moving(q, v))
    }

    fn potential_energy(&self, _t: T, q: &DVector<T>) -> T {
        self.potential(&self.resting(q))
    }

    fn kinematics(&self, _t: T, q: &DVector<T>, v: &DVector<T>) -> DVector<T> {
        let poses = q.as_slice().chunks_exact(B::COORDINATES);
        let bodies = poses.zip(v.as_slice().chunks_exact(D));
        let mut rates = Vec::with_capacity(q.len());
        for (pose, velocity) in bodies {
            let rate = B::read(pose).kinematics(&SVector::from_column_slice(velocity));
            rates.extend_from_slice(rate.as_ref());
        }
        rates.into()
    }

    fn mass_matrix(&self, t: T, q: &DVector<T>) -> DMatrix<T> {
        let n = self.states.len() * D;
        let mut mass = DMatrix::identity(n, n);
        for mut column in mass.column_iter_mut() {
            let momenta = self.mass_times(t, q, &column.clone_owned());
            column.copy_from(&momenta);
        }
        mass
    }

    fn normalize(&self, q: &mut DVector<T>) {
        for pose in q.as_mut_slice().chunks_exact_mut(B::COORDINATES) {
            let normal = B::read(pose).renormalized().coordinates();
            pose.copy_from_slice(normal.as_ref());
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Real, B: Massive<T, D>, const D: usize> System<T> for World<T, B, D> {}

#[diagnostic::do_not_recommend]
impl<T: Real, B: Massive<T, D>, const D: usize> Constrained<T> for World<T, B, D> {
    type Rows = DVector<T>;
    type Jacobian = DMatrix<T>;
    type Multipliers = Self::Rows;

    fn multipliers(&self, t: T, q: &DVector<T>, v: &DVector<T>) -> Result<DVector<T>, Error> {
        let bodies = self.moving(q, v);
        let free = self.free(t, &bodies);
        self.held(t, &bodies, &free, |exact| {
            DVector::from_column_slice(exact.multipliers())
        })
    }

    fn acceleration_and_multipliers(
        &self,
        t: T,
        q: &DVector<T>,
        v: &DVector<T>,
    ) -> Result<(DVector<T>, DVector<T>), Error> {
        self.accelerated(t, &self.moving(q, v), |exact| {
            DVector::from_column_slice(exact.multipliers())
        })
    }

    fn constraint_force(&self, t: T, q: &DVector<T>, v: &DVector<T>) -> Result<DVector<T>, Error> {
        let bodies = self.moving(q, v);
        let free = self.free(t, &bodies);
        let mut forces = vec![SVector::zeros(); bodies.len()];
        self.held(t, &bodies, &free, |exact| {
            exact.push(|body, push| forces[body] += push);
        })?;
        Ok(flat(forces).into())
    }

    fn constraint(&self, t: T, q: &DVector<T>) -> DVector<T> {
        self.row_values(RowQuantity::Value, t, &self.resting(q))
    }

    fn constraint_rate(&self, t: T, q: &DVector<T>, v: &DVector<T>) -> DVector<T> {
        self.row_values(RowQuantity::Rate, t, &self.moving(q, v))
    }

    fn bias(&self, t: T, q: &DVector<T>, v: &DVector<T>) -> DVector<T> {
        self.row_values(RowQuantity::Bias, t, &self.moving(q, v))
    }

    fn jacobian(&self, t: T, q: &DVector<T>) -> DMatrix<T> {
        let mut jacobian = DMatrix::zeros(self.rows, self.states.len() * D);
        self.linearized(Asked::Given(t), &self.resting(q), |exact| {
            for joint in exact.joints() {
                for (block, &body) in joint.blocks().zip(joint.bodies) {
                    for (i, row) in block.iter().enumerate() {
                        let mut entries =
                            jacobian.fixed_view_mut::<1, D>(joint.first + i, body * D);
                        entries.copy_from(&row.transpose());
                    }
                }
            }
        });
        jacobian
    }

    fn correction(&self, t: T, q: &DVector<T>, b: &DVector<T>) -> Result<DVector<T>, Error> {
        let bodies = self.resting(q);
        let mut change = vec![SVector::zeros(); bodies.len()];
        self.linearized(Asked::Given(t), &bodies, |exact| {
            exact.multipliers_mut().copy_from_slice(b.as_slice());
            exact.solve(&bodies)?;
            exact.push(|body, push| {
                change[body] += B::accelerated(&bodies[body].inverse_mass, &push);
            });
            Ok::<(), Error>(())
        })?;
        Ok(flat(change).into())
    }

    fn free_acceleration(&self, t: T, q: &DVector<T>, v: &DVector<T>) -> Result<DVector<T>, Error> {
        self.check_own_steps()?;
        Ok(flat(self.free(t, &self.moving(q, v))).into())
    }

    fn impulse_rows(&self, t: T, q: &DVector<T>, rows: &mut ImpulseRows<T>) -> Result<(), Error> {
        let bodies = self.resting(q);
        let (mut columns, mut jacobian, mut weighted) = (Vec::new(), Vec::new(), Vec::new());
        self.linearized(Asked::Given(t), &bodies, |exact| {
            for joint in exact.joints() {
                let JointSlot { family, index } = joint.slot;
                let count = joint.multipliers.len();
                if !self.families[family].is_rigid(index) {
                    rows.push_inert(count);
                    continue;
                }
                columns.clear();
                jacobian.clear();
                weighted.clear();
                columns.extend(
                    joint
                        .bodies
                        .iter()
                        .flat_map(|body| body * D..(body + 1) * D),
                );
                for i in 0..count {
                    for (block, &body) in joint.blocks().zip(joint.bodies) {
                        let w = &bodies[body].inverse_mass;
                        jacobian.extend_from_slice(block[i].as_slice());
                        weighted.extend_from_slice(B::accelerated(w, &block[i]).as_slice());
                    }
                }
                rows.push(&columns, &jacobian, &weighted);
            }
        });
        Ok(())
    }

    fn row_sizes(&self, t: T, q: &DVector<T>) -> DVector<T> {
        let bodies = self.resting(q);
        self.linearized(Asked::Given(t), &bodies, |exact| {
            exact.measure(&bodies);
            DVector::from_column_slice(exact.sizes())
        })
    }

    fn row_name(&self, row: usize) -> Option<&'static str> {
        self.describe(row).name
    }

    fn describe_row(&self, row: usize) -> Row {
        self.describe(row)
    }
}
