//! A map in the order of its keys that counts: how many values before a key count is known without visiting them.
//! Must not know what its values are.
//!
//! A B+ tree whose inner nodes have the counts of their children. A page of a list shows how many entries follow it;
//! with `BTreeMap` the first page of 500 among 40,000 entries visited all of them.

use std::sync::Arc;

use crate::Key;

/// The most entries of a leaf, and the most children of an inner node.
const MOST: usize = 128;
/// A node with fewer is joined with a neighbor if both fit well into one.
const FEW: usize = MOST / 4;

/// A value of the map. Those that are empty are removed.
pub(crate) trait Ranking: Default {
    /// Whether the value counts.
    fn counts(&self) -> bool;
    /// Whether there is nothing left of it.
    fn is_empty(&self) -> bool;
}

/// The map.
#[derive(Clone, Debug)]
pub(crate) struct Ranked<V>(Node<V>);

#[derive(Clone, Debug)]
enum Node<V> {
    Leaf(Vec<(Key, V)>),
    Inner(Vec<Child<V>>),
}

#[derive(Clone, Debug)]
struct Child<V> {
    /// All keys of the child are at or after this one, except those of the first child of a node.
    first: Key,
    /// How many of its values count.
    count: usize,
    node: Node<V>,
}

/// Which entries are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visit {
    /// All.
    All,
    /// All that count, and perhaps some others.
    Counting,
}

impl<V> Default for Ranked<V> {
    fn default() -> Self {
        Self(Node::Leaf(Vec::new()))
    }
}

impl<V: Ranking> Ranked<V> {
    /// Returns an entry.
    pub(crate) fn get(&self, key: &[u8]) -> Option<(&Key, &V)> {
        let mut node = &self.0;
        loop {
            match node {
                Node::Inner(children) => node = &children[child_of(children, key)].node,
                Node::Leaf(entries) => {
                    let (key, value) = &entries[find(entries, key).ok()?];
                    return Some((key, value));
                }
            }
        }
    }

    /// Changes the value of a key, which is empty if there was none. A value that is empty afterwards is removed.
    pub(crate) fn change(&mut self, key: &Key, change: &mut dyn FnMut(&mut V)) {
        self.0.change(key, change);
        if let Some(right) = self.0.split() {
            let left = std::mem::replace(&mut self.0, Node::Inner(Vec::with_capacity(2)));
            let left = Child {
                first: Arc::clone(&right.first),
                count: left.count(),
                node: left,
            };
            self.0 = Node::Inner(vec![left, right]);
        }
        while let Node::Inner(children) = &mut self.0
            && children.len() < 2
        {
            self.0 = children.pop().map_or(Node::Leaf(Vec::new()), |child| child.node);
        }
    }

    /// Returns how many values that count have keys before this one.
    pub(crate) fn rank(&self, key: &[u8]) -> usize {
        let (mut node, mut rank) = (&self.0, 0);
        loop {
            match node {
                Node::Inner(children) => {
                    let at = child_of(children, key);
                    rank += children[..at].iter().map(|child| child.count).sum::<usize>();
                    node = &children[at].node;
                }
                Node::Leaf(entries) => {
                    let before = find(entries, key).unwrap_or_else(|at| at);
                    return rank + count(&entries[..before]);
                }
            }
        }
    }

    /// Returns how many values count.
    pub(crate) fn count(&self) -> usize {
        self.0.count()
    }

    /// Visits the entries from a key on, in order.
    pub(crate) fn from(&self, key: &[u8], visit: Visit) -> From<'_, V> {
        self.under(&[], key, visit)
    }

    /// Visits the entries under a prefix, from a key on that is not before the prefix.
    pub(crate) fn under<'m>(&'m self, prefix: &'m [u8], key: &[u8], visit: Visit) -> From<'m, V> {
        let (mut node, mut parents) = (&self.0, Vec::new());
        loop {
            match node {
                Node::Inner(children) => {
                    let at = child_of(children, key);
                    parents.push(children[at + 1..].iter());
                    node = &children[at].node;
                }
                Node::Leaf(entries) => {
                    let at = find(entries, key).unwrap_or_else(|at| at);
                    let mut from = From {
                        entries: [].iter(),
                        parents,
                        prefix,
                        visit,
                    };
                    from.enter(&entries[at..]);
                    return from;
                }
            }
        }
    }

    /// Visits all entries in order.
    #[cfg(any(feature = "etcd", test))]
    pub(crate) fn iter(&self) -> From<'_, V> {
        self.from(&[], Visit::All)
    }
}

/// The entries from a key on.
#[derive(Debug)]
pub(crate) struct From<'m, V> {
    entries: std::slice::Iter<'m, (Key, V)>,
    /// The children still to visit, of each node on the way to the leaf.
    parents: Vec<std::slice::Iter<'m, Child<V>>>,
    /// What all keys begin with.
    prefix: &'m [u8],
    visit: Visit,
}

impl<'m, V> From<'m, V> {
    /// Goes on with entries of a leaf. The last key tells whether all are under the prefix, so others are not looked at.
    fn enter(&mut self, entries: &'m [(Key, V)]) {
        let is_under = |(key, _): &(Key, V)| key.starts_with(self.prefix);
        if entries.last().is_none_or(is_under) {
            self.entries = entries.iter();
            return;
        }
        self.entries = entries[..entries.partition_point(is_under)].iter();
        self.parents.clear();
    }
}

impl<'m, V> Iterator for From<'m, V> {
    type Item = (&'m Key, &'m V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            #[cfg(test)]
            tests::VISITED.set(tests::VISITED.get() + 1);
            if let Some((key, value)) = self.entries.next() {
                return Some((key, value));
            }
            let Some(child) = self.parents.last_mut()?.next() else {
                self.parents.pop();
                continue;
            };
            match &child.node {
                _ if child.count == 0 && self.visit == Visit::Counting => {}
                Node::Inner(children) => self.parents.push(children.iter()),
                Node::Leaf(entries) => self.enter(entries),
            }
        }
    }
}

impl<V: Ranking> Node<V> {
    /// Changes a value; returns by how much more values count.
    fn change(&mut self, key: &Key, change: &mut dyn FnMut(&mut V)) -> isize {
        match self {
            Node::Leaf(entries) => change_entry(entries, key, change),
            Node::Inner(children) => {
                let at = child_of(children, key);
                let child = &mut children[at];
                let more = child.node.change(key, change);
                child.count = child.count.wrapping_add_signed(more);
                if let Some(right) = child.node.split() {
                    child.count -= right.count;
                    children.insert(at + 1, right);
                } else if child.node.len() < FEW {
                    join(children, at);
                }
                more
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Node::Leaf(entries) => entries.len(),
            Node::Inner(children) => children.len(),
        }
    }

    fn count(&self) -> usize {
        match self {
            Node::Leaf(entries) => count(entries),
            Node::Inner(children) => children.iter().map(|child| child.count).sum(),
        }
    }

    /// Splits off the second half of a full node.
    fn split(&mut self) -> Option<Child<V>> {
        let (first, node) = match self {
            node if node.len() <= MOST => return None,
            // Keys often come in order, which would leave all nodes half empty.
            Node::Leaf(entries) => {
                let right = entries.split_off(MOST * 3 / 4);
                (Arc::clone(&right[0].0), Node::Leaf(right))
            }
            Node::Inner(children) => {
                let right = children.split_off(MOST * 3 / 4);
                (Arc::clone(&right[0].first), Node::Inner(right))
            }
        };
        Some(Child {
            first,
            count: node.count(),
            node,
        })
    }
}

fn change_entry<V: Ranking>(entries: &mut Vec<(Key, V)>, key: &Key, change: &mut dyn FnMut(&mut V)) -> isize {
    match find(entries, key) {
        Ok(at) => {
            let value = &mut entries[at].1;
            let before = value.counts();
            change(value);
            let after = value.counts();
            if value.is_empty() {
                entries.remove(at);
            }
            isize::from(after) - isize::from(before)
        }
        Err(at) => {
            let mut value = V::default();
            change(&mut value);
            if value.is_empty() {
                return 0;
            }
            let counts = value.counts();
            entries.insert(at, (Arc::clone(key), value));
            isize::from(counts)
        }
    }
}

/// Joins a child that has become small with a neighbor, or removes it if it is empty.
fn join<V: Ranking>(children: &mut Vec<Child<V>>, at: usize) {
    let left = if at + 1 < children.len() {
        at
    } else {
        at.saturating_sub(1)
    };
    let fits = match &children[left..] {
        [left, right, ..] => match (&left.node, &right.node) {
            (Node::Leaf(left), Node::Leaf(right)) => left.len() + right.len() <= MOST / 2,
            (Node::Inner(left), Node::Inner(right)) => left.len() + right.len() <= MOST / 2,
            _ => false,
        },
        _ => false,
    };
    if fits {
        let right = children.remove(left + 1);
        let left = &mut children[left];
        left.count += right.count;
        match (&mut left.node, right.node) {
            (Node::Leaf(left), Node::Leaf(mut right)) => left.append(&mut right),
            (Node::Inner(left), Node::Inner(mut moved)) => {
                // The first child of a node may have keys before its `first`; of a later one it may not.
                if let Some(child) = moved.first_mut() {
                    child.first = right.first;
                }
                left.append(&mut moved);
            }
            _ => {}
        }
    } else if children[at].node.len() == 0 {
        children.remove(at);
    }
}

fn find<V>(entries: &[(Key, V)], key: &[u8]) -> Result<usize, usize> {
    entries.binary_search_by(|(known, _)| (**known).cmp(key))
}

/// The child in which a key is, if it is there.
fn child_of<V>(children: &[Child<V>], key: &[u8]) -> usize {
    children
        .partition_point(|child| *child.first <= *key)
        .saturating_sub(1)
}

fn count<V: Ranking>(entries: &[(Key, V)]) -> usize {
    entries.iter().filter(|(_, value)| value.counts()).count()
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    thread_local! {
        /// How many entries and nodes were visited by this thread.
        pub(crate) static VISITED: Cell<usize> = const { Cell::new(0) };
    }

    /// Counts if it is even; zero is empty.
    impl Ranking for u32 {
        fn counts(&self) -> bool {
            *self > 0 && self.is_multiple_of(2)
        }

        fn is_empty(&self) -> bool {
            *self == 0
        }
    }

    fn key(number: u32) -> Key {
        number.to_be_bytes()[..].into()
    }

    fn put(map: &mut Ranked<u32>, number: u32, value: u32) {
        map.change(&key(number), &mut |known| *known = value);
    }

    /// Compares a map with a plain one.
    fn check(map: &Ranked<u32>, model: &BTreeMap<u32, u32>, at: u32) {
        let shown = |(key, value): (&Key, &u32)| (Key::clone(key), *value);
        let expected = |(number, value): (&u32, &u32)| (key(*number), *value);
        let all: Vec<_> = map.iter().map(shown).collect();
        assert_eq!(all, model.iter().map(expected).collect::<Vec<_>>());
        assert_eq!(map.count(), model.values().filter(|value| value.counts()).count());
        let rank = model.range(..at).filter(|(_, value)| value.counts()).count();
        assert_eq!(map.rank(&key(at)), rank);
        let from: Vec<_> = map.from(&key(at), Visit::All).map(shown).collect();
        assert_eq!(from, model.range(at..).map(expected).collect::<Vec<_>>());
        // 256 keys share their first three bytes.
        let start = key(at);
        let under: Vec<_> = map.under(&start[..3], &start, Visit::All).map(shown).collect();
        assert_eq!(
            under,
            model.range(at..=at | 0xff).map(expected).collect::<Vec<_>>()
        );
        let counting = map.from(&key(at), Visit::Counting);
        let counting: Vec<_> = counting.filter(|(_, value)| value.counts()).map(shown).collect();
        let even = model.range(at..).filter(|(_, value)| value.counts());
        assert_eq!(counting, even.map(expected).collect::<Vec<_>>());
        assert_eq!(map.get(&key(at)).map(|(_, value)| value), model.get(&at));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn is_a_map_that_counts(
            spans in prop::collection::vec((0..4_000_u32, 1..900_u32, 1..4_u32, 0..4_u32), 1..12),
            at in 0..5_000_u32,
        ) {
            let (mut map, mut model) = (Ranked::default(), BTreeMap::new());
            for (start, length, step, value) in spans {
                for number in (start..start + length).step_by(step as usize) {
                    put(&mut map, number, value);
                    match value {
                        0 => model.remove(&number),
                        value => model.insert(number, value),
                    };
                }
                check(&map, &model, at);
            }
        }
    }

    #[test]
    fn removing_everything_leaves_nothing_in_any_order() {
        for step in [1, 7, 4_999] {
            let (mut map, mut model) = (Ranked::default(), BTreeMap::new());
            for number in 0..5_000_u32 {
                put(&mut map, number, 2);
                model.insert(number, 2);
            }
            for index in 0..5_000_u32 {
                let number = index * step % 5_000;
                put(&mut map, number, 0);
                model.remove(&number);
                if index % 500 == 0 {
                    check(&map, &model, 2_500);
                }
            }
            assert!(
                matches!(&map.0, Node::Leaf(entries) if entries.is_empty()),
                "{step}"
            );
        }
    }

    #[test]
    fn values_that_do_not_count_are_passed_over() {
        let mut map = Ranked::default();
        for number in 0..20_000_u32 {
            put(&mut map, number, if number < 19_990 { 1 } else { 2 });
        }
        VISITED.set(0);
        assert_eq!(
            map.from(&key(3), Visit::Counting)
                .filter(|(_, value)| value.counts())
                .count(),
            10
        );
        assert!(VISITED.get() < 1_000, "{} were visited", VISITED.get());
    }
}
