//! What differs between two values (structured-merge-diff `typed/compare.go`).

use std::cmp::Ordering;

use kindsmith_json::{Arena, Object, Value};

use super::list::Index;
use super::{Handler, entries, handler, is_identical, items};
use crate::MAX_DEPTH;
use crate::element::Element;
use crate::set::{FieldSet, Nodes};
use crate::topology::{AtomId, List, Map, Topology};

/// What differs between an old and a new value; no path is in two of the sets.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Comparison<'a> {
    /// Only in the new value. For a new container: the container and everything in it.
    pub added: FieldSet<'a>,
    /// In both, with different values.
    pub modified: FieldSet<'a>,
    /// Only in the old value.
    pub removed: FieldSet<'a>,
}

impl Topology {
    /// Compares two values.
    #[must_use]
    pub fn compare<'a>(&self, arena: &'a Arena, old: Value<'a>, new: Value<'a>) -> Comparison<'a> {
        let mut walk = Walk {
            topology: self,
            arena,
            added: Nodes::new(arena),
            modified: Nodes::new(arena),
            removed: Nodes::new(arena),
        };
        let found = walk.both(self.root(), old, new, 0);
        Comparison {
            added: found.added,
            modified: found.modified,
            removed: found.removed,
        }
    }
}

/// What differs at and below a place.
#[derive(Clone, Copy, Default)]
struct Found<'a> {
    is_modified: bool,
    added: FieldSet<'a>,
    modified: FieldSet<'a>,
    removed: FieldSet<'a>,
}

struct Walk<'t, 'a> {
    topology: &'t Topology,
    arena: &'a Arena,
    added: Nodes<'a>,
    modified: Nodes<'a>,
    removed: Nodes<'a>,
}

/// Where the levels of the three sets begin.
#[derive(Clone, Copy)]
struct Level {
    added: usize,
    modified: usize,
    removed: usize,
}

/// Which side alone has a value.
#[derive(Clone, Copy)]
enum Side {
    Old,
    New,
}

impl<'a> Walk<'_, 'a> {
    fn both(&mut self, id: AtomId, old: Value<'a>, new: Value<'a>, depth: usize) -> Found<'a> {
        if is_identical(old, new) {
            return Found::default();
        }
        if depth == MAX_DEPTH {
            return leaf(old, new);
        }
        let topology = self.topology;
        let (before, after) = (handler(topology.atom(id), old), handler(topology.atom(id), new));
        let found = self.handled(after, old, new, depth);
        if before.is_same_kind(&after) {
            return found;
        }
        // If the value changed its type, both types' differences are reported.
        let also = self.handled(before, old, new, depth);
        Found {
            is_modified: found.is_modified || also.is_modified,
            added: found.added.union(self.arena, also.added),
            modified: found.modified.union(self.arena, also.modified),
            removed: found.removed.union(self.arena, also.removed),
        }
    }

    fn handled(&mut self, handler: Handler<'_>, old: Value<'a>, new: Value<'a>, depth: usize) -> Found<'a> {
        match handler {
            Handler::Map(map) if !map.atomic && (!entries(old).is_empty() || !entries(new).is_empty()) => {
                self.members(map, entries(old), entries(new), depth)
            }
            Handler::List(list) if list.associative && (!items(old).is_empty() || !items(new).is_empty()) => {
                self.items(list, items(old), items(new), depth)
            }
            _ => leaf(old, new),
        }
    }

    fn members(&mut self, map: &Map, old: Object<'a>, new: Object<'a>, depth: usize) -> Found<'a> {
        let level = self.begin();
        let member = |name: &str| map.child(name).unwrap_or(Topology::DEDUCED);
        for (at, entry) in old.entries().iter().enumerate() {
            let (key, id) = (Element::Field(entry.key), member(entry.key));
            // Both sides usually come from one writer, in the same order.
            let same_place = new.entries().get(at).filter(|other| other.key == entry.key);
            match same_place.map(|other| other.value).or_else(|| new.get(entry.key)) {
                Some(other) => {
                    let found = self.both(id, entry.value, other, depth + 1);
                    self.push(key, found);
                }
                None => {
                    let below = self.alone(Side::Old, id, entry.value, depth + 1);
                    self.removed.push(key, true, below);
                }
            }
        }
        for (at, entry) in new.entries().iter().enumerate() {
            let same_place = old.entries().get(at).is_some_and(|other| other.key == entry.key);
            if !same_place && !old.contains_key(entry.key) {
                let below = self.alone(Side::New, member(entry.key), entry.value, depth + 1);
                self.added.push(Element::Field(entry.key), true, below);
            }
        }
        self.end(level)
    }

    fn items(&mut self, list: &List, old: &'a [Value<'a>], new: &'a [Value<'a>], depth: usize) -> Found<'a> {
        let level = self.begin();
        let (old, new) = (
            Index::new(self.arena, list, old),
            Index::new(self.arena, list, new),
        );
        let (mut olds, mut news) = (old.groups().peekable(), new.groups().peekable());
        loop {
            let order = match (olds.peek(), news.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(left), Some(right)) => old.element(left[0]).cmp(&new.element(right[0])),
            };
            let lefts = olds.next_if(|_| order.is_le()).unwrap_or_default();
            let rights = news.next_if(|_| order.is_ge()).unwrap_or_default();
            let element = match (lefts, rights) {
                ([at, ..], _) => old.element(*at),
                (_, [at, ..]) => new.element(*at),
                _ => continue,
            };
            match (lefts, rights) {
                ([left], [right]) => {
                    let found = self.both(list.element, old.item(*left), new.item(*right), depth + 1);
                    self.push(element, found);
                }
                _ => {
                    let lefts: Vec<Value<'a>> = lefts.iter().map(|at| old.item(*at)).collect();
                    let rights: Vec<Value<'a>> = rights.iter().map(|at| new.item(*at)).collect();
                    self.uneven(list, element, &lefts, &rights, depth);
                }
            }
        }
        self.end(level)
    }

    /// An element that is missing on one side, or has several items on one. Several items are compared as one.
    fn uneven(
        &mut self,
        list: &List,
        element: Element<'a>,
        olds: &[Value<'a>],
        news: &[Value<'a>],
        depth: usize,
    ) {
        if olds.len() > 1 && news.len() > 1 {
            let is_modified = !same_items(olds, news);
            self.push(
                element,
                Found {
                    is_modified,
                    ..Found::default()
                },
            );
            return;
        }
        self.one_side(Side::Old, list, element, olds, depth);
        self.one_side(Side::New, list, element, news, depth);
    }

    fn one_side(&mut self, side: Side, list: &List, element: Element<'a>, found: &[Value<'a>], depth: usize) {
        let below = match found {
            [] => return,
            [only] => self.alone(side, list.element, *only, depth + 1),
            _ => FieldSet::EMPTY,
        };
        self.nodes(side).push(element, true, below);
    }

    /// Everything below a value that only one side has.
    fn alone(&mut self, side: Side, id: AtomId, value: Value<'a>, depth: usize) -> FieldSet<'a> {
        if depth == MAX_DEPTH {
            return FieldSet::EMPTY;
        }
        let topology = self.topology;
        let start = self.nodes(side).start();
        match handler(topology.atom(id), value) {
            Handler::Map(map) if !map.atomic => {
                for entry in entries(value).entries() {
                    let id = map.child(entry.key).unwrap_or(Topology::DEDUCED);
                    let below = self.alone(side, id, entry.value, depth + 1);
                    self.nodes(side).push(Element::Field(entry.key), true, below);
                }
            }
            Handler::List(list) if list.associative => {
                let index = Index::new(self.arena, list, items(value));
                for group in index.groups() {
                    let found: Vec<Value<'a>> = group.iter().map(|at| index.item(*at)).collect();
                    self.one_side(side, list, index.element(group[0]), &found, depth);
                }
            }
            _ => {}
        }
        self.nodes(side).finish_unsorted(start)
    }

    fn nodes(&mut self, side: Side) -> &mut Nodes<'a> {
        match side {
            Side::Old => &mut self.removed,
            Side::New => &mut self.added,
        }
    }

    fn push(&mut self, element: Element<'a>, found: Found<'a>) {
        self.added.push(element, false, found.added);
        self.modified.push(element, found.is_modified, found.modified);
        self.removed.push(element, false, found.removed);
    }

    fn begin(&self) -> Level {
        Level {
            added: self.added.start(),
            modified: self.modified.start(),
            removed: self.removed.start(),
        }
    }

    fn end(&mut self, level: Level) -> Found<'a> {
        Found {
            is_modified: false,
            added: self.added.finish_unsorted(level.added),
            modified: self.modified.finish_unsorted(level.modified),
            removed: self.removed.finish_unsorted(level.removed),
        }
    }
}

fn leaf<'a>(old: Value<'_>, new: Value<'_>) -> Found<'a> {
    Found {
        is_modified: !old.equals_numerically(new),
        ..Found::default()
    }
}

fn same_items(olds: &[Value<'_>], news: &[Value<'_>]) -> bool {
    olds.len() == news.len()
        && olds
            .iter()
            .zip(news)
            .all(|(old, new)| old.equals_numerically(*new))
}
