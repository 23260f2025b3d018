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
use super::history::{Entry, Event, History, Step};
use crate::derivatives::{Derivatives, Linearization, Tangent};
use crate::error::Error;
use crate::event::Arrival;
use crate::gradient::recording::Recording;
use crate::gradient::{Asked, Gradient, Reversible, check, grazes, projection, refuse, step_back};
use crate::integrator::Motion;
use crate::one_sided::complementarity::Problem;
use crate::one_sided::impact::{Push, Restitution};
use crate::one_sided::in_mode_derivatives::{less, of_closed, of_friction, of_rows, row_of};
use crate::one_sided::terms::Geometry;
use crate::one_sided::watch::Watched;
use crate::one_sided::{InMode, OneSided, OneSidedDerivatives, slip_of};
use crate::real::{Real, lane_value};
use crate::simulation::Simulation;
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

impl<T, S, I, const N: usize, const ALL: usize, const STATES: usize, const U: usize, const P: usize>
    ContactSimulation<T, S, I>
where
    T: Real + RealField,
    S: OneSidedDerivatives<T>
        + OneSided<T, AllRows = SVector<T, ALL>>
        + System<T, V = SVector<T, N>>
        + Derivatives<
            T,
            Tangent = Tangent<T, N, U, P>,
            Linearization = Linearization<T, N, STATES, U, P>,
        >,
    I: Reversible<Scalar = T>,
{
    /// Runs to the last of the `times`, and computes the gradient of the sum of a loss over them, through all events:
    /// [`Simulation::gradient`] of a run with contacts.
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
    /// As [`Simulation::gradient`]; [`Error::GrazingContact`] where the function whose zero is an event touches zero rather
    /// than crosses it.
    pub fn gradient(
        &mut self,
        times: &[T],
        loss: impl FnMut(usize, &State<S::Q, S::V>, &mut Tangent<T, N, U, P>) -> T,
    ) -> Result<Gradient<T, N, U, P>, Error> {
        refuse::<T, S, N, U, P>(times, self.state())?;
        let (start, modes) = (self.state().clone(), self.in_mode().modes.clone());
        self.contacts.history = Some(History(Vec::new()));
        let mut reached = Vec::with_capacity(times.len());
        let mut ends = Vec::with_capacity(times.len());
        for &time in times {
            let ran = self.run_until(time);
            let count = self.contacts.history.as_ref().map_or(0, |it| it.0.len());
            reached.push(count);
            ends.push(self.state().clone());
            if let Err(error) = ran {
                self.contacts.history = None;
                return Err(error);
            }
        }
        let History(entries) = self.contacts.history.take().unwrap_or(History(Vec::new()));
        let last = self.in_mode().modes.clone();
        let mut asked = Asked {
            loss,
            left: &reached,
            sum: T::zero(),
            bar: Tangent::default(),
        };
        let run = &mut self.simulation;
        let mut taken = back(run, &entries, &ends, &mut asked);
        let Asked { sum, mut bar, .. } = asked;
        if taken.is_ok() {
            run.system_mut().modes = modes;
            taken = projection::take_off(run.system(), &start, &mut bar);
        }
        run.system_mut().modes = last;
        taken.and_then(|()| check(&bar))?;
        Ok(Gradient {
            loss: sum,
            by: bar,
            arrival: Arrival::Time,
        })
    }
}

/// Maps the gradient with respect to the end of the run to the one with respect to its start.
fn back<
    T,
    S,
    I,
    L,
    const N: usize,
    const ALL: usize,
    const STATES: usize,
    const U: usize,
    const P: usize,
>(
    run: &mut Simulation<InMode<T, S>, I>,
    entries: &[Entry<T, S>],
    ends: &[State<S::Q, S::V>],
    asked: &mut Asked<'_, T, L, N, U, P>,
) -> Result<(), Error>
where
    T: Real + RealField,
    S: OneSidedDerivatives<T>
        + OneSided<T, AllRows = SVector<T, ALL>>
        + System<T, V = SVector<T, N>>
        + Derivatives<
            T,
            Tangent = Tangent<T, N, U, P>,
            Linearization = Linearization<T, N, STATES, U, P>,
        >,
    I: Reversible<Scalar = T>,
    L: FnMut(usize, &State<S::Q, S::V>, &mut Tangent<T, N, U, P>) -> T,
{
    let mut left = entries;
    loop {
        let lands = match asked.left.len().checked_sub(1) {
            Some(place) => asked.at(left.len(), &ends[place])?,
            None => false,
        };
        let located = |error: Error, run: &Simulation<InMode<T, S>, I>, t: T| {
            error.of(run.system(), lane_value(t, 0))
        };
        match left {
            [] => return Ok(()),
            [others @ .., Entry::Step(step)] => {
                run.system_mut().modes = step.modes.clone();
                let taken = step_taken_back(run, step, lands, &mut asked.bar);
                taken.map_err(|error| located(error, run, step.end))?;
                left = others;
            }
            [others @ .., Entry::Step(step), Entry::Event(event)] => {
                let taken = pass_back(run, step, event, &mut asked.bar);
                taken.map_err(|error| located(error, run, step.end))?;
                left = others;
            }
            [.., Entry::Event(_)] => unreachable!("an event ends a step"),
        }
    }
}

/// Maps the gradient with respect to the end of a step without event to the one with respect to its start.
fn step_taken_back<T, S, I, const N: usize, const U: usize, const P: usize>(
    run: &Simulation<InMode<T, S>, I>,
    step: &Step<T, S>,
    lands: bool,
    bar: &mut Tangent<T, N, U, P>,
) -> Result<(), Error>
where
    T: Real + RealField,
    S: OneSided<T>,
    InMode<T, S>:
        System<T, Q = S::Q, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    S: System<T, V = SVector<T, N>>,
    I: Reversible<Scalar = T>,
{
    let recording = repeated(run, step)?;
    let (method, stabilization) = run.method();
    let motion = Motion::new(run.system(), stabilization);
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
fn repeated<T, S, I>(
    run: &Simulation<InMode<T, S>, I>,
    step: &Step<T, S>,
) -> Result<Recording<S::Q, S::V>, Error>
where
    T: Real,
    S: OneSided<T>,
    I: Reversible<Scalar = T>,
{
    let (method, stabilization) = run.method();
    let motion = Motion::new(run.system(), stabilization);
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
fn pass_back<
    T,
    S,
    I,
    const N: usize,
    const ALL: usize,
    const STATES: usize,
    const U: usize,
    const P: usize,
>(
    run: &mut Simulation<InMode<T, S>, I>,
    step: &Step<T, S>,
    event: &Event<T, S>,
    bar: &mut Tangent<T, N, U, P>,
) -> Result<(), Error>
where
    T: Real + RealField,
    S: OneSidedDerivatives<T>
        + OneSided<T, AllRows = SVector<T, ALL>>
        + System<T, V = SVector<T, N>>
        + Derivatives<
            T,
            Tangent = Tangent<T, N, U, P>,
            Linearization = Linearization<T, N, STATES, U, P>,
        >,
    I: Reversible<Scalar = T>,
{
    run.system_mut().modes = event.next.clone();
    let (_, stabilization) = run.method();
    let motion = Motion::new(run.system(), stabilization);
    let (mut after, mut places) = (event.after.clone(), Vec::new());
    projection::record(&motion, &mut after, &mut places)?;
    projection::pull_back(&motion, &places, bar)?;
    pushes_back(run.system().system(), event, bar)?;

    run.system_mut().modes = step.modes.clone();
    let moving = run.system();
    let mut slopes = of_watched(moving, event)?;
    let recording = repeated(run, step)?;
    let (method, stabilization) = run.method();
    let motion = Motion::new(moving, stabilization);
    let taken = (&recording, recording.marks[0], step.h);
    let rate = step_back((&motion, method), taken, &mut slopes, true)?;
    let [from, to] = [&step.start, &event.before].map(|it| moving.watched(event.watched, it));
    let (change, length) = (lane_value(to? - from?, 0), lane_value(step.h, 0));
    let mean = if length > 0.0 {
        change.abs() / length
    } else {
        0.0
    };
    if grazes(rate, mean) {
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

/// The gradient of the function whose zero is an event.
fn of_watched<
    T,
    S,
    const N: usize,
    const ALL: usize,
    const STATES: usize,
    const U: usize,
    const P: usize,
>(
    moving: &InMode<T, S>,
    event: &Event<T, S>,
) -> Result<Tangent<T, N, U, P>, Error>
where
    T: Real,
    S: OneSidedDerivatives<T>
        + OneSided<T, AllRows = SVector<T, ALL>>
        + System<T, V = SVector<T, N>>
        + Derivatives<
            T,
            Tangent = Tangent<T, N, U, P>,
            Linearization = Linearization<T, N, STATES, U, P>,
        >,
{
    let system = moving.system();
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

/// Maps the gradient with respect to the velocities after the impacts of an event to the one with respect to those before.
fn pushes_back<T, S, const N: usize, const U: usize, const P: usize>(
    system: &S,
    event: &Event<T, S>,
    bar: &mut Tangent<T, N, U, P>,
) -> Result<(), Error>
where
    T: Real,
    S: OneSidedDerivatives<T>
        + System<T, V = SVector<T, N>>
        + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
{
    if event.pushes.is_empty() {
        return Ok(());
    }
    let State { t, q, v } = &event.before;
    let geometry: Geometry<T, S> = Geometry::new(system, *t, q)?;
    let times = |of: &Restitution<T, S>, i: usize| {
        let gap = of.as_ref()[i];
        gap.map_or(T::one(), |gap| event.coefficients[gap] + T::one())
    };
    // The velocities before each.
    let mut velocities = Vec::with_capacity(event.pushes.len());
    let mut v = *v;
    for push in &event.pushes {
        let all = push
            .impulses
            .like(|i| push.impulses[i] * times(&push.expansion, i));
        velocities.push(v);
        v = geometry.pushed(&v, &all);
    }
    let mut coefficients = S::Sides::blank();
    let mut count = |gap: Option<usize>, by: T| {
        if let Some(gap) = gap.filter(|&gap| !event.stops.as_ref()[gap]) {
            coefficients[gap] += by;
        }
    };
    let mut of_friction_of_all = S::Sides::blank();
    for (push, v) in event.pushes.iter().zip(&velocities).rev() {
        let Push {
            modes,
            impulses,
            restitution,
            expansion,
        } = push;
        let modes = modes.as_ref();
        let all = impulses.like(|i| impulses[i] * times(expansion, i));
        let counted = geometry.counted(&bar.v);
        let mut inner = counted.clone();
        inner.update(|i, it| it * times(expansion, i));
        let problem: Problem<'_, T, S> = Problem {
            mobility: &geometry.mobility,
            right: inner.zeros_like(),
            sizes: inner.zeros_like(),
            friction: &event.coefficients,
        };
        let z = problem
            .solve_adjoint(modes, &inner)
            .ok_or(Error::Singular {
                row: row_of::<T, S>(event.watched.gap()).into(),
                pivot: 0.0,
                time: None,
            })?;
        let closed = of_closed::<T, S>(modes, &z);
        let rates = system.one_sided_rates(*t, q, v);
        for i in 0..inner.entries().len() {
            count(expansion.as_ref()[i], counted[i] * impulses[i]);
            count(restitution.as_ref()[i], -closed[i] * rates[i]);
        }
        let slides = of_friction::<T, S>(modes, &z, impulses);
        of_friction_of_all.update(|i, it| it + slides[i]);
        // W P, K P₀ and (1 + e) γ, in this order.
        let none = S::Rows::blank();
        let outer = bar.v;
        let reaction = less(&geometry, &SVector::zeros(), &closed);
        *bar += system.one_sided_responses_vjp(*t, q, &all, &outer, &none)?;
        *bar += system.one_sided_responses_vjp(*t, q, impulses, &reaction, &none)?;
        let moved = geometry.pushed(&SVector::zeros(), impulses);
        *bar -= &of_rows(system, (*t, q), &moved, &closed);
        let weights = closed.like(|i| closed[i] * times(restitution, i));
        *bar -= &system.one_sided_rates_vjp(*t, q, v, &weights);
    }
    coefficients.update(|i, it| it + of_friction_of_all[i]);
    *bar += system.contact_coefficients_vjp(*t, q, &coefficients);
    Ok(())
}
