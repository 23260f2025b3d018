//! Checks before a division or a step: pivots, masses, inertias and parameters, each with its error.

use nalgebra::{SMatrix, SVector, SimdBool};

use crate::constraint::Constraint;
use crate::derivatives::{
    CurveLinearization, ForceLinearization, ForceTangent, Linearization, Tangent,
};
use crate::error::{Coordinate, Error, Names, Quantity, Singular};
use crate::heap_array::HeapArray;
use crate::real::{self, Real, first_bad, first_bad_lane, lane_value};
use crate::system::Dynamics;
use crate::vector::Vector;

/// A pivot below this many rounding units of its diagonal is noise left by cancellation.
const PIVOT_EPSILONS: f64 = 64.0;

/// Accepts a pivot of the symmetric elimination of J W Jᵀ that is positive beyond rounding.
///
/// `diagonal` is the matrix's entry before elimination. A matrix of one row passes its pivot as both arguments: then
/// every positive finite pivot is accepted, however small. Zero, negative, infinite and NaN pivots fail; one such
/// SIMD lane is enough to fail.
#[inline(always)]
pub fn check_pivot<T: Real>(row: usize, pivot: T, diagonal: T) -> Result<(), Singular> {
    check_pivots([JudgedPivot::of(row, pivot, diagonal)])
}

/// A pivot and the verdict of [`check_pivot`] on it, which [`check_pivots`] turns into an error.
///
/// Loops that eliminate from both ends of a chain judge the pivots of a round where they compute them and branch once,
/// at the end of the round: a branch between the two ends would prevent the compiler from computing both in one SIMD
/// register.
#[derive(Clone, Copy)]
pub struct JudgedPivot<T: Real> {
    row: usize,
    pivot: T,
    good: T::SimdBool,
}

impl<T: Real> JudgedPivot<T> {
    /// The verdict on a pivot.
    #[inline(always)]
    pub fn of(row: usize, pivot: T, diagonal: T) -> Self {
        // One comparison decides: it is false for NaN, for 0 > 0, for ∞ > ∞ and for −p > −ε p.
        let limit = T::lit(PIVOT_EPSILONS) * T::simd_default_epsilon() * diagonal;
        let good = pivot.simd_gt(limit);
        Self { row, pivot, good }
    }

    /// The entry of an array before a pivot is judged.
    #[inline(always)]
    pub fn unknown() -> Self {
        Self::of(0, T::zero(), T::zero())
    }
}

/// Accepts pivots if all of them are good; the error names the first that is not.
#[inline(always)]
pub fn check_pivots<T: Real, const N: usize>(judged: [JudgedPivot<T>; N]) -> Result<(), Singular> {
    let mut verdicts = judged.iter().map(|it| it.good);
    let first = verdicts.next();
    let good = first.map(|first| verdicts.fold(first, |all, good| all & good));
    if good.is_none_or(SimdBool::all) {
        return Ok(());
    }
    for JudgedPivot { row, pivot, good } in judged {
        if let Some(pivot) = first_bad(pivot, good) {
            return Err(Singular { row, pivot });
        }
    }
    Ok(())
}

/// Accepts the second of two pivots whose product is known.
///
/// `partner` is the first of them, already accepted; `diagonal` is the matrix's entry of the second row.
#[inline(always)]
pub fn check_pivot_pair<T: Real>(
    row: usize,
    product: T,
    diagonal: T,
    partner: T,
) -> Result<(), Singular> {
    let limit = T::lit(PIVOT_EPSILONS) * T::simd_default_epsilon() * diagonal * partner;
    let good = product.simd_gt(limit);
    match first_bad_lane::<T>(good) {
        None => Ok(()),
        Some(lane) => Err(Singular {
            row,
            pivot: lane_value(product / partner, lane),
        }),
    }
}

/// Attributes a rejected pivot to the mass matrix.
#[inline(always)]
pub fn of_mass(coordinate: &'static str, checked: Result<(), Singular>) -> Result<(), Error> {
    checked.map_err(|Singular { pivot, .. }| singular_mass(Coordinate::Named(coordinate), pivot))
}

/// The same, with the coordinate given by the number of the pivot's row, after so many rows of constraints.
#[inline(always)]
pub fn of_mass_among(
    names: Option<&'static [Names]>,
    rows: usize,
    checked: Result<(), Singular>,
) -> Result<(), Error> {
    checked.map_err(|Singular { row, pivot }| {
        let index = row - rows;
        singular_mass(Coordinate::Numbered { index, names }, pivot)
    })
}

fn singular_mass(coordinate: Coordinate, pivot: f64) -> Error {
    Error::SingularMass {
        coordinate,
        pivot,
        time: None,
    }
}

/// Accepts a value that is not zero, or has no weight, in every lane; otherwise the state is at a corner.
#[inline(always)]
pub fn check_corner<T: Real>(at: T, weight: T, place: &'static str) -> Result<(), Error> {
    let smooth = at.simd_ne(T::zero()) | weight.simd_eq(T::zero());
    match first_bad_lane::<T>(smooth) {
        None => Ok(()),
        Some(_) => Err(Error::Corner { place, time: None }),
    }
}

/// Accepts a number that is not zero in every lane; otherwise the state is at a corner.
pub fn check_zero<T: Real>(at: T, place: &'static str) -> Result<(), Error> {
    check_corner(at, T::one(), place)
}

/// Accepts a number that is positive in every lane; otherwise the state is at the end of what a function is defined for.
pub fn check_end<T: Real>(at: T, place: &'static str) -> Result<(), Error> {
    match first_bad_lane::<T>(at.simd_gt(T::zero())) {
        None => Ok(()),
        Some(_) => Err(Error::Corner { place, time: None }),
    }
}

/// What a generated function returns, number by number.
pub trait Numbers {
    /// The first number that is not finite in some lane, by its index.
    fn first_bad(&self) -> Option<(usize, f64)>;
}

impl<T: Real> Numbers for [T] {
    #[inline]
    fn first_bad(&self) -> Option<(usize, f64)> {
        if real::are_plainly_finite(self) {
            return None;
        }
        let mut numbers = self.iter().enumerate();
        numbers.find_map(|(i, &x)| Some((i, first_bad(x, real::is_finite(x))?)))
    }
}

impl<T: Real, const N: usize> Numbers for [T; N] {
    #[inline(always)]
    fn first_bad(&self) -> Option<(usize, f64)> {
        self[..].first_bad()
    }
}

impl<T: Real, const R: usize, const C: usize> Numbers for SMatrix<T, R, C> {
    #[inline(always)]
    fn first_bad(&self) -> Option<(usize, f64)> {
        self.as_slice().first_bad()
    }
}

impl<T: Real, const N: usize> Numbers for HeapArray<T, N> {
    fn first_bad(&self) -> Option<(usize, f64)> {
        self[..].first_bad()
    }
}

impl<A: Numbers + ?Sized> Numbers for &A {
    #[inline(always)]
    fn first_bad(&self) -> Option<(usize, f64)> {
        (**self).first_bad()
    }
}

impl<A: Numbers, B: Numbers> Numbers for (A, B) {
    #[inline(always)]
    fn first_bad(&self) -> Option<(usize, f64)> {
        self.0.first_bad().or_else(|| self.1.first_bad())
    }
}

impl<T: Real, const M: usize, const X: usize, const U: usize, const P: usize> Numbers
    for Linearization<T, M, X, U, P>
{
    fn first_bad(&self) -> Option<(usize, f64)> {
        let of_inputs = || self.b.first_bad().or_else(|| self.p.first_bad());
        self.a.first_bad().or_else(of_inputs)
    }
}

impl<T: Real, const N: usize, const U: usize, const P: usize> Numbers for Tangent<T, N, U, P> {
    fn first_bad(&self) -> Option<(usize, f64)> {
        let of_state = [self.q.first_bad(), self.v.first_bad(), [self.t].first_bad()];
        let of_state = of_state.into_iter().flatten().next();
        of_state.or_else(|| self.u.first_bad().or_else(|| self.p.first_bad()))
    }
}

impl<T: Real, const N: usize, const P: usize> Numbers for ForceTangent<T, N, P> {
    fn first_bad(&self) -> Option<(usize, f64)> {
        let parts = [&self.q, &self.v, &self.w, &self.f];
        let of_parts = parts.into_iter().find_map(Numbers::first_bad);
        of_parts.or_else(|| [self.t].first_bad().or_else(|| self.p.first_bad()))
    }
}

impl<T: Real, const R: usize, const N: usize, const P: usize> Numbers
    for ForceLinearization<T, R, N, P>
{
    fn first_bad(&self) -> Option<(usize, f64)> {
        let parts = [&self.q, &self.v, &self.w, &self.f];
        let of_parts = parts.into_iter().find_map(Numbers::first_bad);
        of_parts.or_else(|| self.p.first_bad())
    }
}

impl<T: Real, const D: usize, const P: usize> Numbers for CurveLinearization<T, D, P> {
    fn first_bad(&self) -> Option<(usize, f64)> {
        let of_state = [self.s, self.s_dot, self.m].first_bad();
        of_state.or_else(|| self.f.first_bad().or_else(|| self.p.first_bad()))
    }
}

/// The result of a function if all of it is finite.
#[inline(always)]
pub fn defined<R: Numbers, E>(result: R, error: impl FnOnce((usize, f64)) -> E) -> Result<R, E> {
    match result.first_bad() {
        None => Ok(result),
        Some(bad) => Err(error(bad)),
    }
}

/// A number that a function returns, if it is finite.
#[inline(always)]
pub fn defined_number<T: Real, E>(
    number: T,
    error: impl FnOnce((usize, f64)) -> E,
) -> Result<T, E> {
    defined([number], error).map(|[number]| number)
}

/// Why a function has no finite result: its state, a corner or the end of a domain, or, by its index and value, a number
/// beyond the floats.
#[inline(always)]
pub fn undefined<'a, T: Real, S: Dynamics<T> + ?Sized>(
    system: &'a S,
    t: T,
    q: &'a S::Q,
    v: &'a S::V,
) -> impl FnOnce((usize, f64)) -> Error + 'a {
    move |bad| undefined_at(system, t, q, v, bad)
}

/// The same of a function of the coordinates alone.
#[inline(always)]
pub fn undefined_place<'a, T: Real, S: Dynamics<T> + ?Sized>(
    system: &'a S,
    t: T,
    q: &'a S::Q,
) -> impl FnOnce((usize, f64)) -> Error + 'a {
    move |bad| undefined_at(system, t, q, &S::V::blank(), bad)
}

#[cold]
fn undefined_at<T: Real, S: Dynamics<T> + ?Sized>(
    system: &S,
    t: T,
    q: &S::Q,
    v: &S::V,
    (index, value): (usize, f64),
) -> Error {
    let time = first_bad(t, real::is_finite(t)).map(|value| (0, value));
    let state = [
        (Quantity::Time, time),
        (Quantity::Coordinate, real::first_non_finite(q)),
        (Quantity::Velocity, real::first_non_finite(v)),
    ];
    for (quantity, found) in state {
        if let Err(error) = check_finite(quantity, found) {
            return error;
        }
    }
    let Err(error) = system.check_defined(t, q, v) else {
        let (names, time) = (None, None);
        return Error::NonFinite {
            quantity: Quantity::Result,
            index,
            names,
            value,
            time,
        };
    };
    error
}

/// The row of a constraint whose Jacobian or bias is not finite, or the first, with a number that is not finite.
#[inline(always)]
pub fn undefined_row<'a, T, C, const N: usize, const M: usize>(
    constraint: &'a C,
    t: T,
    q: &'a SVector<T, N>,
    v: &'a SVector<T, N>,
) -> impl FnOnce((usize, f64)) -> Singular + 'a
where
    T: Real,
    C: Constraint<T, N, M> + ?Sized,
{
    move |(_, pivot)| Singular {
        row: undefined_row_at(constraint, t, q, v),
        pivot,
    }
}

#[cold]
fn undefined_row_at<T, C, const N: usize, const M: usize>(
    constraint: &C,
    t: T,
    q: &SVector<T, N>,
    v: &SVector<T, N>,
) -> usize
where
    T: Real,
    C: Constraint<T, N, M> + ?Sized,
{
    let (jacobian, bias) = (constraint.jacobian(t, q), constraint.bias(t, q, v));
    let is_bad = |row: usize| {
        let mut entries = jacobian.row(row).into_iter().chain([&bias[row]]);
        entries.any(|&x| first_bad(x, real::is_finite(x)).is_some())
    };
    (0..M).find(|&row| is_bad(row)).unwrap_or(0)
}

/// Accepts an inertia of a coordinate that is positive and finite, in every lane.
pub fn check_inertia_of<T: Real>(coordinate: &'static str, inertia: T) -> Result<(), Error> {
    let good = inertia.simd_gt(T::zero()) & real::is_finite(inertia);
    match first_bad(inertia, good) {
        None => Ok(()),
        Some(pivot) => Err(singular_mass(Coordinate::Named(coordinate), pivot)),
    }
}

/// Accepts a parameter whose components are finite, in every lane.
pub fn check_parameter<T: Real>(parameter: &'static str, components: &[T]) -> Result<(), Error> {
    let bad = |&x: &T| first_bad(x, real::is_finite(x));
    match components.iter().find_map(bad) {
        None => Ok(()),
        Some(value) => Err(Error::InvalidParameter { parameter, value }),
    }
}

/// Accepts a mass matrix that is positive definite, in every lane.
pub fn check_mass_matrix<T: Real, const N: usize>(
    coordinates: [&'static str; N],
    mut matrix: [[T; N]; N],
) -> Result<(), Error> {
    let rounding = T::lit(PIVOT_EPSILONS) * T::simd_default_epsilon();
    let diagonal: [T; N] = core::array::from_fn(|i| matrix[i][i]);
    for k in 0..N {
        let pivot = matrix[k][k];
        let good = pivot.simd_gt(rounding * diagonal[k].simd_abs()) & real::is_finite(pivot);
        if let Some(pivot) = first_bad(pivot, good) {
            return Err(singular_mass(Coordinate::Named(coordinates[k]), pivot));
        }
        let above = matrix[k];
        for row in &mut matrix[k + 1..] {
            let factor = row[k] / pivot;
            for (entry, &above) in row.iter_mut().zip(&above).skip(k + 1) {
                *entry -= factor * above;
            }
        }
    }
    Ok(())
}

/// The same, with the coordinate given by its number.
pub fn check_inertia_among<T: Real>(
    names: Option<&'static [Names]>,
    index: usize,
    inertia: T,
) -> Result<(), Error> {
    let good = inertia.simd_gt(T::zero()) & real::is_finite(inertia);
    match first_bad(inertia, good) {
        None => Ok(()),
        Some(pivot) => Err(singular_mass(Coordinate::Numbered { index, names }, pivot)),
    }
}

/// Accepts a mass that is positive and finite, in every lane.
pub fn check_mass<T: Real>(mass: T) -> Result<(), Error> {
    match first_bad(mass, mass.simd_gt(T::zero()) & real::is_finite(mass)) {
        None => Ok(()),
        Some(mass) => Err(Error::InvalidMass { mass }),
    }
}

/// Rejects a number that was found not to be finite.
pub(crate) fn check_finite(quantity: Quantity, found: Option<(usize, f64)>) -> Result<(), Error> {
    match found {
        None => Ok(()),
        Some((index, value)) => Err(Error::NonFinite {
            quantity,
            index,
            names: None,
            value,
            time: None,
        }),
    }
}

/// Accepts a step size that is positive and finite, in every lane.
pub(crate) fn check_step_size<T: Real>(h: T) -> Result<(), Error> {
    match first_bad(h, h.simd_gt(T::zero()) & real::is_finite(h)) {
        None => Ok(()),
        Some(step_size) => Err(Error::InvalidStepSize { step_size }),
    }
}

/// Accepts a restitution between 0 and 1, in every lane.
#[cfg(feature = "world")]
pub(crate) fn check_restitution<T: Real>(e: T) -> Result<(), Error> {
    match first_bad(e, e.simd_ge(T::zero()) & e.simd_le(T::one())) {
        None => Ok(()),
        Some(restitution) => Err(Error::InvalidRestitution { restitution }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_pivots_the_first_bad_one_is_named() {
        let check = |pivots: [f64; 3]| {
            let rows = [7, 2, 5];
            check_pivots(core::array::from_fn::<_, 3, _>(|i| {
                JudgedPivot::of(rows[i], pivots[i], 1.0)
            }))
        };
        let bad = |row, pivot| Err(Singular { row, pivot });
        assert_eq!(check([1.0, 2.0, 3.0]), Ok(()));
        assert_eq!(check([-1.0, 0.0, 3.0]), bad(7, -1.0));
        assert_eq!(check([1.0, 0.0, -1.0]), bad(2, 0.0));
        assert_eq!(check([1.0, 2.0, 1e-15]), bad(5, 1e-15));
        // NaN does not hide among good ones, before or after it.
        for (i, row) in [7, 2, 5].into_iter().enumerate() {
            let mut pivots = [1.0; 3];
            pivots[i] = f64::NAN;
            let error = check(pivots).unwrap_err();
            assert!(error.row == row && error.pivot.is_nan());
        }
        assert_eq!(check_pivots::<f64, 0>([]), Ok(()));
    }

    #[test]
    fn a_pivot_must_be_positive_beyond_rounding() {
        assert_eq!(check_pivot(0, 1e-13, 1.0), Ok(()));
        assert_eq!(
            check_pivot(3, 1e-15, 1.0),
            Err(Singular {
                row: 3,
                pivot: 1e-15
            })
        );
        assert!(check_pivot(0, 1e-6_f32, 1.0).is_err());
    }

    #[test]
    fn of_two_pivots_found_at_once_the_second_is_judged_alone() {
        // Pivots 1e-20 and 2 with the entries 1 and 3: only the product is small.
        assert_eq!(check_pivot_pair(1, 2e-20, 3.0, 1e-20), Ok(()));
        let bad = |product, diagonal, partner| {
            check_pivot_pair(1, product, diagonal, partner).unwrap_err()
        };
        assert_eq!(bad(4e-15, 3.0, 2.0).pivot, 2e-15);
        assert_eq!(
            bad(-8.0, 3.0, 2.0),
            Singular {
                row: 1,
                pivot: -4.0
            }
        );
        assert!(bad(f64::NAN, 3.0, 2.0).pivot.is_nan());
        assert_eq!(bad(f64::INFINITY, f64::INFINITY, 2.0).pivot, f64::INFINITY);
    }

    #[test]
    fn alone_every_positive_finite_pivot_is_good() {
        for good in [5e-324, 1e-300, 1.0, 1e300] {
            assert_eq!(check_pivot(0, good, good), Ok(()), "{good}");
        }
        for bad in [
            0.0,
            -0.0,
            -1.0,
            -1e-300,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ] {
            assert!(check_pivot(0, bad, bad).is_err(), "{bad}");
        }
    }
}
