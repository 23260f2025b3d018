//! Explicit Runge–Kutta methods: each a tableau with its citation, one routine for all.

use super::{Integrator, Motion, Slope, cause};
use crate::error::Error;
use crate::kept::{check_numbers, lengths_of};
use crate::real::Real;
use crate::stabilization::Workspace;
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// Butcher tableau of an explicit method of `S` stages; `a` is strictly lower triangular.
///
/// kᵢ = f(t + cᵢ h, y + h Σⱼ aᵢⱼ kⱼ), y₁ = y₀ + h Σᵢ bᵢ kᵢ.
///
/// # Source
/// [Hairer, Nørsett, Wanner 1993] *Solving Ordinary Differential Equations I*, definition II.1.1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tableau<const S: usize> {
    /// Weights of earlier stages in stage i.
    pub a: [[f64; S]; S],
    /// Weights of the stages in the step.
    pub b: [f64; S],
    /// Times of the stages, in steps.
    pub c: [f64; S],
}

/// The classic method of order 4, four evaluations a step.
///
/// # Source
/// [Kutta 1901] W. Kutta, *Beitrag zur näherungsweisen Integration totaler
/// Differentialgleichungen*, Z. Math. Phys. 46, 435–453.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
/// let bead = Particle::new(1.0_f64).on(Parabola).under_gravity([0.0, -10.0]);
/// let start = State::new(0.0, [100.0, -100.0], [0.0, 0.0]);
/// let mut run = Simulation::new(bead, start, Rk4::new(0.01))?;
/// let energy = run.energy();
/// run.run_until(2.0)?;
/// assert!((run.energy() - energy).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rk4<T = f64> {
    h: T,
}

impl<T: Real> Rk4<T> {
    /// The method's coefficients.
    pub const TABLEAU: Tableau<4> = Tableau {
        a: [
            [0.0, 0.0, 0.0, 0.0],
            [0.5, 0.0, 0.0, 0.0],
            [0.0, 0.5, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ],
        b: [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
        c: [0.0, 0.5, 0.5, 1.0],
    };

    /// The method with steps of size `h`.
    pub fn new(h: T) -> Self {
        Self { h }
    }
}

impl<T: Real> Integrator for Rk4<T> {
    type Scalar = T;
    type Memory<Q: Vector<Scalar = T>, V: Vector<Scalar = T>> = Rk4Memory<Q, V>;

    fn order(&self) -> u32 {
        4
    }

    fn longest_step(&self) -> T {
        self.h
    }

    fn check_memory<S: System<T>>(
        &self,
        _system: &S,
        memory: &Self::Memory<S::Q, S::V>,
        state: &State<S::Q, S::V>,
    ) -> Result<(), Error> {
        memory.slopes.check(memory.reached, state)
    }

    #[inline]
    fn step<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Self::Memory<S::Q, S::V>,
        start: &State<S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
    ) -> Result<(), Error> {
        const { assert!(Self::TABLEAU.is_explicit()) };
        let Rk4Memory {
            slopes: Slopes(k),
            workspace: w,
            reached,
        } = memory;
        let (mut place, world) = (None, start);
        let start = motion.in_own_frames(world, &mut place);
        let Tableau { a, b, c } = &Self::TABLEAU;
        if *reached {
            first_stage(a[1][0], motion, &mut k[0], [world, start], h, end);
        } else {
            stage::<0, _, _, _>((c[0], &a[1]), motion, w, k, start, h, end)?;
        }
        stage::<1, _, _, _>((c[1], &a[2]), motion, w, k, start, h, end)?;
        stage::<2, _, _, _>((c[2], &a[3]), motion, w, k, start, h, end)?;
        stage::<3, _, _, _>((c[3], b), motion, w, k, start, h, end)?;
        *reached = motion.finish(start, end, w, &mut k[0].v)?;
        Ok(())
    }
}

/// The memory of [`Rk4`]: the slopes of the last step, so that nothing has to clear them, and scratch memory for
/// large systems.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub struct Rk4Memory<Q, V> {
    slopes: Slopes<Q, V, 4>,
    #[cfg_attr(feature = "serde-no-std", serde(skip))]
    workspace: Workspace,
    /// True if v̇ of the first is that at the state reached.
    reached: bool,
}

impl<Q: Vector, V: Vector> Default for Rk4Memory<Q, V> {
    fn default() -> Self {
        Self {
            slopes: Slopes::default(),
            workspace: Workspace::default(),
            reached: false,
        }
    }
}

impl<const S: usize> Tableau<S> {
    /// True if no stage depends on itself or a later one.
    pub(super) const fn is_explicit(&self) -> bool {
        let mut i = 0;
        while i < S {
            let mut j = i;
            while j < S {
                if self.a[i][j] != 0.0 {
                    return false;
                }
                j += 1;
            }
            i += 1;
        }
        true
    }
}

/// The slopes k₁ … of a step.
#[derive(Clone, Debug)]
pub struct Slopes<Q, V, const S: usize>(pub(crate) [Slope<Q, V>; S]);

impl<Q: Vector, V: Vector, const S: usize> Default for Slopes<Q, V, S> {
    fn default() -> Self {
        Self(core::array::from_fn(|_| Slope::blank()))
    }
}

impl<T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>, const S: usize> Slopes<Q, V, S> {
    /// Checks that a memory holds slopes of a system at a state; blank ones if no step has `reached` it.
    pub(super) fn check(&self, reached: bool, state: &State<Q, V>) -> Result<(), Error> {
        let Self(k) = self;
        let blank = !reached && k[0].v.entries().is_empty();
        let [q, v] = lengths_of(state, blank);
        k.iter().try_for_each(|slope| {
            check_numbers(slope.q.entries(), q)?;
            check_numbers(slope.v.entries(), v)
        })
    }
}

/// Writes kᵢ of the stage `I`, counted from 0, and moves q and v of `end` from there to the place of the next slope:
/// y₀ + h Σⱼ wⱼ kⱼ, with the weights of the next stage or of the step.
///
/// Stage and weights are constants so that zeros cost nothing.
#[inline(always)]
pub(super) fn stage<const I: usize, T: Real, S: System<T>, const STAGES: usize>(
    (c, weights): (f64, &[f64; STAGES]),
    motion: &Motion<'_, T, S>,
    workspace: &mut Workspace,
    k: &mut [Slope<S::Q, S::V>; STAGES],
    start: &State<S::Q, S::V>,
    h: T,
    end: &mut State<S::Q, S::V>,
) -> Result<(), Error> {
    let State { q, v, .. } = if I == 0 { start } else { &*end };
    let t = start.t + T::lit(c) * h;
    if Motion::<T, S>::IN_PLACE {
        motion.write_slope((t, q, v), workspace, &mut k[I])?;
        advance(weights, k, start, h, end);
        return Ok(());
    }
    if !S::PROPERTIES.own_frames.is_empty() {
        let Slope { q, v } = motion.own_slope(t, q, v)?;
        advance_from::<I, _, _, _, _>((&q, &v), weights, k, start, h, end);
        return Ok(());
    }
    match &motion.told_acceleration(t, q, v) {
        Ok(acceleration) => {
            let latest = (&motion.kinematics(t, q, v), acceleration);
            advance_from::<I, _, _, _, _>(latest, weights, k, start, h, end);
            Ok(())
        }
        Err(error) => Err(cause(*error, t, q, v)),
    }
}

/// The first [stage], if its v̇ is known; `start` is the state of the world and the one with bodies in their own
/// frames.
#[inline(always)]
fn first_stage<T: Real, S: System<T>>(
    weight: f64,
    motion: &Motion<'_, T, S>,
    first: &mut Slope<S::Q, S::V>,
    [world, start]: [&State<S::Q, S::V>; 2],
    h: T,
    end: &mut State<S::Q, S::V>,
) {
    motion.write_known_rate(world, first);
    let step = T::lit(weight) * h;
    end.q.update(|i, _| start.q[i] + first.q[i] * step);
    end.v.update(|i, _| start.v[i] + first.v[i] * step);
}

/// Stores the `latest` slope, that of the stage `I`, and [advances](advance).
///
/// The next stage waits for these numbers: it reads them where they were returned, not where they are stored.
#[inline(always)]
fn advance_from<const I: usize, T, Q, V, const STAGES: usize>(
    latest: (&Q, &V),
    weights: &[f64; STAGES],
    k: &mut [Slope<Q, V>; STAGES],
    start: &State<Q, V>,
    h: T,
    end: &mut State<Q, V>,
) where
    T: Real,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
{
    let (earlier, rest) = k.split_at_mut(I);
    let (kept, (rate, acceleration)) = (&mut rest[0], latest);
    if Q::LEN.is_none() || V::LEN.is_none() {
        // The first step determines the number of entries.
        kept.q.assign(rate);
        kept.v.assign(acceleration);
    }
    let steps = weights.map(|weight| T::lit(weight) * h);
    end.q.update(|i, _| {
        let latest = rate[i];
        kept.q[i] = latest;
        let k = |j: usize| if j == I { latest } else { earlier[j].q[i] };
        combined(weights, &steps, start.q[i], k)
    });
    end.v.update(|i, _| {
        let latest = acceleration[i];
        kept.v[i] = latest;
        let k = |j: usize| if j == I { latest } else { earlier[j].v[i] };
        combined(weights, &steps, start.v[i], k)
    });
}

/// q and v of `end`: y₀ + h Σⱼ wⱼ kⱼ over the weights that are not zero.
#[inline(always)]
pub(crate) fn advance<T, Q, V, const STAGES: usize>(
    weights: &[f64; STAGES],
    k: &[Slope<Q, V>; STAGES],
    start: &State<Q, V>,
    h: T,
    end: &mut State<Q, V>,
) where
    T: Real,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
{
    let steps = weights.map(|weight| T::lit(weight) * h);
    end.q
        .update(|i, _| combined(weights, &steps, start.q[i], |j| k[j].q[i]));
    end.v
        .update(|i, _| combined(weights, &steps, start.v[i], |j| k[j].v[i]));
}

/// y₀ + h Σⱼ wⱼ kⱼ of one entry.
#[inline(always)]
pub(super) fn combined<T: Real, const STAGES: usize>(
    weights: &[f64; STAGES],
    steps: &[T; STAGES],
    start: T,
    k: impl Fn(usize) -> T,
) -> T {
    let mut sum = start;
    for j in 0..STAGES {
        if weights[j] != 0.0 {
            sum += k(j) * steps[j];
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stage_times_are_row_sums_and_weights_sum_to_one() {
        let Tableau { a, b, c } = Rk4::<f64>::TABLEAU;
        for (row, c) in a.iter().zip(c) {
            assert_eq!(row.iter().sum::<f64>(), c);
        }
        assert!((b.iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_stage_that_waits_for_itself_or_a_later_one_is_not_explicit() {
        assert!(Rk4::<f64>::TABLEAU.is_explicit());
        let with = |i: usize, j: usize| {
            let mut a = [[0.0; 3]; 3];
            a[i][j] = -0.5;
            let (b, c) = ([0.0; 3], [0.0; 3]);
            Tableau { a, b, c }.is_explicit()
        };
        for i in 0..3 {
            for j in 0..3 {
                assert_eq!(with(i, j), j < i, "stage {i} from stage {j}");
            }
        }
    }
}
