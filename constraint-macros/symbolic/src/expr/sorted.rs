//! Maps and sets that iterate in the order of their keys.
//!
//! They are sorted vectors. Users compile the engine, and an instance of one of std's search trees is six times as much code. Entries
//! mostly arrive in ascending order, which appends them; any other insertion moves the entries behind it.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::ops::Index;

use super::eager::sort_by;

/// The position of a key among ascending ones, or the position at which it would be inserted. `compare` compares the key at
/// a position with it. This is the only search of these types; it is not generic.
fn position(count: usize, compare: &dyn Fn(usize) -> Ordering) -> Result<usize, usize> {
    // Keys are mostly inserted in ascending order.
    if count > 0 && compare(count - 1) == Ordering::Less {
        return Err(count);
    }
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = (low + high) / 2;
        match compare(middle) {
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
            Ordering::Equal => return Ok(middle),
        }
    }
    Err(low)
}

/// A map in the order of its keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortedMap<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        SortedMap::new()
    }
}

impl<K, V> SortedMap<K, V> {
    /// An empty map.
    pub const fn new() -> Self {
        SortedMap {
            entries: Vec::new(),
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

    /// The entries in the order of their keys.
    pub fn iter(&self) -> Entries<'_, K, V> {
        Entries(self.entries.iter())
    }

    /// The entries, with values to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.entries.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// The keys in ascending order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.entries.iter().map(|(key, _)| key)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.entries.iter().map(|(_, value)| value)
    }

    /// The values, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// The keys alone.
    pub fn into_keys(self) -> impl Iterator<Item = K> {
        self.entries.into_iter().map(|(key, _)| key)
    }

    /// The values alone.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.entries.into_iter().map(|(_, value)| value)
    }

    /// Keeps the entries for which the condition holds.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.entries.retain_mut(|(key, value)| keep(key, value));
    }

    /// The entry of the least key.
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next()
    }

    /// The entry of the greatest key.
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next_back()
    }

    /// Removes the entry of the greatest key.
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        self.entries.pop()
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// The position of a key, or the position at which it would be inserted.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        position(self.entries.len(), &|at| {
            self.entries[at].0.borrow().cmp(key)
        })
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        match self.find(key) {
            Ok(at) => Some(&self.entries[at].1),
            Err(_) => None,
        }
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        match self.find(key) {
            Ok(at) => Some(&mut self.entries[at].1),
            Err(_) => None,
        }
    }

    /// True if the key has a value.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Sets the value of a key; the value it had before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.entries[at].1, value)),
            Err(at) => {
                self.entries.insert(at, (key, value));
                None
            }
        }
    }

    /// Removes a key; the value it had.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Removes a key; its entry.
    pub fn remove_entry<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        match self.find(key) {
            Ok(at) => Some(self.entries.remove(at)),
            Err(_) => None,
        }
    }

    /// The entries from one key to another, both included.
    pub fn between(&self, first: &K, last: &K) -> Entries<'_, K, V> {
        let start = self.entries.partition_point(|(key, _)| key < first);
        let length = self.entries[start..].partition_point(|(key, _)| key <= last);
        Entries(self.entries[start..start + length].iter())
    }

    /// The position of a key, to read or to fill.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        let found = self.find(&key);
        Entry {
            map: self,
            key,
            found,
        }
    }
}

/// The position of a key in a map.
pub struct Entry<'a, K, V> {
    map: &'a mut SortedMap<K, V>,
    key: K,
    found: Result<usize, usize>,
}

impl<'a, K: Ord, V> Entry<'a, K, V> {
    /// The value; if there is none, the result of a function is inserted.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        let at = match self.found {
            Ok(at) => at,
            Err(at) => {
                self.map.entries.insert(at, (self.key, value()));
                at
            }
        };
        &mut self.map.entries[at].1
    }

    /// The value; if there is none, the given one is inserted.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The value; if there is none, the default is inserted.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        match self.find(key) {
            Ok(at) => &self.entries[at].1,
            Err(_) => panic!("a map lacks a key"),
        }
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(source: I) -> Self {
        let mut entries: Vec<(K, V)> = Vec::new();
        let mut is_ascending = true;
        for entry in source {
            is_ascending &= entries.last().is_none_or(|last| last.0 < entry.0);
            entries.push(entry);
        }
        if !is_ascending {
            entries = last_of_each_key(entries);
        }
        SortedMap { entries }
    }
}

/// The entries in the order of their keys; of equal keys the last.
fn last_of_each_key<K: Ord, V>(mut entries: Vec<(K, V)>) -> Vec<(K, V)> {
    sort_by(&mut entries, |a, b| a.0 < b.0);
    let mut kept: Vec<(K, V)> = Vec::with_capacity(entries.len());
    for entry in entries {
        match kept.last_mut() {
            Some(last) if last.0 == entry.0 => *last = entry,
            _ => kept.push(entry),
        }
    }
    kept
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

/// The entries of a map in the order of their keys.
#[derive(Debug)]
pub struct Entries<'a, K, V>(std::slice::Iter<'a, (K, V)>);

impl<K, V> Clone for Entries<'_, K, V> {
    fn clone(&self) -> Self {
        Entries(self.0.clone())
    }
}

impl<'a, K, V> Iterator for Entries<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        match self.0.next() {
            Some((key, value)) => Some((key, value)),
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<K, V> DoubleEndedIterator for Entries<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self.0.next_back() {
            Some((key, value)) => Some((key, value)),
            None => None,
        }
    }
}

impl<K, V> ExactSizeIterator for Entries<'_, K, V> {}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Entries<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut SortedMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter =
        std::iter::Map<std::slice::IterMut<'a, (K, V)>, fn(&'a mut (K, V)) -> (&'a K, &'a mut V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter_mut().map(|(key, value)| (&*key, value))
    }
}

/// A set in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortedSet<K> {
    keys: Vec<K>,
}

impl<K> Default for SortedSet<K> {
    fn default() -> Self {
        SortedSet::new()
    }
}

impl<K> SortedSet<K> {
    /// An empty set.
    pub const fn new() -> Self {
        SortedSet { keys: Vec::new() }
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The keys in ascending order.
    pub fn iter(&self) -> std::slice::Iter<'_, K> {
        self.keys.iter()
    }

    /// The least key.
    pub fn first(&self) -> Option<&K> {
        self.keys.first()
    }

    /// The greatest key.
    pub fn last(&self) -> Option<&K> {
        self.keys.last()
    }

    /// Removes the greatest key.
    pub fn pop_last(&mut self) -> Option<K> {
        self.keys.pop()
    }

    /// Removes all keys.
    pub fn clear(&mut self) {
        self.keys.clear();
    }

    /// Keeps the keys for which the condition holds.
    pub fn retain(&mut self, keep: impl FnMut(&K) -> bool) {
        self.keys.retain(keep);
    }
}

impl<K: Ord> SortedSet<K> {
    /// The position of a key, or the position at which it would be inserted.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        position(self.keys.len(), &|at| self.keys[at].borrow().cmp(key))
    }

    /// True if it has the key.
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Adds a key; true if it was not there.
    pub fn insert(&mut self, key: K) -> bool {
        match self.find(&key) {
            Ok(_) => false,
            Err(at) => {
                self.keys.insert(at, key);
                true
            }
        }
    }

    /// Removes a key; true if it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        match self.find(key) {
            Ok(at) => {
                self.keys.remove(at);
                true
            }
            Err(_) => false,
        }
    }
}

impl<K: Ord> Extend<K> for SortedSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

impl<'a, K: Ord + Copy + 'a> Extend<&'a K> for SortedSet<K> {
    fn extend<I: IntoIterator<Item = &'a K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(*key);
        }
    }
}

impl<K: Ord> FromIterator<K> for SortedSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(source: I) -> Self {
        let mut keys: Vec<K> = Vec::new();
        let mut is_ascending = true;
        for key in source {
            is_ascending &= keys.last().is_none_or(|last| *last < key);
            keys.push(key);
        }
        if !is_ascending {
            sort_by(&mut keys, |a, b| a < b);
            keys.dedup_by(|a, b| *a == *b);
        }
        SortedSet { keys }
    }
}

impl<K: Ord, const N: usize> From<[K; N]> for SortedSet<K> {
    fn from(keys: [K; N]) -> Self {
        keys.into_iter().collect()
    }
}

impl<K> IntoIterator for SortedSet<K> {
    type Item = K;
    type IntoIter = std::vec::IntoIter<K>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys.into_iter()
    }
}

impl<'a, K> IntoIterator for &'a SortedSet<K> {
    type Item = &'a K;
    type IntoIter = std::slice::Iter<'a, K>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys.iter()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn maps_and_sets_hold_what_search_trees_hold() {
        let (mut map, mut tree) = (SortedMap::new(), BTreeMap::new());
        let (mut set, mut keys) = (SortedSet::new(), BTreeSet::new());
        let mut state = 1_u64;
        for step in 0..20_000 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            // Few keys, so that many are removed.
            let key = state >> 55;
            if state >> 40 & 1 == 0 {
                assert_eq!(map.insert(key, step), tree.insert(key, step));
                assert_eq!(set.insert(key), keys.insert(key));
            } else {
                assert_eq!(map.remove(&key), tree.remove(&key));
                assert_eq!(set.remove(&key), keys.remove(&key));
            }
            assert_eq!(map.get(&key), tree.get(&key));
            let between = map.between(&100, &key.max(100));
            assert!(between.eq(tree.range(100..=key.max(100))));
        }
        assert!(map.iter().eq(tree.iter()) && map.iter().rev().eq(tree.iter().rev()));
        assert!(set.iter().eq(keys.iter()));
        assert_eq!(map.pop_last(), tree.pop_last());
        assert_eq!(set.pop_last(), keys.pop_last());
    }

    #[test]
    fn of_equal_keys_the_last_is_collected() {
        let entries = [("z", 0), ("a", 1), ("m", 2), ("a", 3)];
        let map: SortedMap<&str, i32> = entries.into_iter().collect();
        let tree: BTreeMap<&str, i32> = entries.into_iter().collect();
        assert!(map.into_iter().eq(tree));
        let set: SortedSet<i32> = [3, 1, 2, 1].into_iter().collect();
        assert!(set.into_iter().eq([1, 2, 3]));
    }
}
