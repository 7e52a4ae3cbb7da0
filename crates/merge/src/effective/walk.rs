//! Walks over spec and live object together: for every field it decides whose value to use and what differs.

use kindsmith_json::{Arena, ArrayEdit, Entry, Object, Value};
use kindsmith_schema::Str;

use super::attributes::Attribute;
use super::equality::{Site, equal, is_absent, shrinks};
use super::keyed::{Item, Keyed};
use super::listing::{Cursor, Ignored};
use super::path::{FieldPath, Step};
use super::presence::{Presence, Specified};
use super::shape::{Members, Shape};
use super::union::Union;
use super::{Change, Kept};
use crate::MAX_DEPTH;
use crate::element::KeyField;

/// The results so far.
pub(super) struct Walk<'a, 'i> {
    pub(super) arena: &'a Arena,
    pub(super) path: Vec<Step>,
    /// Write-only fields whose value has changed since it was sent.
    pub(super) resend: &'i [String],
    pub(super) kept: Vec<Kept<'a>>,
    pub(super) changes: Vec<Change<'a>>,
    pub(super) released: Vec<String>,
    pub(super) ignored: Vec<Ignored>,
    pub(super) refused: Vec<Ignored>,
    pub(super) warnings: Vec<Ignored>,
    pub(super) specified: Vec<String>,
}

/// What is known about one position.
#[derive(Clone)]
pub(super) struct Place<'a, 's> {
    pub(super) site: Site<'s>,
    /// Fields whose live value is to be kept.
    pub(super) keep: Cursor<'s>,
    /// Fields that the spec set before.
    pub(super) applied: Cursor<'s>,
    pub(super) presence: Presence<'a>,
}

impl<'a, 's> Place<'a, 's> {
    pub(super) fn field(&self, name: &'a str) -> Option<Self> {
        Some(Place {
            site: self.site.field(name)?,
            keep: self.keep.field(name),
            applied: self.applied.field(name),
            presence: self.presence.field(name),
        })
    }

    pub(super) fn item(&self, keys: &'a [KeyField<'a>], texts: &[(Box<str>, Box<str>)]) -> Self {
        Place {
            site: self.site.each(),
            keep: self.keep.item(texts),
            applied: self.applied.item(texts),
            presence: self.presence.item(keys),
        }
    }

    fn has(&self, attribute: &Attribute) -> bool {
        self.site.rules.has(attribute)
    }

    /// Whether the spec had the item at this position before.
    fn was_applied(&self, item: &Item<'a>) -> bool {
        let mut keys = item.keys.iter();
        keys.all(|key| self.applied.field(key.name).is_listed())
    }

    fn is_fixed(&self) -> bool {
        self.has(&Attribute::Immutable) || self.has(&Attribute::Identity)
    }
}

impl<'a, 'i> Walk<'a, 'i> {
    /// The effective value of a field.
    pub(super) fn node<'s>(
        &mut self,
        desired: Option<Value<'a>>,
        live: Option<Value<'a>>,
        place: &Place<'a, 's>,
    ) -> Option<Value<'a>> {
        let nullable = place.site.schema.is_none_or(|schema| schema.nullable);
        // A server drops nulls that the schema does not allow.
        let desired = desired.filter(|value| !value.is_null() || nullable);
        let live = live.filter(|value| !value.is_null());
        if place.has(&Attribute::OutputOnly) {
            if desired.is_some() {
                self.ignore("it is set by the service alone");
            }
            return None;
        }
        match desired {
            None => self.absent(live, place),
            Some(value) => self.present(value, live, place),
        }
    }

    fn present<'s>(
        &mut self,
        value: Value<'a>,
        live: Option<Value<'a>>,
        place: &Place<'a, 's>,
    ) -> Option<Value<'a>> {
        if self.path.len() > MAX_DEPTH {
            return self.leaf(value, live, place);
        }
        match (Shape::of(place.site.schema), value) {
            (Shape::Object(members), Value::Object(object)) => {
                let fits = live.is_none_or(|live| live.as_object().is_some());
                let empties = object.is_empty() && members.is_map() && !place.has(&Attribute::SharedMap);
                match fits && !empties {
                    true => Some(self.members(object, live, place, members)),
                    false => self.leaf(value, live, place),
                }
            }
            (Shape::ListMap { keys, .. }, Value::Array(items)) if !items.is_empty() => {
                let live_items = live.map_or(Some(&[][..]), Value::as_array);
                let lists = (
                    Keyed::of(self.arena, items, keys),
                    live_items.and_then(|live| Keyed::of(self.arena, live, keys)),
                );
                match lists {
                    (Some(desired), Some(live)) => Some(self.items(&desired, &live, place)),
                    _ => self.leaf(value, live, place),
                }
            }
            _ => self.leaf(value, live, place),
        }
    }

    /// A value that is set, kept or replaced as a whole.
    fn leaf<'s>(
        &mut self,
        value: Value<'a>,
        live: Option<Value<'a>>,
        place: &Place<'a, 's>,
    ) -> Option<Value<'a>> {
        if place.keep.is_listed() {
            match self.specified(value, place) {
                Specified::No => return self.absent(live, place),
                Specified::Perhaps => self.warn(
                    "the schema has a default for this field, so it is always specified and its live value is never kept",
                ),
                Specified::Yes => {}
            }
        }
        // Empty values have nothing that could be removed later.
        if !matches!(value, Value::Array([])) && value.as_object().is_none_or(|object| !object.is_empty()) {
            let text = self.text();
            self.specified.push(text);
        }
        self.compare(value, live, place);
        Some(value)
    }

    fn specified(&self, value: Value<'a>, place: &Place<'a, '_>) -> Specified {
        let default = place.site.schema.and_then(|schema| schema.default.as_ref());
        place.presence.specified(self.arena, value, default)
    }

    /// Records the difference between a desired value and the live one.
    fn compare(&mut self, value: Value<'a>, live: Option<Value<'a>>, place: &Place<'a, '_>) {
        if place.has(&Attribute::WriteOnly) {
            let text = self.text();
            if self.resend.contains(&text) {
                self.change(Some(value));
            }
            return;
        }
        if equal(Some(value), live, place.site) {
            return;
        }
        match live.filter(|live| !is_absent(*live, place.site)) {
            Some(live) if place.is_fixed() => {
                self.refuse(&format!("it cannot be changed; the live value is {live:?}"));
            }
            Some(live) if place.has(&Attribute::GrowsOnly) && shrinks(value, live) => {
                self.refuse(&format!("it can only grow; the live value is {live:?}"));
            }
            _ => self.change(Some(value)),
        }
    }

    /// A field that the spec does not set.
    fn absent<'s>(&mut self, live: Option<Value<'a>>, place: &Place<'a, 's>) -> Option<Value<'a>> {
        if place.keep.is_listed() {
            return self.keep(live?, place);
        }
        if let Some(default) = place.site.rules.default() {
            let value = default.value(self.arena);
            self.compare(value, live, place);
            return Some(value);
        }
        if !place.keep.is_involved() && !place.applied.is_involved() || self.path.len() > MAX_DEPTH {
            return None;
        }
        match (Shape::of(place.site.schema), live?) {
            (Shape::Object(members), Value::Object(live)) => self.absent_members(live, place, members),
            (Shape::ListMap { keys, .. }, Value::Array(items)) => self.absent_items(items, keys, place),
            _ => {
                self.unset(place);
                None
            }
        }
    }

    /// Removes what the spec set before, if possible.
    fn unset(&mut self, place: &Place<'a, '_>) {
        if !place.applied.is_listed() {
            return;
        }
        let text = self.text();
        self.released.push(text);
        if !place.is_fixed() && !place.has(&Attribute::WriteOnly) {
            self.change(None);
        }
    }

    /// The members of an object that is not in the spec.
    fn absent_members<'s>(
        &mut self,
        live: Object<'a>,
        place: &Place<'a, 's>,
        members: Members<'s>,
    ) -> Option<Value<'a>> {
        let mut entries = Vec::new();
        let kept_before = self.kept.len();
        for (key, live) in live {
            self.member(key, None, Some(live), place, &mut entries);
        }
        if entries.is_empty() {
            return None;
        }
        if let Some(missing) = self.complete(live, place, members, &mut entries) {
            self.kept.truncate(kept_before);
            self.ignore(&format!(
                "it is not valid without `{missing}`, which cannot be kept"
            ));
            return None;
        }
        Some(self.object(&entries))
    }

    /// Adds the members that the object needs to be valid, or reports one that is missing.
    fn complete<'s>(
        &mut self,
        live: Object<'a>,
        place: &Place<'a, 's>,
        members: Members<'s>,
        entries: &mut Vec<Entry<'a>>,
    ) -> Option<Str> {
        let required = members
            .schema()
            .map(|schema| &schema.required[..])
            .unwrap_or_default();
        for name in required {
            if entries.iter().any(|entry| *entry.key == **name) {
                continue;
            }
            let found = live.iter().find(|(key, _)| *key == &**name);
            let value = found.and_then(|(key, value)| {
                let below = place.field(key).filter(|_| !value.is_null())?;
                self.path.push(Step::Field(key.into()));
                let value = self.keep(value, &below);
                self.path.pop();
                Some(Entry { key, value: value? })
            });
            match value {
                Some(entry) => entries.push(entry),
                None => return Some(name.clone()),
            }
        }
        None
    }

    fn absent_items<'s>(
        &mut self,
        items: &'a [Value<'a>],
        keys: &[Str],
        place: &Place<'a, 's>,
    ) -> Option<Value<'a>> {
        let Some(items) = Keyed::of(self.arena, items, keys) else {
            self.unset(place);
            return None;
        };
        let mut kept = Vec::new();
        for item in &items.0 {
            self.path.push(Step::Item(item.texts.clone()));
            let below = place.item(item.keys, &item.texts);
            if below.keep.is_listed() {
                kept.extend(self.keep_item(item.value, &below));
            } else if below.was_applied(item) {
                let text = self.text();
                self.released.push(text);
                self.change(None);
            }
            self.path.pop();
        }
        (!kept.is_empty()).then(|| Value::Array(self.arena.alloc_slice_copy(&kept)))
    }

    /// An object in the spec.
    fn members<'s>(
        &mut self,
        object: Object<'a>,
        live: Option<Value<'a>>,
        place: &Place<'a, 's>,
        members: Members<'s>,
    ) -> Value<'a> {
        if object.is_empty() {
            // An empty struct may enable something; an empty spec says nothing.
            if live.is_none() && self.path.len() > 1 && !is_absent(Value::Object(object), place.site) {
                self.change(Some(Value::Object(object)));
            }
        }
        let live = live.and_then(Value::as_object).unwrap_or_default();
        let mut entries = Vec::new();
        let changes_before = self.changes.len();
        for (key, value) in object {
            self.member(key, Some(value), live.get(key), place, &mut entries);
        }
        let changed = self.changes.len() > changes_before;
        let union = Union::of(members.schema());
        for (key, value) in live.iter().filter(|(key, _)| !object.contains_key(key)) {
            let rival = object
                .iter()
                .find(|(name, value)| !value.is_null() && union.excludes(name, key));
            match rival {
                Some((name, _)) => self.excluded(key, name, changed, place),
                None => self.member(key, None, Some(value), place, &mut entries),
            }
        }
        let defaulted: Vec<&'s str> = place.site.rules.defaulted().map(|(name, _)| name).collect();
        for name in defaulted {
            if !object.contains_key(name) && !live.contains_key(name) {
                self.member(self.arena.alloc_str(name), None, None, place, &mut entries);
            }
        }
        self.object(&entries)
    }

    fn member<'s>(
        &mut self,
        key: &'a str,
        desired: Option<Value<'a>>,
        live: Option<Value<'a>>,
        place: &Place<'a, 's>,
        entries: &mut Vec<Entry<'a>>,
    ) {
        self.path.push(Step::Field(key.into()));
        match place.field(key) {
            Some(below) => {
                let value = self.node(desired, live, &below);
                entries.extend(value.map(|value| Entry { key, value }));
            }
            // A server drops fields that are not in the schema.
            None if desired.is_some() => self.warn("the schema has no such field"),
            None => {}
        }
        self.path.pop();
    }

    /// A live member that excludes one of the spec's.
    fn excluded(&mut self, key: &'a str, rival: &str, changed: bool, place: &Place<'a, '_>) {
        let Some(below) = place.field(key) else {
            return;
        };
        self.path.push(Step::Field(key.into()));
        if below.keep.is_involved() {
            self.ignore(&format!("the spec sets `{rival}`, which excludes it"));
        }
        // A service that always returns both would be written to forever, so it is removed only together with another
        // change.
        if changed && !below.is_fixed() && below.site.rules.unkeepable().is_none() {
            self.change(None);
        }
        self.path.pop();
    }

    /// A list map in the spec.
    fn items<'s>(&mut self, desired: &Keyed<'a>, live: &Keyed<'a>, place: &Place<'a, 's>) -> Value<'a> {
        let mut items = ArrayEdit::new(self.arena, &[]);
        let mut matched = Vec::new();
        for item in &desired.0 {
            self.path.push(Step::Item(item.texts.clone()));
            let below = place.item(item.keys, &item.texts);
            if !(below.keep.is_listed() && self.is_filled_in(item, &below)) {
                let live = live.0.iter().find(|live| live.texts == item.texts);
                matched.push(&item.texts);
                let before = self.changes.len();
                if let Some(value) = self.node(Some(item.value), live.map(|live| live.value), &below) {
                    items.push(value);
                    if live.is_none() {
                        self.changes.truncate(before);
                        self.change(Some(value));
                    }
                }
            }
            self.path.pop();
        }
        for item in live.0.iter().filter(|item| !matched.contains(&&item.texts)) {
            self.path.push(Step::Item(item.texts.clone()));
            let below = place.item(item.keys, &item.texts);
            if below.keep.is_listed() {
                if let Some(value) = self.keep_item(item.value, &below) {
                    items.push(value);
                }
            } else {
                if below.was_applied(item) {
                    let text = self.text();
                    self.released.push(text);
                }
                self.change(None);
            }
            self.path.pop();
        }
        Value::Array(items.finish())
    }

    /// Whether only webhooks or other controllers wrote the item.
    fn is_filled_in(&self, item: &Item<'a>, place: &Place<'a, '_>) -> bool {
        item.keys.iter().all(|key| {
            let below = place.field(key.name);
            below.is_some_and(|below| self.specified(key.value, &below) == Specified::No)
        })
    }

    pub(super) fn object(&self, entries: &[Entry<'a>]) -> Value<'a> {
        Value::Object(Object::from_entries(
            self.arena,
            self.arena.alloc_slice_copy(entries),
        ))
    }

    pub(super) fn text(&self) -> String {
        FieldPath::new(self.path.clone()).to_string()
    }

    fn change(&mut self, value: Option<Value<'a>>) {
        self.changes.push(Change {
            path: FieldPath::new(self.path.clone()),
            value,
        });
    }

    fn note(&self, reason: &str) -> Ignored {
        Ignored {
            path: self.text(),
            reason: reason.to_owned(),
        }
    }

    fn ignore(&mut self, reason: &str) {
        self.ignored.push(self.note(reason));
    }

    fn refuse(&mut self, reason: &str) {
        self.refused.push(self.note(reason));
    }

    fn warn(&mut self, reason: &str) {
        self.warnings.push(self.note(reason));
    }
}
