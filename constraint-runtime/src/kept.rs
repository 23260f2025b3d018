//! Checks of a method's memory read from a checkpoint: the right number of entries, all of them finite.

use nalgebra::ComplexField;

use crate::error::{Error, Quantity};
use crate::real::{Real, first_bad, is_finite};
use crate::state::{State, check_length, lengths};
use crate::vector::Vector;

/// The numbers of coordinates and velocities in the vectors of a memory: as many as in a state; none in a memory that
/// no step has written yet, whose vectors may be as short as `blank` ones.
pub(crate) fn lengths_of<Q: Vector, V: Vector>(state: &State<Q, V>, blank: bool) -> [usize; 2] {
    if blank {
        [Q::LEN, V::LEN].map(Option::unwrap_or_default)
    } else {
        lengths(state)
    }
}

/// Checks that so many entries are stored.
pub(crate) fn check_count(found: usize, expected: usize) -> Result<(), Error> {
    check_length(Quantity::Memory, found, expected)
}

/// Checks that so many finite numbers are stored.
pub(crate) fn check_numbers<T: Real>(kept: &[T], expected: usize) -> Result<(), Error> {
    check_count(kept.len(), expected)?;
    let bad = |(index, &x): (usize, &T)| Some((index, first_bad(x, is_finite(x))?));
    match kept.iter().enumerate().find_map(bad) {
        None => Ok(()),
        Some((index, value)) => Err(non_finite(index, value)),
    }
}

/// The same for an eliminated matrix, which may be complex.
pub(crate) fn check_pivoted<F: ComplexField>(kept: &[F], expected: usize) -> Result<(), Error> {
    check_count(kept.len(), expected)?;
    match kept.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(index) => Err(non_finite(index, f64::NAN)),
    }
}

/// The error for a number that is not finite.
pub(crate) fn non_finite(index: usize, value: f64) -> Error {
    Error::NonFinite {
        quantity: Quantity::Memory,
        index,
        names: None,
        value,
        time: None,
    }
}
