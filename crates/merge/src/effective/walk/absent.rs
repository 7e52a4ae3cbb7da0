//! Fields that the spec does not set: kept, set to what the kind declares, removed because the spec set them before, or
//! left alone.

use kindsmith_json::{Entry, Object, Value};
use kindsmith_schema::Str;

use super::{Place, Walk};
use crate::MAX_DEPTH;
use crate::effective::attributes::Attribute;
use crate::effective::equality::is_absent;
use crate::effective::keyed::Keyed;
use crate::effective::path::Step;
use crate::effective::shape::{Members, Shape};

impl<'a> Walk<'a, '_> {
    /// A field that the spec does not set. `inside`: it sets the object that contains the field.
    pub(super) fn absent<'s>(
        &mut self,
        live: Option<Value<'a>>,
        place: &Place<'a, 's>,
        inside: bool,
    ) -> Option<Value<'a>> {
        if place.keep.is_listed() {
            return self.keep(live?, place);
        }
        let declared = place.site.rules.default(self.arena, self.object, inside);
        if let Some(declared) = declared.filter(|_| !self.ignores_unspecified) {
            return self.declared(declared, live, place);
        }
        let declares = place.site.rules.has_defaults() && !self.ignores_unspecified;
        let concerned = place.keep.is_involved() || place.applied.is_involved() || declares;
        if !concerned || self.path.len() > MAX_DEPTH {
            return None;
        }
        match (Shape::of(place.site.schema), live) {
            (Shape::Object(members), Some(Value::Object(live))) => self.absent_members(live, place, members),
            (Shape::Object(members), None) if declares => self.absent_members(Object::EMPTY, place, members),
            (Shape::ListMap { keys, .. }, Some(Value::Array(items))) => self.absent_items(items, keys, place),
            (_, Some(_)) => {
                self.unset(place);
                None
            }
            (_, None) => None,
        }
    }

    /// Sets a field to the value that the kind declares.
    fn declared<'s>(
        &mut self,
        value: Value<'a>,
        live: Option<Value<'a>>,
        place: &Place<'a, 's>,
    ) -> Option<Value<'a>> {
        // A value that cannot change is declared for new resources only.
        if self.exists && (place.is_fixed() || place.has(&Attribute::GrowsOnly)) {
            return None;
        }
        // A new resource starts without a value.
        let is_zero = matches!(
            value,
            Value::Array([]) | Value::Bool(false) | Value::Int(0) | Value::Str("")
        );
        if !self.exists && is_zero {
            return None;
        }
        let before = self.changes.len();
        let value = match (Shape::of(place.site.schema), value, live) {
            (_, Value::Null, live) => {
                if live.is_some_and(|live| !is_absent(live, place.site)) {
                    self.change(None);
                }
                None
            }
            // Single items may be kept.
            (Shape::ListMap { keys, .. }, Value::Array([]), Some(Value::Array(items)))
                if place.keep.is_listed_below() =>
            {
                let live = Keyed::of(self.arena, items, keys)?;
                Some(self.items(&Keyed(Vec::new()), &live, place))
            }
            (_, value, live) => {
                self.compare(value, live, place);
                Some(value)
            }
        };
        let paths = self.changes[before..]
            .iter()
            .map(|change| change.path.to_string());
        self.declared.extend(paths);
        value
    }

    /// Removes what the spec set before, if possible.
    fn unset(&mut self, place: &Place<'a, '_>) {
        if !place.applied.is_listed() || self.ignores_unspecified {
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
            self.member(key, None, Some(live), &Parent::Absent(place), &mut entries);
        }
        self.declared_members(Object::EMPTY, live, &Parent::Absent(place), &mut entries);
        if entries.is_empty() {
            return None;
        }
        if self.kept.len() > kept_before
            && let Some(missing) = self.complete(live, place, members, &mut entries)
        {
            self.kept.truncate(kept_before);
            self.ignore(&format!(
                "it is not valid without `{missing}`, which cannot be kept"
            ));
            return None;
        }
        Some(self.object_of(&entries))
    }

    /// Members with a declared value that neither the spec nor the live object has.
    pub(super) fn declared_members<'s>(
        &mut self,
        spec: Object<'a>,
        live: Object<'a>,
        parent: &Parent<'_, 'a, 's>,
        entries: &mut Vec<Entry<'a>>,
    ) {
        let names: Vec<&'s str> = parent.place().site.rules.defaulted().collect();
        for name in names {
            if !spec.contains_key(name) && !live.contains_key(name) {
                self.member(self.arena.alloc_str(name), None, None, parent, entries);
            }
        }
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
            } else if below.was_applied(item) && !self.ignores_unspecified {
                let text = self.text();
                self.released.push(text);
                if !below.is_fixed() {
                    self.change(None);
                }
            }
            self.path.pop();
        }
        (!kept.is_empty()).then(|| Value::Array(self.arena.alloc_slice_copy(&kept)))
    }
}

/// The object that contains a field.
pub(super) enum Parent<'p, 'a, 's> {
    /// The spec sets it: fields that it sets too are the spec's, whatever is listed above them.
    Struct(&'p Place<'a, 's>),
    /// The spec sets it, and what it is made of: only entries with a path of their own are kept.
    Map(&'p Place<'a, 's>),
    /// It is not in the spec.
    Absent(&'p Place<'a, 's>),
}

impl<'p, 'a, 's> Parent<'p, 'a, 's> {
    pub(super) fn place(&self) -> &'p Place<'a, 's> {
        match self {
            Parent::Struct(place) | Parent::Map(place) | Parent::Absent(place) => place,
        }
    }
}
