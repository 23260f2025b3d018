//! Steps of a world: the choice of the method, and semi-implicit Euler: forces, impulses, poses, projection.

use alloc::vec::Vec;

use nalgebra::{SVector, SimdBool};

use super::World;
use super::body::Massive;
use super::cache::Cache;
use super::division::Outcome;
use super::exact::{Exact, Residual};
use super::family::{Asked, Linearized, Moving, RowQuantity, Step, largest_row};
use super::rebound::Rebound;
use super::settling::{Change, Settling};
use super::solver::Solver;
use crate::allowance::SPAN_EPSILONS;
use crate::checks::{check_finite, check_step_size};
use crate::error::{Error, Quantity};
use crate::impulse::SequentialImpulses;
use crate::real::{Real, first_bad, first_non_finite, is_finite, is_plain, lane_value};
use crate::stabilization::Stabilization;

/// Newton iterations after which a projection counts as diverged.
const MAX_ITERATIONS: usize = 50;

/// Newton iterations that reduce C to the rounding of its terms wherever these have a size.
const PATIENCE: usize = 4;

/// The part of a step that a projection may undo.
const MOST_BACK: f64 = 0.5;

/// A residual of this part of a row's size does not indicate a step too long: joints of a taut chain loaded at rest
/// undo more than such a step began with.
const SMALL_PART: f64 = 1e-5;

/// A residual of more than this part of a row's size may change that size considerably.
const FAR_PART: f64 = 1e-2;

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
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
    /// [`Error::NoIterations`] for the settings; [`Error::JointApart`] in the first step after joints were added or the state was
    /// set, see [`assemble`](Self::assemble); [`Error::Singular`] when a row has no gradient or a joint holds only fixed
    /// bodies; [`Error::ProjectionDiverged`] or [`Error::UnevenMasses`] when 1,024 parts of the step still lead too far, see
    /// [`parts_of_step`](Self::parts_of_step); [`Error::NonFinite`]. Rows are counted in the order of connection and named by
    /// their joint. The state is then that before the step.
    pub fn step(&mut self, h: T) -> Result<(), Error> {
        check_step_size(h)?;
        self.solver.validate()?;
        self.stabilization.validate()?;
        self.divide(h).map_err(|error| {
            let time = lane_value(self.time, 0);
            let error = error.located(time, |row| self.describe(row));
            self.with_masses(error)
        })
    }

    /// A step, or a part of one. If it leads too far and is not `last_resort`, nothing has changed.
    pub(super) fn advance_once(&mut self, h: T, last_resort: bool) -> Result<Outcome, Error> {
        self.find_contacts(h)?;
        let attempted = match self.rattles() {
            Some(tolerance) if self.contacts.is_empty() && !self.need_first_order() => {
                match self.attempt_rattle(h, tolerance) {
                    // Along rows that depend on one another, shorter steps reach C = 0 no better.
                    Ok(false) if last_resort || self.depends() => self.attempt(h),
                    Ok(false) => return Ok(Outcome::TooFar),
                    attempted => attempted.map(drop),
                }
            }
            _ => self.attempt(h),
        };
        if let Err(error) = attempted {
            self.restore();
            return match error {
                Error::ProjectionDiverged { .. } if !last_resort => Ok(Outcome::TooFar),
                error => Err(error),
            };
        }
        for (state, body) in self.states.iter_mut().zip(&self.bodies) {
            *state = (body.pose, body.velocity);
        }
        self.commit_drives();
        self.families.iter_mut().for_each(|family| family.commit());
        self.commit_contacts();
        self.time += h;
        self.checked |= matches!(self.stabilization, Stabilization::Projection { .. });
        Ok(Outcome::Done)
    }

    /// True if rows follow from others, as far as is known.
    fn depends(&mut self) -> bool {
        self.exact.get_mut().as_ref().is_some_and(Exact::depends)
    }

    /// The step, with its results still in `bodies` and the impulses not committed.
    fn attempt(&mut self, h: T) -> Result<(), Error> {
        self.update_inverse_masses();
        if !self.checked
            && let Stabilization::Projection { tolerance } = self.stabilization
        {
            self.check_gaps(tolerance)?;
        }
        self.begin_drives();
        if self.solver == Solver::Exact {
            self.find_islands();
        }
        if self.meets_bounds() || self.finder.is_some() {
            self.advance_with_impacts(h)?;
        } else {
            self.kick_freely(h);
            self.solve_velocities(h)?;
            for body in &mut self.bodies {
                body.pose = body.pose.moved(&body.velocity, h).renormalized();
            }
        }
        let is_pushed = self.push_back(self.time + h) | !self.contacts.is_empty();
        self.update_inverse_masses();
        if let Stabilization::Projection { tolerance } = self.stabilization {
            self.project(h, tolerance, is_pushed)?;
        }
        self.check_finite()
    }

    /// The velocities and poses at the end of a step with contacts, limits or motors, before the projection.
    fn advance_with_impacts(&mut self, h: T) -> Result<(), Error> {
        let mut memory = core::mem::replace(&mut self.rebound, Rebound::new());
        self.save_velocities(&mut memory.flight.start);
        self.kick_freely(h);
        let solved = self.solve_with_impacts(h, &mut memory);
        self.rebound = memory;
        solved?;
        self.fly(h);
        self.push_out(h);
        Ok(())
    }

    /// The kick by forces and gyroscopic torques.
    fn kick_freely(&mut self, h: T) {
        // Rotating the angular momentum back keeps its length: see `Massive::gyroscopic_impulse`.
        self.kick(h, |body, inertia| {
            body.pose.gyroscopic_impulse(inertia, &body.velocity, h)
        });
    }

    /// Goes back to the last good state.
    #[cold]
    pub(super) fn restore(&mut self) {
        for (body, &(pose, velocity)) in self.bodies.iter_mut().zip(&self.states) {
            (body.pose, body.velocity) = (pose, velocity);
        }
    }

    /// Updates W at the poses of the bodies.
    pub(super) fn update_inverse_masses(&mut self) {
        for (body, inertia) in self.bodies.iter_mut().zip(&self.inertias) {
            if let Some(inertia) = inertia {
                body.inverse_mass = body.pose.inverse_mass(inertia);
            }
        }
    }

    /// v += W (h f + h m g + another impulse)
    pub(super) fn kick(
        &mut self,
        h: T,
        other: impl Fn(&Moving<T, B, D>, &B::Inertia) -> SVector<T, D>,
    ) {
        let bodies = self.bodies.iter_mut().zip(&self.inertias);
        for ((body, inertia), force) in bodies.zip(&self.forces) {
            if let Some(inertia) = inertia {
                let impulse =
                    (force + B::weight(inertia, &self.gravity)) * h + other(body, inertia);
                body.accelerate(&impulse);
            }
        }
    }

    /// Creates the exact solver if joints were added since the last step.
    pub(super) fn prepare_exact(&mut self) {
        if self.exact.get_mut().is_none() {
            *self.exact.get_mut() = Some(self.new_exact());
        }
    }

    pub(super) fn new_exact(&self) -> Exact<T, D> {
        let drives: Vec<&[usize]> = self.drives.iter().map(|drive| &drive.bodies[..]).collect();
        Exact::new(&self.families, &self.joints, &drives, &self.inertias)
    }

    pub(super) fn solve_velocities(&mut self, h: T) -> Result<(), Error> {
        let step = Step {
            time: self.time,
            size: h,
            feedback: self.stabilization.feedback()?,
            is_impact: false,
        };
        match self.solver {
            Solver::Exact => {
                prepared(&mut self.exact).clear_impulses();
                self.settle(Asked::Impulses(&step))?;
                self.take_impulses();
                Ok(())
            }
            Solver::SequentialImpulses(solver) => {
                self.sweep_velocities(solver, &step, solver.starts_warm())
            }
        }
    }

    /// Impulses of joints, drives and contacts by sweeps.
    pub(super) fn sweep_velocities(
        &mut self,
        solver: SequentialImpulses,
        step: &Step<T>,
        warm: bool,
    ) -> Result<(), Error> {
        for family in &mut self.families {
            family.linearize(step, &self.bodies, warm);
        }
        let mut swept = Linearized {
            families: &mut self.families,
            bodies: &mut self.bodies,
            drives: &mut self.drives,
            contacts: &mut self.contacts,
            change: Change::none(),
            warm,
        };
        solver.solve_velocities(&mut swept)?;
        let is_settled = swept.change.is_settled();
        self.settling = Settling {
            rate: swept.change.rate,
            unsettled: if is_settled { 0 } else { self.contacts.len() },
        };
        Ok(())
    }

    /// Moves the poses after a step of size `h` onto C = 0.
    fn project(&mut self, h: T, tolerance: T, is_pushed: bool) -> Result<(), Error> {
        let time = self.time + h;
        match self.solver {
            Solver::Exact => {
                // Contacts and limits may push bodies further than their velocities move them.
                let step = (!is_pushed).then_some(h);
                self.project_exactly(time, step, tolerance)
            }
            Solver::SequentialImpulses(solver) => {
                // A few sweeps cannot reach rounding.
                let asked = tolerance.simd_gt(T::zero()).any();
                let mut swept = Linearized {
                    families: &mut self.families,
                    bodies: &mut self.bodies,
                    drives: &mut [],
                    contacts: &mut [],
                    change: Change::none(),
                    warm: false,
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
        self.renormalize();
        Ok(())
    }

    pub(super) fn renormalize(&mut self) {
        for body in &mut self.bodies {
            body.pose = body.pose.renormalized();
        }
    }

    /// Newton's method to `tolerance` or, if that is larger, to rounding. After a step of size `step` it returns an
    /// error rather than undo most of the step.
    pub(super) fn project_exactly(
        &mut self,
        time: T,
        step: Option<T>,
        tolerance: T,
    ) -> Result<(), Error> {
        let size = measured(&self.bodies, &self.inertias, |body, _| body.pose.extent());
        let small = size * T::simd_default_epsilon().simd_sqrt();
        // Where the terms of rows vanish, the rounding of the whole decides: see `allowance`.
        let rounding = size * T::lit(SPAN_EPSILONS) * T::simd_default_epsilon();
        let first = self.linearize_poses(time, tolerance, true);
        let (mut worst, mut previous) = (first, f64::INFINITY);
        let (mut last, mut back) = (T::lit(f64::INFINITY), T::zero());
        let mut iterations = 0;
        loop {
            // Progress ends where rounding exceeds its estimate; rows that contradict each other may end it far from there.
            let is_near = worst.part <= SMALL_PART * SMALL_PART;
            let stalled = worst.ratio >= 0.5 * previous && last.simd_le(small).all() && is_near;
            let is_rounding = iterations >= PATIENCE && last.simd_le(rounding).all();
            let is_solved = is_rounding && (is_near || !self.depends());
            if worst.ratio <= 1.0 || stalled || is_solved {
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
            exact.ask_again(RowQuantity::Value, time, &self.families, &self.bodies);
            worst = exact.worst(tolerance);
        }
        if let Some(h) = step.filter(|_| self.assembled) {
            let ahead = measured(&self.bodies, &self.inertias, |body, _| body.velocity) * h;
            let near = back.simd_le(ahead * T::lit(MOST_BACK) + small).all();
            if !near && first.part > SMALL_PART {
                return Err(diverged(first, iterations));
            }
        }
        self.refine(time, tolerance)?;
        self.assembled = true;
        Ok(())
    }

    /// Corrects the derivatives in dual numbers; the values are on C = 0.
    fn refine(&mut self, time: T, tolerance: T) -> Result<(), Error> {
        if is_plain::<T>() {
            return Ok(());
        }
        (0..2).try_for_each(|_| {
            self.linearize_poses(time, tolerance, false);
            self.improve_poses().map(|_| ())
        })
    }

    /// Evaluates C at the poses of the bodies and, if it is far from 0, the sizes of its terms.
    pub(super) fn linearize_poses(&mut self, time: T, tolerance: T, is_far: bool) -> Residual {
        let exact = prepared(&mut self.exact);
        exact.linearize(Asked::Poses(time), &self.families, &self.bodies);
        if is_far {
            exact.measure(&self.bodies);
        }
        exact.worst(tolerance)
    }

    /// Removes C to first order; returns how far that has moved the bodies.
    fn improve_poses(&mut self) -> Result<T, Error> {
        let exact = prepared(&mut self.exact);
        exact.solve(&self.bodies)?;
        exact.displace(&mut self.bodies);
        let displacements = exact.displacements();
        Ok(measured(&self.bodies, &self.inertias, |_, index| {
            displacements[index]
        }))
    }

    pub(super) fn check_finite(&self) -> Result<(), Error> {
        for body in &self.bodies {
            check_finite(Quantity::Coordinate, body.pose.first_non_finite())?;
            check_finite(Quantity::Velocity, first_non_finite(&body.velocity))?;
        }
        Ok(())
    }
}

/// √Σ vᵀ M v over the bodies that can move: kinetic energy weights lengths and angles alike.
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

/// The exact solver, after `prepare_exact`.
pub(super) fn prepared<X>(exact: &mut Cache<X>) -> &mut X {
    exact
        .get_mut()
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
