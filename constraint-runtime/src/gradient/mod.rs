//! Gradients of whole runs by reverse differentiation: the run is replayed in reverse, step by step.
//!
//! ```text
//! Simulation::gradient ─► Course: the run's steps, and some of its states ─► Backwards, segment by segment:
//!     repeat forwards, recording the states         (Reversible::record, then the projection's: Recording)
//!     backwards, the gradient by each state         (Reversible::pull_back)
//! ```
//! A short run with steps of fixed size stores its states in the first pass and needs no second one.
//!
//! Invariant: the steps are differentiated, not the flow: step sizes that a method chose count as constants.

mod backwards;
mod course;
pub(crate) mod projection;
mod radau5;
mod rattle;
pub(crate) mod recording;
mod reversible;

pub use self::reversible::Reversible;

use nalgebra::SVector;

pub(crate) use self::backwards::{Asked, check, grazes, step_back};
use self::backwards::{Backwards, Passages};
use self::course::Course;
use crate::derivatives::{Derivatives, Tangent};
use crate::error::{Error, Obstacle};
use crate::event::{Arrival, Events};
use crate::integrator::Motion;
use crate::real::{Real, lane_value};
use crate::simulation::Simulation;
use crate::state::State;
use crate::system::{Dynamics, System};
use crate::vector::Vector;

/// A loss of a run, and its gradient with respect to the start, the inputs and the parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gradient<T, const N: usize, const U: usize, const P: usize> {
    /// The loss: the sum over all times.
    pub loss: T,
    /// Its gradient with respect to the time, the coordinates and the velocities of the start, the inputs and the
    /// parameters.
    ///
    /// For a start on constraints, it is the gradient of the run from the nearest start on them, as
    /// [`make_consistent`](crate::make_consistent) finds it: a parameter that moves the constraints moves the start
    /// as well. For the derivative with respect to the start's time, the times of the loss are fixed.
    pub by: Tangent<T, N, U, P>,
    /// Where the run ended: at the last of the times, or at an event before.
    pub arrival: Arrival,
}

impl<T: Real, S, I> Simulation<S, I>
where
    S: Dynamics<T>,
    I: Reversible<Scalar = T>,
{
    /// Runs to the last of the `times`, and computes the gradient of the sum of a loss over them.
    ///
    /// ```text
    /// L = Σₖ ℓ(tₖ, qₖ, vₖ, u, p)         yₖ₊₁ = Φ(yₖ, u, p): the steps
    /// ȳₖ = (∂Φ/∂y)ᵀ ȳₖ₊₁ + ∂ℓ/∂yₖ        p̄ = Σ (∂Φ/∂p)ᵀ ȳₖ₊₁ + ∂ℓ/∂p
    /// ```
    /// `loss` receives the index of the time and the state there; it returns ℓ and adds its gradient to the tangent,
    /// which is zero at first. It is called once for each time, the last one first. Afterwards the simulation is
    /// where [`run_until`](Self::run_until) would have left it.
    ///
    /// - The steps are differentiated, including projections onto the constraints: the gradient equals that of dual
    ///   numbers sent through the same run, and it is exact for steps of any size. Step lengths that
    ///   [`DormandPrince`](crate::DormandPrince) chose count as constants, except the last one before each of the
    ///   `times`. If a projection has a tolerance, C counts as zero within it.
    /// - Shapes and units: those of [`Tangent`], each entry in units of the loss over those of its variable.
    /// - Steps of [`Rattle`](crate::Rattle) are implicit; so is their reversal, by iterations that converge where
    ///   those do. Steps of [`Radau5`](crate::Radau5) are exact as far as Newton's method is; each eliminates a
    ///   matrix of three times as many rows as there are velocities, on the heap.
    /// - Cost: the run, and backwards a [`vjp`](Derivatives::vjp) for each acceleration, and for each projection and
    ///   each of its iterations a [`place_correction_vjp`](Derivatives::place_correction_vjp), for any number of
    ///   parameters: about 4 times the run for projected chains with [`Rk4`](crate::Rk4). If steps are not of fixed
    ///   size, or more numerous than can be stored at a time, or if there are events, the run is repeated once: 5
    ///   times. Memory: the states of up to 1,024 steps, within 16 MB; for n steps, √(2 n) more states and two
    ///   numbers per step.
    /// - With dual numbers as scalars, it gives products of the Hessian with a vector.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     #[derivatives]
    ///     struct Spring { m: Real = 2, k: Real = 8 }
    ///     coordinate x;
    ///     particle weight = [x, 0] { mass: m }
    ///     potential k/2*x^2;
    /// }
    /// let spring = Spring::<f64>::default();
    /// let mut run = Simulation::new(spring, State::new(0.0, [1.0], [0.0]), Rk4::new(1e-3))?;
    /// // L = x(t)² with x = cos(2 t), for k/m = 4.
    /// let t = 1.0_f64;
    /// let Gradient { loss, by, .. } = run.gradient(&[t], |_, state, slopes| {
    ///     slopes.q[0] += 2.0 * state.q[0];
    ///     state.q[0].powi(2)
    /// })?;
    /// let (sin, cos) = (2.0 * t).sin_cos();
    /// assert!((loss - cos * cos).abs() < 1e-10);
    /// assert!((by.q[0] - 2.0 * cos * cos).abs() < 1e-10);
    /// assert!((by.v[0] - cos * sin).abs() < 1e-10);
    /// // ω = √(k/m): ∂ω/∂m = −ω/(2 m), ∂ω/∂k = ω/(2 k).
    /// let by_omega = -2.0 * cos * sin * t;
    /// assert!((by.p[0] + by_omega / 2.0).abs() < 1e-10 && (by.p[1] - by_omega / 8.0).abs() < 1e-10);
    /// // A later start: a run shorter by as much.
    /// assert!((by.t - 4.0 * cos * sin).abs() < 1e-10);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoGradient`], which states the reason; [`Error::InvalidTime`] for times that are not in order;
    /// [`Error::NonFinite`] for a loss that is not finite; those of [`run_until`](Self::run_until) and of
    /// [`Derivatives`]. The state is then the last good one of the run.
    pub fn gradient<const N: usize, const U: usize, const P: usize>(
        &mut self,
        times: &[T],
        loss: impl FnMut(usize, &State<S::Q, S::V>, &mut Tangent<T, N, U, P>) -> T,
    ) -> Result<Gradient<T, N, U, P>, Error>
    where
        S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    {
        self.gradient_through(times, loss, |_, _, _| (), |_, _, _| ())
    }
}

impl<T: Real, S, I, E> Simulation<S, I, E>
where
    S: System<T>,
    I: Reversible<Scalar = T>,
    E: Events<S::Q, S::V>,
{
    /// [`gradient`](Self::gradient) of a run with events that change the state or stop it.
    ///
    /// ```text
    /// g(t, q, v, u, p) = 0 at the end of a step of the length h        δh = −(∂g/∂y·δy)/ġ
    /// ```
    /// `function` adds the gradient of the function of an event, given by its index, at a state where it is zero.
    /// `handler` reverses the effect of an event's handler on the state: it receives the gradient with
    /// respect to the state after the event and must change it to the one with respect to the state before; it adds the
    /// derivatives with respect to inputs and parameters. It is not called if a handler changes nothing.
    ///
    /// - A run that an event stops ends there: the loss is evaluated at that state, with the index of the time that
    ///   was not reached, and at no later time. There, the derivative with
    ///   respect to t accounts for the change in the time of the event.
    /// - Two simultaneous events have at most one-sided derivatives; the result is for the order in which they
    ///   happened.
    /// - Cost: in addition, two reversed steps and two states for each event.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     #[derivatives]
    ///     struct Ball { m: Real = 1, g: Real = 10, bounce: Real = 0.5 }
    ///     particle ball: Point2 { mass: m }
    ///     gravity [0, -g];
    /// }
    /// let ball = Ball::<f64>::default();
    /// let Ball { g, bounce: e, .. } = ball;
    /// let mut run = Simulation::new(ball, State::new(0.0, [0.0, 5.0], [0.0, 0.0]), Rk4::new(0.03))?
    ///     .on(Crossing::Falling, |state| state.q.y, |state| {
    ///         state.v.y *= -e;
    ///         Then::Continue
    ///     });
    /// // From the height 5 it falls for √(2·5/g) = 1, and rises with e g: y(1.5) = e g s − g s²/2 at s = 1.5 − √(2 y₀/g).
    /// let found = run.gradient_through(
    ///     &[1.5],
    ///     |_, state, by| {
    ///         by.q.y += 1.0;
    ///         state.q.y
    ///     },
    ///     |_, _, by| by.q.y += 1.0,
    ///     |_, before, bar| {
    ///         bar.p[2] -= before.v.y * bar.v.y;
    ///         bar.v.y *= -e;
    ///     },
    /// )?;
    /// assert!((found.loss - 1.25).abs() < 1e-12);
    /// // ∂y/∂e = g s = 5. By the height: later by 1/g, faster by 1: e s − (e g − g s)/g.
    /// assert!((found.by.p[2] - 5.0).abs() < 1e-12 && (found.by.q.y - 0.25).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`gradient`](Self::gradient), and [`Error::GrazingEvent`] if the function of an event touches zero rather
    /// than crosses it.
    pub fn gradient_through<const N: usize, const U: usize, const P: usize>(
        &mut self,
        times: &[T],
        loss: impl FnMut(usize, &State<S::Q, S::V>, &mut Tangent<T, N, U, P>) -> T,
        function: impl FnMut(usize, &State<S::Q, S::V>, &mut Tangent<T, N, U, P>),
        handler: impl FnMut(usize, &State<S::Q, S::V>, &mut Tangent<T, N, U, P>),
    ) -> Result<Gradient<T, N, U, P>, Error>
    where
        S: System<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    {
        refuse::<T, S, N, U, P>(times, self.state())?;
        let mut course = Course::of(self, times)?;
        let kept = course.kept.take();
        let (method, stabilization) = self.method();
        let motion = Motion::new(self.system(), stabilization);
        let events = Varying {
            events: self.events(),
            function,
            handler,
        };
        Backwards::new(motion, method, &course, kept).gradient(loss, events)
    }
}

/// Rejects what cannot be reversed.
pub(crate) fn refuse<T, S, const N: usize, const U: usize, const P: usize>(
    times: &[T],
    state: &State<S::Q, S::V>,
) -> Result<(), Error>
where
    T: Real,
    S: Dynamics<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
{
    let obstacle = if times.is_empty() {
        Obstacle::NoTimes
    } else if !S::HOLDS_INPUTS {
        Obstacle::InputsByLaw
    } else if state.q.entries().len() != N {
        Obstacle::Rotations
    } else {
        return Ok(());
    };
    Err(obstacle.into())
}

/// Events with their gradients.
struct Varying<'a, E, F, H> {
    events: &'a E,
    function: F,
    handler: H,
}

impl<Q, V, B, E, F, H> Passages<Q, V, B> for Varying<'_, E, F, H>
where
    Q: Vector,
    V: Vector<Scalar = Q::Scalar>,
    E: Events<Q, V>,
    F: FnMut(usize, &State<Q, V>, &mut B),
    H: FnMut(usize, &State<Q, V>, &mut B),
{
    fn descent(&self, event: usize, ends: [&State<Q, V>; 2], h: Q::Scalar) -> f64 {
        let [start, end] = ends.map(|state| self.events.value(event, state));
        let length = lane_value(h, 0);
        if length > 0.0 {
            (end - start).abs() / length
        } else {
            0.0
        }
    }

    fn function(&mut self, event: usize, state: &State<Q, V>, slopes: &mut B) {
        (self.function)(event, state, slopes);
    }

    fn handler(&mut self, event: usize, before: &State<Q, V>, bar: &mut B) {
        (self.handler)(event, before, bar);
    }
}
