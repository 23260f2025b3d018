//! Checks that a start is on the constraints, and that corrections there can be computed.

use nalgebra::{SimdBool, SimdValue};

use super::{FAR, SMALL_PART, all, is_part, is_straight, project_position, take_back, worst_row};
use crate::allowance::{coordinate_sizes, mixed, rounding_of_rates, rounding_of_spans, spans};
use crate::error::{Error, Row};
use crate::real::{Real, is_finite, lane_value, largest};
use crate::state::State;
use crate::system::Constrained;
use crate::vector::Vector;

/// The remainder of C where it is zero to rounding; a power of two, which loses no digit.
const ROUNDING_PART: f64 = f64::EPSILON;

/// Rows of a size between the reciprocal of this and this have products within the range of floats.
const USUAL: f64 = 1e30;

/// Checks that C = 0 and Ċ = 0 hold to half the digits of their terms, or to rounding of the [system](crate::allowance).
///
/// Half the digits are generous to typed numbers, strict about a missing term.
pub(crate) fn check_consistent<T: Real, S: Constrained<T>>(
    system: &S,
    state: &State<S::Q, S::V>,
) -> Result<(), Error> {
    if S::Rows::LEN == Some(0) {
        return Ok(());
    }
    let State { t, q, v } = state;
    let half = T::simd_default_epsilon().simd_sqrt();
    let in_time = system.constraint_rate(*t, q, &v.zeros_like());
    let mut sizes = system.row_sizes(*t, q);
    check_range(system, state, &sizes)?;
    sizes.update(|i, size| size + (in_time[i] * *t).simd_abs());
    let (c, mut allowed) = (system.constraint(*t, q), sizes.like(|i| sizes[i] * half));
    if worst_row(&c, &allowed).is_some() {
        let spanned = rounding_of_spans(system, *t, q, &v.zeros_like());
        raise(&mut allowed, &spanned);
    }
    if let Some(worst) = worst_row(&c, &allowed)
        && !is_rounding(system, *t, q, &c, &allowed)
    {
        return Err(inconsistent(system, state, worst));
    }
    // Over the length of C's terms, the acceleration β reaches a speed of this size.
    let bias = system.bias(*t, q, v);
    let mut speeds = bias.like(|i| bias[i].simd_abs().simd_sqrt() * sizes[i].simd_sqrt() * half);
    let rates = system.constraint_rate(*t, q, v);
    if worst_row(&rates, &speeds).is_some() {
        raise(&mut speeds, &rounding_of_rates(system, state));
    }
    let Some((row, rate, tolerance)) = worst_row(&rates, &speeds) else {
        return Ok(());
    };
    match system.correction(*t, q, &rates) {
        Ok(change) if is_part(system, *t, q, &change, v, half).all() => Ok(()),
        // Redundant rows carry no information about the velocities; the first step rejects them by name.
        Err(_) => Ok(()),
        Ok(_) => Err(Error::InconsistentVelocity {
            row,
            rate,
            tolerance,
        }),
    }
}

/// Each entry, or that of `other` if it is larger.
fn raise<T: Real, M: Vector<Scalar = T>>(x: &mut M, other: &M) {
    x.update(|i, x| x.select(x.simd_ge(other[i]) | x.simd_ne(x), other[i]));
}

/// Checks that corrections and v̇ can be computed for rows of the sizes `sizes`: products of their terms may leave
/// the range of floats, and then corrections vanish or belong to other rows.
fn check_range<T: Real, S: Constrained<T>>(
    system: &S,
    State { t, q, v }: &State<S::Q, S::V>,
    sizes: &S::Rows,
) -> Result<(), Error> {
    let Some((row, size)) = extreme_row(system, *t, q, &v.zeros_like(), sizes) else {
        return Ok(());
    };
    let moved = system.acceleration(*t, q, v);
    if moved.is_ok_and(|a| is_finite(largest(&a)).all()) && corrects(system, *t, q, v) {
        return Ok(());
    }
    let row = row.into();
    Err(Error::UnitsOutOfRange { row, size })
}

/// The row whose size in some lane is the farthest from 1, if its products may leave the range of floats. Terms that
/// vanish at this place alone count by the row's span.
pub(super) fn extreme_row<T: Real, S: Constrained<T>>(
    system: &S,
    t: T,
    q: &S::Q,
    rest: &S::V,
    sizes: &S::Rows,
) -> Option<(usize, f64)> {
    extreme(sizes)?;
    let mut sizes = sizes.clone();
    raise(
        &mut sizes,
        &spans(system, t, q, &coordinate_sizes(system, t, q, rest)),
    );
    extreme(&sizes)
}

/// The size in some lane that is the farthest from 1, if products of such sizes may leave the range of floats.
fn extreme<M: Vector>(sizes: &M) -> Option<(usize, f64)> {
    // Zero and NaN carry no information.
    let far = |size: f64| match size {
        size if size > 0.0 && size < f64::INFINITY => size.max(size.recip()),
        _ => 1.0,
    };
    let rows = (0..sizes.entries().len())
        .flat_map(|row| (0..M::Scalar::LANES).map(move |lane| (row, lane)));
    let sizes = rows.map(|(row, lane)| (row, lane_value(sizes[row], lane)));
    let extreme = sizes.fold((0, 1.0), |worst, size| {
        if far(size.1) > far(worst.1) {
            size
        } else {
            worst
        }
    });
    (far(extreme.1) >= USUAL).then_some(extreme)
}

/// True if corrections have enough digits: row by row, they reverse the change caused by a motion across the
/// constraints, even one of the size of rounding.
#[cold]
pub(super) fn corrects<T: Real, S: Constrained<T>>(system: &S, t: T, q: &S::Q, v: &S::V) -> bool {
    let rates = |v: &S::V| system.constraint_rate(t, q, v);
    let in_time = rates(&v.zeros_like());
    // In all directions, and each coordinate by its own size.
    let [across, ..] = mixed(&coordinate_sizes(system, t, q, v));
    let change = rates(&across);
    let change = change.like(|i| change[i] - in_time[i]);
    [T::one(), T::lit(ROUNDING_PART)].into_iter().all(|part| {
        let asked = change.like(|i| change[i] * part);
        let Ok(correction) = system.correction(t, q, &asked) else {
            return false;
        };
        // Next to a motion of the rows themselves, a small correction would be lost.
        let done = rates(&correction.like(|i| correction[i] / part));
        let good = |i: usize| {
            let off = (done[i] - in_time[i] - change[i]).simd_abs();
            off.simd_le(change[i].simd_abs() * T::lit(SMALL_PART))
        };
        all(&asked, good).all()
    })
}

/// The reason for rejecting a start at which a row has the value `value`, with `tolerance` allowed.
#[cold]
fn inconsistent<T: Real, S: Constrained<T>>(
    system: &S,
    State { t, q, v }: &State<S::Q, S::V>,
    (row, value, tolerance): (Row, f64, f64),
) -> Error {
    if let (true, Err(corner)) = (tolerance.is_nan(), system.check_defined(*t, q, v)) {
        return corner;
    }
    if tolerance.is_nan() && !value.is_nan() {
        return Error::UndefinedSlope { row, value };
    }
    let refused = Error::InconsistentPosition {
        row,
        value,
        tolerance,
    };
    // With several lanes, another one may be the one out of reach.
    if T::LANES > 1 || !value.is_finite() {
        return refused;
    }
    match project_position(system, *t, &mut q.clone(), T::zero(), |_, _| ()) {
        Err(Error::ProjectionDiverged { .. }) => Error::UnreachableRow { row, value },
        _ => refused,
    }
}

/// True if the excess of the rows over `allowed` is the rounding of C: Newton's method does not reduce it.
#[cold]
fn is_rounding<T: Real, S: Constrained<T>>(
    system: &S,
    t: T,
    q: &S::Q,
    c: &S::Rows,
    allowed: &S::Rows,
) -> bool {
    let Ok(change) = system.correction(t, q, c) else {
        return false;
    };
    let mut nearer = q.clone();
    take_back(system, t, &mut nearer, &change);
    system.normalize(&mut nearer);
    let mut left = system.constraint(t, &nearer);
    left.update(|i, left| (left.simd_abs() * T::lit(2.0)).simd_max(allowed[i]));
    worst_row(c, &left).is_none() && is_straight(system, t, q, &change, c, FAR).all()
}
