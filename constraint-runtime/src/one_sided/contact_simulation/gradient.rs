//! Gradients of runs through impact, release, sticking and slipping.
//!
//! ```text
//! y⁺ = g(y⁻) where w(y⁻) = 0:   S = ∂g − (∂g f⁻ − f⁺) ⊗ ∂w/(∂w·f⁻)
//! ```
//! Backwards this saltation matrix is no matrix: the step to an event is one whose length solves w = 0, and the steps
//! from there begin at that time. The velocities after an impact are those of its last solution in its modes,
//! P = (1 + e) P₀ with K P₀ = −(1 + e) γ, of which the equations are differentiated.

use alloc::vec::Vec;

use nalgebra::{RealField, SVector};

use super::ContactSimulation;
use super::history::{Event, Step};
use crate::derivatives::{Derivatives, Linearization, Tangent};
use crate::error::Error;
use crate::event::Arrival;
use crate::gradient::recording::Recording;
use crate::gradient::{Asked, Gradient, Reversible, check, grazes, projection, refuse, step_back};
use crate::integrator::Motion;
use crate::one_sided::complementarity::Problem;
use crate::one_sided::impact::Push;
use crate::one_sided::in_mode_derivatives::{less, of_closed, of_friction, of_rows, row_of};
use crate::one_sided::terms::Geometry;
use crate::one_sided::watch::Watched;
use crate::one_sided::{OneSided, OneSidedDerivatives, slip_of};
use crate::real::{Real, lane_value};
use crate::state::State;
use crate::system::Constrained;
use crate::vector::Vector;

impl<T, S, I, const N: usize, const ALL: usize, const STATES: usize, const U: usize, const P: usize>
    ContactSimulation<T, S, I>
where
    T: Real + RealField,
    S: OneSidedDerivatives<T>
        + OneSided<T, AllRows = SVector<T, ALL>>
        + Constrained<T, V = SVector<T, N>>
        + Derivatives<
            T,
            Tangent = Tangent<T, N, U, P>,
            Linearization = Linearization<T, N, STATES, U, P>,
        >,
    I: Reversible<Scalar = T>,
{
    /// Runs to the last of the `times`, and computes the gradient of the sum of a loss over them, through all events:
    /// [`Simulation::gradient`](crate::Simulation::gradient) of a run with contacts.
    ///
    /// - Variables are the present state, inputs and parameters, restitution and friction among them. Of a start in
    ///   contact it is the gradient of the run from the nearest start in the same mode.
    /// - Which mode follows an event is constant; the time of the event and what happens there vary. Where bounces that
    ///   accumulate are passed, what was passed counts as it was: without restitution.
    /// - Cost: the run, its steps once more, and a `vjp` for each acceleration. Memory: a state for each step.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     #[derivatives]
    ///     struct Ball { m: Real = 1, g: Real = 10, e: Real = 0.5 }
    ///     particle ball: Point2 { mass: m }
    ///     gravity [0, -g];
    ///     constraint floor: ball.y >= 0 { restitution: e };
    /// }
    /// // From the height 5 it falls for 1 s and rises with e g: y(1.5) = e g s − g s²/2 at s = 1.5 − √(2 y₀/g).
    /// let start = State::new(0.0, [0.0, 5.0], [0.0, 0.0]);
    /// let mut run = ContactSimulation::new(Ball::<f64>::default(), start, Rk4::new(0.03))?;
    /// let found = run.gradient(&[1.5], |_, state, by| {
    ///     by.q.y += 1.0;
    ///     state.q.y
    /// })?;
    /// assert!((found.loss - 1.25).abs() < 1e-12);
    /// // ∂y/∂e = g s = 5. By the height: later by 1/g, faster by 1: e s − (e g − g s)/g.
    /// assert!((found.by.p[2] - 5.0).abs() < 1e-12 && (found.by.q.y - 0.25).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Simulation::gradient`](crate::Simulation::gradient); [`Error::GrazingContact`] if the function whose zero is an
    /// event touches zero rather than crosses it.
    pub fn gradient(
        &mut self,
        times: &[T],
        loss: impl FnMut(usize, &State<S::Q, S::V>, &mut Tangent<T, N, U, P>) -> T,
    ) -> Result<Gradient<T, N, U, P>, Error> {
        refuse::<T, S, N, U, P>(times, self.state())?;
        let (start, modes) = (self.state().clone(), self.in_mode().modes.clone());
        self.contacts.history = Some(Vec::new());
        let mut reached = Vec::with_capacity(times.len());
        let mut ends = Vec::with_capacity(times.len());
        for &time in times {
            let ran = self.run_until(time);
            reached.push(self.contacts.history.as_ref().map_or(0, Vec::len));
            ends.push(self.state().clone());
            if let Err(error) = ran {
                self.contacts.history = None;
                return Err(error);
            }
        }
        let steps = self.contacts.history.take().unwrap_or_default();
        let last = self.in_mode().modes.clone();
        let mut asked = Asked {
            loss,
            left: &reached,
            sum: T::zero(),
            bar: Tangent::default(),
        };
        let mut taken = self.run_back(&steps, &ends, &mut asked);
        let Asked { sum, mut bar, .. } = asked;
        if taken.is_ok() {
            self.simulation.system_mut().modes = modes;
            taken = projection::take_off(self.in_mode(), &start, &mut bar);
        }
        self.simulation.system_mut().modes = last;
        taken.and_then(|()| check(&bar))?;
        Ok(Gradient {
            loss: sum,
            by: bar,
            arrival: Arrival::Time,
        })
    }

    /// Maps the gradient with respect to the end of the run to the one with respect to its start.
    fn run_back<L>(
        &mut self,
        steps: &[Step<T, S>],
        ends: &[State<S::Q, S::V>],
        asked: &mut Asked<'_, T, L, N, U, P>,
    ) -> Result<(), Error>
    where
        L: FnMut(usize, &State<S::Q, S::V>, &mut Tangent<T, N, U, P>) -> T,
    {
        for count in (0..=steps.len()).rev() {
            let lands = match asked.left.len().checked_sub(1) {
                Some(place) => asked.at(count, &ends[place])?,
                None => false,
            };
            let Some(step) = steps[..count].last() else {
                break;
            };
            let taken = match &step.event {
                Some(event) => self.pass_back(step, event, &mut asked.bar),
                None => self.step_back(step, lands, &mut asked.bar),
            };
            taken.map_err(|error| error.of(self.in_mode(), lane_value(step.end, 0)))?;
        }
        Ok(())
    }

    /// Maps the gradient with respect to the end of a step without event to the one with respect to its start.
    fn step_back(
        &mut self,
        step: &Step<T, S>,
        lands: bool,
        bar: &mut Tangent<T, N, U, P>,
    ) -> Result<(), Error> {
        self.simulation.system_mut().modes = step.modes.clone();
        let recording = self.recording(step)?;
        let (method, stabilization) = self.simulation.method();
        let motion = Motion::new(self.in_mode(), stabilization);
        let taken = (&recording, recording.marks[0], step.h);
        if !lands {
            return step_back((&motion, method), taken, bar, false).map(|_| ());
        }
        // A step that lands on a time of the loss ends there regardless of its start.
        bar.t = T::zero();
        let length = step_back((&motion, method), taken, bar, true)?;
        bar.t -= length;
        Ok(())
    }

    /// The states of a step.
    fn recording(&self, step: &Step<T, S>) -> Result<Recording<S::Q, S::V>, Error> {
        let (method, stabilization) = self.simulation.method();
        let motion = Motion::new(self.in_mode(), stabilization);
        let mut recording = Recording::empty();
        let mut end = step.start.clone();
        end.t = step.end;
        recording.repeat((&motion, method), &step.start, step.h, None, &mut end)?;
        Ok(recording)
    }

    /// Maps the gradient with respect to the state after an event to the one with respect to the start of the step to it.
    ///
    /// ```text
    /// w(y(h)) = 0 at y(h) = Φ(y₀, h)        ȳ₀ = (∂Φ/∂y₀)ᵀ (ȳ − (ȳ·Φ_h/ẇ) ∂w/∂y),   ẇ = ∂w/∂y·Φ_h
    /// ```
    fn pass_back(
        &mut self,
        step: &Step<T, S>,
        event: &Event<T, S>,
        bar: &mut Tangent<T, N, U, P>,
    ) -> Result<(), Error> {
        self.simulation.system_mut().modes = event.next.clone();
        let (_, stabilization) = self.simulation.method();
        let motion = Motion::new(self.in_mode(), stabilization);
        let (mut after, mut places) = (event.after.clone(), Vec::new());
        projection::record(&motion, &mut after, &mut places)?;
        projection::pull_back(&motion, &places, bar)?;
        self.impacts_back(event, bar)?;

        self.simulation.system_mut().modes = step.modes.clone();
        let mut slopes = self.gradient_of_watched(event)?;
        let recording = self.recording(step)?;
        let (method, stabilization) = self.simulation.method();
        let motion = Motion::new(self.in_mode(), stabilization);
        let taken = (&recording, recording.marks[0], step.h);
        let rate = step_back((&motion, method), taken, &mut slopes, true)?;
        if grazes(rate, self.mean_rate(step, event)?) {
            return Err(Error::GrazingContact {
                constraint: S::GAPS[event.watched.gap()],
                time: None,
            });
        }
        let later = step_back((&motion, method), taken, bar, true)?;
        slopes *= later / rate;
        *bar -= &slopes;
        Ok(())
    }

    /// The mean rate, over a step, of the function whose zero is the event at its end.
    fn mean_rate(&self, step: &Step<T, S>, event: &Event<T, S>) -> Result<f64, Error> {
        let moving = self.in_mode();
        let [from, to] = [&step.start, &event.before].map(|it| moving.watched(event.watched, it));
        let (change, length) = (lane_value(to? - from?, 0), lane_value(step.h, 0));
        Ok(match length > 0.0 {
            true => change.abs() / length,
            false => 0.0,
        })
    }

    /// The gradient of the function whose zero is an event.
    fn gradient_of_watched(&self, event: &Event<T, S>) -> Result<Tangent<T, N, U, P>, Error> {
        let (moving, system) = (self.in_mode(), self.in_mode().system());
        let State { t, q, v } = &event.before;
        let mut sides = S::Sides::blank();
        let mut forces = S::AllRows::zeros();
        let slip = slip_of::<T, S>(event.watched.gap()).unwrap_or_default();
        match event.watched {
            Watched::Gap(i) => {
                sides[i] = T::one();
                return Ok(system.gaps_vjp(*t, q, &sides));
            }
            Watched::Slip(i) => {
                sides[slip] = T::lit(moving.modes()[i].sliding().unwrap_or_default());
                return Ok(system.one_sided_rates_vjp(*t, q, v, &sides));
            }
            Watched::Force(i) => {
                forces[row_of::<T, S>(i)] = T::lit(moving.modes()[i].pressing());
            }
            Watched::Grip(i, sign) => {
                let pressing = moving.contact_forces(*t, q, v)?[i];
                let direction = T::lit(if lane_value(pressing, 0) < 0.0 {
                    -1.0
                } else {
                    1.0
                });
                forces[row_of::<T, S>(i)] = system.contact_coefficients(*t, q)[slip] * direction;
                forces[row_of::<T, S>(slip)] = -T::lit(sign);
                sides[slip] = pressing * direction;
            }
        }
        let mut by = moving.vjp(*t, q, v, &SVector::zeros(), &forces)?;
        by += system.contact_coefficients_vjp(*t, q, &sides);
        Ok(by)
    }

    /// Maps the gradient with respect to the velocities after the impacts of an event to the one with respect to those
    /// before.
    fn impacts_back(
        &self,
        event: &Event<T, S>,
        bar: &mut Tangent<T, N, U, P>,
    ) -> Result<(), Error> {
        if event.pushes.is_empty() {
            return Ok(());
        }
        let system = self.in_mode().system();
        let State { t, q, v } = &event.before;
        let geometry: Geometry<T, S> = Geometry::new(system, *t, q)?;
        let mut velocities = Vec::with_capacity(event.pushes.len());
        let mut v = *v;
        for push in &event.pushes {
            velocities.push(v);
            v = geometry.pushed(&v, &event.impulses(push));
        }
        let mut coefficients = S::Sides::blank();
        for (push, v) in event.pushes.iter().zip(&velocities).rev() {
            self.push_back((event, &geometry), (push, v), bar, &mut coefficients)?;
        }
        *bar += system.contact_coefficients_vjp(*t, q, &coefficients);
        Ok(())
    }

    /// Reverses one of the solutions that impulses are summed from, at the velocities before it, and adds the gradient
    /// with respect to restitution and friction.
    fn push_back(
        &self,
        (event, geometry): (&Event<T, S>, &Geometry<T, S>),
        (push, v): (&Push<T, S>, &S::V),
        bar: &mut Tangent<T, N, U, P>,
        coefficients: &mut S::Sides,
    ) -> Result<(), Error> {
        let system = self.in_mode().system();
        let State { t, q, .. } = &event.before;
        let Push {
            modes,
            impulses,
            restitution,
            expansion,
        } = push;
        let counted = geometry.counted(&bar.v);
        let z = adjoint((event, geometry), push, &counted)?;
        let closed = of_closed::<T, S>(modes.as_ref(), &z);
        let rates = system.one_sided_rates(*t, q, v);
        let mut count = |gap: Option<usize>, by: T| {
            if let Some(gap) = gap.filter(|&gap| !event.stops.as_ref()[gap]) {
                coefficients[gap] += by;
            }
        };
        for i in 0..counted.entries().len() {
            count(expansion.as_ref()[i], counted[i] * impulses[i]);
            count(restitution.as_ref()[i], -closed[i] * rates[i]);
        }
        let slides = of_friction::<T, S>(modes.as_ref(), &z, impulses);
        coefficients.update(|i, it| it + slides[i]);
        // W P, K P₀ and (1 + e) γ, in this order.
        let none = S::Rows::blank();
        let outer = bar.v;
        let reaction = less(geometry, &SVector::zeros(), &closed);
        *bar += system.one_sided_responses_vjp(*t, q, &event.impulses(push), &outer, &none)?;
        *bar += system.one_sided_responses_vjp(*t, q, impulses, &reaction, &none)?;
        let moved = geometry.pushed(&SVector::zeros(), impulses);
        *bar -= &of_rows(system, (*t, q), &moved, &closed);
        let factors = event.factors(restitution);
        let weights = closed.like(|i| closed[i] * factors[i]);
        *bar -= &system.one_sided_rates_vjp(*t, q, v, &weights);
        Ok(())
    }
}

/// z of Kᵀ z = (1 + e) Wᵀ v*, of the P₀ of one solution.
fn adjoint<T: Real, S: OneSided<T>>(
    (event, geometry): (&Event<T, S>, &Geometry<T, S>),
    push: &Push<T, S>,
    counted: &S::Sides,
) -> Result<S::Sides, Error> {
    let factors = event.factors(&push.expansion);
    let right = counted.like(|i| counted[i] * factors[i]);
    let problem: Problem<'_, T, S> = Problem {
        mobility: &geometry.mobility,
        right: right.zeros_like(),
        sizes: right.zeros_like(),
        friction: &event.coefficients,
    };
    let z = problem.solve_adjoint(push.modes.as_ref(), &right);
    z.ok_or(Error::Singular {
        row: row_of::<T, S>(event.watched.gap()).into(),
        pivot: 0.0,
        time: None,
    })
}
