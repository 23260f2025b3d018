//! Rebounds that never raise the energy: Newton's law of impact, with less restitution where it would gain energy.
//!
//! ```text
//! v_N   velocities by Newton's law, s = −e s₀ at each contact and stop that is met
//! v_0   the same without restitution, which gains no energy once it has converged
//! v     = v_0 + θ (v_N − v_0), with the largest θ ≤ 1 for which the kinetic energy does not exceed that before the impact
//! ```
//!
//! Newton's law gains energy where friction or joints couple contacts (T. R. Kane's double pendulum). Both velocities satisfy
//! the joints, and impulses of both lie in Coulomb's cones, which are convex: so do those in between. Without a gain θ is 1,
//! and v_0 is not computed.
//!
//! Impulses that have not converged may gain energy in v_0, too. If nothing else can supply energy, the exact solver then blends in
//! the same way towards the velocities that the joints alone would give, the sweeps towards those before all impulses.
//!
//! # Source
//! T. R. Kane, *A dynamics puzzle*, Stanford Mechanics Alumni Club Newsletter, 1984; Ch. Glocker, *Set-Valued Force Laws*, 2001,
//! chapter 8, for the laws of Newton, Poisson and Moreau. The blend is our own.

use alloc::vec::Vec;

use nalgebra::{SVector, SimdBool};

use super::World;
use super::body::Massive;
use super::driving::{Driving, Stage, StageKind};
use super::graph::Piece;
use super::solver::Solver;
use crate::error::Error;
use crate::real::Real;
use crate::stabilization::Stabilization;

/// Rounding units of the kinetic energy.
const ROUNDING_EPSILONS: f64 = 64.0;

/// Memory for velocities and impulses of an impact.
#[derive(Debug)]
pub(super) struct Rebound<T, const D: usize> {
    /// Velocities before the impact.
    start: Vec<SVector<T, D>>,
    /// Impulses of the stages of the step before.
    stages: Vec<T>,
    /// The pieces of limits and motors before the impact.
    pieces: Vec<Piece>,
    /// Velocities by Newton's law.
    newton: Vec<SVector<T, D>>,
    /// Impulses by Newton's law.
    impulses: Vec<T>,
}

impl<T, const D: usize> Rebound<T, D> {
    pub(super) fn new() -> Self {
        Self {
            start: Vec::new(),
            stages: Vec::new(),
            pieces: Vec::new(),
            newton: Vec::new(),
            impulses: Vec::new(),
        }
    }
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// Prepares limits and motors for a stage and solves for its impulses, with as much restitution as raises no energy.
    pub(super) fn solve_impacts(
        &mut self,
        stage: Stage<T>,
        solve: &dyn Fn(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.aim_drives(stage);
        if !self.meets_bounds() {
            return solve(self);
        }
        let before = self.kinetic(&self.bodies);
        let mut memory = core::mem::replace(&mut self.rebound, Rebound::new());
        self.save_velocities(&mut memory.start);
        self.save_impulses(&mut memory.stages);
        memory.pieces.clear();
        memory.pieces.extend(self.drives.iter().map(|it| it.piece));
        let solved = solve(self);
        let solved = solved.and_then(|()| self.lessen(stage, before, &mut memory, solve));
        self.rebound = memory;
        solved
    }

    /// Goes back where impulses have raised the kinetic energy.
    fn lessen(
        &mut self,
        stage: Stage<T>,
        before: T,
        memory: &mut Rebound<T, D>,
        solve: &dyn Fn(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let most = before + before * T::simd_default_epsilon() * T::lit(ROUNDING_EPSILONS);
        let gains = |world: &Self| world.kinetic(&world.bodies).simd_gt(most).any();
        let rebounds = self.contacts.iter().any(|it| it.rebounds())
            || self.drives.iter().any(|it| it.rebounds);
        if rebounds && gains(self) {
            let without = |world: &mut Self| {
                let contacts = world.contacts.iter_mut();
                contacts.for_each(|it| it.lessen(T::zero()));
                world.aim_drives(Stage {
                    rebounds: false,
                    ..stage
                });
            };
            let part = self.go_back(before, memory, &without, solve)?;
            self.contacts.iter_mut().for_each(|it| it.lessen(part));
        }
        // Contacts that have not converged may gain energy without restitution, too.
        let may_gain = stage.kind != StageKind::Whole || !gains(self) || !self.is_passive();
        if may_gain {
            return Ok(());
        }
        if self.solver != Solver::Exact {
            self.scale_impulses(before, &memory.start);
            return Ok(());
        }
        let without = |world: &mut Self| {
            world.contacts.iter_mut().for_each(|it| it.release());
            world.drives.iter_mut().for_each(|it| it.release());
        };
        self.go_back(before, memory, &without, solve)?;
        self.contacts.iter_mut().for_each(|it| it.lessen(T::zero()));
        Ok(())
    }

    /// Blends towards the velocities of a solution `without` something, as far as the energy requires; returns θ.
    #[cold]
    fn go_back(
        &mut self,
        before: T,
        memory: &mut Rebound<T, D>,
        without: &dyn Fn(&mut Self),
        solve: &dyn Fn(&mut Self) -> Result<(), Error>,
    ) -> Result<T, Error> {
        self.save_velocities(&mut memory.newton);
        self.save_impulses(&mut memory.impulses);
        for (body, start) in self.bodies.iter_mut().zip(&memory.start) {
            body.velocity = *start;
        }
        self.visit_impulses(&memory.stages, |impulse, start| *impulse = start);
        for (drive, piece) in self.drives.iter_mut().zip(&memory.pieces) {
            drive.piece = *piece;
        }
        without(self);
        solve(self)?;
        let part = self.blend(before, &memory.newton);
        for (body, newton) in self.bodies.iter_mut().zip(&memory.newton) {
            body.velocity += (newton - body.velocity) * part;
        }
        self.visit_impulses(&memory.impulses, |impulse, newton| {
            *impulse += (newton - *impulse) * part;
        });
        Ok(part)
    }

    /// θ from the velocities without restitution, in `bodies`, and those by Newton's law.
    fn blend(&self, before: T, newton: &[SVector<T, D>]) -> T {
        let rest = self.kinetic_of(&|k| self.bodies[k].velocity);
        let gained = self.kinetic_of(&|k| newton[k]);
        // T(θ) = rest + linear θ + square θ²; motors may have added to the rest.
        let square = self.kinetic_of(&|k| newton[k] - self.bodies[k].velocity);
        let linear = gained - rest - square;
        let spare = (before - rest).simd_max(T::zero());
        let root = (linear * linear + square * spare * T::lit(4.0)).simd_sqrt();
        let part = (root - linear) / (square + square);
        let part = part.simd_max(T::zero()).simd_min(T::one());
        T::one().select(gained.simd_le(before.simd_max(rest)), part)
    }

    /// True if there are contacts, limits or motors.
    pub(super) fn meets_bounds(&self) -> bool {
        !self.contacts.is_empty() || !self.drives.is_empty()
    }

    /// Scales the impulses of sweeps that have not converged, so that they raise no energy.
    #[cold]
    fn scale_impulses(&mut self, before: T, start: &[SVector<T, D>]) {
        // T(s) = before + linear s + square s², for impulses of the part s.
        let gained = self.kinetic(&self.bodies);
        let square = self.kinetic_of(&|k| self.bodies[k].velocity - start[k]);
        let linear = gained - before - square;
        let part = (-linear / square).simd_clamp(T::zero(), T::one());
        let part = part.select(gained.simd_gt(before), T::one());
        for (body, start) in self.bodies.iter_mut().zip(start) {
            body.velocity = start + (body.velocity - start) * part;
        }
        self.all_impulses(&mut |impulse| *impulse *= part);
    }

    /// True if no joint, limit or motor can supply energy.
    fn is_passive(&self) -> bool {
        let joints = self.families.iter().all(|family| {
            let moves = family.moves_by_itself(self.time, &self.bodies);
            !family.has_soft() && !moves
        });
        let Stabilization::Projection { .. } = self.stabilization else {
            return false;
        };
        joints && self.drives.iter().all(Driving::is_passive)
    }

    /// The kinetic energy of these velocities.
    fn kinetic_of(&self, v: &dyn Fn(usize) -> SVector<T, D>) -> T {
        let bodies = self.bodies.iter().zip(&self.inertias).enumerate();
        bodies.fold(T::zero(), |sum, (k, (body, inertia))| match inertia {
            Some(inertia) => sum + body.pose.kinetic_energy(inertia, &v(k)),
            None => sum,
        })
    }

    /// Velocities of the bodies.
    pub(super) fn save_velocities(&self, place: &mut Vec<SVector<T, D>>) {
        place.clear();
        place.extend(self.bodies.iter().map(|body| body.velocity));
    }

    fn save_impulses(&mut self, place: &mut Vec<T>) {
        place.clear();
        self.all_impulses(&mut |impulse| place.push(*impulse));
    }

    fn visit_impulses(&mut self, saved: &[T], mut show: impl FnMut(&mut T, T)) {
        let mut saved = saved.iter();
        self.all_impulses(&mut |impulse| {
            if let Some(&saved) = saved.next() {
                show(impulse, saved);
            }
        });
    }

    /// Λ of this step, of joints, drives and contacts.
    fn all_impulses(&mut self, show: &mut dyn FnMut(&mut T)) {
        if let Some(exact) = self.exact.get_mut() {
            exact.impulses_mut().iter_mut().for_each(&mut *show);
        }
        for family in &mut self.families {
            family.visit_impulses(show);
        }
        self.drives.iter_mut().for_each(|it| show(&mut it.impulse));
        let contacts = self.contacts.iter_mut();
        contacts.for_each(|it| it.impulses_mut().iter_mut().for_each(&mut *show));
    }
}
