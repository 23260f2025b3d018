//! Where the pieces of a curve meet, and how smoothly.

use nalgebra::SVector;

use super::{Curve, check_domain};
use crate::error::Error;
use crate::real::{Real, lane_value};

/// Places of the domain that are looked at.
const SAMPLES: u32 = 1024;

/// A gap of less than this part of the curve's extent is rounding.
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

/// The places where the pieces of a curve meet, in order; the ends of a closed curve come last.
///
/// - Cost: about a thousand evaluations, and the list; none of it while stepping.
///
/// ```
/// use constraint_runtime::curve::{Continuity, Seam, seams};
/// use constraint_runtime::prelude::*;
///
/// curve! { struct Corner; |s in -3..=3| [s, if s > 0 { s } else { -s }] }
/// let corner = Seam { parameter: 0.0, continuity: Continuity::C0 };
/// assert_eq!(seams(&Corner)?, [corner]);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Jump`] where two pieces do not meet, [`Error::InvalidDomain`].
pub fn seams<C: Curve<f64, D>, const D: usize>(curve: &C) -> Result<Vec<Seam>, Error> {
    let mut found = Vec::new();
    for_each_seam(curve, 0, |seam| found.push(seam))?;
    let domain = curve.domain();
    if curve.is_closed() {
        let (last, first) = (curve.jet(*domain.end()), curve.jet(*domain.start()));
        found.push(Seam {
            parameter: *domain.end(),
            continuity: continuity(&last, &first, extent(curve, 0)),
        });
    }
    Ok(found)
}

/// Shows `visit` the seams inside the domain.
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
        match piece(middle) == first {
            true => left = middle,
            false => right = middle,
        }
    }
}

fn seam<T: Real, C: Curve<T, D>, const D: usize>(
    curve: &C,
    lane: usize,
    ends: [f64; 2],
) -> Result<Seam, Error> {
    let [left, right] = ends.map(|s| jet(curve, lane, s));
    let extent = extent(curve, lane);
    let gap = (left[0] - right[0]).norm();
    // Of two neighbouring numbers, the one of fewer digits is what the definition says.
    let digits = |s: f64| s.to_string().len();
    let parameter = match digits(ends[0]) < digits(ends[1]) {
        true => ends[0],
        false => ends[1],
    };
    if gap > ROUNDING * extent {
        return Err(Error::Jump { parameter, gap });
    }
    Ok(Seam {
        parameter,
        continuity: continuity(&left, &right, extent),
    })
}

fn continuity<const D: usize>(
    left: &[SVector<f64, D>; 3],
    right: &[SVector<f64, D>; 3],
    extent: f64,
) -> Continuity {
    let usual = |i: usize| left[i].norm().max(right[i].norm());
    let meets =
        |i: usize| (left[i] - right[i]).norm() <= ROUNDING * usual(i).max(usual(1)).max(extent);
    let cusp = usual(1) <= ROUNDING * extent;
    match (meets(1) && !cusp, meets(2)) {
        (false, _) => Continuity::C0,
        (true, false) => Continuity::C1,
        (true, true) => Continuity::C2,
    }
}

fn jet<T: Real, C: Curve<T, D>, const D: usize>(
    curve: &C,
    lane: usize,
    s: f64,
) -> [SVector<f64, D>; 3] {
    curve
        .jet(T::lit(s))
        .map(|vector| vector.map(|entry| lane_value(entry, lane)))
}

/// The greatest distance from the start among a few points.
fn extent<T: Real, C: Curve<T, D>, const D: usize>(curve: &C, lane: usize) -> f64 {
    let domain = curve.domain();
    let (start, end) = (
        lane_value(*domain.start(), lane),
        lane_value(*domain.end(), lane),
    );
    let point = |s: f64| jet(curve, lane, s)[0];
    let first = point(start);
    let far = |i: u32| (point(start + (end - start) * f64::from(i) / 16.0) - first).norm();
    (1..=16).map(far).fold(0.0, f64::max)
}
