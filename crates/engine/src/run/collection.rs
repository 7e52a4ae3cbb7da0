//! Checks of lists and maps: elements, keys, items, uniqueness.

use kindsmith_json::{Path, Value};
use kindsmith_schema::{Literal, Scalar};

use super::Run;
use super::leaf::matches_literal;
use crate::error::{Detail, ErrorKind};
use crate::plan::{Check, FieldIx, Inner, Matching, NodeShape, Plan, Slot};
use crate::trace::{Event, Trace};
use crate::value::{Val, bad_value, entries, equal, get_near, integer, items, text};

impl<T: Trace> Run<'_, T> {
    pub(super) fn each_element(
        &mut self,
        element: Slot,
        matching: &Matching,
        inner: Inner,
        path: &Path<'_>,
        new: Val<'_>,
        old: Val<'_>,
    ) {
        let plan = self.plan;
        let old_items = items(old);
        let function = match plan.check(inner.check) {
            Check::TypeFunction(node) if inner.level.is_none() => Some(*node),
            _ => None,
        };
        for (index, &item) in items(new).iter().enumerate() {
            let Some(item) = plan.element(element, item) else {
                continue;
            };
            let old_item = plan.find(element, matching, old_items, item);
            let unchanged = self.is_update()
                && old_item.is_some()
                && (matches!(matching, Matching::Value) || equal(plan, element, Some(item), old_item));
            let path = path.index(index);
            if unchanged {
                if T::ON {
                    self.trace.event(Event::Unchanged { path: &path });
                }
                continue;
            }
            match function {
                Some(node) => self.type_function(node, &path, Some(item), old_item),
                None => self.inner(inner, &path, Some(item), old_item),
            }
        }
    }

    pub(super) fn each_entry(
        &mut self,
        value: Slot,
        inner: Inner,
        path: &Path<'_>,
        new: Val<'_>,
        old: Val<'_>,
    ) {
        let plan = self.plan;
        let old_entries = entries(old);
        let mut near = 0;
        for (key, entry) in entries(new) {
            let entry = plan.element(value, entry);
            let old_entry = get_near(old_entries, key, &mut near);
            let is_known = old_entry.is_some();
            let old_entry = old_entry.and_then(|entry| plan.element(value, entry));
            let path = path.key(key);
            if self.is_update() && is_known && equal(plan, value, entry, old_entry) {
                if T::ON {
                    self.trace.event(Event::Unchanged { path: &path });
                }
                continue;
            }
            self.inner(inner, &path, entry, old_entry);
        }
    }

    pub(super) fn each_key(&mut self, inner: Inner, path: &Path<'_>, new: Val<'_>, old: Val<'_>) {
        let old_entries = entries(old);
        let mut near = 0;
        for (key, _) in entries(new) {
            if self.is_update() && get_near(old_entries, key, &mut near).is_some() {
                continue;
            }
            self.inner(inner, path, Some(Value::Str(key)), None);
        }
    }

    pub(super) fn item(
        &mut self,
        element: Slot,
        selector: &[(FieldIx, Literal)],
        inner: Inner,
        path: &Path<'_>,
        new: Val<'_>,
        old: Val<'_>,
    ) {
        let plan = self.plan;
        let Some((index, item)) = plan.select(element, selector, items(new)) else {
            return;
        };
        let old_item = plan.select(element, selector, items(old)).map(|(_, item)| item);
        let path = path.index(index);
        if self.is_update() && old_item.is_some() && equal(plan, element, Some(item), old_item) {
            if T::ON {
                self.trace.event(Event::Unchanged { path: &path });
            }
            return;
        }
        self.inner(inner, &path, Some(item), old_item);
    }

    /// Reports every element that repeats an earlier one.
    pub(super) fn unique(&mut self, element: Slot, matching: &Matching, path: &Path<'_>, new: Val<'_>) {
        let plan = self.plan;
        let all = items(new);
        let mut prints = Fingerprints::of(plan, element, matching, all);
        for (index, &item) in all.iter().enumerate().skip(1) {
            let Some(value) = plan.element(element, item) else {
                continue;
            };
            if prints.as_mut().is_some_and(|prints| prints.is_first(index))
                || plan.find(element, matching, &all[..index], value).is_none()
            {
                continue;
            }
            self.report(&path.index(index), ErrorKind::Duplicate, "", || {
                let bad = if element.pointer {
                    plan.bad_json(element, Some(value))
                } else {
                    bad_value(plan, element.node, value)
                };
                (bad, Detail::None)
            });
        }
    }
}

/// Hashes of what elements are known by, where that is made of scalars: elements with different ones differ.
enum Fingerprints {
    /// As many as fit without allocating, in the order of the list.
    Few([u64; FEW]),
    /// For each element, whether an earlier one has the same hash.
    Many(Vec<bool>),
}

const FEW: usize = 24;

impl Fingerprints {
    fn of(plan: &Plan, element: Slot, matching: &Matching, all: &[Value<'_>]) -> Option<Self> {
        if all.len() < 2 || !plan.has_scalar_identity(element, matching) {
            return None;
        }
        let print = |item: &Value<'_>| plan.fingerprint(element, matching, *item);
        if all.len() <= FEW {
            let mut few = [0; FEW];
            few.iter_mut()
                .zip(all)
                .for_each(|(slot, item)| *slot = print(item));
            return Some(Self::Few(few));
        }
        let mut seen = std::collections::HashSet::with_capacity(all.len());
        Some(Self::Many(
            all.iter().map(|item| !seen.insert(print(item))).collect(),
        ))
    }

    /// Is there surely no earlier element like this one?
    fn is_first(&mut self, index: usize) -> bool {
        match self {
            Self::Few(prints) => !prints[..index].contains(&prints[index]),
            Self::Many(repeated) => !repeated[index],
        }
    }
}

impl Plan {
    fn has_scalar_identity(&self, element: Slot, matching: &Matching) -> bool {
        let is_scalar =
            |slot: Slot| matches!(self.node(slot.node).shape, NodeShape::Scalar(scalar) if !is_float(scalar));
        match matching {
            Matching::None => false,
            Matching::Value => is_scalar(element),
            Matching::Keys(keys) => keys.iter().all(|key| is_scalar(self.field(*key).slot)),
        }
    }

    fn fingerprint(&self, element: Slot, matching: &Matching, item: Value<'_>) -> u64 {
        match matching {
            Matching::Keys(keys) => keys.iter().fold(0, |hash, key| {
                let field = self.field(*key);
                mix(hash, self.scalar_hash(field.slot, self.member(field, item)))
            }),
            _ => self.scalar_hash(element, self.element(element, item)),
        }
    }

    /// Equal scalars have equal hashes; an absent value is the zero value.
    fn scalar_hash(&self, slot: Slot, value: Val<'_>) -> u64 {
        let Some(value) = value else { return 1 };
        match self.node(slot.node).shape {
            NodeShape::Scalar(Scalar::String) => text_hash(text(value).as_bytes()),
            NodeShape::Scalar(Scalar::Bool) => mix(2, u64::from(value == Value::Bool(true))),
            _ => mix(3, integer(value) as u64),
        }
    }

    /// The first element of a list that is the same item.
    pub(crate) fn find<'a>(
        &self,
        element: Slot,
        matching: &Matching,
        list: &'a [Value<'a>],
        item: Value<'_>,
    ) -> Val<'a> {
        match matching {
            Matching::None => None,
            Matching::Value => list
                .iter()
                .filter_map(|&other| self.element(element, other))
                .find(|&other| equal(self, element, Some(other), Some(item))),
            Matching::Keys(keys) => list
                .iter()
                .filter_map(|&other| self.element(element, other))
                .find(|&other| self.keys_equal(keys, other, item)),
        }
    }

    fn keys_equal(&self, keys: &[FieldIx], left: Value<'_>, right: Value<'_>) -> bool {
        keys.iter().all(|key| {
            let field = self.field(*key);
            equal(
                self,
                field.slot,
                self.member(field, left),
                self.member(field, right),
            )
        })
    }

    /// The first element a selector picks, with its index.
    pub(crate) fn select<'a>(
        &self,
        element: Slot,
        selector: &[(FieldIx, Literal)],
        list: &'a [Value<'a>],
    ) -> Option<(usize, Value<'a>)> {
        list.iter()
            .enumerate()
            .filter_map(|(index, &item)| Some((index, self.element(element, item)?)))
            .find(|(_, item)| {
                selector.iter().all(|(key, literal)| {
                    let field = self.field(*key);
                    self.member(field, *item)
                        .is_some_and(|value| matches_literal(value, literal))
                })
            })
    }
}

fn is_float(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Float32 | Scalar::Float64)
}

/// Looks at both ends only: names that are long differ there.
fn text_hash(text: &[u8]) -> u64 {
    let len = text.len() as u64;
    match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => mix(mix(len, u64::from_le_bytes(*first)), u64::from_le_bytes(*last)),
        _ => text.iter().fold(len, |hash, byte| hash << 8 | u64::from(*byte)),
    }
}

/// Adds a word to a hash. Collisions only cost a comparison.
fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
}
