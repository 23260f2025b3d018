//! Many copies of one system at once: in lanes, on all threads.

mod ends;
mod exact;
mod follow;
mod groups;
mod inputs;
mod lanes;
mod methods;
mod random;
mod shards;
mod statistics;
mod threads;
#[cfg(feature = "serde-no-std")]
mod written;

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::num::NonZero;
use core::ops::Range;
use std::thread;

use nalgebra::RealField;

/// Four `f32` in one.
pub use simba::simd::WideF32x4 as F32x4;
/// Eight `f32` in one: the lanes of an [`Ensemble`] of `f32`.
pub use simba::simd::WideF32x8 as F32x8;
/// Four `f64` in one: the lanes of an [`Ensemble`] of `f64`.
pub use simba::simd::WideF64x4 as F64x4;

pub use self::ends::Ends;
pub use self::groups::{OneByOne, Side};
#[doc(hidden)]
pub use self::inputs::{Laws, OneLane};
#[doc(hidden)]
pub use self::lanes::gather_flat;
pub use self::lanes::{InLanes, Lanes};
pub use self::methods::LaneIntegrator;
pub use self::random::Random;
pub use self::shards::Shards;
pub use self::statistics::{Histogram, Statistics};

use self::follow::{Follow, Followed, Unseen};
use self::groups::{Ended, Plan};
use self::threads::in_order;
use crate::error::{Error, Names, Quantity};
use crate::event::{Arrival, Crossing};
use crate::integrator::Integrator;
use crate::real::{Real, is_finite, lane_value};
use crate::simulation::Simulation;
use crate::stabilization::Stabilization;
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// Number of copies that a thread takes at a time: a multiple of any number of lanes, so that the grouping of copies
/// does not depend on the threads.
const BLOCK: usize = 64;

/// Many copies of one system, each with its own parameters, inputs and start.
///
/// Copies run side by side in the lanes of a SIMD scalar, and on all threads of the machine. `copy` creates a copy
/// from its number when its turn comes, in any thread.
///
/// - If a copy fails, only that copy returns an error: its neighbours are rerun without it.
/// - Numbers: those of one copy are the same on any number of threads and next to any other copies. In `f64` they
///   equal those of a [`Simulation`] of that copy alone, to the last bit, except for systems with sines or cosines:
///   in lanes these come from the crate `wide` and differ from the standard library's by rounding.
/// - Lanes are used for generated systems with methods of fixed steps; a feedback law is called for one copy at a
///   time. Adaptive methods and [`ImpulseStepper`](crate::ImpulseStepper) run copy by copy; for other systems, and
///   methods for stiff motion, choose [`one_by_one`](Self::one_by_one).
/// - Memory: a state for each copy; bounded if each end is [consumed](Self::for_each_end) as it arrives, for example
///   into [`Statistics`] or a [`Histogram`].
/// - Cost: compile for your machine, `RUSTFLAGS="-C target-cpu=native"`; the default target of x86-64 has no lanes of
///   four.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// Two rods, one hanging from the other.
///     struct DoublePendulum { m1: Real = 1, m2: Real = 1, l1: Real = 1, l2: Real = 1, g: Real = 9.81 }
///     particle upper: Point2 { mass: m1 }
///     particle lower: Point2 { mass: m2 }
///     constraint first: norm(upper) == l1;
///     constraint second: norm(lower - upper) == l2;
///     gravity [0, -g];
/// }
///
/// // A hundred pendulums, each with a second rod a little longer than the one before.
/// let ensemble = Ensemble::new(100, |i| {
///     let l2 = 1.0 + 0.01 * i as f64;
///     let pendulum = DoublePendulum { l2, ..Default::default() };
///     let start = State::new(0.0, [1.0, 0.0, 1.0 + l2, 0.0], [0.0; 4]);
///     Ok((pendulum, start))
/// });
/// let ends = ensemble.run_until(1.0, Rk4::new(1e-3))?;
/// let heights = ends.column("lower.y").unwrap();
///
/// // The same as a single run.
/// let pendulum = DoublePendulum { l2: 1.07, ..Default::default() };
/// let start = State::new(0.0, [1.0, 0.0, 2.07, 0.0], [0.0; 4]);
/// let mut alone = Simulation::new(pendulum, start, Rk4::new(1e-3))?;
/// alone.run_until(1.0)?;
/// assert_eq!(heights[7], alone.coordinates().lower.y);
/// # Ok::<(), Error>(())
/// ```
pub struct Ensemble<S, Q, V, F, L>
where
    Q: Vector,
{
    copies: Range<usize>,
    copy: F,
    stabilization: Stabilization<Q::Scalar>,
    threads: Option<NonZero<usize>>,
    marker: Of<(S, Q, V, L)>,
}

/// The types of a copy, whose values are short-lived.
type Of<X> = PhantomData<fn() -> X>;

/// A scalar with lanes: `f64` in [`F64x4`], `f32` in [`F32x8`].
pub trait Scalar: Real {
    /// The default lanes of an [`Ensemble`].
    type Lanes: Real<Element = Self>;
}

impl Scalar for f64 {
    type Lanes = F64x4;
}

impl Scalar for f32 {
    type Lanes = F32x8;
}

impl<T, S, Q, V, F> Ensemble<S, Q, V, F, T::Lanes>
where
    T: Scalar,
    S: System<T, Q = Q, V = V>,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
    F: Fn(usize) -> Result<(S, State<Q, V>), Error> + Sync,
{
    /// An ensemble of `copies` copies: `copy` returns the system and the start of each by its number, from 0.
    ///
    /// If it returns an error for a copy, as [`make_consistent`](crate::make_consistent) may, that copy fails with it.
    pub fn new(copies: usize, copy: F) -> Self {
        Self {
            copies: 0..copies,
            copy,
            stabilization: Stabilization::default(),
            threads: None,
            marker: PhantomData,
        }
    }
}

impl<S, Q: Vector, V, F, L> Ensemble<S, Q, V, F, L> {
    /// The same ensemble with another stabilisation; projection is the default.
    pub fn with_stabilization(self, stabilization: Stabilization<Q::Scalar>) -> Self {
        Self {
            stabilization,
            ..self
        }
    }

    /// The same ensemble on this number of threads; by default, as many as the machine runs at once.
    pub fn with_threads(self, threads: NonZero<usize>) -> Self {
        let threads = Some(threads);
        Self { threads, ..self }
    }

    /// The same ensemble in other lanes.
    pub fn in_lanes<M: Lanes<Element = Q::Scalar>>(self) -> Ensemble<S, Q, V, F, M>
    where
        Q::Scalar: Real,
    {
        self.side_by_side()
    }

    /// The same ensemble without lanes: for any system, with any method.
    pub fn one_by_one(self) -> Ensemble<S, Q, V, F, OneByOne> {
        self.side_by_side()
    }

    fn side_by_side<M>(self) -> Ensemble<S, Q, V, F, M> {
        Ensemble {
            copies: self.copies,
            copy: self.copy,
            stabilization: self.stabilization,
            threads: self.threads,
            marker: PhantomData,
        }
    }

    /// The same ensemble, restricted to these copies, which keep their numbers: a shard of it.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     /// x″ = −k x
    ///     struct Spring { k: Real = 1 }
    ///     coordinate x;
    ///     particle p = [x, 0] { mass: 1 }
    ///     potential k/2 * x^2;
    /// }
    /// let springs = || {
    ///     Ensemble::new(1000, |i| Ok((Spring { k: 1.0 + i as f64 }, State::new(0.0, [1.0], [0.0]))))
    /// };
    /// let all = springs().run_until(1.0, Rk4::new(1e-2))?.column("x").unwrap();
    /// let shard = springs().only(300..417)?.run_until(1.0, Rk4::new(1e-2))?.column("x").unwrap();
    /// assert_eq!(shard, all[300..417]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownCopies`] if the range exceeds them; an empty range is an error only when it runs.
    pub fn only(self, copies: Range<usize>) -> Result<Self, Error> {
        let Range { start, end } = copies;
        if start < self.copies.start || end > self.copies.end {
            let copies = self.copies.end;
            return Err(Error::UnknownCopies { start, end, copies });
        }
        Ok(Self { copies, ..self })
    }

    /// The number of threads.
    fn threads(&self) -> usize {
        let threads = self
            .threads
            .or_else(|| thread::available_parallelism().ok());
        threads.map_or(1, NonZero::get)
    }
}

impl<T, S, Q, V, F, L> Ensemble<S, Q, V, F, L>
where
    T: Real<Element = T>,
    S: System<T, Q = Q, V = V>,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
    F: Fn(usize) -> Result<(S, State<Q, V>), Error> + Sync,
{
    /// Runs every copy to the time `end` with `method`.
    ///
    /// - Memory: a state for each copy.
    ///
    /// # Errors
    /// [`Error::NoCopies`] for an empty ensemble, [`Error::InvalidTime`] if `end` is not finite, and those of the
    /// settings of method and stabilisation. An error in a copy belongs to that copy alone.
    pub fn run_until<I>(&self, end: T, method: I) -> Result<Ends<Q, V>, Error>
    where
        I: Integrator<Scalar = T> + Sync,
        L: Side<S, I, Q, V>,
    {
        let mut ends = Vec::with_capacity(self.copies.len());
        self.run(end, &method, &Unseen, |_, end| {
            ends.push(end.map(|((), state)| state));
        })?;
        Ok(Ends::new(ends, self.names()))
    }

    /// Runs every copy to the time `end` and passes each end to `take`, with its number, in order, on any number of
    /// threads.
    ///
    /// Only one call runs at a time, so that `take` may add up, write to a file, or show progress.
    ///
    /// - Memory: independent of the number of copies.
    ///
    /// ```
    /// use constraint_runtime::ensemble::{Histogram, Statistics};
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     /// x″ = −k x
    ///     struct Spring { k: Real = 1 }
    ///     coordinate x;
    ///     particle p = [x, 0] { mass: 1 }
    ///     potential k/2 * x^2;
    /// }
    /// let ensemble = Ensemble::new(1000, |i| {
    ///     let start = State::new(0.0, [i as f64 / 999.0], [0.0]);
    ///     Ok((Spring::default(), start))
    /// });
    /// let (mut x, mut places) = (Statistics::new(), Histogram::<5>::new(0.0, 1.0)?);
    /// let mut failed = 0;
    /// ensemble.for_each_end(1.0, Rk4::new(1e-2), |copy, end| match end {
    ///     Ok(state) => {
    ///         x.add(state.q);
    ///         places.add(state.q[0]);
    ///         if copy % 100 == 99 {
    ///             println!("{} are done", copy + 1);
    ///         }
    ///     }
    ///     Err(_) => failed += 1,
    /// })?;
    /// assert!((x.mean()[0] - 0.5 * 1.0_f64.cos()).abs() < 1e-9 && failed == 0);
    /// assert_eq!(places.counts().iter().sum::<u64>(), 1000);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub fn for_each_end<I>(
        &self,
        end: T,
        method: I,
        mut take: impl FnMut(usize, Result<State<Q, V>, Error>) + Send,
    ) -> Result<(), Error>
    where
        I: Integrator<Scalar = T> + Sync,
        L: Side<S, I, Q, V>,
    {
        self.run(end, &method, &Unseen, |copy, end| {
            take(copy, end.map(|((), state)| state));
        })
    }

    /// [`for_each_end`](Self::for_each_end), with the result of `see` over each copy's steps.
    ///
    /// `begin` receives the number of a copy and its start, `see` the state after each step. Their result is passed
    /// to `take` with the end: extremes during the run, the time of a first crossing, a sum.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     /// x″ = −k x
    ///     struct Spring { k: Real = 1 }
    ///     coordinate x;
    ///     particle p = [x, 0] { mass: 1 }
    ///     potential k/2 * x^2;
    /// }
    /// let ensemble = Ensemble::new(10, |i| {
    ///     Ok((Spring { k: 1.0 + i as f64 }, State::new(0.0, [1.0], [0.0])))
    /// });
    /// // The speed of each is √k at most.
    /// let mut speeds = Vec::new();
    /// ensemble.for_each_followed(
    ///     3.2,
    ///     Rk4::new(1e-3),
    ///     |_copy, start| start.v[0].abs(),
    ///     |most: &mut f64, state| *most = most.max(state.v[0].abs()),
    ///     |copy, end| speeds.push((copy, end.map(|(most, _)| most))),
    /// )?;
    /// for (copy, speed) in speeds {
    ///     assert!((speed? - (1.0 + copy as f64).sqrt()).abs() < 1e-5);
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub fn for_each_followed<X, I>(
        &self,
        end: T,
        method: I,
        begin: impl Fn(usize, &State<Q, V>) -> X + Sync,
        see: impl Fn(&mut X, &State<Q, V>) + Sync,
        take: impl FnMut(usize, Result<(X, State<Q, V>), Error>) + Send,
    ) -> Result<(), Error>
    where
        X: Send,
        I: Integrator<Scalar = T> + Sync,
        L: Side<S, I, Q, V>,
    {
        self.run(end, &method, &Followed { begin, see }, take)
    }

    /// [`for_each_end`](Self::for_each_end), but each copy stops where `function` first crosses zero; `take` also
    /// receives whether it does.
    ///
    /// Events are located as by [`Simulation::until`], to rounding; copies run one by one for that.
    ///
    /// ```
    /// use constraint_runtime::ensemble::Statistics;
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     /// Thrown upwards.
    ///     struct Ball { g: Real = 10 }
    ///     particle ball: Point2 { mass: 1 }
    ///     gravity [0, -g];
    /// }
    /// let ensemble = Ensemble::new(9, |i| {
    ///     let speed = 1.0 + i as f64;
    ///     Ok((Ball::default(), State::new(0.0, [0.0, 0.0], [0.0, speed])))
    /// });
    /// let (mut flights, mut aloft) = (Statistics::new(), 0);
    /// let height = |state: &State<Vector2<f64>>| state.q.y;
    /// ensemble.for_each_event(1.5, Rk4::new(0.01), Crossing::Falling, height, |_, end| match end {
    ///     Ok((Arrival::Event(_), state)) => flights.add([state.t]),
    ///     _ => aloft += 1,
    /// })?;
    /// // 2 v/g: 0.2 to 1.4 s; two fly longer than 1.5 s.
    /// assert_eq!((flights.count(), aloft), (7, 2));
    /// assert!((flights.mean()[0] - 0.8).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub fn for_each_event<I>(
        &self,
        end: T,
        method: I,
        crossing: Crossing,
        function: impl Fn(&State<Q, V>) -> T + Sync,
        take: impl FnMut(usize, Result<(Arrival, State<Q, V>), Error>) + Send,
    ) -> Result<(), Error>
    where
        T: RealField,
        I: Integrator<Scalar = T> + Clone + Sync,
    {
        self.check(end, &method)?;
        let run = |_, run: Simulation<S, I>| {
            let mut run = run.until(crossing, &function);
            let arrival = run.run_until(end)?;
            Ok((arrival, run.state().clone()))
        };
        self.for_each_run(method, run, take)
    }

    /// Runs every copy with `run`, which receives its number and its [`Simulation`] at the start, and passes each
    /// result to `take`, in order. `run` may use any number of events, such as bounces, read outputs and multipliers
    /// during the run, take [samples](Simulation::sample), and choose an end for each copy.
    ///
    /// Copies run one by one, on all threads.
    ///
    /// ```
    /// use constraint_runtime::ensemble::Statistics;
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    /// /// Let go above the ground.
    ///     struct Ball { g: Real = 10 }
    ///     particle ball: Point2 { mass: 1 }
    ///     gravity [0, -g];
    ///     output energy = dot(velocity(ball), velocity(ball))/2 + g*ball.y;
    /// }
    /// let ensemble = Ensemble::new(9, |i| {
    ///     Ok((Ball::default(), State::new(0.0, [0.0, 1.0 + i as f64], [0.0; 2])))
    /// });
    /// let mut energies = Vec::new();
    /// ensemble.for_each_run(
    ///     Rk4::new(0.01),
    ///     |_copy, run| {
    /// // Each time it comes up with half its speed: a quarter of the energy.
    ///         let mut run = run.on(Crossing::Falling, |state| state.q.y, |state| {
    ///             state.v.y *= -0.5;
    ///             Then::Continue
    ///         });
    ///         run.run_until(1.05)?;
    ///         Ok(run.outputs()?.energy)
    ///     },
    ///     |_copy, energy| energies.push(energy),
    /// )?;
    /// // From 1 m it has bounced twice, from 5 m once; from 9 m it is still falling.
    /// for (copy, energy) in [(0, 10.0 / 16.0), (4, 50.0 / 4.0), (8, 90.0)] {
    ///     assert!((energies[copy].clone()? - energy).abs() < 1e-9);
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoCopies`] for an empty ensemble, and those of the settings of method and stabilisation.
    pub fn for_each_run<X, I>(
        &self,
        method: I,
        run: impl Fn(usize, Simulation<S, I>) -> Result<X, Error> + Sync,
        take: impl FnMut(usize, Result<X, Error>) + Send,
    ) -> Result<(), Error>
    where
        X: Send,
        I: Integrator<Scalar = T> + Clone + Sync,
    {
        self.check_settings(&method)?;
        let one = |copy: usize| {
            let (system, start) = (self.copy)(copy)?;
            let simulation = Simulation::new(system, start, method.clone())?;
            run(copy, simulation.with_stabilization(self.stabilization))
        };
        let block = |block| self.copies_of(block).map(one).collect::<Vec<_>>();
        self.in_blocks(block, take);
        Ok(())
    }

    /// Runs every copy and consumes its result.
    fn run<I, W>(
        &self,
        end: T,
        method: &I,
        follow: &W,
        take: impl FnMut(usize, Ended<W::Told, Q, V>) + Send,
    ) -> Result<(), Error>
    where
        I: Integrator<Scalar = T> + Sync,
        L: Side<S, I, Q, V>,
        W: Follow<Q, V>,
    {
        self.check(end, method)?;
        let plan = Plan {
            end,
            method,
            stabilization: self.stabilization,
            follow,
        };
        let block = |block| {
            let copies: Vec<usize> = self.copies_of(block).collect();
            let groups = copies.chunks(L::COPIES);
            groups
                .flat_map(|group| self.group(group, &plan))
                .collect::<Vec<_>>()
        };
        self.in_blocks(block, take);
        Ok(())
    }

    /// Processes all blocks, and consumes the result of each copy in their order.
    fn in_blocks<X: Send>(
        &self,
        work: impl Fn(usize) -> Vec<X> + Sync,
        mut take: impl FnMut(usize, X) + Send,
    ) {
        let blocks = self.copies.len().div_ceil(BLOCK);
        in_order(blocks, self.threads(), work, |block, ends| {
            for (copy, end) in self.copies_of(block).zip(ends) {
                take(copy, end);
            }
        });
    }

    /// The copies of one block.
    fn copies_of(&self, block: usize) -> Range<usize> {
        let start = self.copies.start + block * BLOCK;
        start..self.copies.end.min(start + BLOCK)
    }

    /// Runs copies side by side, except those that could not be created.
    fn group<I, W>(&self, copies: &[usize], plan: &Plan<'_, T, I, W>) -> Vec<Ended<W::Told, Q, V>>
    where
        I: Integrator<Scalar = T>,
        L: Side<S, I, Q, V>,
        W: Follow<Q, V>,
    {
        let mut members = Vec::with_capacity(copies.len());
        let made: Vec<Result<(), Error>> = copies
            .iter()
            .map(|&copy| {
                let (system, start) = (self.copy)(copy)?;
                members.push((copy, system, start));
                Ok(())
            })
            .collect();
        let mut ends = L::run(members, plan).into_iter();
        let end = |made: Result<(), Error>| {
            made.and_then(|()| match ends.next() {
                Some(end) => end,
                None => unreachable!("every copy that is made comes to an end"),
            })
        };
        made.into_iter().map(end).collect()
    }

    /// The names of coordinates and of velocities, which all copies have in common.
    fn names(&self) -> [Option<&'static [Names]>; 2] {
        let made = self.copies.clone().find_map(|copy| (self.copy)(copy).ok());
        [Quantity::Coordinate, Quantity::Velocity]
            .map(|quantity| made.as_ref().and_then(|(system, _)| system.names(quantity)))
    }

    /// Checks that there is something to run, and that the settings are valid.
    fn check_settings<I: Integrator<Scalar = T>>(&self, method: &I) -> Result<(), Error> {
        method.validate()?;
        self.stabilization.validate()?;
        if self.copies.is_empty() {
            return Err(Error::NoCopies);
        }
        Ok(())
    }

    /// Checks that there is something to run, and that the end time is valid.
    fn check<I: Integrator<Scalar = T>>(&self, end: T, method: &I) -> Result<(), Error> {
        self.check_settings(method)?;
        if !nalgebra::SimdBool::all(is_finite(end)) {
            return Err(Error::InvalidTime {
                target: lane_value(end, 0),
                time: f64::NEG_INFINITY,
            });
        }
        Ok(())
    }
}
