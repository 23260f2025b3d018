//! What `serde` has no derivation for: arrays of any length.

use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::heap_array::HeapArray;
use crate::integrator::{Slope, Slopes};

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

/// That there are not `N`.
fn of_length<E: Error, const N: usize>(found: usize) -> E {
    E::custom(format_args!("{found} elements where {N} are needed"))
}
