//! Serialization that `serde` cannot derive: arrays of any length, matrices of them, and numbers that may be
//! infinite.

use alloc::vec::Vec;

use nalgebra::ComplexField;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::heap_array::HeapArray;
use crate::integrator::{Slope, Slopes, Variation};
use crate::linalg::lu::Lu;
use crate::vector::Vector;

impl<E: Serialize, const N: usize> Serialize for HeapArray<E, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self[..].serialize(serializer)
    }
}

impl<'de, E: Deserialize<'de>, const N: usize> Deserialize<'de> for HeapArray<E, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let elements = Vec::<E>::deserialize(deserializer)?;
        Self::try_from(elements).map_err(|elements| of_length::<D::Error, N>(elements.len()))
    }
}

impl<Q: Serialize, V: Serialize, const N: usize> Serialize for Slopes<Q, V, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0[..].serialize(serializer)
    }
}

impl<'de, Q, V, const N: usize> Deserialize<'de> for Slopes<Q, V, N>
where
    Q: Deserialize<'de>,
    V: Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let slopes = Vec::<Slope<Q, V>>::deserialize(deserializer)?;
        let array = slopes.try_into();
        array
            .map(Self)
            .map_err(|slopes: Vec<_>| of_length::<D::Error, N>(slopes.len()))
    }
}

/// The error for an array that does not have `N` elements.
fn of_length<E: Error, const N: usize>(found: usize) -> E {
    E::custom(format_args!("found {found} elements, expected {N}"))
}

/// Arrays with as many elements as a vector has entries.
pub(crate) mod array {
    use super::*;

    pub fn serialize<X: Serialize, S: Serializer>(
        array: &impl AsRef<[X]>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        array.as_ref().serialize(serializer)
    }

    pub fn deserialize<'de, X, A, D>(deserializer: D) -> Result<A, D::Error>
    where
        X: Deserialize<'de>,
        A: TryFrom<Vec<X>>,
        D: Deserializer<'de>,
    {
        array_of(Vec::<X>::deserialize(deserializer)?)
    }
}

/// A number that is omitted if it is infinite: not every format has such numbers.
pub(crate) mod perhaps_infinite {
    use super::*;
    use crate::real::{Real, lane_value};

    pub fn serialize<T: Real + Serialize, S: Serializer>(
        x: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        lane_value(*x, 0)
            .is_finite()
            .then_some(x)
            .serialize(serializer)
    }

    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: Real + Deserialize<'de>,
        D: Deserializer<'de>,
    {
        let finite = Option::deserialize(deserializer)?;
        Ok(finite.unwrap_or(T::lit(f64::INFINITY)))
    }
}

fn array_of<X, A: TryFrom<Vec<X>>, E: Error>(elements: Vec<X>) -> Result<A, E> {
    let found = elements.len();
    A::try_from(elements)
        .map_err(|_| E::custom(format_args!("{found} elements are too many or too few")))
}

impl<F, V> Serialize for Lu<F, V>
where
    F: ComplexField + Copy + Serialize,
    V: Vector,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows = self.rows.as_ref().iter().map(AsRef::<[F]>::as_ref);
        let rows: Vec<&[F]> = rows.collect();
        (rows, self.exchanged.as_ref()).serialize(serializer)
    }
}

impl<'de, F, V> Deserialize<'de> for Lu<F, V>
where
    F: ComplexField + Copy + Deserialize<'de>,
    V: Vector,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (rows, exchanged) = <(Vec<Vec<F>>, Vec<usize>)>::deserialize(deserializer)?;
        let n = rows.len();
        if rows.iter().any(|row| row.len() != n)
            || exchanged.len() != n
            || exchanged.iter().any(|&row| row >= n)
        {
            return Err(D::Error::custom(
                "the matrix is not square, or exchanges rows that do not exist",
            ));
        }
        let rows = rows.into_iter().map(array_of);
        Ok(Self {
            rows: array_of(rows.collect::<Result<Vec<_>, _>>()?)?,
            exchanged: array_of(exchanged)?,
        })
    }
}

impl<V: Vector + Serialize> Serialize for Variation<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.by_q.as_ref(), self.by_v.as_ref()).serialize(serializer)
    }
}

impl<'de, V: Vector + Deserialize<'de>> Deserialize<'de> for Variation<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (by_q, by_v) = Deserialize::deserialize(deserializer)?;
        let columns = |columns: Vec<V>| array_of::<V, V::Array<V>, D::Error>(columns);
        Ok(Self {
            by_q: columns(by_q)?,
            by_v: columns(by_v)?,
        })
    }
}
