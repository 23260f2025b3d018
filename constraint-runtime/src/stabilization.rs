//! Keeping C = 0 and Ċ = 0 against the drift of integration.
//!
//! Enforcing C̈ = 0 alone lets rounding and truncation errors of C grow with t². Projection moves the state back
//! after each step, along the directions in which the constraint forces act:
//!
//! ```text
//! δq = −W Jᵀ (J W Jᵀ)⁻¹ C    repeated until C = 0      (Newton's method)
//! δv = −W Jᵀ (J W Jᵀ)⁻¹ Ċ    once: Ċ is affine in v
//! ```

mod in_place;
mod rows;
mod start;

use nalgebra::SimdBool;

pub(crate) use self::in_place::{PlacesOf, Workspace};
pub(crate) use self::rows::Resting;
use self::rows::{SMALL_PART, all, is_within, no_lanes, renew, rounding, within, worst_row};
pub(crate) use self::start::check_consistent;
use self::start::{corrects, extreme_row};
use crate::allowance::{SPAN_EPSILONS, is_rounding_of_places, rounding_of_spans};
use crate::error::{Error, Quantity};
use crate::integrator::Probe;
use crate::real::{
    Real, beside_value, first_bad, first_bad_lane, first_non_finite, is_finite, is_plain,
    is_plainly_finite, lane_value, largest,
};
use crate::state::{State, check_lengths};
use crate::system::Constrained;
use crate::vector::Vector;

/// Newton iterations after which a projection counts as diverged.
const MAX_ITERATIONS: usize = 50;

/// Corrections below this part of the step in each coordinate are too small to be checked by energies.
const SLIGHT_PART: f64 = 1e-3;

/// A recomputed rounding error is rarely as small as this part of the first one.
const REMOVED: f64 = 1e-3;

/// Multiples of the rounding at a place before that C does not have here if it is rounding.
const BEYOND: f64 = 1e6;

/// Distance, in corrections, at which the rounding of C is distinguished from its curvature.
const FAR: f64 = 64.0;

/// The treatment of drift.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Stabilization<T> {
    /// After each step, the mass-weighted nearest state with C = 0 and Ċ = 0.
    ///
    /// # Source
    /// [Hairer, Wanner 1996] *Solving Ordinary Differential Equations II*, section VII.2.
    Projection {
        /// Largest |C| that is left alone, in units of C. Zero, the default, means rounding.
        tolerance: T,
    },
    /// Feedback in the acceleration: C̈ + 2 α Ċ + β² C = 0, critically damped if α = β.
    ///
    /// # Source
    /// [Baumgarte 1972] *Stabilization of constraints and integrals of motion in dynamical
    /// systems*, Comput. Methods Appl. Mech. Eng. 1.
    Baumgarte {
        /// Damping α, in 1/s.
        alpha: T,
        /// Stiffness β, in 1/s.
        beta: T,
    },
    /// Nothing: the drift of the integrator is visible.
    None,
}

impl<T: Real> Default for Stabilization<T> {
    fn default() -> Self {
        Self::Projection {
            tolerance: T::zero(),
        }
    }
}

impl<T: Real> Stabilization<T> {
    /// Checks that the settings are finite and not negative.
    #[inline]
    pub(crate) fn validate(&self) -> Result<(), Error> {
        match *self {
            Self::Projection { tolerance } => match first_bad(tolerance, is_setting(tolerance)) {
                None => Ok(()),
                Some(tolerance) => Err(Error::InvalidTolerance { tolerance }),
            },
            Self::Baumgarte { alpha, beta } => {
                let bad = first_bad_lane::<T>(is_setting(alpha) & is_setting(beta));
                bad.map_or(Ok(()), |lane| Err(invalid_feedback(alpha, beta, lane)))
            }
            Self::None => Ok(()),
        }
    }

    /// β²/(2 α), the feedback of C in Ċ for impulses; zero for other stabilisations.
    ///
    /// # Errors
    /// [`Error::InvalidFeedback`] if α is zero and β is not.
    pub(crate) fn feedback(&self) -> Result<T, Error> {
        let Self::Baumgarte { alpha, beta } = *self else {
            return Ok(T::zero());
        };
        let none = beta.simd_eq(T::zero());
        if let Some(lane) = first_bad_lane::<T>(alpha.simd_gt(T::zero()) | none) {
            return Err(invalid_feedback(alpha, beta, lane));
        }
        Ok(T::zero().select(none, beta * beta / (alpha + alpha)))
    }
}

fn is_setting<T: Real>(x: T) -> T::SimdBool {
    x.simd_ge(T::zero()) & is_finite(x)
}

#[cold]
fn invalid_feedback<T: Real>(alpha: T, beta: T, lane: usize) -> Error {
    Error::InvalidFeedback {
        alpha: lane_value(alpha, lane),
        beta: lane_value(beta, lane),
    }
}

/// The nearest state on the constraints: positions by Newton's method, then velocities.
///
/// Nearest is meant mass-weighted and to first order; the time is kept. If C = 0 to rounding, the values of the
/// coordinates do not change, except that rotations are normalised to length one; velocities are projected in any
/// case. The derivatives in dual numbers are updated as well: they are those of the returned state.
///
/// ```
/// use constraint_runtime::prelude::*;
/// use constraint_runtime::make_consistent;
///
/// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
/// let bead = Particle::new(1.0_f64).on(Parabola);
/// let state = make_consistent(&bead, State::new(0.0, [10.0, 0.0], [1.0, 0.0]))?;
/// assert!(Parabola.value(0.0, &state.q)[0].abs() < 1e-12);
/// assert!(Parabola.rate(0.0, &state.q, &state.v)[0].abs() < 1e-12);
/// // A state on the constraints does not change.
/// let again = make_consistent(&bead, state)?;
/// assert_eq!(again.q, state.q);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::ProjectionDiverged`] if C = 0 is out of reach, [`Error::Singular`] if the rows become dependent during
/// the search, [`Error::WrongLength`], and those of [`Dynamics::validate`](crate::Dynamics::validate).
pub fn make_consistent<T: Real, S: Constrained<T>>(
    system: &S,
    state: State<S::Q, S::V>,
) -> Result<State<S::Q, S::V>, Error> {
    system.validate()?;
    check_lengths(system, &state)?;
    let at = lane_value(state.t, 0);
    let mut consistent = state;
    system.normalize(&mut consistent.q);
    project(system, &mut consistent, T::zero())
        .map_err(|error| match error {
            // Where C has no value, a start has the error that says so.
            Error::ProjectionDiverged { iterations: 0, .. } => {
                check_consistent(system, &consistent).err().unwrap_or(error)
            }
            _ => error,
        })
        .and_then(|()| settle(system, &mut consistent))
        .map_err(|error| error.of(system, at))?;
    Ok(consistent)
}

/// Moves a projected state on until a start accepts it, if that leads nearer: what remains of a large correction may be
/// considerable relative to the rest of the state.
fn settle<T: Real, S: Constrained<T>>(
    system: &S,
    state: &mut State<S::Q, S::V>,
) -> Result<(), Error> {
    for _ in 0..MAX_ITERATIONS {
        match check_consistent(system, state) {
            Err(Error::InconsistentPosition { .. }) => {
                let State { t, q, .. } = &mut *state;
                let c = system.constraint(*t, q);
                let mut nearer = q.clone();
                take_back(system, *t, &mut nearer, &system.correction(*t, q, &c)?);
                system.normalize(&mut nearer);
                let left = system.constraint(*t, &nearer);
                if !is_within(&left, |i| c[i].simd_abs()) {
                    break;
                }
                q.assign(&nearer);
            }
            Err(Error::InconsistentVelocity { .. }) => {}
            // Anything else is reported where a run starts.
            _ => break,
        }
        project_velocity(system, state)?;
    }
    Ok(())
}

/// Moves `state` onto C = 0 and Ċ = 0.
#[inline]
pub(crate) fn project<T: Real, S: Constrained<T>>(
    system: &S,
    state: &mut State<S::Q, S::V>,
    tolerance: T,
) -> Result<(), Error> {
    if S::Rows::LEN == Some(0) {
        return Ok(());
    }
    project_position(system, state.t, &mut state.q, tolerance, |_, _| ())?;
    project_velocity(system, state)
}

/// The same for the end of a step; the projection must stay close to it.
///
/// If the system [computes v̇ as well](crate::Properties::projects_motion), it is written to `acceleration`; returns whether it
/// is. `seen` is called with every state that is moved.
#[inline]
pub(crate) fn project_step<T: Real, S: Constrained<T>>(
    system: &S,
    start: &State<S::Q, S::V>,
    end: &mut State<S::Q, S::V>,
    tolerance: T,
    acceleration: Option<&mut S::V>,
    seen: Option<Probe<'_, T, S>>,
) -> Result<bool, Error> {
    if S::Rows::LEN == Some(0) {
        return Ok(false);
    }
    let (h, mut moved) = (end.t - start.t, None);
    let State { t, q, v } = &mut *end;
    let iterations = project_position(system, *t, q, tolerance, |from, change| {
        if let Some(seen) = seen {
            seen(*t, from, v);
        }
        if !is_slight(change, &start.v, h) {
            let moved: &mut S::V = moved.get_or_insert_with(|| change.zeros_like());
            moved.update(|i, x| x + change[i]);
        }
    })?;
    if let Some(moved) = moved {
        check_near(system, start, end, &moved, iterations)?;
    }
    if let Some(seen) = seen {
        seen(end.t, &end.q, &end.v);
    }
    if let Some(acceleration) = acceleration
        && S::PROPERTIES.projects_motion
        && let Ok((v, there)) = &system.projected_motion(end.t, &end.q, &end.v)
    {
        end.v.assign(v);
        acceleration.assign(there);
        return Ok(true);
    }
    // If v̇ fails here, the step that needs it reports the error.
    project_velocity(system, end)?;
    Ok(false)
}

/// Moves the velocities onto Ċ = 0.
pub(crate) fn project_velocity<T: Real, S: Constrained<T>>(
    system: &S,
    state: &mut State<S::Q, S::V>,
) -> Result<(), Error> {
    let State { t, q, v } = state;
    // Borrowed where it was returned, to avoid a copy.
    match &system.correction(*t, q, &system.constraint_rate(*t, q, v)) {
        Ok(change) => v.update(|i, v| v - change[i]),
        Err(error) => return Err(*error),
    }
    Ok(())
}

/// Moves q onto C = 0 and reports each correction with the place from which it is made.
#[inline]
pub(crate) fn project_position<T: Real, S: Constrained<T>>(
    system: &S,
    t: T,
    q: &mut S::Q,
    tolerance: T,
    mut tell: impl FnMut(&S::Q, &S::V),
) -> Result<usize, Error> {
    NEWTON.solve(system, t, q, tolerance, &mut blank_rows(), |q, c| {
        match &system.correction(t, q, c) {
            Ok(change) => {
                tell(q, change);
                take_back(system, t, q, change);
            }
            Err(error) => return Err(*error),
        }
        system.normalize(q);
        Ok(())
    })
}

/// q − N(q) `change`
#[inline]
fn take_back<T: Real, S: Constrained<T>>(system: &S, t: T, q: &mut S::Q, change: &S::V) {
    let way = system.kinematics(t, q, change);
    q.update(|i, q| q - way[i]);
}

/// Memory for [`Newton::solve`].
pub(crate) fn blank_rows<R: Vector>() -> [R; 3] {
    core::array::from_fn(|_| R::blank())
}

/// For projection: near the end each iteration of Newton's method gains many digits.
const NEWTON: Newton = Newton {
    progress: 0.5,
    patience: 4,
    refinements: 2,
};

/// The method that solves C(q, t) = 0.
pub(crate) struct Newton {
    /// While it converges, an iteration leaves less than this part of the largest |C|.
    pub(crate) progress: f64,
    /// Iterations that reduce C to the rounding of the rows' own terms wherever these have a size. From then on the
    /// [spans](crate::allowance) of rows decide as well.
    pub(crate) patience: usize,
    /// Iterations after the last, for the derivatives in dual numbers. Each doubles the order of the correct
    /// derivatives, if the matrix is that of Newton's method.
    pub(crate) refinements: usize,
}

impl Newton {
    /// Newton's method on C(q, t) = 0 to `tolerance` or, if that is larger, to rounding; returns the number of
    /// iterations.
    ///
    /// `improve` changes q to cancel C to first order. `rows` is memory.
    #[inline]
    pub(crate) fn solve<T: Real, S: Constrained<T>>(
        &self,
        system: &S,
        t: T,
        q: &mut S::Q,
        tolerance: T,
        [c, previous, sizes]: &mut [S::Rows; 3],
        mut improve: impl FnMut(&mut S::Q, &S::Rows) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        let (mut resting, mut spans) = (Resting::none(), None);
        system.write_row_sizes(t, q, sizes);
        for iteration in 0..MAX_ITERATIONS {
            system.write_constraint(t, q, c);
            let is_solved = resting.is_solved(c, sizes, tolerance) || {
                check_number(q, c, iteration)?;
                iteration > 0 && {
                    let mut settled = self.settled(system, t, q, [c, previous, sizes], tolerance);
                    if iteration >= self.patience {
                        let allowed = rounding(sizes, tolerance);
                        settled = settled | is_spanned(system, t, q, [c, &allowed], &mut spans);
                    }
                    resting.join(settled, c)
                }
            };
            if is_solved {
                self.refine(system, t, q, improve)?;
                return Ok(iteration);
            }
            resting.while_others(q, |q| improve(q, c))?;
            // Terms much smaller than before have a much smaller rounding, too.
            if !is_within(c, |i| sizes[i] * T::lit(SMALL_PART)) {
                // Memory that the next C overwrites.
                system.write_row_sizes(t, q, previous);
                renew(sizes, previous, c);
            }
            core::mem::swap(c, previous);
        }
        system.write_constraint(t, q, c);
        Err(diverged(c, MAX_ITERATIONS))
    }

    /// Lanes in which C, which was `previous` an iteration ago, is rounding that exceeds its estimate: progress has
    /// ended.
    #[cold]
    fn settled<T: Real, S: Constrained<T>>(
        &self,
        system: &S,
        t: T,
        q: &S::Q,
        [c, previous, sizes]: [&S::Rows; 3],
        tolerance: T,
    ) -> T::SimdBool {
        let progress = largest(previous) * T::lit(self.progress);
        let stalled = largest(c).simd_ge(progress);
        if stalled.none() {
            return stalled;
        }
        let Ok(change) = system.correction(t, q, c) else {
            return no_lanes::<T>();
        };
        let rest = change.zeros_like();
        if extreme_row(system, t, q, &rest, sizes).is_some() && !corrects(system, t, q, &rest) {
            return no_lanes::<T>();
        }
        let straight = stalled & is_straight(system, t, q, &change, c, FAR);
        let settled = straight & !is_removed(system, t, q, &change, c, &rounding(sizes, tolerance));
        if settled.none() {
            return settled;
        }
        settled & has_half_the_digits(system, t, q, &rest, [c, sizes])
    }

    /// Removes from q the remaining derivatives of C in dual numbers.
    fn refine<T: Real, S: Constrained<T>>(
        &self,
        system: &S,
        t: T,
        q: &mut S::Q,
        mut improve: impl FnMut(&mut S::Q, &S::Rows) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if is_plain::<T>() {
            return Ok(());
        }
        (0..self.refinements).try_for_each(|_| {
            let c = system.constraint(t, q);
            improve(q, &c.like(|i| beside_value(c[i])))
        })
    }
}

/// The lanes in which C is less than half of the digits of its terms or spans: rounding takes no more.
#[cold]
fn has_half_the_digits<T: Real, S: Constrained<T>>(
    system: &S,
    t: T,
    q: &S::Q,
    rest: &S::V,
    [c, sizes]: [&S::Rows; 2],
) -> T::SimdBool {
    let half = T::simd_default_epsilon().simd_sqrt();
    let own = within(c, |i| sizes[i] * half);
    if own.all() {
        return own;
    }
    let spans = rounding_of_spans(system, t, q, rest);
    let digits = half * T::lit(SPAN_EPSILONS);
    within(c, |i| (sizes[i] * half).simd_max(spans[i] / digits))
}

/// The lanes in which C is no more than `allowed` or the rounding of the coordinates here. `known` is that rounding at a
/// place before, if there was one.
#[cold]
fn is_spanned<T: Real, S: Constrained<T>>(
    system: &S,
    t: T,
    q: &S::Q,
    [c, allowed]: [&S::Rows; 2],
    known: &mut Option<S::Rows>,
) -> T::SimdBool {
    if let Some(known) = known {
        // Far beyond it, the rounding here need not be known.
        let near = within(c, |i| allowed[i].simd_max(known[i] * T::lit(BEYOND)));
        if near.none() {
            return near;
        }
    }
    let rest = match S::V::LEN {
        Some(_) => Ok(S::V::blank()),
        // Corrections have as many entries as there are velocities.
        None => system.correction(t, q, c).map(|change| change.zeros_like()),
    };
    let Ok(rest) = &rest else {
        return no_lanes::<T>();
    };
    let spans = known.insert(rounding_of_spans(system, t, q, rest));
    within(c, |i| allowed[i].simd_max(spans[i])) & all(c, |i| is_finite(c[i]))
}

/// Moves the derivatives of a start onto the constraints if its values are on them; the values do not change.
pub(crate) fn refine<T: Real, S: Constrained<T>>(
    system: &S,
    state: &mut State<S::Q, S::V>,
) -> Result<(), Error> {
    if S::Rows::LEN == Some(0) || is_plain::<T>() {
        return Ok(());
    }
    let State { t, q, v } = state;
    for _ in 0..2 {
        let c = system.constraint(*t, q);
        let change = system.correction(*t, q, &c.like(|i| beside_value(c[i])))?;
        take_back(system, *t, q, &change);
    }
    let rate = system.constraint_rate(*t, q, v);
    let change = system.correction(*t, q, &rate.like(|i| beside_value(rate[i])))?;
    v.update(|i, v| v - change[i]);
    Ok(())
}

/// True if a correction is a small part of h v in each coordinate, independent of units, so that it is small for any
/// masses.
fn is_slight<T: Real, V: Vector<Scalar = T>>(change: &V, v: &V, h: T) -> bool {
    let part = h * T::lit(SLIGHT_PART);
    is_within(change, |i| (v[i] * part).simd_abs())
}

/// True in lanes in which a Newton step by `change` removes most of the excess of C over `allowed`: the excess is
/// then not rounding, and only the directions used so far failed.
#[cold]
fn is_removed<T: Real, S: Constrained<T>>(
    system: &S,
    t: T,
    q: &S::Q,
    change: &S::V,
    c: &S::Rows,
    allowed: &S::Rows,
) -> T::SimdBool {
    let mut nearer = q.clone();
    take_back(system, t, &mut nearer, change);
    system.normalize(&mut nearer);
    let left = largest(&system.constraint(t, &nearer));
    let beyond = c.like(|i| {
        let size = c[i].simd_abs();
        size.select(size.simd_gt(allowed[i]), T::zero())
    });
    left.simd_lt(largest(&beyond) * T::lit(REMOVED))
}

/// Checks that a projection has not undone more than half of the step.
///
/// Half of h v, measured by kinetic energy. The rounding of the coordinates is never too much, however short the step. More
/// than that is still accepted if the constraints are nearly straight
/// over the distance, as at a step that starts from rest.
fn check_near<T: Real, S: Constrained<T>>(
    system: &S,
    start: &State<S::Q, S::V>,
    end: &State<S::Q, S::V>,
    moved: &S::V,
    iterations: usize,
) -> Result<(), Error> {
    let State { t, q, v } = start;
    let h = end.t - *t;
    // A lane that has reached its end takes no step.
    let per_step = (T::one() / h).select(h.simd_gt(T::zero()), T::zero());
    let speed = moved.like(|i| moved[i] * per_step);
    let resting = v.zeros_like();
    let near = is_part(system, *t, q, &speed, v, T::lit(0.5));
    if near.all() || (near | is_rounding_of_places(system, *t, q, moved)).all() {
        return Ok(());
    }
    // J x, for a velocity of the size of the present ones.
    let mut change = system.constraint_rate(*t, q, &speed);
    let in_time = system.constraint_rate(*t, q, &resting);
    change.update(|i, rate| (rate - in_time[i]) * h);
    let straight = |far| is_straight(system, *t, q, moved, &change, far).all();
    if straight(1.0) || straight(FAR) {
        return Ok(());
    }
    // The remaining displacement of the step.
    let way = system.kinematics(end.t, &end.q, moved);
    let before = way.like(|i| end.q[i] + way[i]);
    Err(diverged(&system.constraint(end.t, &before), iterations))
}

/// True in lanes in which the constraints are nearly straight from q to a distance of `far` times `way` on either
/// side.
///
/// `change` is the change of C along `way` at its start, J x for x = `way`. The difference between C(q ± x) and C(q)
/// ± J x is then corrected by less than half of x. For a `way` that consists of the rounding of C, this holds for a
/// large `far`.
fn is_straight<T: Real, S: Constrained<T>>(
    system: &S,
    t: T,
    q: &S::Q,
    way: &S::V,
    change: &S::Rows,
    far: f64,
) -> T::SimdBool {
    let c = system.constraint(t, q);
    let straight = |far: f64| {
        let x = way.like(|i| way[i] * T::lit(far));
        let mut place = system.kinematics(t, q, &x);
        place.update(|i, way| q[i] + way);
        system.normalize(&mut place);
        let mut bend = system.constraint(t, &place);
        bend.update(|i, there| there - (c[i] + change[i] * T::lit(far)));
        let Ok(missing) = system.correction(t, q, &bend) else {
            return no_lanes::<T>();
        };
        is_part(system, t, q, &missing, &x, T::lit(0.5))
    };
    let ahead = straight(far);
    if ahead.none() {
        return ahead;
    }
    ahead & straight(-far)
}

/// True in lanes in which `x` is at most the part `part` of `y`, by kinetic energy.
fn is_part<T: Real, S: Constrained<T>>(
    system: &S,
    t: T,
    q: &S::Q,
    x: &S::V,
    y: &S::V,
    part: T,
) -> T::SimdBool {
    // Squares of very large or very small numbers overflow or underflow.
    let unit = largest(x).simd_max(largest(y));
    let unit = T::one().select(unit.simd_eq(T::zero()), unit);
    let square = |x: &S::V| square(system, t, q, &x.like(|i| x[i] / unit));
    // Not as a quotient: in a lane without motion there is none.
    square(x).simd_le(square(y) * (part * part))
}

/// xᵀ M x
///
/// By kinetic energies; if positions depend explicitly on time, the energy has a part that does not depend on x, next
/// to which a small x is rounding: then by M x.
pub(crate) fn square<T: Real, S: Constrained<T>>(system: &S, t: T, q: &S::Q, x: &S::V) -> T {
    let energy = |x: &S::V| system.kinetic_energy(t, q, x);
    let rest = energy(&x.zeros_like());
    let (ahead, back) = (energy(x), energy(&x.like(|i| -x[i])));
    let even = (ahead - rest) + (back - rest);
    let is_even = rest.simd_eq(T::zero()) & ahead.simd_eq(back);
    if is_even.all() {
        return even;
    }
    let momentum = system.mass_times(t, q, x);
    let terms = (0..x.entries().len()).map(|i| x[i] * momentum[i]);
    let product = terms.fold(T::zero(), |sum, x| sum + x);
    even.select(is_even, product.simd_max(T::zero()))
}

/// Checks that C is not NaN.
#[inline(always)]
fn check_number<T: Real, Q: Vector<Scalar = T>, M: Vector<Scalar = T>>(
    q: &Q,
    c: &M,
    iteration: usize,
) -> Result<(), Error> {
    if is_plainly_finite(c) || is_finite(largest(c)).all() {
        return Ok(());
    }
    // If q is not finite from the start, that is the error.
    let fault = first_non_finite(q).filter(|_| iteration == 0);
    Err(fault.map_or_else(|| diverged(c, iteration), no_number))
}

#[cold]
fn no_number((index, value): (usize, f64)) -> Error {
    Error::NonFinite {
        quantity: Quantity::Coordinate,
        index,
        names: None,
        value,
        time: None,
    }
}

#[cold]
fn diverged<M: Vector>(c: &M, iterations: usize) -> Error {
    let nothing = (0.into(), 0.0, 0.0);
    let (row, residual, _) = worst_row(c, &c.zeros_like()).unwrap_or(nothing);
    Error::ProjectionDiverged {
        row,
        residual,
        iterations,
        time: None,
    }
}
