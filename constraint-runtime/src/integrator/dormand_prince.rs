//! Dormand and Prince's pair of orders 5 and 4: steps as long as the error allows.
//!
//! A step is tried, its error estimated, and the next length chosen from that; a step whose error is too large, or
//! that reaches a state the system rejects, is retried with a shorter length. The end of an accepted step is
//! projected before its slope is taken, so that the slope serves the error estimate, the interpolant and the first
//! stage of the next step: six evaluations a step.
//!
//! Each lane of a SIMD scalar chooses its own lengths; a step is accepted in all lanes together.

use core::cell::LazyCell;

use nalgebra::SimdBool;

use super::runge_kutta::{Slopes, Tableau, advance, combined as combined_entry, stage};
use super::step_control::{Attempt, Budget, ErrorOfTurns, Rounding, Settings, until_accepted};
use super::{Integrator, Interpolant, Motion, Slope};
use crate::error::Error;
use crate::kept::check_numbers;
use crate::real::{Real, is_finite};
use crate::stabilization::Workspace;
use crate::state::{State, check_finite};
use crate::system::System;
use crate::vector::Vector;

/// Safety factor on every step size chosen.
const SAFETY: f64 = 0.9;
/// Limits of one step size over the one before.
const SHRINK: f64 = 0.2;
const GROWTH: f64 = 10.0;
/// Weight of the error before in the choice, Gustafsson's PI control.
const BETA: f64 = 0.04;
/// Exponent of the error itself.
const ALPHA: f64 = 0.2 - 0.75 * BETA;
/// The factor for a step that reached a state the system rejects.
const RETREAT: f64 = 0.25;

/// The adaptive method of order 5 with an error estimate of order 4 and dense output of order 4.
///
/// The error of each step, in the root mean square over all coordinates and velocities yᵢ of errᵢ/(atol + rtol·|yᵢ|),
/// stays below one; ω of bodies with different principal moments counts in their own frames, Rᵀω. Step sizes follow
/// by PI control. An error that is rounding, measured by the sizes of the system, counts as none where tolerances lie below
/// it, as with atol = 0 at coordinates that stay zero.
///
/// - Cost: six evaluations a step, seven after a start or a restart, and one more of those to choose the first step
///   size. No allocation.
///
/// # Errors
/// In addition to those of the system: [`Error::StepSizeUnderflow`] if no step that the time can resolve is short
/// enough (the motion has a singularity there), [`Error::TooManyRejections`]; [`Error::TooManySteps`] if a run to a
/// given time takes a million steps, or those of [`with_most_steps`](Self::with_most_steps).
///
/// # Source
/// [Dormand, Prince 1980] *A family of embedded Runge–Kutta formulae*, J. Comput. Appl. Math. 6.
/// [Hairer, Nørsett, Wanner 1993] *Solving Ordinary Differential Equations I*: sections II.4
/// (starting step size; here without a unit of time), II.5 (table 5.2), II.6 (dense output); *II*, section IV.2 (PI control).
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
/// let bead = Particle::new(1.0_f64).on(Parabola).under_gravity([0.0, -10.0]);
/// let start = State::new(0.0, [100.0, -100.0], [0.0, 0.0]);
/// let mut run = Simulation::new(bead, start, DormandPrince::new(1e-10, 1e-10))?;
/// let (energy, mut steps) = (run.energy(), 0);
/// run.run_until_with(10.0, |_| steps += 1)?;
/// assert!((run.energy() / energy - 1.0).abs() < 1e-10 && steps < 200);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DormandPrince<T = f64> {
    settings: Settings<T>,
}

/// The memory of [`DormandPrince`]: the slopes of the last step, and the length of the next.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde-no-std",
    serde(bound(
        serialize = "T: Real + serde::Serialize, Q: serde::Serialize, \
                     V: serde::Serialize",
        deserialize = "T: Real + serde::Deserialize<'de>, Q: serde::Deserialize<'de>, \
                       V: serde::Deserialize<'de>"
    ))
)]
pub struct DormandPrinceMemory<T, Q, V> {
    slopes: Slopes<Q, V, 7>,
    /// Scratch memory for large systems.
    #[cfg_attr(feature = "serde-no-std", serde(skip))]
    workspace: Workspace,
    /// True if the last slope is that at the state reached.
    reached: bool,
    /// Length of the next step; zero before the first.
    next: T,
    budget: Budget<T>,
    /// Square of the error of the last step.
    last_error: T,
}

impl<T: Real, Q: Vector, V: Vector> Default for DormandPrinceMemory<T, Q, V> {
    fn default() -> Self {
        Self {
            slopes: Slopes::default(),
            workspace: Workspace::default(),
            reached: false,
            next: T::zero(),
            budget: Budget::default(),
            last_error: T::lit(MIN_ERROR),
        }
    }
}

/// Σ eᵢ (A⁴ 1)ᵢ of the tableau.
const ERROR_OF_TURNS: ErrorOfTurns = ErrorOfTurns {
    factor: 97.0 / 120_000.0,
    power: 5,
};

/// The square of the smallest error that counts in the choice of a step, (10⁻⁴)² as in DOPRI5.
const MIN_ERROR: f64 = 1e-8;

impl<T: Real> DormandPrince<T> {
    /// The method's coefficients. The last stage is the slope at the end of the step.
    pub const TABLEAU: Tableau<7> = Tableau {
        a: [
            [0.0; 7],
            [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0, 0.0],
            [
                19372.0 / 6561.0,
                -25360.0 / 2187.0,
                64448.0 / 6561.0,
                -212.0 / 729.0,
                0.0,
                0.0,
                0.0,
            ],
            [
                9017.0 / 3168.0,
                -355.0 / 33.0,
                46732.0 / 5247.0,
                49.0 / 176.0,
                -5103.0 / 18656.0,
                0.0,
                0.0,
            ],
            Self::WEIGHTS,
        ],
        b: Self::WEIGHTS,
        c: [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0],
    };

    const WEIGHTS: [f64; 7] = [
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
        0.0,
    ];

    /// Weights of the difference between the results of orders 5 and 4.
    const ERROR: [f64; 7] = [
        71.0 / 57600.0,
        0.0,
        -71.0 / 16695.0,
        71.0 / 1920.0,
        -17253.0 / 339_200.0,
        22.0 / 525.0,
        -1.0 / 40.0,
    ];

    /// Weights of the quartic term of the dense output, CONTD5's.
    const QUARTIC: [f64; 7] = [
        -12_715_105_075.0 / 11_282_082_432.0,
        0.0,
        87_487_479_700.0 / 32_700_410_799.0,
        -10_690_763_975.0 / 1_880_347_072.0,
        701_980_252_875.0 / 199_316_789_632.0,
        -1_453_857_185.0 / 822_651_844.0,
        69_997_945.0 / 29_380_423.0,
    ];

    /// The method with the relative tolerance `rtol` and the absolute one `atol`, per step.
    pub fn new(rtol: T, atol: T) -> Self {
        Self {
            settings: Settings::new(rtol, atol),
        }
    }

    /// The same method with a first step of length `h`, also after an event and other changes of the state, instead
    /// of one chosen from the slopes at the start.
    pub fn with_first_step(mut self, h: T) -> Self {
        self.settings.first = Some(h);
        self
    }

    /// The same method with no step longer than `h`.
    pub fn with_longest_step(mut self, h: T) -> Self {
        self.settings.longest = h;
        self
    }

    /// The same method with at most `most_steps` steps in a run to a given time; a million by default.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
    /// // Damping with the wrong sign: the velocity doubles every 0.07 s.
    /// let pushed = Particle::new(1.0).on(Parabola).under(|_t, _q, v| v * 10.0);
    /// let start = State::new(0.0, [0.0, 0.0], [1.0, 0.0]);
    /// let method = DormandPrince::new(1e-6, 1e-6).with_most_steps(500);
    /// let mut run = Simulation::new(pushed, start, method)?;
    /// let error = run.run_until(100.0).unwrap_err();
    /// assert!(error.to_string().starts_with("500 steps did not reach t = 100, the next has size"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with_most_steps(mut self, most_steps: usize) -> Self {
        self.settings.most_steps = most_steps;
        self
    }
}

impl<T: Real> Integrator for DormandPrince<T> {
    type Scalar = T;
    type Memory<Q: Vector<Scalar = T>, V: Vector<Scalar = T>> = DormandPrinceMemory<T, Q, V>;

    fn order(&self) -> u32 {
        5
    }

    fn validate(&self) -> Result<(), Error> {
        self.settings.validate()
    }

    fn check_memory<S: System<T>>(
        &self,
        _system: &S,
        memory: &Self::Memory<S::Q, S::V>,
        state: &State<S::Q, S::V>,
    ) -> Result<(), Error> {
        memory.slopes.check(memory.reached, state)?;
        check_numbers(&[memory.next, memory.last_error], 2)?;
        memory.budget.check()
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
        let mut place = None;
        let rounding = LazyCell::new(|| self.settings.rounding(motion, start));
        let start = motion.in_own_frames(start, &mut place);
        let (most, target) = (h, end.t);
        self.prepare(motion, memory, start, most)?;
        let (settings, next) = (&self.settings, memory.next);
        memory.budget.spend(target, settings.most_steps, next)?;
        until_accepted(start.t, [next, most, target], |h, reached, again| {
            end.t = reached;
            Ok(
                match self.attempt(motion, memory, start, h, end, &rounding) {
                    Ok(error) if error.simd_le(T::one()).all() => {
                        self.accept(memory, h, most, error, again);
                        Attempt::Accepted
                    }
                    Ok(error) => Attempt::Rejected(shrinkage(error), None),
                    Err(error) => Attempt::Rejected(T::lit(RETREAT), Some(error)),
                },
            )
        })
    }

    fn interpolant<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &Self::Memory<S::Q, S::V>,
        start: &State<S::Q, S::V>,
        end: &State<S::Q, S::V>,
    ) -> Result<Interpolant<S::Q, S::V>, Error> {
        let Slopes(k) = &memory.slopes;
        if !memory.reached {
            return motion.cubic(start, end);
        }
        let (mut first, mut last) = (None, None);
        let start = motion.in_own_frames(start, &mut first);
        let end = motion.in_own_frames(end, &mut last);
        let quartic = combined(&Self::QUARTIC, k, start, end.t - start.t);
        Ok(
            Interpolant::cubic(start, end, &[k[0].clone(), k[6].clone()])
                .with_quartic(quartic)
                .in_frames(S::PROPERTIES.own_frames),
        )
    }
}

impl<T: Real> DormandPrince<T> {
    /// Provides the first slope and the length of the step that starts.
    fn prepare<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut DormandPrinceMemory<T, S::Q, S::V>,
        start: &State<S::Q, S::V>,
        most: T,
    ) -> Result<(), Error> {
        let Slopes(k) = &mut memory.slopes;
        if memory.reached {
            let [first, .., last] = k;
            first.q.assign(&last.q);
            first.v.assign(&last.v);
            memory.reached = false;
            return Ok(());
        }
        motion.write_slope(
            (start.t, &start.q, &start.v),
            &mut memory.workspace,
            &mut k[0],
        )?;
        let settings = &self.settings;
        memory.next = match settings.told_first_step() {
            Some(first) => first,
            None => settings.first_step(start, &k[0], most, ERROR_OF_TURNS, |state| {
                motion.own_frame_slope(state)
            }),
        };
        Ok(())
    }

    /// Tries a step of length `h` and returns the square of its error.
    fn attempt<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut DormandPrinceMemory<T, S::Q, S::V>,
        start: &State<S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
        rounding: &Rounding<'_, S::Q, S::V>,
    ) -> Result<T, Error> {
        const { assert!(Self::TABLEAU.is_explicit()) };
        let Slopes(k) = &mut memory.slopes;
        let w = &mut memory.workspace;
        let Tableau { a, b: _, c } = &Self::TABLEAU;
        advance(&a[1], k, start, h, end);
        stage::<1, _, _, _>((c[1], &a[2]), motion, w, k, start, h, end)?;
        stage::<2, _, _, _>((c[2], &a[3]), motion, w, k, start, h, end)?;
        stage::<3, _, _, _>((c[3], &a[4]), motion, w, k, start, h, end)?;
        stage::<4, _, _, _>((c[4], &a[5]), motion, w, k, start, h, end)?;
        stage::<5, _, _, _>((c[5], &Self::WEIGHTS), motion, w, k, start, h, end)?;
        check_finite(end)?;
        let known = motion.finish(start, end, w, &mut k[6].v)?;
        let mut place = None;
        let world = &*end;
        let end = motion.in_own_frames(world, &mut place);
        if known {
            motion.write_known_rate(world, &mut k[6]);
        } else {
            motion.write_slope((end.t, &end.q, &end.v), w, &mut k[6])?;
        }
        let error = self.error(k, start, h, end, None);
        if error.simd_le(T::one()).all() {
            return Ok(error);
        }
        Ok(match &**rounding {
            None => error,
            rounding => self.error(k, start, h, end, rounding.as_ref()),
        })
    }

    /// Square of the error of a step, or of what of it is more than rounding, relative to the tolerances; NaN counts as huge.
    fn error<Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        &self,
        k: &[Slope<Q, V>; 7],
        start: &State<Q, V>,
        h: T,
        end: &State<Q, V>,
        rounding: Option<&Slope<Q, V>>,
    ) -> T {
        // Entry by entry, so that a large system needs no vector for it.
        let steps = Self::ERROR.map(|weight| T::lit(weight) * h);
        let q = |i| combined_entry(&Self::ERROR, &steps, T::zero(), |j| k[j].q[i]);
        let v = |i| combined_entry(&Self::ERROR, &steps, T::zero(), |j| k[j].v[i]);
        let error = self.settings.norm_beyond(rounding, q, v, start, end);
        error.select(is_finite(error), T::lit(1e30))
    }

    /// Stores the slope at the end and chooses the length of the next step.
    fn accept<Q, V>(
        &self,
        memory: &mut DormandPrinceMemory<T, Q, V>,
        h: T,
        most: T,
        error: T,
        rejected: bool,
    ) {
        let error = error.simd_max(T::lit(1e-20));
        // h (0.9 / (err^α / err_before^β)), with squares of errors, hence half the exponents.
        let factor = T::lit(SAFETY) * memory.last_error.simd_powf(T::lit(0.5 * BETA))
            / error.simd_powf(T::lit(0.5 * ALPHA));
        let growth = if rejected { 1.0 } else { GROWTH };
        let factor = factor.simd_max(T::lit(SHRINK)).simd_min(T::lit(growth));
        // A step cut short to land says little about the length the next could have.
        let cut = h.simd_eq(most) & h.simd_lt(memory.next);
        let next = (h * factor).simd_max(memory.next.select(cut, T::zero()));
        memory.next = next.simd_min(self.settings.longest);
        memory.last_error = error.simd_max(T::lit(MIN_ERROR));
        memory.reached = true;
    }
}

/// h Σⱼ wⱼ kⱼ
fn combined<T, Q, V>(
    weights: &[f64; 7],
    k: &[Slope<Q, V>; 7],
    like: &State<Q, V>,
    h: T,
) -> Slope<Q, V>
where
    T: Real,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
{
    let mut sum = State {
        t: T::zero(),
        q: like.q.zeros_like(),
        v: like.v.zeros_like(),
    };
    advance(weights, k, &sum.clone(), h, &mut sum);
    let State { q, v, .. } = sum;
    Slope { q, v }
}

/// The factor for the length of a step with this squared error.
fn shrinkage<T: Real>(error: T) -> T {
    let factor = T::lit(SAFETY) / error.simd_max(T::lit(1e-20)).simd_powf(T::lit(0.5 * ALPHA));
    factor.simd_max(T::lit(SHRINK)).simd_min(T::one())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Method = DormandPrince<f64>;

    #[test]
    fn the_tableau_meets_the_conditions_of_order_five() {
        let Tableau { a, b, c } = Method::TABLEAU;
        for (row, c) in a.iter().zip(c) {
            assert!((row.iter().sum::<f64>() - c).abs() < 1e-14);
        }
        // Quadrature: Σ b cᵏ⁻¹ = 1/k for k ≤ 5; for the embedded weights b − e for k ≤ 4.
        for power in 0..5 {
            let moment = |w: &[f64; 7]| (0..7).map(|i| w[i] * c[i].powi(power)).sum::<f64>();
            let exact = 1.0 / f64::from(power + 1);
            assert!((moment(&b) - exact).abs() < 1e-14);
            let embedded = moment(&b) - moment(&Method::ERROR) - exact;
            assert_eq!(embedded.abs() < 1e-14, power < 4, "{power}: {embedded}");
        }
    }

    #[test]
    fn the_error_of_turns_follows_from_the_tableau() {
        let Tableau { a, .. } = Method::TABLEAU;
        let mut powers = [1.0; 7];
        for _ in 0..4 {
            powers = a.map(|row| row.iter().zip(powers).map(|(a, x)| a * x).sum::<f64>());
        }
        let error: f64 = Method::ERROR.iter().zip(powers).map(|(e, x)| e * x).sum();
        assert!(
            (error.abs() - ERROR_OF_TURNS.factor).abs() < 1e-15,
            "{error}"
        );
    }

    #[test]
    fn the_dense_output_meets_the_quadrature_conditions_of_order_four() {
        // On ẏ = tᵏ⁻¹, u(θ) must be θᵏ/k for k ≤ 4: t^k as the Hermite cubic plus θ²(1 − θ)² r.
        let c = Method::TABLEAU.c;
        for (power, exact) in [(0, 0.0), (1, 0.0), (2, 0.0), (3, 0.25)] {
            let r: f64 = (0..7).map(|i| Method::QUARTIC[i] * c[i].powi(power)).sum();
            assert!((r - exact).abs() < 1e-13, "{power}: {r}");
        }
    }
}
