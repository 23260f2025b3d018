//! Gradients of whole runs, in reverse: the steps that were made are taken back one by one.
//!
//! ```text
//! Simulation::gradient ─► Course: the run's steps, and a state now and then ─► Backwards, segment by segment:
//!     forwards again, each step's places kept      (Reversible::record, then the projection's: Recording)
//!     backwards, what the loss counts of each state (Reversible::pull_back)
//! ```
//! Of a short run by steps of fixed size the places are kept as it is made, and it is not made again.
//!
//! Invariant: what is differentiated are the steps, not the flow: step sizes that a method chose count as constants.

mod backwards;
mod course;
mod projection;
mod radau5;
mod rattle;
mod recording;
mod reversible;

pub use self::reversible::Reversible;

use nalgebra::SVector;

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

/// A loss of a run, and how it varies with the start, the inputs and the parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gradient<T, const N: usize, const U: usize, const P: usize> {
    /// The loss: the sum over all times.
    pub loss: T,
    /// Its slopes: by the time, the coordinates and the velocities of the start, by the inputs and by the parameters.
    ///
    /// Of a start on constraints, those of the run from the nearest start on them, as
    /// [`make_consistent`](crate::make_consistent) finds it: a parameter that moves the constraints takes the start along.
    /// By the time of the start, the times of the loss stay where they are.
    pub by: Tangent<T, N, U, P>,
    /// Where the run has arrived: at the last of the times, or at an event before.
    pub arrival: Arrival,
}

impl<T: Real, S, I> Simulation<S, I>
where
    S: Dynamics<T>,
    I: Reversible<Scalar = T>,
{
    /// Runs to the last of the `times`, and tells how the sum of a loss over them varies.
    ///
    /// ```text
    /// L = Σₖ ℓ(tₖ, qₖ, vₖ, u, p)         yₖ₊₁ = Φ(yₖ, u, p): the steps that are made
    /// ȳₖ = (∂Φ/∂y)ᵀ ȳₖ₊₁ + ∂ℓ/∂yₖ        p̄ = Σ (∂Φ/∂p)ᵀ ȳₖ₊₁ + ∂ℓ/∂p
    /// ```
    /// `loss` is told which of the times it is and the state there; it gives ℓ and adds its slopes to the tangent, which
    /// is zero before. It is asked once for each time, the last one first. The simulation then stands where
    /// [`run_until`](Self::run_until) would have left it.
    ///
    /// - What is differentiated are the steps, projections onto the constraints included: the gradient is that of dual
    ///   numbers sent through the same run, and it is exact for steps of any size. Lengths that
    ///   [`DormandPrince`](crate::DormandPrince) chose count as constants, but for the last one before each of the `times`.
    ///   Where a projection has a tolerance, C counts as zero within it.
    /// - Shapes and units: those of [`Tangent`], each entry in units of the loss over those of what it belongs to.
    /// - Steps of [`Rattle`](crate::Rattle) solve for what they are; so does their way back, by iterations that converge
    ///   where those do. Those of [`Radau5`](crate::Radau5) are exact as far as Newton's method is; each eliminates a
    ///   matrix of three times as many rows as there are velocities, on the heap.
    /// - Cost: the run, and backwards a [`vjp`](Derivatives::vjp) for each acceleration, and for each projection and each
    ///   of its iterations a [`place_correction_vjp`](Derivatives::place_correction_vjp), however many parameters there
    ///   are: of projected chains by [`Rk4`](crate::Rk4) about 4 times the run. Where steps are not of fixed size, or more
    ///   than are kept at a time, or there are events, the run is made once more: 5 times. Memory: the places of up to
    ///   1,024 steps, within 16 MB; of n steps √(2 n) states beside, and two numbers a step.
    /// - Dual numbers for scalars give products of the Hessian with a vector.
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
    /// // Later by as much: a shorter run.
    /// assert!((by.t - 4.0 * cos * sin).abs() < 1e-10);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoGradient`], which says why; [`Error::InvalidTime`] for times that are not in order;
    /// [`Error::NonFinite`] for a loss that is no number; those of [`run_until`](Self::run_until) and of
    /// [`Derivatives`]. The state is then the last good one of the run.
    pub fn gradient<const N: usize, const U: usize, const P: usize>(
        &mut self,
        times: &[T],
        loss: impl FnMut(usize, &State<S::Q, S::V>, &mut Tangent<T, N, U, P>) -> T,
    ) -> Result<Gradient<T, N, U, P>, Error>
    where
        S: Dynamics<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
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
    /// [`gradient`](Self::gradient) of a run with events, which change the state or stop it.
    ///
    /// ```text
    /// g(t, q, v, u, p) = 0 at the end of a step of the length h        δh = −(∂g/∂y·δy)/ġ
    /// ```
    /// `function` adds the slopes of the function of an event, told by its index, at a state where it is zero.
    /// `handler` takes back what the handler of an event does to a state: the tangent that it is given counts the
    /// state after, and is to count the state before; what the handler makes of inputs and parameters it adds. It is
    /// not asked where a handler changes nothing.
    ///
    /// - A run that an event stops ends there: the loss is asked of that state, as of the time that was not reached, and of
    ///   no later time. There, a slope by t counts how the time of the event varies.
    /// - Two events at once have one-sided derivatives at most; those in the order in which they happened are given.
    /// - Cost: besides, two steps back more for each event, and two states.
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
    /// As [`gradient`](Self::gradient), and [`Error::GrazingEvent`] where the function of an event touches zero rather
    /// than crosses it.
    pub fn gradient_through<const N: usize, const U: usize, const P: usize>(
        &mut self,
        times: &[T],
        loss: impl FnMut(usize, &State<S::Q, S::V>, &mut Tangent<T, N, U, P>) -> T,
        function: impl FnMut(usize, &State<S::Q, S::V>, &mut Tangent<T, N, U, P>),
        handler: impl FnMut(usize, &State<S::Q, S::V>, &mut Tangent<T, N, U, P>),
    ) -> Result<Gradient<T, N, U, P>, Error>
    where
        S: Dynamics<T, V = SVector<T, N>> + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
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

/// What cannot be taken back.
fn refuse<T, S, const N: usize, const U: usize, const P: usize>(
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

/// Events with their slopes.
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
