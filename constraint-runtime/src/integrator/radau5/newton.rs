//! Newton's method for the stages of a step, and how its convergence is judged.

use alloc::vec::Vec;

use nalgebra::RealField;

use super::coefficients::C;
use super::memory::{Radau5Memory, Turned};
use super::{RETREAT, Radau5, Refused, Start, Tried};
use crate::error::Error;
use crate::integrator::Motion;
use crate::integrator::newton::REFINEMENTS;
use crate::integrator::step_control::Settings;
use crate::real::{Real, is_plain, lane_value, largest};
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// Iterations of Newton's method after which a step is rejected; RADAU5's are seven.
pub(super) const MAX_ITERATIONS: usize = 10;
/// The largest part of the tolerance that Newton's method may leave as an error.
const NEWTON_PART: f64 = 0.03;

impl<T: Real + RealField> Radau5<T> {
    /// Adds the stages of a completed step from `start`, recomputed.
    pub(crate) fn add_stages<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        start: &State<S::Q, S::V>,
        h: T,
        places: &mut Vec<State<S::Q, S::V>>,
    ) -> Result<(), Error> {
        let mut memory = Radau5Memory::room(&start.q, &start.v);
        memory.linearized.take(motion, start, h)?;
        memory.eliminate(h)?;
        let held = self.held(start, &memory.first, h);
        memory.predict(h);
        let first = self.solve(motion, &mut memory, (start, None), h, &held);
        if first.is_err() {
            // What is rounding was asked only after a step that failed.
            let rounding = self.settings.rounding(motion, start);
            let from = (start, rounding.as_ref());
            memory.turned = Some(Turned::room());
            memory.predict(h);
            let again = self.solve(motion, &mut memory, from, h, &held);
            again.map_err(|refused| refused.error)?;
        }
        let stages = &memory.stages;
        places.extend((0..3).map(|i| State {
            t: start.t + T::lit(C[i]) * h,
            q: stages.q[i].clone(),
            v: stages.velocity(start, i),
        }));
        Ok(())
    }

    /// The stages of a step, from a guess at them, by Newton's method.
    pub(super) fn solve<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Radau5Memory<T, S::Q, S::V>,
        (start, rounding): Start<'_, S::Q, S::V>,
        h: T,
        held: &Settings<T>,
    ) -> Result<Tried<T>, Refused<T>> {
        let quiet = Motion {
            probe: None,
            ..*motion
        };
        let times = C.map(|c| start.t + T::lit(c) * h);
        memory.stages.q = [(); 3].map(|()| start.q.clone());
        memory.stages.place(motion, start, times, h);
        let mut progress = Progress::new(self.goal(held, start), memory.expected_rate(h));
        (memory.rate, memory.rate_h) = (progress.rate, h);
        let mut refinements = if is_plain::<T>() { 0 } else { REFINEMENTS };
        memory.eliminate_stages(&quiet, start, times, h)?;
        for iterations in 1..=MAX_ITERATIONS + refinements {
            memory.effort.iterations += 1;
            let mut residual = memory.residual(&quiet, start, times, h)?;
            let worst = residual.iter().map(largest);
            let worst = worst.fold(T::zero(), |most, x| most.simd_max(x));
            memory.turn(&mut residual, h);
            let change = memory.improve(&residual);
            let size = memory.change(motion, (start, rounding), times, h, &change, held);
            let judged = progress.judge(iterations, size);
            (memory.rate, memory.rate_h) = (progress.rate, h);
            judged.map_err(|part| Refused {
                error: diverged(worst, iterations),
                part,
            })?;
            if !progress.solved {
                continue;
            }
            // Dual numbers carry derivatives, whose changes are not seen.
            if refinements == 0 {
                memory.stages.tell(motion, start, times);
                return Ok(Tried {
                    error: T::zero(),
                    iterations,
                });
            }
            refinements -= 1;
        }
        Err(Refused::from(diverged(progress.last, MAX_ITERATIONS)))
    }

    /// The error that Newton's method may leave, if an error of one is allowed.
    fn goal<Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        &self,
        held: &Settings<T>,
        start: &State<Q, V>,
    ) -> T {
        // rtol if that is all that is allowed.
        let size = held.norm(|i| start.q[i], |i| start.v[i], start, start);
        let size = size.simd_sqrt();
        let usual = (T::one() / size).simd_sqrt().simd_min(T::lit(NEWTON_PART));
        let rounding = T::lit(10.0) * T::simd_default_epsilon() * size;
        self.newton.unwrap_or(usual).simd_max(rounding)
    }
}

/// The convergence of Newton's method in one step.
struct Progress<T> {
    /// The error that it may leave.
    goal: T,
    /// The part of an error that an iteration leaves. Until two iterations measure it, it is taken to grow with the length
    /// of the step.
    rate: T,
    /// The size of the last change, and its ratio to the one before.
    last: T,
    last_ratio: T,
    solved: bool,
}

impl<T: Real + RealField> Progress<T> {
    fn new(goal: T, rate: T) -> Self {
        Self {
            goal,
            rate,
            last: T::zero(),
            last_ratio: T::zero(),
            solved: false,
        }
    }

    /// Records the size of a change.
    ///
    /// # Errors
    /// The factor for the length of the step, if the iterations diverge or converge too slowly.
    fn judge(&mut self, iterations: usize, size: T) -> Result<(), T> {
        if !size.is_finite() {
            return Err(T::lit(RETREAT));
        }
        if iterations > 1 && size > T::zero() && !self.solved {
            self.measure(iterations, size)?;
        }
        self.last = size;
        self.solved = self.solved || remainder(self.rate) * size <= self.goal;
        Ok(())
    }

    /// Measures the rate, and predicts the error after the remaining iterations.
    fn measure(&mut self, iterations: usize, size: T) -> Result<(), T> {
        let ratio = size / self.last;
        self.rate = if iterations == 2 {
            ratio
        } else {
            (ratio * self.last_ratio).simd_sqrt()
        };
        self.last_ratio = ratio;
        if self.rate >= T::lit(0.99) {
            return Err(T::lit(RETREAT));
        }
        let left = MAX_ITERATIONS.saturating_sub(1 + iterations);
        let ahead = remainder(self.rate) * size * self.rate.simd_powi(left as i32) / self.goal;
        if ahead >= T::one() {
            let excess = ahead.simd_min(T::lit(20.0));
            let root = T::lit(-1.0 / (4 + left) as f64);
            return Err(T::lit(0.8) * excess.simd_powf(root));
        }
        Ok(())
    }
}

fn diverged<T: Real>(residual: T, iterations: usize) -> Error {
    Error::NewtonDiverged {
        residual: lane_value(residual, 0),
        iterations,
        time: None,
    }
}

/// The sum of all further changes, relative to the last one, if each iteration leaves the part `rate` of an error.
fn remainder<T: Real + RealField>(rate: T) -> T {
    let rate = rate.simd_min(T::lit(0.99));
    rate / (T::one() - rate)
}
