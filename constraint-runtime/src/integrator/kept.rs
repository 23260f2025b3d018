//! What is read of a method's memory: as many numbers as there must be, all of them finite.

use crate::error::{Error, Quantity};
use crate::real::{Real, first_bad, is_finite};
use crate::state::State;
use crate::vector::Vector;

/// How many coordinates and velocities the vectors of a memory have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    pub q: usize,
    pub v: usize,
}

impl Lengths {
    /// Those of a state; none of a memory that no step has written yet, whose vectors may be as short as any are `blank`.
    pub fn of<Q: Vector, V: Vector>(state: &State<Q, V>, blank: bool) -> Self {
        if blank {
            let (q, v) = (Q::LEN.unwrap_or(0), V::LEN.unwrap_or(0));
            return Self { q, v };
        }
        let (q, v) = (state.q.entries().len(), state.v.entries().len());
        Self { q, v }
    }
}

/// That so many are kept.
pub(super) fn check_length(found: usize, expected: usize) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    Err(Error::WrongLength {
        quantity: Quantity::Memory,
        found,
        expected,
    })
}

/// That so many numbers are kept.
pub(super) fn check_numbers<T: Real>(kept: &[T], expected: usize) -> Result<(), Error> {
    check_length(kept.len(), expected)?;
    let bad = |(index, &x): (usize, &T)| Some((index, first_bad(x, is_finite(x))?));
    match kept.iter().enumerate().find_map(bad) {
        None => Ok(()),
        Some((index, value)) => Err(non_finite(index, value)),
    }
}

/// What is said of a number that is none.
pub(super) fn non_finite(index: usize, value: f64) -> Error {
    Error::NonFinite {
        quantity: Quantity::Memory,
        index,
        names: None,
        value,
        time: None,
    }
}
