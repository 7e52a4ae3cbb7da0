//! Checks of what an update changes: set, unset, modify, add, remove.

use kindsmith_checks::Profile;
use kindsmith_json::{Path, Value};
use kindsmith_schema::{Literal, UpdateConstraint};

use super::Run;
use crate::plan::{FieldIx, Matching, NodeShape, Slot};
use crate::value::{Val, entries, equal, items};
use kindsmith_object::Trace;
use kindsmith_object::{BadValue, Detail, ErrorKind};

impl<T: Trace> Run<'_, T> {
    pub(super) fn update(
        &mut self,
        slot: Slot,
        constraints: &[UpdateConstraint],
        matching: &Matching,
        path: &Path<'_>,
        new: Val<'_>,
        old: Val<'_>,
    ) {
        if !self.is_update() {
            return;
        }
        let plan = self.plan;
        let is_collection = matches!(
            plan.node(slot.node).shape,
            NodeShape::Bytes | NodeShape::List(_) | NodeShape::Map { .. }
        );
        // A value without an old value is new; a pointer or collection may have been nil.
        if old.is_none() && !slot.pointer && !is_collection {
            return;
        }
        let (was_set, is_set) = (plan.is_set(slot, old), plan.is_set(slot, new));
        for constraint in constraints {
            match constraint {
                UpdateConstraint::NoSet if !was_set && is_set => {
                    self.invalid_nil(path, "update", "field cannot be set once created");
                }
                UpdateConstraint::NoUnset if was_set && !is_set => {
                    self.invalid_nil(path, "update", "field cannot be cleared once set");
                }
                UpdateConstraint::NoModify if was_set && is_set && !is_collection => {
                    self.invalid_nil(path, "update", "field cannot be modified once set");
                }
                // The KEP calls the step from no items to some "set".
                UpdateConstraint::NoAddItem if plan.profile == Profile::Kep && !was_set => {}
                UpdateConstraint::NoAddItem => self.no_add_item(slot, matching, path, new, old),
                UpdateConstraint::NoRemoveItem => self.no_remove_item(slot, matching, path, new, old),
                _ => {}
            }
        }
    }

    fn no_add_item(&mut self, slot: Slot, matching: &Matching, path: &Path<'_>, new: Val<'_>, old: Val<'_>) {
        let plan = self.plan;
        if let NodeShape::List(element) = plan.node(slot.node).shape {
            for (index, &item) in items(new).iter().enumerate() {
                let Some(item) = plan.element(element, item) else {
                    continue;
                };
                if plan.find(element, matching, items(old), item).is_none() {
                    self.forbidden_item(&path.index(index), "item may not be added");
                }
            }
            return;
        }
        for (key, _) in entries(new) {
            if !entries(old).contains_key(key) {
                self.forbidden_item(&path.key(key), "item may not be added");
            }
        }
    }

    fn no_remove_item(
        &mut self,
        slot: Slot,
        matching: &Matching,
        path: &Path<'_>,
        new: Val<'_>,
        old: Val<'_>,
    ) {
        let plan = self.plan;
        if let NodeShape::List(element) = plan.node(slot.node).shape {
            for &item in items(old) {
                let Some(item) = plan.element(element, item) else {
                    continue;
                };
                if plan.find(element, matching, items(new), item).is_none() {
                    self.forbidden_item(path, "item may not be removed");
                }
            }
            return;
        }
        for (key, _) in entries(old) {
            if !entries(new).contains_key(key) {
                self.forbidden_item(&path.key(key), "item may not be removed");
            }
        }
    }

    fn forbidden_item(&mut self, path: &Path<'_>, text: &'static str) {
        self.report(path, ErrorKind::Forbidden, "update", || {
            (BadValue::Text("".into()), Detail::Text(text.into()))
        });
    }

    /// An item that may be added, removed or changed only as the KEP allows.
    pub(super) fn item_update(
        &mut self,
        element: Slot,
        selector: &[(FieldIx, Literal)],
        constraints: &[UpdateConstraint],
        path: &Path<'_>,
        new: Val<'_>,
        old: Val<'_>,
    ) {
        if !self.is_update() {
            return;
        }
        let plan = self.plan;
        let now = plan.select(element, selector, items(new));
        let before = plan.select(element, selector, items(old));
        for constraint in constraints {
            match (constraint, before, now) {
                // A list without items is set, not added to.
                (UpdateConstraint::NoAddItem, None, Some(_)) if items(old).is_empty() => {}
                (UpdateConstraint::NoSet | UpdateConstraint::NoAddItem, None, Some((index, _))) => {
                    self.forbidden_item(&path.index(index), "item may not be added");
                }
                (UpdateConstraint::NoUnset | UpdateConstraint::NoRemoveItem, Some(_), None) => {
                    self.forbidden_item(path, "item may not be removed");
                }
                (UpdateConstraint::NoModify, Some((_, was)), Some((index, is)))
                    if !equal(plan, element, Some(is), Some(was)) =>
                {
                    self.invalid_nil(&path.index(index), "update", "field cannot be modified once set");
                }
                _ => {}
            }
        }
    }

    /// Items that cannot change once the list has some.
    pub(super) fn immutable_items(
        &mut self,
        slot: Slot,
        matching: &Matching,
        path: &Path<'_>,
        new: Val<'_>,
        old: Val<'_>,
    ) {
        let plan = self.plan;
        if !self.is_update() || !plan.is_set(slot, old) {
            return;
        }
        match plan.node(slot.node).shape {
            NodeShape::List(element) => {
                self.no_add_item(slot, matching, path, new, old);
                self.no_remove_item(slot, matching, path, new, old);
                for (index, &item) in items(new).iter().enumerate() {
                    let before = plan
                        .element(element, item)
                        .and_then(|item| plan.find(element, matching, items(old), item));
                    self.item_is_immutable(element, &path.index(index), item, before);
                }
            }
            NodeShape::Map { value, .. } => {
                self.no_add_item(slot, matching, path, new, old);
                self.no_remove_item(slot, matching, path, new, old);
                for (key, entry) in entries(new) {
                    self.item_is_immutable(value, &path.key(key), entry, entries(old).get(key));
                }
            }
            _ => self.invalid_nil(path, "immutable", "field is immutable"),
        }
    }

    fn item_is_immutable(&mut self, element: Slot, path: &Path<'_>, item: Value<'_>, before: Val<'_>) {
        let Some(before) = before else { return };
        let plan = self.plan;
        if !equal(
            plan,
            element,
            plan.element(element, item),
            plan.element(element, before),
        ) {
            self.invalid_nil(path, "immutable", "field is immutable");
        }
    }
}
