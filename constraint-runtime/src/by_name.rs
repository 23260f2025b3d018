//! Serialization of states by the names that a system gives its coordinates and velocities.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeStruct, Serializer};

use crate::error::{Names, Quantity};
use crate::real::Real;
use crate::state::State;
use crate::system::Dynamics;
use crate::vector::Vector;

/// A state with names, `{"t": 0.5, "q": {"bob.x": 0.6, "bob.y": -0.8}, "v": {…}}`: a format for files that people
/// read and edit, and that stays valid when declarations are reordered. Needs the feature `serde`.
///
/// ```
/// use constraint_runtime::{ByName, prelude::*};
///
/// system! {
///     struct Pendulum { l: Real = 1, g: Real = 9.81 }
///     particle bob: Point2 { mass: 1 }
///     constraint rod: norm(bob) == l;
///     gravity [0, -g];
/// }
/// let system = Pendulum::<f64>::default();
/// let text = r#"{"t": 0, "q": {"bob.y": -0.8, "bob.x": 0.6}, "v": {"bob.x": 0, "bob.y": 0}}"#;
/// let start = ByName::read(&system, &mut serde_json::Deserializer::from_str(text))?;
/// assert_eq!(start.q, SVector::from([0.6, -0.8]));
/// let written = serde_json::to_string(&ByName::of(&system, &start))?;
/// assert!(written.contains(r#""q":{"bob.x":0.6,"bob.y":-0.8}"#));
/// // A name too few, too many or twice is an error that says so.
/// let text = text.replace("bob.y", "rob.y");
/// let error = ByName::read(&system, &mut serde_json::Deserializer::from_str(&text)).unwrap_err();
/// assert!(error.to_string().starts_with("there is no coordinate `rob.y`"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ByName<'a, S, Q: Vector, V = Q> {
    system: &'a S,
    state: &'a State<Q, V>,
}

impl<'a, S, Q: Vector, V: Vector<Scalar = Q::Scalar>> ByName<'a, S, Q, V> {
    /// A state of a system.
    pub fn of(system: &'a S, state: &'a State<Q, V>) -> Self
    where
        Q::Scalar: Real,
        S: Dynamics<Q::Scalar, Q = Q, V = V>,
    {
        Self { system, state }
    }

    /// Reads the state of a system from this format; the names may come in any order.
    ///
    /// # Errors
    /// Those of the format; also a name that the system does not have, a duplicate name, and a missing name.
    pub fn read<'de, D: Deserializer<'de>>(
        system: &S,
        deserializer: D,
    ) -> Result<State<Q, V>, D::Error>
    where
        Q::Scalar: Real + Deserialize<'de>,
        S: Dynamics<Q::Scalar, Q = Q, V = V>,
    {
        let Written { t, q, v } = Written::deserialize(deserializer)?;
        let [coordinates, velocities] =
            [Quantity::Coordinate, Quantity::Velocity].map(|it| system.names(it));
        Ok(State {
            t,
            q: q.into_vector::<Q, D::Error>("coordinate", coordinates)?,
            v: v.into_vector::<V, D::Error>("velocity", velocities)?,
        })
    }
}

impl<S, Q, V> Serialize for ByName<'_, S, Q, V>
where
    Q: Vector<Scalar: Real + Serialize>,
    V: Vector<Scalar = Q::Scalar>,
    S: Dynamics<Q::Scalar, Q = Q, V = V>,
{
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        let State { t, q, v } = self.state;
        let names = |quantity| self.system.names(quantity);
        let mut fields = serializer.serialize_struct("State", 3)?;
        fields.serialize_field("t", t)?;
        fields.serialize_field("q", &Entries(names(Quantity::Coordinate), q))?;
        fields.serialize_field("v", &Entries(names(Quantity::Velocity), v))?;
        fields.end()
    }
}

/// A vector as a map.
struct Entries<'a, X>(Option<&'static [Names]>, &'a X);

impl<X: Vector<Scalar: Serialize>> Serialize for Entries<'_, X> {
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        let entries = self.1.entries();
        let mut map = serializer.serialize_map(Some(entries.len()))?;
        for (i, x) in entries.iter().enumerate() {
            let name = Names::name_at(self.0, i).ok_or_else(|| W::Error::custom(NAMELESS))?;
            map.serialize_entry(&name, x)?;
        }
        map.end()
    }
}

const NAMELESS: &str = "the system does not name its coordinates and velocities";

/// The format that is read.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written<T> {
    t: T,
    q: Pairs<T>,
    v: Pairs<T>,
}

/// A map, in the order of the file.
struct Pairs<T>(Vec<(String, T)>);

impl<T: Copy> Pairs<T> {
    /// The vector with these numbers.
    fn into_vector<X: Vector<Scalar = T>, E: de::Error>(
        self,
        what: &str,
        names: Option<&[Names]>,
    ) -> Result<X, E> {
        let mut vector = X::blank();
        let n = vector.entries().len();
        let names = (0..n).map(|i| Names::name_at(names, i));
        let names: Option<Vec<String>> = names.collect();
        let names = names.ok_or_else(|| E::custom(NAMELESS))?;
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_unstable_by_key(|&i| &names[i]);
        let mut known = alloc::vec![false; n];
        for (name, x) in self.0 {
            let Ok(place) = order.binary_search_by_key(&&name, |&i| &names[i]) else {
                return Err(E::custom(format_args!("there is no {what} `{name}`")));
            };
            let i = order[place];
            if core::mem::replace(&mut known[i], true) {
                return Err(E::custom(format_args!("the {what} `{name}` occurs twice")));
            }
            vector[i] = x;
        }
        match known.iter().position(|known| !known) {
            Some(i) => Err(E::custom(format_args!(
                "the {what} `{}` is missing",
                names[i]
            ))),
            None => Ok(vector),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<T> {
            type Value = Pairs<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("numbers by their names")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<T>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(InOrder(PhantomData))
    }
}
