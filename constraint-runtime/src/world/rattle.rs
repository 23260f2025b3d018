//! A step of second order that does not bleed energy: RATTLE on the rotation group.
//!
//! ```text
//! v* = v₀ + h/2 W₀ f
//! v½ = v* + W₀ J₀ᵀ λ          λ such that C(q₁, t₁) = 0
//! q₁ = q₀ after the time h    free bodies with the momenta M v½: `spin.rs`
//! v₁ = W₁ M₀ v½ + h/2 W₁ f + W₁ J₁ᵀ μ     μ such that Ċ(q₁, v₁, t₁) = 0
//! ```
//!
//! Kicks by J₀ᵀ λ and J₁ᵀ μ are symplectic on C = 0 whatever λ and μ are, and so is the free motion: the energy error
//! stays bounded. λ is found by Newton's method with the matrix J₀ W₀ J₀ᵀ throughout, which is the one that the step
//! before has factored for μ: one factorisation a step.
//!
//! # Source
//! [Andersen 1983] H. C. Andersen, *Rattle: a "velocity" version of the Shake algorithm*, J. Comput. Phys. 52.
//! [Hairer, Lubich, Wanner 2006] *Geometric Numerical Integration*, sections VII.1.4 and VII.5.3.

use nalgebra::{SVector, SimdBool};

use super::apart::lengths;
use super::body::Massive;
use super::driving::{Stage, StageKind};
use super::family::{Asked, Moving, RowQuantity};
use super::flight::Meeting;
use super::graph::End;
use super::rebound::Rebound;
use super::solver::Solver;
use super::step::prepared;
use super::{World, WorldMethod};
use crate::error::Error;
use crate::real::{Real, is_plain};
use crate::stabilization::Stabilization;

/// Iterations on λ after which a body counts as turning too far in a step.
const MAX_ITERATIONS: usize = 30;

/// The part of a row's size by which free motion may violate it if a body turns by more than [`MOST_TURN`]: about
/// (h ω)²/2.
const MOST_APART: f64 = 0.1;

/// An angle over which rows are nearly straight.
const MOST_TURN: f64 = 0.4;

/// A multiple of the tolerance, or of rounding, that is due to rounding if it does not fall.
const NEAR: f64 = 100.0;

/// Iterations that may fail to halve C before the same is concluded.
const MOST_SLOW: usize = 2;

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// The tolerance of C if a step is one of RATTLE: rigid joints, held exactly.
    pub(super) fn rattles(&self) -> Option<T> {
        let Stabilization::Projection { tolerance } = self.stabilization else {
            return None;
        };
        let rattles = self.method == WorldMethod::Rattle
            && self.solver == Solver::Exact
            && is_plain::<T>()
            && !self.families.iter().any(|family| family.has_soft());
        rattles.then_some(tolerance)
    }

    /// The step, with its results still in `bodies`. `false` and the last good state if λ is not found.
    pub(super) fn attempt_rattle(&mut self, h: T, tolerance: T) -> Result<bool, Error> {
        let (start, end, assembled) = (self.time, self.time + h, self.assembled);
        self.prepare_exact();
        if !prepared(&mut self.exact).is_kept() {
            self.update_inverse_masses();
            if !self.checked {
                self.check_gaps(tolerance)?;
            }
            if !self.assembled {
                self.project_exactly(start, None, tolerance)?;
                self.renormalize();
                self.update_inverse_masses();
            }
            if self.drives.is_empty() {
                self.factor_rows(start)?;
            }
        }
        let half = h * T::lit(0.5);
        if !self.drives.is_empty() {
            self.find_islands();
        }
        self.begin_drives();
        self.kick(half, |_, _| SVector::zeros());
        if self.drives.is_empty() {
            prepared(&mut self.exact).start(&self.families, T::lit(0.5));
            self.push();
        } else {
            self.settle_first(h, start)?;
        }
        if !self.reach(end, h, tolerance) {
            self.restore();
            self.assembled = assembled;
            return Ok(false);
        }
        self.carry();
        self.kick(half, |_, _| SVector::zeros());
        if self.drives.is_empty() {
            self.factor_rows(end)?;
            self.hold_rates(end);
        } else {
            self.settle_half(h, end, StageKind::Second)?;
        }
        self.check_finite()?;
        self.take_impulses();
        let are_kept = self.drives.is_empty();
        prepared(&mut self.exact).keep(are_kept);
        Ok(true)
    }

    /// Joints and drives in the first of the two kicks. Stops that may be met with restitution let bodies pass at first, so that the
    /// speed is known with which they would; bodies that meet them arrive at the end of the step.
    fn settle_first(&mut self, h: T, time: T) -> Result<(), Error> {
        let mut memory = core::mem::replace(&mut self.rebound, Rebound::new());
        self.save_start(&mut memory.start);
        prepared(&mut self.exact).clear_impulses();
        let mut settled = self.settle_half(h, time, StageKind::First);
        if settled.is_ok() && self.arrive_at_stops(h) {
            self.go_to_start(&memory.start);
            prepared(&mut self.exact).clear_impulses();
            settled = self.settle_half(h, time, StageKind::First);
        }
        self.rebound = memory;
        settled
    }

    /// Closes the stops that are met in the step, and computes the rates with which they will be left; false if there are none.
    fn arrive_at_stops(&mut self, h: T) -> bool {
        let (bodies, two, mut any) = (&self.bodies, T::lit(2.0), false);
        for drive in &mut self.drives {
            for end in [End::Low, End::High] {
                let before = drive.before * end.inwards();
                let kicked = drive.row().rate(bodies) * end.inwards();
                // Half a kick has been applied.
                let acceleration = (kicked - before) * two / h;
                let meeting = Meeting::new(drive.distance(end), before, acceleration);
                if drive.is_open(end) && meeting.time.simd_lt(h).any() {
                    let leaving = -(drive.restitution() * meeting.rate);
                    let flies = (leaving * two).simd_gt(-acceleration * h);
                    drive.arrive(end, leaving.select(flies, T::zero()));
                    any = true;
                }
            }
        }
        any
    }

    /// Joints and drives in one of the two kicks.
    fn settle_half(&mut self, h: T, time: T, kind: StageKind) -> Result<(), Error> {
        self.aim_drives(Stage {
            forces: h * T::lit(0.5),
            ahead: h,
            kind,
        });
        self.settle(Asked::Rates(time))
    }

    /// Evaluates and factors the rows at the poses of the bodies.
    fn factor_rows(&mut self, time: T) -> Result<(), Error> {
        let exact = prepared(&mut self.exact);
        exact.linearize(Asked::Poses(time), &self.families, &self.bodies);
        Ok(exact.factor(&self.bodies)?)
    }

    /// v += W Jᵀ λ
    fn push(&mut self) {
        let (exact, bodies) = (prepared(&mut self.exact), &mut self.bodies);
        exact.push(|body, push| bodies[body].accelerate(&push));
    }

    /// Moves the bodies for the time h, with λ such that they arrive on C = 0; `false` if none is found.
    fn reach(&mut self, end: T, h: T, tolerance: T) -> bool {
        self.starts.clear();
        self.starts.extend(self.bodies.iter().map(|body| body.pose));
        // A lane that has come to its end takes no step.
        let per_step = (T::one() / h).select(h.simd_gt(T::zero()), T::zero());
        let (mut previous, mut slow) = (f64::INFINITY, 0);
        for iteration in 0..MAX_ITERATIONS {
            self.coast(h);
            let exact = prepared(&mut self.exact);
            if iteration == 0 {
                exact.measure(&self.bodies);
            }
            exact.ask_again(RowQuantity::Value, end, &self.families, &self.bodies);
            let worst = exact.worst(tolerance);
            if worst.ratio <= 1.0 {
                return true;
            }
            let is_far = iteration == 0 && worst.part > MOST_APART;
            if is_far && self.turns_far(h) || !worst.value.is_finite() {
                return false;
            }
            if worst.ratio >= 0.5 * previous {
                // Progress ends where rounding exceeds its estimate.
                if worst.ratio <= NEAR {
                    return true;
                }
                slow += 1;
                if slow > MOST_SLOW {
                    return false;
                }
            }
            previous = worst.ratio;
            let exact = prepared(&mut self.exact);
            exact.scale_targets(per_step);
            exact.substitute();
            exact.sum_up();
            self.push();
        }
        false
    }

    /// True if a body turns so far in the time h that rows are not nearly straight.
    #[cold]
    fn turns_far(&self, h: T) -> bool {
        let turn = |body: &Moving<T, B, D>| lengths::<T, B, D>(&body.velocity).1 * h;
        let mut bodies = self.bodies.iter();
        bodies.any(|body| turn(body).simd_gt(T::lit(MOST_TURN)).any())
    }

    /// Moves all bodies freely from the start for the time h.
    fn coast(&mut self, h: T) {
        let bodies = self.bodies.iter_mut().zip(&self.starts);
        for ((body, start), of) in bodies.zip(self.inertias.iter().zip(&self.spins)) {
            body.pose = match of {
                (Some(inertia), Some(spin)) => start.coasted(inertia, spin, &body.velocity, h),
                _ => start.moved(&body.velocity, h).renormalized(),
            };
        }
    }

    /// W and the velocities at the new poses, by the same momenta.
    fn carry(&mut self) {
        let bodies = self.bodies.iter_mut().zip(&self.starts);
        for ((body, start), inertia) in bodies.zip(&self.inertias) {
            if let Some(inertia) = inertia {
                body.inverse_mass = body.pose.inverse_mass(inertia);
                body.velocity = start.carried(inertia, &body.velocity, &body.inverse_mass);
            }
        }
    }

    /// v += W Jᵀ μ, onto Ċ = 0
    fn hold_rates(&mut self, time: T) {
        let exact = prepared(&mut self.exact);
        exact.ask_again(RowQuantity::Rate, time, &self.families, &self.bodies);
        exact.substitute();
        exact.sum_up();
        self.push();
    }
}
