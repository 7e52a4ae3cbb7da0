//! Lists of type `set` and `map`: no two items are the same.

use std::collections::HashSet;

use super::View;

/// Up to this many items, comparing each with each is cheaper than a set.
const FEW: usize = 16;

/// Whether all items certainly differ.
#[must_use]
pub fn differ<'v>(items: impl ExactSizeIterator<Item = View<'v>> + Clone) -> bool {
    differ_by(items.map(|item| [item]))
}

/// Whether all items certainly differ in their keys.
#[must_use]
pub fn differ_by<'v, const KEYS: usize>(
    items: impl ExactSizeIterator<Item = [View<'v>; KEYS]> + Clone,
) -> bool {
    // A list of one item needs no keys.
    if items.len() < 2 {
        return true;
    }
    if items.len() > FEW {
        return differ_many(items);
    }
    for (seen, keys) in items.clone().enumerate() {
        let is_known = keys.iter().all(|key| Scalar::of(*key).is_some());
        let is_same = |other: [View<'v>; KEYS]| keys.iter().zip(other).all(|(one, other)| one.is_same(other));
        if !is_known || items.clone().take(seen).any(is_same) {
            return false;
        }
    }
    true
}

fn differ_many<'v, const KEYS: usize>(items: impl ExactSizeIterator<Item = [View<'v>; KEYS]>) -> bool {
    let mut seen = HashSet::with_capacity(items.len());
    for keys in items {
        let keys: Option<Vec<Scalar<'v>>> = keys.into_iter().map(Scalar::of).collect();
        if !keys.is_some_and(|keys| seen.insert(keys)) {
            return false;
        }
    }
    true
}

/// What keys can be. Absent ones and floats are left to the engine.
#[derive(PartialEq, Eq, Hash)]
enum Scalar<'v> {
    Bool(bool),
    Int(i64),
    Text(&'v str),
}

impl<'v> Scalar<'v> {
    fn of(view: View<'v>) -> Option<Self> {
        match view {
            View::Bool(value) => Some(Self::Bool(value)),
            View::Int(value) => Some(Self::Int(value)),
            View::Text(value) => Some(Self::Text(value)),
            _ => None,
        }
    }
}
