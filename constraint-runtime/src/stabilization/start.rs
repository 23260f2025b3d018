//! That a start is on the constraints, and that corrections there are floats.

use nalgebra::{SimdBool, SimdValue};

use super::{FAR, SMALL_PART, all, is_part, is_straight, project_position, take_back, worst_row};
use crate::error::{Error, Row};
use crate::real::{Real, is_finite, lane_value, largest};
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// What is left of C where it is zero to rounding; a power of two, which loses no digit.
const ROUNDING_PART: f64 = f64::EPSILON;

/// Rows of less than this size, and of more than one over it, have products that are floats.
const USUAL: f64 = 1e30;

/// Checks that C = 0 and Ċ = 0 hold to half the digits of what they are made of.
///
/// That is generous to typed numbers, severe to a forgotten term.
pub(crate) fn check_consistent<T: Real, S: System<T>>(
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
    let (c, allowed) = (system.constraint(*t, q), sizes.like(|i| sizes[i] * half));
    if let Some((row, value, tolerance)) = worst_row(&c, &allowed)
        && !is_rounding(system, *t, q, &c, &allowed)
    {
        return Err(inconsistent(system, state, (row, value, tolerance)));
    }
    // Over the length of C's parts, the acceleration β makes a speed of this size.
    let bias = system.bias(*t, q, v);
    let speeds = bias.like(|i| bias[i].simd_abs().simd_sqrt() * sizes[i].simd_sqrt() * half);
    let rates = system.constraint_rate(*t, q, v);
    let Some((row, rate, tolerance)) = worst_row(&rates, &speeds) else {
        return Ok(());
    };
    match system.correction(*t, q, &rates) {
        Ok(change) if is_part(system, *t, q, &change, v, half).all() => Ok(()),
        // Rows that follow from each other say nothing of the velocities; the first step refuses them by name.
        Err(_) => Ok(()),
        Ok(_) => Err(Error::InconsistentVelocity {
            row,
            rate,
            tolerance,
        }),
    }
}

/// That corrections and v̇ can be computed where rows are of the sizes `sizes`: products of what these are made of may
/// leave the range of floats, and then corrections are none, or those of other rows.
fn check_range<T: Real, S: System<T>>(
    system: &S,
    State { t, q, v }: &State<S::Q, S::V>,
    sizes: &S::Rows,
) -> Result<(), Error> {
    let Some((row, size)) = extreme_row(sizes) else {
        return Ok(());
    };
    let moved = system.acceleration(*t, q, v);
    if moved.is_ok_and(|a| is_finite(largest(&a)).all()) && corrects(system, *t, q, v) {
        return Ok(());
    }
    let row = row.into();
    Err(Error::UnitsOutOfRange { row, size })
}

/// The row whose size in some lane is the furthest from 1, if its products may be no floats.
pub(super) fn extreme_row<M: Vector>(sizes: &M) -> Option<(usize, f64)> {
    // Of zero and of what is no number nothing is known.
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

/// Whether corrections have the digits that they need: they take back, row by row, what a motion across the constraints
/// changes, also where that is rounding.
#[cold]
pub(super) fn corrects<T: Real, S: System<T>>(system: &S, t: T, q: &S::Q, v: &S::V) -> bool {
    let rates = |v: &S::V| system.constraint_rate(t, q, v);
    let in_time = rates(&v.zeros_like());
    let across = if q.entries().len() == v.entries().len() {
        // In all directions, and each coordinate by as much as it is.
        let most = largest(q);
        v.like(|i| {
            let own = q[i].simd_abs();
            own.select(own.simd_gt(T::zero()), most) * T::lit([1.0, -0.7, 0.6][i % 3])
        })
    } else {
        // Bodies move by lengths and turn by angles.
        match system.correction(t, q, &system.row_sizes(t, q)) {
            Ok(across) => across,
            Err(_) => return false,
        }
    };
    let change = rates(&across);
    let change = change.like(|i| change[i] - in_time[i]);
    [T::one(), T::lit(ROUNDING_PART)].into_iter().all(|part| {
        let asked = change.like(|i| change[i] * part);
        let Ok(correction) = system.correction(t, q, &asked) else {
            return false;
        };
        // Beside a motion of the rows' own, what is small would be lost.
        let done = rates(&correction.like(|i| correction[i] / part));
        let good = |i: usize| {
            let off = (done[i] - in_time[i] - change[i]).simd_abs();
            off.simd_le(change[i].simd_abs() * T::lit(SMALL_PART))
        };
        all(&asked, good).all()
    })
}

/// Why a start is refused of which a row has the value `value`, where `tolerance` is allowed.
#[cold]
fn inconsistent<T: Real, S: System<T>>(
    system: &S,
    State { t, q, .. }: &State<S::Q, S::V>,
    (row, value, tolerance): (Row, f64, f64),
) -> Error {
    if tolerance.is_nan() && !value.is_nan() {
        return Error::UndefinedSlope { row, value };
    }
    let refused = Error::InconsistentPosition {
        row,
        value,
        tolerance,
    };
    // Of lanes, another one may be that which is out of reach.
    if T::LANES > 1 || !value.is_finite() {
        return refused;
    }
    match project_position(system, *t, &mut q.clone(), T::zero(), |_, _| ()) {
        Err(Error::ProjectionDiverged { .. }) => Error::UnreachableRow { row, value },
        _ => refused,
    }
}

/// Whether what rows have beyond `allowed` is the rounding of C: Newton's method does not improve it.
#[cold]
fn is_rounding<T: Real, S: System<T>>(
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
