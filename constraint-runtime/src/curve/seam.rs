//! Seams between the pieces of a curve, and their continuity.

use alloc::string::ToString;

use nalgebra::SVector;

use super::{Curve, check_domain, extent_squared, tolerance};
use crate::error::Error;
use crate::real::{Real, lane_value};

/// Number of samples in the domain.
const SAMPLES: u32 = 1024;

/// Slopes that differ by less than this part of the curve's extent differ by rounding.
const ROUNDING: f64 = 1e-9;

/// How smoothly two pieces meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Continuity {
    /// In a corner or a cusp: r is continuous.
    C0,
    /// r and r′ are continuous: the curvature jumps, and with it the force of the track.
    C1,
    /// r, r′ and r″ are continuous.
    C2,
}

/// A place where two pieces of a curve meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seam {
    /// The parameter s.
    pub parameter: f64,
    /// How smoothly they meet.
    pub continuity: Continuity,
}

/// Calls `visit` with the seams inside the domain.
pub(super) fn for_each_seam<T: Real, C: Curve<T, D>, const D: usize>(
    curve: &C,
    lane: usize,
    mut visit: impl FnMut(Seam),
) -> Result<(), Error> {
    let domain = curve.domain();
    check_domain(&domain)?;
    let (start, end) = (
        lane_value(*domain.start(), lane),
        lane_value(*domain.end(), lane),
    );
    let piece = |s: f64| lane_value(curve.piece(T::lit(s)), lane);
    let mut left = start;
    for i in 1..=SAMPLES {
        let right = start + (end - start) * (f64::from(i) / f64::from(SAMPLES));
        if piece(left) != piece(right) {
            let ends = meeting(&piece, left, right);
            visit(seam(curve, lane, ends)?);
        }
        left = right;
    }
    Ok(())
}

/// The two neighbouring numbers between which the piece changes.
fn meeting(piece: &impl Fn(f64) -> f64, mut left: f64, mut right: f64) -> [f64; 2] {
    let first = piece(left);
    loop {
        let middle = 0.5 * (left + right);
        if middle <= left || middle >= right {
            return [left, right];
        }
        if piece(middle) == first {
            left = middle
        } else {
            right = middle
        }
    }
}

fn seam<T: Real, C: Curve<T, D>, const D: usize>(
    curve: &C,
    lane: usize,
    ends: [f64; 2],
) -> Result<Seam, Error> {
    let [left, right] = ends.map(|s| curve.jet(T::lit(s)));
    let gap = lane_value((left[0] - right[0]).norm(), lane);
    // Of two neighbouring numbers, the one with fewer digits is the one in the definition.
    let digits = |s: f64| s.to_string().len();
    let parameter = ends[usize::from(digits(ends[0]) >= digits(ends[1]))];
    if gap > tolerance(curve) * lane_value(extent(curve), lane) {
        return Err(Error::Jump { parameter, gap });
    }
    Ok(Seam {
        parameter,
        continuity: continuity(curve, lane, &left, &right),
    })
}

/// How smoothly two pieces meet whose r, r′ and r″ there are `left` and `right`.
pub(super) fn continuity<T: Real, C: Curve<T, D>, const D: usize>(
    curve: &C,
    lane: usize,
    left: &[SVector<T, D>; 3],
    right: &[SVector<T, D>; 3],
) -> Continuity {
    // Relative to the domain instead of s, derivatives are lengths, independent of the unit of s.
    let domain = curve.domain();
    let length = *domain.end() - *domain.start();
    let size = |i: usize, x: &SVector<T, D>| {
        lane_value((0..i).fold(x.norm(), |size, _| size * length), lane)
    };
    let usual = |i: usize| size(i, &left[i]).max(size(i, &right[i]));
    let (extent, tolerance) = (lane_value(extent(curve), lane), tolerance(curve));
    let meets = |i: usize| {
        let rounding = ROUNDING * usual(i).max(usual(1)).max(extent);
        size(i, &(left[i] - right[i])) <= rounding.max(tolerance * usual(i))
    };
    let cusp = usual(1) <= ROUNDING * extent;
    match (meets(1) && !cusp, meets(2)) {
        (false, _) => Continuity::C0,
        (true, false) => Continuity::C1,
        (true, true) => Continuity::C2,
    }
}

/// The greatest distance from the start among a few points.
fn extent<T: Real, C: Curve<T, D>, const D: usize>(curve: &C) -> T {
    extent_squared(curve).simd_sqrt()
}
