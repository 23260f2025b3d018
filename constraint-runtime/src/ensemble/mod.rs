//! Many copies of one system at once: in lanes, on all threads.

mod ends;
mod groups;
mod lanes;
mod methods;
mod threads;

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::num::NonZero;
use std::thread;

/// Four `f32` in one.
pub use simba::simd::WideF32x4 as F32x4;
/// Eight `f32` in one: the lanes of an [`Ensemble`] of `f32`.
pub use simba::simd::WideF32x8 as F32x8;
/// Four `f64` in one: the lanes of an [`Ensemble`] of `f64`.
pub use simba::simd::WideF64x4 as F64x4;

pub use self::ends::Ends;
pub use self::groups::{OneByOne, Side};
pub use self::lanes::{InLanes, Lanes};
pub use self::methods::LaneIntegrator;

use self::groups::{End, Plan};
use self::threads::in_order;
use crate::error::{Error, Names, Quantity};
use crate::integrator::Integrator;
use crate::real::{Real, is_finite, lane_value};
use crate::stabilization::Stabilization;
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// Copies that a thread takes at a time: a multiple of any number of lanes, so that which copies run side by side does
/// not depend on the threads.
const BLOCK: usize = 64;

/// Many copies of one system, each with its own parameters, inputs and start.
///
/// Copies run side by side in the lanes of a SIMD scalar, and on all threads of the machine. `copy` makes one from its
/// number when its turn comes, in any thread.
///
/// - A copy that fails is an error of its own and no other's: its neighbours run again without it.
/// - Numbers: those of one copy are the same on any number of threads and beside any other copies. In `f64` they are
///   those of a [`Simulation`](crate::Simulation) of that copy alone, to the last bit, but where the system has sines or
///   cosines: in lanes these are those of the crate `wide`, which differ from the standard library's by rounding.
/// - What runs in lanes: generated systems without inputs, by methods of fixed steps. Methods that choose their steps
///   and [`ImpulseStepper`](crate::ImpulseStepper) run copy by copy, and other systems do
///   [`one_by_one`](Self::one_by_one).
/// - Cost: build for the machine at hand, `RUSTFLAGS="-C target-cpu=native"`; the default target of x86-64 knows no
///   lanes of four.
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
/// // A hundred pendulums, the second rod of each a little longer than that of the one before.
/// let ensemble = Ensemble::new(100, |i| {
///     let l2 = 1.0 + 0.01 * i as f64;
///     let pendulum = DoublePendulum { l2, ..Default::default() };
///     let start = State::new(0.0, [1.0, 0.0, 1.0 + l2, 0.0], [0.0; 4]);
///     Ok((pendulum, start))
/// });
/// let ends = ensemble.run_until(1.0, Rk4::new(1e-3))?;
/// let heights = ends.column("lower.y").unwrap();
///
/// // The same as that of one alone.
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
    copies: usize,
    copy: F,
    stabilization: Stabilization<Q::Scalar>,
    threads: Option<NonZero<usize>>,
    marker: Of<(S, Q, V, L)>,
}

/// What types a copy is of, whose values come and go.
type Of<X> = PhantomData<fn() -> X>;

/// A scalar that there are lanes of: `f64` in [`F64x4`], `f32` in [`F32x8`].
pub trait Scalar: Real {
    /// The lanes that an [`Ensemble`] takes unless told otherwise.
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
    /// So many copies: `copy` gives the system and the start of each by its number, from 0.
    ///
    /// A copy for which it gives an error, as [`make_consistent`](crate::make_consistent) may, fails with that.
    pub fn new(copies: usize, copy: F) -> Self {
        Self {
            copies,
            copy,
            stabilization: Stabilization::default(),
            threads: None,
            marker: PhantomData,
        }
    }
}

impl<S, Q: Vector, V, F, L> Ensemble<S, Q, V, F, L> {
    /// The same ensemble under another stabilisation than projection.
    pub fn with_stabilization(self, stabilization: Stabilization<Q::Scalar>) -> Self {
        Self {
            stabilization,
            ..self
        }
    }

    /// The same ensemble on so many threads; on as many as the machine runs at once unless told otherwise.
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

    /// The same ensemble without lanes: of any system, with any method.
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
    /// [`Error::NoCopies`] of an empty ensemble, [`Error::InvalidTime`] where `end` is not finite, and those of the
    /// settings of method and stabilisation. What happens to a copy is an error of that copy alone.
    pub fn run_until<I>(&self, end: T, method: I) -> Result<Ends<Q, V>, Error>
    where
        I: Integrator<Scalar = T> + Sync,
        L: Side<S, I, Q, V>,
    {
        self.check(end, &method)?;
        let plan = Plan {
            end,
            method: &method,
            stabilization: self.stabilization,
        };
        let mut ends = Vec::with_capacity(self.copies);
        let blocks = self.copies.div_ceil(BLOCK);
        let run = |block| self.block::<I>(block, &plan);
        in_order(blocks, self.threads(), run, |_, block| ends.extend(block));
        Ok(Ends::new(ends, self.names()))
    }

    /// Runs the copies of one block.
    fn block<I>(&self, block: usize, plan: &Plan<'_, T, I>) -> Vec<End<Q, V>>
    where
        I: Integrator<Scalar = T>,
        L: Side<S, I, Q, V>,
    {
        let last = self.copies.min((block + 1) * BLOCK);
        let copies: Vec<usize> = (block * BLOCK..last).collect();
        let groups = copies.chunks(L::COPIES);
        groups.flat_map(|group| self.group(group, plan)).collect()
    }

    /// Runs copies side by side, but for those that do not come to be.
    fn group<I>(&self, copies: &[usize], plan: &Plan<'_, T, I>) -> Vec<End<Q, V>>
    where
        I: Integrator<Scalar = T>,
        L: Side<S, I, Q, V>,
    {
        let mut made = Vec::with_capacity(copies.len());
        let made_or_not: Vec<Result<(), Error>> = copies
            .iter()
            .map(|&copy| (self.copy)(copy).map(|copy| made.push(copy)))
            .collect();
        let mut ends = L::run(made, plan).into_iter();
        let end = |made: Result<(), Error>| {
            made.and_then(|()| ends.next().unwrap_or(Err(Error::NoCopies)))
        };
        made_or_not.into_iter().map(end).collect()
    }

    /// The names of coordinates and of velocities, which all copies have in common.
    fn names(&self) -> [Option<&'static [Names]>; 2] {
        let made = (0..self.copies).find_map(|copy| (self.copy)(copy).ok());
        [Quantity::Coordinate, Quantity::Velocity]
            .map(|quantity| made.as_ref().and_then(|(system, _)| system.names(quantity)))
    }

    /// That there is something to run, and that it can be.
    fn check<I: Integrator<Scalar = T>>(&self, end: T, method: &I) -> Result<(), Error> {
        method.validate()?;
        self.stabilization.validate()?;
        if self.copies == 0 {
            return Err(Error::NoCopies);
        }
        if !nalgebra::SimdBool::all(is_finite(end)) {
            return Err(Error::InvalidTime {
                target: lane_value(end, 0),
                time: f64::NEG_INFINITY,
            });
        }
        Ok(())
    }
}
