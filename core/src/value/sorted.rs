//! Maps and sets as sorted lists, for some hundred entries. The trees of the library are made for many more, and
//! add 5 KB to the Worker for each type of entry.

use alloc::vec::{self, Vec};
use core::borrow::Borrow;
use core::slice;

use serde::{Serialize, Serializer};

/// Values by key, in the order of the keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> SortedMap<K, V> {
    /// An empty map.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// How many entries it has.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has no entry.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The entries, in the order of their keys.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.into_iter()
    }

    /// The values, in the order of their keys.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The values, in the order of their keys, to be changed.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(known, _)| known.borrow().cmp(key))
    }

    /// The value of a key.
    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        self.0.get_mut(place).map(|(_, value)| value)
    }

    /// Whether the key has a value.
    #[must_use]
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Removes a key, and returns the value that it had.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        Some(self.0.remove(place).1)
    }

    /// Sets the value of a key, and returns the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(place) => self.0.get_mut(place).map(|(_, known)| core::mem::replace(known, value)),
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
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
    /// If a key occurs twice, its last value counts.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

/// The entries of a map.
pub(crate) type Iter<'m, K, V> = core::iter::Map<slice::Iter<'m, (K, V)>, fn(&'m (K, V)) -> (&'m K, &'m V)>;

impl<'m, K, V> IntoIterator for &'m SortedMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = Iter<'m, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(key, value)| (key, value))
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: Serialize, V: Serialize> Serialize for SortedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

/// Values, each once, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortedSet<T>(Vec<T>);

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> SortedSet<T> {
    /// An empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Whether it has no value.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The values, in their order.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.0.iter()
    }
}

impl<T: Ord> SortedSet<T> {
    /// Whether the value is in the set.
    #[must_use]
    pub fn contains<Q: Ord + ?Sized>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.binary_search_by(|known| known.borrow().cmp(value)).is_ok()
    }

    /// Adds a value; whether it is new.
    pub fn insert(&mut self, value: T) -> bool {
        match self.0.binary_search(&value) {
            Ok(_) => false,
            Err(place) => {
                self.0.insert(place, value);
                true
            }
        }
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        for value in values {
            self.insert(value);
        }
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut set = Self::new();
        set.extend(values);
        set
    }
}

impl<'s, T> IntoIterator for &'s SortedSet<T> {
    type Item = &'s T;
    type IntoIter = slice::Iter<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Serialize> Serialize for SortedSet<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Keys in an order that is not sorted, some of them twice.
    fn keys() -> impl Iterator<Item = u32> {
        (0_u32..60).map(|number| number.wrapping_mul(2_654_435_761) % 40)
    }

    #[test]
    fn a_map_does_what_the_map_of_the_library_does() {
        let (mut map, mut expected) = (SortedMap::new(), BTreeMap::new());
        for (value, key) in keys().enumerate() {
            assert_eq!(map.insert(key, value), expected.insert(key, value));
        }
        assert_eq!(map.len(), expected.len());
        assert!(map.iter().eq(expected.iter()));
        assert!(map.values().eq(expected.values()));
        for key in 0..45 {
            assert_eq!(
                (map.get(&key), map.contains_key(&key)),
                (expected.get(&key), expected.contains_key(&key))
            );
            assert_eq!(map.get_mut(&key), expected.get_mut(&key));
        }
        assert_eq!(serde_json::to_string(&map).unwrap(), serde_json::to_string(&expected).unwrap());
        let collected: SortedMap<_, _> = keys().zip(0..).collect();
        assert!(collected.into_iter().eq(keys().zip(0..).collect::<BTreeMap<_, _>>()));
        for key in 10..45 {
            assert_eq!(map.remove(&key), expected.remove(&key));
        }
        assert!(map.iter().eq(expected.iter()));
        map.clear();
        assert!(map.is_empty() && map == SortedMap::default());
    }

    #[test]
    fn a_set_does_what_the_set_of_the_library_does() {
        let (mut set, mut expected) = (SortedSet::new(), BTreeSet::new());
        assert!(set.is_empty());
        for key in keys() {
            assert_eq!(set.insert(key), expected.insert(key));
        }
        assert!(set.iter().eq(expected.iter()));
        for key in 0..45 {
            assert_eq!(set.contains(&key), expected.contains(&key));
        }
        assert_eq!(serde_json::to_string(&set).unwrap(), serde_json::to_string(&expected).unwrap());
        let mut extended = SortedSet::default();
        extended.extend(keys());
        assert_eq!(extended, set);
    }
}
