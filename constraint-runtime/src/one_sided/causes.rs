//! Why a run with constraints of one side cannot go on, and coefficients that no law has.

use super::complementarity::{Candidates, Problem};
use super::{Each, OneSided, RowKind, gaps, kind_of, slip_of};
use crate::error::{Error, Quantity};
use crate::real::{Real, lane_value};
use crate::vector::Vector;

/// Refuses a restitution that is not between 0 and 1, and a friction or the bound of a motor that is negative or not finite.
pub(super) fn check_coefficients<T: Real, S: OneSided<T>>(
    coefficients: &S::Sides,
) -> Result<(), Error> {
    for (i, &value) in coefficients.entries().iter().enumerate() {
        let gap = gap_of::<T, S>(i);
        let (quantity, most) = match (i == gap, kind_of::<T, S>(gap)) {
            (true, RowKind::Motor) => (Quantity::Bound, f64::MAX),
            (true, _) => (Quantity::Restitution, 1.0),
            (false, _) => (Quantity::Friction, f64::MAX),
        };
        let value = lane_value(value, 0);
        if !(0.0..=most).contains(&value) {
            return Err(Error::InvalidCoefficient {
                quantity,
                constraint: S::GAPS[gap],
                value,
            });
        }
    }
    Ok(())
}

/// Why no mode is consistent: friction (Painlevé), or constraints that leave no room.
pub(super) fn inconsistent<T: Real, S: OneSided<T>>(
    problem: &Problem<'_, T, S>,
    candidates: &Each<T, S, Candidates>,
) -> Error {
    let mut smooth = problem.friction.clone();
    for i in (0..gaps::<T, S>()).filter(|&i| kind_of::<T, S>(i) != RowKind::Motor) {
        slip_of::<T, S>(i)
            .into_iter()
            .for_each(|slip| smooth[slip] = T::zero());
    }
    let smooth: Problem<'_, T, S> = Problem {
        mobility: problem.mobility,
        right: problem.right.clone(),
        sizes: problem.sizes.clone(),
        friction: &smooth,
    };
    let takes_part =
        |&i: &usize| kind_of::<T, S>(i) == RowKind::OneSided && !candidates.as_ref()[i].is_apart();
    let all = || (0..gaps::<T, S>()).filter(takes_part);
    if smooth.decide(candidates).is_some() {
        let rubs = |&i: &usize| slip_of::<T, S>(i).is_some();
        return jammed::<T, S>((0..gaps::<T, S>()).find(rubs).unwrap_or_default());
    }
    let is_in_the_way = |&i: &usize| {
        let mut without = candidates.clone();
        without.as_mut()[i] = Candidates::APART;
        smooth.decide(&without).is_some()
    };
    let mut in_the_way = all().filter(is_in_the_way);
    let first = in_the_way.next().or_else(|| all().next());
    Error::NoRoom {
        constraint: S::GAPS[first.unwrap_or_default()],
        other: in_the_way.next().map(|i| S::GAPS[i]),
        time: None,
    }
}

/// No mode is consistent with Coulomb's law at a gap.
fn jammed<T: Real, S: OneSided<T>>(gap: usize) -> Error {
    Error::Jammed {
        constraint: S::GAPS[gap],
        time: None,
    }
}

/// The gap of a row of gaps and slips.
pub(super) fn gap_of<T: Real, S: OneSided<T>>(side: usize) -> usize {
    match side.checked_sub(gaps::<T, S>()) {
        None => side,
        Some(slip) => S::SLIPS[slip],
    }
}
