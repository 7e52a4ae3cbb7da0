//! Checks of lists and maps: elements, keys, items, uniqueness.

use kindsmith_json::{Path, Value};
use kindsmith_schema::Literal;

use super::Run;
use super::leaf::matches_literal;
use crate::error::{Detail, ErrorKind};
use crate::plan::{FieldIx, Inner, Matching, Plan, Slot};
use crate::trace::{Event, Trace};
use crate::value::{Val, bad_value, entries, equal, get_near, items};

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
            self.inner(inner, &path, Some(item), old_item);
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
        for (index, &item) in all.iter().enumerate().skip(1) {
            let Some(value) = plan.element(element, item) else {
                continue;
            };
            if plan.find(element, matching, &all[..index], value).is_none() {
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

impl Plan {
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
