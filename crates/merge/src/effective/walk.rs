//! Walks over spec and live object together: for every field it decides whose value to use and what differs.
//! [`absent`] has the fields that the spec does not set.

mod absent;
mod keep;

use kindsmith_json::{Arena, ArrayEdit, Entry, Object, Value};

use self::absent::Parent;
use super::attributes::Attribute;
use super::equality::{Site, Strictness, equal, is_absent, shrinks};
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
    /// The object with its spec.
    pub(super) object: Value<'a>,
    /// Whether there is a live object.
    pub(super) exists: bool,
    /// Whether all fields that the spec does not set are left alone.
    pub(super) ignores_unspecified: bool,
    pub(super) path: Vec<Step>,
    /// Lists of structs with a hash of the value that was sent last.
    pub(super) sent: &'i [(String, String)],
    /// Write-only fields whose value has changed since it was sent.
    pub(super) resend: &'i [String],
    pub(super) kept: Vec<Kept<'a>>,
    pub(super) changes: Vec<Change<'a>>,
    pub(super) released: Vec<String>,
    pub(super) ignored: Vec<Ignored>,
    pub(super) refused: Vec<Ignored>,
    pub(super) warnings: Vec<Ignored>,
    pub(super) specified: Vec<String>,
    pub(super) declared: Vec<String>,
    pub(super) lists: Vec<(String, String)>,
}

/// What is known about one position.
#[derive(Clone)]
pub(super) struct Place<'a, 's> {
    pub(super) site: Site<'s>,
    /// Fields whose live value is to be kept.
    pub(super) keep: Cursor<'s>,
    /// Fields whose live value counts, whatever the spec says.
    pub(super) unmanaged: Cursor<'s>,
    /// Fields that the spec set before.
    pub(super) applied: Cursor<'s>,
    pub(super) presence: Presence<'a>,
    /// Steps of the path to the live value above that cannot be changed, if there is one: nothing can be added to it.
    pub(super) frozen: Option<usize>,
}

impl<'a> Place<'a, '_> {
    pub(super) fn field(&self, name: &'a str) -> Option<Self> {
        Some(Place {
            site: self.site.field(name)?,
            keep: self.keep.field(name),
            unmanaged: self.unmanaged.field(name),
            applied: self.applied.field(name),
            presence: self.presence.field(name),
            frozen: self.frozen,
        })
    }

    pub(super) fn item(&self, keys: &'a [KeyField<'a>], texts: &[(Box<str>, Box<str>)]) -> Self {
        Place {
            site: self.site.each(),
            keep: self.keep.item(texts),
            unmanaged: self.unmanaged.item(texts),
            applied: self.applied.item(texts),
            presence: self.presence.item(keys),
            frozen: self.frozen,
        }
    }

    /// The same without what is listed above.
    pub(super) fn own(self) -> Self {
        Place {
            keep: self.keep.own(),
            ..self
        }
    }

    /// The same for what is below, at a path of so many steps.
    fn above(&self, live: Option<Value<'a>>, steps: usize) -> Self {
        let is_live = live.is_some_and(|live| !is_absent(live, self.site));
        Place {
            frozen: self.frozen.or((is_live && self.is_fixed()).then_some(steps)),
            ..self.clone()
        }
    }

    pub(super) fn has(&self, attribute: &Attribute) -> bool {
        self.site.rules.has(attribute)
    }

    /// Whether the spec had the item at this position before.
    pub(super) fn was_applied(&self, item: &Item<'a>) -> bool {
        let mut keys = item.keys.iter();
        keys.all(|key| self.applied.field(key.name).is_listed())
    }

    pub(super) fn is_fixed(&self) -> bool {
        self.site.rules.is_fixed()
    }
}

impl<'a> Walk<'a, '_> {
    /// The effective value of a field.
    pub(super) fn node<'s>(
        &mut self,
        desired: Option<Value<'a>>,
        live: Option<Value<'a>>,
        place: &Place<'a, 's>,
        inside: bool,
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
        // On creation the spec's value counts once.
        if self.exists && place.unmanaged.is_listed() {
            return self.keep(live?, place);
        }
        match desired {
            None => self.absent(live, place, inside),
            Some(value) => self.present(value, live, place),
        }
    }

    fn present<'s>(
        &mut self,
        value: Value<'a>,
        live: Option<Value<'a>>,
        place: &Place<'a, 's>,
    ) -> Option<Value<'a>> {
        // What cannot be read back has no members to compare; what is declared to be the same has none that differ.
        let is_same = live.is_some_and(|live| place.site.rules.are_same(value, live));
        if self.path.len() > MAX_DEPTH || place.has(&Attribute::WriteOnly) || is_same {
            return self.leaf(value, live, place);
        }
        let place = &place.above(live, self.path.len());
        match (Shape::of(place.site.schema), value) {
            (Shape::Object(members), Value::Object(object)) => {
                let fits = live.is_none_or(|live| live.as_object().is_some());
                let empties = object.is_empty()
                    && members.is_map()
                    && !place.has(&Attribute::SharedMap)
                    && !place.keep.is_listed_below();
                if fits && !empties {
                    Some(self.members(object, live, place, members))
                } else {
                    self.leaf(value, live, place)
                }
            }
            (Shape::ListMap { keys, .. }, Value::Array(items))
                if !items.is_empty() || place.keep.is_listed_below() =>
            {
                if place.keep.is_listed() && !self.is_set(value, place) {
                    return self.absent(live, place, true);
                }
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
                Specified::No => return self.absent(live, place, true),
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
    pub(super) fn compare(&mut self, value: Value<'a>, live: Option<Value<'a>>, place: &Place<'a, '_>) {
        if place.has(&Attribute::WriteOnly) {
            if !self.resend.contains(&self.text()) {
                return;
            }
            if self.exists && place.is_fixed() {
                self.refuse("it cannot be changed");
            } else {
                self.change(Some(value));
            }
            return;
        }
        let strictness = self.strictness(value);
        if equal(Some(value), live, place.site, strictness) {
            return;
        }
        match live.filter(|live| !is_absent(*live, place.site)) {
            Some(live) if place.is_fixed() => {
                self.refuse(&cannot_change(live));
            }
            Some(live) if place.has(&Attribute::GrowsOnly) && shrinks(value, live) => {
                self.refuse(&format!("it can only grow; the live value is {live:?}"));
            }
            _ => self.add(value, place),
        }
    }

    /// Sets what is not live, unless it belongs to a live value that cannot be changed.
    fn add(&mut self, value: Value<'a>, place: &Place<'a, '_>) {
        match place.frozen {
            Some(steps) => {
                let whole = FieldPath::new(self.path[..steps].to_vec());
                self.refuse(&format!("it cannot be added: {whole} cannot be changed"));
            }
            None => self.change(Some(value)),
        }
    }

    /// How a list of structs is compared. If the spec's value is the one that was sent last, or none was sent, then members
    /// that only the live items have were added by the service.
    fn strictness(&mut self, value: Value<'a>) -> Strictness {
        let has_structs = |items: &[Value<'a>]| items.iter().any(|item| item.as_object().is_some());
        let Value::Array(items) = value else {
            return Strictness::Exact;
        };
        if !has_structs(items) {
            return Strictness::Exact;
        }
        let (text, hash) = (self.text(), fingerprint(value));
        let sent = self.sent.iter().find(|(path, _)| *path == text);
        let same = sent.is_none_or(|(_, sent)| *sent == hash);
        self.lists.push((text, hash));
        if same {
            Strictness::Additions
        } else {
            Strictness::Exact
        }
    }

    /// Whether a user set the value, or any part of it.
    fn is_set(&self, value: Value<'a>, place: &Place<'a, '_>) -> bool {
        if self.path.len() > MAX_DEPTH {
            return true;
        }
        match (Shape::of(place.site.schema), value) {
            (Shape::Object(_), Value::Object(object)) if !object.is_empty() => object
                .iter()
                .any(|(key, value)| place.field(key).is_some_and(|below| self.is_set(value, &below))),
            (Shape::ListMap { keys, .. }, Value::Array(items)) if !items.is_empty() => {
                let keyed = Keyed::of(self.arena, items, keys);
                keyed.is_none_or(|keyed| {
                    keyed.0.iter().any(|item| {
                        let below = place.item(item.keys, &item.texts);
                        !self.is_filled_in(item, &below)
                    })
                })
            }
            _ => self.specified(value, place) != Specified::No,
        }
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
                self.add(Value::Object(object), place);
            }
        }
        let parent = if members.is_map() {
            Parent::Map(place)
        } else {
            Parent::Struct(place)
        };
        let live = live.and_then(Value::as_object).unwrap_or_default();
        let mut entries = Vec::new();
        let changes_before = self.changes.len();
        for (key, value) in object {
            self.member(key, Some(value), live.get(key), &parent, &mut entries);
        }
        let changed = self.changes.len() > changes_before;
        let union = Union::of(members.schema());
        for (key, value) in live.iter().filter(|(key, _)| !object.contains_key(key)) {
            let rival = object
                .iter()
                .find(|(name, value)| !value.is_null() && union.excludes(name, key));
            match rival {
                Some((name, _)) => self.excluded(key, name, changed, place),
                None => self.member(key, None, Some(value), &parent, &mut entries),
            }
        }
        self.declared_members(object, live, &parent, &mut entries);
        self.object_of(&entries)
    }

    fn member<'s>(
        &mut self,
        key: &'a str,
        desired: Option<Value<'a>>,
        live: Option<Value<'a>>,
        parent: &Parent<'_, 'a, 's>,
        entries: &mut Vec<Entry<'a>>,
    ) {
        self.path.push(Step::Field(key.into()));
        match parent.place().field(key) {
            Some(below) => {
                let value = self.member_of(desired, live, parent, below);
                entries.extend(value.map(|value| Entry { key, value }));
            }
            // A server drops fields that are not in the schema.
            None if desired.is_some() => self.warn("the schema has no such field"),
            None => {}
        }
        self.path.pop();
    }

    fn member_of<'s>(
        &mut self,
        desired: Option<Value<'a>>,
        live: Option<Value<'a>>,
        parent: &Parent<'_, 'a, 's>,
        below: Place<'a, 's>,
    ) -> Option<Value<'a>> {
        let parts = |value: Value<'a>| matches!(value, Value::Object(_) | Value::Array(_));
        match (parent, desired) {
            (Parent::Absent(_), _) => self.node(desired, live, &below, false),
            // A part that the spec sets is the spec's as a whole.
            (_, Some(value)) if parts(value) && (!below.keep.is_listed() || self.is_set(value, &below)) => {
                self.node(desired, live, &below.own(), true)
            }
            (_, Some(_)) | (Parent::Struct(_), None) => self.node(desired, live, &below, true),
            (Parent::Map(map), None) => {
                let below = below.own();
                let stays = below.keep.is_involved()
                    || below.unmanaged.is_listed()
                    || map.has(&Attribute::SharedMap)
                    || below.has(&Attribute::OutputOnly);
                if stays {
                    self.node(None, live, &below, true)
                } else {
                    self.remove_entry(live, below.applied.is_involved(), &below);
                    None
                }
            }
        }
    }

    /// Removes a live entry of a map, or item of a list, that the spec does not have.
    fn remove_entry(&mut self, live: Option<Value<'a>>, was_applied: bool, place: &Place<'a, '_>) {
        if let Some(live) = live.filter(|_| place.is_fixed()) {
            self.refuse(&cannot_change(live));
            return;
        }
        if was_applied {
            let text = self.text();
            self.released.push(text);
        }
        self.change(None);
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
    pub(super) fn items<'s>(
        &mut self,
        desired: &Keyed<'a>,
        live: &Keyed<'a>,
        place: &Place<'a, 's>,
    ) -> Value<'a> {
        let mut items = ArrayEdit::new(self.arena, &[]);
        let mut matched = Vec::new();
        for item in &desired.0 {
            self.path.push(Step::Item(item.texts.clone()));
            // What lists the list does not list its items: the spec sets the list.
            let below = place.item(item.keys, &item.texts).own();
            if !(below.keep.is_listed() && self.is_filled_in(item, &below)) {
                let live = live.0.iter().find(|live| live.texts == item.texts);
                matched.push(&item.texts);
                let before = (self.changes.len(), self.refused.len());
                if let Some(value) = self.node(Some(item.value), live.map(|live| live.value), &below, true) {
                    items.push(value);
                    if live.is_none() {
                        self.changes.truncate(before.0);
                        self.refused.truncate(before.1);
                        self.add(value, &below);
                    }
                }
            }
            self.path.pop();
        }
        for item in live.0.iter().filter(|item| !matched.contains(&&item.texts)) {
            self.path.push(Step::Item(item.texts.clone()));
            let below = place.item(item.keys, &item.texts).own();
            if below.keep.is_listed() || below.unmanaged.is_listed() {
                if let Some(value) = self.keep_item(item.value, &below) {
                    items.push(value);
                }
            } else {
                self.remove_entry(Some(item.value), below.was_applied(item), &below);
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

    pub(super) fn object_of(&self, entries: &[Entry<'a>]) -> Value<'a> {
        Value::Object(Object::from_entries(
            self.arena,
            self.arena.alloc_slice_copy(entries),
        ))
    }

    pub(super) fn text(&self) -> String {
        FieldPath::new(self.path.clone()).to_string()
    }

    pub(super) fn change(&mut self, value: Option<Value<'a>>) {
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

    pub(super) fn ignore(&mut self, reason: &str) {
        self.ignored.push(self.note(reason));
    }

    fn refuse(&mut self, reason: &str) {
        self.refused.push(self.note(reason));
    }

    fn warn(&mut self, reason: &str) {
        self.warnings.push(self.note(reason));
    }
}

fn cannot_change(live: Value<'_>) -> String {
    format!("it cannot be changed; the live value is {live:?}")
}

/// A short hash of a value, stable across processes.
fn fingerprint(value: Value<'_>) -> String {
    let hash = kindsmith_json::to_string(value)
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    format!("{hash:016x}")
}
