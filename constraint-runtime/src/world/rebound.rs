//! Impacts within a step: Newton's law at the time at which they occur, with less restitution where it would gain energy.
//!
//! ```text
//! v     the velocities at the end of the step, while what may rebound lets the bodies pass
//! τ     the first impact of each island on that way (`flight.rs`), v⁻ the velocities there
//! v⁺    v⁻ + W (Jᵀ Λ + Gᵀ Λ), Ċ unchanged; s⁺ = −e s⁻ at each contact and stop that would close, and no gap closes afterwards
//! v₁  = v + v⁺ − v⁻
//! ```
//!
//! The work of the impulses of an island is Σ Λ·(s⁺ + s⁻)/2, s being relative to floors that move. Newton's law gains energy where
//! friction or joints couple contacts (T. R. Kane's double pendulum). There
//!
//! ```text
//! v⁺ = v_0 + θ (v_N − v_0)        v_N by Newton's law, v_0 the same without restitution
//! ```
//!
//! with the largest θ ≤ 1 for which the work is not positive. Both satisfy the joints, and impulses of both lie in Coulomb's cones,
//! which are convex: so do those in between. Without a gain θ is 1, and v_0 is not computed. If v_0, which has not converged, gains
//! energy too, its impulses are scaled.
//!
//! # Source
//! T. R. Kane, *A dynamics puzzle*, Stanford Mechanics Alumni Club Newsletter, 1984; Ch. Glocker, *Set-Valued Force Laws*, 2001,
//! chapter 8, for the laws of Newton, Poisson and Moreau. The blend is our own.

use alloc::vec::Vec;

use nalgebra::{SVector, SimdBool};

use super::World;
use super::body::Massive;
use super::driving::{Driving, Stage, StageKind};
use super::family::{Asked, Step};
use super::flight::Flight;
use super::graph::{End, Piece};
use super::row::Row;
use super::solver::Solver;
use crate::error::Error;
use crate::real::Real;
use crate::stabilization::Stabilization;

/// Rounding units of the work of impulses.
const ROUNDING_EPSILONS: f64 = 64.0;

/// Memory for velocities and impulses of a step with contacts or stops.
#[derive(Debug)]
pub(super) struct Rebound<T, const D: usize> {
    pub(super) flight: Flight<T, D>,
    /// Where the solution for the smooth part starts.
    pub(super) start: Start<T, D>,
    /// Impulses and pieces of the smooth part.
    smooth: Vec<T>,
    pieces: Vec<Piece>,
    /// Velocities before the impact, v⁻.
    before: Vec<SVector<T, D>>,
    /// Velocities and impulses by Newton's law.
    newton: Vec<SVector<T, D>>,
    impulses: Vec<T>,
    /// By the first body of each island.
    works: Vec<Work<T>>,
    newton_works: Vec<Work<T>>,
    parts: Vec<T>,
}

/// Velocities, impulses and pieces from which a solution starts.
#[derive(Debug)]
pub(super) struct Start<T, const D: usize> {
    velocities: Vec<SVector<T, D>>,
    impulses: Vec<T>,
    pieces: Vec<Piece>,
}

/// Σ Λ·s⁻, Σ Λ·(s⁺ − s⁻)/2, and the size of their terms.
#[derive(Clone, Copy, Debug)]
struct Work<T> {
    linear: T,
    square: T,
    size: T,
}

impl<T: Real, const D: usize> Rebound<T, D> {
    pub(super) fn new() -> Self {
        Self {
            flight: Flight::new(),
            start: Start {
                velocities: Vec::new(),
                impulses: Vec::new(),
                pieces: Vec::new(),
            },
            smooth: Vec::new(),
            pieces: Vec::new(),
            before: Vec::new(),
            newton: Vec::new(),
            impulses: Vec::new(),
            works: Vec::new(),
            newton_works: Vec::new(),
            parts: Vec::new(),
        }
    }
}

impl<T: Real> Work<T> {
    fn none() -> Self {
        let zero = T::zero();
        Self {
            linear: zero,
            square: zero,
            size: zero,
        }
    }

    fn sum(&self) -> T {
        self.linear + self.square
    }

    /// Lanes in which impulses gain energy.
    fn gains(&self) -> T::SimdBool {
        let rounding = T::simd_default_epsilon() * T::lit(ROUNDING_EPSILONS);
        self.sum().simd_gt(self.size * rounding)
    }

    /// The part of the impulses that gains nothing.
    fn scale(&self) -> T {
        let part = part_within(self.linear, self.square, T::zero());
        part.select(self.gains(), T::one())
    }
}

/// The largest θ from 0 to 1 for which linear θ + square θ² ≤ spare; 0 where terms are not finite, or nothing changes.
fn part_within<T: Real>(linear: T, square: T, spare: T) -> T {
    let (zero, one, two) = (T::zero(), T::one(), T::lit(2.0));
    let root = (linear * linear + two * two * square * spare).simd_sqrt();
    // Both forms are free of cancellation.
    let rising = two * spare / (root + linear);
    let falling = (root - linear) / (two * square);
    let part = rising.select(linear.simd_gt(zero), falling);
    let part = part.simd_clamp(zero, one);
    part.select(part.simd_ge(zero), zero)
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// Solves for the velocities at the end of a step, impacts included, and for the way until then.
    pub(super) fn solve_with_impacts(
        &mut self,
        h: T,
        memory: &mut Rebound<T, D>,
    ) -> Result<(), Error> {
        self.solve_smoothly(h, memory)?;
        self.measure_laws();
        self.prepare_flight(&mut memory.flight, h);
        if self.find_impacts(&mut memory.flight, h) {
            let smooth = self.settling;
            self.strike(h, memory)?;
            self.settling = self.settling.larger(smooth);
        }
        Ok(())
    }

    /// Solves for velocities without impacts.
    fn solve_smoothly(&mut self, h: T, memory: &mut Rebound<T, D>) -> Result<(), Error> {
        let stage = Stage {
            forces: h,
            ahead: h,
            kind: StageKind::Whole,
        };
        self.aim_drives(stage);
        self.save_start(&mut memory.start);
        let before = self.kinetic(&self.bodies);
        loop {
            self.solve_velocities(h)?;
            if !self.close_short_flights(&memory.flight.start, h) {
                break;
            }
            self.go_to_start(&memory.start);
            self.aim_drives(stage);
        }
        self.limit_energy(h, before, memory)
    }

    /// The impact at τ; velocities are those at the end of the step, before and afterwards.
    fn strike(&mut self, h: T, memory: &mut Rebound<T, D>) -> Result<(), Error> {
        self.save_impulses(&mut memory.smooth);
        memory.pieces.clear();
        memory.pieces.extend(self.drives.iter().map(|it| it.piece));
        memory.before.clear();
        for body in 0..self.bodies.len() {
            memory.before.push(memory.flight.velocity_before(body, h));
        }
        self.aim_impacts(&memory.flight, h);
        self.solve_impact(h, memory)?;
        if self.measure_work(memory) {
            self.lessen(h, memory)?;
        }
        self.measure_laws();
        let flight = &memory.flight;
        let ends = flight.smooth.iter().zip(&memory.before);
        for (body, (smooth, before)) in self.bodies.iter_mut().zip(ends) {
            body.velocity += smooth - before;
        }
        self.visit_impulses(&memory.smooth, |impulse, smooth| *impulse += smooth);
        if self.solver == Solver::Exact {
            self.take_impulses();
        }
        // Pieces belong to the smooth part, from which the next step starts.
        for (drive, piece) in self.drives.iter_mut().zip(&memory.pieces) {
            drive.piece = *piece;
        }
        Ok(())
    }

    /// Solves from v⁻ without impulses.
    fn solve_impact(&mut self, h: T, memory: &mut Rebound<T, D>) -> Result<(), Error> {
        for (body, before) in self.bodies.iter_mut().zip(&memory.before) {
            body.velocity = *before;
        }
        self.all_impulses(&mut |_, impulse| *impulse = T::zero());
        match self.solver {
            Solver::Exact => self.settle(Asked::Impact(self.time)),
            Solver::SequentialImpulses(solver) => {
                let step = Step {
                    time: self.time,
                    size: h,
                    feedback: T::zero(),
                    is_impact: true,
                };
                self.sweep_velocities(solver, &step, false)
            }
        }
    }

    /// Sets what contacts and drives demand at the impact.
    fn aim_impacts(&mut self, flight: &Flight<T, D>, h: T) {
        for contact in &mut self.contacts {
            let (gap, is_open, e) = (contact.gap(), contact.is_open(), contact.restitution());
            let least = flight.least_rates(contact.row(0), T::one(), gap, is_open, e, h);
            contact.aim_impact(least);
        }
        let (yes, no) = (T::zero().simd_eq(T::zero()), T::zero().simd_ne(T::zero()));
        for drive in &mut self.drives {
            let stops = [End::Low, End::High].map(|end| {
                let is_open = if drive.is_open(end) { yes } else { no };
                let (sign, gap, e) = (end.inwards(), drive.distance(end), drive.restitution());
                flight.least_rates(drive.row(), sign, gap, is_open, e, h)
            });
            let drift = drive.drift * flight.time_of(drive.row());
            let [c, ..] = flight.at_impact(drive.row(), T::one(), drive.value + drift, h);
            let rest = flight.rest_of(drive.row(), h);
            drive.aim_impact(stops, c, rest);
        }
    }

    /// Reduces the restitution of islands whose impulses gain energy.
    #[cold]
    fn lessen(&mut self, h: T, memory: &mut Rebound<T, D>) -> Result<(), Error> {
        self.save_velocities(&mut memory.newton);
        self.save_impulses(&mut memory.impulses);
        core::mem::swap(&mut memory.works, &mut memory.newton_works);
        self.contacts.iter_mut().for_each(|it| it.lessen(T::zero()));
        self.drives.iter_mut().for_each(Driving::lessen);
        self.solve_impact(h, memory)?;
        self.measure_work(memory);
        self.find_parts(memory);
        self.blend(memory);
        if self.measure_work(memory) {
            memory.parts.clear();
            memory.parts.extend(memory.works.iter().map(Work::scale));
            memory.newton.clone_from(&memory.before);
            memory.impulses.iter_mut().for_each(|it| *it = T::zero());
            memory.parts.iter_mut().for_each(|it| *it = T::one() - *it);
            self.blend(memory);
        }
        Ok(())
    }

    /// θ of each island, from its work without restitution and by Newton's law.
    fn find_parts(&self, memory: &mut Rebound<T, D>) {
        let (one, zero) = (T::one(), T::zero());
        memory.parts.clear();
        memory.parts.resize(self.bodies.len(), zero);
        for (body, moving) in self.bodies.iter().enumerate() {
            if let Some(inertia) = &self.inertias[body] {
                let change = memory.newton[body] - moving.velocity;
                let island = memory.flight.islands.root(body);
                memory.parts[island] += moving.pose.kinetic_energy(inertia, &change);
            }
        }
        let works = memory.works.iter().zip(&memory.newton_works);
        for (part, (rest, newton)) in memory.parts.iter_mut().zip(works) {
            // rest + linear θ + square θ²
            let (square, rest, gained) = (*part, rest.sum(), newton.sum());
            let linear = gained - rest - square;
            let spare = (-rest).simd_max(zero);
            *part = part_within(linear, square, spare).select(newton.gains(), one);
        }
    }

    /// Goes from the velocities and impulses of each island by its part towards the saved ones.
    fn blend(&mut self, memory: &Rebound<T, D>) {
        let part_of = |body: usize| memory.parts[memory.flight.islands.root(body)];
        for (body, newton) in memory.newton.iter().enumerate() {
            if self.inertias[body].is_some() {
                let velocity = &mut self.bodies[body].velocity;
                *velocity += (newton - *velocity) * part_of(body);
            }
        }
        let mut newton = memory.impulses.iter();
        let inertias = core::mem::take(&mut self.inertias);
        self.all_impulses(&mut |bodies, impulse| {
            let moved = bodies.iter().find(|&&body| inertias[body].is_some());
            if let (Some(newton), Some(&body)) = (newton.next(), moved) {
                *impulse += (*newton - *impulse) * part_of(body);
            }
        });
        for contact in &mut self.contacts {
            let moved = contact
                .bodies
                .iter()
                .find(|&&body| inertias[body].is_some());
            if let Some(&body) = moved {
                contact.lessen(part_of(body));
            }
        }
        self.inertias = inertias;
    }

    /// The work of the impulses on each island; true if one gains energy.
    fn measure_work(&self, memory: &mut Rebound<T, D>) -> bool {
        memory.works.clear();
        memory.works.resize(self.bodies.len(), Work::none());
        if self.is_driven() {
            self.add_work_of_rows(memory);
        } else {
            self.add_kinetic_energy(memory);
        }
        memory.works.iter().any(|it| it.gains().any())
    }

    /// What each island has gained of kinetic energy, also by joints that have not converged.
    fn add_kinetic_energy(&self, memory: &mut Rebound<T, D>) {
        for (body, moving) in self.bodies.iter().enumerate() {
            let Some(inertia) = &self.inertias[body] else {
                continue;
            };
            let (before, after) = (&memory.before[body], &moving.velocity);
            let energy = |v: &SVector<T, D>| moving.pose.kinetic_energy(inertia, v);
            let [first, last, change] = [energy(before), energy(after), energy(&(after - before))];
            let work = &mut memory.works[memory.flight.islands.root(body)];
            work.linear += last - first - change;
            work.square += change;
            work.size += first + last + change;
        }
    }

    /// The work of contacts and stops, without that of floors and joints that move by themselves.
    fn add_work_of_rows(&self, memory: &mut Rebound<T, D>) {
        let (works, islands) = (&mut memory.works, &memory.flight.islands);
        let half = T::lit(0.5);
        let mut add = |row: Row<'_, T, D>, drift: T, impulse: T| {
            let mut bodies = row.bodies.iter();
            let Some(&body) = bodies.find(|&&body| self.inertias[body].is_some()) else {
                return;
            };
            let work = &mut works[islands.root(body)];
            let before = row.rate_of(&memory.before) + drift;
            let change = row.rate(&self.bodies) + drift - before;
            work.linear += impulse * before;
            work.square += impulse * change * half;
            work.size += impulse.simd_abs() * (before.simd_abs() + change.simd_abs());
        };
        for contact in &self.contacts {
            for (k, &impulse) in contact.impulse.iter().enumerate() {
                add(contact.row(k), T::zero(), impulse);
            }
        }
        for drive in &self.drives {
            add(drive.row(), drive.drift, drive.impulse);
        }
    }

    /// True if a floor or a joint moves by itself.
    fn is_driven(&self) -> bool {
        let mut bodies = self.bodies.iter().zip(&self.inertias);
        let moves = bodies.any(|(body, inertia)| {
            let mut velocity = body.velocity.iter();
            inertia.is_none() && velocity.any(|it| it.simd_ne(T::zero()).any())
        });
        let mut families = self.families.iter();
        moves || families.any(|it| it.moves_by_itself(self.time, &self.bodies))
    }

    /// Goes back where contacts that have not converged have raised the kinetic energy without impacts, if nothing else can supply
    /// energy.
    fn limit_energy(&mut self, h: T, before: T, memory: &mut Rebound<T, D>) -> Result<(), Error> {
        let most = before + before * T::simd_default_epsilon() * T::lit(ROUNDING_EPSILONS);
        if self.kinetic(&self.bodies).simd_le(most).all() || !self.is_passive() {
            return Ok(());
        }
        self.save_velocities(&mut memory.newton);
        self.save_impulses(&mut memory.impulses);
        let gained = self.kinetic(&self.bodies);
        self.go_to_start(&memory.start);
        if self.solver == Solver::Exact {
            self.contacts.iter_mut().for_each(|it| it.release());
            self.drives.iter_mut().for_each(Driving::release);
            self.solve_velocities(h)?;
        } else {
            self.all_impulses(&mut |_, impulse| *impulse = T::zero());
        }
        let part = self.largest_part(before, gained, &memory.newton);
        for (body, newton) in self.bodies.iter_mut().zip(&memory.newton) {
            body.velocity += (newton - body.velocity) * part;
        }
        self.visit_impulses(&memory.impulses, |impulse, newton| {
            *impulse += (newton - *impulse) * part;
        });
        self.contacts.iter_mut().for_each(|it| it.hold());
        Ok(())
    }

    /// The largest part of the way from the velocities of the bodies to others for which the kinetic energy does not exceed `most`.
    fn largest_part(&self, most: T, gained: T, others: &[SVector<T, D>]) -> T {
        let rest = self.kinetic_of(&|k| self.bodies[k].velocity);
        // T(θ) = rest + linear θ + square θ²
        let square = self.kinetic_of(&|k| others[k] - self.bodies[k].velocity);
        let linear = gained - rest - square;
        let spare = (most - rest).simd_max(T::zero());
        let part = part_within(linear, square, spare);
        T::one().select(gained.simd_le(most.simd_max(rest)), part)
    }

    /// True if there are contacts, limits or motors.
    pub(super) fn meets_bounds(&self) -> bool {
        !self.contacts.is_empty() || !self.drives.is_empty()
    }

    /// True if no joint, limit, motor or floor can supply energy.
    fn is_passive(&self) -> bool {
        let Stabilization::Projection { .. } = self.stabilization else {
            return false;
        };
        let is_soft = self.families.iter().any(|family| family.has_soft());
        !is_soft && !self.is_driven() && self.drives.iter().all(Driving::is_passive)
    }

    /// The kinetic energy of these velocities.
    fn kinetic_of(&self, v: &dyn Fn(usize) -> SVector<T, D>) -> T {
        let bodies = self.bodies.iter().zip(&self.inertias).enumerate();
        bodies.fold(T::zero(), |sum, (k, (body, inertia))| match inertia {
            Some(inertia) => sum + body.pose.kinetic_energy(inertia, &v(k)),
            None => sum,
        })
    }

    /// Saves velocities, impulses and pieces from which a solution starts.
    pub(super) fn save_start(&mut self, start: &mut Start<T, D>) {
        self.save_velocities(&mut start.velocities);
        self.save_impulses(&mut start.impulses);
        start.pieces.clear();
        start.pieces.extend(self.drives.iter().map(|it| it.piece));
    }

    /// Returns to the start of a solution.
    pub(super) fn go_to_start(&mut self, start: &Start<T, D>) {
        for (body, start) in self.bodies.iter_mut().zip(&start.velocities) {
            body.velocity = *start;
        }
        self.visit_impulses(&start.impulses, |impulse, start| *impulse = start);
        for (drive, piece) in self.drives.iter_mut().zip(&start.pieces) {
            drive.piece = *piece;
        }
    }

    /// Velocities of the bodies.
    pub(super) fn save_velocities(&self, place: &mut Vec<SVector<T, D>>) {
        place.clear();
        place.extend(self.bodies.iter().map(|body| body.velocity));
    }

    fn save_impulses(&mut self, place: &mut Vec<T>) {
        place.clear();
        self.all_impulses(&mut |_, impulse| place.push(*impulse));
    }

    fn visit_impulses(&mut self, saved: &[T], mut show: impl FnMut(&mut T, T)) {
        let mut saved = saved.iter();
        self.all_impulses(&mut |_, impulse| {
            if let Some(&saved) = saved.next() {
                show(impulse, saved);
            }
        });
    }

    /// Λ of this step, of joints, drives and contacts, with the bodies of each.
    fn all_impulses(&mut self, show: &mut dyn FnMut(&[usize], &mut T)) {
        if let Some(exact) = self.exact.get_mut() {
            exact.visit_impulses(show);
        }
        for family in &mut self.families {
            family.visit_impulses(show);
        }
        for drive in &mut self.drives {
            show(&drive.bodies, &mut drive.impulse);
        }
        for contact in &mut self.contacts {
            let bodies = contact.bodies;
            let impulses = contact.impulses_mut().iter_mut();
            impulses.for_each(|it| show(&bodies, it));
        }
    }
}
