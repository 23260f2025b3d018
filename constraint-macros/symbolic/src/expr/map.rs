//! Hash maps and sets that are fast in unoptimised builds.
//!
//! Expansions run in the users' unoptimised builds. There each function called in a lookup costs as much as its work; the
//! standard map calls some thirty, with a hasher that is designed to withstand hostile keys. These maps call four, and iterate
//! in the order of insertion.

use std::borrow::Borrow;
use std::hash::Hash;
use std::ops::Index;

use super::hash::hash_of;
use super::places::Places;

/// A map.
#[derive(Clone, Debug)]
pub struct Map<K, V> {
    places: Places,
    entries: Vec<(K, V)>,
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map {
            places: Places::default(),
            entries: Vec::new(),
        }
    }
}

impl<K, V> Map<K, V> {
    /// A map with capacity for this many.
    pub fn with_capacity(capacity: usize) -> Self {
        Map {
            places: Places::with_capacity(capacity),
            entries: Vec::with_capacity(capacity),
        }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries in the order of insertion.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&K, &V)> + Clone {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// The keys in the order of insertion.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &K> + Clone {
        self.entries.iter().map(|(key, _)| key)
    }

    /// The values in the order of insertion.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> + Clone {
        self.entries.iter().map(|(_, value)| value)
    }

    /// The values, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// The values alone.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.entries.into_iter().map(|(_, value)| value)
    }

    /// The keys alone.
    pub fn into_keys(self) -> impl Iterator<Item = K> {
        self.entries.into_iter().map(|(key, _)| key)
    }
}

impl<K: Hash + Eq, V> Map<K, V> {
    /// The number of the entry of a key.
    fn find<Q: Hash + Eq + ?Sized>(&self, key: &Q, hash: u32) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        self.places.find(hash, &|number: usize| {
            self.entries[number].0.borrow() == key
        })
    }

    /// The value of a key.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        match self.find(key, hash_of(key)) {
            Some(number) => Some(&self.entries[number].1),
            None => None,
        }
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        match self.find(key, hash_of(key)) {
            Some(number) => Some(&mut self.entries[number].1),
            None => None,
        }
    }

    /// True if the key has a value.
    pub fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key, hash_of(key)).is_some()
    }

    /// Sets the value of a key; the value it had before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let hash = hash_of(&key);
        match self.find(&key, hash) {
            Some(number) => Some(std::mem::replace(&mut self.entries[number].1, value)),
            None => {
                self.push(key, value, hash);
                None
            }
        }
    }

    /// Adds a key that is not in the map.
    fn push(&mut self, key: K, value: V, hash: u32) {
        self.places.insert(hash, self.entries.len());
        self.entries.push((key, value));
    }

    /// Removes a key: the last entry takes the number of the removed one.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let hash = hash_of(key);
        let number = self.find(key, hash)?;
        self.places.remove(hash, number);
        let (_, value) = self.entries.swap_remove(number);
        if let Some((moved, _)) = self.entries.get(number) {
            self.places
                .renumber(hash_of(moved), self.entries.len(), number);
        }
        Some(value)
    }

    /// Keeps the entries for which the condition holds.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        let entries = std::mem::take(&mut self.entries);
        self.places = Places::with_capacity(entries.len());
        for (key, mut value) in entries {
            if keep(&key, &mut value) {
                let hash = hash_of(&key);
                self.push(key, value, hash);
            }
        }
    }

    /// The place of a key, to read or to fill.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        let hash = hash_of(&key);
        let found = self.find(&key, hash);
        Entry {
            found,
            map: self,
            key,
            hash,
        }
    }
}

/// The place of a key in a map.
pub struct Entry<'a, K, V> {
    map: &'a mut Map<K, V>,
    key: K,
    hash: u32,
    found: Option<usize>,
}

impl<'a, K: Hash + Eq, V> Entry<'a, K, V> {
    /// The value; if there is none, the result of a function is put there.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        let number = match self.found {
            Some(number) => number,
            None => {
                let value = value();
                self.map.push(self.key, value, self.hash);
                self.map.entries.len() - 1
            }
        };
        &mut self.map.entries[number].1
    }

    /// The value; if there is none, the given one is put there.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The value; if there is none, the default is put there.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<K: Hash + Eq + Borrow<Q>, Q: Hash + Eq + ?Sized, V> Index<&Q> for Map<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        match self.find(key, hash_of(key)) {
            Some(number) => &self.entries[number].1,
            None => panic!("a map lacks a key"),
        }
    }
}

impl<K: Hash + Eq, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Hash + Eq, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Map::default();
        map.extend(entries);
        map
    }
}

impl<K: Hash + Eq, V, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

/// The entries of a map.
pub type Iter<'a, K, V> =
    std::iter::Map<std::slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> (&'a K, &'a V)>;

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter().map(|(key, value)| (key, value))
    }
}

impl<K: Hash + Eq, V: PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self
                .iter()
                .all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<K: Hash + Eq, V: Eq> Eq for Map<K, V> {}

/// A set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set<K: Hash + Eq>(Map<K, ()>);

impl<K: Hash + Eq> Default for Set<K> {
    fn default() -> Self {
        Set(Map::default())
    }
}

impl<K: Hash + Eq> Set<K> {
    /// The number of keys.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The keys in the order of insertion.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &K> + Clone {
        self.0.keys()
    }

    /// True if it has the key.
    pub fn contains<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(key)
    }

    /// True if the other set has all of these keys.
    pub fn is_subset(&self, other: &Set<K>) -> bool {
        self.iter().all(|key| other.contains(key))
    }

    /// Adds a key; true if it was not there.
    pub fn insert(&mut self, key: K) -> bool {
        let hash = hash_of(&key);
        let is_new = self.0.find(&key, hash).is_none();
        if is_new {
            self.0.push(key, (), hash);
        }
        is_new
    }

    /// Removes a key; true if it was there.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.remove(key).is_some()
    }
}

impl<K: Hash + Eq> Extend<K> for Set<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

impl<K: Hash + Eq> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = Set::default();
        set.extend(keys);
        set
    }
}

impl<K: Hash + Eq, const N: usize> From<[K; N]> for Set<K> {
    fn from(keys: [K; N]) -> Self {
        keys.into_iter().collect()
    }
}

impl<K: Hash + Eq> IntoIterator for Set<K> {
    type Item = K;
    type IntoIter = std::iter::Map<std::vec::IntoIter<(K, ())>, fn((K, ())) -> K>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.entries.into_iter().map(|(key, ())| key)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn maps_hold_what_a_search_tree_holds() {
        let (mut map, mut tree) = (Map::default(), BTreeMap::new());
        let mut state = 1_u64;
        for step in 0..20_000 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            // Few keys, so that many are removed; multiples of a power of two have equal low bits.
            let key = (state >> 55) * 4096;
            if state >> 40 & 1 == 0 {
                assert_eq!(map.insert(key, step), tree.insert(key, step));
            } else {
                assert_eq!(map.remove(&key), tree.remove(&key));
            }
            assert_eq!(map.get(&key), tree.get(&key));
            if step % 5000 == 0 {
                map.retain(|key, _| key % 3 > 0);
                tree.retain(|key, _| key % 3 > 0);
            }
        }
        assert!(tree.iter().all(|(key, value)| map[key] == *value));
        let mut entries: Vec<(u64, i32)> = map.into_iter().collect();
        entries.sort_unstable();
        assert_eq!(entries, tree.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn maps_iterate_in_the_order_of_insertion() {
        let map: Map<&str, usize> = ["z", "a", "m", "a"].into_iter().zip(0..).collect();
        let entries: Vec<(&&str, &usize)> = map.iter().collect();
        assert_eq!(entries, [(&"z", &0), (&"a", &3), (&"m", &2)]);
    }
}
