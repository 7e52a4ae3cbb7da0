//! Objects: entries in the order written, found by key. Knows no text.

use super::Value;
use crate::Arena;

/// A key and its value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry<'a> {
    /// The key.
    pub key: &'a str,
    /// The value.
    pub value: Value<'a>,
}

/// An object: distinct keys with values, in order. Copying is shallow.
#[derive(Clone, Copy)]
pub struct Object<'a>(Repr<'a>);

// `Value` stores its own tag in the tag of this enum, which keeps `Value` at 24 bytes.
#[derive(Clone, Copy)]
enum Repr<'a> {
    Small(&'a [Entry<'a>]),
    Large(&'a Large<'a>),
}

/// Many entries, with their positions in key order, for lookups without a linear search.
struct Large<'a> {
    entries: &'a [Entry<'a>],
    order: &'a [u32],
}

/// Up to this many entries, a linear search is faster than any index.
pub(crate) const SMALL: usize = 32;

impl<'a> Object<'a> {
    /// An empty object.
    pub const EMPTY: Object<'static> = Object(Repr::Small(&[]));

    /// Builds an object from entries with distinct keys.
    ///
    /// Uses the slice as it is; an index for many entries is built in the arena. A repeated key would make
    /// lookups and iteration disagree: use [`ObjectEdit::insert`](crate::ObjectEdit::insert) when keys may repeat.
    #[must_use]
    #[inline]
    pub fn from_entries(arena: &'a Arena, entries: &'a [Entry<'a>]) -> Object<'a> {
        if entries.len() <= SMALL {
            return Object(Repr::Small(entries));
        }
        Object::indexed(arena, entries)
    }

    fn indexed(arena: &'a Arena, entries: &'a [Entry<'a>]) -> Object<'a> {
        let order = arena.alloc_slice_fill_with(entries.len(), |position| position as u32);
        order.sort_unstable_by_key(|&position| entries[position as usize].key);
        Object::with_order(arena, entries, order)
    }

    pub(crate) fn with_order(arena: &'a Arena, entries: &'a [Entry<'a>], order: &'a [u32]) -> Object<'a> {
        Object(Repr::Large(arena.alloc(Large { entries, order })))
    }

    /// The entries in order.
    #[must_use]
    #[inline]
    pub fn entries(self) -> &'a [Entry<'a>] {
        match self.0 {
            Repr::Small(entries) => entries,
            Repr::Large(large) => large.entries,
        }
    }

    /// The number of entries.
    #[must_use]
    #[inline]
    pub fn len(self) -> usize {
        self.entries().len()
    }

    /// Is it without entries?
    #[must_use]
    #[inline]
    pub fn is_empty(self) -> bool {
        self.entries().is_empty()
    }

    /// The position of `key` among the entries.
    #[must_use]
    #[inline]
    pub fn position(self, key: &str) -> Option<usize> {
        match self.0 {
            Repr::Small(entries) => entries.iter().position(|entry| entry.key == key),
            Repr::Large(large) => {
                let at = |&position: &u32| large.entries[position as usize].key;
                let found = large
                    .order
                    .binary_search_by(|position| at(position).cmp(key))
                    .ok()?;
                Some(large.order[found] as usize)
            }
        }
    }

    /// The value under `key`.
    #[must_use]
    #[inline]
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        match self.0 {
            Repr::Small(entries) => entries
                .iter()
                .find(|entry| entry.key == key)
                .map(|entry| entry.value),
            Repr::Large(large) => self.position(key).map(|position| large.entries[position].value),
        }
    }

    /// Is there an entry under `key`?
    #[must_use]
    pub fn contains_key(self, key: &str) -> bool {
        self.position(key).is_some()
    }

    /// The entries in order.
    #[must_use]
    #[inline]
    pub fn iter(self) -> Iter<'a> {
        Iter(self.entries().iter())
    }

    /// The keys in order.
    pub fn keys(self) -> impl ExactSizeIterator<Item = &'a str> {
        self.entries().iter().map(|entry| entry.key)
    }

    /// The values in order.
    pub fn values(self) -> impl ExactSizeIterator<Item = Value<'a>> {
        self.entries().iter().map(|entry| entry.value)
    }

    /// The entries by the bytes of their keys, which is Go's order of maps.
    #[must_use]
    pub fn sorted(self) -> Vec<Entry<'a>> {
        let mut order = Vec::with_capacity(self.len());
        self.append_order(&mut order);
        order
            .into_iter()
            .map(|position| self.entries()[position as usize])
            .collect()
    }

    /// Appends the positions of the entries in key order.
    pub(crate) fn append_order(self, order: &mut Vec<u32>) {
        match self.0 {
            Repr::Large(large) => order.extend_from_slice(large.order),
            Repr::Small(entries) => {
                let start = order.len();
                order.extend(0..entries.len() as u32);
                order[start..].sort_unstable_by_key(|&position| entries[position as usize].key);
            }
        }
    }
}

impl Default for Object<'_> {
    fn default() -> Self {
        Object::EMPTY
    }
}

impl<'a> IntoIterator for Object<'a> {
    type Item = (&'a str, Value<'a>);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// The entries of an object in order.
#[derive(Clone, Debug)]
pub struct Iter<'a>(std::slice::Iter<'a, Entry<'a>>);

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a str, Value<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|entry| (entry.key, entry.value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|entry| (entry.key, entry.value))
    }
}
