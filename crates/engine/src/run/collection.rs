//! Checks of lists and maps: elements, keys, items, uniqueness.

use kindsmith_json::{Path, Value};
use kindsmith_schema::{Literal, Scalar};

use super::Run;
use super::leaf::matches_literal;
use crate::plan::{Check, FieldIx, Inner, Matching, NodeShape, Plan, Slot};
use crate::value::{Val, bad_value, content, entries, equal, get_near, integer, items, text};
use kindsmith_object::{Detail, ErrorKind};
use kindsmith_object::{Event, Trace};

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
        self.batch.spend(new.map_or(0, content));
        for (index, &item) in items(new).iter().enumerate() {
            let Some(item) = plan.element(element, item) else {
                continue;
            };
            if !T::ON && function.is_some_and(|node| plan.passes_at_a_glance(node, item)) {
                continue;
            }
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
        self.batch.spend(new.map_or(0, content));
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
        let by_scalars = plan.has_scalar_identity(element, matching);
        if by_scalars && all.len() <= FEW && plan.all_differ(element, matching, all) {
            return;
        }
        let repeated = if by_scalars && all.len() > FEW {
            plan.repeated(element, matching, all)
        } else {
            Vec::new()
        };
        for (index, &item) in all.iter().enumerate().skip(1) {
            let Some(value) = plan.element(element, item) else {
                continue;
            };
            if repeated.get(index) == Some(&false)
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

/// Up to this many elements are compared pairwise, by the hashes of their keys.
const FEW: usize = 24;

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

    /// Do all elements of a short list have different hashes?
    fn all_differ(&self, element: Slot, matching: &Matching, all: &[Value<'_>]) -> bool {
        let mut prints = [0; FEW];
        for (index, item) in all.iter().enumerate() {
            let print = self.fingerprint(element, matching, *item);
            if prints[..index].contains(&print) {
                return false;
            }
            prints[index] = print;
        }
        true
    }

    /// For each element, whether an earlier one has the same hash.
    fn repeated(&self, element: Slot, matching: &Matching, all: &[Value<'_>]) -> Vec<bool> {
        let mut seen = std::collections::HashSet::with_capacity(all.len());
        let print = |item: &Value<'_>| self.fingerprint(element, matching, *item);
        all.iter().map(|item| !seen.insert(print(item))).collect()
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

    /// The first element of a list with the same identity.
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

/// Hashes both ends only: long names differ there.
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
