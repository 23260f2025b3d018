//! Radau IIA of three stages: implicit steps of order 5 that stiffness does not shorten.
//!
//! Unknown are the velocities of the stages alone, zᵢ = vᵢ − v₀: the places of the stages follow from them by the same
//! quadrature, qᵢ = q₀ + h Σⱼ aᵢⱼ N(qⱼ) vⱼ. Newton's method on a(tᵢ, qᵢ, vᵢ) = h⁻¹ Σⱼ (A⁻¹)ᵢⱼ zⱼ, its matrix held still
//! and A⁻¹ brought to diagonal form, falls into one real and one complex system of as many equations as velocities,
//!
//! ```text
//! (s − ∂v̇/∂v − s⁻¹ ∂v̇/∂q) δw = r        s = γ/h, (α + i β)/h        γ, α ± i β the eigenvalues of A⁻¹
//! ```
//!
//! half the size of those of (q, v), whose upper half q̇ = v is thus eliminated by hand.
//!
//! One matrix E₀ for all stages is slow where what is stiff turns, as the mass does that a bushing feels of a swinging rod:
//! residuals then are multiplied by E₀ Eᵢ⁻¹, with the real matrix Eᵢ of each stage, which is exact in what is stiff and
//! changes nothing in what is not. It begins when Newton's method has failed once.

use nalgebra::{Complex, RealField};

use super::lu::Lu;
use super::newton::{Effort, REFINEMENTS, Variation, eliminate};
use super::step_control::{
    Budget, ErrorOfTurns, MAX_REJECTIONS, Settings, check_resolved, landing,
};
use super::{Integrator, Interpolant, Motion, Slope};
use crate::error::Error;
use crate::event::Events;
use crate::real::{Real, is_plain, lane_value, largest};
use crate::simulation::Simulation;
use crate::state::{State, check_finite};
use crate::system::System;
use crate::vector::Vector;

/// √6
const ROOT: f64 = 2.449_489_742_783_178;

/// Times of the stages, in steps.
const C: [f64; 3] = [(4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0];

/// Weights of the slopes in the stages; the last stage is the end of the step.
const A: [[f64; 3]; 3] = [
    [
        (88.0 - 7.0 * ROOT) / 360.0,
        (296.0 - 169.0 * ROOT) / 1800.0,
        (-2.0 + 3.0 * ROOT) / 225.0,
    ],
    [
        (296.0 + 169.0 * ROOT) / 1800.0,
        (88.0 + 7.0 * ROOT) / 360.0,
        (-2.0 - 3.0 * ROOT) / 225.0,
    ],
    [(16.0 - ROOT) / 36.0, (16.0 + ROOT) / 36.0, 1.0 / 9.0],
];

/// A⁻¹
const INVERSE: [[f64; 3]; 3] = [
    [
        2.0 + ROOT / 2.0,
        -1.2 + 29.0 * ROOT / 30.0,
        0.4 - 4.0 * ROOT / 15.0,
    ],
    [
        -1.2 - 29.0 * ROOT / 30.0,
        2.0 - ROOT / 2.0,
        0.4 + 4.0 * ROOT / 15.0,
    ],
    [-1.0 + 8.0 * ROOT / 3.0, -1.0 - 8.0 * ROOT / 3.0, 5.0],
];

/// T of T⁻¹ A⁻¹ T = (γ, 0, 0; 0, α, −β; 0, β, α), RADAU5's.
const FROM_DIAGONAL: [[f64; 3]; 3] = [
    [
        9.123_239_487_089_295e-2,
        -0.141_255_295_020_954_2,
        -3.002_919_410_514_742_4e-2,
    ],
    [
        0.241_717_932_707_107,
        0.204_129_352_293_799_94,
        0.382_942_112_757_261_9,
    ],
    [0.966_048_182_615_093, 1.0, 0.0],
];

/// T⁻¹
const TO_DIAGONAL: [[f64; 3]; 3] = [
    [
        4.325_579_890_063_155,
        0.339_199_251_815_809_85,
        0.541_770_539_935_874_9,
    ],
    [
        -4.178_718_591_551_905,
        -0.327_682_820_761_062_37,
        0.476_623_554_500_550_44,
    ],
    [
        -0.502_872_634_945_786_9,
        2.571_926_949_855_605,
        -0.596_039_204_828_224_9,
    ],
];

/// γ
const GAMMA: f64 = 3.637_834_252_744_496;
/// α and β
const PAIR: [f64; 2] = [2.681_082_873_627_752, 3.050_430_199_247_411];

/// Weights of the stages' slopes in h/γ (ẏ₀ + Σⱼ eⱼ ẏⱼ), the difference to a result of order 3; they sum up to −1.
const ERROR: [f64; 3] = [-1.0 / 3.0 - ROOT / 2.0, -1.0 / 3.0 + ROOT / 2.0, -1.0 / 3.0];

/// Σⱼ eⱼ cⱼ³ / (3! γ)
const ERROR_OF_TURNS: ErrorOfTurns = ErrorOfTurns {
    factor: 0.1 / 6.0 / GAMMA,
    power: 4,
};

/// Iterations of Newton's method after which a step is taken back; RADAU5's are seven.
const MAX_ITERATIONS: usize = 10;
/// Steps do not grow beyond where each iteration would leave this part of an error, which grows with their length.
const SLOW: f64 = 0.3;
/// Each iteration leaves this part of an error or less, where ∂v̇/∂(q, v) serves another step.
const STILL_GOOD: f64 = 1e-3;
/// The next step keeps its length, and with it the elimination, rather than become longer by up to this factor.
const NOT_WORTH: f64 = 1.2;
/// Factor of caution on every step size chosen.
const SAFETY: f64 = 0.9;
/// Limits of one step size over the one before.
const SHRINK: f64 = 0.2;
const GROWTH: f64 = 8.0;
/// The least error that counts in the prediction of the next.
const MIN_ERROR: f64 = 1e-2;
/// What is left of a step that Newton's method did not solve, or that met a state the system refuses.
const RETREAT: f64 = 0.5;
/// Most of what the tolerances allow that Newton's method may leave.
const NEWTON_PART: f64 = 0.03;

/// The implicit adaptive method of order 5 for stiff motion, Radau IIA of three stages as in the code RADAU5.
///
/// What it solves is q̇ = N(q) v, v̇ = a(t, q, v), λ eliminated: index 1. The end of each step is projected onto C = 0 and
/// Ċ = 0 like that of any other method (or fed back, as [`Stabilization`](crate::Stabilization) says): nothing drifts.
/// Forces may be stiff, as springs of 10⁸ N/m are: L-stable, the method damps what is too fast for its steps.
///
/// - Tolerances: as of [`DormandPrince`](crate::DormandPrince), but the error estimate is of order 3 and so is held
///   against rtol′ = 0.1 rtol^(2/3) and atol′ = atol rtol′/rtol, as in RADAU5; with rtol = 0 against atol itself.
/// - Asks for ∂v̇/∂(q, v), of systems with `#[derivatives]` exact ([`Derivatives`](crate::Derivatives)). Inputs that a
///   law gives count as held there: a stiff law stops Newton's method, a stiff force does not.
/// - Bodies turn by their quaternions' components, with the velocities of the world; N(q) is iterated upon beside
///   Newton's method, which takes steps of well below a radian.
/// - Cost, with N velocities: three evaluations an iteration, of which two to four a step are usual, one at the start
///   of a step; elimination of a real and a complex N × N matrix, 5 N³/3 multiplications, where the length of a step has
///   changed, and ∂v̇/∂(q, v) where Newton's method has become slow. [`effort`](Simulation::effort) tells. No
///   allocation with vectors of fixed size. Dense: for hundreds of velocities, not for thousands.
/// - Where Newton's method with one matrix has failed once, because what is stiff turns with the motion, ∂v̇/∂(q, v) and a
///   real matrix of each stage are asked for and eliminated as well, until the run starts anew.
/// - Dense output: the collocation polynomial, of degree 3.
/// - Scalars are `f64`, `f32` and dual numbers; lanes have no common pivots.
///
/// # Errors
/// Besides those of the system: [`Error::NoDerivatives`]; [`Error::NewtonDiverged`] and [`Error::SingularStep`] where no
/// step is short enough for Newton's method, [`Error::StepSizeUnderflow`] for the tolerance;
/// [`Error::TooManyRejections`], [`Error::TooManySteps`]. The simulation keeps its last good state.
///
/// # Source
/// [Hairer, Wanner 1996] *Solving Ordinary Differential Equations II*: section IV.8 (Newton's method, step control, dense
/// output) and the code RADAU5; VII.2 (projection).
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// A pendulum on a bushing.
///     #[derivatives]
///     struct Hung { m: Real = 1, k: Real = 1e8, c: Real = 1e3, l: Real = 1, g: Real = 9.81 }
///     particle pin: Point2 { mass: m }
///     particle bob: Point2 { mass: m }
///     constraint rod: norm(bob - pin) == l;
///     potential k/2*dot(pin, pin);
///     dissipation c/2*dot(velocity(pin), velocity(pin));
///     gravity [0, -g];
/// }
/// let pin = Point2::origin();
/// let start = HungCoordinates { pin, bob: Point2::new(0.6, -0.8) };
/// let start = State::new(0.0, start, HungVelocities::default());
/// let mut run = Simulation::new(Hung::default(), start, Radau5::new(1e-6, 1e-6))?;
/// run.run_until(10.0)?;
/// assert!(run.effort().steps < 300 && run.drift() < 1e-12);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Radau5<T = f64> {
    settings: Settings<T>,
    newton: Option<T>,
}

impl<T: Real> Radau5<T> {
    /// The method with the relative tolerance `rtol` and the absolute one `atol`, per step.
    pub fn new(rtol: T, atol: T) -> Self {
        Self {
            settings: Settings::new(rtol, atol),
            newton: None,
        }
    }

    /// As [`DormandPrince::with_first_step`](crate::DormandPrince::with_first_step).
    pub fn with_first_step(mut self, h: T) -> Self {
        self.settings.first = Some(h);
        self
    }

    /// The same method with no step longer than `h`.
    pub fn with_longest_step(mut self, h: T) -> Self {
        self.settings.longest = h;
        self
    }

    /// The same method with at most so many steps towards one time; a million unless told otherwise.
    pub fn with_most_steps(mut self, most_steps: usize) -> Self {
        self.settings.most_steps = most_steps;
        self
    }

    /// The same method whose Newton's method ends where it would change this part of what the tolerances allow; unless
    /// told otherwise min(0.03, √rtol′). Rounding is the least in any case.
    pub fn with_newton_tolerance(self, part: T) -> Self {
        Self {
            newton: Some(part),
            ..self
        }
    }

    /// What the error estimate is held against.
    fn held(&self) -> Settings<T> {
        let Settings { rtol, atol, .. } = self.settings;
        let relaxed = T::lit(0.1) * rtol.simd_powf(T::lit(2.0 / 3.0));
        let some = rtol.simd_gt(T::zero());
        Settings {
            rtol: relaxed.select(some, rtol),
            atol: (atol * (relaxed / rtol)).select(some, atol),
            ..self.settings
        }
    }
}

/// What [`Radau5`] keeps: matrices and their elimination, the last step, and the length of the next.
#[derive(Clone, Debug)]
pub struct Radau5Memory<T: RealField + Copy, Q, V: Vector> {
    variation: Variation<V>,
    varied: Varied,
    real: Lu<T, V>,
    complex: Lu<Complex<T>, V>,
    pair: V::Array<Complex<T>>,
    /// The length of the step that the eliminations are of; zero before the first.
    eliminated: T,
    /// The real matrix of each stage, where one has once not been enough.
    turned: Option<[Lu<T, V>; 3]>,
    /// The part of an error that an iteration of Newton's method has last left, and the length of that step.
    rate: T,
    rate_h: T,
    stages: Stages<Q, V>,
    /// q̇ and v̇ at the start of the step.
    first: Slope<Q, V>,
    /// v̇ of the stages of the last step, and its length.
    last: [V; 3],
    last_h: T,
    last_error: T,
    /// Whether the last step has led to where the next one starts.
    reached: bool,
    /// Length of the next step; zero before the first.
    next: T,
    budget: Budget<T>,
    effort: Effort,
}

/// The unknowns of a step.
#[derive(Clone, Debug)]
struct Stages<Q, V> {
    /// vᵢ − v₀
    z: [V; 3],
    q: [Q; 3],
    /// N(qᵢ) vᵢ
    rates: [Q; 3],
}

/// Where ∂v̇/∂(q, v) has been taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Varied {
    Nowhere,
    Before,
    AtStart,
}

impl<T, Q, V> Radau5Memory<T, Q, V>
where
    T: Real + RealField,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
{
    fn room(q: &Q, v: &V) -> Self {
        let (places, velocities) = (|| q.zeros_like(), || v.zeros_like());
        Self {
            variation: Variation::room(v),
            varied: Varied::Nowhere,
            real: Lu::room(v),
            complex: Lu::room(v),
            pair: v.array(nalgebra::zero()),
            eliminated: T::zero(),
            turned: None,
            rate: T::lit(STILL_GOOD),
            rate_h: T::zero(),
            stages: Stages {
                z: [(); 3].map(|()| velocities()),
                q: [(); 3].map(|()| places()),
                rates: [(); 3].map(|()| places()),
            },
            first: Slope {
                q: places(),
                v: velocities(),
            },
            last: [(); 3].map(|()| velocities()),
            last_h: T::zero(),
            last_error: T::lit(MIN_ERROR),
            reached: false,
            next: T::zero(),
            budget: Budget::default(),
            effort: Effort::default(),
        }
    }
}

impl<T, Q, V> Default for Radau5Memory<T, Q, V>
where
    T: Real + RealField,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
{
    fn default() -> Self {
        Self::room(&Q::blank(), &V::blank())
    }
}

/// A step that was tried: its error over what is allowed, and what it took.
struct Tried<T> {
    error: T,
    iterations: usize,
}

/// Why a step cannot be judged by its error, and what may be left of its length.
struct Refused<T> {
    error: Error,
    part: T,
}

impl<T: Real> From<Error> for Refused<T> {
    fn from(error: Error) -> Self {
        let part = T::lit(RETREAT);
        Self { error, part }
    }
}

impl<T: Real + RealField> Integrator for Radau5<T> {
    type Scalar = T;
    type Memory<Q: Vector<Scalar = T>, V: Vector<Scalar = T>> = Radau5Memory<T, Q, V>;

    fn order(&self) -> u32 {
        5
    }

    fn longest_step(&self) -> T {
        T::lit(f64::INFINITY)
    }

    fn validate(&self) -> Result<(), Error> {
        self.settings.validate()?;
        match self.newton {
            Some(part) if !(part > T::zero() && part.is_finite()) => Err(Error::InvalidTolerance {
                tolerance: lane_value(part, 0),
            }),
            _ => Ok(()),
        }
    }

    fn step<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Self::Memory<S::Q, S::V>,
        start: &State<S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
    ) -> Result<(), Error> {
        let (most, target) = (h, end.t);
        self.prepare(motion, memory, start, most)?;
        let next = memory.next;
        let most_steps = self.settings.most_steps;
        memory.budget.spend(target, most_steps, next)?;
        let mut h = landing(next, most);
        let mut refusal = None;
        for attempt in 0..MAX_REJECTIONS {
            check_resolved(start.t, h, most).map_err(|error| refusal.unwrap_or(error))?;
            end.t = if h == most { target } else { start.t + h };
            let again = attempt > 0;
            let part = match self.attempt(motion, memory, start, h, end, again) {
                Ok(tried) if tried.error < T::one() => {
                    self.accept(memory, h, most, &tried, again);
                    return Ok(());
                }
                Ok(tried) if memory.last_h == T::zero() => shrinkage(&tried).simd_min(T::lit(0.1)),
                Ok(tried) => shrinkage(&tried),
                Err(Refused {
                    error: error @ Error::NoDerivatives,
                    ..
                }) => return Err(error),
                Err(Refused { error, part }) => {
                    if let Error::NewtonDiverged { .. } = error
                        && memory.turned.is_none()
                    {
                        memory.turned = Some([(); 3].map(|()| Lu::room(&start.v)));
                    }
                    refusal = Some(error);
                    part
                }
            };
            h *= part;
            memory.effort.rejections += 1;
            if memory.varied == Varied::Before {
                memory.varied = Varied::Nowhere;
            }
        }
        Err(refusal.unwrap_or_else(|| Error::TooManyRejections {
            rejections: MAX_REJECTIONS,
            step_size: lane_value(h, 0),
            time: None,
        }))
    }

    fn interpolant<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &Self::Memory<S::Q, S::V>,
        start: &State<S::Q, S::V>,
        end: &State<S::Q, S::V>,
    ) -> Result<Interpolant<S::Q, S::V>, Error> {
        if !memory.reached {
            return motion.cubic(start, end);
        }
        // The collocation polynomial has the stages' slopes: at the end the last one, at the start theirs continued.
        let weights = [0, 1, 2].map(|j| T::lit(basis(j).value(0.0)));
        let (q, v) = (&memory.stages.rates, &memory.last);
        let slopes = [
            Slope {
                q: combined(weights, q),
                v: combined(weights, v),
            },
            Slope {
                q: q[2].clone(),
                v: v[2].clone(),
            },
        ];
        Ok(Interpolant::cubic(start, end, &slopes))
    }
}

impl<T: Real + RealField> Radau5<T> {
    /// Sees to the slope at the start and the length of the step that starts there.
    fn prepare<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Radau5Memory<T, S::Q, S::V>,
        start: &State<S::Q, S::V>,
        most: T,
    ) -> Result<(), Error> {
        if memory.first.v.entries().len() != start.v.entries().len() {
            // Only the first step tells how many there are.
            *memory = Radau5Memory::room(&start.q, &start.v);
        }
        memory.first = motion.slope(start)?;
        memory.effort.evaluations += 1;
        if memory.reached {
            memory.reached = false;
            return Ok(());
        }
        memory.next = match self.settings.first {
            Some(first) => first.simd_min(self.settings.longest),
            None => {
                memory.effort.evaluations += 1;
                let slope_at = |state: &_| motion.slope(state);
                let held = self.held();
                held.first_step(start, &memory.first, most, ERROR_OF_TURNS, slope_at)
            }
        };
        Ok(())
    }

    /// Tries a step of length `h`, after others that failed where it is tried `again`.
    fn attempt<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Radau5Memory<T, S::Q, S::V>,
        start: &State<S::Q, S::V>,
        h: T,
        end: &mut State<S::Q, S::V>,
        again: bool,
    ) -> Result<Tried<T>, Refused<T>> {
        if memory.varied == Varied::Nowhere {
            memory.variation.take(motion, start)?;
            memory.effort.linearizations += 1;
            (memory.varied, memory.eliminated) = (Varied::AtStart, T::zero());
        }
        if memory.eliminated != h {
            let variation = &memory.variation;
            let [re, im] = PAIR.map(|x| T::lit(x) / h);
            let (s, pair) = (T::lit(GAMMA) / h, Complex::new(re, im));
            let one: Complex<T> = nalgebra::one();
            eliminate(&mut memory.real, variation, [s, T::one(), T::one() / s])?;
            eliminate(&mut memory.complex, variation, [pair, one, one / pair])?;
            memory.effort.eliminations += 1;
            memory.eliminated = h;
        }
        let held = self.held();
        memory.predict(h);
        let mut tried = self.solve(motion, memory, start, h, &held)?;
        let Stages { z, q, .. } = &memory.stages;
        end.q.assign(&q[2]);
        end.v.update(|i, _| start.v[i] + z[2][i]);
        check_finite(end)?;
        let first = memory.first.clone();
        let mut error = memory.error(motion, start, h, &first);
        tried.error = size(&held, &error, [start, end]);
        if tried.error >= T::one() && (again || memory.last_h == T::zero()) {
            // Of what is stiff the slope at the start says little; at what the estimate corrects it says more.
            let Slope { q, v } = &mut error;
            q.update(|i, x| start.q[i] + x);
            v.update(|i, x| start.v[i] + x);
            let first = Slope {
                q: motion.kinematics(start.t, q, v),
                v: motion.acceleration(start.t, q, v)?,
            };
            memory.effort.evaluations += 1;
            let error = memory.error(motion, start, h, &first);
            tried.error = size(&held, &error, [start, end]);
        }
        if tried.error < T::one() {
            motion.stabilize(start, end)?;
        }
        Ok(tried)
    }

    /// The stages of a step, from a guess at them, by Newton's method.
    fn solve<S: System<T>>(
        &self,
        motion: &Motion<'_, T, S>,
        memory: &mut Radau5Memory<T, S::Q, S::V>,
        start: &State<S::Q, S::V>,
        h: T,
        held: &Settings<T>,
    ) -> Result<Tried<T>, Refused<T>> {
        let goal = self.goal(held, start);
        let quiet = Motion {
            probe: None,
            ..*motion
        };
        let times = C.map(|c| start.t + T::lit(c) * h);
        memory.stages.q = [(); 3].map(|()| start.q.clone());
        memory.stages.place(motion, start, times, h);
        // Until two iterations tell, it is taken to grow with the length of the step.
        let mut rate = memory.expected_rate(h);
        (memory.rate, memory.rate_h) = (rate, h);
        let (mut last, mut last_ratio) = (T::zero(), T::zero());
        let mut refinements = if is_plain::<T>() { 0 } else { REFINEMENTS };
        memory.eliminate_stages(&quiet, start, times, h)?;
        let mut solved = false;
        for iterations in 1..=MAX_ITERATIONS + refinements {
            memory.effort.iterations += 1;
            let mut residual = memory.residual(&quiet, start, times, h)?;
            let worst = residual.iter().map(largest);
            let worst = worst.fold(T::zero(), |most, x| most.simd_max(x));
            memory.turn(&mut residual, h);
            let change = memory.improve(&residual);
            let size = memory.change(motion, start, times, h, &change, held);
            let diverged = |part: T| Refused {
                error: Error::NewtonDiverged {
                    residual: lane_value(worst, 0),
                    iterations,
                    time: None,
                },
                part,
            };
            if !size.is_finite() {
                return Err(diverged(T::lit(RETREAT)));
            }
            if iterations > 1 && size > T::zero() && !solved {
                let ratio = size / last;
                rate = if iterations == 2 {
                    ratio
                } else {
                    (ratio * last_ratio).simd_sqrt()
                };
                last_ratio = ratio;
                (memory.rate, memory.rate_h) = (rate, h);
                if rate >= T::lit(0.99) {
                    return Err(diverged(T::lit(RETREAT)));
                }
                let left = MAX_ITERATIONS.saturating_sub(1 + iterations);
                // What the iterations that are left would leave.
                let ahead = remainder(rate) * size * rate.simd_powi(left as i32) / goal;
                if ahead >= T::one() {
                    let excess = ahead.simd_min(T::lit(20.0));
                    let root = T::lit(-1.0 / (4 + left) as f64);
                    return Err(diverged(T::lit(0.8) * excess.simd_powf(root)));
                }
            }
            last = size;
            solved = solved || remainder(rate) * size <= goal;
            if solved {
                // Dual numbers carry derivatives, whose changes are not seen.
                if refinements > 0 {
                    refinements -= 1;
                    continue;
                }
                memory.stages.tell(motion, start, times);
                return Ok(Tried {
                    error: T::zero(),
                    iterations,
                });
            }
        }
        Err(Refused::from(Error::NewtonDiverged {
            residual: lane_value(last, 0),
            iterations: MAX_ITERATIONS,
            time: None,
        }))
    }

    /// What Newton's method may leave, where one is all that is allowed.
    fn goal<Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        &self,
        held: &Settings<T>,
        start: &State<Q, V>,
    ) -> T {
        // rtol where that is all that is allowed.
        let size = held.norm(|i| start.q[i], |i| start.v[i], start, start);
        let size = size.simd_sqrt();
        let usual = (T::one() / size).simd_sqrt().simd_min(T::lit(NEWTON_PART));
        let rounding = T::lit(10.0) * T::simd_default_epsilon() * size;
        self.newton.unwrap_or(usual).simd_max(rounding)
    }

    /// Keeps the step and chooses the length of the next.
    fn accept<Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        &self,
        memory: &mut Radau5Memory<T, Q, V>,
        h: T,
        most: T,
        tried: &Tried<T>,
        again: bool,
    ) {
        let error = tried.error.simd_max(T::lit(1e-10));
        let root = T::lit(0.25);
        let mut factor = caution::<T>(tried.iterations) / error.simd_powf(root);
        if memory.last_h > T::zero() {
            // Gustafsson's prediction: the error goes on growing as from the last step to this one.
            let growth = (memory.last_error / (error * error)).simd_powf(root);
            let predicted = T::lit(SAFETY) * (h / memory.last_h) * growth;
            factor = factor.simd_min(predicted);
        }
        let rate = memory.rate;
        let limit = T::lit(if again { 1.0 } else { GROWTH });
        let limit = limit.simd_min((T::lit(SLOW) / rate).simd_max(T::one()));
        let factor = factor.simd_max(T::lit(SHRINK)).simd_min(limit);
        memory.effort.steps += 1;
        memory.last = memory.stages.accelerations(h);
        (memory.last_h, memory.last_error) = (h, error.simd_max(T::lit(MIN_ERROR)));
        memory.reached = true;
        memory.varied = if rate <= T::lit(STILL_GOOD) {
            Varied::Before
        } else {
            Varied::Nowhere
        };
        // A step cut short to land says little about the length the next could have.
        let before = memory.next;
        let mut next = h * factor;
        if h == most && h < before {
            next = next.simd_max(before);
        } else if memory.varied == Varied::Before && (T::one()..T::lit(NOT_WORTH)).contains(&factor)
        {
            next = h;
        }
        memory.next = next.simd_min(self.settings.longest);
    }
}

impl<T, Q, V> Radau5Memory<T, Q, V>
where
    T: Real + RealField,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
{
    /// The part of an error that an iteration of Newton's method is taken to leave in a step of length `h`.
    fn expected_rate(&self, h: T) -> T {
        if self.rate_h == T::zero() {
            return T::lit(0.5);
        }
        // What was measured long ago counts for less: as in RADAU5.
        let rate = self.rate.simd_max(T::simd_default_epsilon());
        rate.simd_powf(T::lit(0.8)) * (h / self.rate_h)
    }

    /// A guess at the stages of a step of length `h`: the last step's polynomial goes on; without one nothing moves.
    fn predict(&mut self, h: T) {
        let Self { stages, last, .. } = self;
        for (z, c) in stages.z.iter_mut().zip(C) {
            if self.last_h == T::zero() {
                z.update(|_, _| T::zero());
                continue;
            }
            let end = T::one() + T::lit(c) * h / self.last_h;
            let weights = [0, 1, 2].map(|j| basis(j).integral(end) * self.last_h);
            z.update(|i, _| weighted(weights, |j| last[j][i]));
        }
    }

    /// By how much v̇ of each stage is off a(t, q, v).
    fn residual<S: System<T, Q = Q, V = V>>(
        &mut self,
        motion: &Motion<'_, T, S>,
        start: &State<Q, V>,
        times: [T; 3],
        h: T,
    ) -> Result<[V; 3], Error> {
        let mut residual = self.stages.accelerations(h);
        for (i, off) in residual.iter_mut().enumerate() {
            let v = self.stages.velocity(start, i);
            let acceleration = motion.acceleration(times[i], &self.stages.q[i], &v)?;
            off.update(|k, x| acceleration[k] - x);
        }
        self.effort.evaluations += 3;
        Ok(residual)
    }

    /// Eliminates the real matrix of each stage, with ∂v̇/∂(q, v) as it is expected there.
    fn eliminate_stages<S: System<T, Q = Q, V = V>>(
        &mut self,
        motion: &Motion<'_, T, S>,
        start: &State<Q, V>,
        times: [T; 3],
        h: T,
    ) -> Result<(), Error> {
        let Some(turned) = &mut self.turned else {
            return Ok(());
        };
        let s = T::lit(GAMMA) / h;
        let mut there = Variation::room(&start.v);
        for (i, lu) in turned.iter_mut().enumerate() {
            let state = State {
                t: times[i],
                q: self.stages.q[i].clone(),
                v: self.stages.velocity(start, i),
            };
            there.take(motion, &state)?;
            eliminate(lu, &there, [s, T::one(), T::one() / s])?;
        }
        self.effort.linearizations += 3;
        self.effort.eliminations += 1;
        Ok(())
    }

    /// Turns what is off at the stages as the matrices there are turned against that at the start: E₀ Eᵢ⁻¹, which makes
    /// Newton's method with one matrix exact in what is stiff.
    fn turn(&self, residual: &mut [V; 3], h: T) {
        let Some(turned) = &self.turned else {
            return;
        };
        let s = T::lit(GAMMA) / h;
        for (off, lu) in residual.iter_mut().zip(turned) {
            lu.solve(off.entries_mut());
            *off = self.variation.times([s, -T::one(), -T::one() / s], off);
        }
    }

    /// Takes a step of Newton's method; what it changes the velocities of the stages by.
    fn improve(&mut self, residual: &[V; 3]) -> [V; 3] {
        let row = |i: usize, k: usize| weighted(TO_DIAGONAL[i].map(T::lit), |j| residual[j][k]);
        let mut real = residual[0].like(|k| row(0, k));
        self.real.solve(real.entries_mut());
        let pair = self.pair.as_mut();
        for (k, pair) in pair.iter_mut().enumerate() {
            *pair = Complex::new(row(1, k), row(2, k));
        }
        self.complex.solve(pair);
        let change = FROM_DIAGONAL.map(|weights| {
            real.like(|k| {
                let diagonal = [real[k], pair[k].re, pair[k].im];
                weighted(weights.map(T::lit), |j| diagonal[j])
            })
        });
        for (z, change) in self.stages.z.iter_mut().zip(&change) {
            z.update(|k, x| x + change[k]);
        }
        change
    }

    /// Moves the places after the velocities; the size of both changes in what is allowed.
    fn change<S: System<T, Q = Q, V = V>>(
        &mut self,
        motion: &Motion<'_, T, S>,
        start: &State<Q, V>,
        times: [T; 3],
        h: T,
        change: &[V; 3],
        held: &Settings<T>,
    ) -> T {
        let before = self.stages.q.clone();
        self.stages.place(motion, start, times, h);
        let there = State {
            t: times[2],
            q: self.stages.q[2].clone(),
            v: self.stages.velocity(start, 2),
        };
        let squares = (0..3).map(|i| {
            let moved = |k: usize| self.stages.q[i][k] - before[i][k];
            held.norm(moved, |k| change[i][k], start, &there)
        });
        let sum = squares.fold(T::zero(), |sum, x| sum + x);
        (sum / T::lit(3.0)).simd_sqrt()
    }

    /// The difference to a result of order 3, with `first` for the slope at the start.
    fn error<S: System<T, Q = Q, V = V>>(
        &self,
        motion: &Motion<'_, T, S>,
        start: &State<Q, V>,
        h: T,
        first: &Slope<Q, V>,
    ) -> Slope<Q, V> {
        let (weights, length) = (ERROR.map(T::lit), h / T::lit(GAMMA));
        let Stages { z, rates, .. } = &self.stages;
        let accelerations = self.stages.accelerations(h);
        let along = [T::zero(), T::zero(), length];
        let along = self.variation.times(along, &combined(weights, z));
        let mut v = first
            .v
            .like(|i| first.v[i] + weighted(weights, |j| accelerations[j][i]) + along[i]);
        self.real.solve(v.entries_mut());
        let rate = motion.kinematics(start.t, &start.q, &v);
        let q = rate.like(|i| (first.q[i] + weighted(weights, |j| rates[j][i]) + rate[i]) * length);
        Slope { q, v }
    }
}

impl<T, Q, V> Stages<Q, V>
where
    T: Real + RealField,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
{
    /// Times that q̇ is asked for at places that depend on it. Where it is v, once is exact.
    const PASSES: usize = match (Q::LEN, V::LEN) {
        (Some(q), Some(v)) if q != v => 3,
        _ => 1,
    };

    fn velocity(&self, start: &State<Q, V>, i: usize) -> V {
        start.v.like(|k| start.v[k] + self.z[i][k])
    }

    /// h⁻¹ A⁻¹ z: v̇ of the polynomial through the stages.
    fn accelerations(&self, h: T) -> [V; 3] {
        INVERSE.map(|row| combined(row.map(|x| T::lit(x) / h), &self.z))
    }

    /// q₀ + h Σⱼ aᵢⱼ N(qⱼ) vⱼ
    fn place<S: System<T, Q = Q, V = V>>(
        &mut self,
        motion: &Motion<'_, T, S>,
        start: &State<Q, V>,
        times: [T; 3],
        h: T,
    ) {
        for _ in 0..Self::PASSES {
            for (i, t) in times.into_iter().enumerate() {
                let rate = motion.kinematics(t, &self.q[i], &self.velocity(start, i));
                self.rates[i].assign(&rate);
            }
            for (q, row) in self.q.iter_mut().zip(A) {
                let weights = row.map(|a| T::lit(a) * h);
                q.update(|k, _| start.q[k] + weighted(weights, |j| self.rates[j][k]));
            }
        }
    }

    /// Shows the stages to what watches them.
    fn tell<S: System<T, Q = Q, V = V>>(
        &self,
        motion: &Motion<'_, T, S>,
        start: &State<Q, V>,
        times: [T; 3],
    ) {
        if motion.probe.is_some() {
            for (i, t) in times.into_iter().enumerate() {
                motion.tell(t, &self.q[i], &self.velocity(start, i));
            }
        }
    }
}

impl<T, S, E> Simulation<S, Radau5<T>, E>
where
    T: Real + RealField,
    S: System<T>,
    E: Events<S::Q, S::V>,
{
    /// What the method has done since the start, or since an event has last changed the state.
    pub fn effort(&self) -> Effort {
        self.memory().effort
    }
}

/// What all further iterations change, over what the last one did, where each leaves the part `rate` of an error.
fn remainder<T: Real + RealField>(rate: T) -> T {
    let rate = rate.simd_min(T::lit(0.99));
    rate / (T::one() - rate)
}

/// Σⱼ wⱼ xⱼ
fn weighted<T: Real>(weights: [T; 3], x: impl Fn(usize) -> T) -> T {
    weights[0] * x(0) + weights[1] * x(1) + weights[2] * x(2)
}

/// The same of vectors.
fn combined<T: Real, X: Vector<Scalar = T>>(weights: [T; 3], x: &[X; 3]) -> X {
    x[0].like(|i| weighted(weights, |j| x[j][i]))
}

/// The size of an error in what is allowed between two states; NaN counts as huge.
fn size<T: Real + RealField, Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
    held: &Settings<T>,
    error: &Slope<Q, V>,
    [start, end]: [&State<Q, V>; 2],
) -> T {
    let square = held.norm(|i| error.q[i], |i| error.v[i], start, end);
    if square.is_finite() {
        square.simd_sqrt()
    } else {
        T::lit(1e15)
    }
}

/// The factor of caution, which falls with the iterations that a step took.
fn caution<T: Real>(iterations: usize) -> T {
    let most = 2 * MAX_ITERATIONS;
    T::lit(SAFETY * (1 + most) as f64 / (iterations + most) as f64).simd_min(T::lit(SAFETY))
}

/// The factor by which a step is shortened whose error is too large.
fn shrinkage<T: Real>(tried: &Tried<T>) -> T {
    let factor = caution::<T>(tried.iterations) / tried.error.simd_powf(T::lit(0.25));
    factor.simd_max(T::lit(SHRINK)).simd_min(T::one())
}

/// Lagrange's polynomial that is one at the time of one stage and zero at those of the others: (θ² − sum θ + product) scale.
struct Basis {
    sum: f64,
    product: f64,
    scale: f64,
}

fn basis(j: usize) -> Basis {
    let (own, a, b) = (C[j], C[(j + 1) % 3], C[(j + 2) % 3]);
    Basis {
        sum: a + b,
        product: a * b,
        scale: 1.0 / ((own - a) * (own - b)),
    }
}

impl Basis {
    fn value(&self, theta: f64) -> f64 {
        ((theta - self.sum) * theta + self.product) * self.scale
    }

    /// From 1 to `end`.
    fn integral<T: Real>(&self, end: T) -> T {
        let [scale, sum, product] = [self.scale, self.sum, self.product].map(T::lit);
        let primitive = |x: T| ((x * T::lit(1.0 / 3.0) - sum * T::lit(0.5)) * x + product) * x;
        (primitive(end) - primitive(T::one())) * scale
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix3, Vector3};

    use super::*;

    fn matrix(rows: [[f64; 3]; 3]) -> Matrix3<f64> {
        Matrix3::from_fn(|i, j| rows[i][j])
    }

    #[test]
    fn the_stages_integrate_parabolas_and_the_end_polynomials_of_degree_four() {
        for power in 1..=5 {
            for (i, row) in A.iter().enumerate() {
                let sum: f64 = (0..3).map(|j| row[j] * C[j].powi(power - 1)).sum();
                let exact = C[i].powi(power) / f64::from(power);
                let holds = (sum - exact).abs() < 1e-15;
                assert_eq!(holds, power <= 3 || i == 2, "stage {i}, power {power}");
            }
        }
    }

    #[test]
    fn the_inverse_is_brought_to_diagonal_form() {
        let (from, to, inverse) = (matrix(FROM_DIAGONAL), matrix(TO_DIAGONAL), matrix(INVERSE));
        assert!((matrix(A) * inverse - Matrix3::identity()).amax() < 1e-14);
        assert!((to * from - Matrix3::identity()).amax() < 1e-14);
        let [alpha, beta] = PAIR;
        let diagonal = Matrix3::new(GAMMA, 0.0, 0.0, 0.0, alpha, -beta, 0.0, beta, alpha);
        assert!((to * inverse * from - diagonal).amax() < 1e-13);
    }

    /// RADAU5's own weights of the zᵢ, DD1 to DD3, times A.
    #[test]
    fn the_estimate_is_that_of_radau5_and_of_order_three() {
        let theirs = Vector3::new(
            -(13.0 + 7.0 * ROOT) / 3.0,
            (-13.0 + 7.0 * ROOT) / 3.0,
            -1.0 / 3.0,
        );
        let ours = matrix(A).transpose() * theirs;
        assert!((ours - Vector3::from(ERROR)).amax() < 1e-14);
        let moment = |power: i32| (0..3).map(|j| ERROR[j] * C[j].powi(power)).sum::<f64>();
        assert!((moment(0) + 1.0).abs() < 1e-14);
        assert!(moment(1).abs() < 1e-14 && moment(2).abs() < 1e-14);
        let factor = moment(3).abs() / 6.0 / GAMMA;
        assert!((factor - ERROR_OF_TURNS.factor).abs() < 1e-15);
    }

    #[test]
    fn lagrange_polynomials_are_one_at_their_own_stage_and_integrate_to_the_weights() {
        for i in 0..3 {
            for j in 0..3 {
                let own = if i == j { 1.0 } else { 0.0 };
                assert!((basis(j).value(C[i]) - own).abs() < 1e-14);
            }
            // From 1 back to 0, and its derivative by a difference.
            assert!((basis(i).integral(0.0) + A[2][i]).abs() < 1e-14);
        }
    }
}
