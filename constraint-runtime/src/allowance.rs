//! What counts as zero: the one measure of starts, projections, first steps, events, equilibria, inverse kinematics and
//! worlds.
//!
//! Floats hold C = 0 up to rounding, so each of them has to decide which |C| is rounding. A number alone cannot answer
//! that, since it has a unit. A row at one instant often cannot either: all terms of `crank == omega*t` vanish at t = 0,
//! and so does every product in `dot(u, d)` of two perpendicular axes. The rounding of what is left there is no part of
//! the row's terms; it is a part of the coordinates from which a search, a step or a user's sine has computed it. The
//! measure is therefore taken at two scales:
//!
//! ```text
//! own size of a row     aᵣ = Σⱼ |Jᵣⱼ qⱼ|                          the terms of C (Constrained::row_sizes)
//! extent of the system  D = √(qᵀ M q)                              all coordinates, in one unit
//! size of a coordinate  sⱼ = max(|qⱼ|, D/√Mⱼⱼ)                     as far as it moves at the energy of all of them
//! span of a row         bᵣ = Σⱼ |Jᵣⱼ| sⱼ                           the change of C over these sizes
//! C is zero if          |Cᵣ| ≤ 4 ε aᵣ, or, if that is not reached, |Cᵣ| ≤ 64 ε (bᵣ + |t ∂Cᵣ/∂t|)
//! ```
//!
//! Why M: coordinates have different units, angles and lengths, and only the mass matrix relates them. D changes with the
//! units of length, time and mass by one factor for all coordinates, and each D/√Mⱼⱼ is in the unit of its coordinate. So a
//! system decides the same in millimetres, in 10⁹ m and in any unit of time or mass.
//!
//! Why both: the span exceeds a row's own size where a coordinate is small or light. As the first criterion it would cost a
//! projection digits of light parts, and starts the sight of a wrong small part. So projections iterate until the own sizes
//! are satisfied, and only if that fails does the span decide; starts accept half of the digits of the own size, but only
//! rounding of the span. A light coordinate, of mass m next to a mass M, is wrong by 64 ε √(M/m) of its size at most.
//!
//! A displacement is rounding if its length by M is at most 64 ε D.
//!
//! Velocities are measured in the same manner:
//!
//! ```text
//! speed of the system    W = max(√(vᵀ M v), √(D √(aᵀ M a)))      present, or reached over its extent by a = M⁻¹ h
//! speed of a coordinate  wⱼ = max(|vⱼ|, W/√Mⱼⱼ)
//! Ċ is zero if           |Ċᵣ| ≤ 64 ε Σⱼ |Jᵣⱼ| wⱼ
//! ```
//!
//! Where a method's tolerances are smaller than rounding, as relative ones are for a coordinate that stays zero, an error of
//! a step that is at most 64 ε sⱼ or 64 ε wⱼ counts as none: no step is short enough for it.
//!
//! One kind of system has no size that could be compared: every coordinate is zero to rounding and the origin itself is on
//! the rows, as for a lone `crank == omega*t` at t = 0. There, and nowhere else, coordinates are compared with one.

use nalgebra::SimdBool;

use crate::integrator::Slope;
use crate::real::{Real, is_finite, lane_value, largest};
use crate::stabilization::square;
use crate::state::State;
use crate::system::{Constrained, unit};
use crate::vector::Vector;

/// A residual below this many rounding units of a row's own size is the rounding of C itself.
pub(crate) const OWN_EPSILONS: f64 = 4.0;

/// A residual below this many rounding units of a row's span is the rounding of the coordinates.
pub(crate) const SPAN_EPSILONS: f64 = 64.0;

/// The coordinates as velocities see them: q if there are equally many, otherwise the largest coordinate that each
/// velocity moves, divided by its speed. `rest` has as many entries as there are velocities.
pub(crate) fn reach<T: Real, S: Constrained<T> + ?Sized>(
    system: &S,
    t: T,
    q: &S::Q,
    rest: &S::V,
) -> S::V {
    if rest.entries().len() == q.entries().len() {
        return rest.like(|i| q[i]);
    }
    rest.like(|i| {
        let moved = system.kinematics(t, q, &unit(rest, i));
        let moved = moved.like(|k| moved[k].simd_abs());
        let zero = T::zero();
        let touched = q.like(|k| q[k].simd_abs().select(moved[k].simd_gt(zero), zero));
        let (most, fastest) = (largest(&touched), largest(&moved));
        (most / fastest).select(fastest.simd_gt(zero), zero)
    })
}

/// √(xᵀ M x), also if squares overflow or underflow.
pub(crate) fn length<T: Real, S: Constrained<T>>(system: &S, t: T, q: &S::Q, x: &S::V) -> T {
    let most = largest(x);
    let has_size = most.simd_gt(T::zero()) & is_finite(most);
    let by = most.select(has_size, T::one());
    let part = square(system, t, q, &x.like(|i| x[i] / by));
    let length = part.simd_max(T::zero()).simd_sqrt() * by;
    length.select(has_size, most)
}

/// D: the extent of the system.
pub(crate) fn extent<T: Real, S: Constrained<T>>(system: &S, t: T, q: &S::Q, rest: &S::V) -> T {
    length(system, t, q, &reach(system, t, q, rest))
}

/// The lanes in which a displacement is no longer than the rounding of the extent.
#[cold]
pub(crate) fn is_rounding_of_places<T: Real, S: Constrained<T>>(
    system: &S,
    t: T,
    q: &S::Q,
    moved: &S::V,
) -> T::SimdBool {
    let epsilon = T::lit(SPAN_EPSILONS) * T::simd_default_epsilon();
    length(system, t, q, moved).simd_le(extent(system, t, q, moved) * epsilon)
}

/// Each entry of `x`, or, if that is larger, the one whose motion alone has the length `length` by M.
fn at_least<T: Real, S: Constrained<T>>(
    system: &S,
    (t, q): (T, &S::Q),
    x: &S::V,
    length: T,
) -> S::V {
    x.like(|i| {
        let alone = square(system, t, q, &unit(x, i)).simd_sqrt();
        let far = length / alone;
        let far = far.select(alone.simd_gt(T::zero()) & is_finite(far), T::zero());
        x[i].simd_abs().simd_max(far)
    })
}

/// s: the sizes of the coordinates, as velocities see them.
///
/// - Cost: a few kinetic energies for each velocity. Callers try the rows' own sizes first.
#[cold]
pub(crate) fn coordinate_sizes<T: Real, S: Constrained<T>>(
    system: &S,
    t: T,
    q: &S::Q,
    rest: &S::V,
) -> S::V {
    let reach = reach(system, t, q, rest);
    let extent = length(system, t, q, &reach);
    let mut sizes = at_least(system, (t, q), &reach, extent);
    let without_size = is_origin(system, t, q);
    if without_size.any() {
        sizes.update(|_, s| s.simd_max(T::one()).select(without_size, s));
    }
    sizes
}

/// True in lanes in which all coordinates are zero to rounding and the origin is on the rows: nothing there has a size.
fn is_origin<T: Real, S: Constrained<T>>(system: &S, t: T, q: &S::Q) -> T::SimdBool {
    let near = largest(q).simd_le(T::simd_default_epsilon());
    if near.none() {
        return near;
    }
    near & largest(&system.constraint(t, &q.zeros_like())).simd_eq(T::zero())
}

/// w: the sizes of the velocities.
#[cold]
pub(crate) fn velocity_sizes<T: Real, S: Constrained<T>>(
    system: &S,
    State { t, q, v }: &State<S::Q, S::V>,
) -> S::V {
    let extent = extent(system, *t, q, v);
    // Forces count also where constraints balance them.
    let free = match &system.free_acceleration(*t, q, v) {
        Ok(a) => length(system, *t, q, a),
        Err(_) => T::zero(),
    };
    // The product of a length and an acceleration may underflow, their roots do not.
    let reached = extent.simd_sqrt() * free.simd_sqrt();
    let reached = reached.select(is_finite(reached), T::zero());
    let speed = length(system, *t, q, v).simd_max(reached);
    at_least(system, (*t, q), v, speed)
}

/// 64 ε s and 64 ε w within a small factor: the rounding of a state, as its rates of change have entries.
#[cold]
pub(crate) fn rounding_of_state<T: Real, S: Constrained<T>>(
    system: &S,
    state: &State<S::Q, S::V>,
) -> Slope<S::Q, S::V> {
    let State { t, q, v } = state;
    let epsilon = T::lit(SPAN_EPSILONS) * T::simd_default_epsilon();
    let mut places = q.zeros_like();
    for displacement in mixed(&coordinate_sizes(system, *t, q, v)) {
        let way = system.kinematics(*t, q, &displacement);
        places.update(|i, most| most.simd_max(way[i].simd_abs() * epsilon));
    }
    let mut speeds = velocity_sizes(system, state);
    speeds.update(|_, speed| speed * epsilon);
    Slope {
        q: places,
        v: speeds,
    }
}

/// Σⱼ |Jᵣⱼ| sⱼ of each row within a small factor: the largest change over displacements by s with mixed signs.
pub(crate) fn spans<T: Real, S: Constrained<T>>(system: &S, t: T, q: &S::Q, s: &S::V) -> S::Rows {
    let in_time = system.constraint_rate(t, q, &s.zeros_like());
    let mut spans = in_time.zeros_like();
    for displacement in mixed(s) {
        let rates = system.constraint_rate(t, q, &displacement);
        spans.update(|i, span| span.simd_max((rates[i] - in_time[i]).simd_abs()));
    }
    spans
}

/// Displacements whose entries are those of `s` with weights between 1/2 and 1 in all directions. The weights are no
/// regular pattern, so that the terms of a row do not cancel in all of them.
pub(crate) fn mixed<V: Vector>(s: &V) -> [V; 3] {
    // Weyl sequences of the golden ratio and of √2: as uneven as numbers are.
    let weight = |i: usize, step: f64| {
        let place = (i + 1) as f64 * step;
        let part = place - (place as u64) as f64;
        if part < 0.5 { 0.5 + part } else { -part }
    };
    [
        0.618_033_988_749_894_8,
        0.414_213_562_373_095_1,
        0.324_717_957_244_746,
    ]
    .map(|step| s.like(|i| s[i] * V::Scalar::lit(weight(i, step))))
}

/// 64 ε (b + |t ∂C/∂t|): the rounding of rows by that of the coordinates.
#[cold]
pub(crate) fn rounding_of_spans<T: Real, S: Constrained<T>>(
    system: &S,
    t: T,
    q: &S::Q,
    rest: &S::V,
) -> S::Rows {
    let in_time = system.constraint_rate(t, q, &rest.zeros_like());
    let mut spans = spans(system, t, q, &coordinate_sizes(system, t, q, rest));
    let epsilon = T::lit(SPAN_EPSILONS) * T::simd_default_epsilon();
    spans.update(|i, span| (span + (in_time[i] * t).simd_abs()) * epsilon);
    spans
}

/// 64 ε Σⱼ |Jᵣⱼ| wⱼ: the rounding of the rates of rows by that of the velocities.
#[cold]
pub(crate) fn rounding_of_rates<T: Real, S: Constrained<T>>(
    system: &S,
    state: &State<S::Q, S::V>,
) -> S::Rows {
    let mut spans = spans(system, state.t, &state.q, &velocity_sizes(system, state));
    let epsilon = T::lit(SPAN_EPSILONS) * T::simd_default_epsilon();
    spans.update(|_, span| span * epsilon);
    spans
}

/// 64 ε Σⱼ (|∂g/∂qⱼ| sⱼ + |∂g/∂vⱼ| wⱼ) within a small factor: the rounding of a function of a state by that of the state.
#[cold]
pub(crate) fn rounding_of<T: Real, S: Constrained<T>>(
    system: &S,
    state: &State<S::Q, S::V>,
    function: impl Fn(&State<S::Q, S::V>) -> f64,
) -> f64 {
    let value = function(state);
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    // By half of the digits, which no function loses, and then scaled down to the last ones.
    let half = T::simd_default_epsilon().simd_sqrt();
    let State { t, q, v } = state;
    let places = mixed(&coordinate_sizes(system, *t, q, v));
    let speeds = mixed(&velocity_sizes(system, state));
    let changes = places.iter().zip(&speeds).map(|(place, speed)| {
        let way = system.kinematics(*t, q, place);
        let moved = State {
            t: *t,
            q: q.like(|i| q[i] + way[i] * half),
            v: v.like(|i| v[i] + speed[i] * half),
        };
        (function(&moved) - value).abs()
    });
    let change = changes.fold(
        0.0,
        |most, change| if change > most { change } else { most },
    );
    change * SPAN_EPSILONS * lane_value(half, 0)
}
