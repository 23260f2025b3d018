//! The final states of the copies of an ensemble.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::slice::Iter;

use crate::error::{Error, Names};
use crate::real::Real;
use crate::state::State;
use crate::vector::Vector;

/// The final state of each copy of an [`Ensemble`](super::Ensemble), or its error.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// x″ = −k x
///     struct Spring { k: Real = 1 }
///     coordinate x;
///     particle p = [x, 0] { mass: 1 }
///     potential k/2 * x^2;
/// }
/// let ends = Ensemble::new(5, |i| {
///     let start = State::new(0.0, [1.0], [0.0]);
///     Ok((Spring { k: 1.0 + i as f64 }, start))
/// })
/// .run_until(1.0, Rk4::new(1e-3))?;
/// let x = ends.column("x").unwrap();
/// assert!((x[3] - 2.0_f64.cos()).abs() < 1e-12);
/// assert_eq!(ends.names(), ["t", "x", "v_x"]);
/// assert_eq!(ends.failures().count(), 0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ends<Q: Vector, V = Q> {
    states: Vec<Result<State<Q, V>, Error>>,
    names: Vec<String>,
}

impl<T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>> Ends<Q, V> {
    /// Ends of a system with these names of coordinates and of velocities.
    pub(super) fn new(
        states: Vec<Result<State<Q, V>, Error>>,
        [coordinates, velocities]: [Option<&[Names]>; 2],
    ) -> Self {
        let (q, v) = (Q::LEN.unwrap_or(0), V::LEN.unwrap_or(0));
        let coordinates =
            (0..q).map(|i| Names::name_at(coordinates, i).unwrap_or(format!("q[{i}]")));
        let velocities = (0..v).map(|i| match Names::name_at(velocities, i) {
            Some(name) => format!("v_{name}"),
            None => format!("v[{i}]"),
        });
        let names = core::iter::once(String::from("t"))
            .chain(coordinates)
            .chain(velocities);
        Self {
            states,
            names: names.collect(),
        }
    }

    /// The names of the columns: `t`, those of the coordinates as declared, `bob.x`, and of the velocities, `v_bob.x`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// One number of every copy, by its name; NaN for a copy that failed. `None` for an unknown name.
    pub fn column(&self, name: &str) -> Option<Vec<T>> {
        let k = self.names.iter().position(|known| known == name)?;
        let q = Q::LEN.unwrap_or(0);
        Some(self.column_by(|state| match k {
            0 => state.t,
            k if k <= q => state.q[k - 1],
            k => state.v[k - 1 - q],
        }))
    }

    /// The result of `number` for the state of every copy; NaN for a copy that failed.
    pub fn column_by(&self, number: impl Fn(&State<Q, V>) -> T) -> Vec<T> {
        let number = |end: &Result<State<Q, V>, Error>| match end {
            Ok(state) => number(state),
            Err(_) => T::lit(f64::NAN),
        };
        self.states.iter().map(number).collect()
    }

    /// The copies that failed, with their errors.
    pub fn failures(&self) -> impl Iterator<Item = (usize, &Error)> {
        let ends = self.states.iter().enumerate();
        ends.filter_map(|(copy, end)| Some((copy, end.as_ref().err()?)))
    }

    /// The ends, copy by copy.
    pub fn iter(&self) -> Iter<'_, Result<State<Q, V>, Error>> {
        self.states.iter()
    }

    /// The ends as a vector.
    pub fn into_vec(self) -> Vec<Result<State<Q, V>, Error>> {
        self.states
    }
}

impl<'a, T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>> IntoIterator for &'a Ends<Q, V> {
    type Item = &'a Result<State<Q, V>, Error>;
    type IntoIter = Iter<'a, Result<State<Q, V>, Error>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
