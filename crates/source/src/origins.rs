//! Source locations of the parts of a model.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::Span;

/// Maps keys of a model to source locations; the model itself knows no source.
#[derive(Debug, Clone)]
pub struct Origins<K> {
    spans: FxHashMap<K, Span>,
}

impl<K: Eq + Hash> Origins<K> {
    /// Records where `key` was written.
    pub fn insert(&mut self, key: K, span: Span) {
        self.spans.insert(key, span);
    }

    /// Where `key` was written, if it was written at all.
    pub fn span(&self, key: &K) -> Option<Span> {
        self.spans.get(key).copied()
    }
}

impl<K> Default for Origins<K> {
    fn default() -> Self {
        Self {
            spans: FxHashMap::default(),
        }
    }
}

impl<K: Eq + Hash> FromIterator<(K, Span)> for Origins<K> {
    fn from_iter<I: IntoIterator<Item = (K, Span)>>(items: I) -> Self {
        Self {
            spans: items.into_iter().collect(),
        }
    }
}
